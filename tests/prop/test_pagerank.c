/* PageRank of random graphs against the definition, on a plain list of
 * edges. */
#include "support/some_graph.h"
#include "support/weighted.h"

#include <hypha/pagerank.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(hy_vid n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* The oracle: `iterations` from 1/n. */
static double *define(const hy_view *V, double d, uint32_t iterations)
{
    const hy_vid bound = hy_view_bound(V);
    const double n = (double)hy_view_vertices(V);
    struct arcs arcs = arcs_of(V);
    double *rank = numbers(bound), *next = numbers(bound);
    for (hy_vid u = 0; u < bound; u++)
        rank[u] = hy_view_has_vertex(V, u) ? 1 / n : 0;
    for (uint32_t i = 0; i < iterations; i++) {
        double dangling = 0;
        for (hy_vid u = 0; u < bound; u++) {
            next[u] = 0;
            if (!hy_view_degree(V, u))
                dangling += rank[u];
        }
        for (size_t k = 0; k < arcs.n; k++)
            next[arcs.at[k].v] +=
                rank[arcs.at[k].u] / hy_view_degree(V, arcs.at[k].u);
        for (hy_vid u = 0; u < bound; u++)
            rank[u] = hy_view_has_vertex(V, u)
                          ? (1 - d) / n + d * (next[u] + dangling / n)
                          : 0;
    }
    free(next);
    free(arcs.at);
    return rank;
}

static double distance(const double *x, const double *y, hy_vid n)
{
    double sum = 0;
    for (hy_vid u = 0; u < n; u++)
        sum += fabs(x[u] - y[u]);
    return sum;
}

static void must_be(bool ok, const char *what, uint64_t seed)
{
    if (!ok)
        fail_msg("%s: %s; HYPHA_TEST_SEED=0x%llx", what, hy_error_text(),
                 (unsigned long long)seed);
}

/* Ranks by all methods are within the error that their tolerance allows. */
static void compare_settled(const hy_view *V, double d, double tolerance,
                            uint64_t seed)
{
    const hy_vid bound = hy_view_bound(V);
    double *want = define(V, d, 400), *rank = numbers(bound);
    for (unsigned method = 0; method < 3; method++) {
        const hy_pagerank_opts opts = { .damping = d,
                                        .tolerance = tolerance,
                                        .iterations = 1000,
                                        .method = (hy_pagerank_method)method };
        hy_pagerank_info info;
        assert_int_equal(hy_pagerank(V, &opts, rank, &info), HY_OK);
        must_be(hy_pagerank_check(V, &opts, rank, NULL), "check", seed);
        must_be(info.l1 <= tolerance, "not settled", seed);
        const double allowed = 1.1 * tolerance / (1 - d) + 1e-12;
        must_be(distance(want, rank, bound) <= allowed, "too far", seed);
        if (hy_view_vertices(V))
            must_be(fabs(info.sum - 1) <= allowed, "sum", seed);
    }
    free(rank);
    free(want);
}

/* Exact iterations are those of the definition. */
static void compare_exact(const hy_view *V, double d, uint32_t iterations,
                          uint64_t seed)
{
    const hy_vid bound = hy_view_bound(V);
    double *want = define(V, d, iterations), *rank = numbers(bound);
    const hy_pagerank_opts opts = { .damping = d,
                                    .tolerance = -1,
                                    .iterations = iterations };
    hy_pagerank_info info;
    assert_int_equal(hy_pagerank(V, &opts, rank, &info), HY_OK);
    if (hy_view_vertices(V))
        assert_int_equal(info.iterations, iterations);
    must_be(distance(want, rank, bound) < 1e-12, "exact", seed);
    must_be(hy_pagerank_check(V, &opts, rank, NULL), "check exact", seed);
    free(rank);
    free(want);
}

static void ranks_are_those_of_the_definition(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G =
            some_graph(test_ctx((unsigned)(i % TEST_CTXS)), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        const double d = rng_chance(&rng, 50) ? 0.85 : 0.5;
        static const double tolerances[] = { 1e-2, 1e-4, 1e-5, 1e-9 };
        compare_settled(V, d, tolerances[i % 4], test_seed_at(i));
        compare_exact(V, d, (uint32_t)rng_range(&rng, 1, 30), test_seed_at(i));
        hy_graph_free(G);
    }
}

/* Large enough for several bands and tasks. */
static struct some_graph large(uint64_t *rng)
{
    return (struct some_graph){ .n = (hy_vid)rng_range(rng, 9000, 40000),
                                .m = rng_range(rng, 20000, 200000),
                                .has_hub = rng_chance(rng, 50) };
}

static void ranks_have_the_same_bits_for_all_threads(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(8); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = large(&rng);
        const hy_pagerank_opts opts = { .tolerance = i % 2 ? 1e-4 : 1e-8 };
        double *first = NULL;
        for (unsigned c = 0; c < TEST_CTXS; c++) {
            hy_graph *G = some_graph(test_ctx(c), &how, rng);
            const hy_view *V = hy_graph_now(G);
            const hy_vid bound = hy_view_bound(V);
            double *rank = numbers(bound);
            assert_int_equal(hy_pagerank(V, &opts, rank, NULL), HY_OK);
            must_be(hy_pagerank_check(V, &opts, rank, NULL), "check",
                    test_seed_at(i));
            first = first ? first : rank;
            assert_memory_equal(first, rank, bound * sizeof *rank);
            if (rank != first)
                free(rank);
            hy_graph_free(G);
        }
        free(first);
    }
}

static void check_rejects_a_rank_that_moved(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx(0), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_vid bound = hy_view_bound(V);
        double *rank = numbers(bound);
        const hy_pagerank_opts opts = { .tolerance = i % 2 ? -1 : 1e-6,
                                        .iterations = 200 };
        assert_int_equal(hy_pagerank(V, &opts, rank, NULL), HY_OK);
        assert_true(hy_pagerank_check(V, &opts, rank, NULL));
        const hy_vid u = (hy_vid)rng_below(&rng, bound);
        static const double wrong[] = { 1e-3, -1e-3, (double)NAN };
        const char *why = "";
        rank[u] += wrong[rng_below(&rng, 3)];
        assert_false(hy_pagerank_check(V, &opts, rank, &why));
        assert_true(strlen(why) > 0);
        free(rank);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_the_definition),
        cmocka_unit_test(ranks_have_the_same_bits_for_all_threads),
        cmocka_unit_test(check_rejects_a_rank_that_moved),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
