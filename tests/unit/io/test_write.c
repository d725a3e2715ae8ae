/* Graphs written, byte by byte. */
#include "support/folder.h"
#include "support/small.h"

#include <hypha/io.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct folder F;

static int setup(void **state)
{
    folder_init(&F);
    return test_ctxs_new(state);
}

static int teardown(void **state)
{
    folder_fini(&F);
    return test_ctxs_free(state);
}

static const hy_column weight_i32 = { "weight", HY_I32 };
static const hy_column weight_f64 = { "weight", HY_F64 };

/* Mapped ids 7, 3, 5, 9 in that order; 9 is alone, 5 has a loop. */
static hy_graph *sample(bool undirected, const hy_column *column)
{
    const hy_graph_opts opts = { .undirected = undirected,
                                 .ids = HY_IDS_MAPPED,
                                 .edge_columns = column,
                                 .n_edge_columns = column ? 1 : 0 };
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    hy_batch *B = small_batch(G);
    static const hy_pair pairs[] = { { 7, 3 }, { 5, 7 }, { 5, 5 }, { 3, 5 } };
    static const double values[] = { 2, 1, 4, 8 };
    const uint64_t ids[] = { 7, 3, 5, 9 };
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(hy_batch_insert_vertex(B, ids[i], NULL), HY_OK);
    for (size_t i = 0; i < 4; i++) {
        const int32_t i32 = (int32_t)values[i];
        const double f64 = values[i] / 16;
        const void *value = column && column->type == HY_I32
                                ? (const void *)&i32
                                : (const void *)&f64;
        assert_int_equal(hy_batch_insert_edge(B, pairs[i].u, pairs[i].v,
                                              column ? value : NULL),
                         HY_OK);
    }
    (void)small_commit(G, B);
    return G;
}

static void assert_file(const char *path, const char *text)
{
    size_t n;
    char *bytes = file_read(path, &n);
    assert_non_null(bytes);
    assert_string_equal(bytes, text);
    free(bytes);
    assert_int_equal(unlink(path), 0);
}

static void writes(hy_graph *G, const char *name, const char *text)
{
    const char *path = folder_file(&F, name);
    const hy_status status =
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, path, NULL);
    if (status != HY_OK)
        fail_msg("%s: %s", name, hy_error_text());
    assert_file(path, text);
    assert_int_equal(folder_count(&F), 0);
}

static void refuses(hy_graph *G, const char *name, const char *words)
{
    const char *path = folder_file(&F, name);
    assert_int_equal(
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, path, NULL),
        HY_ENOTSUP);
    if (!strstr(hy_error_text(), words))
        fail_msg("%s: %s", name, hy_error_text());
    assert_int_equal(folder_count(&F), 0);
}

static void edge_lists(void **state)
{
    hy_graph *G = sample(false, NULL);
    (void)state;
    writes(G, "x.el",
           "# Directed graph\n# Nodes: 4 Edges: 4\n"
           "3 5\n5 5\n5 7\n7 3\n# vertex 9\n");
    writes(G, "x.konect",
           "% asym unweighted\n% 4 4 4\n3 5\n5 5\n5 7\n7 3\n% vertex 9\n");
    writes(G, "x.csv", "source,target\n3,5\n5,5\n5,7\n7,3\n# vertex 9\n");
    refuses(G, "x.wel", "needs weights");
    small_free(G);
    G = sample(true, &weight_f64);
    writes(G, "x.wel",
           "# Undirected graph\n# Nodes: 4 Edges: 4\n"
           "3 5 0.5\n3 7 0.125\n5 5 0.25\n5 7 0.0625\n# vertex 9\n");
    writes(G, "x.tsv",
           "# Undirected graph\nsource\ttarget\tweight\n"
           "3\t5\t0.5\n3\t7\t0.125\n5\t5\t0.25\n5\t7\t0.0625\n# vertex 9\n");
    writes(G, "x.konect",
           "% sym weighted\n% 4 4 4\n"
           "3 5 0.5\n3 7 0.125\n5 5 0.25\n5 7 0.0625\n% vertex 9\n");
    small_free(G);
}

#define RENUMBERED                                                             \
    "vertices are numbered from 1, in ascending order of their ids\n"

static void numbered_formats(void **state)
{
    hy_graph *G = sample(false, NULL);
    (void)state;
    writes(G, "x.mtx",
           "%%MatrixMarket matrix coordinate pattern general\n% " RENUMBERED
           "4 4 4\n1 2\n2 2\n2 3\n3 1\n");
    writes(G, "x.gr", "c " RENUMBERED "p sp 4 4\na 1 2\na 2 2\na 2 3\na 3 1\n");
    refuses(G, "x.graph", "undirected");
    small_free(G);
    G = sample(true, &weight_i32);
    writes(G, "x.mtx",
           "%%MatrixMarket matrix coordinate integer symmetric\n% " RENUMBERED
           "4 4 4\n2 1 8\n2 2 4\n3 1 2\n3 2 1\n");
    writes(G, "x.gr",
           "c Undirected graph: an edge is two arcs\nc " RENUMBERED
           "p sp 4 7\na 1 2 8\na 1 3 2\na 2 1 8\na 2 2 4\na 2 3 1\n"
           "a 3 1 2\na 3 2 1\n");
    refuses(G, "x.graph", "loops");
    (void)small_delete(G, 5, 5);
    writes(G, "x.graph",
           "% " RENUMBERED "4 3 001\n2 8 3 2\n1 8 3 1\n1 2 2 1\n\n");
    small_free(G);
    G = sample(true, &weight_f64);
    writes(G, "x.mtx",
           "%%MatrixMarket matrix coordinate real symmetric\n% " RENUMBERED
           "4 4 4\n2 1 0.5\n2 2 0.25\n3 1 0.125\n3 2 0.0625\n");
    refuses(G, "x.gr", "integer");
    refuses(G, "x.wsg", "integer");
    refuses(G, "x.sg", "no weights");
    small_free(G);
}

/* Ids that are 1 .. n already are not renumbered. */
static void ids_from_1_need_no_word(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    (void)small_insert(G, 2, 1, NULL);
    writes(G, "x.gr", "p sp 2 1\na 2 1\n");
    small_free(G);
}

static void ldbc_is_three_files(void **state)
{
    hy_graph *G = sample(true, &weight_i32);
    (void)state;
    assert_int_equal(hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                                    folder_file(&F, "x.e"), NULL),
                     HY_OK);
    assert_int_equal(folder_count(&F), 3);
    assert_file(folder_file(&F, "x.v"), "3\n5\n7\n9\n");
    assert_file(folder_file(&F, "x.e"), "3 5 8\n3 7 2\n5 5 4\n5 7 1\n");
    assert_file(folder_file(&F, "x.properties"),
                "graph.x.vertex-file = x.v\n"
                "graph.x.edge-file = x.e\n"
                "graph.x.meta.vertices = 4\n"
                "graph.x.meta.edges = 4\n"
                "graph.x.edge-properties.names = weight\n"
                "graph.x.edge-properties.types = integer\n"
                "graph.x.directed = false\n");
    const hy_write_opts opts = { .format = HY_FORMAT_LDBC };
    assert_int_equal(
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, "-", &opts),
        HY_ENOTSUP);
    small_free(G);
}

/* Little-endian words of a binary file. */
static uint64_t word(const char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t i = n; i-- > 0;)
        x = x << 8 | (unsigned char)at[i];
    return x;
}

static void gap_is_csr_both_ways(void **state)
{
    static const uint64_t out[] = { 0, 1, 3, 4, 4 }, in[] = { 0, 1, 3, 4, 4 };
    static const uint32_t to[] = { 1, 8, 1, 4, 2, 1, 0, 2 };
    static const uint32_t from[] = { 2, 2, 0, 8, 1, 4, 1, 1 };
    const char *path = folder_file(&F, "x.wsg");
    hy_graph *G = sample(false, &weight_i32);
    size_t n;
    (void)state;
    assert_int_equal(
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, path, NULL), HY_OK);
    char *bytes = file_read(path, &n);
    assert_int_equal(n, 1 + 16 + 2 * (5 * 8 + 4 * 8));
    assert_int_equal(bytes[0], 1);
    assert_int_equal(word(bytes + 1, 8), 4);
    assert_int_equal(word(bytes + 9, 8), 4);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(word(bytes + 17 + 8 * i, 8), out[i]);
        assert_int_equal(word(bytes + 17 + 72 + 8 * i, 8), in[i]);
    }
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(word(bytes + 57 + 4 * i, 4), to[i]);
        assert_int_equal(word(bytes + 57 + 72 + 4 * i, 4), from[i]);
    }
    free(bytes);
    assert_int_equal(unlink(path), 0);
    small_free(G);
}

static void add_name(hy_names *N, const char *text)
{
    uint64_t id;
    assert_int_equal(hy_names_add(N, text, strlen(text), &id), HY_OK);
}

static hy_status write_named(hy_graph *G, const hy_names *N, const char *name)
{
    return hy_graph_write(test_ctx(1), hy_graph_now(G), N,
                          folder_file(&F, name), NULL);
}

static void names_are_quoted_or_refused(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G;
    hy_names *N;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    (void)small_insert(G, 1, 0, NULL);
    assert_int_equal(hy_names_new(test_ctx(1), &N), HY_OK);
    add_name(N, "ann");
    assert_int_equal(write_named(G, N, "x.el"), HY_EINVAL);
    add_name(N, "b\"o,b");
    assert_int_equal(write_named(G, N, "x.el"), HY_OK);
    assert_file(folder_file(&F, "x.el"),
                "# Directed graph\n# Nodes: 2 Edges: 1\nb\"o,b ann\n");
    assert_int_equal(write_named(G, N, "x.csv"), HY_OK);
    assert_file(folder_file(&F, "x.csv"), "source,target\n\"b\"\"o,b\",ann\n");
    add_name(N, "two words");
    (void)small_insert(G, 2, 0, NULL);
    assert_int_equal(write_named(G, N, "x.el"), HY_ENOTSUP);
    assert_non_null(strstr(hy_error_text(), "two words"));
    assert_int_equal(write_named(G, N, "x.csv"), HY_OK);
    assert_file(folder_file(&F, "x.csv"),
                "source,target\n\"b\"\"o,b\",ann\n\"two words\",ann\n");
    add_name(N, "two\nlines");
    (void)small_insert(G, 3, 0, NULL);
    assert_int_equal(write_named(G, N, "x.csv"), HY_ENOTSUP);
    assert_int_equal(folder_count(&F), 0);
    hy_names_free(N);
    small_free(G);
}

static bool count_and_stop(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return ++*(unsigned *)user < 3;
}

/* Many parts: the same bytes on any number of threads; and it can be stopped.
 */
static void bytes_do_not_depend_on_threads(void **state)
{
    enum { N = 50000, M = 300000 };
    hy_edge *edges = malloc(M * sizeof *edges);
    const hy_graph_opts opts = { .undirected = true };
    const char *path = folder_file(&F, "x.el");
    char *first = NULL;
    size_t n_first = 0;
    uint64_t rng = test_seed();
    hy_graph *G;
    (void)state;
    for (size_t i = 0; i < M; i++)
        edges[i] = (hy_edge){ (hy_vid)rng_below(&rng, N),
                              i % 5 ? (hy_vid)rng_below(&rng, N) : 7 };
    assert_int_equal(hy_graph_new(test_ctx(2), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, M, edges, NULL), HY_OK);
    for (unsigned t = 0; t < TEST_CTXS; t++) {
        size_t n;
        assert_int_equal(
            hy_graph_write(test_ctx(t), hy_graph_now(G), NULL, path, NULL),
            HY_OK);
        char *bytes = file_read(path, &n);
        assert_true(!first || (n == n_first && !memcmp(bytes, first, n)));
        free(first);
        first = bytes;
        n_first = n;
    }
    unsigned calls = 0;
    const hy_write_opts stop = { .progress = count_and_stop, .user = &calls };
    assert_int_equal(
        hy_graph_write(test_ctx(0), hy_graph_now(G), NULL, path, &stop),
        HY_ESTOPPED);
    assert_int_equal(calls, 3);
    assert_int_equal(folder_count(&F), 1);
    assert_int_equal(unlink(path), 0);
    free(first);
    free(edges);
    small_free(G);
}

static void odd_values_and_paths(void **state)
{
    hy_graph *G = sample(false, &weight_f64);
    const double nan = strtod("nan", NULL), zero = -0.0;
    const hy_write_opts bare = { .no_weights = true };
    (void)state;
    (void)small_update(G, 3, 5, &zero);
    assert_int_equal(hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                                    folder_file(&F, "x"), NULL),
                     HY_EINVAL);
    assert_int_equal(hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                                    folder_file(&F, "x.csv"), NULL),
                     HY_OK);
    assert_file(folder_file(&F, "x.csv"),
                "source,target,weight\n"
                "3,5,-0.0\n5,5,0.25\n5,7,0.0625\n7,3,0.125\n# vertex 9\n");
    (void)small_update(G, 3, 5, &nan);
    refuses(G, "x.csv", "nan");
    assert_int_equal(hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                                    folder_file(&F, "x.csv"), &bare),
                     HY_OK);
    assert_file(folder_file(&F, "x.csv"),
                "source,target\n3,5\n5,5\n5,7\n7,3\n# vertex 9\n");
    small_free(G);
}

static void an_empty_graph_is_written(void **state)
{
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    writes(G, "x.el", "# Directed graph\n# Nodes: 0 Edges: 0\n");
    writes(G, "x.csv", "source,target\n");
    writes(G, "x.mtx",
           "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_lists),
        cmocka_unit_test(numbered_formats),
        cmocka_unit_test(ids_from_1_need_no_word),
        cmocka_unit_test(ldbc_is_three_files),
        cmocka_unit_test(gap_is_csr_both_ways),
        cmocka_unit_test(names_are_quoted_or_refused),
        cmocka_unit_test(bytes_do_not_depend_on_threads),
        cmocka_unit_test(odd_values_and_paths),
        cmocka_unit_test(an_empty_graph_is_written),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
