/* Reading with its k-th allocation failing, k = 1, 2, ... until it succeeds:
 * HY_ENOMEM, nothing left behind. */
#include "support/fault.h"
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

static void read_all(const char *pattern, hy_format format, bool packed)
{
    static char text[1 << 16];
    char path[64];
    const size_t n = make_text(text, sizeof text, pattern);
    make_file(path, text, n, packed);
    const hy_read_opts opts = { .format = format, .reverse = true };
    for (uint32_t threads = 1; threads <= 2; threads++) {
        uint64_t k = 1;
        while (read_once(path, &opts, threads, k))
            k++;
        assert_in_range(k, 5, 1000);
    }
    (void)unlink(path);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_list), cmocka_unit_test(wide_ids),
        cmocka_unit_test(texts),     cmocka_unit_test(columns),
        cmocka_unit_test(packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
