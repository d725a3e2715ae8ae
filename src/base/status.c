/* Statuses, error texts, the version, the clock. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

enum { ERROR_TEXT_BYTES = 256 };

static _Thread_local char error_text[ERROR_TEXT_BYTES];

static const char *const status_texts[] = {
#define STATUS_TEXT(code, text) [code] = text,
    HY_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
};

const char *hy_status_text(hy_status status)
{
    const size_t n = sizeof status_texts / sizeof *status_texts;
    return (size_t)status < n ? status_texts[status] : "unknown status";
}

const char *hy_error_text(void)
{
    return error_text;
}

hy_status base_fail(hy_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(error_text, sizeof error_text, format, args);
    va_end(args);
    return status;
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *hy_version(void)
{
    return VERSION_TEXT(HY_VERSION_MAJOR, HY_VERSION_MINOR, HY_VERSION_PATCH);
}

double hy_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

size_t hy_type_width(hy_type type)
{
    static const size_t widths[] = {
#define TYPE_WIDTH(code, width) [code] = width,
        HY_TYPE_MAP(TYPE_WIDTH)
#undef TYPE_WIDTH
    };
    return (size_t)type < sizeof widths / sizeof *widths ? widths[type] : 0;
}

const char *hy_type_name(hy_type type)
{
    static const char *const names[] = { "u8",  "u16", "u32", "u64",
                                         "i32", "i64", "f32", "f64" };
    const size_t i = (size_t)type;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}
