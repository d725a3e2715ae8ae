/* Seeds, effort and random numbers of tests.
 *
 * HYPHA_TEST_SEED is the seed, "new" takes one from the clock; without it
 * every run is the same, so that what is refused can be seen again;
 * HYPHA_TEST_EFFORT scales the number of random histories, in per cent.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The seed of this run; printed when it is first asked for. */
uint64_t test_seed(void);

/* The seed of the i-th history of this run.  The first one's is the run's
 * own, so that HYPHA_TEST_SEED=<seed of a history> runs it first. */
uint64_t test_seed_at(uint64_t i);

/* n scaled by the effort, at least 1. */
uint64_t test_scaled(uint64_t n);

/* The next number of a sequence. */
uint64_t rng_next(uint64_t *rng);

/* Below n; 0 if n is 0. */
uint64_t rng_below(uint64_t *rng, uint64_t n);

/* lo..hi, both included. */
uint64_t rng_range(uint64_t *rng, uint64_t lo, uint64_t hi);

/* True in `percent` of 100 cases. */
bool rng_chance(uint64_t *rng, unsigned percent);

#endif
