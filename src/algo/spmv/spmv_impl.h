/* What the files of spmv share. */
#ifndef ALGO_SPMV_SPMV_IMPL_H
#define ALGO_SPMV_SPMV_IMPL_H

#include "algo/common/weights.h"

#include <hypha/spmv.h>

/* y = A x on a device: the same sums in the same order. */
HY_CHECKED hy_status spmv_on_device(hy_device *D, const struct algo_weights *W,
                                    const hy_spmv_opts *opts, const double *x,
                                    double *y);

#endif
