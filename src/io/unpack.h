/* gzip and zstd: packed bytes in, plain bytes out, a piece at a time.
 *
 * Data of several members (gzip) or frames (zstd) is read as one; zeros that
 * follow a gzip member are padding.
 */
#ifndef IO_UNPACK_H
#define IO_UNPACK_H

#include "base/mem.h"

enum io_packing { IO_PLAIN, IO_GZIP, IO_ZSTD };

/* By its first bytes. */
enum io_packing io_packing_of(const char *at, size_t n);
const char *io_packing_name(enum io_packing packing); /* "gzip", "zstd", "" */

struct io_unpack;

/* `memory`: bytes that zstd's window may take, 0: as many as it likes.
 * HY_ENOTSUP: built without that library. */
HY_CHECKED hy_status io_unpack_new(hy_ctx *ctx, enum io_packing packing,
                                   uint64_t memory, struct io_unpack **out);
void io_unpack_free(struct io_unpack *U); /* NULL is allowed */

struct io_piece {
    const char *in, *in_end; /* what was taken is left behind */
    char *to, *to_end;       /* what was written too */
};

/* Goes on until one of both is used up.  HY_EFORMAT: damaged. */
HY_CHECKED hy_status io_unpack_run(struct io_unpack *U, struct io_piece *P);

/* HY_EFORMAT if the data may not end where it was left. */
HY_CHECKED hy_status io_unpack_end(const struct io_unpack *U);

#endif
