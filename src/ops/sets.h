/* Disjoint sets in an array of parents, for the rooms above: in place.
 *
 * p[a] is a's parent, p[a] = a for a root.  Parents are never larger than
 * their children: a union puts the larger root under the smaller one, so that
 * there are no cycles whatever order threads write in, and the root is the
 * smallest element of its set.  (Union by index and path halving: Jayanti and
 * Tarjan, PODC 2016, have random indices; here they are those of the
 * elements, as in Afforest, Sutton, Ben-Nun, Barak, IPDPS 2018.)
 *
 * All accesses are relaxed: a stale parent is an ancestor still, and the
 * compare-and-swap at a root tells if it is one no longer.
 */
#ifndef OPS_SETS_H
#define OPS_SETS_H

#include "base/atomic.h"
#include "base/compiler.h"

#include <stddef.h>

/* The root of a.  Shortens the path on its way: a lost race undoes another
 * thread's shortening, no union: only elements that are no root are written. */
HY_INLINE uint32_t sets_find(uint32_t *p, uint32_t a)
{
    uint32_t b = atomic_peek_u32(&p[a]);
    for (;;) {
        const uint32_t c = atomic_peek_u32(&p[b]);
        if (b == c)
            return b;
        atomic_put_u32(&p[a], c);
        a = b;
        b = c;
    }
}

/* Makes one set of two; true if they were two. */
HY_INLINE bool sets_unite(uint32_t *p, uint32_t a, uint32_t b)
{
    for (;;) {
        a = sets_find(p, a);
        b = sets_find(p, b);
        if (a == b)
            return false;
        const uint32_t low = a < b ? a : b;
        uint32_t high = a < b ? b : a;
        if (atomic_claim_u32(&p[high], &high, low))
            return true;
    }
}

/* Points lo..hi-1 at their roots; ascending, so that parents are mostly done
 * before their children. */
HY_INLINE void sets_compress(uint32_t *p, size_t lo, size_t hi)
{
    for (size_t a = lo; a < hi; a++) {
        const uint32_t first = atomic_peek_u32(&p[a]);
        uint32_t root = first;
        for (uint32_t up; (up = atomic_peek_u32(&p[root])) != root;)
            root = up;
        if (root != first)
            atomic_put_u32(&p[a], root);
    }
}

#endif
