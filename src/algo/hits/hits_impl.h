/* The options of HITS, with their defaults filled in. */
#ifndef ALGO_HITS_IMPL_H
#define ALGO_HITS_IMPL_H

#include "base/status.h"

#include <hypha/hits.h>

struct hits_plan {
    double tolerance; /* negative: none is small enough */
    uint32_t iterations;
};

/* `opts` may be NULL.  HY_EINVAL. */
HY_CHECKED hy_status hits_plan(struct hits_plan *plan,
                               const hy_hits_opts *opts);

#endif
