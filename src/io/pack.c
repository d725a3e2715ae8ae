/* gzip by zlib, zstd by libzstd, where the build has them. */
#include "io/pack.h"

#if HYPHA_HAVE_ZLIB
#include <zlib.h>
#endif
#if HYPHA_HAVE_ZSTD
#include <zstd.h>
#endif

/* ---- gzip ---------------------------------------------------------------- */

#if HYPHA_HAVE_ZLIB

static hy_status gzip_check(int level)
{
    return level >= 0 && level <= 9
               ? HY_OK
               : base_fail(HY_EINVAL, "gzip has levels 1 to 9, not %d", level);
}

static size_t gzip_bound(size_t n)
{
    return compressBound((uLong)n) + 32; /* a gzip head is longer than zlib's */
}

static void *take(void *ctx, unsigned n, unsigned size)
{
    return base_alloc(ctx, n, size);
}

static void give(void *ctx, void *p)
{
    base_free(ctx, p);
}

static size_t gzip(hy_ctx *ctx, int level, const void *from, size_t n, void *to)
{
    enum { GZIP = 16, WINDOW_BITS = 15, MEMORY_LEVEL = 8 };
    z_stream z = { .zalloc = take, .zfree = give, .opaque = ctx };
    if (deflateInit2(&z, level ? level : Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     WINDOW_BITS + GZIP, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    z.next_in = (z_const Bytef *)(uintptr_t)from;
    z.avail_in = (uInt)n;
    z.next_out = to;
    z.avail_out = (uInt)gzip_bound(n);
    const bool is_done = deflate(&z, Z_FINISH) == Z_STREAM_END;
    const size_t used = is_done ? z.total_out : 0;
    (void)deflateEnd(&z);
    return used;
}

#else

static hy_status gzip_check(int level)
{
    (void)level;
    return base_fail(HY_ENOTSUP, "this build cannot write gzip: no zlib");
}

#endif

/* ---- zstd ---------------------------------------------------------------- */

#if HYPHA_HAVE_ZSTD

static hy_status zstd_check(int level)
{
    return level >= 0 && level <= ZSTD_maxCLevel()
               ? HY_OK
               : base_fail(HY_EINVAL, "zstd has levels 1 to %d, not %d",
                           ZSTD_maxCLevel(), level);
}

static size_t zstd(int level, const void *from, size_t n, void *to)
{
    const size_t used = ZSTD_compress(to, ZSTD_compressBound(n), from, n,
                                      level ? level : ZSTD_CLEVEL_DEFAULT);
    return ZSTD_isError(used) ? 0 : used;
}

#else

static hy_status zstd_check(int level)
{
    (void)level;
    return base_fail(HY_ENOTSUP, "this build cannot write zstd: no libzstd");
}

#endif

/* ---- either -------------------------------------------------------------- */

hy_status io_pack_check(enum io_packing kind, int level)
{
    switch (kind) {
    case IO_GZIP:
        return gzip_check(level);
    case IO_ZSTD:
        return zstd_check(level);
    default:
        return HY_OK;
    }
}

size_t io_pack_bound(enum io_packing kind, size_t n)
{
#if HYPHA_HAVE_ZLIB
    if (kind == IO_GZIP)
        return gzip_bound(n);
#endif
#if HYPHA_HAVE_ZSTD
    if (kind == IO_ZSTD)
        return ZSTD_compressBound(n);
#endif
    (void)kind;
    return n;
}

size_t io_pack(hy_ctx *ctx, enum io_packing kind, int level, const void *from,
               size_t n, void *to)
{
#if HYPHA_HAVE_ZLIB
    if (kind == IO_GZIP)
        return gzip(ctx, level, from, n, to);
#endif
#if HYPHA_HAVE_ZSTD
    if (kind == IO_ZSTD)
        return zstd(level, from, n, to);
#endif
    (void)ctx, (void)kind, (void)level, (void)from, (void)n, (void)to;
    return 0;
}
