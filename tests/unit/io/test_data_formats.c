/* Real files of these formats: their true counts, or the line that is bad.
 * Skipped where they are not. */
#include "support/data.h"
#include "support/reads.h"

#include <stdio.h>
#include <string.h>

struct sample {
    const char *name;
    bool undirected;
    uint64_t n, m;
    uint64_t line; /* not 0: it is bad there */
};

static const struct sample samples[] = {
    { "usroads/road-usroads.mtx", true, 129164, 165435, 0 },
    { "road-minnesota/road-minnesota.mtx", true, 2642, 3303, 0 },
    { "rome99/rome99.gr", false, 3353, 8859, 0 }, /* of 8870 lines */
    { "delaunay_n15/delaunay_n15.graph", true, 32768, 98274, 0 },
    { "p2p-gnutella31/p2p-31.e", false, 62586, 147892, 0 },
    { "p2p-gnutella31/p2p-31.v", false, 62586, 147892, 0 },
    { "graphalytics-validation/sssp/dir-input.e", false, 10, 13, 0 },
    { "graphalytics-validation/sssp/undir-input.v", false, 12, 14, 0 },
    { "matrix-market/A.mtx", true, 7, 15, 0 },
    { "matrix-market/A2.mtx", true, 7, 15, 0 },
    { "matrix-market/bcsstk13.mtx", true, 2003, 42943, 0 },
    { "matrix-market/complex.mtx", false, 0, 0, 1 },
    { "matrix-market/cover.mtx", false, 7, 12, 0 },
    { "matrix-market/cover_structure.mtx", false, 7, 12, 0 },
    { "matrix-market/empty.mtx", false, 0, 0, 4 },
    { "matrix-market/jagmesh7.mtx", true, 1138, 4294, 0 },
    { "matrix-market/karate.mtx", true, 34, 78, 0 },
    { "matrix-market/ldbc-cdlp-directed-example.mtx", false, 8, 18, 0 },
    { "matrix-market/ldbc-cdlp-undirected-example.mtx", true, 8, 12, 0 },
    { "matrix-market/ldbc-directed-example-bool.mtx", false, 10, 17, 0 },
    { "matrix-market/ldbc-directed-example-unweighted.mtx", false, 10, 17, 0 },
    { "matrix-market/ldbc-directed-example.mtx", false, 10, 17, 0 },
    { "matrix-market/ldbc-undirected-example-bool.mtx", true, 9, 12, 0 },
    { "matrix-market/ldbc-undirected-example-unweighted.mtx", true, 9, 12, 0 },
    { "matrix-market/ldbc-undirected-example.mtx", true, 9, 12, 0 },
    { "matrix-market/ldbc-wcc-example.mtx", true, 10, 15, 0 },
    { "matrix-market/lp_afiro.mtx", false, 0, 0, 65 },
    { "matrix-market/lp_afiro_structure.mtx", false, 0, 0, 3 },
    { "matrix-market/mangled1.mtx", false, 0, 0, 1 },
    { "matrix-market/mangled11.mtx", false, 0, 0, 4 },
    { "matrix-market/mangled13.mtx", false, 0, 0, 4 },
    { "matrix-market/mangled15.mtx", false, 0, 0, 2 },
    { "matrix-market/mangled3.mtx", false, 0, 0, 1 },
    { "matrix-market/mangled5.mtx", false, 0, 0, 1 },
    { "matrix-market/mangled7.mtx", false, 0, 0, 2 },
    { "matrix-market/mangled9.mtx", false, 0, 0, 4 },
    { "matrix-market/mangled_bool.mtx", false, 0, 0, 10 },
    { "matrix-market/mangled_int8.mtx", false, 0, 0, 8 },
    { "matrix-market/mangled_skew.mtx", false, 0, 0, 2 },
    { "matrix-market/mangled_uint16.mtx", false, 0, 0, 9 },
    { "matrix-market/matrix_bool.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_fp32.mtx", false, 0, 0, 7 }, /* -inf */
    { "matrix-market/matrix_fp32_structure.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_fp64.mtx", false, 0, 0, 7 }, /* -inf */
    { "matrix-market/matrix_int16.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_int32.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_int64.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_int8.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_uint16.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_uint32.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_uint64.mtx", false, 7, 12, 0 },
    { "matrix-market/matrix_uint8.mtx", false, 7, 12, 0 },
    { "matrix-market/olm1000.mtx", false, 1000, 3996, 0 },
    { "matrix-market/sample.mtx", false, 8, 12, 0 },
    { "matrix-market/sample2.mtx", false, 8, 28, 0 },
    { "matrix-market/structure.mtx", false, 7, 12, 0 },
    { "matrix-market/tree-example.mtx", true, 6, 5, 0 },
};

static void check_sample(const struct sample *s, const char *path, unsigned ctx)
{
    struct reading r = { 0 };
    const char *why = "";
    r.status = hy_graph_read(test_ctx(ctx), path, NULL, &r.G, &r.names, &r.info,
                             &r.diag);
    if (r.status != (s->line ? HY_EFORMAT : HY_OK) || r.diag.line != s->line)
        fail_msg("%s: %s", s->name, hy_error_text());
    if (r.status == HY_OK) {
        const hy_view *V = hy_graph_now(r.G);
        if (hy_view_vertices(V) != s->n || hy_view_edges(V) != s->m ||
            hy_view_is_undirected(V) != s->undirected)
            fail_msg("%s: %u vertices, %u edges", s->name,
                     (unsigned)hy_view_vertices(V), (unsigned)hy_view_edges(V));
        assert_int_equal(r.info.lines - r.info.repeats, s->m);
        if (!hy_graph_check(r.G, &why))
            fail_msg("%s: %s", s->name, why);
    }
    reading_fini(&r);
}

static void files_have_their_counts(void **state)
{
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const char *path = test_data(samples[i].name);
        for (unsigned ctx = 0; path && ctx < TEST_CTXS; ctx++)
            check_sample(&samples[i], path, ctx);
        n += path != NULL;
    }
    if (!n) {
        print_message("no data folder: nothing was read\n");
        skip();
    }
}

/* The largest of 64 bits without a sign, and the smallest with one. */
static void weights_are_exact(void **state)
{
    const char *path = test_data("matrix-market/matrix_uint64.mtx");
    struct reading r = { 0 };
    uint64_t weight = 0;
    (void)state;
    if (!path)
        skip();
    r.status =
        hy_graph_read(test_ctx(0), path, NULL, &r.G, NULL, &r.info, &r.diag);
    assert_int_equal(r.status, HY_OK);
    const hy_view *V = hy_graph_now(r.G);
    assert_int_equal(hy_view_edge_column(V, 0).type, HY_U64);
    assert_true(hy_view_edge_values(V, hy_view_find(V, 1), hy_view_find(V, 2),
                                    &weight));
    assert_true(weight == UINT64_MAX);
    reading_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_their_counts),
        cmocka_unit_test(weights_are_exact),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
