/* Steps given as text; devices that fail, and that are too small. */
#include "support/small.h"

#include <hypha/hypha.h>

#include <string.h>

enum { N = 200 };

/* Skips the test if there is none but the host. */
static hy_device *open_first(hy_ctx *ctx)
{
    uint32_t n = 0;
    hy_device *D = NULL;
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    if (n < 2)
        skip();
    assert_int_equal(hy_device_open(ctx, "1", NULL, &D), HY_OK);
    return D;
}

/* 0 has an edge to all others, and each to the next. */
static hy_graph *wheel(void)
{
    hy_graph_opts opts = { .reverse = true };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, N);
    hy_batch *B = small_batch(G);
    for (uint64_t v = 1; v < N; v++) {
        const float w = (float)v;
        assert_int_equal(hy_batch_insert_edge(B, 0, v, &w), HY_OK);
        if (v + 1 < N)
            assert_int_equal(hy_batch_insert_edge(B, v, v + 1, &w), HY_OK);
    }
    (void)small_commit(G, B);
    return G;
}

static void steps_over_edges_and_vertices(void **state)
{
    (void)state;
    hy_device *const D = open_first(test_ctx(0));
    hy_graph *const G = wheel();
    uint32_t in[N] = { 0 }, out[N] = { 0 }, add = 3;
    double sum[N] = { 0 };
    const hy_step_arg args[] = { { .type = HY_U32, .n = N, .result = in } };
    const hy_step edges = {
        .name = "count",
        .source = "void count(u32 u, u32 v, f64 w, GLOBAL u32 *in)"
                  "{ ATOMIC_ADD(&in[v], (u32)w); }",
        .weight = "weight",
        .args = args,
        .n_args = 1,
    };
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &edges), HY_OK);
    assert_int_equal(in[0], 0);
    for (uint32_t v = 2; v < N; v++)
        assert_int_equal(in[v], 2 * v - 1);
    (void)small_delete(G, 0, 7);
    (void)small_delete_vertex(G, 11);
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &edges), HY_OK);
    assert_int_equal(in[7], 6);
    assert_int_equal(in[11], 0);
    const hy_step_arg more[] = { { .type = HY_U32, .n = N, .result = out },
                                 { .type = HY_F64, .n = N, .result = sum },
                                 { .type = HY_U32, .input = &add } };
    const hy_step vertices = {
        .name = "mark",
        .source = "void mark(u32 u, GLOBAL u32 *out, GLOBAL f64 *sum, u32 add)"
                  "{ out[u] = u + add; sum[u] = u / 2.0; }",
        .over = HY_STEP_VERTICES,
        .args = more,
        .n_args = 3,
    };
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &vertices), HY_OK);
    for (uint32_t u = 0; u < N; u++) {
        assert_int_equal(out[u], u == 11 ? 0 : u + 3);
        assert_true(sum[u] == (u == 11 ? 0 : u / 2.0));
    }
    hy_device_close(D);
    small_free(G);
}

static void bad_steps_say_why(void **state)
{
    (void)state;
    hy_device *const D = open_first(test_ctx(0));
    hy_graph *const G = wheel();
    hy_step step = { .name = "f", .source = "void f(u32 u) { nonsense; }" };
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &step), HY_EDEVICE);
    assert_non_null(strstr(hy_error_text(), "nonsense"));
    step.weight = "colour";
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &step), HY_EINVAL);
    step.name = NULL;
    assert_int_equal(hy_device_run(D, hy_graph_now(G), &step), HY_EINVAL);
    hy_device_close(D);
    hy_device *host = NULL;
    assert_int_equal(hy_device_open(hy_graph_ctx(G), "host", NULL, &host),
                     HY_OK);
    step = (hy_step){ .name = "f", .source = "" };
    assert_int_equal(hy_device_run(host, hy_graph_now(G), &step), HY_ENOTSUP);
    hy_device_close(host);
    small_free(G);
}

static bool may_call(void *user)
{
    uint64_t *const left = user;
    return (*left)-- != 1;
}

/* The k-th call of the driver fails, for every k: a status, no leak, and the
 * next product is right. */
static void fail_each_call(const char *name)
{
    hy_graph *const G = wheel();
    hy_ctx *const ctx = hy_graph_ctx(G);
    const hy_view *const V = hy_graph_now(G);
    double x[N], y[N], right[N];
    for (uint32_t u = 0; u < N; u++)
        x[u] = u;
    assert_int_equal(hy_spmv(V, NULL, x, right), HY_OK);
    hy_status status = HY_EDEVICE;
    for (uint64_t k = 1; status != HY_OK; k++) {
        uint64_t left = k;
        const hy_device_opts opts = { .may_call = may_call, .user = &left };
        hy_device *D = NULL;
        assert_true(k < 1000);
        status = hy_device_open(ctx, name, &opts, &D);
        if (status != HY_OK) {
            assert_int_equal(status, HY_EDEVICE);
            continue;
        }
        const hy_spmv_opts on = { .device = D };
        status = hy_spmv(V, &on, x, y);
        if (status != HY_OK) {
            assert_int_equal(status, HY_EDEVICE);
            assert_int_equal(hy_spmv(V, &on, x, y), HY_OK);
        }
        assert_memory_equal(y, right, sizeof y);
        hy_device_close(D);
    }
    small_free(G);
}

static void failing_calls_leave_nothing(void **state)
{
    (void)state;
    uint32_t n = 0;
    assert_int_equal(hy_devices(test_ctx(0), 0, NULL, &n), HY_OK);
    fail_each_call("0");
    if (n > 1)
        fail_each_call("1");
}

static void small_devices_say_so(void **state)
{
    (void)state;
    hy_graph *const G = wheel();
    const hy_device_opts opts = { .memory_cap = 4096 };
    hy_device *D = NULL;
    double x[N] = { 0 }, y[N];
    assert_int_equal(hy_device_open(hy_graph_ctx(G), "host", &opts, &D), HY_OK);
    const hy_spmv_opts on = { .device = D };
    assert_int_equal(hy_spmv(hy_graph_now(G), &on, x, y), HY_EFULL);
    assert_non_null(strstr(hy_error_text(), "4096"));
    hy_device_close(D);
    small_free(G);
}

static void graphs_and_devices_go_in_any_order(void **state)
{
    (void)state;
    hy_ctx *const ctx = test_ctx(1);
    hy_device *D = NULL;
    double x[N] = { 0 }, y[N];
    assert_int_equal(hy_device_open(ctx, "host", NULL, &D), HY_OK);
    for (int i = 0; i < 3; i++) {
        const hy_spmv_opts on = { .device = D };
        hy_graph *const G = wheel();
        const hy_view *V = NULL;
        assert_int_equal(hy_spmv(hy_graph_now(G), &on, x, y), HY_OK);
        assert_int_equal(hy_view_acquire(G, &V), HY_OK);
        assert_int_equal(hy_spmv(V, &on, x, y), HY_OK);
        (void)small_delete(G, 0, 1);
        assert_int_equal(hy_spmv(V, &on, x, y), HY_ENOTSUP);
        hy_view_release(V);
        if (i == 1) {
            hy_device_close(D);
            assert_int_equal(hy_device_open(ctx, "host", NULL, &D), HY_OK);
        }
        small_free(G);
    }
    hy_device_close(D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_over_edges_and_vertices),
        cmocka_unit_test(bad_steps_say_why),
        cmocka_unit_test(failing_calls_leave_nothing),
        cmocka_unit_test(small_devices_say_so),
        cmocka_unit_test(graphs_and_devices_go_in_any_order),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
