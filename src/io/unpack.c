/* gzip by zlib, zstd by libzstd, where the build has them. */
#include "io/unpack.h"

#include <limits.h>
#include <string.h>

#if HYPHA_HAVE_ZLIB
#include <zlib.h>
#endif
#if HYPHA_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

struct io_unpack {
    hy_ctx *ctx;
    enum io_packing packing;
    /* Inside a member or frame: what ends here is cut short. */
    bool is_inside;
    bool is_padding; /* gzip: zeros after a member; nothing else may follow */
#if HYPHA_HAVE_ZLIB
    z_stream zlib;
    bool has_zlib;
#endif
#if HYPHA_HAVE_ZSTD
    ZSTD_DCtx *zstd;
#endif
};

enum io_packing io_packing_of(const char *at, size_t n)
{
    if (n >= 2 && memcmp(at, "\x1f\x8b", 2) == 0)
        return IO_GZIP;
    if (n < 4)
        return IO_PLAIN;
    if (memcmp(at, "\x28\xb5\x2f\xfd", 4) == 0)
        return IO_ZSTD;
    /* A frame to be skipped, as pzstd writes them. */
    return (at[0] & 0xf0) == 0x50 && memcmp(at + 1, "\x2a\x4d\x18", 3) == 0
               ? IO_ZSTD
               : IO_PLAIN;
}

const char *io_packing_name(enum io_packing packing)
{
    return packing == IO_GZIP ? "gzip" : packing == IO_ZSTD ? "zstd" : "";
}

hy_status io_unpack_end(const struct io_unpack *U)
{
    return U->is_inside ? base_fail(HY_EFORMAT, "the %s data ends early",
                                    io_packing_name(U->packing))
                        : HY_OK;
}

/* Bytes may be left inside the library when all input was taken. */
static inline bool has_more(const struct io_unpack *U, const struct io_piece *P)
{
    return P->to < P->to_end && (U->is_inside || P->in < P->in_end);
}

/* ---- gzip ---------------------------------------------------------------- */

#if HYPHA_HAVE_ZLIB

static voidpf take_memory(voidpf ctx, uInt n, uInt size)
{
    return base_alloc(ctx, n, size);
}

static void give_memory(voidpf ctx, voidpf p)
{
    base_free(ctx, p);
}

static hy_status gzip_open(struct io_unpack *U)
{
    U->zlib.zalloc = take_memory;
    U->zlib.zfree = give_memory;
    U->zlib.opaque = U->ctx;
    /* 16: the frame is gzip's */
    if (inflateInit2(&U->zlib, 16 + MAX_WBITS) != Z_OK)
        return base_fail(HY_ENOMEM, "no memory for zlib");
    U->has_zlib = true;
    return HY_OK;
}

static uInt cut(size_t n)
{
    return n < INT_MAX ? (uInt)n : INT_MAX;
}

static hy_status inflate_some(struct io_unpack *U, struct io_piece *P)
{
    z_stream *const z = &U->zlib;
    z->next_in = (Bytef *)(uintptr_t)P->in;
    z->avail_in = cut((size_t)(P->in_end - P->in));
    z->next_out = (Bytef *)P->to;
    z->avail_out = cut((size_t)(P->to_end - P->to));
    const int code = inflate(z, Z_NO_FLUSH);
    P->in = (const char *)z->next_in;
    P->to = (char *)z->next_out;
    if (code == Z_MEM_ERROR)
        return base_fail(HY_ENOMEM, "no memory for zlib");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return base_fail(HY_EFORMAT, "the gzip data is damaged: %s",
                         z->msg ? z->msg : "no such block");
    U->is_inside = code != Z_STREAM_END;
    return HY_OK;
}

/* Between members: another one, or zeros up to the end. */
static hy_status gzip_begin(struct io_unpack *U, struct io_piece *P)
{
    U->is_padding |= *P->in == 0;
    if (U->is_padding) {
        while (P->in < P->in_end && *P->in == 0)
            P->in++;
        return P->in == P->in_end
                   ? HY_OK
                   : base_fail(HY_EFORMAT, "bytes follow the gzip data");
    }
    if (*P->in != 0x1f)
        return base_fail(HY_EFORMAT, "bytes follow the gzip data");
    (void)inflateReset(&U->zlib);
    U->is_inside = true;
    return HY_OK;
}

static hy_status gzip_run(struct io_unpack *U, struct io_piece *P)
{
    while (has_more(U, P)) {
        const struct io_piece before = *P;
        if (!U->is_inside)
            HY_TRY(gzip_begin(U, P));
        else
            HY_TRY(inflate_some(U, P));
        if (U->is_inside && P->in == before.in && P->to == before.to &&
            P->in == P->in_end)
            break;
    }
    return HY_OK;
}

#else

static hy_status gzip_open(struct io_unpack *U)
{
    (void)U;
    return base_fail(HY_ENOTSUP, "gzip: built without zlib");
}

#endif

/* ---- zstd ---------------------------------------------------------------- */

#if HYPHA_HAVE_ZSTD

static hy_status zstd_open(struct io_unpack *U, uint64_t memory)
{
    U->zstd = ZSTD_createDCtx();
    if (!U->zstd)
        return base_fail(HY_ENOMEM, "no memory for zstd");
    const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    int width = bounds.lowerBound;
    while (width < bounds.upperBound &&
           (memory == 0 || ((uint64_t)2 << width) <= memory))
        width++;
    (void)ZSTD_DCtx_setParameter(U->zstd, ZSTD_d_windowLogMax, width);
    return HY_OK;
}

static hy_status zstd_run(struct io_unpack *U, struct io_piece *P)
{
    while (has_more(U, P)) {
        ZSTD_inBuffer in = { P->in, (size_t)(P->in_end - P->in), 0 };
        ZSTD_outBuffer to = { P->to, (size_t)(P->to_end - P->to), 0 };
        const size_t left = ZSTD_decompressStream(U->zstd, &to, &in);
        if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge)
            return base_fail(HY_EFULL, "the zstd data needs more memory");
        if (ZSTD_isError(left))
            return base_fail(HY_EFORMAT, "the zstd data is damaged: %s",
                             ZSTD_getErrorName(left));
        U->is_inside = left != 0;
        P->in += in.pos;
        P->to += to.pos;
        if (!in.pos && !to.pos)
            break;
    }
    return HY_OK;
}

#else

static hy_status zstd_open(struct io_unpack *U, uint64_t memory)
{
    (void)U, (void)memory;
    return base_fail(HY_ENOTSUP, "zstd: built without libzstd");
}

#endif

/* ---- either -------------------------------------------------------------- */

hy_status io_unpack_new(hy_ctx *ctx, enum io_packing packing, uint64_t memory,
                        struct io_unpack **out)
{
    struct io_unpack *const U = base_alloc(ctx, 1, sizeof *U);
    if (!U)
        return HY_ENOMEM;
    *U = (struct io_unpack){ .ctx = ctx, .packing = packing };
    const hy_status status =
        packing == IO_GZIP ? gzip_open(U) : zstd_open(U, memory);
    if (status != HY_OK) {
        base_free(ctx, U);
        return status;
    }
    U->is_inside = true;
    *out = U;
    return HY_OK;
}

void io_unpack_free(struct io_unpack *U)
{
    if (!U)
        return;
#if HYPHA_HAVE_ZLIB
    if (U->has_zlib)
        (void)inflateEnd(&U->zlib);
#endif
#if HYPHA_HAVE_ZSTD
    (void)ZSTD_freeDCtx(U->zstd);
#endif
    base_free(U->ctx, U);
}

hy_status io_unpack_run(struct io_unpack *U, struct io_piece *P)
{
#if HYPHA_HAVE_ZLIB
    if (U->packing == IO_GZIP)
        return gzip_run(U, P);
#endif
#if HYPHA_HAVE_ZSTD
    if (U->packing == IO_ZSTD)
        return zstd_run(U, P);
#endif
    (void)P;
    return base_fail(HY_ENOTSUP, "%s: not in this build",
                     io_packing_name(U->packing));
}
