/* Ranks, live: within the bound that the answer states of the true ones. */
#include "support/live_ask.h"

#include <stdlib.h>

static struct live_ask usual = { 0 };
static struct live_ask fine = { .ranks = { .damping = 0.6,
                                           .tolerance = 1e-9 } };
static struct live_ask rough = { .ranks = { .damping = 0.95,
                                            .tolerance = 1e-2 } };

static void ranks_follow_histories(void **state)
{
    (void)state;
    struct live_ask *const asks[] = { &usual, &fine, &rough };
    struct live_counts counts = { 0 };
    for (size_t i = 0; i < 3; i++) {
        const struct live_case C = { .attach = live_ask_pagerank,
                                     .compare = live_is_pagerank,
                                     .arg = asks[i] };
        live_histories(&C, test_scaled(1000), &counts);
    }
    if (test_scaled(100) >= 25) /* fewer histories need not have both */
        assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static const struct live_case ranks = { .attach = live_ask_pagerank,
                                        .compare = live_is_pagerank,
                                        .arg = &usual };

static void ranks_survive_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&ranks, test_scaled(20), 7, &counts);
}

static void ranks_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&ranks, test_scaled(300));
}

static void ranks_of_large_batches(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_large(&ranks, test_scaled(40), &counts);
    assert_true(counts.repaired > 0);
}

static void ranks_stay_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&ranks, test_scaled(100));
}

static void ranks_need_a_tolerance(void **state)
{
    (void)state;
    const hy_pagerank_opts exact = { .tolerance = -1 };
    hy_graph *G = NULL;
    hy_live *L = NULL;
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_live_pagerank(G, &exact, &L), HY_EINVAL);
    hy_graph_free(G);
}

/* ---- threads --------------------------------------------------------------
 */

enum { N = 70000, M = 8 * N, COMMITS = 4, BATCH = 700 };

static void draw(uint64_t *rng, size_t n, hy_edge *edges)
{
    for (size_t i = 0; i < n; i++)
        edges[i] =
            (hy_edge){ (hy_vid)rng_below(rng, N), (hy_vid)rng_below(rng, N) };
}

/* The ranks after some commits, with one of the contexts. */
static void follow(unsigned i, uint64_t rng, hy_edge *edges, double *out)
{
    const hy_graph_opts opts = { .undirected = true };
    const char *why = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    draw(&rng, M, edges);
    assert_int_equal(hy_graph_new(test_ctx(i), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, M, edges, NULL), HY_OK);
    assert_int_equal(hy_live_pagerank(G, NULL, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (size_t k = 0; k < COMMITS; k++) {
        draw(&rng, BATCH, edges);
        hy_batch_clear(B);
        assert_int_equal(hy_batch_insert_edges(B, BATCH, edges, NULL), HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    }
    if (!hy_live_check(L, &why))
        fail_msg("%s", why);
    hy_live_copy(L, out, N, NULL);
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
}

static void ranks_do_not_depend_on_threads(void **state)
{
    (void)state;
    hy_edge *const edges = malloc(M * sizeof *edges);
    double *const one = malloc(N * sizeof *one);
    double *const many = malloc(N * sizeof *many);
    assert_true(edges && one && many);
    follow(0, test_seed_at(0), edges, one);
    for (unsigned i = 1; i < TEST_CTXS; i++) {
        follow(i, test_seed_at(0), edges, many);
        assert_memory_equal(one, many, N * sizeof *one);
    }
    free(edges);
    free(one);
    free(many);
}

/* ---- a grid ---------------------------------------------------------------
 */

enum { SIDE = 120, SHORTCUTS = 60, ROUNDS = 6 };

/* Edges to the right and down, and from the last ones to the first. */
static void make_grid(hy_edge *edges)
{
    for (hy_vid v = 0; v < SIDE * SIDE; v++) {
        const hy_vid x = v % SIDE, y = v / SIDE;
        edges[2 * v] = (hy_edge){ v, y * SIDE + (x + 1) % SIDE };
        edges[2 * v + 1] = (hy_edge){ v, (y + 1) % SIDE * SIDE + x };
    }
}

/* Commits the edges, in or out; the answer must agree with itself. */
static void change(hy_graph *G, hy_batch *B, hy_live *L, const hy_edge *edges,
                   bool is_in)
{
    const char *why = NULL;
    hy_batch_clear(B);
    assert_int_equal(is_in ? hy_batch_insert_edges(B, SHORTCUTS, edges, NULL)
                           : hy_batch_delete_edges(B, SHORTCUTS, edges),
                     HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    if (!hy_live_check(L, &why))
        fail_msg("%s", why);
}

/* Walks mix slowly in a grid, so that sweeps come in rows. */
static void ranks_of_a_grid_follow_shortcuts(void **state)
{
    (void)state;
    static hy_edge grid[2 * SIDE * SIDE], edges[ROUNDS][SHORTCUTS];
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    hy_live_info info;
    uint64_t rng = test_seed_at(1);
    make_grid(grid);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(
        hy_graph_load_edges(G, SIDE * SIDE, 2 * SIDE * SIDE, grid, NULL),
        HY_OK);
    assert_int_equal(hy_live_pagerank(G, NULL, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (size_t k = 0; k < ROUNDS; k++) {
        for (size_t i = 0; i < SHORTCUTS; i++)
            edges[k][i] = (hy_edge){ (hy_vid)rng_below(&rng, SIDE * SIDE),
                                     (hy_vid)rng_below(&rng, SIDE * SIDE) };
        change(G, B, L, edges[k], true);
    }
    for (size_t k = 0; k < ROUNDS; k++)
        change(G, B, L, edges[k], false);
    /* What a static run begins with is exact now. */
    hy_live_info_get(L, &info);
    assert_string_equal(info.why, "first ranks were nearer");
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
}

/* ---- hubs and lone edges --------------------------------------------------
 */

/* Of 640 vertices, in shards of 128: two hubs with more edges than a shard
 * pushes at a time, and lone edges to another shard. */
enum { SPREAD = 640, LONE_FROM = 256, LONE = 128, TURNS = 200, GROWN = 1500 };

static hy_edge hub_edge(uint64_t *rng)
{
    const hy_vid hub = rng_below(rng, 2) ? 3 : SPREAD - 5;
    return (hy_edge){ hub, (hy_vid)rng_below(rng, LONE_FROM) };
}

static hy_edge lone_edge(uint64_t *rng)
{
    const hy_vid i = (hy_vid)rng_below(rng, LONE);
    return (hy_edge){ LONE_FROM + i, LONE_FROM + LONE + i };
}

static void load_hubs(hy_graph *G)
{
    static hy_edge edges[2 * LONE_FROM + LONE];
    size_t m = 0;
    for (hy_vid v = 0; v < LONE_FROM; v++) {
        edges[m++] = (hy_edge){ 3, v };
        edges[m++] = (hy_edge){ SPREAD - 5, v };
    }
    for (hy_vid i = 0; i < LONE; i++)
        edges[m++] = (hy_edge){ LONE_FROM + i, LONE_FROM + LONE + i };
    assert_int_equal(hy_graph_load_edges(G, SPREAD, m, edges, NULL), HY_OK);
}

/* A few edges of one kind in or out; later more vertices, so that shards are
 * cut anew. */
static void change_hubs(hy_graph *G, hy_batch *B, size_t turn, uint64_t *rng)
{
    hy_batch_clear(B);
    for (size_t i = 0; i < 2; i++) {
        const hy_edge e = turn % 2 ? hub_edge(rng) : lone_edge(rng);
        assert_int_equal(rng_below(rng, 2)
                             ? hy_batch_insert_edge(B, e.u, e.v, NULL)
                             : hy_batch_delete_edge(B, e.u, e.v),
                         HY_OK);
    }
    if (turn == TURNS / 2) {
        assert_int_equal(hy_batch_insert_vertex(B, GROWN, NULL), HY_OK);
        assert_int_equal(hy_batch_insert_edge(B, 3, GROWN, NULL), HY_OK);
    }
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
}

/* Writes GROWN + 1 ranks. */
static void follow_hubs(unsigned ctx, const hy_pagerank_opts *ranks_opts,
                        uint64_t rng, double *out)
{
    const hy_graph_opts opts = { .undirected = true };
    const char *why = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    assert_int_equal(hy_graph_new(test_ctx(ctx), &opts, &G), HY_OK);
    load_hubs(G);
    assert_int_equal(hy_live_pagerank(G, ranks_opts, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (size_t turn = 0; turn < TURNS; turn++) {
        change_hubs(G, B, turn, &rng);
        if (!hy_live_check(L, &why))
            fail_msg("%s", why);
    }
    hy_live_copy(L, out, GROWN + 1, NULL);
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
}

static void ranks_of_hubs_and_lone_edges(void **state)
{
    static double one[GROWN + 1], many[GROWN + 1];
    const struct live_ask *const asks[] = { &usual, &fine, &rough };
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        follow_hubs(0, &asks[i]->ranks, test_seed_at(3), one);
        for (unsigned k = 1; k < TEST_CTXS; k++) {
            follow_hubs(k, &asks[i]->ranks, test_seed_at(3), many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
}

/* ---- many hubs ------------------------------------------------------------
 */

enum { CROWD = 1 << 13, HUBS = 6, CROWD_M = 3 * CROWD, CROWD_LINES = 3000 };

/* One end of half of the edges is a hub: more edges than a shard pushes at a
 * time. */
static hy_edge crowd_edge(uint64_t *rng)
{
    const uint32_t hub = (uint32_t)rng_below(rng, 2 * HUBS);
    const hy_vid u =
        hub < HUBS ? hub * 1024 + 1000 : (hy_vid)rng_below(rng, CROWD);
    return (hy_edge){ u, (hy_vid)rng_below(rng, CROWD) };
}

/* Letters reach hubs that are still to have their turn. */
static void ranks_of_many_hubs(void **state)
{
    static hy_edge edges[CROWD_M];
    const hy_graph_opts opts = { .undirected = true };
    const char *why = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    uint64_t rng = test_seed_at(4);
    (void)state;
    for (size_t i = 0; i < CROWD_M; i++)
        edges[i] = crowd_edge(&rng);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, CROWD, CROWD_M, edges, NULL),
                     HY_OK);
    assert_int_equal(hy_live_pagerank(G, &fine.ranks, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (size_t lines = CROWD_LINES; lines > 10; lines /= 2) {
        for (size_t i = 0; i < lines; i++)
            edges[i] = crowd_edge(&rng);
        hy_batch_clear(B);
        assert_int_equal(hy_batch_insert_edges(B, lines, edges, NULL), HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
        if (!hy_live_check(L, &why))
            fail_msg("%s", why);
    }
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
}

/* Vertices of the upper half that changed. */
static size_t changed_above(hy_live *L, hy_vid half)
{
    const hy_vid_list moved = hy_live_changed(L);
    size_t n = 0;
    assert_true(moved.n > 0);
    for (uint64_t i = 0; i < moved.n; i++)
        n += moved.at[i] >= half;
    return n;
}

/* A directed graph of two halves without an edge between them, some vertices
 * with none at all.  What changes in one half is repaired in rounds; the values
 * of the other stay as long as the scale can. */
static void ranks_out_of_reach_stay(void **state)
{
    enum { HALF = 4096, DEGREE = 16, LINES = 400, BATCHES = 12 };
    static hy_edge edges[2 * HALF * DEGREE];
    const hy_graph_opts opts = { .reverse = true };
    const hy_pagerank_opts rough_opts = { .tolerance = 1e-2 };
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    uint64_t rng = test_seed_at(2);
    size_t stayed = 0;
    (void)state;
    for (size_t i = 0; i < 2 * HALF * DEGREE; i++) {
        const hy_vid first = i % 2 ? HALF : 0;
        edges[i] = (hy_edge){ first + (hy_vid)rng_below(&rng, HALF / 8 * 7),
                              first + (hy_vid)rng_below(&rng, HALF) };
    }
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(
        hy_graph_load_edges(G, 2 * HALF, 2 * HALF * DEGREE, edges, NULL),
        HY_OK);
    assert_int_equal(hy_live_pagerank(G, &rough_opts, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (size_t k = 0; k < BATCHES; k++) {
        hy_batch_clear(B);
        for (size_t i = 0; i < LINES; i++)
            assert_int_equal(
                hy_batch_insert_edge(B, (hy_vid)rng_below(&rng, HALF / 8 * 7),
                                     (hy_vid)rng_below(&rng, HALF), NULL),
                HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
        stayed += !changed_above(L, HALF);
    }
    assert_true(stayed > BATCHES / 2);
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_follow_histories),
        cmocka_unit_test(ranks_survive_emptying),
        cmocka_unit_test(ranks_of_one_batch_or_many),
        cmocka_unit_test(ranks_of_large_batches),
        cmocka_unit_test(ranks_stay_when_commits_fail),
        cmocka_unit_test(ranks_need_a_tolerance),
        cmocka_unit_test(ranks_do_not_depend_on_threads),
        cmocka_unit_test(ranks_of_a_grid_follow_shortcuts),
        cmocka_unit_test(ranks_of_hubs_and_lone_edges),
        cmocka_unit_test(ranks_of_many_hubs),
        cmocka_unit_test(ranks_out_of_reach_stay),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
