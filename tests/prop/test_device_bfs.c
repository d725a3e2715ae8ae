/* Breadth-first search on devices: the host's depths and smallest parents. */
#include "support/on_device.h"
#include "support/some_graph.h"

#include <hypha/bfs.h>

#include <stdlib.h>
#include <string.h>

static uint32_t *words(hy_vid n)
{
    uint32_t *const x = calloc((size_t)n + 1, sizeof *x);
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
    uint32_t *depth = words(n), *parent = words(n);
    uint32_t *d_depth = words(n), *d_parent = words(n);
    hy_bfs_opts opts = { .source = source, .deterministic = true };
    hy_bfs_info info, d_info;
    const char *why = NULL;
    assert_int_equal(hy_bfs(V, &opts, depth, parent, &info), HY_OK);
    opts.device = D;
    if (hy_bfs(V, &opts, d_depth, d_parent, &d_info) != HY_OK)
        fail_msg("%s", hy_error_text());
    assert_memory_equal(d_depth, depth, n * sizeof *depth);
    assert_memory_equal(d_parent, parent, n * sizeof *depth);
    assert_int_equal(d_info.reached, info.reached);
    assert_int_equal(d_info.max_depth, info.max_depth);
    assert_int_equal(d_info.edges, info.edges);
    opts.deterministic = false;
    assert_int_equal(hy_bfs(V, &opts, NULL, d_parent, NULL), HY_OK);
    if (!hy_bfs_check(V, &opts, depth, d_parent, &info, &why))
        fail_msg("%s", why);
    assert_int_equal(hy_bfs(V, &opts, d_depth, NULL, NULL), HY_OK);
    assert_memory_equal(d_depth, depth, n * sizeof *depth);
    assert_int_equal(hy_bfs(V, &opts, NULL, NULL, &d_info), HY_OK);
    assert_int_equal(d_info.reached, info.reached);
    free(depth);
    free(parent);
    free(d_depth);
    free(d_parent);
}

static void bfs_follows_histories(void **state)
{
    (void)state;
    on_device_histories(compare, 200, 40);
}

static void bfs_cuts_hubs(void **state)
{
    (void)state;
    on_device_hubs(compare, 30, 10);
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    uint32_t depth[128], parent[128];
    const hy_bfs_opts opts = { .device = D };
    return hy_bfs(V, &opts, depth, parent, NULL);
}

static void bfs_survives_refusals(void **state)
{
    (void)state;
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
    on_device_faults(ask, &(hy_graph_opts){ 0 });
}

static void bfs_wants_the_newest_version(void **state)
{
    (void)state;
    hy_ctx *const ctx = test_ctx(1);
    hy_graph *const G = some_graph(ctx, NULL, 1);
    hy_device *D = NULL;
    const hy_view *V = NULL;
    hy_batch *B = NULL;
    uint64_t rng = 1;
    hy_bfs_opts opts = { .source = some_vertex(hy_graph_now(G), &rng) };
    assert_int_equal(hy_device_open(ctx, "host", NULL, &D), HY_OK);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    opts.device = D;
    assert_int_equal(hy_bfs(V, &opts, NULL, NULL, NULL), HY_ENOTSUP);
    hy_batch_free(B);
    hy_view_release(V);
    hy_graph_free(G);
    hy_device_close(D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_follows_histories),
        cmocka_unit_test(bfs_cuts_hubs),
        cmocka_unit_test(bfs_survives_refusals),
        cmocka_unit_test(bfs_wants_the_newest_version),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
