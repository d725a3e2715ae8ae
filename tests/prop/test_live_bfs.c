/* Hops, live: depths and smallest parents through all that a history can do. */
#include "support/live.h"
#include "support/some_graph.h"

#include <stdlib.h>

struct search {
    uint64_t external; /* of the source */
};

/* The same vertex for graphs that are the same. */
static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    struct search *S = arg;
    const hy_view *V = hy_graph_now(G);
    uint64_t rng = hy_view_arcs(V) * 31 + hy_view_bound(V);
    const hy_bfs_opts opts = { .source = some_vertex(V, &rng) };
    S->external = hy_view_external(V, opts.source);
    return hy_live_bfs(G, &opts, out);
}

static bool compare_with(const hy_live *L, hy_vid n, const uint32_t *depth,
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

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    const struct search *S = arg;
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
        compare_with(L, n, depth, parent, why) &&
        (told.total == info.reached ||
         why_not(why, "%llu reached, not %llu", (unsigned long long)told.total,
                 (unsigned long long)info.reached));
    free(parent);
    free(depth);
    return is_same;
}

static struct search search;
static const struct live_case bfs = { .attach = attach,
                                      .compare = compare,
                                      .arg = &search };

static void bfs_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&bfs, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void bfs_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&bfs, test_scaled(30), 7, &counts);
    assert_true(counts.repaired > 0);
}

static void bfs_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&bfs, test_scaled(300));
}

static void bfs_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&bfs, test_scaled(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_follows_histories),
        cmocka_unit_test(bfs_survives_emptying),
        cmocka_unit_test(bfs_of_one_batch_or_many),
        cmocka_unit_test(bfs_stays_when_commits_fail),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
