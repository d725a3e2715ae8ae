/* PageRank, as LDBC Graphalytics defines it.
 *
 * Each vertex that is alive starts with rank 1/n.  An iteration sets
 *
 *   rank(v) = (1 - d)/n + d * (sum of rank(u)/outdegree(u) over edges u -> v
 *                              + (sum of rank(u) over dangling u)/n)
 *
 * where n counts the vertices that are alive and a vertex is dangling if no
 * edge leaves it; an undirected edge goes both ways, and a loop counts once.
 * Ranks sum to 1.  Ids that are not alive get 0.
 */
#ifndef HY_PAGERANK_H
#define HY_PAGERANK_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hy_pagerank_method {
    /* Gauss-Seidel, or Jacobi if the tolerance is negative. */
    HY_PAGERANK_AUTO,
    /* Every rank from those of the iteration before, as defined above. */
    HY_PAGERANK_JACOBI,
    /* In every iteration the vertices are computed in 8 bands, and a band
     * sees the new ranks of those before it: fewer iterations. */
    HY_PAGERANK_GAUSS_SEIDEL
} hy_pagerank_method;

typedef struct hy_pagerank_opts {
    double damping; /* d, between 0 and 1; default 0.85 */
    /* Ends when one more iteration is certain to change the ranks by no more
     * than this, summed over all vertices.  The first ranks are then free,
     * and not 1/n in an undirected graph.  Default 1e-4; from there on ranks
     * are computed in single precision, which moves them by at most
     * 2^-19 d / (1 - d), summed.
     * Negative: exactly `iterations` iterations, from 1/n. */
    double tolerance;
    uint32_t iterations; /* at most; default 100 */
    hy_pagerank_method method;
    bool deterministic; /* changes nothing: it always is */
    /* Default NULL: on this machine's cores.  On a device V must be the
     * graph's newest version, with a reverse side if it is directed
     * (HY_ESTATE), and doubles must be there (HY_ENOTSUP); also HY_EDEVICE,
     * HY_EFULL. */
    hy_device *device;
} hy_pagerank_opts;

typedef struct hy_pagerank_info {
    uint32_t iterations; /* done */
    double l1;  /* what one more can change, summed: d * change by the last */
    double sum; /* of the ranks: 1 within l1 / (1 - d); 0 if no vertex */
} hy_pagerank_info;

/* Writes the rank of every id of V to rank[0 .. bound).  `opts` and `info`
 * may be NULL.  The same bits for every number of threads.  If `iterations`
 * did not suffice, info->l1 is above the tolerance; that is no error.
 * A directed view without in-adjacency is turned around first, in temporary
 * memory of 20 bytes an edge.
 * HY_EINVAL: a bad option; HY_ENOMEM.
 * O(n + m) an iteration. */
HY_MUST hy_status hy_pagerank(const hy_view *V, const hy_pagerank_opts *opts,
                              double *rank, hy_pagerank_info *info);

/* Verifies ranks that were computed with `opts`, and enough iterations: one
 * more iteration, done serially along out-edges, changes them by no more than
 * the tolerance; with a negative tolerance, all iterations are done again and
 * every rank is within 1e-6 of its own size.  False: *why says what is wrong,
 * in memory of this thread, until its next call.  Also false if there was no
 * memory. */
HY_MUST bool hy_pagerank_check(const hy_view *V, const hy_pagerank_opts *opts,
                               const double *rank, const char **why);

#ifdef __cplusplus
}
#endif
#endif
