/* Large commits, whose vertices threads note, and what a device sees of
 * them. */
#include "support/random.h"
#include "support/test.h"

#include <hypha/hypha.h>

#include <stdlib.h>

enum { N = 1 << 17, EDGES = 9000, COMMITS = 6 };

static void change(hy_graph *G, uint64_t *rng)
{
    hy_batch *B = NULL;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (int i = 0; i < EDGES; i++) {
        const uint64_t u = rng_below(rng, N), v = rng_below(rng, N);
        const hy_status status = rng_below(rng, 3)
                                     ? hy_batch_insert_edge(B, u, v, NULL)
                                     : hy_batch_delete_edge(B, u, v);
        assert_int_equal(status, HY_OK);
    }
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
}

static void compare(hy_graph *G, hy_device *D, const double *x)
{
    double *const y = malloc(N * sizeof *y);
    double *const right = malloc(N * sizeof *y);
    const hy_spmv_opts on = { .device = D };
    if (!y || !right)
        abort();
    assert_int_equal(hy_spmv(hy_graph_now(G), NULL, x, right), HY_OK);
    assert_int_equal(hy_spmv(hy_graph_now(G), &on, x, y), HY_OK);
    assert_memory_equal(y, right, N * sizeof *y);
    free(y);
    free(right);
}

static void large_commits_are_noted(void **state)
{
    (void)state;
    uint64_t rng = test_seed_at(0);
    double *const x = malloc(N * sizeof *x);
    if (!x)
        abort();
    for (int i = 0; i < N; i++)
        x[i] = (double)rng_below(&rng, 1000);
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        const hy_gen_opts urand = {
            .kind = HY_GEN_URAND, .n = N, .degree = 4, .directed = c % 2
        };
        hy_graph *G = NULL;
        hy_device *D = NULL;
        hy_device_stats stats;
        assert_int_equal(hy_gen_graph(test_ctx(c), &urand, &G), HY_OK);
        assert_int_equal(hy_device_open(test_ctx(c), "host", NULL, &D), HY_OK);
        compare(G, D, x);
        for (int i = 0; i < COMMITS; i++) {
            change(G, &rng);
            if (i % 3 != 1) /* or two at once */
                compare(G, D, x);
        }
        hy_device_stats_get(D, &stats);
        assert_int_equal(stats.whole, 1); /* else notes were not needed */
        hy_device_close(D);
        hy_graph_free(G);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_commits_are_noted),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
