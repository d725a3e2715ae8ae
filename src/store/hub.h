/* An adjacency too large for one block: a tree of pages.
 *
 *   branch   | n | pages | twig | twig | ...      85 twigs in 2 KiB
 *   leaf     a block of a whole page, entries ascending
 *
 * A twig is a page and what is known of it without looking into it.  Twigs
 * of a branch are ascending; all ids below a twig lie in [first, first of the
 * next twig), but the first twig of a branch takes what is smaller, too, so
 * `first` is exact and no bound.  The slot of a hub points to the root, a
 * branch, and says how many levels of branches there are below it (0: the
 * root's twigs are leaves).  One insertion moves entries of one leaf, or
 * splits it in two.
 *
 * Leaves are not merged as they shrink.  The root counts the pages of the
 * hub; when a quarter would do, the hub is built anew.
 */
#ifndef STORE_HUB_H
#define STORE_HUB_H

#include "store/graph.h"

struct twig {
    uint64_t at;    /* page, address in units */
    uint64_t epoch; /* its birth */
    hy_vid first;   /* the smallest id below it */
    uint32_t count; /* entries below it */
};

enum { FAN = (PAGE_BYTES - 8) / (int)sizeof(struct twig) };

struct branch {
    uint32_t n;
    uint32_t pages; /* of the whole hub, this one included; roots only */
    struct twig twig[FAN];
};

_Static_assert(sizeof(struct branch) <= PAGE_BYTES, "a branch is a page");

enum { HUB_LEVELS = 5 }; /* 42^5 leaves of 3 entries, at worst, are enough */

static inline struct branch *hub_branch(const char *blocks, uint64_t at)
{
    return (struct branch *)(void *)arena_block(blocks, at);
}

/* The twig of a branch that v belongs to. */
static inline uint32_t branch_find(const struct branch *B, hy_vid v)
{
    uint32_t lo = 0, hi = B->n; /* the last twig with first <= v, or 0 */
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (B->twig[middle].first <= v)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* The leaf that v belongs to. */
static inline const struct twig *hub_leaf(const char *blocks, uint64_t root,
                                          uint32_t levels, hy_vid v)
{
    const struct branch *B = hub_branch(blocks, root);
    const struct twig *t = &B->twig[branch_find(B, v)];
    for (; levels; levels--) {
        B = hub_branch(blocks, t->at);
        t = &B->twig[branch_find(B, v)];
    }
    return t;
}

/* Where a walk over the leaves of a hub stands: the index at each level,
 * root first, 8 bits each. */
typedef uint64_t hub_path;

/* The leaf at `path`.  *next is the path of the leaf after it, 0 if there is
 * none; the first path is 0. */
const struct twig *hub_walk(const char *blocks, uint64_t root, uint32_t levels,
                            hub_path path, hub_path *next);

#endif
