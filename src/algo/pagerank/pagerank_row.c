/* Sweeps in rows, where walks mix slowly: Chebyshev's method.
 *
 * The walk's eigenvalues are real in an undirected graph, and a step goes on in
 * the direction of the one before (Golub, Varga, 1961).
 *
 * Shares and rests stay as they were when the row began.  What they are now
 * follows from gone(v), the sum of v's steps since, in units:
 *
 *   share'(v) = share(v) + unit * gone(v)
 *   rest'(v) = rest(v) - unit * k(v) * gone(v)
 *                      + d * unit * (sum of gone(u), u -> v)
 *
 *   Sweep
 *     1 Pull     sum of gone(u), u -> v
 *     2 Settle   rest'(v) for the sum of them; gone(v) for the next sweep
 *     3 Fold     share and rest become share' and rest', if it may be the last
 *
 * A sweep without 3 writes 2 bytes a vertex and not 26: where neighbours are
 * near each other in memory, it takes as long as memory does.
 */
#include "algo/pagerank/pagerank_pull.h"

/* ---- steps ----------------------------------------------------------------
 */

/* Steps of the kind that comes `chain`-th in a row, after one with `omega`. */
static struct ranks_gait choose_gait(const struct ranks *R, uint32_t chain,
                                     double omega)
{
    const double half = R->d * R->d / (chain == 1 ? 2 : 4);
    const double x = chain ? 1 / (1 - half * omega) : 1;
    return (
        struct ranks_gait){ .omega = x, .gain = x / R->unit, .onward = x - 1 };
}

/* Writes the first steps of its vertices. */
HY_INLINE void begin_all(struct ranks *R, size_t task)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const struct ranks_gait gait = R->gait;
    const struct ranks_node *const node = R->node;
    int16_t *const step = R->step;
    for (hy_vid v = lo; v < hi; v++) {
        const double has_edges = 1 - ranks_is_dangling(&node[v]);
        step[v] = ranks_step(&gait, ranks_k(&node[v]), node[v].rest * has_edges,
                             0, 0);
    }
}

static void begin_plain_par(void *arg, size_t task)
{
    begin_all(arg, task);
}

HY_AVX2
static void begin_avx2_par(void *arg, size_t task)
{
    begin_all(arg, task);
}

static void begin(struct ranks *R, double unit)
{
    R->unit = unit;
    R->chain = 0;
    R->is_full = false;
    R->gait = choose_gait(R, 0, 0);
    par_run(R->L->ctx, ranks_tasks(R),
            HY_HAS_AVX2() ? begin_avx2_par : begin_plain_par, R);
}

/* ---- settle ---------------------------------------------------------------
 */

/* What a sweep needs, by value: what it writes could else be any of these. */
struct terms {
    double d, unit, tell;
    struct ranks_gait gait;
};

static inline struct terms terms_of(const struct ranks *R)
{
    return (struct terms){ .d = R->d,
                           .unit = R->unit,
                           .tell = R->told > 0 ? 1 / R->told : 0,
                           .gait = R->gait };
}

/* Asks for what is needed once neighbours have been looked at. */
HY_INLINE void look_ahead(const struct ranks *R, hy_vid lo, size_t n,
                          bool folds)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < n; i += LINE / sizeof *R->node)
        HY_PREFETCH(&R->node[lo + i]);
    for (size_t i = 0; folds && i < n; i += LINE / sizeof *R->share)
        HY_PREFETCH(&R->share[lo + i]);
}

/* Where some will have gone next, and what rests; true if one of them cannot go
 * that far.  One without edges takes in its rest, and goes nowhere: nothing is
 * left. */
HY_INLINE bool go(const struct ranks *R, const struct terms *t,
                  const double *sum, hy_vid lo, size_t n, bool folds,
                  struct ranks_some *x, double *moved)
{
    const int16_t *const step = R->step + lo;
    int16_t *const next = R->next + lo;
    const double unit = t->unit, more = t->d * t->unit;
    const int32_t is_open = R->is_open, is_gone = !folds;
    const struct ranks_gait gait = t->gait;
    int32_t full = 0;
    for (size_t i = 0; i < n; i++) {
        const double by = step[i] * unit + x->rest[i] * x->lone[i];
        const double rest = x->rest[i] - by * x->k[i] + more * sum[i];
        const int32_t last = step[i] - next[i] * is_open;
        moved[i] = by;
        x->rest[i] = rest;
        next[i] = ranks_step(&gait, x->k[i], rest, last, step[i] * is_gone);
        full |= (next[i] == INT16_MAX) | (next[i] == -INT16_MAX);
    }
    return full;
}

/* What those without edges will have, as lone ones. */
HY_INLINE void weigh_lone(const struct ranks *R, hy_vid lo, size_t n,
                          struct ranks_some *x, const double *moved)
{
    const double *const share = R->share + lo;
    for (size_t i = 0; i < n; i++)
        x->lone[i] *= share[i] + moved[i];
}

/* Counted without a way out, so that it is done by vectors. */
HY_INLINE bool has_lone(const struct ranks_node *node, size_t n)
{
    uint32_t lone = 0;
    for (size_t i = 0; i < n; i++)
        lone += !node[i].degree;
    return lone > 0;
}

/* Writes shares, rests and, if they are told, values. */
HY_INLINE void fold(struct ranks *R, double tell, hy_vid lo, size_t n,
                    const struct ranks_some *x, const double *moved)
{
    double *const share = R->share + lo;
    double *const value = (double *)R->L->values + lo;
    struct ranks_node *const node = R->node + lo;
    for (size_t i = 0; i < n; i++)
        share[i] += moved[i];
    for (size_t i = 0; i < n; i++)
        node[i].rest = x->rest[i];
    for (size_t i = 0; tell > 0 && i < n; i++)
        value[i] = (share[i] * x->k[i] + x->rest[i]) * tell;
}

/* Writes what its vertices will have gone next and, if `folds`, shares, rests
 * and values. */
HY_INLINE void settle_all(struct ranks *R, size_t task, bool folds)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const struct terms t = terms_of(R);
    struct ranks_sums rest = { 0 }, dangling = { 0 };
    struct ranks_some x;
    double moved[RANKS_SOME];
    bool is_full = false;
    for (hy_vid v = lo, n; v < hi; v += n) {
        double sum[RANKS_SOME] = { 0 };
        n = hi - v < RANKS_SOME ? hi - v : RANKS_SOME;
        look_ahead(R, v, n, folds);
        ranks_pull(R, v, v + n, sum, false, false);
        ranks_load(R, v, n, &x);
        is_full |= go(R, &t, sum, v, n, folds, &x, moved);
        ranks_sum(x.rest, n, &rest);
        if (has_lone(R->node + v, n)) {
            weigh_lone(R, v, n, &x, moved);
            ranks_sum(x.lone, n, &dangling);
        }
        if (folds)
            fold(R, t.tell, v, n, &x, moved);
    }
    R->part[task] = ranks_part_of(&rest, &dangling);
    R->part[task].is_full = is_full;
}

static void go_plain_par(void *arg, size_t task)
{
    settle_all(arg, task, false);
}

static void fold_plain_par(void *arg, size_t task)
{
    settle_all(arg, task, true);
}

HY_AVX2
static void go_avx2_par(void *arg, size_t task)
{
    settle_all(arg, task, false);
}

HY_AVX2
static void fold_avx2_par(void *arg, size_t task)
{
    settle_all(arg, task, true);
}

static par_step *best_step(bool folds)
{
    if (HY_HAS_AVX2())
        return folds ? fold_avx2_par : go_avx2_par;
    return folds ? fold_plain_par : go_plain_par;
}

/* A unit that has become too coarse ends the row, and one that is too fine for
 * how far a share has gone since it began. */
void ranks_sweep_row(struct ranks *R, double unit)
{
    enum { COARSE = 8 };
    if (!R->chain || ((R->is_full || R->unit > COARSE * unit) && !R->is_open))
        begin(R, unit);
    const bool folds = R->told > 0 || R->is_full || R->unit > COARSE * unit;
    int16_t *const gone = R->step;
    R->chain++;
    R->gait = choose_gait(R, R->chain, R->gait.omega);
    par_run(R->L->ctx, ranks_tasks(R), best_step(folds), R);
    R->step = R->next;
    R->next = gone;
    R->is_open = !folds;
}
