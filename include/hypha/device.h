/* Devices: the host, and whatever OpenCL finds.
 *
 * The host is always there and is a device like the others.  An algorithm
 * whose options name a device computes there: the graph is mirrored on it the
 * first time, and afterwards a commit costs the upload of what it touched,
 * when the next question is asked.
 *
 * A device belongs to the thread that writes the graphs it mirrors.
 */
#ifndef HY_DEVICE_H
#define HY_DEVICE_H

#include <hypha/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_device hy_device;

typedef enum hy_device_kind {
    HY_DEVICE_HOST,
    HY_DEVICE_CPU, /* OpenCL on the host's cores */
    HY_DEVICE_GPU,
    HY_DEVICE_OTHER
} hy_device_kind;

/* How much a work-item takes: a GPU wants one edge or vertex each, a CPU a
 * chunk of them. */
typedef enum hy_device_shape {
    HY_SHAPE_CHUNKS,
    HY_SHAPE_SINGLES
} hy_device_shape;

enum { HY_DEVICE_NAME = 128 };

typedef struct hy_device_info {
    char name[HY_DEVICE_NAME];
    char platform[HY_DEVICE_NAME]; /* "" for the host */
    hy_device_kind kind;
    hy_device_shape shape;
    uint32_t units;      /* cores, or what the device calls so */
    uint64_t memory;     /* bytes; 0: not known */
    bool has_f64;        /* doubles */
    bool has_atomics_64; /* atomic operations on 64 bits */
    bool is_shared;      /* it works in the host's memory */
} hy_device_info;

/* Writes up to `room` descriptions, the host first, and how many there are to
 * *n.  A machine without OpenCL has the host alone.  HY_ENOMEM. */
HY_MUST hy_status hy_devices(hy_ctx *ctx, uint32_t room, hy_device_info *infos,
                             uint32_t *n);

typedef struct hy_device_opts {
    /* Most bytes it may hold; default 0: three quarters of its memory. */
    uint64_t memory_cap;
    /* Asked before every call of the device's driver; `false` makes the call
     * fail.  Default NULL: all may. */
    bool (*may_call)(void *user);
    void *user;
    /* Work-items take one edge or vertex each, as on a GPU, whatever the kind
     * of the device is. */
    bool wants_singles;
    /* Folder where kernels that were built are kept, to be found by the next
     * process; borrowed until the device is closed.  Default NULL: nothing is
     * kept, but by drivers that do so themselves. */
    const char *cache;
} hy_device_opts;

/* Opens a device: "host"; "auto", a GPU if there is one, else the host; the
 * number of an entry of hy_devices; or part of a name, whatever
 * the case.  `opts` may be NULL.  ctx must outlive it.
 * HY_EINVAL: there is none of that name; HY_EDEVICE; HY_ENOMEM. */
HY_MUST hy_status hy_device_open(hy_ctx *ctx, const char *name,
                                 const hy_device_opts *opts, hy_device **out);

/* Gives back all it holds.  NULL is allowed. */
HY_API void hy_device_close(hy_device *D);

HY_API void hy_device_info_get(const hy_device *D, hy_device_info *info);

/* What it did since it was opened. */
typedef struct hy_device_stats {
    uint64_t bytes;      /* of buffers in use */
    uint64_t spare;      /* bytes of freed buffers, kept for the next */
    uint64_t uploaded;   /* bytes */
    uint64_t downloaded; /* bytes */
    uint64_t launches;   /* of kernels */
    uint64_t mirrored;   /* of uploaded: tables and blocks of graphs */
    uint64_t touched;    /* of mirrored, what would have been enough: blocks
                          * and table pages that had changed, to the byte */
    uint64_t whole;      /* times that a graph was uploaded as a whole */
} hy_device_stats;

HY_API void hy_device_stats_get(const hy_device *D, hy_device_stats *stats);

struct hy_view;
struct hy_edge;

/* Brings the device's copy of V, the newest version of its graph, up to date
 * and waits for it, so that the next question need not.  HY_ENOTSUP: there is
 * a newer version; HY_EFULL, HY_EDEVICE, HY_ENOMEM. */
HY_MUST hy_status hy_device_sync(hy_device *D, const struct hy_view *V);

/* ---- arrays on both sides -------------------------------------------------
 *
 * An array has a copy here and one on a device.  What was written here goes
 * there before the next step that takes it; what steps wrote comes here when
 * it is asked for.  So a loop of steps sends and fetches nothing. */

typedef struct hy_array hy_array;

/* n entries, all 0.  To be freed before the device is closed. */
HY_MUST hy_status hy_array_new(hy_device *D, hy_type type, uint64_t n,
                               hy_array **out);
HY_API void hy_array_free(hy_array *A);

HY_API uint64_t hy_array_size(const hy_array *A);

/* At least n entries; those that are new are 0.  Growing fetches and sends
 * nothing. */
HY_MUST hy_status hy_array_grow(hy_array *A, uint64_t n);

/* Its entries, until the next call or step with it.  HY_EDEVICE: what steps
 * wrote cannot be had. */
HY_MUST hy_status hy_array_read(hy_array *A, const void **at);

/* Entries first .. first + n, to be read and written until the next call or
 * step with it; only their pages are sent.  HY_EINVAL: it has no such
 * entries. */
HY_MUST hy_status hy_array_write(hy_array *A, uint64_t first, uint64_t n,
                                 void **at);

/* Operators, on the device.  x is of u32, and shorter than 2^32.  What they
 * write is not known after a status that is not HY_OK. */
typedef enum hy_reduce {
    HY_REDUCE_SUM,
    HY_REDUCE_MIN,  /* UINT32_MAX of nothing */
    HY_REDUCE_MAX,  /* 0 of nothing */
    HY_REDUCE_COUNT /* of those that are not 0 */
} hy_reduce;

HY_MUST hy_status hy_array_reduce(hy_array *x, hy_reduce what, uint64_t *out);

/* sums[i] <- the sum of x[0 .. i), sums[n] <- of all; of u64, it grows. */
HY_MUST hy_status hy_array_scan(hy_array *x, hy_array *sums);

/* list <- the i with x[i] != 0, ascending, and *n of them; of u32, it
 * grows. */
HY_MUST hy_status hy_array_filter(hy_array *x, hy_array *list, uint64_t *n);

/* Sorts keys of u32 or u64, with values of u32 (NULL: none); those of equal
 * keys stay in order. */
HY_MUST hy_status hy_array_sort(hy_array *keys, hy_array *values);

/* ---- steps of one's own ---------------------------------------------------
 *
 * A step is a function in OpenCL C, given as text, that a device calls for
 * edges, vertices or common neighbours.  The text may use what docs/device.md
 * tells: u32, u64, f64, GLOBAL, ATOMIC_ADD, sets_unite and the others. */

typedef enum hy_step_over {
    /* Every edge: void name(u32 u, u32 v, f64 w, args ...); a vertex's edges
     * are one item's. */
    HY_STEP_EDGES,
    /* Every vertex that is alive: void name(u32 u, args ...). */
    HY_STEP_VERTICES,
    /* Every edge, as EDGES; items have as many each, whatever the degrees. */
    HY_STEP_EDGES_BALANCED,
    /* Edges out of `from`: int name(u32 u, u32 v, f64 w, args ...).  v goes to
     * `to`, once, if any of them is not 0. */
    HY_STEP_ADVANCE,
    /* Vertices of `from` that are alive: int name(u32 u, args ...).  u goes to
     * `to`, once, if it is not 0. */
    HY_STEP_FILTER,
    /* Common neighbours of `pairs`: void name(u32 u, u32 v, u32 x, args ...)
     * for each x that u and v have edges to. */
    HY_STEP_INTERSECT
} hy_step_over;

/* An array, which the step sees as GLOBAL pointer to its type, or one value,
 * which it sees as that type. */
typedef struct hy_step_arg {
    hy_type type;
    uint64_t n;        /* entries; 0: one value */
    const void *input; /* copied there before; NULL: zeros */
    void *result;      /* copied here afterwards; NULL: not wanted */
    /* Default NULL.  Else the argument is this one, on the step's device, and
     * all above is left 0. */
    hy_array *array;
    bool is_only_read; /* the array, by the step: it is not fetched for it */
} hy_step_arg;

enum { HY_STEP_ARGS = 8 };

typedef struct hy_step {
    const char *name;   /* of the function */
    const char *source; /* text that defines it, and what it calls */
    hy_step_over over;
    const char *weight; /* column of edges for w; NULL: 1 for all */
    const hy_step_arg *args;
    uint32_t n_args; /* at most HY_STEP_ARGS */
    /* ADVANCE, FILTER: these; default NULL: all vertices. */
    const hy_vid *from;
    uint64_t n_from;
    /* They write it, in any order, and how many there are; room for
     * hy_view_bound.  NULL: not wanted. */
    hy_vid *to;
    uint64_t *n_to;
    /* INTERSECT: these. */
    const struct hy_edge *pairs;
    uint64_t n_pairs;
} hy_step;

/* Runs the step on V, the newest version of its graph.  Steps on different
 * items run at once: what several write is ATOMIC_.  Text is compiled when it
 * is seen first.  HY_ENOTSUP: the host runs C, not text, and V must be the
 * newest version; HY_EDEVICE: it does not compile, hy_error_text tells what
 * the compiler said; HY_EINVAL: no such column or vertex, too many
 * arguments. */
HY_MUST hy_status hy_device_run(hy_device *D, const struct hy_view *V,
                                const hy_step *step);

#ifdef __cplusplus
}
#endif
#endif
