/* Streams of changes: every line, where batches end, what expires. */
#include "io/stream.h"

#include "support/folder.h"
#include "support/small.h"

#include <stdio.h>
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

static hy_graph *graph(hy_ids ids, const hy_column *columns, uint32_t n)
{
    const hy_graph_opts opts = { .ids = ids,
                                 .edge_columns = columns,
                                 .n_edge_columns = n };
    return small_graph(&opts, ids == HY_IDS_DENSE ? 10 : 0);
}

static hy_stream *open_stream(hy_graph *G, hy_names *N, const char *name,
                              const char *text, const hy_stream_opts *opts)
{
    hy_stream *S;
    file_write(folder_file(&F, name), text);
    const hy_status status = hy_stream_open(test_ctx(0), folder_file(&F, name),
                                            G, N, opts, &S, NULL);
    if (status != HY_OK)
        fail_msg("%s: %s", name, hy_error_text());
    return S;
}

/* Commits all batches; returns how many lines each had as "3 1 2". */
static const char *run(hy_graph *G, hy_names *N, const char *name,
                       const char *text, const hy_stream_opts *opts)
{
    static char sizes[256];
    hy_stream *S = open_stream(G, N, name, text, opts);
    hy_batch *B = small_batch(G);
    size_t n = 0;
    sizes[0] = 0;
    for (;;) {
        bool end = false;
        const hy_status status = hy_stream_next(S, B, &end, NULL);
        if (status != HY_OK)
            fail_msg("%s", hy_error_text());
        if (end)
            break;
        n += (size_t)snprintf(sizes + n, sizeof sizes - n, n ? " %llu" : "%llu",
                              (unsigned long long)hy_batch_lines(B));
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    }
    hy_batch_free(B);
    hy_stream_close(S);
    return sizes;
}

/* Edges as "1>2 3>4=5", by vertex. */
static const char *edges(const hy_graph *G)
{
    static char text[512];
    const hy_view *V = hy_graph_now(G);
    size_t n = 0;
    text[0] = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[(size_t)i * s.step];
                int32_t w = 0;
                const bool is_weighted = hy_view_edge_columns(V) == 1;
                n += (size_t)snprintf(
                    text + n, sizeof text - n, n ? " %llu>%llu" : "%llu>%llu",
                    (unsigned long long)hy_view_external(V, u),
                    (unsigned long long)hy_view_external(V, v));
                if (is_weighted && hy_view_edge_values(V, u, v, &w))
                    n += (size_t)snprintf(text + n, sizeof text - n, "=%d", w);
            }
    return text;
}

/* ---- lines --------------------------------------------------------------- */

static void every_kind_of_line(void **state)
{
    hy_graph *G = graph(HY_IDS_MAPPED, &weight_i32, 1);
    (void)state;
    run(G, NULL, "x.hys",
        "# a comment\n\n+ 1 2 5\r\n  +\t3   4\n+ 18446744073709551614 1 -7\n"
        "+ 9\n",
        NULL);
    assert_string_equal(edges(G), "1>2=5 3>4=0 18446744073709551614>1=-7");
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 6);
    run(G, NULL, "x.hys", "= 1 2 6\n= 2 1 6\n- 3 4\n- 9\n- 4\n+ 1 2\n", NULL);
    assert_string_equal(edges(G), "1>2=6 18446744073709551614>1=-7");
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 4);
    run(G, NULL, "x.delta", "a 1 3 4\nd 1 2\nu 1 3 3.0\na 2 3\nd 18\na 19",
        NULL);
    assert_string_equal(edges(G), "1>3=3 2>3=0 18446744073709551614>1=-7");
    small_free(G);
}

/* A stream of one bad line, which is told with its number, or skipped. */
static void assert_bad(hy_graph *G, const char *line, const char *words)
{
    const hy_stream_opts skip = { .skip_bad = true };
    const bool is_temporal = strchr("+-=c", line[0]) == NULL;
    char text[1000];
    hy_diag diag;
    bool end = false;
    (void)snprintf(text, sizeof text, "%s\n%s\n%s",
                   is_temporal ? "1 2 3" : "+ 1 2", line,
                   is_temporal ? "3 4 5" : "+ 3 4");
    hy_batch *B = small_batch(G);
    hy_stream *S = open_stream(G, NULL, "bad", text, NULL);
    if (hy_stream_next(S, B, &end, &diag) != HY_EFORMAT)
        fail_msg("`%s` is not bad", line);
    assert_int_equal(diag.line, 2);
    assert_non_null(strstr(diag.file, "/bad"));
    if (!strstr(diag.text, words))
        fail_msg("`%s`: %s", line, diag.text);
    assert_int_equal(hy_stream_next(S, B, &end, NULL), HY_EFORMAT);
    hy_stream_close(S);
    S = open_stream(G, NULL, "bad", text, &skip);
    assert_int_equal(hy_stream_next(S, B, &end, NULL), HY_OK);
    assert_false(end);
    assert_int_equal(hy_batch_lines(B), 2);
    assert_int_equal(hy_stream_bad(S, &diag), 1);
    assert_int_equal(diag.line, 2);
    assert_int_equal(hy_stream_next(S, B, &end, NULL), HY_OK);
    assert_true(end);
    hy_stream_close(S);
    hy_batch_free(B);
}

static void bad_lines_are_named(void **state)
{
    hy_graph *G = graph(HY_IDS_MAPPED, &weight_i32, 1);
    (void)state;
    assert_bad(G, "+", "0 words");
    assert_bad(G, "+ 1 2 3 4", "2 values");
    assert_bad(G, "+ 1 2 x", "`x` is no number");
    assert_bad(G, "+ 1 2 0.5", "does not fit a column of type i32");
    assert_bad(G, "+ 1 2 2147483648", "does not fit");
    assert_bad(G, "+ 1 2 nan", "no number");
    assert_bad(G, "+ x 2", "`x` is no vertex id");
    assert_bad(G, "+ -1 2", "no vertex id");
    assert_bad(G, "+ 18446744073709551615", "no vertex id");
    assert_bad(G, "+ 99999999999999999999 1", "no vertex id");
    assert_bad(G, "+1 2", "no change");
    assert_bad(G, "- 1 2 3", "3 words");
    assert_bad(G, "= 1 2", "2 words");
    assert_bad(G, "= 1", "1 words");
    assert_bad(G, "commit now", "no change");
    assert_bad(G, "1 2", "2 words");
    assert_bad(G, "1 2 3 4 5", "5 words");
    assert_bad(G, "1 2 x", "no time");
    assert_bad(G, "1 2 0.5", "no time");
    assert_bad(G, "1 2 x 5", "no number");
    small_free(G);
    G = graph(HY_IDS_DENSE, NULL, 0);
    assert_bad(G, "+ 1 2 3", "1 values, but edges have 0");
    assert_bad(G, "+ 1 10", "no vertex `10`");
    assert_bad(G, "- 10 1", "no vertex `10`");
    assert_bad(G, "+ 4294967295", "past");
    small_free(G);
}

/* A dense graph takes an edge at a vertex that came before it. */
static void dense_graphs_grow_by_vertices(void **state)
{
    hy_graph *G = graph(HY_IDS_DENSE, NULL, 0);
    const hy_stream_opts opts = { .batch = 1 };
    (void)state;
    run(G, NULL, "x.hys", "+ 11\n+ 12\n+ 12 11\n", &opts);
    assert_string_equal(edges(G), "12>11");
    run(G, NULL, "x.hys", "+ 11 12\n+ 14\n+ 14 11\n", NULL);
    assert_string_equal(edges(G), "11>12 12>11 14>11");
    small_free(G);
}

static void values_become_columns(void **state)
{
    static const hy_column columns[] = {
        { "a", HY_U8 },  { "b", HY_U16 }, { "c", HY_U64 }, { "d", HY_F32 },
        { "e", HY_F64 }, { "f", HY_I64 }, { "g", HY_U32 },
    };
    struct {
        uint8_t a;
        uint16_t b;
        uint64_t c;
        float d;
        double e;
        int64_t f;
        uint32_t g;
    } r;
    hy_graph *G = graph(HY_IDS_MAPPED, columns, 7);
    (void)state;
    run(G, NULL, "x.hys",
        "+ 1 2 255 65535 18446744073709551615 0.1 0.1 -9223372036854775808 "
        "4294967295\n",
        NULL);
    assert_true(hy_view_edge_values(hy_graph_now(G), 0, 1, &r));
    assert_int_equal(r.a, 255);
    assert_int_equal(r.b, 65535);
    assert_true(r.c == UINT64_MAX);
    assert_true(r.d == 0.1f);
    assert_true(r.e == 0.1);
    assert_true(r.f == INT64_MIN);
    assert_true(r.g == UINT32_MAX);
    assert_bad(G, "+ 1 2 256 0 0 0 0 0 0", "u8");
    assert_bad(G, "+ 1 2 -1 0 0 0 0 0 0", "u8");
    assert_bad(G, "+ 1 2 0 65536 0 0 0 0 0", "u16");
    assert_bad(G, "+ 1 2 0 0 -1 0 0 0 0", "u64");
    assert_bad(G, "+ 1 2 0 0 18446744073709551616 0 0 0 0", "u64");
    assert_bad(G, "+ 1 2 0 0 0 1e39 0 0 0", "f32");
    assert_bad(G, "+ 1 2 0 0 0 0 0 9223372036854775808 0", "i64");
    assert_bad(G, "+ 1 2 0 0 0 0 0 0 4294967296", "u32");
    assert_bad(G, "+ 1 2 0 0 0 0 0 0", "6 values");
    small_free(G);
}

static void texts_are_ids_too(void **state)
{
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    hy_names *N;
    (void)state;
    assert_int_equal(hy_names_new(test_ctx(0), &N), HY_OK);
    run(G, N, "x.hys", "+ ann bob\n+ bob eve\n- ann bob\n", NULL);
    assert_string_equal(edges(G), "1>2");
    assert_int_equal(hy_names_find(N, "eve", 3), 2);
    hy_names_free(N);
    small_free(G);
}

/* ---- batches ------------------------------------------------------------- */

static void batches_end_where_they_are_told(void **state)
{
    static const char text[] = "+ 1\n+ 2\ncommit\ncommit\n+ 3\n+ 4\n+ 5\n"
                               "commit # no comment here\n";
    static const char good[] = "commit\n+ 1\n+ 2\ncommit\ncommit\n+ 3\n+ 4\n"
                               "+ 5\n commit \r\n+ 6";
    const hy_stream_opts two = { .batch = 2 };
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    (void)state;
    assert_string_equal(run(G, NULL, "x.hys", good, NULL), "2 3 1");
    assert_string_equal(run(G, NULL, "x.hys", good, &two), "2 2 1 1");
    assert_string_equal(run(G, NULL, "x.hys", "", NULL), "");
    assert_string_equal(run(G, NULL, "x.hys", "commit\n# x\n", NULL), "");
    const hy_stream_opts skip = { .skip_bad = true };
    assert_string_equal(run(G, NULL, "x.hys", text, &skip), "2 3");
    small_free(G);
}

/* Without commits batches have 10,000 lines; a commit far behind, past what
 * can be peeked at, ends a longer one. */
static void long_batches(void **state)
{
    enum { LINES = 25000 };
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    char *text = malloc(LINES * 16);
    size_t n = 0;
    (void)state;
    for (unsigned i = 0; i < LINES; i++)
        n += (size_t)snprintf(text + n, 16, "+ %u\n", 100000 + i);
    assert_string_equal(run(G, NULL, "x.hys", text, NULL), "10000 10000 5000");
    memcpy(text + n, "commit\n+ 1\n", 12);
    assert_string_equal(run(G, NULL, "x.hys", text, NULL), "25000 1");
    free(text);
    small_free(G);
}

static void formats_are_told(void **state)
{
    static const struct {
        const char *path, *text;
        hy_stream_format format;
    } cases[] = {
        { "x.hys", "1 2 3", HY_STREAM_HYS },
        { "x.hys.gz", "1 2 3", HY_STREAM_HYS },
        { "x.e.mutable_delta", "", HY_STREAM_DELTA },
        { "-", "", HY_STREAM_HYS },
        { "-", "# x\n\n% y\n - 1 2", HY_STREAM_HYS },
        { "-", "commit\n", HY_STREAM_HYS },
        { "-", "u 1 2 3\n", HY_STREAM_DELTA },
        { "x", "1 2 3\n", HY_STREAM_TEMPORAL },
        { "x", "% asym\n1 2 1 3\n", HY_STREAM_TEMPORAL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(io_stream_format(cases[i].path, cases[i].text,
                                          strlen(cases[i].text)),
                         cases[i].format);
}

/* ---- time ---------------------------------------------------------------- */

static void temporal_lines_fill_columns(void **state)
{
    static const hy_column both[] = { { "time", HY_I64 }, { "w", HY_F32 } };
    struct {
        int64_t t;
        float w;
    } r;
    hy_graph *G = graph(HY_IDS_MAPPED, &weight_i32, 1);
    (void)state;
    run(G, NULL, "x", "% asym positive\n1 2 7 1225229529\n2 3 1225369697\n",
        NULL);
    assert_string_equal(edges(G), "1>2=7 2>3=0");
    small_free(G);
    G = graph(HY_IDS_MAPPED, both, 2);
    run(G, NULL, "x", "1 2 0.5 1225229529\n", NULL);
    assert_true(hy_view_edge_values(hy_graph_now(G), 0, 1, &r));
    assert_true(r.t == 1225229529 && r.w == 0.5f);
    small_free(G);
}

static void edges_expire(void **state)
{
    const hy_stream_opts opts = { .window = 10, .batch = 2 };
    const hy_stream_opts one = { .window = 10, .batch = 100 };
    static const char text[] = "1 2 0\n2 3 5\n"   /* 1>2 2>3 */
                               "3 4 10\n1 2 11\n" /* 1>2 is re-timed */
                               "4 5 16\n5 6 15\n" /* 2>3 goes, 5 < 6 */
                               "6 7 2\n7 8 21\n"  /* 3>4 goes; 6>7 is late */
                               "8 9 22\n";        /* 1>2 goes */
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    (void)state;
    assert_string_equal(run(G, NULL, "x", text, &opts), "2 2 3 4 2");
    assert_string_equal(edges(G), "4>5 5>6 7>8 8>9");
    small_free(G);
    G = graph(HY_IDS_MAPPED, NULL, 0);
    assert_string_equal(run(G, NULL, "x", text, &one), "13");
    assert_string_equal(edges(G), "4>5 5>6 7>8 8>9");
    hy_stream *S;
    assert_int_equal(hy_stream_open(test_ctx(0), folder_file(&F, "x"), G, NULL,
                                    &(hy_stream_opts){
                                        .window = 1, .format = HY_STREAM_HYS },
                                    &S, NULL),
                     HY_EINVAL);
    small_free(G);
}

/* Against an array of newest times. */
static void expiry_keeps_what_is_young(void **state)
{
    enum { IDS = 40, STEPS = 20000 };
    static int64_t newest[IDS][IDS];
    uint64_t rng = test_seed(), u, v;
    struct io_expiry E;
    int64_t latest = INT64_MIN;
    (void)state;
    io_expiry_init(&E, test_ctx(0));
    for (size_t i = 0; i < IDS * IDS; i++)
        newest[i / IDS][i % IDS] = INT64_MIN;
    for (int64_t step = 0; step < STEPS; step++) {
        const int64_t t = step + (int64_t)rng_below(&rng, 300) - 150;
        u = rng_below(&rng, IDS);
        v = rng_below(&rng, IDS);
        assert_int_equal(io_expiry_see(&E, u, v, t), HY_OK);
        latest = t > latest ? t : latest;
        newest[u][v] = t > newest[u][v] ? t : newest[u][v];
        if (step % 7)
            continue;
        while (io_expiry_pop(&E, 200, &u, &v)) {
            assert_true(newest[u][v] != INT64_MIN);
            assert_true(newest[u][v] < latest - 200);
            newest[u][v] = INT64_MIN;
        }
        size_t alive = 0;
        for (size_t i = 0; i < IDS * IDS; i++) {
            const int64_t at = newest[i / IDS][i % IDS];
            assert_true(at == INT64_MIN || at >= latest - 200);
            alive += at != INT64_MIN;
        }
        assert_int_equal(E.n_map, alive);
    }
    io_expiry_fini(&E);
}

static void arguments_are_checked(void **state)
{
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    hy_stream *S;
    (void)state;
    assert_int_equal(hy_stream_open(test_ctx(0), NULL, G, NULL, NULL, &S, NULL),
                     HY_EINVAL);
    assert_int_equal(
        hy_stream_open(test_ctx(0), "/nowhere/x", G, NULL, NULL, &S, NULL),
        HY_EIO);
    assert_int_equal(hy_stream_next(NULL, NULL, NULL, NULL), HY_EINVAL);
    hy_stream_close(NULL);
    small_free(G);
}

static void put(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* The next batch has so many lines; to wait for more would be for ever. */
static void expect_batch(hy_stream *S, hy_batch *B, uint64_t lines)
{
    bool end = true;
    (void)alarm(20);
    assert_int_equal(hy_stream_next(S, B, &end, NULL), HY_OK);
    (void)alarm(0);
    assert_int_equal(end, lines == 0);
    assert_int_equal(hy_batch_lines(B), lines);
}

/* What tells the format may come late, and lines in parts. */
static void pipes_flow(const char *first, uint64_t batch)
{
    const hy_stream_opts opts = { .batch = batch };
    hy_graph *G = graph(HY_IDS_MAPPED, NULL, 0);
    hy_batch *B = small_batch(G);
    hy_stream *S;
    char path[32];
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", fd[0]);
    put(fd[1], "# a head\n\n");
    put(fd[1], first);
    assert_int_equal(
        hy_stream_open(test_ctx(0), path, G, NULL, &opts, &S, NULL), HY_OK);
    expect_batch(S, B, 1);
    put(fd[1], first);
    put(fd[1], first);
    expect_batch(S, B, 1);
    expect_batch(S, B, 1);
    put(fd[1], first);
    put(fd[1], "#");
    expect_batch(S, B, 1);
    (void)close(fd[1]);
    expect_batch(S, B, 0);
    hy_stream_close(S);
    (void)close(fd[0]);
    hy_batch_free(B);
    small_free(G);
}

static void batches_of_a_pipe_do_not_wait(void **state)
{
    (void)state;
    pipes_flow("+ 1 2\ncommit\n", 0);
    pipes_flow("+ 1 2\n", 1);
    pipes_flow("1 2 3\n", 1);
    pipes_flow("a 1 2\n", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_line),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(dense_graphs_grow_by_vertices),
        cmocka_unit_test(values_become_columns),
        cmocka_unit_test(texts_are_ids_too),
        cmocka_unit_test(batches_end_where_they_are_told),
        cmocka_unit_test(long_batches),
        cmocka_unit_test(formats_are_told),
        cmocka_unit_test(temporal_lines_fill_columns),
        cmocka_unit_test(edges_expire),
        cmocka_unit_test(expiry_keeps_what_is_young),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(batches_of_a_pipe_do_not_wait),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
