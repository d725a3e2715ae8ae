/* Out-degrees, live: those at the ends of the edges that came or went. */
#include "algo/live/live.h"

#include "par/par.h"

enum {
    GRAIN = 1 << 14,
    ENDS = 24, /* ids that are counted in a row while one end of an edge is */
};

struct degrees {
    hy_live *L;
    const hy_view *V;
};

/* Writes the degrees of its range. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    const struct degrees *D = arg;
    uint32_t *const degree = D->L->values;
    for (size_t u = lo; u < hi; u++)
        degree[u] = view_degree(D->V, (hy_vid)u);
}

static void count_all(hy_live *L, const hy_view *V)
{
    struct degrees D = { .L = L, .V = V };
    par_for(L->ctx, V->bound, GRAIN, count_par, &D);
    L->info.work = V->bound;
}

static void count_one(hy_live *L, const hy_view *V, hy_vid u)
{
    live_note(L, u);
    ((uint32_t *)L->values)[u] = view_degree(V, u);
}

static void count_ends(hy_live *L, const hy_view *V, const hy_edge_list *edges)
{
    for (uint64_t i = 0; i < edges->n; i++) {
        count_one(L, V, edges->at[i].u);
        if (view_is_undirected(V))
            count_one(L, V, edges->at[i].v);
    }
    L->info.work += edges->n;
}

static hy_status start(hy_live *L, const hy_view *V)
{
    count_all(L, V);
    L->info.total = V->vertices;
    return HY_OK;
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    (void)L;
    (void)coming;
    return HY_OK;
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    L->info.total = V->vertices;
    if ((delta->inserted.n + delta->deleted.n) * ENDS > V->bound) {
        live_turn_over(L, V->bound);
        count_all(L, V);
        live_say(L, HY_LIVE_RECOMPUTED, "many edges changed");
        return;
    }
    count_ends(L, V, &delta->inserted);
    count_ends(L, V, &delta->deleted);
    live_say(L, HY_LIVE_REPAIRED, "at the ends of changed edges");
}

static void fini(hy_live *L)
{
    (void)L;
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const uint32_t *const degree = L->values;
    for (hy_vid u = 0; u < V->bound; u++)
        if (degree[u] != view_degree(V, u))
            return base_fail(HY_EBUG, "degrees: %u has %u edges, not %u",
                             (unsigned)u, (unsigned)view_degree(V, u),
                             (unsigned)degree[u]);
    return HY_OK;
}

hy_status hy_live_degrees(hy_graph *G, hy_live **out)
{
    static const struct live_kind kind = {
        .name = "degrees",
        .type = HY_U32,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "degrees of no graph");
    return live_attach(G, &kind, NULL, false, out);
}
