/* Numbers out of text and into it.
 *
 * A decimal is digits x 10^e.  If the digits are below 2^53 and |e| <= 22,
 * both are exact doubles, and one multiplication or division rounds once:
 * that is the right answer (Clinger, PLDI 1990).  All else goes to strtod,
 * as digits and an exponent alone, so that no locale has a say.
 */
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------- */

enum {
    EXACT_POWER = 22,
    /* No double's border has more digits; the rest only matters by being
     * there. */
    MOST_DIGITS = 770
};

/* Exponents are cut here: no text is long enough to make up for more. */
static const int64_t far = 1000000000000000;

static const double power10[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

/* What a number looks like, before it is one. */
struct decimal {
    const char *from, *point, *to; /* digits, with a point among them if any */
    uint64_t digits;               /* the first 19 that count */
    unsigned n;                    /* how many of these there are */
    bool is_cut;                   /* more digits followed, not all of them 0 */
    bool is_whole, negative;
    int64_t e;        /* value = digits x 10^e, if it is not cut */
    int64_t exponent; /* as written */
};

static void take_digit(struct decimal *D, char c, bool fraction)
{
    if (D->n < 19) {
        D->digits = D->digits * 10 + (uint64_t)(c - '0');
        D->n += D->digits != 0;
        D->e -= fraction;
    } else {
        D->is_cut |= c != '0';
        D->e += !fraction;
    }
}

static const char *scan_exponent(const char *at, const char *end, int64_t *e)
{
    const char *p = at + 1;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !io_is_digit(*p))
        return at;
    int64_t x = 0;
    for (; p < end && io_is_digit(*p); p++)
        x = x < far ? x * 10 + (*p - '0') : x;
    *e = negative ? -x : x;
    return p;
}

/* Returns where the number ends, NULL if there is none. */
static const char *scan(const char *at, const char *end, struct decimal *D)
{
    *D = (struct decimal){ .is_whole = true };
    if (at < end && (*at == '-' || *at == '+'))
        D->negative = *at++ == '-';
    D->from = at;
    for (; at < end && io_is_digit(*at); at++)
        take_digit(D, *at, false);
    size_t n = (size_t)(at - D->from);
    D->point = at;
    if (at < end && *at == '.') {
        D->is_whole = false;
        for (at++; at < end && io_is_digit(*at); at++, n++)
            take_digit(D, *at, true);
    }
    D->to = at;
    if (n == 0)
        return NULL;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *const p = scan_exponent(at, end, &D->exponent);
        D->e += D->exponent;
        D->is_whole &= p == at;
        at = p;
    }
    return at;
}

/* The exact way: the digits that matter, a 1 for all others, an exponent. */
static double round_slowly(const struct decimal *D)
{
    char text[MOST_DIGITS + 32];
    size_t n = 0;
    int64_t e = D->exponent;
    bool is_cut = false;
    for (const char *p = D->from; p < D->to; p++) {
        if (p == D->point)
            continue;
        e -= p > D->point;
        if (n == MOST_DIGITS) {
            is_cut |= *p != '0';
            e++;
        } else if (n > 0 || *p != '0') {
            text[n++] = *p;
        }
    }
    if (n == 0)
        return 0;
    if (is_cut) {
        text[n++] = '1';
        e--;
    }
    (void)snprintf(text + n, sizeof text - n, "e%lld", (long long)e);
    return strtod(text, NULL);
}

static double round_decimal(const struct decimal *D)
{
    if (HY_LIKELY(!D->is_cut && D->digits < (uint64_t)1 << 53 &&
                  D->e >= -EXACT_POWER && D->e <= EXACT_POWER)) {
        const double x = (double)D->digits;
        return D->e < 0 ? x / power10[-D->e] : x * power10[D->e];
    }
    return round_slowly(D);
}

const char *io_read_value(const char *at, const char *end, struct io_value *out)
{
    struct decimal D;
    const char *const stop = scan(at, end, &D);
    if (HY_UNLIKELY(!stop))
        return NULL;
    /* 19 digits are below 10^19 < 2^64; a minus may reach -2^63. */
    if (D.is_whole && !D.is_cut && D.e == 0 &&
        D.digits <= (uint64_t)INT64_MAX + D.negative) {
        out->real = false;
        out->i = (int64_t)(D.negative ? 0 - D.digits : D.digits);
        return stop;
    }
    const double x = round_decimal(&D);
    if (!isfinite(x))
        return NULL;
    out->real = true;
    out->f = D.negative ? -x : x;
    return stop;
}

/* ---- writing ------------------------------------------------------------- */

size_t io_write_u64(char *to, uint64_t x)
{
    char text[20];
    size_t n = sizeof text;
    do
        text[--n] = (char)('0' + x % 10);
    while ((x /= 10) != 0);
    memcpy(to, text + n, sizeof text - n);
    return sizeof text - n;
}

size_t io_write_i64(char *to, int64_t x)
{
    if (x >= 0)
        return io_write_u64(to, (uint64_t)x);
    *to = '-';
    return 1 + io_write_u64(to + 1, 0 - (uint64_t)x);
}

/* The digits, without trailing zeros, with the point after the first
 * `before` of them; before <= 0: after as many zeros. */
static size_t write_digits(char *to, const char *digit, int n, int before)
{
    char *p = to;
    while (n > 1 && digit[n - 1] == '0')
        n--;
    if (before < -4 || before > 17) { /* d.ddde-7 */
        *p++ = digit[0];
        if (n > 1)
            *p++ = '.';
        memcpy(p, digit + 1, (size_t)n - 1);
        p += n - 1;
        *p++ = 'e';
        return (size_t)(p - to) + io_write_i64(p, before - 1);
    }
    if (before <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = before; i < 0; i++)
            *p++ = '0';
    }
    for (int i = 0; i < n || i < before; i++) {
        if (i == before && i > 0)
            *p++ = '.';
        *p++ = i < n ? digit[i] : '0';
    }
    return (size_t)(p - to);
}

/* x > 0 as a whole number over a power of ten, if it is one: both are exact,
 * so that the quotient is what reading it back gives. */
static size_t write_short(char *to, double x)
{
    if (x >= 1e15 || x < 1e-5)
        return 0;
    for (int k = 0; k <= EXACT_POWER; k++) {
        const double scaled = x * power10[k] + 0.5;
        if (scaled >= 9007199254740992.0)
            return 0;
        const uint64_t whole = (uint64_t)scaled;
        if ((double)whole / power10[k] == x) {
            char digit[20];
            const int n = (int)io_write_u64(digit, whole);
            return write_digits(to, digit, n, n - k);
        }
    }
    return 0;
}

static size_t write_long(char *to, double x)
{
    char text[40], digit[20];
    /* 15 digits always come back, but those of the smallest have no more. */
    for (int n = x < DBL_MIN ? 1 : 15; n <= 17; n++) {
        /* d.ddde-07, but the point is the locale's: only digits are taken */
        const int length = snprintf(text, sizeof text, "%.*e", n - 1, x);
        const char *const e = memchr(text, 'e', (size_t)length);
        int got = 0;
        for (const char *p = text; p < e; p++)
            if (io_is_digit(*p))
                digit[got++] = *p;
        const int before = (int)strtol(e + 1, NULL, 10) + 1;
        const size_t written = write_digits(to, digit, got, before);
        struct io_value back = { 0 };
        if (n == 17 || (io_read_value(to, to + written, &back) &&
                        (back.real ? back.f : (double)back.i) == x))
            return written;
    }
    return 0;
}

size_t io_write_f64(char *to, double x)
{
    if (!isfinite(x)) {
        const char *const text = isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
        memcpy(to, text, strlen(text));
        return strlen(text);
    }
    size_t n = 0;
    if (signbit(x)) {
        to[n++] = '-';
        x = -x;
    }
    if (x == 0) { /* a whole zero has no sign */
        memcpy(to + n, "0.0", 3);
        return n ? n + 3 : 1;
    }
    const size_t written = write_short(to + n, x);
    return n + (written ? written : write_long(to + n, x));
}
