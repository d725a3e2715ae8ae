/* Heads of text formats, and what is said of bad entries. */
#include "io/head.h"
#include "io/formats.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- lines ----------------------------------------------------------------
 */

static void trim(struct io_head *H, const char *at, const char *end)
{
    at = io_skip_blanks(at, end);
    while (end > at && (io_is_blank(end[-1]) || end[-1] == '\n'))
        end--;
    H->at = at;
    H->end = end;
}

struct io_head io_head_peek(const struct io_reading *R, const char *at,
                            size_t n)
{
    return (struct io_head){ .R = R,
                             .window = { .at = at, .n = n },
                             .is_peek = true };
}

/* The next window, if this one is used up. */
static hy_status refill(struct io_head *H)
{
    if (H->used < H->window.n || H->is_over)
        return HY_OK;
    struct io_window window = { 0 };
    if (!H->is_peek)
        HY_TRY(io_source_next(H->R->source, &window));
    H->window = window;
    H->used = 0;
    H->is_over = window.n == 0;
    return HY_OK;
}

hy_status io_head_next(struct io_head *H)
{
    HY_TRY(refill(H));
    H->from = H->used;
    if (H->is_over) {
        trim(H, "", "");
        return HY_OK;
    }
    const char *end = H->window.at + H->window.n;
    const char *at = H->window.at + H->from;
    const char *next = io_next_line(at, end);
    trim(H, at, next);
    H->used = (size_t)(next - H->window.at);
    H->line++;
    return HY_OK;
}

hy_status io_head_skip(struct io_head *H, char comment)
{
    do
        HY_TRY(io_head_next(H));
    while (!H->is_over && (H->at == H->end || *H->at == comment));
    return HY_OK;
}

void io_head_end_after(struct io_head *H)
{
    if (!H->is_over && !H->is_peek)
        io_source_give_back(H->R->source, H->used);
}

void io_head_end_before(struct io_head *H)
{
    if (!H->is_over && !H->is_peek)
        io_source_give_back(H->R->source, H->from);
}

/* ---- words ----------------------------------------------------------------
 */

struct io_word io_head_word(const char **at, const char *end)
{
    struct io_word word = { .at = io_skip_blanks(*at, end) };
    word.end = io_read_word(word.at, end);
    *at = word.end;
    return word;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool io_word_is(struct io_word word, const char *text)
{
    const size_t n = strlen(text);
    if ((size_t)(word.end - word.at) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (lower(word.at[i]) != lower(text[i]))
            return false;
    return true;
}

size_t io_head_numbers(const char *at, const char *end, uint64_t *out,
                       size_t room)
{
    size_t n = 0;
    for (at = io_skip_blanks(at, end); at < end; at = io_skip_blanks(at, end)) {
        if (n == room)
            return SIZE_MAX;
        at = io_read_u64(at, end, &out[n++]);
        if (!at || !io_is_word_end(at, end))
            return SIZE_MAX;
    }
    return n;
}

static const char *word_end(const char *at, const char *end, bool bars)
{
    while (!io_is_word_end(at, end) && !(bars && *at == '|'))
        at++;
    return at;
}

size_t io_count_columns(const char *at, const char *end, bool bars)
{
    size_t n = 0;
    for (at = io_skip_blanks(at, end); at < end && *at != '\n'; n++) {
        at = word_end(at, end, bars);
        at = io_skip_gap(at, end, bars);
    }
    return n;
}

/* ---- faults of a whole file ------------------------------------------------
 */

hy_status io_bad_table(const struct io_reading *R, struct io_table *T,
                       uint64_t line, const char *format, ...)
{
    char text[sizeof R->diag->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!R->opts->skip_bad)
        return io_bad(R, line, "%s", text);
    if (T->n_bad++ == 0) {
        T->first_bad = (hy_diag){ .line = line };
        (void)snprintf(T->first_bad.file, sizeof T->first_bad.file, "%s",
                       R->path);
        (void)snprintf(T->first_bad.text, sizeof T->first_bad.text, "%s", text);
    }
    return HY_OK;
}

hy_status io_check_vertices(const struct io_head *H, uint64_t n)
{
    if (n < HY_NONE)
        return HY_OK;
    return io_bad(H->R, H->line, "%llu vertices: at most %u",
                  (unsigned long long)n, HY_NONE - 1);
}

hy_status io_check_count(const struct io_reading *R, struct io_table *T,
                         uint64_t line, const char *what, uint64_t announced,
                         uint64_t found)
{
    if (announced == found)
        return HY_OK;
    return io_bad_table(R, T, line, "%llu %s are announced, %llu are there",
                        (unsigned long long)announced, what,
                        (unsigned long long)found);
}

/* ---- bodies ----------------------------------------------------------------
 */

uint64_t io_count_entries(const char *at, const char *end, char comment)
{
    uint64_t n = 0;
    while (at < end) {
        at = io_skip_blanks(at, end);
        n += at < end && *at != '\n' && *at != comment;
        at = io_next_line(at, end);
    }
    return n;
}

bool io_bad_vertex(struct io_chunk *C, const char *line, const char *at,
                   const struct io_form *form)
{
    const char *end = word_end(at, C->end, form->bars);
    uint64_t x = 0;
    if (at == end)
        return io_chunk_bad(C, line, "a vertex is missing");
    if (io_read_u64(at, end, &x) != end || form->last >= HY_ANY - 1)
        return io_chunk_bad(C, line, "`%s` is no vertex id",
                            io_show(at, end).text);
    return io_chunk_bad(C, line, "vertex %llu is not among %llu .. %llu",
                        (unsigned long long)x, (unsigned long long)form->first,
                        (unsigned long long)form->last);
}

bool io_bad_number(struct io_chunk *C, const char *line, const char *at,
                   const char *what)
{
    const char *end = word_end(at, C->end, false);
    if (at == end)
        return io_chunk_bad(C, line, "%s is missing", what);
    return io_chunk_bad(C, line, "`%s` is no number", io_show(at, end).text);
}

bool io_bad_entry(struct io_chunk *C, const char *line, const char *at,
                  const struct io_form *form)
{
    uint64_t x = 0;
    struct io_value w;
    const char *next = at;
    for (int i = 0; i < 2; i++) {
        next = io_read_vertex(at, C->end, form, &x);
        if (!next)
            return io_bad_vertex(C, line, at, form);
        at = io_skip_gap(next, C->end, form->bars);
    }
    if (form->weight != IO_NO_WEIGHT) {
        next = io_read_weight(at, C->end, form->weight, &w);
        if (!next || !io_is_word_end(next, C->end))
            return io_bad_number(C, line, at, "the weight");
        at = io_skip_blanks(next, C->end);
    }
    return io_chunk_bad(C, line, "`%s` is one column too many",
                        io_show(at, word_end(at, C->end, false)).text);
}

void io_estimate_sizes(const struct io_reading *R, struct io_sizes sizes,
                       hy_estimate *out)
{
    const bool keeps =
        sizes.has_values && R->opts->weighting != HY_WEIGHTS_DROP;
    const size_t value = keeps ? sizeof(double) : 0;
    /* An entry is two bytes of text at least.  A head that announces more is
     * wrong: reading will say so, and takes what is there. */
    const uint64_t most =
        *out->packed || !out->bytes ? UINT64_MAX / 2 : out->bytes / 2 + 1;
    out->exact = sizes.m <= most;
    if (!out->exact) {
        sizes.m = most;
        sizes.arcs = sizes.rows = 2 * most;
    }
    out->edges = sizes.m;
    io_estimate_graph(R, sizes.n, sizes.arcs, value, out);
    out->peak_bytes += sizes.rows * (sizeof(hy_edge) + value);
}
