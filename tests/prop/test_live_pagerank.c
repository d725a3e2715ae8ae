/* Ranks, live: within the bound that the answer states of the true ones. */
#include "support/live.h"

#include <math.h>
#include <stdlib.h>

static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    return hy_live_pagerank(G, arg, out);
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

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    const hy_pagerank_opts *const opts = arg;
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

static hy_pagerank_opts usual = { 0 };
static hy_pagerank_opts fine = { .damping = 0.6, .tolerance = 1e-9 };
static hy_pagerank_opts rough = { .damping = 0.95, .tolerance = 1e-2 };

static void ranks_follow_histories(void **state)
{
    (void)state;
    hy_pagerank_opts *const opts[] = { &usual, &fine, &rough };
    struct live_counts counts = { 0 };
    for (size_t i = 0; i < 3; i++) {
        const struct live_case C = { .attach = attach,
                                     .compare = compare,
                                     .arg = opts[i] };
        live_histories(&C, test_scaled(1000), &counts);
    }
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static const struct live_case ranks = { .attach = attach,
                                        .compare = compare,
                                        .arg = &usual };

static void ranks_survive_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&ranks, test_scaled(20), 7, &counts);
}

static void ranks_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&ranks, test_scaled(300));
}

static void ranks_of_large_batches(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_large(&ranks, test_scaled(40), &counts);
    assert_true(counts.repaired > 0);
}

static void ranks_stay_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&ranks, test_scaled(100));
}

static void ranks_need_a_tolerance(void **state)
{
    (void)state;
    const hy_pagerank_opts exact = { .tolerance = -1 };
    hy_graph *G = NULL;
    hy_live *L = NULL;
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_live_pagerank(G, &exact, &L), HY_EINVAL);
    hy_graph_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_follow_histories),
        cmocka_unit_test(ranks_survive_emptying),
        cmocka_unit_test(ranks_of_one_batch_or_many),
        cmocka_unit_test(ranks_of_large_batches),
        cmocka_unit_test(ranks_stay_when_commits_fail),
        cmocka_unit_test(ranks_need_a_tolerance),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
