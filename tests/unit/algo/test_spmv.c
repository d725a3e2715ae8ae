/* Products of graphs that hardly are any. */
#include "support/small.h"

#include <hypha/spmv.h>

static void spmv_of_nothing_is_nothing(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    double x[1], y[1] = { 5 };
    assert_int_equal(hy_spmv(hy_graph_now(G), NULL, x, y), HY_OK);
    assert_true(y[0] == 5);
    small_free(G);
}

static void spmv_follows_edges_and_transposed_comes_back(void **state)
{
    (void)state;
    for (int has_reverse = 0; has_reverse < 2; has_reverse++) {
        hy_graph_opts opts = { .reverse = has_reverse };
        hy_graph_opts_model(&opts, HY_WEIGHTED);
        hy_graph *G = small_graph(&opts, 4);
        const float w[] = { 2, 3, 0.5f };
        const double x[] = { 1, 10, 100, 1000 };
        double y[4];
        (void)small_insert(G, 0, 1, &w[0]);
        (void)small_insert(G, 0, 2, &w[1]);
        (void)small_insert(G, 2, 2, &w[2]);
        (void)small_delete_vertex(G, 3);
        assert_int_equal(hy_spmv(hy_graph_now(G), NULL, x, y), HY_OK);
        assert_true(y[0] == 320 && y[1] == 0 && y[2] == 50 && y[3] == 0);
        const hy_spmv_opts back = { .transposed = true };
        assert_int_equal(hy_spmv(hy_graph_now(G), &back, x, y), HY_OK);
        assert_true(y[0] == 0 && y[1] == 2 && y[2] == 53 && y[3] == 0);
        small_free(G);
    }
}

static void spmv_wants_its_column(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 2);
    double x[2] = { 0 }, y[2];
    const hy_spmv_opts opts = { .weight = "wait" };
    assert_int_equal(hy_spmv(hy_graph_now(G), &opts, x, y), HY_EINVAL);
    assert_false(hy_spmv_check(hy_graph_now(G), &opts, x, y, NULL));
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spmv_of_nothing_is_nothing),
        cmocka_unit_test(spmv_follows_edges_and_transposed_comes_back),
        cmocka_unit_test(spmv_wants_its_column),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
