/* What an edge and a vertex carry, and how a block of edges is laid out.
 *
 * A block holds up to `room` entries of one adjacency in lanes:
 *
 *   split        | id x room | column x room | column x room | ... |
 *   interleaved  | id columns | id columns | ...                   |
 *
 * Split, lane 0 is the ids and each column is a lane of its own, widest
 * first, so that every lane starts aligned; interleaved, there is one lane of
 * whole entries that begin with their id.  Lane L starts at byte L.lead * room
 * of the block.  Values travel outside of blocks as records (hypha/base.h).
 */
#ifndef STORE_SHAPE_H
#define STORE_SHAPE_H

#include "base/bits.h"
#include "base/compiler.h"
#include "base/status.h"

#include <hypha/graph.h>

#include <string.h>

enum {
    UNIT = 16,                      /* bytes: what blocks are counted in */
    PAGE_UNITS = 128,               /* the largest block, a page of a hub */
    PAGE_BYTES = PAGE_UNITS * UNIT, /* 2 KiB: docs/bench/store.md */
    MAX_COLUMNS = 32,
    NAME_BYTES = 32
};

struct shape_field {
    char name[NAME_BYTES];
    hy_type type;
    uint32_t width;  /* bytes */
    uint32_t offset; /* in the record */
    uint32_t lane;   /* of a block: which, and where in its entries */
    uint32_t within;
};

/* A list of columns as a C struct would have them. */
struct shape_record {
    uint32_t n;
    size_t size; /* 0 if there are none */
    struct shape_field field[MAX_COLUMNS];
};

struct shape_lane {
    uint32_t lead;  /* bytes per entry of room before this lane */
    uint32_t width; /* bytes per entry */
};

struct shape {
    struct shape_record edge, vertex;
    uint32_t n_lanes;
    struct shape_lane lane[1 + MAX_COLUMNS];
    uint32_t width;     /* bytes per entry, all lanes */
    uint32_t even;      /* room is a multiple of this: 2 if lanes need it */
    uint32_t page_room; /* entries of a page */
    uint32_t page_run;  /* the same if they fill it in one lane, else 0 */
    bool undirected, mapped, no_loops, interleaved;
    hy_slack slack;
    uint32_t slack_amount;
};

/* HY_EINVAL: a bad option. */
HY_CHECKED hy_status shape_init(struct shape *S, const hy_graph_opts *opts);

/* Batches made for A may be committed to a graph of B. */
bool shape_is_same(const struct shape *A, const struct shape *B);

/* Whether two records differ in a column; what lies between columns does not
 * count. */
bool record_differs(const struct shape_record *R, const char *a, const char *b);

/* Copies a value, or a record: most often of four bytes, which is then one
 * instruction and no call. */
static inline void record_copy(void *to, const void *from, size_t size)
{
    if (HY_LIKELY(size == 4))
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

/* A number for the columns of a record. */
uint64_t record_hash(const struct shape_record *R, const char *record);

/* Entries that fit `units`. */
static inline uint32_t shape_room(const struct shape *S, uint32_t units)
{
    if (HY_LIKELY(S->width == 4))
        return units * (UNIT / 4);
    const uint32_t room = units * UNIT / S->width;
    return room - room % S->even;
}

/* Units that fit n entries, n at most a page's. */
static inline uint32_t shape_units(const struct shape *S, uint32_t n)
{
    if (HY_LIKELY(S->width == 4))
        return (n + UNIT / 4 - 1) / (UNIT / 4);
    n += n % S->even;
    return (n * S->width + UNIT - 1) / UNIT;
}

/* n entries and the room the options want beside them, at most a page. */
uint32_t shape_units_loaded(const struct shape *S, uint32_t n);
uint32_t shape_units_grown_as_set(const struct shape *S, uint32_t n);

static inline uint32_t shape_units_grown(const struct shape *S, uint32_t n)
{
    if (HY_UNLIKELY(S->slack || S->width != 4))
        return shape_units_grown_as_set(S, n);
    const uint32_t want = n + n / 8;
    return want >= S->page_room ? PAGE_UNITS : shape_units(S, want);
}

/* ---- entries of blocks --------------------------------------------------
 *
 * Most graphs have no columns: each of these does that case in place, and
 * calls a function for the others. */

static inline bool shape_is_simple(const struct shape *S)
{
    return HY_LIKELY(S->width == sizeof(hy_vid));
}

static inline hy_vid block_id(const struct shape *S, const char *block,
                              uint32_t i)
{
    hy_vid v;
    const size_t step = shape_is_simple(S) ? sizeof v : S->lane[0].width;
    memcpy(&v, block + i * step, sizeof v);
    return v;
}

static inline char *block_at(const struct shape *S, char *block, uint32_t room,
                             uint32_t lane, uint32_t i)
{
    return block + (size_t)S->lane[lane].lead * room +
           (size_t)S->lane[lane].width * i;
}

void block_copy_lanes(const struct shape *S, char *to, uint32_t to_room,
                      uint32_t at, const char *from, uint32_t from_room,
                      uint32_t first, uint32_t n);
void block_shift_lanes(const struct shape *S, char *block, uint32_t room,
                       uint32_t at, uint32_t first, uint32_t n);

/* Where ids are interleaved with columns. */
uint32_t block_search_wide(const struct shape *S, const char *block,
                           uint32_t first, uint32_t n, hy_vid v);

/* Writes the columns of entry i; `record` NULL is zeros. */
void block_set(const struct shape *S, char *block, uint32_t room, uint32_t i,
               const void *record);

/* Reads the columns of entry i. */
void block_get(const struct shape *S, const char *block, uint32_t room,
               uint32_t i, void *record);

/* Makes the room of a block of n entries smaller: moves its lanes. */
void block_squeeze(const struct shape *S, char *block, uint32_t room,
                   uint32_t smaller, uint32_t n);

/* Copies n entries between blocks that do not overlap. */
static inline void block_copy(const struct shape *S, char *to, uint32_t to_room,
                              uint32_t at, const char *from, uint32_t from_room,
                              uint32_t first, uint32_t n)
{
    if (shape_is_simple(S))
        memcpy(to + at * sizeof(hy_vid), from + first * sizeof(hy_vid),
               n * sizeof(hy_vid));
    else
        block_copy_lanes(S, to, to_room, at, from, from_room, first, n);
}

/* Moves n entries inside a block, `first` to `at`. */
static inline void block_shift(const struct shape *S, char *block,
                               uint32_t room, uint32_t at, uint32_t first,
                               uint32_t n)
{
    if (shape_is_simple(S))
        memmove(block + at * sizeof(hy_vid), block + first * sizeof(hy_vid),
                n * sizeof(hy_vid));
    else
        block_shift_lanes(S, block, room, at, first, n);
}

/* Writes entry i. */
static inline void block_put(const struct shape *S, char *block, uint32_t room,
                             uint32_t i, hy_vid v, const void *record)
{
    if (shape_is_simple(S)) {
        memcpy(block + i * sizeof v, &v, sizeof v);
        return;
    }
    memcpy(block_at(S, block, room, 0, i), &v, sizeof v);
    block_set(S, block, room, i, record);
}

/* Ids from `from` on, below from + 2^32 / inverse: taken to be spread evenly,
 * for guesses of where one of them is that need no look at them. */
struct spread {
    hy_vid from;
    uint32_t inverse;
};

static inline struct spread spread_of(hy_vid from, uint64_t end)
{
    const uint64_t range = end > from ? end - from : 1;
    return (struct spread){ .from = from,
                            .inverse = (uint32_t)(UINT32_MAX / range) };
}

/* Where v would be among n such ids. */
static inline uint32_t guess(struct spread even, hy_vid v, uint32_t n)
{
    const hy_vid off = v > even.from ? v - even.from : 0;
    const uint64_t share = (uint64_t)off * even.inverse; /* of 2^32 */
    return (uint32_t)((share < UINT32_MAX ? share : UINT32_MAX) * n >> 32);
}

/* Which half is a coin toss that no branch predicts: hence sums, and for few
 * ids a fixed number of steps, so that no loop ends by surprise either. */
enum { SEARCH_FEW = 63 };

static inline uint32_t search_few(const hy_vid *id, uint32_t n, hy_vid v)
{
    uint32_t pos = 0;
    if (!n)
        return 0;
#pragma GCC unroll 6
    for (uint32_t step = (SEARCH_FEW + 1) / 2; step; step /= 2) {
        const uint32_t next = pos + step, in = next <= n;
        const uint32_t less = id[in ? next - 1 : 0] < v;
        pos += step & (0u - (in & less));
    }
    return pos;
}

static inline uint32_t search_half(const hy_vid *id, uint32_t lo, uint32_t hi,
                                   hy_vid v)
{
    if (hi - lo <= SEARCH_FEW)
        return lo + search_few(id + lo, hi - lo, v);
    while (hi - lo > SEARCH_FEW) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (id[middle] < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo + search_few(id + lo, hi - lo, v);
}

/* From the guess outwards in growing steps, so that what is cold and far
 * from it is not touched. */
static inline uint32_t search_near(const hy_vid *id, uint32_t lo, uint32_t hi,
                                   hy_vid v, uint32_t near)
{
    uint32_t step = 16; /* a cache line */
    near = near < lo ? lo : near >= hi ? hi - 1 : near;
    if (id[near] < v) {
        for (lo = near + 1; hi - lo > step && id[lo + step - 1] < v; step *= 2)
            lo += step;
        hi = hi - lo > step ? lo + step : hi;
    } else {
        for (hi = near; hi - lo > step && id[hi - step] >= v; step *= 2)
            hi -= step;
        lo = hi - lo > step ? hi - step : lo;
    }
    return search_half(id, lo, hi, v);
}

/* The first of the n ids from `first` on that is not below v. */
static inline uint32_t block_search(const struct shape *S, const char *block,
                                    uint32_t first, uint32_t n, hy_vid v,
                                    struct spread even)
{
    if (HY_UNLIKELY(S->lane[0].width != sizeof v))
        return block_search_wide(S, block, first, n, v);
    const hy_vid *id = (const hy_vid *)(const void *)block;
    if (n - first <= SEARCH_FEW)
        return first + search_few(id + first, n - first, v);
    return search_near(id, first, n, v, guess(even, v, n));
}

#endif
