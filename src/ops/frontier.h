/* The inside of a frontier: two forms of the same set.
 *
 *   list   n ids in any order, each once       valid if has_list
 *   bits   bit v is set if v is in the set      valid if has_bits; if not,
 *                                               all bits are 0
 *
 * At least one form is valid.  Both are as large as they can get, so that
 * nothing done with frontiers can fail.
 */
#ifndef OPS_FRONTIER_H
#define OPS_FRONTIER_H

#include "ops/bag.h"

#include "base/mem.h"

#include <hypha/ops.h>

struct hy_frontier {
    hy_ctx *ctx;
    struct bag bag; /* the list, owned, and how many there are in either form */
    uint64_t *bits; /* owns */
    hy_vid bound;
    bool has_list, has_bits;

    /* How it came about: what push or pull is chosen by. */
    bool was_pulled;
    uint64_t before;   /* size of the frontier it was made from */
    uint64_t edges;    /* of its vertices; UINT64_MAX: not counted */
    uint64_t explored; /* edges gone along to get here */
    uint32_t round;    /* advances that led here */
};

static inline size_t frontier_count(const hy_frontier *F)
{
    return atomic_load_explicit(&F->bag.n, memory_order_relaxed);
}

static inline void frontier_set_count(hy_frontier *F, size_t n)
{
    atomic_store_explicit(&F->bag.n, n, memory_order_relaxed);
}

/* Makes the form valid; the other one stays so. */
void frontier_need_list(hy_frontier *F);
void frontier_need_bits(hy_frontier *F);

#endif
