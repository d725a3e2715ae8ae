/* What hub.c and hub_one.c share.  Private to them. */
#ifndef STORE_HUB_IMPL_H
#define STORE_HUB_IMPL_H

#include "store/apply.h"
#include "store/hub.h"

static inline bool hub_is_seen(const struct lane *L, uint64_t epoch)
{
    return epoch <= L->pin;
}

/* The branches of the lowest levels are narrow, so that one more leaf moves
 * few twigs in each of them: hub_one.c.  A root above leaves alone is not,
 * nor are branches of files that were written before. */
enum { NARROW = 18, NARROW_LEVELS = 3 };

/* Most twigs of a branch; `level` are the levels of branches below it. */
static inline uint32_t hub_fan(uint32_t level, bool is_root)
{
    return level >= NARROW_LEVELS || (is_root && !level) ? FAN : NARROW;
}

/* A new branch of n twigs. */
struct twig hub_new_branch(struct lane *L, const struct twig *t, size_t n);

/* Splits a leaf that no view sees by its k edits: the lower half stays, the
 * upper one is out[1].  False, and nothing, if the edits do not allow it.
 * `count` are its entries then. */
bool hub_split_leaf(struct lane *L, const struct twig *t, const struct edit *e,
                    size_t k, uint32_t count, struct twig out[2]);

/* Operations lo..hi-1, all on one neighbour; L->hub_pages are those of the
 * hub.  *count is its degree then, that of the slot is not set.  False, and
 * nothing, if a view sees a page on the way or its leaf is to go. */
bool hub_one(struct lane *L, hy_vid u, struct slot *s, size_t lo, size_t hi,
             uint32_t *count);

#endif
