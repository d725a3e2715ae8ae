/* Streams over real graphs, where these are. */
#include "support/data.h"
#include "support/small.h"

#include <hypha/io.h>

#include <stdlib.h>
#include <string.h>

static hy_graph *read_graph(const char *name, hy_sense sense)
{
    const hy_read_opts opts = { .format = HY_FORMAT_EL,
                                .sense = sense,
                                .growing = true };
    hy_graph *G;
    const char *path = test_data(name);
    if (!path) {
        print_message("no %s\n", name);
        skip();
    }
    const hy_status status =
        hy_graph_read(test_ctx(1), path, &opts, &G, NULL, NULL, NULL);
    if (status != HY_OK)
        fail_msg("%s: %s", name, hy_error_text());
    return G;
}

/* All batches of a stream, committed; what they counted all told. */
static hy_counts apply(hy_graph *G, const char *name,
                       const hy_stream_opts *opts)
{
    hy_stream *S;
    hy_batch *B = small_batch(G);
    hy_counts sum = { 0 };
    const char *path = test_data(name);
    bool end = false;
    assert_non_null(path);
    assert_int_equal(hy_stream_open(test_ctx(1), path, G, NULL, opts, &S, NULL),
                     HY_OK);
    for (;;) {
        hy_delta delta;
        assert_int_equal(hy_stream_next(S, B, &end, NULL), HY_OK);
        if (end)
            break;
        assert_int_equal(hy_graph_commit(G, B, &delta), HY_OK);
        sum.inserted += delta.counts.inserted;
        sum.updated += delta.counts.updated;
        sum.deleted += delta.counts.deleted;
        sum.missing += delta.counts.missing;
    }
    hy_stream_close(S);
    hy_batch_free(B);
    return sum;
}

/* Every edge of A is in B, with its weight. */
static void assert_within(const hy_view *A, const hy_view *B)
{
    for (hy_vid u = 0; u < hy_view_bound(A); u++)
        hy_for_out_span (s, A, u)
            for (uint32_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[(size_t)i * s.step];
                int32_t mine = 0, theirs = 1;
                assert_true(hy_view_edge_values(A, u, v, &mine));
                assert_true(hy_view_edge_values(
                    B, hy_view_find(B, hy_view_external(A, u)),
                    hy_view_find(B, hy_view_external(A, v)), &theirs));
                assert_int_equal(mine, theirs);
            }
}

static void gnutella_base_and_delta_are_the_graph(void **state)
{
    static const uint64_t batches[] = { 0, 1000, 7 };
    (void)state;
    hy_graph *want = read_graph("p2p-gnutella31/p2p-31.e", HY_UNDIRECTED);
    const hy_view *W = hy_graph_now(want);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        const hy_stream_opts opts = { .batch = batches[i] };
        hy_graph *G =
            read_graph("p2p-gnutella31/p2p-31.e.mutable_base", HY_UNDIRECTED);
        const hy_counts sum =
            apply(G, "p2p-gnutella31/p2p-31.e.mutable_delta", &opts);
        assert_int_equal(sum.inserted, 10000);
        assert_int_equal(sum.deleted, 9195);
        assert_int_equal(sum.missing, 805);
        assert_int_equal(hy_view_edges(hy_graph_now(G)), 147892);
        assert_int_equal(hy_view_edges(W), 147892);
        assert_within(W, hy_graph_now(G));
        small_free(G);
    }
    small_free(want);
}

static void temporal_lists_are_streams(void **state)
{
    const hy_stream_opts all = { .batch = 5000 };
    const hy_stream_opts week = { .batch = 5000, .window = 7 * 86400 };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G;
    (void)state;
    if (!test_data("collegemsg/CollegeMsg.txt")) {
        print_message("no collegemsg\n");
        skip();
    }
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    hy_counts sum = apply(G, "collegemsg/CollegeMsg.txt", &all);
    assert_int_equal(sum.inserted, 20296);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 1899);
    small_free(G);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    sum = apply(G, "collegemsg/CollegeMsg.txt", &week);
    assert_int_equal(sum.missing, 0);
    assert_int_equal(sum.inserted - sum.deleted, 115);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 115);
    small_free(G);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    (void)apply(G, "digg-reply/out.munmun_digg_reply", &all);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 30398);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gnutella_base_and_delta_are_the_graph),
        cmocka_unit_test(temporal_lists_are_streams),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
