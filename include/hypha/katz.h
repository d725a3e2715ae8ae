/* Katz centrality (Katz, Psychometrika 18, 1953).
 *
 *   katz(v) = beta + alpha * (sum of katz(u) over edges u -> v)
 *
 * In an undirected graph every edge goes both ways.  A loop counts once.  The
 * sums are finite if alpha < 1/lambda, lambda being the largest eigenvalue of
 * the adjacency matrix.  Ids that are not alive get 0.
 */
#ifndef HY_KATZ_H
#define HY_KATZ_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_katz_opts {
    /* Default 0: 0.85 over an upper bound of lambda, which is the smallest
     * of the largest in-degree, the largest out-degree and what a few steps
     * of power iteration prove. */
    double alpha;
    double beta; /* default 1 */
    /* Ends when an iteration changes no value by more than this part of the
     * largest value.  Default 1e-9. */
    double tolerance;
    uint32_t iterations; /* at most; default 1000 */
    bool normalised;     /* scale the answer to Euclidean length 1, if
                          * iterations sufficed */
} hy_katz_opts;

typedef struct hy_katz_info {
    uint32_t iterations; /* done */
    double alpha;        /* that was used */
    double change;       /* largest by the last one, over the largest value */
    double scale;        /* the answer is this times the solution; 1 unless
                          * normalised */
} hy_katz_info;

/* Writes the centrality of every id of V to katz[0 .. bound).  `opts` and
 * `info` may be NULL.  The same for every number of threads.
 * A directed view without in-adjacency is turned around first, in temporary
 * memory of 20 bytes an edge.
 * HY_EINVAL: a bad option, or alpha so large that the sums grow without
 * bound; HY_ENOMEM.  O(n + m) an iteration. */
HY_MUST hy_status hy_katz(const hy_view *V, const hy_katz_opts *opts,
                          double *katz, hy_katz_info *info);

/* Verifies an answer and its info that were computed with `opts` and enough
 * iterations: the equation above holds at every vertex within the tolerance
 * times the largest value.  False: *why says what is wrong, in memory of this
 * thread, until its next call.  Also false if there was no memory. */
HY_MUST bool hy_katz_check(const hy_view *V, const hy_katz_opts *opts,
                           const double *katz, const hy_katz_info *info,
                           const char **why);

#ifdef __cplusplus
}
#endif
#endif
