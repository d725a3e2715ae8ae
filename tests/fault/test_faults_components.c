/* Sets, components, communities, colours and cores with their k-th allocation
 * failing: HY_ENOMEM, nothing is left behind, the answer is untouched, and the
 * next try succeeds. */
#include "support/fault.h"
#include "support/some_graph.h"

#include <hypha/cdlp.h>
#include <hypha/coloring.h>
#include <hypha/kcore.h>
#include <hypha/ops_sets.h>
#include <hypha/scc.h>
#include <hypha/wcc.h>

#include <stdlib.h>

enum { MANY = 3000 };

struct bed {
    struct fault fault;
    hy_ctx *ctx;
    hy_graph *G;
    uint32_t x[MANY];
    uint64_t label[MANY], start[MANY];
};

static hy_status checked(bool is_right)
{
    return is_right ? HY_OK : HY_ENOMEM;
}

static hy_status call_sets(struct bed *b)
{
    hy_sets *S;
    const hy_status status = hy_sets_new(b->ctx, MANY, &S);
    if (status == HY_OK)
        hy_sets_free(S);
    return status;
}

static hy_status call_wcc(struct bed *b)
{
    hy_wcc_info info;
    return hy_wcc(hy_graph_now(b->G), NULL, b->x, &info);
}

static hy_status call_wcc_check(struct bed *b)
{
    return checked(hy_wcc_check(hy_graph_now(b->G), b->x, NULL));
}

static hy_status call_scc(struct bed *b)
{
    const hy_scc_opts opts = { .method = HY_SCC_REACH };
    hy_scc_info info;
    return hy_scc(hy_graph_now(b->G), &opts, b->x, &info);
}

static hy_status call_scc_check(struct bed *b)
{
    return checked(hy_scc_check(hy_graph_now(b->G), b->x, NULL));
}

static hy_status call_cdlp(struct bed *b)
{
    const hy_cdlp_opts opts = { .labels = b->start };
    return hy_cdlp(hy_graph_now(b->G), &opts, b->label, NULL);
}

static hy_status call_cdlp_check(struct bed *b)
{
    const hy_cdlp_opts opts = { .labels = b->start };
    return checked(hy_cdlp_check(hy_graph_now(b->G), &opts, b->label, NULL));
}

static hy_status call_coloring(struct bed *b)
{
    return hy_coloring(hy_graph_now(b->G), NULL, b->x, NULL);
}

static hy_status call_coloring_check(struct bed *b)
{
    return checked(hy_coloring_check(hy_graph_now(b->G), b->x, NULL));
}

static hy_status call_kcore(struct bed *b)
{
    return hy_kcore(hy_graph_now(b->G), NULL, b->x, NULL);
}

static hy_status call_kcore_check(struct bed *b)
{
    return checked(hy_kcore_check(hy_graph_now(b->G), NULL, b->x, NULL));
}

static void fail_each(struct bed *b, hy_status (*call)(struct bed *b))
{
    const uint64_t before = hy_ctx_bytes(b->ctx);
    for (uint64_t k = 1;; k++) {
        const uint32_t x = b->x[k % MANY];
        fault_arm(&b->fault, k);
        const hy_status status = call(b);
        const bool is_hit = fault_disarm(&b->fault);
        assert_int_equal(hy_ctx_bytes(b->ctx), before);
        assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
        if (!is_hit)
            return;
        assert_int_equal(b->x[k % MANY], x);
    }
}

static void all_calls(uint64_t seed, uint32_t threads)
{
    static hy_status (*const calls[])(struct bed *) = {
        call_sets,           call_wcc,   call_wcc_check,   call_scc,
        call_scc_check,      call_cdlp,  call_cdlp_check,  call_coloring,
        call_coloring_check, call_kcore, call_kcore_check,
    };
    struct bed *b = calloc(1, sizeof *b);
    assert_non_null(b);
    const struct some_graph how = { .n = MANY, .m = 3 * MANY };
    const hy_ctx_opts opts = { .threads = threads,
                               .may_alloc = fault_may_alloc,
                               .user = &b->fault };
    assert_int_equal(hy_ctx_new(&opts, &b->ctx), HY_OK);
    b->G = some_graph(b->ctx, &how, seed);
    for (uint64_t u = 0; u < MANY; u++)
        b->start[u] = u * u << 20;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_each(b, calls[i]);
    hy_graph_free(b->G);
    assert_int_equal(hy_ctx_bytes(b->ctx), 0);
    hy_ctx_free(b->ctx);
    free(b);
}

static void calls_survive_every_failure(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        all_calls(test_seed_at(i), (uint32_t)(i % 3) + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_survive_every_failure),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
