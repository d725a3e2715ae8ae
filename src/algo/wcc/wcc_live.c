/* Weakly connected components, live.
 *
 *   Follow(delta)
 *     1 Choose      repair if the delta is small beside the graph; of many
 *                   deleted edges some are looked at for what all will cost
 *     2 Cut         each deleted edge that a vertex had its parent by
 *     3 Leave       vertices that went: each is alone by now
 *     4 Come        vertices that came are components of their own
 *     5 Join        each inserted edge between two components
 *     6 Tell late   values of components whose smallest vertex changed
 *     7 or, when the searches of step 2, or step 5, have cost an eighth of it,
 *       and all is to cost most of it if they go on so: Rebuild
 *     8 or, when that much has changed, Label: values alone, by the static
 *       method; the forest comes back with a commit that is much smaller
 *
 * The published dynamic structures (Holm, de Lichtenberg, Thorup, J. ACM
 * 2001; D-trees: Chen, Lachish, Helmer, Boehlen, PVLDB 2022) keep trees whose
 * every link costs a walk.  Here an insertion inside a component costs two
 * reads, and a deletion a walk over one adjacency, unless the edge was a
 * bridge or nearly one.
 *
 * Inserted edges are in the view during step 2 already.  Those within one
 * component of before are used there as any other; those between two are
 * passed over, as comp differs at their ends, until step 5.
 */
#include "algo/wcc/wcc_live.h"
#include "algo/wcc/wcc_impl.h"
#include "base/random.h"

#include <string.h>

enum {
    /* What a recomputation goes over in the time in which a repair, which goes
     * from place to place, looks at one edge: bench live, kron, urand, grid. */
    EIGHTHS = 2, /* of a look, for an id; on rough graphs: */
    EIGHTHS_ROUGH = 5,
    ARCS = 48,
    MANY = 64,   /* ids for an edge of a commit that may change much */
    LITTLE = 64, /* looks that are always worth trying */
    PART = 8,    /* share of a recomputation that is tried without knowing */
    COUNT_GRAIN = 1 << 14,
    DUE = 4, /* what is too much for a repair, over what brings a forest */
    MAX_STAMP = (1u << (32 - WCC_BITS)) - 1,
};

/* No repair was tried: so many changes made the forest void. */
#define VOID_BY_MUCH UINT64_MAX

/* Levels begin as ids and grow from there. */
static const uint64_t max_bound = (uint64_t)1 << 31;

/* Mending raises vertices below WCC_HIGH by less than this: there is room. */
static const uint64_t max_mended = (uint64_t)1 << 30;

/* ---- components ------------------------------------------------------------
 */

/* There is one: components are not more than vertices. */
static hy_vid find_free(struct wcc_live *W)
{
    while (W->n_freed) {
        const hy_vid c = W->freed[--W->n_freed];
        W->group[c].state &= ~1u;
        if (wcc_is_free(W, c))
            return c;
    }
    while (!wcc_is_free(W, W->fresh))
        W->fresh++;
    return W->fresh++;
}

hy_vid wcc_group_new(struct wcc_live *W, hy_vid v, uint32_t n, hy_vid min)
{
    const hy_vid c = wcc_is_free(W, v) ? v : find_free(W);
    wcc_group_set(W, c, n, min);
    W->components++;
    return c;
}

void wcc_group_free(struct wcc_live *W, hy_vid c)
{
    struct wcc_group *const g = &W->group[c];
    g->size = 0;
    W->components--;
    if (c < W->fresh && !(g->state & 1)) {
        g->state |= 1;
        W->freed[W->n_freed++] = c;
    }
}

void wcc_be_late(struct wcc_live *W, hy_vid v)
{
    W->group[W->comp[v]].late = W->L->turn;
    W->late[W->n_late++] = v;
}

void wcc_split(struct wcc_live *W, hy_vid c, const hy_vid *part, uint32_t n,
               hy_vid left)
{
    hy_vid min = HY_NONE;
    for (uint32_t i = 0; i < n; i++)
        min = part[i] < min ? part[i] : min;
    const hy_vid mine = wcc_group_new(W, part[0], n, min);
    for (uint32_t i = 0; i < n; i++) {
        W->comp[part[i]] = mine;
        wcc_set_value(W, part[i], min);
    }
    struct wcc_group *const rest = &W->group[c];
    rest->size -= n;
    if (rest->min == min)
        rest->min = HY_NONE;
    if (rest->min == HY_NONE || rest->late == W->L->turn)
        wcc_be_late(W, left);
}

void wcc_new_stamp(struct wcc_live *W)
{
    if (W->stamp++ < MAX_STAMP)
        return;
    memset(W->mark, 0, W->room * sizeof *W->mark);
    W->stamp = 1;
}

/* ---- the steps -------------------------------------------------------------
 */

/* A vertex that went may be back under the same id. */
static void leave_all(struct wcc_live *W, const hy_vid_list *list)
{
    for (uint64_t i = 0; i < list->n; i++) {
        const hy_vid v = list->at[i];
        if (view_has_vertex(W->V, v) || W->comp[v] == HY_NONE)
            continue;
        wcc_group_free(W, W->comp[v]);
        W->comp[v] = HY_NONE;
        W->node[v].parent = HY_NONE;
        wcc_set_value(W, v, HY_NONE);
    }
}

static void come_all(struct wcc_live *W, const hy_vid_list *list)
{
    for (uint64_t i = 0; i < list->n; i++) {
        const hy_vid v = list->at[i];
        if (W->comp[v] != HY_NONE || !view_has_vertex(W->V, v))
            continue;
        W->comp[v] = wcc_group_new(W, v, 1, v);
        W->node[v] = wcc_node_new(v);
        wcc_set_value(W, v, v);
    }
}

/* Whether one of some vertices has neighbours, but no smaller ones. */
static bool is_rough(const hy_view *V)
{
    for (uint64_t i = 0; V->bound && i < WCC_ROUGH; i++) {
        const hy_vid u =
            (hy_vid)base_random_below(base_random_at(1, i), V->bound);
        const hy_span out = view_out(V, u);
        const hy_span in = view_is_undirected(V) ? out : view_in(V, u);
        if ((out.n || in.n) && !(out.n && out.v[0] < u) &&
            !(in.n && in.v[0] < u))
            return true;
    }
    return false;
}

/* What computing anew costs.  Many changes may have made a graph rough. */
static uint64_t cost_anew(struct wcc_live *W, uint64_t edges)
{
    const hy_view *const V = W->V;
    if (edges > V->bound / MANY)
        W->is_rough = is_rough(V);
    const uint64_t eighths = W->is_rough ? EIGHTHS_ROUGH : EIGHTHS;
    return V->bound * eighths / 8 + hy_view_arcs(V) / ARCS;
}

static bool repair(struct wcc_live *W, const hy_delta *delta)
{
    W->n_late = 0;
    if (!wcc_cut_all(W, &delta->deleted))
        return false;
    leave_all(W, &delta->vertices_deleted);
    come_all(W, &delta->vertices_inserted);
    if (!wcc_join_all(W, &delta->inserted))
        return false;
    wcc_tell_late(W);
    return true;
}

/* ---- the other ways --------------------------------------------------------
 */

/* Counts components of its range. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_live *const W = arg;
    const hy_vid *const value = W->L->values;
    uint64_t n = 0;
    for (size_t v = lo; v < hi; v++)
        n += value[v] == v;
    (void)atomic_add_u64(&W->components, n);
}

/* Values alone: there is no forest then. */
static void label(struct wcc_live *W, uint64_t edges)
{
    struct wcc S = {
        .V = W->V, .ctx = W->L->ctx, .n = W->V->bound, .p = W->L->values
    };
    wcc_on_host(&S, HY_WCC_AFFOREST);
    W->components = 0;
    par_for(S.ctx, S.n, COUNT_GRAIN, count_par, W);
    W->void_by = edges < W->void_by || !W->void_by ? edges : W->void_by;
}

/* Whether few roots are to be left.  An inserted edge may bring one. */
static bool can_be_mended(const struct wcc_live *W, const hy_delta *delta)
{
    const uint64_t bound = W->V->bound;
    return !W->is_high && bound <= max_mended &&
           W->roots + delta->inserted.n / 2 < bound / 4;
}

/* A forest that is void comes back with a commit that is much smaller, or
 * deletes much less where one is soon made, or when some have come that were
 * not too much: what it costs is theirs to save. */
static bool is_forest_due(const struct wcc_live *W, const hy_delta *delta,
                          uint64_t edges)
{
    enum { PATIENCE_MUCH = 1, PATIENCE = 16 };
    const bool was_much = W->void_by == VOID_BY_MUCH;
    const uint64_t few = W->void_by / 4;
    if (W->n_without >= (was_much ? PATIENCE_MUCH : PATIENCE))
        return true;
    if (was_much)
        return W->work <= W->doubt / DUE;
    return edges <= few || (!W->is_rough && delta->deleted.n <= few);
}

static void recompute(struct wcc_live *W, const hy_delta *delta, bool is_much)
{
    const uint64_t edges = delta->inserted.n + delta->deleted.n;
    const bool was_much = W->void_by == VOID_BY_MUCH;
    const bool is_void =
        is_much ||
        (W->void_by ? !is_forest_due(W, delta, edges) : W->is_falling);
    live_turn_over(W->L, W->V->bound);
    W->n_without = is_void && !is_much ? W->n_without + 1 : 0;
    if (is_void) {
        label(W, is_much || was_much ? VOID_BY_MUCH : edges);
    } else if (!W->void_by && can_be_mended(W, delta)) {
        wcc_mend(W, delta);
    } else {
        wcc_rebuild(W);
        W->void_by = 0;
    }
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct wcc_live *const W = L->state;
    const uint64_t edges = delta->inserted.n + delta->deleted.n;
    W->V = V;
    W->work = edges / WCC_EDGES;
    W->whole = cost_anew(W, edges);
    W->doubt = LITTLE + W->whole / PART;
    W->budget = W->doubt;
    const bool is_much = !wcc_spend(W, 0);
    live_say(L, HY_LIVE_REPAIRED, "joins and replaced tree edges");
    if (W->void_by)
        live_say(L, HY_LIVE_RECOMPUTED, "there was no forest");
    else if (is_much)
        live_say(L, HY_LIVE_RECOMPUTED, "many edges changed");
    else if (!repair(W, delta))
        live_say(L, HY_LIVE_RECOMPUTED, "the search for tree edges was long");
    if (L->info.how == HY_LIVE_RECOMPUTED)
        recompute(W, delta, is_much);
    L->info.work = W->work;
    L->info.total = W->components;
}

/* ---- room ------------------------------------------------------------------
 */

static hy_status grow_vertices(struct wcc_live *W, hy_vid room)
{
    hy_ctx *const ctx = W->L->ctx;
    const size_t used = W->room;
    if (room > max_bound)
        return base_fail(HY_EFULL, "live components have 2^31 ids at most");
    if (room <= used && W->heap)
        return HY_OK;
    HY_TRY(live_grow(ctx, &W->comp, used, room, sizeof *W->comp, 0xff));
    HY_TRY(live_grow(ctx, &W->node, used, room, sizeof *W->node, 0xff));
    HY_TRY(live_grow(ctx, &W->mark, used, room, sizeof *W->mark, 0));
    HY_TRY(live_grow(ctx, &W->group, used, room, sizeof *W->group, 0));
    HY_TRY(live_grow(ctx, &W->freed, used, room, sizeof *W->freed, 0));
    HY_TRY(live_grow(ctx, &W->heap, used, room, sizeof *W->heap, 0));
    W->queue[0] = (hy_vid *)(void *)W->heap;
    W->queue[1] = W->queue[0] + room;
    W->room = room;
    return HY_OK;
}

static hy_status grow_edges(struct wcc_live *W, uint64_t edges)
{
    hy_ctx *const ctx = W->L->ctx;
    if (edges <= W->edges)
        return HY_OK;
    HY_TRY(live_grow(ctx, &W->cut, 0, edges, sizeof *W->cut, 0));
    HY_TRY(live_grow(ctx, &W->by_parent, 0, edges, sizeof *W->by_parent, 0));
    HY_TRY(live_grow(ctx, &W->sorting, 0, edges, sizeof *W->sorting, 0));
    HY_TRY(live_grow(ctx, &W->late, 0, edges, sizeof *W->late, 0));
    W->edges = edges;
    return HY_OK;
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    HY_TRY(grow_vertices(L->state, L->room));
    return grow_edges(L->state, coming->edges);
}

static hy_status start(hy_live *L, const hy_view *V)
{
    struct wcc_live *const W = L->state;
    W->L = L;
    W->V = V;
    HY_TRY(grow_vertices(W, L->room));
    wcc_rebuild(W);
    L->info.work = W->work;
    L->info.total = W->components;
    return HY_OK;
}

static void fini(hy_live *L)
{
    struct wcc_live *const W = L->state;
    base_free(L->ctx, W->late);
    base_free(L->ctx, W->sorting);
    base_free(L->ctx, W->by_parent);
    base_free(L->ctx, W->cut);
    base_free(L->ctx, W->heap);
    base_free(L->ctx, W->freed);
    base_free(L->ctx, W->group);
    base_free(L->ctx, W->mark);
    base_free(L->ctx, W->node);
    base_free(L->ctx, W->comp);
    base_free(L->ctx, W);
}

/* ---- checking --------------------------------------------------------------
 */

static hy_status bad(hy_vid v, const char *what)
{
    return base_fail(HY_EBUG, "wcc: %u %s", (unsigned)v, what);
}

static hy_status check_node(const struct wcc_live *W, const hy_view *V,
                            hy_vid v)
{
    const hy_vid c = W->comp[v], p = W->node[v].parent;
    if (!view_has_vertex(V, v))
        return c == HY_NONE && p == HY_NONE ? HY_OK : bad(v, "is no vertex");
    if (c >= V->bound || wcc_is_free(W, c))
        return bad(v, "has no component");
    if (((const hy_vid *)W->L->values)[v] != W->group[c].min)
        return bad(v, "has not the value of its component");
    if (p == HY_NONE)
        return HY_OK;
    if (p >= V->bound || W->comp[p] != c)
        return bad(v, "has a parent elsewhere");
    if (W->node[p].level >= W->node[v].level)
        return bad(v, "has a parent of no lower level");
    if (!hy_view_has_edge(V, p, v) && !hy_view_has_edge(V, v, p))
        return bad(v, "has a parent that is no neighbour");
    return HY_OK;
}

/* With the static checker: each component has one root, and as many vertices
 * as it says if the sums agree. */
static hy_status check(hy_live *L, const hy_view *V)
{
    const struct wcc_live *const W = L->state;
    uint64_t roots = 0, groups = 0, size = 0;
    if (!hy_wcc_check(V, L->values, NULL))
        return HY_EBUG;
    if (W->void_by)
        return HY_OK;
    for (hy_vid v = 0; v < V->bound; v++) {
        HY_TRY(check_node(W, V, v));
        roots += W->comp[v] != HY_NONE && W->node[v].parent == HY_NONE;
        groups += !wcc_is_free(W, v);
        size += wcc_is_free(W, v) ? 0 : W->group[v].size;
    }
    if (roots != W->components || groups != roots || size != V->vertices ||
        L->info.total != roots)
        return base_fail(HY_EBUG,
                         "wcc: %llu roots, %llu groups of %llu vertices",
                         (unsigned long long)roots, (unsigned long long)groups,
                         (unsigned long long)size);
    return HY_OK;
}

hy_status hy_live_wcc(hy_graph *G, const hy_wcc_opts *opts, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "wcc",
        .type = HY_U32,
        .needs_in = true,
        .nothing = HY_NONE,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "components of no graph");
    if (opts && opts->device)
        return wcc_live_on_device(G, opts, out);
    struct wcc_live *const W =
        base_alloc(hy_graph_ctx(G), 1, sizeof(struct wcc_live));
    return W ? live_attach(G, &kind, W, false, out) : HY_ENOMEM;
}
