/* GAP's serialized graphs: what is written is read, nothing is trusted. */
#include "support/reads.h"

#include <string.h>

static const hy_read_opts sg = { .format = HY_FORMAT_SG };
static const hy_read_opts wsg = { .format = HY_FORMAT_WSG };

struct file {
    char at[400];
    size_t n;
};

static void put(struct file *F, const void *bytes, size_t n)
{
    assert_true(F->n + n <= sizeof F->at);
    memcpy(F->at + F->n, bytes, n);
    F->n += n;
}

static void put_head(struct file *F, bool directed, int64_t m, int64_t n)
{
    const char byte = directed;
    F->n = 0;
    put(F, &byte, 1);
    put(F, &m, sizeof m);
    put(F, &n, sizeof n);
}

/* 0 -> 1, 0 -> 2, 2 -> 2, with weights 5, 6, 7. */
static struct file directed(bool weighted)
{
    static const int64_t out[] = { 0, 2, 2, 3 }, in[] = { 0, 0, 1, 3 };
    static const int32_t to[] = { 1, 2, 2 }, from[] = { 0, 0, 2 };
    static const int32_t pairs[] = { 1, 5, 2, 6, 2, 7 };
    static const int32_t back[] = { 0, 5, 0, 6, 2, 7 };
    struct file F;
    put_head(&F, true, 3, 3);
    put(&F, out, sizeof out);
    if (weighted)
        put(&F, pairs, sizeof pairs);
    else
        put(&F, to, sizeof to);
    put(&F, in, sizeof in);
    if (weighted)
        put(&F, back, sizeof back);
    else
        put(&F, from, sizeof from);
    return F;
}

/* 0 - 1, 1 - 2, with weights 5, 6. */
static struct file undirected(bool weighted)
{
    static const int64_t offsets[] = { 0, 1, 3, 4 };
    static const int32_t to[] = { 1, 0, 2, 1 };
    static const int32_t pairs[] = { 1, 5, 0, 5, 2, 6, 1, 6 };
    struct file F;
    put_head(&F, false, 4, 3);
    put(&F, offsets, sizeof offsets);
    if (weighted)
        put(&F, pairs, sizeof pairs);
    else
        put(&F, to, sizeof to);
    return F;
}

static struct reading read_file(const struct file *F, const hy_read_opts *opts)
{
    return reading_of(test_ctx(0), "text", F->at, F->n, opts, 0, 0);
}

static void is_read_as(const struct file *F, const hy_read_opts *opts,
                       const char *graph)
{
    char found[400];
    struct reading r = read_file(F, opts);
    assert_int_equal(r.status, HY_OK);
    reads_write(&r, found, sizeof found);
    assert_string_equal(found, graph);
    reading_fini(&r);
}

static void is_bad(const struct file *F, const hy_read_opts *opts,
                   uint64_t offset, const char *words)
{
    struct reading r = read_file(F, opts);
    assert_int_equal(r.status, HY_EFORMAT);
    assert_null(r.G);
    assert_int_equal(r.diag.line, 0);
    if (r.diag.offset != offset || !strstr(r.diag.text, words))
        fail_msg("byte %u: %s", (unsigned)r.diag.offset, r.diag.text);
    reading_fini(&r);
}

/* ---- good ones
 * --------------------------------------------------------------- */

static void graphs_are_read(void **state)
{
    struct file F = directed(false);
    (void)state;
    is_read_as(&F, &sg, "directed 3: 0>1 0>2 2>2");
    F = directed(true);
    is_read_as(&F, &wsg, "directed 3: 0>1=5 0>2=6 2>2=7");
    F = undirected(false);
    is_read_as(&F, &sg, "undirected 3: 0-1 1-2");
    F = undirected(true);
    is_read_as(&F, &wsg, "undirected 3: 0-1=5 1-2=6");
}

static void options_decide(void **state)
{
    hy_read_opts opts = { .format = HY_FORMAT_WSG, .sense = HY_UNDIRECTED };
    struct file F = directed(true);
    (void)state;
    is_read_as(&F, &opts, "undirected 3: 0-1=5 0-2=6 2-2=7");
    F = undirected(true);
    opts.sense = HY_DIRECTED;
    opts.weighting = HY_WEIGHTS_DROP;
    opts.growing = true;
    is_read_as(&F, &opts, "directed 3: 0>1 1>0 1>2 2>1");
    opts =
        (hy_read_opts){ .format = HY_FORMAT_SG, .weighting = HY_WEIGHTS_NEED };
    F = undirected(false);
    is_bad(&F, &opts, 0, "no weights");
}

static void content_is_told(void **state)
{
    const hy_read_opts opts = { 0 };
    const struct file F = directed(false);
    (void)state;
    is_read_as(&F, &opts, "directed 3: 0>1 0>2 2>2");
}

static void edges_are_counted(void **state)
{
    const struct file F = undirected(false), D = directed(false);
    (void)state;
    struct reading r = read_file(&F, &sg);
    assert_int_equal(r.info.lines, 2);
    reading_fini(&r);
    r = read_file(&D, &sg);
    assert_int_equal(r.info.lines, 3);
    reading_fini(&r);
}

static void no_vertices_are_a_graph(void **state)
{
    static const int64_t offset = 0;
    struct file F;
    (void)state;
    put_head(&F, false, 0, 0);
    put(&F, &offset, sizeof offset);
    is_read_as(&F, &sg, "undirected 0:");
}

/* ---- bad ones
 * ---------------------------------------------------------------- */

static void every_cut_is_an_early_end(void **state)
{
    const struct file all[] = { directed(false), directed(true),
                                undirected(false), undirected(true) };
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t n = 0; n < all[i].n; n++) {
            struct file F = all[i];
            F.n = n;
            struct reading r = read_file(&F, i % 2 ? &wsg : &sg);
            assert_int_equal(r.status, HY_EFORMAT);
            assert_int_equal(r.diag.offset, n);
            reading_fini(&r);
        }
}

static void more_than_all_is_bad(void **state)
{
    struct file F = undirected(false);
    (void)state;
    put(&F, "x", 1);
    is_bad(&F, &sg, F.n - 1, "goes on");
}

static void weights_are_not_guessed(void **state)
{
    struct file F = undirected(true);
    (void)state;
    is_bad(&F, &sg, 65, "with weights");
    F = undirected(false);
    is_bad(&F, &wsg, 65, "without weights");
}

static void head_is_checked(void **state)
{
    struct file F = undirected(false);
    (void)state;
    F.at[0] = 2;
    is_bad(&F, &sg, 0, "neither 0 nor 1");
    put_head(&F, false, -1, 3);
    is_bad(&F, &sg, 1, "number of edges");
    put_head(&F, false, 4, -1);
    is_bad(&F, &sg, 9, "number of vertices");
    put_head(&F, false, 4, (int64_t)1 << 32);
    is_bad(&F, &sg, 9, "number of vertices");
    put_head(&F, false, (int64_t)1 << 40, 100);
    is_bad(&F, &sg, 17, "ends early");
}

static void offsets_are_checked(void **state)
{
    struct file F = undirected(false);
    (void)state;
    F.at[17] = 1;
    is_bad(&F, &sg, 17, "is not 0");
    F = undirected(false);
    F.at[25] = 4;
    is_bad(&F, &sg, 33, "below");
    F = undirected(false);
    F.at[32] = -1;
    is_bad(&F, &sg, 33, "below");
    F = undirected(false);
    F.at[41] = 3;
    is_bad(&F, &sg, 41, "the last offset");
}

static void targets_are_checked(void **state)
{
    struct file F = undirected(false);
    (void)state;
    F.at[53] = 3;
    is_bad(&F, &sg, 53, "no vertex");
    F = undirected(true);
    F.at[60] = -1;
    is_bad(&F, &wsg, 57, "no vertex");
    F = undirected(false);
    F.at[53] = 1;
    is_bad(&F, &sg, 49, "no twin");
    F = undirected(true);
    F.at[53] = 9; /* another weight than on the other side */
    is_bad(&F, &wsg, 49, "no twin");
}

static void mutations_are_read_or_refused(void **state)
{
    const struct file all[] = { directed(false), directed(true),
                                undirected(false), undirected(true) };
    (void)state;
    for (size_t i = 0; i < 4; i++)
        reads_mutations(all[i].at, all[i].n, i % 2 ? &wsg : &sg, 1250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_are_read),
        cmocka_unit_test(options_decide),
        cmocka_unit_test(content_is_told),
        cmocka_unit_test(edges_are_counted),
        cmocka_unit_test(no_vertices_are_a_graph),
        cmocka_unit_test(every_cut_is_an_early_end),
        cmocka_unit_test(more_than_all_is_bad),
        cmocka_unit_test(weights_are_not_guessed),
        cmocka_unit_test(head_is_checked),
        cmocka_unit_test(offsets_are_checked),
        cmocka_unit_test(targets_are_checked),
        cmocka_unit_test(mutations_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
