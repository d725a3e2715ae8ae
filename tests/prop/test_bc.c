/* Betweenness of random graphs: the checker, which counts paths in another
 * way, agrees; so does the definition, pair by pair, on small ones. */
#include "support/some_graph.h"

#include <hypha/bc.h>
#include <hypha/gen.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *scores_new(const hy_view *V)
{
    double *score = calloc(hy_view_bound(V) + 1u, sizeof *score);
    assert_non_null(score);
    return score;
}

static void accept(const hy_view *V, const hy_bc_opts *opts,
                   const double *score, uint64_t seed)
{
    const char *why;
    if (!hy_bc_check(V, opts, score, &why))
        fail_msg("%s; HYPHA_TEST_SEED=0x%llx", why, (unsigned long long)seed);
}

/* ---- the definition -------------------------------------------------------
 */

enum { SMALL = 12 };

struct pairs {
    uint32_t d[SMALL][SMALL];
    double sigma[SMALL][SMALL];
};

static void search(const hy_view *V, struct pairs *P, hy_vid s)
{
    const hy_vid n = hy_view_bound(V);
    for (hy_vid v = 0; v < n; v++) {
        P->d[s][v] = v == s ? 0 : UINT32_MAX;
        P->sigma[s][v] = v == s;
    }
    for (uint32_t d = 0; d < n; d++)
        for (hy_vid u = 0; u < n; u++)
            for (hy_vid v = 0; v < n && P->d[s][u] == d; v++)
                if (hy_view_has_edge(V, u, v) && P->d[s][v] > d) {
                    P->d[s][v] = d + 1;
                    P->sigma[s][v] += P->sigma[s][u];
                }
}

static double between(const struct pairs *P, hy_vid n, hy_vid v)
{
    double sum = 0;
    for (hy_vid s = 0; s < n; s++)
        for (hy_vid t = 0; t < n; t++) {
            if (s == t || s == v || t == v || P->d[s][v] == UINT32_MAX ||
                P->d[v][t] == UINT32_MAX ||
                P->d[s][v] + P->d[v][t] != P->d[s][t])
                continue;
            sum += P->sigma[s][v] * P->sigma[v][t] / P->sigma[s][t];
        }
    return sum;
}

static void scores_are_the_definitions(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1000); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = { .n =
                                            (hy_vid)rng_range(&rng, 1, SMALL) };
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_vid n = hy_view_bound(V);
        const hy_bc_opts opts = { .deterministic = rng_chance(&rng, 50) };
        double *score = scores_new(V);
        struct pairs P;
        assert_int_equal(hy_bc(V, &opts, score, NULL), HY_OK);
        for (hy_vid s = 0; s < n; s++)
            search(V, &P, s);
        for (hy_vid v = 0; v < n; v++)
            if (fabs(score[v] - between(&P, n, v)) > 1e-9)
                fail_msg("vertex %u: %g, not %g; HYPHA_TEST_SEED=0x%llx", v,
                         score[v], between(&P, n, v),
                         (unsigned long long)test_seed_at(i));
        accept(V, &opts, score, test_seed_at(i));
        free(score);
        hy_graph_free(G);
    }
}

/* ---- larger ones ----------------------------------------------------------
 */

static void scores_of_random_graphs_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1000); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        hy_vid list[3];
        for (size_t k = 0; k < 3; k++)
            list[k] = some_vertex(V, &rng);
        hy_bc_opts opts = { .sources = rng_below(&rng, 4),
                            .seed = rng_next(&rng),
                            .normalize = rng_chance(&rng, 30),
                            .deterministic = rng_chance(&rng, 30) };
        if (rng_chance(&rng, 50) && list[0] != HY_NONE)
            opts.list = list;
        double *score = scores_new(V);
        assert_int_equal(hy_bc(V, &opts, score, NULL), HY_OK);
        accept(V, &opts, score, test_seed_at(i));
        free(score);
        hy_graph_free(G);
    }
}

/* Levels large enough for pulls and for several threads. */
static void scores_of_large_graphs_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(12); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 20000, 60000),
            .m = rng_range(&rng, 30000, 300000),
            .has_hub = rng_chance(&rng, 50),
        };
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_bc_opts opts = { .sources = 2, .seed = rng };
        double *score = scores_new(V);
        assert_int_equal(hy_bc(V, &opts, score, NULL), HY_OK);
        accept(V, &opts, score, test_seed_at(i));
        free(score);
        hy_graph_free(G);
    }
}

/* Many short levels, with more paths than a double counts. */
static void scores_of_a_grid_are_right(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        uint64_t rng = test_seed_at(c);
        const hy_gen_opts how = { .kind = HY_GEN_GRID,
                                  .rows = rng_range(&rng, 520, 600),
                                  .columns = 600 };
        hy_graph *G;
        assert_int_equal(hy_gen_graph(test_ctx(c), &how, &G), HY_OK);
        const hy_view *V = hy_graph_now(G);
        const hy_vid list[] = { 0, some_vertex(V, &rng) };
        const hy_bc_opts opts = { .sources = 2, .list = list };
        double *score = scores_new(V);
        assert_int_equal(hy_bc(V, &opts, score, NULL), HY_OK);
        accept(V, &opts, score, test_seed_at(c));
        free(score);
        hy_graph_free(G);
    }
}

static void deterministic_scores_have_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(50); i++) {
        double *score[TEST_CTXS] = { NULL };
        size_t bytes = 0;
        for (unsigned k = 0; k < TEST_CTXS; k++) {
            hy_graph *G = some_graph(test_ctx(k), NULL, test_seed_at(i));
            const hy_view *V = hy_graph_now(G);
            const hy_bc_opts opts = { .sources = 7, .deterministic = true };
            bytes = hy_view_bound(V) * sizeof **score;
            score[k] = scores_new(V);
            assert_int_equal(hy_bc(V, &opts, score[k], NULL), HY_OK);
            hy_graph_free(G);
        }
        for (unsigned k = 1; k < TEST_CTXS; k++)
            assert_memory_equal(score[0], score[k], bytes);
        for (unsigned k = 0; k < TEST_CTXS; k++)
            free(score[k]);
    }
}

static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        double *score = scores_new(V);
        const char *why = "";
        assert_int_equal(hy_bc(V, NULL, score, NULL), HY_OK);
        score[rng_below(&rng, hy_view_bound(V))] += 0.01;
        assert_false(hy_bc_check(V, NULL, score, &why));
        assert_true(strlen(why) > 0);
        free(score);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_the_definitions),
        cmocka_unit_test(scores_of_random_graphs_are_right),
        cmocka_unit_test(scores_of_large_graphs_are_right),
        cmocka_unit_test(scores_of_a_grid_are_right),
        cmocka_unit_test(deterministic_scores_have_the_same_bits),
        cmocka_unit_test(check_rejects_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
