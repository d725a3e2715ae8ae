/* Files: graphs in and out, names of vertices, streams of changes.
 *
 * A reader takes bytes as they come (plain, gzip or zstd; `-` is standard
 * input), knows the format by extension or content, parses on all threads of
 * the context, and makes a graph.  Nothing malformed is dropped in silence:
 * the first bad line is named in a hy_diag, and no graph is made.
 */
#ifndef HY_IO_H
#define HY_IO_H

#include <hypha/base.h>
#include <hypha/batch.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ----------------------------------------------------------- */

/* code, name as in --from/--to, what it is */
#define HY_FORMAT_MAP(X)                                                       \
    X(HY_FORMAT_AUTO, "auto", "by extension, then by content")                 \
    X(HY_FORMAT_EL, "el", "edge list: u v, # or % comments (SNAP)")            \
    X(HY_FORMAT_WEL, "wel", "edge list with weights: u v w")                   \
    X(HY_FORMAT_KONECT, "konect", "KONECT: u v [weight [time]], % header")     \
    X(HY_FORMAT_CSV, "csv", "comma separated, with or without a header")       \
    X(HY_FORMAT_TSV, "tsv", "tab separated, with or without a header")         \
    X(HY_FORMAT_MTX, "mtx", "Matrix Market, coordinate or array")              \
    X(HY_FORMAT_GR, "gr", "DIMACS shortest paths")                             \
    X(HY_FORMAT_METIS, "metis", "METIS adjacency lists (.graph)")              \
    X(HY_FORMAT_LDBC, "ldbc", "LDBC Graphalytics, NAME.v and NAME.e")          \
    X(HY_FORMAT_SG, "sg", "GAP serialized graph")                              \
    X(HY_FORMAT_WSG, "wsg", "GAP serialized graph with weights")               \
    X(HY_FORMAT_HYG, "hyg", "hypha's own, mapped without parsing")

typedef enum hy_format {
#define HY_FORMAT_ENUM(code, name, text) code,
    HY_FORMAT_MAP(HY_FORMAT_ENUM)
#undef HY_FORMAT_ENUM
        HY_FORMATS /* how many there are */
} hy_format;

/* "el", "mtx", ...; NULL for what is no format. */
HY_API const char *hy_format_name(hy_format format);

/* One line about it. */
HY_API const char *hy_format_text(hy_format format);

/* The format of a name; HY_FORMATS if there is none. */
HY_API hy_format hy_format_find(const char *name);

/* The format a path's extension stands for, .gz and .zst taken off before;
 * HY_FORMAT_AUTO if it stands for none. */
HY_API hy_format hy_format_of_path(const char *path);

/* ---- what is wrong, and where ------------------------------------------- */

typedef struct hy_diag {
    char file[256];  /* as it was given, cut if longer; "-" standard input */
    uint64_t line;   /* from 1; 0: the file as a whole, or a binary one */
    uint64_t offset; /* byte, of binary files */
    char text[256];  /* "`x7` is no vertex id" */
} hy_diag;

/* Asked now and then during long work: `done` of `total` bytes or edges;
 * total 0: not known.  `false` stops it with HY_ESTOPPED.  Called by the
 * thread that called the library. */
typedef bool hy_progress(void *user, uint64_t done, uint64_t total);

/* ---- names -------------------------------------------------------------- */

/* Texts that stand for vertices, numbered 0, 1, ... as they came.  A graph
 * read from a file whose ids are texts has mapped ids, and external id i is
 * text i.  One writer at a time, no readers meanwhile. */
typedef struct hy_names hy_names;

HY_MUST hy_status hy_names_new(hy_ctx *ctx, hy_names **out);
HY_API void hy_names_free(hy_names *N);
HY_API uint64_t hy_names_count(const hy_names *N);

/* The number of a text of n bytes, added if it is new.  HY_ENOMEM. */
HY_MUST hy_status hy_names_add(hy_names *N, const char *text, size_t n,
                               uint64_t *out);

/* The number of a text; HY_ANY if there is none. */
HY_API uint64_t hy_names_find(const hy_names *N, const char *text, size_t n);

/* The text of a number below the count; *n is its length, and a 0 follows. */
HY_API const char *hy_names_text(const hy_names *N, uint64_t id, size_t *n);

/* ---- reading ------------------------------------------------------------ */

typedef enum hy_sense {
    HY_AS_WRITTEN, /* what the file says; directed if it says nothing */
    HY_DIRECTED,
    HY_UNDIRECTED
} hy_sense;

typedef enum hy_id_kind {
    HY_ID_AUTO,    /* texts if the first line has one that is no number */
    HY_ID_INTEGER, /* 0 .. 2^64 - 2 */
    HY_ID_TEXT
} hy_id_kind;

typedef enum hy_weighting {
    HY_WEIGHTS_AUTO, /* as the file has them */
    HY_WEIGHTS_DROP, /* none, whatever the file has */
    HY_WEIGHTS_NEED  /* a line without one is bad */
} hy_weighting;

typedef struct hy_read_opts {
    hy_format format;
    hy_sense sense;
    hy_id_kind id_kind;
    hy_weighting weighting;
    /* Always mapped ids, so that changes may bring vertices of any id.
     * Default: dense ids when they are 0 .. n-1. */
    bool growing;
    bool skip_bad; /* count bad lines and go on */
    bool reverse;  /* directed: keep in-adjacency */
    /* hyg: verify all of a large file too, not only its frame. */
    bool verify;
    uint64_t memory; /* bytes reading may take all told; default 0: no limit */
    hy_progress *progress;
    void *user;
} hy_read_opts;

typedef struct hy_read_info {
    hy_format format;
    const char *packed;  /* "gzip", "zstd" or "" */
    uint64_t bytes;      /* as they lie in the file */
    uint64_t text_bytes; /* unpacked */
    uint64_t lines;      /* edges in the file: entries, not distinct */
    uint64_t repeats;    /* of these: merged, the last one wins */
    uint64_t bad;        /* lines skipped under skip_bad */
    hy_diag first_bad;   /* of these */
    uint32_t ignored;    /* columns that are no numbers, of CSV and TSV */
} hy_read_info;

/* Reads a graph.  *names is NULL if ids are integers; both are the caller's
 * to free.  `opts`, `names`, `info` and `diag` may be NULL (then a file of
 * texts is HY_ENOTSUP).  Edge columns: integers become i32 if all fit, else
 * i64; numbers with a fraction f64; the first is "weight" if the file does
 * not name it.  HY_EFORMAT: see *diag; HY_EIO; HY_ENOMEM; HY_EFULL: over
 * `memory`; HY_ESTOPPED. */
HY_MUST hy_status hy_graph_read(hy_ctx *ctx, const char *path,
                                const hy_read_opts *opts, hy_graph **graph,
                                hy_names **names, hy_read_info *info,
                                hy_diag *diag);

/* What a file will be, from its head and size, without loading it. */
typedef struct hy_estimate {
    hy_format format;
    const char *packed;
    uint64_t bytes;
    uint64_t edges;       /* entries in the file; exact if the head says so */
    uint64_t graph_bytes; /* of the loaded graph */
    uint64_t peak_bytes;  /* while loading */
    bool exact;
} hy_estimate;

HY_MUST hy_status hy_graph_estimate(hy_ctx *ctx, const char *path,
                                    const hy_read_opts *opts, hy_estimate *out,
                                    hy_diag *diag);

/* ---- writing ------------------------------------------------------------ */

typedef struct hy_write_opts {
    hy_format format; /* default: by the path's extension; else HY_EINVAL */
    bool no_weights;
    int level; /* of gzip or zstd, when the path ends in .gz or .zst */
    hy_progress *progress;
    void *user;
} hy_write_opts;

/* Writes a view, in ascending order of external ids, an undirected edge once
 * where the format allows.  Vertices bear their external ids (formats that
 * number vertices, such as mtx, number them in that order, and say so in a
 * comment where they can); with `names`, external id i is text i.
 *
 * Edge columns: all in csv and tsv; in others the one named "weight", or the
 * first (konect: and "time").  What an edge list cannot say is said in comments
 * that hypha reads: `# Undirected graph`, and `# vertex 17` for a vertex
 * without edges.  ldbc is NAME.v, NAME.e and NAME.properties.
 *
 * A file is written beside and renamed when it is whole: on failure the path
 * is as it was.  `-` is standard output.  HY_ENOTSUP: the format cannot say it
 * (a loop in metis, a fraction in gr, blanks in names in el), with the reason
 * in hy_error_text; HY_EINVAL: no format; HY_EIO; HY_ENOMEM; HY_ESTOPPED. */
HY_MUST hy_status hy_graph_write(hy_ctx *ctx, const hy_view *V,
                                 const hy_names *names, const char *path,
                                 const hy_write_opts *opts);

/* A file that appears whole or not at all, for results of one's own: put
 * bytes, then close, or drop.  Packed if the path ends in .gz or .zst; `-` is
 * standard output.  A link's target is what is replaced, and keeps its
 * permissions; what is no regular file is written as it stands.  After HY_EIO
 * all further calls fail alike. */
typedef struct hy_out hy_out;

HY_MUST hy_status hy_out_open(hy_ctx *ctx, const char *path, hy_out **out);
HY_MUST hy_status hy_out_put(hy_out *O, const void *bytes, size_t n);
HY_MUST hy_status hy_out_close(hy_out *O); /* frees it, also on failure */
HY_API void hy_out_drop(hy_out *O);        /* frees it and leaves no file */

/* ---- streams of changes -------------------------------------------------- */

/* One change a line; `#` and `%` begin comments; ids as in the graph.  Values
 * are numbers that fit their columns: all columns of an edge or none, none
 * leaving an edge that is there as it is.  Other lines are bad, and in graphs
 * with dense ids those about edges at vertices the graph does not have.
 *
 * Of temporal lines, t goes to the column "time" and w to "weight" (or the
 * first other one) if the graph has such columns; others are 0. */
typedef enum hy_stream_format {
    HY_STREAM_AUTO,    /* .hys; .delta or a first line of a|d|u: libgrape */
    HY_STREAM_HYS,     /* + u v [w], - u v, = u v w, + u, - u, commit */
    HY_STREAM_DELTA,   /* a u v [w], d u v, u u v w */
    HY_STREAM_TEMPORAL /* u v [w] t: insertions, in the order of lines */
} hy_stream_format;

typedef struct hy_stream_opts {
    hy_stream_format format;
    /* Lines a batch holds at most.  Default 0: up to `commit` lines, 10,000 in
     * streams without any (of a pipe: until one comes). */
    uint64_t batch;
    /* Temporal, default 0: edges never expire.  Else a batch ends with lines
     * that delete, beyond its `batch` lines, every edge of the stream whose
     * newest time lies more than this before the newest time of all so far.
     * Edges of the graph that do not come in the stream, and vertices, stay. */
    uint64_t window;
    bool skip_bad;
} hy_stream_opts;

typedef struct hy_stream hy_stream;

/* Opens a stream of changes to graphs of G's shape, by the thread that writes
 * G.  `names` are those G was read with (grown by new texts), NULL if ids are
 * integers; both are borrowed until the stream is closed.  HY_EIO; HY_EFORMAT:
 * packed data is damaged; HY_EFULL: it needs too much memory; HY_EINVAL: a
 * window without times; HY_ENOMEM. */
HY_MUST hy_status hy_stream_open(hy_ctx *ctx, const char *path,
                                 const hy_graph *G, hy_names *names,
                                 const hy_stream_opts *opts, hy_stream **out,
                                 hy_diag *diag);

/* Clears B and fills it with the next batch, which has a line at least; *end:
 * there was none.  Of a pipe or a terminal it is there as soon as its last line
 * is.  HY_EFORMAT: a bad line, see *diag, which may be NULL;
 * HY_EIO; HY_EFULL; HY_ENOMEM.  After a failure it can only be closed. */
HY_MUST hy_status hy_stream_next(hy_stream *S, hy_batch *B, bool *end,
                                 hy_diag *diag);

/* Lines skipped so far under skip_bad; the first of them in *first, which
 * may be NULL. */
HY_API uint64_t hy_stream_bad(const hy_stream *S, hy_diag *first);
HY_API void hy_stream_close(hy_stream *S);

#ifdef __cplusplus
}
#endif
#endif
