/* What a commit reserves before it changes anything. */
#include "support/small.h"

#include <stdlib.h>

/* So many that the arena has no such room left from its last step. */
enum { VERTICES = 1 << 16, DEGREE = 16, LINES = 2, HUB = 8000 };

static hy_edge *edges_from(uint32_t first, uint32_t each, uint64_t *n)
{
    hy_edge *edges = malloc(((size_t)VERTICES * each + HUB) * sizeof *edges);
    assert_non_null(edges);
    *n = 0;
    for (hy_vid u = 0; u < VERTICES; u++)
        for (uint32_t i = 0; i < each; i++)
            edges[(*n)++] = (hy_edge){ u, first + i };
    return edges;
}

static void dense_batch_finds_room_for_every_block(void **state)
{
    uint64_t n;
    hy_edge *edges = edges_from(0, DEGREE, &n);
    hy_graph *G;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, VERTICES, n, edges, NULL), HY_OK);
    free(edges);

    edges = edges_from(DEGREE, LINES, &n);
    for (uint32_t i = 0; i < HUB; i++) /* and one that becomes a hub */
        edges[n++] = (hy_edge){ VERTICES / 2, DEGREE + LINES + i };
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_edges(B, n, edges, NULL), HY_OK);
    assert_int_equal(small_commit(G, B).counts.inserted, n);
    for (hy_vid u = 0; u < VERTICES; u++)
        assert_int_equal(hy_view_degree(hy_graph_now(G), u),
                         DEGREE + LINES + (u == VERTICES / 2 ? HUB : 0));

    B = small_batch(G);
    assert_int_equal(hy_batch_delete_edges(B, n, edges), HY_OK);
    assert_int_equal(small_commit(G, B).counts.deleted, n);
    free(edges);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_batch_finds_room_for_every_block),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
