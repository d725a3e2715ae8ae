/* Forests of graphs that hardly are any. */
#include "support/small.h"

#include <hypha/mst.h>

#include <math.h>
#include <string.h>

enum { MANY = 8 };

static hy_graph *graph(hy_type type, bool is_undirected, uint64_t n)
{
    const hy_column column = { "weight", type };
    const hy_graph_opts opts = { .undirected = is_undirected,
                                 .edge_columns = &column,
                                 .n_edge_columns = 1 };
    return small_graph(&opts, n);
}

static void mst_of_nothing_is_nothing(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    hy_edge edges[MANY];
    hy_mst_info info;
    assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_OK);
    assert_true(info.edges == 0 && info.trees == 0 && info.weight == 0);
    assert_true(hy_mst_check(hy_graph_now(G), NULL, edges, &info, NULL));
    small_free(G);
}

static void mst_has_no_loops_and_no_deleted_vertices(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, true, 4);
    hy_edge edges[MANY];
    hy_mst_info info;
    const int32_t w = -7;
    (void)small_insert(G, 0, 0, &w);
    (void)small_insert(G, 1, 2, &w);
    (void)small_insert(G, 2, 3, &w);
    (void)small_delete_vertex(G, 3);
    assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_OK);
    assert_true(info.edges == 1 && info.trees == 2 && info.weight == -7);
    assert_true(edges[0].u == 1 && edges[0].v == 2);
    small_free(G);
}

/* 0 -> 1 is heavy, 1 -> 0 light: one edge of the light weight. */
static void mst_takes_the_lighter_of_two_directions(void **state)
{
    (void)state;
    for (int has_reverse = 0; has_reverse < 2; has_reverse++) {
        hy_graph *G = graph(HY_F32, false, 3);
        hy_edge edges[MANY];
        hy_mst_info info;
        const float heavy = 9, light = 2.5f, middle = 4;
        (void)small_insert(G, 0, 1, &heavy);
        (void)small_insert(G, 1, 0, &light);
        (void)small_insert(G, 0, 2, &middle);
        (void)small_insert(G, 2, 1, &middle);
        if (has_reverse)
            assert_int_equal(hy_graph_add_reverse(G), HY_OK);
        assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_OK);
        assert_true(info.edges == 2 && info.weight == 6.5);
        assert_true(edges[0].v == 1 && edges[1].u == 0 && edges[1].v == 2);
        assert_true(hy_mst_check(hy_graph_now(G), NULL, edges, &info, NULL));
        small_free(G);
    }
}

/* As doubles all of them are the same. */
static void mst_tells_large_integers_apart(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I64, true, 3);
    hy_edge edges[MANY];
    hy_mst_info info;
    const int64_t base = (int64_t)1 << 60;
    const int64_t w[] = { base + 2, base + 1, base };
    (void)small_insert(G, 0, 1, &w[0]);
    (void)small_insert(G, 0, 2, &w[1]);
    (void)small_insert(G, 1, 2, &w[2]);
    assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_OK);
    assert_true(edges[0].u == 0 && edges[0].v == 2 && edges[1].u == 1);
    small_free(G);
}

/* Every vertex follows the next one: a chain as long as the graph, which a
 * walk from each of them would take forever to go through. */
static void mst_of_a_long_chain_is_found_fast(void **state)
{
    enum { LONG = 200000 };
    (void)state;
    hy_graph *G = graph(HY_I32, true, 0);
    static hy_edge edges[LONG];
    static int32_t weights[LONG];
    hy_mst_info info;
    for (hy_vid u = 0; u + 1 < LONG; u++) {
        edges[u] = (hy_edge){ .u = u, .v = u + 1 };
        weights[u] = (int32_t)(LONG - u);
    }
    assert_int_equal(hy_graph_load_edges(G, LONG, LONG - 1, edges, weights),
                     HY_OK);
    assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_OK);
    assert_true(info.trees == 1 && info.edges == LONG - 1);
    assert_true(hy_mst_check(hy_graph_now(G), NULL, edges, &info, NULL));
    small_free(G);
}

static void mst_refuses_what_is_no_number(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_F64, true, 3);
    hy_edge edges[MANY];
    hy_mst_info info;
    const hy_mst_opts opts = { .weight = "wait" };
    const double w = NAN;
    assert_int_equal(hy_mst(hy_graph_now(G), &opts, edges, &info), HY_EINVAL);
    (void)small_insert(G, 1, 2, &w);
    assert_int_equal(hy_mst(hy_graph_now(G), NULL, edges, &info), HY_EINVAL);
    assert_non_null(strstr(hy_error_text(), "edge 1 2"));
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mst_of_nothing_is_nothing),
        cmocka_unit_test(mst_has_no_loops_and_no_deleted_vertices),
        cmocka_unit_test(mst_takes_the_lighter_of_two_directions),
        cmocka_unit_test(mst_tells_large_integers_apart),
        cmocka_unit_test(mst_of_a_long_chain_is_found_fast),
        cmocka_unit_test(mst_refuses_what_is_no_number),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
