/* A device: a table of functions, and what is counted the same for all.
 *
 *     struct device_buf b;
 *     HY_TRY(device_alloc(D, &b, bytes));
 *     HY_TRY(device_write(D, &b, 0, bytes, from));
 *     const struct device_arg args[] = { DEVICE_BUF(&b), DEVICE_U32(n) };
 *     HY_TRY(device_launch(D, "twice", items, args, 2));
 *     HY_TRY(device_read(D, &b, 0, bytes, to));
 *     device_free(D, &b);
 *
 * Calls are carried out in the order they are made.  Only device_read and
 * device_finish wait; what device_write is given may be changed when it
 * returns.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/mem.h"

#include <hypha/device.h>

struct mirror;

/* Memory on a device.  All zero: none. */
struct device_buf {
    void *handle;
    size_t bytes;
};

struct device_arg {
    enum { DEVICE_ARG_BUF, DEVICE_ARG_VALUE } kind;
    const struct device_buf *buf;
    size_t size;
    union {
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } value;
};

#define DEVICE_BUF(b)                                                          \
    ((struct device_arg){ .kind = DEVICE_ARG_BUF, .buf = (b) })
#define DEVICE_VALUE(member, x)                                                \
    ((struct device_arg){                                                      \
        .kind = DEVICE_ARG_VALUE, .size = sizeof(x), .value.member = (x) })
#define DEVICE_U32(x) DEVICE_VALUE(u32, (uint32_t)(x))
#define DEVICE_U64(x) DEVICE_VALUE(u64, (uint64_t)(x))
#define DEVICE_F64(x) DEVICE_VALUE(f64, (double)(x))

enum { DEVICE_ARGS = 16, DEVICE_SPARES = 8 };

/* What a kind of device does.  Buffers are large enough; nothing is empty. */
struct device_table {
    hy_status (*alloc)(hy_device *D, size_t bytes, void **handle);
    void (*free)(hy_device *D, void *handle);
    hy_status (*write)(hy_device *D, void *handle, size_t at, size_t bytes,
                       const void *from);
    hy_status (*read)(hy_device *D, void *handle, size_t at, size_t bytes,
                      void *to);
    hy_status (*copy)(hy_device *D, void *from, void *to, size_t bytes);
    hy_status (*fill)(hy_device *D, void *handle, size_t at, size_t bytes,
                      uint32_t word);
    hy_status (*launch)(hy_device *D, const char *kernel, size_t items,
                        const struct device_arg *args, uint32_t n_args);
    /* The same for a kernel in text of its own; NULL: only C runs here. */
    hy_status (*launch_text)(hy_device *D, const char *text, const char *kernel,
                             size_t items, const struct device_arg *args,
                             uint32_t n_args);
    hy_status (*finish)(hy_device *D);
    void (*close)(hy_device *D);
};

struct hy_device {
    const struct device_table *table;
    hy_ctx *ctx;
    hy_device_info info;
    hy_device_opts opts;
    uint64_t cap;
    hy_device_stats stats;
    struct device_buf spare[DEVICE_SPARES]; /* freed, for the next */
    size_t next_spare;                      /* the oldest */
    struct mirror *mirrors;                 /* of graphs, by mirror.c */
    void *own;                              /* of the kind */
};

/* Holds at least `bytes`, whatever was there.  HY_EFULL: past the cap;
 * HY_EDEVICE: the driver says no. */
HY_CHECKED hy_status device_alloc(hy_device *D, struct device_buf *b,
                                  size_t bytes);
void device_free(hy_device *D, struct device_buf *b);

/* Room for `bytes`, with what is there kept; grows by an eighth more. */
HY_CHECKED hy_status device_grow(hy_device *D, struct device_buf *b,
                                 size_t bytes);

/* Any of these with 0 bytes does nothing. */
HY_CHECKED hy_status device_write(hy_device *D, const struct device_buf *b,
                                  size_t at, size_t bytes, const void *from);
HY_CHECKED hy_status device_read(hy_device *D, const struct device_buf *b,
                                 size_t at, size_t bytes, void *to);

/* Bytes `at`, `bytes` are multiples of 4. */
HY_CHECKED hy_status device_fill(hy_device *D, const struct device_buf *b,
                                 size_t at, size_t bytes, uint32_t word);

/* Runs the kernel for items 0 .. items - 1, and for some more, which it must
 * not do anything for. */
HY_CHECKED hy_status device_launch(hy_device *D, const char *kernel,
                                   size_t items, const struct device_arg *args,
                                   uint32_t n_args);
HY_CHECKED hy_status device_finish(hy_device *D);

/* How many of n things an item takes: `chunk` on devices that want chunks,
 * `single` on those that want one for each item. */
static inline uint32_t device_grain(const hy_device *D, uint32_t chunk,
                                    uint32_t single)
{
    return D->info.shape == HY_SHAPE_CHUNKS ? chunk : single;
}

/* ---- kinds --------------------------------------------------------------- */

/* Fills *info; D is opened as that device. */
void host_describe(hy_ctx *ctx, hy_device_info *info);
HY_CHECKED hy_status host_open(hy_device *D);

/* Devices that OpenCL finds, 0 without it.  The i-th is described, or
 * opened. */
uint32_t opencl_count(void);
void opencl_describe(uint32_t i, hy_device_info *info);
HY_CHECKED hy_status opencl_open(hy_device *D, uint32_t i);

/* ---- kernels ------------------------------------------------------------- */

/* Text of OpenCL C: kernel.h, graph.cl and a file of kernels are a program. */
struct device_text {
    const char *name; /* "kernel.h", "graph.cl", "spmv.cl" */
    const char *text;
};
extern const struct device_text device_texts[]; /* up to a NULL name */

/* A kernel, the file it is in, and how the host runs it. */
struct device_kernel {
    const char *name;
    const char *file;
    void (*run)(uint32_t item, const void *const *arg);
};
extern const struct device_kernel device_kernels[]; /* up to a NULL name */

/* NULL: there is none. */
const struct device_kernel *device_find_kernel(const char *name);

#endif
