/* A range shared out in pieces to workers that have a state of their own:
 * for loops that par_for cannot do, as it does not say who runs a step. */
#ifndef ALGO_COMMON_CLAIMS_H
#define ALGO_COMMON_CLAIMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct claims {
    _Atomic size_t next;
    size_t n, grain;
};

/* Takes the next piece; false if nothing is left. */
static inline bool claims_take(struct claims *c, size_t *lo, size_t *hi)
{
    /* relaxed: who takes a piece needs nothing of the one before */
    const size_t from =
        atomic_fetch_add_explicit(&c->next, c->grain, memory_order_relaxed);
    if (from >= c->n)
        return false;
    *lo = from;
    *hi = c->n - from < c->grain ? c->n : from + c->grain;
    return true;
}

#endif
