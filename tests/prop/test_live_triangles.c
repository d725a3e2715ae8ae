/* Triangles, live: counts after every commit of random histories. */
#include "support/live.h"

#include <stdlib.h>

static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    (void)arg;
    return hy_live_triangles(G, out);
}

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
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

static const struct live_case triangles = { .attach = attach,
                                            .compare = compare };

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
