/* Text being made. */
#include "io/text.h"

#include "io/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 40, FIRST_ROOM = 4096 };

void io_text_init(struct io_text *T, hy_ctx *ctx)
{
    *T = (struct io_text){ .ctx = ctx };
}

void io_text_fini(struct io_text *T)
{
    base_free(T->ctx, T->at);
}

void io_text_fail(struct io_text *T, hy_status status, const char *format, ...)
{
    va_list args;
    if (T->status != HY_OK)
        return;
    T->status = status;
    va_start(args, format);
    (void)vsnprintf(T->why, sizeof T->why, format, args);
    va_end(args);
}

char *io_text_more(struct io_text *T, size_t n)
{
    if (HY_UNLIKELY(T->status != HY_OK))
        return NULL;
    if (HY_LIKELY(T->at && T->room - T->n >= n))
        return T->at + T->n;
    const size_t room = 2 * T->room + n + FIRST_ROOM;
    char *at = base_resize(T->ctx, T->at, room, 1);
    if (!at) {
        io_text_fail(T, HY_ENOMEM, "no memory for %zu bytes of text", room);
        return NULL;
    }
    T->at = at;
    T->room = room;
    return at + T->n;
}

void io_text_put(struct io_text *T, const char *bytes, size_t n)
{
    char *to = io_text_more(T, n);
    if (!to)
        return;
    memcpy(to, bytes, n);
    T->n += n;
}

void io_text_char(struct io_text *T, char c)
{
    char *to = io_text_more(T, 1);
    if (to) {
        *to = c;
        T->n++;
    }
}

void io_text_u64(struct io_text *T, uint64_t x)
{
    char *to = io_text_more(T, NUMBER_BYTES);
    if (to)
        T->n += io_write_u64(to, x);
}

void io_text_i64(struct io_text *T, int64_t x)
{
    char *to = io_text_more(T, NUMBER_BYTES);
    if (to)
        T->n += io_write_i64(to, x);
}

/* ---- values -------------------------------------------------------------- */

/* A value of any type, as the widest of its kind. */
struct wide {
    enum { SIGNED, UNSIGNED, REAL } kind;
    int64_t i;
    uint64_t u;
    double f;
};

/* Values need not be aligned: hence the copies. */
static struct wide widen(hy_type type, const void *at)
{
    struct wide w = { .kind = UNSIGNED };
    float f;
    int32_t i;
    uint32_t u;
    uint16_t h;
    switch (type) {
    case HY_U8:
        w.u = *(const uint8_t *)at;
        break;
    case HY_U16:
        memcpy(&h, at, sizeof h);
        w.u = h;
        break;
    case HY_U32:
        memcpy(&u, at, sizeof u);
        w.u = u;
        break;
    case HY_U64:
        memcpy(&w.u, at, sizeof w.u);
        break;
    case HY_I32:
        memcpy(&i, at, sizeof i);
        w.kind = SIGNED;
        w.i = i;
        break;
    case HY_I64:
        memcpy(&w.i, at, sizeof w.i);
        w.kind = SIGNED;
        break;
    case HY_F32:
        memcpy(&f, at, sizeof f);
        w.kind = REAL;
        w.f = (double)f;
        break;
    case HY_F64:
        memcpy(&w.f, at, sizeof w.f);
        w.kind = REAL;
        break;
    }
    return w;
}

bool io_value_integer(hy_type type, const void *at, int64_t *out)
{
    const struct wide w = widen(type, at);
    if (w.kind == SIGNED)
        *out = w.i;
    else if (w.kind == UNSIGNED && w.u <= INT64_MAX)
        *out = (int64_t)w.u;
    else if (w.kind == REAL && w.f >= -0x1p63 && w.f < 0x1p63 &&
             w.f == trunc(w.f))
        *out = (int64_t)w.f;
    else
        return false;
    return true;
}

void io_text_value(struct io_text *T, hy_type type, const void *at)
{
    const struct wide w = widen(type, at);
    char *to = io_text_more(T, NUMBER_BYTES);
    if (!to)
        return;
    if (w.kind == SIGNED)
        T->n += io_write_i64(to, w.i);
    else if (w.kind == UNSIGNED)
        T->n += io_write_u64(to, w.u);
    else if (!isfinite(w.f))
        io_text_fail(T, HY_ENOTSUP, "a value is %f: no file can say it", w.f);
    else if (w.f == 0 && signbit(w.f)) /* as an integer it loses its sign */
        io_text_put(T, "-0.0", 4);
    else
        T->n += io_write_f64(to, w.f);
}

/* ---- names --------------------------------------------------------------- */

static void cannot_say(struct io_text *T, const char *name, size_t n,
                       const char *why)
{
    const int shown = n < 60 ? (int)n : 60;
    io_text_fail(T, HY_ENOTSUP, "the name `%.*s` %s", shown, name, why);
}

static void put_quoted(struct io_text *T, const char *name, size_t n)
{
    char *to = io_text_more(T, 2 * n + 2);
    if (!to)
        return;
    const char *const from = to;
    *to++ = '"';
    for (size_t i = 0; i < n; i++) {
        if (name[i] == '"')
            *to++ = '"';
        *to++ = name[i];
    }
    *to++ = '"';
    T->n += (size_t)(to - from);
}

void io_text_name(struct io_text *T, const char *name, size_t n, char separator)
{
    bool has_blank = n == 0, is_odd = n == 0;
    for (size_t i = 0; i < n; i++) {
        const char c = name[i];
        if (c == '\n' || c == '\r' || c == 0) {
            cannot_say(T, name, n, "does not fit on a line");
            return;
        }
        has_blank |= io_is_blank(c);
        is_odd |= c == separator || c == '"';
    }
    const bool is_comment = n && (name[0] == '#' || name[0] == '%');
    if (separator != ' ' && (is_odd || has_blank || is_comment))
        put_quoted(T, name, n);
    else if (has_blank)
        cannot_say(T, name, n, "is empty or has blanks: write csv");
    else if (is_comment)
        cannot_say(T, name, n, "reads as a comment: write csv");
    else
        io_text_put(T, name, n);
}
