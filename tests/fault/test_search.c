/* Searches and centralities with their k-th allocation failing: HY_ENOMEM,
 * nothing written, nothing left behind. */
#include "support/fault.h"
#include "support/some_graph.h"

#include <hypha/bc.h>
#include <hypha/bfs.h>

#include <stdlib.h>

enum { N = 300 };

struct bed {
    struct fault fault;
    const hy_view *V;
    uint32_t depth[N];
    hy_vid parent[N];
    double score[N];
};

static hy_status call_bfs(struct bed *b)
{
    return hy_bfs(b->V, NULL, b->depth, b->parent, NULL);
}

static hy_status call_bfs_smallest(struct bed *b)
{
    return hy_bfs(b->V, &(hy_bfs_opts){ .deterministic = true }, NULL,
                  b->parent, NULL);
}

static hy_status call_bc(struct bed *b)
{
    return hy_bc(b->V, &(hy_bc_opts){ .sources = 1 }, b->score, NULL);
}

static hy_status call_bc_all(struct bed *b)
{
    return hy_bc(b->V, NULL, b->score, NULL);
}

static bool is_untouched(const struct bed *b)
{
    for (size_t i = 0; i < N; i++)
        if (b->depth[i] || b->parent[i] || b->score[i] != 0)
            return false;
    return true;
}

static void fail_each(struct bed *b, hy_ctx *ctx,
                      hy_status (*call)(struct bed *))
{
    const uint64_t before = hy_ctx_bytes(ctx);
    for (uint64_t k = 1;; k++) {
        fault_arm(&b->fault, k);
        const hy_status status = call(b);
        const bool is_hit = fault_disarm(&b->fault);
        assert_int_equal(hy_ctx_bytes(ctx), before);
        if (!is_hit) {
            assert_int_equal(status, HY_OK);
            assert_true(k > 2);
            return;
        }
        assert_int_equal(status, HY_ENOMEM);
        assert_true(is_untouched(b));
    }
}

static void check_under_faults(struct bed *b)
{
    const char *why = "";
    fault_arm(&b->fault, 1);
    assert_false(hy_bfs_check(b->V, NULL, NULL, NULL, NULL, &why));
    (void)fault_disarm(&b->fault);
    fault_arm(&b->fault, 1);
    assert_false(hy_bc_check(b->V, NULL, b->score, &why));
    (void)fault_disarm(&b->fault);
}

static void failing_memory_changes_nothing(void **state)
{
    hy_status (*const calls[])(struct bed *) = { call_bfs, call_bfs_smallest,
                                                 call_bc, call_bc_all };
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct bed *b = calloc(1, sizeof *b);
        assert_non_null(b);
        const hy_ctx_opts opts = { .threads = 2,
                                   .may_alloc = fault_may_alloc,
                                   .user = &b->fault };
        const hy_edge edges[] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 0, 4 } };
        hy_ctx *ctx;
        hy_graph *G;
        assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
        assert_int_equal(hy_graph_new(ctx, NULL, &G), HY_OK);
        assert_int_equal(hy_graph_load_edges(G, N, 4, edges, NULL), HY_OK);
        b->V = hy_graph_now(G);
        fail_each(b, ctx, calls[i]);
        check_under_faults(b);
        hy_graph_free(G);
        hy_ctx_free(ctx);
        free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
