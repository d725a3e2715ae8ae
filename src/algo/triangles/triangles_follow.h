/* Triangles that come and go with the edges of a delta.
 *
 *   reserve -> ... -> collect -> weigh -> count? -> end
 *
 * Neighbours are those of hy_triangles: without direction, loops or repeats.
 * An edge between them has a weight: how many directed edges it stands for, 1
 * or 2, and 2 in an undirected graph.
 */
#ifndef ALGO_TRIANGLES_FOLLOW_H
#define ALGO_TRIANGLES_FOLLOW_H

#include "algo/live/live.h"
#include "ops/intersect.h"
#include "par/par.h"

/* Two neighbours whose edge changed, u < v.  A weight of 0: none. */
struct triangles_edge {
    hy_vid u, v;
    uint8_t was, is;
};

struct triangles_follow {
    /* Set before: what is counted at a vertex.  False: its triangles.  True:
     * the directed edges among its neighbours, of a directed graph. */
    bool is_weighted;

    struct triangles_edge *edge; /* owned; ascending by (u, v) */
    size_t n;
    int64_t *diff;         /* owned; by vertex, 0 between commits; atomic,
                            * relaxed: counters */
    _Atomic int64_t total; /* triangles more; relaxed: a counter */
    _Atomic uint64_t work; /* relaxed: a counter */

    /* private */
    hy_live *L;
    const hy_view *V;
    const struct ops_intersect *loops;
    uint64_t *once, *twice; /* owned; bits of vertices at which so many edges
                             * changed; 0 between commits */
    struct par_keys arcs; /* owned; (vertex of `twice`, neighbour), and edge */
    size_t bound, room;   /* vertices and edges there is room for */
    bool is_shared;       /* several threads count */
};

/* Room for vertices below `bound` and deltas of so many edges. */
HY_CHECKED hy_status triangles_follow_reserve(struct triangles_follow *F,
                                              hy_ctx *ctx, size_t bound,
                                              size_t edges);

/* The number of edges tells already that counting all is cheaper, before they
 * are collected. */
bool triangles_follow_is_much(const hy_view *V, const hy_delta *delta);

/* Finds the edges that changed. */
void triangles_follow_collect(struct triangles_follow *F, const hy_view *V,
                              const hy_delta *delta);

/* What counting will cost, and what all triangles of the view would, about:
 * both in nanoseconds of a usual machine. */
uint64_t triangles_follow_weigh(struct triangles_follow *F);
uint64_t triangles_follow_all(const hy_view *V);

/* Fills diff and total, and notes in L each vertex whose diff may not be 0. */
void triangles_follow_count(struct triangles_follow *F, hy_live *L);

/* To be called after collect in any case. */
void triangles_follow_end(struct triangles_follow *F);

void triangles_follow_fini(struct triangles_follow *F, hy_ctx *ctx);

#endif
