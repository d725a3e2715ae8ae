/* Minimum spanning forest.
 *
 * Edges are taken without direction; of u -> v and v -> u in a directed graph
 * the lighter one counts.  Self-loops are never in the forest.  Weights may be
 * negative; edges of the same weight are ordered by their ends (the smaller
 * one first), so that there is exactly one forest.
 */
#ifndef HY_MST_H
#define HY_MST_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_mst_opts {
    /* Column of edges; default NULL: "weight" or, without one, all are 1. */
    const char *weight;
} hy_mst_opts;

typedef struct hy_mst_info {
    uint64_t edges; /* of the forest: vertices - trees */
    uint64_t trees; /* isolated vertices are trees */
    double weight;  /* of all edges of the forest, added in their order */
    uint32_t rounds;
} hy_mst_info;

/* Writes the edges of the forest, u < v, ascending by (u, v), to `edges`,
 * which has room for hy_view_vertices(V) of them.  `opts` may be NULL.
 * HY_EINVAL: no such column, a weight that is infinite or not a number (the
 * text names the edge); HY_ENOMEM.  O((n + m) log n), O(n) memory. */
HY_MUST hy_status hy_mst(const hy_view *V, const hy_mst_opts *opts,
                         hy_edge *edges, hy_mst_info *info);

/* Verifies an answer without computing one: `edges` are edges of V without a
 * cycle that connect whatever V connects, and no edge of V is lighter than
 * the heaviest on the way between its ends.  False: *why says what is wrong,
 * in memory of this thread, until its next call; also false if there was no
 * memory.  O((n + m) log n). */
HY_MUST bool hy_mst_check(const hy_view *V, const hy_mst_opts *opts,
                          const hy_edge *edges, const hy_mst_info *info,
                          const char **why);

#ifdef __cplusplus
}
#endif
#endif
