/* The tree of shortest paths, from the distances alone.
 *
 *   Tree
 *     1 p(v) <- the smallest u with an edge of weight w to v that is tight,
 *       d(u) + w = d(v), and steep, d(u) < d(v)
 *     2 wave 0 <- all vertices that have a parent, and the source
 *     3 for k = 0, 1, ... while vertices that are reached have none
 *     4     for each u in wave k, each tight edge to a v without parent, or
 *           with one from this wave that is larger than u: p(v) <- u
 *     5     wave k + 1 <- these v
 *
 * Steep edges alone cannot close a cycle; edges that are tight but not steep
 * (weights of 0, or so small that an f64 does not feel them) can, hence the
 * waves, which go on from vertices that hang already.
 */
#include "algo/sssp/sssp_impl.h"

enum { GRAIN = 1 << 10 };

struct tree {
    const struct algo_weights *W;
    const double *dist;
    hy_vid *parent;
    _Atomic uint64_t n_open; /* reached, and without parent */
};

/* ---- line 1 -------------------------------------------------------------- */

HY_INLINE hy_vid find_parent(const struct tree *T, hy_type type, uint32_t step,
                             hy_vid v)
{
    const struct algo_weights *const W = T->W;
    const double here = T->dist[v];
    view_for_in (s, W->V, v) {
        const hy_span span = s;
        const char *const at = algo_weights_at(W, &span);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid u = s.v[(size_t)i * s.step];
            const double d = T->dist[u];
            if (d < here &&
                d + algo_weight_f64(type, at + (size_t)i * step) == here)
                return u;
        }
    }
    return HY_NONE;
}

HY_INLINE void pull(struct tree *T, hy_type type, uint32_t step, size_t lo,
                    size_t hi)
{
    for (size_t v = lo; v < hi; v++)
        T->parent[v] = T->dist[v] < INFINITY
                           ? find_parent(T, type, step, (hy_vid)v)
                           : HY_NONE;
}

/* Writes its range. */
static void pull_par(void *arg, size_t lo, size_t hi)
{
    struct tree *const T = arg;
    const struct algo_weights *const W = T->W;
    if (W->type == HY_I32 && W->step == 4)
        pull(T, HY_I32, 4, lo, hi);
    else if (W->type == HY_F32 && W->step == 4)
        pull(T, HY_F32, 4, lo, hi);
    else
        pull(T, W->type, W->step, lo, hi);
}

/* Writes its range. */
static void clear_par(void *arg, size_t lo, size_t hi)
{
    struct tree *const T = arg;
    for (size_t v = lo; v < hi; v++)
        T->parent[v] = HY_NONE;
}

/* Parents race: each only falls, by compare and swap. */
static void push_par(void *arg, size_t lo, size_t hi)
{
    struct tree *const T = arg;
    const struct algo_weights *const W = T->W;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        const double d = T->dist[s.u];
        const char *const at = algo_weights_at(W, &s);
        for (uint32_t i = 0; d < INFINITY && i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            const double w = algo_weight_f64(W->type, at + (size_t)i * W->step);
            if (d < T->dist[v] && d + w == T->dist[v]) {
                uint32_t now = __atomic_load_n(&T->parent[v], __ATOMIC_RELAXED);
                while (s.u < now && !atomic_claim_u32(&T->parent[v], &now, s.u))
                    continue;
            }
        }
    }
}

static void count_open_par(void *arg, size_t lo, size_t hi)
{
    struct tree *const T = arg;
    uint64_t n = 0;
    for (size_t v = lo; v < hi; v++)
        n += T->dist[v] < INFINITY && T->parent[v] == HY_NONE;
    T->n_open += n;
}

/* ---- lines 2 to 5: rare, and on one thread ------------------------------- */

struct waves {
    uint32_t *number; /* of each vertex's wave; HY_NONE: not yet in one */
    hy_vid *queue;    /* the waves one after the other */
    size_t n;
};

static void start_waves(const struct tree *T, struct waves *waves)
{
    const hy_vid bound = T->W->V->bound;
    for (hy_vid v = 0; v < bound; v++) {
        waves->number[v] = HY_NONE;
        if (T->parent[v] != HY_NONE) {
            waves->number[v] = 0;
            waves->queue[waves->n++] = v;
        }
    }
}

static void spread(const struct tree *T, struct waves *waves, hy_vid u)
{
    const struct algo_weights *const W = T->W;
    const uint32_t next = waves->number[u] + 1;
    view_for_out (s, W->V, u) {
        const hy_span here = s;
        const char *const at = algo_weights_at(W, &here);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            if (T->dist[v] != T->dist[u] || waves->number[v] < next ||
                T->dist[u] +
                        algo_weight_f64(W->type, at + (size_t)i * W->step) !=
                    T->dist[v])
                continue;
            if (waves->number[v] == HY_NONE) {
                waves->number[v] = next;
                waves->queue[waves->n++] = v;
            }
            T->parent[v] = u < T->parent[v] ? u : T->parent[v];
        }
    }
}

static void tell_ranks(const struct waves *waves, size_t bound,
                       struct sssp_ranks *ranks)
{
    for (size_t v = 0; v < bound; v++)
        ranks->at[v] = waves->number[v] == HY_NONE ? 0 : waves->number[v];
    ranks->has_any = true;
}

static hy_status hang_rest(const struct tree *T, struct sssp_ranks *ranks)
{
    hy_ctx *const ctx = view_ctx(T->W->V);
    const size_t bound = T->W->V->bound;
    struct waves waves = { 0 };
    hy_status status = HY_ENOMEM;
    waves.number = base_alloc_raw(ctx, bound, sizeof *waves.number);
    waves.queue = base_alloc_raw(ctx, bound, sizeof *waves.queue);
    if (!waves.number || !waves.queue)
        goto out;
    start_waves(T, &waves);
    for (size_t i = 0; i < waves.n; i++) /* grows as we walk it */
        spread(T, &waves, waves.queue[i]);
    if (ranks)
        tell_ranks(&waves, bound, ranks);
    status = HY_OK;
out:
    base_free(ctx, waves.queue);
    base_free(ctx, waves.number);
    return status;
}

hy_status sssp_tree(const struct algo_weights *W, hy_vid source,
                    const double *dist, hy_vid *parent,
                    struct sssp_ranks *ranks)
{
    const hy_view *const V = W->V;
    hy_ctx *const ctx = view_ctx(V);
    struct tree T = { .W = W, .dist = dist, .parent = parent };
    if (view_has_in(V)) {
        par_for(ctx, V->bound, GRAIN, pull_par, &T);
    } else {
        par_for(ctx, V->bound, GRAIN, clear_par, &T);
        par_for(ctx, V->bound, GRAIN, push_par, &T);
    }
    parent[source] = source;
    par_for(ctx, V->bound, GRAIN, count_open_par, &T);
    return T.n_open ? hang_rest(&T, ranks) : HY_OK;
}
