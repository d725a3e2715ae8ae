/* Bits and random numbers. */
#include "support/test.h"

#include "base/bits.h"
#include "base/random.h"

#include <string.h>

static void set_has_what_was_added(void **state)
{
    enum { N = 200 };
    uint64_t set[4] = { 0 };
    bool model[N] = { false };
    uint64_t rng = test_seed();
    (void)state;
    assert_int_equal(bits_words(N), 4);
    for (int round = 0; round < 5000; round++) {
        const size_t i = rng_below(&rng, N);
        model[i] = rng_chance(&rng, 50);
        if (model[i])
            bits_add(set, i);
        else
            bits_remove(set, i);
        for (size_t j = 0; j < N; j++)
            assert_int_equal(bits_has(set, j), model[j]);
    }
}

static void words_hold_the_bits(void **state)
{
    (void)state;
    assert_int_equal(bits_words(0), 0);
    assert_int_equal(bits_words(1), 1);
    assert_int_equal(bits_words(64), 1);
    assert_int_equal(bits_words(65), 2);
}

static void count_is_the_bits_set(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT64_MAX), 64);
    for (int round = 0; round < 1000; round++) {
        const uint64_t x = rng_next(&rng) & rng_next(&rng);
        uint64_t n = 0;
        for (unsigned i = 0; i < 64; i++)
            n += x >> i & 1;
        assert_int_equal(bits_count(x), n);
    }
}

static void width_is_the_bits_to_write(void **state)
{
    (void)state;
    assert_int_equal(bits_width(0), 0);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t x = (uint64_t)1 << i;
        assert_int_equal(bits_width(x), i + 1);
        assert_int_equal(bits_width(x | (x - 1)), i + 1);
    }
}

static void div_up_rounds_up(void **state)
{
    (void)state;
    assert_int_equal(bits_div_up(0, 7), 0);
    assert_int_equal(bits_div_up(1, 7), 1);
    assert_int_equal(bits_div_up(7, 7), 1);
    assert_int_equal(bits_div_up(8, 7), 2);
}

/* The sequence of SplitMix64 from seed 0, as published with the generator:
 * files and seeds rely on it. */
static void random_is_the_same_everywhere(void **state)
{
    static const uint64_t expected[] = { 0xe220a8397b1dcdafu,
                                         0x6e789e6aa1b965f4u,
                                         0x06c45d188009454fu };
    uint64_t rng = 0;
    (void)state;
    for (uint64_t i = 0; i < 3; i++) {
        assert_true(base_random(&rng) == expected[i]);
        assert_true(base_random_at(0, i) == expected[i]);
    }
}

static void random_below_is_below(void **state)
{
    uint64_t rng = test_seed();
    uint32_t times[10] = { 0 };
    (void)state;
    assert_int_equal(base_random_below(UINT64_MAX, 1), 0);
    assert_int_equal(base_random_below(0, 10), 0);
    assert_int_equal(base_random_below(UINT64_MAX, 10), 9);
    for (int i = 0; i < 100000; i++)
        times[base_random_below(base_random(&rng), 10)]++;
    for (int i = 0; i < 10; i++)
        assert_in_range(times[i], 9000, 11000); /* ten deviations */
}

static void permute_is_a_bijection(void **state)
{
    bool seen[300];
    (void)state;
    for (uint64_t n = 1; n <= 300; n++) {
        memset(seen, 0, sizeof seen);
        for (uint64_t x = 0; x < n; x++) {
            const uint64_t y = base_permute(n, n, x);
            assert_true(y < n && !seen[y]);
            seen[y] = true;
        }
    }
    assert_true(base_permute(1, UINT64_MAX, 5) < UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_has_what_was_added),
        cmocka_unit_test(words_hold_the_bits),
        cmocka_unit_test(count_is_the_bits_set),
        cmocka_unit_test(width_is_the_bits_to_write),
        cmocka_unit_test(div_up_rounds_up),
        cmocka_unit_test(random_is_the_same_everywhere),
        cmocka_unit_test(random_below_is_below),
        cmocka_unit_test(permute_is_a_bijection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
