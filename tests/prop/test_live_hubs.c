/* Triangles and clustering coefficients, live, where many edges change at a few
 * vertices at once: hubs that go, come back, or change half of their edges. */
#include "support/live_ask.h"
#include "support/small.h"

#include <hypha/lcc.h>

#include <stdlib.h>

enum { N = 600, EDGES = 4 * N, HUBS = 3, ROUNDS = 8 };

static hy_vid any(uint64_t *rng)
{
    return (hy_vid)rng_below(rng, N);
}

/* A hub has half of all vertices as neighbours, other hubs and itself too. */
static void join_hub(hy_batch *B, uint64_t *rng, hy_vid h)
{
    for (int i = 0; i < N / 2; i++)
        assert_int_equal(hy_batch_insert_edge(B, h, any(rng), NULL), HY_OK);
}

static void part_hub(hy_batch *B, const hy_view *V, hy_vid h, uint64_t *rng,
                     uint64_t of)
{
    hy_for_out_span (s, V, h)
        for (uint32_t i = 0; i < s.n; i++)
            if (rng_below(rng, of) == 0)
                assert_int_equal(hy_batch_delete_edge(B, h, s.v[i * s.step]),
                                 HY_OK);
}

static void draw_batch(hy_batch *B, const hy_view *V, uint64_t *rng)
{
    for (hy_vid h = 0; h < HUBS; h++) {
        const uint64_t what = rng_below(rng, 6);
        if (what == 0)
            assert_int_equal(hy_batch_delete_vertex(B, h), HY_OK);
        if (what == 0 && rng_below(rng, 2))
            assert_int_equal(hy_batch_insert_vertex(B, h, NULL), HY_OK);
        if (what == 1 || what == 2)
            part_hub(B, V, h, rng, what);
        if (what == 2 || what == 3)
            join_hub(B, rng, h);
    }
    for (uint64_t i = rng_below(rng, 64); i > 0; i--) {
        assert_int_equal(hy_batch_insert_edge(B, any(rng), any(rng), NULL),
                         HY_OK);
        assert_int_equal(hy_batch_delete_edge(B, any(rng), any(rng)), HY_OK);
    }
}

static bool is_lcc(hy_live *L, const hy_view *V, struct why *why)
{
    const double *const lcc = hy_live_values(L);
    double *const want = calloc((size_t)hy_view_bound(V) + 1, sizeof *want);
    bool is_right = want && hy_lcc(V, NULL, want, NULL) == HY_OK;
    for (hy_vid u = 0; is_right && u < hy_view_bound(V); u++)
        if (lcc[u] != want[u])
            is_right = why_not(why, "the coefficient of %u is %.17g, not %.17g",
                               (unsigned)u, lcc[u], want[u]);
    free(want);
    return is_right;
}

static void must_be_right(hy_live *L, bool is_right, const char *text)
{
    const char *why = text;
    if (!is_right || !hy_live_check(L, &why))
        fail_msg("%s: %s", hy_live_name(L), why);
}

static uint64_t repairs(hy_live *L)
{
    hy_live_info info;
    hy_live_info_get(L, &info);
    return info.how == HY_LIVE_REPAIRED;
}

/* Returns how many commits were repaired. */
static uint64_t follow(unsigned ctx, bool is_undirected, uint64_t rng)
{
    struct live_ask ask = { .device = NULL };
    const hy_graph_opts opts = { .undirected = is_undirected };
    hy_live *triangles = NULL, *lcc = NULL;
    hy_graph *G = NULL;
    uint64_t repaired = 0;
    assert_int_equal(hy_graph_new(test_ctx(ctx), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, 0, NULL, NULL), HY_OK);
    hy_batch *B = small_batch(G);
    for (int i = 0; i < EDGES; i++)
        assert_int_equal(hy_batch_insert_edge(B, any(&rng), any(&rng), NULL),
                         HY_OK);
    for (hy_vid h = 0; h < HUBS; h++)
        join_hub(B, &rng, h);
    (void)small_commit(G, B);
    assert_int_equal(live_ask_triangles(G, &ask, &triangles), HY_OK);
    assert_int_equal(hy_live_lcc(G, &lcc), HY_OK);
    for (int i = 0; i < ROUNDS; i++) {
        struct why why = { "" };
        B = small_batch(G);
        draw_batch(B, hy_graph_now(G), &rng);
        (void)small_commit(G, B);
        const hy_view *const V = hy_graph_now(G);
        must_be_right(triangles, live_is_triangles(triangles, V, &ask, &why),
                      why.text);
        must_be_right(lcc, is_lcc(lcc, V, &why), why.text);
        repaired += repairs(triangles) + repairs(lcc);
    }
    hy_live_detach(lcc);
    hy_live_detach(triangles);
    small_free(G);
    return repaired;
}

static void hubs_come_and_go(void **state)
{
    (void)state;
    uint64_t repaired = 0;
    for (uint64_t h = 0; h < test_scaled(60); h++)
        repaired +=
            follow((unsigned)(h / 2 % TEST_CTXS), h % 4 != 1, test_seed_at(h));
    assert_true(repaired > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hubs_come_and_go),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
