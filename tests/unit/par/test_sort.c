/* The sort against its definition and against qsort. */
#include "support/test.h"

#include "par/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = (1 << 20) + 1, N_ORACLE = 1 << 12, CALLERS = 4 };

/* ---- inputs ------------------------------------------------------------ */

enum shape {
    UNIFORM,
    SKEWED, /* a power law, in both parts */
    NESTED, /* lumps within lumps: 1 bit in 8 is set */
    HALF,   /* every other key has one and the same high part */
    ONE_HIGH,
    FEW, /* of 5 values */
    EQUAL,
    SORTED,
    REVERSED,
    ALMOST, /* sorted but for the last key */
    SHAPES
};

static uint64_t below_bits(uint64_t x, unsigned bits)
{
    return x & (((uint64_t)1 << bits) - 1);
}

static uint64_t draw(uint64_t *rng, enum shape shape, size_t i, unsigned high,
                     unsigned low)
{
    uint64_t h = rng_next(rng), l = rng_next(rng);
    if (shape == SKEWED) {
        h = below_bits(h, high) >> (rng_next(rng) % (high + 1));
        l = below_bits(l, low) >> (rng_next(rng) % (low + 1));
    } else if (shape == NESTED) {
        h &= rng_next(rng) & rng_next(rng);
        l &= rng_next(rng) & rng_next(rng);
    } else if (shape == HALF) {
        h = i % 2 ? h : 0x12345;
    } else if (shape == ONE_HIGH) {
        h = 0x12345;
    } else if (shape == FEW) {
        h = l = h % 5 * 0x2468ace1;
    } else if (shape == EQUAL) {
        h = l = 0x13579bdf;
    }
    return below_bits(h, high) << 32 | below_bits(l, low);
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void fill(uint64_t *key, size_t n, uint64_t seed, enum shape shape,
                 unsigned high, unsigned low)
{
    for (size_t i = 0; i < n; i++)
        key[i] = draw(&seed, shape, i, high, low);
    if (n == 0 || shape < SORTED)
        return;
    qsort(key, n, sizeof *key, compare_keys);
    if (shape == ALMOST)
        key[n - 1] = key[0];
    for (size_t i = 0; shape == REVERSED && i < n / 2; i++) {
        const uint64_t swap = key[i];
        key[i] = key[n - 1 - i];
        key[n - 1 - i] = swap;
    }
}

/* ---- the sort's definition --------------------------------------------- */

/* Arrays of N_MAX, with a guard behind. */
struct arrays {
    uint64_t *in, *key, *key_tmp;
    uint32_t *tag, *tag_tmp;
    uint8_t *seen;
};

static struct arrays arrays_new(size_t n)
{
    const struct arrays a = {
        .in = malloc((n + 1) * sizeof *a.in),
        .key = malloc((n + 1) * sizeof *a.key),
        .key_tmp = malloc((n + 1) * sizeof *a.key_tmp),
        .tag = malloc((n + 1) * sizeof *a.tag),
        .tag_tmp = malloc((n + 1) * sizeof *a.tag_tmp),
        .seen = malloc(n + 1),
    };
    if (!a.in || !a.key || !a.key_tmp || !a.tag || !a.tag_tmp || !a.seen)
        abort();
    return a;
}

static void arrays_free(const struct arrays *a)
{
    free(a->in);
    free(a->key);
    free(a->key_tmp);
    free(a->tag);
    free(a->tag_tmp);
    free(a->seen);
}

static const uint64_t GUARD = 0xfeedfacecafebeef;

static struct par_keys load(const struct arrays *a, size_t n, bool has_tag,
                            unsigned high, unsigned low)
{
    struct par_keys keys = { .key = a->key,
                             .key_tmp = a->key_tmp,
                             .tag = has_tag ? a->tag : NULL,
                             .tag_tmp = has_tag ? a->tag_tmp : NULL,
                             .n = n,
                             .high_bits = high,
                             .low_bits = low };
    memcpy(a->key, a->in, n * sizeof *a->key);
    for (size_t i = 0; i < n; i++)
        a->tag[i] = (uint32_t)i;
    a->key[n] = a->key_tmp[n] = GUARD;
    a->tag[n] = a->tag_tmp[n] = (uint32_t)GUARD;
    return keys;
}

static bool is_guarded(const struct arrays *a, size_t n)
{
    return a->key[n] == GUARD && a->key_tmp[n] == GUARD &&
           a->tag[n] == (uint32_t)GUARD && a->tag_tmp[n] == (uint32_t)GUARD;
}

/* Every key is the input's at its tag, each tag is there once, and neighbours
 * ascend by (key, tag): that is the stable order and no other. */
static bool is_stable_order(const struct arrays *a, const struct par_keys *keys)
{
    memset(a->seen, 0, keys->n);
    for (size_t i = 0; i < keys->n; i++) {
        const uint32_t t = keys->tag[i];
        if (t >= keys->n || a->seen[t]++ || a->in[t] != keys->key[i])
            return false;
        if (i > 0 &&
            (keys->key[i - 1] > keys->key[i] ||
             (keys->key[i - 1] == keys->key[i] && keys->tag[i - 1] >= t)))
            return false;
    }
    return is_guarded(a, keys->n);
}

/* Sorts a->in with tags and without; true if both are right. */
static bool is_sorted_right(hy_ctx *ctx, const struct arrays *a, size_t n,
                            unsigned high, unsigned low)
{
    struct par_keys keys = load(a, n, true, high, low);
    par_sort(ctx, &keys);
    if (!is_stable_order(a, &keys))
        return false;
    uint64_t *const sorted = malloc((n + 1) * sizeof *sorted);
    if (!sorted)
        abort();
    memcpy(sorted, keys.key, n * sizeof *sorted);
    keys = load(a, n, false, high, low);
    par_sort(ctx, &keys);
    bool ok = !memcmp(sorted, keys.key, n * sizeof *sorted);
    ok = ok && is_guarded(a, n) && !keys.tag && !keys.tag_tmp;
    if (n <= N_ORACLE && n > 0) {
        qsort(a->in, n, sizeof *a->in, compare_keys);
        ok = ok && !memcmp(a->in, keys.key, n * sizeof *sorted);
    }
    free(sorted);
    return ok;
}

/* ---- tests ------------------------------------------------------------- */

static const unsigned widths[] = { 0, 1, 8, 20, 32 };
enum { WIDTHS = sizeof widths / sizeof *widths };

static void check_sort(unsigned c, const struct arrays *a, size_t n,
                       enum shape shape, unsigned high, unsigned low,
                       uint64_t seed)
{
    fill(a->in, n, seed, shape, high, low);
    if (!is_sorted_right(test_ctx(c), a, n, high, low))
        fail_msg("%u threads, %zu keys of %u+%u bits, shape %d",
                 1u << c % TEST_CTXS, n, high, low, (int)shape);
}

static void small_sizes_are_sorted(void **state)
{
    const struct arrays a = arrays_new(128);
    uint64_t rng = test_seed();
    (void)state;
    for (size_t n = 0; n <= 100; n++)
        for (unsigned w = 0; w < WIDTHS * WIDTHS; w++)
            for (int shape = 0; shape < SHAPES; shape++)
                check_sort((unsigned)n, &a, n, (enum shape)shape,
                           widths[w / WIDTHS], widths[w % WIDTHS],
                           rng_next(&rng));
    arrays_free(&a);
}

/* Lengths around the powers of two; each shape with each number of threads,
 * for a width of bits that is drawn. */
static void sizes_around_powers_of_two_are_sorted(void **state)
{
    const struct arrays a = arrays_new(N_MAX);
    uint64_t rng = test_seed_at(1);
    (void)state;
    for (unsigned k = 7; k <= 20; k++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (unsigned c = 0; c < TEST_CTXS; c++) {
                if (k > 17 && c != (k + (unsigned)shape) % TEST_CTXS)
                    continue; /* one of them, as these take long */
                const size_t n = ((size_t)1 << k) - 1 + rng_below(&rng, 3);
                const unsigned w = (unsigned)rng_below(&rng, WIDTHS * WIDTHS);
                check_sort(c, &a, n, (enum shape)shape, widths[w / WIDTHS],
                           widths[w % WIDTHS], rng_next(&rng));
            }
    arrays_free(&a);
}

/* The widths that loads have, where blocks, digits and splits meet. */
static void every_width_is_sorted_at_every_scale(void **state)
{
    static const size_t sizes[] = {
        300, 1025, 5000, 16385, 32768, 32769, 70000
    };
    const struct arrays a = arrays_new(70000);
    uint64_t rng = test_seed_at(2);
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned w = 0; w < WIDTHS * WIDTHS; w++) {
            const enum shape shape = (enum shape)rng_below(&rng, SORTED);
            check_sort(1, &a, sizes[s], shape, widths[w / WIDTHS],
                       widths[w % WIDTHS], rng_next(&rng));
            check_sort(1, &a, sizes[s], NESTED, widths[w / WIDTHS],
                       widths[w % WIDTHS], rng_next(&rng));
        }
    arrays_free(&a);
}

/* Lumps of lumps: a bucket that all threads split, level after level. */
static void lumps_are_sorted(void **state)
{
    const size_t n = 400000;
    const struct arrays a = arrays_new(n);
    uint64_t rng = test_seed_at(3);
    (void)state;
    for (unsigned bits = 8; bits <= 32; bits += 8)
        for (unsigned c = 0; c < TEST_CTXS; c++) {
            /* A random digit of 8 bits, then the next, ... is 0. */
            for (size_t i = 0; i < n; i++) {
                const uint64_t r = rng_next(&rng);
                const unsigned zeros = (unsigned)(r >> 58);
                const uint64_t x = rng_next(&rng) >> zeros;
                a.in[i] = below_bits(x >> 32, bits) << 32 | below_bits(x, bits);
            }
            assert_true(is_sorted_right(test_ctx(c), &a, n, bits, bits));
        }
    arrays_free(&a);
}

static void sorted_input_is_left_where_it_is(void **state)
{
    const struct arrays a = arrays_new(100000);
    static const size_t sizes[] = { 1000, 100000 };
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (int s = 0; s < 2; s++) {
            fill(a.in, sizes[s], test_seed(), SORTED, 20, 20);
            struct par_keys keys = load(&a, sizes[s], true, 20, 20);
            par_sort(test_ctx(c), &keys);
            assert_ptr_equal(keys.key, a.key);
            assert_ptr_equal(keys.tag, a.tag);
            assert_true(is_stable_order(&a, &keys));
        }
    arrays_free(&a);
}

/* Sortedness is checked in ranges: the one break is where two may meet. */
static void break_at_any_round_place_is_seen(void **state)
{
    const size_t n = 100000;
    const struct arrays a = arrays_new(n);
    (void)state;
    for (size_t at = 1024; at < n; at += 1024) {
        for (size_t i = 0; i < n; i++)
            a.in[i] = i < at ? i + n : i;
        assert_true(is_sorted_right(test_ctx(1), &a, n, 0, 20));
    }
    arrays_free(&a);
}

/* ---- several callers --------------------------------------------------- */

struct caller {
    hy_ctx *ctx;
    uint64_t seed;
    pthread_t thread;
    bool is_right;
};

static void *call(void *arg)
{
    struct caller *caller = arg;
    const size_t n = 50000;
    const struct arrays a = arrays_new(n);
    uint64_t rng = caller->seed;
    caller->is_right = true;
    for (int round = 0; round < 10; round++) {
        fill(a.in, n, rng_next(&rng), round % 2 ? UNIFORM : SKEWED, 32, 32);
        if (!is_sorted_right(caller->ctx, &a, n, 32, 32))
            caller->is_right = false;
    }
    arrays_free(&a);
    return NULL;
}

static void callers_at_once_all_sort(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        struct caller callers[CALLERS];
        for (unsigned i = 0; i < CALLERS; i++) {
            callers[i] = (struct caller){ .ctx = test_ctx(c),
                                          .seed = test_seed_at(4 + i) };
            assert_int_equal(
                pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
        }
        for (int i = 0; i < CALLERS; i++)
            (void)pthread_join(callers[i].thread, NULL);
        for (int i = 0; i < CALLERS; i++)
            assert_true(callers[i].is_right);
    }
}

/* Every shape with the pool in another's hands: counters on the stack. */
static void sort_on_a_busy_pool_is_right(void **state)
{
    const struct arrays a = arrays_new(200000);
    uint64_t rng = test_seed_at(9);
    (void)state;
    assert_true(par_pool_acquire(test_ctx(1)->pool));
    for (int shape = 0; shape < SHAPES; shape++)
        for (unsigned w = 3; w < WIDTHS; w++)
            check_sort(1, &a, 200000, (enum shape)shape, widths[w], widths[w],
                       rng_next(&rng));
    par_pool_release(test_ctx(1)->pool);
    arrays_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes_are_sorted),
        cmocka_unit_test(sizes_around_powers_of_two_are_sorted),
        cmocka_unit_test(every_width_is_sorted_at_every_scale),
        cmocka_unit_test(lumps_are_sorted),
        cmocka_unit_test(sorted_input_is_left_where_it_is),
        cmocka_unit_test(break_at_any_round_place_is_seen),
        cmocka_unit_test(callers_at_once_all_sort),
        cmocka_unit_test(sort_on_a_busy_pool_is_right),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
