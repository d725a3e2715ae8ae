/* Lines that insert or delete at vertices that are one block. */
#include "support/small.h"

enum { PAGE = 512 }; /* ids that fit a page */

/* Vertex 0 gets neighbours 2, 4, ...: a block without room to spare. */
static hy_graph *with_degree(uint32_t n)
{
    static hy_edge edges[PAGE];
    hy_graph *G;
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (hy_edge){ 0, 2 * (i + 1) };
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 4 * PAGE, n, edges, NULL), HY_OK);
    return G;
}

/* k odd neighbours, from the last on, one that is there, and the first of
 * the odd ones again. */
static hy_batch *some_lines(hy_graph *G, uint32_t n, uint32_t k)
{
    hy_batch *B = small_batch(G);
    for (uint32_t i = 0; i < k; i++)
        assert_int_equal(hy_batch_insert_edge(B, 0, 2 * (n - i) + 1, NULL),
                         HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 2, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 2 * n + 1, NULL), HY_OK);
    return B;
}

static void full_block_takes_all_lines_of_its_vertex(void **state)
{
    static const uint32_t sizes[] = { 4, 8, 32, 36, 500, 504, 508, 512 };
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t k = 1; k < 4; k++) {
            const uint32_t n = sizes[i];
            hy_graph *G = with_degree(n);
            const hy_delta d = small_commit(G, some_lines(G, n, k));
            assert_int_equal(d.counts.inserted, k);
            assert_int_equal(d.counts.duplicate, 2);
            assert_int_equal(d.inserted.n, k);
            for (uint32_t j = 0; j < k; j++)
                assert_int_equal(d.inserted.at[j].v, 2 * (n - k + j) + 3);
            for (uint32_t j = 0; j < n; j++)
                assert_true(small_has_edge(G, 0, 2 * (j + 1)));
            assert_int_equal(hy_view_degree(hy_graph_now(G), 0), n + k);
            small_free(G);
        }
}

static void line_that_is_there_moves_no_block(void **state)
{
    hy_graph *G = with_degree(8);
    hy_graph_stats before, after;
    (void)state;
    hy_graph_stats_get(G, &before);
    assert_int_equal(small_insert(G, 0, 2, NULL).counts.duplicate, 1);
    hy_graph_stats_get(G, &after);
    assert_int_equal(after.bytes_free, before.bytes_free);
    small_free(G);
}

/* Of vertex 0: 4, 6, ... 2 * n are there, and nothing else. */
static void check_seen(const hy_view *V, uint32_t n)
{
    assert_int_equal(hy_view_degree(V, 0), n - 1);
    for (hy_vid v = 1; v <= 2 * n + 1; v++)
        assert_int_equal(hy_view_has_edge(V, 0, v), v % 2 == 0 && v > 2);
}

/* Room in a block that a view sees is not for lines, nor is the block itself
 * free for others. */
static void block_that_a_view_sees_is_left_to_it(void **state)
{
    static const uint32_t sizes[] = { 2, 7, 8, 30, 200 };
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t n = sizes[i];
        const hy_view *V;
        hy_graph *G = with_degree(n);
        small_delete(G, 0, 2);
        assert_int_equal(hy_view_acquire(G, &V), HY_OK);
        assert_int_equal(small_insert(G, 0, 2 * n + 1, NULL).counts.inserted,
                         1);
        check_seen(V, n);
        hy_batch *B = small_batch(G);
        for (hy_vid u = 1; u < 9; u++)
            for (uint32_t k = 0; k < n; k++)
                assert_int_equal(hy_batch_insert_edge(B, u, 3 * PAGE + k, NULL),
                                 HY_OK);
        small_commit(G, B);
        check_seen(V, n);
        assert_int_equal(small_insert(G, 0, 2, NULL).counts.inserted, 1);
        check_seen(V, n);
        hy_view_release(V);
        assert_int_equal(hy_view_degree(hy_graph_now(G), 0), n + 1);
        small_free(G);
    }
}

/* Each batch takes six neighbours of 0 and brings one, the last in order. */
static void mixed_lines_give_room_back(void **state)
{
    enum { DEGREE = 400, ROUNDS = 60, GONE = 6 };
    hy_graph *G = with_degree(DEGREE);
    hy_graph_stats before, after;
    (void)state;
    hy_graph_stats_get(G, &before);
    for (uint32_t r = 0; r < ROUNDS; r++) {
        hy_batch *B = small_batch(G);
        for (uint32_t i = 0; i < GONE; i++)
            assert_int_equal(hy_batch_delete_edge(B, 0, 2 * (r * GONE + i + 1)),
                             HY_OK);
        assert_int_equal(hy_batch_insert_edge(B, 0, 3 * PAGE + r, NULL), HY_OK);
        const hy_delta d = small_commit(G, B);
        assert_int_equal(d.counts.deleted, GONE);
        assert_int_equal(d.counts.inserted, 1);
    }
    hy_graph_stats_get(G, &after);
    assert_true(after.bytes_slack < before.bytes_edges / 4);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_block_takes_all_lines_of_its_vertex),
        cmocka_unit_test(line_that_is_there_moves_no_block),
        cmocka_unit_test(block_that_a_view_sees_is_left_to_it),
        cmocka_unit_test(mixed_lines_give_room_back),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
