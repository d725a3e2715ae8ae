/* Hops from one source, live: a tree of shortest paths of weights 1.
 *
 * The repair is that of algo/live/tree_repair.h.
 */
#include "algo/bfs/bfs_impl.h"
#include "algo/live/tree_repair.h"

/* What a search from nothing looks at, in edges: it goes backwards over large
 * levels, and looks at few edges of a vertex then. */
enum {
    COST_REACHED = 2,
    COST_BOUND = 16, /* ids that cost as much as an edge */
    COST_LEAST = 256,
};

_Static_assert((int)BFS_LEVELS == (int)TREE_LEVELS, "one array holds both");

static const struct tree_how hops = { .is_hops = true, .type = HY_U8 };

/* ---- the static function --------------------------------------------------
 */

static hy_status solve(struct live_tree *T, void *values, hy_vid *parents)
{
    uint64_t levels[BFS_LEVELS] = { 0 };
    hy_bfs_info found = { 0 };
    HY_TRY(bfs_reach(T->W.V, T->source, values, parents, levels, &found));
    T->reached = found.reached;
    /* On graphs with many levels a change says little about those below. */
    const bool is_low = found.max_depth < BFS_LEVELS;
    uint64_t below = 0;
    for (uint32_t d = BFS_LEVELS; d-- > 0;) {
        T->below[d] = is_low && levels[d] ? below / levels[d] : 0;
        below += levels[d];
    }
    return HY_OK;
}

static uint64_t size(const struct live_tree *T)
{
    return T->reached * COST_REACHED + T->W.V->bound / COST_BOUND + COST_LEAST;
}

/* ---- the kind -------------------------------------------------------------
 */

static hy_status start(hy_live *L, const hy_view *V)
{
    struct live_tree *const T = L->state;
    T->L = L;
    T->W = (struct algo_weights){ .V = V, .type = HY_U8, .column = HY_NONE };
    return tree_start(T);
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    return tree_reserve(L->state, coming);
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct live_tree *const T = L->state;
    T->W.V = V;
    tree_begin(T, delta);
    if (tree_find_source(T, delta))
        tree_repair(T, hops, delta);
    L->info.work = T->work;
    L->info.total = T->reached;
}

static void fini(hy_live *L)
{
    tree_fini(L->state, L->ctx);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    struct live_tree *const T = L->state;
    const hy_bfs_opts opts = { .source = T->source, .deterministic = true };
    T->W.V = V;
    HY_TRY(tree_check(T, hops));
    if (T->source == HY_NONE)
        return HY_OK;
    return hy_bfs_check(V, &opts, L->values, L->parents, NULL, NULL) ? HY_OK
                                                                     : HY_EBUG;
}

hy_status hy_live_bfs(hy_graph *G, const hy_bfs_opts *opts, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "bfs",
        .type = HY_U32,
        .needs_in = true,
        .nothing = UINT32_MAX,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "a search of no graph");
    if (opts && opts->device)
        return bfs_live_on_device(G, opts, out);
    struct live_tree *T = base_alloc(hy_graph_ctx(G), 1, sizeof *T);
    if (!T)
        return HY_ENOMEM;
    T->source = opts ? opts->source : 0;
    T->is_hops = true;
    T->solve = solve;
    T->size = size;
    return live_attach(G, &kind, T, true, out);
}
