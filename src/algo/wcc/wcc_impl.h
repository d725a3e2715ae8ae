/* What the methods for weakly connected components share. */
#ifndef ALGO_WCC_IMPL_H
#define ALGO_WCC_IMPL_H

#include "algo/common/sample.h"
#include "device/device.h"
#include "ops/sets.h"
#include "par/par.h"
#include "store/view.h"

#include <hypha/live.h>
#include <hypha/wcc.h>

enum { WCC_GRAIN = 1 << 10 };

struct wcc {
    const hy_view *V;
    hy_ctx *ctx;
    hy_vid n;            /* bound of ids */
    hy_vid *p;           /* a parent, a label: as the method has it */
    hy_vid c;            /* Afforest: the component that is skipped */
    uint32_t r;          /* Afforest: the neighbour of this round */
    uint32_t iterations; /* rounds over the edges */
    bool moved;          /* this round; atomic, relaxed: set by any thread */
};

/* On return, p[u] is the smallest vertex of u's component. */
void wcc_afforest(struct wcc *W);
void wcc_shiloach_vishkin(struct wcc *W);
void wcc_label_propagation(struct wcc *W);

/* The same on a device, and HY_NONE where no vertex is alive.  The labels are
 * left there in *kept, which has any contents on failure; NULL: they are not
 * wanted. */
HY_CHECKED hy_status wcc_on_device(struct wcc *W, hy_device *D,
                                   struct device_buf *kept);

/* Labels after a commit that only added, from those kept of n_kept ids. */
HY_CHECKED hy_status wcc_join_on_device(struct wcc *W, hy_device *D,
                                        struct device_buf *kept, hy_vid n_kept,
                                        const hy_delta *delta);

/* The same by `method`, and HY_NONE where no vertex is alive. */
void wcc_on_host(struct wcc *W, hy_wcc_method method);

/* p[u] <- u. */
void wcc_alone(struct wcc *W);

/* hy_live_wcc on opts->device. */
HY_CHECKED hy_status wcc_live_on_device(hy_graph *G, const hy_wcc_opts *opts,
                                        hy_live **out);

#endif
