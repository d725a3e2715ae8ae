/* Edges as they are read: rows of two ids and some values.
 *
 * Ids are kept in 32 bits while all of them fit, in 64 from the first that
 * does not.  A value column is kept as i64 while all of its values are
 * integers, as f64 from the first that is not.  Texts become numbers of the
 * chunk's own, which joining turns into those of the whole file.
 */
#ifndef IO_ROWS_H
#define IO_ROWS_H

#include "io/number.h"

#include "base/mem.h"

#include <hypha/io.h>

enum { IO_MAX_VALUES = 8 };

struct io_rows {
    hy_ctx *ctx;
    size_t n, room;
    hy_edge *narrow; /* owned; NULL once wide */
    hy_pair *wide;   /* owned; NULL while narrow */
    uint32_t n_values;
    bool real[IO_MAX_VALUES];
    uint64_t *value[IO_MAX_VALUES]; /* owned; bits of i64 or, if real, f64 */
    /* Vertices without edges (of .v files, METIS lines): a list of its own */
    uint64_t *lone;
    size_t n_lone, lone_room;
    hy_names *texts; /* owned: the chunk's own numbers; NULL: integers */
    bool failed;     /* memory ran out; rows after that are lost */
};

void io_rows_init(struct io_rows *R, hy_ctx *ctx, uint32_t n_values);
void io_rows_fini(struct io_rows *R);
void io_rows_clear(struct io_rows *R); /* keeps the memory, and the texts */

/* Ids are texts from now on; those there were are forgotten. */
HY_CHECKED hy_status io_rows_name(struct io_rows *R);

/* Room for n rows in all. */
void io_rows_reserve(struct io_rows *R, size_t n);

/* Slow paths of io_rows_add. */
void io_rows_grow(struct io_rows *R);
void io_rows_widen(struct io_rows *R);

/* Adds a row; its values follow by io_rows_value, one for each column. */
static inline void io_rows_add(struct io_rows *R, uint64_t u, uint64_t v)
{
    if (HY_UNLIKELY(R->n == R->room))
        io_rows_grow(R);
    if (HY_UNLIKELY((u | v) >= HY_NONE) && R->narrow)
        io_rows_widen(R);
    if (HY_UNLIKELY(R->failed))
        return;
    if (R->narrow)
        R->narrow[R->n++] = (hy_edge){ (hy_vid)u, (hy_vid)v };
    else
        R->wide[R->n++] = (hy_pair){ u, v };
}

/* The value of a column of the row added last. */
void io_rows_value(struct io_rows *R, uint32_t column, struct io_value x);

/* Bits of n integers into those of the same reals. */
void io_values_to_real(uint64_t *value, size_t n);

/* A vertex that is there, with or without edges. */
void io_rows_lone(struct io_rows *R, uint64_t u);

/* The chunk's number of a text. */
uint64_t io_rows_text(struct io_rows *R, const char *at, size_t n);

#endif
