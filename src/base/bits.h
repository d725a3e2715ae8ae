/* Bits: sets of small integers, widths, rounding. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bits_words(size_t n)
{
    return (n + 63) / 64;
}

static inline bool bits_has(const uint64_t *set, size_t i)
{
    return (set[i / 64] >> (i % 64)) & 1;
}

static inline void bits_add(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bits_remove(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* Bits needed to write x: 0 for 0. */
static inline unsigned bits_width(uint64_t x)
{
    return x ? 64u - (unsigned)__builtin_clzll(x) : 0;
}

/* The lowest one that is set; x is not 0. */
static inline unsigned bits_first(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

/* How many are set.  The builtin is a call where the processor need not have
 * an instruction for it. */
static inline uint64_t bits_count(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
}

static inline uint64_t bits_div_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

#endif
