/* Memory: the heap and reserved address space, both counted and both made to
 * fail in tests through the context's `may_alloc`. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/status.h"

#include <stdatomic.h>

struct par_pool;

enum { BASE_SPARES = 8 };

struct hy_ctx {
    bool (*may_alloc)(void *user, size_t bytes);
    void *user;
    _Atomic uint64_t bytes; /* relaxed: a counter */
    /* Large blocks that were freed, for the next that asks: see mem.c. */
    _Atomic(void *) spare[BASE_SPARES];
    struct par_pool *pool; /* owned by par/ctx.c */
};

/* n * size bytes, zeroed; NULL and an error text on overflow or exhaustion.
 * n * size = 0 gives a block that must not be looked into. */
void *base_alloc(hy_ctx *ctx, size_t n, size_t size);

/* The same, not zeroed. */
void *base_alloc_raw(hy_ctx *ctx, size_t n, size_t size);

/* Grows or shrinks to n * size bytes; on failure `p` stays as it was. */
void *base_resize(hy_ctx *ctx, void *p, size_t n, size_t size);

/* NULL is allowed. */
void base_free(hy_ctx *ctx, void *p);

/* Gives back to the system what base_free kept for the next. */
void base_trim(hy_ctx *ctx);

/* A reservation of address space, usable from its start up to `usable`.
 * Pages take memory when they are first touched. */
struct base_space {
    char *base;
    size_t reserved; /* bytes of address space */
    size_t usable;   /* bytes that may be touched */
    size_t mapped;   /* of these: a file's, not counted */
};

/* Reserves `bytes` or, where the system has no such room, half of it, a
 * quarter, … but at least `least`. */
HY_CHECKED hy_status base_space_init(hy_ctx *ctx, struct base_space *space,
                                     size_t bytes, size_t least);

/* Makes the first `bytes` usable.  HY_EFULL past the reservation, HY_ENOMEM;
 * `usable` is unchanged then. */
HY_CHECKED hy_status base_space_grow(hy_ctx *ctx, struct base_space *space,
                                     size_t bytes);

/* Makes the first `bytes` of an empty space those of an open file from
 * `offset` on, which must be there.  They are private: what is changed takes
 * memory and never reaches the file; what is not takes none, is not counted,
 * and is the file's for as long as the space lives, even if it loses its
 * name.  (Where `offset` is no multiple of the system's page, the bytes are
 * read instead.)  The space can grow past them.
 * HY_EFULL past the reservation, HY_ENOMEM, HY_EIO. */
HY_CHECKED hy_status base_space_map(hy_ctx *ctx, struct base_space *space,
                                    int fd, uint64_t offset, size_t bytes);

/* Gives everything back.  A zeroed space is allowed. */
void base_space_fini(hy_ctx *ctx, struct base_space *space);

/* A file, mapped to be read.  Takes no memory of the context: the system may
 * drop its pages at any time. */
struct base_map {
    const char *at;
    size_t n;
};

/* Maps the first n > 0 bytes of an open file.  HY_ENOMEM, HY_EIO. */
HY_CHECKED hy_status base_map_init(hy_ctx *ctx, struct base_map *map, int fd,
                                   size_t n);

/* Lets go of the pages that lie within from..to; they can be read again. */
void base_map_drop(const struct base_map *map, size_t from, size_t to);

/* A zeroed map is allowed. */
void base_map_fini(struct base_map *map);

#endif
