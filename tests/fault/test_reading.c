/* Reading with its k-th allocation failing, k = 1, 2, ... until it succeeds:
 * HY_ENOMEM, nothing left behind. */
#include "support/fault.h"
#include "support/folder.h"
#include "support/reading.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HYPHA_HAVE_ZLIB
#include <zlib.h>
#endif

/* Lines by a pattern of u and v, made of two running numbers. */
static size_t make_text(char *to, size_t room, const char *pattern)
{
    size_t n = 0;
    for (unsigned i = 0; i < 400 && n + 100 < room; i++)
        n += (size_t)snprintf(to + n, room - n, pattern, i % 37, i * 7 % 53);
    return n;
}

static void make_file(char *path, const char *text, size_t n, bool packed)
{
    (void)snprintf(path, 64, "/tmp/hypha-fault-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
#if HYPHA_HAVE_ZLIB
    if (packed) {
        gzFile f = gzdopen(fd, "w");
        assert_int_equal(gzwrite(f, text, (unsigned)n), n);
        assert_int_equal(gzclose(f), Z_OK);
        return;
    }
#endif
    (void)packed;
    assert_int_equal(write(fd, text, n), n);
    (void)close(fd);
}

/* False: no allocation failed any more. */
static bool read_once(const char *path, const hy_read_opts *opts,
                      uint32_t threads, uint64_t k)
{
    struct fault fault = { 0 };
    const hy_ctx_opts ctx_opts = { .threads = threads,
                                   .may_alloc = fault_may_alloc,
                                   .user = &fault };
    hy_ctx *ctx;
    assert_int_equal(hy_ctx_new(&ctx_opts, &ctx), HY_OK);
    hy_graph *G = NULL;
    hy_names *names = NULL;
    fault_arm(&fault, k);
    const hy_status status =
        hy_graph_read(ctx, path, opts, &G, &names, NULL, NULL);
    const bool is_hit = fault_disarm(&fault);
    if (status != HY_OK && (status != HY_ENOMEM || !is_hit))
        fail_msg("%s, allocation %llu: %s: %s", path, (unsigned long long)k,
                 hy_status_text(status), hy_error_text());
    assert_true(status == HY_OK || (!G && !names));
    hy_graph_free(G);
    hy_names_free(names);
    assert_int_equal(hy_ctx_bytes(ctx), 0);
    hy_ctx_free(ctx);
    return is_hit;
}

static void read_path(const char *path, const hy_read_opts *opts)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        uint64_t k = 1;
        while (read_once(path, opts, threads, k))
            k++;
        assert_in_range(k, 5, 1000);
    }
}

static void read_bytes(const char *text, size_t n, const hy_read_opts *opts,
                       bool packed)
{
    char path[64];
    make_file(path, text, n, packed);
    read_path(path, opts);
    (void)unlink(path);
}

/* A head, and lines of a pattern. */
static void read_body(const char *head, const char *pattern, hy_format format)
{
    static char text[1 << 16];
    const hy_read_opts opts = { .format = format, .reverse = true };
    const size_t n = strlen(head);
    memcpy(text, head, n);
    read_bytes(text, n + make_text(text + n, sizeof text - n, pattern), &opts,
               false);
}

static void read_all(const char *pattern, hy_format format, bool packed)
{
    static char text[1 << 16];
    const size_t n = make_text(text, sizeof text, pattern);
    const hy_read_opts opts = { .format = format, .reverse = true };
    read_bytes(text, n, &opts, packed);
}

static void edge_list(void **state)
{
    (void)state;
    read_all("%u %u\n", HY_FORMAT_EL, false);
}

static void wide_ids(void **state)
{
    (void)state;
    read_all("%u %u00000000000\n", HY_FORMAT_EL, false);
}

static void texts(void **state)
{
    (void)state;
    read_all("u%u v%u\n", HY_FORMAT_EL, false);
}

static void columns(void **state)
{
    (void)state;
    read_all("%u,%u,1.5,7\n", HY_FORMAT_CSV, false);
}

static void packed(void **state)
{
    (void)state;
#if HYPHA_HAVE_ZLIB
    read_all("%u %u 3\n", HY_FORMAT_WEL, true);
#else
    skip();
#endif
}

/* ---- formats with heads ---------------------------------------------------
 */

static void matrix_market(void **state)
{
    (void)state;
    read_body("%%MatrixMarket matrix coordinate real general\n200 200 400\n",
              "1%u 1%u 0.5\n", HY_FORMAT_MTX);
    read_body("%%MatrixMarket matrix array integer general\n20 20\n", "%u%u\n",
              HY_FORMAT_MTX);
}

static void dimacs(void **state)
{
    (void)state;
    read_body("p sp 200 400\n", "a 1%u 1%u 5\n", HY_FORMAT_GR);
}

static void metis(void **state)
{
    static const char good[] = "3 2 1\n2 5\n1 5 3 6\n2 6\n";
    static const char one_sided[] = "3 2 1\n2 5\n1 5 3 6\n\n";
    hy_read_opts opts = { .format = HY_FORMAT_METIS };
    (void)state;
    read_bytes(good, sizeof good - 1, &opts, false);
    opts.skip_bad = true; /* what is bad is found by sorting */
    read_bytes(one_sided, sizeof one_sided - 1, &opts, false);
}

static void ldbc(void **state)
{
    static const char *const vertices[] = { "1\n2\n3\n",
                                            "1\n2\n3\n9000000000\n" };
    struct folder F;
    (void)state;
    folder_init(&F);
    file_write(folder_file(&F, "g.e"), "1 2 5\n2 3 6\n");
    file_write(folder_file(&F, "g.properties"), "graph.g.directed = false\n");
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
        file_write(folder_file(&F, "g.v"), vertices[i]);
        read_path(folder_file(&F, "g"), NULL);
    }
    folder_fini(&F);
}

static void gap(void **state)
{
    static const struct {
        int64_t offsets[3];
        int32_t pairs[4];
    } body = { { 0, 1, 2 }, { 1, 5, 0, 5 } };
    char bytes[17 + 40] = { 0, 2, [9] = 2 };
    hy_read_opts opts = { .format = HY_FORMAT_WSG };
    (void)state;
    memcpy(bytes + 17, body.offsets, sizeof body.offsets);
    memcpy(bytes + 41, body.pairs, sizeof body.pairs);
    read_bytes(bytes, sizeof bytes, &opts, false);
    opts.sense = HY_DIRECTED;
    read_bytes(bytes, sizeof bytes, &opts, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_list), cmocka_unit_test(wide_ids),
        cmocka_unit_test(texts),     cmocka_unit_test(columns),
        cmocka_unit_test(packed),    cmocka_unit_test(matrix_market),
        cmocka_unit_test(dimacs),    cmocka_unit_test(metis),
        cmocka_unit_test(ldbc),      cmocka_unit_test(gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
