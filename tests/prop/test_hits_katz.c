/* HITS and Katz centrality of random graphs against their definitions, on a
 * plain list of edges. */
#include "support/some_graph.h"
#include "support/weighted.h"

#include <hypha/hits.h>
#include <hypha/katz.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(hy_vid n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static void must_be(bool ok, const char *what, uint64_t seed)
{
    if (!ok)
        fail_msg("%s: %s; HYPHA_TEST_SEED=0x%llx", what, hy_error_text(),
                 (unsigned long long)seed);
}

static double distance(const double *x, const double *y, hy_vid n)
{
    double most = 0;
    for (hy_vid u = 0; u < n; u++)
        most = fmax(most, fabs(x[u] - y[u]));
    return most;
}

/* ---- hits ---------------------------------------------------------------- */

static void scale(double *x, hy_vid n)
{
    double squares = 0;
    for (hy_vid u = 0; u < n; u++)
        squares += x[u] * x[u];
    for (hy_vid u = 0; u < n && squares > 0; u++)
        x[u] /= sqrt(squares);
}

static void define_hits(const hy_view *V, uint32_t iterations, double *h,
                        double *a)
{
    const hy_vid n = hy_view_bound(V);
    struct arcs arcs = arcs_of(V);
    for (hy_vid u = 0; u < n; u++)
        h[u] = hy_view_has_vertex(V, u);
    for (uint32_t i = 0; i < iterations; i++) {
        memset(a, 0, n * sizeof *a);
        for (size_t k = 0; k < arcs.n; k++)
            a[arcs.at[k].v] += h[arcs.at[k].u];
        scale(a, n);
        memset(h, 0, n * sizeof *h);
        for (size_t k = 0; k < arcs.n; k++)
            h[arcs.at[k].u] += a[arcs.at[k].v];
        scale(h, n);
    }
    free(arcs.at);
}

static void compare_hits(const hy_view *V, uint32_t iterations, uint64_t seed)
{
    const hy_vid n = hy_view_bound(V);
    double *h = numbers(n), *a = numbers(n), *hub = numbers(n),
           *authority = numbers(n);
    hy_hits_info info;
    const hy_hits_opts exact = { .tolerance = -1, .iterations = iterations };
    assert_int_equal(hy_hits(V, &exact, hub, authority, &info), HY_OK);
    define_hits(V, iterations, h, a);
    must_be(info.iterations == iterations, "iterations", seed);
    must_be(distance(h, hub, n) < 1e-12, "hubs", seed);
    must_be(distance(a, authority, n) < 1e-12, "authorities", seed);
    assert_false(hy_hits_check(V, &exact, hub, authority, NULL));
    const hy_hits_opts settled = { .iterations = 100000 };
    assert_int_equal(hy_hits(V, &settled, hub, authority, &info), HY_OK);
    must_be(hy_hits_check(V, &settled, hub, authority, NULL), "hits", seed);
    free(authority);
    free(hub);
    free(a);
    free(h);
}

static void hits_are_those_of_the_definition(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G =
            some_graph(test_ctx((unsigned)(i % TEST_CTXS)), NULL, rng);
        compare_hits(hy_graph_now(G), (uint32_t)rng_range(&rng, 1, 9),
                     test_seed_at(i));
        hy_graph_free(G);
    }
}

/* ---- katz ---------------------------------------------------------------- */

/* The sum of many terms of the series. */
static double *define_katz(const hy_view *V, double alpha, double beta)
{
    const hy_vid n = hy_view_bound(V);
    struct arcs arcs = arcs_of(V);
    double *sum = numbers(n), *term = numbers(n), *next = numbers(n);
    for (hy_vid u = 0; u < n; u++)
        sum[u] = term[u] = hy_view_has_vertex(V, u) ? beta : 0;
    for (int i = 0; i < 300; i++) {
        memset(next, 0, n * sizeof *next);
        for (size_t k = 0; k < arcs.n; k++)
            next[arcs.at[k].v] += alpha * term[arcs.at[k].u];
        for (hy_vid u = 0; u < n; u++)
            sum[u] += term[u] = next[u];
    }
    free(next);
    free(term);
    free(arcs.at);
    return sum;
}

static void compare_katz(const hy_view *V, const hy_katz_opts *opts,
                         uint64_t seed)
{
    const hy_vid n = hy_view_bound(V);
    double *katz = numbers(n), largest = 0, squares = 0;
    hy_katz_info info;
    assert_int_equal(hy_katz(V, opts, katz, &info), HY_OK);
    must_be(hy_katz_check(V, opts, katz, &info, NULL), "katz", seed);
    double *want = define_katz(V, info.alpha, opts->beta);
    for (hy_vid u = 0; u < n; u++) {
        want[u] *= info.scale;
        largest = fmax(largest, want[u]);
        squares += katz[u] * katz[u];
    }
    must_be(distance(want, katz, n) <= 1e-7 * largest, "series", seed);
    if (opts->normalised && hy_view_vertices(V))
        must_be(fabs(squares - 1) < 1e-9, "length", seed);
    free(want);
    free(katz);
}

static void katz_is_that_of_the_series(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G =
            some_graph(test_ctx((unsigned)(i % TEST_CTXS)), NULL, rng);
        const hy_katz_opts opts = { .alpha = rng_chance(&rng, 30) ? 0.01 : 0,
                                    .beta = rng_chance(&rng, 50) ? 1 : 0.25,
                                    .normalised = rng_chance(&rng, 50) };
        compare_katz(hy_graph_now(G), &opts, test_seed_at(i));
        hy_graph_free(G);
    }
}

/* ---- both ---------------------------------------------------------------- */

static void scores_have_the_same_bits_for_all_threads(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(4); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = { .n = 20000,
                                        .m = 60000,
                                        .has_hub = i % 2 };
        double *x[TEST_CTXS][3];
        hy_vid n = 0;
        for (unsigned c = 0; c < TEST_CTXS; c++) {
            hy_graph *G = some_graph(test_ctx(c), &how, rng);
            const hy_view *V = hy_graph_now(G);
            n = hy_view_bound(V);
            for (unsigned k = 0; k < 3; k++)
                x[c][k] = numbers(n);
            const hy_hits_opts few = { .tolerance = -1, .iterations = 5 };
            assert_int_equal(hy_hits(V, &few, x[c][0], x[c][1], NULL), HY_OK);
            assert_int_equal(hy_katz(V, NULL, x[c][2], NULL), HY_OK);
            hy_graph_free(G);
        }
        for (unsigned c = TEST_CTXS; c-- > 0;)
            for (unsigned k = 0; k < 3; k++) {
                assert_memory_equal(x[c][k], x[0][k], n * sizeof(double));
                free(x[c][k]);
            }
    }
}

static void checks_reject_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx(0), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_vid n = hy_view_bound(V), u = (hy_vid)rng_below(&rng, n);
        double *h = numbers(n), *a = numbers(n), *katz = numbers(n);
        hy_katz_info info;
        const char *why = "";
        assert_int_equal(hy_hits(V, NULL, h, a, NULL), HY_OK);
        assert_int_equal(hy_katz(V, NULL, katz, &info), HY_OK);
        (i % 2 ? h : a)[u] += 1e-3;
        assert_false(hy_hits_check(V, NULL, h, a, &why));
        assert_true(strlen(why) > 0);
        double largest = 1; /* what is wrong is so beside it */
        for (hy_vid v = 0; v < n; v++)
            largest = katz[v] > largest ? katz[v] : largest;
        katz[u] += largest * 1e-3;
        why = "";
        assert_false(hy_katz_check(V, NULL, katz, &info, &why));
        assert_true(strlen(why) > 0);
        free(katz);
        free(a);
        free(h);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_the_definition),
        cmocka_unit_test(katz_is_that_of_the_series),
        cmocka_unit_test(scores_have_the_same_bits_for_all_threads),
        cmocka_unit_test(checks_reject_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
