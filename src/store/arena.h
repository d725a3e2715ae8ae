/* One reservation of address space that all adjacencies of a graph live in,
 * cut into units of 16 bytes and addressed by their index.
 *
 * Free memory is pieces, kept by size in bins: one bin for each length up to
 * a page, one for all that is longer.  Each lane (a thread at work on a
 * commit) has bins of its own, so that it frees and cuts without a lock, and
 * what it frees it can cut again at once, warm from the cache.  The last lane
 * is nobody's: the commons.  What views leave and what a sweep finds goes
 * there, and a lane that runs out takes a node of it, under a lock; between
 * commits it also gets pieces of those who have many, if somebody had to do
 * without.  A request takes the shortest piece that fits, and all of it if
 * little would be left; only when no piece fits, the untouched end (`top`) is
 * cut.  No size is tied to a class, so that memory freed by one part of the
 * graph fits any other.  When the end grew although much is free, a sweep sorts
 * all pieces by address and merges neighbours.
 *
 * Rules
 *   1 Unit 0 is never used: address 0 is "no block".
 *   2 A unit is in one place only: in a live block, in a bin, in the dead list
 *     of a view, or in the granule of a lane.  hy_graph_check adds them up.
 *   3 Nothing here fails after arena_reserve: lanes can then cut what was
 *     reserved, and free as many pieces as were reserved.
 */
#ifndef STORE_ARENA_H
#define STORE_ARENA_H

#include "base/compiler.h"
#include "base/mem.h"
#include "par/lock.h"

#include <stdatomic.h>

/* Units from `at` on, in one word that sorts by address:
 *   63      free for the table's use (graph.h)
 *   62..23  address in units
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

enum {
    BIN_LONGEST = 128,          /* units: of a page, the largest request */
    BIN_LONG = BIN_LONGEST + 1, /* the bin of all that is longer */
    BINS = BIN_LONG + 1,
    BIN_WORDS = BINS / 64 + 1, /* of a set of bins */
    NODE_PIECES = 15
};

/* A part of a bin: a stack of stacks.  128 bytes. */
struct bin_node {
    uint32_t n, next; /* next: index of a node, NO_NODE at the end */
    piece at[NODE_PIECES];
};

#define NO_NODE UINT32_MAX

struct arena_lane {
    uint64_t at, end;                 /* granule of the end that it cuts */
    uint64_t filled[BIN_WORDS];       /* set of bins that hold something */
    uint32_t bin[BINS];               /* node on top, or NO_NODE */
    uint32_t spare;                   /* nodes it emptied; NO_NODE at the end */
    uint64_t free_units, free_pieces; /* in its bins */
    uint64_t lacked; /* units cut from the end since the last settling */
    char apart[64];  /* lanes share no cache line */
};

struct arena {
    struct base_space space;
    _Atomic uint64_t top; /* units ever cut; relaxed: claimed, then private */
    uint64_t top_swept;   /* top after the last sweep */
    struct arena_lane *lane;
    size_t n_lanes;       /* those of threads and, behind them, the commons */
    struct par_lock lock; /* of the commons, while lanes are at work */
    _Atomic uint64_t common[BIN_WORDS]; /* its bins; relaxed: a hint */
    bool alone; /* one lane is at work: it may cut from all bins */
    bool tight; /* near the cap: one lane must do */
    struct bin_node *node;
    uint32_t nodes_room;
    uint32_t *spare;          /* nodes in no bin: a stack */
    _Atomic uint32_t n_spare; /* relaxed: claimed, then private */
    size_t promised;  /* pieces in dead lists: nodes are there for them */
    uint64_t granule; /* units a lane takes from the end at a time */
};

HY_CHECKED hy_status arena_init(hy_ctx *ctx, struct arena *A, uint64_t bytes,
                                size_t lanes);
void arena_fini(hy_ctx *ctx, struct arena *A);

/* Makes the first `units` of an empty arena those of a file, all of them in
 * blocks, from `offset` on: see base_space_map. */
HY_CHECKED hy_status arena_map(hy_ctx *ctx, struct arena *A, int fd,
                               uint64_t offset, uint64_t units);

void arena_lane_init(struct arena_lane *L);

/* The lane that is nobody's. */
static inline struct arena_lane *arena_commons(struct arena *A)
{
    return &A->lane[A->n_lanes - 1];
}

/* Makes sure that `units` can be cut, even if no piece fits, and that
 * `pieces` can be freed.  `cap` is the most bytes the arena may take, its
 * nodes included. */
HY_CHECKED hy_status arena_reserve(hy_ctx *ctx, struct arena *A, uint64_t units,
                                   size_t pieces, uint64_t cap);

/* Between commits: nodes that lanes emptied go back to all; pieces of who has
 * most become common if somebody had to cut from the end. */
void arena_settle(struct arena *A);

uint32_t arena_take_node(struct arena *A, struct arena_lane *L);

/* Frees a piece into the lane's bins. */
static inline void arena_free(struct arena *A, struct arena_lane *L, piece p)
{
    const uint64_t units = piece_units(p);
    const uint32_t b = units > BIN_LONGEST ? BIN_LONG : (uint32_t)units;
    uint32_t top = L->bin[b];
    if (top == NO_NODE || A->node[top].n == NODE_PIECES) {
        const uint32_t fresh = arena_take_node(A, L);
        A->node[fresh].n = 0;
        A->node[fresh].next = top;
        L->bin[b] = top = fresh;
        L->filled[b / 64] |= (uint64_t)1 << (b % 64);
    }
    A->node[top].at[A->node[top].n++] = p;
    L->free_units += units;
    L->free_pieces++;
}

/* Cuts a block of at least `units`; may be a little longer. */
piece arena_cut(struct arena *A, struct arena_lane *L, uint32_t units);

/* Calls f on every free piece, granules included, until it says false. */
bool arena_each_free(const struct arena *A, bool (*f)(void *arg, piece p),
                     void *arg);

/* Units in bins and granules. */
uint64_t arena_free_units(const struct arena *A);

/* Bytes that the blocks take, live and free; and the bins' nodes. */
static inline uint64_t arena_bytes(const struct arena *A)
{
    return 16 * atomic_load_explicit(&A->top, memory_order_relaxed);
}

static inline uint64_t arena_node_bytes(const struct arena *A)
{
    return A->nodes_room * (sizeof *A->node + sizeof *A->spare) +
           A->n_lanes * sizeof *A->lane;
}

static inline char *arena_block(const char *base, uint64_t at)
{
    return (char *)(uintptr_t)base + at * 16;
}

#endif
