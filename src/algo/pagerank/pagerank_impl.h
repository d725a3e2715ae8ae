/* The options of a PageRank, with their defaults filled in. */
#ifndef ALGO_PAGERANK_IMPL_H
#define ALGO_PAGERANK_IMPL_H

#include "base/status.h"

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

#endif
