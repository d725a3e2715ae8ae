/* `hypha run`: what its parts share.
 *
 * An algorithm is a line of the table in run_table.c and a function that asks
 * the library, tells what came out, and names the values of the vertices.
 * Everything else, from options to files, is the same for all of them.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/input.h"

/* ---- what is asked ------------------------------------------------------- */

/* Options an algorithm may take, beside those of all. */
enum run_takes {
    RUN_SOURCE = 1,
    RUN_NEEDS_SOURCE = 2, /* and does not go without */
    RUN_TOLERANCE = 4,
    RUN_ITERATIONS = 8,
    RUN_DAMPING = 16,
    RUN_DELTA = 32,
    RUN_SOURCES = 64,
    RUN_METHOD = 128,
    RUN_K = 256,
    RUN_SEED = 512,
    RUN_COLUMN = 1024,
    RUN_INPUT = 2048,
    RUN_NEEDS_INPUT = 4096,
    RUN_SPREAD = 8192,
    RUN_EVERYTHING = 16383
};

/* Zero is the default of all of them. */
struct run_opts {
    struct cli_common common;
    const char *path, *output;
    const char *source, *method, *column, *input;
    double tolerance, damping, delta, spread;
    uint64_t iterations, sources, k, seed, top;
    bool deterministic, check;
};

struct run;
typedef void run_step(struct run *R);

struct run_algorithm {
    const char *name;
    const char *help;    /* one line */
    const char *about;   /* what is computed, what -o writes */
    const char *example; /* after `hypha run ` */
    const char *methods; /* those of --method, with blanks between; or NULL */
    unsigned takes;
    bool reverse;       /* goes better with in-adjacency */
    bool on_devices;    /* takes --device */
    bool reverse_there; /* needs in-adjacency on a device */
    run_step *run;
};

extern const struct run_algorithm run_algorithms[];
extern const size_t run_algorithms_n;

/* ---- what is answered ---------------------------------------------------- */

/* Values of the vertices, `hy_view_bound` of them. */
enum run_kind {
    RUN_U32,   /* HY_NONE is written `inf` */
    RUN_U64,   /* UINT64_MAX is written `inf` */
    RUN_F64,   /* infinity is written `inf` */
    RUN_VERTEX /* hy_vid: written as its external id, HY_NONE as `none` */
};

struct run_column {
    const char *name; /* as in the help: "depth" */
    enum run_kind kind;
    const void *at;
};

struct run_result {
    const char *key;
    enum { RUN_COUNT, RUN_NUMBER, RUN_TEXT } kind;
    uint64_t count;
    double number;
    const char *text; /* borrowed */
};

enum { RUN_COLUMNS = 2, RUN_RESULTS = 16, RUN_ARRAYS = 8 };

struct run {
    const struct run_algorithm *algorithm;
    const struct run_opts *o;
    hy_ctx *ctx;
    struct cli_input input;
    const hy_view *V;
    hy_vid source;     /* HY_NONE if none was asked for */
    hy_device *device; /* NULL: the host */
    hy_device_info device_info;
    double start, s;
    struct run_column columns[RUN_COLUMNS];
    size_t n_columns;
    struct run_result results[RUN_RESULTS];
    size_t n_results;
    bool checked, right;
    char why[160];            /* if it is wrong */
    hy_vid *order;            /* all vertices, ascending by external id */
    void *arrays[RUN_ARRAYS]; /* owned */
    size_t n_arrays;
};

/* An array of an entry for each vertex id, freed with R. */
void *run_array(struct run *R, size_t size);

/* The same of n entries. */
void *run_array_of(struct run *R, size_t n, size_t size);

/* Around the call that is timed; the second one dies of its status. */
void run_begin(struct run *R);
void run_end(struct run *R, hy_status status);

void run_column(struct run *R, const char *name, enum run_kind kind,
                const void *at);
void run_count(struct run *R, const char *key, uint64_t x);
void run_number(struct run *R, const char *key, double x);
void run_text(struct run *R, const char *key, const char *text);

/* The place of --method in the algorithm's list, from 0; 0 without it. */
unsigned run_method(const struct run *R);

/* What the checker said; `why` is copied. */
void run_checked(struct run *R, bool right, const char *why);

/* Vertices ascending by external id, integers as numbers, texts by bytes;
 * hy_view_vertices of them. */
const hy_vid *run_order(struct run *R);

/* Labels are the same within a group, and below the bound; makes them the
 * group's smallest vertex by external id. */
void run_name_groups(struct run *R, hy_vid *labels);

/* The vertex that a text of n bytes names, HY_NONE if there is none. */
hy_vid run_find(const struct run *R, const char *text, size_t n);

/* Reads lines `id value ...` of o->input: `width` values for each vertex, in
 * its place of `to`, other places as they are.  Dies with `file:line:`. */
void run_read_values(const struct run *R, size_t width, double *to);

/* If a weight that is not finite or below `least` is why `status` is what it
 * is, dies naming the edge. */
void run_weights_must(const struct run *R, hy_status status, double least);

/* ---- the algorithms ------------------------------------------------------ */

run_step run_bfs, run_bc, run_sssp, run_mst, run_spmv;
run_step run_pagerank, run_hits, run_katz, run_localcluster, run_geolocate;
run_step run_wcc, run_scc, run_cdlp, run_coloring, run_kcore;
run_step run_triangles, run_lcc, run_ktruss, run_kclique, run_butterfly;

/* ---- output -------------------------------------------------------------- */

/* Writes a line for each vertex to o->output. */
void run_write(struct run *R);

/* The places of the k largest values of the first column, infinite ones left
 * out, in `out`; returns how many. */
size_t run_largest(struct run *R, size_t k, hy_vid *out);

/* A vertex's id, and its value, as they are written, in `text` or elsewhere;
 * *n is the length. */
enum { RUN_VALUE = 40 };
const char *run_id_text(const struct run *R, hy_vid u, char text[RUN_VALUE],
                        size_t *n);
const char *run_value_text(const struct run *R, const struct run_column *c,
                           hy_vid u, char text[RUN_VALUE], size_t *n);

/* The graph's, for messages. */
const char *run_path(const struct run *R);

void run_print_text(struct run *R, FILE *to);
void run_print_json(struct run *R, FILE *to);

#endif
