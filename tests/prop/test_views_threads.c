/* One thread commits while others acquire, read and release views.
 *
 * The graph of tick t is known to all, so that every view can be verified as
 * a whole, whichever version it happens to be:
 *
 *   hub    0       -> BASE + (17 t + j) mod SPAN,   j < HUB     weight 1
 *   rings  1..R    -> BASE + (13 u + t + j) mod SPAN, j < RING  weight t
 *   drifter BASE + SPAN + t mod DRIFT is there, the other drifters are not
 */
#include "store/image.h"
#include "support/test.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum {
    RINGS = 40,
    BASE = RINGS + 1,
    SPAN = 1200,
    HUB = 900,
    RING = 8,
    DRIFT = 4,
    N = BASE + SPAN,
    READERS = 2,
    HELD = 4
};

struct shared {
    hy_graph *G;
    _Atomic bool is_over;
};

struct reader {
    struct shared *shared; /* borrowed */
    struct why why;
    uint64_t rng, views;
};

/* ---- what a version must be ------------------------------------------- */

static bool is_hub_target(uint64_t t, hy_vid v)
{
    return (v - BASE + SPAN - 17 * t % SPAN) % SPAN < HUB;
}

static bool is_ring_target(uint64_t t, hy_vid u, hy_vid v)
{
    return (v - BASE + SPAN - (13 * u + t) % SPAN) % SPAN < RING;
}

static bool is_edge(uint64_t t, hy_vid u, hy_vid v)
{
    return v >= BASE && v < N &&
           (u == 0 ? is_hub_target(t, v) : is_ring_target(t, u, v));
}

static float weight(uint64_t t, hy_vid u)
{
    return u == 0 ? 1.0f : (float)t;
}

/* The tick of a view, from the weight of any edge of a ring. */
static uint64_t tick_of(const hy_view *V)
{
    const hy_span s = hy_span_out(V, 1);
    size_t step;
    if (s.n == 0)
        return UINT64_MAX;
    return (uint64_t) * (const float *)hy_span_column(V, &s, 0, &step);
}

/* ---- verifying -------------------------------------------------------- */

static bool verify_span(const hy_view *V, const hy_span *s, uint64_t t,
                        hy_vid *last, struct why *why)
{
    size_t step;
    const char *w = hy_span_column(V, s, 0, &step);
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[(size_t)i * s->step];
        if (*last != HY_NONE && v <= *last)
            return why_not(why, "%u: %u is not after %u", s->u, v, *last);
        if (!is_edge(t, s->u, v))
            return why_not(why, "%u-%u is not of tick %" PRIu64, s->u, v, t);
        if (*(const float *)(const void *)(w + i * step) != weight(t, s->u))
            return why_not(why, "weight of %u-%u", s->u, v);
        *last = v;
    }
    return true;
}

static bool verify_vertex(const hy_view *V, hy_vid u, uint64_t t,
                          struct why *why)
{
    const uint64_t want = u == 0 ? HUB : u < BASE ? RING : 0;
    hy_vid last = HY_NONE;
    uint64_t have = 0;
    hy_for_out_span (s, V, u) {
        if (!verify_span(V, &s, t, &last, why))
            return false;
        have += s.n;
    }
    return (have == want && hy_view_degree(V, u) == want) ||
           why_not(why, "%u has %" PRIu64 " neighbours", u, have);
}

static bool verify_sizes(const hy_view *V, uint64_t t, struct why *why)
{
    const uint64_t edges = HUB + (uint64_t)RINGS * RING;
    uint64_t in = 0, scanned = 0;
    for (hy_vid v = 0; v < N; v++)
        in += hy_view_in_degree(V, v);
    hy_scan scan = hy_scan_in(V, 0, N);
    while (hy_scan_next(&scan))
        scanned += scan.span.n;
    if (hy_view_edges(V) != edges || hy_view_arcs(V) != edges || in != edges ||
        scanned != edges)
        return why_not(why, "wrong number of edges");
    if (hy_view_vertices(V) != N + 1)
        return why_not(why, "wrong number of vertices");
    for (hy_vid k = 0; k < DRIFT; k++)
        if ((hy_view_find(V, N + k) != HY_NONE) != (t % DRIFT == k))
            return why_not(why, "drifter %u at tick %" PRIu64, k, t);
    return true;
}

/* So many questions at once that a pool would answer them. */
static bool verify_questions(const hy_view *V, struct why *why)
{
    enum { QUESTIONS = 5 * SPAN };
    const uint64_t t = tick_of(V);
    static _Thread_local hy_edge edges[QUESTIONS];
    static _Thread_local bool found[QUESTIONS];
    for (hy_vid i = 0; i < QUESTIONS; i++)
        edges[i] = (hy_edge){ i % 5, BASE + i / 5 };
    hy_view_has_edges(V, QUESTIONS, edges, found);
    for (size_t i = 0; i < QUESTIONS; i++)
        if (found[i] != is_edge(t, edges[i].u, edges[i].v))
            return why_not(why, "has_edges %u-%u", edges[i].u, edges[i].v);
    return true;
}

static bool verify(const hy_view *V, struct why *why)
{
    const uint64_t t = tick_of(V);
    for (hy_vid u = 0; u < BASE; u++)
        if (!verify_vertex(V, u, t, why))
            return false;
    return verify_sizes(V, t, why);
}

/* ---- saving ----------------------------------------------------------- */

static hy_status count_bytes(void *arg, const void *bytes, size_t n)
{
    uint64_t *const sum = arg;
    (void)bytes;
    *sum += n;
    return HY_OK;
}

/* As a file of its own; nobody looks at it here. */
static bool save(const hy_view *V, struct why *why)
{
    uint64_t bytes = 0;
    const hy_status status = image_write(V, NULL, 0, count_bytes, &bytes);
    return (status == HY_OK && bytes > 0) ||
           why_not(why, "saving a view: %s", hy_status_text(status));
}

/* ---- readers ---------------------------------------------------------- */

static bool replace(struct reader *R, const hy_view **held)
{
    if (*held && !verify(*held, &R->why))
        return false;
    hy_view_release(*held);
    *held = NULL;
    const hy_status status = hy_view_acquire(R->shared->G, held);
    if (status != HY_OK)
        return why_not(&R->why, "acquire: %s", hy_status_text(status));
    R->views++;
    return verify(*held, &R->why) &&
           (!rng_chance(&R->rng, 10) || verify_questions(*held, &R->why)) &&
           (!rng_chance(&R->rng, 10) || save(*held, &R->why));
}

static void *read_views(void *arg)
{
    struct reader *R = arg;
    const hy_view *held[HELD] = { NULL };
    uint64_t last = 0;
    while (!atomic_load(&R->shared->is_over)) {
        const hy_view **slot = &held[rng_below(&R->rng, HELD)];
        if (!replace(R, slot))
            break;
        if (hy_view_version(*slot) < last) {
            (void)why_not(&R->why, "versions go back");
            break;
        }
        last = hy_view_version(*slot);
    }
    for (size_t i = 0; i < HELD; i++)
        hy_view_release(held[i]);
    return NULL;
}

/* ---- the writer ------------------------------------------------------- */

static hy_status fill_rings(hy_batch *B, uint64_t t)
{
    const float w = (float)t;
    for (hy_vid u = 1; u < BASE; u++) {
        const uint64_t from = 13 * u + t;
        for (uint64_t j = 0; j < RING; j++) {
            const hy_status status =
                hy_batch_insert_edge(B, u, BASE + (from + j) % SPAN, &w);
            if (status != HY_OK)
                return status;
        }
        const hy_status status =
            hy_batch_delete_edge(B, u, BASE + (from + SPAN - 1) % SPAN);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

/* The first tick brings all of the hub's edges, the others 17 of them. */
static hy_status fill_hub(hy_batch *B, uint64_t t)
{
    const float w = 1.0f;
    const uint64_t from = 17 * t, first = t == 0 ? 0 : HUB - 17;
    hy_status status = HY_OK;
    for (uint64_t j = first; status == HY_OK && j < HUB; j++)
        status = hy_batch_insert_edge(B, 0, BASE + (from + j) % SPAN, &w);
    for (uint64_t j = 1; status == HY_OK && j <= 17; j++)
        status = hy_batch_delete_edge(B, 0, BASE + (from + SPAN - j) % SPAN);
    return status;
}

static hy_status tick(hy_graph *G, hy_batch *B, uint64_t t)
{
    hy_batch_clear(B);
    hy_status status = fill_hub(B, t);
    if (status == HY_OK)
        status = fill_rings(B, t);
    if (status == HY_OK && t)
        status = hy_batch_delete_vertex(B, N + (t - 1) % DRIFT);
    if (status == HY_OK)
        status = hy_batch_insert_vertex(B, N + t % DRIFT, NULL);
    if (status == HY_OK)
        status = hy_graph_commit(G, B, NULL);
    if (status == HY_OK && t % 16 == 15)
        status = hy_graph_rebalance(G);
    return status;
}

/* What the writer may ask while others take views. */
static void look(const hy_graph *G)
{
    struct why why = { .text = "" };
    const char *text = "";
    if (!hy_graph_check(G, &text))
        fail_msg("hy_graph_check: %s", text);
    if (!save(hy_graph_now(G), &why))
        fail_msg("%s", why.text);
}

static void rest(void)
{
    const struct timespec nap = { .tv_nsec = 100000 };
    (void)nanosleep(&nap, NULL);
}

static uint64_t write_for(double seconds, hy_graph *G, hy_batch *B)
{
    const double end = hy_clock() + seconds;
    uint64_t t = 1;
    /* Ticks are weights: floats hold them exactly up to here. */
    for (; t < (1u << 24) && hy_clock() < end; t++) {
        const hy_status status = tick(G, B, t);
        if (status != HY_OK)
            fail_msg("tick %" PRIu64 ": %s", t, hy_status_text(status));
        if (t % 8 == 0)
            rest(); /* else the readers mostly wait */
        if (t % 32 == 0)
            look(G);
    }
    return t;
}

/* ---- the test --------------------------------------------------------- */

/* With mapped ids the first vertices have their own numbers too. */
static hy_graph *make(hy_ctx *ctx, hy_ids ids, hy_batch **B)
{
    hy_graph_opts opts = { .reverse = true,
                           .ids = ids,
                           .memory_cap = (uint64_t)1 << 30,
                           .reserve = (uint64_t)1 << 30 };
    hy_graph *G;
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_batch_new(G, B), HY_OK);
    assert_int_equal(tick(G, *B, 0), HY_OK);
    return G;
}

static void run(hy_ctx *ctx, hy_ids ids)
{
    hy_batch *B;
    struct shared shared = { .G = make(ctx, ids, &B) };
    struct reader readers[READERS];
    pthread_t threads[READERS];
    const char *text = "";
    for (size_t i = 0; i < READERS; i++) {
        readers[i] =
            (struct reader){ .shared = &shared, .rng = test_seed_at(i) };
        assert_int_equal(
            pthread_create(&threads[i], NULL, read_views, &readers[i]), 0);
    }
    const double seconds = (double)test_scaled(150) / 100.0;
    const uint64_t ticks = write_for(seconds, shared.G, B);
    atomic_store(&shared.is_over, true);
    for (size_t i = 0; i < READERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < READERS; i++) {
        assert_string_equal(readers[i].why.text, "");
        assert_true(readers[i].views > 0);
        (void)printf("%" PRIu64 " ticks, %" PRIu64 " views\n", ticks,
                     readers[i].views);
    }
    if (!hy_graph_check(shared.G, &text))
        fail_msg("hy_graph_check: %s", text);
    hy_batch_free(B);
    hy_graph_free(shared.G);
    assert_int_equal(hy_ctx_bytes(ctx), 0);
}

static void views_of_many_threads_are_whole(void **state)
{
    (void)state;
    run(test_ctx(0), HY_IDS_DENSE);
}

static void views_are_whole_while_a_pool_commits(void **state)
{
    (void)state;
    run(test_ctx(1), HY_IDS_DENSE);
}

static void views_of_mapped_ids_are_whole(void **state)
{
    (void)state;
    run(test_ctx(1), HY_IDS_MAPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_many_threads_are_whole),
        cmocka_unit_test(views_are_whole_while_a_pool_commits),
        cmocka_unit_test(views_of_mapped_ids_are_whole),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
