/* One line of a stream into a change.
 *
 *   hys       + u v [w ...]   - u v   = u v w ...   + u   - u   commit
 *   delta     a u v [w ...]   d u v   u u v w ...   a u   d u
 *   temporal  u v t           u v w t
 *
 * `#` and `%` begin comments, at the start of a line alone.
 */
#include "io/stream.h"

#include "io/path.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_WORDS = IO_STREAM_COLUMNS + 4, SHOWN = 40 };

struct word {
    const char *at, *end;
};

static hy_status bad(hy_stream *S, const char *format, ...) HY_PRINTF(2, 3);

static hy_status bad(hy_stream *S, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(S->why, sizeof S->why, format, args);
    va_end(args);
    return HY_EFORMAT;
}

/* For "`%.*s` is ...": a word, not too much of it. */
static int shown(struct word w)
{
    return w.end - w.at < SHOWN ? (int)(w.end - w.at) : SHOWN;
}

static bool is_word(struct word w, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)(w.end - w.at) == n && memcmp(w.at, text, n) == 0;
}

/* Cuts a line into words; one too many if there are more than MOST_WORDS. */
static uint32_t split(const char *at, const char *end, struct word *word)
{
    uint32_t n = 0;
    for (;;) {
        at = io_skip_blanks(at, end);
        if (at == end || (n == 0 && (*at == '#' || *at == '%')))
            return n;
        const char *const stop = io_read_word(at, end);
        if (n == MOST_WORDS)
            return n + 1;
        word[n++] = (struct word){ at, stop };
        at = stop;
    }
}

/* ---- ids -------------------------------------------------------------------
 */

static hy_status read_id(hy_stream *S, struct word w, uint64_t *out)
{
    if (S->names)
        return hy_names_add(S->names, w.at, (size_t)(w.end - w.at), out);
    if (io_read_u64(w.at, w.end, out) != w.end || *out == HY_ANY)
        return bad(S, "`%.*s` is no vertex id", shown(w), w.at);
    return HY_OK;
}

static hy_status read_ends(hy_stream *S, const struct word *w,
                           struct io_change *C)
{
    HY_TRY(read_id(S, w[0], &C->u));
    HY_TRY(read_id(S, w[1], &C->v));
    for (unsigned i = 0; i < 2 && S->is_dense; i++)
        if ((i ? C->v : C->u) >= S->bound)
            return bad(S, "the graph has no vertex `%.*s`", shown(w[i]),
                       w[i].at);
    return HY_OK;
}

static hy_status read_vertex(hy_stream *S, struct word w, struct io_change *C)
{
    HY_TRY(read_id(S, w, &C->u));
    if (S->is_dense && C->u >= HY_NONE)
        return bad(S, "`%.*s` is past what this graph can hold", shown(w),
                   w.at);
    if (S->is_dense && C->kind == IO_INSERT_VERTEX && C->u >= S->bound)
        S->bound = C->u + 1;
    return HY_OK;
}

/* ---- values -------------------------------------------------------------- */

static bool is_whole(double x, double lo, double end)
{
    return x >= lo && x < end && x == trunc(x);
}

static bool to_i64(struct io_value x, int64_t lo, int64_t hi, int64_t *out)
{
    if (x.real && !is_whole(x.f, -0x1p63, 0x1p63))
        return false;
    *out = x.real ? (int64_t)x.f : x.i;
    return *out >= lo && *out <= hi;
}

/* Above 2^63 a number reads as real: its digits are looked at again. */
static bool to_u64(struct io_value x, struct word w, uint64_t *out)
{
    int64_t i;
    if (io_read_u64(w.at, w.end, out) == w.end)
        return true;
    if (!to_i64(x, 0, INT64_MAX, &i))
        return false;
    *out = (uint64_t)i;
    return true;
}

static bool store_integer(hy_type type, struct io_value x, char *to)
{
    static const struct {
        int64_t lo, hi;
    } limits[] = {
        [HY_U8] = { 0, UINT8_MAX },
        [HY_U16] = { 0, UINT16_MAX },
        [HY_U32] = { 0, UINT32_MAX },
        [HY_I32] = { INT32_MIN, INT32_MAX },
        [HY_I64] = { INT64_MIN, INT64_MAX },
    };
    int64_t i;
    if (!to_i64(x, limits[type].lo, limits[type].hi, &i))
        return false;
    const uint8_t u8 = (uint8_t)i;
    const uint16_t u16 = (uint16_t)i;
    const uint32_t u32 = (uint32_t)i; /* of i32 too: the same bits */
    switch (hy_type_width(type)) {
    case 1:
        memcpy(to, &u8, sizeof u8);
        break;
    case 2:
        memcpy(to, &u16, sizeof u16);
        break;
    case 4:
        memcpy(to, &u32, sizeof u32);
        break;
    default:
        memcpy(to, &i, sizeof i);
    }
    return true;
}

static bool store_value(hy_type type, struct io_value x, struct word w,
                        char *to)
{
    const double f = x.real ? x.f : (double)x.i;
    const float f32 = (float)f;
    uint64_t u = 0;
    switch (type) {
    case HY_F64:
        memcpy(to, &f, sizeof f);
        return true;
    case HY_F32:
        memcpy(to, &f32, sizeof f32);
        return isfinite(f32);
    case HY_U64:
        if (!to_u64(x, w, &u))
            return false;
        memcpy(to, &u, sizeof u);
        return true;
    default:
        return store_integer(type, x, to);
    }
}

static hy_status read_value(hy_stream *S, struct word w, uint32_t column)
{
    struct io_value x;
    if (io_read_value(w.at, w.end, &x) != w.end)
        return bad(S, "`%.*s` is no number", shown(w), w.at);
    if (!store_value(S->type[column], x, w, S->record + S->offset[column]))
        return bad(S, "`%.*s` does not fit a column of type %s", shown(w), w.at,
                   hy_type_name(S->type[column]));
    return HY_OK;
}

/* All columns of the record, or none. */
static hy_status read_values(hy_stream *S, const struct word *w, uint32_t n,
                             struct io_change *C)
{
    C->has_values = n > 0;
    if (n == 0)
        return HY_OK;
    if (n != S->n_columns)
        return bad(S, "%u values, but edges have %u", n, S->n_columns);
    for (uint32_t k = 0; k < n; k++)
        HY_TRY(read_value(S, w[k], k));
    return HY_OK;
}

/* ---- lines --------------------------------------------------------------- */

/* The place of a line's first word in +-= or adu; 3 if it has none there. */
static unsigned op_of(const hy_stream *S, struct word w)
{
    const char *ops = S->opts.format == HY_STREAM_HYS ? "+-=" : "adu";
    const char *found = w.end - w.at == 1 && *w.at ? strchr(ops, *w.at) : NULL;
    return found ? (unsigned)(found - ops) : 3;
}

static hy_status read_change(hy_stream *S, const struct word *w, uint32_t n,
                             struct io_change *C)
{
    enum { INSERT, DELETE, UPDATE, NO_OP };
    const unsigned op = op_of(S, w[0]);
    if (op == NO_OP)
        return bad(S, "`%.*s` is no change", shown(w[0]), w[0].at);
    if (n == 2 && op != UPDATE) {
        C->kind = op == INSERT ? IO_INSERT_VERTEX : IO_DELETE_VERTEX;
        return read_vertex(S, w[1], C);
    }
    const uint32_t n_values = n > 3 ? n - 3 : 0;
    if (n < 3 || (op == DELETE && n_values) || (op == UPDATE && !n_values))
        return bad(S, "`%.*s` with %u words after it", shown(w[0]), w[0].at,
                   n - 1);
    C->kind = op == INSERT   ? IO_INSERT_EDGE
              : op == DELETE ? IO_DELETE_EDGE
                             : IO_UPDATE_EDGE;
    HY_TRY(read_values(S, w + 3, n_values, C));
    return read_ends(S, w + 1, C);
}

static hy_status read_time(hy_stream *S, struct word w, int64_t *out)
{
    struct io_value x;
    if (io_read_value(w.at, w.end, &x) != w.end ||
        !to_i64(x, INT64_MIN, INT64_MAX, out))
        return bad(S, "`%.*s` is no time", shown(w), w.at);
    return HY_OK;
}

/* A weight that the graph has no column for is of no use: files of KONECT
 * have one, whether it says something or not. */
static hy_status read_temporal(hy_stream *S, const struct word *w, uint32_t n,
                               struct io_change *C)
{
    if (n < 3 || n > 4)
        return bad(S, "%u words, not `u v t` or `u v w t`", n);
    const struct word time = w[n - 1];
    struct io_value x;
    C->kind = IO_INSERT_EDGE;
    HY_TRY(read_time(S, time, &C->time));
    if (n == 4 && io_read_value(w[2].at, w[2].end, &x) != w[2].end)
        return bad(S, "`%.*s` is no number", shown(w[2]), w[2].at);
    memset(S->record, 0, S->record_bytes);
    if (n == 4 && S->weight_column != HY_NONE) {
        C->has_values = true;
        HY_TRY(read_value(S, w[2], S->weight_column));
    }
    if (S->time_column != HY_NONE) {
        C->has_values = true;
        HY_TRY(read_value(S, time, S->time_column));
    }
    return read_ends(S, w, C);
}

hy_status io_change_read(hy_stream *S, const char *at, const char *end,
                         struct io_change *out)
{
    struct word word[MOST_WORDS];
    const uint32_t n = split(at, end, word);
    *out = (struct io_change){ .kind = IO_NOTHING };
    if (n == 0)
        return HY_OK;
    if (n > MOST_WORDS)
        return bad(S, "more than %d words", MOST_WORDS);
    if (S->opts.format == HY_STREAM_TEMPORAL)
        return read_temporal(S, word, n, out);
    if (S->opts.format == HY_STREAM_DELTA || n > 1 ||
        !is_word(word[0], "commit"))
        return read_change(S, word, n, out);
    out->kind = IO_COMMIT;
    return HY_OK;
}

/* ---- telling formats ----------------------------------------------------- */

/* The first line that says something; false if none does. */
static bool first_word(const char *at, const char *end, struct word *out)
{
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        struct word word[MOST_WORDS];
        if (split(at, stop, word)) {
            *out = word[0];
            return true;
        }
        at = stop < end ? stop + 1 : end;
    }
    return false;
}

bool io_stream_says(const char *at, size_t n)
{
    struct word w;
    const char *const end = n ? memrchr(at, '\n', n) : NULL;
    return end && first_word(at, end, &w);
}

hy_stream_format io_stream_format(const char *path, const char *at, size_t n)
{
    struct word w;
    size_t length;
    (void)io_path_packing(path, &length);
    if (io_path_ends(path, length, ".hys"))
        return HY_STREAM_HYS;
    if (io_path_ends(path, length, "delta"))
        return HY_STREAM_DELTA;
    if (n == 0 || !first_word(at, at + n, &w) || is_word(w, "+") ||
        is_word(w, "-") || is_word(w, "=") || is_word(w, "commit"))
        return HY_STREAM_HYS;
    return is_word(w, "a") || is_word(w, "d") || is_word(w, "u")
               ? HY_STREAM_DELTA
               : HY_STREAM_TEMPORAL;
}

bool io_stream_has_commit(const char *at, const char *end)
{
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *from = io_skip_blanks(at, stop);
        const struct word w = { from, io_read_word(from, stop) };
        if (is_word(w, "commit"))
            return true;
        at = stop < end ? stop + 1 : end;
    }
    return false;
}
