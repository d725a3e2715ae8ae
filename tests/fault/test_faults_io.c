/* Writing graphs and reading streams with the k-th allocation failing, k = 1,
 * 2, ... until nothing fails: HY_ENOMEM, no file and no memory left behind;
 * and writing to a full disk. */
#include "support/fault.h"
#include "support/folder.h"
#include "support/small.h"

#include <hypha/io.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct folder F;

static int setup(void **state)
{
    (void)state;
    folder_init(&F);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    folder_fini(&F);
    return 0;
}

struct bed {
    struct fault fault;
    hy_ctx *ctx;
    hy_graph *G;
    hy_batch *B;
    hy_names *names;
    const char *path;
    hy_stream_opts stream;
};

struct scenario {
    const char *name; /* of the file */
    bool undirected;
    const char *text; /* of a stream; NULL: the graph is written */
    uint64_t window;
    bool names;
};

/* Vertices whose ids do not rise, so that everything has to be sorted. */
static void fill(struct bed *b)
{
    const int32_t weight = 7;
    assert_int_equal(hy_batch_new(b->G, &b->B), HY_OK);
    for (uint64_t i = 0; i < 300; i++)
        assert_int_equal(
            hy_batch_insert_edge(b->B, 1000 - i, 1000 - i * i % 300, &weight),
            HY_OK);
    assert_int_equal(hy_batch_delete_edge(b->B, 1000, 1000), HY_OK);
    for (uint64_t u = 701; u <= 1000; u++) /* loops: metis has none */
        assert_int_equal(hy_batch_delete_edge(b->B, u, u), HY_OK);
    assert_int_equal(hy_graph_commit(b->G, b->B, NULL), HY_OK);
}

static void bed_init(struct bed *b, const struct scenario *s, uint32_t threads,
                     bool is_lasting)
{
    static const hy_column weight = { "weight", HY_I32 };
    *b = (struct bed){ .fault = { .is_lasting = is_lasting },
                       .stream = { .window = s->window, .batch = 3 } };
    const hy_ctx_opts ctx = { threads, fault_may_alloc, &b->fault };
    const hy_graph_opts opts = { .undirected = s->undirected,
                                 .ids = HY_IDS_MAPPED,
                                 .edge_columns = &weight,
                                 .n_edge_columns = 1,
                                 .reserve = (uint64_t)64 << 20 };
    assert_int_equal(hy_ctx_new(&ctx, &b->ctx), HY_OK);
    assert_int_equal(hy_graph_new(b->ctx, &opts, &b->G), HY_OK);
    fill(b);
    if (s->names)
        assert_int_equal(hy_names_new(b->ctx, &b->names), HY_OK);
    b->path = folder_file(&F, s->name);
    if (s->text)
        file_write(b->path, s->text);
}

static void bed_fini(struct bed *b)
{
    hy_batch_free(b->B);
    hy_graph_free(b->G);
    hy_names_free(b->names);
    if (hy_ctx_bytes(b->ctx) != 0)
        fail_msg("%s: %llu bytes are left", b->path,
                 (unsigned long long)hy_ctx_bytes(b->ctx));
    hy_ctx_free(b->ctx);
}

static hy_status read_stream(struct bed *b)
{
    hy_stream *S;
    bool end = false;
    hy_status status =
        hy_stream_open(b->ctx, b->path, b->G, b->names, &b->stream, &S, NULL);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && !end)
        status = hy_stream_next(S, b->B, &end, NULL);
    hy_stream_close(S);
    return status;
}

static hy_status call(struct bed *b, const struct scenario *s)
{
    return s->text ? read_stream(b)
                   : hy_graph_write(b->ctx, hy_graph_now(b->G), NULL, b->path,
                                    NULL);
}

static bool run_once(const struct scenario *s, uint32_t threads,
                     bool is_lasting, uint64_t k)
{
    struct bed b;
    bed_init(&b, s, threads, is_lasting);
    fault_arm(&b.fault, k);
    hy_status status = call(&b, s);
    const bool is_hit = fault_disarm(&b.fault);
    if (status != HY_OK) {
        if (status != HY_ENOMEM || !is_hit)
            fail_msg("%s, allocation %llu: %s", s->name, (unsigned long long)k,
                     hy_error_text());
        assert_string_not_equal(hy_error_text(), "");
        assert_int_equal(folder_count(&F), s->text ? 1 : 0);
        status = call(&b, s);
    }
    if (status != HY_OK)
        fail_msg("%s again: %s", s->name, hy_error_text());
    bed_fini(&b);
    folder_empty(&F);
    return is_hit;
}

static void run(const struct scenario *s)
{
    enum { ENDLESS = 10000 };
    for (unsigned way = 0; way < 3; way++) {
        uint64_t k = 1;
        while (run_once(s, way == 2 ? 2 : 1, way == 1, k))
            assert_true(++k < ENDLESS);
    }
}

static void writing_fails_cleanly(void **state)
{
    static const struct scenario list[] = {
        { .name = "x.el" },
        { .name = "x.csv", .undirected = true },
        { .name = "x.konect.gz" },
        { .name = "x.tsv.zst" },
        { .name = "x.mtx", .undirected = true },
        { .name = "x.gr" },
        { .name = "x.graph", .undirected = true },
        { .name = "x.e" },
        { .name = "x.wsg" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        run(&list[i]);
}

static void streaming_fails_cleanly(void **state)
{
    static const struct scenario list[] = {
        { .name = "x.hys",
          .text = "+ 1 2 3\n= 1 2 4\n- 1 2\n+ 1\n- 2\ncommit\n+ 3 4\n" },
        { .name = "x.delta", .text = "a u v 1\nd v u\n", .names = true },
        { .name = "x",
          .text = "1 2 1\n2 3 2\n3 4 3\n4 5 1 4\n1 2 9\n",
          .window = 2,
          .undirected = true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        run(&list[i]);
}

/* /dev/full takes nothing; a link to it has a name that says the format. */
static void a_full_disk_is_told(void **state)
{
    static const char *const names[] = { "x.el", "x.mtx", "x.wsg", "x.e.gz",
                                         "x.csv.zst" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct scenario s = { .name = names[i] };
        struct bed b;
        bed_init(&b, &s, 2, false);
        assert_int_equal(symlink("/dev/full", b.path), 0);
        const hy_status status = call(&b, &s);
        if (status != HY_ENOTSUP) {
            assert_int_equal(status, HY_EIO);
            assert_non_null(strstr(hy_error_text(), "No space left"));
        }
        assert_int_equal(folder_count(&F), 1); /* the link */
        bed_fini(&b);
        folder_empty(&F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_fails_cleanly),
        cmocka_unit_test(streaming_fails_cleanly),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
