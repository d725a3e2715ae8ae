/* Breadth-first search: hops from one source.
 *
 * Directed views are searched along their edges.  With a reverse side (see
 * hy_graph_add_reverse) large levels are searched backwards, which is several
 * times faster on graphs with hubs.
 */
#ifndef HY_BFS_H
#define HY_BFS_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_bfs_opts {
    hy_vid source; /* default 0 */
    /* Parents are the smallest possible; else any, which is faster. */
    bool deterministic;
    /* Default NULL: on this machine's cores.  On a device V must be the
     * graph's newest version (HY_ENOTSUP); also HY_EDEVICE, HY_EFULL. */
    hy_device *device;
} hy_bfs_opts;

typedef struct hy_bfs_info {
    uint64_t reached;   /* vertices, the source among them */
    uint32_t max_depth; /* the largest */
    uint64_t edges;     /* out-edges of the vertices reached */
} hy_bfs_info;

/* depth[v] = hops from the source, UINT32_MAX where there is no way and for
 * ids that are not alive; parent[v] = a vertex one hop nearer with an edge to
 * v, HY_NONE there; the source's parent is itself.  Either array may be NULL,
 * else it has hy_view_bound(V) entries; `opts` and `info` may be NULL.
 * HY_EINVAL: the source is not alive; HY_ENOMEM.  O(n + m). */
HY_MUST hy_status hy_bfs(const hy_view *V, const hy_bfs_opts *opts,
                         uint32_t *depth, hy_vid *parent, hy_bfs_info *info);

/* Whether depths (or NULL), parents (or NULL) and `info` (or NULL) are an
 * answer for V and `opts`: by a plain serial search.  False: *why says what is
 * wrong, in memory of this thread, until its next call.  Also false if there
 * was no memory to check.  O(n + m log m). */
HY_MUST bool hy_bfs_check(const hy_view *V, const hy_bfs_opts *opts,
                          const uint32_t *depth, const hy_vid *parent,
                          const hy_bfs_info *info, const char **why);

#ifdef __cplusplus
}
#endif
#endif
