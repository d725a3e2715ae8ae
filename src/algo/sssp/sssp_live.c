/* Shortest paths from one source, live.
 *
 * The repair is that of algo/live/tree_repair.h, compiled for the usual types
 * of weights.
 */
#include "algo/live/tree_repair.h"
#include "algo/sssp/sssp_impl.h"

#include <string.h>

/* What delta-stepping and the parents look at, in edges: all of what is
 * reached, on all threads. */
enum {
    COST_REACHED = 6,
    COST_BOUND = 4, /* ids that cost as much as an edge */
    COST_LEAST = 1024,
};

struct live_sssp {
    struct live_tree tree; /* first */
    hy_sssp_opts opts;
    char name[NAME_BYTES]; /* of the column, if it is named */
};

/* ---- the static function --------------------------------------------------
 */

static hy_status solve(struct live_tree *T, void *values, hy_vid *parents)
{
    struct live_sssp *const S = (struct live_sssp *)T;
    struct sssp_ranks ranks = { .at = T->rank };
    hy_sssp_info info;
    S->opts.source = T->source;
    HY_TRY(sssp_solve(T->W.V, &S->opts, values, parents, &ranks, &info));
    if (T->has_flat && !ranks.has_any)
        memset(T->rank, 0, T->L->room * sizeof *T->rank);
    T->has_flat = ranks.has_any;
    T->reached = info.reached;
    return HY_OK;
}

/* ---- weights of the batch -------------------------------------------------
 */

struct look {
    hy_type type;
    size_t offset;
};

static bool is_fit(void *arg, uint64_t u, uint64_t v, const void *record)
{
    const struct look *const look = arg;
    const double w =
        algo_weight_f64(look->type, (const char *)record + look->offset);
    if (w >= 0 && w < INFINITY)
        return true;
    (void)base_fail(HY_EINVAL, "edge %llu -> %llu: a weight of %g",
                    (unsigned long long)u, (unsigned long long)v, w);
    return false;
}

hy_status sssp_judge(const struct algo_weights *W, const hy_graph *G,
                     const hy_batch *batch)
{
    const hy_type type = W->type;
    if (W->column == HY_NONE ||
        !(type == HY_I32 || type == HY_I64 || type == HY_F32 || type == HY_F64))
        return HY_OK;
    const struct shape *const shape = hy_graph_now(G)->shape;
    struct look look = { .type = type,
                         .offset = shape->edge.field[W->column].offset };
    return watch_records(batch, is_fit, &look) ? HY_OK : HY_EINVAL;
}

/* ---- the kind -------------------------------------------------------------
 */

static hy_status reserve_ranks(struct live_tree *T)
{
    if (T->L->room <= T->rank_room && T->rank)
        return HY_OK;
    HY_TRY(live_grow(T->L->ctx, &T->rank, T->rank ? T->rank_room : 0,
                     T->L->room, sizeof *T->rank, 0));
    T->rank_room = T->L->room;
    return HY_OK;
}

static hy_status start(hy_live *L, const hy_view *V)
{
    struct live_sssp *const S = L->state;
    S->tree.L = L;
    HY_TRY(algo_weights_init(&S->tree.W, V, S->opts.weight));
    HY_TRY(reserve_ranks(&S->tree));
    return tree_start(&S->tree);
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    struct live_tree *const T = L->state;
    HY_TRY(sssp_judge(&T->W, L->G, coming->batch));
    HY_TRY(reserve_ranks(T));
    return tree_reserve(T, coming);
}

static void repair(struct live_tree *T, const hy_delta *delta)
{
    const struct algo_weights *const W = &T->W;
    const struct tree_how any = { .type = W->type, .step = W->step };
    static const struct tree_how i32 = { .type = HY_I32, .step = 4 },
                                 f32 = { .type = HY_F32, .step = 4 };
    if (W->type == HY_I32 && W->step == 4)
        tree_repair(T, i32, delta);
    else if (W->type == HY_F32 && W->step == 4)
        tree_repair(T, f32, delta);
    else
        tree_repair(T, any, delta);
}

/* Edges of what is reached, if they are spread evenly. */
static uint64_t reached_arcs(const struct live_tree *T)
{
    const hy_view *const V = T->W.V;
    const double share = (double)T->reached / (double)(V->vertices | 1);
    return (uint64_t)(share * (double)V->arcs);
}

static uint64_t size(const struct live_tree *T)
{
    return reached_arcs(T) + T->reached * COST_REACHED +
           T->W.V->bound / COST_BOUND + COST_LEAST;
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct live_tree *const T = L->state;
    T->W.V = V;
    tree_begin(T, delta);
    if (tree_find_source(T, delta))
        repair(T, delta);
    L->info.work = T->work;
    L->info.total = T->reached;
}

static void fini(hy_live *L)
{
    tree_fini(L->state, L->ctx);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    struct live_sssp *const S = L->state;
    struct live_tree *const T = &S->tree;
    const struct tree_how any = { .type = T->W.type, .step = T->W.step };
    T->W.V = V;
    HY_TRY(tree_check(T, any));
    if (T->source == HY_NONE)
        return HY_OK;
    S->opts.source = T->source;
    return hy_sssp_check(V, &S->opts, L->values, L->parents, NULL) ? HY_OK
                                                                   : HY_EBUG;
}

hy_status hy_live_sssp(hy_graph *G, const hy_sssp_opts *opts, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "sssp",
        .type = HY_F64,
        .needs_in = true,
        .nothing = (uint64_t)0x7ff << 52, /* infinity */
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "paths in no graph");
    if (opts && opts->weight && strlen(opts->weight) >= NAME_BYTES)
        return base_fail(HY_EINVAL, "edges have no column %s", opts->weight);
    if (opts && opts->device)
        return sssp_live_on_device(G, opts, out);
    struct live_sssp *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    S->opts = opts ? *opts : (hy_sssp_opts){ 0 };
    if (S->opts.weight) {
        memcpy(S->name, S->opts.weight, strlen(S->opts.weight) + 1);
        S->opts.weight = S->name;
    }
    S->tree.source = S->opts.source;
    S->tree.solve = solve;
    S->tree.size = size;
    return live_attach(G, &kind, S, true, out);
}
