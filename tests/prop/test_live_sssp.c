/* Shortest paths, live: distances and parents through all that a history can
 * do, with weights of many types, zeros and sums that are rounded. */
#include "support/fault.h"
#include "support/live_ask.h"
#include "support/small.h"
#include "support/some_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct live_ask ask;
static const struct live_case sssp = { .shape = live_ask_weights,
                                       .attach = live_ask_sssp,
                                       .compare = live_is_sssp,
                                       .arg = &ask };

static void sssp_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&sssp, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void sssp_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&sssp, test_scaled(30), 7, &counts);
    assert_true(counts.repaired > 0);
}

static void sssp_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&sssp, test_scaled(300));
}

static void sssp_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&sssp, test_scaled(100));
}

/* ---- what small histories do not meet -------------------------------------
 */

/* A chain of hubs, each nearer to all leaves than the one before: leaves are
 * put into the queue again and again before the first of them is settled. */
static hy_graph *make_broom(hy_ctx *ctx, hy_vid hubs, hy_vid leaves)
{
    const hy_column weight = { "weight", HY_U32 };
    const hy_graph_opts opts = { .edge_columns = &weight, .n_edge_columns = 1 };
    hy_graph *G = NULL;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    const size_t m = (size_t)hubs * leaves + hubs;
    hy_edge *edges = calloc(m, sizeof *edges);
    uint32_t *w = calloc(m, sizeof *w);
    assert_true(edges && w);
    size_t at = 0;
    for (hy_vid h = 1; h <= hubs; h++) {
        for (hy_vid i = 0; i < leaves; i++) {
            w[at] = 3 * hubs - 2 * h;
            edges[at++] = (hy_edge){ h, hubs + 1 + i };
        }
        w[at] = 1;
        edges[at++] = (hy_edge){ h, h < hubs ? h + 1 : h };
    }
    assert_int_equal(
        hy_graph_load_edges(G, (uint64_t)hubs + leaves + 1, m, edges, w),
        HY_OK);
    free(w);
    free(edges);
    return G;
}

/* Nothing is left for the static function: the repair goes on to its end, and
 * sweeps its queue when that is full. */
static void sssp_repairs_without_memory(void **state)
{
    (void)state;
    struct fault fault = { .is_lasting = true };
    const hy_ctx_opts how = { .threads = 2,
                              .may_alloc = fault_may_alloc,
                              .user = &fault };
    hy_ctx *ctx = NULL;
    assert_int_equal(hy_ctx_new(&how, &ctx), HY_OK);
    hy_graph *G = make_broom(ctx, 40, 1000);
    hy_live *L = NULL;
    hy_batch *B = NULL;
    const uint32_t one = 1;
    struct why why = { 0 };
    struct live_ask S = { .external = 0 };
    assert_int_equal(hy_live_sssp(G, NULL, &L), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, &one), HY_OK);
    hy_status status = HY_ENOMEM;
    for (uint64_t k = 1; status != HY_OK; k++) {
        fault_arm(&fault, k);
        status = hy_graph_commit(G, B, NULL);
        const bool is_hit = fault_disarm(&fault);
        assert_true(status == HY_OK ? is_hit : status == HY_ENOMEM);
    }
    hy_live_info info;
    hy_live_info_get(L, &info);
    assert_int_equal(info.how, HY_LIVE_REPAIRED);
    assert_int_equal(info.total, hy_view_bound(hy_graph_now(G)));
    if (!live_is_sssp(L, hy_graph_now(G), &S, &why))
        fail_msg("%s", why.text);
    hy_batch_free(B);
    hy_live_detach(L);
    hy_graph_free(G);
    assert_int_equal(hy_ctx_bytes(ctx), 0);
    hy_ctx_free(ctx);
}

/* Weights that no path can have are refused, and nothing changes. */
static void sssp_refuses_weights(void **state)
{
    (void)state;
    const hy_column columns[] = { { "x", HY_U8 }, { "weight", HY_F32 } };
    const hy_graph_opts opts = { .edge_columns = columns, .n_edge_columns = 2 };
    const float bad[] = { -1, -INFINITY, INFINITY, NAN };
    struct {
        uint8_t x;
        float weight;
    } record = { 7, 1 };
    hy_graph *G = small_graph(&opts, 3);
    hy_live *L = NULL;
    assert_int_equal(hy_live_sssp(G, NULL, &L), HY_OK);
    (void)small_insert(G, 0, 1, &record);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hy_batch *B = small_batch(G);
        const uint64_t version = hy_view_version(hy_graph_now(G));
        record.weight = bad[i];
        assert_int_equal(hy_batch_insert_edge(B, 1, 2, &record), HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_EINVAL);
        assert_non_null(strstr(hy_error_text(), "1 -> 2"));
        assert_int_equal(hy_view_version(hy_graph_now(G)), version);
        hy_batch_free(B);
    }
    assert_int_equal(((const double *)hy_live_values(L))[1], 1);
    const hy_sssp_opts nowhere[] = { { .source = 9 },
                                     { .weight = "y" },
                                     { .delta = -1 } };
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        hy_live *none = NULL;
        assert_int_equal(hy_live_sssp(G, &nowhere[i], &none), HY_EINVAL);
    }
    hy_live_detach(L);
    small_free(G);
}

/* Large enough for long queues and for hubs of many pages: random graphs of
 * thousands of vertices, changed by batches of all sizes. */
static void run_large(uint64_t seed)
{
    uint64_t rng = seed;
    const bool is_real = rng_chance(&rng, 50);
    const hy_column column = { "weight", is_real ? HY_F32 : HY_U32 };
    const hy_graph_opts opts = { .undirected = rng_chance(&rng, 50),
                                 .edge_columns = &column,
                                 .n_edge_columns = 1 };
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL, *hops = NULL;
    struct why why = { 0 };
    struct live_ask S = { .external = 0 };
    const uint64_t n = rng_range(&rng, 500, 6000);
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, n, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (unsigned step = 0; step < 12; step++) {
        const uint64_t lines =
            step == 0 ? 4 * n : (uint64_t)1 << rng_below(&rng, 13);
        hy_batch_clear(B);
        for (uint64_t i = 0; i < lines; i++) {
            const uint64_t u = rng_chance(&rng, 10) ? 1 : rng_below(&rng, n);
            const uint64_t v = rng_below(&rng, n);
            const uint32_t whole = (uint32_t)rng_below(&rng, 50);
            const float real = (float)whole * 0.1f;
            const void *w = is_real ? (const void *)&real : &whole;
            assert_int_equal(step && rng_chance(&rng, 40)
                                 ? hy_batch_delete_edge(B, u, v)
                                 : hy_batch_insert_edge(B, u, v, w),
                             HY_OK);
        }
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
        if (!L) {
            assert_int_equal(hy_live_sssp(G, NULL, &L), HY_OK);
            assert_int_equal(hy_live_bfs(G, NULL, &hops), HY_OK);
        }
        const char *text = "";
        if (!live_is_sssp(L, hy_graph_now(G), &S, &why) ||
            !hy_live_check(L, &text) || !hy_live_check(hops, &text))
            fail_msg("seed 0x%llx: %s%s", (unsigned long long)seed, why.text,
                     text);
    }
    hy_live_detach(L);
    hy_live_detach(hops);
    hy_batch_free(B);
    hy_graph_free(G);
}

static void sssp_follows_large_batches(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(60); i++)
        run_large(test_seed_at(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sssp_follows_histories),
        cmocka_unit_test(sssp_survives_emptying),
        cmocka_unit_test(sssp_of_one_batch_or_many),
        cmocka_unit_test(sssp_stays_when_commits_fail),
        cmocka_unit_test(sssp_repairs_without_memory),
        cmocka_unit_test(sssp_refuses_weights),
        cmocka_unit_test(sssp_follows_large_batches),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
