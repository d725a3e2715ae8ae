/* Live answers on a device: the frame that all problems share.
 *
 *   Follow(delta)
 *     1 Source   it may have come or gone, of searches
 *     2 Device   the mirror sends what commits noted; repaired there, from
 *                what it keeps of the version before, or computed from
 *                nothing; into spare arrays
 *     3 Host     by the static function, if the device failed
 *     4 Take     the spare arrays become the values
 *     5 Stale    if there was no memory for line 3 either: values and version
 *                stay what they were, and the next commit tries again
 *
 * A device can fail at any call, and the graph has changed by then: so nothing
 * is written where the values are before all is known.  The device must
 * outlive the answer.
 */
#ifndef ALGO_LIVE_DEVICE_H
#define ALGO_LIVE_DEVICE_H

#include "algo/live/live.h"
#include "device/device.h"

struct live_device;

/* What a problem provides. */
struct live_problem {
    struct live_kind kind; /* name, type, needs_in, nothing, check */
    bool has_source;       /* and parents */
    /* The static function on D, or on the host if that is NULL, into arrays
     * of V->bound entries; sets total and error.  On D it leaves in `kept`
     * what a repair begins with. */
    hy_status (*run)(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents);
    /* The same from what is kept of the version before; NULL: there is no
     * such way.  Asked before whether this delta is of a kind that it can. */
    bool (*can_repair)(const struct live_device *S, const hy_delta *delta);
    hy_status (*repair)(struct live_device *S, const hy_view *V,
                        const hy_delta *delta, void *values, hy_vid *parents);
    const char *how; /* it repairs, as info.why says */
    /* Room for what a repair needs here; a commit that the answer cannot
     * follow is refused.  NULL: there is nothing to do. */
    hy_status (*reserve)(struct live_device *S,
                         const struct watch_coming *coming);
    void (*fini)(struct live_device *S, hy_ctx *ctx); /* of that room; NULL */
};

/* The first member of a problem's own state. */
struct live_device {
    const struct live_problem *problem;
    struct live_kind kind;
    hy_device *D;
    hy_graph *G;
    hy_vid source; /* HY_NONE: it is not there */
    uint64_t external;

    struct live_spare spare; /* for the next answer */

    /* On D: what the problem keeps there, and of how many ids. */
    struct device_buf kept, kept_parents;
    hy_vid n_kept;
    bool is_kept; /* it is of the version that the values are of */

    /* of the last run */
    uint64_t total;
    double error;
};

/* For check, while there is no source: nothing is reached. */
HY_CHECKED hy_status live_device_check_nothing(const hy_live *L);

/* live_attach for a problem; takes S, whose source is set. */
HY_CHECKED hy_status live_device_attach(hy_graph *G,
                                        const struct live_problem *problem,
                                        struct live_device *S, hy_device *D,
                                        hy_live **out);

#endif
