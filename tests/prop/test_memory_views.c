/* What views leave behind, and what large commits do: used again, or given
 * back. */
#include "support/bulk.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- views -------------------------------------------------------------- */

static void stats_pinned_bytes_go_with_the_view(void **state)
{
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(1000, 20000, &rng);
    hy_graph *G = bulk_graph(NULL, 1000, 20000, edges);
    const hy_view *V;
    (void)state;
    assert_int_equal(bulk_stats(G).views, 0);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    assert_int_equal(bulk_stats(G).views, 1);
    bulk_change(G, edges, 2000, 2000, false);
    const hy_graph_stats held = bulk_stats(G);
    assert_true(held.bytes_pinned > 0);
    assert_true(held.bytes_edges + held.bytes_slack + held.bytes_free +
                    held.bytes_pinned <=
                held.bytes_arena);
    hy_view_release(V);
    bulk_change(G, edges, 1, 1, true);
    assert_int_equal(bulk_stats(G).bytes_pinned, 0);
    assert_int_equal(bulk_stats(G).views, 0);
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* Holds a view while edges come, lets it go while they go. */
static uint64_t arena_after_a_view(hy_graph *G, const hy_edge *edges,
                                   uint64_t m)
{
    const hy_view *V;
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    bulk_change(G, edges, m, m, true);
    hy_view_release(V);
    bulk_change(G, edges, m, m, false);
    return bulk_stats(G).bytes_arena;
}

/* All threads use what views leave: with one of them left out, it would cut
 * new memory each time. */
static void memory_of_views_is_used_by_all_threads(void **state)
{
    enum {
        ROUNDS = 40,
        SETTLED = 10,
        VERTICES = 10000,
        EDGES = VERTICES * 32,
        LINES = VERTICES * 2
    };
    const hy_graph_opts opts = { .keep_memory = true };
    uint64_t rng = test_seed(), settled = 0, last = 0;
    hy_edge *all = bulk_edges(VERTICES, EDGES, &rng);
    hy_graph *G;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(2), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, VERTICES, EDGES, all, NULL), HY_OK);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        hy_edge *more = bulk_edges(VERTICES, LINES, &rng);
        last = arena_after_a_view(G, more, LINES);
        settled = i < SETTLED ? last : settled;
        free(more);
    }
    bulk_check(G);
    if (last > settled + settled / 8)
        bulk_fail(G, "grows");
    hy_graph_free(G);
    free(all);
}

static void stats_count_what_views_hold_after_a_rebalance(void **state)
{
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(1000, 20000, &rng);
    hy_graph *G = bulk_graph(NULL, 1000, 20000, edges);
    const uint64_t before = bulk_stats(G).bytes;
    const hy_view *V;
    (void)state;
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    assert_int_equal(hy_graph_rebalance(G), HY_OK);
    if (bulk_stats(G).bytes < before + before / 2)
        bulk_fail(G, "the view's edges are not counted");
    hy_view_release(V);
    hy_graph_free(G);
    free(edges);
}

/* ---- pages of hubs ------------------------------------------------------ */

/* Of one vertex to all others. */
static hy_edge *star(hy_vid n)
{
    hy_edge *edges = malloc(n * sizeof *edges);
    assert_non_null(edges);
    for (hy_vid v = 0; v < n; v++)
        edges[v] = (hy_edge){ 0, v };
    return edges;
}

/* The newest version is always held, as a server does: each commit copies all
 * pages of the hub, and the version before leaves as many. */
static void run_held_hub(unsigned threads, bool keeps)
{
    enum { N = 20000, SPREAD = 100, LINES = N / SPREAD, ROUNDS = 200 };
    const hy_graph_opts opts = { .keep_memory = keeps };
    hy_edge *edges = star(N), lines[LINES];
    const hy_view *held = NULL, *V;
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(threads), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, N, edges, NULL), HY_OK);
    for (hy_vid i = 0; i < LINES; i++)
        lines[i] = edges[i * SPREAD];
    const uint64_t before = bulk_stats(G).bytes_arena;
    for (int round = 0; round < ROUNDS; round++) {
        assert_int_equal(hy_view_acquire(G, &V), HY_OK);
        hy_view_release(held);
        held = V;
        bulk_change(G, lines, LINES, LINES, round % 2);
    }
    if (bulk_stats(G).bytes_arena > 8 * before)
        bulk_fail(G, "grows");
    bulk_check(G);
    hy_view_release(held);
    hy_graph_free(G);
    free(edges);
}

static void pages_that_views_leave_are_used_again(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < TEST_CTXS; threads++) {
        run_held_hub(threads, false);
        run_held_hub(threads, true);
    }
}

/* ---- long blocks under a cap -------------------------------------------- */

enum { LONG_COLUMNS = 16, LONG_DEGREE = 14, LONG_VERTICES = 2000 };
enum { LONG_EDGES = LONG_VERTICES * LONG_DEGREE };

/* Of nearly a page each, all but the last one deleted and inserted again. */
static bool refills(uint64_t cap, const hy_edge *edges)
{
    static char name[LONG_COLUMNS][8];
    hy_column column[LONG_COLUMNS];
    for (int i = 0; i < LONG_COLUMNS; i++) {
        snprintf(name[i], sizeof name[i], "c%d", i);
        column[i] = (hy_column){ name[i], HY_U64 };
    }
    const hy_graph_opts opts = { .memory_cap = cap,
                                 .keep_memory = true,
                                 .edge_columns = column,
                                 .n_edge_columns = LONG_COLUMNS };
    hy_graph *G = bulk_graph(&opts, LONG_VERTICES + 1, LONG_EDGES + 1, edges);
    hy_batch *B;
    bulk_change(G, edges, LONG_EDGES, 100, false);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_edges(B, LONG_EDGES, edges, NULL), HY_OK);
    const hy_status status = hy_graph_commit(G, B, NULL);
    assert_true(status == HY_OK || status == HY_ENOMEM);
    if (bulk_stats(G).bytes > cap)
        bulk_fail(G, "past the cap");
    bulk_check(G);
    hy_batch_free(B);
    hy_graph_free(G);
    return status == HY_OK;
}

static void cap_counts_on_long_blocks_that_are_used(void **state)
{
    hy_edge *edges = malloc((LONG_EDGES + 1) * sizeof *edges);
    (void)state;
    assert_non_null(edges);
    for (hy_vid i = 0; i < LONG_EDGES; i++)
        edges[i] = (hy_edge){ i / LONG_DEGREE, i % LONG_DEGREE };
    edges[LONG_EDGES] = (hy_edge){ LONG_VERTICES, 0 };
    for (uint64_t cap = 5000000; cap < 9000000; cap += 1000000)
        (void)refills(cap, edges);
    assert_true(refills(9000000, edges));
    free(edges);
}

/* To delete little of a hub takes little, and not another hub. */
static void cap_lets_go_of_edges_of_a_hub(void **state)
{
    enum { N = 60000, FEW = 100 };
    const hy_column column[] = { { "x", HY_U64 }, { "y", HY_U64 } };
    hy_graph_opts opts = { .edge_columns = column, .n_edge_columns = 2 };
    hy_edge *edges = star(N);
    hy_graph *G = bulk_graph(&opts, N, N, edges);
    (void)state;
    opts.memory_cap = bulk_stats(G).bytes * 3 / 2;
    hy_graph_free(G);
    G = bulk_graph(&opts, N, N, edges);
    bulk_change(G, edges, N, FEW, false);
    assert_int_equal(bulk_stats(G).edges, 0);
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* ---- giving back -------------------------------------------------------- */

static void shrink_under_a_view_gives_memory_back_later(void **state)
{
    enum { N = 20000, M = 20 * N, LATER = 20 };
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(N, M, &rng);
    hy_graph *G = bulk_graph(NULL, N, M, edges);
    const uint64_t before = bulk_stats(G).bytes_arena;
    const hy_view *V;
    (void)state;
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    bulk_change(G, edges, M / 10 * 9, M, false);
    assert_int_equal(bulk_stats(G).compactions, 0);
    hy_view_release(V);
    bulk_change(G, edges, LATER, 1, true);
    assert_int_equal(bulk_stats(G).compactions, 1);
    if (bulk_stats(G).bytes_arena > before / 3)
        bulk_fail(G, "not given back");
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* A block for each vertex, only where there are edges. */
static void graph_without_edges_keeps_no_blocks(void **state)
{
    enum { N = 300000, M = 100000 };
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(N, M, &rng);
    hy_graph *G = bulk_graph(NULL, N, M, edges);
    const uint64_t before = bulk_stats(G).bytes_arena;
    (void)state;
    bulk_change(G, edges, M, M, false);
    if (bulk_stats(G).bytes_arena > before / 8)
        bulk_fail(G, "not given back");
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* Small commits after a large one, with deltas or not. */
static void run_work(bool wants_delta)
{
    enum { N = 1000, M = 200000, SMALL = 5 };
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(N, M, &rng);
    hy_graph *G = bulk_graph(NULL, N, 0, NULL);
    hy_batch *B;
    hy_delta delta;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (int turn = 0; turn < 2 + SMALL; turn++) {
        const bool is_large = turn < 2;
        const uint64_t n = is_large ? M : SMALL;
        hy_batch_clear(B);
        assert_int_equal(turn % 2 ? hy_batch_delete_edges(B, n, edges)
                                  : hy_batch_insert_edges(B, n, edges, NULL),
                         HY_OK);
        assert_int_equal(
            hy_graph_commit(G, B, is_large || wants_delta ? &delta : NULL),
            HY_OK);
    }
    if (bulk_stats(G).bytes_work > 100000)
        bulk_fail(G, "workspace of large commits is kept");
    hy_batch_free(B);
    hy_graph_free(G);
    free(edges);
}

static void work_of_large_commits_goes_with_small_ones(void **state)
{
    (void)state;
    run_work(true);
    run_work(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stats_pinned_bytes_go_with_the_view),
        cmocka_unit_test(stats_count_what_views_hold_after_a_rebalance),
        cmocka_unit_test(memory_of_views_is_used_by_all_threads),
        cmocka_unit_test(pages_that_views_leave_are_used_again),
        cmocka_unit_test(cap_counts_on_long_blocks_that_are_used),
        cmocka_unit_test(cap_lets_go_of_edges_of_a_hub),
        cmocka_unit_test(shrink_under_a_view_gives_memory_back_later),
        cmocka_unit_test(graph_without_edges_keeps_no_blocks),
        cmocka_unit_test(work_of_large_commits_goes_with_small_ones),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
