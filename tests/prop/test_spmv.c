/* Products are those of the plain sum over all edges, bit for bit. */
#include "support/weighted.h"

#include <hypha/spmv.h>

#include <stdlib.h>
#include <string.h>

static void multiply(const struct arcs *arcs, bool is_transposed,
                     const double *x, double *y)
{
    for (size_t i = 0; i < arcs->n; i++) {
        const struct arc a = arcs->at[i];
        if (is_transposed)
            y[a.v] += a.w * x[a.u];
        else
            y[a.u] += a.w * x[a.v];
    }
}

static void try(hy_ctx *ctx, struct weighted *how, uint64_t *rng)
{
    how->may_be_signed = true;
    hy_graph *G = weighted_graph(ctx, how, rng);
    const hy_view *V = hy_graph_now(G);
    const size_t bound = hy_view_bound(V);
    struct arcs arcs = arcs_of(V);
    double *x = calloc(bound + 1, sizeof *x);
    double *want = calloc(bound + 1, sizeof *want);
    double *have = calloc(bound + 1, sizeof *have);
    assert_true(x && want && have);
    for (size_t i = 0; i < bound; i++)
        x[i] = (double)rng_below(rng, 1000) / 7 - 50;
    const hy_spmv_opts opts = { .transposed = rng_chance(rng, 50) };
    memset(have, 0xa5, bound * sizeof *have);
    multiply(&arcs, opts.transposed, x, want);
    assert_int_equal(hy_spmv(V, &opts, x, have), HY_OK);
    for (size_t i = 0; i < bound; i++)
        assert_true(want[i] == have[i]);
    const char *why = "";
    if (!hy_spmv_check(V, &opts, x, have, &why))
        fail_msg("%s", why);
    if (bound) {
        const size_t i = rng_below(rng, bound);
        have[i] = have[i] * 1.5 + 1e30;
        assert_false(hy_spmv_check(V, &opts, x, have, &why));
        assert_true(*why);
    }
    free(have);
    free(want);
    free(x);
    free(arcs.at);
    hy_graph_free(G);
}

static void product_of_a_random_graph_is_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(2000); i++) {
        uint64_t rng = test_seed_at(i);
        struct weighted how = weighted_random(&rng);
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

static void product_of_a_large_graph_is_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(40); i++) {
        uint64_t rng = test_seed_at(i);
        struct weighted how = weighted_random(&rng);
        how.n = (hy_vid)rng_range(&rng, 1000, 20000);
        how.m = how.n * rng_range(&rng, 1, 10);
        how.percent_changed /= 8;
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_of_a_random_graph_is_right),
        cmocka_unit_test(product_of_a_large_graph_is_right),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
