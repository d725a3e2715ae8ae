/* Ranks, clusters and positions with every allocation failing in turn: the
 * status is HY_ENOMEM, outputs are untouched, nothing is left behind, and the
 * same call succeeds afterwards.  Their checkers say no. */
#include "support/fault.h"
#include "support/some_graph.h"

#include <hypha/hypha.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bed {
    const hy_view *V;
    double x[2][64]; /* two arrays of numbers, or one of places */
    hy_place known[64];
    hy_vid members[64];
    hy_katz_info katz;
};

typedef hy_status call(struct bed *b);
typedef bool check(struct bed *b);

static hy_status pagerank(struct bed *b)
{
    return hy_pagerank(b->V, NULL, b->x[0], NULL);
}

static bool pagerank_check(struct bed *b)
{
    return hy_pagerank_check(b->V, NULL, b->x[0], NULL);
}

static hy_status hits(struct bed *b)
{
    return hy_hits(b->V, NULL, b->x[0], b->x[1], NULL);
}

static bool hits_check(struct bed *b)
{
    return hy_hits_check(b->V, NULL, b->x[0], b->x[1], NULL);
}

static hy_status katz(struct bed *b)
{
    return hy_katz(b->V, NULL, b->x[0], &b->katz);
}

static bool katz_check(struct bed *b)
{
    return hy_katz_check(b->V, NULL, b->x[0], &b->katz, NULL);
}

static hy_status localcluster(struct bed *b)
{
    hy_localcluster_info info;
    if (!hy_view_has_reverse(b->V))
        return HY_OK;
    return hy_localcluster(b->V, NULL, b->members, &info);
}

static hy_status geolocate(struct bed *b)
{
    return hy_geolocate(b->V, NULL, b->known, (hy_place *)(void *)b->x, NULL);
}

static bool geolocate_check(struct bed *b)
{
    return hy_geolocate_check(b->V, NULL, b->known,
                              (const hy_place *)(const void *)b->x, NULL);
}

/* Each allocation of `what` fails in turn. */
static void run(struct bed *b, struct fault *fault, hy_ctx *ctx, call *what)
{
    const uint64_t bytes = hy_ctx_bytes(ctx);
    struct bed before = *b;
    bool is_hit = true;
    for (uint64_t k = 1; is_hit; k++) {
        fault_arm(fault, k);
        const hy_status status = what(b);
        is_hit = fault_disarm(fault);
        assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
        assert_true(hy_ctx_bytes(ctx) == bytes);
        if (is_hit)
            assert_memory_equal(b, &before, sizeof before);
    }
}

static void run_check(struct bed *b, struct fault *fault, hy_ctx *ctx,
                      check *what)
{
    const uint64_t bytes = hy_ctx_bytes(ctx);
    bool is_hit = true;
    for (uint64_t k = 1; is_hit; k++) {
        fault_arm(fault, k);
        const bool ok = what(b);
        is_hit = fault_disarm(fault);
        assert_false(ok && is_hit);
        assert_true(hy_ctx_bytes(ctx) == bytes);
    }
}

static void no_allocation_matters(void **state)
{
    (void)state;
    static call *const calls[] = { pagerank, hits, katz, localcluster,
                                   geolocate };
    static check *const checks[] = { pagerank_check, hits_check, katz_check,
                                     NULL, geolocate_check };
    for (uint64_t i = 0; i < 24; i++) {
        struct fault fault = { 0 };
        const hy_ctx_opts opts = { .threads = 1 + (uint32_t)(i % 2),
                                   .may_alloc = fault_may_alloc,
                                   .user = &fault };
        hy_ctx *ctx;
        assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
        const struct some_graph how = { .n = 40, .m = 120 };
        hy_graph *G = some_graph(ctx, &how, test_seed_at(i));
        struct bed *b = calloc(1, sizeof *b);
        assert_non_null(b);
        b->V = hy_graph_now(G);
        for (size_t u = 0; u < 64; u++)
            b->known[u] = u % 3 ? (hy_place){ (double)NAN, (double)NAN }
                                : (hy_place){ 40 + (double)u / 64, 10 };
        if (hy_view_has_vertex(b->V, 0))
            for (size_t k = 0; k < 5; k++) {
                run(b, &fault, ctx, calls[k]);
                if (checks[k])
                    run_check(b, &fault, ctx, checks[k]);
            }
        free(b);
        hy_graph_free(G);
        assert_true(hy_ctx_bytes(ctx) == 0);
        hy_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
