/* Trees of shortest paths under change: what hops and distances share.
 *
 * A vertex has a value, a key and a rank: the key is its hops or the bits of
 * its distance, and the rank counts the steps at the end of its path that
 * added nothing to the key.  Over an edge of weight w a value grows:
 *
 *   (k, r) + w  =  (k + w, 0)   if k + w > k     a steep step
 *                  (k, r + 1)   else             a flat one
 *
 * Values are compared by key, then by rank.  A step always leads to a larger
 * value and never overtakes: x <= y gives x + w <= y + w, with rounding too.
 *
 * Invariant between commits: value(v) is the least value(u) + w over all edges
 * (u, v, w), and parent(v) the smallest u that gives it.  The source has (0, 0)
 * and is its own parent; what is not reached has no value and no parent.
 * Ranks make this one definition of what hypha/sssp.h promises of parents.
 */
#ifndef ALGO_LIVE_TREE_H
#define ALGO_LIVE_TREE_H

#include "algo/common/weights.h"
#include "algo/live/live.h"
#include "algo/live/tree_queue.h"

/* How repairs of one sort of change ended.  After one that was given up, the
 * next ones get little to spend, or twice what is usual, more of them each
 * time; unless the change is much smaller. */
struct tree_past {
    uint32_t span, wait; /* commits that are to be wary; still are */
    uint64_t edges;      /* of the change that was too much */
    uint64_t usual;      /* work of those that came to their end, about */
};

enum { TREE_LEVELS = 32 };

struct live_tree {
    hy_live *L;
    hy_vid source; /* HY_NONE: it is not there */
    uint64_t external;
    bool is_hops;
    /* Ranks; NULL: hops are always steep.  While `has_flat` is false all are
     * 0, and nobody needs to look. */
    uint32_t *rank;
    hy_vid rank_room;
    bool has_flat;
    uint64_t reached;
    /* Hops: vertices below one of this depth, on average, when all were last
     * computed anew; 0 is as good as not to know. */
    uint64_t below[TREE_LEVELS];

    struct tree_queue queue;

    /* A set of vertices, for while a commit is followed: those that lost their
     * values, and whatever these reach by edges that came or changed.  It is
     * so small that it stays in the cache. */
    uint64_t *cut;
    size_t cut_room; /* words */
    bool has_cut;    /* it is not empty */

    /* For the static function's answer. */
    struct live_spare spare;

    /* of this commit */
    struct algo_weights W;
    uint64_t cost;       /* of the static function, in edges looked at */
    uint64_t work, most; /* edges looked at; at so many it may give up, ... */
    uint64_t most_in;    /* ... before the end of the insertions at so many, */
    double until;        /* ... and not before it has taken so long */
    /* Since trim or settle began: work until then, entries. */
    uint64_t work_before, pops, puts;
    uint64_t foreseen; /* work below what was found to change */
    const hy_delta *delta;
    uint64_t edges; /* of the delta */
    bool is_wary;
    struct tree_past *past;
    struct tree_past pasts[2]; /* mostly insertions, mostly deletions */
    /* The static function, on W.V.  Sets has_flat, rank and reached. */
    hy_status (*solve)(struct live_tree *T, void *values, hy_vid *parents);
    /* What it looks at, in edges, if it reaches as much as now. */
    uint64_t (*size)(const struct live_tree *T);
    /* Seconds for an edge: of the static function, of a repair.  Learned: how
     * they compare depends on the graph, and on which cache it fits. */
    double anew, each;
};

/* For start: the answer by the static function.  `source` is set. */
HY_CHECKED hy_status tree_start(struct live_tree *T);

/* For reserve. */
HY_CHECKED hy_status tree_reserve(struct live_tree *T,
                                  const struct watch_coming *coming);

/* Begins to follow. */
void tree_begin(struct live_tree *T, const hy_delta *delta);

/* Before trim, and before settle: some of the cost is always worth trying. */
void tree_begin_phase(struct live_tree *T);

/* So many vertices are to change, about, with `times` looks at their edges.
 * The repair is given up next if that comes to too much. */
void tree_foresee(struct live_tree *T, uint64_t vertices, unsigned times);

/* Whether a repair that has looked at all it may has taken less time than was
 * thought, or is about to end; it gets more to spend then. */
bool tree_goes_on(struct live_tree *T);

/* The same before the end of the insertions, where nobody knows the end. */
bool tree_inserts_on(struct live_tree *T);

/* Where a source is after a commit, by its name: ids are used again.  HY_NONE:
 * nowhere. */
hy_vid tree_source(const hy_view *V, hy_vid source, uint64_t external,
                   const hy_delta *delta);

/* Notices that the source came or went; all values are gone if it went.
 * False: there is none, and nothing left to do. */
bool tree_find_source(struct live_tree *T, const hy_delta *delta);

/* Computes all anew; false, and nothing has changed, if there is no memory. */
bool tree_recompute(struct live_tree *T, const char *why);

/* After a repair came to its end. */
void tree_end(struct live_tree *T);

/* Also frees T. */
void tree_fini(struct live_tree *T, hy_ctx *ctx);

#endif
