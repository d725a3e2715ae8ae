/* Vertex ids: which are alive, which are free, which external id is which.
 *
 *   alive    the writer's set of vertices that are there
 *   queue    ids that were deleted, oldest first; an id is in it at most once
 *            (`queued`), and may be alive again if it was inserted by name
 *   direct   external id -> vertex, an array: of ids below `limit`
 *   map      external id -> vertex, open addressing, at most 5/8 full: of the
 *            others
 *
 * The last two are of mapped ids only, and guarded by the graph's lock
 * against readers.  `limit` is the largest power of two of which a fourth is
 * in use when room is made, so that integers that are nearly dense are not
 * hashed, and take at most 16 bytes each; it goes down when less than a 32nd
 * is.  No more of the array is there than the greatest id needs.
 *
 * Nothing here fails after ids_reserve.
 */
#ifndef STORE_IDS_H
#define STORE_IDS_H

#include "base/bits.h"
#include "base/mem.h"
#include "base/random.h"

enum { IDS_WIDTHS = 65 };

/* External ids by their width in bits. */
struct ids_widths {
    uint64_t n[IDS_WIDTHS];
    uint64_t most[IDS_WIDTHS]; /* no id of that width is greater */
};

struct ids {
    uint64_t *alive, *queued;
    size_t words;
    hy_vid *queue; /* a ring */
    size_t head, n_queued, queue_room;
    uint32_t *direct; /* the vertex + 1; 0: none */
    uint64_t limit, direct_room;
    struct ids_entry *map;
    size_t map_room, n_hashed; /* room is a power of two, or 0 */
    uint64_t n_mapped;
    struct ids_widths widths; /* of what is mapped */
    /* Arrays may lie in here instead of on the heap: a file's, see image.h.
     * They leave it when they grow. */
    struct base_space image;
};

struct ids_entry {
    uint64_t external;
    hy_vid vertex; /* HY_NONE: empty */
    uint32_t zero;
};

void ids_fini(hy_ctx *ctx, struct ids *I);
uint64_t ids_bytes(const struct ids *I);

static inline void ids_widths_add(struct ids_widths *W, uint64_t external)
{
    const unsigned w = bits_width(external);
    W->n[w]++;
    W->most[w] = external > W->most[w] ? external : W->most[w];
}

/* Those of n ids (NULL: 0..n-1), counted on all threads. */
void ids_widths_of(hy_ctx *ctx, struct ids_widths *W, uint64_t n,
                   const uint64_t *external);

/* The limit for such ids. */
uint64_t ids_limit(const struct ids_widths *W);

/* Room for ids below `bound`, for `queue` more ids in the queue, and for
 * mapping the `coming` external ids (NULL: none). */
HY_CHECKED hy_status ids_reserve(hy_ctx *ctx, struct ids *I, uint64_t bound,
                                 size_t queue, const struct ids_widths *coming);

/* Most bytes that would take. */
uint64_t ids_growth(const struct ids *I, uint64_t bound, size_t queue,
                    const struct ids_widths *coming);

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

/* Where the search for an id in the map begins. */
static inline size_t ids_home(const struct ids *I, uint64_t external)
{
    return base_mix(external) & (I->map_room - 1);
}

hy_vid ids_find_hashed(const struct ids *I, uint64_t external);

/* So many ids before one is looked for, ids_ahead asks for its memory. */
enum { IDS_AHEAD = 16 };

HY_INLINE void ids_ahead(const struct ids *I, uint64_t external)
{
    if (external < I->direct_room)
        HY_PREFETCH(&I->direct[external]);
    else if (I->map_room)
        HY_PREFETCH(&I->map[ids_home(I, external)]);
}

static inline hy_vid ids_find(const struct ids *I, uint64_t external)
{
    if (external < I->direct_room)
        return I->direct[external] - 1;
    return I->map_room ? ids_find_hashed(I, external) : HY_NONE;
}

void ids_map(struct ids *I, uint64_t external, hy_vid u);
void ids_unmap(struct ids *I, uint64_t external);

/* Makes vertices 0..n-1 alive and, if `mapped`, maps external[u] to each u
 * (NULL: u itself), on all threads; there was nothing before.  HY_EINVAL, and
 * nothing is there, if two are the same or one is HY_ANY. */
HY_CHECKED hy_status ids_fill(hy_ctx *ctx, struct ids *I, uint64_t n,
                              bool mapped, const uint64_t *external);

#endif
