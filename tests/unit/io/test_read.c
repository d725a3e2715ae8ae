/* Edge lists and CSV into graphs. */
#include "support/reading.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text must be read as `want`, whatever the threads, windows, chunks. */
static void assert_read_with(const char *path, const char *text,
                             const hy_read_opts *opts, const char *want)
{
    static const size_t sizes[][2] = {
        { 0, 0 }, { 64, 1 }, { 64, 7 }, { 80, 64 }
    };
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct reading R = reading_of(test_ctx(c), path, text, strlen(text),
                                          opts, sizes[i][0], sizes[i][1]);
            if (R.status != HY_OK)
                fail_msg("%s: %s", text, hy_error_text());
            const char *why;
            if (!hy_graph_check(R.G, &why))
                fail_msg("%s: %s", text, why);
            char *const got = reading_text(R.G, R.names);
            assert_string_equal(got, want);
            free(got);
            reading_fini(&R);
        }
}

static void assert_read(const char *path, const char *text, const char *want)
{
    assert_read_with(path, text, NULL, want);
}

/* The text must be refused at that line, for that reason. */
static void assert_bad_with(const char *path, const char *text,
                            const hy_read_opts *opts, uint64_t line,
                            const char *why)
{
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        struct reading R =
            reading_of(test_ctx(c), path, text, strlen(text), opts, 64, 1);
        assert_int_equal(R.status, HY_EFORMAT);
        assert_string_equal(R.diag.text, why);
        assert_string_equal(R.diag.file, path);
        assert_int_equal(R.diag.line, line);
        assert_null(R.G);
        reading_fini(&R);
    }
}

static void assert_bad(const char *text, uint64_t line, const char *why)
{
    assert_bad_with("x.el", text, NULL, line, why);
}

/* ---- edge lists ---------------------------------------------------------- */

static void el_reads_what_is_in_the_wild(void **state)
{
    (void)state;
    assert_read("x.el", "0 1\n1 2\n2 0\n", "0 1\n1 2\n2 0\n");
    assert_read("x.el", "0 1\r\n1 2\r\n2 0", "0 1\n1 2\n2 0\n");
    assert_read("x.el", "# a\n\n0\t1\n% b\n  1   0  \n#", "0 1\n1 0\n");
    assert_read("x.el", "", "");
    assert_read("x.el", "# nothing\n\n", "");
    assert_read("x.el", "5 5\n", "5 5\n");
    assert_read("x.el", "00 01\n", "0 1\n");
    /* by content */
    assert_read("-", "0 1\n", "0 1\n");
    assert_read("x.txt", "0 1 7\n", "0 1 7\n");
}

static void el_keeps_any_integer_as_id(void **state)
{
    (void)state;
    assert_read("x.el", "1 2\n2 3\n", "1 2\n2 3\n");
    assert_read("x.el", "10 1000\n7 10\n", "7 10\n10 1000\n");
    assert_read("x.el", "12345678 123456789\n", "12345678 123456789\n");
    assert_read("x.el", "4294967294 4294967295\n4294967296 1\n",
                "4294967294 4294967295\n4294967296 1\n");
    assert_read("x.el", "18446744073709551614 0\n", "18446744073709551614 0\n");
    assert_read("x.el", "1 2\n3 18446744073709551614\n5 1\n",
                "1 2\n3 18446744073709551614\n5 1\n");
}

static void el_merges_repeats(void **state)
{
    (void)state;
    const char *const text = "0 1\n1 0\n0 1\n1 1\n";
    struct reading R =
        reading_of(test_ctx(1), "x.el", text, strlen(text), NULL, 0, 0);
    assert_int_equal(R.status, HY_OK);
    assert_int_equal(R.info.lines, 4);
    assert_int_equal(R.info.repeats, 1);
    assert_int_equal(R.info.bytes, strlen(text));
    reading_fini(&R);
    const hy_read_opts opts = { .sense = HY_UNDIRECTED };
    R = reading_of(test_ctx(1), "x.el", text, strlen(text), &opts, 0, 0);
    assert_int_equal(R.info.repeats, 2);
    reading_fini(&R);
    assert_read("x.wel", "0 1 5\n0 1 6\n", "0 1 6\n");
}

static void el_takes_senses(void **state)
{
    (void)state;
    assert_read("x.txt", "# Undirected graph: x\n1 0\n0 1\n", "0 1\n");
    assert_read("x.txt", "# Directed graph: x\n1 0\n0 1\n", "0 1\n1 0\n");
    const hy_read_opts directed = { .sense = HY_DIRECTED };
    assert_read_with("x.txt", "# Undirected graph\n1 0\n", &directed, "1 0\n");
    const hy_read_opts both = { .reverse = true };
    struct reading R = reading_of(test_ctx(0), "x.el", "0 1\n", 4, &both, 0, 0);
    assert_true(hy_view_has_reverse(hy_graph_now(R.G)));
    reading_fini(&R);
}

static void el_values_are_as_narrow_as_they_fit(void **state)
{
    (void)state;
    assert_read("x.el", "0 1 2\n1 0 -3\n", "0 1 2\n1 0 -3\n");
    assert_read("x.el", "0 1 2\n1 0 2147483648\n", "0 1 2L\n1 0 2147483648L\n");
    assert_read("x.el", "0 1 2\n1 0 0.5\n0 2 7\n",
                "0 1 2f\n0 2 7f\n1 0 0.5f\n");
    assert_read("x.el", "0 1 1e3 4\n1 0 2 5\n", "0 1 1000f 4\n1 0 2f 5\n");
    const hy_read_opts drop = { .weighting = HY_WEIGHTS_DROP };
    assert_read_with("x.wel", "0 1 2\n1 0 3\n", &drop, "0 1\n1 0\n");
}

static void konect_heads_are_obeyed(void **state)
{
    (void)state;
    assert_read("out.x", "% sym unweighted\n% 2 3 3\n2 1\n3 1\n", "1 2\n1 3\n");
    assert_read("x", "% asym posweighted\n1 2 1 100\n2 1 3 200\n",
                "1 2 1 100\n2 1 3 200\n");
    assert_read("x", "% bip unweighted\n% 3 2 2\n1 1\n2 1\n2 2\n",
                "1 3\n2 3\n2 4\n");
    assert_bad_with("x", "% bip unweighted\n% 3 2 2\n1 1\n3 1\n", NULL, 4,
                    "`3` is not among the 2 vertices of its side");
    assert_bad_with("x", "% bip unweighted\n1 1\n", NULL, 1,
                    "two sides (bip) and no line `% m n1 n2`: where the left "
                    "side ends is not said");
}

/* How many vertices a text has. */
static void assert_vertices(const char *path, const char *text, uint64_t n)
{
    for (size_t window = 0; window <= 32; window += 32) {
        struct reading R =
            reading_of(test_ctx(1), path, text, strlen(text), NULL, window, 0);
        if (R.status != HY_OK)
            fail_msg("%s: %s", text, hy_error_text());
        if (hy_view_vertices(hy_graph_now(R.G)) != n)
            fail_msg("%s: %llu vertices", text,
                     (unsigned long long)hy_view_vertices(hy_graph_now(R.G)));
        reading_fini(&R);
    }
}

static void comments_name_vertices(void **state)
{
    (void)state;
    assert_vertices("x.el", "1 2\n# vertex 7\n# vertex 1\n", 3);
    assert_vertices("x.el", "# vertex 7\n%vertex 8\r\n1 2\n", 4);
    assert_vertices("x.el", "# vertex 7\n", 1);
    assert_vertices("x.el",
                    "# vertex 70000000000000000000000000000000000000\n"
                    "# vertex 7000000000000000000000000000000000000\n"
                    "# vertex 7\n1 2 3\n",
                    3);
    assert_vertices("x.el", "# Undirected graph\n# vertex bob\n", 1);
    assert_vertices("x.el", "a b\n# vertex bob\n# vertex a\n", 3);
    assert_vertices("x.csv", "source,target\n1,2\n# vertex 7\n", 3);
    assert_vertices("x.csv", "source,target\n# vertex \"a, b\"\n", 1);
    assert_vertices("x.csv", "a,b\n# vertex \"a\"\"b\"\n# vertex b\n", 3);
    /* Such comments are somebody else's. */
    assert_vertices("x.el", "1 2\n# vertex ids\n# vertex\n# vertex 1 2\n", 2);
    assert_vertices("x.el", "1 2\n# vertex 18446744073709551615\n", 2);
    assert_vertices("x", "% bip unweighted\n% 1 1 1\n1 1\n% vertex 7\n", 2);
    assert_read("x.csv", "# Undirected graph\nu,v\n2,1\n", "1 2\n");
}

static void bad_lines_are_named(void **state)
{
    (void)state;
    assert_bad("0 1\n1 x\n", 2, "`x` is no vertex id");
    assert_bad("# c\n\n0 1\n-3 1\n", 4, "`-3` is no vertex id: negative");
    assert_bad("-3 1\n", 1, "`-3` is no vertex id: negative");
    assert_bad("0 1\n0 18446744073709551615\n", 2,
               "`18446744073709551615` is no vertex id: past 2^64 - 2");
    assert_bad("0 1\n0 99999999999999999999999\n", 2,
               "`99999999999999999999999` is no vertex id: past 2^64 - 2");
    assert_bad("0 1\n1.5 2\n", 2, "`1.5` is no vertex id");
    assert_bad("0 1\n0\n", 2, "1 column, not 2");
    assert_bad("0 1\n0 1 2\n", 2, "3 columns, not 2");
    assert_bad("0 1 2\n0 1\n", 2, "2 columns, not 3");
    assert_bad("0 1 2\n0 1 nan\n", 2, "`nan` is no number");
    assert_bad("0 1 2\n0 1 1e999\n", 2, "`1e999` is no number");
    assert_bad("7\n", 1, "one column: an edge has two ids");
    assert_bad("0 1\n0,1\n", 2, "1 column, not 2");
    assert_bad_with("x.wel", "0 1\n", NULL, 1, "no weight: 2 columns");
    const hy_read_opts need = { .weighting = HY_WEIGHTS_NEED };
    assert_bad_with("x.el", "0 1\n", &need, 1, "no weight: 2 columns");
    const hy_read_opts integer = { .id_kind = HY_ID_INTEGER };
    assert_bad_with("x.el", "a b\n", &integer, 1, "`a` is no vertex id");
}

/* The first of many, on many lines, many chunks and many threads. */
static void first_bad_line_is_the_first(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    char *const text = malloc(1 << 20);
    for (uint64_t i = 0; i < test_scaled(20); i++) {
        const uint64_t lines = 1 + rng_below(&rng, 20000);
        uint64_t bad = 0, first = 0;
        size_t n = 0;
        for (uint64_t line = 1; line <= lines; line++) {
            const bool is_bad = line > 1 && rng_below(&rng, lines) < 5;
            first = is_bad && !bad ? line : first;
            bad += is_bad;
            n += (size_t)sprintf(text + n, "%u %s\n",
                                 (unsigned)rng_below(&rng, 9999),
                                 is_bad                 ? "oh"
                                 : rng_chance(&rng, 50) ? "12"
                                                        : "3456");
        }
        const size_t window = 1 + rng_below(&rng, 20000);
        const size_t chunk = 1 + rng_below(&rng, 3000);
        hy_read_opts opts = { .format = HY_FORMAT_EL };
        struct reading R = reading_of(test_ctx((unsigned)i % TEST_CTXS), "x",
                                      text, n, &opts, window, chunk);
        assert_int_equal(R.status, bad ? HY_EFORMAT : HY_OK);
        assert_int_equal(R.diag.line, first);
        reading_fini(&R);
        opts.skip_bad = true;
        R = reading_of(test_ctx((unsigned)i % TEST_CTXS), "x", text, n, &opts,
                       window, chunk);
        assert_int_equal(R.status, HY_OK);
        assert_int_equal(R.info.bad, bad);
        assert_int_equal(R.info.lines, lines - bad);
        assert_int_equal(R.info.first_bad.line, first);
        reading_fini(&R);
    }
    free(text);
}

/* ---- ids ----------------------------------------------------------------- */

static bool is_mapped(const hy_graph *G)
{
    /* A dense graph refuses an edge to an id it never had. */
    hy_batch *B = NULL;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 1000, 2000, NULL), HY_OK);
    const hy_status status = hy_graph_commit((hy_graph *)G, B, NULL);
    hy_batch_free(B);
    return status == HY_OK;
}

static void ids_are_dense_if_all_are_there(void **state)
{
    (void)state;
    static const hy_read_opts growing = { .growing = true };
    static const struct {
        const char *text;
        const hy_read_opts *opts;
        bool mapped;
    } cases[] = {
        { "0 1\n1 2\n", NULL, false },
        { "0 1\n1 3\n", NULL, true },
        { "1 2\n", NULL, true },
        { "0 1\n1 2\n", &growing, true },
        { "", NULL, false },
        { "", &growing, true },
        { "0 99999999999\n", NULL, true },
        { "a b\n", NULL, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading R =
            reading_of(test_ctx(1), "x.el", cases[i].text,
                       strlen(cases[i].text), cases[i].opts, 0, 0);
        assert_int_equal(R.status, HY_OK);
        assert_int_equal(is_mapped(R.G), cases[i].mapped);
        reading_fini(&R);
    }
}

static void texts_are_numbered_as_they_came(void **state)
{
    (void)state;
    assert_read("x.el", "b a\na c\n# c\nc b\n", "b a\na c\nc b\n");
    assert_read("x.el", "Zo\xc3\xab b1\nb1 7 \n", "Zo\xc3\xab b1\nb1 7\n");
    const hy_read_opts text = { .id_kind = HY_ID_TEXT };
    assert_read_with("x.el", "07 7\n7 007\n", &text, "07 7\n7 007\n");
    struct reading R =
        reading_of(test_ctx(2), "x.el", "b a\na c\n", 8, NULL, 64, 1);
    assert_int_equal(hy_names_count(R.names), 3);
    assert_int_equal(hy_names_find(R.names, "a", 1), 1);
    assert_true(hy_names_find(R.names, "d", 1) == HY_ANY);
    assert_string_equal(hy_names_text(R.names, 2, NULL), "c");
    reading_fini(&R);
}

/* Many ids of all sizes against what was written. */
static void random_ids_come_back(void **state)
{
    (void)state;
    enum { LINES = 3000 };
    uint64_t rng = test_seed();
    for (uint64_t i = 0; i < test_scaled(12); i++) {
        static const unsigned widths[] = { 4, 12, 30, 33, 63 };
        const unsigned width = widths[i % 5];
        char *const text = malloc(LINES * 48);
        hy_pair pair[LINES];
        size_t n = 0;
        for (unsigned k = 0; k < LINES; k++) {
            pair[k].u = rng_next(&rng) >> (64 - width);
            pair[k].v = rng_next(&rng) >> (64 - width);
            n += (size_t)sprintf(text + n, "%llu %llu\n",
                                 (unsigned long long)pair[k].u,
                                 (unsigned long long)pair[k].v);
        }
        struct reading R = reading_of(test_ctx((unsigned)i % TEST_CTXS), "x.el",
                                      text, n, NULL, 5000, 300);
        assert_int_equal(R.status, HY_OK);
        const hy_view *const V = hy_graph_now(R.G);
        for (unsigned k = 0; k < LINES; k++)
            assert_true(hy_view_has_edge(V, hy_view_find(V, pair[k].u),
                                         hy_view_find(V, pair[k].v)));
        for (hy_vid u = 1; u < hy_view_bound(V); u++)
            assert_true(hy_view_external(V, u - 1) < hy_view_external(V, u));
        assert_int_equal(R.info.lines, LINES);
        assert_int_equal(hy_view_edges(V), LINES - R.info.repeats);
        reading_fini(&R);
        free(text);
    }
}

/* ---- CSV ----------------------------------------------------------------- */

static void csv_reads_heads_and_quotes(void **state)
{
    (void)state;
    assert_read("x.csv", "0,1\n1,2\n", "0 1\n1 2\n");
    assert_read("x.csv", "source,target,weight\n0,1,2.5\n", "0 1 2.5f\n");
    assert_read("x.csv", "a;b;c\r\n0; 1 ;2\r\n", "0 1 2\n");
    assert_read("x.csv", "weight,dst,src\n9,0,1\n", "1 0 9\n");
    assert_read("x.tsv", "u\tv\n0\t1\n", "0 1\n");
    assert_read("x.csv", "\"a b\",\"c \"\"d\"\"\"\nx,\"a b\"\n",
                "a b c \"d\"\nx a b\n");
    assert_read("x.csv", "source,target\n", "");
    assert_read("x.csv", "# c\nfrom,to,label,n\n0,1,red,5\n1,0,,6\n",
                "0 1 5\n1 0 6\n");
    /* by content */
    assert_read("x", "0,1\n", "0 1\n");
    assert_read("x", "Source Target\n0 1\n", "0 1\n");
    assert_bad_with("x.csv", "0,1\n\"0,1\n", NULL, 2, "a quote is not closed");
    assert_bad_with("x.csv", "u,v\n0,1\n2,\n", NULL, 3, "`` is no vertex id");
    assert_bad_with("x.csv", "u,v,w\n0,1\n", NULL, 2,
                    "2 columns, not 3 as in the head");
}

static void csv_names_columns(void **state)
{
    (void)state;
    const char *const text = "u,v,cost,what,cost\n0,1,5,x,6\n";
    struct reading R =
        reading_of(test_ctx(0), "x.csv", text, strlen(text), NULL, 0, 0);
    assert_int_equal(R.status, HY_OK);
    const hy_view *const V = hy_graph_now(R.G);
    assert_int_equal(R.info.ignored, 1);
    assert_int_equal(hy_view_edge_columns(V), 2);
    assert_string_equal(hy_view_edge_column(V, 0).name, "cost");
    assert_string_equal(hy_view_edge_column(V, 1).name, "column5");
    reading_fini(&R);
    /* a name that another column would be given; none at all */
    const char *const odd = "u,v,column4,,column4\n0,1,2,3,4\n";
    R = reading_of(test_ctx(0), "x.csv", odd, strlen(odd), NULL, 0, 0);
    assert_int_equal(R.status, HY_OK);
    assert_int_equal(hy_view_edge_columns(hy_graph_now(R.G)), 3);
    reading_fini(&R);
}

/* ---- limits -------------------------------------------------------------- */

static bool stop_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    ++*(unsigned *)user;
    return false;
}

static void progress_may_stop_it(void **state)
{
    (void)state;
    unsigned calls = 0;
    const hy_read_opts opts = { .progress = stop_at_once, .user = &calls };
    struct reading R =
        reading_of(test_ctx(0), "x.el", "0 1\n1 2\n", 8, &opts, 4, 0);
    assert_int_equal(R.status, HY_ESTOPPED);
    assert_int_equal(calls, 1);
    reading_fini(&R);
}

static void memory_limit_is_kept(void **state)
{
    (void)state;
    char *const text = malloc(1 << 20);
    size_t n = 0;
    for (unsigned i = 0; i < 50000; i++)
        n += (size_t)sprintf(text + n, "%u %u\n", i, i + 1);
    const hy_read_opts small = { .memory = 1 << 20 };
    struct reading R =
        reading_of(test_ctx(1), "x.el", text, n, &small, 1 << 12, 1 << 10);
    assert_int_equal(R.status, HY_EFULL);
    assert_non_null(strstr(hy_error_text(), "the limit is 1048576"));
    reading_fini(&R);
    const hy_read_opts large = { .memory = 64 << 20 };
    R = reading_of(test_ctx(1), "x.el", text, n, &large, 1 << 12, 1 << 10);
    assert_int_equal(R.status, HY_OK);
    reading_fini(&R);
    free(text);
}

static void write_file(const char *path, const char *text, size_t n)
{
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void estimate_is_near(void **state)
{
    (void)state;
    char path[] = "/tmp/hypha-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    enum { LINES = 200000 };
    char *const text = malloc(LINES * 20);
    size_t n = 0;
    for (unsigned i = 0; i < LINES; i++) /* lines grow longer */
        n += (size_t)sprintf(text + n, "%u %u\n", i, i / 2);
    write_file(path, text, n);
    hy_estimate E;
    assert_int_equal(hy_graph_estimate(test_ctx(1), path, NULL, &E, NULL),
                     HY_OK);
    assert_int_equal(E.format, HY_FORMAT_EL);
    assert_int_equal(E.bytes, n);
    assert_in_range(E.edges, LINES * 95 / 100, LINES * 105 / 100);
    hy_graph *G = NULL;
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, NULL, &G, NULL, NULL, NULL), HY_OK);
    hy_graph_stats stats;
    hy_graph_stats_get(G, &stats);
    assert_in_range(E.graph_bytes, stats.bytes / 3, stats.bytes * 3);
    assert_true(E.peak_bytes > E.graph_bytes);
    hy_graph_free(G);
    /* all of it is seen */
    write_file(path, "0,1\n1,2\n", 8);
    assert_int_equal(hy_graph_estimate(test_ctx(1), path, NULL, &E, NULL),
                     HY_OK);
    assert_true(E.exact);
    assert_int_equal(E.edges, 2);
    (void)unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(el_reads_what_is_in_the_wild),
        cmocka_unit_test(el_keeps_any_integer_as_id),
        cmocka_unit_test(el_merges_repeats),
        cmocka_unit_test(el_takes_senses),
        cmocka_unit_test(el_values_are_as_narrow_as_they_fit),
        cmocka_unit_test(konect_heads_are_obeyed),
        cmocka_unit_test(comments_name_vertices),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(first_bad_line_is_the_first),
        cmocka_unit_test(ids_are_dense_if_all_are_there),
        cmocka_unit_test(texts_are_numbered_as_they_came),
        cmocka_unit_test(random_ids_come_back),
        cmocka_unit_test(csv_reads_heads_and_quotes),
        cmocka_unit_test(csv_names_columns),
        cmocka_unit_test(estimate_is_near),
        cmocka_unit_test(progress_may_stop_it),
        cmocka_unit_test(memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
