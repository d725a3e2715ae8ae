/* Triangles and what is made of them, on random graphs: equal to oracles that
 * follow the definitions on a matrix; checkers accept what is right and
 * nothing else. */
#include "support/matrix.h"
#include "support/test.h"

#include <hypha/hypha.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- oracles ----------------------------------------------------------- */

static uint64_t oracle_triangles(const struct matrix *M, uint64_t *count)
{
    uint64_t total = 0;
    for (hy_vid u = 0; u < M->n; u++)
        for (hy_vid v = 0; v < u; v++)
            for (hy_vid w = 0; matrix_near(M, u, v) && w < v; w++)
                if (matrix_near(M, u, w) && matrix_near(M, v, w)) {
                    total++;
                    count[u]++;
                    count[v]++;
                    count[w]++;
                }
    return total;
}

static double oracle_lcc(const struct matrix *M, hy_vid u, bool undirected)
{
    uint64_t degree = 0, links = 0;
    for (hy_vid v = 0; v < M->n; v++) {
        if (!matrix_near(M, u, v))
            continue;
        degree++;
        for (hy_vid w = 0; w < M->n; w++)
            if (w != v && matrix_near(M, u, w))
                links += undirected ? matrix_near(M, v, w)
                                    : M->edge[(size_t)v * M->n + w];
    }
    return degree < 2 ? 0
                      : (double)links / (double)degree / (double)(degree - 1);
}

enum { CLIQUE_MOST = 7 };

/* Cliques of k vertices, at most CLIQUE_MOST: of the first `size` of set, and
 * of others after these. */
static uint64_t oracle_cliques(const struct matrix *M, hy_vid *set,
                               uint32_t size, uint32_t k, uint64_t *count)
{
    if (size == k || size == CLIQUE_MOST) {
        for (uint32_t i = 0; i < size; i++)
            count[set[i]]++;
        return 1;
    }
    uint64_t total = 0;
    for (hy_vid v = size ? set[size - 1] + 1 : 0; v < M->n; v++) {
        uint32_t near = 0;
        while (near < size && matrix_near(M, set[near], v))
            near++;
        set[size] = v;
        if (near == size)
            total += oracle_cliques(M, set, size + 1, k, count);
    }
    return total;
}

static uint64_t oracle_butterflies(const struct matrix *M, uint64_t *count)
{
    uint64_t total = 0;
    for (hy_vid u = 0; u < M->n; u++)
        for (hy_vid w = 0; w < u; w++) {
            uint64_t common = 0;
            for (hy_vid v = 0; v < M->n; v++)
                common += matrix_near(M, u, v) && matrix_near(M, w, v);
            const uint64_t pairs = common * (common ? common - 1 : 0) / 2;
            count[u] += pairs;
            count[w] += pairs;
            total += pairs;
        }
    return total / 2; /* a cycle has two pairs of opposite vertices */
}

/* Trussness by deleting what is not in the k-truss, k by k. */
static void oracle_truss(const struct matrix *M, uint32_t *truss)
{
    const size_t n = M->n;
    uint8_t *left = malloc(n * n + 1);
    assert_non_null(left);
    memcpy(left, M->near, n * n);
    memset(truss, 0, n * n * sizeof *truss);
    bool is_empty = false;
    for (uint32_t k = 2; !is_empty; k++) {
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t e = 0; e < n * n; e++) {
                const size_t u = e / n, v = e % n;
                uint32_t support = 0;
                for (size_t w = 0; left[e] && w < n; w++)
                    support += left[u * n + w] && left[v * n + w];
                if (left[e] && support + 2 < k) {
                    left[u * n + v] = left[v * n + u] = 0;
                    changed = true;
                }
            }
        }
        is_empty = true;
        for (size_t e = 0; e < n * n; e++)
            if (left[e]) {
                truss[e] = k;
                is_empty = false;
            }
    }
    free(left);
}

/* ---- one graph --------------------------------------------------------- */

/* What a graph is asked with. */
struct bed {
    const hy_view *V;
    struct matrix M;
    uint64_t *count, *right; /* by vertex */
    uint64_t seed, rng;
};

static void bed_init(struct bed *b, const hy_view *V, uint64_t seed)
{
    *b = (struct bed){ .V = V, .seed = seed, .rng = seed };
    matrix_init(&b->M, V);
    b->count = calloc((size_t)b->M.n + 1, sizeof *b->count);
    b->right = calloc((size_t)b->M.n + 1, sizeof *b->right);
    assert_true(b->count && b->right);
}

static void bed_fini(struct bed *b)
{
    free(b->right);
    free(b->count);
    matrix_fini(&b->M);
}

static void same_counts(struct bed *b, const char *what)
{
    for (hy_vid u = 0; u < b->M.n; u++)
        if (b->count[u] != b->right[u])
            fail_msg("%s of %u: %llu, not %llu (seed %llu)", what, u,
                     (unsigned long long)b->count[u],
                     (unsigned long long)b->right[u],
                     (unsigned long long)b->seed);
}

static void clear(struct bed *b)
{
    for (hy_vid u = 0; u < b->M.n; u++) {
        b->count[u] = 77;
        b->right[u] = 0;
    }
}

/* Changes one count; false if there is none. */
static bool spoil(struct bed *b)
{
    if (!b->M.n)
        return false;
    b->count[rng_below(&b->rng, b->M.n)] += 1;
    return true;
}

static void try_triangles(struct bed *b)
{
    const char *why = NULL;
    clear(b);
    const uint64_t total = oracle_triangles(&b->M, b->right);
    for (unsigned i = 0; i < 3; i++) {
        const hy_triangles_opts opts = { .method = (hy_triangles_method)i };
        hy_triangles_info info = { 0 };
        const hy_status status = hy_triangles(b->V, &opts, b->count, &info);
        if (i == HY_TRIANGLES_IN_PLACE && !hy_view_is_undirected(b->V)) {
            assert_int_equal(status, HY_ENOTSUP);
            continue;
        }
        assert_int_equal(status, HY_OK);
        assert_int_equal(info.triangles, total);
        same_counts(b, "triangles");
        info.triangles = 0;
        assert_int_equal(hy_triangles(b->V, &opts, NULL, &info), HY_OK);
        assert_int_equal(info.triangles, total);
    }
    memcpy(b->count, b->right, b->M.n * sizeof *b->count);
    assert_true(hy_triangles_check(b->V, b->count, total, &why));
    assert_true(hy_triangles_check(b->V, NULL, total, &why));
    assert_false(hy_triangles_check(b->V, b->count, total + 1, &why));
    assert_string_not_equal(why, "");
    assert_true(!spoil(b) || !hy_triangles_check(b->V, b->count, total, &why));
}

static void try_lcc(struct bed *b)
{
    const char *why = NULL;
    double *lcc = malloc(((size_t)b->M.n + 1) * sizeof *lcc);
    const hy_lcc_opts opts = { .undirected = rng_chance(&b->rng, 30) };
    hy_lcc_info info = { .average = -1 };
    double sum = 0;
    assert_non_null(lcc);
    assert_int_equal(hy_lcc(b->V, &opts, lcc, &info), HY_OK);
    for (hy_vid u = 0; u < b->M.n; u++) {
        const double right = oracle_lcc(&b->M, u, opts.undirected);
        sum += right;
        if (fabs(lcc[u] - right) > 1e-12)
            fail_msg("lcc of %u: %g, not %g (seed %llu)", u, lcc[u], right,
                     (unsigned long long)b->seed);
    }
    const double n = (double)hy_view_vertices(b->V);
    assert_true(fabs(info.average - (n > 0 ? sum / n : 0)) < 1e-9);
    assert_true(hy_lcc_check(b->V, &opts, lcc, &why));
    if (b->M.n) {
        lcc[rng_below(&b->rng, b->M.n)] += 1e-3;
        assert_false(hy_lcc_check(b->V, &opts, lcc, &why));
    }
    free(lcc);
}

static void try_cliques(struct bed *b)
{
    const char *why = NULL;
    hy_vid set[CLIQUE_MOST];
    const hy_kclique_opts opts = { .k = (uint32_t)rng_range(&b->rng, 2,
                                                            CLIQUE_MOST) };
    hy_kclique_info info = { 0 };
    clear(b);
    const uint64_t total = oracle_cliques(&b->M, set, 0, opts.k, b->right);
    assert_int_equal(hy_kclique(b->V, &opts, b->count, &info), HY_OK);
    assert_int_equal(info.cliques, total);
    same_counts(b, "cliques");
    assert_int_equal(hy_kclique(b->V, &opts, NULL, &info), HY_OK);
    assert_int_equal(info.cliques, total);
    assert_true(hy_kclique_check(b->V, &opts, b->count, total, &why));
    assert_false(hy_kclique_check(b->V, &opts, b->count, total + 1, &why));
    assert_true(!spoil(b) ||
                !hy_kclique_check(b->V, &opts, b->count, total, &why));
}

static void try_butterflies(struct bed *b)
{
    const char *why = NULL;
    hy_butterfly_info info = { 0 };
    clear(b);
    const uint64_t total = oracle_butterflies(&b->M, b->right);
    assert_int_equal(hy_butterfly(b->V, NULL, b->count, &info), HY_OK);
    assert_int_equal(info.butterflies, total);
    same_counts(b, "butterflies");
    assert_int_equal(hy_butterfly(b->V, NULL, NULL, &info), HY_OK);
    assert_int_equal(info.butterflies, total);
    assert_true(hy_butterfly_check(b->V, b->count, total, &why));
    assert_false(hy_butterfly_check(b->V, b->count, total + 1, &why));
    assert_true(!spoil(b) || !hy_butterfly_check(b->V, b->count, total, &why));
}

static void same_truss(struct bed *b, const uint32_t *right, uint32_t k,
                       const hy_ktruss_out *out, const hy_ktruss_info *info)
{
    const size_t n = b->M.n;
    uint64_t at = 0, vertices = 0;
    for (size_t u = 0; u < n; u++) {
        uint32_t largest = 0;
        for (size_t v = 0; v < n; v++) {
            const uint32_t truss = right[u * n + v];
            if (truss < 2 || truss < k)
                continue;
            largest = truss > largest ? truss : largest;
            if (v < u)
                continue;
            assert_true(at < info->edges);
            assert_int_equal(out->edges[at].u, u);
            assert_int_equal(out->edges[at].v, v);
            assert_int_equal(out->truss[at++], truss);
        }
        assert_int_equal(out->vertex[u], largest);
        vertices += largest > 0;
    }
    assert_int_equal(at, info->edges);
    assert_int_equal(vertices, info->vertices);
}

static void try_truss(struct bed *b)
{
    const char *why = NULL;
    const size_t n = b->M.n, m = hy_view_edges(b->V);
    uint32_t *right = malloc((n * n + 1) * sizeof *right);
    const hy_ktruss_out out = { malloc((m + 1) * sizeof(hy_edge)),
                                malloc((m + 1) * sizeof(uint32_t)),
                                malloc((n + 1) * sizeof(uint32_t)) };
    assert_true(right && out.edges && out.truss && out.vertex);
    oracle_truss(&b->M, right);
    for (uint32_t k = 0; k < 6; k += 3) {
        const hy_ktruss_opts opts = { .k = k };
        hy_ktruss_info info;
        assert_int_equal(hy_ktruss(b->V, &opts, &out, &info), HY_OK);
        same_truss(b, right, k, &out, &info);
    }
    hy_ktruss_info info;
    assert_int_equal(hy_ktruss(b->V, NULL, &out, &info), HY_OK);
    assert_true(hy_ktruss_check(b->V, info.edges, out.edges, out.truss, &why));
    if (info.edges) {
        uint32_t *spoilt = &out.truss[rng_below(&b->rng, info.edges)];
        *spoilt += rng_chance(&b->rng, 50) ? 1 : (uint32_t)-1;
        assert_false(
            hy_ktruss_check(b->V, info.edges, out.edges, out.truss, &why));
        assert_false(
            hy_ktruss_check(b->V, info.edges - 1, out.edges, out.truss, &why));
    }
    free(out.vertex);
    free(out.truss);
    free(out.edges);
    free(right);
}

static void step_common(void *arg, hy_vid v)
{
    uint64_t **at = arg;
    *(*at)++ = v;
}

static void try_intersect(struct bed *b)
{
    const hy_vid n = b->M.n;
    for (unsigned i = 0; n && i < 20; i++) {
        const hy_vid u = (hy_vid)rng_below(&b->rng, n + 1u);
        const hy_vid v = (hy_vid)rng_below(&b->rng, n);
        uint64_t *at = b->count;
        uint32_t found = 0;
        hy_intersect(b->V, u, v, step_common, &at);
        for (hy_vid w = 0; w < n; w++)
            if (u < n && b->M.edge[(size_t)u * n + w] &&
                b->M.edge[(size_t)v * n + w]) {
                assert_true(&b->count[found] < at);
                assert_int_equal(b->count[found++], w);
            }
        assert_int_equal(found, at - b->count);
        assert_int_equal(hy_intersect_count(b->V, u, v), found);
    }
}

static void try_all(const hy_view *V, uint64_t seed, bool small)
{
    struct bed b;
    bed_init(&b, V, seed);
    try_intersect(&b);
    try_triangles(&b);
    try_lcc(&b);
    try_butterflies(&b);
    if (small) {
        try_cliques(&b);
        try_truss(&b);
    }
    bed_fini(&b);
}

/* ---- graphs ------------------------------------------------------------ */

/* Small histories: loops, both directions, vertices that went. */
static void run_small(uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    const enum trial_start start =
        (enum trial_start)rng_below(&rng, TRIAL_STARTS);
    const uint64_t n = rng_below(&rng, 24), m = rng_below(&rng, 200);
    must(&T, trial_load(&T, start, n, m), seed);
    for (uint64_t steps = rng_below(&rng, 3); steps; steps--) {
        const struct mix mix = mix_random(T.M, &T.rng);
        must(&T, trial_step(&T, &mix, rng_below(&rng, 40)), seed);
    }
    try_all(hy_graph_now(T.G), rng_next(&rng), true);
    trial_fini(&T);
}

static void small_graphs_equal_oracles(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(1500); i < n; i++)
        run_small(test_seed_at(i));
}

/* Hubs of many pages, a dense middle, and many vertices with few edges. */
static uint64_t draw_edges(hy_edge *edges, uint64_t m, hy_vid n, uint64_t *rng)
{
    const hy_vid middle = (hy_vid)rng_range(rng, 2, 90);
    for (uint64_t i = 0; i < m; i++) {
        const hy_vid u = (hy_vid)rng_below(rng, n);
        const unsigned dice = (unsigned)rng_below(rng, 3);
        edges[i].u = dice == 0 ? u : u % (dice == 1 ? 2 : middle);
        edges[i].v = (hy_vid)rng_below(rng, dice == 2 ? middle : n);
        if (rng_chance(rng, 50))
            edges[i] = (hy_edge){ edges[i].v, edges[i].u };
    }
    return m;
}

static void run_hubs(uint64_t seed)
{
    uint64_t rng = seed;
    const hy_vid n = (hy_vid)rng_range(&rng, 300, 700);
    const uint64_t m = rng_range(&rng, 1000, 9000);
    hy_edge *edges = malloc(m * sizeof *edges);
    hy_graph_opts opts = shape_random(&rng);
    hy_graph *G = NULL;
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    assert_non_null(edges);
    opts.memory_cap = 0;
    opts.no_loops = false;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(
        hy_graph_load_edges(G, n, draw_edges(edges, m, n, &rng), edges, NULL),
        HY_OK);
    try_all(hy_graph_now(G), rng_next(&rng), false);
    hy_graph_free(G);
    free(edges);
}

static void hub_graphs_equal_oracles(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(12); i < n; i++)
        run_hubs(test_seed_at(i));
}

/* Sorted arrays of all lengths and overlaps. */
static void sorted_arrays_meet_as_sets(void **state)
{
    enum { MOST = 600 };
    (void)state;
    uint64_t rng = test_seed();
    for (uint64_t i = 0, rounds = test_scaled(3000); i < rounds; i++) {
        static hy_vid a[MOST], b[MOST];
        const uint64_t in_a = rng_range(&rng, 1, 100);
        const uint64_t in_b = rng_range(&rng, 1, 100);
        const hy_vid range = (hy_vid)rng_below(&rng, MOST);
        size_t na = 0, nb = 0, both = 0;
        for (hy_vid v = 0; v < range; v++) {
            const bool at_a = rng_below(&rng, 100) < in_a;
            const bool at_b = rng_below(&rng, 100) < in_b;
            a[na] = b[nb] = v + (v > range / 2 ? 1u << 31 : 0);
            na += at_a;
            nb += at_b;
            both += at_a && at_b;
        }
        assert_int_equal(hy_intersect_sorted(a, na, b, nb), both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_equal_oracles),
        cmocka_unit_test(hub_graphs_equal_oracles),
        cmocka_unit_test(sorted_arrays_meet_as_sets),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
