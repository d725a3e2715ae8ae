/* Live ranks where they are hard to keep: rests far larger than what is left of
 * them, tight tolerances, sweeps that take nothing. */
#include "support/small.h"

#include <hypha/live.h>

#include <math.h>
#include <stdlib.h>

/* A directed graph of m edges with live ranks. */
struct ranked {
    hy_graph *G;
    hy_live *L;
    hy_pagerank_opts opts;
};

static struct ranked ranked(const hy_pagerank_opts *opts, uint64_t n,
                            uint64_t m, const hy_edge *edges)
{
    struct ranked R = { .opts = *opts };
    assert_int_equal(hy_graph_new(test_ctx(1), NULL, &R.G), HY_OK);
    assert_int_equal(hy_graph_load_edges(R.G, n, m, edges, NULL), HY_OK);
    assert_int_equal(hy_live_pagerank(R.G, opts, &R.L), HY_OK);
    return R;
}

static void ranked_free(struct ranked *R)
{
    hy_live_detach(R->L);
    hy_graph_free(R->G);
}

/* The answer agrees with itself, and is as near as was asked for. */
static hy_live_info check(const struct ranked *R)
{
    const double d = R->opts.damping > 0 ? R->opts.damping : 0.85;
    const char *why = NULL;
    hy_live_info info;
    if (!hy_live_check(R->L, &why))
        fail_msg("%g: %s", R->opts.tolerance, why);
    hy_live_info_get(R->L, &info);
    if (info.error > R->opts.tolerance / (1 - d) * (1 + 1e-9))
        fail_msg("an error of %g, not %g: %s", info.error,
                 R->opts.tolerance / (1 - d), info.why);
    return info;
}

static hy_live_info change(const struct ranked *R, const hy_edge *edges,
                           uint64_t n, bool inserts)
{
    hy_batch *B = small_batch(R->G);
    assert_int_equal(inserts ? hy_batch_insert_edges(B, n, edges, NULL)
                             : hy_batch_delete_edges(B, n, edges),
                     HY_OK);
    (void)small_commit(R->G, B);
    return check(R);
}

/* ---- much comes and goes ------------------------------------------------ */

/* Edges from so many leaves to vertex 0 and from there to the first `out`, then
 * to half of the leaves, and out again: rests grow to thousands of times the
 * ranks, and what rounding does to these must not stay when they are gone. */
static void run_star(hy_vid leaves, hy_vid out, double tolerance)
{
    const hy_pagerank_opts opts = { .tolerance = tolerance,
                                    .iterations = 10000 };
    const hy_vid half = leaves / 2;
    hy_edge *const edges = malloc((leaves + out) * sizeof *edges);
    assert_non_null(edges);
    for (hy_vid i = 0; i < leaves; i++)
        edges[i] = (hy_edge){ i + 1, 0 };
    for (hy_vid i = 0; i < out; i++)
        edges[leaves + i] = (hy_edge){ 0, i + 1 };
    struct ranked R = ranked(&opts, leaves + 1, leaves + out, edges);
    for (hy_vid i = 0; i < half; i++)
        edges[i] = (hy_edge){ 0, out + i + 1 };
    for (int turn = 0; turn < 4; turn++)
        (void)change(&R, edges, half - out, turn % 2 == 0);
    ranked_free(&R);
    free(edges);
}

static void ranks_of_a_star_forget_what_was_large(void **state)
{
    (void)state;
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 10)
        for (hy_vid out = 0; out < 2; out++) {
            run_star(2000, out, tolerance);
            run_star(20000, out, tolerance);
        }
}

/* What rounding may have done to sums is small against what was there then. */
static void run_shrink(uint64_t *rng)
{
    enum { MANY = 20000, EDGES = 6 * MANY, TURNS = 4 };
    static const hy_vid left[TURNS] = { MANY, 70, 5, 0 };
    const hy_pagerank_opts opts = { .tolerance = 1e-3, .damping = 0.95 };
    hy_edge *const edges = malloc(EDGES * sizeof *edges);
    assert_non_null(edges);
    for (hy_vid i = 0; i < EDGES; i++)
        edges[i] = (hy_edge){ (hy_vid)rng_below(rng, MANY),
                              (hy_vid)rng_below(rng, MANY) };
    struct ranked R = ranked(&opts, MANY, EDGES, edges);
    for (int turn = 1; turn < TURNS; turn++) {
        hy_batch *B = small_batch(R.G);
        for (hy_vid v = left[turn]; v < left[turn - 1]; v++)
            assert_int_equal(hy_batch_delete_vertex(B, v), HY_OK);
        (void)small_commit(R.G, B);
        (void)check(&R);
    }
    ranked_free(&R);
    free(edges);
}

static void ranks_of_a_graph_that_shrinks(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int i = 0; i < 5; i++)
        run_shrink(&rng);
}

/* ---- sweeps that get nowhere --------------------------------------------- */

/* Of the smallest graphs a unit of steps may be all there is to be taken, and a
 * sweep undo what the one before it did. */
static void run_small_grid(hy_vid side, double tolerance)
{
    const hy_pagerank_opts opts = { .tolerance = tolerance, .iterations = 300 };
    hy_edge edges[256];
    uint64_t m = 0;
    for (hy_vid v = 0; v < side * side; v++) {
        if ((v + 1) % side) {
            edges[m++] = (hy_edge){ v, v + 1 };
            edges[m++] = (hy_edge){ v + 1, v };
        }
        if (v + side < side * side) {
            edges[m++] = (hy_edge){ v, v + side };
            edges[m++] = (hy_edge){ v + side, v };
        }
    }
    struct ranked R = ranked(&opts, side * side, m, edges);
    (void)check(&R);
    for (int turn = 0; turn < 2; turn++)
        (void)change(&R, &(hy_edge){ 0, side * side - 1 }, 1, turn == 0);
    ranked_free(&R);
}

static void ranks_of_small_grids_are_reached(void **state)
{
    (void)state;
    for (hy_vid side = 2; side < 8; side++)
        for (double tolerance = 1e-3; tolerance > 1e-11; tolerance /= 3)
            run_small_grid(side, tolerance);
}

/* A share that has gone as far as 16 bits say ends a row of sweeps: nothing
 * would move any more. */
static void rows_end_when_steps_are_full(void **state)
{
    enum { N = 2000, CUT = 766, BACK = 498, SWEEPS = 1000 };
    const hy_pagerank_opts opts = { .tolerance = 1e-9,
                                    .damping = 0.95,
                                    .iterations = 100000 };
    const hy_graph_opts mapped = { .undirected = true, .ids = HY_IDS_MAPPED };
    static hy_edge edges[N];
    struct ranked R = { .opts = opts };
    (void)state;
    for (hy_vid v = 0; v + 1 < N; v++)
        edges[v] = (hy_edge){ v, v + 1 };
    assert_int_equal(hy_graph_new(test_ctx(0), &mapped, &R.G), HY_OK);
    assert_int_equal(hy_graph_load_edges(R.G, N, N - 1, edges, NULL), HY_OK);
    assert_int_equal(hy_live_pagerank(R.G, &opts, &R.L), HY_OK);
    hy_batch *B = small_batch(R.G);
    assert_int_equal(hy_batch_delete_vertex(B, CUT), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, CUT, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, CUT, BACK, NULL), HY_OK);
    (void)small_commit(R.G, B);
    assert_in_range(check(&R).work, 0, (uint64_t)SWEEPS * 3 * N);
    ranked_free(&R);
}

/* ---- all of a graph at once --------------------------------------------- */

/* Ranks of a cycle are all the same. */
static double far_from_even(const struct ranked *R, hy_vid n)
{
    const double *const rank = hy_live_values(R->L);
    long double sum = 0;
    for (hy_vid v = 0; v < n; v++)
        sum += fabsl(rank[v] - 1.0L / n);
    return (double)sum;
}

/* A cycle comes in one commit, which is recomputed without a look at rests; one
 * that changes nothing leaves it so, and the next one finds them. */
static void ranks_of_a_batch_as_large_as_the_graph(void **state)
{
    enum { MOST = 400 };
    const hy_pagerank_opts opts = { .tolerance = 1e-9 };
    hy_edge edges[MOST];
    (void)state;
    for (hy_vid n = 3; n < MOST; n += 11) {
        struct ranked R = ranked(&opts, n, 0, NULL);
        for (hy_vid v = 0; v < n; v++)
            edges[v] = (hy_edge){ v, (v + 1) % n };
        const hy_live_info all = change(&R, edges, n, true);
        assert_int_equal(all.how, HY_LIVE_RECOMPUTED);
        assert_true(all.work >= n);
        assert_true(far_from_even(&R, n) <= all.error);
        const hy_live_info none = change(&R, edges, 1, true);
        assert_int_equal(none.how, HY_LIVE_REPAIRED);
        assert_int_equal(none.work, 0);
        assert_int_equal(hy_live_changed(R.L).n, 0);
        (void)change(&R, edges, 1, false);
        (void)change(&R, edges, 1, true);
        assert_true(far_from_even(&R, n) <= check(&R).error);
        ranked_free(&R);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_a_star_forget_what_was_large),
        cmocka_unit_test(ranks_of_a_graph_that_shrinks),
        cmocka_unit_test(ranks_of_small_grids_are_reached),
        cmocka_unit_test(rows_end_when_steps_are_full),
        cmocka_unit_test(ranks_of_a_batch_as_large_as_the_graph),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
