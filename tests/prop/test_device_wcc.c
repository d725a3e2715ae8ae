/* Components on devices: the host's labels. */
#include "support/on_device.h"

#include <hypha/wcc.h>

#include <stdlib.h>

static hy_vid *labels(hy_vid n)
{
    hy_vid *const x = calloc((size_t)n + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}

static void compare(hy_device *D, hy_graph *G, uint64_t *rng)
{
    (void)rng;
    const hy_view *const V = hy_graph_now(G);
    const hy_vid n = hy_view_bound(V);
    hy_vid *label = labels(n), *d_label = labels(n);
    const hy_wcc_opts opts = { .device = D };
    hy_wcc_info info, d_info;
    assert_int_equal(hy_wcc(V, NULL, label, &info), HY_OK);
    if (hy_wcc(V, &opts, d_label, &d_info) != HY_OK)
        fail_msg("%s", hy_error_text());
    assert_memory_equal(label, d_label, n * sizeof *label);
    assert_int_equal(info.components, d_info.components);
    assert_int_equal(info.largest, d_info.largest);
    free(label);
    free(d_label);
}

static void labels_follow_histories(void **state)
{
    (void)state;
    on_device_histories(compare, 200, 40);
}

static void labels_of_hubs(void **state)
{
    (void)state;
    on_device_hubs(compare, 30, 10);
}

/* Many components, and none that has most of the vertices. */
static void labels_of_small_graphs(void **state)
{
    (void)state;
    on_device_weighted(compare, 1000, 100);
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    hy_vid label[128];
    const hy_wcc_opts opts = { .device = D };
    return hy_wcc(V, &opts, label, NULL);
}

static void labels_survive_refusals(void **state)
{
    (void)state;
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
    on_device_faults(ask, &(hy_graph_opts){ 0 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_follow_histories),
        cmocka_unit_test(labels_of_hubs),
        cmocka_unit_test(labels_of_small_graphs),
        cmocka_unit_test(labels_survive_refusals),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
