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
static void begin_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const struct ranks_gait gait = R->gait;
    int16_t *const step = R->step;
    for (hy_vid v = lo; v < hi; v++)
        step[v] = ranks_step(&gait, &R->node[v], R->node[v].rest, 0, 0);
}

static void begin(struct ranks *R, double unit)
{
    R->unit = unit;
    R->chain = 0;
    R->gait = choose_gait(R, 0, 0);
    par_run(R->L->ctx, ranks_tasks(R), begin_par, R);
}

/* ---- settle ---------------------------------------------------------------
 */

/* Writes what its vertices will have gone next and, if `folds`, shares, rests
 * and values. */
HY_INLINE void settle_all(struct ranks *R, size_t task, const double *sum,
                          bool folds)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const struct ranks_terms t = ranks_terms(R);
    const int16_t *const step = R->step;
    int16_t *const next = R->next;
    double *const share = R->share, *const value = R->L->values;
    const int32_t is_open = R->is_open;
    struct ranks_part part = { 0 };
    for (hy_vid v = lo; v < hi; v++) {
        struct ranks_node *const a = &R->node[v];
        const double more = t.d * t.unit * sum[v - lo];
        const double moved = step[v] * t.unit + a->rest * ranks_is_dangling(a);
        const double rest = a->rest - moved * ranks_k(a) + more;
        const int32_t last = step[v] - next[v] * is_open;
        if (!a->degree)
            part.dangling += share[v] + moved;
        ranks_add_part(&part, rest);
        next[v] = ranks_step(&t.gait, a, rest, last, folds ? 0 : step[v]);
        if (!folds)
            continue;
        share[v] += moved;
        a->rest = rest;
        if (t.tell > 0)
            value[v] = ranks_z(a, share[v]) * t.tell;
    }
    R->part[task] = part;
}

static void go_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    double sum[RANKS_TASK] = { 0 };
    ranks_pull(R, lo, hi, sum, false);
    settle_all(R, task, sum, false);
}

static void fold_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    double sum[RANKS_TASK] = { 0 };
    ranks_pull(R, lo, hi, sum, false);
    settle_all(R, task, sum, true);
}

/* A unit that has become too coarse ends the row. */
void ranks_sweep_row(struct ranks *R, double unit)
{
    enum { COARSE = 8 };
    if (!R->chain || (R->unit > COARSE * unit && !R->is_open))
        begin(R, unit);
    const bool folds = R->told > 0 || R->unit > COARSE * unit;
    int16_t *const gone = R->step;
    R->chain++;
    R->gait = choose_gait(R, R->chain, R->gait.omega);
    par_run(R->L->ctx, ranks_tasks(R), folds ? fold_par : go_par, R);
    R->step = R->next;
    R->next = gone;
    R->is_open = !folds;
}
