/* Forests of random graphs are those of Kruskal. */
#include "support/weighted.h"

#include <hypha/mst.h>

#include <stdlib.h>
#include <string.h>

/* ---- the oracle -----------------------------------------------------------
 */

struct kruskal {
    hy_edge *edges; /* of the forest, ascending */
    hy_vid *set;
    uint64_t n;
    double weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    if (x->w != y->w)
        return x->w < y->w ? -1 : 1;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    return (x->v > y->v) - (x->v < y->v);
}

static int by_ends(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    return (x->v > y->v) - (x->v < y->v);
}

static hy_vid find(struct kruskal *K, hy_vid v)
{
    while (K->set[v] != v)
        v = K->set[v] = K->set[K->set[v]]; /* or hubs make long chains */
    return v;
}

static struct kruskal kruskal_of(const hy_view *V, struct arcs *arcs)
{
    const size_t bound = hy_view_bound(V);
    struct kruskal K = { .edges = calloc(bound + 1, sizeof *K.edges),
                         .set = calloc(bound + 1, sizeof *K.set) };
    struct arc *kept = calloc(bound + 1, sizeof *kept);
    assert_true(K.edges && K.set && kept);
    for (hy_vid v = 0; v < bound; v++)
        K.set[v] = v;
    for (size_t i = 0; i < arcs->n; i++)
        if (arcs->at[i].u > arcs->at[i].v) {
            const hy_vid u = arcs->at[i].u;
            arcs->at[i].u = arcs->at[i].v;
            arcs->at[i].v = u;
        }
    qsort(arcs->at, arcs->n, sizeof *arcs->at, by_weight);
    for (size_t i = 0; i < arcs->n; i++) {
        const hy_vid a = find(&K, arcs->at[i].u), b = find(&K, arcs->at[i].v);
        if (a == b)
            continue;
        K.set[a] = b;
        kept[K.n++] = arcs->at[i];
    }
    qsort(kept, K.n, sizeof *kept, by_ends);
    for (uint64_t i = 0; i < K.n; i++) {
        K.edges[i] = (hy_edge){ .u = kept[i].u, .v = kept[i].v };
        K.weight += kept[i].w;
    }
    free(kept);
    return K;
}

static void kruskal_free(struct kruskal *K)
{
    free(K->set);
    free(K->edges);
}

/* ---- tests ----------------------------------------------------------------
 */

static hy_edge *run(const hy_view *V, hy_mst_info *info)
{
    hy_edge *edges = calloc(hy_view_vertices(V) + 1, sizeof *edges);
    assert_non_null(edges);
    if (hy_mst(V, NULL, edges, info) != HY_OK)
        fail_msg("%s", hy_error_text());
    return edges;
}

static void try(hy_ctx *ctx, struct weighted *how, uint64_t *rng)
{
    how->may_be_signed = rng_chance(rng, 50);
    hy_graph *G = weighted_graph(ctx, how, rng);
    const hy_view *V = hy_graph_now(G);
    struct arcs arcs = arcs_of(V);
    struct kruskal K = kruskal_of(V, &arcs);
    hy_mst_info info;
    hy_edge *edges = run(V, &info);
    const char *why = "";
    assert_int_equal(info.edges, K.n);
    assert_int_equal(info.trees, hy_view_vertices(V) - K.n);
    assert_true(info.weight == K.weight);
    for (uint64_t i = 0; i < K.n; i++)
        assert_true(edges[i].u == K.edges[i].u && edges[i].v == K.edges[i].v);
    if (!hy_mst_check(V, NULL, edges, &info, &why))
        fail_msg("%s", why);
    free(edges);
    kruskal_free(&K);
    free(arcs.at);
    hy_graph_free(G);
}

static void forest_of_a_random_graph_is_kruskals(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(2000); i++) {
        uint64_t rng = test_seed_at(i);
        struct weighted how = weighted_random(&rng);
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

static void forest_of_a_large_graph_is_kruskals(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(40); i++) {
        uint64_t rng = test_seed_at(i);
        struct weighted how = weighted_random(&rng);
        how.n = (hy_vid)rng_range(&rng, 1000, 20000);
        how.m = how.n * rng_range(&rng, 1, 5);
        how.percent_changed /= 8;
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

/* The forest is unique: any other edge in it is wrong. */
static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(300); i++) {
        uint64_t rng = test_seed_at(i);
        const struct weighted how = weighted_random(&rng);
        hy_graph *G = weighted_graph(test_ctx((unsigned)i), &how, &rng);
        const hy_view *V = hy_graph_now(G);
        hy_mst_info info;
        hy_edge *edges = run(V, &info);
        const char *why = "";
        if (info.edges) {
            const uint64_t k = rng_below(&rng, info.edges);
            const hy_edge e = edges[k];
            edges[k].v = (hy_vid)rng_below(&rng, hy_view_bound(V));
            assert_true(hy_mst_check(V, NULL, edges, &info, &why) ==
                        (edges[k].v == e.v));
            edges[k] = e;
            hy_mst_info wrong = info;
            wrong.weight += 1 + wrong.weight / 2;
            assert_false(hy_mst_check(V, NULL, edges, &wrong, &why));
            wrong = info;
            wrong.trees++;
            assert_false(hy_mst_check(V, NULL, edges, &wrong, &why));
            wrong = info; /* the last edge is missing */
            wrong.edges--;
            wrong.trees++;
            assert_false(hy_mst_check(V, NULL, edges, &wrong, &why));
            assert_true(*why);
        }
        free(edges);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forest_of_a_random_graph_is_kruskals),
        cmocka_unit_test(forest_of_a_large_graph_is_kruskals),
        cmocka_unit_test(check_rejects_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
