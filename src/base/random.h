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

/* A state to start the i-th of many short sequences from: mixed twice, or
 * the sequences would be pieces of one another. */
static inline uint64_t base_random_start(uint64_t seed, uint64_t i)
{
    return base_mix(base_random_at(seed, i) ^ 0xd1b54a32d192ed03u);
}

/* Below n, n > 0, by multiplication: no division, bias under 2^-32 for
 * n < 2^32. */
static inline uint64_t base_random_below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

/* A bijection of 0 .. n-1, for n > 0: a Feistel network of hashes on the
 * next even number of bits, walked until it falls below n (Black, Rogaway,
 * CT-RSA 2002).  A shuffle that needs no memory and no order. */
static inline uint64_t base_permute(uint64_t seed, uint64_t n, uint64_t x)
{
    enum { ROUNDS = 6 };
    unsigned half = 1;
    while (half < 32 && (n - 1) >> 2 * half)
        half++;
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = x >> half, right = x & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            const uint64_t hash =
                base_mix(base_random_at(seed, round) ^ right) & mask;
            const uint64_t next = left ^ hash;
            left = right;
            right = next;
        }
        x = left << half | right;
    } while (x >= n);
    return x;
}

#endif
