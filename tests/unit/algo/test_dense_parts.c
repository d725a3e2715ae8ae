/* Trusses, cliques and butterflies of graphs whose answers are known. */
#include "support/small.h"

#include <hypha/hypha.h>

static const hy_graph_opts undirected = { .undirected = true };

/* 0..a-1 joined to a..a+b-1; `inside`: and to each other, a + b in all. */
static hy_graph *joined(hy_vid a, hy_vid b, bool inside)
{
    hy_graph *G = small_graph(&undirected, a + b);
    hy_batch *B = small_batch(G);
    for (hy_vid u = 0; u < a + b; u++)
        for (hy_vid v = 0; v < u; v++)
            if (inside || (v < a && u >= a))
                assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
    small_commit(G, B);
    return G;
}

static uint64_t cliques_of(const hy_graph *G, uint32_t k)
{
    const hy_kclique_opts opts = { .k = k };
    hy_kclique_info info = { 0 };
    assert_int_equal(hy_kclique(hy_graph_now(G), &opts, NULL, &info), HY_OK);
    assert_true(
        hy_kclique_check(hy_graph_now(G), &opts, NULL, info.cliques, NULL));
    return info.cliques;
}

static void cliques_of_complete_graph_are_binomials(void **state)
{
    static const uint64_t binomials[] = { 0,   12,  66,  220, 495, 792, 924,
                                          792, 495, 220, 66,  12,  1 };
    (void)state;
    hy_graph *G = joined(6, 6, true);
    for (uint32_t k = 1; k <= 12; k++)
        assert_int_equal(cliques_of(G, k), binomials[k]);
    assert_int_equal(cliques_of(G, 13), 0);
    assert_int_equal(cliques_of(G, UINT32_MAX), 0);
    assert_int_equal(cliques_of(G, 0), binomials[4]);
    small_free(G);
}

static void cliques_of_one_are_vertices_alive(void **state)
{
    (void)state;
    const hy_kclique_opts opts = { .k = 1 };
    hy_graph *G = small_graph(NULL, 3);
    uint64_t count[3] = { 7, 7, 7 };
    small_delete_vertex(G, 1);
    assert_int_equal(cliques_of(G, 1), 2);
    assert_int_equal(hy_kclique(hy_graph_now(G), &opts, count, NULL), HY_OK);
    assert_true(count[0] == 1 && count[1] == 0 && count[2] == 1);
    small_free(G);
}

static void butterflies_of_bipartite_graph_are_pairs_of_pairs(void **state)
{
    (void)state;
    hy_butterfly_info info = { 0 };
    uint64_t count[12];
    hy_graph *G = joined(5, 7, false);
    assert_int_equal(hy_butterfly(hy_graph_now(G), NULL, count, &info), HY_OK);
    assert_int_equal(info.butterflies, 10 * 21);
    assert_int_equal(count[0], 4 * 21);
    assert_int_equal(count[11], 10 * 6);
    small_free(G);
}

static void butterflies_of_four_neighbours_are_three(void **state)
{
    (void)state;
    const hy_butterfly_opts odd = { .reserved = 1 };
    hy_butterfly_info info = { 0 };
    hy_graph *G = joined(2, 2, true);
    assert_int_equal(hy_butterfly(hy_graph_now(G), NULL, NULL, &info), HY_OK);
    assert_int_equal(info.butterflies, 3);
    assert_int_equal(hy_butterfly(hy_graph_now(G), &odd, NULL, &info),
                     HY_EINVAL);
    small_free(G);
}

/* Five that are all neighbours, and a tail of a triangle and an edge. */
static void truss_of_a_clique_with_a_tail_falls_along_it(void **state)
{
    (void)state;
    hy_edge edges[16];
    uint32_t truss[16], vertex[8];
    const hy_ktruss_out out = { edges, truss, vertex };
    const hy_ktruss_opts third = { .k = 3 };
    hy_ktruss_info info = { 0 };
    hy_graph *G = joined(2, 3, true);
    for (hy_vid u = 5; u < 8; u++)
        small_insert_vertex(G, u, NULL);
    small_insert(G, 4, 5, NULL);
    small_insert(G, 3, 5, NULL);
    small_insert(G, 5, 6, NULL);
    small_insert(G, 6, 6, NULL);
    assert_int_equal(hy_ktruss(hy_graph_now(G), NULL, &out, &info), HY_OK);
    assert_int_equal(info.edges, 13);
    assert_int_equal(info.vertices, 7);
    assert_int_equal(info.largest, 5);
    assert_int_equal(vertex[4], 5);
    assert_int_equal(vertex[5], 3);
    assert_int_equal(vertex[6], 2);
    assert_int_equal(vertex[7], 0);
    assert_true(hy_ktruss_check(hy_graph_now(G), 13, edges, truss, NULL));
    assert_int_equal(hy_ktruss(hy_graph_now(G), &third, &out, &info), HY_OK);
    assert_int_equal(info.edges, 12);
    assert_int_equal(info.largest, 5);
    assert_int_equal(hy_ktruss(hy_graph_now(G), NULL, NULL, NULL), HY_EINVAL);
    small_free(G);
}

static void empty_graphs_have_no_parts(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        const hy_ktruss_out out = { 0 };
        hy_ktruss_info truss = { 7, 7, 7 };
        hy_butterfly_info flies = { 7 };
        hy_graph *G = small_graph(&undirected, n);
        assert_int_equal(hy_ktruss(hy_graph_now(G), NULL, &out, &truss), HY_OK);
        assert_int_equal(truss.edges + truss.vertices + truss.largest, 0);
        assert_int_equal(hy_butterfly(hy_graph_now(G), NULL, NULL, &flies),
                         HY_OK);
        assert_int_equal(flies.butterflies, 0);
        assert_int_equal(cliques_of(G, 4), 0);
        assert_true(hy_ktruss_check(hy_graph_now(G), 0, NULL, NULL, NULL));
        assert_true(hy_butterfly_check(hy_graph_now(G), NULL, 0, NULL));
        small_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cliques_of_complete_graph_are_binomials),
        cmocka_unit_test(cliques_of_one_are_vertices_alive),
        cmocka_unit_test(butterflies_of_bipartite_graph_are_pairs_of_pairs),
        cmocka_unit_test(butterflies_of_four_neighbours_are_three),
        cmocka_unit_test(truss_of_a_clique_with_a_tail_falls_along_it),
        cmocka_unit_test(empty_graphs_have_no_parts),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
