/* Butterflies: cycles of four vertices, in a bipartite graph the smallest
 * there are.  Any graph may be asked; a cycle counts whether or not it has
 * chords, so that four vertices that are all neighbours have three.
 *
 * Edges are taken without direction and without repeats; loops are none.
 */
#ifndef HY_BUTTERFLY_H
#define HY_BUTTERFLY_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_butterfly_opts {
    uint32_t reserved; /* none yet: 0 */
} hy_butterfly_opts;

typedef struct hy_butterfly_info {
    uint64_t butterflies;
} hy_butterfly_info;

/* Counts the butterflies of V; count[u], if count is not NULL, those with u,
 * 0 for ids that are not alive.  `opts` and `info` may be NULL.
 * HY_EINVAL: an option that is not 0; HY_ENOMEM.  O(sum over edges of the
 * smaller degree) time, O(n + m) space and O(n) for each thread. */
HY_MUST hy_status hy_butterfly(const hy_view *V, const hy_butterfly_opts *opts,
                               uint64_t *count, hy_butterfly_info *info);

/* Verifies an answer by the common neighbours of pairs of vertices: all of
 * it without `count`, which may be NULL; with it a random part of the vertices
 * where all would take minutes, and the sum.  False: *why says what is wrong,
 * in memory of this thread, until its next call; also false if there was no
 * memory to check.  O(sum of squared degrees). */
HY_MUST bool hy_butterfly_check(const hy_view *V, const uint64_t *count,
                                uint64_t butterflies, const char **why);

#ifdef __cplusplus
}
#endif
#endif
