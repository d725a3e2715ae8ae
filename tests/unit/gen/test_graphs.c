/* Generated graphs: exact properties, the same bytes everywhere, errors. */
#include "support/test.h"

#include <hypha/gen.h>

#include <stdlib.h>
#include <string.h>

static hy_gen_list make(const hy_gen_opts *opts)
{
    hy_gen_list L = { .ctx = NULL };
    const hy_status status = hy_gen_make(test_ctx(1), opts, &L);
    if (status != HY_OK)
        fail_msg("%s: %s", hy_gen_name(opts->kind), hy_error_text());
    return L;
}

/* No loop, no repeat, ascending, u < v if undirected, in range. */
static void must_be_simple(const hy_gen_list *L)
{
    for (uint64_t i = 0; i < L->m; i++) {
        const hy_edge e = L->edges[i];
        assert_true(e.u < L->n && e.v < L->n && e.u != e.v);
        assert_true(L->directed || e.u < e.v);
        if (i) {
            const hy_edge d = L->edges[i - 1];
            assert_true(d.u < e.u || (d.u == e.u && d.v < e.v));
        }
    }
}

/* Edges at each vertex: all, or those that leave it. */
static uint32_t *degrees(const hy_gen_list *L, bool out_only)
{
    uint32_t *const d = calloc(L->n, sizeof *d);
    assert_non_null(d);
    for (uint64_t i = 0; i < L->m; i++) {
        d[L->edges[i].u]++;
        if (!out_only)
            d[L->edges[i].v]++;
    }
    return d;
}

static uint64_t components(const hy_gen_list *L)
{
    hy_vid *const p = malloc(L->n * sizeof *p);
    uint64_t n = L->n;
    assert_non_null(p);
    for (hy_vid u = 0; u < L->n; u++)
        p[u] = u;
    for (uint64_t i = 0; i < L->m; i++) {
        hy_vid a = L->edges[i].u, b = L->edges[i].v;
        while (p[a] != a)
            a = p[a] = p[p[a]];
        while (p[b] != b)
            b = p[b] = p[p[b]];
        n -= a != b;
        p[a] = b;
    }
    free(p);
    return n;
}

static uint64_t checksum(const hy_gen_list *L)
{
    uint64_t h = L->n * 31 + L->m;
    for (uint64_t i = 0; i < L->m; i++) {
        h = h * 0x100000001b3u ^ L->edges[i].u;
        h = h * 0x100000001b3u ^ L->edges[i].v;
        if (L->weights)
            h = h * 0x100000001b3u ^ (uint32_t)L->weights[i];
    }
    return h;
}

static void must_have(const hy_gen_opts *opts, uint64_t n, uint64_t m)
{
    hy_gen_list L = make(opts);
    hy_gen_estimate E;
    assert_int_equal(hy_gen_estimate_get(opts, &E), HY_OK);
    assert_int_equal(E.n, n);
    assert_int_equal(E.m, m);
    assert_int_equal(L.n, n);
    assert_int_equal(L.m, m);
    must_be_simple(&L);
    hy_gen_list_fini(&L);
}

/* ---- shapes ----------------------------------------------------------------
 */

static void plain_shapes_have_their_edges(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 40; n++) {
        must_have(&(hy_gen_opts){ .kind = HY_GEN_PATH, .n = n }, n, n - 1);
        must_have(&(hy_gen_opts){ .kind = HY_GEN_STAR, .n = n }, n, n - 1);
        must_have(&(hy_gen_opts){ .kind = HY_GEN_TREE, .n = n }, n, n - 1);
        must_have(&(hy_gen_opts){ .kind = HY_GEN_COMPLETE, .n = n }, n,
                  n * (n - 1) / 2);
        must_have(
            &(hy_gen_opts){ .kind = HY_GEN_COMPLETE, .n = n, .directed = true },
            n, n * (n - 1));
    }
    for (uint64_t n = 3; n < 40; n++)
        for (unsigned directed = 0; directed < 2; directed++)
            must_have(&(hy_gen_opts){ .kind = HY_GEN_CYCLE,
                                      .n = n,
                                      .directed = directed },
                      n, n);
}

static void cycle_has_two_neighbours_everywhere(void **state)
{
    hy_gen_list L = make(&(hy_gen_opts){ .kind = HY_GEN_CYCLE, .n = 10000 });
    uint32_t *const d = degrees(&L, false);
    (void)state;
    for (uint64_t u = 0; u < L.n; u++)
        assert_int_equal(d[u], 2);
    assert_int_equal(components(&L), 1);
    free(d);
    hy_gen_list_fini(&L);
}

static void grid_has_its_edges(void **state)
{
    (void)state;
    for (uint64_t r = 1; r < 12; r++)
        for (uint64_t c = 1; c < 12; c++)
            must_have(
                &(hy_gen_opts){ .kind = HY_GEN_GRID, .rows = r, .columns = c },
                r * c, r * (c - 1) + c * (r - 1));
    must_have(&(hy_gen_opts){ .kind = HY_GEN_GRID, .rows = 300 }, 90000,
              2 * 300 * 299);
    must_have(&(hy_gen_opts){ .kind = HY_GEN_GRID, .n = 49 }, 49, 84);
    must_have(&(hy_gen_opts){ .kind = HY_GEN_GRID, .scale = 5 }, 32,
              4 * 7 + 8 * 3);
}

static void trees_are_connected(void **state)
{
    (void)state;
    for (uint64_t degree = 0; degree < 4; degree++) {
        hy_gen_list L = make(&(hy_gen_opts){ .kind = HY_GEN_TREE,
                                             .n = 100000,
                                             .degree = degree,
                                             .seed = test_seed() });
        assert_int_equal(L.m, L.n - 1);
        assert_int_equal(components(&L), 1);
        uint32_t *const d = degrees(&L, true);
        for (uint64_t u = 0; degree && u < L.n; u++)
            assert_true(d[u] <= degree);
        free(d);
        hy_gen_list_fini(&L);
    }
}

/* ---- random graphs
 * ------------------------------------------------------------- */

static void drawn_graphs_are_simple(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        hy_gen_opts opts = { .kind = i % 2 ? HY_GEN_URAND : HY_GEN_KRON,
                             .scale = 12,
                             .seed = test_seed(),
                             .directed = i / 2 % 2 };
        opts.n = i < 4 ? 0 : 3000;
        hy_gen_list L = make(&opts);
        must_be_simple(&L);
        assert_true(L.m > L.n * 8 && L.m <= L.n * 16);
        hy_gen_list_fini(&L);
    }
    for (uint64_t n = 1; n < 5; n++)
        for (unsigned k = 0; k < 2; k++) {
            hy_gen_list L = make(&(hy_gen_opts){
                .kind = k ? HY_GEN_URAND : HY_GEN_KRON, .n = n });
            must_be_simple(&L);
            assert_true(n == 1 ? L.m == 0 : L.m > 0);
            hy_gen_list_fini(&L);
        }
}

static uint32_t largest(const hy_gen_list *L)
{
    uint32_t *const d = degrees(L, false);
    uint32_t most = 0;
    for (uint64_t u = 0; u < L->n; u++)
        most = d[u] > most ? d[u] : most;
    free(d);
    return most;
}

static void kron_is_skewed_and_urand_is_not(void **state)
{
    hy_gen_list K = make(&(hy_gen_opts){ .kind = HY_GEN_KRON });
    hy_gen_list U = make(&(hy_gen_opts){ .kind = HY_GEN_URAND });
    (void)state;
    assert_true(largest(&K) > 50 * 32);
    assert_true(largest(&U) < 3 * 32);
    hy_gen_list_fini(&K);
    hy_gen_list_fini(&U);
}

static void smallworld_keeps_its_edges(void **state)
{
    static const double chances[] = { 0, 0.1, 0.5, 1 };
    (void)state;
    for (uint64_t n = 3; n < 20; n++)
        for (uint64_t d = 2; d < n; d += 2)
            for (unsigned i = 0; i < 8; i++)
                must_have(&(hy_gen_opts){ .kind = HY_GEN_SMALLWORLD,
                                          .n = n,
                                          .degree = d,
                                          .seed = test_seed_at(i),
                                          .probability = chances[i % 4],
                                          .directed = i / 4 },
                          n, n * d / 2);
    hy_gen_list L = make(&(hy_gen_opts){
        .kind = HY_GEN_SMALLWORLD, .degree = 8, .probability = 0.25 });
    must_be_simple(&L);
    assert_int_equal(L.m, L.n * 4);
    uint64_t far = 0;
    for (uint64_t i = 0; i < L.m; i++) {
        const uint64_t gap = L.edges[i].v - L.edges[i].u;
        far += gap > 4 && gap < L.n - 4;
    }
    assert_true(far > L.m / 5 && far < L.m * 3 / 10);
    hy_gen_list_fini(&L);
}

static void preferential_has_a_heavy_tail(void **state)
{
    (void)state;
    for (uint64_t n = 2; n < 16; n++)
        for (uint64_t d = 1; d < n; d++)
            must_have(&(hy_gen_opts){ .kind = HY_GEN_PREFERENTIAL,
                                      .n = n,
                                      .degree = d,
                                      .seed = test_seed() },
                      n, d * (d + 1) / 2 + (n - d - 1) * d);
    hy_gen_list L =
        make(&(hy_gen_opts){ .kind = HY_GEN_PREFERENTIAL, .directed = true });
    must_be_simple(&L);
    uint32_t *const d = degrees(&L, true);
    for (uint64_t u = 9; u < L.n; u++)
        assert_int_equal(d[u], 8);
    free(d);
    /* The share of degree k falls as k^-3, so that of k and more as k^-2. */
    uint32_t *const all = degrees(&L, false);
    uint64_t above = 0;
    for (uint64_t u = 0; u < L.n; u++)
        above += all[u] >= 80;
    free(all);
    assert_true(above > L.n / 200 && above < L.n / 50);
    assert_true(largest(&L) > 500);
    hy_gen_list_fini(&L);
}

static void must_be_regular(uint64_t n, uint64_t d, uint64_t seed,
                            bool directed)
{
    hy_gen_list L = make(&(hy_gen_opts){ .kind = HY_GEN_REGULAR,
                                         .n = n,
                                         .degree = d,
                                         .seed = seed,
                                         .directed = directed });
    must_be_simple(&L);
    assert_int_equal(L.m, directed ? n * d : n * d / 2);
    uint32_t *const all = degrees(&L, false);
    uint32_t *const out = degrees(&L, true);
    for (uint64_t u = 0; u < n; u++) {
        assert_int_equal(all[u], directed ? 2 * d : d);
        assert_true(!directed || out[u] == d);
    }
    free(out);
    free(all);
    hy_gen_list_fini(&L);
}

static void regular_has_exact_degrees(void **state)
{
    (void)state;
    for (uint64_t n = 2; n < 20; n++)
        for (uint64_t d = 1; d < n; d++)
            for (unsigned i = 0; i < 6; i++)
                if (i % 2 || n * d % 2 == 0)
                    must_be_regular(n, d, test_seed_at(i), i % 2);
    must_be_regular(50000, 16, 1, false);
    must_be_regular(50000, 16, 1, true);
    must_be_regular(1000, 500, 1, false);
    must_be_regular(1001, 700, 1, false);
}

/* ---- the same everywhere
 * ----------------------------------------------------------
 */

struct sample {
    hy_gen_opts opts;
    uint64_t checksum;
};

/* What other machines must agree with. */
static const struct sample samples[] = {
    { { .kind = HY_GEN_KRON, .scale = 8, .seed = 42 }, 0x0130246f6794915b },
    { { .kind = HY_GEN_KRON,
        .n = 200,
        .degree = 4,
        .directed = true,
        .seed = 42 },
      0xc66bd31ebe85d08f },
    { { .kind = HY_GEN_URAND, .scale = 8, .weights = 255, .seed = 42 },
      0x6c58f57f7e4045f0 },
    { { .kind = HY_GEN_GRID,
        .rows = 5,
        .columns = 7,
        .weights = 9,
        .seed = 42 },
      0x612f45bf5d10bfbe },
    { { .kind = HY_GEN_PATH, .n = 9, .seed = 42 }, 0xc18f2287b8748787 },
    { { .kind = HY_GEN_CYCLE, .n = 9, .seed = 42 }, 0x40a26d674db77f88 },
    { { .kind = HY_GEN_STAR, .n = 9, .seed = 42 }, 0x46e11889f93613d7 },
    { { .kind = HY_GEN_COMPLETE, .n = 9, .seed = 42 }, 0xc7e7bddfdc824a33 },
    { { .kind = HY_GEN_TREE, .n = 500, .seed = 42 }, 0xa2c485dfe3b745e3 },
    { { .kind = HY_GEN_TREE, .n = 50, .degree = 3, .seed = 42 },
      0x761e470025b4ba16 },
    { { .kind = HY_GEN_SMALLWORLD,
        .n = 300,
        .degree = 6,
        .probability = 0.2,
        .seed = 42 },
      0x05ff1d75178fc6bc },
    { { .kind = HY_GEN_PREFERENTIAL, .n = 300, .degree = 3, .seed = 42 },
      0xcd29a5a88fab73c8 },
    { { .kind = HY_GEN_REGULAR, .n = 300, .degree = 7, .seed = 42 },
      0x1a73cd15c1fedccc },
    { { .kind = HY_GEN_REGULAR,
        .n = 40,
        .degree = 33,
        .directed = true,
        .seed = 42 },
      0x89435fd481b1e414 },
};

enum { N_SAMPLES = sizeof samples / sizeof *samples };

static void small_graphs_have_their_checksums(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        hy_gen_list L = make(&samples[i].opts);
        const uint64_t have = checksum(&L);
        if (have != samples[i].checksum)
            fail_msg("%s: 0x%016llx", hy_gen_name(samples[i].opts.kind),
                     (unsigned long long)have);
        hy_gen_list_fini(&L);
    }
}

static void threads_make_no_difference(void **state)
{
    hy_ctx *ctxs[3];
    (void)state;
    for (uint32_t t = 0; t < 3; t++)
        assert_int_equal(
            hy_ctx_new(&(hy_ctx_opts){ .threads = t + 1 }, &ctxs[t]), HY_OK);
    for (unsigned k = 0; k < HY_GEN_KINDS; k++) {
        hy_gen_opts opts = { .kind = (hy_gen_kind)k,
                             .seed = test_seed(),
                             .weights = 100,
                             .probability = 0.3 };
        opts.n = k == HY_GEN_COMPLETE ? 1000 : 0;
        uint64_t sums[3];
        for (unsigned t = 0; t < 3; t++) {
            hy_gen_list L;
            assert_int_equal(hy_gen_make(ctxs[t], &opts, &L), HY_OK);
            sums[t] = checksum(&L);
            hy_gen_list_fini(&L);
        }
        assert_true(sums[0] == sums[1] && sums[0] == sums[2]);
    }
    for (unsigned t = 0; t < 3; t++) {
        assert_int_equal(hy_ctx_bytes(ctxs[t]), 0);
        hy_ctx_free(ctxs[t]);
    }
}

static void seeds_make_a_difference(void **state)
{
    static const hy_gen_kind kinds[] = { HY_GEN_KRON,       HY_GEN_URAND,
                                         HY_GEN_TREE,       HY_GEN_PREFERENTIAL,
                                         HY_GEN_SMALLWORLD, HY_GEN_REGULAR };
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        hy_gen_opts opts = { .kind = kinds[i],
                             .scale = 10,
                             .probability = 0.5 };
        hy_gen_list a = make(&opts);
        opts.seed = 1;
        hy_gen_list b = make(&opts);
        assert_true(checksum(&a) != checksum(&b));
        hy_gen_list_fini(&a);
        hy_gen_list_fini(&b);
    }
}

/* ---- weights, graphs, draws
 * ---------------------------------------------------------
 */

static void weights_are_uniform_from_one(void **state)
{
    hy_gen_list L = make(&(hy_gen_opts){
        .kind = HY_GEN_GRID, .rows = 300, .weights = 10, .seed = 3 });
    uint64_t times[11] = { 0 };
    (void)state;
    for (uint64_t i = 0; i < L.m; i++) {
        assert_true(L.weights[i] >= 1 && L.weights[i] <= 10);
        times[L.weights[i]]++;
    }
    for (unsigned w = 1; w <= 10; w++)
        assert_true(times[w] > L.m / 11 && times[w] < L.m / 9);
    hy_gen_list_fini(&L);
}

static void graph_is_that_of_the_list(void **state)
{
    const hy_gen_opts opts = { .kind = HY_GEN_KRON, .scale = 8, .weights = 9 };
    hy_gen_list L = make(&opts);
    hy_graph *G = NULL;
    const char *why;
    (void)state;
    assert_int_equal(hy_gen_graph(test_ctx(1), &opts, &G), HY_OK);
    const hy_view *const V = hy_graph_now(G);
    assert_true(hy_graph_check(G, &why));
    assert_true(hy_view_is_undirected(V));
    assert_int_equal(hy_view_vertices(V), 256);
    assert_int_equal(hy_view_edges(V), L.m);
    assert_int_equal(hy_view_edge_column(V, 0).type, HY_I32);
    for (uint64_t i = 0; i < L.m; i++) {
        int32_t w;
        assert_true(hy_view_edge_values(V, L.edges[i].v, L.edges[i].u, &w));
        assert_int_equal(w, L.weights[i]);
    }
    hy_graph_free(G);
    hy_gen_list_fini(&L);
}

static void draw_gives_the_same_edges_in_pieces(void **state)
{
    hy_edge all[64], part[16];
    (void)state;
    for (unsigned skewed = 0; skewed < 2; skewed++) {
        hy_gen_draw d = { .seed = 5, .order = 6, .n = 100, .skewed = skewed };
        assert_int_equal(hy_gen_draw_edges(test_ctx(0), &d, 0, 64, all), HY_OK);
        assert_int_equal(hy_gen_draw_edges(test_ctx(1), &d, 40, 16, part),
                         HY_OK);
        assert_memory_equal(part, all + 40, sizeof part);
        for (unsigned i = 0; i < 64; i++)
            assert_true(all[i].u < 100 && all[i].v < 100 &&
                        all[i].u != all[i].v);
    }
    hy_gen_draw d = { .n = 100, .lo = 20, .hi = 22 };
    assert_int_equal(hy_gen_draw_edges(test_ctx(0), &d, 0, 64, all), HY_OK);
    for (unsigned i = 0; i < 64; i++)
        assert_true(all[i].u == 20 || all[i].u == 21);
    d.hi = 101;
    assert_int_equal(hy_gen_draw_edges(test_ctx(0), &d, 0, 1, all), HY_EINVAL);
    d = (hy_gen_draw){ .n = 1 };
    assert_int_equal(hy_gen_draw_edges(test_ctx(0), &d, 0, 1, all), HY_EINVAL);
}

/* ---- errors
 * ---------------------------------------------------------------------------
 */

static void must_fail(hy_status expected, hy_gen_opts opts)
{
    hy_gen_list L = { .n = 77 };
    hy_graph *G = NULL;
    hy_gen_estimate E = { .n = 77 };
    if (expected != HY_ENOMEM)
        assert_int_equal(hy_gen_estimate_get(&opts, &E), expected);
    assert_int_equal(E.n, 77);
    assert_int_equal(hy_gen_make(test_ctx(0), &opts, &L), expected);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(L.n, 77);
    assert_int_equal(hy_gen_graph(test_ctx(0), &opts, &G), expected);
    assert_null(G);
}

static void impossible_graphs_are_refused(void **state)
{
    const hy_gen_kind regular = HY_GEN_REGULAR, grid = HY_GEN_GRID;
    (void)state;
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = HY_GEN_KINDS });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = (hy_gen_kind)-1 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = regular, .n = 7, .degree = 3 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = regular, .n = 8, .degree = 8 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = regular, .n = 10 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = HY_GEN_CYCLE, .n = 2 });
    must_fail(HY_EINVAL,
              (hy_gen_opts){ .kind = HY_GEN_SMALLWORLD, .degree = 3 });
    must_fail(HY_EINVAL,
              (hy_gen_opts){ .kind = HY_GEN_SMALLWORLD, .n = 4, .degree = 4 });
    must_fail(HY_EINVAL,
              (hy_gen_opts){ .kind = HY_GEN_SMALLWORLD, .probability = 1.5 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = HY_GEN_SMALLWORLD,
                                        .probability = 0.0 / 0.0 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = HY_GEN_PREFERENTIAL, .n = 8 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = grid, .n = 50 });
    must_fail(HY_EINVAL, (hy_gen_opts){ .kind = grid, .n = 50, .rows = 3 });
    must_fail(HY_EINVAL,
              (hy_gen_opts){ .kind = HY_GEN_PATH, .weights = UINT32_MAX });
    must_fail(HY_EINVAL,
              (hy_gen_opts){ .kind = HY_GEN_KRON, .degree = UINT64_MAX });
}

struct measure {
    hy_ctx *ctx;
    uint64_t peak;
};

static bool measure(void *user, size_t bytes)
{
    struct measure *const M = user;
    const uint64_t now = (M->ctx ? hy_ctx_bytes(M->ctx) : 0) + bytes;
    M->peak = now > M->peak ? now : M->peak;
    return true;
}

/* What is told before is near to what is taken. */
static void estimates_are_near(void **state)
{
    const uint64_t slack = (uint64_t)16 << 20; /* spaces grow in steps */
    struct measure M = { .ctx = NULL };
    const hy_ctx_opts ctx_opts = { .threads = 1,
                                   .may_alloc = measure,
                                   .user = &M };
    (void)state;
    assert_int_equal(hy_ctx_new(&ctx_opts, &M.ctx), HY_OK);
    for (unsigned i = 0; i < 4 * HY_GEN_KINDS; i++) {
        hy_gen_opts opts = { .kind = (hy_gen_kind)(i / 4),
                             .n = i / 4 == HY_GEN_COMPLETE ? 1500 : 1 << 16,
                             .weights = i % 2,
                             .directed = i / 2 % 2 };
        hy_gen_estimate E;
        hy_graph *G = NULL;
        assert_int_equal(hy_gen_estimate_get(&opts, &E), HY_OK);
        M.peak = 0;
        assert_int_equal(hy_gen_graph(M.ctx, &opts, &G), HY_OK);
        hy_graph_free(G);
        assert_true(E.peak_bytes < 2 * M.peak);
        assert_true(E.peak_bytes + slack > M.peak);
    }
    hy_ctx_free(M.ctx);
}

static void too_large_graphs_are_refused(void **state)
{
    (void)state;
    must_fail(HY_EFULL, (hy_gen_opts){ .kind = HY_GEN_PATH, .scale = 32 });
    must_fail(HY_EFULL, (hy_gen_opts){ .kind = HY_GEN_PATH, .scale = 99 });
    must_fail(HY_EFULL,
              (hy_gen_opts){ .kind = HY_GEN_STAR, .n = (uint64_t)1 << 32 });
    must_fail(HY_EFULL, (hy_gen_opts){ .kind = HY_GEN_GRID, .rows = 70000 });
    must_fail(HY_EFULL, (hy_gen_opts){ .kind = HY_GEN_GRID,
                                       .rows = (uint64_t)1 << 40,
                                       .columns = (uint64_t)1 << 40 });
    must_fail(HY_ENOMEM,
              (hy_gen_opts){ .kind = HY_GEN_COMPLETE, .n = HY_NONE });
    must_fail(
        HY_ENOMEM,
        (hy_gen_opts){ .kind = HY_GEN_KRON, .scale = 31, .degree = HY_NONE });
    must_fail(HY_ENOMEM, (hy_gen_opts){ .kind = HY_GEN_REGULAR,
                                        .n = HY_NONE,
                                        .degree = HY_NONE / 2 - 1 });
    must_fail(HY_ENOMEM, (hy_gen_opts){ .kind = HY_GEN_PREFERENTIAL,
                                        .n = HY_NONE,
                                        .degree = HY_NONE - 1 });
    must_fail(HY_ENOMEM, (hy_gen_opts){ .kind = HY_GEN_SMALLWORLD,
                                        .n = HY_NONE,
                                        .degree = HY_NONE - 1 });
}

static void names_are_found(void **state)
{
    (void)state;
    for (unsigned k = 0; k < HY_GEN_KINDS; k++) {
        assert_int_equal(hy_gen_find(hy_gen_name((hy_gen_kind)k)), k);
        assert_non_null(hy_gen_text((hy_gen_kind)k));
    }
    assert_int_equal(hy_gen_find("kronecker"), HY_GEN_KINDS);
    assert_null(hy_gen_name(HY_GEN_KINDS));
    assert_null(hy_gen_text(HY_GEN_KINDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_shapes_have_their_edges),
        cmocka_unit_test(cycle_has_two_neighbours_everywhere),
        cmocka_unit_test(grid_has_its_edges),
        cmocka_unit_test(trees_are_connected),
        cmocka_unit_test(drawn_graphs_are_simple),
        cmocka_unit_test(kron_is_skewed_and_urand_is_not),
        cmocka_unit_test(smallworld_keeps_its_edges),
        cmocka_unit_test(preferential_has_a_heavy_tail),
        cmocka_unit_test(regular_has_exact_degrees),
        cmocka_unit_test(small_graphs_have_their_checksums),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(seeds_make_a_difference),
        cmocka_unit_test(weights_are_uniform_from_one),
        cmocka_unit_test(graph_is_that_of_the_list),
        cmocka_unit_test(draw_gives_the_same_edges_in_pieces),
        cmocka_unit_test(impossible_graphs_are_refused),
        cmocka_unit_test(estimates_are_near),
        cmocka_unit_test(too_large_graphs_are_refused),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
