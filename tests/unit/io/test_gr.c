/* DIMACS: arcs, edges, weights or none, counts. */
#include "support/reads.h"

#include <string.h>

static const hy_read_opts gr = { .format = HY_FORMAT_GR };

static void arcs_are_directed(void **state)
{
    (void)state;
    reads_as("c hello\nc\n\np sp 3 3\na 1 2 5\nc there\na 2 1 6\n  a 3 3 0\n",
             &gr, "directed 3: 1>2=5 2>1=6 3>3=0");
}

static void edges_are_undirected(void **state)
{
    (void)state;
    reads_as("p edge 3 2\ne 1 2\ne 3 2\n", &gr, "undirected 3: 1-2 2-3");
    reads_as("p col 2 1\r\ne 1 2 7\r\n", &gr, "undirected 2: 1-2=7");
    reads_as("p edge 2 0\n", &gr, "undirected 2:");
}

static void weights_may_lack(void **state)
{
    (void)state;
    reads_as("p whatever 3 2\na 1 2\na 2 3", &gr, "directed 3: 1>2 2>3");
    reads_bad("p sp 3 2\na 1 2\na 2 3 5\n", &gr, 3, "one column too many");
    reads_bad("p sp 3 2\na 1 2 5\na 2 3\n", &gr, 3, "the weight is missing");
}

static void weights_may_be_real(void **state)
{
    (void)state;
    reads_as("p sp 2 1\na 1 2 0.5\n", &gr, "directed 2: 1>2=0.5f");
}

static void options_decide(void **state)
{
    hy_read_opts opts = { .format = HY_FORMAT_GR,
                          .sense = HY_UNDIRECTED,
                          .weighting = HY_WEIGHTS_DROP };
    (void)state;
    reads_as("p sp 2 2\na 1 2 5\na 2 1 5\n", &opts, "undirected 2: 1-2");
    opts =
        (hy_read_opts){ .format = HY_FORMAT_GR, .weighting = HY_WEIGHTS_NEED };
    reads_bad("p sp 2 1\na 1 2\n", &opts, 1, "no weights");
    reads_as("p sp 2 0\n", &opts, "directed 2:");
}

static void nothing_is_an_empty_graph(void **state)
{
    (void)state;
    reads_as("", &gr, "directed 0:");
    reads_bad("c only\n", &gr, 1, "is missing");
}

static void problem_is_checked(void **state)
{
    (void)state;
    reads_bad("a 1 2 3\n", &gr, 1, "is due");
    reads_bad("c\np sp 3\n", &gr, 2, "is due");
    reads_bad("p sp 3 x\n", &gr, 1, "is due");
    reads_bad("p sp 3 3 3\n", &gr, 1, "is due");
    reads_bad("p sp 4294967296 0\n", &gr, 1, "at most");
    reads_bad("p sp 1 0\np sp 1 0\n", &gr, 2, "a second problem line");
    reads_bad("\1\2garbage", &gr, 1, "??garbage");
}

static void lines_are_checked(void **state)
{
    (void)state;
    reads_bad("p sp 2 1\na 0 1 1\n", &gr, 2, "vertex 0");
    reads_bad("p sp 2 1\na 1 3 1\n", &gr, 2, "vertex 3");
    reads_bad("p sp 2 1\na -1 2 1\n", &gr, 2, "`-1` is no vertex");
    reads_bad("p sp 2 1\na 1 2 nan\n", &gr, 2, "`nan` is no number");
    reads_bad("p sp 2 1\na 1 2 1 1\n", &gr, 2, "one column too many");
    reads_bad("p sp 2 2\na 1 2 1\ne 1 2 1\n", &gr, 3, "a line of `e`");
    reads_bad("p sp 2 1\nx 1 2 1\n", &gr, 2, "is due");
    reads_bad("p sp 2 1\nab 1 2 1\n", &gr, 2, "is due");
    reads_bad("p sp 2 1\nn 1 s\na 1 2\n", &gr, 2, "is due");
    reads_bad("p sp 2 1\na\n", &gr, 2, "a vertex is missing");
}

static void edges_are_counted(void **state)
{
    (void)state;
    reads_bad("p sp 2 2\na 1 2 1\n", &gr, 1,
              "2 edges are announced, 1 are there");
    reads_bad("c\np sp 2 0\na 1 2 1\n", &gr, 2,
              "0 edges are announced, 1 are there");
}

static void content_is_told(void **state)
{
    const hy_read_opts opts = { 0 };
    (void)state;
    reads_as("c x\np sp 2 1\na 1 2 4\n", &opts, "directed 2: 1>2=4");
}

static void mutations_are_read_or_refused(void **state)
{
    static const char *const texts[] = {
        "c hello\np sp 4 4\na 1 2 5\na 2 3 6\nc\na 3 4 7\na 4 1 8\n",
        "p edge 4 3\ne 1 2\ne 2 3\ne 4 4\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_mutations(texts[i], strlen(texts[i]), &gr, 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_are_directed),
        cmocka_unit_test(edges_are_undirected),
        cmocka_unit_test(weights_may_lack),
        cmocka_unit_test(weights_may_be_real),
        cmocka_unit_test(options_decide),
        cmocka_unit_test(nothing_is_an_empty_graph),
        cmocka_unit_test(problem_is_checked),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(edges_are_counted),
        cmocka_unit_test(content_is_told),
        cmocka_unit_test(mutations_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
