/* What the store promises about memory: a cap is kept, what is deleted is
 * used again or given back, and a change moves no more than it must. */
#include "support/bulk.h"

#include <stdlib.h>

/* ---- bytes per edge --------------------------------------------------- */

enum { VERTICES = 10000, DEGREE = 32, EDGES = VERTICES * DEGREE };

/* Lines of a commit, small against the graph: workspace counts as well. */
enum { PART = 2000 };
enum { MOST_BYTES_PER_ENTRY = 9 };

static void check_lean(const hy_graph *G)
{
    const hy_graph_stats s = bulk_stats(G);
    if (s.bytes > s.arcs * MOST_BYTES_PER_ENTRY)
        bulk_fail(G, "not lean");
}

static void load_of_simple_graph_is_lean(void **state)
{
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(VERTICES, EDGES, &rng);
    hy_graph *G = bulk_graph(NULL, VERTICES, EDGES, edges);
    (void)state;
    check_lean(G);
    hy_graph_free(G);
    free(edges);
}

/* Edges of the vertices of one region of ten. */
static uint64_t region_edges(hy_edge *out, const hy_edge *all, uint64_t region)
{
    const hy_vid lo = (hy_vid)(region * VERTICES / 10);
    const hy_vid hi = (hy_vid)((region + 1) * VERTICES / 10);
    uint64_t n = 0;
    for (uint64_t i = 0; i < EDGES; i++)
        if (all[i].u >= lo && all[i].u < hi)
            out[n++] = all[i];
    return n;
}

/* Ten rounds: a region goes while another one, `ahead` of it, comes. */
static void run_regions(uint64_t ahead, bool at_random)
{
    uint64_t rng = test_seed();
    hy_edge *all = bulk_edges(VERTICES, EDGES, &rng);
    hy_edge *part = malloc(EDGES * sizeof *part);
    bool is_there[10] = { false };
    assert_non_null(part);
    hy_graph *G = bulk_graph(NULL, VERTICES, 0, NULL);
    for (uint64_t round = 0; round < 30; round++) {
        const uint64_t comes = at_random ? rng_below(&rng, 10) : round % 10;
        const uint64_t goes = (comes + 10 - ahead) % 10;
        if (!is_there[comes])
            bulk_change(G, part, region_edges(part, all, comes), PART, true);
        is_there[comes] = true;
        if (is_there[goes])
            bulk_change(G, part, region_edges(part, all, goes), PART, false);
        is_there[goes] = false;
        if (bulk_stats(G).arcs >= EDGES / 2)
            check_lean(G);
        bulk_check(G);
    }
    /* Never more than all regions would take. */
    const hy_graph_stats s = bulk_stats(G);
    assert_true(s.bytes_arena <= (uint64_t)EDGES * MOST_BYTES_PER_ENTRY);
    hy_graph_free(G);
    free(all);
    free(part);
}

static void sweep_of_regions_reuses_memory(void **state)
{
    (void)state;
    run_regions(7, false);
}

static void random_regions_reuse_memory(void **state)
{
    (void)state;
    run_regions(6, true);
}

/* A window slides: the oldest tenth goes, as many come, everywhere. */
static void uniform_churn_reuses_memory(void **state)
{
    enum { TURNS = 40, TURN = EDGES / 10 };
    uint64_t rng = test_seed();
    const uint64_t total = EDGES + (uint64_t)TURNS * TURN;
    hy_edge *edges = bulk_edges(VERTICES, total, &rng);
    hy_graph *G = bulk_graph(NULL, VERTICES, EDGES, edges);
    (void)state;
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        bulk_change(G, edges + turn * TURN, TURN, PART, false);
        bulk_change(G, edges + EDGES + turn * TURN, TURN, PART, true);
        check_lean(G);
    }
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* ---- shrinking -------------------------------------------------------- */

static void run_shrink(const hy_graph_opts *opts, uint64_t commits)
{
    enum { N = 20000, M = 40 * N };
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(N, M, &rng);
    hy_graph *G = bulk_graph(opts, N, M, edges);
    const uint64_t before = bulk_stats(G).bytes;
    const uint64_t most = M / 10 * 9;
    bulk_change(G, edges, most, most / commits + 1, false);
    if (bulk_stats(G).bytes > before * 2 / 5) {
        print_error("%llu bytes before\n", (unsigned long long)before);
        bulk_fail(G, "not given back");
    }
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

static void shrink_in_one_commit_gives_memory_back(void **state)
{
    (void)state;
    run_shrink(NULL, 1);
}

static void shrink_in_many_commits_gives_memory_back(void **state)
{
    const hy_graph_opts opts = { .undirected = true };
    (void)state;
    run_shrink(NULL, 30);
    run_shrink(&opts, 30);
}

/* ---- the cap ---------------------------------------------------------- */

/* Commits n lines; true if they were taken. */
static bool try_commit(struct trial *T, const struct mix *mix, size_t n,
                       uint64_t seed)
{
    hy_delta delta;
    T->lines.n = 0;
    generate(&T->lines, T->M, mix, n, &T->rng);
    assert_int_equal(trial_fill(T), HY_OK);
    const hy_status status = hy_graph_commit(T->G, T->B, &delta);
    if (status == HY_OK) {
        must(T, trial_confirm(T, &delta), seed);
    } else {
        assert_true(status == HY_ENOMEM || status == HY_EFULL);
        assert_string_not_equal(hy_error_text(), "");
    }
    must(T, trial_compare(T), seed);
    if (bulk_stats(T->G).bytes > T->opts.memory_cap)
        bulk_fail(T->G, "past the cap");
    return status == HY_OK;
}

static void run_cap(uint64_t seed)
{
    enum { IDS = 1000, LINES = 3000, STEPS = 40 };
    struct trial T;
    uint64_t rng = seed, taken = 0;
    const struct mix mix = { .ids = IDS, .kinds = { 90, 5, 5, 0, 0 } };
    hy_graph_opts opts = shape_random(&rng);
    opts.slack = HY_SLACK_NONE; /* or vertices alone may take that much */
    opts.memory_cap = rng_range(&rng, 300000, 400000);
    must(&T, trial_init(&T, test_ctx(0), &opts, rng_next(&rng)), seed);
    must(&T, trial_load(&T, TRIAL_EDGES, IDS, IDS), seed);
    for (int step = 0; step < STEPS; step++)
        taken += try_commit(&T, &mix, step % 2 ? 10 : LINES, seed);
    if (taken == 0 || taken == STEPS)
        fail_msg("%llu of %d commits taken under a cap of %llu: %s, seed %#llx",
                 (unsigned long long)taken, STEPS,
                 (unsigned long long)opts.memory_cap, shape_text(&opts),
                 (unsigned long long)seed);
    trial_fini(&T);
}

static void cap_refuses_and_leaves_the_graph(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(20); i < n; i++)
        run_cap(test_seed_at(i));
}

static void cap_smaller_commit_works_after_a_refusal(void **state)
{
    enum { SOME = 1000, MANY = 200000 };
    uint64_t rng = test_seed();
    const hy_graph_opts opts = { .memory_cap = 400000 };
    hy_edge *edges = bulk_edges(1000, MANY, &rng);
    hy_graph *G = bulk_graph(&opts, 1000, SOME, edges);
    hy_batch *B;
    (void)state;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_edges(B, MANY, edges, NULL), HY_OK);
    const uint64_t before = hy_view_edges(hy_graph_now(G));
    const hy_status status = hy_graph_commit(G, B, NULL);
    assert_true(status == HY_ENOMEM || status == HY_EFULL);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), before);
    hy_batch_clear(B);
    assert_int_equal(hy_batch_insert_edges(B, SOME, edges + SOME, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    assert_true(hy_view_edges(hy_graph_now(G)) > before);
    bulk_check(G);
    hy_batch_free(B);
    hy_graph_free(G);
    free(edges);
}

/* Every thread has lists of free blocks, for which a commit reserves room. */
static void cap_is_kept_by_refusals_with_many_threads(void **state)
{
    enum { N = 20000, SOME = 10, MANY = 20000 };
    uint64_t rng = test_seed();
    const hy_ctx_opts threads = { .threads = 32 };
    const hy_graph_opts opts = { .memory_cap = 1200000 };
    hy_edge *edges = bulk_edges(N, 3 * MANY, &rng);
    hy_ctx *ctx;
    hy_graph *G;
    hy_batch *B;
    (void)state;
    assert_int_equal(hy_ctx_new(&threads, &ctx), HY_OK);
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, 2 * MANY, edges, NULL), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (int i = 0; i < 3; i++) {
        const hy_edge *const more = edges + 2 * MANY;
        hy_batch_clear(B);
        assert_int_equal(hy_batch_insert_edges(B, MANY, more, NULL), HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_ENOMEM);
        if (bulk_stats(G).bytes > opts.memory_cap)
            bulk_fail(G, "past the cap");
        hy_batch_clear(B);
        assert_int_equal(hy_batch_insert_edges(B, SOME, more, NULL), HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
        bulk_check(G);
    }
    hy_batch_free(B);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    free(edges);
}

/* Whatever it is that a graph needs most. */
static void cap_is_kept_by_loads(void **state)
{
    enum { N = 20000, M = 40000 };
    uint64_t rng = test_seed();
    hy_edge *edges = bulk_edges(N, M, &rng);
    uint64_t taken = 0, tried = 0;
    (void)state;
    for (uint64_t cap = 50000; cap < 900000; cap += 50000) {
        const hy_graph_opts opts = { .memory_cap = cap };
        hy_graph *G;
        assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
        const hy_status status = hy_graph_load_edges(G, N, M, edges, NULL);
        assert_true(status == HY_OK || status == HY_ENOMEM);
        if (bulk_stats(G).bytes > cap)
            bulk_fail(G, "past the cap");
        taken += status == HY_OK;
        tried++;
        hy_graph_free(G);
    }
    assert_in_range(taken, 1, tried - 1);
    free(edges);
}

static void cap_refuses_a_load_too_large(void **state)
{
    enum { MANY = 200000 };
    uint64_t rng = test_seed();
    const hy_graph_opts opts = { .memory_cap = 200000 };
    hy_edge *edges = bulk_edges(1000, MANY, &rng);
    hy_graph *G;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
    const hy_status status = hy_graph_load_edges(G, 1000, MANY, edges, NULL);
    assert_true(status == HY_ENOMEM || status == HY_EFULL);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    assert_int_equal(hy_graph_load_edges(G, 100, 0, NULL, NULL), HY_OK);
    bulk_check(G);
    hy_graph_free(G);
    free(edges);
}

/* ---- ids -------------------------------------------------------------- */

static hy_vid insert_any(hy_graph *G)
{
    hy_batch *B;
    hy_delta delta;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, &delta), HY_OK);
    assert_int_equal(delta.vertices_inserted.n, 1);
    const hy_vid u = delta.vertices_inserted.at[0];
    hy_batch_free(B);
    return u;
}

static void delete_vertex(hy_graph *G, uint64_t u)
{
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_delete_vertex(B, u), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
}

static void ids_first_deleted_is_first_reused(void **state)
{
    hy_graph *G = bulk_graph(NULL, 10, 0, NULL);
    (void)state;
    delete_vertex(G, 7);
    delete_vertex(G, 2);
    delete_vertex(G, 5);
    assert_int_equal(bulk_stats(G).free_ids, 3);
    assert_int_equal(insert_any(G), 7);
    assert_int_equal(insert_any(G), 2);
    assert_int_equal(insert_any(G), 5);
    assert_int_equal(insert_any(G), 10);
    assert_int_equal(bulk_stats(G).free_ids, 0);
    bulk_check(G);
    hy_graph_free(G);
}

/* ---- how far one change reaches --------------------------------------- */

static hy_graph *make_star(uint64_t n, bool weighted)
{
    hy_graph_opts opts = { 0 };
    hy_edge *edges = malloc((size_t)n * sizeof *edges);
    assert_non_null(edges);
    if (weighted)
        hy_graph_opts_model(&opts, HY_WEIGHTED);
    for (hy_vid v = 0; v < n; v++)
        edges[v] = (hy_edge){ 0, 2 * v };
    hy_graph *G = bulk_graph(&opts, 2 * n, n, edges);
    free(edges);
    return G;
}

static void run_star(bool weighted)
{
    enum { MANY = 1000000, MOST_MOVED = 4096 };
    uint64_t rng = test_seed();
    hy_graph *G = make_star(MANY, weighted);
    assert_int_equal(bulk_stats(G).hubs, 1);
    for (int i = 0; i < 40; i++) {
        const hy_edge e = { 0, (hy_vid)(2 * rng_below(&rng, MANY) + 1) };
        bulk_change(G, &e, 1, 1, i % 4 != 3);
        const hy_graph_stats s = bulk_stats(G);
        if (s.bytes_moved > MOST_MOVED)
            fail_msg("%llu bytes moved", (unsigned long long)s.bytes_moved);
    }
    bulk_check(G);
    hy_graph_free(G);
}

static void hub_insertion_moves_a_page(void **state)
{
    (void)state;
    run_star(false);
    run_star(true);
}

static void hub_that_shrank_is_one_block(void **state)
{
    enum { MANY = 10000, FEW = 10 };
    hy_edge edges[MANY];
    hy_graph *G = make_star(MANY, false);
    (void)state;
    assert_int_equal(bulk_stats(G).hubs, 1);
    for (hy_vid v = 0; v < MANY; v++)
        edges[v] = (hy_edge){ 0, 2 * v };
    bulk_change(G, edges, MANY - FEW, 1000, false);
    assert_int_equal(bulk_stats(G).hubs, 0);
    assert_int_equal(bulk_stats(G).hub_pages, 0);
    bulk_check(G);
    hy_graph_free(G);
}

/* ---- stats ------------------------------------------------------------ */

static void stats_bytes_are_in_those_of_the_context(void **state)
{
    uint64_t rng = test_seed();
    const uint64_t others = hy_ctx_bytes(test_ctx(0));
    hy_edge *edges = bulk_edges(1000, 20000, &rng);
    hy_graph *G = bulk_graph(NULL, 1000, 20000, edges);
    (void)state;
    const uint64_t stats = bulk_stats(G).bytes;
    const uint64_t held = hy_ctx_bytes(test_ctx(0)) - others;
    if (stats > held)
        fail_msg("stats: %llu bytes, context: %llu", (unsigned long long)stats,
                 (unsigned long long)held);
    hy_graph_free(G);
    assert_int_equal(hy_ctx_bytes(test_ctx(0)), others);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_of_simple_graph_is_lean),
        cmocka_unit_test(sweep_of_regions_reuses_memory),
        cmocka_unit_test(random_regions_reuse_memory),
        cmocka_unit_test(uniform_churn_reuses_memory),
        cmocka_unit_test(shrink_in_one_commit_gives_memory_back),
        cmocka_unit_test(shrink_in_many_commits_gives_memory_back),
        cmocka_unit_test(cap_refuses_and_leaves_the_graph),
        cmocka_unit_test(cap_smaller_commit_works_after_a_refusal),
        cmocka_unit_test(cap_is_kept_by_refusals_with_many_threads),
        cmocka_unit_test(cap_is_kept_by_loads),
        cmocka_unit_test(cap_refuses_a_load_too_large),
        cmocka_unit_test(ids_first_deleted_is_first_reused),
        cmocka_unit_test(hub_insertion_moves_a_page),
        cmocka_unit_test(hub_that_shrank_is_one_block),
        cmocka_unit_test(stats_bytes_are_in_those_of_the_context),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
