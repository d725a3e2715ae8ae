/* Paths, forests and products with their k-th allocation failing: HY_ENOMEM,
 * nothing is left behind, and the next try succeeds. */
#include "support/fault.h"
#include "support/weighted.h"

#include <hypha/mst.h>
#include <hypha/spmv.h>
#include <hypha/sssp.h>

#include <stdlib.h>
#include <string.h>

enum { MANY = 4000 };

struct bed {
    struct fault fault;
    hy_ctx *ctx;
    hy_graph *G;
    double dist[MANY], x[MANY];
    hy_vid parent[MANY];
    hy_edge edges[MANY];
    hy_mst_info info;
};

static hy_status checked(bool is_right)
{
    return is_right ? HY_OK : HY_ENOMEM;
}

static hy_status call_sssp(struct bed *b)
{
    return hy_sssp(hy_graph_now(b->G), NULL, b->dist, b->parent, NULL);
}

static hy_status call_sssp_check(struct bed *b)
{
    return checked(
        hy_sssp_check(hy_graph_now(b->G), NULL, b->dist, b->parent, NULL));
}

static hy_status call_mst(struct bed *b)
{
    return hy_mst(hy_graph_now(b->G), NULL, b->edges, &b->info);
}

static hy_status call_mst_check(struct bed *b)
{
    return checked(
        hy_mst_check(hy_graph_now(b->G), NULL, b->edges, &b->info, NULL));
}

static hy_status call_spmv(struct bed *b)
{
    return hy_spmv(hy_graph_now(b->G), NULL, b->x, b->dist);
}

static hy_status call_spmv_check(struct bed *b)
{
    return checked(
        hy_spmv_check(hy_graph_now(b->G), NULL, b->x, b->dist, NULL));
}

static void fail_each(struct bed *b, hy_status (*call)(struct bed *b))
{
    const uint64_t before = hy_ctx_bytes(b->ctx);
    for (uint64_t k = 1;; k++) {
        fault_arm(&b->fault, k);
        const hy_status status = call(b);
        const bool is_hit = fault_disarm(&b->fault);
        assert_int_equal(hy_ctx_bytes(b->ctx), before);
        assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
        if (!is_hit)
            return;
    }
}

static void all_calls(const struct weighted *how, uint32_t threads)
{
    struct bed *b = calloc(1, sizeof *b);
    assert_non_null(b);
    uint64_t rng = test_seed();
    const hy_ctx_opts opts = { .threads = threads,
                               .may_alloc = fault_may_alloc,
                               .user = &b->fault };
    assert_int_equal(hy_ctx_new(&opts, &b->ctx), HY_OK);
    b->G = weighted_graph(b->ctx, how, &rng);
    fail_each(b, call_sssp);
    fail_each(b, call_sssp_check);
    fail_each(b, call_mst);
    fail_each(b, call_mst_check);
    fail_each(b, call_spmv);
    fail_each(b, call_spmv_check);
    hy_graph_free(b->G);
    hy_ctx_free(b->ctx);
    free(b);
}

static void calls_survive_every_failure(void **state)
{
    (void)state;
    static const struct weighted hows[] = {
        { .n = MANY,
          .m = 5 * MANY,
          .has_column = true,
          .type = HY_I32,
          .values = WEIGHTED_SMALL,
          .is_undirected = true },
        { .n = MANY,
          .m = 5 * MANY,
          .has_column = true,
          .type = HY_F64,
          .values = WEIGHTED_LARGE,
          .has_reverse = true },
        { .n = MANY,
          .m = 5 * MANY,
          .has_column = true,
          .type = HY_I32,
          .values = WEIGHTED_LARGE },
        { .n = MANY,
          .m = 5 * MANY,
          .has_column = true,
          .type = HY_U8,
          .values = WEIGHTED_FEW,
          .has_hub = true },
    };
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
        for (uint32_t threads = 1; threads <= 3; threads++)
            all_calls(&hows[i], threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_survive_every_failure),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
