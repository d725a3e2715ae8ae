/* CSV and TSV: fields between separators, a head line or none.
 *
 * The first line is a head if its names are those of ends (source, target,
 * ...), or if its ids are no integers while those of the second line are.
 * Columns that are no numbers in the first line of data are ignored.
 */
#include "io/delimited.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct line {
    const char *at, *end;
    struct io_field field[IO_MAX_FIELDS];
    uint32_t n;
};

/* ---- which separator ----------------------------------------------------- */

static char find_separator(const char *at, const char *end, hy_format format)
{
    static const char candidates[] = ",;\t";
    const size_t n = (size_t)(end - at);
    if (format == HY_FORMAT_TSV && memchr(at, '\t', n))
        return '\t';
    for (const char *c = candidates; *c; c++)
        if (memchr(at, *c, n))
            return *c;
    return 0;
}

/* ---- heads --------------------------------------------------------------- */

static const char *const from_names[] = { "source", "src",  "from", "u",
                                          "start",  "tail", NULL };
static const char *const to_names[] = { "target", "dst",         "to",
                                        "v",      "end",         "dest",
                                        "head",   "destination", NULL };

static bool is_one_of(const struct io_field *F, const char *const *names)
{
    for (; *names; names++)
        if (F->n == strlen(*names) && strncasecmp(F->at, *names, F->n) == 0)
            return true;
    return false;
}

/* The field with one of the names; n if there is none. */
static uint32_t find_field(const struct line *L, const char *const *names)
{
    uint32_t i = 0;
    while (i < L->n && !is_one_of(&L->field[i], names))
        i++;
    return i;
}

static bool has_integers(const struct line *L)
{
    return L->n >= 2 && L->n <= IO_MAX_FIELDS && io_is_integer(&L->field[0]) &&
           io_is_integer(&L->field[1]);
}

/* Neither of its ids is an integer. */
static bool has_words(const struct line *L)
{
    return L->n >= 2 && L->n <= IO_MAX_FIELDS && !io_is_integer(&L->field[0]) &&
           !io_is_integer(&L->field[1]);
}

static bool is_head(const struct line *first, const struct line *second)
{
    if (first->n > IO_MAX_FIELDS)
        return false;
    if (find_field(first, from_names) < first->n &&
        find_field(first, to_names) < first->n)
        return true;
    return has_words(first) && has_integers(second);
}

/* The next line of data in a text; n = 0: there is none. */
static struct line next_line(const char *at, const char *end, char separator)
{
    struct line L = { .at = end, .end = end };
    if (io_first_line(at, (size_t)(end - at), &L.at, &L.end))
        L.n = io_split(separator, L.at, L.end, L.field);
    else
        L.at = L.end = end;
    return L;
}

bool io_sniff_csv(const char *at, size_t n)
{
    const char *line, *end;
    if (!io_first_line(at, n, &line, &end))
        return false;
    const char separator = find_separator(line, end, HY_FORMAT_CSV);
    if (separator == ',' || separator == ';')
        return true;
    const struct line first = next_line(line, at + n, separator);
    const struct line second = next_line(first.end, at + n, separator);
    return has_words(&first) && has_integers(&second);
}

/* The line of data after a head; all texts may begin like comments. */
static struct line line_after(const struct line *head, const char *end,
                              char separator)
{
    struct line L = next_line(head->end, end, separator);
    if (L.n)
        return L;
    for (L.end = head->end; L.end < end;) {
        L.at = L.end + 1;
        L.end = io_line_end(L.at, end);
        L.n = io_split(separator, L.at, L.end, L.field);
        if (io_is_tag_line(separator, head->n, L.at, L.end))
            return L;
    }
    return (struct line){ .at = end, .end = end };
}

/* ---- columns ------------------------------------------------------------- */

/* Numbers, or what is there in place of a number.  Else the column is a text,
 * which no edge has. */
static bool holds_numbers(const struct line *head, const struct line *data,
                          uint32_t i)
{
    static const char *const name[] = { "weight", NULL };
    static const char *const none[] = { "nan",  "-nan",     "inf",       "-inf",
                                        "+inf", "infinity", "-infinity", NULL };
    return io_is_number(&data->field[i]) || is_one_of(&data->field[i], none) ||
           (head && is_one_of(&head->field[i], name));
}

/* Whether a name is new among the first c, and one at all. */
static bool is_good_name(const struct io_shape *shape, uint32_t c,
                         const char *name)
{
    for (uint32_t i = 0; i < c; i++)
        if (strcmp(shape->column[i], name) == 0)
            return false;
    return name[0] != '\0';
}

static void name_column(struct io_shape *shape, uint32_t c, uint32_t field,
                        const struct line *head)
{
    char *const name = shape->column[c];
    const size_t size = sizeof shape->column[c];
    if (head) {
        const struct io_field *const F = &head->field[field];
        (void)snprintf(name, size, "%.*s", (int)(F->n < size ? F->n : size),
                       F->at);
    }
    if (!is_good_name(shape, c, name))
        (void)snprintf(name, size, c ? "column%u" : "weight", field + 1);
    /* The head may call another column so. */
    for (uint32_t k = field + 1; !is_good_name(shape, c, name); k++)
        (void)snprintf(name, size, "column%u_%u", field + 1, k);
}

static void set_roles(const struct io_reading *R, const struct line *head,
                      const struct line *data, struct io_delimited *D,
                      struct io_shape *shape, hy_read_info *info)
{
    uint32_t from = 0, to = 1;
    if (head && find_field(head, from_names) < head->n &&
        find_field(head, to_names) < head->n) {
        from = find_field(head, from_names);
        to = find_field(head, to_names);
    }
    for (uint32_t i = 0; i < D->n_fields; i++) {
        D->role[i] = IO_IGNORED;
        if (i == from || i == to) {
            D->role[i] = i == from ? IO_FROM : IO_TO;
        } else if (!holds_numbers(head, data, i) ||
                   D->n_values == IO_MAX_VALUES) {
            info->ignored++;
        } else if (R->opts->weighting != HY_WEIGHTS_DROP) {
            name_column(shape, D->n_values, i, head);
            D->role[i] = (uint8_t)(IO_VALUE + D->n_values++);
        }
    }
    shape->n_columns = D->n_values;
    D->texts =
        R->opts->id_kind == HY_ID_TEXT ||
        (R->opts->id_kind == HY_ID_AUTO &&
         !(io_is_number(&data->field[from]) && io_is_number(&data->field[to])));
}

static hy_status set_columns(const struct io_reading *R, uint64_t line,
                             const struct line *head, const struct line *data,
                             struct io_delimited *D, struct io_shape *shape,
                             hy_read_info *info)
{
    D->n_fields = data->n;
    if (!data->n)
        return HY_OK;
    if (data->n == HY_NONE)
        return io_bad(R, line, "a quote is not closed");
    if (data->n < 2)
        return io_bad(R, line, "one column: an edge has two ids");
    if (data->n > IO_MAX_FIELDS)
        return io_bad(R, line, "%u columns: at most %d", data->n,
                      IO_MAX_FIELDS);
    if (head && head->n != data->n)
        return io_bad(R, line, "%u column%s, not %u as in the head", data->n,
                      data->n == 1 ? "" : "s", head->n);
    set_roles(R, head, data, D, shape, info);
    if (R->opts->weighting == HY_WEIGHTS_NEED && !D->n_values)
        return io_bad(R, line, "no weight: %u columns", data->n);
    return HY_OK;
}

hy_status io_read_csv(const struct io_reading *R, hy_graph **graph,
                      hy_names **names, hy_read_info *info)
{
    struct io_window window;
    struct io_remarks H = { 0 };
    HY_TRY(io_find_data(R, io_read_comments, &H, &window));
    const char *const at = window.at, *const end = at + window.n;
    struct io_delimited D = { 0 };
    struct io_shape shape = { .n = HY_ANY, .undirected = H.undirected };
    size_t used = 0;
    if (window.n) {
        const char *line_at = at, *line_end = at;
        (void)io_first_line(at, window.n, &line_at, &line_end);
        D.separator = find_separator(line_at, line_end, R->opts->format);
        const struct line first = next_line(at, end, D.separator);
        const struct line second = line_after(&first, end, D.separator);
        const bool head = is_head(&first, &second);
        const struct line *const data = head ? &second : &first;
        const uint64_t line = window.line + io_count_lines(at, data->at);
        HY_TRY(
            set_columns(R, line, head ? &first : NULL, data, &D, &shape, info));
        if (!data->n)
            D.texts = io_are_texts(R, D.separator, &window);
        if (head)
            used = (size_t)(first.end - at) + (first.end < end);
    }
    io_source_give_back(R->source, used);
    return io_read_delimited(R, &D, &shape, graph, names, info);
}
