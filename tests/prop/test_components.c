/* Components of random graphs: by closures of a matrix when they are small,
 * by the checkers and on all numbers of threads when they are large. */
#include "support/matrix.h"
#include "support/some_graph.h"

#include <hypha/scc.h>
#include <hypha/wcc.h>

#include <stdlib.h>
#include <string.h>

enum { METHODS = 3 };

/* ---- the oracle: who reaches whom --------------------------------------- */

static void close_paths(uint8_t *edge, hy_vid n)
{
    for (hy_vid k = 0; k < n; k++)
        for (hy_vid u = 0; u < n; u++)
            for (hy_vid v = 0; edge[u * n + k] && v < n; v++)
                edge[u * n + v] |= edge[k * n + v];
}

/* label[u] <- the smallest v with paths both ways, by edges or by `near`. */
static void oracle(const hy_view *V, bool is_weak, hy_vid *label)
{
    struct matrix M;
    matrix_init(&M, V);
    uint8_t *path = is_weak ? M.near : M.edge;
    const hy_vid n = M.n;
    close_paths(path, n);
    for (hy_vid u = 0; u < n; u++) {
        label[u] = hy_view_has_vertex(V, u) ? u : HY_NONE;
        for (hy_vid v = 0; v < u && label[u] == u; v++)
            if (path[u * n + v] && path[v * n + u])
                label[u] = v;
    }
    matrix_fini(&M);
}

struct counts {
    uint64_t groups, largest;
};

static struct counts count(const hy_vid *label, hy_vid n)
{
    struct counts found = { 0, 0 };
    uint64_t *size = calloc(n + 1u, sizeof *size);
    assert_non_null(size);
    for (hy_vid u = 0; u < n; u++)
        if (label[u] != HY_NONE) {
            found.groups += label[u] == u;
            size[label[u]]++;
        }
    for (hy_vid u = 0; u < n; u++)
        found.largest = size[u] > found.largest ? size[u] : found.largest;
    free(size);
    return found;
}

/* ---- all ways to ask ------------------------------------------------------
 */

static hy_vid *labels_new(const hy_view *V)
{
    hy_vid *label = calloc(hy_view_bound(V) + 1u, sizeof *label);
    assert_non_null(label);
    return label;
}

static void must_equal(const hy_vid *have, const hy_vid *want, hy_vid n,
                       const char *what, uint64_t seed)
{
    for (hy_vid u = 0; u < n; u++)
        if (have[u] != want[u])
            fail_msg("%s: vertex %u has the label %u, not %u; "
                     "HYPHA_TEST_SEED=0x%llx",
                     what, u, have[u], want[u], (unsigned long long)seed);
}

static void wcc_all_ways(const hy_view *V, const hy_vid *want, uint64_t seed)
{
    const hy_vid n = hy_view_bound(V);
    const struct counts c = count(want, n);
    hy_vid *label = labels_new(V);
    for (int method = 0; method < METHODS; method++) {
        const hy_wcc_opts opts = { .method = (hy_wcc_method)method };
        hy_wcc_info info = { 0 };
        memset(label, 0, n * sizeof *label);
        assert_int_equal(hy_wcc(V, &opts, label, method % 2 ? NULL : &info),
                         HY_OK);
        must_equal(label, want, n, "wcc", seed);
        assert_int_equal(info.components, method % 2 ? 0 : c.groups);
        assert_int_equal(info.largest, method % 2 ? 0 : c.largest);
    }
    free(label);
}

static void scc_all_ways(const hy_view *V, const hy_vid *want, uint64_t seed)
{
    const hy_vid n = hy_view_bound(V);
    const struct counts c = count(want, n);
    hy_vid *label = labels_new(V);
    for (int method = 0; method < METHODS; method++) {
        const hy_scc_opts opts = { .method = (hy_scc_method)method };
        hy_scc_info info = { 0 };
        memset(label, 0, n * sizeof *label);
        assert_int_equal(hy_scc(V, &opts, label, &info), HY_OK);
        must_equal(label, want, n, "scc", seed);
        assert_int_equal(info.components, c.groups);
        assert_int_equal(info.largest, c.largest);
    }
    free(label);
}

static void components_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1500); i++) {
        const uint64_t seed = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, seed);
        const hy_view *V = hy_graph_now(G);
        hy_vid *want = labels_new(V);
        oracle(V, true, want);
        wcc_all_ways(V, want, seed);
        assert_true(hy_wcc_check(V, want, NULL));
        oracle(V, false, want);
        scc_all_ways(V, want, seed);
        assert_true(hy_scc_check(V, want, NULL));
        free(want);
        hy_graph_free(G);
    }
}

/* ---- large graphs ---------------------------------------------------------
 */

static void components_of_large_graphs_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(30); i++) {
        const uint64_t seed = test_seed_at(i);
        uint64_t rng = seed;
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 5000, 30000),
            .m = rng_range(&rng, 4000, 60000),
            .has_hub = rng_chance(&rng, 40),
        };
        const char *why = "";
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        const hy_view *V = hy_graph_now(G);
        hy_vid *want = labels_new(V);
        assert_int_equal(hy_wcc(V, NULL, want, NULL), HY_OK);
        if (!hy_wcc_check(V, want, &why))
            fail_msg("%s", why);
        wcc_all_ways(V, want, seed);
        assert_int_equal(hy_scc(V, NULL, want, NULL), HY_OK);
        if (!hy_scc_check(V, want, &why))
            fail_msg("%s", why);
        scc_all_ways(V, want, seed);
        free(want);
        hy_graph_free(G);
    }
}

/* ---- wrong answers --------------------------------------------------------
 */

typedef bool checker(const hy_view *V, const hy_vid *label, const char **why);

static void reject(const hy_view *V, checker *check, hy_vid *label, hy_vid u,
                   hy_vid value)
{
    const char *why = "";
    const hy_vid right = label[u];
    if (right == value)
        return;
    label[u] = value;
    assert_false(check(V, label, &why));
    assert_true(strlen(why) > 0);
    label[u] = right;
}

/* Gives one component the label of another. */
static void reject_merger(const hy_view *V, checker *check, hy_vid *label,
                          hy_vid from, hy_vid to)
{
    const hy_vid n = hy_view_bound(V);
    hy_vid *merged = labels_new(V);
    for (hy_vid u = 0; u < n; u++)
        merged[u] = label[u] == from ? to : label[u];
    if (from != HY_NONE && to != HY_NONE && from > to)
        assert_false(check(V, merged, NULL));
    free(merged);
}

static void reject_some(const hy_view *V, checker *check, hy_vid *label,
                        uint64_t *rng)
{
    const hy_vid n = hy_view_bound(V);
    const hy_vid u = (hy_vid)rng_below(rng, n), v = (hy_vid)rng_below(rng, n);
    reject(V, check, label, u, u);
    reject(V, check, label, u, v);
    reject(V, check, label, u, n);
    reject(V, check, label, u, HY_NONE);
    reject_merger(V, check, label, label[u], label[v]);
}

static void checks_reject_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(500); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        hy_vid *label = labels_new(V);
        oracle(V, true, label);
        reject_some(V, hy_wcc_check, label, &rng);
        oracle(V, false, label);
        reject_some(V, hy_scc_check, label, &rng);
        free(label);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_the_matrix),
        cmocka_unit_test(components_of_large_graphs_are_right),
        cmocka_unit_test(checks_reject_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
