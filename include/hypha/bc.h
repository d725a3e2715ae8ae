/* Betweenness centrality: how many shortest paths lead through a vertex.
 *
 * score(v) is the sum, over sources s and all t, both other than v and each
 * other, of the part of the shortest paths from s to t that have v between
 * their ends.  Paths count edges, not weights.  Loops are on no such path.
 * Exact if every vertex is a source; undirected, each pair then counts in
 * both directions.
 */
#ifndef HY_BC_H
#define HY_BC_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_bc_opts {
    /* How many sources are drawn at random, without repeats, from the
     * vertices.  Default 0: all vertices, the exact answer.  More than there
     * are: all. */
    uint64_t sources;
    uint64_t seed; /* of the draw */
    /* These sources instead of a draw, `sources` of them, borrowed for the
     * call; one that is there twice counts twice. */
    const hy_vid *list;
    /* Divides by the largest score, if that is not 0. */
    bool normalize;
    /* The same bits for every number of threads; else sums may differ in
     * their last places. */
    bool deterministic;
} hy_bc_opts;

typedef struct hy_bc_info {
    uint64_t sources;   /* that were used */
    double largest;     /* score, before normalizing */
    uint32_t max_depth; /* of all searches */
} hy_bc_info;

/* Scores of all vertices, hy_view_bound(V) entries; 0 for ids that are not
 * alive.  `opts` and `info` may be NULL.  HY_EINVAL: a source of the list is
 * not alive; HY_ENOMEM.  O(n + m) for each source. */
HY_MUST hy_status hy_bc(const hy_view *V, const hy_bc_opts *opts, double *score,
                        hy_bc_info *info);

/* Whether the scores are those of V and `opts`, to a relative error of 1e-6
 * or an absolute one of 1e-12, by a plain serial computation.  False: *why
 * says what is wrong, in memory of this thread, until its next call.  Also
 * false if there was no memory. */
HY_MUST bool hy_bc_check(const hy_view *V, const hy_bc_opts *opts,
                         const double *score, const char **why);

#ifdef __cplusplus
}
#endif
#endif
