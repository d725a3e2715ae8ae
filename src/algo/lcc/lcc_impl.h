/* What a coefficient is made of. */
#ifndef ALGO_LCC_IMPL_H
#define ALGO_LCC_IMPL_H

#include "base/compiler.h"
#include "base/status.h"

#include <hypha/lcc.h>

/* links[u]: directed edges among the neighbours of u, an undirected one counted
 * twice; degree[u]: its neighbours, without direction, loops and repeats.  For
 * all ids below the bound.  `is_directed`: of a directed view; else directions
 * are forgotten.  HY_ENOMEM: nothing was written. */
HY_CHECKED hy_status lcc_links(const hy_view *V, bool is_directed,
                               uint64_t *links, uint32_t *degree);

static inline double lcc_divide(uint64_t links, uint32_t degree)
{
    const double d = degree;
    return degree < 2 ? 0 : (double)links / (d * (d - 1));
}

#endif
