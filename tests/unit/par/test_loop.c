/* Loops, scans and maxima against the plain ones. */
#include "support/test.h"

#include "par/par.h"

#include <stdlib.h>
#include <string.h>

/* Around 2^19 scan and max stop being serial. */
static const size_t sizes[] = {
    0,  1,    2,      3,      4,      5,      63,     64,
    65, 1000, 262143, 524287, 524288, 524289, 524351, 699993,
};
enum { SIZES = sizeof sizes / sizeof *sizes, N_MAX = 700000 };

static uint64_t *random_numbers(uint64_t seed, unsigned bits)
{
    uint64_t *x = malloc(N_MAX * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N_MAX; i++)
        x[i] = rng_next(&seed) >> (64 - bits);
    return x;
}

/* ---- for --------------------------------------------------------------- */

struct cover {
    uint8_t *times;
    size_t n, grain;
    _Atomic bool is_off; /* a range starts or ends where it must not */
};

static void cover_par(void *arg, size_t lo, size_t hi)
{
    struct cover *cover = arg;
    if (lo >= hi || hi > cover->n || lo % cover->grain ||
        (hi != cover->n && hi % cover->grain))
        atomic_store(&cover->is_off, true);
    for (size_t i = lo; i < hi; i++)
        cover->times[i]++;
}

static bool is_covered(const struct cover *cover)
{
    for (size_t i = 0; i < cover->n; i++)
        if (cover->times[i] != 1)
            return false;
    return !atomic_load(&cover->is_off);
}

static void for_covers_all_in_whole_grains(void **state)
{
    static const size_t grains[] = { 1, 7, 64, 1000, 65536, 1000000 };
    uint8_t *times = malloc(N_MAX);
    (void)state;
    assert_non_null(times);
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t s = 0; s < SIZES; s++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
                struct cover cover = { .times = times,
                                       .n = sizes[s],
                                       .grain = grains[g] };
                memset(times, 0, N_MAX);
                par_for(test_ctx(c), sizes[s], grains[g], cover_par, &cover);
                assert_true(is_covered(&cover));
            }
    free(times);
}

static void count_range_par(void *arg, size_t lo, size_t hi)
{
    (void)lo;
    (void)hi;
    (void)atomic_fetch_add((_Atomic int *)arg, 1);
}

static void for_within_a_grain_is_one_range(void **state)
{
    _Atomic int ranges = 0;
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        par_for(test_ctx(c), 100, 100, count_range_par, &ranges);
    assert_int_equal(atomic_load(&ranges), TEST_CTXS);
}

/* ---- for, by place ------------------------------------------------------ */

struct shares {
    struct cover cover;
    size_t shares;
    _Atomic uint32_t inside[PAR_SHARES]; /* threads that run a share's steps */
};

static void share_par(void *arg, size_t share, size_t lo, size_t hi)
{
    struct shares *S = arg;
    if (share >= S->shares || lo >= hi || hi > S->cover.n ||
        atomic_fetch_add(&S->inside[share], 1))
        atomic_store(&S->cover.is_off, true);
    for (size_t i = lo; i < hi; i++)
        S->cover.times[i]++;
    atomic_fetch_sub(&S->inside[share], 1);
}

static void shares_cover_all_by_one_thread_each(void **state)
{
    static const size_t counts[] = { 1, 2, 3, 7, PAR_SHARES };
    uint8_t *times = malloc(N_MAX);
    (void)state;
    assert_non_null(times);
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t s = 0; s < SIZES; s++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
                struct shares S = { .cover = { .times = times, .n = sizes[s] },
                                    .shares = counts[k] };
                memset(times, 0, N_MAX);
                par_hot_begin(test_ctx(c));
                par_for_shares(test_ctx(c), sizes[s], counts[k], 1 + k * 9,
                               share_par, &S);
                par_hot_end(test_ctx(c));
                assert_true(is_covered(&S.cover));
            }
    free(times);
}

/* ---- scan and max ------------------------------------------------------ */

static uint64_t scan_oracle(uint64_t *x, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t here = x[i];
        x[i] = sum;
        sum += here;
    }
    return sum;
}

static uint64_t max_oracle(const uint64_t *x, size_t n)
{
    uint64_t max = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] > max)
            max = x[i];
    return max;
}

static void scan_is_the_sum_of_what_is_before(void **state)
{
    uint64_t *in = random_numbers(test_seed(), 64); /* sums wrap around */
    uint64_t *x = malloc(N_MAX * sizeof *x), *y = malloc(N_MAX * sizeof *y);
    (void)state;
    assert_true(x && y);
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t s = 0; s < SIZES; s++) {
            memcpy(x, in, N_MAX * sizeof *x);
            memcpy(y, in, N_MAX * sizeof *y);
            const uint64_t total = scan_oracle(x, sizes[s]);
            assert_int_equal(par_scan(test_ctx(c), y, sizes[s]), total);
            assert_memory_equal(x, y, N_MAX * sizeof *x);
        }
    free(in);
    free(x);
    free(y);
}

static void max_is_found_wherever_it_is(void **state)
{
    uint64_t *x = random_numbers(test_seed(), 40);
    uint64_t rng = test_seed_at(1);
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t s = 0; s < SIZES; s++) {
            const size_t n = sizes[s];
            assert_int_equal(par_max(test_ctx(c), x, n), max_oracle(x, n));
            if (n == 0)
                continue;
            const size_t at[] = { 0, n - 1, rng_below(&rng, n) };
            for (int k = 0; k < 3; k++) {
                const uint64_t before = x[at[k]];
                x[at[k]] = UINT64_MAX - (uint64_t)k;
                assert_true(par_max(test_ctx(c), x, n) == x[at[k]]);
                x[at[k]] = before;
            }
        }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_covers_all_in_whole_grains),
        cmocka_unit_test(shares_cover_all_by_one_thread_each),
        cmocka_unit_test(for_within_a_grain_is_one_range),
        cmocka_unit_test(scan_is_the_sum_of_what_is_before),
        cmocka_unit_test(max_is_found_wherever_it_is),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
