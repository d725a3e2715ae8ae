/* Live answers of five kinds, on the host or on a device: how each is attached
 * and what it is compared with.  For struct live_case. */
#ifndef TESTS_LIVE_ASK_H
#define TESTS_LIVE_ASK_H

#include "support/live.h"

struct live_ask {
    const char *device; /* for live_ask_open; NULL: the host, not as a device */
    hy_device_opts how; /* to open it */
    hy_device *D;       /* NULL: the host */
    unsigned users;     /* of D */
    hy_pagerank_opts ranks;
    /* set by attaching */
    uint64_t external; /* of the source */
    hy_sssp_opts paths;
};

/* `arg` is a struct live_ask. */
typedef hy_status live_ask_attach(hy_graph *G, void *arg, hy_live **out);
typedef bool live_ask_compare(hy_live *L, const hy_view *V, void *arg,
                              struct why *why);

live_ask_attach live_ask_bfs, live_ask_sssp, live_ask_pagerank, live_ask_wcc,
    live_ask_triangles;
live_ask_compare live_is_bfs, live_is_sssp, live_is_pagerank, live_is_wcc,
    live_is_triangles;

/* Weights for paths: none, or a column of them among others.  Drawn values are
 * zeros, few small numbers or, in u64, so large that sums are rounded. */
void live_ask_weights(hy_graph_opts *opts, uint64_t *rng);

/* Opens the device for the first who needs it, and closes it after the
 * last. */
void live_ask_open(hy_ctx *ctx, void *arg);
void live_ask_close(void *arg);

#endif
