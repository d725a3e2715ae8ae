/* Operators with a user's step, in both shapes, beside plain loops. */
#include "support/some_graph.h"

#include <hypha/hypha.h>

#include <stdlib.h>
#include <string.h>

/* Skips the test if there is none but the host. */
static hy_device *open_first(hy_ctx *ctx, bool wants_singles)
{
    const hy_device_opts opts = { .wants_singles = wants_singles };
    uint32_t n = 0;
    hy_device *D = NULL;
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    if (n < 2)
        skip();
    assert_int_equal(hy_device_open(ctx, "1", &opts, &D), HY_OK);
    return D;
}

static void *room(size_t n, size_t size)
{
    void *const x = calloc(n + 1, size);
    if (!x)
        abort();
    return x;
}

static void must_run(hy_device *D, const hy_view *V, const hy_step *step)
{
    if (hy_device_run(D, V, step) != HY_OK)
        fail_msg("%s", hy_error_text());
}

/* ---- advance ------------------------------------------------------------- */

static const char reach_text[] =
    "int reach(u32 u, u32 v, f64 w, GLOBAL u32 *depth, u32 d)"
    "{ return ATOMIC_CAS(&depth[v], 0xffffffffu, d) == 0xffffffffu; }";

static uint64_t downloaded(const hy_device *D)
{
    hy_device_stats stats;
    hy_device_stats_get(D, &stats);
    return stats.downloaded;
}

/* Levels of a search, each an advance: the host's depths, which stay there
 * level after level and come here once. */
static void search(hy_device *D, const hy_view *V, hy_vid source)
{
    const size_t n = hy_view_bound(V);
    uint32_t *const right = room(n, sizeof *right);
    hy_vid *const F = room(n, sizeof *F);
    uint64_t n_F = 1, reached = 1;
    hy_array *depth = NULL;
    void *at = NULL;
    const void *found = NULL;
    hy_bfs_info info;
    const hy_bfs_opts opts = { .source = source };
    assert_int_equal(hy_bfs(V, &opts, right, NULL, &info), HY_OK);
    assert_int_equal(hy_array_new(D, HY_U32, n, &depth), HY_OK);
    assert_int_equal(hy_array_write(depth, 0, n, &at), HY_OK);
    memset(at, 0xff, n * sizeof *right);
    ((uint32_t *)at)[source] = 0;
    F[0] = source;
    for (uint32_t d = 1; n_F; d++) {
        const hy_step_arg args[] = { { .array = depth },
                                     { .type = HY_U32, .input = &d } };
        const hy_step step = { .name = "reach",
                               .source = reach_text,
                               .over = HY_STEP_ADVANCE,
                               .args = args,
                               .n_args = 2,
                               .from = F,
                               .n_from = n_F,
                               .to = F,
                               .n_to = &n_F };
        must_run(D, V, &step);
        reached += n_F;
    }
    const uint64_t before = downloaded(D);
    assert_int_equal(hy_array_read(depth, &found), HY_OK);
    assert_int_equal(hy_array_read(depth, &found), HY_OK);
    assert_int_equal(downloaded(D) - before,
                     hy_view_degree(V, source) ? n * sizeof *right : 0);
    assert_memory_equal(found, right, n * sizeof *right);
    assert_int_equal(reached, info.reached);
    hy_array_free(depth);
    free(right);
    free(F);
}

/* Every neighbour of all vertices, once, though many edges lead there. */
static void advance_from_all(hy_device *D, const hy_view *V)
{
    const size_t n = hy_view_bound(V);
    hy_vid *const F = room(n, sizeof *F);
    uint8_t *const seen = room(n, 1);
    uint64_t n_F = 0, right = 0;
    const hy_step step = { .name = "any",
                           .source = "int any(u32 u, u32 v, f64 w)"
                                     "{ return 1; }",
                           .over = HY_STEP_ADVANCE,
                           .to = F,
                           .n_to = &n_F };
    must_run(D, V, &step);
    for (hy_vid u = 0; u < n; u++)
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n; i++) {
                right += !seen[s.v[i * s.step]];
                seen[s.v[i * s.step]] = 1;
            }
    assert_int_equal(n_F, right);
    for (uint64_t i = 0; i < n_F; i++) {
        assert_int_equal(seen[F[i]], 1);
        seen[F[i]] = 2;
    }
    free(F);
    free(seen);
}

/* ---- without frontiers --------------------------------------------------- */

static void count_in(hy_device *D, const hy_view *V, hy_step_over over)
{
    const size_t n = hy_view_bound(V);
    uint32_t *const in = room(n, sizeof *in);
    const hy_step_arg args[] = { { .type = HY_U32, .n = n, .result = in } };
    const hy_step step = { .name = "count",
                           .source = "void count(u32 u, u32 v, f64 w, "
                                     "GLOBAL u32 *in)"
                                     "{ ATOMIC_ADD(&in[v], 1); }",
                           .over = over,
                           .args = args,
                           .n_args = 1 };
    must_run(D, V, &step);
    for (hy_vid u = 0; u < n; u++)
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n; i++)
                in[s.v[i * s.step]]--;
    for (hy_vid u = 0; u < n; u++)
        assert_int_equal(in[u], 0);
    free(in);
}

static void unite(hy_device *D, const hy_view *V)
{
    const size_t n = hy_view_bound(V);
    uint32_t *const p = room(n, sizeof *p);
    hy_vid *const label = room(n, sizeof *label);
    for (hy_vid u = 0; u < n; u++)
        p[u] = u;
    const hy_step_arg args[] = {
        { .type = HY_U32, .n = n, .input = p, .result = p }
    };
    const hy_step join = { .name = "join",
                           .source = "void join(u32 u, u32 v, f64 w, "
                                     "GLOBAL u32 *p) { sets_unite(p, u, v); }",
                           .over = HY_STEP_EDGES_BALANCED,
                           .args = args,
                           .n_args = 1 };
    const hy_step press = { .name = "press",
                            .source = "void press(u32 u, GLOBAL u32 *p)"
                                      "{ sets_compress(p, u); }",
                            .over = HY_STEP_VERTICES,
                            .args = args,
                            .n_args = 1 };
    must_run(D, V, &join);
    must_run(D, V, &press);
    assert_int_equal(hy_wcc(V, NULL, label, NULL), HY_OK);
    for (hy_vid u = 0; u < n; u++)
        if (label[u] != HY_NONE)
            assert_int_equal(p[u], label[u]);
    free(p);
    free(label);
}

/* ---- filter and intersect ------------------------------------------------ */

static void filter(hy_device *D, const hy_view *V, uint64_t *rng)
{
    const size_t n = hy_view_bound(V);
    hy_vid *const F = room(2 * n, sizeof *F), *const to = room(n, sizeof *to);
    uint8_t *const wanted = room(n, 1);
    uint64_t n_to = 0, right = 0;
    uint32_t by = (uint32_t)rng_range(rng, 2, 5);
    const hy_step_arg args[] = { { .type = HY_U32, .input = &by } };
    for (size_t i = 0; i < 2 * n; i++) {
        F[i] = (hy_vid)rng_below(rng, n);
        wanted[F[i]] = hy_view_has_vertex(V, F[i]) && F[i] % by == 0;
    }
    hy_step step = { .name = "fits",
                     .source = "int fits(u32 u, u32 by)"
                               "{ return u % by == 0; }",
                     .over = HY_STEP_FILTER,
                     .args = args,
                     .n_args = 1,
                     .from = F,
                     .n_from = 2 * n,
                     .to = to,
                     .n_to = &n_to };
    must_run(D, V, &step);
    for (size_t u = 0; u < n; u++)
        right += wanted[u];
    assert_int_equal(n_to, right);
    for (uint64_t i = 0; i < n_to; i++) {
        assert_int_equal(wanted[to[i]], 1);
        wanted[to[i]] = 0;
    }
    step.n_from = 0;
    must_run(D, V, &step);
    assert_int_equal(n_to, 0);
    F[0] = (hy_vid)n;
    step.n_from = 1;
    assert_int_equal(hy_device_run(D, V, &step), HY_EINVAL);
    free(F);
    free(to);
    free(wanted);
}

static void intersect(hy_device *D, const hy_view *V, uint64_t *rng)
{
    enum { PAIRS = 300 };
    const size_t n = hy_view_bound(V);
    hy_edge pairs[PAIRS];
    uint32_t *const found = room(n, sizeof *found);
    const hy_step_arg args[] = { { .type = HY_U32, .n = n, .result = found } };
    for (int i = 0; i < PAIRS; i++)
        pairs[i] = (hy_edge){ (hy_vid)rng_below(rng, n),
                              (hy_vid)rng_below(rng, i % 3 ? 3 : n) };
    const hy_step step = { .name = "meet",
                           .source = "void meet(u32 u, u32 v, u32 x, "
                                     "GLOBAL u32 *found)"
                                     "{ ATOMIC_ADD(&found[x], u + 2 * v); }",
                           .over = HY_STEP_INTERSECT,
                           .args = args,
                           .n_args = 1,
                           .pairs = pairs,
                           .n_pairs = PAIRS };
    must_run(D, V, &step);
    for (int i = 0; i < PAIRS; i++)
        hy_for_out_span (s, V, pairs[i].u)
            for (uint32_t k = 0; k < s.n; k++)
                if (hy_view_has_edge(V, pairs[i].v, s.v[k * s.step]))
                    found[s.v[k * s.step]] -= pairs[i].u + 2 * pairs[i].v;
    for (hy_vid u = 0; u < n; u++)
        assert_int_equal(found[u], 0);
    free(found);
}

static void in_shape(bool wants_singles)
{
    hy_ctx *const ctx = test_ctx(1);
    hy_device *const D = open_first(ctx, wants_singles);
    /* under simulators, which ask for little effort, graphs are tiny */
    const hy_vid most = test_scaled(100) < 20 ? 40 : 3000;
    for (uint64_t i = 0, m = test_scaled(10); i < m; i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = { .n = (hy_vid)rng_range(&rng, 4, most),
                                        .m = rng_below(&rng, 3 * most),
                                        .has_hub = i % 2 };
        hy_graph *const G = some_graph(ctx, &how, rng_next(&rng));
        const hy_view *const V = hy_graph_now(G);
        const hy_vid source = some_vertex(V, &rng);
        if (source != HY_NONE)
            search(D, V, source);
        advance_from_all(D, V);
        count_in(D, V, HY_STEP_EDGES);
        count_in(D, V, HY_STEP_EDGES_BALANCED);
        unite(D, V);
        filter(D, V, &rng);
        intersect(D, V, &rng);
        hy_graph_free(G);
    }
    hy_device_close(D);
}

static void steps_in_chunks(void **state)
{
    (void)state;
    in_shape(false);
}

static void steps_one_by_one(void **state)
{
    (void)state;
    in_shape(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_in_chunks),
        cmocka_unit_test(steps_one_by_one),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
