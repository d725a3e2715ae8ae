/* A list that threads append to together: each fills a part of its own, on
 * its stack, and moves it over when it is full and at the end of its range.
 *
 *   struct bag B = { .at = room for all };
 *   in the step:  struct bag_part part; bag_part_init(&part, B);
 *                 ... bag_put(&part, v) ...;  bag_flush(&part);
 *
 * The order of the list depends on the threads.  Nothing can fail: the room
 * must be enough for all that is put. */
#ifndef OPS_BAG_H
#define OPS_BAG_H

#include <hypha/base.h>

#include <stdatomic.h>
#include <string.h>

struct bag {
    hy_vid *at;       /* borrowed */
    _Atomic size_t n; /* relaxed: deals out places */
};

enum { BAG_PART = 500 };

struct bag_part {
    struct bag *bag;
    uint32_t n;
    hy_vid at[BAG_PART];
};

static inline void bag_part_init(struct bag_part *part, struct bag *bag)
{
    part->bag = bag;
    part->n = 0;
}

/* Copies n elements to the end of the bag. */
static inline void bag_append(struct bag *bag, const hy_vid *at, size_t n)
{
    if (!n)
        return;
    const size_t to =
        atomic_fetch_add_explicit(&bag->n, n, memory_order_relaxed);
    memcpy(bag->at + to, at, n * sizeof *at);
}

static inline void bag_flush(struct bag_part *part)
{
    bag_append(part->bag, part->at, part->n);
    part->n = 0;
}

static inline void bag_put(struct bag_part *part, hy_vid v)
{
    part->at[part->n++] = v;
    if (part->n == BAG_PART)
        bag_flush(part);
}

#endif
