/* A stream of changes, line by line.  Private to io. */
#ifndef IO_STREAM_H
#define IO_STREAM_H

#include "io/lines.h"
#include "io/number.h"
#include "io/source.h"

enum { IO_STREAM_COLUMNS = 64 };

/* ---- edges that expire -----------------------------------------------------
 */

struct io_timed {
    int64_t t;
    uint64_t u, v; /* u = HY_ANY: an empty place of the map */
};

/* The newest time of every edge seen, and a heap of times, oldest first.
 * Times that were overtaken stay in the heap until they come up. */
struct io_expiry {
    hy_ctx *ctx;
    struct io_timed *map; /* owned: open addressing, linear */
    size_t n_map, map_room;
    struct io_timed *heap; /* owned */
    size_t n_heap, heap_room;
    int64_t newest;
    bool is_begun; /* newest means something */
};

void io_expiry_init(struct io_expiry *E, hy_ctx *ctx);
void io_expiry_fini(struct io_expiry *E);

/* An edge at a time.  HY_ENOMEM: it was not noted. */
HY_CHECKED hy_status io_expiry_see(struct io_expiry *E, uint64_t u, uint64_t v,
                                   int64_t t);

/* Takes an edge whose newest time lies more than `window` before the newest
 * of all; false if there is none. */
bool io_expiry_pop(struct io_expiry *E, uint64_t window, uint64_t *u,
                   uint64_t *v);

/* ---- lines --------------------------------------------------------------- */

struct io_change {
    enum {
        IO_NOTHING, /* a comment, or blank */
        IO_COMMIT,
        IO_INSERT_EDGE,
        IO_DELETE_EDGE,
        IO_UPDATE_EDGE,
        IO_INSERT_VERTEX,
        IO_DELETE_VERTEX
    } kind;
    bool has_values; /* in the stream's record */
    uint64_t u, v;
    int64_t time; /* temporal */
};

struct hy_stream {
    hy_ctx *ctx;
    const hy_graph *G;
    hy_names *names; /* borrowed; NULL: ids are integers */
    hy_stream_opts opts;
    char *path; /* owned: for messages */
    struct io_source *source;
    const char *at, *end; /* what is left of the window */
    uint64_t line;        /* number of the line at `at` */
    bool has_commits;     /* batches end at them alone */
    /* ids */
    bool is_dense;
    uint64_t bound; /* dense: edges name ids below it */
    /* records */
    uint32_t n_columns;
    uint32_t time_column, weight_column; /* HY_NONE: none */
    hy_type type[IO_STREAM_COLUMNS];
    size_t offset[IO_STREAM_COLUMNS];
    size_t record_bytes;
    char *record; /* owned */
    struct io_expiry expiry;
    /* failures */
    char why[200]; /* the line is bad */
    uint64_t n_bad;
    hy_diag first_bad;
    hy_status status; /* of the call that broke it */
};

/* Reads one line, without its newline.  HY_EFORMAT: S->why says what is
 * wrong with it; HY_ENOMEM. */
HY_CHECKED hy_status io_change_read(hy_stream *S, const char *at,
                                    const char *end, struct io_change *out);

/* The format of a stream by its path, then by its first bytes. */
hy_stream_format io_stream_format(const char *path, const char *at, size_t n);

/* Is there a whole line that is neither empty nor a comment? */
bool io_stream_says(const char *at, size_t n);

/* Is there a line that is a commit? */
bool io_stream_has_commit(const char *at, const char *end);

/* hy_stream_open on a source, which is taken, also on failure. */
HY_CHECKED hy_status io_stream_open(struct io_source *source, const char *path,
                                    const hy_graph *G, hy_names *names,
                                    const hy_stream_opts *opts,
                                    hy_stream **out);

#endif
