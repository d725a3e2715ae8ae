/* Atomic steps on words that are plain everywhere else: arrays that threads
 * fill together and that only one thread changes later.  All relaxed: what
 * the threads wrote is ordered by the end of their loop. */
#ifndef BASE_ATOMIC_H
#define BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* Puts x and returns what was there. */
static inline uint32_t atomic_swap_u32(uint32_t *p, uint32_t x)
{
    return __atomic_exchange_n(p, x, __ATOMIC_RELAXED);
}

/* Puts x if *p is *old; else *old becomes what is there. */
static inline bool atomic_claim_u32(uint32_t *p, uint32_t *old, uint32_t x)
{
    return __atomic_compare_exchange_n(p, old, x, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

static inline uint32_t atomic_peek_u32(const uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Puts x if it is less than what is there. */
static inline void atomic_min_u32(uint32_t *p, uint32_t x)
{
    uint32_t old = atomic_peek_u32(p);
    while (x < old && !atomic_claim_u32(p, &old, x))
        ;
}

static inline void atomic_put_u32(uint32_t *p, uint32_t x)
{
    __atomic_store_n(p, x, __ATOMIC_RELAXED);
}

static inline void atomic_add_i32(int32_t *p, int32_t x)
{
    (void)__atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

/* Adds x and returns what was there; so too for u64. */
static inline uint32_t atomic_add_u32(uint32_t *p, uint32_t x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

static inline uint64_t atomic_add_u64(uint64_t *p, uint64_t x)
{
    return __atomic_fetch_add(p, x, __ATOMIC_RELAXED);
}

static inline uint64_t atomic_peek_u64(const uint64_t *p)
{
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Sets the bits of x. */
static inline void atomic_or_u64(uint64_t *p, uint64_t x)
{
    (void)__atomic_fetch_or(p, x, __ATOMIC_RELAXED);
}

#endif
