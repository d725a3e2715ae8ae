#include "support/live_ask.h"

#include "support/some_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device ----------------------------------------------------------
 */

void live_ask_open(hy_ctx *ctx, void *arg)
{
    struct live_ask *const A = arg;
    if (A->device && A->users++ == 0)
        assert_int_equal(hy_device_open(ctx, A->device, &A->how, &A->D), HY_OK);
}

void live_ask_close(void *arg)
{
    struct live_ask *const A = arg;
    if (!A->device || --A->users)
        return;
    hy_device_close(A->D);
    A->D = NULL;
}

/* ---- hops ----------------------------------------------------------------
 */

/* The same vertex for graphs that are the same. */
static hy_vid draw_source(struct live_ask *A, const hy_view *V)
{
    uint64_t rng = hy_view_arcs(V) * 31 + hy_view_bound(V);
    const hy_vid source = some_vertex(V, &rng);
    A->external = hy_view_external(V, source);
    return source;
}

hy_status live_ask_bfs(hy_graph *G, void *arg, hy_live **out)
{
    struct live_ask *const A = arg;
    const hy_bfs_opts opts = { .source = draw_source(A, hy_graph_now(G)),
                               .device = A->D };
    return hy_live_bfs(G, &opts, out);
}

static bool is_search(const hy_live *L, hy_vid n, const uint32_t *depth,
                      const hy_vid *parent, struct why *why)
{
    const uint32_t *have = hy_live_values(L);
    const hy_vid *from = hy_live_parents(L);
    for (hy_vid v = 0; v < n; v++)
        if (have[v] != depth[v] || from[v] != parent[v])
            return why_not(why, "%u: %u hops from %u, not %u from %u",
                           (unsigned)v, (unsigned)have[v], (unsigned)from[v],
                           (unsigned)depth[v], (unsigned)parent[v]);
    return true;
}

bool live_is_bfs(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    const struct live_ask *S = arg;
    const hy_vid n = hy_view_bound(V);
    hy_bfs_opts opts = { .deterministic = true };
    hy_bfs_info info = { 0 };
    hy_live_info told;
    opts.source = hy_view_find(V, S->external);
    uint32_t *depth = malloc(((size_t)n + 1) * sizeof *depth);
    hy_vid *parent = malloc(((size_t)n + 1) * sizeof *parent);
    assert_true(depth && parent);
    for (hy_vid v = 0; v < n; v++)
        depth[v] = parent[v] = UINT32_MAX;
    if (opts.source != HY_NONE)
        assert_int_equal(hy_bfs(V, &opts, depth, parent, &info), HY_OK);
    hy_live_info_get(L, &told);
    const bool is_same =
        is_search(L, n, depth, parent, why) &&
        (told.total == info.reached ||
         why_not(why, "%llu reached, not %llu", (unsigned long long)told.total,
                 (unsigned long long)info.reached));
    free(parent);
    free(depth);
    return is_same;
}

/* ---- paths ---------------------------------------------------------------
 */

void live_ask_weights(hy_graph_opts *opts, uint64_t *rng)
{
    static const hy_column columns[][2] = {
        { { "weight", HY_F32 }, { "mark", HY_U8 } },
        { { "mark", HY_U8 }, { "cost", HY_U64 } },
        { { "weight", HY_U8 }, { "x", HY_F64 } },
        { { "cost", HY_U32 }, { "x", HY_F64 } },
        { { "weight", HY_U16 }, { "x", HY_U16 } },
    };
    const uint64_t kind = rng_below(rng, 8);
    opts->n_edge_columns = 0;
    opts->edge_columns = NULL;
    if (kind < 7) {
        opts->edge_columns = columns[kind < 5 ? kind : 0];
        opts->n_edge_columns = rng_chance(rng, 50) && kind != 1 ? 1 : 2;
    }
}

hy_status live_ask_sssp(hy_graph *G, void *arg, hy_live **out)
{
    struct live_ask *const A = arg;
    const hy_view *V = hy_graph_now(G);
    char name[8] = "cost"; /* is borrowed for the call only */
    const bool is_named = hy_view_find_edge_column(V, "cost") != HY_NONE;
    A->paths = (hy_sssp_opts){ .source = draw_source(A, V),
                               .weight = is_named ? "cost" : NULL };
    hy_sssp_opts opts = A->paths;
    opts.weight = is_named ? name : NULL;
    opts.device = A->D;
    const hy_status status = hy_live_sssp(G, &opts, out);
    memset(name, 'x', sizeof name);
    return status;
}

static bool is_tree(const hy_live *L, hy_vid n, const double *dist,
                    const hy_vid *parent, struct why *why)
{
    const double *have = hy_live_values(L);
    const hy_vid *from = hy_live_parents(L);
    for (hy_vid v = 0; v < n; v++)
        if (have[v] != dist[v] || from[v] != parent[v])
            return why_not(why, "%u: %.17g from %u, not %.17g from %u",
                           (unsigned)v, have[v], (unsigned)from[v], dist[v],
                           (unsigned)parent[v]);
    return true;
}

bool live_is_sssp(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    struct live_ask *S = arg;
    const hy_vid n = hy_view_bound(V);
    hy_sssp_info info = { 0 };
    hy_live_info told;
    S->paths.source = hy_view_find(V, S->external);
    double *dist = malloc(((size_t)n + 1) * sizeof *dist);
    hy_vid *parent = malloc(((size_t)n + 1) * sizeof *parent);
    assert_true(dist && parent);
    for (hy_vid v = 0; v < n; v++) {
        dist[v] = INFINITY;
        parent[v] = HY_NONE;
    }
    if (S->paths.source != HY_NONE)
        assert_int_equal(hy_sssp(V, &S->paths, dist, parent, &info), HY_OK);
    hy_live_info_get(L, &told);
    const bool is_same =
        is_tree(L, n, dist, parent, why) &&
        (told.total == info.reached ||
         why_not(why, "%llu reached, not %llu", (unsigned long long)told.total,
                 (unsigned long long)info.reached));
    free(parent);
    free(dist);
    return is_same;
}

/* ---- ranks ---------------------------------------------------------------
 */

hy_status live_ask_pagerank(hy_graph *G, void *arg, hy_live **out)
{
    const struct live_ask *const A = arg;
    hy_pagerank_opts opts = A->ranks;
    opts.device = A->D;
    return hy_live_pagerank(G, &opts, out);
}

/* The sum of differences from ranks that are as good as exact. */
static double distance(const double *rank, const hy_view *V, double damping)
{
    const hy_vid bound = hy_view_bound(V);
    const hy_pagerank_opts exact = { .damping = damping,
                                     .tolerance = 1e-13,
                                     .iterations = 1000 };
    double *const want = calloc((size_t)bound + 1, sizeof *want);
    double sum = 0;
    if (!want || hy_pagerank(V, &exact, want, NULL) != HY_OK)
        abort();
    for (hy_vid u = 0; u < bound; u++)
        sum += fabs(rank[u] - want[u]);
    free(want);
    return sum;
}

bool live_is_pagerank(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    const hy_pagerank_opts *const opts = &((struct live_ask *)arg)->ranks;
    const double d = opts->damping > 0 ? opts->damping : 0.85;
    const double most =
        (opts->tolerance > 0 ? opts->tolerance : 1e-4) / (1 - d);
    const double *const rank = hy_live_values(L);
    const double away = distance(rank, V, d);
    hy_live_info info;
    hy_live_info_get(L, &info);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        if (!hy_view_has_vertex(V, u) && rank[u] != 0)
            return why_not(why, "%u is not alive and has a rank", (unsigned)u);
    if (!(info.error <= most * (1 + 1e-9)))
        return why_not(why, "the bound is %g, and not %g", info.error, most);
    return away <= info.error + 1e-11 ||
           why_not(why, "%g away, and not %g", away, info.error);
}

/* ---- components, triangles ------------------------------------------------
 */

hy_status live_ask_wcc(hy_graph *G, void *arg, hy_live **out)
{
    const hy_wcc_opts opts = { .device = ((struct live_ask *)arg)->D };
    return hy_live_wcc(G, &opts, out);
}

bool live_is_wcc(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    (void)arg;
    const hy_vid bound = hy_view_bound(V);
    const hy_vid *have = hy_live_values(L);
    hy_vid *want = calloc((size_t)bound + 1, sizeof *want);
    hy_wcc_info info;
    hy_live_info live;
    if (!want)
        abort();
    const hy_status status = hy_wcc(V, NULL, want, &info);
    bool ok = status == HY_OK || why_not(why, "hy_wcc failed");
    hy_live_info_get(L, &live);
    if (ok && live.total != info.components)
        ok = why_not(why, "%u components, not %u", (unsigned)live.total,
                     (unsigned)info.components);
    for (hy_vid u = 0; ok && u < bound; u++)
        if (have[u] != want[u])
            ok = why_not(why, "%u is in %u, not %u", (unsigned)u,
                         (unsigned)have[u], (unsigned)want[u]);
    free(want);
    return ok;
}

hy_status live_ask_triangles(hy_graph *G, void *arg, hy_live **out)
{
    const hy_triangles_opts opts = { .device = ((struct live_ask *)arg)->D };
    return hy_live_triangles(G, &opts, out);
}

bool live_is_triangles(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    (void)arg;
    const uint64_t *count = hy_live_values(L);
    const hy_vid bound = hy_view_bound(V);
    hy_triangles_info right;
    hy_live_info info;
    uint64_t *const want = calloc((size_t)bound + 1, sizeof *want);
    bool is_right = want != NULL;
    hy_live_info_get(L, &info);
    if (hy_triangles(V, NULL, want, &right) != HY_OK)
        is_right = why_not(why, "%s", hy_error_text());
    else if (right.triangles != info.total)
        is_right = why_not(why, "%llu triangles, not %llu",
                           (unsigned long long)right.triangles,
                           (unsigned long long)info.total);
    for (hy_vid u = 0; is_right && u < bound; u++)
        if (count[u] != want[u])
            is_right = why_not(why, "%u is on %llu triangles, not %llu",
                               (unsigned)u, (unsigned long long)want[u],
                               (unsigned long long)count[u]);
    free(want);
    return is_right;
}
