/* Cliques: sets of k vertices, each a neighbour of all others.
 *
 * Edges are taken without direction and without repeats; loops are none.
 */
#ifndef HY_KCLIQUE_H
#define HY_KCLIQUE_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_kclique_opts {
    uint32_t k; /* default 0: 4 */
} hy_kclique_opts;

typedef struct hy_kclique_info {
    uint64_t cliques; /* 1: vertices, 2: edges, 3: triangles, ... */
} hy_kclique_info;

/* Counts the k-cliques of V; count[u], if count is not NULL, those with u, 0
 * for ids that are not alive.  `opts` and `info` may be NULL.
 * HY_ENOMEM.  O(k m (c/2)^(k-2)) time for core number c, O(n + m) space. */
HY_MUST hy_status hy_kclique(const hy_view *V, const hy_kclique_opts *opts,
                             uint64_t *count, hy_kclique_info *info);

/* Verifies an answer by another enumeration, vertex by vertex: counts every
 * clique anew, so that it takes longer than the answer did.  `count` may be
 * NULL.  False: *why says what is wrong, in memory of this thread, until its
 * next call; also false if there was no memory to check. */
HY_MUST bool hy_kclique_check(const hy_view *V, const hy_kclique_opts *opts,
                              const uint64_t *count, uint64_t cliques,
                              const char **why);

#ifdef __cplusplus
}
#endif
#endif
