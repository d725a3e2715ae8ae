/* The vertex table: pages of 64 vertices.
 *
 *   | out slots x 64 | in slots x 64, if kept | column x 64 | column x 64 ...|
 *
 * With mapped ids a column of external ids (u64) comes first.  A version of
 * the graph is a directory: for each 64 vertices the page that holds them, or
 * NO_PAGE where none of them ever was alive.  Pages are in one reservation,
 * addressed by index, and go back to a queue when no version needs them.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include "store/shape.h"
#include "store/slot.h"

#include "base/mem.h"

enum { PAGE_VERTICES = 64 };
#define NO_PAGE UINT32_MAX

enum side { OUT, IN };

/* Where things are in a page, in bytes. */
struct table_layout {
    size_t bytes;
    size_t slots[2]; /* of each side; `in` only with a reverse side */
    size_t external; /* mapped ids only */
    size_t column[MAX_COLUMNS];
    bool reverse, mapped;
};

struct table {
    struct table_layout layout;
    struct base_space space;
    uint32_t n_pages; /* ever used */
    uint64_t *birth;  /* of each page: the epoch it was made in */
    uint32_t *free;   /* pages no version needs; room for all pages */
    uint32_t n_free, pages_room;
};

HY_CHECKED hy_status table_init(hy_ctx *ctx, struct table *T,
                                const struct shape *S, bool reverse);
void table_fini(hy_ctx *ctx, struct table *T);

/* Makes sure that n pages can be taken. */
HY_CHECKED hy_status table_reserve(hy_ctx *ctx, struct table *T, size_t n);

/* Makes the first n pages of an empty table those of a file, from `offset`
 * on: see base_space_map. */
HY_CHECKED hy_status table_map(hy_ctx *ctx, struct table *T, int fd,
                               uint64_t offset, uint32_t n, uint64_t epoch);

/* Takes a page; its bytes are zero if `zero`. */
uint32_t table_take(struct table *T, uint64_t epoch, bool zero);

static inline void table_give(struct table *T, uint32_t page)
{
    T->free[T->n_free++] = page;
}

static inline char *table_page(const struct table *T, uint32_t page)
{
    return T->space.base + (size_t)page * T->layout.bytes;
}

static inline uint64_t table_bytes(const struct table *T)
{
    return (uint64_t)T->n_pages * T->layout.bytes +
           (uint64_t)T->pages_room * (sizeof *T->birth + sizeof *T->free);
}

#endif
