/* Matrix Market: a matrix as the graph of its entries.
 *
 *   %%MatrixMarket matrix coordinate|array real|integer|pattern SYMMETRY
 *   %%GraphBLAS type TYPE            may be there (SuiteSparse, LAGraph)
 *   % comments, blank lines          here, and anywhere below
 *   rows columns [entries]
 *   i j [value]                      coordinate: 1-based
 *   value                            array: column by column
 *
 * general -> directed: (i, j, x) is the edge from i to j.
 * symmetric -> undirected.  Files should hold the lower triangle alone; an
 *   entry above the diagonal is the same edge, and one given in both
 *   triangles is a repeat.
 * skew-symmetric -> directed: (i, j, x) and (j, i, -x); no diagonal.
 *
 * Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935,
 * 1996.  Values are checked against TYPE, as LAGraph does.
 */
#include "io/mtx.h"
#include "io/formats.h"

/* ---- types ------------------------------------------------------------------
 */

static const struct mtx_type types[] = {
    { "bool", true, false, 0, 1 },
    { "int8_t", true, false, INT8_MIN, INT8_MAX },
    { "int16_t", true, false, INT16_MIN, INT16_MAX },
    { "int32_t", true, false, INT32_MIN, INT32_MAX },
    { "int64_t", true, false, INT64_MIN, INT64_MAX },
    { "uint8_t", true, true, 0, UINT8_MAX },
    { "uint16_t", true, true, 0, UINT16_MAX },
    { "uint32_t", true, true, 0, UINT32_MAX },
    { "uint64_t", true, true, 0, INT64_MAX },
    { "float", false, false, 0, 0 },
    { "double", false, false, 0, 0 },
};

/* Not inlined, lest gcc warn that some literals can never be equal. */
HY_NOINLINE static const struct mtx_type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

/* `int8` stands for `int8_t`. */
static const struct mtx_type *find_type_word(struct io_word word)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i].name);
        const struct io_word full = { types[i].name, types[i].name + n };
        const size_t bare = n > 2 && full.end[-2] == '_' ? n - 2 : n;
        if (io_word_is(word, types[i].name))
            return &types[i];
        if ((size_t)(word.end - word.at) == bare &&
            strncmp(word.at, full.at, bare) == 0)
            return &types[i];
    }
    return NULL;
}

static bool is_u64(const struct mtx_type *type)
{
    return type->is_unsigned && type->hi == INT64_MAX;
}

bool mtx_accepts(const struct mtx *M, struct io_value x)
{
    if (M->symmetry == MTX_SKEW && !x.real && x.i == INT64_MIN)
        return false;
    if (!M->type.is_integer || is_u64(&M->type))
        return true;
    return !x.real && x.i >= M->type.lo && x.i <= M->type.hi;
}

bool mtx_bad_value(const struct mtx *M, struct io_chunk *C, const char *line,
                   const char *at)
{
    struct io_value x;
    const char *next = io_read_value(at, C->end, &x);
    if (!next || !io_is_word_end(next, C->end))
        return io_bad_number(C, line, at, "the value");
    if (!mtx_accepts(M, x) || is_u64(&M->type))
        return io_chunk_bad(C, line, "`%s` is no %s", io_show(at, next).text,
                            M->type.name);
    return io_chunk_bad(C, line, "more than one value");
}

/* ---- the banner -------------------------------------------------------------
 */

static hy_status read_object(const struct io_head *H, const char **at,
                             struct mtx *M)
{
    struct io_word word = io_head_word(at, H->end);
    if (!io_word_is(word, "matrix"))
        return io_bad(H->R, H->line, "`%s`: only a `matrix` is read",
                      io_show(word.at, word.end).text);
    word = io_head_word(at, H->end);
    M->is_array = io_word_is(word, "array");
    if (!M->is_array && !io_word_is(word, "coordinate"))
        return io_bad(H->R, H->line, "`%s`: `coordinate` or `array` is due",
                      io_show(word.at, word.end).text);
    return HY_OK;
}

static hy_status read_field(const struct io_head *H, const char **at,
                            struct mtx *M)
{
    const struct io_word word = io_head_word(at, H->end);
    if (io_word_is(word, "complex"))
        return io_bad(H->R, H->line, "complex matrices are not read");
    M->is_pattern = io_word_is(word, "pattern");
    if (M->is_pattern && M->is_array)
        return io_bad(H->R, H->line, "an array has values, it is no pattern");
    const bool is_integer = io_word_is(word, "integer");
    if (!M->is_pattern && !is_integer && !io_word_is(word, "real"))
        return io_bad(H->R, H->line,
                      "`%s`: `real`, `integer` or `pattern` is due",
                      io_show(word.at, word.end).text);
    M->type = *find_type(is_integer ? "int64_t" : "double");
    return HY_OK;
}

static hy_status read_symmetry(const struct io_head *H, const char **at,
                               struct mtx *M)
{
    const struct io_word word = io_head_word(at, H->end);
    if (io_word_is(word, "symmetric"))
        M->symmetry = MTX_SYMMETRIC;
    else if (io_word_is(word, "skew-symmetric"))
        M->symmetry = MTX_SKEW;
    else if (io_word_is(word, "hermitian"))
        return io_bad(
            H->R, H->line,
            "`hermitian` is for complex matrices, which are not read");
    else if (!io_word_is(word, "general"))
        return io_bad(H->R, H->line,
                      "`%s`: `general`, `symmetric` or `skew-symmetric` is due",
                      io_show(word.at, word.end).text);
    if (M->symmetry == MTX_SKEW && M->is_pattern)
        return io_bad(H->R, H->line, "a pattern cannot be skew-symmetric");
    return HY_OK;
}

static hy_status read_banner(const struct io_head *H, const char *at,
                             struct mtx *M)
{
    M->has_banner = true;
    HY_TRY(read_object(H, &at, M));
    HY_TRY(read_field(H, &at, M));
    HY_TRY(read_symmetry(H, &at, M));
    const struct io_word word = io_head_word(&at, H->end);
    if (word.at != word.end)
        return io_bad(H->R, H->line, "`%s` is more than a banner has",
                      io_show(word.at, word.end).text);
    return HY_OK;
}

/* `%%GraphBLAS type T`; what else %%GraphBLAS says is a comment. */
static hy_status read_type(const struct io_head *H, const char *at,
                           struct mtx *M)
{
    if (!io_word_is(io_head_word(&at, H->end), "type"))
        return HY_OK;
    const struct io_word word = io_head_word(&at, H->end);
    const struct io_word more = io_head_word(&at, H->end);
    if (io_word_is(more, "complex"))
        return io_bad(H->R, H->line, "complex matrices are not read");
    const struct mtx_type *type = find_type_word(word);
    if (!type || more.at != more.end)
        return io_bad(H->R, H->line, "`%s` is no type of values",
                      io_show(word.at, H->end).text);
    if (type->is_unsigned && M->symmetry == MTX_SKEW)
        return io_bad(H->R, H->line,
                      "%s: values of a skew-symmetric matrix "
                      "have signs",
                      type->name);
    M->type = *type;
    return HY_OK;
}

/* ---- the size ---------------------------------------------------------------
 */

static hy_status read_size(const struct io_head *H, struct mtx *M)
{
    uint64_t x[3] = { 0 };
    const size_t n = io_head_numbers(H->at, H->end, x, 3);
    M->size_line = H->line;
    if (n != (M->is_array ? 2 : 3))
        return io_bad(H->R, H->line,
                      M->is_array ? "`%s`: rows and columns are due"
                                  : "`%s`: rows, columns and entries are due",
                      io_show(H->at, H->end).text);
    if (x[0] != x[1])
        return io_bad(H->R, H->line,
                      "%llu rows, %llu columns: a graph is a square matrix",
                      (unsigned long long)x[0], (unsigned long long)x[1]);
    HY_TRY(io_check_vertices(H, x[0]));
    M->n = x[0];
    M->entries = M->is_array ? mtx_array_entries(M) : x[2];
    return HY_OK;
}

/* Files without a banner have values if their first entry has one. */
static hy_status guess_values(struct io_head *H, struct mtx *M)
{
    HY_TRY(io_head_skip(H, '%'));
    M->is_pattern = io_count_columns(H->at, H->end, false) < 3;
    io_head_end_before(H);
    return HY_OK;
}

static hy_status read_head(struct io_head *H, struct mtx *M)
{
    HY_TRY(io_head_next(H));
    if (H->is_over)
        return HY_OK; /* an empty file is an empty graph */
    const char *at = H->at;
    if (io_word_is(io_head_word(&at, H->end), "%%MatrixMarket")) {
        HY_TRY(read_banner(H, at, M));
        HY_TRY(io_head_next(H));
    } else if (!H->R->is_format_said) {
        return io_bad(H->R, H->line, "no %%%%MatrixMarket banner");
    } else {
        M->type = *find_type("double");
    }
    for (;;) {
        at = H->at;
        if (H->is_over)
            return io_bad(H->R, H->line, "the size is missing");
        if (io_word_is(io_head_word(&at, H->end), "%%GraphBLAS"))
            HY_TRY(read_type(H, at, M));
        else if (H->at < H->end && *H->at != '%')
            break;
        HY_TRY(io_head_next(H));
    }
    if (!M->has_banner)
        M->is_array = io_count_columns(H->at, H->end, false) == 2;
    HY_TRY(read_size(H, M));
    if (!M->has_banner && !M->is_array)
        return guess_values(H, M);
    io_head_end_after(H);
    return HY_OK;
}

/* What the options make of the file. */
static hy_status settle(const struct io_reading *R, struct mtx *M)
{
    const hy_read_opts *opts = R->opts;
    if (M->is_pattern && opts->weighting == HY_WEIGHTS_NEED)
        return io_bad(R, 1, "a pattern has no weights");
    M->keeps = !M->is_pattern && opts->weighting != HY_WEIGHTS_DROP;
    M->undirected =
        opts->sense == HY_UNDIRECTED ||
        (opts->sense == HY_AS_WRITTEN && M->symmetry == MTX_SYMMETRIC);
    if (M->undirected && M->symmetry == MTX_SKEW && M->keeps)
        return io_bad(R, 1,
                      "a skew-symmetric matrix is directed: its two "
                      "directions have different weights");
    M->mirrors = !M->undirected && M->symmetry != MTX_GENERAL;
    M->form = (struct io_form){ .first = 1, .last = M->n };
    if (!M->is_pattern)
        M->form.weight = is_u64(&M->type) ? IO_WEIGHT_U64 : IO_WEIGHT;
    return HY_OK;
}

/* ---- the body ---------------------------------------------------------------
 */

static void add(const struct mtx *M, struct io_rows *rows, uint64_t u,
                uint64_t v, struct io_value w)
{
    io_rows_add(rows, u, v);
    if (M->keeps)
        io_rows_value(rows, 0, w);
}

void mtx_add(const struct mtx *M, struct io_rows *rows,
             const struct io_entry *e)
{
    add(M, rows, e->u, e->v, e->w);
    if (!M->mirrors || e->u == e->v)
        return;
    struct io_value w = e->w;
    if (M->symmetry == MTX_SKEW && w.real)
        w.f = -w.f;
    else if (M->symmetry == MTX_SKEW)
        w.i = -w.i;
    add(M, rows, e->v, e->u, w);
}

uint64_t mtx_count(const void *state, const char *at, const char *end)
{
    (void)state;
    return io_count_entries(at, end, '%');
}

static bool is_off_diagonal(const struct mtx *M, const struct io_entry *e)
{
    return M->symmetry != MTX_SKEW || e->u != e->v;
}

/* Says why an entry is bad: its form, its value, or its place. */
static bool bad_entry(const struct mtx *M, struct io_chunk *C, const char *line,
                      const char *at)
{
    struct io_form form = M->form;
    struct io_entry e;
    if (form.weight == IO_WEIGHT_U64)
        form.weight = IO_WEIGHT; /* else `-1` would be no number at all */
    if (!io_read_entry(at, C->end, &form, &e))
        return io_bad_entry(C, line, at, &form);
    if (!is_off_diagonal(M, &e))
        return io_chunk_bad(C, line, "a skew-symmetric matrix has no diagonal");
    for (int i = 0; i < 2; i++)
        at = io_skip_blanks(io_read_word(at, C->end), C->end);
    return mtx_bad_value(M, C, line, at);
}

static void coordinate_parse(const void *state, struct io_chunk *C)
{
    const struct mtx *M = state;
    struct io_entry e = { 0 };
    for (const char *line = C->at, *at; line < C->end; line = at) {
        at = io_skip_blanks(line, C->end);
        if (at == C->end || *at == '\n' || *at == '%') {
            at = io_next_line(at, C->end);
            continue;
        }
        const char *next = io_read_entry(at, C->end, &M->form, &e);
        if (HY_UNLIKELY(!next || !is_off_diagonal(M, &e) ||
                        !mtx_accepts(M, e.w))) {
            if (!bad_entry(M, C, line, at))
                return;
            next = io_next_line(at, C->end);
        } else {
            mtx_add(M, C->rows, &e);
        }
        at = next;
    }
}

hy_status io_read_mtx(const struct io_reading *R, hy_graph **graph,
                      hy_names **names, hy_read_info *info)
{
    (void)names;
    struct mtx M = { 0 };
    struct io_head H = { .R = R };
    HY_TRY(read_head(&H, &M));
    HY_TRY(settle(R, &M));
    /* Rows are not entries where there are zeros, or two rows for one. */
    const bool counts = M.is_array || M.mirrors;
    const struct io_body body = {
        .count = counts ? mtx_count : NULL,
        .parse = M.is_array ? mtx_array_parse : coordinate_parse,
        .state = &M,
        .n_values = M.keeps,
    };
    struct io_shape shape = {
        .undirected = M.undirected,
        .n = M.n,
        .first = 1,
        .n_columns = M.keeps,
        .column = { "weight" },
        .is_unsigned = { is_u64(&M.type) },
    };
    struct io_table T = { 0 };
    hy_status status = io_lines_read(R, &body, &T);
    if (status == HY_OK)
        status = io_check_count(R, &T, M.size_line, "entries", M.entries,
                                counts ? T.items : T.n + T.n_bad);
    if (status == HY_OK)
        status = io_build(R, &T, &shape, graph, info);
    io_table_fini(&T);
    return status;
}

/* ---- telling it from others
 * -------------------------------------------------- */

bool io_sniff_mtx(const char *at, size_t n)
{
    return io_word_is(io_head_word(&at, at + n), "%%MatrixMarket");
}

hy_status io_estimate_mtx(const struct io_reading *R, const char *at, size_t n,
                          hy_estimate *out)
{
    struct mtx M = { 0 };
    struct io_head H = io_head_peek(R, at, n);
    HY_TRY(read_head(&H, &M));
    HY_TRY(settle(R, &M));
    io_estimate_sizes(
        R,
        (struct io_sizes){
            .n = M.n,
            .m = M.entries,
            .arcs = M.undirected || M.mirrors ? 2 * M.entries : M.entries,
            .rows = M.mirrors ? 2 * M.entries : M.entries,
            .has_values = !M.is_pattern,
        },
        out);
    out->exact = !M.is_array; /* zeros are no edges */
    return HY_OK;
}
