/* Clustering coefficients, live: those of hy_lcc, bit by bit. */
#include "support/live.h"

#include <hypha/lcc.h>

#include <stdlib.h>

static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    (void)arg;
    return hy_live_lcc(G, out);
}

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    (void)arg;
    const double *lcc = hy_live_values(L);
    const hy_vid bound = hy_view_bound(V);
    double *const want = calloc((size_t)bound + 1, sizeof *want);
    bool is_right = want != NULL;
    if (hy_lcc(V, NULL, want, NULL) != HY_OK)
        is_right = why_not(why, "%s", hy_error_text());
    for (hy_vid u = 0; is_right && u < bound; u++)
        if (lcc[u] != want[u])
            is_right = why_not(why, "the coefficient of %u is %.17g, not %.17g",
                               (unsigned)u, want[u], lcc[u]);
    free(want);
    return is_right;
}

static const struct live_case lcc = { .attach = attach, .compare = compare };

static void lcc_follow_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&lcc, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void lcc_survive_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&lcc, test_scaled(20), 7, &counts);
}

static void lcc_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&lcc, test_scaled(300));
}

static void lcc_stay_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&lcc, test_scaled(100));
}

static void lcc_of_large_batches(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_large(&lcc, test_scaled(40), &counts);
    assert_true(counts.repaired > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lcc_follow_histories),
        cmocka_unit_test(lcc_survive_emptying),
        cmocka_unit_test(lcc_of_one_batch_or_many),
        cmocka_unit_test(lcc_of_large_batches),
        cmocka_unit_test(lcc_stay_when_commits_fail),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
