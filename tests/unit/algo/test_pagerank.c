/* PageRank of graphs that hardly are any, its options, and LDBC's answers. */
#include "support/data.h"
#include "support/small.h"

#include <hypha/pagerank.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hy_pagerank_opts fine = { .tolerance = 1e-12, .iterations = 1000 };

static void pagerank_of_nothing_is_nothing(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    double rank[1] = { 5 };
    hy_pagerank_info info;
    assert_int_equal(hy_pagerank(hy_graph_now(G), NULL, rank, &info), HY_OK);
    assert_int_equal(info.iterations, 0);
    assert_true(info.l1 == 0 && info.sum == 0 && rank[0] == 5);
    assert_true(hy_pagerank_check(hy_graph_now(G), NULL, rank, NULL));
    small_free(G);
}

static void pagerank_of_one_vertex_is_one(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        const hy_graph_opts opts = { .undirected = way & 1 };
        hy_graph *G = small_graph(&opts, 1);
        double rank[1] = { 5 };
        if (way & 2)
            (void)small_insert(G, 0, 0, NULL);
        assert_int_equal(hy_pagerank(hy_graph_now(G), NULL, rank, NULL), HY_OK);
        assert_true(fabs(rank[0] - 1) < 1e-6);
        small_free(G);
    }
}

static void pagerank_of_deleted_vertices_is_zero(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 4);
    double rank[4];
    (void)small_delete_vertex(G, 1);
    (void)small_delete_vertex(G, 3);
    assert_int_equal(hy_pagerank(hy_graph_now(G), NULL, rank, NULL), HY_OK);
    assert_true(rank[1] == 0 && rank[3] == 0);
    assert_true(fabs(rank[0] - 0.5) < 1e-6 && fabs(rank[2] - 0.5) < 1e-6);
    (void)small_delete_vertex(G, 0);
    (void)small_delete_vertex(G, 2);
    hy_pagerank_info info;
    assert_int_equal(hy_pagerank(hy_graph_now(G), NULL, rank, &info), HY_OK);
    assert_true(rank[0] == 0 && rank[2] == 0 && info.sum == 0);
    small_free(G);
}

/* 0 -> 1, 1 dangling: r0 = 0.15/2 + 0.85 r1/2, r0 + r1 = 1. */
static void pagerank_spreads_dangling_mass(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 2);
    double rank[2];
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_pagerank(hy_graph_now(G), &fine, rank, NULL), HY_OK);
    const double r0 = 0.5 / 1.425;
    assert_true(fabs(rank[0] - r0) < 1e-11 && fabs(rank[1] + r0 - 1) < 1e-11);
    small_free(G);
}

/* Isolated vertices and lone pairs are exact from the start. */
static void pagerank_knows_undirected_pairs_beforehand(void **state)
{
    (void)state;
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 6);
    double rank[6];
    hy_pagerank_info info;
    (void)small_insert(G, 1, 4, NULL);
    (void)small_insert(G, 3, 3, NULL);
    assert_int_equal(hy_pagerank(hy_graph_now(G), &fine, rank, &info), HY_OK);
    assert_int_equal(info.iterations, 1);
    const double lone = 0.15 / (6 - 0.85 * 3);
    assert_true(fabs(rank[0] - lone) < 1e-12);
    assert_true(fabs(rank[1] - lone / 0.15) < 1e-12);
    assert_true(fabs(rank[3] - lone / 0.15) < 1e-12);
    small_free(G);
}

static void pagerank_stops_when_told(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    double rank[3];
    (void)small_insert(G, 0, 1, NULL);
    (void)small_insert(G, 1, 2, NULL);
    const hy_pagerank_opts few = { .tolerance = 1e-12, .iterations = 2 };
    hy_pagerank_info info;
    assert_int_equal(hy_pagerank(hy_graph_now(G), &few, rank, &info), HY_OK);
    assert_int_equal(info.iterations, 2);
    assert_true(info.l1 > 1e-12);
    assert_false(hy_pagerank_check(hy_graph_now(G), &few, rank, NULL));
    small_free(G);
}

static void pagerank_refuses_bad_options(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 1);
    double rank[1] = { 5 };
    const hy_pagerank_opts bad[] = {
        { .damping = 1 },
        { .damping = -0.5 },
        { .damping = (double)NAN },
        { .tolerance = (double)NAN },
        { .method = (hy_pagerank_method)3 },
        { .tolerance = -1, .method = HY_PAGERANK_GAUSS_SEIDEL },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hy_pagerank(hy_graph_now(G), &bad[i], rank, NULL),
                         HY_EINVAL);
        assert_false(hy_pagerank_check(hy_graph_now(G), &bad[i], rank, NULL));
    }
    assert_true(rank[0] == 5);
    small_free(G);
}

/* ---- LDBC Graphalytics --------------------------------------------------- */

enum { LDBC_N = 51 };

/* Lines of a vertex and its neighbours. */
static hy_graph *read_ldbc(const char *path, bool undirected)
{
    const hy_graph_opts opts = { .undirected = undirected };
    hy_graph *G = small_graph(&opts, LDBC_N);
    hy_batch *B = small_batch(G);
    FILE *f = fopen(path, "r");
    char line[4096];
    assert_non_null(f);
    assert_int_equal(hy_batch_delete_vertex(B, 0), HY_OK);
    while (fgets(line, sizeof line, f)) {
        char *at;
        const uint64_t u = strtoul(line, &at, 10);
        for (char *end; *at && *at != '\n'; at = end) {
            const uint64_t v = strtoul(at, &end, 10);
            if (end == at)
                break;
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
        }
    }
    (void)fclose(f);
    (void)small_commit(G, B);
    return G;
}

static void compare_ldbc(const hy_view *V, const hy_pagerank_opts *opts,
                         const char *path)
{
    double rank[LDBC_N];
    FILE *f = fopen(path, "r");
    unsigned u, n = 0;
    double want;
    assert_non_null(f);
    assert_int_equal(hy_pagerank(V, opts, rank, NULL), HY_OK);
    while (fscanf(f, "%u %lf", &u, &want) == 2) {
        assert_true(u < LDBC_N && fabs(rank[u] - want) <= 1e-4 * want);
        n++;
    }
    (void)fclose(f);
    assert_int_equal(n, LDBC_N - 1);
}

static void pagerank_is_that_of_ldbc(void **state)
{
    (void)state;
    static const char *const kinds[] = { "dir", "undir" };
    static const hy_pagerank_opts ways[] = {
        { .tolerance = -1, .iterations = 26 },
        { .tolerance = 1e-9 },
        { .tolerance = 1e-9, .method = HY_PAGERANK_JACOBI },
    };
    for (unsigned kind = 0; kind < 2; kind++) {
        char name[64];
        (void)snprintf(name, sizeof name, "graphalytics-validation/pr/%s-input",
                       kinds[kind]);
        const char *path = test_data(name);
        if (!path)
            skip();
        hy_graph *G = read_ldbc(path, kind == 1);
        (void)snprintf(name, sizeof name,
                       "graphalytics-validation/pr/%s-output", kinds[kind]);
        path = test_data(name);
        assert_non_null(path);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            compare_ldbc(hy_graph_now(G), &ways[i], path);
        small_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pagerank_of_nothing_is_nothing),
        cmocka_unit_test(pagerank_of_one_vertex_is_one),
        cmocka_unit_test(pagerank_of_deleted_vertices_is_zero),
        cmocka_unit_test(pagerank_spreads_dangling_mass),
        cmocka_unit_test(pagerank_knows_undirected_pairs_beforehand),
        cmocka_unit_test(pagerank_stops_when_told),
        cmocka_unit_test(pagerank_refuses_bad_options),
        cmocka_unit_test(pagerank_is_that_of_ldbc),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
