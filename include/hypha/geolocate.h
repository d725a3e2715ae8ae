/* Where vertices are, from where their neighbours are (Compton, Jurgens,
 * Allen, "Geotagging one hundred million Twitter accounts with total
 * variation minimization", IEEE Big Data 2014).
 *
 * In every iteration each vertex of unknown position goes to the spatial
 * median of its neighbours' positions: where the weighted sum of great-circle
 * distances to them is least.  It stays unknown while no neighbour has a
 * position, or while the neighbours lie further apart than `spread` allows.
 * A directed graph is read without its directions (without in-adjacency:
 * along out-edges only).  Loops count for nothing.
 */
#ifndef HY_GEOLOCATE_H
#define HY_GEOLOCATE_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Degrees; NaN where unknown.  Latitude -90 .. 90, longitude -180 .. 180. */
typedef struct hy_place {
    double lat, lon;
} hy_place;

typedef struct hy_geolocate_opts {
    const char *weight; /* edge column; default "weight", 1 if there is none */
    /* Kilometres that the median neighbour may be away from the median; else
     * the vertex has no position.  Default 0: any distance. */
    double spread;
    /* Ends when no position comes, goes, or moves by more kilometres than
     * this in an iteration.  Default 1. */
    double tolerance;
    uint32_t iterations; /* at most; default 10 */
} hy_geolocate_opts;

typedef struct hy_geolocate_info {
    uint32_t iterations; /* done */
    uint64_t known;      /* given positions of vertices that are alive */
    uint64_t found;      /* positions that were computed */
    double moved;        /* kilometres, the most in the last iteration;
                          * infinite if a position came or went */
} hy_geolocate_info;

/* Reads the known positions and writes all of them to place; both have
 * hy_view_bound entries.  Known ones stay; ids that are not alive get NaN.
 * Weights must be positive: others count as no edge.  The same for every
 * number of threads.
 * HY_EINVAL: a bad option or position; HY_ENOMEM.
 * O(n + m) an iteration, times the steps that medians take. */
HY_MUST hy_status hy_geolocate(const hy_view *V, const hy_geolocate_opts *opts,
                               const hy_place *known, hy_place *place,
                               hy_geolocate_info *info);

/* Verifies an answer that settled (info->moved is within the tolerance):
 * known positions are unchanged, and for every other position no place that
 * is tried, the neighbours' and some all around, has a smaller sum of
 * distances than three tolerances and 10 m for each unit of weight explain.
 * False: *why says what is wrong, in memory of this thread, until its next
 * call.  Also false if there was no memory. */
HY_MUST bool hy_geolocate_check(const hy_view *V, const hy_geolocate_opts *opts,
                                const hy_place *known, const hy_place *place,
                                const char **why);

#ifdef __cplusplus
}
#endif
#endif
