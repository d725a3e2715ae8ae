/* What sorted lists and sets of bits have in common. */
#ifndef OPS_INTERSECT_H
#define OPS_INTERSECT_H

#include <hypha/ops_intersect.h>

/* Loops for one kind of processor. */
struct ops_intersect {
    /* As hy_intersect_sorted, where neither is much longer. */
    size_t (*merge)(const hy_vid *a, size_t na, const hy_vid *b, size_t nb);
    /* Bits that are set in both rows of n words, a multiple of 4. */
    uint64_t (*rows)(const uint64_t *x, const uint64_t *y, size_t n);
    unsigned row_bits; /* of `rows` that take as long as one look at a bit */
};

/* The best for the processor that this runs on. */
const struct ops_intersect *ops_intersect_best(void);

/* hy_intersect_sorted with loops that are at hand. */
size_t ops_intersect_sorted(const struct ops_intersect *loops, const hy_vid *a,
                            size_t na, const hy_vid *b, size_t nb);

#endif
