/* Hubs and authorities (Kleinberg, J. ACM 46, 1999).
 *
 * A good hub points to good authorities.  From equal hubs, an iteration sets
 * authority(v) to the sum of hub(u) over edges u -> v, then hub(u) to the sum
 * of authority(v) over edges u -> v, and scales each to Euclidean length 1.
 * In an undirected graph every edge goes both ways.  A loop counts once.
 * Ids that are not alive get 0; without edges all get 0.
 */
#ifndef HY_HITS_H
#define HY_HITS_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_hits_opts {
    /* Ends when an iteration moves neither vector by more than this,
     * Euclidean.  Default 1e-6.  Negative: exactly `iterations`. */
    double tolerance;
    uint32_t iterations; /* at most; default 1000 */
} hy_hits_opts;

typedef struct hy_hits_info {
    uint32_t iterations; /* done */
    double change;       /* of the vector that moved more in the last one */
} hy_hits_info;

/* Writes both scores of every id of V; each array has hy_view_bound entries,
 * and `opts` and `info` may be NULL.  The same for every number of threads.
 * A directed view without in-adjacency is turned around first, in temporary
 * memory of 20 bytes an edge.
 * HY_EINVAL: a bad option; HY_ENOMEM.  O(n + m) an iteration. */
HY_MUST hy_status hy_hits(const hy_view *V, const hy_hits_opts *opts,
                          double *hub, double *authority, hy_hits_info *info);

/* Verifies scores that were computed with `opts`, a tolerance that is not
 * negative, and enough iterations: both have length 1, and one more iteration
 * moves neither by more than twice the tolerance.  False: *why says what is
 * wrong, in memory of this thread, until its next call.  Also false if there
 * was no memory. */
HY_MUST bool hy_hits_check(const hy_view *V, const hy_hits_opts *opts,
                           const double *hub, const double *authority,
                           const char **why);

#ifdef __cplusplus
}
#endif
#endif
