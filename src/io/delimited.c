/* Lines of fields into rows.
 *
 * Most lines are two integers, or a value more.  Integers are read without a
 * look at single characters: eight bytes at a time become digits, their number
 * and their value (SWAR; D. Lemire, "Quickly parsing eight digits").  At the
 * first surprise the line is parsed again by the long way, which knows
 * everything.
 */
#include "io/delimited.h"
#include "io/head.h"

#include <string.h>

/* ---- fields -------------------------------------------------------------- */

const char *io_line_end(const char *at, const char *end)
{
    const char *const stop =
        at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return stop ? stop : end;
}

bool io_is_empty_line(const char *at, const char *end)
{
    at = io_skip_blanks(at, end);
    return at == end || *at == '#' || *at == '%';
}

bool io_is_tag_line(char separator, uint32_t n, const char *at, const char *end)
{
    struct io_field field[IO_MAX_FIELDS];
    return separator && end - at > 1 && (*at == '#' || *at == '%') &&
           at[1] != *at && !io_is_blank(at[1]) &&
           io_split(separator, at, end, field) == n;
}

bool io_is_vertex_line(char separator, const char *at, const char *end,
                       struct io_field *id)
{
    static const char word[] = "vertex";
    struct io_field field[IO_MAX_FIELDS];
    at = io_skip_blanks(at, end);
    if (at == end || (*at != '#' && *at != '%'))
        return false;
    at = io_skip_blanks(at + 1, end);
    const char *const rest = io_read_word(at, end);
    if (rest == end || (size_t)(rest - at) != strlen(word) ||
        memcmp(at, word, strlen(word)) != 0 ||
        io_split(separator, rest, end, field) != 1 || !field[0].n)
        return false;
    *id = field[0];
    return true;
}

/* The first line that is neither empty nor a comment, or, if `vertex` is not
 * NULL, a comment that names one. */
static bool find_line(const char *text, size_t n, struct io_field *vertex,
                      const char **at, const char **end)
{
    const char *const stop = text + n;
    for (*at = text; *at < stop; *at = *end + 1) {
        *end = io_line_end(*at, stop);
        if (!io_is_empty_line(*at, *end) ||
            (vertex && io_is_vertex_line(0, *at, *end, vertex)))
            return true;
        if (*end == stop)
            break;
    }
    return false;
}

bool io_first_line(const char *text, size_t n, const char **at,
                   const char **end)
{
    return find_line(text, n, NULL, at, end);
}

/* The window begins with a vertex: makes it reach up to the first line that
 * says what columns there are, if one comes at all. */
static hy_status reach_columns(const struct io_reading *R,
                               struct io_window *window)
{
    const char *at, *end;
    while (!io_first_line(window->at, window->n, &at, &end) &&
           io_source_widen(R->source))
        HY_TRY(io_source_next(R->source, window));
    return HY_OK;
}

hy_status io_find_data(const struct io_reading *R, io_skipped *skipped,
                       void *arg, struct io_window *out)
{
    for (;;) {
        HY_TRY(io_source_next(R->source, out));
        const char *at = out->at + out->n, *end;
        struct io_field id;
        const bool is_found = find_line(out->at, out->n, &id, &at, &end);
        if (!is_found)
            at = out->at + out->n;
        if (skipped && at > out->at)
            skipped(arg, out->at, at);
        if (!out->n)
            return HY_OK;
        if (at == out->at)
            return reach_columns(R, out);
        if (is_found)
            io_source_give_back(R->source, (size_t)(at - out->at));
    }
}

static const char *split_quoted(const char *at, const char *end,
                                struct io_field *F)
{
    *F = (struct io_field){ .at = at + 1 };
    for (at++; at < end; at++)
        if (*at == '"') {
            if (at + 1 == end || at[1] != '"') {
                F->n = (size_t)(at - F->at);
                return at + 1;
            }
            F->doubled = true;
            at++;
        }
    return NULL;
}

/* Blanks, but for one that separates. */
static const char *skip_padding(char separator, const char *at, const char *end)
{
    while (at < end && io_is_blank(*at) && *at != separator)
        at++;
    return at;
}

/* One field of a line with a separator; without the blanks around it. */
static const char *split_one(char separator, const char *at, const char *end,
                             struct io_field *F)
{
    at = skip_padding(separator, at, end);
    if (at < end && *at == '"') {
        at = split_quoted(at, end, F);
        at = at ? skip_padding(separator, at, end) : NULL;
        return at && (at == end || *at == separator) ? at : NULL;
    }
    const char *const stop = memchr(at, separator, (size_t)(end - at));
    const char *tail = stop ? stop : end;
    *F = (struct io_field){ .at = at };
    const char *const next = tail;
    while (tail > at && io_is_blank(tail[-1]))
        tail--;
    F->n = (size_t)(tail - at);
    return next;
}

static uint32_t split_blanks(const char *at, const char *end,
                             struct io_field *field)
{
    uint32_t n = 0;
    for (at = io_skip_blanks(at, end); at < end; at = io_skip_blanks(at, end)) {
        const char *const stop = io_read_word(at, end);
        if (n < IO_MAX_FIELDS)
            field[n] = (struct io_field){ .at = at, .n = (size_t)(stop - at) };
        n++;
        at = stop;
    }
    return n;
}

uint32_t io_split(char separator, const char *at, const char *end,
                  struct io_field field[IO_MAX_FIELDS])
{
    if (!separator)
        return split_blanks(at, end, field);
    if (at < end && end[-1] == '\r')
        end--;
    uint32_t n = 0;
    for (;; at++) {
        struct io_field F;
        at = split_one(separator, at, end, &F);
        if (!at)
            return HY_NONE;
        if (n < IO_MAX_FIELDS)
            field[n] = F;
        n++;
        if (at == end)
            return n;
    }
}

bool io_is_integer(const struct io_field *F)
{
    size_t i = F->n && (F->at[0] == '-' || F->at[0] == '+');
    if (i == F->n)
        return false;
    while (i < F->n && io_is_digit(F->at[i]))
        i++;
    return i == F->n;
}

bool io_is_number(const struct io_field *F)
{
    struct io_value x;
    return io_read_value(F->at, F->at + F->n, &x) == F->at + F->n;
}

bool io_are_texts(const struct io_reading *R, char separator,
                  const struct io_window *window)
{
    const char *const end = window->at + window->n;
    struct io_field id;
    if (R->opts->id_kind != HY_ID_AUTO)
        return R->opts->id_kind == HY_ID_TEXT;
    for (const char *at = window->at; at < end;) {
        const char *const stop = io_line_end(at, end);
        if (io_is_vertex_line(separator, at, stop, &id))
            return !io_is_number(&id);
        at = stop + 1;
    }
    return false;
}

/* ---- bad lines ----------------------------------------------------------- */

static struct io_shown show(const struct io_field *F)
{
    return io_show(F->at, F->at + F->n);
}

static bool bad_id(struct io_chunk *C, const char *line,
                   const struct io_field *F)
{
    const char *why = "";
    if (io_is_integer(F))
        why = F->at[0] == '-'   ? ": negative"
              : F->at[0] == '+' ? ": a sign"
                                : ": past 2^64 - 2";
    return io_chunk_bad(C, line, "`%s` is no vertex id%s", show(F).text, why);
}

static bool bad_value(struct io_chunk *C, const char *line,
                      const struct io_field *F)
{
    return io_chunk_bad(C, line, "`%s` is no number", show(F).text);
}

static bool bad_count(struct io_chunk *C, const char *line, uint32_t n,
                      uint32_t want)
{
    if (n == HY_NONE)
        return io_chunk_bad(C, line, "a quote is not closed");
    return io_chunk_bad(C, line, "%u column%s, not %u", n, n == 1 ? "" : "s",
                        want);
}

/* ---- a line, the long way ------------------------------------------------ */

/* Where "" are made one: texts that are longer are bad. */
enum { LONGEST_DOUBLED = 4096 };

struct row {
    struct io_field id[2];
    uint64_t number[2];
    struct io_value value[IO_MAX_VALUES];
};

/* False: the line is bad, and *go_on says what follows from that. */
static bool take_fields(const struct io_delimited *D, struct io_chunk *C,
                        const char *line, const struct io_field *field,
                        struct row *row, bool *go_on)
{
    for (uint32_t i = 0; i < D->n_fields; i++) {
        const struct io_field *const F = &field[i];
        const char *const end = F->at + F->n;
        const uint8_t role = D->role[i];
        if (role == IO_IGNORED)
            continue;
        if (role >= IO_VALUE) {
            if (io_read_value(F->at, end, &row->value[role - IO_VALUE]) == end)
                continue;
            *go_on = bad_value(C, line, F);
            return false;
        }
        row->id[role] = *F;
        if (D->texts && F->n > 0 && (!F->doubled || F->n <= LONGEST_DOUBLED))
            continue;
        if (!D->texts && io_read_u64(F->at, end, &row->number[role]) == end &&
            row->number[role] != HY_ANY)
            continue;
        *go_on = bad_id(C, line, F);
        return false;
    }
    return true;
}

static uint64_t text_id(struct io_chunk *C, const struct io_field *F)
{
    if (!F->doubled)
        return io_rows_text(C->rows, F->at, F->n);
    char text[LONGEST_DOUBLED];
    size_t n = 0;
    for (size_t i = 0; i < F->n; i++) {
        text[n++] = F->at[i];
        i += F->at[i] == '"';
    }
    return io_rows_text(C->rows, text, n);
}

static bool take_sides(const struct io_delimited *D, struct io_chunk *C,
                       const char *line, struct row *row, bool *go_on)
{
    const uint64_t most[] = { D->most_left, D->most_right };
    for (int side = IO_FROM; side <= IO_TO; side++) {
        if (row->number[side] - 1 < most[side])
            continue;
        *go_on = io_chunk_bad(C, line,
                              "`%s` is not among the %llu vertices of "
                              "its side",
                              show(&row->id[side]).text,
                              (unsigned long long)most[side]);
        return false;
    }
    row->number[IO_TO] += D->most_left;
    return true;
}

/* A comment may name a vertex.  In a graph of two sides it does not say of
 * which. */
static void take_comment(const struct io_delimited *D, struct io_chunk *C,
                         const char *line, const char *end)
{
    struct io_field F;
    uint64_t id = 0;
    if (D->most_left || !io_is_vertex_line(D->separator, line, end, &F))
        return;
    if (D->texts && (!F.doubled || F.n <= LONGEST_DOUBLED))
        io_rows_lone(C->rows, text_id(C, &F));
    else if (!D->texts && io_read_u64(F.at, F.at + F.n, &id) == F.at + F.n &&
             id != HY_ANY)
        io_rows_lone(C->rows, id);
}

/* One line; true: go on with the next. */
static bool parse_line(const struct io_delimited *D, struct io_chunk *C,
                       const char *line, const char *end)
{
    if (io_is_empty_line(line, end) &&
        !(D->texts && io_is_tag_line(D->separator, D->n_fields, line, end))) {
        take_comment(D, C, line, end);
        return !C->rows->failed;
    }
    struct io_field field[IO_MAX_FIELDS];
    struct row row = { 0 };
    bool go_on = true;
    const uint32_t n = io_split(D->separator, line, end, field);
    if (n != D->n_fields)
        return bad_count(C, line, n, D->n_fields);
    if (!take_fields(D, C, line, field, &row, &go_on))
        return go_on;
    if (D->most_left && !take_sides(D, C, line, &row, &go_on))
        return go_on;
    if (D->texts) {
        row.number[IO_FROM] = text_id(C, &row.id[IO_FROM]);
        row.number[IO_TO] = text_id(C, &row.id[IO_TO]);
    }
    io_rows_add(C->rows, row.number[IO_FROM], row.number[IO_TO]);
    for (uint32_t c = 0; c < D->n_values; c++)
        io_rows_value(C->rows, c, row.value[c]);
    return !C->rows->failed;
}

/* ---- a line, the short way ----------------------------------------------- */

/* Three times ten digits and what is between, 8 bytes read at once. */
enum { LONGEST_SHORT = 48 };

/* Up to 8 digits at p, which has 8 readable bytes: how many, and the value
 * in *x.  A number of 8 may have more. */
HY_INLINE unsigned read_digits(const char *p, uint64_t *x)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030u;
    /* The high bit of each byte that is no digit. */
    const uint64_t others =
        (word | (word + 0x7676767676767676u)) & 0x8080808080808080u;
    const unsigned n =
        others ? (unsigned)__builtin_ctzll(others) / 8 : sizeof word;
    if (HY_UNLIKELY(n == 0))
        return 0;
    word <<= 64 - 8 * n; /* zeros in front */
    word = word * 10 + (word >> 8);
    *x = ((word & 0x000000ff000000ffu) * 0x000f424000000064u +
          ((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
         32;
    return n;
}

HY_INLINE bool is_between(char separator, char c)
{
    return separator ? c == separator : c == ' ' || c == '\t';
}

/* An integer below HY_NONE, of at most 10 digits; NULL if it is none. */
HY_INLINE const char *read_short(const char *p, uint64_t *x)
{
    unsigned n = read_digits(p, x);
    if (HY_UNLIKELY(n == 0))
        return NULL;
    if (HY_UNLIKELY(n == 8)) {
        static const uint64_t scale[] = { 1, 10, 100 };
        uint64_t low = 0;
        const unsigned more = read_digits(p + n, &low);
        if (more >= sizeof scale / sizeof *scale)
            return NULL;
        *x = *x * scale[more] + low;
        n += more;
        if (*x >= HY_NONE)
            return NULL;
    }
    return p + n;
}

/* Two ids and what is between: returns where they end, NULL if they do not
 * look so.  LONGEST_SHORT bytes can be read at p. */
HY_INLINE const char *read_ids(const char *p, char separator, uint64_t id[2])
{
    p = read_short(p, &id[0]);
    if (HY_UNLIKELY(!p) || !is_between(separator, *p))
        return NULL;
    return read_short(p + 1, &id[1]);
}

/* The value that ends a line, into the row that comes next. */
HY_INLINE const char *read_last(struct io_chunk *C, const char *p)
{
    struct io_rows *const R = C->rows;
    uint64_t x;
    const char *stop = read_short(p, &x);
    if (HY_LIKELY(stop && (*stop == '\n' || *stop == '\r') && !R->real[0])) {
        R->value[0][R->n] = x;
        return stop;
    }
    struct io_value value;
    stop = io_read_value(p, C->end, &value);
    if (stop && stop < C->end && (*stop == '\n' || *stop == '\r')) {
        R->n++; /* it is the row added last, for a moment */
        io_rows_value(R, 0, value);
        R->n--;
        return stop;
    }
    return NULL;
}

/* Lines from `at` on, as long as they are plain and `limit` is not reached;
 * returns where it stopped. */
HY_INLINE const char *parse_short(struct io_chunk *C, const char *at,
                                  const char *limit, char separator,
                                  bool valued)
{
    struct io_rows *const R = C->rows;
    while (at < limit && R->n < R->room) {
        uint64_t id[2];
        const char *stop = read_ids(at, separator, id);
        if (valued && stop)
            stop = is_between(separator, *stop) ? read_last(C, stop + 1) : NULL;
        if (HY_UNLIKELY(!stop))
            break;
        stop += *stop == '\r';
        if (HY_UNLIKELY(stop == C->end || *stop != '\n'))
            break;
        R->narrow[R->n++] = (hy_edge){ (hy_vid)id[0], (hy_vid)id[1] };
        at = stop + 1;
    }
    return at;
}

static const char *parse_plain(const struct io_delimited *D, struct io_chunk *C,
                               const char *at, const char *limit)
{
    if (!C->rows->narrow)
        return at;
    if (D->n_values)
        return parse_short(C, at, limit, D->separator, true);
    return D->separator ? parse_short(C, at, limit, D->separator, false)
                        : parse_short(C, at, limit, 0, false);
}

/* Whether its lines may be two integers, and a value, in their order. */
static bool is_plain(const struct io_delimited *D)
{
    return !D->texts && !D->most_left && D->n_fields == D->n_values + 2 &&
           D->n_values <= 1 && D->role[0] == IO_FROM && D->role[1] == IO_TO;
}

static void parse_chunk(const void *state, struct io_chunk *C)
{
    const struct io_delimited *const D = state;
    const bool plain = is_plain(D);
    const char *const limit =
        C->end - C->at > LONGEST_SHORT ? C->end - LONGEST_SHORT : C->at;
    io_rows_reserve(C->rows, C->lines);
    for (const char *at = C->at; at < C->end;) {
        if (plain)
            at = parse_plain(D, C, at, limit);
        const char *const end = io_line_end(at, C->end);
        if (!parse_line(D, C, at, end))
            return;
        at = end + 1;
    }
}

/* ---- all of it ----------------------------------------------------------- */

hy_status io_read_delimited(const struct io_reading *R,
                            const struct io_delimited *D,
                            const struct io_shape *shape, hy_graph **graph,
                            hy_names **names, hy_read_info *info)
{
    const struct io_body body = { .parse = parse_chunk,
                                  .state = D,
                                  .n_values = D->n_values,
                                  .texts = D->texts };
    struct io_table T;
    HY_TRY(io_lines_read(R, &body, &T));
    hy_status status = HY_OK;
    if (D->announced_line)
        status = io_check_count(R, &T, D->announced_line, "edges", D->announced,
                                T.n + T.n_bad);
    if (status == HY_OK)
        status = io_build(R, &T, shape, graph, info);
    if (status == HY_OK) {
        *names = T.names;
        T.names = NULL;
    }
    io_table_fini(&T);
    return status;
}
