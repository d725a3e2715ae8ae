/* HITS and Katz centrality of graphs that hardly are any, and options. */
#include "support/small.h"

#include <hypha/hits.h>
#include <hypha/katz.h>

#include <math.h>

static void scores_of_nothing_are_nothing(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    double h[1] = { 5 }, a[1] = { 5 };
    hy_katz_info info;
    assert_int_equal(hy_hits(hy_graph_now(G), NULL, h, a, NULL), HY_OK);
    assert_int_equal(hy_katz(hy_graph_now(G), NULL, h, &info), HY_OK);
    assert_true(h[0] == 5 && a[0] == 5 && info.iterations == 0);
    small_free(G);
}

static void scores_without_edges_are_zero_and_beta(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    double h[3], a[3], k[3];
    const hy_katz_opts opts = { .beta = 2 };
    (void)small_delete_vertex(G, 1);
    assert_int_equal(hy_hits(hy_graph_now(G), NULL, h, a, NULL), HY_OK);
    assert_true(hy_hits_check(hy_graph_now(G), NULL, h, a, NULL));
    assert_int_equal(hy_katz(hy_graph_now(G), &opts, k, NULL), HY_OK);
    assert_true(h[0] == 0 && a[2] == 0);
    assert_true(k[0] == 2 && k[1] == 0 && k[2] == 2);
    small_free(G);
}

/* 0 and 1 point to 2, 1 to 3 as well. */
static void hits_of_a_few_edges(void **state)
{
    (void)state;
    for (int reverse = 0; reverse < 2; reverse++) {
        const hy_graph_opts opts = { .reverse = reverse };
        const hy_hits_opts fine = { .tolerance = 1e-13 };
        hy_graph *G = small_graph(&opts, 4);
        double h[4], a[4];
        (void)small_insert(G, 0, 2, NULL);
        (void)small_insert(G, 1, 2, NULL);
        (void)small_insert(G, 1, 3, NULL);
        assert_int_equal(hy_hits(hy_graph_now(G), &fine, h, a, NULL), HY_OK);
        /* The golden section, in squares. */
        const double big = sqrt((5 + sqrt(5.0)) / 10),
                     small = sqrt(1 - big * big);
        assert_true(fabs(h[1] - big) < 1e-9 && fabs(h[0] - small) < 1e-9);
        assert_true(fabs(a[2] - big) < 1e-9 && fabs(a[3] - small) < 1e-9);
        assert_true(h[2] == 0 && h[3] == 0 && a[0] == 0 && a[1] == 0);
        small_free(G);
    }
}

static void katz_adds_up_walks(void **state)
{
    (void)state;
    for (int reverse = 0; reverse < 2; reverse++) {
        const hy_graph_opts opts = { .reverse = reverse };
        const hy_katz_opts half = { .alpha = 0.5 };
        hy_graph *G = small_graph(&opts, 3);
        double k[3];
        (void)small_insert(G, 0, 1, NULL);
        (void)small_insert(G, 1, 2, NULL);
        (void)small_insert(G, 2, 2, NULL);
        assert_int_equal(hy_katz(hy_graph_now(G), &half, k, NULL), HY_OK);
        assert_true(k[0] == 1 && k[1] == 1.5 && fabs(k[2] - 3.5) < 1e-8);
        small_free(G);
    }
}

/* A star's lambda is the root of its leaves, far below its degree. */
static void katz_bounds_lambda_better_than_by_degree(void **state)
{
    (void)state;
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 401);
    hy_batch *B = small_batch(G);
    double k[401];
    hy_katz_info info;
    for (uint64_t v = 1; v <= 400; v++)
        assert_int_equal(hy_batch_insert_edge(B, 0, v, NULL), HY_OK);
    (void)small_commit(G, B);
    assert_int_equal(hy_katz(hy_graph_now(G), NULL, k, &info), HY_OK);
    assert_true(info.alpha <= 0.0425001 && info.alpha > 0.04);
    assert_true(hy_katz_check(hy_graph_now(G), NULL, k, &info, NULL));
    small_free(G);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    const hy_graph_opts undirected = { .undirected = true };
    hy_graph *G = small_graph(&undirected, 2);
    double x[2] = { 5, 5 }, y[2] = { 5, 5 };
    (void)small_insert(G, 0, 1, NULL);
    const hy_katz_opts bad[] = {
        { .alpha = -1 },     { .alpha = (double)NAN },
        { .alpha = 1.5 },    { .alpha = (double)INFINITY },
        { .beta = -1 },      { .beta = (double)INFINITY },
        { .tolerance = -1 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hy_katz(hy_graph_now(G), &bad[i], x, NULL), HY_EINVAL);
    const hy_hits_opts odd = { .tolerance = (double)NAN };
    assert_int_equal(hy_hits(hy_graph_now(G), &odd, x, y, NULL), HY_EINVAL);
    assert_false(hy_hits_check(hy_graph_now(G), &odd, x, y, NULL));
    assert_true(x[0] == 5 && y[0] == 5);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_of_nothing_are_nothing),
        cmocka_unit_test(scores_without_edges_are_zero_and_beta),
        cmocka_unit_test(hits_of_a_few_edges),
        cmocka_unit_test(katz_adds_up_walks),
        cmocka_unit_test(katz_bounds_lambda_better_than_by_degree),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
