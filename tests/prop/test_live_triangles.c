/* Triangles, live: counts after every commit of random histories. */
#include "support/live_ask.h"

#include <stdlib.h>

static struct live_ask ask;
static const struct live_case triangles = { .attach = live_ask_triangles,
                                            .compare = live_is_triangles,
                                            .arg = &ask };

static void triangles_follow_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&triangles, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void triangles_survive_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&triangles, test_scaled(20), 7, &counts);
}

static void triangles_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&triangles, test_scaled(300));
}

static void triangles_stay_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&triangles, test_scaled(100));
}

static void triangles_of_large_batches(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_large(&triangles, test_scaled(40), &counts);
    assert_true(counts.repaired > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_follow_histories),
        cmocka_unit_test(triangles_survive_emptying),
        cmocka_unit_test(triangles_of_one_batch_or_many),
        cmocka_unit_test(triangles_of_large_batches),
        cmocka_unit_test(triangles_stay_when_commits_fail),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
