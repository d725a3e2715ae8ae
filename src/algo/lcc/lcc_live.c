/* Local clustering coefficients, live.
 *
 *   Follow(delta)
 *     1 Count     edges among neighbours that came and went; all anew if that
 *                 is cheaper (triangles_weigh.c)
 *     2 Apply     links, degrees, and the quotients of those that changed
 *
 * Invariant: links and degrees are those of lcc_links, and the values their
 * quotients, bit by bit.
 */
#include "algo/lcc/lcc_impl.h"
#include "algo/triangles/triangles_follow.h"

#include <string.h>

struct lcc_live {
    struct triangles_follow F;
    uint64_t *links;  /* owned; by vertex */
    uint32_t *degree; /* owned; by vertex */
    size_t room;      /* entries of both */
};

static hy_status grow(hy_live *L, size_t bound)
{
    struct lcc_live *const S = L->state;
    if (bound <= S->room && S->links)
        return HY_OK;
    const size_t room = bound + bound / 8, used = S->room;
    HY_TRY(live_grow(L->ctx, &S->links, used, room, sizeof *S->links, 0));
    HY_TRY(live_grow(L->ctx, &S->degree, used, room, sizeof *S->degree, 0));
    S->room = room;
    return HY_OK;
}

/* ---- from nothing ---------------------------------------------------------
 */

static void divide_par(void *arg, size_t lo, size_t hi)
{
    hy_live *L = arg;
    const struct lcc_live *const S = L->state;
    double *const lcc = L->values;
    for (size_t u = lo; u < hi; u++)
        lcc[u] = lcc_divide(S->links[u], S->degree[u]);
}

static void divide_all(hy_live *L, const hy_view *V)
{
    enum { GRAIN = 1 << 14 };
    par_for(L->ctx, V->bound, GRAIN, divide_par, L);
    L->info.total = V->vertices;
}

/* Links and degrees by the static function, and how long it took. */
static hy_status count_all(hy_live *L, const hy_view *V)
{
    struct lcc_live *const S = L->state;
    const double begin = hy_clock();
    HY_TRY(lcc_links(V, true, S->links, S->degree));
    triangles_follow_learn(&S->F, V, hy_clock() - begin);
    return HY_OK;
}

static hy_status start(hy_live *L, const hy_view *V)
{
    struct lcc_live *const S = L->state;
    S->F.is_weighted = !view_is_undirected(V);
    S->F.has_hubs = view_is_undirected(V);
    HY_TRY(grow(L, V->bound));
    HY_TRY(triangles_follow_reserve(&S->F, L->ctx, V->bound, 0));
    HY_TRY(count_all(L, V));
    divide_all(L, V);
    return HY_OK;
}

static bool recompute(hy_live *L, const hy_view *V)
{
    if (count_all(L, V) != HY_OK)
        return false;
    live_keep_all(L);
    divide_all(L, V);
    L->info.work = triangles_follow_all(V);
    live_say(L, HY_LIVE_RECOMPUTED, "too many edges changed");
    return true;
}

/* ---- from what changed ----------------------------------------------------
 */

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    struct lcc_live *const S = L->state;
    HY_TRY(grow(L, coming->bound));
    return triangles_follow_reserve(&S->F, L->ctx, coming->bound,
                                    coming->edges);
}

static void apply_degrees(hy_live *L)
{
    struct lcc_live *const S = L->state;
    for (size_t i = 0; i < S->F.n; i++) {
        const struct triangles_edge e = S->F.edge[i];
        const uint32_t more = (uint32_t)(e.is != 0) - (uint32_t)(e.was != 0);
        live_note(L, e.u);
        live_note(L, e.v);
        S->degree[e.u] += more;
        S->degree[e.v] += more;
    }
}

static void apply_links(hy_live *L, const hy_view *V)
{
    struct lcc_live *const S = L->state;
    const uint64_t each = view_is_undirected(V) ? 2 : 1;
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    double *const lcc = L->values;
    for (uint32_t i = 0; i < n; i++) {
        const hy_vid u = L->noted[i];
        S->links[u] += each * (uint64_t)S->F.diff[u];
        S->F.diff[u] = 0;
        lcc[u] = lcc_divide(S->links[u], S->degree[u]);
    }
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct triangles_follow *const F = &((struct lcc_live *)L->state)->F;
    if (!triangles_follow(F, L, V, delta)) {
        if (recompute(L, V))
            return;
        triangles_follow_anyhow(F, L, V, delta);
    }
    apply_degrees(L);
    apply_links(L, V);
    L->info.total = V->vertices;
    live_say(L, HY_LIVE_REPAIRED, "at the ends of changed edges");
}

static void fini(hy_live *L)
{
    struct lcc_live *const S = L->state;
    if (S) {
        triangles_follow_fini(&S->F, L->ctx);
        base_free(L->ctx, S->links);
        base_free(L->ctx, S->degree);
    }
    base_free(L->ctx, S);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const struct lcc_live *const S = L->state;
    const double *const lcc = L->values;
    const char *why;
    HY_TRY(triangles_follow_check(&S->F, V->bound));
    for (hy_vid u = 0; u < V->bound; u++)
        if (lcc[u] != lcc_divide(S->links[u], S->degree[u]))
            return base_fail(HY_EBUG, "lcc: %u is not up to date", (unsigned)u);
    return hy_lcc_check(V, NULL, lcc, &why) ? HY_OK : HY_EBUG;
}

hy_status hy_live_lcc(hy_graph *G, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "lcc",
        .type = HY_F64,
        .needs_in = true,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "clustering coefficients of no graph");
    struct lcc_live *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    return S ? live_attach(G, &kind, S, false, out) : HY_ENOMEM;
}
