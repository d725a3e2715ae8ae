/* Ranks from a static run, where that is cheaper than to repair them.
 *
 *   Recompute
 *     1 Run     the static function writes the values
 *     2 Adopt   shares that say the same
 *   Know, at a later commit that is to be repaired
 *     3 Measure what rests
 *
 * Between 2 and 3 ranks are *blank*: values and shares are there, rests,
 * degrees and their sums are not.  A stream whose batches are all too large
 * never asks for them, and to measure takes as long as some sweeps.
 */
#include "algo/pagerank/pagerank_live.h"

enum {
    GRAIN = 1 << 14,
    TAKE_COST = 24, /* of a changed edge, in edges of a sweep */
    MUCH = 2,       /* one in so many of those that a static run walks */
    ALIKE = 4,      /* a batch of one in so many edges is another one */
    LONGEST = 63,   /* commits, between two tries */
};

/* ---- adopt ----------------------------------------------------------------
 */

/* Of its vertices that have no out-edges. */
static void sum_dangling_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const double *const rank = R->L->values;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    struct ranks_part part = { 0 };
    for (hy_vid v = lo; v < hi; v++)
        part.dangling += view_degree(R->V, v) ? 0 : rank[v];
    R->part[task] = part;
}

/* Sets its shares from ranks. */
static void unscale_par(void *arg, size_t lo, size_t hi)
{
    struct ranks *R = arg;
    const double *const rank = R->L->values;
    for (size_t v = lo; v < hi; v++) {
        const uint32_t k = view_degree(R->V, (hy_vid)v);
        R->share[v] = rank[v] * R->scale / (k ? k : 1);
    }
}

/* Shares from the values, which a static run has written. */
static void adopt(struct ranks *R)
{
    hy_ctx *const ctx = R->L->ctx;
    par_run(ctx, ranks_tasks(R), sum_dangling_par, R);
    ranks_add_up(R);
    R->scale = (double)R->V->vertices / (1 - R->d + R->d * R->dangling);
    par_for(ctx, R->V->bound, GRAIN, unscale_par, R);
    ranks_clear(R);
    R->is_blank = true;
}

/* Of what a static run leaves; ranks of double precision are rounded, too. */
static double bound_of(const struct ranks *R, const hy_pagerank_info *info)
{
    const double rounding = pagerank_rounding(&R->plan) + 0x1p-50;
    return R->V->vertices ? (info->l1 + rounding) / (1 - R->d) : 0;
}

hy_status ranks_run_static(struct ranks *R)
{
    hy_pagerank_info info;
    HY_TRY(hy_pagerank(R->V, &R->opts, R->L->values, &info));
    R->sweeps = info.iterations;
    R->work += (info.iterations + 1) * (R->V->arcs + R->V->bound);
    R->error = bound_of(R, &info);
    adopt(R);
    return HY_OK;
}

void ranks_know(struct ranks *R)
{
    if (R->is_blank)
        ranks_measure(R);
    R->is_blank = false;
}

/* ---- whether --------------------------------------------------------------
 */

double ranks_sweep_cost(const struct ranks *R)
{
    enum { VERTEX_COST = 4 };
    return (double)R->V->arcs + VERTEX_COST * (double)R->V->bound;
}

double ranks_static_cost(const struct ranks *R)
{
    return ranks_sweep_cost(R) * (R->sweeps + 1.0);
}

static uint64_t edges_of(const hy_delta *delta)
{
    return delta->inserted.n + delta->deleted.n;
}

bool ranks_is_much(struct ranks *R, const hy_delta *delta)
{
    const uint64_t edges = edges_of(delta);
    const double arcs = (double)edges * (view_is_undirected(R->V) ? 2.0 : 1.0);
    if (arcs * TAKE_COST * MUCH > ranks_static_cost(R))
        return true;
    if (!R->is_blank || !R->to_wait || edges <= R->vain_edges / ALIKE)
        return false;
    R->to_wait--;
    return true;
}

void ranks_learn_vain(struct ranks *R, const hy_delta *delta)
{
    R->to_wait = R->span;
    R->span = 2 * R->span + 1 < LONGEST ? 2 * R->span + 1 : LONGEST;
    R->vain_edges = edges_of(delta);
}
