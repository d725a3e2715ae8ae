/* Betweenness: graphs whose answer is known, and options. */
#include "support/small.h"

#include <hypha/bc.h>

#include <stdlib.h>

static void path_has_its_middle_between(void **state)
{
    (void)state;
    hy_graph *G = small_graph(&(hy_graph_opts){ .undirected = true }, 5);
    for (uint64_t u = 0; u < 4; u++)
        small_insert(G, u, u + 1, NULL);
    double score[5];
    hy_bc_info info;
    const double want[5] = { 0, 6, 8, 6, 0 };
    assert_int_equal(hy_bc(hy_graph_now(G), NULL, score, &info), HY_OK);
    assert_memory_equal(score, want, sizeof want);
    assert_int_equal(info.sources, 5);
    assert_int_equal(info.max_depth, 4);
    assert_true(info.largest == 8);
    const hy_bc_opts opts = { .normalize = true };
    assert_int_equal(hy_bc(hy_graph_now(G), &opts, score, &info), HY_OK);
    assert_true(score[2] == 1 && score[1] == 0.75 && info.largest == 8);
    small_free(G);
}

/* A chain of k diamonds has 2^k paths from end to end; half of them go
 * through each vertex at a diamond's side. */
static void paths_beyond_a_double_are_counted(void **state)
{
    enum { DIAMONDS = 3000 };
    (void)state;
    const hy_vid n = 3 * DIAMONDS + 1;
    hy_edge *edges = calloc(4 * DIAMONDS, sizeof *edges);
    double *score = calloc(n, sizeof *score);
    assert_true(edges && score);
    for (hy_vid i = 0; i < DIAMONDS; i++) {
        const hy_vid a = 3 * i;
        edges[4 * i] = (hy_edge){ a, a + 1 };
        edges[4 * i + 1] = (hy_edge){ a, a + 2 };
        edges[4 * i + 2] = (hy_edge){ a + 1, a + 3 };
        edges[4 * i + 3] = (hy_edge){ a + 2, a + 3 };
    }
    for (unsigned k = 0; k < TEST_CTXS * 2; k++) {
        hy_graph *G;
        assert_int_equal(hy_graph_new(test_ctx(k), NULL, &G), HY_OK);
        assert_int_equal(hy_graph_load_edges(G, n, 4 * DIAMONDS, edges, NULL),
                         HY_OK);
        const hy_vid source = 0;
        const hy_bc_opts opts = { .sources = 1,
                                  .list = &source,
                                  .deterministic = k >= TEST_CTXS };
        assert_int_equal(hy_bc(hy_graph_now(G), &opts, score, NULL), HY_OK);
        for (hy_vid i = 0; i < DIAMONDS; i++) {
            const double below = 3.0 * (DIAMONDS - 1 - i) + 1;
            assert_true(score[3 * i + 1] == below / 2);
            assert_true(score[3 * i + 2] == below / 2);
            assert_true(i == 0 || score[3 * i] == below + 2);
        }
        assert_true(score[0] == 0 && score[n - 1] == 0);
        assert_true(hy_bc_check(hy_graph_now(G), &opts, score, NULL));
        hy_graph_free(G);
    }
    free(score);
    free(edges);
}

static void nothing_is_between_where_there_is_little(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    hy_bc_info info;
    assert_int_equal(hy_bc(hy_graph_now(G), NULL, NULL, &info), HY_OK);
    assert_int_equal(info.sources, 0);
    small_free(G);
    G = small_graph(NULL, 1);
    small_insert(G, 0, 0, NULL);
    double score[2] = { -1, -1 };
    assert_int_equal(hy_bc(hy_graph_now(G), NULL, score, &info), HY_OK);
    assert_true(score[0] == 0 && score[1] == -1 && info.largest == 0);
    small_free(G);
}

static void sources_must_be_alive(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    small_delete_vertex(G, 1);
    double score[3] = { 7, 7, 7 };
    hy_vid list[] = { 0, 1 };
    const hy_bc_opts opts = { .sources = 2, .list = list };
    assert_int_equal(hy_bc(hy_graph_now(G), &opts, score, NULL), HY_EINVAL);
    list[1] = 3;
    assert_int_equal(hy_bc(hy_graph_now(G), &opts, score, NULL), HY_EINVAL);
    assert_int_equal(hy_bc(hy_graph_now(G), &opts, NULL, NULL), HY_EINVAL);
    assert_true(score[0] == 7);
    assert_int_equal(hy_bc(hy_graph_now(G), NULL, score, NULL), HY_OK);
    assert_true(score[1] == 0);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_has_its_middle_between),
        cmocka_unit_test(paths_beyond_a_double_are_counted),
        cmocka_unit_test(nothing_is_between_where_there_is_little),
        cmocka_unit_test(sources_must_be_alive),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
