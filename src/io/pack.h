/* Packing: bytes into gzip members or zstd frames, each complete in itself,
 * so that blocks can be packed on all threads and put one after the other. */
#ifndef IO_PACK_H
#define IO_PACK_H

#include "io/unpack.h"

/* HY_ENOTSUP: this build cannot; HY_EINVAL: no such level.  Level 0: the
 * packer's own default. */
HY_CHECKED hy_status io_pack_check(enum io_packing kind, int level);

/* Bytes that n bytes pack into at most. */
size_t io_pack_bound(enum io_packing kind, size_t n);

/* Packs n bytes into `to`, of io_pack_bound(kind, n) bytes.  Returns how many
 * it used, 0 if memory ran out.  From any thread. */
size_t io_pack(hy_ctx *ctx, enum io_packing kind, int level, const void *from,
               size_t n, void *to);

#endif
