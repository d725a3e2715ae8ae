/* Colours for vertices, so that neighbours differ.
 *
 * Neighbours are those by edges of either direction; self-loops are ignored
 * (but count in the degrees of an undirected view).
 */
#ifndef HY_COLORING_H
#define HY_COLORING_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_coloring_opts {
    uint64_t seed; /* of the order among vertices of one degree */
} hy_coloring_opts;

typedef struct hy_coloring_info {
    uint32_t colors; /* 0 if there is no vertex */
    uint32_t rounds;
} hy_coloring_info;

/* color[u] = 0, 1, ..., HY_NONE where no vertex is alive; hy_view_bound(V)
 * entries.  The answer is that of colouring the vertices one by one, those
 * of largest degree first, each with the smallest colour free: at most the
 * largest degree + 1 colours, the same ones for a seed at every number of
 * threads.  HY_ENOMEM.
 * O(n + m) time and O(n) space; of a directed view O(n + m). */
HY_MUST hy_status hy_coloring(const hy_view *V, const hy_coloring_opts *opts,
                              uint32_t *color, hy_coloring_info *info);

/* Verifies that neighbours differ and that each vertex has a neighbour of
 * every smaller colour.  `why` as in hy_graph_check. */
HY_MUST bool hy_coloring_check(const hy_view *V, const uint32_t *color,
                               const char **why);

#ifdef __cplusplus
}
#endif
#endif
