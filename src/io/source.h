/* The bytes of an input: a file, mapped; or what a pipe, gzip or zstd gives,
 * window by window, so that memory does not follow the size of the text. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include "base/mem.h"

#include <hypha/io.h>

struct io_source;

/* Opens a path; `-` is standard input.  Looks at the first bytes to see
 * whether they are packed.  `memory`: bytes that windows may take, 0: no
 * limit.  HY_EIO with the reason as the error text. */
HY_CHECKED hy_status io_source_open(hy_ctx *ctx, const char *path,
                                    uint64_t memory, struct io_source **out);

/* The same from memory, borrowed until it is closed, packed or not.
 * `window`: bytes of a window, 0: as usual. */
HY_CHECKED hy_status io_source_open_bytes(hy_ctx *ctx, const char *at, size_t n,
                                          size_t window,
                                          struct io_source **out);
void io_source_close(struct io_source *S); /* NULL is allowed */

/* "gzip", "zstd" or "". */
const char *io_source_packed(const struct io_source *S);

/* Bytes of the file, 0 if it is a pipe; bytes of it used so far; bytes
 * unpacked so far. */
uint64_t io_source_bytes(const struct io_source *S);
uint64_t io_source_used(const struct io_source *S);
uint64_t io_source_unpacked(const struct io_source *S);

/* All bytes, if they are in memory or mapped, and not packed; else NULL. */
const char *io_source_plain(const struct io_source *S);

/* The open file, if it is a plain one, which counts as used then; else -1. */
int io_source_take_file(struct io_source *S);

/* Whole lines, except that the last one of the file may lack its newline, and
 * that the first one lacks the mark of UTF-8 if it had one. */
struct io_window {
    const char *at;
    size_t n;
    uint64_t line; /* number of its first line, from 1 */
};

/* From now on windows end where input does for the moment, once it has a whole
 * line, instead of waiting for more: for those who answer line by line. */
void io_source_flow(struct io_source *S);

/* The first bytes, up to 64 KiB, without taking them: for telling formats. */
HY_CHECKED hy_status io_source_peek(struct io_source *S, const char **at,
                                    size_t *n);

/* Waits for more of them, if it flows.  *more: there may be some. */
HY_CHECKED hy_status io_source_peek_on(struct io_source *S, bool *more);

/* The next window; n = 0 at the end.  Valid until the next call.
 * HY_EFORMAT: packed data is damaged or ends early; HY_EFULL: a line longer
 * than the memory allows. */
HY_CHECKED hy_status io_source_next(struct io_source *S, struct io_window *out);

/* Of the last window only the first `used` bytes were: the next one begins
 * after them.  For heads. */
void io_source_give_back(struct io_source *S, size_t used);

/* The last window was too small for its purpose: gives all of it back, and
 * the next ones are larger.  False, and nothing done: it had all there is. */
bool io_source_widen(struct io_source *S);

/* The last window had so many lines: saves counting them again. */
void io_source_tell_lines(struct io_source *S, uint64_t lines);

/* Newlines in a piece of text. */
uint64_t io_count_lines(const char *at, const char *end);

/* Exactly n bytes, for binary formats; fewer only at the end (*got). */
HY_CHECKED hy_status io_source_read(struct io_source *S, void *to, size_t n,
                                    size_t *got);

#endif
