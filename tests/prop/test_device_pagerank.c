/* PageRank on devices: the host's ranks, within the tolerance. */
#include "support/on_device.h"

#include <hypha/pagerank.h>

#include <math.h>
#include <stdlib.h>

static double *reals(hy_vid n)
{
    double *const x = calloc((size_t)n + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}

static void compare_as(hy_device *D, const hy_view *V, hy_pagerank_opts opts)
{
    const hy_vid n = hy_view_bound(V);
    double *rank = reals(n), *d_rank = reals(n), apart = 0;
    hy_pagerank_info info, d_info;
    const char *why = NULL;
    assert_int_equal(hy_pagerank(V, &opts, rank, &info), HY_OK);
    opts.device = D;
    if (hy_pagerank(V, &opts, d_rank, &d_info) != HY_OK)
        fail_msg("%s", hy_error_text());
    if (!hy_pagerank_check(V, &opts, d_rank, &why))
        fail_msg("%s", why);
    for (hy_vid u = 0; u < n; u++)
        apart += fabs(rank[u] - d_rank[u]);
    /* both are within l1 / (1 - d) of what they tend to */
    const double most = opts.tolerance < 0 ? 1e-9 : 2 * opts.tolerance / 0.15;
    assert_true(apart <= most);
    assert_true(fabs(d_info.sum - info.sum) <= most);
    if (opts.tolerance < 0)
        assert_int_equal(d_info.iterations, info.iterations);
    free(rank);
    free(d_rank);
}

static void compare(hy_device *D, hy_graph *G, uint64_t *rng)
{
    const hy_view *const V = hy_graph_now(G);
    if (!hy_view_has_reverse(V)) {
        const hy_pagerank_opts opts = { .device = D };
        double *rank = reals(hy_view_bound(V));
        assert_int_equal(hy_pagerank(V, &opts, rank, NULL), HY_ESTATE);
        free(rank);
        return;
    }
    const hy_pagerank_method method =
        (hy_pagerank_method)rng_below(rng, HY_PAGERANK_GAUSS_SEIDEL + 1);
    compare_as(D, V, (hy_pagerank_opts){ .tolerance = 1e-4, .method = method });
    compare_as(D, V,
               (hy_pagerank_opts){
                   .tolerance = 1e-9, .iterations = 400, .method = method });
    compare_as(D, V, (hy_pagerank_opts){ .tolerance = -1, .iterations = 6 });
}

static void ranks_follow_histories(void **state)
{
    (void)state;
    on_device_histories(compare, 200, 40);
}

/* Many bands, and hubs of many spans. */
static void ranks_of_bands_and_hubs(void **state)
{
    (void)state;
    on_device_hubs(compare, 20, 6);
}

static hy_status ask(hy_device *D, const hy_view *V)
{
    double rank[128];
    const hy_pagerank_opts opts = { .device = D };
    return hy_pagerank(V, &opts, rank, NULL);
}

static void ranks_survive_refusals(void **state)
{
    (void)state;
    on_device_faults(ask, &(hy_graph_opts){ .undirected = true });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_follow_histories),
        cmocka_unit_test(ranks_of_bands_and_hubs),
        cmocka_unit_test(ranks_survive_refusals),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
