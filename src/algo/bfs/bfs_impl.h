/* Breadth-first search: what its files share. */
#ifndef ALGO_BFS_IMPL_H
#define ALGO_BFS_IMPL_H

#include "device/device.h"
#include "store/view.h"

#include <hypha/bfs.h>
#include <hypha/live.h>

enum { BFS_LEVELS = 32 };

/* Depths and the smallest parents on the host; the source is alive.  Does not
 * count edges, which takes a look at every vertex that is not reached, but the
 * vertices of the first levels. */
HY_CHECKED hy_status bfs_reach(const hy_view *V, hy_vid source, uint32_t *depth,
                               hy_vid *parent, uint64_t levels[BFS_LEVELS],
                               hy_bfs_info *found);

/* Where an answer is to stay on a device; they have any contents after a
 * failure. */
struct bfs_kept {
    struct device_buf *depth, *parent;
};

/* hy_bfs on opts->device; the source is alive.  What is found stays in `kept`,
 * too; NULL: it does not. */
HY_CHECKED hy_status bfs_on_device(const hy_view *V, const hy_bfs_opts *opts,
                                   const struct bfs_kept *kept, uint32_t *depth,
                                   hy_vid *parent, hy_bfs_info *info);

/* hy_live_bfs on opts->device. */
HY_CHECKED hy_status bfs_live_on_device(hy_graph *G, const hy_bfs_opts *opts,
                                        hy_live **out);

#endif
