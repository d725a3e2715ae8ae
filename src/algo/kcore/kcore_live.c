/* Core numbers, live.
 *
 *   Follow(delta)
 *     1 Net       edges that came or went whatever their direction
 *     2 Choose    repair if they are few beside the graph
 *     3 Delete    all edges that went
 *     4 Leave     vertices that went: their core is 0 by now
 *     5 Come      vertices that came: the last of core 0
 *     6 Insert    edge by edge
 *     7 or, when 3 and 6 have cost an eighth of it, and are not about to end
 *       before half: Rebuild
 *
 * See kcore_live.h for what is kept, and the steps' files for their sources.
 */
#include "algo/kcore/kcore_live.h"

#include "algo/kcore/kcore_impl.h"
#include "base/bits.h"
#include "par/par.h"

#include <string.h>

enum {
    GRAIN = 1 << 9,
    CLEAR_GRAIN = 1 << 14,
    EACH = 24,     /* looks in whose time an edge is put in or taken out */
    SOON = 4,      /* looks of a recomputation in the time of one */
    LITTLE = 1024, /* looks that are always worth trying */
    AHEAD = 8,     /* edges whose ends are asked for before they are read */
    PART = 8,      /* share of a recomputation that ends a repair */
};

/* Labels of a rebuilt order: far from both ends, and apart. */
static const uint64_t first_label = (uint64_t)1 << 62;
enum { LABEL_BITS = 30 };

/* ---- from nothing ----------------------------------------------------------
 */

struct rebuild {
    struct kcore_live *K;
    const hy_vid *order;
    hy_vid n;
};

/* Writes nodes of its range of the order, and the ends of lists that begin or
 * end there. */
static void link_par(void *arg, size_t lo, size_t hi)
{
    const struct rebuild *R = arg;
    struct kcore_live *const K = R->K;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid v = R->order[i];
        const uint32_t k = K->core[v];
        const hy_vid prev = i > 0 ? R->order[i - 1] : HY_NONE;
        const hy_vid next = i + 1 < R->n ? R->order[i + 1] : HY_NONE;
        const bool is_first = prev == HY_NONE || K->core[prev] != k;
        const bool is_last = next == HY_NONE || K->core[next] != k;
        K->node[v] = (struct kcore_node){
            .label = first_label + ((uint64_t)i << LABEL_BITS),
            .ahead = HY_NONE,
            .near = K->rise[v],
            .prev = is_first ? HY_NONE : prev,
            .next = is_last ? HY_NONE : next,
        };
        if (is_first)
            K->list[k].first = v;
        if (is_last)
            K->list[k].last = v;
    }
}

/* Forgets what a step that was given up has left of its range. */
static void clear_par(void *arg, size_t lo, size_t hi)
{
    const struct kcore_live *const K = arg;
    memset(K->due + lo, 0, (hi - lo) * sizeof *K->due);
    memset(K->in + lo, 0, (hi - lo) * sizeof *K->in);
    memset(K->state + lo, 0, (hi - lo) * sizeof *K->state);
}

/* HY_ENOMEM: all is as it was. */
static hy_status rebuild(struct kcore_live *K)
{
    struct rebuild R = { .K = K, .order = K->seen };
    hy_ctx *const ctx = K->L->ctx;
    hy_kcore_info info;
    HY_TRY(kcore_peel(K->V, 0, K->core, K->seen, K->rise, &info));
    R.n = (hy_vid)K->V->vertices;
    for (size_t k = 0; k <= K->top; k++)
        K->list[k] = (struct kcore_list){ HY_NONE, HY_NONE };
    K->top = info.max_core;
    par_for(ctx, K->V->bound, CLEAR_GRAIN, clear_par, K);
    par_for(ctx, R.n, GRAIN, link_par, &R);
    K->work += (uint64_t)K->V->bound + hy_view_arcs(K->V);
    return HY_OK;
}

/* ---- 1 ---------------------------------------------------------------------
 */

static bool has(const hy_edge_list *list, hy_vid u, hy_vid v)
{
    uint64_t lo = 0, hi = list->n;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        const hy_edge e = list->at[mid];
        if (e.u < u || (e.u == u && e.v < v))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < list->n && list->at[lo].u == u && list->at[lo].v == v;
}

/* Where edges have directions: the ends were not neighbours before, and this
 * is the first edge that says they are. */
static bool is_new(const struct kcore_live *K, const hy_delta *D, hy_edge e)
{
    if (view_is_undirected(K->V))
        return true;
    if (has(&D->deleted, e.v, e.u))
        return false;
    if (has(&D->inserted, e.v, e.u))
        return e.u < e.v;
    return !hy_view_has_edge(K->V, e.v, e.u);
}

/* The same for the last edge between them. */
static bool is_gone(const struct kcore_live *K, const hy_delta *D, hy_edge e)
{
    if (view_is_undirected(K->V))
        return true;
    if (hy_view_has_edge(K->V, e.v, e.u))
        return false;
    return e.u < e.v || !has(&D->deleted, e.v, e.u);
}

static uint64_t key_of(hy_edge e)
{
    return e.u < e.v ? (uint64_t)e.u << 32 | e.v : (uint64_t)e.v << 32 | e.u;
}

static void sort_coming(struct kcore_live *K)
{
    struct par_keys keys = { .key = K->coming,
                             .key_tmp = K->sorting,
                             .n = K->n_coming,
                             .high_bits = bits_width(K->V->bound),
                             .low_bits = bits_width(K->V->bound) };
    if (view_is_undirected(K->V))
        return;
    par_sort(K->L->ctx, &keys);
    K->coming = keys.key;
    K->sorting = keys.key_tmp;
}

static void net(struct kcore_live *K, const hy_delta *D)
{
    K->n_coming = K->n_going = K->turn = 0;
    for (uint64_t i = 0; i < D->deleted.n; i++) {
        const hy_edge e = D->deleted.at[i];
        if (e.u != e.v && is_gone(K, D, e))
            K->going[K->n_going++] = key_of(e);
    }
    for (uint64_t i = 0; i < D->inserted.n; i++) {
        const hy_edge e = D->inserted.at[i];
        if (e.u != e.v && is_new(K, D, e))
            K->coming[K->n_coming++] = key_of(e);
    }
    sort_coming(K);
}

/* ---- 4, 5, 6 ---------------------------------------------------------------
 */

/* A vertex that went may be back under the same id. */
static void leave_all(struct kcore_live *K, const hy_vid_list *list)
{
    for (uint64_t i = 0; i < list->n; i++) {
        const hy_vid v = list->at[i];
        if (view_has_vertex(K->V, v) || K->core[v] == HY_NONE)
            continue;
        kcore_unlink(K, v);
        kcore_set(K, v, HY_NONE);
    }
}

static void come_all(struct kcore_live *K, const hy_vid_list *list)
{
    for (uint64_t i = 0; i < list->n; i++) {
        const hy_vid v = list->at[i];
        if (K->core[v] != HY_NONE || !view_has_vertex(K->V, v))
            continue;
        kcore_set(K, v, 0);
        K->node[v].ahead = K->node[v].near = 0;
        kcore_link_last(K, 0, v);
    }
}

static void be_due(struct kcore_live *K)
{
    for (uint64_t i = 0; i < K->n_coming; i++) {
        K->due[K->coming[i] >> 32]++;
        K->due[(hy_vid)K->coming[i]]++;
    }
}

static void ask_ahead(const struct kcore_live *K)
{
    if (K->turn + AHEAD >= K->n_coming)
        return;
    const uint64_t key = K->coming[K->turn + AHEAD];
    HY_PREFETCH(&K->core[key >> 32]);
    HY_PREFETCH(&K->core[(hy_vid)key]);
    HY_PREFETCH(&K->node[key >> 32]);
    HY_PREFETCH(&K->node[(hy_vid)key]);
}

static void insert_all(struct kcore_live *K)
{
    kcore_begin(K, K->n_coming);
    while (K->turn < K->n_coming && !K->is_rebuilt) {
        ask_ahead(K);
        K->done = K->turn;
        const uint64_t key = K->coming[K->turn++];
        const hy_vid u = (hy_vid)(key >> 32), v = (hy_vid)key;
        K->due[u]--;
        K->due[v]--;
        kcore_insert(K, u, v);
    }
}

/* ---- the whole -------------------------------------------------------------
 */

static void try_rebuild(struct kcore_live *K, const char *why)
{
    live_keep_all(K->L);
    K->is_rebuilt = rebuild(K) == HY_OK;
    if (K->is_rebuilt)
        live_say(K->L, HY_LIVE_RECOMPUTED, why);
}

/* The work of the whole repair, if the step goes on as it did. */
static double foresee(const struct kcore_live *K)
{
    const double step = (double)(K->work - K->before);
    return (double)K->before + step * (double)K->total / (double)(K->done | 1);
}

bool kcore_give_up(struct kcore_live *K)
{
    if (foresee(K) < 0.5 * (double)K->whole) {
        K->budget *= 2;
        return false;
    }
    K->budget = UINT64_MAX;
    try_rebuild(K, "many vertices may have changed");
    return K->is_rebuilt;
}

static void repair(struct kcore_live *K, const hy_delta *D)
{
    live_say(K->L, HY_LIVE_REPAIRED, "the order of peeling was kept up");
    be_due(K);
    kcore_delete_all(K);
    if (K->is_rebuilt)
        return;
    leave_all(K, &D->vertices_deleted);
    come_all(K, &D->vertices_inserted);
    insert_all(K);
}

static bool is_much(const struct kcore_live *K, uint64_t edges)
{
    return edges * EACH > LITTLE + K->whole;
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    static const char many_edges[] = "many edges changed";
    struct kcore_live *const K = L->state;
    K->whole = ((uint64_t)V->bound + hy_view_arcs(V)) / SOON;
    K->V = V;
    K->core = L->values;
    K->work = 0;
    K->is_rebuilt = false;
    K->budget = LITTLE + K->whole / PART;
    /* Two directed edges may be one for us. */
    const uint64_t arcs = delta->inserted.n + delta->deleted.n;
    if (is_much(K, view_is_undirected(V) ? arcs : arcs / 2))
        try_rebuild(K, many_edges);
    if (!K->is_rebuilt)
        net(K, delta);
    if (!K->is_rebuilt && is_much(K, K->n_coming + K->n_going))
        try_rebuild(K, many_edges);
    if (!K->is_rebuilt)
        repair(K, delta);
    while (K->top > 0 && K->list[K->top].first == HY_NONE)
        K->top--;
    L->info.work = K->work;
    L->info.total = K->top;
}

/* ---- room ------------------------------------------------------------------
 */

static hy_status grow_vertices(struct kcore_live *K, hy_vid room)
{
    hy_ctx *const ctx = K->L->ctx;
    const size_t used = K->room;
    if (room <= used && K->seen)
        return HY_OK;
    HY_TRY(live_grow(ctx, &K->node, used, room, sizeof *K->node, 0));
    HY_TRY(live_grow(ctx, &K->list, used ? used + 2 : 0, (size_t)room + 2,
                     sizeof *K->list, 0xff));
    HY_TRY(live_grow(ctx, &K->due, used, room, sizeof *K->due, 0));
    HY_TRY(live_grow(ctx, &K->in, used, room, sizeof *K->in, 0));
    HY_TRY(live_grow(ctx, &K->state, used, room, sizeof *K->state, 0));
    HY_TRY(live_grow(ctx, &K->heap, used, room, sizeof *K->heap, 0));
    HY_TRY(live_grow(ctx, &K->rise, used, room, sizeof *K->rise, 0));
    HY_TRY(live_grow(ctx, &K->fall, used, room, sizeof *K->fall, 0));
    HY_TRY(live_grow(ctx, &K->seen, used, room, sizeof *K->seen, 0));
    K->room = room;
    return HY_OK;
}

static hy_status grow_edges(struct kcore_live *K, uint64_t edges)
{
    hy_ctx *const ctx = K->L->ctx;
    if (edges <= K->edges)
        return HY_OK;
    HY_TRY(live_grow(ctx, &K->coming, 0, 2 * edges, sizeof *K->coming, 0));
    HY_TRY(live_grow(ctx, &K->going, 0, 2 * edges, sizeof *K->going, 0));
    HY_TRY(live_grow(ctx, &K->sorting, 0, 2 * edges, sizeof *K->sorting, 0));
    K->edges = edges;
    return HY_OK;
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    HY_TRY(grow_vertices(L->state, L->room));
    return grow_edges(L->state, coming->edges);
}

static hy_status start(hy_live *L, const hy_view *V)
{
    struct kcore_live *const K = L->state;
    K->L = L;
    K->V = V;
    K->core = L->values;
    HY_TRY(grow_vertices(K, L->room));
    HY_TRY(rebuild(K));
    L->info.work = K->work;
    L->info.total = K->top;
    return HY_OK;
}

static void fini(hy_live *L)
{
    struct kcore_live *const K = L->state;
    base_free(L->ctx, K->sorting);
    base_free(L->ctx, K->going);
    base_free(L->ctx, K->coming);
    base_free(L->ctx, K->seen);
    base_free(L->ctx, K->fall);
    base_free(L->ctx, K->rise);
    base_free(L->ctx, K->heap);
    base_free(L->ctx, K->state);
    base_free(L->ctx, K->in);
    base_free(L->ctx, K->due);
    base_free(L->ctx, K->list);
    base_free(L->ctx, K->node);
    base_free(L->ctx, K);
}

/* ---- checking --------------------------------------------------------------
 */

static hy_status bad(hy_vid v, const char *what)
{
    return base_fail(HY_EBUG, "kcore: %u %s", (unsigned)v, what);
}

static hy_status check_node(const struct kcore_live *K, const hy_view *V,
                            hy_vid u)
{
    const struct kcore_node *const x = &K->node[u];
    uint32_t ahead = 0, near = 0;
    struct near_once N = near_once_begin(V, u);
    for (hy_vid v; near_once_next(V, &N, &v);) {
        ahead += kcore_is_before(K, u, v);
        near += K->core[v] >= K->core[u];
    }
    if (K->due[u] || K->in[u] || K->state[u])
        return bad(u, "has something left of a commit");
    if ((kcore_is_known(K, u) && x->ahead != ahead) || ahead > K->core[u])
        return bad(u, "has another number of neighbours behind it");
    if (x->near != near || near < K->core[u])
        return bad(u, "has another number of neighbours in its core");
    if (x->next != HY_NONE &&
        (K->core[x->next] != K->core[u] || K->node[x->next].prev != u ||
         K->node[x->next].label <= x->label))
        return bad(u, "has the wrong one behind it");
    return HY_OK;
}

/* Lists are chains from their first to their last; together they have all
 * vertices. */
static hy_status check(hy_live *L, const hy_view *V)
{
    const struct kcore_live *const K = L->state;
    uint64_t linked = 0;
    if (!hy_kcore_check(V, NULL, L->values, NULL))
        return HY_EBUG;
    for (hy_vid v = 0; v < V->bound; v++)
        if (view_has_vertex(V, v))
            HY_TRY(check_node(K, V, v));
    for (size_t k = 0; k <= V->bound; k++) {
        hy_vid last = HY_NONE;
        for (hy_vid v = K->list[k].first; v != HY_NONE; v = K->node[v].next) {
            if (++linked > V->vertices || K->core[v] != k)
                return bad(v, "is in the wrong list");
            last = v;
        }
        if (last != K->list[k].last)
            return bad(last, "is not the last of its list");
    }
    return linked == V->vertices
               ? HY_OK
               : base_fail(HY_EBUG, "kcore: lists have %llu vertices",
                           (unsigned long long)linked);
}

hy_status hy_live_kcore(hy_graph *G, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "kcore",
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
        return base_fail(HY_EINVAL, "cores of no graph");
    struct kcore_live *const K =
        base_alloc(hy_graph_ctx(G), 1, sizeof(struct kcore_live));
    return K ? live_attach(G, &kind, K, false, out) : HY_ENOMEM;
}
