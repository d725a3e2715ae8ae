/* Core numbers: the largest k such that the vertex is in a subgraph where
 * everybody has k neighbours.
 *
 * Neighbours are those by edges of either direction, each once; self-loops
 * are ignored.
 */
#ifndef HY_KCORE_H
#define HY_KCORE_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_kcore_opts {
    /* Cores above this one are not told apart: their vertices get `limit`.
     * Default 0: no limit. */
    uint32_t limit;
} hy_kcore_opts;

typedef struct hy_kcore_info {
    uint32_t max_core; /* the degeneracy, or the limit */
    uint64_t vertices; /* of that core */
    uint32_t levels;   /* different core numbers */
} hy_kcore_info;

/* core[u] = the core number of u, HY_NONE where no vertex is alive;
 * hy_view_bound(V) entries.  The same for every number of threads.
 * HY_ENOMEM.
 * O(n + m) time and O(n) space; of a directed view O(n + m). */
HY_MUST hy_status hy_kcore(const hy_view *V, const hy_kcore_opts *opts,
                           uint32_t *core, hy_kcore_info *info);

/* Verifies core numbers: enough neighbours in the core, and an order of
 * peeling that shows there is no larger one.  `why` as in hy_graph_check.
 * O(n + m), serial. */
HY_MUST bool hy_kcore_check(const hy_view *V, const hy_kcore_opts *opts,
                            const uint32_t *core, const char **why);

#ifdef __cplusplus
}
#endif
#endif
