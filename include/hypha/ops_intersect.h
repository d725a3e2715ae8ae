/* Common neighbours of two vertices.
 *
 * Neighbours are those of the out-adjacency as it is stored: in a directed
 * graph the heads of edges, and a vertex with a loop is its own neighbour.
 * Costs O(a + b) for degrees a and b, O(a log b) if a is much smaller.
 */
#ifndef HY_OPS_INTERSECT_H
#define HY_OPS_INTERSECT_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called for each common neighbour, ascending. */
typedef void hy_common_step(void *arg, hy_vid v);

/* Calls step(arg, x) for every x that is a neighbour of u and of v.  None if
 * one of them is not there.  Any number of threads may be at it. */
HY_API void hy_intersect(const hy_view *V, hy_vid u, hy_vid v,
                         hy_common_step *step, void *arg);

/* How many there are. */
HY_API uint32_t hy_intersect_count(const hy_view *V, hy_vid u, hy_vid v);

/* How many numbers two arrays have in common, each ascending and without
 * repeats.  The same loops: vectors where the processor has them. */
HY_API size_t hy_intersect_sorted(const hy_vid *a, size_t na, const hy_vid *b,
                                  size_t nb);

#ifdef __cplusplus
}
#endif
#endif
