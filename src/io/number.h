/* Numbers and words out of text, without libc: no locale, no terminating 0,
 * never past `end`.  Each returns where it stopped; NULL if there was no such
 * thing, or it does not fit. */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool io_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Blank: space, tab, carriage return and the rarer two; not newline. */
static inline bool io_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline const char *io_skip_blanks(const char *at, const char *end)
{
    while (at < end && io_is_blank(*at))
        at++;
    return at;
}

/* Digits alone, at most 2^64 - 1.  Does not look at what follows. */
static inline const char *io_read_u64(const char *at, const char *end,
                                      uint64_t *out)
{
    const char *const from = at;
    uint64_t x = 0;
    for (; at < end && io_is_digit(*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (HY_UNLIKELY(at - from >= 19) &&
            (x > UINT64_MAX / 10 || x * 10 > UINT64_MAX - digit))
            return NULL;
        x = x * 10 + digit;
    }
    *out = x;
    return at == from ? NULL : at;
}

/* The value of a column.  An integer is kept exactly; a number with a point
 * or an exponent, or an integer past 64 bits, is real. */
struct io_value {
    bool real;
    union {
        int64_t i;
        double f;
    };
};

/* [+-]digits[.digits][e[+-]digits], correctly rounded.  NaN and infinities
 * are no numbers here, nor what overflows to one. */
const char *io_read_value(const char *at, const char *end,
                          struct io_value *out);

/* A word: up to a blank, or the end. */
static inline const char *io_read_word(const char *at, const char *end)
{
    while (at < end && !io_is_blank(*at))
        at++;
    return at;
}

/* The shortest text that reads back as x; at most 32 bytes, no 0 after them.
 * Returns its length. */
size_t io_write_f64(char *to, double x);
size_t io_write_u64(char *to, uint64_t x);
size_t io_write_i64(char *to, int64_t x);

#endif
