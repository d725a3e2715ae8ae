/* Every public call with its k-th allocation failing, k = 1, 2, ... until it
 * succeeds: each failure is HY_ENOMEM, changes nothing, and can be retried;
 * in the end nothing is left behind. */
#include "support/fault.h"
#include "support/test.h"

/* ---- a call under test ------------------------------------------------ */

enum { HELD = 2 };

/* What a call works on. */
struct bed {
    struct fault fault;
    hy_ctx *ctx;
    struct trial T;
    const hy_view *held[HELD];
    struct model *held_model[HELD];
    const hy_view *V; /* acquired by the call */
    hy_graph *G;      /* made by the call */
    hy_batch *B;      /* made by the call */
    hy_delta delta;
    hy_edge edges[2000];
    hy_pair pairs[2000];
    uint64_t offsets[101];
    hy_vid targets[400];
};

struct scenario {
    const char *name;
    hy_graph_opts opts;
    unsigned edge_kind;
    bool (*prepare)(struct bed *b); /* nothing fails here */
    hy_status (*call)(struct bed *b);
    bool (*after)(struct bed *b); /* NULL, or what a success must have done */
};

static bool is_unmoved(struct bed *b)
{
    for (size_t i = 0; i < HELD; i++)
        if (b->held[i] &&
            !model_compare(b->held_model[i], b->held[i], &b->T.why))
            return why_not(&b->T.why, "a view moved");
    return trial_compare(&b->T);
}

static void release_all(struct bed *b)
{
    for (size_t i = 0; i < HELD; i++) {
        hy_view_release(b->held[i]);
        model_free(b->held_model[i]);
    }
    hy_view_release(b->V);
    hy_batch_free(b->B);
    hy_graph_free(b->G);
    trial_fini(&b->T);
}

static void bed_init(struct bed *b, const struct scenario *s, uint32_t threads,
                     bool is_lasting)
{
    *b = (struct bed){ .fault = { .is_lasting = is_lasting } };
    const hy_ctx_opts ctx_opts = { .threads = threads,
                                   .may_alloc = fault_may_alloc,
                                   .user = &b->fault };
    hy_graph_opts opts = s->opts;
    opts.reserve = (uint64_t)64 << 20;
    shape_edge_columns(&opts, s->edge_kind);
    assert_int_equal(hy_ctx_new(&ctx_opts, &b->ctx), HY_OK);
    must(&b->T, trial_init(&b->T, b->ctx, &opts, test_seed()), test_seed());
}

/* Runs the call with its k-th allocation failing; false if none did. */
static bool run_once(struct bed *b, const struct scenario *s, uint64_t k)
{
    must(&b->T, s->prepare(b), test_seed());
    fault_arm(&b->fault, k);
    hy_status status = s->call(b);
    const bool is_hit = fault_disarm(&b->fault);
    if (status != HY_OK) {
        if (status != HY_ENOMEM || !is_hit)
            fail_msg("%s, allocation %llu: %s: %s", s->name,
                     (unsigned long long)k, hy_status_text(status),
                     hy_error_text());
        assert_string_not_equal(hy_error_text(), "");
        must(&b->T, is_unmoved(b), test_seed());
        status = s->call(b);
    }
    if (status != HY_OK)
        fail_msg("%s again: %s", s->name, hy_error_text());
    must(&b->T, !s->after || s->after(b), test_seed());
    must(&b->T, is_unmoved(b), test_seed());
    return is_hit;
}

static void run_all(const struct scenario *s, uint32_t threads, bool is_lasting)
{
    enum { ENDLESS = 10000 };
    bool is_hit = true;
    uint64_t k = 0;
    while (is_hit && k < ENDLESS) {
        struct bed b;
        bed_init(&b, s, threads, is_lasting);
        is_hit = run_once(&b, s, ++k);
        release_all(&b);
        if (hy_ctx_bytes(b.ctx) != 0)
            fail_msg("%s, allocation %llu: %llu bytes are left", s->name,
                     (unsigned long long)k,
                     (unsigned long long)hy_ctx_bytes(b.ctx));
        hy_ctx_free(b.ctx);
    }
    assert_true(k < ENDLESS);
}

static void run(const struct scenario *s)
{
    run_all(s, 1, false);
    run_all(s, 1, true);
    run_all(s, 2, false);
}

/* ---- making ----------------------------------------------------------- */

static void ctx_new_fails_cleanly(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        hy_status status = HY_ENOMEM;
        for (uint64_t k = 1; status != HY_OK; k++) {
            struct fault fault = { 0 };
            const hy_ctx_opts opts = { threads, fault_may_alloc, &fault };
            hy_ctx *ctx = NULL;
            fault_arm(&fault, k);
            status = hy_ctx_new(&opts, &ctx);
            assert_true(status == HY_OK || status == HY_ENOMEM);
            assert_true((status == HY_OK) == (ctx != NULL));
            assert_true(status == HY_OK || fault_disarm(&fault));
            hy_ctx_free(ctx);
        }
    }
}

static bool prepare_nothing(struct bed *b)
{
    (void)b;
    return true;
}

static hy_status call_graph_new(struct bed *b)
{
    const hy_status status = hy_graph_new(b->ctx, &b->T.opts, &b->G);
    return status == HY_OK || !b->G ? status : HY_EBUG;
}

static void graph_new_fails_cleanly(void **state)
{
    const struct scenario dense = { .name = "graph_new",
                                    .opts = { .reverse = true },
                                    .edge_kind = 3,
                                    .prepare = prepare_nothing,
                                    .call = call_graph_new };
    struct scenario mapped = dense;
    mapped.opts.ids = HY_IDS_MAPPED;
    (void)state;
    run(&dense);
    run(&mapped);
}

static bool prepare_loaded(struct bed *b)
{
    return trial_load(&b->T, TRIAL_EDGES, 100, 600);
}

static hy_status call_batch_new(struct bed *b)
{
    const hy_status status = hy_batch_new(b->T.G, &b->B);
    return status == HY_OK || !b->B ? status : HY_EBUG;
}

static void batch_new_fails_cleanly(void **state)
{
    const struct scenario s = { .name = "batch_new",
                                .prepare = prepare_loaded,
                                .call = call_batch_new };
    (void)state;
    run(&s);
}

/* ---- lines ------------------------------------------------------------ */

static bool prepare_lines(struct bed *b)
{
    const struct mix mix = { .ids = 100,
                             .kinds = { 10, 5, 5, 2, 1 },
                             .any = 0 };
    if (!prepare_loaded(b))
        return false;
    hy_batch_clear(b->T.B);
    b->T.lines.n = 0;
    generate(&b->T.lines, b->T.M, &mix, 600, &b->T.rng);
    return true;
}

/* Goes on with the first line that is not in the batch. */
static hy_status call_lines(struct bed *b)
{
    for (;;) {
        const uint64_t at = hy_batch_lines(b->T.B);
        if (at == b->T.lines.n)
            return HY_OK;
        const hy_status status = line_put(&b->T.lines.at[at], b->T.B);
        if (status != HY_OK)
            return hy_batch_lines(b->T.B) == at ? status : HY_EBUG;
    }
}

static hy_status call_many_lines(struct bed *b)
{
    const uint64_t n = sizeof b->edges / sizeof *b->edges;
    const uint64_t at = hy_batch_lines(b->T.B);
    const hy_status status =
        at < n ? hy_batch_insert_edges(b->T.B, n, b->edges, NULL)
               : hy_batch_delete_edges(b->T.B, n, b->edges);
    if (status != HY_OK)
        return hy_batch_lines(b->T.B) == at ? status : HY_EBUG;
    return hy_batch_lines(b->T.B) < 2 * n ? call_many_lines(b) : HY_OK;
}

static hy_status call_commit(struct bed *b)
{
    return hy_graph_commit(b->T.G, b->T.B, &b->delta);
}

static bool after_commit(struct bed *b)
{
    return trial_confirm(&b->T, &b->delta);
}

static bool after_lines(struct bed *b)
{
    const hy_status status = call_commit(b);
    return status == HY_OK ? after_commit(b)
                           : why_not(&b->T.why, "%s", hy_error_text());
}

static void batch_lines_fail_cleanly(void **state)
{
    struct scenario s = { .name = "batch lines",
                          .edge_kind = 3,
                          .prepare = prepare_lines,
                          .call = call_lines,
                          .after = after_lines };
    (void)state;
    run(&s);
    s.name = "batch of many lines";
    s.call = call_many_lines;
    s.after = NULL;
    run(&s);
}

/* ---- loading ---------------------------------------------------------- */

/* Edges for all ways to load; the same lines for the model. */
static bool prepare_load(struct bed *b)
{
    struct trial *T = &b->T;
    uint64_t at = 0;
    for (hy_vid u = 0; u < 100; u++) {
        lines_vertex(&T->lines, LINE_INSERT_VERTEX, u);
        b->offsets[u] = at;
        for (hy_vid j = 0; j < 4; j++) {
            b->targets[at] = (u + j * j) % 100;
            b->edges[at] = (hy_edge){ u, b->targets[at] };
            b->pairs[at] = (hy_pair){ u, b->targets[at] };
            at++;
        }
    }
    b->offsets[100] = at;
    for (uint64_t i = 0; i < at; i++)
        lines_edge(&T->lines, LINE_INSERT_EDGE, b->edges[i].u, b->edges[i].v);
    return true;
}

static hy_status call_load_edges(struct bed *b)
{
    return hy_graph_load_edges(b->T.G, 100, 400, b->edges, NULL);
}

static hy_status call_load_csr(struct bed *b)
{
    return hy_graph_load_csr(b->T.G, 100, b->offsets, b->targets, NULL);
}

static hy_status call_load_pairs(struct bed *b)
{
    return hy_graph_load_pairs(b->T.G, 400, b->pairs, NULL);
}

static hy_status call_load_named(struct bed *b)
{
    uint64_t external[100];
    for (uint64_t i = 0; i < 100; i++)
        external[i] = i;
    return hy_graph_load_named(b->T.G, 100, external, 400, b->edges, NULL);
}

static bool after_load(struct bed *b)
{
    hy_counts counts;
    return model_apply(b->T.M, &b->T.lines, &counts) == HY_OK &&
           model_learn(b->T.M, hy_graph_now(b->T.G), &b->T.why);
}

static void loads_fail_cleanly(void **state)
{
    struct scenario s = { .name = "load_edges",
                          .opts = { .undirected = true },
                          .edge_kind = 2,
                          .prepare = prepare_load,
                          .call = call_load_edges,
                          .after = after_load };
    (void)state;
    run(&s);
    s.name = "load_csr";
    s.opts = (hy_graph_opts){ .reverse = true };
    s.call = call_load_csr;
    run(&s);
    s.name = "load_pairs";
    s.opts.ids = HY_IDS_MAPPED;
    s.call = call_load_pairs;
    run(&s);
    s.name = "load_named";
    s.call = call_load_named;
    run(&s);
}

/* ---- committing ------------------------------------------------------- */

static bool fill(struct bed *b, size_t n, struct mix mix)
{
    struct trial *T = &b->T;
    T->lines.n = 0;
    generate(&T->lines, T->M, &mix, n, &T->rng);
    return trial_fill(T) == HY_OK;
}

static bool prepare_small(struct bed *b)
{
    const struct mix mix = { .ids = 100, .kinds = { 6, 3, 2, 0, 0 } };
    return prepare_loaded(b) && fill(b, 12, mix);
}

static bool prepare_vertices(struct bed *b)
{
    const struct mix mix = { .ids = 100, .kinds = { 6, 3, 2, 3, 3 } };
    if (!prepare_loaded(b) || !fill(b, 300, mix))
        return false;
    /* Past the last one, so that the vertex table grows. */
    lines_vertex(&b->T.lines, LINE_INSERT_VERTEX, 3000);
    return trial_fill(&b->T) == HY_OK;
}

static bool prepare_new_ids(struct bed *b)
{
    const struct mix mix = { .ids = 5000, .kinds = { 9, 1, 1, 1, 1 } };
    return prepare_loaded(b) && fill(b, 3000, mix);
}

static bool prepare_large(struct bed *b)
{
    const struct mix mix = { .ids = 3000, .kinds = { 9, 1, 1, 0, 0 } };
    return trial_load(&b->T, TRIAL_EDGES, 3000, 6000) && fill(b, 20000, mix);
}

static bool prepare_hub(struct bed *b)
{
    const struct mix mix = {
        .ids = 5000, .hubs = 1, .at_hub = 100, .kinds = { 9, 1, 1, 0, 0 }
    };
    return trial_load(&b->T, TRIAL_EDGES, 5000, 100) && fill(b, 3000, mix);
}

/* A hub that is there loses most of its pages. */
static bool prepare_shrinking_hub(struct bed *b)
{
    if (!prepare_hub(b) || !trial_commit(&b->T))
        return false;
    b->T.lines.n = 0;
    for (uint64_t v = 100; v < 4900; v++)
        lines_edge(&b->T.lines, LINE_DELETE_EDGE, 0, v);
    return trial_fill(&b->T) == HY_OK;
}

static bool hold(struct bed *b, size_t i)
{
    b->held_model[i] = model_copy(b->T.M);
    return hy_view_acquire(b->T.G, &b->held[i]) == HY_OK;
}

static bool prepare_views(struct bed *b)
{
    const struct mix mix = { .ids = 100, .kinds = { 6, 3, 2, 2, 1 } };
    return prepare_loaded(b) && hold(b, 0) && fill(b, 100, mix) &&
           trial_commit(&b->T) && hold(b, 1) && fill(b, 100, mix);
}

/* The last edges go, so that the graph compacts by itself. */
static bool prepare_shrink(struct bed *b)
{
    if (!trial_load(&b->T, TRIAL_EDGES, 100, 9000))
        return false;
    for (size_t i = 0; i < b->T.lines.n; i++)
        if (line_is_edge(&b->T.lines.at[i]))
            b->T.lines.at[i].kind = LINE_DELETE_EDGE;
    return trial_fill(&b->T) == HY_OK;
}

static void run_commit(const char *name, bool (*prepare)(struct bed *),
                       hy_graph_opts opts, unsigned edge_kind)
{
    const struct scenario s = { .name = name,
                                .opts = opts,
                                .edge_kind = edge_kind,
                                .prepare = prepare,
                                .call = call_commit,
                                .after = after_commit };
    run(&s);
}

static const hy_graph_opts directed = { .reverse = false };
static const hy_graph_opts reversed = { .reverse = true };
static const hy_graph_opts undirected = { .undirected = true };
static const hy_graph_opts mapped = { .reverse = true, .ids = HY_IDS_MAPPED };

static void commit_small_fails_cleanly(void **state)
{
    (void)state;
    run_commit("small commit", prepare_small, directed, 0);
    run_commit("small weighted commit", prepare_small, undirected, 1);
    run_commit("small mapped commit", prepare_small, mapped, 3);
}

static void commit_of_vertices_fails_cleanly(void **state)
{
    (void)state;
    run_commit("vertices", prepare_vertices, directed, 0);
    run_commit("vertices, undirected", prepare_vertices, undirected, 2);
    run_commit("vertices, mapped", prepare_vertices, mapped, 1);
    run_commit("new ids, mapped", prepare_new_ids, mapped, 0);
}

static void commit_large_fails_cleanly(void **state)
{
    (void)state;
    run_commit("large commit", prepare_large, reversed, 1);
    run_commit("large undirected commit", prepare_large, undirected, 0);
}

static void commit_at_hubs_fails_cleanly(void **state)
{
    (void)state;
    run_commit("hub", prepare_hub, directed, 1);
    run_commit("hub, undirected", prepare_hub, undirected, 0);
    run_commit("shrinking hub", prepare_shrinking_hub, reversed, 1);
}

static void commit_under_views_fails_cleanly(void **state)
{
    (void)state;
    run_commit("commit under views", prepare_views, reversed, 1);
    run_commit("mapped commit under views", prepare_views, mapped, 0);
}

static void commit_that_compacts_fails_cleanly(void **state)
{
    (void)state;
    run_commit("shrink", prepare_shrink, directed, 2);
}

/* ---- the rest --------------------------------------------------------- */

static hy_status call_acquire(struct bed *b)
{
    const hy_status status = hy_view_acquire(b->T.G, &b->V);
    return status == HY_OK || !b->V ? status : HY_EBUG;
}

static bool after_acquire(struct bed *b)
{
    return model_compare(b->T.M, b->V, &b->T.why);
}

static void acquire_fails_cleanly(void **state)
{
    const struct scenario s = { .name = "acquire",
                                .opts = mapped,
                                .prepare = prepare_views,
                                .call = call_acquire,
                                .after = after_acquire };
    (void)state;
    run(&s);
}

static hy_status call_rebalance(struct bed *b)
{
    return hy_graph_rebalance(b->T.G);
}

static void rebalance_fails_cleanly(void **state)
{
    struct scenario s = { .name = "rebalance",
                          .opts = undirected,
                          .edge_kind = 1,
                          .prepare = prepare_views,
                          .call = call_rebalance };
    (void)state;
    run(&s);
    s.prepare = prepare_shrinking_hub;
    run(&s);
}

static hy_status call_add_reverse(struct bed *b)
{
    return hy_graph_add_reverse(b->T.G);
}

static bool after_add_reverse(struct bed *b)
{
    b->T.M->has_reverse = true;
    return true;
}

static void add_reverse_fails_cleanly(void **state)
{
    struct scenario s = { .name = "add_reverse",
                          .opts = directed,
                          .edge_kind = 1,
                          .prepare = prepare_views,
                          .call = call_add_reverse,
                          .after = after_add_reverse };
    (void)state;
    run(&s);
    s.prepare = prepare_shrinking_hub;
    run(&s);
}

static hy_status call_check(struct bed *b)
{
    const char *why;
    return hy_graph_check(b->T.G, &why) ? HY_OK : HY_ENOMEM;
}

static void check_fails_cleanly(void **state)
{
    const struct scenario s = { .name = "check",
                                .opts = mapped,
                                .prepare = prepare_views,
                                .call = call_check };
    (void)state;
    run(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctx_new_fails_cleanly),
        cmocka_unit_test(graph_new_fails_cleanly),
        cmocka_unit_test(batch_new_fails_cleanly),
        cmocka_unit_test(batch_lines_fail_cleanly),
        cmocka_unit_test(loads_fail_cleanly),
        cmocka_unit_test(commit_small_fails_cleanly),
        cmocka_unit_test(commit_of_vertices_fails_cleanly),
        cmocka_unit_test(commit_large_fails_cleanly),
        cmocka_unit_test(commit_at_hubs_fails_cleanly),
        cmocka_unit_test(commit_under_views_fails_cleanly),
        cmocka_unit_test(commit_that_compacts_fails_cleanly),
        cmocka_unit_test(acquire_fails_cleanly),
        cmocka_unit_test(rebalance_fails_cleanly),
        cmocka_unit_test(add_reverse_fails_cleanly),
        cmocka_unit_test(check_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
