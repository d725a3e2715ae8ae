/* Text into rows, on all threads.
 *
 *   for each window of the source
 *     cut it at line ends into chunks of a fixed size
 *     count the items of each chunk, if the format numbers its lines
 *     parse the chunks, each into rows of its own
 *     stop at the first bad line, the one that comes first in the file
 *     join the rows in the order of the chunks
 *
 * Chunks do not depend on the number of threads, so nothing else does.
 */
#ifndef IO_LINES_H
#define IO_LINES_H

#include "io/rows.h"
#include "io/source.h"

struct io_chunk {
    const char *at, *end; /* whole lines; the last may lack its newline */
    uint64_t lines;       /* in it, one without a newline among them */
    uint64_t item;        /* items before it in the file, if they are counted */
    struct io_rows *rows;
    /* Where and why parsing stopped; NULL if it did not.  The engine makes a
     * line number of the place. */
    const char *bad_at;
    char bad_text[200];
    bool skip_bad; /* io_chunk_bad counts, remembers the first, and goes on */
    uint64_t n_bad;
};

/* Says that the line at `at` is bad.  True: go on with the next line. */
bool io_chunk_bad(struct io_chunk *C, const char *at, const char *format, ...)
    HY_PRINTF(3, 4);

/* The beginning of a text as messages show it: short, and without what
 * terminals obey. */
struct io_shown {
    char text[48];
};
struct io_shown io_show(const char *at, const char *end);

/* A text format: how its body is parsed. */
struct io_body {
    /* Items (numbered lines) in a chunk; NULL: the format numbers none. */
    uint64_t (*count)(const void *state, const char *at, const char *end);
    /* Parses all lines of a chunk.  Runs on several threads: reads state. */
    void (*parse)(const void *state, struct io_chunk *C);
    const void *state;
    uint32_t n_values;
    bool texts; /* ids are texts */
};

/* All rows of a file, joined; what io_build turns into a graph. */
struct io_table {
    hy_ctx *ctx;
    uint64_t n;      /* rows */
    hy_edge *narrow; /* owned, one of both */
    hy_pair *wide;
    uint32_t n_values;
    bool real[IO_MAX_VALUES];
    uint64_t *value[IO_MAX_VALUES]; /* owned */
    uint64_t *lone;                 /* owned: vertices named for themselves */
    uint64_t n_lone;
    hy_names *names; /* owned; NULL if ids are integers */
    uint64_t items;  /* counted lines */
    uint64_t n_bad;
    hy_diag first_bad;
};

struct io_reading {
    hy_ctx *ctx;
    struct io_source *source;
    const char *path;         /* for messages */
    const hy_read_opts *opts; /* never NULL */
    hy_diag *diag;            /* never NULL */
    bool is_format_said;      /* by the caller, not by path or content */
    size_t chunk;             /* bytes of a chunk; 0: as usual */
    uint64_t held;            /* bytes of the context before reading began */
};

/* HY_EFULL if what reading holds, and `more` bytes, are over the limit. */
HY_CHECKED hy_status io_check_memory(const struct io_reading *R, uint64_t more);

/* HY_ESTOPPED if the caller wants no more of it. */
HY_CHECKED hy_status io_progress(const struct io_reading *R, uint64_t done,
                                 uint64_t total);

/* Parses all that is left of the source.  On failure *out is empty. */
HY_CHECKED hy_status io_lines_read(const struct io_reading *R,
                                   const struct io_body *body,
                                   struct io_table *out);
void io_table_fini(struct io_table *T);

/* A bad file: fills the diag and returns HY_EFORMAT. */
HY_CHECKED hy_status io_bad(const struct io_reading *R, uint64_t line,
                            const char *format, ...) HY_PRINTF(3, 4);

/* What a file turned out to be; the format's reader fills it. */
struct io_shape {
    bool undirected;
    /* Vertices are 0 .. n-1, or 1 .. n if `first` is 1, all of them there;
     * HY_ANY: those that are named. */
    uint64_t n, first;
    uint32_t n_columns;             /* = values of each row */
    char column[IO_MAX_VALUES][32]; /* names */
    /* Integers are without a sign, and stay 64 bits wide. */
    bool is_unsigned[IO_MAX_VALUES];
};

/* Rows into a graph: finds the vertices, numbers them, merges repeats. */
HY_CHECKED hy_status io_build(const struct io_reading *R, struct io_table *T,
                              const struct io_shape *shape, hy_graph **graph,
                              hy_read_info *info);

#endif
