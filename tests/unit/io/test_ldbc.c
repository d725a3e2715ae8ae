/* LDBC: vertices, edges and properties in files side by side. */
#include "support/folder.h"
#include "support/reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hy_read_opts ldbc = { .format = HY_FORMAT_LDBC };

/* ---- files
 * -------------------------------------------------------------------- */

static struct folder folder;

static const char *path_of(const char *name)
{
    return folder_file(&folder, name);
}

/* Files of the name g; NULL: it is not there. */
static void write_graph(const char *v, const char *e, const char *properties)
{
    (void)remove(path_of("g.v"));
    (void)remove(path_of("g.e"));
    (void)remove(path_of("g.properties"));
    if (v)
        file_write(path_of("g.v"), v);
    if (e)
        file_write(path_of("g.e"), e);
    if (properties)
        file_write(path_of("g.properties"), properties);
}

static int make_folder(void **state)
{
    folder_init(&folder);
    return test_ctxs_new(state);
}

static int remove_folder(void **state)
{
    folder_fini(&folder);
    return test_ctxs_free(state);
}

static struct reading read_file(const char *name, const hy_read_opts *opts)
{
    struct reading r = { 0 };
    r.status = hy_graph_read(test_ctx(1), path_of(name), opts, &r.G, &r.names,
                             &r.info, &r.diag);
    return r;
}

static void is_read_as(const char *name, const hy_read_opts *opts,
                       const char *graph)
{
    char found[400];
    struct reading r = read_file(name, opts);
    if (r.status != HY_OK)
        fail_msg("%s", hy_error_text());
    reads_write(&r, found, sizeof found);
    assert_string_equal(found, graph);
    reading_fini(&r);
}

static void is_bad(const char *name, const char *ending, uint64_t line,
                   const char *words)
{
    struct reading r = read_file(name, NULL);
    assert_int_equal(r.status, HY_EFORMAT);
    assert_null(r.G);
    const size_t n = strlen(r.diag.file), k = strlen(ending);
    assert_true(n > k);
    assert_string_equal(r.diag.file + n - k, ending);
    if (r.diag.line != line || !strstr(r.diag.text, words))
        fail_msg("%u: %s", (unsigned)r.diag.line, r.diag.text);
    reading_fini(&r);
}

/* ---- good ones
 * ------------------------------------------------------------------ */

static void any_of_the_paths_will_do(void **state)
{
    static const char graph[] = "directed 4: 3>7=5 7>3=6";
    (void)state;
    write_graph("3\n7\n18446744073709551614\n9\n", "3 7 5\n7 3 6\n", NULL);
    is_read_as("g.v", NULL, graph);
    is_read_as("g.e", NULL, graph);
    is_read_as("g", NULL, graph);
}

static void edges_alone_will_do(void **state)
{
    (void)state;
    write_graph(NULL, "3 7\n7 9\n", NULL);
    is_read_as("g.e", NULL, "directed 3: 3>7 7>9");
    is_read_as("g", NULL, "directed 3: 3>7 7>9");
}

static void vertices_alone_will_not(void **state)
{
    (void)state;
    write_graph("1\n", NULL, NULL);
    struct reading r = read_file("g.v", NULL);
    assert_int_equal(r.status, HY_EIO);
    reading_fini(&r);
}

static void bars_divide(void **state)
{
    (void)state;
    write_graph("1|a b\n2|c\n", "1|2|0.5\n2 | 1 | 3\r\n", NULL);
    is_read_as("g", NULL, "directed 2: 1>2=0.5f 2>1=3f");
    struct reading r = read_file("g", NULL);
    assert_int_equal(r.info.lines, 2);
    assert_true(r.info.ignored > 0);
    reading_fini(&r);
}

static void properties_tell_the_sense(void **state)
{
    const hy_read_opts opts = { .sense = HY_DIRECTED };
    (void)state;
    write_graph("1\n2\n", "1 2\n",
                "# hello\ngraph.g.vertex-file = g.v\n"
                "graph.g.directed = false\n");
    is_read_as("g", NULL, "undirected 2: 1-2");
    is_read_as("g", &opts, "directed 2: 1>2");
    write_graph("1\n2\n", "1 2\n", "graph.g.directed=true\n");
    is_read_as("g", NULL, "directed 2: 1>2");
    write_graph("1\n2\n", "1 2\n", "\ngraph.g.directed = perhaps\n");
    is_bad("g", "g.properties", 2, "`perhaps`");
}

static void packed_files_are_found(void **state)
{
    char command[500];
    (void)state;
    write_graph("1\n2\n3\n", "1 2\n", NULL);
    (void)snprintf(command, sizeof command, "gzip -f %s", path_of("g.e"));
    if (system(command) != 0)
        skip();
    is_read_as("g", NULL, "directed 3: 1>2");
    is_read_as("g.v", NULL, "directed 3: 1>2");
    is_read_as("g.e.gz", NULL, "directed 3: 1>2");
    (void)remove(path_of("g.e.gz"));
}

/* ---- bad ones
 * --------------------------------------------------------------------- */

static void edges_are_of_known_vertices(void **state)
{
    (void)state;
    write_graph("1\n9000000000000000000\n", "9000000000000000000 1\n1 2\n",
                NULL);
    is_bad("g", "g.e", 2, "vertex 2 is not in the .v file");
    write_graph("1\n2\n", "1 2\n2 3\n", NULL);
    is_bad("g", "g.e", 2, "vertex 3 is not in the .v file");
    is_bad("g.v", "g.e", 2, "vertex 3 is not in the .v file");
}

static void vertices_are_checked(void **state)
{
    (void)state;
    write_graph("1\nx\n", "1 1\n", NULL);
    is_bad("g", "g.v", 2, "`x` is no vertex");
    write_graph("1\n18446744073709551615\n", "1 1\n", NULL);
    is_bad("g", "g.v", 2, "is no vertex");
    write_graph("1\n2\n1\n", "1 1\n", NULL);
    is_bad("g", "g.v", 0, "vertex 1 is there twice");
    write_graph("1\n9000000000000000000\n1\n", "1 1\n", NULL);
    is_bad("g", "g.v", 0, "vertex 1 is there twice");
}

static void edges_are_checked(void **state)
{
    (void)state;
    reads_bad("1 2 3\n1 2\n", &ldbc, 2, "the weight is missing");
    reads_bad("1 2\n1 2 3\n", &ldbc, 2, "one column too many");
    reads_bad("1\n", &ldbc, 1, "a vertex is missing");
    reads_bad("1|2|x\n", &ldbc, 1, "`x` is no number");
    reads_bad("1,2\n", &ldbc, 1, "`1,2` is no vertex");
    reads_bad("-1 2\n", &ldbc, 1, "`-1` is no vertex");
    reads_bad("\1\2\n", &ldbc, 1, "`??`");
}

static void bad_lines_are_skipped(void **state)
{
    const hy_read_opts opts = { .skip_bad = true };
    (void)state;
    write_graph("1\nx\n2\n", "1 2\n2 3\n", NULL);
    is_read_as("g", &opts, "directed 2: 1>2");
    struct reading r = read_file("g", &opts);
    assert_int_equal(r.info.bad, 2);
    assert_int_equal(r.info.first_bad.line, 2);
    reading_fini(&r);
}

static void mutations_are_read_or_refused(void **state)
{
    static const char text[] = "1 2 5\n2 3 6\n# c\n3|4|7\n4 1 8\n";
    (void)state;
    reads_mutations(text, sizeof text - 1, &ldbc, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_of_the_paths_will_do),
        cmocka_unit_test(edges_alone_will_do),
        cmocka_unit_test(vertices_alone_will_not),
        cmocka_unit_test(bars_divide),
        cmocka_unit_test(properties_tell_the_sense),
        cmocka_unit_test(packed_files_are_found),
        cmocka_unit_test(edges_are_of_known_vertices),
        cmocka_unit_test(vertices_are_checked),
        cmocka_unit_test(edges_are_checked),
        cmocka_unit_test(bad_lines_are_skipped),
        cmocka_unit_test(mutations_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
