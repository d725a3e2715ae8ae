/* Random histories of graphs, compared with the model after every commit. */
#include "support/test.h"

#include <stdlib.h>

/* Ends a history; what is left is left by it, not by one that failed. */
static void end(struct trial *T, uint64_t bytes_before)
{
    const hy_ctx *ctx = T->ctx;
    trial_fini(T);
    assert_int_equal(hy_ctx_bytes(ctx), bytes_before);
}

/* ---- few vertices, heavy collisions ----------------------------------- */

/* Mostly short: short ones fail in ways that can be read. */
static size_t draw_size(uint64_t *rng)
{
    return rng_chance(rng, 80) ? rng_below(rng, 40) : rng_below(rng, 300);
}

static bool take_small_step(struct trial *T)
{
    struct mix mix = mix_random(T->M, &T->rng);
    if (rng_chance(&T->rng, 30))
        mix_one_kind(&mix, &T->rng);
    const uint64_t dice = rng_below(&T->rng, 100);
    if (dice < 5)
        return trial_rebalance(T);
    if (dice < 8)
        return trial_add_reverse(T);
    return trial_step(T, &mix, draw_size(&T->rng));
}

static void run_small(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    const uint64_t before = hy_ctx_bytes(ctx);
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    const enum trial_start start =
        (enum trial_start)rng_below(&rng, TRIAL_STARTS);
    const uint64_t n = rng_below(&rng, 40), m = rng_below(&rng, 200);
    must(&T, trial_load(&T, start, n, m), seed);
    for (uint64_t steps = rng_range(&rng, 1, 8); steps; steps--)
        must(&T, take_small_step(&T), seed);
    end(&T, before);
}

static void store_small_histories_equal_model(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(5000); i < n; i++)
        run_small(test_seed_at(i));
}

/* ---- hubs: adjacencies that split into pages and merge again ---------- */

static struct mix hub_mix(const struct trial *T, uint64_t n, bool grows)
{
    struct mix mix = { .ids = n, .hubs = 2, .at_hub = 90, .repeat = 5 };
    mix.kinds[LINE_INSERT_EDGE] = grows ? 80 : 10;
    mix.kinds[LINE_DELETE_EDGE] = grows ? 10 : 80;
    mix.kinds[LINE_UPDATE_EDGE] = T->M->edge.n ? 10 : 1;
    return mix;
}

/* Deletes a run of the hub's neighbours, so that whole pages go. */
static bool cut_run(struct trial *T, uint64_t from, uint64_t n)
{
    T->lines.n = 0;
    for (uint64_t v = from; v < from + n; v++)
        lines_edge(&T->lines, LINE_DELETE_EDGE, external_of(T->M, 0),
                   external_of(T->M, v));
    return trial_commit(T);
}

/* Deletes a hub with all its edges, and brings it back. */
static bool replace_hub(struct trial *T)
{
    T->lines.n = 0;
    lines_vertex(&T->lines, LINE_DELETE_VERTEX, external_of(T->M, 1));
    if (!trial_commit(T))
        return false;
    T->lines.n = 0;
    lines_vertex(&T->lines, LINE_INSERT_VERTEX, external_of(T->M, 1));
    lines_edge(&T->lines, LINE_INSERT_EDGE, external_of(T->M, 1),
               external_of(T->M, 0));
    return trial_commit(T);
}

static bool take_hub_step(struct trial *T, uint64_t n, bool grows)
{
    const struct mix mix = hub_mix(T, n, grows);
    switch (rng_below(&T->rng, 8)) {
    case 0: /* a small batch into a large adjacency */
    case 1:
        return trial_step(T, &mix, rng_range(&T->rng, 1, 20));
    case 2:
        return cut_run(T, rng_below(&T->rng, n / 2), rng_below(&T->rng, n / 2));
    case 3:
        return rng_chance(&T->rng, 30) ? replace_hub(T) : trial_rebalance(T);
    default:
        return trial_step(T, &mix, rng_range(&T->rng, 500, 4000));
    }
}

/* Gives the vertices 0..n-1 to a graph that has none. */
static bool add_vertices(struct trial *T, uint64_t n)
{
    T->lines.n = 0;
    for (uint64_t u = 0; u < n; u++)
        lines_vertex(&T->lines, LINE_INSERT_VERTEX, external_of(T->M, u));
    return trial_commit(T);
}

static void run_hub(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    const uint64_t n = rng_range(&rng, 800, 5000);
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    const uint64_t before = hy_ctx_bytes(ctx);
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    must(&T, add_vertices(&T, n), seed);
    for (uint64_t i = 0, steps = rng_range(&rng, 4, 16); i < steps; i++)
        must(&T, take_hub_step(&T, n, i < steps / 2), seed);
    end(&T, before);
}

static void store_hub_histories_equal_model(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(60); i < n; i++)
        run_hub(test_seed_at(i));
}

/* ---- batches so large that many threads work on them ------------------ */

static void run_large(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    hy_ctx *ctx = test_ctx((unsigned)rng_range(&rng, 1, TEST_CTXS - 1));
    const uint64_t before = hy_ctx_bytes(ctx);
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    const uint64_t n = rng_range(&rng, 100, 4000);
    const enum trial_start start =
        rng_chance(&rng, 50) ? TRIAL_EDGES : TRIAL_PAIRS;
    must(&T, trial_load(&T, start, n, 8 * n), seed);
    for (uint64_t steps = 3; steps; steps--) {
        struct mix mix = mix_random(T.M, &T.rng);
        mix.ids = T.M->is_mapped ? n : T.M->bound;
        mix.any = 0;
        mix.past = 0;
        mix.kinds[LINE_INSERT_VERTEX] /= 2;
        mix.kinds[LINE_DELETE_VERTEX] = rng_chance(&T.rng, 50) ? 1 : 0;
        const size_t lines = rng_range(&rng, 20000, 40000);
        must(&T, trial_step(&T, &mix, lines), seed);
    }
    end(&T, before);
}

static void store_large_batches_equal_model(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(16); i < n; i++)
        run_large(test_seed_at(i));
}

/* ---- one batch of k lines = k batches of one -------------------------- */

static void add_counts(hy_counts *sum, const hy_counts *c)
{
    sum->inserted += c->inserted;
    sum->updated += c->updated;
    sum->deleted += c->deleted;
    sum->duplicate += c->duplicate;
    sum->missing += c->missing;
    sum->rejected += c->rejected;
    sum->vertices_inserted += c->vertices_inserted;
    sum->vertices_updated += c->vertices_updated;
    sum->vertices_deleted += c->vertices_deleted;
    sum->vertices_duplicate += c->vertices_duplicate;
    sum->vertices_missing += c->vertices_missing;
    sum->detached += c->detached;
}

/* Commits the lines of `whole` one by one to T; returns their counts. */
static hy_counts commit_singly(struct trial *T, const struct lines *whole,
                               uint64_t seed)
{
    hy_counts sum = { 0 };
    for (size_t i = 0; i < whole->n; i++) {
        T->lines.n = 0;
        lines_add(&T->lines, whole->at[i]);
        must(T, trial_commit_only(T), seed);
        add_counts(&sum, &T->counts);
    }
    must(T, trial_compare(T), seed);
    return sum;
}

static void run_split(uint64_t seed)
{
    struct trial one, many;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    const uint64_t same = rng_next(&rng), n = rng_range(&rng, 1, 30);
    const uint64_t before = hy_ctx_bytes(test_ctx(0));
    must(&one, trial_init(&one, test_ctx(0), &opts, same), seed);
    must(&many, trial_init(&many, test_ctx(0), &opts, same), seed);
    must(&one, trial_load(&one, TRIAL_EDGES, n, 100), seed);
    must(&many, trial_load(&many, TRIAL_EDGES, n, 100), seed);
    struct mix mix = mix_random(one.M, &one.rng);
    mix.any = 0;
    mix.past = 0;
    must(&one, trial_step(&one, &mix, rng_below(&rng, 200)), seed);
    const hy_counts sum = commit_singly(&many, &one.lines, seed);
    must(&many, model_compare_counts(&one.counts, &sum, &many.why), seed);
    /* With mapped ids the same vertices may have other numbers. */
    if (!one.M->is_mapped)
        must(&many, model_compare_graph(one.M, many.G, &many.why), seed);
    trial_fini(&one);
    end(&many, before);
}

static void store_batch_of_k_equals_k_batches(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(200); i < n; i++)
        run_split(test_seed_at(i));
}

/* ---- delete every edge one by one, then put all back ------------------ */

static struct lines all_edges(const struct model *M)
{
    struct lines D = { 0 };
    for (uint32_t u = 0; u < M->n; u++) {
        const struct entries *L = &M->slot[u].out;
        for (uint32_t i = 0; i < L->n; i++) {
            struct line l = { .kind = LINE_INSERT_EDGE, .is_valued = true };
            l.u = M->slot[u].external;
            l.v = M->slot[L->at[i].slot].external;
            l.values = L->at[i].values;
            if (!M->is_undirected || L->at[i].slot >= u)
                lines_add(&D, l);
        }
    }
    return D;
}

static void shuffle(struct lines *D, uint64_t *rng)
{
    for (size_t i = D->n; i > 1; i--) {
        const size_t k = rng_below(rng, i);
        const struct line l = D->at[k];
        D->at[k] = D->at[i - 1];
        D->at[i - 1] = l;
    }
}

static void commit_each(struct trial *T, const struct lines *D,
                        enum line_kind kind, uint64_t seed)
{
    for (size_t i = 0; i < D->n; i++) {
        T->lines.n = 0;
        lines_add(&T->lines, D->at[i]);
        T->lines.at[0].kind = kind;
        must(T, trial_commit_only(T), seed);
        if (i % 32 == 0)
            must(T, trial_compare(T), seed);
    }
    must(T, trial_compare(T), seed);
}

static void run_drain(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    const uint64_t before = hy_ctx_bytes(test_ctx(0));
    must(&T, trial_init(&T, test_ctx(0), &opts, rng_next(&rng)), seed);
    must(&T, trial_load(&T, TRIAL_EDGES, rng_range(&rng, 1, 20), 250), seed);
    struct model *full = model_copy(T.M);
    struct lines D = all_edges(T.M);
    shuffle(&D, &rng);
    commit_each(&T, &D, LINE_DELETE_EDGE, seed);
    assert_int_equal(hy_view_edges(hy_graph_now(T.G)), 0);
    shuffle(&D, &rng);
    commit_each(&T, &D, LINE_INSERT_EDGE, seed);
    must(&T, model_compare_graph(full, T.G, &T.why), seed);
    model_free(full);
    lines_fini(&D);
    end(&T, before);
}

static void store_drained_and_refilled_is_the_same(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(60); i < n; i++)
        run_drain(test_seed_at(i));
}

/* ---- one batch, committed again and again ----------------------------- */

static void run_again(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    const uint64_t before = hy_ctx_bytes(test_ctx(0));
    must(&T, trial_init(&T, test_ctx(0), &opts, rng_next(&rng)), seed);
    must(&T, trial_load(&T, TRIAL_EDGES, 20, 100), seed);
    struct mix mix = mix_random(T.M, &T.rng);
    mix.any = 0;
    must(&T, trial_step(&T, &mix, rng_below(&rng, 100)), seed);
    for (int again = 0; again < 3; again++)
        must(&T, trial_commit_again(&T), seed);
    end(&T, before);
}

static void store_batch_committed_again_means_the_same(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(200); i < n; i++)
        run_again(test_seed_at(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_small_histories_equal_model),
        cmocka_unit_test(store_hub_histories_equal_model),
        cmocka_unit_test(store_large_batches_equal_model),
        cmocka_unit_test(store_batch_of_k_equals_k_batches),
        cmocka_unit_test(store_drained_and_refilled_is_the_same),
        cmocka_unit_test(store_batch_committed_again_means_the_same),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
