#include "support/data.h"
#include "support/small.h"

#include <hypha/hypha.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lcc_of_nothing_is_zero(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        double lcc[2] = { 7, 7 };
        hy_lcc_info info = { .average = 7 };
        hy_graph *G = small_graph(NULL, n);
        assert_int_equal(hy_lcc(hy_graph_now(G), NULL, lcc, &info), HY_OK);
        assert_true(fabs(info.average) < 1e-15);
        assert_true(n == 0 || fabs(lcc[0]) < 1e-15);
        assert_int_equal(hy_lcc(hy_graph_now(G), NULL, NULL, &info), HY_EINVAL);
        small_free(G);
    }
}

/* 0 sees 1 and 2, joined one way: half of the two edges that could be. */
static void lcc_counts_directions_of_directed_edges(void **state)
{
    (void)state;
    const hy_lcc_opts opts = { .undirected = true };
    double lcc[3];
    hy_graph *G = small_graph(NULL, 3);
    small_insert(G, 0, 1, NULL);
    small_insert(G, 2, 0, NULL);
    small_insert(G, 1, 2, NULL);
    small_insert(G, 1, 1, NULL);
    assert_int_equal(hy_lcc(hy_graph_now(G), NULL, lcc, NULL), HY_OK);
    assert_true(fabs(lcc[0] - 0.5) < 1e-15);
    small_insert(G, 2, 1, NULL);
    assert_int_equal(hy_lcc(hy_graph_now(G), NULL, lcc, NULL), HY_OK);
    assert_true(fabs(lcc[0] - 1) < 1e-15);
    assert_true(fabs(lcc[1] - 0.5) < 1e-15);
    assert_int_equal(hy_lcc(hy_graph_now(G), &opts, lcc, NULL), HY_OK);
    assert_true(fabs(lcc[1] - 1) < 1e-15);
    small_free(G);
}

/* ---- Graphalytics: lines of a vertex and its neighbours ----------------- */

enum { IDS = 64 };

static hy_graph *read_lists(const char *name, bool undirected)
{
    const hy_graph_opts opts = { .undirected = undirected };
    hy_graph *G = small_graph(&opts, IDS);
    hy_batch *B = small_batch(G);
    char line[512];
    FILE *file = fopen(test_data(name), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        const unsigned long u = strtoul(at, &end, 10);
        for (;;) {
            at = end;
            const unsigned long v = strtoul(at, &end, 10);
            if (end == at)
                break;
            assert_true(u < IDS && v < IDS);
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
        }
    }
    (void)fclose(file);
    small_commit(G, B);
    return G;
}

static void compare_with(const char *name, const double *lcc)
{
    unsigned u = 0;
    double right = 0;
    FILE *file = fopen(test_data(name), "r");
    assert_non_null(file);
    while (fscanf(file, "%u %lf", &u, &right) == 2) {
        assert_true(u < IDS);
        assert_true(fabs(lcc[u] - right) <= 1e-4 * right + 1e-12);
    }
    (void)fclose(file);
}

static void lcc_equals_graphalytics(void **state)
{
    static const char *const files[2][2] = {
        { "graphalytics-validation/lcc/dir-input",
          "graphalytics-validation/lcc/dir-output" },
        { "graphalytics-validation/lcc/undir-input",
          "graphalytics-validation/lcc/undir-output" }
    };
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        double lcc[IDS];
        const char *why = "";
        if (!test_data(files[i][0])) {
            print_message("no data: skipped\n");
            skip();
        }
        hy_graph *G = read_lists(files[i][0], i == 1);
        assert_int_equal(hy_lcc(hy_graph_now(G), NULL, lcc, NULL), HY_OK);
        compare_with(files[i][1], lcc);
        assert_true(hy_lcc_check(hy_graph_now(G), NULL, lcc, &why));
        small_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lcc_of_nothing_is_zero),
        cmocka_unit_test(lcc_counts_directions_of_directed_edges),
        cmocka_unit_test(lcc_equals_graphalytics),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
