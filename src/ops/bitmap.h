/* Bits that threads set together.  All relaxed: the end of their loop orders
 * what they wrote.  Bits of one thread only are those of base/bits.h. */
#ifndef OPS_BITMAP_H
#define OPS_BITMAP_H

#include "base/atomic.h"
#include "base/bits.h"
#include "base/compiler.h"

static inline bool bitmap_peek(const uint64_t *set, size_t i)
{
    return (atomic_peek_u64(&set[i / 64]) >> (i % 64)) & 1;
}

/* Adds i; true if it was not there, to one caller only.  Looks first: a
 * load is much cheaper than an atomic step that changes nothing. */
static inline bool bitmap_claim(uint64_t *set, size_t i)
{
    const uint64_t bit = (uint64_t)1 << (i % 64);
    if (atomic_peek_u64(&set[i / 64]) & bit)
        return false;
    return !(__atomic_fetch_or(&set[i / 64], bit, __ATOMIC_RELAXED) & bit);
}

static inline void bitmap_add(uint64_t *set, size_t i)
{
    (void)bitmap_claim(set, i);
}

/* for each element i of a word whose first bit is element `base`:
 * bitmap_each (i, word, base) ... */
#define bitmap_each(i, word, base)                                             \
    for (uint64_t i##_rest = (word), i = 0;                                    \
         i##_rest && (i = (base) + (uint64_t)__builtin_ctzll(i##_rest), 1);    \
         i##_rest &= i##_rest - 1)

#endif
