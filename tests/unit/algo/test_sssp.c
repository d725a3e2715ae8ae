/* Shortest paths at the edges of what is allowed. */
#include "support/small.h"

#include <hypha/sssp.h>

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

static void insert_i32(hy_graph *G, hy_vid u, hy_vid v, int32_t w)
{
    (void)small_insert(G, u, v, &w);
}

static void insert_f64(hy_graph *G, hy_vid u, hy_vid v, double w)
{
    (void)small_insert(G, u, v, &w);
}

static void sssp_without_vertices_has_no_source(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, NULL, NULL, NULL),
                     HY_EINVAL);
    small_free(G);
}

static void sssp_of_one_vertex_reaches_it(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 1);
    double dist[1];
    hy_vid parent[1];
    hy_sssp_info info;
    (void)small_insert(G, 0, 0, NULL);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, parent, &info),
                     HY_OK);
    assert_true(dist[0] == 0 && parent[0] == 0);
    assert_true(info.reached == 1 && info.max_dist == 0);
    small_free(G);
}

static void sssp_without_weights_counts_hops(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 4);
    double dist[MANY];
    (void)small_insert(G, 0, 1, NULL);
    (void)small_insert(G, 1, 2, NULL);
    (void)small_insert(G, 3, 0, NULL); /* against the direction */
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, NULL, NULL), HY_OK);
    assert_true(dist[0] == 0 && dist[1] == 1 && dist[2] == 2);
    assert_true(dist[3] == INFINITY);
    small_free(G);
}

static void sssp_leaves_out_deleted_vertices(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, true, 4);
    double dist[MANY];
    hy_vid parent[MANY];
    insert_i32(G, 0, 1, 1);
    insert_i32(G, 1, 2, 1);
    insert_i32(G, 0, 2, 9);
    (void)small_delete_vertex(G, 1);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, parent, NULL), HY_OK);
    assert_true(dist[1] == INFINITY && parent[1] == HY_NONE);
    assert_true(dist[2] == 9 && parent[2] == 0);
    const hy_sssp_opts opts = { .source = 1 };
    assert_int_equal(hy_sssp(hy_graph_now(G), &opts, dist, parent, NULL),
                     HY_EINVAL);
    small_free(G);
}

static void sssp_refuses(hy_graph *G, const char *words)
{
    double dist[MANY];
    hy_sssp_info info = { .reached = 99 };
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, NULL, &info),
                     HY_EINVAL);
    assert_non_null(strstr(hy_error_text(), words));
    assert_int_equal(info.reached, 99);
    small_free(G);
}

static void sssp_refuses_negative_weights_by_name(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, false, 4);
    insert_i32(G, 0, 1, 5);
    insert_i32(G, 1, 2, -3);
    insert_i32(G, 2, 0, -3); /* a circle that never ends */
    sssp_refuses(G, "edge 1 2 is negative");
    G = graph(HY_F64, true, 4);
    insert_f64(G, 0, 1, -0.5);
    sssp_refuses(G, "edge 0 1 is negative");
}

static void sssp_refuses_bad_weights_that_it_does_not_meet(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, false, 4);
    insert_i32(G, 2, 3, -1);
    sssp_refuses(G, "edge 2 3 is negative");
    G = graph(HY_F64, false, 4);
    insert_f64(G, 2, 3, NAN);
    sssp_refuses(G, "edge 2 3 is not finite");
    G = graph(HY_F64, false, 4);
    insert_f64(G, 2, 3, INFINITY);
    sssp_refuses(G, "edge 2 3 is not finite");
}

static void sssp_takes_minus_zero_for_zero(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_F64, false, 2);
    double dist[MANY];
    hy_vid parent[MANY];
    insert_f64(G, 0, 1, -0.0);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, parent, NULL), HY_OK);
    assert_true(dist[1] == 0 && parent[1] == 0);
    small_free(G);
}

/* Each could be the other's parent, were zeros not counted. */
static void sssp_with_zero_weights_gives_a_tree(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, true, 6);
    double dist[MANY];
    hy_vid parent[MANY];
    insert_i32(G, 5, 4, 2);
    insert_i32(G, 4, 3, 0);
    insert_i32(G, 3, 1, 0);
    insert_i32(G, 4, 2, 0);
    insert_i32(G, 2, 1, 0);
    insert_i32(G, 1, 0, 0);
    const hy_sssp_opts opts = { .source = 5 };
    assert_int_equal(hy_sssp(hy_graph_now(G), &opts, dist, parent, NULL),
                     HY_OK);
    assert_true(parent[4] == 5 && parent[3] == 4 && parent[2] == 4);
    assert_true(parent[1] == 2 && parent[0] == 1);
    for (hy_vid v = 0; v < 5; v++)
        assert_true(dist[v] == 2);
    small_free(G);
}

static void sssp_adds_beyond_32_bits(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, false, 5);
    double dist[MANY];
    for (hy_vid u = 0; u < 4; u++)
        insert_i32(G, u, u + 1, INT32_MAX);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, NULL, NULL), HY_OK);
    assert_true(dist[4] == 4.0 * INT32_MAX);
    small_free(G);
    G = graph(HY_U32, false, 3); /* the sum is what stands for unreached */
    const uint32_t weights[] = { 1, UINT32_MAX - 1 };
    (void)small_insert(G, 0, 1, &weights[0]);
    (void)small_insert(G, 1, 2, &weights[1]);
    assert_int_equal(hy_sssp(hy_graph_now(G), NULL, dist, NULL, NULL), HY_OK);
    assert_true(dist[2] == UINT32_MAX);
    small_free(G);
}

static void sssp_wants_its_options_right(void **state)
{
    (void)state;
    hy_graph *G = graph(HY_I32, false, 2);
    double dist[MANY];
    const hy_sssp_opts wrong[] = {
        { .source = 2 }, { .source = HY_NONE }, { .weight = "wait" },
        { .delta = -1 }, { .delta = NAN },      { .delta = INFINITY },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(hy_sssp(hy_graph_now(G), &wrong[i], dist, NULL, NULL),
                         HY_EINVAL);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sssp_without_vertices_has_no_source),
        cmocka_unit_test(sssp_of_one_vertex_reaches_it),
        cmocka_unit_test(sssp_without_weights_counts_hops),
        cmocka_unit_test(sssp_leaves_out_deleted_vertices),
        cmocka_unit_test(sssp_refuses_negative_weights_by_name),
        cmocka_unit_test(sssp_refuses_bad_weights_that_it_does_not_meet),
        cmocka_unit_test(sssp_takes_minus_zero_for_zero),
        cmocka_unit_test(sssp_with_zero_weights_gives_a_tree),
        cmocka_unit_test(sssp_adds_beyond_32_bits),
        cmocka_unit_test(sssp_wants_its_options_right),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
