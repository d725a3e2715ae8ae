/* Numbers in text: as libc reads them, and back. */
#include "io/number.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *read(const char *text, struct io_value *x)
{
    return io_read_value(text, text + strlen(text), x);
}

static void assert_real(const char *text)
{
    struct io_value x = { 0 };
    const char *const stop = read(text, &x);
    const double want = strtod(text, NULL);
    if (stop != text + strlen(text))
        fail_msg("%s: stopped at %s", text, stop ? stop : "nothing");
    const double got = x.real ? x.f : (double)x.i;
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s: %.17g, not %.17g", text, got, want);
}

static void value_is_rounded_as_by_libc(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.0",
        "-0.0",
        "1.5",
        "1e22",
        "1e23",
        "9007199254740993.0",
        "9007199254740992.5",
        ".5",
        "5.",
        "+3.25",
        "1e-5",
        "4.9e-324",
        "2.5e-324",
        "2.4e-324",
        "1.7976931348623157e308",
        "1e-400",
        "0e999999999",
        "0.1e1",
        "123456789012345678901234",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "9223372036854775808",
        "18446744073709551616",
        "0.000000000000000000000000000000000000000000012345678901234567890",
        "100000000000000000000000000000000000000000000000e-40",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "00000000000000000000000000000000000000001.25",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_real(texts[i]);
}

static void value_of_many_digits_is_exact(void **state)
{
    (void)state;
    /* 1 + 2^-53 is between two doubles; a digit far behind decides. */
    static const char half[] =
        "1.00000000000000011102230246251565404236316680908203125";
    char text[3000];
    memset(text, '0', sizeof text);
    memcpy(text, half, strlen(half));
    text[sizeof text - 1] = 0;
    assert_real(text);
    text[sizeof text - 2] = '1';
    assert_real(text);
    memset(text, '9', sizeof text - 1);
    text[1] = '.';
    assert_real(text);
    /* and many before the point, made up for by the exponent */
    memset(text, '7', sizeof text - 1);
    memcpy(text + sizeof text - 7, "e-2980", 7);
    assert_real(text);
}

static void value_of_integers_is_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t x;
    } cases[] = {
        { "0", 0 },
        { "-0", 0 },
        { "+7", 7 },
        { "-12", -12 },
        { "007", 7 },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
        { "000000000000000000000000000000001", 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct io_value x = { .real = true };
        assert_non_null(read(cases[i].text, &x));
        assert_false(x.real);
        assert_true(x.i == cases[i].x);
    }
}

static void value_refuses_what_is_no_number(void **state)
{
    (void)state;
    static const char *const texts[] = { "",       "-",   ".",  "e5", "nan",
                                         "NaN",    "inf", "x1", "-.", "1e309",
                                         "-1e400", "--1", "+-1" };
    struct io_value x;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (read(texts[i], &x))
            fail_msg("`%s` was read", texts[i]);
}

static void value_stops_where_the_number_does(void **state)
{
    (void)state;
    struct io_value x;
    static const char text[] = "12e+x 3";
    assert_ptr_equal(read(text, &x), text + 2);
    assert_true(!x.real && x.i == 12);
    /* never past the end, whatever follows */
    static const char digits[] = "1.5e17";
    assert_ptr_equal(io_read_value(digits, digits, &x), NULL);
    assert_ptr_equal(io_read_value(digits, digits + 3, &x), digits + 3);
    assert_true(x.real && x.f == 1.5);
}

static void u64_reads_up_to_the_largest(void **state)
{
    (void)state;
    uint64_t x = 0;
    const char *text = "18446744073709551615 ";
    assert_ptr_equal(io_read_u64(text, text + 21, &x), text + 20);
    assert_true(x == UINT64_MAX);
    text = "18446744073709551616";
    assert_null(io_read_u64(text, text + 20, &x));
    text = "99999999999999999999999";
    assert_null(io_read_u64(text, text + 23, &x));
    assert_null(io_read_u64("x", "x", &x));
}

/* Without zeros before and after. */
static int count_digits(const char *text)
{
    int n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        zeros = *text == '0' ? zeros + 1 : *text == '.' ? zeros : 0;
        n += io_is_digit(*text) && (n || *text != '0');
    }
    return n > zeros ? n - zeros : n;
}

static void assert_round_trip(double x)
{
    char text[33];
    const size_t n = io_write_f64(text, x);
    assert_in_range(n, 1, 32);
    text[n] = 0;
    const double back = strtod(text, NULL);
    if (memcmp(&x, &back, sizeof x) != 0 && !(x == 0 && back == 0))
        fail_msg("%.17g was written as %s", x, text);
    struct io_value y = { 0 };
    assert_ptr_equal(read(text, &y), text + n);
    if ((y.real ? y.f : (double)y.i) != x)
        fail_msg("%s was read as %.17g", text, y.f);
    /* no more digits than libc needs */
    int digits = 1;
    for (char other[40]; digits < 17; digits++) {
        (void)snprintf(other, sizeof other, "%.*e", digits - 1, x);
        if (strtod(other, NULL) == x)
            break;
    }
    if (count_digits(text) > digits)
        fail_msg("%.17g was written as %s, %d digits do", x, text, digits);
}

static void f64_comes_back(void **state)
{
    (void)state;
    static const double some[] = { 0.1,
                                   1.0,
                                   1e15,
                                   1e16,
                                   1e17,
                                   123456,
                                   1e-5,
                                   1.5e-7,
                                   1e300,
                                   5e-324,
                                   0.3,
                                   1e22,
                                   1e23,
                                   -2.5,
                                   100,
                                   1e18,
                                   12345678901234567.0,
                                   0.00012 };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_round_trip(some[i]);
    uint64_t rng = test_seed();
    for (uint64_t i = 0; i < test_scaled(100000); i++) {
        const uint64_t bits = rng_next(&rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            assert_round_trip(x);
        assert_round_trip((double)rng_below(&rng, 100000) / 1000);
        assert_round_trip((double)(bits >> 11) * 0x1p-53);
        char text[40];
        (void)snprintf(text, sizeof text, "%u.%ue%d", (unsigned)(bits & 0xfff),
                       (unsigned)(bits >> 32), (int)(bits >> 16 & 63) - 32);
        assert_real(text);
    }
}

static void f64_is_written_short(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        { 0, "0" },           { -0.0, "-0.0" },
        { 1, "1" },           { -1.5, "-1.5" },
        { 0.1, "0.1" },       { 1e300, "1e300" },
        { 5e-324, "5e-324" }, { 1e15, "1000000000000000" },
        { 0.0001, "0.0001" }, { 1.25e-9, "1.25e-9" },
        { INFINITY, "inf" },  { -INFINITY, "-inf" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[33] = { 0 };
        text[io_write_f64(text, cases[i].x)] = 0;
        assert_string_equal(text, cases[i].text);
    }
}

static void integers_are_written(void **state)
{
    (void)state;
    char text[33] = { 0 };
    text[io_write_u64(text, UINT64_MAX)] = 0;
    assert_string_equal(text, "18446744073709551615");
    text[io_write_i64(text, INT64_MIN)] = 0;
    assert_string_equal(text, "-9223372036854775808");
    text[io_write_i64(text, 0)] = 0;
    assert_string_equal(text, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_is_rounded_as_by_libc),
        cmocka_unit_test(value_of_many_digits_is_exact),
        cmocka_unit_test(value_of_integers_is_exact),
        cmocka_unit_test(value_refuses_what_is_no_number),
        cmocka_unit_test(value_stops_where_the_number_does),
        cmocka_unit_test(u64_reads_up_to_the_largest),
        cmocka_unit_test(f64_comes_back),
        cmocka_unit_test(f64_is_written_short),
        cmocka_unit_test(integers_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
