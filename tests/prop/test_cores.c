/* Cores and colours of random graphs: by matrices when they are small, by the
 * checkers and on all numbers of threads when they are large. */
#include "base/random.h"
#include "support/matrix.h"
#include "support/some_graph.h"

#include <hypha/coloring.h>
#include <hypha/kcore.h>

#include <stdlib.h>
#include <string.h>

static uint32_t *answer_new(const hy_view *V)
{
    uint32_t *x = calloc(hy_view_bound(V) + 1u, sizeof *x);
    assert_non_null(x);
    return x;
}

static void must_equal(const uint32_t *have, const uint32_t *want, hy_vid n,
                       const char *what, uint64_t seed)
{
    for (hy_vid u = 0; u < n; u++)
        if (have[u] != want[u])
            fail_msg("%s: vertex %u has %u, not %u; HYPHA_TEST_SEED=0x%llx",
                     what, u, have[u], want[u], (unsigned long long)seed);
}

/* ---- oracles ----------------------------------------------------------------
 */

/* Neighbours of u among those with core[v] >= k. */
static uint32_t degree_in(const struct matrix *M, const uint32_t *core,
                          hy_vid u, uint32_t k)
{
    uint32_t d = 0;
    for (hy_vid v = 0; v < M->n; v++)
        d += matrix_near(M, u, v) && core[v] != HY_NONE && core[v] >= k;
    return d;
}

static void cores_oracle(const hy_view *V, uint32_t *core)
{
    struct matrix M;
    matrix_init(&M, V);
    for (hy_vid u = 0; u < M.n; u++)
        core[u] = hy_view_has_vertex(V, u) ? 0 : HY_NONE;
    for (uint32_t k = 1; k < M.n; k++) {
        for (hy_vid u = 0; u < M.n; u++) /* all that got so far are in */
            core[u] += core[u] == k - 1;
        for (bool moved = true; moved;) {
            moved = false;
            for (hy_vid u = 0; u < M.n; u++)
                if (core[u] == k && degree_in(&M, core, u, k) < k) {
                    core[u] = k - 1;
                    moved = true;
                }
        }
    }
    matrix_fini(&M);
}

static uint64_t order(const hy_view *V, const struct matrix *M, hy_vid u,
                      uint64_t seed)
{
    uint64_t d = hy_view_is_undirected(V) && hy_view_has_edge(V, u, u);
    for (hy_vid v = 0; v < M->n; v++)
        d += matrix_near(M, u, v);
    return d << 32 | base_random_at(seed, u) >> 32;
}

static uint32_t free_color(const struct matrix *M, const uint32_t *color,
                           hy_vid u)
{
    for (uint32_t c = 0;; c++) {
        bool is_free = true;
        for (hy_vid v = 0; v < M->n && is_free; v++)
            is_free = !(matrix_near(M, u, v) && color[v] == c);
        if (is_free)
            return c;
    }
}

/* One by one, the largest first. */
static void colors_oracle(const hy_view *V, uint64_t seed, uint32_t *color)
{
    struct matrix M;
    matrix_init(&M, V);
    for (hy_vid u = 0; u < M.n; u++)
        color[u] = HY_NONE;
    for (;;) {
        hy_vid first = HY_NONE;
        for (hy_vid u = 0; u < M.n; u++)
            if (color[u] == HY_NONE && hy_view_has_vertex(V, u) &&
                (first == HY_NONE ||
                 order(V, &M, u, seed) > order(V, &M, first, seed)))
                first = u;
        if (first == HY_NONE)
            break;
        color[first] = free_color(&M, color, first);
    }
    matrix_fini(&M);
}

/* ---- trials
 * ------------------------------------------------------------------ */

static uint32_t max_of(const uint32_t *x, hy_vid n)
{
    uint32_t max = 0;
    for (hy_vid u = 0; u < n; u++)
        max = x[u] != HY_NONE && x[u] > max ? x[u] : max;
    return max;
}

static void try_cores(const hy_view *V, uint64_t seed, uint64_t *rng)
{
    const hy_vid n = hy_view_bound(V);
    uint32_t *want = answer_new(V), *have = answer_new(V);
    hy_kcore_info info;
    cores_oracle(V, want);
    assert_true(hy_kcore_check(V, NULL, want, NULL));
    assert_int_equal(hy_kcore(V, NULL, have, &info), HY_OK);
    must_equal(have, want, n, "core", seed);
    assert_int_equal(info.max_core, max_of(want, n));
    const hy_vid u = (hy_vid)rng_below(rng, n);
    const uint32_t right = have[u];
    for (uint32_t wrong = 0; wrong < 5; wrong++) {
        have[u] = wrong == 4 ? HY_NONE : wrong;
        const char *why = "";
        if (have[u] != right) {
            assert_false(hy_kcore_check(V, NULL, have, &why));
            assert_true(strlen(why) > 0);
        }
    }
    const hy_kcore_opts opts = { .limit = (uint32_t)rng_range(rng, 1, 5) };
    for (hy_vid v = 0; v < n; v++)
        if (want[v] != HY_NONE && want[v] > opts.limit)
            want[v] = opts.limit;
    assert_int_equal(hy_kcore(V, &opts, have, &info), HY_OK);
    must_equal(have, want, n, "core with a limit", seed);
    assert_true(hy_kcore_check(V, &opts, have, NULL));
    free(have);
    free(want);
}

static void try_colors(const hy_view *V, uint64_t seed, uint64_t *rng)
{
    const hy_vid n = hy_view_bound(V);
    const hy_coloring_opts opts = { .seed = rng_below(rng, 3) };
    uint32_t *want = answer_new(V), *have = answer_new(V);
    hy_coloring_info info;
    colors_oracle(V, opts.seed, want);
    assert_int_equal(hy_coloring(V, &opts, have, &info), HY_OK);
    must_equal(have, want, n, "colour", seed);
    assert_int_equal(info.colors,
                     hy_view_vertices(V) ? max_of(want, n) + 1 : 0);
    assert_true(hy_coloring_check(V, have, NULL));
    const hy_vid u = (hy_vid)rng_below(rng, n);
    const uint32_t right = have[u];
    for (uint32_t wrong = 0; wrong < 4; wrong++) {
        have[u] = wrong == 0 ? HY_NONE : wrong == 1 ? n : right + 1;
        const char *why = "";
        if (have[u] != right) {
            assert_false(hy_coloring_check(V, have, &why));
            assert_true(strlen(why) > 0);
        }
    }
    free(have);
    free(want);
}

static void cores_and_colors_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1500); i++) {
        const uint64_t seed = test_seed_at(i);
        uint64_t rng = seed;
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, seed);
        try_cores(hy_graph_now(G), seed, &rng);
        try_colors(hy_graph_now(G), seed, &rng);
        hy_graph_free(G);
    }
}

/* The answers on every number of threads, which must be one. */
static void try_large(const struct some_graph *how, uint64_t seed)
{
    const char *why = "";
    uint32_t *core[TEST_CTXS], *color[TEST_CTXS];
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        hy_graph *G = some_graph(test_ctx(i), how, seed);
        const hy_view *V = hy_graph_now(G);
        core[i] = answer_new(V);
        color[i] = answer_new(V);
        assert_int_equal(hy_kcore(V, NULL, core[i], NULL), HY_OK);
        assert_int_equal(hy_coloring(V, NULL, color[i], NULL), HY_OK);
        if (!hy_kcore_check(V, NULL, core[i], &why) ||
            !hy_coloring_check(V, color[i], &why))
            fail_msg("%s; HYPHA_TEST_SEED=0x%llx", why,
                     (unsigned long long)seed);
        must_equal(core[i], core[0], hy_view_bound(V), "core", seed);
        must_equal(color[i], color[0], hy_view_bound(V), "colour", seed);
        hy_graph_free(G);
    }
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        free(core[i]);
        free(color[i]);
    }
}

static void cores_and_colors_of_large_graphs_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(15); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 3000, 20000),
            .m = rng_range(&rng, 10000, 200000),
            .has_hub = rng_chance(&rng, 40),
        };
        try_large(&how, rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_and_colors_are_those_of_the_matrix),
        cmocka_unit_test(cores_and_colors_of_large_graphs_are_right),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
