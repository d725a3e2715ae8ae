#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t GOLDEN = 0x9e3779b97f4a7c15u;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t seed_from_outside(void)
{
    const char *text = getenv("HYPHA_TEST_SEED");
    if (!text || !*text)
        return GOLDEN;
    if (strcmp(text, "new") != 0)
        return strtoull(text, NULL, 0);
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return mix((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

uint64_t test_seed(void)
{
    static bool is_known;
    static uint64_t seed;
    if (!is_known) {
        seed = seed_from_outside();
        is_known = true;
        (void)printf("HYPHA_TEST_SEED=0x%" PRIx64 "\n", seed);
        (void)fflush(stdout);
    }
    return seed;
}

uint64_t test_seed_at(uint64_t i)
{
    return test_seed() + i * GOLDEN;
}

uint64_t test_scaled(uint64_t n)
{
    const char *text = getenv("HYPHA_TEST_EFFORT");
    const uint64_t percent = text && *text ? strtoull(text, NULL, 10) : 100;
    const uint64_t scaled = n * percent / 100;
    return scaled ? scaled : 1;
}

uint64_t rng_next(uint64_t *rng)
{
    /* Not the stride of the histories' seeds: they would overlap. */
    return mix(*rng = *rng * 0xd1342543de82ef95u + 1);
}

uint64_t rng_below(uint64_t *rng, uint64_t n)
{
    return n ? rng_next(rng) % n : 0;
}

uint64_t rng_range(uint64_t *rng, uint64_t lo, uint64_t hi)
{
    return lo + rng_below(rng, hi - lo + 1);
}

bool rng_chance(uint64_t *rng, unsigned percent)
{
    return rng_below(rng, 100) < percent;
}
