/* Local clusters of random graphs against a plain push on whole arrays and
 * a sweep that counts every cut anew. */
#include "support/some_graph.h"
#include "support/weighted.h"

#include <hypha/localcluster.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plain {
    struct arcs arcs; /* both directions of every edge */
    hy_vid n;
    double *p, *r;
    uint64_t *degree, volume;
    hy_vid *order;
    bool *is_in;
};

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    assert_non_null(p);
    return p;
}

static void plain_init(struct plain *P, const hy_view *V)
{
    struct arcs arcs = arcs_of(V);
    *P = (struct plain){ .n = hy_view_bound(V) };
    if (!hy_view_is_undirected(V)) {
        arcs.at = realloc(arcs.at, (2 * arcs.n + 1) * sizeof *arcs.at);
        assert_non_null(arcs.at);
        for (size_t i = 0; i < arcs.n; i++)
            arcs.at[arcs.n + i] =
                (struct arc){ .u = arcs.at[i].v, .v = arcs.at[i].u };
        arcs.n *= 2;
    }
    P->arcs = arcs;
    P->p = zeroed(P->n, sizeof *P->p);
    P->r = zeroed(P->n, sizeof *P->r);
    P->degree = zeroed(P->n, sizeof *P->degree);
    P->order = zeroed(P->n, sizeof *P->order);
    P->is_in = zeroed(P->n, sizeof *P->is_in);
    for (size_t i = 0; i < arcs.n; i++)
        P->degree[arcs.at[i].u]++;
    P->volume = arcs.n;
}

static void plain_fini(struct plain *P)
{
    free(P->is_in);
    free(P->order);
    free(P->degree);
    free(P->r);
    free(P->p);
    free(P->arcs.at);
}

/* The conductance of what is in. */
static double conductance(const struct plain *P)
{
    uint64_t volume = 0, cut = 0;
    for (size_t i = 0; i < P->arcs.n; i++) {
        volume += P->is_in[P->arcs.at[i].u];
        cut += P->is_in[P->arcs.at[i].u] && !P->is_in[P->arcs.at[i].v];
    }
    const uint64_t rest = P->volume - volume;
    const uint64_t less = volume < rest ? volume : rest;
    return less ? (double)cut / (double)less : 1;
}

static void must_be(bool ok, const char *what, uint64_t seed)
{
    if (!ok)
        fail_msg("%s: %s; HYPHA_TEST_SEED=0x%llx", what, hy_error_text(),
                 (unsigned long long)seed);
}

/* Pushes first in, first out, from the seed; p is what the paper says. */
static void plain_push(struct plain *P, hy_vid seed, double alpha, double eps)
{
    size_t head = 0, tail = 0, room = 1 << 16;
    hy_vid *queue = zeroed(room, sizeof *queue);
    bool *queued = zeroed(P->n, sizeof *queued);
    P->r[seed] = 1;
    if (1 >= eps * (double)P->degree[seed])
        queue[tail++] = seed;
    queued[seed] = tail;
    while (head < tail) {
        const hy_vid u = queue[head++];
        const double r = P->r[u];
        queued[u] = false;
        P->p[u] += alpha * r;
        P->r[u] = (1 - alpha) * r / 2;
        for (size_t i = 0; i < P->arcs.n; i++)
            if (P->arcs.at[i].u == u)
                P->r[P->arcs.at[i].v] +=
                    (1 - alpha) * r / 2 / (double)P->degree[u];
        for (hy_vid v = 0; v < P->n; v++)
            if (!queued[v] && P->degree[v] && P->r[v] > 0 &&
                P->r[v] >= eps * (double)P->degree[v]) {
                assert_true(tail < room);
                queue[tail++] = v;
                queued[v] = true;
            }
    }
    free(queued);
    free(queue);
}

/* Sums of conductances over all trials: what was found, and the best
 * beginning of the plain order. */
struct quality {
    double found, plain;
    uint64_t n;
};

static void compare(const hy_view *V, const hy_localcluster_opts *opts,
                    uint64_t seed, struct quality *Q)
{
    hy_localcluster_info info;
    const uint64_t room = hy_localcluster_room(V, opts);
    hy_vid *members = zeroed(room, sizeof *members);
    assert_int_equal(hy_localcluster(V, opts, members, &info), HY_OK);
    must_be(info.members > 0 && info.members <= room, "members", seed);
    must_be(info.touched <= room, "room", seed);
    must_be(hy_localcluster_check(V, members, &info, NULL), "check", seed);
    struct plain P;
    plain_init(&P, V);
    if (P.degree[opts->seed]) {
        plain_push(&P, opts->seed, opts->alpha, opts->epsilon);
        double best = 1;
        for (hy_vid k = 0; k < P.n; k++) {
            hy_vid top = HY_NONE;
            double worth = 0;
            for (hy_vid u = 0; u < P.n; u++)
                if (!P.is_in[u] && P.p[u] > worth * (double)P.degree[u]) {
                    top = u;
                    worth = P.p[u] / (double)P.degree[u];
                }
            if (top == HY_NONE)
                break;
            P.is_in[top] = true;
            best = fmin(best, conductance(&P));
        }
        Q->found += info.conductance;
        Q->plain += best;
        Q->n++;
    }
    plain_fini(&P);
    free(members);
}

static void clusters_are_as_good_as_plain_ones(void **state)
{
    (void)state;
    struct quality Q = { 0 };
    for (uint64_t i = 0; i < test_scaled(1000); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G =
            some_graph(test_ctx((unsigned)(i % TEST_CTXS)), NULL, rng);
        assert_int_equal(hy_graph_add_reverse(G), HY_OK);
        const hy_view *V = hy_graph_now(G);
        const hy_localcluster_opts opts = { .seed = some_vertex(V, &rng),
                                            .alpha = 0.15,
                                            .epsilon = 1e-6 };
        if (opts.seed != HY_NONE)
            compare(V, &opts, test_seed_at(i), &Q);
        hy_graph_free(G);
    }
    /* Pushes in another order give slightly other ranks, and equal ones
     * another sweep: single answers differ both ways. */
    assert_true(Q.found <= Q.plain + 0.02 * (double)Q.n);
}

/* Two cliques of k, joined by one edge. */
static hy_graph *dumbbell(bool undirected, hy_vid k)
{
    const hy_graph_opts opts = { .undirected = undirected,
                                 .reverse = !undirected };
    hy_graph *G;
    hy_batch *B;
    assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 2 * k, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (hy_vid side = 0; side < 2 * k; side += k)
        for (hy_vid u = 0; u < k; u++)
            for (hy_vid v = 0; v < u; v++)
                assert_int_equal(
                    hy_batch_insert_edge(B, side + u, side + v, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, k, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
    return G;
}

static void cluster_is_the_clique_of_the_seed(void **state)
{
    (void)state;
    enum { K = 12 };
    for (int undirected = 0; undirected < 2; undirected++) {
        hy_graph *G = dumbbell(undirected, K);
        for (hy_vid seed = 0; seed < 2 * K; seed++) {
            const hy_localcluster_opts opts = { .seed = seed };
            hy_vid members[2 * K];
            hy_localcluster_info info;
            assert_int_equal(
                hy_localcluster(hy_graph_now(G), &opts, members, &info), HY_OK);
            assert_int_equal(info.members, K);
            assert_int_equal(info.cut, 1);
            for (hy_vid i = 0; i < K; i++)
                assert_int_equal(members[i], seed / K * K + i);
        }
        hy_graph_free(G);
    }
}

static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    hy_graph *G = dumbbell(true, 8);
    const hy_view *V = hy_graph_now(G);
    hy_vid members[16];
    hy_localcluster_info info;
    assert_int_equal(hy_localcluster(V, NULL, members, &info), HY_OK);
    assert_true(hy_localcluster_check(V, members, &info, NULL));
    hy_localcluster_info bad[5] = { info, info, info, info, info };
    bad[0].members--;
    bad[1].volume++;
    bad[2].cut--;
    bad[3].conductance /= 2;
    bad[4].members = 0;
    for (size_t i = 0; i < 5; i++) {
        const char *why = "";
        assert_false(hy_localcluster_check(V, members, &bad[i], &why));
        assert_true(strlen(why) > 0);
    }
    members[1] = members[0];
    assert_false(hy_localcluster_check(V, members, &info, NULL));
    members[1] = 99;
    assert_false(hy_localcluster_check(V, members, &info, NULL));
    hy_graph_free(G);
}

static void lone_vertices_are_clusters_and_bad_options_are_not(void **state)
{
    (void)state;
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 2, 0, NULL, NULL), HY_OK);
    hy_vid members[2] = { 9, 9 };
    hy_localcluster_info info;
    hy_status status = hy_localcluster(hy_graph_now(G), NULL, members, &info);
    assert_int_equal(status, HY_ESTATE);
    assert_non_null(strstr(hy_error_text(), "hy_graph_add_reverse"));
    assert_int_equal(hy_graph_add_reverse(G), HY_OK);
    const hy_view *V = hy_graph_now(G);
    assert_int_equal(hy_localcluster(V, NULL, members, &info), HY_OK);
    assert_int_equal(info.members, 1);
    assert_int_equal(members[0], 0);
    assert_true(info.conductance == 1);
    assert_int_equal(hy_localcluster(V, NULL, members, NULL), HY_EINVAL);
    const hy_localcluster_opts bad[] = {
        { .seed = 2 },
        { .alpha = 1 },
        { .alpha = -1 },
        { .epsilon = -1 },
        { .epsilon = (double)INFINITY },
        { .alpha = (double)NAN },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hy_localcluster(V, &bad[i], members, &info),
                         HY_EINVAL);
    hy_graph_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_as_good_as_plain_ones),
        cmocka_unit_test(cluster_is_the_clique_of_the_seed),
        cmocka_unit_test(check_rejects_what_is_wrong),
        cmocka_unit_test(lone_vertices_are_clusters_and_bad_options_are_not),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
