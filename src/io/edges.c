/* Edge lists: u v [weight [time ...]], with what SNAP and KONECT say in
 * comments.
 *
 *   # Undirected graph: ../../data/output/ca.txt     SNAP
 *   # vertex 17                                      ours: it may have no edges
 *   % sym unweighted                                 KONECT: sym, asym, bip
 *   % 27500 1941 1941                                its edges, left, right
 *
 * In a KONECT graph of two sides (bip) both number their vertices from 1; the
 * right side's follow the left side's here.
 */
#include "io/delimited.h"

#include <stdio.h>
#include <string.h>

/* ---- comments ------------------------------------------------------------ */

static bool is_word(const struct io_field *F, const char *word)
{
    return F->n == strlen(word) && strncmp(F->at, word, F->n) == 0;
}

/* Text after the comment's sign, up to a few words. */
static uint32_t split_comment(const char *at, const char *end,
                              struct io_field *field)
{
    at = io_skip_blanks(at, end);
    while (at < end && (*at == '#' || *at == '%'))
        at++;
    return io_split(0, at, end, field);
}

static bool is_kind(const struct io_field *F)
{
    return is_word(F, "sym") || is_word(F, "asym") || is_word(F, "bip");
}

/* KONECT's second line: edges, vertices of the left and the right side. */
static void read_sizes(const struct io_field *field, uint32_t n,
                       struct io_remarks *H)
{
    if (n < 3 || H->sizes_line)
        return;
    for (uint32_t i = 0; i < 3; i++) {
        const char *const end = field[i].at + field[i].n;
        if (io_read_u64(field[i].at, end, &H->size[i]) != end)
            return;
    }
    H->sizes_line = H->lines;
}

static void read_comment(const char *at, const char *end, struct io_remarks *H)
{
    struct io_field field[IO_MAX_FIELDS];
    const uint32_t n = split_comment(at, end, field);
    const bool is_konect = *io_skip_blanks(at, end) == '%';
    if (n >= 2 && is_word(&field[0], "Undirected") && field[1].n >= 5 &&
        memcmp(field[1].at, "graph", 5) == 0)
        H->undirected = true;
    if (is_konect && n && is_kind(&field[0])) {
        H->is_konect = true;
        H->undirected = !is_word(&field[0], "asym");
        H->two_sided = is_word(&field[0], "bip");
    } else if (is_konect && H->is_konect) {
        read_sizes(field, n, H);
    }
}

bool io_sniff_konect(const char *at, size_t n)
{
    struct io_field field[IO_MAX_FIELDS];
    const char *const end = io_line_end(at, at + n);
    return n && *at == '%' && split_comment(at, end, field) &&
           is_kind(&field[0]);
}

void io_read_comments(void *arg, const char *at, const char *end)
{
    struct io_remarks *const H = arg;
    while (at < end) {
        const char *const stop = io_line_end(at, end);
        H->lines++;
        if (io_skip_blanks(at, stop) < stop)
            read_comment(at, stop, H);
        at = stop + 1;
    }
}

/* ---- columns ------------------------------------------------------------- */

static hy_status set_columns(const struct io_reading *R, uint64_t line,
                             const struct io_field *field, uint32_t n,
                             struct io_delimited *D, struct io_shape *shape)
{
    const hy_read_opts *const opts = R->opts;
    const bool need =
        opts->weighting == HY_WEIGHTS_NEED ||
        (opts->format == HY_FORMAT_WEL && opts->weighting != HY_WEIGHTS_DROP);
    if (n < 2)
        return io_bad(R, line, "one column: an edge has two ids");
    if (n == 2 && need)
        return io_bad(R, line, "no weight: 2 columns");
    if (n > 2 + IO_MAX_VALUES)
        return io_bad(R, line, "%u columns: at most %d", n, 2 + IO_MAX_VALUES);
    D->n_fields = n;
    D->texts = opts->id_kind == HY_ID_TEXT ||
               (opts->id_kind == HY_ID_AUTO &&
                !(io_is_number(&field[0]) && io_is_number(&field[1])));
    D->role[0] = IO_FROM;
    D->role[1] = IO_TO;
    for (uint32_t i = 2; i < n; i++) {
        const bool drop = opts->weighting == HY_WEIGHTS_DROP;
        D->role[i] = drop ? IO_IGNORED : (uint8_t)(IO_VALUE + D->n_values++);
    }
    shape->n_columns = D->n_values;
    for (uint32_t c = 0; c < D->n_values; c++)
        (void)snprintf(shape->column[c], sizeof shape->column[c],
                       c == 0   ? "weight"
                       : c == 1 ? "time"
                                : "column%u",
                       c + 3);
    return HY_OK;
}

/* What the head says of the lines.  A two-sided graph must say where its left
 * side ends; its ids are numbers. */
static hy_status use_sizes(const struct io_reading *R,
                           const struct io_remarks *H, struct io_delimited *D)
{
    if (R->opts->format == HY_FORMAT_KONECT) {
        D->announced = H->size[0];
        D->announced_line = H->sizes_line;
    }
    if (!H->two_sided)
        return HY_OK;
    if (!H->sizes_line || !H->size[1])
        return io_bad(R, 1,
                      "two sides (bip) and no line `%% m n1 n2`: where "
                      "the left side ends is not said");
    D->most_left = H->size[1];
    D->most_right = H->size[2];
    D->texts = false;
    return HY_OK;
}

/* The columns, as the first line of data has them. */
static hy_status read_first(const struct io_reading *R,
                            const struct io_window *window,
                            struct io_delimited *D, struct io_shape *shape)
{
    struct io_field field[IO_MAX_FIELDS];
    const char *at, *end;
    if (!io_first_line(window->at, window->n, &at, &end)) {
        D->texts = io_are_texts(R, 0, window);
        return HY_OK;
    }
    const uint32_t n = io_split(0, at, end, field);
    const uint64_t line = window->line + io_count_lines(window->at, at);
    return set_columns(R, line, field, n, D, shape);
}

hy_status io_read_el(const struct io_reading *R, hy_graph **graph,
                     hy_names **names, hy_read_info *info)
{
    struct io_window window;
    struct io_remarks H = { 0 };
    struct io_delimited D = { 0 };
    struct io_shape shape = { .n = HY_ANY };
    HY_TRY(io_find_data(R, io_read_comments, &H, &window));
    if (window.n)
        HY_TRY(read_first(R, &window, &D, &shape));
    HY_TRY(use_sizes(R, &H, &D));
    shape.undirected = H.undirected;
    io_source_give_back(R->source, 0);
    return io_read_delimited(R, &D, &shape, graph, names, info);
}
