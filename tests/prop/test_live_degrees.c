/* Degrees, live: the smallest answer, through all that a history can do. */
#include "support/live.h"

static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    (void)arg;
    return hy_live_degrees(G, out);
}

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    (void)arg;
    const uint32_t *degree = hy_live_values(L);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        if (degree[u] != hy_view_degree(V, u))
            return why_not(why, "%u has %u edges, not %u", (unsigned)u,
                           (unsigned)hy_view_degree(V, u), (unsigned)degree[u]);
    return true;
}

static const struct live_case degrees = { .attach = attach,
                                          .compare = compare };

static void degrees_follow_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&degrees, test_scaled(2000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void degrees_survive_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&degrees, test_scaled(20), 7, &counts);
}

static void degrees_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&degrees, test_scaled(300));
}

static void degrees_stay_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&degrees, test_scaled(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_follow_histories),
        cmocka_unit_test(degrees_survive_emptying),
        cmocka_unit_test(degrees_of_one_batch_or_many),
        cmocka_unit_test(degrees_stay_when_commits_fail),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
