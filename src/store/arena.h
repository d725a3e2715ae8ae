/* One reservation of address space that all adjacencies of a graph live in,
 * cut into units of 16 bytes and addressed by their index.
 *
 * Free memory is a queue of pieces.  What commits free is appended to
 * `freed`; a sweep sorts that by address, merges neighbours, and makes it the
 * queue of `hole`s, ascending.  Blocks are cut from holes in that order, and
 * only then from the untouched end (`top`): a batch is sorted by vertex, so
 * what it moves lies in vertex order again, whole pages of it at a time.  No
 * size is tied to a class, so that memory freed by one part of the graph fits
 * any other.
 *
 * Rules
 *   1 Unit 0 is never used: address 0 is "no block".
 *   2 A piece is in one place only: in a live block, in `hole`, in `freed`,
 *     in the dead list of a view, or in a cursor.  arena_check's caller adds
 *     them up.
 *   3 Nothing here fails after arena_reserve: a cursor can then cut what was
 *     reserved, and drop as many pieces as were reserved.
 */
#ifndef STORE_ARENA_H
#define STORE_ARENA_H

#include "base/compiler.h"
#include "base/mem.h"

#include <stdatomic.h>

/* Units from `at` on, in one word that sorts by address:
 *   63..23  address in units (40 bits; the top bit is free for the table)
 *   22..0   length in units */
typedef uint64_t piece;

enum { PIECE_LENGTH_BITS = 23 };
#define PIECE_MAX (((uint64_t)1 << PIECE_LENGTH_BITS) - 1)
#define ARENA_MAX_UNITS ((uint64_t)1 << 40)

static inline piece piece_of(uint64_t at, uint64_t units)
{
    return at << PIECE_LENGTH_BITS | units;
}

static inline uint64_t piece_at(piece p)
{
    return p >> PIECE_LENGTH_BITS;
}

static inline uint64_t piece_units(piece p)
{
    return p & PIECE_MAX;
}

struct arena {
    struct base_space space;
    _Atomic uint64_t top; /* units ever cut; relaxed: claimed, then private */
    piece *hole;          /* ascending; a hole used up has length 0 */
    size_t n_holes;
    _Atomic size_t next_hole; /* the first that no cursor took; relaxed */
    piece *freed;
    size_t n_freed, freed_room;
    uint64_t freed_units;
    size_t promised; /* pieces in dead lists: `freed` has room for them */
    struct arena_cursor *cursor; /* one for each thread that may cut */
    size_t n_cursors;
    uint64_t granule; /* units a cursor takes from the end at a time */
};

/* Where one thread cuts blocks: a hole it claimed, or a granule of the end.
 * It keeps its place from commit to commit. */
struct arena_cursor {
    uint64_t at, end;
    size_t hole; /* index of the hole it cuts, or NO_HOLE */
};

#define NO_HOLE SIZE_MAX

HY_MUST hy_status arena_init(hy_ctx *ctx, struct arena *A, uint64_t bytes,
                             size_t cursors);
void arena_fini(hy_ctx *ctx, struct arena *A);

/* Makes sure that `units` can be cut, even if no hole fits, and that
 * `pieces` can be freed.  Sweeps first if that saves growing.  `cap` is the
 * most bytes the arena may take. */
HY_MUST hy_status arena_reserve(hy_ctx *ctx, struct arena *A, uint64_t units,
                                size_t pieces, uint64_t cap);

/* Sorts what was freed into the holes.  Skipped without memory. */
void arena_sweep(hy_ctx *ctx, struct arena *A);

/* Adds a piece to what is free.  Room for it was reserved. */
static inline void arena_free(struct arena *A, piece p)
{
    A->freed[A->n_freed++] = p;
    A->freed_units += piece_units(p);
}

uint64_t arena_cut_slow(struct arena *A, struct arena_cursor *c,
                        uint32_t units, piece *left);

/* Cuts a block and returns its address.  *left is what remains of a granule
 * that is given up, or a piece of length 0: the caller frees it. */
static inline uint64_t arena_cut(struct arena *A, struct arena_cursor *c,
                                 uint32_t units, piece *left)
{
    *left = 0;
    if (HY_UNLIKELY(c->end - c->at < units))
        return arena_cut_slow(A, c, units, left);
    c->at += units;
    return c->at - units;
}

/* Pieces that cutting `units` may leave over. */
static inline size_t arena_leftovers(uint64_t units)
{
    return (size_t)(units / 2048) + 1;
}

/* Bytes that the arena takes. */
static inline uint64_t arena_bytes(const struct arena *A)
{
    return 16 * atomic_load_explicit(&A->top, memory_order_relaxed);
}

static inline char *arena_block(const char *base, uint64_t at)
{
    return (char *)(uintptr_t)base + at * 16;
}

#endif
