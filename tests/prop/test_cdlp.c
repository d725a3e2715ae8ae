/* Communities of random graphs: by counting over a matrix when they are
 * small, by the checker when they are large. */
#include "support/matrix.h"
#include "support/some_graph.h"

#include <hypha/cdlp.h>

#include <stdlib.h>
#include <string.h>

/* ---- the oracle -----------------------------------------------------------
 */

/* How often v is u's neighbour. */
static unsigned times(const hy_view *V, const struct matrix *M, hy_vid u,
                      hy_vid v)
{
    const unsigned out = M->edge[(size_t)u * M->n + v];
    return hy_view_is_undirected(V) ? out : out + M->edge[(size_t)v * M->n + u];
}

static uint64_t vote(const hy_view *V, const struct matrix *M,
                     const uint64_t *label, hy_vid u)
{
    uint64_t best = label[u];
    unsigned most = 0;
    for (hy_vid v = 0; v < M->n; v++) {
        unsigned votes = 0;
        if (!times(V, M, u, v))
            continue;
        for (hy_vid w = 0; w < M->n; w++)
            if (label[w] == label[v])
                votes += times(V, M, u, w);
        if (votes > most || (votes == most && label[v] < best)) {
            most = votes;
            best = label[v];
        }
    }
    return best;
}

static void oracle(const hy_view *V, const hy_cdlp_opts *opts, uint64_t *label)
{
    struct matrix M;
    matrix_init(&M, V);
    uint64_t *next = calloc(M.n + 1u, sizeof *next);
    assert_non_null(next);
    for (hy_vid u = 0; u < M.n; u++)
        label[u] = !hy_view_has_vertex(V, u) ? HY_CDLP_NONE
                   : opts->labels            ? opts->labels[u]
                                             : u;
    for (uint32_t k = 0; k < (opts->iterations ? opts->iterations : 10); k++) {
        for (hy_vid u = 0; u < M.n; u++)
            next[u] = vote(V, &M, label, u);
        memcpy(label, next, M.n * sizeof *label);
    }
    free(next);
    matrix_fini(&M);
}

/* ---- trials -----------------------------------------------------------------
 */

static uint64_t *labels_new(const hy_view *V)
{
    uint64_t *label = calloc(hy_view_bound(V) + 1u, sizeof *label);
    assert_non_null(label);
    return label;
}

/* Labels to start from: of few values or of many, up to 64 bits wide. */
static void draw_labels(const hy_view *V, uint64_t *label, uint64_t *rng)
{
    const bool is_few = rng_chance(rng, 50);
    const unsigned shift = (unsigned)rng_below(rng, 60);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        label[u] = is_few ? rng_below(rng, 6) << shift : rng_next(rng) >> 1;
}

static void must_equal(const uint64_t *have, const uint64_t *want, hy_vid n,
                       uint64_t seed)
{
    for (hy_vid u = 0; u < n; u++)
        if (have[u] != want[u])
            fail_msg("vertex %u has the label %llu, not %llu; "
                     "HYPHA_TEST_SEED=0x%llx",
                     u, (unsigned long long)have[u],
                     (unsigned long long)want[u], (unsigned long long)seed);
}

static uint64_t count_labels(const uint64_t *label, hy_vid n)
{
    uint64_t found = 0;
    for (hy_vid u = 0; u < n; u++) {
        bool is_new = label[u] != HY_CDLP_NONE;
        for (hy_vid v = 0; v < u && is_new; v++)
            is_new = label[u] != label[v];
        found += is_new;
    }
    return found;
}

static void try_one(const hy_view *V, uint64_t seed, uint64_t *rng)
{
    const hy_vid n = hy_view_bound(V);
    uint64_t *start = labels_new(V), *want = labels_new(V);
    uint64_t *have = labels_new(V);
    draw_labels(V, start, rng);
    const hy_cdlp_opts opts = {
        .iterations = (uint32_t)rng_below(rng, 5),
        .labels = rng_chance(rng, 60) ? start : NULL,
    };
    hy_cdlp_info info;
    oracle(V, &opts, want);
    assert_true(hy_cdlp_check(V, &opts, want, NULL));
    assert_int_equal(hy_cdlp(V, &opts, have, &info), HY_OK);
    must_equal(have, want, n, seed);
    assert_int_equal(info.communities, count_labels(want, n));
    const hy_vid u = (hy_vid)rng_below(rng, n);
    have[u]++;
    assert_false(hy_cdlp_check(V, &opts, have, NULL));
    if (opts.labels) { /* in place */
        assert_int_equal(hy_cdlp(V, &opts, start, NULL), HY_OK);
        must_equal(start, want, n, seed);
    }
    free(have);
    free(want);
    free(start);
}

static void communities_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1500); i++) {
        const uint64_t seed = test_seed_at(i);
        uint64_t rng = seed;
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, seed);
        try_one(hy_graph_now(G), seed, &rng);
        hy_graph_free(G);
    }
}

static void communities_of_large_graphs_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(15); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 3000, 10000),
            .m = rng_range(&rng, 10000, 100000),
            .has_hub = rng_chance(&rng, 40),
        };
        const char *why = "";
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        const hy_view *V = hy_graph_now(G);
        uint64_t *have = labels_new(V), *start = labels_new(V);
        draw_labels(V, start, &rng);
        const hy_cdlp_opts opts = { .iterations = 3,
                                    .labels = i % 2 ? start : NULL };
        assert_int_equal(hy_cdlp(V, &opts, have, NULL), HY_OK);
        if (!hy_cdlp_check(V, &opts, have, &why))
            fail_msg("%s", why);
        free(start);
        free(have);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communities_are_those_of_the_matrix),
        cmocka_unit_test(communities_of_large_graphs_are_right),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
