/* What the end of a path says. */
#ifndef IO_PATH_H
#define IO_PATH_H

#include "io/unpack.h"

#include <string.h>
#include <strings.h>

/* The first n bytes of the path end in the text, and something is before. */
static inline bool io_path_ends(const char *path, size_t n, const char *text)
{
    const size_t length = strlen(text);
    return n > length && strncasecmp(path + n - length, text, length) == 0;
}

/* .gz, .zst; and the length without these. */
static inline enum io_packing io_path_packing(const char *path, size_t *length)
{
    const size_t n = strlen(path);
    const enum io_packing packing = io_path_ends(path, n, ".gz")    ? IO_GZIP
                                    : io_path_ends(path, n, ".zst") ? IO_ZSTD
                                                                    : IO_PLAIN;
    *length = n - (packing == IO_GZIP ? 3 : packing == IO_ZSTD ? 4 : 0);
    return packing;
}

#endif
