/* Shortest paths from one source (LDBC Graphalytics' SSSP).
 *
 * The length of a path is the sum of its weights, added from the source on in
 * f64: exact for integers while it stays below 2^53.  Edges of directed graphs
 * are walked forwards.  Weights are finite and not negative; 0 is a weight.
 * Self-loops change nothing.
 */
#ifndef HY_SSSP_H
#define HY_SSSP_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_sssp_opts {
    hy_vid source; /* default 0 */
    /* Column of edges; default NULL: "weight" or, without one, all are 1. */
    const char *weight;
    /* Width of a bucket of distances: changes the time, never the answer.
     * Default 0: chosen from the graph.  For integer weights the nearest power
     * of two is taken. */
    double delta;
    /* Default NULL: on this machine's cores.  On a device V must be the
     * graph's newest version (HY_ENOTSUP).  Weights that are not integers, or
     * paths of 2^31 and more, need doubles and 64-bit atomics there
     * (HY_ENOTSUP).  Also HY_EDEVICE, HY_EFULL. */
    hy_device *device;
} hy_sssp_opts;

typedef struct hy_sssp_info {
    uint64_t reached; /* vertices, the source among them */
    double max_dist;  /* the largest finite distance */
    double delta;     /* that was used */
    uint64_t rounds;  /* times that all threads met */
} hy_sssp_info;

/* Computes dist[v] for every v below hy_view_bound(V): INFINITY if v is not
 * reached or not alive.  parent[v], if `parent` is not NULL, is the vertex
 * before v on a shortest path, the source's its own, HY_NONE if v is not
 * reached.  Both are unique: parent[v] is the smallest u with an edge to v,
 * dist[u] + w = dist[v] and dist[u] < dist[v]; where there is none (paths that
 * end in steps that add nothing), the smallest u of those with dist[u] =
 * dist[v] that need the fewest such steps.  `opts` and `info` may be NULL.
 * HY_EINVAL: no such source, no such column, a delta that is negative or not
 * finite, a weight of any edge that is negative or not finite (the text names
 * the edge); HY_ENOMEM.  Arrays have any contents after a failure.
 * O(n + m) for random weights, O(n) memory and what is in buckets. */
HY_MUST hy_status hy_sssp(const hy_view *V, const hy_sssp_opts *opts,
                          double *dist, hy_vid *parent, hy_sssp_info *info);

/* Verifies an answer without computing one: no edge leads to a shorter path,
 * and every reached vertex hangs on its parent by an edge without slack, in
 * one tree (`parent` NULL: has such edges back to the source).  False: *why
 * says what is wrong, in memory of this thread, until its next call; also
 * false if there was no memory.  O(n + m). */
HY_MUST bool hy_sssp_check(const hy_view *V, const hy_sssp_opts *opts,
                           const double *dist, const hy_vid *parent,
                           const char **why);

#ifdef __cplusplus
}
#endif
#endif
