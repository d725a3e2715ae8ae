/* Numbers of paths, which outgrow a double: 4000 x 4000 streets have 2^4000
 * shortest ways across.
 *
 * A wide number is m * 2^(512 k), 0 or 1 <= m < 2^512: sums of numbers with
 * the same k, which most are, cost what doubles do.  Quotients of wide
 * numbers that matter are at most 1. */
#ifndef ALGO_BC_WIDE_H
#define ALGO_BC_WIDE_H

#include <stdint.h>

#define WIDE_STEP 0x1p512
#define WIDE_STEP_DOWN 0x1p-512

struct wide {
    double m;
    uint32_t k;
};

/* x * 2^(-512 down), 0 where that does not matter beside a number >= 1. */
static inline double wide_lower(double x, uint32_t down)
{
    return down == 0 ? x : down == 1 ? x * WIDE_STEP_DOWN : 0;
}

static inline struct wide wide_add(struct wide a, struct wide b)
{
    if (a.k < b.k || a.m == 0) {
        const struct wide c = a;
        a = b;
        b = c;
    }
    a.m += b.m == 0 ? 0 : wide_lower(b.m, a.k - b.k);
    if (a.m >= WIDE_STEP) {
        a.m *= WIDE_STEP_DOWN;
        a.k++;
    }
    return a;
}

#endif
