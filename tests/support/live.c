#include "support/live.h"

#include "support/fault.h"

#include <stdlib.h>
#include <string.h>

/* A history with an answer. */
struct follow {
    struct trial T;
    const struct live_case *C;
    hy_live *L;
    void *before; /* values as they were, and the graph's version */
    uint64_t version;
    hy_vid n_before;
    uint64_t seed;
};

static size_t width(const hy_live *L)
{
    return hy_type_width(hy_live_type(L));
}

static void remember(struct follow *F)
{
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    free(F->before);
    F->n_before = info.bound;
    F->version = info.version;
    F->before = calloc((size_t)info.bound + 1, width(F->L));
    if (!F->before)
        abort();
    hy_live_copy(F->L, F->before, info.bound, NULL);
}

/* Ids that were not there: as the answer has them for ids not alive.  The
 * graph has none below the bound that tells, so any new id is asked. */
static bool has_moved(const struct follow *F, const void *nothing, hy_vid v)
{
    const size_t w = width(F->L);
    const char *now = hy_live_values(F->L);
    const char *was = v < F->n_before ? (const char *)F->before + v * w
                                      : (const char *)nothing;
    return memcmp(now + v * w, was, w) != 0;
}

static bool compare_changed(struct follow *F, const void *nothing)
{
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    if (info.version == F->version)
        return true; /* no such ids: the batch was refused */
    const hy_vid_list list = hy_live_changed(F->L);
    uint64_t at = 0;
    for (hy_vid v = 0; v < info.bound; v++) {
        const bool is_told = at < list.n && list.at[at] == v;
        at += is_told;
        if (is_told != has_moved(F, nothing, v))
            return why_not(&F->T.why, "%u %s told as changed", (unsigned)v,
                           is_told ? "is" : "is not");
    }
    return at == list.n || why_not(&F->T.why, "the list has more");
}

static bool compare(struct follow *F, const void *nothing)
{
    const char *why = "";
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    const hy_view *V = hy_graph_now(F->T.G);
    if (info.version != hy_view_version(V) || info.bound != hy_view_bound(V))
        return why_not(&F->T.why, "the answer is of another version");
    return F->C->compare(F->L, V, F->C->arg, &F->T.why) &&
           compare_changed(F, nothing) &&
           (hy_live_check(F->L, &why) || why_not(&F->T.why, "%s", why));
}

static hy_status attach(const struct live_case *C, hy_graph *G, hy_live **out)
{
    if (C->open)
        C->open(hy_graph_ctx(G), C->arg);
    return C->attach(G, C->arg, out);
}

static void detach(const struct live_case *C, hy_live *L)
{
    hy_live_detach(L);
    if (C->close)
        C->close(C->arg);
}

/* The value of ids that are not alive: of one in an empty graph. */
static void find_nothing(const struct live_case *C, hy_ctx *ctx, void *nothing)
{
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *L = NULL;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (uint64_t u = 0; u < 3; u++)
        assert_int_equal(hy_batch_insert_vertex(B, u, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    assert_int_equal(attach(C, G, &L), HY_OK);
    hy_batch_clear(B);
    for (uint64_t u = 0; u < 3; u++)
        assert_int_equal(hy_batch_delete_vertex(B, u), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    memcpy(nothing, (const char *)hy_live_values(L) + width(L), width(L));
    detach(C, L);
    hy_batch_free(B);
    hy_graph_free(G);
}

static void begin(struct follow *F, const struct live_case *C, hy_ctx *ctx,
                  uint64_t seed)
{
    uint64_t rng = seed;
    *F = (struct follow){ .C = C, .seed = seed };
    hy_graph_opts opts = shape_random(&rng);
    if (C->shape)
        C->shape(&opts, &rng);
    must(&F->T, trial_init(&F->T, ctx, &opts, rng_next(&rng)), seed);
    const uint64_t n = rng_range(&rng, 1, 40), m = rng_below(&rng, 200);
    must(&F->T,
         trial_load(&F->T, (enum trial_start)rng_below(&rng, TRIAL_STARTS), n,
                    m),
         seed);
    if (!hy_view_vertices(hy_graph_now(F->T.G))) {
        F->T.lines.n = 0;
        lines_vertex(&F->T.lines, LINE_INSERT_VERTEX, 0);
        must(&F->T, trial_commit(&F->T), seed);
    }
    const hy_status status = attach(C, F->T.G, &F->L);
    must(&F->T,
         status == HY_OK || why_not(&F->T.why, "attach: %s", hy_error_text()),
         seed);
    F->T.M->has_reverse = hy_view_has_reverse(hy_graph_now(F->T.G));
}

static void end(struct follow *F)
{
    free(F->before);
    detach(F->C, F->L);
    trial_fini(&F->T);
}

static void count(const struct follow *F, struct live_counts *counts)
{
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    counts->repaired += info.how == HY_LIVE_REPAIRED;
    counts->recomputed += info.how == HY_LIVE_RECOMPUTED;
    counts->stale += info.how == HY_LIVE_STALE;
    counts->changed += hy_live_changed(F->L).n;
}

static struct mix draw_mix(struct follow *F)
{
    struct mix mix = mix_random(F->T.M, &F->T.rng);
    if (F->C->mix)
        F->C->mix(&mix);
    return mix;
}

static size_t draw_lines(uint64_t *rng)
{
    const uint64_t dice = rng_below(rng, 100);
    return dice < 40   ? 1 + rng_below(rng, 3)
           : dice < 85 ? rng_below(rng, 30)
                       : rng_below(rng, 400);
}

void live_histories(const struct live_case *C, uint64_t n,
                    struct live_counts *counts)
{
    uint64_t nothing = 0;
    find_nothing(C, test_ctx(0), &nothing);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t seed = test_seed_at(i);
        struct follow F;
        begin(&F, C, test_ctx((unsigned)(seed % TEST_CTXS)), seed);
        remember(&F);
        must(&F.T, compare(&F, &nothing), seed);
        for (uint64_t k = rng_range(&F.T.rng, 1, 12); k; k--) {
            const struct mix mix = draw_mix(&F);
            remember(&F);
            must(&F.T, trial_step(&F.T, &mix, draw_lines(&F.T.rng)), seed);
            must(&F.T, compare(&F, &nothing), seed);
            count(&F, counts);
        }
        end(&F);
    }
}

/* All edges of the graph, as lines that insert them. */
static struct lines all_edges(const struct follow *F)
{
    const struct model *M = F->T.M;
    struct lines all = { 0 };
    for (uint32_t s = 0; s < M->n; s++)
        for (uint32_t i = 0; M->slot[s].is_alive && i < M->slot[s].out.n; i++) {
            const struct entry *e = &M->slot[s].out.at[i];
            if (M->is_undirected && e->slot < s)
                continue;
            lines_add(&all, (struct line){
                                .kind = LINE_INSERT_EDGE,
                                .is_valued = M->edge.n > 0,
                                .u = M->slot[s].external,
                                .v = M->slot[e->slot].external,
                                .values = e->values,
                            });
        }
    return all;
}

static void step(struct follow *F, const void *nothing,
                 struct live_counts *counts)
{
    remember(F);
    must(&F->T, trial_commit(&F->T), F->seed);
    must(&F->T, compare(F, nothing), F->seed);
    if (counts)
        count(F, counts);
}

void live_empty_and_refill(const struct live_case *C, uint64_t n, size_t k,
                           struct live_counts *counts)
{
    uint64_t nothing = 0;
    find_nothing(C, test_ctx(0), &nothing);
    for (uint64_t h = 0; h < n; h++) {
        struct follow F;
        const uint64_t seed = test_seed_at(h);
        begin(&F, C, test_ctx((unsigned)(seed % TEST_CTXS)), seed);
        struct lines all = all_edges(&F);
        for (size_t i = 0; i < all.n; i++) {
            F.T.lines.n = 0;
            lines_edge(&F.T.lines, LINE_DELETE_EDGE, all.at[i].u, all.at[i].v);
            step(&F, &nothing, counts);
        }
        for (size_t i = 0; i < all.n; i += k) {
            F.T.lines.n = 0;
            for (size_t j = i; j < all.n && j < i + k; j++)
                lines_add(&F.T.lines, all.at[j]);
            step(&F, &nothing, counts);
        }
        lines_fini(&all);
        end(&F);
    }
}

/* A line that asks for any id may get another one when it comes alone. */
static bool has_same_vertices(const hy_view *A, const hy_view *B)
{
    bool is_same = hy_view_bound(A) == hy_view_bound(B);
    for (hy_vid v = 0; is_same && v < hy_view_bound(A); v++)
        is_same = hy_view_has_vertex(A, v) == hy_view_has_vertex(B, v);
    return is_same;
}

void live_one_by_one(const struct live_case *C, uint64_t n)
{
    for (uint64_t h = 0; h < n; h++) {
        struct follow F, G;
        const uint64_t seed = test_seed_at(h);
        begin(&F, C, test_ctx(1), seed);
        begin(&G, C, test_ctx(2), seed);
        struct mix mix = draw_mix(&F);
        mix.any = 0; /* who gets which id depends on what is free by then */
        F.T.lines.n = 0;
        generate(&F.T.lines, F.T.M, &mix, 1 + rng_below(&F.T.rng, 60),
                 &F.T.rng);
        const struct lines all = F.T.lines;
        remember(&F);
        must(&F.T, trial_commit(&F.T), seed);
        if (hy_view_version(hy_graph_now(F.T.G)) != F.version) {
            for (size_t i = 0; i < all.n; i++) {
                G.T.lines.n = 0;
                lines_add(&G.T.lines, all.at[i]);
                must(&G.T, trial_commit(&G.T), seed);
            }
            const hy_view *const one = hy_graph_now(F.T.G);
            const hy_view *const many = hy_graph_now(G.T.G);
            must(&G.T, C->compare(G.L, many, C->arg, &G.T.why), seed);
            must(&G.T,
                 F.T.M->is_mapped || /* ids may differ */
                     !has_same_vertices(one, many) ||
                     C->compare(G.L, one, C->arg, &G.T.why),
                 seed);
        }
        end(&F);
        end(&G);
    }
}

/* ---- large ones -----------------------------------------------------------
 */

enum { LARGE = 2000, HUBS = 2 };

/* An edge of a hub, or between any two. */
static hy_edge draw_edge(uint64_t *rng)
{
    const uint64_t span = rng_below(rng, 3) ? LARGE : HUBS;
    const hy_vid u = (hy_vid)rng_below(rng, span);
    return (hy_edge){ u, (hy_vid)rng_below(rng, LARGE) };
}

static void fill_large(hy_graph *G, uint64_t *rng)
{
    enum { EDGES = 8000 };
    hy_edge *const edges = calloc(EDGES, sizeof *edges);
    if (!edges)
        abort();
    for (size_t i = 0; i < EDGES; i++)
        edges[i] = draw_edge(rng);
    assert_int_equal(hy_graph_load_edges(G, LARGE, EDGES, edges, NULL), HY_OK);
    free(edges);
}

/* As often few enough to be repaired by whatever answer as too many. */
static uint64_t draw_size(uint64_t *rng)
{
    return rng_chance(rng, 50) ? rng_range(rng, 20, 200)
                               : rng_range(rng, 200, 2500);
}

static void draw_large(hy_batch *B, uint64_t *rng)
{
    const uint64_t n = draw_size(rng), part = rng_below(rng, 101);
    hy_batch_clear(B);
    for (uint64_t i = 0; i < n; i++) {
        const hy_edge e = draw_edge(rng);
        if (rng_below(rng, 100) < part)
            assert_int_equal(hy_batch_insert_edge(B, e.u, e.v, NULL), HY_OK);
        else
            assert_int_equal(hy_batch_delete_edge(B, e.u, e.v), HY_OK);
    }
}

void live_large(const struct live_case *C, uint64_t n,
                struct live_counts *counts)
{
    enum { COMMITS = 5 };
    for (uint64_t h = 0; h < n; h++) {
        struct follow F = { .C = C, .seed = test_seed_at(h) };
        hy_graph_opts opts = { .undirected = h % 2 == 0 };
        F.T.rng = F.seed;
        if (C->shape)
            C->shape(&opts, &F.T.rng);
        hy_ctx *const ctx = test_ctx((unsigned)(h / 2 % TEST_CTXS));
        assert_int_equal(hy_graph_new(ctx, &opts, &F.T.G), HY_OK);
        assert_int_equal(hy_batch_new(F.T.G, &F.T.B), HY_OK);
        fill_large(F.T.G, &F.T.rng);
        assert_int_equal(attach(C, F.T.G, &F.L), HY_OK);
        for (int i = 0; i < COMMITS; i++) {
            const uint64_t nothing = 0; /* no id is new */
            remember(&F);
            draw_large(F.T.B, &F.T.rng);
            assert_int_equal(hy_graph_commit(F.T.G, F.T.B, NULL), HY_OK);
            if (!compare(&F, &nothing))
                fail_msg("seed 0x%llx: %s", (unsigned long long)F.seed,
                         F.T.why.text);
            count(&F, counts);
        }
        free(F.before);
        detach(C, F.L);
        hy_batch_free(F.T.B);
        hy_graph_free(F.T.G);
    }
}

/* ---- failures -------------------------------------------------------------
 */

/* It is what it was before the commit. */
static void must_have_stayed(struct follow *F)
{
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    assert_int_equal(info.version, F->version);
    assert_int_equal(info.bound, F->n_before);
    assert_memory_equal(hy_live_values(F->L), F->before,
                        F->n_before * width(F->L));
}

/* The graph has moved: so has the answer, or it says that it is stale. */
static void must_follow(struct follow *F, const void *nothing)
{
    hy_live_info info;
    hy_live_info_get(F->L, &info);
    if (!F->C->may_be_stale || info.how != HY_LIVE_STALE) {
        must(&F->T, compare(F, nothing), F->seed);
        return;
    }
    must_have_stayed(F);
    assert_int_equal(hy_live_changed(F->L).n, 0);
    assert_false(hy_live_check(F->L, NULL));
}

/* Either nothing happened, or everything did. */
static void fail_once(struct follow *F, struct fault *fault, uint64_t k,
                      const void *nothing, bool *is_hit)
{
    const hy_view *V = hy_graph_now(F->T.G);
    hy_delta delta;
    remember(F);
    const bool was_stale = F->version != hy_view_version(V);
    const uint64_t version = hy_view_version(V);
    must(&F->T, trial_fill(&F->T) == HY_OK, F->seed);
    fault_arm(fault, k);
    const hy_status status = hy_graph_commit(F->T.G, F->T.B, &delta);
    *is_hit = fault_disarm(fault);
    if (status == HY_OK) {
        must(&F->T, trial_confirm(&F->T, &delta), F->seed);
        must_follow(F, nothing);
        return;
    }
    assert_true(*is_hit || status == HY_ERANGE);
    *is_hit = true;
    assert_int_equal(hy_view_version(hy_graph_now(F->T.G)), version);
    must_have_stayed(F);
    if (!was_stale)
        must(&F->T, F->C->compare(F->L, V, F->C->arg, &F->T.why), F->seed);
}

static void fail_all(const struct live_case *C, uint64_t n, struct fault *fault,
                     struct live_counts *counts)
{
    hy_ctx *ctx = NULL;
    uint64_t nothing = 0;
    const hy_ctx_opts opts = { .threads = 2,
                               .may_alloc = fault_may_alloc,
                               .user = fault };
    assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
    find_nothing(C, ctx, &nothing);
    for (uint64_t h = 0; h < n; h++) {
        struct follow F;
        begin(&F, C, ctx, test_seed_at(h));
        bool is_hit = true;
        for (uint64_t k = 1; is_hit; k++) {
            const struct mix mix = draw_mix(&F);
            F.T.lines.n = 0;
            generate(&F.T.lines, F.T.M, &mix, draw_lines(&F.T.rng), &F.T.rng);
            fail_once(&F, fault, k, &nothing, &is_hit);
            count(&F, counts);
        }
        end(&F);
    }
    assert_int_equal(hy_ctx_bytes(ctx), 0);
    hy_ctx_free(ctx);
}

void live_commit_fails(const struct live_case *C, uint64_t n)
{
    struct fault fault = { 0 };
    struct live_counts counts = { 0 };
    fail_all(C, n, &fault, &counts);
}

void live_commits_starve(const struct live_case *C, uint64_t n,
                         struct live_counts *counts)
{
    struct fault fault = { .is_lasting = true };
    fail_all(C, n, &fault, counts);
}
