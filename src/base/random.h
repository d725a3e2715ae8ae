/* Random numbers that are the same everywhere: SplitMix64 (Steele, Lea,
 * Flood, OOPSLA 2014).  The i-th number of a seed needs no state, so that
 * threads can make a sequence together. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t base_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The i-th number of the sequence of `seed`. */
static inline uint64_t base_random_at(uint64_t seed, uint64_t i)
{
    return base_mix(seed + (i + 1) * 0x9e3779b97f4a7c15u);
}

static inline uint64_t base_random(uint64_t *state)
{
    return base_mix(*state += 0x9e3779b97f4a7c15u);
}

/* Below n, n > 0, by multiplication: no division, bias under 2^-32 for
 * n < 2^32. */
static inline uint64_t base_random_below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

#endif
