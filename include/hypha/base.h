/* The ground of hypha: statuses, errors, contexts, column types.
 *
 * The library prints nothing, exits nowhere and keeps no mutable global.
 * Whatever can fail returns a hy_status; outputs are untouched on failure.
 */
#ifndef HY_BASE_H
#define HY_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HY_VERSION_MAJOR 0
#define HY_VERSION_MINOR 1
#define HY_VERSION_PATCH 0

#if defined(__GNUC__)
#define HY_API __attribute__((visibility("default")))
#define HY_MUST HY_API __attribute__((warn_unused_result))
#else
#define HY_API
#define HY_MUST
#endif

/* A vertex of one graph: dense, and never shifted by a change. */
typedef uint32_t hy_vid;

/* No vertex; also the bound of ids: a graph has at most HY_NONE of them. */
#define HY_NONE UINT32_MAX

/* code, text */
#define HY_STATUS_MAP(X)                                                       \
    X(HY_OK, "done")                                                           \
    X(HY_EINVAL, "invalid argument")                                           \
    X(HY_ENOMEM, "out of memory")                                              \
    X(HY_ERANGE, "id out of range")                                            \
    X(HY_EFULL, "a limit of the graph is reached")                             \
    X(HY_ESTATE, "not possible in this state")                                 \
    X(HY_ENOTSUP, "not supported")                                             \
    X(HY_EIO, "input or output failed")                                        \
    X(HY_EFORMAT, "malformed input")                                           \
    X(HY_ESTOPPED, "stopped by the caller")                                    \
    X(HY_EDEVICE, "the device failed")                                         \
    X(HY_EBUG, "internal error")

typedef enum hy_status {
#define HY_STATUS_ENUM(code, text) code,
    HY_STATUS_MAP(HY_STATUS_ENUM)
#undef HY_STATUS_ENUM
} hy_status;

/* The text of a status code; "unknown status" for anything else. */
HY_API const char *hy_status_text(hy_status status);

/* Details of this thread's last failure, "" if there was none.  Valid until
 * this thread's next call of the library. */
HY_API const char *hy_error_text(void);

/* The version of the library that is linked, as "0.1.0". */
HY_API const char *hy_version(void);

/* Seconds on a clock that never goes back; only differences mean anything. */
HY_API double hy_clock(void);

/* What an application shares between its graphs: threads and memory rules. */
typedef struct hy_ctx hy_ctx;

typedef struct hy_ctx_opts {
    /* Threads that work on one call, the caller's among them.
     * Default 0: one per core this process may run on. */
    uint32_t threads;
    /* Asked before every allocation, of heap or of pages; `false` makes it
     * fail.  May be called from several threads.  Default NULL: all may. */
    bool (*may_alloc)(void *user, size_t bytes);
    void *user;
} hy_ctx_opts;

/* Makes a context.  `opts` may be NULL.  HY_ENOMEM: no memory or no thread. */
HY_MUST hy_status hy_ctx_new(const hy_ctx_opts *opts, hy_ctx **out);

/* Frees it, after everything that was made with it.  NULL is allowed. */
HY_API void hy_ctx_free(hy_ctx *ctx);

/* Threads that work on one call. */
HY_API uint32_t hy_ctx_threads(const hy_ctx *ctx);

/* Bytes that everything made with this context holds now: of the heap, and
 * of address space that is open, whether it was touched or not.  Not counted
 * are a few blocks, of 1 to 40 MiB, that were freed and are kept for the next
 * call. */
HY_API uint64_t hy_ctx_bytes(const hy_ctx *ctx);

/* Types of columns: code, width in bytes */
#define HY_TYPE_MAP(X)                                                         \
    X(HY_U8, 1)                                                                \
    X(HY_U16, 2)                                                               \
    X(HY_U32, 4)                                                               \
    X(HY_U64, 8)                                                               \
    X(HY_I32, 4)                                                               \
    X(HY_I64, 8)                                                               \
    X(HY_F32, 4)                                                               \
    X(HY_F64, 8)

typedef enum hy_type {
#define HY_TYPE_ENUM(code, width) code,
    HY_TYPE_MAP(HY_TYPE_ENUM)
#undef HY_TYPE_ENUM
} hy_type;

/* Bytes of one value, 0 for what is no type. */
HY_API size_t hy_type_width(hy_type type);

/* "u8", "i32", ...; NULL for what is no type. */
HY_API const char *hy_type_name(hy_type type);

/* A named column of edges or vertices.
 *
 * Values travel in records: the columns in their order as a C compiler would
 * lay them out in a struct, so that one f32 column is a `float` and weight,
 * type, from, until is struct { float; uint32_t; uint64_t; uint64_t; }. */
typedef struct hy_column {
    const char *name; /* at most 31 bytes, unique in its list */
    hy_type type;
} hy_column;

#ifdef __cplusplus
}
#endif
#endif
