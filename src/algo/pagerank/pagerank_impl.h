/* The options of a PageRank, with their defaults filled in. */
#ifndef ALGO_PAGERANK_IMPL_H
#define ALGO_PAGERANK_IMPL_H

#include "device/device.h"
#include "store/view.h"

#include <hypha/live.h>
#include <hypha/pagerank.h>

struct pagerank_plan {
    double damping, tolerance;
    uint32_t iterations;
    bool is_exact;  /* exactly `iterations`, from 1/n */
    bool is_jacobi; /* one band */
};

/* `opts` may be NULL.  HY_EINVAL. */
HY_CHECKED hy_status pagerank_plan(struct pagerank_plan *plan,
                                   const hy_pagerank_opts *opts);

/* The first ranks of an undirected graph: of a vertex without edges and, as
 * far as others go, a part for each edge; of one of a pair. */
struct pagerank_start {
    double lone, pair, each;
};

struct pagerank_start pagerank_start(const hy_view *V, double d,
                                     double n_dangling, double n_pairs);

/* Vertices of a band, a multiple of `task` unless it is all. */
hy_vid pagerank_band(const struct pagerank_plan *plan, hy_vid bound,
                     size_t task);

/* Shares are f64. */
bool pagerank_is_wide(const struct pagerank_plan *plan);

/* Most that rounding moves ranks in an iteration, summed. */
double pagerank_rounding(const struct pagerank_plan *plan);

/* Ranks are wanted of the next sweep: it may be the last. */
bool pagerank_may_end(const struct pagerank_plan *plan,
                      const hy_pagerank_info *info);

/* Ranks that stay on a device, f64. */
struct pagerank_kept {
    struct device_buf *rank; /* has any contents after a failure */
    hy_vid n;                /* ids that they are of; 0: there are none yet */
};

/* hy_pagerank on opts->device.  With `kept` it starts from the ranks there, if
 * there are any, and leaves its own. */
HY_CHECKED hy_status pagerank_on_device(const hy_view *V,
                                        const hy_pagerank_opts *opts,
                                        const struct pagerank_kept *kept,
                                        double *rank, hy_pagerank_info *info);

/* hy_live_pagerank on opts->device. */
HY_CHECKED hy_status pagerank_live_on_device(hy_graph *G,
                                             const hy_pagerank_opts *opts,
                                             hy_live **out);

#endif
