/* A graph again, with another sense, other ids, or without its columns. */
#ifndef IO_RESHAPE_H
#define IO_RESHAPE_H

#include "base/mem.h"

#include <hypha/graph.h>

struct io_reshape {
    bool undirected;
    bool mapped; /* as it is, if it is */
    bool bare;   /* without edge columns */
};

/* What a view is. */
struct io_reshape io_reshape_of(const hy_view *V);

/* Makes a graph of a view.  Vertices keep their external ids, not their
 * numbers.  HY_ENOTSUP: there are vertex columns. */
HY_CHECKED hy_status io_reshape(hy_ctx *ctx, const hy_view *V,
                                const struct io_reshape *want, hy_graph **out);

#endif
