/* Streams of changes, replayed against a table of what is there. */
#include "support/fault.h"
#include "support/test.h"

#include <hypha/gen.h>

#include <stdlib.h>
#include <string.h>

/* ---- the model: a table of n x n -------------------------------------------
 */

struct table {
    uint64_t n, edges;
    bool *there;
    bool undirected;
};

static bool *cell(struct table *T, hy_vid u, hy_vid v)
{
    return &T->there[(uint64_t)u * T->n + v];
}

static struct table table_of(const hy_view *V)
{
    struct table T = { .n = hy_view_bound(V),
                       .edges = hy_view_edges(V),
                       .undirected = hy_view_is_undirected(V) };
    T.there = calloc(T.n * T.n, sizeof *T.there);
    assert_non_null(T.there);
    for (hy_vid u = 0; u < T.n; u++)
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n; i++)
                *cell(&T, u, s.v[i * s.step]) = true;
    return T;
}

static void apply(struct table *T, const hy_change *c)
{
    assert_true(c->u < T->n && c->v < T->n);
    assert_true(!T->undirected || c->u <= c->v);
    assert_true(c->is_deletion || c->u != c->v);
    assert_true(*cell(T, c->u, c->v) == c->is_deletion);
    *cell(T, c->u, c->v) = !c->is_deletion;
    if (T->undirected)
        *cell(T, c->v, c->u) = !c->is_deletion;
    T->edges += c->is_deletion ? UINT64_MAX : 1;
}

/* ---- graphs
 * ------------------------------------------------------------------ */

static hy_graph *graph(const hy_gen_opts *opts)
{
    hy_graph *G = NULL;
    assert_int_equal(hy_gen_graph(test_ctx(1), opts, &G), HY_OK);
    return G;
}

/* A graph with loops and deleted vertices, so that ids have gaps. */
static hy_graph *gappy_graph(bool directed)
{
    hy_graph *const G = graph(&(hy_gen_opts){
        .kind = HY_GEN_KRON, .n = 100, .degree = 4, .directed = directed });
    hy_batch *B = NULL;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (uint64_t u = 0; u < 100; u += 7) {
        assert_int_equal(hy_batch_delete_vertex(B, u), HY_OK);
        assert_int_equal(hy_batch_insert_edge(B, u + 1, u + 1, NULL), HY_OK);
    }
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
    return G;
}

static hy_gen_changes make(const hy_graph *G, const hy_gen_changes_opts *opts)
{
    hy_gen_changes C = { .ctx = NULL };
    const hy_status status =
        hy_gen_changes_make(test_ctx(1), hy_graph_now(G), opts, &C);
    if (status != HY_OK)
        fail_msg("%s", hy_error_text());
    assert_int_equal(C.n, opts->count);
    return C;
}

/* ---- validity
 * ----------------------------------------------------------------- */

static uint64_t replay(const hy_graph *G, const hy_gen_changes_opts *opts)
{
    hy_gen_changes C = make(G, opts);
    struct table T = table_of(hy_graph_now(G));
    for (uint64_t i = 0; i < C.n; i++) {
        apply(&T, &C.at[i]);
        assert_true(hy_view_has_vertex(hy_graph_now(G), C.at[i].u));
        assert_true(hy_view_has_vertex(hy_graph_now(G), C.at[i].v));
    }
    free(T.there);
    hy_gen_changes_fini(&C);
    return T.edges;
}

static void replay_all(const hy_graph *G, uint64_t absent)
{
    const uint64_t m = hy_view_edges(hy_graph_now(G));
    for (unsigned skewed = 0; skewed < 2; skewed++) {
        hy_gen_changes_opts o = { .seed = test_seed(), .skewed = skewed };
        o.kind = HY_GEN_INSERT;
        o.count = absent;
        assert_int_equal(replay(G, &o), m + absent);
        o.kind = HY_GEN_DELETE;
        o.count = m;
        assert_int_equal(replay(G, &o), 0);
        o.count = m / 2;
        assert_int_equal(replay(G, &o), m - m / 2);
        o.kind = HY_GEN_MIXED;
        o.count = 4 * m + 100;
        (void)replay(G, &o);
        o.inserts = 10;
        (void)replay(G, &o);
        o.kind = HY_GEN_WINDOW;
        (void)replay(G, &o);
        o.window = m / 2 + 1;
        assert_true(replay(G, &o) + 1 >= m / 2);
        o.window = m * 2;
        (void)replay(G, &o);
    }
}

static void changes_are_valid_until_all_is_used_up(void **state)
{
    (void)state;
    for (unsigned directed = 0; directed < 2; directed++) {
        hy_graph *const G = gappy_graph(directed);
        const uint64_t n = hy_view_vertices(hy_graph_now(G));
        uint64_t loops = 0;
        for (hy_vid u = 0; u < 100; u++)
            loops += hy_view_has_edge(hy_graph_now(G), u, u);
        assert_true(loops > 10);
        replay_all(G, (directed ? n * (n - 1) : n * (n - 1) / 2) -
                          (hy_view_edges(hy_graph_now(G)) - loops));
        hy_graph_free(G);
    }
    hy_graph *const full =
        graph(&(hy_gen_opts){ .kind = HY_GEN_COMPLETE, .n = 9 });
    replay_all(full, 0);
    hy_graph_free(full);
    hy_graph *const two = graph(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = 2 });
    replay_all(two, 0);
    hy_graph_free(two);
}

static void window_takes_the_oldest(void **state)
{
    hy_graph *const G = graph(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = 50 });
    hy_gen_changes C =
        make(G, &(hy_gen_changes_opts){ .kind = HY_GEN_WINDOW, .count = 400 });
    (void)state;
    /* Out and in by turns; after 49 turns what came goes, in that order. */
    for (uint64_t i = 0; i < C.n; i++)
        assert_true(C.at[i].is_deletion == (i % 2 == 0));
    for (uint64_t i = 98; i < C.n; i += 2) {
        const hy_change *const came = &C.at[i - 97];
        assert_true(C.at[i].u == came->u && C.at[i].v == came->v);
    }
    hy_gen_changes_fini(&C);
    hy_graph_free(G);
}

static void mixed_follows_its_ratio(void **state)
{
    hy_graph *const G = graph(&(hy_gen_opts){ .kind = HY_GEN_URAND });
    hy_gen_changes C =
        make(G, &(hy_gen_changes_opts){
                    .kind = HY_GEN_MIXED, .count = 10000, .inserts = 80 });
    uint64_t in = 0;
    (void)state;
    for (uint64_t i = 0; i < C.n; i++)
        in += !C.at[i].is_deletion;
    assert_true(in > 7800 && in < 8200);
    hy_gen_changes_fini(&C);
    hy_graph_free(G);
}

static uint64_t hub_lines(const hy_graph *G, hy_gen_stream kind, bool skewed)
{
    hy_gen_changes C =
        make(G, &(hy_gen_changes_opts){
                    .kind = kind, .count = 5000, .skewed = skewed });
    const hy_view *const V = hy_graph_now(G);
    uint64_t lines = 0;
    for (uint64_t i = 0; i < C.n; i++)
        lines += hy_view_degree(V, C.at[i].u) > 300 ||
                 hy_view_degree(V, C.at[i].v) > 300;
    hy_gen_changes_fini(&C);
    return lines;
}

static void skewed_changes_are_at_hubs(void **state)
{
    hy_graph *const G = graph(&(hy_gen_opts){ .kind = HY_GEN_KRON });
    (void)state;
    assert_true(hub_lines(G, HY_GEN_INSERT, true) >
                5 * hub_lines(G, HY_GEN_INSERT, false));
    assert_true(hub_lines(G, HY_GEN_DELETE, true) >
                hub_lines(G, HY_GEN_DELETE, false) + 200);
    hy_graph_free(G);
}

static void repeats_do_not_look(void **state)
{
    hy_graph *const G = graph(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = 3 });
    (void)state;
    for (unsigned k = 0; k <= HY_GEN_WINDOW; k++) {
        hy_gen_changes C =
            make(G, &(hy_gen_changes_opts){ .kind = (hy_gen_stream)k,
                                            .count = 1000,
                                            .repeats = true,
                                            .skewed = k % 2 });
        for (uint64_t i = 0; i < C.n; i++) {
            assert_true(C.at[i].u < C.at[i].v && C.at[i].v < 3);
            assert_true(k != HY_GEN_DELETE || C.at[i].is_deletion);
            assert_true(k != HY_GEN_INSERT || !C.at[i].is_deletion);
        }
        hy_gen_changes_fini(&C);
    }
    hy_graph_free(G);
}

static void weights_are_of_insertions(void **state)
{
    hy_graph *const G =
        graph(&(hy_gen_opts){ .kind = HY_GEN_URAND, .scale = 8 });
    hy_gen_changes C =
        make(G, &(hy_gen_changes_opts){
                    .kind = HY_GEN_MIXED, .count = 1000, .weights = 7 });
    (void)state;
    for (uint64_t i = 0; i < C.n; i++)
        assert_true(C.at[i].is_deletion
                        ? C.at[i].weight == 0
                        : C.at[i].weight >= 1 && C.at[i].weight <= 7);
    hy_gen_changes_fini(&C);
    hy_graph_free(G);
}

/* ---- the same everywhere
 * --------------------------------------------------------- */

static uint64_t checksum(hy_ctx *ctx, const hy_view *V,
                         const hy_gen_changes_opts *opts)
{
    hy_gen_changes C;
    assert_int_equal(hy_gen_changes_make(ctx, V, opts, &C), HY_OK);
    uint64_t h = C.n;
    for (uint64_t i = 0; i < C.n; i++) {
        h = h * 0x100000001b3u ^ C.at[i].u;
        h = h * 0x100000001b3u ^ C.at[i].v;
        h = h * 0x100000001b3u ^ (uint32_t)C.at[i].weight;
        h = h * 0x100000001b3u ^ C.at[i].is_deletion;
    }
    hy_gen_changes_fini(&C);
    return h;
}

static void changes_are_the_same_everywhere(void **state)
{
    static const uint64_t expected[] = {
        0x46a870bdc3c952bf, 0x7a349d24bcdadd0d, 0xfd69fc033daaa953,
        0xb63ce885f4987bef, 0x5343deff9c2c9a75, 0xafdd20d4819303e7,
        0xf4f076a1c53903b2, 0xd7367b8dbbac5c67
    };
    hy_graph *const G =
        graph(&(hy_gen_opts){ .kind = HY_GEN_KRON, .scale = 8, .seed = 42 });
    const hy_view *const V = hy_graph_now(G);
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        const hy_gen_changes_opts o = { .kind = (hy_gen_stream)(i % 4),
                                        .count = 500,
                                        .seed = 42,
                                        .skewed = i / 4,
                                        .weights = 100 };
        const uint64_t have = checksum(test_ctx(0), V, &o);
        assert_true(checksum(test_ctx(1), V, &o) == have);
        assert_true(checksum(test_ctx(2), V, &o) == have);
        if (have != expected[i])
            fail_msg("%u: 0x%016llx", i, (unsigned long long)have);
    }
    hy_graph_free(G);
}

/* ---- errors
 * ------------------------------------------------------------------------ */

static void must_fail(const hy_graph *G, hy_gen_changes_opts opts)
{
    hy_gen_changes C = { .n = 77 };
    assert_int_equal(
        hy_gen_changes_make(test_ctx(0), hy_graph_now(G), &opts, &C),
        HY_EINVAL);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(C.n, 77);
}

static void impossible_streams_are_refused(void **state)
{
    hy_graph *const G = graph(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = 4 });
    hy_graph *const one = graph(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = 1 });
    (void)state;
    must_fail(G, (hy_gen_changes_opts){ .kind = HY_GEN_INSERT, .count = 4 });
    must_fail(G, (hy_gen_changes_opts){ .kind = HY_GEN_DELETE, .count = 4 });
    must_fail(G, (hy_gen_changes_opts){ .kind = (hy_gen_stream)9 });
    must_fail(G, (hy_gen_changes_opts){ .kind = HY_GEN_MIXED, .inserts = 101 });
    must_fail(G, (hy_gen_changes_opts){ .weights = UINT32_MAX });
    for (unsigned k = 0; k <= HY_GEN_WINDOW; k++) {
        hy_gen_changes_opts o = { .kind = (hy_gen_stream)k, .count = 1 };
        must_fail(one, o);
        o.repeats = true;
        must_fail(one, o);
        o.count = 0;
        hy_gen_changes C = make(one, &o);
        hy_gen_changes_fini(&C);
    }
    hy_graph_free(G);
    hy_graph_free(one);
}

/* ---- memory
 * ------------------------------------------------------------------------- */

/* Each allocation of the call fails once; in the end nothing is left. */
static void must_survive(hy_ctx *ctx, struct fault *f,
                         hy_status (*call)(hy_ctx *ctx, const void *arg),
                         const void *arg)
{
    const uint64_t before = hy_ctx_bytes(ctx);
    for (uint64_t k = 1;; k++) {
        fault_arm(f, k);
        const hy_status status = call(ctx, arg);
        const bool is_hit = fault_disarm(f);
        assert_true(status == HY_OK || (status == HY_ENOMEM && is_hit));
        assert_true(status == HY_OK || hy_error_text()[0]);
        assert_int_equal(hy_ctx_bytes(ctx), before);
        if (!is_hit)
            break;
    }
}

static hy_status call_make(hy_ctx *ctx, const void *arg)
{
    hy_gen_list L = { .ctx = NULL };
    const hy_status status = hy_gen_make(ctx, arg, &L);
    assert_true(status == HY_OK || !L.ctx);
    hy_gen_list_fini(&L);
    return status;
}

static hy_status call_graph(hy_ctx *ctx, const void *arg)
{
    hy_graph *G = NULL;
    const hy_status status = hy_gen_graph(ctx, arg, &G);
    assert_true(status == HY_OK || !G);
    hy_graph_free(G);
    return status;
}

struct changes_call {
    const hy_view *V;
    hy_gen_changes_opts opts;
};

static hy_status call_changes(hy_ctx *ctx, const void *arg)
{
    const struct changes_call *const c = arg;
    hy_gen_changes C = { .ctx = NULL };
    const hy_status status = hy_gen_changes_make(ctx, c->V, &c->opts, &C);
    assert_true(status == HY_OK || !C.ctx);
    hy_gen_changes_fini(&C);
    return status;
}

static void no_memory_leaves_nothing_behind(void **state)
{
    struct fault f = { .is_lasting = false };
    const hy_ctx_opts opts = { .threads = 2,
                               .may_alloc = fault_may_alloc,
                               .user = &f };
    hy_ctx *ctx = NULL;
    hy_graph *G = NULL;
    (void)state;
    assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
    for (unsigned i = 0; i < 2 * HY_GEN_KINDS; i++) {
        const hy_gen_opts o = { .kind = (hy_gen_kind)(i / 2),
                                .n = 64,
                                .weights = 5,
                                .degree = i % 2 ? 4 : 40,
                                .probability = 0.5 };
        must_survive(ctx, &f, call_make, &o);
        must_survive(ctx, &f, call_graph, &o);
    }
    assert_int_equal(
        hy_gen_graph(ctx, &(hy_gen_opts){ .kind = HY_GEN_KRON, .n = 64 }, &G),
        HY_OK);
    for (unsigned i = 0; i < 8; i++) {
        const struct changes_call c = {
            hy_graph_now(G),
            { .kind = (hy_gen_stream)(i % 4), .count = 50, .skewed = i / 4 }
        };
        must_survive(ctx, &f, call_changes, &c);
    }
    hy_graph_free(G);
    assert_int_equal(hy_ctx_bytes(ctx), 0);
    hy_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_valid_until_all_is_used_up),
        cmocka_unit_test(window_takes_the_oldest),
        cmocka_unit_test(mixed_follows_its_ratio),
        cmocka_unit_test(skewed_changes_are_at_hubs),
        cmocka_unit_test(repeats_do_not_look),
        cmocka_unit_test(weights_are_of_insertions),
        cmocka_unit_test(changes_are_the_same_everywhere),
        cmocka_unit_test(impossible_streams_are_refused),
        cmocka_unit_test(no_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
