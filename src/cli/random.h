/* Random numbers without state, so that threads make a sequence together:
 * SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef CLI_RANDOM_H
#define CLI_RANDOM_H

#include <stdint.h>

static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t random_next(uint64_t *state)
{
    return random_mix(*state += 0x9e3779b97f4a7c15u);
}

/* The i-th number of the sequence of `seed`. */
static inline uint64_t random_at(uint64_t seed, uint64_t i)
{
    return random_mix(seed + (i + 1) * 0x9e3779b97f4a7c15u);
}

/* A state to start the i-th of many short sequences from: mixed twice, or
 * the sequences would be pieces of one another. */
static inline uint64_t random_start(uint64_t seed, uint64_t i)
{
    return random_mix(random_at(seed, i) ^ 0xd1b54a32d192ed03u);
}

/* Below n, n > 0, from a random number. */
static inline uint64_t random_below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

#endif
