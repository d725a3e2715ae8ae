/* A spanning forest with levels, from nothing.
 *
 *   Rebuild(V)
 *     1 Begin     parent(u) <- the smallest neighbour of u, if smaller than u:
 *                 trees, whose roots are their smallest vertices
 *     2 Roots     r hangs under a neighbour that is in another tree
 *     3 Units     trees that hang together are a unit, by its root's name;
 *                 level(u) <- u + bound * how many trees are above u's
 *     4 Seed      c <- a unit that many vertices are in, if there is one;
 *                 others <- vertices with edges that are not in c
 *     5 Join      units, by edges of the others (wcc_live_hook.c)
 *
 * Begin and Seed are Afforest's (wcc_afforest.c), and so is the hope: that
 * many vertices are in c by then, and only the others look at their edges.
 * Where it unites sets, we need parents with lower levels.
 *
 * Roots.  A root r has larger neighbours only.  One of these, w, has a parent
 * that is no larger than r: either r itself, or it leads to a smaller root.
 * So a root is put under a smaller one, and nobody but r writes it.  The pair
 * of a tree's place below others and the id falls towards the root, which is
 * what (1) of wcc_live.h asks for.
 */
#include "algo/wcc/wcc_live_forest.h"

#include "ops/sets.h"

static const uint64_t max_level = (uint64_t)1 << 31;

/* ---- 1, 2 ------------------------------------------------------------------
 */

/* Lowers p and `to` of its range to the first neighbours of one side. */
static void begin_side(const struct wcc_forest *F, hy_scan scan)
{
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u, v = scan.span.v[0];
        if (v < F->p[u])
            F->to[u] = F->p[u] = v;
        else if (F->to[u] == WCC_ALONE)
            F->to[u] = HY_NONE;
        scan.span.path = 0; /* one span of each vertex is enough */
    }
}

/* Writes p and `to` of its range, and lists roots that have edges. */
static void begin_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts puts = { .to = &F->roots };
    for (size_t u = lo; u < hi; u++) {
        F->p[u] = (hy_vid)u;
        F->to[u] = WCC_ALONE;
    }
    begin_side(F, hy_scan_out(F->V, (hy_vid)lo, (hy_vid)hi));
    if (!view_is_undirected(F->V))
        begin_side(F, hy_scan_in(F->V, (hy_vid)lo, (hy_vid)hi));
    for (size_t u = lo; u < hi; u++)
        if (F->to[u] == HY_NONE)
            algo_put(&puts, (hy_vid)u);
    algo_puts_flush(&puts);
}

/* Writes p of its range, and reads that of others: any ancestor will do. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((const struct wcc_forest *)arg)->p, lo, hi);
}

static void hang_root(const struct wcc_forest *F, hy_vid r)
{
    near_for(s, F->V, r) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        const hy_vid other = atomic_peek_u32(&F->p[w]);
        if (other >= r)
            continue;
        F->to[r] = w;
        atomic_put_u32(&F->p[r], other);
        return;
    }
}

/* Writes p and `to` of its range of roots. */
static void roots_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        wcc_forest_ask(F, F->roots.at, i, hi);
        hang_root(F, F->roots.at[i]);
    }
}

/* ---- 3 ---------------------------------------------------------------------
 */

/* Writes units and levels of its range of roots. */
static void root_units_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = F->roots.at[i];
        uint64_t level = u;
        hy_vid r = u;
        for (hy_vid up; (up = F->p[r]) != r; r = up)
            level += F->V->bound;
        F->node[u].level = level < max_level ? (uint32_t)level : WCC_UNKNOWN;
        if (HY_UNLIKELY(level >= max_level))
            atomic_put_u32(&F->has_unknown, 1);
        F->unit[u] = r;
    }
}

/* Writes all of a vertex u whose root is not u. */
static void put_under(const struct wcc_forest *F, hy_vid u)
{
    const hy_vid r = F->p[u];
    const uint32_t level = F->node[r].level;
    F->unit[u] = F->unit[r];
    F->node[u] =
        (struct wcc_node){ .parent = F->to[u],
                           .level = level == WCC_UNKNOWN ? WCC_UNKNOWN
                                                         : level - r + u };
}

/* Writes nodes of its range, units but for those of roots, and lists those that
 * are not in c and have edges. */
static void units_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts puts = { .to = &F->others };
    for (hy_vid u = (hy_vid)lo; u < hi; u++) {
        if (F->to[u] == WCC_ALONE) {
            F->unit[u] = u;
            F->node[u] = (struct wcc_node){ .parent = HY_NONE, .level = u };
            wcc_forest_unit(F, u, WCC_ALONE, 1);
            continue;
        }
        if (F->to[u] < u) {
            put_under(F, u);
        } else {
            F->node[u].parent = F->to[u];
            if (F->unit[u] == u)
                wcc_forest_unit(F, u, HY_NONE, 0);
        }
        if (F->unit[u] != F->c)
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* ---- the whole -------------------------------------------------------------
 */

static void new_epoch(struct wcc_live *W)
{
    if (++W->epoch == UINT32_MAX >> 1) {
        for (size_t c = 0; c < W->room; c++)
            W->group[c].state = 0;
        W->epoch = 1;
    }
    W->fresh = 0;
    W->n_freed = 0;
}

struct wcc_forest wcc_forest_begin(struct wcc_live *W)
{
    new_epoch(W);
    return (struct wcc_forest){ .W = W,
                                .V = W->V,
                                .ctx = W->L->ctx,
                                .node = W->node,
                                .p = W->L->values,
                                .unit = W->comp,
                                .from = W->queue[0],
                                .to = W->queue[1],
                                .roots.at = W->freed,
                                .others.at = W->L->changed };
}

void wcc_rebuild(struct wcc_live *W)
{
    const hy_vid n = W->V->bound;
    struct wcc_forest F = wcc_forest_begin(W);
    W->is_high = 0;
    par_for(F.ctx, n, WCC_BY_IDS, begin_par, &F);
    W->is_rough = F.roots.n > n / WCC_ROUGH;
    par_for(F.ctx, n, WCC_BY_IDS, compress_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, roots_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, root_units_par, &F);
    F.c = wcc_forest_seed(algo_sample_by(F.V, F.unit, F.p));
    par_for(F.ctx, n, WCC_BY_IDS, units_par, &F);
    wcc_forest_join(&F);
}
