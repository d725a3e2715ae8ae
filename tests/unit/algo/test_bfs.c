/* Breadth-first search: small graphs, both directions, bad sources. */
#include "support/small.h"

#include <hypha/bfs.h>
#include <hypha/gen.h>

#include <string.h>

static void directed_edges_go_one_way(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 5);
    small_insert(G, 0, 1, NULL);
    small_insert(G, 1, 2, NULL);
    small_insert(G, 3, 0, NULL);
    small_insert(G, 1, 1, NULL);
    uint32_t depth[5];
    hy_vid parent[5];
    hy_bfs_info info;
    const hy_bfs_opts opts = { .source = 1 };
    assert_int_equal(hy_bfs(hy_graph_now(G), &opts, depth, parent, &info),
                     HY_OK);
    const uint32_t want[5] = { UINT32_MAX, 0, 1, UINT32_MAX, UINT32_MAX };
    const hy_vid parents[5] = { HY_NONE, 1, 1, HY_NONE, HY_NONE };
    assert_memory_equal(depth, want, sizeof want);
    assert_memory_equal(parent, parents, sizeof parents);
    assert_int_equal(info.reached, 2);
    assert_int_equal(info.max_depth, 1);
    assert_int_equal(info.edges, 2);
    small_free(G);
}

static void parents_are_the_smallest_if_asked(void **state)
{
    (void)state;
    hy_graph *G = small_graph(&(hy_graph_opts){ .undirected = true }, 6);
    for (uint64_t u = 1; u < 5; u++) {
        small_insert(G, 0, u, NULL);
        small_insert(G, u, 5, NULL);
    }
    hy_vid parent[6];
    const hy_bfs_opts opts = { .deterministic = true };
    assert_int_equal(hy_bfs(hy_graph_now(G), &opts, NULL, parent, NULL), HY_OK);
    assert_int_equal(parent[5], 1);
    small_free(G);
}

static void source_must_be_alive(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    small_delete_vertex(G, 1);
    uint32_t depth[3] = { 7, 7, 7 };
    for (hy_vid source = 1; source <= 3; source += 2) {
        const hy_bfs_opts opts = { .source = source };
        assert_int_equal(hy_bfs(hy_graph_now(G), &opts, depth, NULL, NULL),
                         HY_EINVAL);
        assert_true(strlen(hy_error_text()) > 0);
        assert_false(
            hy_bfs_check(hy_graph_now(G), &opts, depth, NULL, NULL, NULL));
    }
    assert_int_equal(depth[0], 7);
    assert_int_equal(hy_bfs(hy_graph_now(G), NULL, depth, NULL, NULL), HY_OK);
    assert_int_equal(depth[0], 0);
    assert_int_equal(depth[1], UINT32_MAX);
    small_free(G);
    G = small_graph(NULL, 0);
    assert_int_equal(hy_bfs(hy_graph_now(G), NULL, depth, NULL, NULL),
                     HY_EINVAL);
    small_free(G);
}

/* A star is a hub that all threads share, and a pull for the way back. */
static void star_is_two_hops_wide(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        const hy_gen_opts star = { .kind = HY_GEN_STAR, .n = 50000 };
        hy_graph *G;
        hy_bfs_info info;
        const hy_bfs_opts opts = { .source = 77 };
        assert_int_equal(hy_gen_graph(test_ctx(i), &star, &G), HY_OK);
        assert_int_equal(hy_bfs(hy_graph_now(G), &opts, NULL, NULL, &info),
                         HY_OK);
        assert_int_equal(info.reached, 50000);
        assert_int_equal(info.max_depth, 2);
        assert_int_equal(info.edges, 2 * 49999);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directed_edges_go_one_way),
        cmocka_unit_test(parents_are_the_smallest_if_asked),
        cmocka_unit_test(source_must_be_alive),
        cmocka_unit_test(star_is_two_hops_wide),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
