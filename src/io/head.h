/* Heads of text formats, line by line; and what their bodies share: entries
 * of two vertices and a weight. */
#ifndef IO_HEAD_H
#define IO_HEAD_H

#include "io/lines.h"

#include <string.h>

/* ---- heads --------------------------------------------------------------- */

struct io_head {
    const struct io_reading *R;
    struct io_window window;
    size_t from, used;    /* of the window: where the line begins, and ends */
    uint64_t line;        /* its number; 0 before the first */
    const char *at, *end; /* the line, without blanks around it */
    bool is_over;         /* there was no further line */
    bool is_peek;         /* the window is all there is, and stays as it is */
};

/* A head over bytes that were peeked at. */
struct io_head io_head_peek(const struct io_reading *R, const char *at,
                            size_t n);

/* The next line.  After the last one `is_over` is set, the line is empty and
 * keeps its number. */
HY_CHECKED hy_status io_head_next(struct io_head *H);

/* The next line that is not empty and does not begin with `comment`. */
HY_CHECKED hy_status io_head_skip(struct io_head *H, char comment);

/* Ends a head: the body begins after the line, or with it. */
void io_head_end_after(struct io_head *H);
void io_head_end_before(struct io_head *H);

/* The next word of [*at, end), moved past; empty if there is none. */
struct io_word {
    const char *at, *end;
};
struct io_word io_head_word(const char **at, const char *end);

/* Whether a word is this one, in letters of either case. */
bool io_word_is(struct io_word word, const char *text);

/* All numbers of [at, end), at most `room`; how many, or SIZE_MAX if there are
 * more, or something else is among them. */
size_t io_head_numbers(const char *at, const char *end, uint64_t *out,
                       size_t room);

/* What a head that tells n vertices and m entries makes expect: of `arcs` arcs,
 * `rows` rows and, if `has_values`, a value of each. */
struct io_sizes {
    uint64_t n, m, arcs, rows;
    bool has_values;
};
void io_estimate_sizes(const struct io_reading *R, struct io_sizes sizes,
                       hy_estimate *out);

/* Whether a graph can have n vertices, as the line says. */
HY_CHECKED hy_status io_check_vertices(const struct io_head *H, uint64_t n);

/* Compares what a head announced with what was found.  Under skip_bad a
 * difference counts as a bad line. */
HY_CHECKED hy_status io_check_count(const struct io_reading *R,
                                    struct io_table *T, uint64_t line,
                                    const char *what, uint64_t announced,
                                    uint64_t found);

/* The file as a whole has a fault: an error or, under skip_bad, one more bad
 * line. */
HY_CHECKED hy_status io_bad_table(const struct io_reading *R,
                                  struct io_table *T, uint64_t line,
                                  const char *format, ...) HY_PRINTF(4, 5);

/* ---- lines of a body ------------------------------------------------------
 */

static inline const char *io_next_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline + 1 : end;
}

/* Whether a number that ends here is a whole word. */
static inline bool io_is_word_end(const char *at, const char *end)
{
    return at == end || *at == '\n' || io_is_blank(*at);
}

/* Where the next line begins, if nothing is left of this one; else NULL. */
static inline const char *io_end_line(const char *at, const char *end)
{
    at = io_skip_blanks(at, end);
    if (at == end)
        return end;
    return *at == '\n' ? at + 1 : NULL;
}

/* Lines that are neither empty nor comments. */
uint64_t io_count_entries(const char *at, const char *end, char comment);

/* ---- entries: u v [w] ------------------------------------------------------
 */

enum io_weight {
    IO_NO_WEIGHT,
    IO_WEIGHT,    /* any number */
    IO_WEIGHT_U64 /* 0 .. 2^64 - 1, whose bits are in w.i */
};

struct io_form {
    uint64_t first, last; /* vertices */
    enum io_weight weight;
    bool bars; /* | separates too */
};

struct io_entry {
    uint64_t u, v;
    struct io_value w;
};

static inline const char *io_skip_gap(const char *at, const char *end,
                                      bool bars)
{
    at = io_skip_blanks(at, end);
    if (bars && at < end && *at == '|')
        at = io_skip_blanks(at + 1, end);
    return at;
}

static inline const char *io_read_vertex(const char *at, const char *end,
                                         const struct io_form *form,
                                         uint64_t *out)
{
    at = io_read_u64(at, end, out);
    if (!at || *out < form->first || *out > form->last)
        return NULL;
    return io_is_word_end(at, end) || (form->bars && *at == '|') ? at : NULL;
}

static inline const char *io_read_weight(const char *at, const char *end,
                                         enum io_weight kind,
                                         struct io_value *out)
{
    uint64_t bits = 0;
    if (kind == IO_WEIGHT)
        return io_read_value(at, end, out);
    at = io_read_u64(at, end, &bits);
    *out = (struct io_value){ .i = (int64_t)bits };
    return at;
}

/* Reads an entry up to the end of its line.  Returns where the next line
 * begins; NULL: it is bad, io_bad_entry tells why. */
static inline const char *io_read_entry(const char *at, const char *end,
                                        const struct io_form *form,
                                        struct io_entry *out)
{
    at = io_read_vertex(at, end, form, &out->u);
    if (HY_UNLIKELY(!at))
        return NULL;
    at = io_read_vertex(io_skip_gap(at, end, form->bars), end, form, &out->v);
    if (HY_UNLIKELY(!at))
        return NULL;
    if (form->weight != IO_NO_WEIGHT) {
        at = io_read_weight(io_skip_gap(at, end, form->bars), end, form->weight,
                            &out->w);
        if (HY_UNLIKELY(!at || !io_is_word_end(at, end)))
            return NULL;
    }
    return io_end_line(at, end);
}

/* Says why an entry that begins at `at`, in the line at `line`, is bad.  True:
 * go on with the next line. */
bool io_bad_entry(struct io_chunk *C, const char *line, const char *at,
                  const struct io_form *form);

/* The same for a vertex, and for a number named `what`. */
bool io_bad_vertex(struct io_chunk *C, const char *line, const char *at,
                   const struct io_form *form);
bool io_bad_number(struct io_chunk *C, const char *line, const char *at,
                   const char *what);

/* Columns of the line [at, end): words, and what bars divide. */
size_t io_count_columns(const char *at, const char *end, bool bars);

#endif
