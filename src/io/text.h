/* Text being made, of ids, numbers and names; it fails as a whole. */
#ifndef IO_TEXT_H
#define IO_TEXT_H

#include "base/mem.h"

#include <hypha/io.h>

struct io_text {
    hy_ctx *ctx;
    char *at; /* owned */
    size_t n, room;
    hy_status status; /* the first failure; bytes after it mean nothing */
    char why[200];
};

void io_text_init(struct io_text *T, hy_ctx *ctx);
void io_text_fini(struct io_text *T);

/* Fails it, unless it has failed. */
void io_text_fail(struct io_text *T, hy_status status, const char *format, ...)
    HY_PRINTF(3, 4);

/* The place for n more bytes, which the caller counts into T->n; NULL once
 * the text has failed. */
char *io_text_more(struct io_text *T, size_t n);

void io_text_put(struct io_text *T, const char *bytes, size_t n);
void io_text_char(struct io_text *T, char c);
void io_text_u64(struct io_text *T, uint64_t x);
void io_text_i64(struct io_text *T, int64_t x);

/* A value of a column.  HY_ENOTSUP: it is no finite number. */
void io_text_value(struct io_text *T, hy_type type, const void *at);

/* A name in a line whose words are separated by `separator`: ' ' stands for
 * blanks, others quote what contains them.  HY_ENOTSUP: cannot be said. */
void io_text_name(struct io_text *T, const char *name, size_t n,
                  char separator);

/* The value of a column as an integer; false if it is none. */
bool io_value_integer(hy_type type, const void *at, int64_t *out);

#endif
