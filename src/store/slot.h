/* A vertex's place in the table: 16 bytes for each side of its adjacency.
 *
 *   where   63..51  epoch, high 13 bits
 *           50      alive
 *           49      hub: the address is that of a root page (hub.h)
 *           48..40  units of the block, 0..128; levels below the root of a hub
 *           39..0   address in the arena, in units; 0: no block
 *   degree  neighbours
 *   epoch   low 32 bits of the epoch the block was made in
 *
 * The epoch says whether a view may see the block: see version.h.
 */
#ifndef STORE_SLOT_H
#define STORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

struct slot {
    uint64_t where;
    uint32_t degree;
    uint32_t epoch;
};

_Static_assert(sizeof(struct slot) == 16, "slots are 16 bytes");

#define SLOT_ADDRESS (((uint64_t)1 << 40) - 1)
#define SLOT_UNITS ((uint64_t)0x1ff << 40)
#define SLOT_HUB ((uint64_t)1 << 49)
#define SLOT_ALIVE ((uint64_t)1 << 50)
#define SLOT_EPOCH_SHIFT 51

static inline uint64_t slot_at(const struct slot *s)
{
    return s->where & SLOT_ADDRESS;
}

static inline uint32_t slot_units(const struct slot *s)
{
    return (uint32_t)(s->where >> 40) & 0x1ff;
}

static inline bool slot_is_hub(const struct slot *s)
{
    return s->where & SLOT_HUB;
}

static inline bool slot_is_alive(const struct slot *s)
{
    return s->where & SLOT_ALIVE;
}

static inline uint64_t slot_epoch(const struct slot *s)
{
    return s->where >> SLOT_EPOCH_SHIFT << 32 | s->epoch;
}

/* Points s to a block; what it is otherwise stays. */
static inline void slot_set(struct slot *s, uint64_t at, uint32_t units,
                            bool hub, uint64_t epoch)
{
    s->where = (s->where & SLOT_ALIVE) | at | (uint64_t)units << 40 |
               (hub ? SLOT_HUB : 0) | epoch >> 32 << SLOT_EPOCH_SHIFT;
    s->epoch = (uint32_t)epoch;
}

#endif
