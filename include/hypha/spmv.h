/* The product of a graph's matrix and a vector.
 *
 * A has a row for each vertex, and A[u][v] is the weight of the edge u -> v, 0
 * where there is none.
 */
#ifndef HY_SPMV_H
#define HY_SPMV_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_spmv_opts {
    /* Column of edges; default NULL: "weight" or, without one, all are 1. */
    const char *weight;
    bool transposed; /* y = A^T x; for undirected graphs the same */
    /* Default NULL: on this machine's cores.  On a device V must be the
     * graph's newest version (HY_ENOTSUP), doubles must be there (HY_ENOTSUP),
     * and transposed, a directed graph needs a reverse side (HY_ESTATE). */
    hy_device *device;
} hy_spmv_opts;

/* Computes y = A x.  Both have hy_view_bound(V) entries and do not overlap.
 * y[u] is 0 for ids that are not alive.  Every sum is taken in ascending order
 * of neighbours: the same on any number of threads.  `opts` may be NULL.
 * HY_EINVAL: no such column.  O(n + m); transposed, for a directed graph
 * without a reverse side, each thread reads the whole vertex table. */
HY_MUST hy_status hy_spmv(const hy_view *V, const hy_spmv_opts *opts,
                          const double *x, double *y);

/* Verifies y, row by row, within the error that sums of that many terms may
 * have in any order.  False: *why says what is wrong, in memory of this
 * thread, until its next call; also false if there was no memory.
 * O(n + m), on one thread. */
HY_MUST bool hy_spmv_check(const hy_view *V, const hy_spmv_opts *opts,
                           const double *x, const double *y, const char **why);

#ifdef __cplusplus
}
#endif
#endif
