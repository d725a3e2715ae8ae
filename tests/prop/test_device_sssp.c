/* Shortest paths on devices: the host's distances and parents, bit for bit,
 * and its errors. */
#include "support/on_device.h"
#include "support/some_graph.h"
#include "support/weighted.h"

#include <hypha/sssp.h>

#include <stdlib.h>

static void *room(hy_vid n, size_t size)
{
    void *const x = calloc((size_t)n + 1, size);
    if (!x)
        abort();
    return x;
}

static void compare(hy_device *D, hy_graph *G, uint64_t *rng)
{
    const hy_view *const V = hy_graph_now(G);
    const hy_vid n = hy_view_bound(V), source = some_vertex(V, rng);
    if (source == HY_NONE)
        return;
    double *dist = room(n, sizeof *dist), *d_dist = room(n, sizeof *dist);
    hy_vid *parent = room(n, sizeof *parent);
    hy_vid *d_parent = room(n, sizeof *parent);
    hy_sssp_opts opts = { .source = source };
    hy_sssp_info info = { 0 }, d_info = { 0 };
    if (rng_chance(rng, 30))
        opts.delta = 1 + (double)rng_below(rng, 100);
    const hy_status status = hy_sssp(V, &opts, dist, parent, &info);
    opts.device = D;
    const hy_status d_status = hy_sssp(V, &opts, d_dist, d_parent, &d_info);
    if (status != d_status)
        fail_msg("%s", hy_error_text());
    if (status == HY_OK) {
        assert_memory_equal(dist, d_dist, n * sizeof *dist);
        assert_memory_equal(parent, d_parent, n * sizeof *parent);
        assert_int_equal(info.reached, d_info.reached);
        assert_true(info.max_dist == d_info.max_dist);
        assert_int_equal(hy_sssp(V, &opts, d_dist, NULL, NULL), HY_OK);
        assert_memory_equal(dist, d_dist, n * sizeof *dist);
    }
    free(dist);
    free(d_dist);
    free(parent);
    free(d_parent);
}

static void paths_follow_histories(void **state)
{
    (void)state;
    on_device_histories(compare, 200, 40);
}

/* All types, negative and not finite ones, and sums beyond 32 bits. */
static void paths_of_all_weights(void **state)
{
    (void)state;
    on_device_weighted(compare, 3000, 300);
}

static void paths_through_hubs(void **state)
{
    (void)state;
    on_device_hubs(compare, 20, 8);
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    double dist[128];
    hy_vid parent[128];
    const hy_sssp_opts opts = { .device = D };
    return hy_sssp(V, &opts, dist, parent, NULL);
}

static void paths_survive_refusals(void **state)
{
    (void)state;
    const hy_column real = { "weight", HY_F32 };
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
    on_device_faults(
        ask, &(hy_graph_opts){ .edge_columns = &real, .n_edge_columns = 1 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_follow_histories),
        cmocka_unit_test(paths_of_all_weights),
        cmocka_unit_test(paths_through_hubs),
        cmocka_unit_test(paths_survive_refusals),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
