/* An adjacency too large for one block: a tree of pages.
 *
 *   branch   | n | pages | first x 85 | count x 85 | at x 85 | epoch x 85
 *   leaf     a block of a whole page, entries ascending
 *
 * A twig is a page and what is known of it without looking into it; a branch
 * keeps its twigs field by field, so that a search touches few cache lines.
 * Twigs of a branch are ascending; all ids below a twig lie in [first, first of
 * the next twig), but the first twig of a branch takes what is smaller, too, so
 * `first` is exact and no bound.  The slot of a hub points to the root, a
 * branch, and says how many levels of branches there are below it (0: the
 * root's twigs are leaves).  One insertion moves a page at most: hub_one.c.
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
    hy_vid first[FAN];
    uint32_t count[FAN];
    uint64_t at[FAN];
    uint64_t epoch[FAN];
};

_Static_assert(sizeof(struct branch) <= PAGE_BYTES, "a branch is a page");

/* Three narrow levels of 9 twigs and four of 42, above leaves of 3 entries, at
 * worst, are enough. */
enum { HUB_LEVELS = 7 };

static inline struct branch *hub_branch(const char *blocks, uint64_t at)
{
    return (struct branch *)(void *)arena_block(blocks, at);
}

static inline struct twig branch_twig(const struct branch *B, uint32_t i)
{
    return (struct twig){ .at = B->at[i],
                          .epoch = B->epoch[i],
                          .first = B->first[i],
                          .count = B->count[i] };
}

static inline void branch_set(struct branch *B, uint32_t i, struct twig t)
{
    B->at[i] = t.at;
    B->epoch[i] = t.epoch;
    B->first[i] = t.first;
    B->count[i] = t.count;
}

/* The twig of a branch that v belongs to: the last with first <= v, or 0. */
static inline uint32_t branch_find(const struct branch *B, hy_vid v)
{
    if (v == HY_NONE)
        return B->n - 1;
    const uint32_t i = search_half(B->first, 0, B->n, v + 1);
    return i ? i - 1 : 0;
}

/* Where the ids below the i-th twig end, if those of the branch do at `end`. */
static inline uint64_t branch_end(const struct branch *B, uint32_t i,
                                  uint64_t end)
{
    return i + 1 < B->n ? B->first[i + 1] : end;
}

/* The leaf that v belongs to; *end is that of all ids, and then of the
 * leaf's. */
static inline struct twig hub_leaf(const char *blocks, uint64_t root,
                                   uint32_t levels, hy_vid v, uint64_t *end)
{
    const struct branch *B = hub_branch(blocks, root);
    uint32_t i = branch_find(B, v);
    for (; levels; levels--) {
        *end = branch_end(B, i, *end);
        B = hub_branch(blocks, B->at[i]);
        i = branch_find(B, v);
    }
    *end = branch_end(B, i, *end);
    return branch_twig(B, i);
}

#endif
