/* Loops and sorts on the threads of a context, for applications.
 *
 * A step must not call the library with the context it runs on.
 */
#ifndef HY_PAR_H
#define HY_PAR_H

#include <hypha/base.h>
#include <hypha/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs step(arg, lo, hi) over disjoint ranges that cover 0..n-1, each a
 * multiple of `grain` long but the last, on all threads of ctx; returns when
 * all are done.  grain 0 counts as 1.  Serial if n <= grain. */
HY_API void hy_par_for(hy_ctx *ctx, size_t n, size_t grain,
                       void (*step)(void *arg, size_t lo, size_t hi),
                       void *arg);

/* The sum of step(arg, lo, hi) over such ranges; they are the same for every
 * number of threads, and added up in order, so the sum is too. */
HY_API uint64_t hy_par_sum(hy_ctx *ctx, size_t n,
                           uint64_t (*step)(void *arg, size_t lo, size_t hi),
                           void *arg);
HY_API double hy_par_sum_f64(hy_ctx *ctx, size_t n,
                             double (*step)(void *arg, size_t lo, size_t hi),
                             void *arg);

/* x[i] becomes the sum of all before it; returns the sum of all. */
HY_API uint64_t hy_par_scan(hy_ctx *ctx, uint64_t *x, size_t n);

/* Sorts n edges by (u, v), ids below `bound`, with the sort that commits use.
 * On failure the edges are as they were.
 * HY_ERANGE: an id >= bound; HY_ENOMEM: needs 16 bytes an edge meanwhile. */
HY_MUST hy_status hy_par_sort_edges(hy_ctx *ctx, hy_edge *edges, uint64_t n,
                                    hy_vid bound);

/* Sorts n keys (high << 32 | low), equal keys in their order.  Only the low
 * `high_bits` of the high part and `low_bits` of the low part may be set, at
 * most 32 each.  `scratch` holds n keys.  Cannot fail.  Returns where the
 * sorted keys are: `keys` or `scratch`; the other one holds nothing of use. */
HY_API uint64_t *hy_par_sort_keys(hy_ctx *ctx, uint64_t *keys,
                                  uint64_t *scratch, uint64_t n,
                                  unsigned high_bits, unsigned low_bits);

#ifdef __cplusplus
}
#endif
#endif
