/* Dense Matrix Market files: one value a line, column by column, of the lower
 * triangle alone if the matrix is symmetric.  Zeros are no edges. */
#include "io/mtx.h"

/* Values before column j. */
static uint64_t column_start(const struct mtx *M, uint64_t j)
{
    switch (M->symmetry) {
    case MTX_SYMMETRIC: /* columns of n, n - 1, ... values */
        return j * M->n - j * (j - 1) / 2;
    case MTX_SKEW: /* n - 1, n - 2, ... */
        return j * (M->n - 1) - j * (j - 1) / 2;
    default:
        return j * M->n;
    }
}

uint64_t mtx_array_entries(const struct mtx *M)
{
    return M->n ? column_start(M, M->n) : 0;
}

/* A place in the matrix, from 0. */
struct place {
    uint64_t i, j;
};

static uint64_t first_row(const struct mtx *M, uint64_t j)
{
    return M->symmetry == MTX_GENERAL ? 0 : j + (M->symmetry == MTX_SKEW);
}

/* The place of the k-th value: in the last column that starts at or before
 * it. */
static struct place find_place(const struct mtx *M, uint64_t k)
{
    uint64_t lo = 0, hi = M->n;
    while (hi - lo > 1) {
        const uint64_t middle = lo + (hi - lo) / 2;
        if (column_start(M, middle) <= k)
            lo = middle;
        else
            hi = middle;
    }
    return (struct place){ first_row(M, lo) + k - column_start(M, lo), lo };
}

static void step(const struct mtx *M, struct place *place)
{
    if (++place->i == M->n)
        place->i = first_row(M, ++place->j);
}

static bool is_zero(struct io_value x)
{
    return x.real ? x.f == 0 : x.i == 0;
}

/* Reads the value of a line; where the next one begins, NULL: it is bad. */
static const char *read_line(const struct mtx *M, const char *at,
                             const char *end, struct io_value *out)
{
    at = io_read_weight(at, end, M->form.weight, out);
    if (!at || !io_is_word_end(at, end) || !mtx_accepts(M, *out))
        return NULL;
    return io_end_line(at, end);
}

void mtx_array_parse(const void *state, struct io_chunk *C)
{
    const struct mtx *M = state;
    struct place place = { 0, 0 };
    uint64_t k = C->item;
    if (k < M->entries)
        place = find_place(M, k);
    for (const char *line = C->at, *at; line < C->end; line = at) {
        at = io_skip_blanks(line, C->end);
        if (at == C->end || *at == '\n' || *at == '%') {
            at = io_next_line(at, C->end);
            continue;
        }
        if (k++ >= M->entries) {
            at = io_next_line(at, C->end);
            continue; /* counted, and an error when all are */
        }
        struct io_entry e = { .u = place.i + 1, .v = place.j + 1 };
        const char *next = read_line(M, at, C->end, &e.w);
        if (!next && !mtx_bad_value(M, C, line, at))
            return;
        if (next && !is_zero(e.w))
            mtx_add(M, C->rows, &e);
        at = next ? next : io_next_line(at, C->end);
        step(M, &place);
    }
}
