#include "support/data.h"
#include "support/small.h"

#include <hypha/hypha.h>

#include <stdio.h>
#include <stdlib.h>

static uint64_t count_of(const hy_graph *G, hy_triangles_method method)
{
    const hy_triangles_opts opts = { .method = method };
    hy_triangles_info info = { 0 };
    assert_int_equal(hy_triangles(hy_graph_now(G), &opts, NULL, &info), HY_OK);
    return info.triangles;
}

static hy_graph *complete(hy_vid n)
{
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, n);
    hy_batch *B = small_batch(G);
    for (hy_vid u = 0; u < n; u++)
        for (hy_vid v = 0; v < u; v++)
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
    small_commit(G, B);
    return G;
}

static void triangles_of_nothing_are_none(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        uint64_t count[2] = { 7, 7 };
        hy_triangles_info info = { .triangles = 7 };
        hy_graph *G = small_graph(NULL, n);
        assert_int_equal(hy_triangles(hy_graph_now(G), NULL, count, &info),
                         HY_OK);
        assert_int_equal(info.triangles, 0);
        assert_int_equal(count[0], n ? 0 : 7);
        assert_true(hy_triangles_check(hy_graph_now(G), count, 0, NULL));
        small_free(G);
    }
}

static void triangles_of_complete_graph_are_all_triples(void **state)
{
    (void)state;
    hy_graph *G = complete(40);
    assert_int_equal(count_of(G, HY_TRIANGLES_AUTO), 40 * 39 * 38 / 6);
    assert_int_equal(count_of(G, HY_TRIANGLES_RANKED), 40 * 39 * 38 / 6);
    assert_int_equal(count_of(G, HY_TRIANGLES_IN_PLACE), 40 * 39 * 38 / 6);
    small_free(G);
}

static void triangles_ignore_directions_and_loops(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    small_insert(G, 0, 1, NULL);
    small_insert(G, 1, 0, NULL);
    small_insert(G, 2, 1, NULL);
    small_insert(G, 2, 2, NULL);
    assert_int_equal(count_of(G, HY_TRIANGLES_AUTO), 0);
    small_insert(G, 2, 0, NULL);
    assert_int_equal(count_of(G, HY_TRIANGLES_AUTO), 1);
    small_delete_vertex(G, 2);
    assert_int_equal(count_of(G, HY_TRIANGLES_AUTO), 0);
    small_free(G);
}

static void triangles_refuse_what_they_cannot(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 3);
    uint64_t count[3] = { 7, 7, 7 };
    hy_triangles_opts opts = { .method = HY_TRIANGLES_IN_PLACE };
    assert_int_equal(hy_triangles(hy_graph_now(G), &opts, count, NULL),
                     HY_ENOTSUP);
    opts.method = (hy_triangles_method)9;
    assert_int_equal(hy_triangles(hy_graph_now(G), &opts, count, NULL),
                     HY_EINVAL);
    assert_int_equal(count[0], 7);
    small_free(G);
}

/* A star whose hub has the largest id: no list may be walked for each leaf. */
static void triangles_of_a_wheel_are_its_spokes(void **state)
{
    enum { RIM = 200000 };
    (void)state;
    const hy_graph_opts opts = { .undirected = true };
    hy_edge *edges = malloc(2 * RIM * sizeof *edges);
    hy_graph *G = NULL;
    assert_non_null(edges);
    for (hy_vid u = 0; u < RIM; u++) {
        edges[2 * u] = (hy_edge){ u, (u + 1) % RIM };
        edges[2 * u + 1] = (hy_edge){ u, RIM };
    }
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(
        hy_graph_load_edges(G, RIM + 1, 2 * (uint64_t)RIM, edges, NULL), HY_OK);
    assert_int_equal(count_of(G, HY_TRIANGLES_IN_PLACE), RIM);
    assert_int_equal(count_of(G, HY_TRIANGLES_RANKED), RIM);
    assert_true(hy_triangles_check(hy_graph_now(G), NULL, RIM, NULL));
    hy_graph_free(G);
    free(edges);
}

static void common_neighbours_are_met_in_order(void **state)
{
    (void)state;
    hy_graph *G = complete(5);
    assert_int_equal(hy_intersect_count(hy_graph_now(G), 0, 1), 3);
    assert_int_equal(hy_intersect_count(hy_graph_now(G), 0, 99), 0);
    assert_int_equal(hy_intersect_count(hy_graph_now(G), 0, 0), 4);
    small_free(G);
}

/* ---- real graphs ------------------------------------------------------- */

struct known {
    const char *name;
    uint64_t triangles;
};

static void count_known(const struct known *k, hy_sense sense)
{
    const hy_read_opts opts = { .sense = sense };
    const hy_triangles_opts ranked = { .method = HY_TRIANGLES_RANKED };
    const char *path = test_data(k->name), *why = "";
    hy_triangles_info info = { 0 };
    hy_graph *G = NULL;
    if (hy_graph_read(test_ctx(1), path, &opts, &G, NULL, NULL, NULL) != HY_OK)
        fail_msg("%s: %s", k->name, hy_error_text());
    const hy_view *V = hy_graph_now(G);
    uint64_t *count = malloc(hy_view_bound(V) * sizeof *count);
    assert_non_null(count);
    assert_int_equal(hy_triangles(V, NULL, count, &info), HY_OK);
    if (info.triangles != k->triangles)
        fail_msg("%s: %llu triangles", k->name,
                 (unsigned long long)info.triangles);
    if (!hy_triangles_check(V, count, info.triangles, &why))
        fail_msg("%s: %s", k->name, why);
    assert_int_equal(hy_triangles(V, &ranked, NULL, &info), HY_OK);
    assert_int_equal(info.triangles, k->triangles);
    free(count);
    hy_graph_free(G);
}

static void triangles_of_real_graphs_are_as_known(void **state)
{
    static const struct known graphs[] = {
        { "collegemsg/CollegeMsg.txt", 14319 },
        { "digg-reply/out.munmun_digg_reply", 4282 },
        { "email-eu-core/email-Eu-core.txt", 105461 },
        { "wiki-vote/wiki-Vote.txt", 608389 },
        { "ca-astroph/ca-AstroPh.txt", 1351441 },
        { "facebook/facebook_combined.txt", 1612010 },
        { "usroads/road-usroads.mtx", 4237 },
        { "rome99/rome99.gr", 132 },
        { "p2p-gnutella31/p2p-31.e", 2024 },
    };
    (void)state;
    unsigned found = 0;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        if (test_data(graphs[i].name)) {
            count_known(&graphs[i], HY_DIRECTED);
            count_known(&graphs[i], HY_UNDIRECTED);
            found++;
        }
    if (!found) {
        print_message("no data: skipped\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_of_nothing_are_none),
        cmocka_unit_test(triangles_of_complete_graph_are_all_triples),
        cmocka_unit_test(triangles_ignore_directions_and_loops),
        cmocka_unit_test(triangles_refuse_what_they_cannot),
        cmocka_unit_test(triangles_of_a_wheel_are_its_spokes),
        cmocka_unit_test(common_neighbours_are_met_in_order),
        cmocka_unit_test(triangles_of_real_graphs_are_as_known),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
