/* What the files of betweenness centrality share. */
#ifndef ALGO_BC_IMPL_H
#define ALGO_BC_IMPL_H

#include "base/mem.h"
#include "store/view.h"

#include <hypha/bc.h>

/* Sources, one after the other. */
struct bc_draw {
    const hy_view *V;
    const hy_vid *list; /* NULL: drawn */
    uint64_t seed;
    uint64_t count; /* in all */
    uint64_t given; /* so far */
    uint64_t at;    /* where the draw goes on */
    bool is_all;    /* every vertex, ascending */
};

/* HY_EINVAL: a source of the list is not alive. */
HY_CHECKED hy_status bc_draw_init(struct bc_draw *D, const hy_view *V,
                                  const hy_bc_opts *opts);

/* The next one; false at the end. */
bool bc_draw_next(struct bc_draw *D, hy_vid *source);

/* Sets score to the dependencies of all sources: all threads on the levels
 * of one source (bc_levels.c), or a source for each thread (bc_sources.c).
 * HY_ENOMEM, with nothing written. */
HY_CHECKED hy_status bc_by_levels(const hy_view *V, struct bc_draw *D,
                                  double *score, uint32_t *max_depth);
HY_CHECKED hy_status bc_by_sources(const hy_view *V, struct bc_draw *D,
                                   double *score, uint32_t *max_depth);

#endif
