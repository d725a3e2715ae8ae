/* Operators on arrays of devices, beside plain loops. */
#include "device/ops.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEVICES = 8, SIZES = 7 };

static const size_t sizes[SIZES] = { 0, 1, 2, 255, 2048, 2049, 70001 };

static uint32_t *draw(size_t n, uint64_t *rng, uint64_t below)
{
    uint32_t *const x = malloc((n + 1) * sizeof *x);
    if (!x)
        abort();
    for (size_t i = 0; i < n; i++)
        x[i] = (uint32_t)rng_below(rng, below);
    return x;
}

static struct device_buf buf_of(hy_device *D, const void *x, size_t bytes)
{
    struct device_buf b;
    assert_int_equal(device_alloc(D, &b, bytes), HY_OK);
    if (x)
        assert_int_equal(device_write(D, &b, 0, bytes, x), HY_OK);
    return b;
}

static void *read_all(hy_device *D, struct device_buf *b, size_t bytes)
{
    void *const x = malloc(bytes + 1);
    if (!x)
        abort();
    assert_int_equal(device_read(D, b, 0, bytes, x), HY_OK);
    device_free(D, b);
    return x;
}

static void scan_and_reduce(hy_device *D, size_t n, uint64_t *rng)
{
    uint32_t *const x = draw(n, rng, (uint64_t)1 << 32);
    struct device_buf from = buf_of(D, x, n * sizeof *x);
    struct device_buf to = buf_of(D, NULL, (n + 1) * sizeof(uint64_t));
    uint64_t sum = 0, min = UINT32_MAX, max = 0, found[4];
    assert_int_equal(device_scan(D, &from, n, &to), HY_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(
            device_reduce(D, &from, n, (enum device_reduce)i, &found[i]),
            HY_OK);
    uint64_t *const y = read_all(D, &to, (n + 1) * sizeof *y);
    for (size_t i = 0; i < n; i++) {
        assert_true(y[i] == sum);
        sum += x[i];
        min = x[i] < min ? x[i] : min;
        max = x[i] > max ? x[i] : max;
    }
    assert_true(y[n] == sum);
    assert_true(found[DEVICE_SUM] == sum);
    assert_true(found[DEVICE_MIN] == min);
    assert_true(found[DEVICE_MAX] == max);
    device_free(D, &from);
    free(y);
    free(x);
}

static void filter(hy_device *D, size_t n, uint64_t *rng)
{
    uint32_t *const x = draw(n, rng, 3);
    struct device_buf from = buf_of(D, x, n * sizeof *x);
    struct device_buf to = buf_of(D, NULL, n * sizeof *x);
    uint64_t count = 0, k = 0, again = 0;
    assert_int_equal(device_filter(D, &from, n, &to, &count), HY_OK);
    assert_int_equal(device_reduce(D, &from, n, DEVICE_COUNT, &again), HY_OK);
    assert_true(count == again);
    uint32_t *const list = read_all(D, &to, n * sizeof *list);
    for (size_t i = 0; i < n; i++)
        if (x[i])
            assert_true(list[k++] == i);
    assert_true(k == count);
    device_free(D, &from);
    free(list);
    free(x);
}

static uint64_t key_at(const uint32_t *key, size_t words, size_t i)
{
    return words == 2 ? key[2 * i] | (uint64_t)key[2 * i + 1] << 32 : key[i];
}

static void sort(hy_device *D, size_t n, bool is_wide, uint32_t bits,
                 uint64_t *rng)
{
    const size_t words = is_wide ? 2 : 1;
    const uint32_t high = is_wide ? bits - 32 : bits;
    uint32_t *const key = draw(n * words, rng, (uint64_t)1 << 32);
    uint32_t *const value = draw(n, rng, 1);
    for (size_t i = 0; i < n; i++) {
        uint32_t *const top = &key[i * words + words - 1];
        *top = high < 32 ? *top & (((uint32_t)1 << high) - 1) : *top;
        value[i] = (uint32_t)i;
    }
    struct device_buf k = buf_of(D, key, n * words * sizeof *key);
    struct device_buf k_tmp = buf_of(D, NULL, n * words * sizeof *key);
    struct device_buf v = buf_of(D, value, n * sizeof *value);
    struct device_buf v_tmp = buf_of(D, NULL, n * sizeof *value);
    const struct device_keys K = { .key = &k,
                                   .value = &v,
                                   .key_tmp = &k_tmp,
                                   .value_tmp = &v_tmp,
                                   .n = n,
                                   .is_wide = is_wide,
                                   .bits = bits };
    assert_int_equal(device_sort(D, &K), HY_OK);
    uint32_t *const sorted = read_all(D, &k, n * words * sizeof *key);
    uint32_t *const order = read_all(D, &v, n * sizeof *value);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = key_at(sorted, words, i);
        assert_true(x == key_at(key, words, order[i]));
        if (i == 0)
            continue;
        const uint64_t before = key_at(sorted, words, i - 1);
        assert_true(before < x || (before == x && order[i - 1] < order[i]));
    }
    device_free(D, &k_tmp);
    device_free(D, &v_tmp);
    free(order);
    free(sorted);
    free(value);
    free(key);
}

static void on_each(void (*test)(hy_device *D, size_t n, uint64_t *rng))
{
    hy_ctx *const ctx = test_ctx(1);
    uint32_t n = 0;
    uint64_t rng = test_seed_at(0);
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    for (uint32_t d = 0; d < 2 * n && d < MAX_DEVICES; d++) {
        char name[16];
        hy_device *D = NULL;
        hy_device_stats stats;
        const hy_device_opts opts = { .wants_singles = d % 2 };
        (void)snprintf(name, sizeof name, "%u", (unsigned)d / 2);
        assert_int_equal(hy_device_open(ctx, name, &opts, &D), HY_OK);
        for (size_t i = 0; i < SIZES; i++)
            test(D, sizes[i], &rng);
        hy_device_stats_get(D, &stats);
        assert_int_equal(stats.bytes, 0);
        hy_device_close(D);
    }
}

static void sort_all(hy_device *D, size_t n, uint64_t *rng)
{
    sort(D, n, false, 3, rng);
    sort(D, n, false, 17, rng);
    sort(D, n, false, 32, rng);
    sort(D, n, true, 40, rng);
    sort(D, n, true, 64, rng);
}

static void scan_and_reduce_are_plain_sums(void **state)
{
    (void)state;
    on_each(scan_and_reduce);
}

static void filter_keeps_order(void **state)
{
    (void)state;
    on_each(filter);
}

static void sort_is_stable(void **state)
{
    (void)state;
    on_each(sort_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scan_and_reduce_are_plain_sums),
        cmocka_unit_test(filter_keeps_order),
        cmocka_unit_test(sort_is_stable),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
