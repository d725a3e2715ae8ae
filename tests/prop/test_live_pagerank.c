/* Ranks, live: within the bound that the answer states of the true ones. */
#include "support/live_ask.h"

static struct live_ask usual = { 0 };
static struct live_ask fine = { .ranks = { .damping = 0.6,
                                           .tolerance = 1e-9 } };
static struct live_ask rough = { .ranks = { .damping = 0.95,
                                            .tolerance = 1e-2 } };

static void ranks_follow_histories(void **state)
{
    (void)state;
    struct live_ask *const asks[] = { &usual, &fine, &rough };
    struct live_counts counts = { 0 };
    for (size_t i = 0; i < 3; i++) {
        const struct live_case C = { .attach = live_ask_pagerank,
                                     .compare = live_is_pagerank,
                                     .arg = asks[i] };
        live_histories(&C, test_scaled(1000), &counts);
    }
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static const struct live_case ranks = { .attach = live_ask_pagerank,
                                        .compare = live_is_pagerank,
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
