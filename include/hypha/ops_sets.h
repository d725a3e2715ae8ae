/* Disjoint sets of 0..n-1, united by many threads at once.
 *
 * Each set is known by its smallest element, its root, so that the answer
 * does not depend on the order of the unions.  unite, find and same may run
 * in steps of several threads at the same time; all other calls want the sets
 * for themselves.
 */
#ifndef HY_OPS_SETS_H
#define HY_OPS_SETS_H

#include <hypha/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_sets hy_sets;

/* n sets of one element each.  ctx must outlive them.  HY_ENOMEM.
 * 4 bytes an element. */
HY_MUST hy_status hy_sets_new(hy_ctx *ctx, uint32_t n, hy_sets **out);

/* NULL is allowed. */
HY_API void hy_sets_free(hy_sets *S);

/* Makes every element a set of its own again. */
HY_API void hy_sets_reset(hy_sets *S);

/* Makes one set of those of a and b, both < n; true if they were two.
 * Of several threads that unite the same two sets, one is told true.
 * Lock-free. */
HY_API bool hy_sets_unite(hy_sets *S, uint32_t a, uint32_t b);

/* The root of a's set.  While others unite, what it was a moment ago. */
HY_API uint32_t hy_sets_find(hy_sets *S, uint32_t a);

/* True if a and b are in one set. */
HY_API bool hy_sets_same(hy_sets *S, uint32_t a, uint32_t b);

/* The root of every element: n of them, borrowed until the next unite or
 * free.  Compresses all paths first.  O(n). */
HY_API const uint32_t *hy_sets_roots(hy_sets *S);

/* How many sets there are.  O(n). */
HY_API uint32_t hy_sets_count(const hy_sets *S);

/* Verifies that no parent is larger than its child. */
HY_MUST bool hy_sets_check(const hy_sets *S, const char **why);

#ifdef __cplusplus
}
#endif
#endif
