/* The options of Katz centrality, with their defaults filled in. */
#ifndef ALGO_KATZ_IMPL_H
#define ALGO_KATZ_IMPL_H

#include "base/status.h"

#include <hypha/katz.h>

struct katz_plan {
    double alpha; /* 0: to be chosen */
    double beta, tolerance;
    uint32_t iterations;
    bool is_normalised;
};

/* `opts` may be NULL.  HY_EINVAL. */
HY_CHECKED hy_status katz_plan(struct katz_plan *plan,
                               const hy_katz_opts *opts);

#endif
