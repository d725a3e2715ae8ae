/* Status texts, error texts, types, the version, the clock. */
#include "support/test.h"

#include "base/status.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void status_has_a_text_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(HY_OK, 0);
    for (int a = HY_OK; a <= HY_EBUG; a++) {
        assert_true(strlen(hy_status_text((hy_status)a)) > 0);
        for (int b = HY_OK; b < a; b++)
            assert_string_not_equal(hy_status_text((hy_status)a),
                                    hy_status_text((hy_status)b));
    }
}

static void status_unknown_says_so(void **state)
{
    (void)state;
    assert_string_equal(hy_status_text((hy_status)(HY_EBUG + 1)),
                        "unknown status");
    assert_string_equal(hy_status_text((hy_status)-1), "unknown status");
}

static void fail_sets_the_text_and_returns_the_status(void **state)
{
    (void)state;
    assert_int_equal(base_fail(HY_EIO, "%s %d", "line", 7), HY_EIO);
    assert_string_equal(hy_error_text(), "line 7");
}

static void fail_with_a_long_text_is_cut(void **state)
{
    char text[1000];
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(base_fail(HY_EBUG, "%s", text), HY_EBUG);
    assert_true(strlen(hy_error_text()) > 100);
    assert_true(strlen(hy_error_text()) < sizeof text - 1);
}

static void *read_text(void *arg)
{
    *(size_t *)arg = strlen(hy_error_text());
    (void)base_fail(HY_EIO, "elsewhere");
    return NULL;
}

static void error_text_is_the_threads_own(void **state)
{
    pthread_t thread;
    size_t length = 99;
    (void)state;
    (void)base_fail(HY_EIO, "here");
    assert_int_equal(pthread_create(&thread, NULL, read_text, &length), 0);
    (void)pthread_join(thread, NULL);
    assert_int_equal(length, 0);
    assert_string_equal(hy_error_text(), "here");
}

static void version_is_that_of_the_header(void **state)
{
    char text[32];
    (void)state;
    (void)snprintf(text, sizeof text, "%d.%d.%d", HY_VERSION_MAJOR,
                   HY_VERSION_MINOR, HY_VERSION_PATCH);
    assert_string_equal(hy_version(), text);
}

static void type_width_is_that_of_c(void **state)
{
    (void)state;
    assert_int_equal(hy_type_width(HY_U8), sizeof(uint8_t));
    assert_int_equal(hy_type_width(HY_U16), sizeof(uint16_t));
    assert_int_equal(hy_type_width(HY_U32), sizeof(uint32_t));
    assert_int_equal(hy_type_width(HY_U64), sizeof(uint64_t));
    assert_int_equal(hy_type_width(HY_I32), sizeof(int32_t));
    assert_int_equal(hy_type_width(HY_I64), sizeof(int64_t));
    assert_int_equal(hy_type_width(HY_F32), sizeof(float));
    assert_int_equal(hy_type_width(HY_F64), sizeof(double));
    assert_int_equal(hy_type_width((hy_type)(HY_F64 + 1)), 0);
    assert_int_equal(hy_type_width((hy_type)-1), 0);
    assert_string_equal(hy_type_name(HY_U8), "u8");
    assert_string_equal(hy_type_name(HY_F64), "f64");
    assert_null(hy_type_name((hy_type)(HY_F64 + 1)));
    assert_null(hy_type_name((hy_type)-1));
}

static void clock_never_goes_back(void **state)
{
    double last = hy_clock();
    (void)state;
    for (int i = 0; i < 10000; i++) {
        const double now = hy_clock();
        assert_true(now >= last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_has_a_text_of_its_own),
        cmocka_unit_test(status_unknown_says_so),
        cmocka_unit_test(fail_sets_the_text_and_returns_the_status),
        cmocka_unit_test(fail_with_a_long_text_is_cut),
        cmocka_unit_test(error_text_is_the_threads_own),
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(type_width_is_that_of_c),
        cmocka_unit_test(clock_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
