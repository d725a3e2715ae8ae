/* Advance and its frontier-less forms meet every edge once, whichever way
 * they go, and put what was put. */
#include "support/some_graph.h"

#include <hypha/ops.h>

#include <stdlib.h>
#include <string.h>

/* Sums over edges (u, v) of a number that no two share by chance. */
struct sums {
    const hy_view *V;
    const bool *in_frontier; /* NULL: all are */
    uint64_t sum, edges;     /* atomic in steps */
};

static uint64_t number(hy_vid u, hy_vid v)
{
    uint64_t x = (uint64_t)u << 32 | v;
    return rng_next(&x);
}

static void add(struct sums *S, uint64_t sum, uint64_t edges)
{
    (void)__atomic_fetch_add(&S->sum, sum, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&S->edges, edges, __ATOMIC_RELAXED);
}

static void span_par(void *arg, const hy_span *s)
{
    struct sums *S = arg;
    uint64_t sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += number(s->u, s->v[i * s->step]);
    add(S, sum, s->n);
}

static void range_par(void *arg, hy_scan *walk)
{
    while (hy_scan_next(walk)) {
        const hy_span s = walk->span;
        span_par(arg, &s);
    }
}

static void push_par(void *arg, const hy_span *s, hy_emit *emit)
{
    span_par(arg, s);
    for (size_t i = 0; i < s->n; i++)
        hy_emit_put(emit, s->v[i * s->step]);
}

static bool pull_par(void *arg, const hy_span *s, const uint64_t *from,
                     hy_emit *emit)
{
    struct sums *S = arg;
    uint64_t sum = 0, edges = 0;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid u = s->v[i * s->step];
        if (!hy_bit(from, u))
            continue;
        sum += number(u, s->u);
        edges++;
        hy_emit_put(emit, s->u);
    }
    add(S, sum, edges);
    return false;
}

/* What the sums must be, and in `heads` where edges of the frontier lead. */
static void expect(struct sums *S, bool *heads)
{
    for (hy_vid u = 0; u < hy_view_bound(S->V); u++) {
        if (S->in_frontier && !S->in_frontier[u])
            continue;
        hy_for_out_span (s, S->V, u)
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                S->sum += number(u, v);
                S->edges++;
                heads[v] = true;
            }
    }
}

static void all_edges(const hy_view *V, const struct sums *want)
{
    struct sums S = { .V = V };
    hy_each_span(V, span_par, &S);
    assert_int_equal(S.edges, want->edges);
    assert_int_equal(S.sum, want->sum);
    S = (struct sums){ .V = V };
    hy_each_range(V, range_par, &S);
    assert_int_equal(S.edges, want->edges);
    assert_int_equal(S.sum, want->sum);
}

static void advance(const hy_view *V, hy_frontier *F, hy_frontier *out,
                    const struct sums *want, const bool *heads)
{
    for (unsigned way = 0; way < 4; way++) {
        const hy_program P = { .push = push_par,
                               .pull = way & 1 ? pull_par : NULL };
        struct sums S = { .V = V };
        hy_advance(V, F, &P, &S, way & 2 ? out : NULL);
        assert_int_equal(S.edges, want->edges);
        assert_int_equal(S.sum, want->sum);
        uint64_t n = 0;
        for (hy_vid v = 0; v < hy_view_bound(V); v++) {
            n += heads[v];
            if (way & 2 && hy_frontier_has(out, v) != heads[v])
                fail_msg("vertex %u", v);
        }
        if (way & 2)
            assert_int_equal(hy_frontier_count(out), n);
    }
}

static void test_graph(hy_graph *G, uint64_t *rng)
{
    const hy_view *V = hy_graph_now(G);
    const hy_vid bound = hy_view_bound(V);
    bool *in = calloc(bound, sizeof *in), *heads = calloc(bound, sizeof *heads);
    hy_frontier *F, *out;
    assert_true(in && heads);
    assert_int_equal(hy_frontier_new(V, &F), HY_OK);
    assert_int_equal(hy_frontier_new(V, &out), HY_OK);
    struct sums all = { .V = V };
    expect(&all, heads);
    all_edges(V, &all);
    for (unsigned round = 0; round < 3; round++) {
        const unsigned percent = (unsigned)rng_below(rng, 101);
        hy_frontier_clear(F);
        memset(heads, 0, bound * sizeof *heads);
        for (hy_vid u = 0; u < bound; u++) {
            in[u] = hy_view_has_vertex(V, u) && rng_chance(rng, percent);
            if (in[u])
                hy_frontier_add(F, u);
        }
        struct sums want = { .V = V, .in_frontier = in };
        expect(&want, heads);
        advance(V, F, out, &want, heads);
    }
    hy_frontier_free(out);
    hy_frontier_free(F);
    free(heads);
    free(in);
}

static void edges_are_met_once(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1000); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        test_graph(G, &rng);
        hy_graph_free(G);
    }
}

/* With hubs that are cut, of one span and of many. */
static void edges_of_large_graphs_are_met_once(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(20); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 30000, 60000),
            .m = rng_range(&rng, 100000, 200000),
            .has_hub = true,
        };
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        test_graph(G, &rng);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_met_once),
        cmocka_unit_test(edges_of_large_graphs_are_met_once),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
