/* Buffers that were freed and are kept for the next, within the cap. */
#include "base/compiler.h"
#include "device/device.h"

#include "support/test.h"

#include <stdio.h>

enum { MAX_DEVICES = 8, KIB = 1 << 10, MIB = 1 << 20, MOST = 20 };

struct refusal {
    unsigned left; /* calls that are refused before one is not */
};

static bool may_call(void *user)
{
    struct refusal *const R = user;
    if (!R->left)
        return true;
    R->left--;
    return false;
}

static hy_device_stats stats_of(const hy_device *D)
{
    hy_device_stats stats;
    hy_device_stats_get(D, &stats);
    return stats;
}

static struct device_buf make(hy_device *D, size_t bytes)
{
    struct device_buf b;
    assert_int_equal(device_alloc(D, &b, bytes), HY_OK);
    assert_true(b.bytes >= bytes);
    return b;
}

static void make_and_free(hy_device *D, size_t bytes)
{
    struct device_buf b = make(D, bytes);
    device_free(D, &b);
    assert_null(b.handle);
}

static uint64_t kept(uint64_t bytes)
{
    return HY_SANITIZED ? 0 : bytes;
}

static void are_taken_again(hy_device *D)
{
    make_and_free(D, 4 * MIB);
    make_and_free(D, 16 * KIB); /* too small to matter */
    assert_int_equal(stats_of(D).spare, kept(4 * MIB));
    struct device_buf tiny = make(D, 64 * KIB); /* too small for it */
    assert_int_equal(stats_of(D).spare, kept(4 * MIB));
    struct device_buf a = make(D, 4 * MIB - 100 * KIB);
    assert_int_equal(stats_of(D).spare, 0);
    assert_int_equal(stats_of(D).bytes, a.bytes + tiny.bytes);
    const uint32_t word = 7;
    uint32_t found = 0;
    assert_int_equal(device_fill(D, &a, 0, 4 * KIB, word), HY_OK);
    assert_int_equal(device_read(D, &a, 1024, 4, &found), HY_OK);
    assert_int_equal(found, word);
    device_free(D, &a);
    device_free(D, &tiny);
    assert_int_equal(stats_of(D).bytes, 0);
}

static void are_few(hy_device *D)
{
    for (size_t i = 1; i <= MOST; i++)
        make_and_free(D, i * 2 * MIB);
    uint64_t newest = 0;
    for (size_t i = MOST; i > MOST - DEVICE_SPARES; i--)
        newest += i * 2 * MIB;
    assert_true(stats_of(D).spare <= newest);
}

/* Cap of 8 MiB. */
static void leave_room(hy_device *D)
{
    make_and_free(D, 2 * MIB);
    make_and_free(D, 5 * MIB);
    struct device_buf a = make(D, 7 * MIB);
    assert_int_equal(stats_of(D).spare, 0);
    struct device_buf b;
    assert_int_equal(device_alloc(D, &b, 2 * MIB), HY_EFULL);
    assert_int_equal(stats_of(D).bytes, a.bytes);
    device_free(D, &a);
}

/* A driver that has no memory is asked once more when spares went back. */
static void go_back_when_refused(hy_device *D, struct refusal *R)
{
    make_and_free(D, MIB);
    R->left = 1;
    struct device_buf b;
    const hy_status status = device_alloc(D, &b, 3 * MIB);
    assert_int_equal(status, HY_SANITIZED ? HY_EDEVICE : HY_OK);
    assert_int_equal(stats_of(D).spare, 0);
    device_free(D, &b);
    R->left = 0;
}

static void on_each(void (*test)(hy_device *D), uint64_t cap)
{
    hy_ctx *const ctx = test_ctx(1);
    uint32_t n = 0;
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    for (uint32_t d = 0; d < n && d < MAX_DEVICES; d++) {
        char name[16];
        hy_device *D = NULL;
        const hy_device_opts opts = { .memory_cap = cap };
        (void)snprintf(name, sizeof name, "%u", (unsigned)d);
        assert_int_equal(hy_device_open(ctx, name, &opts, &D), HY_OK);
        test(D);
        assert_int_equal(stats_of(D).bytes, 0);
        hy_device_close(D);
    }
}

static void spares_are_taken_again(void **state)
{
    (void)state;
    on_each(are_taken_again, 0);
}

static void spares_are_few(void **state)
{
    (void)state;
    on_each(are_few, 0);
}

static void spares_leave_room(void **state)
{
    (void)state;
    on_each(leave_room, 8 * MIB);
}

static void spares_go_back_when_refused(void **state)
{
    (void)state;
    struct refusal R = { 0 };
    const hy_device_opts opts = { .may_call = may_call, .user = &R };
    hy_device *D = NULL;
    assert_int_equal(hy_device_open(test_ctx(1), "host", &opts, &D), HY_OK);
    go_back_when_refused(D, &R);
    hy_device_close(D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spares_are_taken_again),
        cmocka_unit_test(spares_are_few),
        cmocka_unit_test(spares_leave_room),
        cmocka_unit_test(spares_go_back_when_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
