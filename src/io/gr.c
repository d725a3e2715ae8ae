/* DIMACS: shortest paths (.gr) and, of the same family, colouring (.col).
 *
 *   c comment
 *   p sp N M         any word may be in the place of sp
 *   a U V [W]        M times: the arc from U to V, 1-based -> directed
 *   e U V [W]        or the edge between them -> undirected
 *
 * All lines are of one kind, and all have a weight or none has.
 */
#include "io/head.h"
#include "io/formats.h"

struct gr {
    uint64_t n, m;
    uint64_t problem_line;
    char kind; /* of lines: a or e; 0: there are none */
    bool undirected, keeps;
    struct io_form form;
};

/* ---- the head ---------------------------------------------------------------
 */

static hy_status read_problem(const struct io_head *H, struct gr *P)
{
    const char *at = H->at;
    uint64_t x[2] = { 0 };
    if (!io_word_is(io_head_word(&at, H->end), "p"))
        return io_bad(H->R, H->line, "`%s`: a line `p sp N M` is due",
                      io_show(H->at, H->end).text);
    const struct io_word word = io_head_word(&at, H->end);
    if (io_head_numbers(at, H->end, x, 2) != 2)
        return io_bad(H->R, H->line, "`%s`: `p sp N M` is due",
                      io_show(H->at, H->end).text);
    HY_TRY(io_check_vertices(H, x[0]));
    P->n = x[0];
    P->m = x[1];
    P->problem_line = H->line;
    P->undirected = io_word_is(word, "edge") || io_word_is(word, "edges") ||
                    io_word_is(word, "col");
    return HY_OK;
}

/* The first edge tells what all of them are like. */
static hy_status guess(struct io_head *H, struct gr *P)
{
    HY_TRY(io_head_skip(H, 'c'));
    const char *at = H->at;
    const struct io_word word = io_head_word(&at, H->end);
    if (io_word_is(word, "a") || io_word_is(word, "e")) {
        P->kind = *word.at;
        P->undirected = P->kind == 'e';
        if (io_count_columns(at, H->end, false) > 2)
            P->form.weight = IO_WEIGHT;
    }
    io_head_end_before(H);
    return HY_OK;
}

static hy_status settle(const struct io_reading *R, struct gr *P)
{
    const bool has_weights = P->form.weight != IO_NO_WEIGHT;
    if (P->kind && !has_weights && R->opts->weighting == HY_WEIGHTS_NEED)
        return io_bad(R, P->problem_line, "the edges have no weights");
    P->keeps = has_weights && R->opts->weighting != HY_WEIGHTS_DROP;
    P->form.first = 1;
    P->form.last = P->n;
    if (R->opts->sense != HY_AS_WRITTEN)
        P->undirected = R->opts->sense == HY_UNDIRECTED;
    return HY_OK;
}

static hy_status read_head(struct io_head *H, struct gr *P)
{
    HY_TRY(io_head_skip(H, 'c'));
    if (!H->is_over) {
        HY_TRY(read_problem(H, P));
        HY_TRY(guess(H, P));
    } else if (H->line) {
        return io_bad(H->R, H->line, "the line `p sp N M` is missing");
    }
    return settle(H->R, P);
}

/* ---- the body ---------------------------------------------------------------
 */

static bool bad_line(const struct gr *P, struct io_chunk *C, const char *line,
                     const char *at)
{
    const char kind = *at;
    const bool is_word = io_is_word_end(at + 1, C->end);
    if (is_word && kind == 'p')
        return io_chunk_bad(C, line, "a second problem line");
    if (is_word && (kind == 'a' || kind == 'e') && kind != P->kind)
        return io_chunk_bad(C, line, "a line of `%c` among lines of `%c`", kind,
                            P->kind);
    if (!is_word || kind != P->kind)
        return io_chunk_bad(C, line, "`%s`: `a`, `e` or `c` is due",
                            io_show(at, io_next_line(at, C->end)).text);
    return io_bad_entry(C, line, io_skip_blanks(at + 1, C->end), &P->form);
}

static const char *read_line(const struct gr *P, const char *at,
                             const char *end, struct io_entry *e)
{
    if (*at != P->kind || !io_is_word_end(at + 1, end))
        return NULL;
    return io_read_entry(io_skip_blanks(at + 1, end), end, &P->form, e);
}

static bool is_comment(const char *at, const char *end)
{
    return at == end || *at == '\n' ||
           (*at == 'c' && io_is_word_end(at + 1, end));
}

static void parse(const void *state, struct io_chunk *C)
{
    const struct gr *P = state;
    struct io_entry e = { 0 };
    for (const char *line = C->at, *next; line < C->end; line = next) {
        const char *at = io_skip_blanks(line, C->end);
        if (is_comment(at, C->end)) {
            next = io_next_line(at, C->end);
            continue;
        }
        next = read_line(P, at, C->end, &e);
        if (HY_UNLIKELY(!next)) {
            if (!bad_line(P, C, line, at))
                return;
            next = io_next_line(at, C->end);
            continue;
        }
        io_rows_add(C->rows, e.u, e.v);
        if (P->keeps)
            io_rows_value(C->rows, 0, e.w);
    }
}

hy_status io_read_gr(const struct io_reading *R, hy_graph **graph,
                     hy_names **names, hy_read_info *info)
{
    (void)names;
    struct gr P = { 0 };
    struct io_head H = { .R = R };
    HY_TRY(read_head(&H, &P));
    const struct io_body body = {
        .parse = parse,
        .state = &P,
        .n_values = P.keeps,
    };
    const struct io_shape shape = {
        .undirected = P.undirected,
        .n = P.n,
        .first = 1,
        .n_columns = P.keeps,
        .column = { "weight" },
    };
    struct io_table T = { 0 };
    hy_status status = io_lines_read(R, &body, &T);
    if (status == HY_OK)
        status =
            io_check_count(R, &T, P.problem_line, "edges", P.m, T.n + T.n_bad);
    if (status == HY_OK)
        status = io_build(R, &T, &shape, graph, info);
    io_table_fini(&T);
    return status;
}

/* ---- telling it from others
 * -------------------------------------------------- */

/* Comments, then `p` and a word; a peek that ends among comments will do. */
bool io_sniff_gr(const char *at, size_t n)
{
    const char *end = at + n;
    bool has_comment = false;
    for (; at < end; at = io_next_line(at, end)) {
        at = io_skip_blanks(at, end);
        if (at == end || *at == '\n')
            continue;
        if (!io_is_word_end(at + 1, end))
            return false;
        if (*at == 'p')
            return io_count_columns(at, end, false) == 4;
        if (*at != 'c')
            return false;
        has_comment = true;
    }
    return has_comment;
}

hy_status io_estimate_gr(const struct io_reading *R, const char *at, size_t n,
                         hy_estimate *out)
{
    struct gr P = { 0 };
    struct io_head H = io_head_peek(R, at, n);
    HY_TRY(read_head(&H, &P));
    io_estimate_sizes(R,
                      (struct io_sizes){
                          .n = P.n,
                          .m = P.m,
                          .arcs = P.undirected ? 2 * P.m : P.m,
                          .rows = P.m,
                          .has_values = P.form.weight != IO_NO_WEIGHT,
                      },
                      out);
    return HY_OK;
}
