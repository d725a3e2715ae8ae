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
    PAGE_BYTES = PAGE_UNITS * UNIT, /* chosen by measurement: bench/README.md */
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
    bool undirected, mapped, no_loops, interleaved;
    hy_slack slack;
    uint32_t slack_amount;
};

/* HY_EINVAL: a bad option. */
HY_MUST hy_status shape_init(struct shape *S, const hy_graph_opts *opts);

/* Batches made for A may be committed to a graph of B. */
bool shape_is_same(const struct shape *A, const struct shape *B);

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
uint32_t shape_units_grown(const struct shape *S, uint32_t n);

/* ---- entries of blocks --------------------------------------------------*/

static inline hy_vid block_id(const struct shape *S, const char *block,
                              uint32_t i)
{
    hy_vid v;
    memcpy(&v, block + (size_t)i * S->lane[0].width, sizeof v);
    return v;
}

static inline char *block_at(const struct shape *S, char *block, uint32_t room,
                             uint32_t lane, uint32_t i)
{
    return block + (size_t)S->lane[lane].lead * room +
           (size_t)S->lane[lane].width * i;
}

/* Copies n entries between blocks that do not overlap. */
void block_copy(const struct shape *S, char *to, uint32_t to_room, uint32_t at,
                const char *from, uint32_t from_room, uint32_t first,
                uint32_t n);

/* Moves n entries inside a block, `first` to `at`. */
void block_shift(const struct shape *S, char *block, uint32_t room, uint32_t at,
                 uint32_t first, uint32_t n);

/* Writes entry i; `record` NULL is zeros. */
void block_put(const struct shape *S, char *block, uint32_t room, uint32_t i,
               hy_vid v, const void *record);

/* Writes the columns of entry i. */
void block_set(const struct shape *S, char *block, uint32_t room, uint32_t i,
               const void *record);

/* Reads the columns of entry i. */
void block_get(const struct shape *S, const char *block, uint32_t room,
               uint32_t i, void *record);

/* Makes the room of a block of n entries smaller: moves its lanes. */
void block_squeeze(const struct shape *S, char *block, uint32_t room,
                   uint32_t smaller, uint32_t n);

/* The first of the n ids from `first` on that is not below v. */
uint32_t block_search(const struct shape *S, const char *block, uint32_t first,
                      uint32_t n, hy_vid v);

#endif
