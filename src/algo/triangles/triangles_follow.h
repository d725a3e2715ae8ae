/* Triangles that come and go with the edges of a delta.
 *
 *   reserve -> ... -> follow, or all anew -> learn
 *
 * Neighbours are those of hy_triangles: without direction, loops or repeats.
 * An edge between them has a weight: how many directed edges it stands for, 1
 * or 2, and 2 in an undirected graph.
 */
#ifndef ALGO_TRIANGLES_FOLLOW_H
#define ALGO_TRIANGLES_FOLLOW_H

#include "algo/live/live.h"
#include "base/bits.h"
#include "ops/intersect.h"
#include "par/par.h"

/* Two neighbours whose edge changed, u < v.  A weight of 0: none. */
struct triangles_edge {
    hy_vid u, v;
    uint8_t was, is;
    uint8_t at_u, at_v; /* enum triangles_end */
};

/* At an end of a changed edge: whether other edges may have changed, and
 * whether they are so many that it is done with them (triangles_hub.c). */
enum triangles_end { TRIANGLES_CALM, TRIANGLES_BUSY, TRIANGLES_HUB };

static inline bool triangles_at_hub(const struct triangles_edge *e)
{
    return e->at_u == TRIANGLES_HUB || e->at_v == TRIANGLES_HUB;
}

struct triangles_follow {
    /* Set before: what is counted at a vertex.  False: its triangles.  True:
     * the directed edges among its neighbours, of a directed graph. */
    bool is_weighted;
    bool is_by_kernel; /* set before: a device counts */
    bool has_hubs;     /* set before: vertices of many edges may have a row */

    struct triangles_edge *edge; /* owned; ascending by (u, v) */
    size_t n;
    bool has_lost;         /* some of them are none any more */
    int64_t *diff;         /* owned; by vertex, 0 between commits; atomic,
                            * relaxed: counters */
    _Atomic int64_t total; /* triangles more; relaxed: a counter */
    _Atomic uint64_t work; /* relaxed: a counter */
    _Atomic uint64_t most; /* triangles that it may have, relaxed too */

    /* private */
    hy_live *L;
    const hy_view *V;
    const struct ops_intersect *loops;
    /* owned; bits of vertices, of the remainders of their ids in fact: a word
     * of those at which an edge changed, one of those at which two did, and so
     * on.  As long as the change, so that it stays in the cache. */
    uint64_t *marks;
    size_t marks_room;    /* words */
    hy_vid mask;          /* of ids: their remainders */
    struct par_keys arcs; /* owned; (busy vertex, neighbour), and edge */
    size_t *hub;          /* owned; the first arc of each hub */
    size_t n_hubs, hub_room;
    uint64_t *row; /* owned; of a hub; all 0 but while it is counted */
    size_t row_words;
    double rows_took;     /* seconds, to fill and clear those of all hubs */
    size_t bound, room;   /* vertices and edges there is room for */
    bool is_shared;       /* several threads count */
    bool is_sampled;      /* one edge in some has been counted */
    double until;         /* then the sample is given up ... */
    _Atomic bool is_late; /* ... as this says.  Relaxed: a hint */
    /* Learned: seconds for a unit of what counting all takes, and of what the
     * delta does. */
    double anew, each;
};

/* The words of u in `marks` are this one and the next, its bit is u % 64. */
static inline size_t triangles_marks_of(const struct triangles_follow *F,
                                        hy_vid u)
{
    return 2 * ((size_t)(u & F->mask) / 64);
}

/* Room for vertices below `bound` and deltas of so many edges. */
HY_CHECKED hy_status triangles_follow_reserve(struct triangles_follow *F,
                                              hy_ctx *ctx, size_t bound,
                                              size_t edges);

/* To count all triangles of the view took so long. */
void triangles_follow_learn(struct triangles_follow *F, const hy_view *V,
                            double seconds);

/* Fills diff and total, and notes in L each vertex whose diff may not be 0.
 * False: to count all triangles is cheaper, and diff is 0. */
bool triangles_follow(struct triangles_follow *F, hy_live *L, const hy_view *V,
                      const hy_delta *delta);

/* The same, whatever it costs. */
void triangles_follow_anyhow(struct triangles_follow *F, hy_live *L,
                             const hy_view *V, const hy_delta *delta);

/* Between commits: nothing is left of the last one.  HY_EBUG with the text. */
HY_CHECKED hy_status triangles_follow_check(const struct triangles_follow *F,
                                            hy_vid bound);

void triangles_follow_fini(struct triangles_follow *F, hy_ctx *ctx);

/* ---- steps of it ----------------------------------------------------------
 */

/* Finds the edges that changed. */
void triangles_follow_collect(struct triangles_follow *F, const hy_view *V,
                              const hy_delta *delta);

/* What counting will cost, but for what each triangle does, and what all
 * triangles of the view would, about: both in nanoseconds of a usual machine.
 */
uint64_t triangles_follow_weigh(struct triangles_follow *F);
uint64_t triangles_follow_all(const hy_view *V);

/* At those hubs that were found in weighing; is_sample: at some edges of
 * each. */
void triangles_count_hubs(struct triangles_follow *F, bool is_sample);

/* At the edges that were collected and weighed.  Within so many seconds: or
 * not, which a part of the edges tells; false, and diff is 0. */
void triangles_follow_count(struct triangles_follow *F, hy_live *L);
bool triangles_follow_count_within(struct triangles_follow *F, hy_live *L,
                                   double seconds);

enum { TRIANGLES_HUB_LEAST = 16 }; /* edges that change at a hub */

/* The first arc that is not below the key, in lo .. hi. */
static inline size_t triangles_search_arcs(const struct par_keys *K, size_t lo,
                                           size_t hi, uint64_t key)
{
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (K->key[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static inline uint64_t triangles_degree(const hy_view *V, hy_vid u)
{
    return (uint64_t)view_degree(V, u) +
           (view_is_undirected(V) ? 0 : view_in_degree(V, u));
}

/* To look up so many among others, which are sorted. */
static inline uint64_t triangles_weigh_search(uint64_t n, uint64_t others)
{
    return n * (8 + 4 * (uint64_t)bits_width(others));
}

/* Are so many looked up among the others, or the others among them? */
static inline bool triangles_is_looked_up(uint64_t n, uint64_t others)
{
    return triangles_weigh_search(n, others) <=
           triangles_weigh_search(others, n);
}

#endif
