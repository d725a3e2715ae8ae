/* Vertex ids: which are alive, which are free, which external id is which.
 *
 *   alive    the writer's set of vertices that are there
 *   queue    ids that were deleted, oldest first; an id is in it at most once
 *            (`queued`), and may be alive again if it was inserted by name
 *   map      external id -> vertex, open addressing, at most 5/8 full;
 *            mapped ids only, guarded by the graph's lock against readers
 *
 * Nothing here fails after ids_reserve.
 */
#ifndef STORE_IDS_H
#define STORE_IDS_H

#include "base/bits.h"
#include "base/mem.h"

struct ids {
    uint64_t *alive, *queued;
    size_t words;
    hy_vid *queue; /* a ring */
    size_t head, n_queued, queue_room;
    struct ids_entry *map;
    size_t map_room, n_mapped; /* room is a power of two, or 0 */
};

struct ids_entry {
    uint64_t external;
    hy_vid vertex; /* HY_NONE: empty */
};

void ids_fini(hy_ctx *ctx, struct ids *I);
uint64_t ids_bytes(const struct ids *I);

/* Room for ids below `bound`, for `queue` more ids in the queue, and for
 * `map` more external ids. */
HY_CHECKED hy_status ids_reserve(hy_ctx *ctx, struct ids *I, uint64_t bound,
                                 size_t queue, size_t map);

/* Most bytes that would take. */
uint64_t ids_growth(const struct ids *I, uint64_t bound, size_t queue,
                    size_t map);

static inline bool ids_is_alive(const struct ids *I, hy_vid u)
{
    return bits_has(I->alive, u);
}

/* Puts a deleted id at the end of the queue. */
void ids_enqueue(struct ids *I, hy_vid u);

/* The id that waited longest, HY_NONE if there is none. */
hy_vid ids_dequeue(struct ids *I);

/* Where the queue stands; ids_rewind puts back all that was taken since, if
 * nothing was put in. */
struct ids_mark {
    size_t head, n_queued;
};

static inline struct ids_mark ids_mark(const struct ids *I)
{
    return (struct ids_mark){ .head = I->head, .n_queued = I->n_queued };
}

void ids_rewind(struct ids *I, struct ids_mark mark);

hy_vid ids_find(const struct ids *I, uint64_t external);
void ids_map(struct ids *I, uint64_t external, hy_vid u);
void ids_unmap(struct ids *I, uint64_t external);

#endif
