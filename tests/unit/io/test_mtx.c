/* Matrix Market: kinds of matrices, what is refused, and where. */
#include "support/folder.h"
#include "support/reads.h"

#include <stdio.h>
#include <string.h>

static const hy_read_opts mtx = { .format = HY_FORMAT_MTX };

#define BANNER(kind) "%%MatrixMarket matrix " kind "\n"

/* ---- kinds ------------------------------------------------------------------
 */

static void general_is_directed(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate pattern general") "3 3 3\n1 2\n3 1\n2 2\n",
             &mtx, "directed 3: 1>2 2>2 3>1");
}

static void symmetric_is_undirected(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate integer symmetric") "3 3 2\n2 1 5\n3 3 7\n",
             &mtx, "undirected 3: 1-2=5 3-3=7");
}

static void symmetric_has_entries_above_the_diagonal_too(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate pattern symmetric") "3 3 2\n1 2\n3 2\n", &mtx,
             "undirected 3: 1-2 2-3");
}

static void symmetric_forced_directed_has_both_arcs(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_MTX, .sense = HY_DIRECTED };
    (void)state;
    reads_as(BANNER("coordinate integer symmetric") "3 3 2\n2 1 5\n3 3 7\n",
             &opts, "directed 3: 1>2=5 2>1=5 3>3=7");
}

static void general_forced_undirected_merges(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_MTX,
                                .sense = HY_UNDIRECTED };
    (void)state;
    reads_as(BANNER("coordinate integer general") "2 2 2\n1 2 5\n2 1 6\n",
             &opts, "undirected 2: 1-2=6");
}

static void skew_has_the_opposite_arc_with_the_opposite_value(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate integer skew-symmetric") "3 3 2\n"
                                                         "2 1 5\n3 1 -7\n",
             &mtx, "directed 3: 1>2=-5 1>3=7 2>1=5 3>1=-7");
    reads_as(BANNER("coordinate real skew-symmetric") "2 2 1\n2 1 .5\n", &mtx,
             "directed 2: 1>2=-0.5f 2>1=0.5f");
}

static void skew_given_twice_stays_skew(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate integer skew-symmetric") "2 2 2\n"
                                                         "2 1 5\n1 2 3\n",
             &mtx, "directed 2: 1>2=3 2>1=-3");
}

static void skew_is_never_undirected_with_weights(void **state)
{
    hy_read_opts opts = { .format = HY_FORMAT_MTX, .sense = HY_UNDIRECTED };
    static const char text[] =
        BANNER("coordinate integer skew-symmetric") "2 2 1\n2 1 5\n";
    (void)state;
    reads_bad(text, &opts, 1, "is directed");
    opts.weighting = HY_WEIGHTS_DROP;
    reads_as(text, &opts, "undirected 2: 1-2");
}

static void array_is_column_by_column(void **state)
{
    (void)state;
    reads_as(BANNER("array real general") "2 2\n0\n1.5\n2.5\n0\n", &mtx,
             "directed 2: 1>2=2.5f 2>1=1.5f");
    reads_as(BANNER("array integer general") "3 3\n1\n2\n3\n4\n5\n6\n7\n8\n9",
             &mtx,
             "directed 3: 1>1=1 1>2=4 1>3=7 2>1=2 2>2=5 2>3=8 3>1=3 3>2=6 "
             "3>3=9");
}

static void array_symmetric_is_the_lower_triangle(void **state)
{
    (void)state;
    reads_as(BANNER("array integer symmetric") "3 3\n"
                                               "11\n21\n31\n22\n32\n33\n",
             &mtx, "undirected 3: 1-1=11 1-2=21 1-3=31 2-2=22 2-3=32 3-3=33");
    reads_as(BANNER("array integer skew-symmetric") "3 3\n% c\n21\n31\n\n32\n",
             &mtx, "directed 3: 1>2=-21 1>3=-31 2>1=21 2>3=-32 3>1=31 3>2=32");
}

static void comments_and_blank_lines_are_anywhere(void **state)
{
    (void)state;
    reads_as("%%matrixmarket MATRIX Coordinate REAL General\r\n"
             "% one\n\n   \n%two\n%%GraphBLAS hello\n  2 2 2  \r\n\n% three\n"
             "\t1 2 0.5\r\n%\n  2   1  1e3  \n\n% end",
             &mtx, "directed 2: 1>2=0.5f 2>1=1000f");
}

static void no_banner_is_read_if_the_format_is_said(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_MTX };
    (void)state;
    reads_as("2 2 1\n1 2\n", &opts, "directed 2: 1>2");
    reads_as("% hello\n3 3 2\n1 2 4\n2 3 5\n", &opts,
             "directed 3: 1>2=4 2>3=5");
    reads_as("2 2\n0\n.5\n4\n0\n", &opts, "directed 2: 1>2=4f 2>1=0.5f");
}

static void nothing_is_an_empty_graph(void **state)
{
    (void)state;
    reads_as("", &mtx, "directed 0:");
    reads_as(BANNER("coordinate real general") "0 0 0\n", &mtx, "directed 0:");
    reads_as(BANNER("coordinate pattern symmetric") "4 4 0\n", &mtx,
             "undirected 4:");
    reads_as(BANNER("array real general") "0 0\n", &mtx, "directed 0:");
}

static void repeats_are_merged_and_counted(void **state)
{
    static const char text[] =
        BANNER("coordinate real general") "3 3 3\n1 1 3.0\n2 2 3.5\n2 2 7.1\n";
    (void)state;
    reads_as(text, &mtx, "directed 3: 1>1=3f 2>2=7.0999999999999996f");
    struct reading r =
        reading_of(test_ctx(0), "text", text, sizeof text - 1, &mtx, 0, 0);
    assert_int_equal(r.status, HY_OK);
    assert_int_equal(r.info.lines, 3);
    assert_int_equal(r.info.repeats, 1);
    reading_fini(&r);
}

/* ---- values -----------------------------------------------------------------
 */

static void integers_are_exact(void **state)
{
    (void)state;
    reads_as(BANNER("coordinate integer general") "%%GraphBLAS type int64_t\n"
                                                  "2 2 2\n"
                                                  "1 2 -9223372036854775808\n"
                                                  "2 1 9223372036854775807\n",
             &mtx,
             "directed 2: 1>2=-9223372036854775808L "
             "2>1=9223372036854775807L");
    reads_as(BANNER("coordinate integer general") "%%GraphBLAS type uint64_t\n"
                                                  "2 2 2\n1 2 0\n"
                                                  "2 1 18446744073709551615\n",
             &mtx, "directed 2: 1>2=0U 2>1=18446744073709551615U");
}

static void unsigned_integers_come_back(void **state)
{
    static const char text[] =
        BANNER("coordinate integer general") "%%GraphBLAS type uint64_t\n"
                                             "1 1 1\n"
                                             "1 1 18446744073709551615\n";
    struct folder F;
    char found[100];
    (void)state;
    folder_init(&F);
    const char *path = folder_file(&F, "x.mtx");
    struct reading r =
        reading_of(test_ctx(0), "text", text, sizeof text - 1, &mtx, 0, 0);
    assert_int_equal(r.status, HY_OK);
    assert_int_equal(
        hy_graph_write(test_ctx(0), hy_graph_now(r.G), NULL, path, NULL),
        HY_OK);
    reading_fini(&r);
    assert_int_equal(
        hy_graph_read(test_ctx(0), path, NULL, &r.G, NULL, NULL, NULL), HY_OK);
    reads_write(&r, found, sizeof found);
    assert_string_equal(found, "directed 1: 1>1=18446744073709551615U");
    reading_fini(&r);
    folder_fini(&F);
}

static void integers_past_64_bits_are_bad(void **state)
{
    (void)state;
    reads_bad(BANNER("coordinate integer general") "1 1 1\n"
                                                   "1 1 9223372036854775808\n",
              &mtx, 3, "is no int64_t");
    reads_bad(BANNER("coordinate integer general") "%%GraphBLAS type uint64_t\n"
                                                   "1 1 1\n"
                                                   "1 1 18446744073709551616\n",
              &mtx, 4, "is no uint64_t");
    reads_bad(BANNER("coordinate integer general") "%%GraphBLAS type uint64_t\n"
                                                   "1 1 1\n1 1 -1\n",
              &mtx, 4, "is no uint64_t");
    reads_bad(
        BANNER("coordinate integer skew-symmetric") "2 2 1\n2 1 "
                                                    "-9223372036854775808\n",
        &mtx, 3, "is no int64_t");
}

struct range {
    const char *type, *good, *bad;
};

static void types_have_ranges(void **state)
{
    static const struct range ranges[] = {
        { "bool", "1", "2" },
        { "bool", "0", "-1" },
        { "int8_t", "-128", "-129" },
        { "int8", "127", "128" },
        { "int16_t", "-32768", "-32769" },
        { "int32_t", "-2147483648", "-2147483649" },
        { "uint8_t", "255", "256" },
        { "uint16_t", "65535", "65536" },
        { "uint32_t", "4294967295", "4294967296" },
        { "uint32", "0", "-1" },
        { "int32_t", "3", "3.5" },
        { "float", "3.5", "inf" },
        { "double", "1e308", "nan" },
        { "double", "1", "1e999" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        char text[200];
        for (int is_bad = 0; is_bad < 2; is_bad++) {
            (void)snprintf(text, sizeof text,
                           "%s%%%%GraphBLAS type %s\n1 1 1\n1 1 %s\n",
                           BANNER("coordinate integer general"), ranges[i].type,
                           is_bad ? ranges[i].bad : ranges[i].good);
            struct reading r =
                reading_of(test_ctx(0), "text", text, strlen(text), &mtx, 0, 0);
            assert_int_equal(r.status, is_bad ? HY_EFORMAT : HY_OK);
            assert_int_equal(r.diag.line, is_bad ? 4 : 0);
            reading_fini(&r);
        }
    }
}

static void weights_are_dropped_or_needed(void **state)
{
    hy_read_opts opts = { .format = HY_FORMAT_MTX,
                          .weighting = HY_WEIGHTS_DROP };
    (void)state;
    reads_as(BANNER("coordinate real general") "2 2 1\n1 2 0.5\n", &opts,
             "directed 2: 1>2");
    reads_bad(BANNER("coordinate real general") "2 2 1\n1 2 x\n", &opts, 3,
              "`x` is no number");
    opts.weighting = HY_WEIGHTS_NEED;
    reads_bad(BANNER("coordinate pattern general") "2 2 1\n1 2\n", &opts, 1,
              "no weights");
}

/* ---- what is refused
 * ----------------------------------------------------------- */

static void banner_is_checked(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_AUTO };
    static const char rest[] = "1 1 1\n1 1 1\n";
    static const char *const wrong[][2] = {
        { "mangled coordinate pattern symmetric", "`mangled`" },
        { "vector coordinate pattern symmetric", "`vector`" },
        { "matrix mangled pattern symmetric", "`mangled`" },
        { "matrix coordinate mangled symmetric", "`mangled`" },
        { "matrix coordinate real mangled", "`mangled`" },
        { "matrix coordinate real", "``" },
        { "matrix coordinate pattern hermitian", "hermitian" },
        { "matrix coordinate real hermitian", "hermitian" },
        { "matrix array complex general", "complex" },
        { "matrix array pattern symmetric", "no pattern" },
        { "matrix coordinate pattern skew-symmetric", "skew" },
        { "matrix coordinate real general general", "more than a banner" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%%%%MatrixMarket %s\n%s",
                       wrong[i][0], rest);
        reads_bad(text, &opts, 1, wrong[i][1]);
    }
}

static void type_is_checked(void **state)
{
    (void)state;
    reads_bad(
        BANNER("coordinate real general") "%%GraphBLAS type gunk\n3 3 0\n",
        &mtx, 2, "`gunk`");
    reads_bad(BANNER("array real general") "%\n%%GraphBLAS type float complex\n"
                                           "1 1\n1 2\n",
              &mtx, 3, "complex");
    reads_bad(
        BANNER("coordinate integer skew-symmetric") "%%GraphBLAS type "
                                                    "uint8_t\n2 2 1\n2 1 3\n",
        &mtx, 2, "have signs");
}

static void size_is_checked(void **state)
{
    (void)state;
    reads_bad(BANNER("coordinate real general") "% c\n3\n1 1\n", &mtx, 3,
              "rows, columns and entries");
    reads_bad(BANNER("coordinate real general") "3 4 1\n1 1 1\n", &mtx, 2,
              "square");
    reads_bad(BANNER("coordinate real general") "3 3 1 1\n", &mtx, 2, "due");
    reads_bad(BANNER("coordinate real general") "3 x 1\n", &mtx, 2, "due");
    reads_bad(BANNER("coordinate real general") "-3 -3 1\n", &mtx, 2, "due");
    reads_bad(BANNER("array real general") "3 3 6\n", &mtx, 2, "due");
    reads_bad(BANNER("coordinate real general") "4294967296 4294967296 0\n",
              &mtx, 2, "at most");
    reads_bad(BANNER("coordinate real general") "99999999999999999999 1 0\n",
              &mtx, 2, "due");
    reads_bad(BANNER("coordinate real general") "% c\n", &mtx, 2,
              "size is missing");
}

static void entries_are_counted(void **state)
{
    (void)state;
    reads_bad(BANNER("coordinate real general") "3 3 3\n1 1 1\n2 2 3\n", &mtx,
              2, "3 entries are announced, 2 are there");
    reads_bad(BANNER("coordinate pattern general") "3 3 1\n1 1\n2 2\n", &mtx, 2,
              "1 entries are announced, 2 are there");
    reads_bad(
        BANNER("coordinate integer skew-symmetric") "3 3 3\n2 1 1\n3 2 3\n",
        &mtx, 2, "3 entries are announced, 2 are there");
    reads_bad(BANNER("array real general") "2 2\n1\n2\n3\n", &mtx, 2,
              "4 entries are announced, 3 are there");
    reads_bad(BANNER("array real general") "1 1\n1\n2\n3\n", &mtx, 2,
              "1 entries are announced, 3 are there");
}

static void entries_are_checked(void **state)
{
#define GENERAL BANNER("coordinate real general") "3 3 1\n"
    (void)state;
    reads_bad(GENERAL "0 1 1\n", &mtx, 3, "vertex 0 is not among 1 .. 3");
    reads_bad(GENERAL "% c\n1 4 1\n", &mtx, 4, "vertex 4");
    reads_bad(GENERAL "1 9999 1\n", &mtx, 3, "vertex 9999");
    reads_bad(GENERAL "-1 1 1\n", &mtx, 3, "`-1` is no vertex");
    reads_bad(GENERAL "1 zero pi\n", &mtx, 3, "`zero` is no vertex");
    reads_bad(GENERAL "1 1.5 1\n", &mtx, 3, "`1.5` is no vertex");
    reads_bad(GENERAL "1 99999999999999999999 1\n", &mtx, 3, "no vertex");
    reads_bad(GENERAL "1\n", &mtx, 3, "a vertex is missing");
    reads_bad(GENERAL "1 1\n", &mtx, 3, "the weight is missing");
    reads_bad(GENERAL "1 1 forty-two\n", &mtx, 3, "`forty-two` is no number");
    reads_bad(GENERAL "1 1 1 1\n", &mtx, 3, "one column too many");
    reads_bad(GENERAL "1 1 2x\n", &mtx, 3, "`2x` is no number");
    reads_bad(BANNER("coordinate pattern general") "3 3 1\n1 1 1\n", &mtx, 3,
              "one column too many");
    reads_bad(BANNER("coordinate integer skew-symmetric") "2 2 1\n1 1 0\n",
              &mtx, 3, "no diagonal");
    reads_bad(BANNER("array real general") "1 1\n.646 .959\n", &mtx, 3,
              "more than one value");
    reads_bad(BANNER("array real general") "1 1\nx\n", &mtx, 3, "`x`");
    reads_bad(BANNER("coordinate real general") "0 0 1\n1 1 1\n", &mtx, 3,
              "vertex 1");
#undef GENERAL
}

static void bad_lines_are_skipped_and_counted(void **state)
{
    const hy_read_opts opts = { .format = HY_FORMAT_MTX, .skip_bad = true };
    static const char text[] = BANNER("coordinate real general") "3 3 4\n"
                                                                 "1 1 1\n"
                                                                 "2 9 1\n"
                                                                 "x\n"
                                                                 "3 3 1\n";
    (void)state;
    reads_as(text, &opts, "directed 3: 1>1=1 3>3=1");
    struct reading r =
        reading_of(test_ctx(0), "text", text, sizeof text - 1, &opts, 0, 0);
    assert_int_equal(r.info.bad, 2);
    assert_int_equal(r.info.first_bad.line, 4);
    reading_fini(&r);
    /* a wrong count is one more */
    static const char few[] = BANNER("coordinate real general") "3 3 4\n"
                                                                "1 1 1\n";
    r = reading_of(test_ctx(0), "text", few, sizeof few - 1, &opts, 0, 0);
    assert_int_equal(r.status, HY_OK);
    assert_int_equal(r.info.bad, 1);
    assert_int_equal(r.info.first_bad.line, 2);
    reading_fini(&r);
}

static void garbage_is_told(void **state)
{
    (void)state;
    reads_bad("\177ELF\2\1\1", &mtx, 1, "due");
    reads_bad("%%MatrixMarket\n", &mtx, 1, "`matrix`");
    reads_bad(BANNER("coordinate real general") "\1\2\3\n", &mtx, 2, "???");
}

/* ---- mutations
 * ----------------------------------------------------------------- */

static void mutations_are_read_or_refused(void **state)
{
    static const char *const texts[] = {
        BANNER("coordinate real general") "%%GraphBLAS type double\n% c\n"
                                          "4 4 4\n1 2 0.5\n2 3 1e3\n3 4 -7\n"
                                          "4 4 2\n",
        BANNER("coordinate integer skew-symmetric") "4 4 3\n2 1 5\n3 2 6\n"
                                                    "4 1 7\n",
        BANNER("array integer symmetric") "3 3\n1\n0\n2\n3\n4\n5\n",
        "3 3 2\n1 2 3\n2 3 4\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_mutations(texts[i], strlen(texts[i]), &mtx, 1250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_is_directed),
        cmocka_unit_test(symmetric_is_undirected),
        cmocka_unit_test(symmetric_has_entries_above_the_diagonal_too),
        cmocka_unit_test(symmetric_forced_directed_has_both_arcs),
        cmocka_unit_test(general_forced_undirected_merges),
        cmocka_unit_test(skew_has_the_opposite_arc_with_the_opposite_value),
        cmocka_unit_test(skew_given_twice_stays_skew),
        cmocka_unit_test(skew_is_never_undirected_with_weights),
        cmocka_unit_test(array_is_column_by_column),
        cmocka_unit_test(array_symmetric_is_the_lower_triangle),
        cmocka_unit_test(comments_and_blank_lines_are_anywhere),
        cmocka_unit_test(no_banner_is_read_if_the_format_is_said),
        cmocka_unit_test(nothing_is_an_empty_graph),
        cmocka_unit_test(repeats_are_merged_and_counted),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(unsigned_integers_come_back),
        cmocka_unit_test(integers_past_64_bits_are_bad),
        cmocka_unit_test(types_have_ranges),
        cmocka_unit_test(weights_are_dropped_or_needed),
        cmocka_unit_test(banner_is_checked),
        cmocka_unit_test(type_is_checked),
        cmocka_unit_test(size_is_checked),
        cmocka_unit_test(entries_are_counted),
        cmocka_unit_test(entries_are_checked),
        cmocka_unit_test(bad_lines_are_skipped_and_counted),
        cmocka_unit_test(garbage_is_told),
        cmocka_unit_test(mutations_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
