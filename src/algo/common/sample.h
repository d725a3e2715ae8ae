/* Which value an array has most often, guessed from a few entries. */
#ifndef ALGO_COMMON_SAMPLE_H
#define ALGO_COMMON_SAMPLE_H

#include "store/view.h"

struct algo_sample {
    hy_vid value;   /* the most frequent one; HY_NONE: nothing was drawn */
    uint32_t count; /* how often it was drawn */
    uint32_t drawn;
};

/* Draws entries x[u] of vertices u that have out-edges; the same ones each
 * time for a view.  O(1). */
struct algo_sample algo_sample(const hy_view *V, const hy_vid *x);

/* The same of entries x[p[u]]. */
struct algo_sample algo_sample_by(const hy_view *V, const hy_vid *x,
                                  const hy_vid *p);

#endif
