/* Windows over bytes: plain, packed, from memory, from a pipe. */
#include "io/source.h"

#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HYPHA_HAVE_ZLIB
#include <zlib.h>
#endif
#if HYPHA_HAVE_ZSTD
#include <zstd.h>
#endif

enum { MOST = 1 << 20 };

/* Lines of all lengths, about n bytes; the last may lack its newline. */
static size_t make_text(char *to, size_t n, uint64_t seed)
{
    size_t length = 0;
    uint64_t rng = seed;
    while (length < n) {
        const uint64_t line = rng_below(&rng, rng_chance(&rng, 5) ? 500 : 20);
        for (uint64_t i = 0; i < line && length < n; i++)
            to[length++] = (char)('a' + rng_below(&rng, 26));
        to[length++] = '\n';
    }
    return rng_chance(&rng, 50) ? length : length - 1;
}

static uint64_t lines_between(const char *at, const char *end)
{
    uint64_t lines = 0;
    for (; at < end; at++)
        lines += *at == '\n';
    return lines;
}

/* All windows together are the text, cut at line ends, lines counted. */
static void assert_windows(struct io_source *S, const char *text, size_t n)
{
    size_t at = 0, counted = 0;
    uint64_t line = 1;
    for (unsigned i = 0;; i++) {
        struct io_window W;
        assert_int_equal(io_source_next(S, &W), HY_OK);
        if (!W.n)
            break;
        assert_true(W.n <= n - at);
        assert_memory_equal(W.at, text + at, W.n);
        line += lines_between(text + counted, text + at);
        counted = at;
        assert_int_equal(W.line, line);
        if (i % 3 == 1) { /* only the first line was of use */
            const char *const end = memchr(W.at, '\n', W.n);
            const size_t used = end ? (size_t)(end - W.at) + 1 : W.n;
            io_source_give_back(S, used);
            at += used;
            continue;
        }
        if (i % 3 == 2)
            io_source_tell_lines(S, io_count_lines(W.at, W.at + W.n));
        at += W.n;
        assert_true(at == n || text[at - 1] == '\n');
        assert_int_equal(io_source_unpacked(S), at);
    }
    assert_int_equal(at, n);
    io_source_close(S);
}

static struct io_source *open_bytes(const char *at, size_t n, size_t window)
{
    struct io_source *S = NULL;
    if (io_source_open_bytes(test_ctx(0), at, n, window, &S) != HY_OK)
        fail_msg("%s", hy_error_text());
    return S;
}

static hy_status read_all(struct io_source *S)
{
    struct io_window W = { .n = 1 };
    hy_status status = HY_OK;
    while (status == HY_OK && W.n)
        status = io_source_next(S, &W);
    io_source_close(S);
    return status;
}

static void plain_bytes_come_in_whole_lines(void **state)
{
    (void)state;
    char *const text = malloc(MOST + 1);
    for (uint64_t i = 0; i < 30; i++) {
        const size_t n = make_text(text, 1 + i * 700, test_seed_at(i));
        assert_windows(open_bytes(text, n, 1 + i * 37), text, n);
    }
    assert_windows(open_bytes("", 0, 0), "", 0);
    assert_windows(open_bytes("\n", 1, 1), "\n", 1);
    free(text);
}

static void peek_takes_nothing(void **state)
{
    (void)state;
    static const char text[] = "a b\nc d\n";
    struct io_source *const S = open_bytes(text, 8, 1);
    const char *at;
    size_t n;
    assert_int_equal(io_source_peek(S, &at, &n), HY_OK);
    assert_int_equal(n, 8);
    assert_memory_equal(at, text, 8);
    char first[3];
    size_t got;
    assert_int_equal(io_source_read(S, first, 3, &got), HY_OK);
    assert_int_equal(got, 3);
    assert_memory_equal(first, "a b", 3);
    char rest[16];
    assert_int_equal(io_source_read(S, rest, 16, &got), HY_OK);
    assert_int_equal(got, 5);
    assert_memory_equal(rest, "\nc d\n", 5);
    io_source_close(S);
}

/* A file of these bytes; its name must be unlinked. */
static const char *make_file(const char *at, size_t n)
{
    static char path[] = "/tmp/hypha-test-XXXXXX";
    (void)snprintf(path, sizeof path, "/tmp/hypha-test-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, at, n), n);
    (void)close(fd);
    return path;
}

static void files_are_mapped(void **state)
{
    (void)state;
    char *const text = malloc(MOST + 1);
    const size_t n = make_text(text, MOST / 2, test_seed());
    const char *const path = make_file(text, n);
    struct io_source *S = NULL;
    assert_int_equal(io_source_open(test_ctx(0), path, 1, &S), HY_OK);
    assert_int_equal(io_source_bytes(S), n);
    assert_string_equal(io_source_packed(S), "");
    assert_windows(S, text, n);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(io_source_open(test_ctx(0), path, 0, &S), HY_OK);
    assert_windows(S, "", 0);
    (void)unlink(path);
    assert_int_equal(io_source_open(test_ctx(0), path, 0, &S), HY_EIO);
    assert_non_null(strstr(hy_error_text(), "No such file"));
    assert_int_equal(io_source_open(test_ctx(0), "/tmp", 0, &S), HY_EIO);
    assert_non_null(strstr(hy_error_text(), "directory"));
    free(text);
}

/* Opens what `at` holds as a pipe; it must fit into the pipe's buffer. */
static struct io_source *open_pipe(const char *at, size_t n, uint64_t memory)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], at, n), n);
    (void)close(ends[1]);
    char path[32];
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct io_source *S = NULL;
    assert_int_equal(io_source_open(test_ctx(0), path, memory, &S), HY_OK);
    (void)close(ends[0]);
    return S;
}

static void pipes_flow(void **state)
{
    (void)state;
    char *const text = malloc(MOST + 1);
    const size_t n = make_text(text, 60000, test_seed());
    assert_windows(open_pipe(text, n, 0), text, n);
    assert_windows(open_pipe(text, 1, 0), text, 1);
    assert_windows(open_pipe(text, 0, 0), text, 0);
    free(text);
}

/* ---- packed -------------------------------------------------------------- */

#if HYPHA_HAVE_ZLIB

static size_t pack_gzip(char *to, size_t room, const char *at, size_t n)
{
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, 0),
                     Z_OK);
    z.next_in = (Bytef *)(uintptr_t)at;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&z);
    return room - z.avail_out;
}

#endif

#if HYPHA_HAVE_ZSTD

static size_t pack_zstd(char *to, size_t room, const char *at, size_t n)
{
    ZSTD_CCtx *const zstd = ZSTD_createCCtx();
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    const size_t size = ZSTD_compress2(zstd, to, room, at, n);
    (void)ZSTD_freeCCtx(zstd);
    assert_false(ZSTD_isError(size));
    return size;
}

#endif

typedef size_t packer(char *to, size_t room, const char *at, size_t n);

/* Two members, windows of all sizes; cut anywhere, it ends early. */
static void check_packed(packer *pack, const char *name)
{
    char *const text = malloc(MOST + 1), *const packed = malloc(MOST);
    const size_t n = make_text(text, MOST / 4, test_seed());
    size_t size = pack(packed, MOST, text, n / 3);
    const size_t first = size;
    size += pack(packed + size, MOST - size, text + n / 3, n - n / 3);
    for (size_t window = 1; window < MOST; window = 3 * window + 5)
        assert_windows(open_bytes(packed, size, window), text, n);
    const char *const path = make_file(packed, size);
    struct io_source *S = NULL;
    assert_int_equal(io_source_open(test_ctx(0), path, 0, &S), HY_OK);
    assert_string_equal(io_source_packed(S), name);
    assert_windows(S, text, n);
    (void)unlink(path);
    assert_windows(open_pipe(packed, first, 0), text, n / 3);
    uint64_t rng = test_seed();
    for (unsigned i = 0; i < 50; i++) {
        const size_t cut = 4 + rng_below(&rng, size - 5);
        if (cut == first)
            continue;
        assert_int_equal(read_all(open_bytes(packed, cut, 0)), HY_EFORMAT);
        assert_non_null(strstr(hy_error_text(), "ends early"));
    }
    packed[size] = 'x';
    assert_int_equal(read_all(open_bytes(packed, size + 1, 0)), HY_EFORMAT);
    packed[first / 2] ^= 0x55;
    packed[first / 2 + 1] ^= 0x55;
    assert_int_equal(read_all(open_bytes(packed, first, 0)), HY_EFORMAT);
    /* many zeros from few bytes: a line that does not end */
    memset(text, 'a', MOST);
    size = pack(packed, MOST, text, MOST);
    assert_int_equal(read_all(open_pipe(packed, size, 1 << 16)), HY_EFULL);
    free(text);
    free(packed);
}

static void gzip_is_unpacked(void **state)
{
    (void)state;
#if HYPHA_HAVE_ZLIB
    check_packed(pack_gzip, "gzip");
    char packed[200];
    size_t n = pack_gzip(packed, 100, "1 2\n", 4);
    memset(packed + n, 0, 40); /* padding */
    assert_windows(open_bytes(packed, n + 40, 0), "1 2\n", 4);
#else
    skip();
#endif
}

static void zstd_is_unpacked(void **state)
{
    (void)state;
#if HYPHA_HAVE_ZSTD
    check_packed(pack_zstd, "zstd");
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_bytes_come_in_whole_lines),
        cmocka_unit_test(peek_takes_nothing),
        cmocka_unit_test(files_are_mapped),
        cmocka_unit_test(pipes_flow),
        cmocka_unit_test(gzip_is_unpacked),
        cmocka_unit_test(zstd_is_unpacked),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
