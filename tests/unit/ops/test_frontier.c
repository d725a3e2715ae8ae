/* Frontiers: both forms, against a plain array of bools. */
#include "support/some_graph.h"

#include <hypha/ops.h>

#include <string.h>

enum { N = 700 };

static void compare(hy_frontier *F, const bool *model)
{
    uint64_t n = 0;
    bool listed[N] = { false };
    for (hy_vid v = 0; v < N; v++)
        n += model[v];
    assert_int_equal(hy_frontier_count(F), n);
    const hy_vid *list = hy_frontier_list(F);
    for (uint64_t i = 0; i < n; i++) {
        assert_true(list[i] < N && !listed[list[i]]);
        listed[list[i]] = true;
    }
    const uint64_t *bits = hy_frontier_bits(F);
    for (hy_vid v = 0; v < N; v++) {
        assert_int_equal(listed[v], model[v]);
        assert_int_equal(hy_bit(bits, v), model[v]);
        assert_int_equal(hy_frontier_has(F, v), model[v]);
    }
    assert_int_equal(hy_frontier_count(F), n);
}

static bool keep(void *arg, hy_vid v)
{
    return v % 3 == *(const hy_vid *)arg;
}

static void touch(void *arg, hy_vid v)
{
    ((uint8_t *)arg)[v]++;
}

static hy_graph *graph_of(unsigned i)
{
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(i), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, 0, NULL, NULL), HY_OK);
    return G;
}

static void filter_step(hy_frontier **F, bool *model, uint64_t *rng)
{
    hy_vid rest = (hy_vid)rng_below(rng, 3);
    hy_filter(F[0], keep, &rest, F[1]);
    hy_frontier_swap(F[0], F[1]);
    for (hy_vid v = 0; v < N; v++)
        model[v] &= v % 3 == rest;
}

static void frontier_is_what_was_put_in(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3 * TEST_CTXS; i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = graph_of(i);
        bool model[N] = { false };
        hy_frontier *F[2];
        for (size_t k = 0; k < 2; k++)
            assert_int_equal(hy_frontier_new(hy_graph_now(G), &F[k]), HY_OK);
        for (unsigned round = 0; round < 60; round++) {
            const unsigned what = (unsigned)rng_below(&rng, 12);
            for (uint64_t k = rng_below(&rng, 90); k && what < 9; k--) {
                const hy_vid v = (hy_vid)rng_below(&rng, N);
                hy_frontier_add(F[0], v);
                model[v] = true;
            }
            if (what == 9) {
                hy_frontier_clear(F[0]);
                memset(model, 0, sizeof model);
            } else if (what == 10) {
                filter_step(F, model, &rng);
            } else if (what == 11) {
                hy_frontier_fill(F[0], hy_graph_now(G));
                memset(model, true, sizeof model);
            }
            compare(F[0], model);
        }
        hy_frontier_free(F[0]);
        hy_frontier_free(F[1]);
        hy_graph_free(G);
    }
}

static void compute_meets_each_vertex_once(void **state)
{
    (void)state;
    hy_graph *G = graph_of(1);
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_delete_vertex(B, 13), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
    const hy_view *V = hy_graph_now(G);
    uint8_t met[N] = { 0 };
    hy_compute(V, NULL, touch, met);
    for (hy_vid v = 0; v < N; v++)
        assert_int_equal(met[v], v != 13);
    hy_frontier *F;
    assert_int_equal(hy_frontier_new(V, &F), HY_OK);
    hy_frontier_fill(F, V);
    assert_int_equal(hy_frontier_count(F), N - 1);
    hy_compute(V, F, touch, met);
    for (hy_vid v = 0; v < N; v++)
        assert_int_equal(met[v], v != 13 ? 2 : 0);
    hy_frontier_free(F);
    hy_graph_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frontier_is_what_was_put_in),
        cmocka_unit_test(compute_meets_each_vertex_once),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
