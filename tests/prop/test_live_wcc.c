/* Components, live: through all that a history can do. */
#include "support/live_ask.h"
#include "support/small.h"

#include <hypha/wcc.h>

#include <stdlib.h>
#include <string.h>

static struct live_ask ask;
static const struct live_case wcc = { .attach = live_ask_wcc,
                                      .compare = live_is_wcc,
                                      .arg = &ask };

static void wcc_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&wcc, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void wcc_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&wcc, test_scaled(60), 7, &counts);
}

static void wcc_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&wcc, test_scaled(300));
}

static void wcc_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&wcc, test_scaled(100));
}

/* ---- shapes where tree edges have few replacements, or none -------------- */

enum shape {
    PATH,
    CYCLE,
    TREE,
    LADDER,
    GRID,
    HALVES,
    STAR,
    SPIDER,
    CAVES,
    SHAPES
};

/* The i-th edge of a shape of n vertices; false: it has no more.  CAVES are
 * cliques in a row. */
static bool shape_edge(enum shape shape, uint64_t n, uint64_t i, uint64_t *rng,
                       hy_edge *e)
{
    const uint64_t half = n / 2, legs = n / 90 + 1, k = shape == CAVES ? 5 : 20;
    uint64_t u = i % n, v = u + 1;
    switch (shape) {
    case PATH:
        break;
    case CYCLE:
        v = (u + 1) % n;
        break;
    case TREE:
        v = u ? rng_below(rng, u) : 0;
        break;
    case LADDER:
        v = i < n ? u + 2 : (u | 1);
        break;
    case GRID:
        v = i < n ? u + k : u % k == k - 1 ? u : u + 1;
        break;
    case HALVES:
        v = u < half ? rng_below(rng, half) : half + rng_below(rng, n - half);
        v = i < 3 ? rng_below(rng, n) : v;
        break;
    case STAR:
        v = 0;
        break;
    case SPIDER:
        v = u > legs ? u - legs : 0;
        break;
    default:
        u = (i / k) % n;
        v = i % k ? u - u % k + i % k : u + k;
        break;
    }
    *e = (hy_edge){ (hy_vid)u, (hy_vid)(v < n ? v : u) };
    return i < (shape >= LADDER && shape <= GRID ? 2 * n
                : shape == HALVES                ? 2 * n
                : shape == CAVES                 ? k * n
                                                 : n);
}

/* The same under other names, so that the smallest vertex is anywhere. */
static void rename_all(hy_edge *edges, uint64_t m, uint64_t n, uint64_t *rng)
{
    hy_vid *name = calloc(n, sizeof *name);
    if (!name)
        abort();
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = rng_below(rng, i + 1);
        name[i] = name[j];
        name[j] = (hy_vid)i;
    }
    for (uint64_t i = 0; i < m; i++)
        edges[i] = (hy_edge){ name[edges[i].u], name[edges[i].v] };
    free(name);
}

/* A cycle beside the shape makes recomputing dear, so that searches go on. */
enum { BESIDE = 40000 };

static hy_graph *shape_graph(hy_ctx *ctx, enum shape shape, uint64_t n,
                             bool is_beside, uint64_t *rng, hy_edge **edges,
                             uint64_t *m)
{
    const uint64_t beside = is_beside ? BESIDE : 0;
    const hy_graph_opts opts = { .undirected = rng_chance(rng, 70) };
    hy_graph *G = NULL;
    *edges = calloc(5 * n + 1 + BESIDE, sizeof **edges);
    if (!*edges)
        abort();
    *m = 0;
    while (shape_edge(shape, n, *m, rng, *edges + *m))
        ++*m;
    if (rng_chance(rng, 50))
        rename_all(*edges, *m, n, rng);
    for (uint64_t i = 0; i < beside; i++)
        (*edges)[*m + i] =
            (hy_edge){ (hy_vid)(n + i), (hy_vid)(n + (i + 1) % beside) };
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(
        hy_graph_load_edges(G, n + beside, *m + beside, *edges, NULL), HY_OK);
    return G;
}

static void commit_and_check(hy_graph *G, hy_batch *B, hy_live *L,
                             struct live_counts *counts)
{
    struct why why = { "" };
    const char *text = "";
    hy_live_info info;
    small_commit(G, B);
    hy_live_info_get(L, &info);
    counts->repaired += info.how == HY_LIVE_REPAIRED;
    counts->recomputed += info.how == HY_LIVE_RECOMPUTED;
    if (!live_is_wcc(L, hy_graph_now(G), NULL, &why))
        fail_msg("%s", why.text);
    if (!hy_live_check(L, &text))
        fail_msg("%s", text);
}

/* Deletes k edges of the shape, then puts them back, here and there in one
 * batch with the deletion of the next k. */
static void shape_step(hy_graph *G, hy_live *L, const hy_edge *edges,
                       uint64_t m, uint64_t k, uint64_t *rng,
                       struct live_counts *counts)
{
    const bool is_near = rng_chance(rng, 50);
    uint64_t last = 0;
    for (int round = 0; round < 3; round++) {
        hy_batch *B = small_batch(G);
        uint64_t now = rng_chance(rng, 30) ? 0 : rng_below(rng, m);
        for (uint64_t i = 0; round < 2 && i < k; i++) {
            const hy_edge e = edges[(now + i * (is_near ? 1 : 977)) % m];
            assert_int_equal(hy_batch_delete_edge(B, e.u, e.v), HY_OK);
        }
        for (uint64_t i = 0; round > 0 && i < k; i++) {
            const hy_edge e = edges[(last + i * (is_near ? 1 : 977)) % m];
            assert_int_equal(hy_batch_insert_edge(B, e.u, e.v, NULL), HY_OK);
        }
        last = now;
        commit_and_check(G, B, L, counts);
    }
}

static void wcc_of_shapes_with_bridges(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    for (uint64_t h = 0; h < test_scaled(400); h++) {
        uint64_t rng = test_seed_at(h), m;
        const enum shape shape = (enum shape)(h % SHAPES);
        const uint64_t n = rng_range(&rng, 2, 600);
        hy_edge *edges;
        hy_live *L;
        hy_graph *G = shape_graph(test_ctx((unsigned)(h % TEST_CTXS)), shape, n,
                                  h % 4 == 0, &rng, &edges, &m);
        assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
        for (unsigned i = 0; i < 12; i++) {
            const uint64_t k = rng_chance(&rng, 60) ? 1 : rng_below(&rng, 20);
            shape_step(G, L, edges, m, k, &rng, &counts);
        }
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
    assert_true(counts.repaired > counts.recomputed);
    assert_true(counts.recomputed > 0);
}

/* ---- batches that are shared between threads ------------------------------
 */

/* Edges that leave many vertices alone, in small trees or under a few: pairs,
 * short paths, stars, and some at random between all of them. */
static void sparse_edges(hy_edge *edges, uint64_t m, uint64_t n, uint64_t *rng)
{
    const uint64_t kind = rng_below(rng, 4), hubs = 1 + rng_below(rng, 30);
    for (uint64_t i = 0; i < m; i++) {
        const uint64_t u = rng_below(rng, n);
        const uint64_t v = kind == 0   ? rng_below(rng, n)
                           : kind == 1 ? rng_below(rng, u + 1)
                           : kind == 2 ? u / 3
                                       : rng_below(rng, hubs);
        const bool is_turned = rng_chance(rng, 50);
        const uint64_t w = rng_chance(rng, 90) ? v : rng_below(rng, n);
        edges[i] = is_turned ? (hy_edge){ (hy_vid)u, (hy_vid)w }
                             : (hy_edge){ (hy_vid)w, (hy_vid)u };
    }
}

/* Deletes k edges, or puts them in. */
static void change_many(hy_graph *G, hy_live *L, const hy_edge *edges,
                        uint64_t k, bool is_in, struct live_counts *counts)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(is_in ? hy_batch_insert_edges(B, k, edges, NULL)
                           : hy_batch_delete_edges(B, k, edges),
                     HY_OK);
    commit_and_check(G, B, L, counts);
}

static void wcc_of_large_batches(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    for (uint64_t h = 0; h < test_scaled(40); h++) {
        uint64_t rng = test_seed_at(h);
        const uint64_t n = rng_range(&rng, 20000, 100000);
        const uint64_t m = n * rng_range(&rng, 2, 12) / 4;
        const hy_graph_opts opts = { .undirected = rng_chance(&rng, 60) };
        hy_edge *edges = calloc(m, sizeof *edges);
        hy_graph *G = NULL;
        hy_live *L;
        if (!edges)
            abort();
        sparse_edges(edges, m, n, &rng);
        assert_int_equal(
            hy_graph_new(test_ctx((unsigned)(h % TEST_CTXS)), &opts, &G),
            HY_OK);
        assert_int_equal(hy_graph_load_edges(G, n, m, edges, NULL), HY_OK);
        assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
        for (unsigned i = 0; i < 6; i++) {
            const uint64_t k = rng_below(&rng, m / (i % 2 ? 2 : 16));
            const uint64_t at = rng_below(&rng, m - k);
            change_many(G, L, edges + at, k, false, &counts);
            if (rng_chance(&rng, 70))
                change_many(G, L, edges + at, k, true, &counts);
        }
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
}

/* 3 and many more hang under 2, 2 under 1, 1 under 0, and 1 - 3 is there: of 1,
 * which loses its parent, 3 is a neighbour but no place to be, as 2 loses 1,
 * and would be looked for from there. */
static void nobody_hangs_under_those_below_it(void **state)
{
    enum { MANY = 400, N = 400000 };
    const hy_edge path[] = { { 0, 1 }, { 1, 2 }, { 2, 3 } }, more = { 1, 3 };
    const hy_graph_opts opts = { .undirected = true };
    struct live_counts counts = { 0 };
    hy_edge above[2 * MANY], below[MANY];
    hy_live *L;
    (void)state;
    for (hy_vid i = 0; i < 2 * MANY; i++)
        above[i] = (hy_edge){ 0, 4 + i };
    for (hy_vid i = 0; i < MANY; i++)
        below[i] = (hy_edge){ 2, 4 + 2 * MANY + i };
    hy_graph *G = small_graph(&opts, N);
    assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
    change_many(G, L, above, 2 * MANY, true, &counts);
    for (int i = 0; i < 3; i++)
        change_many(G, L, &path[i], 1, true, &counts);
    change_many(G, L, &more, 1, true, &counts);
    change_many(G, L, below, MANY, true, &counts);
    change_many(G, L, path, 2, false, &counts);
    assert_int_equal(counts.repaired, 7);
    hy_live_detach(L);
    small_free(G);
}

/* ---- forests that fall to pieces ------------------------------------------
 */

/* A square of k x k, in random order. */
static uint64_t square_edges(hy_edge *edges, hy_vid k, uint64_t *rng)
{
    uint64_t m = 0;
    for (hy_vid u = 0; u < k * k; u++) {
        if (u % k + 1 < k)
            edges[m++] = (hy_edge){ u, u + 1 };
        if (u + k < k * k)
            edges[m++] = (hy_edge){ u, u + k };
    }
    for (uint64_t i = m; i-- > 1;) {
        const uint64_t j = rng_below(rng, i + 1);
        const hy_edge e = edges[i];
        edges[i] = edges[j];
        edges[j] = e;
    }
    return m;
}

/* How the last commit was followed. */
static bool was_without_forest(const hy_live *L)
{
    hy_live_info info;
    hy_live_info_get(L, &info);
    return strcmp(info.why, "there was no forest") == 0;
}

/* The trees of a square are deep: many deleted edges leave none, and only the
 * values are computed until few edges change. */
static void wcc_does_without_forest(void **state)
{
    enum { K = 250, PARTS = 12, FEW = 30 };
    (void)state;
    for (unsigned h = 0; h < 4; h++) {
        uint64_t rng = test_seed_at(h);
        const hy_graph_opts opts = { .undirected = h % 2 };
        struct live_counts counts = { 0 };
        hy_edge *edges = calloc(2 * K * K, sizeof *edges);
        hy_graph *G = NULL;
        hy_live *L;
        unsigned without = 0;
        if (!edges)
            abort();
        const uint64_t m = square_edges(edges, K, &rng), part = m / PARTS;
        assert_int_equal(hy_graph_new(test_ctx(h % TEST_CTXS), &opts, &G),
                         HY_OK);
        assert_int_equal(hy_graph_load_edges(G, K * K, m, edges, NULL), HY_OK);
        assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
        for (unsigned i = 0; i < PARTS / 2; i++) {
            change_many(G, L, edges + i * part, part, false, &counts);
            without += was_without_forest(L);
        }
        assert_true(without > 0);
        change_many(G, L, edges, part, true, &counts);
        assert_true(was_without_forest(L));
        change_many(G, L, edges + part, FEW, true, &counts);
        assert_true(was_without_forest(L)); /* and made one */
        counts.repaired = 0;
        for (unsigned i = 0; i < 8; i++)
            change_many(G, L, edges + i * FEW, FEW, i % 2, &counts);
        /* How many depends on the trees, and these on the threads. */
        assert_true(counts.repaired > 0);
        for (unsigned i = 0; i < PARTS / 2; i++)
            change_many(G, L, edges + i * part, part, false, &counts);
        change_many(G, L, edges, m, true, &counts); /* too many for one */
        change_many(G, L, edges, FEW, false, &counts);
        assert_true(was_without_forest(L)); /* and made one */
        change_many(G, L, edges, FEW, true, &counts);
        counts.repaired = 0;
        change_many(G, L, edges, part, false, &counts);
        change_many(G, L, edges, part, true, &counts);
        assert_true(counts.repaired > 0);
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
}

/* n random edges of vertices below `bound`, which are to be freed. */
static hy_edge *random_edges(uint64_t n, uint32_t bound, uint64_t *rng)
{
    hy_edge *edges = calloc(n, sizeof *edges);
    if (!edges)
        abort();
    for (uint64_t i = 0; i < n; i++)
        edges[i] = (hy_edge){ (hy_vid)rng_below(rng, bound),
                              (hy_vid)rng_below(rng, bound) };
    return edges;
}

/* A graph of the first m of them, whose components are kept. */
static hy_graph *graph_of(unsigned ctx, bool undirected, uint32_t bound,
                          uint64_t m, const hy_edge *edges, hy_live **out)
{
    const hy_graph_opts opts = { .undirected = undirected };
    hy_graph *G = NULL;
    assert_int_equal(hy_graph_new(test_ctx(ctx), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, bound, m, edges, NULL), HY_OK);
    assert_int_equal(hy_live_wcc(G, NULL, out), HY_OK);
    return G;
}

/* Random edges, most of which go in a few commits: trees that are not deep, and
 * are hung under each other again. */
static void wcc_mends_forests(void **state)
{
    enum { N = 60000, DEGREE = 8, PARTS = 10 };
    (void)state;
    for (unsigned h = 0; h < test_scaled(4); h++) {
        uint64_t rng = test_seed_at(h);
        const uint64_t m = N * rng_range(&rng, 2, DEGREE), part = m / PARTS;
        const bool undirected = rng_chance(&rng, 60);
        struct live_counts counts = { 0 };
        hy_edge *const edges = random_edges(m, N, &rng);
        hy_live *L;
        hy_graph *G = graph_of(h % TEST_CTXS, undirected, N, m, edges, &L);
        for (unsigned i = 0; i < PARTS; i++)
            change_many(G, L, edges + i * part, part, false, &counts);
        for (unsigned i = 0; i < PARTS; i++)
            change_many(G, L, edges + i * part, part, true, &counts);
        assert_true(counts.recomputed > 0);
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
}

/* After a batch that was too much for any repair, batches that are nearly as
 * large are repaired again soon. */
static void wcc_forest_comes_back(void **state)
{
    enum { N = 1 << 15, DEGREE = 8, MUCH = 40000, LESS = 18000, TIMES = 5 };
    (void)state;
    for (unsigned h = 0; h < 4; h++) {
        uint64_t rng = test_seed_at(h);
        const uint64_t m = N * DEGREE;
        struct live_counts counts = { 0 };
        hy_edge *const edges = random_edges(m + MUCH + TIMES * LESS, N, &rng);
        hy_edge *at = edges + m;
        hy_live *L;
        hy_graph *G = graph_of(h % TEST_CTXS, h % 2, N, m, edges, &L);
        change_many(G, L, at, MUCH, true, &counts);
        assert_int_equal(counts.repaired, 0);
        at += MUCH;
        for (unsigned i = 0; i < TIMES; i++, at += LESS)
            change_many(G, L, at, LESS, true, &counts);
        assert_true(counts.repaired >= TIMES - 2);
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
}

/* Several large components: each is the seed of its own growth. */
static void wcc_attaches_to_large_components(void **state)
{
    (void)state;
    for (unsigned parts = 1; parts <= 6; parts++) {
        uint64_t rng = test_seed_at(parts);
        const uint64_t n = 130000, size = n / parts;
        hy_edge *edges = calloc(n, sizeof *edges);
        hy_graph *G = NULL;
        hy_live *L = NULL;
        const char *text = "";
        struct why why = { "" };
        if (!edges)
            abort();
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t v = i / size * size;
            edges[i] =
                (hy_edge){ (hy_vid)i,
                           (hy_vid)(i > v ? v + rng_below(&rng, i - v) : i) };
        }
        rename_all(edges, n, n, &rng);
        const hy_graph_opts opts = { .undirected = parts % 2 };
        assert_int_equal(hy_graph_new(test_ctx(parts % TEST_CTXS), &opts, &G),
                         HY_OK);
        assert_int_equal(hy_graph_load_edges(G, n, n, edges, NULL), HY_OK);
        assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
        if (!live_is_wcc(L, hy_graph_now(G), NULL, &why))
            fail_msg("%s", why.text);
        if (!hy_live_check(L, &text))
            fail_msg("%s", text);
        hy_live_detach(L);
        small_free(G);
        free(edges);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wcc_follows_histories),
        cmocka_unit_test(wcc_survives_emptying),
        cmocka_unit_test(wcc_of_one_batch_or_many),
        cmocka_unit_test(wcc_stays_when_commits_fail),
        cmocka_unit_test(wcc_of_shapes_with_bridges),
        cmocka_unit_test(wcc_of_large_batches),
        cmocka_unit_test(nobody_hangs_under_those_below_it),
        cmocka_unit_test(wcc_does_without_forest),
        cmocka_unit_test(wcc_mends_forests),
        cmocka_unit_test(wcc_forest_comes_back),
        cmocka_unit_test(wcc_attaches_to_large_components),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
