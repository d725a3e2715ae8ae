/* Shortest paths, live: distances and parents through all that a history can
 * do, with weights of many types, zeros and sums that are rounded. */
#include "support/live.h"
#include "support/some_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct paths {
    uint64_t external; /* of the source */
    hy_sssp_opts opts;
};

/* No weights, or a column of them among others.  Drawn values are zeros, few
 * small numbers or, in u64, so large that sums are rounded. */
static void shape(hy_graph_opts *opts, uint64_t *rng)
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

/* The same vertex for graphs that are the same. */
static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    struct paths *S = arg;
    const hy_view *V = hy_graph_now(G);
    uint64_t rng = hy_view_arcs(V) * 31 + hy_view_bound(V);
    char name[8] = "cost"; /* is borrowed for the call only */
    S->opts = (hy_sssp_opts){ .source = some_vertex(V, &rng) };
    S->external = hy_view_external(V, S->opts.source);
    const bool is_named = hy_view_find_edge_column(V, "cost") != HY_NONE;
    hy_sssp_opts opts = S->opts;
    opts.weight = is_named ? name : NULL;
    S->opts.weight = is_named ? "cost" : NULL;
    const hy_status status = hy_live_sssp(G, &opts, out);
    memset(name, 'x', sizeof name);
    return status;
}

static bool compare_with(const hy_live *L, hy_vid n, const double *dist,
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

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    struct paths *S = arg;
    const hy_vid n = hy_view_bound(V);
    hy_sssp_info info = { 0 };
    hy_live_info told;
    S->opts.source = hy_view_find(V, S->external);
    double *dist = malloc(((size_t)n + 1) * sizeof *dist);
    hy_vid *parent = malloc(((size_t)n + 1) * sizeof *parent);
    assert_true(dist && parent);
    for (hy_vid v = 0; v < n; v++) {
        dist[v] = INFINITY;
        parent[v] = HY_NONE;
    }
    if (S->opts.source != HY_NONE)
        assert_int_equal(hy_sssp(V, &S->opts, dist, parent, &info), HY_OK);
    hy_live_info_get(L, &told);
    const bool is_same =
        compare_with(L, n, dist, parent, why) &&
        (told.total == info.reached ||
         why_not(why, "%llu reached, not %llu", (unsigned long long)told.total,
                 (unsigned long long)info.reached));
    free(parent);
    free(dist);
    return is_same;
}

static struct paths paths;
static const struct live_case sssp = {
    .shape = shape, .attach = attach, .compare = compare, .arg = &paths
};

static void sssp_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&sssp, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void sssp_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&sssp, test_scaled(30), 7, &counts);
    assert_true(counts.repaired > 0);
}

static void sssp_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&sssp, test_scaled(300));
}

static void sssp_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&sssp, test_scaled(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sssp_follows_histories),
        cmocka_unit_test(sssp_survives_emptying),
        cmocka_unit_test(sssp_of_one_batch_or_many),
        cmocka_unit_test(sssp_stays_when_commits_fail),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
