/* Components, communities, cores and colours of graphs with known answers. */
#include "support/data.h"
#include "support/small.h"

#include <hypha/cdlp.h>
#include <hypha/coloring.h>
#include <hypha/io.h>
#include <hypha/kcore.h>
#include <hypha/scc.h>
#include <hypha/wcc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 };

struct answers {
    hy_vid wcc[ROOM], scc[ROOM];
    uint32_t core[ROOM], color[ROOM];
    uint64_t cdlp[ROOM];
    hy_wcc_info wcc_info;
    hy_scc_info scc_info;
    hy_kcore_info kcore_info;
    hy_coloring_info coloring_info;
    hy_cdlp_info cdlp_info;
};

/* All answers about V, which has less than ROOM ids, checked. */
static struct answers ask(const hy_view *V)
{
    struct answers A;
    memset(&A, 0xaa, sizeof A);
    assert_int_equal(hy_wcc(V, NULL, A.wcc, &A.wcc_info), HY_OK);
    assert_int_equal(hy_scc(V, NULL, A.scc, &A.scc_info), HY_OK);
    assert_int_equal(hy_kcore(V, NULL, A.core, &A.kcore_info), HY_OK);
    assert_int_equal(hy_coloring(V, NULL, A.color, &A.coloring_info), HY_OK);
    assert_int_equal(hy_cdlp(V, NULL, A.cdlp, &A.cdlp_info), HY_OK);
    assert_true(hy_wcc_check(V, A.wcc, NULL));
    assert_true(hy_scc_check(V, A.scc, NULL));
    assert_true(hy_kcore_check(V, NULL, A.core, NULL));
    assert_true(hy_coloring_check(V, A.color, NULL));
    assert_true(hy_cdlp_check(V, NULL, A.cdlp, NULL));
    return A;
}

static void empty_graph_has_nothing(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 0);
    const struct answers A = ask(hy_graph_now(G));
    assert_int_equal(A.wcc_info.components, 0);
    assert_int_equal(A.wcc_info.largest, 0);
    assert_int_equal(A.scc_info.components, 0);
    assert_int_equal(A.kcore_info.levels, 0);
    assert_int_equal(A.kcore_info.vertices, 0);
    assert_int_equal(A.coloring_info.colors, 0);
    assert_int_equal(A.cdlp_info.communities, 0);
    small_free(G);
}

static void loop_is_no_neighbour_but_a_vote(void **state)
{
    (void)state;
    for (unsigned undirected = 0; undirected < 2; undirected++) {
        const hy_graph_opts opts = { .undirected = undirected };
        hy_graph *G = small_graph(&opts, 1);
        (void)small_insert(G, 0, 0, NULL);
        const struct answers A = ask(hy_graph_now(G));
        assert_int_equal(A.wcc[0], 0);
        assert_int_equal(A.scc[0], 0);
        assert_int_equal(A.core[0], 0);
        assert_int_equal(A.color[0], 0);
        assert_int_equal(A.cdlp[0], 0);
        assert_int_equal(A.wcc_info.largest, 1);
        assert_int_equal(A.kcore_info.max_core, 0);
        assert_int_equal(A.kcore_info.vertices, 1);
        assert_int_equal(A.coloring_info.colors, 1);
        small_free(G);
    }
}

static void deleted_vertex_has_no_answer(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 5);
    (void)small_insert(G, 0, 1, NULL);
    (void)small_insert(G, 1, 2, NULL);
    (void)small_insert(G, 2, 3, NULL);
    (void)small_delete_vertex(G, 1);
    const struct answers A = ask(hy_graph_now(G));
    assert_int_equal(A.wcc[1], HY_NONE);
    assert_int_equal(A.scc[1], HY_NONE);
    assert_int_equal(A.core[1], HY_NONE);
    assert_int_equal(A.color[1], HY_NONE);
    assert_true(A.cdlp[1] == HY_CDLP_NONE);
    assert_int_equal(A.wcc[3], 2);
    assert_int_equal(A.wcc_info.components, 3);
    assert_int_equal(A.wcc_info.largest, 2);
    assert_int_equal(A.scc_info.components, 4);
    small_free(G);
}

/* A cycle 0 1 2, an edge to a cycle 3 4, vertex 5 alone. */
static void components_go_by_direction_or_not(void **state)
{
    (void)state;
    for (unsigned reverse = 0; reverse < 2; reverse++) {
        const hy_graph_opts opts = { .reverse = reverse };
        hy_graph *G = small_graph(&opts, 6);
        static const hy_edge edges[] = { { 0, 1 }, { 1, 2 }, { 2, 0 },
                                         { 2, 3 }, { 3, 4 }, { 4, 3 } };
        for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
            (void)small_insert(G, edges[i].u, edges[i].v, NULL);
        const struct answers A = ask(hy_graph_now(G));
        static const hy_vid scc[] = { 0, 0, 0, 3, 3, 5 };
        static const hy_vid wcc[] = { 0, 0, 0, 0, 0, 5 };
        assert_memory_equal(A.scc, scc, sizeof scc);
        assert_memory_equal(A.wcc, wcc, sizeof wcc);
        assert_int_equal(A.scc_info.components, 3);
        assert_int_equal(A.scc_info.largest, 3);
        assert_int_equal(A.wcc_info.largest, 5);
        static const uint32_t core[] = { 2, 2, 2, 1, 1, 0 };
        assert_memory_equal(A.core, core, sizeof core);
        assert_int_equal(A.kcore_info.levels, 3);
        assert_int_equal(A.coloring_info.colors, 3);
        small_free(G);
    }
}

/* 0 votes for 2: once as a target, once as a source; 1 and 3 count once. */
static void edges_both_ways_vote_twice(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 4);
    (void)small_insert(G, 0, 1, NULL);
    (void)small_insert(G, 0, 2, NULL);
    (void)small_insert(G, 2, 0, NULL);
    (void)small_insert(G, 3, 0, NULL);
    const hy_cdlp_opts opts = { .iterations = 1 };
    uint64_t label[4];
    assert_int_equal(hy_cdlp(hy_graph_now(G), &opts, label, NULL), HY_OK);
    assert_int_equal(label[0], 2);
    assert_int_equal(label[3], 0);
    small_free(G);
}

/* Paths and cycles so long that a recursion would not end well. */
static void long_paths_are_no_deep_calls(void **state)
{
    enum { N = 300000 };
    (void)state;
    hy_edge *edges = calloc(N, sizeof *edges);
    hy_vid *label = calloc(N, sizeof *label);
    assert_true(edges && label);
    for (hy_vid i = 0; i < N; i++)
        edges[i] = (hy_edge){ i, (i + 1) % N };
    for (unsigned cycle = 0; cycle < 2; cycle++) {
        for (unsigned reverse = 0; reverse < 2; reverse++) {
            const hy_graph_opts opts = { .reverse = reverse };
            hy_scc_info info;
            hy_graph *G;
            assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
            assert_int_equal(
                hy_graph_load_edges(G, N, N - 1 + cycle, edges, NULL), HY_OK);
            assert_int_equal(hy_scc(hy_graph_now(G), NULL, label, &info),
                             HY_OK);
            assert_int_equal(info.components, cycle ? 1 : N);
            hy_graph_free(G);
        }
    }
    free(label);
    free(edges);
}

static void complete_graph_is_one_core(void **state)
{
    enum { N = 40 };
    (void)state;
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, N);
    hy_batch *B = small_batch(G);
    for (hy_vid u = 0; u < N; u++)
        for (hy_vid v = 0; v < u; v++)
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
    (void)small_commit(G, B);
    const struct answers A = ask(hy_graph_now(G));
    assert_int_equal(A.kcore_info.max_core, N - 1);
    assert_int_equal(A.kcore_info.vertices, N);
    assert_int_equal(A.kcore_info.levels, 1);
    assert_int_equal(A.coloring_info.colors, N);
    assert_int_equal(A.cdlp_info.communities, 1);
    small_free(G);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 2);
    const hy_view *V = hy_graph_now(G);
    hy_vid label[2] = { 7, 7 };
    uint64_t start[2] = { 0, HY_CDLP_NONE }, community[2] = { 7, 7 };
    const hy_wcc_opts wcc = { .method = (hy_wcc_method)9 };
    const hy_scc_opts scc = { .method = (hy_scc_method)9 };
    const hy_cdlp_opts cdlp = { .labels = start };
    assert_int_equal(hy_wcc(V, &wcc, label, NULL), HY_EINVAL);
    assert_int_equal(hy_scc(V, &scc, label, NULL), HY_EINVAL);
    assert_int_equal(hy_cdlp(V, &cdlp, community, NULL), HY_EINVAL);
    assert_int_equal(label[0], 7);
    assert_int_equal(community[0], 7);
    small_free(G);
}

/* ---- real graphs -----------------------------------------------------------
 */

/* Reads lines of a vertex and its neighbours, or of edges. */
static hy_graph *read_lists(const char *path, bool is_undirected)
{
    enum { LINE = 4096 };
    const hy_graph_opts opts = { .undirected = is_undirected,
                                 .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    hy_batch *B = small_batch(G);
    char line[LINE];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        const uint64_t u = strtoull(line, &at, 10);
        if (at == line)
            continue;
        assert_int_equal(hy_batch_insert_vertex(B, u, NULL), HY_OK);
        for (char *end;; at = end) {
            const uint64_t v = strtoull(at, &end, 10);
            if (end == at)
                break;
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
        }
    }
    (void)fclose(file);
    (void)small_commit(G, B);
    return G;
}

/* Compares with lines of a vertex and a value. */
static void compare_lines(const char *path, const hy_view *V,
                          const uint64_t *value)
{
    unsigned long long id, want;
    uint64_t lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fscanf(file, "%llu %llu", &id, &want) == 2) {
        const hy_vid u = hy_view_find(V, id);
        assert_true(u != HY_NONE);
        assert_int_equal(value[u], want);
        lines++;
    }
    (void)fclose(file);
    assert_int_equal(lines, hy_view_vertices(V));
}

static bool try_graphalytics(const char *problem, bool is_undirected)
{
    char name[96];
    uint64_t external[ROOM], value[ROOM];
    hy_vid label[ROOM];
    (void)snprintf(name, sizeof name, "graphalytics-validation/%s/%s-input",
                   problem, is_undirected ? "undir" : "dir");
    const char *path = test_data(name);
    if (!path)
        return false;
    hy_graph *G = read_lists(path, is_undirected);
    const hy_view *V = hy_graph_now(G);
    assert_true(hy_view_bound(V) <= ROOM);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        external[u] = hy_view_external(V, u);
    if (strcmp(problem, "cdlp") == 0) {
        const hy_cdlp_opts opts = { .iterations = 5, .labels = external };
        assert_int_equal(hy_cdlp(V, &opts, value, NULL), HY_OK);
    } else {
        assert_int_equal(hy_wcc(V, NULL, label, NULL), HY_OK);
        for (hy_vid u = 0; u < hy_view_bound(V); u++)
            value[u] = external[label[u]];
    }
    (void)snprintf(name, sizeof name, "graphalytics-validation/%s/%s-output",
                   problem, is_undirected ? "undir" : "dir");
    compare_lines(test_data(name), V, value);
    small_free(G);
    return true;
}

static void answers_are_those_of_graphalytics(void **state)
{
    (void)state;
    for (unsigned undirected = 0; undirected < 2; undirected++)
        if (!try_graphalytics("wcc", undirected) ||
            !try_graphalytics("cdlp", undirected))
            skip();
}

static void components_of_real_graphs_are_known(void **state)
{
    static const struct known {
        const char *name;
        uint64_t components;
    } known[] = {
        { "wiki-vote/wiki-Vote.txt", 24 },
        { "facebook/facebook_combined.txt", 1 },
        { "usroads/road-usroads.mtx", 56 },
        { "rome99/rome99.gr", 1 },
        /* 289, and a vertex with nothing but a loop */
        { "ca-astroph/ca-AstroPh.txt", 290 },
        { "p2p-gnutella31/p2p-31.e", 12 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *path = test_data(known[i].name);
        hy_graph *G;
        hy_wcc_info info;
        if (!path)
            skip();
        assert_int_equal(
            hy_graph_read(test_ctx(1), path, NULL, &G, NULL, NULL, NULL),
            HY_OK);
        const hy_view *V = hy_graph_now(G);
        hy_vid *label = calloc(hy_view_bound(V) + 1u, sizeof *label);
        assert_non_null(label);
        assert_int_equal(hy_wcc(V, NULL, label, &info), HY_OK);
        if (info.components != known[i].components)
            fail_msg("%s: %llu components", known[i].name,
                     (unsigned long long)info.components);
        free(label);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_graph_has_nothing),
        cmocka_unit_test(loop_is_no_neighbour_but_a_vote),
        cmocka_unit_test(deleted_vertex_has_no_answer),
        cmocka_unit_test(components_go_by_direction_or_not),
        cmocka_unit_test(edges_both_ways_vote_twice),
        cmocka_unit_test(long_paths_are_no_deep_calls),
        cmocka_unit_test(complete_graph_is_one_core),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(answers_are_those_of_graphalytics),
        cmocka_unit_test(components_of_real_graphs_are_known),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
