/* Core numbers, live: through all that a history can do. */
#include "support/live.h"
#include "support/small.h"

#include <hypha/kcore.h>

#include <stdlib.h>

static hy_status attach(hy_graph *G, void *arg, hy_live **out)
{
    (void)arg;
    return hy_live_kcore(G, out);
}

static bool compare(hy_live *L, const hy_view *V, void *arg, struct why *why)
{
    (void)arg;
    const hy_vid bound = hy_view_bound(V);
    const uint32_t *have = hy_live_values(L);
    uint32_t *want = calloc((size_t)bound + 1, sizeof *want);
    hy_kcore_info info;
    hy_live_info live;
    if (!want)
        abort();
    const hy_status status = hy_kcore(V, NULL, want, &info);
    bool ok = status == HY_OK || why_not(why, "hy_kcore failed");
    hy_live_info_get(L, &live);
    if (ok && live.total != info.max_core)
        ok = why_not(why, "the largest core is %u, not %u",
                     (unsigned)live.total, (unsigned)info.max_core);
    for (hy_vid u = 0; ok && u < bound; u++)
        if (have[u] != want[u])
            ok = why_not(why, "%u has core %u, not %u", (unsigned)u,
                         (unsigned)have[u], (unsigned)want[u]);
    free(want);
    return ok;
}

static const struct live_case kcore = { .attach = attach, .compare = compare };

static void kcore_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&kcore, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void kcore_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&kcore, test_scaled(60), 7, &counts);
}

static void kcore_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&kcore, test_scaled(300));
}

static void kcore_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&kcore, test_scaled(100));
}

/* Edges come and go at random between n vertices, near hubs more often: many
 * rise and fall, and labels of the order get close. */
static hy_edge draw_edge(uint64_t n, uint64_t *rng)
{
    const uint64_t low = 1 + rng_below(rng, n);
    const hy_edge e = { (hy_vid)rng_below(rng, rng_chance(rng, 50) ? low : n),
                        (hy_vid)rng_below(rng, low) };
    return e;
}

static void long_history(hy_ctx *ctx, uint64_t n, uint64_t m, uint64_t seed,
                         struct live_counts *counts)
{
    uint64_t rng = seed;
    const hy_graph_opts opts = { .undirected = rng_chance(&rng, 70) };
    struct why why = { "" };
    const char *text = "";
    hy_live_info info;
    hy_live *L;
    hy_graph *G = NULL;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, n, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_live_kcore(G, &L), HY_OK);
    for (unsigned step = 0; step < 600; step++) {
        const hy_view *V = hy_graph_now(G);
        const bool is_full = hy_view_edges(V) > m;
        hy_batch *B = small_batch(G);
        for (uint64_t i = rng_range(&rng, 1, 1 + m / 50); i > 0; i--) {
            const hy_edge e = draw_edge(n, &rng);
            assert_int_equal(hy_view_has_edge(V, e.u, e.v) && is_full
                                 ? hy_batch_delete_edge(B, e.u, e.v)
                                 : hy_batch_insert_edge(B, e.u, e.v, NULL),
                             HY_OK);
        }
        for (unsigned i = 0; is_full && i < 3; i++)
            assert_int_equal(hy_batch_delete_vertex(B, rng_below(&rng, n)),
                             HY_OK);
        for (uint64_t v = 0; v < n; v += 7)
            assert_int_equal(hy_batch_insert_vertex(B, v, NULL), HY_OK);
        small_commit(G, B);
        hy_live_info_get(L, &info);
        counts->repaired += info.how == HY_LIVE_REPAIRED;
        counts->recomputed += info.how == HY_LIVE_RECOMPUTED;
        if (!compare(L, hy_graph_now(G), NULL, &why))
            fail_msg("step %u: %s", step, why.text);
        if (!hy_live_check(L, &text))
            fail_msg("step %u: %s", step, text);
    }
    hy_live_detach(L);
    small_free(G);
}

static void kcore_follows_long_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    for (uint64_t h = 0; h < test_scaled(24); h++)
        long_history(test_ctx((unsigned)(h % TEST_CTXS)), 40 + h * 20,
                     h % 3 ? 400 + h * 150 : 200 + h * 40, test_seed_at(h),
                     &counts);
    assert_true(counts.repaired > counts.recomputed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kcore_follows_histories),
        cmocka_unit_test(kcore_survives_emptying),
        cmocka_unit_test(kcore_of_one_batch_or_many),
        cmocka_unit_test(kcore_stays_when_commits_fail),
        cmocka_unit_test(kcore_follows_long_histories),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
