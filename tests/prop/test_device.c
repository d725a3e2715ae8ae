/* Devices: what they compute is what the host computes, bit for bit, after
 * any history. */
#include "support/on_device.h"
#include "support/some_graph.h"

#include <hypha/hypha.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 8 };

static double *vector(hy_vid n, uint64_t *rng)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    if (!x)
        abort();
    for (hy_vid i = 0; rng && i < n; i++)
        x[i] = (double)rng_below(rng, 1000) / 7;
    return x;
}

/* NaNs may have any bits. */
static bool is_same(const double *a, const double *b, hy_vid n)
{
    for (hy_vid i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(a[i] != a[i]))
            return false;
    return true;
}

static void compare_products(hy_device *D, hy_graph *G, uint64_t *rng)
{
    const hy_view *V = hy_graph_now(G);
    const hy_vid n = hy_view_bound(V);
    double *x = vector(n, rng), *y = vector(n, NULL), *z = vector(n, NULL);
    const bool has_in = hy_view_has_reverse(V);
    hy_spmv_opts opts = { .transposed = has_in && rng_chance(rng, 50) };
    assert_int_equal(hy_spmv(V, &opts, x, y), HY_OK);
    opts.device = D;
    const hy_status status = hy_spmv(V, &opts, x, z);
    if (status != HY_OK)
        print_error("%s\n", hy_error_text());
    assert_int_equal(status, HY_OK);
    assert_true(is_same(y, z, n));
    free(x);
    free(y);
    free(z);
}

static void follow_history(hy_device *D, hy_ctx *ctx, uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    must(&T,
         trial_load(&T, (enum trial_start)rng_below(&rng, TRIAL_STARTS),
                    rng_below(&rng, 400), rng_below(&rng, 3000)),
         seed);
    for (uint64_t k = rng_range(&rng, 1, 12); k; k--) {
        if (rng_chance(&rng, 70))
            compare_products(D, T.G, &rng);
        struct mix mix = mix_random(T.M, &T.rng);
        if (rng_chance(&rng, 30)) { /* hubs */
            mix.ids = 3000;
            mix.hubs = 1;
            mix.at_hub = 90;
        }
        must(&T, trial_step(&T, &mix, rng_below(&rng, 800)), seed);
        if (rng_chance(&rng, 10))
            must(&T, trial_rebalance(&T), seed);
        if (rng_chance(&rng, 5))
            must(&T, trial_add_reverse(&T), seed);
    }
    compare_products(D, T.G, &rng);
    trial_fini(&T);
}

/* Small commits to a large graph: what is sent follows the commit. */
static void send_little(hy_device *D, hy_ctx *ctx, uint64_t seed)
{
    uint64_t rng = seed;
    const hy_gen_opts kron = {
        .kind = HY_GEN_KRON, .n = 1 << 12, .degree = 16, .seed = seed
    };
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_device_stats before, after;
    assert_int_equal(hy_gen_graph(ctx, &kron, &G), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    compare_products(D, G, &rng);
    for (uint64_t size = 1; size <= 100; size *= 10) {
        hy_device_stats_get(D, &before);
        hy_batch_clear(B);
        for (uint64_t i = 0; i < size; i++) {
            const hy_vid u = (hy_vid)rng_below(&rng, 1 << 12);
            const hy_vid v = (hy_vid)rng_below(&rng, 1 << 12);
            assert_int_equal(rng_chance(&rng, 60)
                                 ? hy_batch_insert_edge(B, u, v, NULL)
                                 : hy_batch_delete_edge(B, u, v),
                             HY_OK);
        }
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
        compare_products(D, G, &rng);
        hy_device_stats_get(D, &after);
        assert_int_equal(after.whole, before.whole);
        assert_true(after.mirrored - before.mirrored <=
                    4 * (after.touched - before.touched));
    }
    hy_batch_free(B);
    hy_graph_free(G);
}

static void devices_follow_histories(void **state)
{
    (void)state;
    hy_ctx *const ctx = test_ctx(1);
    hy_device_info infos[MAX_DEVICES];
    uint32_t n = 0;
    assert_int_equal(hy_devices(ctx, MAX_DEVICES, infos, &n), HY_OK);
    assert_true(n >= 1);
    for (uint32_t d = 0; d < 2 * n && d < MAX_DEVICES; d++) {
        char name[16];
        hy_device *D = NULL;
        const hy_device_opts opts = { .wants_singles = d % 2 };
        (void)snprintf(name, sizeof name, "%u", (unsigned)d / 2);
        assert_int_equal(hy_device_open(ctx, name, &opts, &D), HY_OK);
        for (uint64_t i = 0, m = test_scaled(d / 2 ? 40 : 200); i < m; i++)
            follow_history(D, ctx, test_seed_at(i));
        for (uint64_t i = 0, m = test_scaled(10); i < m; i++)
            send_little(D, ctx, test_seed_at(i));
        hy_device_close(D);
    }
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    double x[128] = { 1 }, y[128];
    const hy_spmv_opts opts = { .device = D };
    return hy_spmv(V, &opts, x, y);
}

static void products_survive_refusals(void **state)
{
    (void)state;
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
    on_device_faults(ask, &(hy_graph_opts){ 0 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_follow_histories),
        cmocka_unit_test(products_survive_refusals),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
