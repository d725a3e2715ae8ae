/* METIS: lists of neighbours, their weights, both sides of an edge. */
#include "support/reads.h"

#include <string.h>

static const hy_read_opts metis = { .format = HY_FORMAT_METIS };

static void lists_are_undirected_edges(void **state)
{
    (void)state;
    reads_as("3 2\n2\n1 3\n2\n", &metis, "undirected 3: 1-2 2-3");
    reads_as("% c\n3 2 0\r\n2 \r\n% c\n 1 3\r\n2", &metis,
             "undirected 3: 1-2 2-3");
}

static void empty_lines_are_lone_vertices(void **state)
{
    (void)state;
    reads_as("4 1\n\n3\n2\n\n", &metis, "undirected 4: 2-3");
    reads_as("4 1\n\n3\n2\n", &metis, "undirected 4: 2-3");
    reads_as("2 0\n\n\n\n\n", &metis, "undirected 2:");
    reads_as("0 0\n", &metis, "undirected 0:");
    reads_as("", &metis, "undirected 0:");
}

static void flags_say_what_numbers_are(void **state)
{
    static const char edge[] = "undirected 2: 1-2";
    static const char weighted[] = "undirected 2: 1-2=7";
    (void)state;
    reads_as("2 1 1\n2 7\n1 7\n", &metis, weighted);
    reads_as("2 1 001\n2 7\n1 7\n", &metis, weighted);
    reads_as("2 1 10\n5 2\n6 1\n", &metis, edge);
    reads_as("2 1 010 2\n5 5 2\n6 6 1\n", &metis, edge);
    reads_as("2 1 11\n5 2 7\n6 1 7\n", &metis, weighted);
    reads_as("2 1 100\n9 2\n9 1\n", &metis, edge);
    reads_as("2 1 101\n9 2 7\n9 1 7\n", &metis, weighted);
    reads_as("2 1 110 1\n9 5 2\n9 6 1\n", &metis, edge);
    reads_as("2 1 111 2\n9 5 5 2 7\n9 6 6 1 7\n", &metis, weighted);
    reads_as("2 0 10\n5\n6\n", &metis, "undirected 2:");
}

static void vertex_weights_are_counted_as_ignored(void **state)
{
    static const char text[] = "2 1 111 2\n9 5 5 2 7\n9 6 6 1 7\n";
    (void)state;
    struct reading r =
        reading_of(test_ctx(0), "text", text, sizeof text - 1, &metis, 0, 0);
    assert_int_equal(r.status, HY_OK);
    assert_int_equal(r.info.ignored, 3);
    assert_int_equal(r.info.lines, 1);
    reading_fini(&r);
}

static void options_decide(void **state)
{
    hy_read_opts opts = { .format = HY_FORMAT_METIS, .sense = HY_DIRECTED };
    (void)state;
    reads_as("3 2 1\n2 5\n1 5 3 6\n2 6\n", &opts,
             "directed 3: 1>2=5 2>1=5 2>3=6 3>2=6");
    opts.weighting = HY_WEIGHTS_DROP;
    reads_as("2 1 1\n2 5\n1 5\n", &opts, "directed 2: 1>2 2>1");
    opts.weighting = HY_WEIGHTS_NEED;
    reads_bad("2 1\n2\n1\n", &opts, 1, "no weights");
}

static void head_is_checked(void **state)
{
    (void)state;
    reads_bad("3\n", &metis, 1, "is due");
    reads_bad("% c\nx y\n", &metis, 2, "is due");
    reads_bad("% c\n", &metis, 1, "is due");
    reads_bad("3 2 1 1 1\n", &metis, 1, "is due");
    reads_bad("3 2 2\n", &metis, 1, "2 is no FMT");
    reads_bad("3 2 1000\n", &metis, 1, "1000 is no FMT");
    reads_bad("4294967296 2\n", &metis, 1, "at most");
    reads_bad("\1\2\3", &metis, 1, "???");
}

static void lines_are_checked(void **state)
{
    (void)state;
    reads_bad("2 1\n3\n1\n", &metis, 2, "vertex 3 is not among 1 .. 2");
    reads_bad("2 1\n% c\n2\n0\n", &metis, 4, "vertex 0");
    reads_bad("2 1\n2\nx\n", &metis, 3, "`x` is no vertex");
    reads_bad("2 1\n2 1\n1\n", &metis, 2, "vertex 1 is its own neighbour");
    reads_bad("2 1 1\n2\n1 7\n", &metis, 2, "the weight of an edge is missing");
    reads_bad("2 1 1\n2 y\n1 7\n", &metis, 2, "`y` is no number");
    reads_bad("2 1 10\n5 2\n\n", &metis, 3, "a weight of the vertex");
    reads_bad("2 1\n2\n1\n\n1\n", &metis, 5, "more lines than vertices");
    reads_bad("4 1\n2\n1\n", &metis, 1, "4 vertices are announced, 2");
}

static void both_sides_are_there(void **state)
{
    (void)state;
    reads_bad("3 2\n2\n1 3\n\n", &metis, 3,
              "vertex 2 has neighbour 3, but 3 does not have 2");
    reads_bad("3 2\n2\n\n1 2\n", &metis, 2, "vertex 1 has neighbour 2");
    reads_bad("3 2\n2 3\n1\n\n", &metis, 2, "vertex 1 has neighbour 3");
    reads_bad("2 1\n%\n2\n\n", &metis, 0, "vertex 1 has neighbour 2");
    reads_bad("2 1 1\n2 5\n1 6\n", &metis, 3, "another weight");
    reads_bad("2 1\n2 2\n1\n", &metis, 2, "vertex 1 has neighbour 2");
}

static void edges_are_counted(void **state)
{
    (void)state;
    reads_bad("2 2\n2\n1\n", &metis, 1, "2 edges are announced, 1 are there");
    reads_as("2 2\n2 2\n1 1\n", &metis, "undirected 2: 1-2");
}

static void bad_lines_are_skipped(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_METIS, .skip_bad = true };
    (void)state;
    reads_as("3 2\n2\n1 3\nx\n", &opts, "undirected 3: 1-2");
}

static void mutations_are_read_or_refused(void **state)
{
    static const char *const texts[] = {
        "% c\n4 4\n2 4\n1 3\n2 4\n1 3\n",
        "4 3 11\n1 2 5\n2 1 5 3 6\n3 2 6 4 7\n4 3 7\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_mutations(texts[i], strlen(texts[i]), &metis, 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_undirected_edges),
        cmocka_unit_test(empty_lines_are_lone_vertices),
        cmocka_unit_test(flags_say_what_numbers_are),
        cmocka_unit_test(vertex_weights_are_counted_as_ignored),
        cmocka_unit_test(options_decide),
        cmocka_unit_test(head_is_checked),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(both_sides_are_there),
        cmocka_unit_test(edges_are_counted),
        cmocka_unit_test(bad_lines_are_skipped),
        cmocka_unit_test(mutations_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
