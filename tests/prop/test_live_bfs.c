/* Hops, live: depths and smallest parents through all that a history can do. */
#include "support/live_ask.h"

static struct live_ask ask;
static const struct live_case bfs = { .attach = live_ask_bfs,
                                      .compare = live_is_bfs,
                                      .arg = &ask };

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
