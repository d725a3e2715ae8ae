/* What core numbers from nothing leave to those under change. */
#ifndef ALGO_KCORE_IMPL_H
#define ALGO_KCORE_IMPL_H

#include "store/view.h"

#include <hypha/kcore.h>

/* hy_kcore, and `order`: the vertices as they were peeled, without a limit.
 * No vertex has more neighbours behind it than its core number.  `near`, or
 * NULL: by vertex, its neighbours of no lower core number, without a limit.  On
 * HY_ENOMEM nothing is written to core, order and near. */
HY_CHECKED hy_status kcore_peel(const hy_view *V, uint32_t limit,
                                uint32_t *core, hy_vid *order, uint32_t *near,
                                hy_kcore_info *info);

#endif
