/* Triangles on devices: the host's counts. */
#include "support/on_device.h"

#include <hypha/gen.h>
#include <hypha/triangles.h>

#include <stdlib.h>

static uint64_t *counts(hy_vid n)
{
    uint64_t *const x = calloc((size_t)n + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}

static void compare(hy_device *D, hy_graph *G, uint64_t *rng)
{
    (void)rng;
    const hy_view *const V = hy_graph_now(G);
    const hy_vid n = hy_view_bound(V);
    uint64_t *count = counts(n), *d_count = counts(n);
    const hy_triangles_opts opts = { .device = D };
    hy_triangles_info info, d_info;
    assert_int_equal(hy_triangles(V, NULL, count, &info), HY_OK);
    const hy_status status = hy_triangles(V, &opts, d_count, &d_info);
    if (!hy_view_has_reverse(V)) {
        assert_int_equal(status, HY_ESTATE);
    } else {
        if (status != HY_OK)
            fail_msg("%s", hy_error_text());
        assert_memory_equal(count, d_count, n * sizeof *count);
        assert_true(info.triangles == d_info.triangles);
        assert_int_equal(hy_triangles(V, &opts, NULL, &d_info), HY_OK);
        assert_true(info.triangles == d_info.triangles);
    }
    free(count);
    free(d_count);
}

static void counts_follow_histories(void **state)
{
    (void)state;
    on_device_histories(compare, 200, 40);
}

static void counts_of_hubs(void **state)
{
    (void)state;
    on_device_hubs(compare, 20, 8);
}

/* More vertices than rows, and rows of several lengths. */
static void counts_beyond_the_core(void **state)
{
    (void)state;
    hy_ctx *const ctx = test_ctx(1);
    static const char *const names[] = { "host", "auto" };
    for (unsigned i = 0; i < 4; i++) {
        hy_device *D = NULL;
        hy_graph *G = NULL;
        uint64_t rng = 1;
        const hy_gen_opts how = { .kind = i & 1 ? HY_GEN_URAND : HY_GEN_KRON,
                                  .scale = test_scaled(100) < 20 ? 7 : 13,
                                  .degree = 24,
                                  .seed = 3 };
        assert_int_equal(hy_gen_graph(ctx, &how, &G), HY_OK);
        assert_int_equal(hy_device_open(ctx, names[i / 2], NULL, &D), HY_OK);
        compare(D, G, &rng);
        hy_device_close(D);
        hy_graph_free(G);
    }
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    uint64_t count[128];
    const hy_triangles_opts opts = { .device = D };
    return hy_triangles(V, &opts, count, NULL);
}

static void counts_survive_refusals(void **state)
{
    (void)state;
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_follow_histories),
        cmocka_unit_test(counts_of_hubs),
        cmocka_unit_test(counts_beyond_the_core),
        cmocka_unit_test(counts_survive_refusals),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
