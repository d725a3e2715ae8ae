/* Shortest paths in random graphs are those of Bellman and Ford; parents are
 * the ones that the header promises. */
#include "support/weighted.h"

#include <hypha/sssp.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    hy_vid n;
    double *dist;
    hy_vid *parent;
    hy_sssp_info info;
};

static struct answer answer_new(const hy_view *V)
{
    struct answer A = { .n = hy_view_bound(V) };
    A.dist = calloc((size_t)A.n + 1, sizeof *A.dist);
    A.parent = calloc((size_t)A.n + 1, sizeof *A.parent);
    assert_true(A.dist && A.parent);
    return A;
}

static void answer_free(struct answer *A)
{
    free(A->parent);
    free(A->dist);
}

/* ---- the oracle -----------------------------------------------------------
 */

static void bellman_ford(const struct arcs *arcs, hy_vid source,
                         struct answer *A)
{
    for (hy_vid v = 0; v < A->n; v++)
        A->dist[v] = v == source ? 0 : INFINITY;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t i = 0; i < arcs->n; i++) {
            const struct arc a = arcs->at[i];
            if (A->dist[a.u] + a.w < A->dist[a.v]) {
                A->dist[a.v] = A->dist[a.u] + a.w;
                has_changed = true;
            }
        }
    }
}

static bool is_tight(const struct answer *A, const struct arc *a)
{
    return A->dist[a->v] < INFINITY && A->dist[a->u] + a->w == A->dist[a->v];
}

/* One level of vertices after the other: first those that a steep edge leads
 * to, then those a flat one leads to from the level before. */
static void hang(const struct arcs *arcs, hy_vid source, struct answer *A)
{
    for (hy_vid v = 0; v < A->n; v++)
        A->parent[v] = HY_NONE;
    for (size_t i = arcs->n; i-- > 0;) /* backwards: the smallest stays */
        if (is_tight(A, &arcs->at[i]) &&
            A->dist[arcs->at[i].u] < A->dist[arcs->at[i].v])
            A->parent[arcs->at[i].v] = arcs->at[i].u;
    A->parent[source] = source;
    hy_vid *before = calloc((size_t)A->n + 1, sizeof *before);
    assert_non_null(before);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        memcpy(before, A->parent, A->n * sizeof *before);
        for (size_t i = arcs->n; i-- > 0;) {
            const struct arc *a = &arcs->at[i];
            if (is_tight(A, a) && before[a->u] != HY_NONE &&
                before[a->v] == HY_NONE) {
                A->parent[a->v] = a->u;
                has_changed = true;
            }
        }
    }
    free(before);
}

static void compare(const hy_view *V, const hy_sssp_opts *opts,
                    const struct answer *want, const struct answer *have)
{
    uint64_t reached = 0;
    double max = 0;
    for (hy_vid v = 0; v < want->n; v++) {
        if (want->dist[v] != have->dist[v] ||
            want->parent[v] != have->parent[v])
            fail_msg("vertex %u: %g from %u, not %g from %u", v, have->dist[v],
                     have->parent[v], want->dist[v], want->parent[v]);
        reached += want->dist[v] < INFINITY;
        if (want->dist[v] < INFINITY && want->dist[v] > max)
            max = want->dist[v];
    }
    assert_true(have->info.reached == reached && have->info.max_dist == max);
    const char *why = "";
    if (!hy_sssp_check(V, opts, have->dist, have->parent, &why) ||
        !hy_sssp_check(V, opts, have->dist, NULL, &why))
        fail_msg("%s", why);
}

static void run(const hy_view *V, const hy_sssp_opts *opts, struct answer *A)
{
    memset(A->dist, 0xa5, A->n * sizeof *A->dist);
    memset(A->parent, 0xa5, A->n * sizeof *A->parent);
    const hy_status status = hy_sssp(V, opts, A->dist, A->parent, &A->info);
    if (status != HY_OK)
        fail_msg("%s", hy_error_text());
}

static hy_vid any_vertex(const hy_view *V, uint64_t *rng)
{
    if (!hy_view_vertices(V))
        return HY_NONE;
    hy_vid u = (hy_vid)rng_below(rng, hy_view_bound(V));
    while (!hy_view_has_vertex(V, u))
        u = (u + 1) % hy_view_bound(V);
    return u;
}

static void try(hy_ctx *ctx, const struct weighted *how, uint64_t *rng)
{
    static const double deltas[] = { 0, 0.25, 1, 3, 64, 1e9, 1e-300, 1e300 };
    hy_graph *G = weighted_graph(ctx, how, rng);
    const hy_view *V = hy_graph_now(G);
    struct arcs arcs = arcs_of(V);
    struct answer want = answer_new(V), have = answer_new(V);
    hy_sssp_opts opts = { .source = any_vertex(V, rng) };
    if (opts.source != HY_NONE) {
        bellman_ford(&arcs, opts.source, &want);
        hang(&arcs, opts.source, &want);
        opts.delta = deltas[rng_below(rng, sizeof deltas / sizeof *deltas)];
        run(V, &opts, &have);
        compare(V, &opts, &want, &have);
    }
    answer_free(&have);
    answer_free(&want);
    free(arcs.at);
    hy_graph_free(G);
}

static void paths_of_a_random_graph_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(2000); i++) {
        uint64_t rng = test_seed_at(i);
        const struct weighted how = weighted_random(&rng);
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

static void paths_of_a_large_graph_are_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(40); i++) {
        uint64_t rng = test_seed_at(i);
        struct weighted how = weighted_random(&rng);
        how.n = (hy_vid)rng_range(&rng, 1000, 20000);
        how.m = how.n * rng_range(&rng, 1, 10);
        how.percent_changed /= 8;
        try(test_ctx((unsigned)i), &how, &rng);
    }
}

/* ---- the checker ----------------------------------------------------------
 */

static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(300); i++) {
        uint64_t rng = test_seed_at(i);
        const struct weighted how = weighted_random(&rng);
        hy_graph *G = weighted_graph(test_ctx((unsigned)i), &how, &rng);
        const hy_view *V = hy_graph_now(G);
        struct answer A = answer_new(V);
        const hy_sssp_opts opts = { .source = any_vertex(V, &rng) };
        if (opts.source == HY_NONE)
            goto next;
        run(V, &opts, &A);
        const hy_vid v = (hy_vid)rng_below(&rng, A.n);
        const char *why = "";
        const double d = A.dist[v];
        const double wrong[] = { NAN, -1, d < INFINITY ? INFINITY : 7,
                                 d < INFINITY ? d + 1 + d / 4 : 0,
                                 d > 0 && d < INFINITY ? d / 2 : NAN };
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            A.dist[v] = wrong[k];
            assert_false(hy_sssp_check(V, &opts, A.dist, A.parent, &why));
            assert_true(*why);
            assert_false(hy_sssp_check(V, &opts, A.dist, NULL, &why));
        }
        A.dist[v] = d;
        const hy_vid p = A.parent[v];
        A.parent[v] = p == HY_NONE ? opts.source : HY_NONE;
        assert_false(hy_sssp_check(V, &opts, A.dist, A.parent, &why));
        A.parent[v] = v;
        assert_true(hy_sssp_check(V, &opts, A.dist, A.parent, &why) ==
                    (v == opts.source));
next:
        answer_free(&A);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_a_random_graph_are_right),
        cmocka_unit_test(paths_of_a_large_graph_are_right),
        cmocka_unit_test(check_rejects_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
