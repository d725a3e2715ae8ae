/* Graphs written as .hyg and read again. */
#include "support/folder.h"
#include "support/small.h"

#include "support/fault.h"

#include <hypha/io.h>

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

/* 1 -> 2 -> 3 -> 1, 3 -> 2, and 9 alone; ids 10 times that. */
static hy_graph *sample(bool mapped)
{
    hy_graph_opts opts = { .ids = mapped ? HY_IDS_MAPPED : HY_IDS_DENSE };
    static const hy_edge edges[] = { { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 2 } };
    static const uint64_t external[] = { 0,  10, 20, 30, 40,
                                         50, 60, 70, 80, 1ull << 60 };
    static const float weights[] = { 1, 2, 3, 4 };
    hy_graph *G = NULL;
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(
        mapped ? hy_graph_load_named(G, 10, external, 4, edges, weights)
               : hy_graph_load_edges(G, 10, 4, edges, weights),
        HY_OK);
    for (uint64_t u = 4; u < 9; u++)
        (void)small_delete_vertex(G, mapped ? 10 * u : u);
    return G;
}

static const char *written(hy_graph *G, const hy_names *names, const char *name)
{
    const char *path = folder_file(&F, name);
    if (hy_graph_write(test_ctx(1), hy_graph_now(G), names, path, NULL) !=
        HY_OK)
        fail_msg("%s: %s", name, hy_error_text());
    return path;
}

static hy_graph *read_as(const char *path, const hy_read_opts *opts)
{
    hy_graph *G = NULL;
    hy_read_info info;
    const hy_status status =
        hy_graph_read(test_ctx(1), path, opts, &G, NULL, &info, NULL);
    if (status != HY_OK)
        fail_msg("%s: %s", path, hy_error_text());
    assert_int_equal(info.format, HY_FORMAT_HYG);
    assert_true(info.bytes > 0 && info.text_bytes >= info.bytes);
    return G;
}

static float weight(const hy_graph *G, uint64_t u, uint64_t v)
{
    const hy_view *V = hy_graph_now(G);
    return small_weight(V, hy_view_find(V, u), hy_view_find(V, v));
}

static void comes_back_plain_and_packed(void **state)
{
    static const char *const names[] = { "a.hyg", "a.hyg.gz", "a.hyg.zst" };
    (void)state;
    for (int mapped = 0; mapped < 2; mapped++)
        for (int i = 0; i < 3; i++) {
            const uint64_t ten = mapped ? 10 : 1;
            hy_graph *G = sample(mapped);
            const hy_status status =
                hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                               folder_file(&F, names[i]), NULL);
            small_free(G);
            if (status == HY_ENOTSUP && i)
                continue; /* not in this build */
            assert_int_equal(status, HY_OK);
            G = read_as(folder_file(&F, names[i]), NULL);
            const hy_view *V = hy_graph_now(G);
            assert_int_equal(hy_view_vertices(V), 5);
            assert_int_equal(hy_view_edges(V), 4);
            assert_true(weight(G, 3 * ten, 2 * ten) == 4);
            (void)small_insert(G, 3 * ten, ten * 3, NULL);
            small_free(G);
            assert_int_equal(unlink(folder_file(&F, names[i])), 0);
        }
}

static void is_known_by_its_content(void **state)
{
    hy_graph *G = sample(true);
    (void)state;
    assert_int_equal(rename(written(G, NULL, "a.hyg"), folder_file(&F, "b")),
                     0);
    small_free(G);
    G = read_as(folder_file(&F, "b"), NULL);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 4);
    small_free(G);
    assert_int_equal(unlink(folder_file(&F, "b")), 0);
}

static void file_may_go_and_be_written_anew(void **state)
{
    hy_graph *G = sample(true);
    const char *path = written(G, NULL, "a.hyg");
    (void)state;
    small_free(G);
    G = read_as(path, NULL);
    (void)small_insert(G, 5, 6, NULL);
    (void)written(G, NULL, "a.hyg"); /* over itself */
    assert_int_equal(unlink(path), 0);
    (void)small_insert(G, 7, 8, NULL);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 6);
    small_free(G);
}

static void names_come_back(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    const uint64_t external[] = { 2, 0, 1 };
    const hy_edge edges[] = { { 0, 1 } };
    static const char *const texts[] = { "ada", "", "bob" };
    hy_graph *G = NULL;
    hy_names *N = NULL;
    uint64_t id;
    (void)state;
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_named(G, 3, external, 1, edges, NULL),
                     HY_OK);
    assert_int_equal(hy_names_new(test_ctx(1), &N), HY_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(hy_names_add(N, texts[i], strlen(texts[i]), &id),
                         HY_OK);
    const char *path = written(G, N, "n.hyg");
    hy_names_free(N);
    small_free(G);
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, NULL, &G, NULL, NULL, NULL),
        HY_ENOTSUP);
    assert_int_equal(hy_graph_read(test_ctx(1), path, NULL, &G, &N, NULL, NULL),
                     HY_OK);
    assert_int_equal(hy_names_count(N), 3);
    for (uint64_t i = 0; i < 3; i++)
        assert_string_equal(hy_names_text(N, i, NULL), texts[i]);
    assert_int_equal(hy_view_find(hy_graph_now(G), hy_names_find(N, "bob", 3)),
                     0);
    hy_names_free(N);
    small_free(G);
    assert_int_equal(unlink(path), 0);
}

static void is_read_as_wanted(void **state)
{
    const hy_read_opts undirected = { .sense = HY_UNDIRECTED };
    const hy_read_opts directed = { .sense = HY_DIRECTED, .reverse = true };
    const hy_read_opts bare = { .weighting = HY_WEIGHTS_DROP };
    const hy_read_opts growing = { .growing = true };
    hy_graph *G = sample(false);
    const char *path = written(G, NULL, "a.hyg");
    (void)state;
    small_free(G);
    G = read_as(path, &undirected);
    assert_true(hy_view_is_undirected(hy_graph_now(G)));
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 3);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 5);
    const char *twice = written(G, NULL, "u.hyg");
    small_free(G);
    G = read_as(twice, &directed);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 6);
    assert_true(hy_view_has_reverse(hy_graph_now(G)));
    small_free(G);
    G = read_as(path, &bare);
    assert_int_equal(hy_view_edge_columns(hy_graph_now(G)), 0);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 4);
    assert_false(hy_view_has_vertex(hy_graph_now(G), 5));
    small_free(G);
    G = read_as(path, &growing);
    assert_int_equal(hy_view_ids(hy_graph_now(G)), HY_IDS_MAPPED);
    assert_true(weight(G, 3, 2) == 4);
    assert_int_equal(hy_view_find(hy_graph_now(G), 5), HY_NONE);
    (void)small_insert(G, 1ull << 50, 3, NULL);
    small_free(G);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(twice), 0);
}

static void is_written_without_weights(void **state)
{
    const hy_write_opts opts = { .no_weights = true };
    const hy_read_opts need = { .weighting = HY_WEIGHTS_NEED };
    const char *path = folder_file(&F, "a.hyg");
    hy_graph *G = sample(true), *back = NULL;
    hy_diag diag;
    (void)state;
    assert_int_equal(
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, path, &opts), HY_OK);
    small_free(G);
    G = read_as(path, NULL);
    assert_int_equal(hy_view_edge_columns(hy_graph_now(G)), 0);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 4);
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, &need, &back, NULL, NULL, &diag),
        HY_EFORMAT);
    assert_non_null(strstr(diag.text, "no weights"));
    small_free(G);
    assert_int_equal(unlink(path), 0);
}

/* Cuts the file's end off. */
static void cut(const char *path, size_t n)
{
    size_t bytes;
    char *text = file_read(path, &bytes);
    free(text);
    assert_int_equal(truncate(path, (off_t)(bytes - n)), 0);
}

static void what_is_damaged_is_told(void **state)
{
    hy_diag diag;
    hy_graph *G = sample(true);
    const char *path = written(G, NULL, "a.hyg");
    (void)state;
    small_free(G);
    cut(path, 4096);
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, NULL, &G, NULL, NULL, &diag),
        HY_EFORMAT);
    assert_string_equal(diag.file, path);
    assert_int_equal(diag.line, 0);
    assert_non_null(strstr(diag.text, "should have"));
    file_write(path, "1 2\n");
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, NULL, &G, NULL, NULL, &diag),
        HY_EFORMAT);
    assert_string_not_equal(diag.text, "");
    assert_int_equal(unlink(path), 0);
}

static void packed_over_the_limit_is_refused(void **state)
{
    const hy_read_opts opts = { .memory = 16 << 10 };
    hy_graph *G = sample(true);
    const char *path = folder_file(&F, "a.hyg.gz");
    const hy_status status =
        hy_graph_write(test_ctx(1), hy_graph_now(G), NULL, path, NULL);
    (void)state;
    small_free(G);
    if (status == HY_ENOTSUP)
        return; /* no gzip in this build */
    assert_int_equal(
        hy_graph_read(test_ctx(1), path, &opts, &G, NULL, NULL, NULL),
        HY_EFULL);
    assert_int_equal(unlink(path), 0);
}

static void estimate_is_exact(void **state)
{
    hy_graph *G = sample(true);
    const char *path = written(G, NULL, "a.hyg");
    hy_estimate about;
    (void)state;
    small_free(G);
    assert_int_equal(hy_graph_estimate(test_ctx(1), path, NULL, &about, NULL),
                     HY_OK);
    assert_int_equal(about.format, HY_FORMAT_HYG);
    assert_int_equal(about.edges, 4);
    assert_true(about.exact);
    assert_int_equal(unlink(path), 0);
}

static bool stop_late(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return --*(int *)user > 0;
}

static void writing_can_be_stopped(void **state)
{
    int calls = 4;
    const hy_write_opts opts = { .progress = stop_late, .user = &calls };
    hy_graph *G = sample(true);
    (void)state;
    assert_int_equal(hy_graph_write(test_ctx(1), hy_graph_now(G), NULL,
                                    folder_file(&F, "a.hyg"), &opts),
                     HY_ESTOPPED);
    assert_int_equal(folder_count(&F), 0);
    small_free(G);
}

/* ---- faults -------------------------------------------------------------- */

static void reading_fails_cleanly(void **state)
{
    static const hy_read_opts ways[] = {
        { .verify = true },
        { .sense = HY_UNDIRECTED, .weighting = HY_WEIGHTS_DROP },
        { .growing = true, .reverse = true },
    };
    struct fault fault = { .is_lasting = false };
    const hy_ctx_opts ctx_opts = { .threads = 2,
                                   .may_alloc = fault_may_alloc,
                                   .user = &fault };
    hy_graph *G = sample(false);
    const char *path = written(G, NULL, "a.hyg");
    hy_ctx *ctx;
    (void)state;
    small_free(G);
    assert_int_equal(hy_ctx_new(&ctx_opts, &ctx), HY_OK);
    for (int way = 0; way < 3; way++) {
        bool is_hit = true;
        for (uint64_t k = 1; is_hit; k++) {
            hy_graph *back = NULL;
            fault_arm(&fault, k);
            const hy_status status =
                hy_graph_read(ctx, path, &ways[way], &back, NULL, NULL, NULL);
            is_hit = fault_disarm(&fault);
            assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
            hy_graph_free(back);
            assert_int_equal(hy_ctx_bytes(ctx), 0);
        }
    }
    hy_ctx_free(ctx);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_plain_and_packed),
        cmocka_unit_test(is_known_by_its_content),
        cmocka_unit_test(file_may_go_and_be_written_anew),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(is_read_as_wanted),
        cmocka_unit_test(is_written_without_weights),
        cmocka_unit_test(what_is_damaged_is_told),
        cmocka_unit_test(packed_over_the_limit_is_refused),
        cmocka_unit_test(estimate_is_exact),
        cmocka_unit_test(writing_can_be_stopped),
        cmocka_unit_test(reading_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
