/* METIS: the neighbours of vertex i in the i-th line.
 *
 *   % comment
 *   N M [FMT [NCON]]        FMT: three digits, each 0 or 1, zeros in front may
 *                           lack: vertex sizes, vertex weights, edge weights
 *   [size] [weight]*NCON (neighbour [weight])*      N times, 1-based
 *
 * Every edge is in both of its vertices' lines, with the same weight, and M
 * counts it once.  An empty line is a vertex without edges.  Sizes and weights
 * of vertices are checked and not kept.
 *
 * Karypis, METIS manual 5.1.0, section 4.1.1, 2013.
 */
#include "io/head.h"
#include "io/formats.h"

#include "base/bits.h"
#include "base/random.h"
#include "par/par.h"

struct metis {
    uint64_t n, m;
    uint64_t head_line;
    uint64_t skips; /* numbers before the neighbours */
    bool has_weights, keeps;
    bool is_directed; /* as the options want it: both arcs stay */
    struct io_form form;
    /* Set if lines are not vertices alone: their numbers are not known then.
     * Relaxed: read after the parse. */
    _Atomic bool *has_comments;
};

/* ---- the head ---------------------------------------------------------------
 */

/* The digits of FMT, read as a number; false if it is none. */
static bool read_flags(uint64_t flags, uint64_t ncon, struct metis *P)
{
    const uint64_t sizes = flags / 100, weights = flags / 10 % 10;
    const uint64_t edges = flags % 10;
    if (sizes > 1 || weights > 1 || edges > 1)
        return false;
    P->has_weights = edges;
    P->skips = sizes + (weights ? ncon : 0);
    return true;
}

static hy_status read_head(struct io_head *H, struct metis *P)
{
    uint64_t x[4] = { 0, 0, 0, 1 };
    HY_TRY(io_head_skip(H, '%'));
    if (H->is_over && !H->line)
        return HY_OK; /* an empty file is an empty graph */
    const size_t n = io_head_numbers(H->at, H->end, x, 4);
    if (n < 2 || n > 4)
        return io_bad(H->R, H->line, "`%s`: `N M [FMT [NCON]]` is due",
                      io_show(H->at, H->end).text);
    HY_TRY(io_check_vertices(H, x[0]));
    if (!read_flags(x[2], x[3], P))
        return io_bad(H->R, H->line, "%llu is no FMT: three digits 0 or 1",
                      (unsigned long long)x[2]);
    P->n = x[0];
    P->m = x[1];
    P->head_line = H->line;
    io_head_end_after(H);
    return HY_OK;
}

static hy_status settle(const struct io_reading *R, struct metis *P)
{
    if (!P->has_weights && P->n && R->opts->weighting == HY_WEIGHTS_NEED)
        return io_bad(R, P->head_line, "the edges have no weights");
    P->keeps = P->has_weights && R->opts->weighting != HY_WEIGHTS_DROP;
    P->is_directed = R->opts->sense == HY_DIRECTED;
    P->form = (struct io_form){ .first = 1, .last = P->n };
    return HY_OK;
}

/* ---- the body ---------------------------------------------------------------
 */

static uint64_t count(const void *state, const char *at, const char *end)
{
    const struct metis *P = state;
    uint64_t n = 0;
    for (; at < end; at = io_next_line(at, end)) {
        const char *text = io_skip_blanks(at, end);
        const bool is_comment = text < end && *text == '%';
        if (is_comment)
            atomic_store_explicit(P->has_comments, true, memory_order_relaxed);
        n += !is_comment;
    }
    return n;
}

/* The sizes and weights of the vertex; NULL: the line is bad.  *at is moved to
 * what follows, or to what is bad. */
static const char *skip_weights(const struct metis *P, const char **at,
                                const char *end)
{
    struct io_value x;
    for (uint64_t i = 0; i < P->skips; i++) {
        const char *next = io_read_value(*at, end, &x);
        if (!next || !io_is_word_end(next, end))
            return NULL;
        *at = io_skip_blanks(next, end);
    }
    return *at;
}

/* Adds the neighbours of u from *at to the end of the line.  False: the one at
 * *at is bad, and *weight, if that is not NULL. */
static bool read_neighbours(const struct metis *P, struct io_rows *rows,
                            uint64_t u, const char **at, const char *end,
                            const char **weight)
{
    struct io_value w = { 0 };
    uint64_t v = 0;
    while (*at < end && **at != '\n') {
        const char *next = io_read_vertex(*at, end, &P->form, &v);
        if (!next || v == u)
            return false;
        if (P->has_weights) {
            *weight = io_skip_blanks(next, end);
            next = io_read_value(*weight, end, &w);
            if (!next || !io_is_word_end(next, end))
                return false;
            *weight = NULL;
        }
        io_rows_add(rows, u, v);
        if (P->keeps)
            io_rows_value(rows, 0, w);
        *at = io_skip_blanks(next, end);
    }
    return true;
}

/* Reads the line of vertex u; false: it was bad, and reading ends. */
static bool read_line(const struct metis *P, struct io_chunk *C, uint64_t u,
                      const char *line, const char *at)
{
    const char *weight = NULL;
    const size_t rows = C->rows->n;
    if (u > P->n)
        return at == C->end || *at == '\n' ||
               io_chunk_bad(C, line, "more lines than vertices");
    if (!skip_weights(P, &at, C->end))
        return io_bad_number(C, line, at, "a weight of the vertex");
    if (read_neighbours(P, C->rows, u, &at, C->end, &weight))
        return true;
    C->rows->n = rows; /* a bad line adds nothing */
    if (weight)
        return io_bad_number(C, line, weight, "the weight of an edge");
    uint64_t v;
    if (io_read_vertex(at, C->end, &P->form, &v))
        return io_chunk_bad(C, line, "vertex %llu is its own neighbour",
                            (unsigned long long)v);
    return io_bad_vertex(C, line, at, &P->form);
}

static void parse(const void *state, struct io_chunk *C)
{
    const struct metis *P = state;
    uint64_t u = C->item;
    for (const char *line = C->at; line < C->end;
         line = io_next_line(line, C->end)) {
        const char *at = io_skip_blanks(line, C->end);
        if (at < C->end && *at == '%')
            continue;
        if (!read_line(P, C, ++u, line, at))
            return;
    }
}

/* ---- both sides -----------------------------------------------------------
 *
 * A sum over all arcs tells, but for chance (2^-64), whether each has its
 * twin; then those from the smaller end are the edges.  Else, to find out
 * which has none, arcs are sorted by their edge; those of an edge must come in
 * pairs, one from each side.  An edge that is listed twice by both sides is
 * two edges that are merged later, as in other formats. */

static hy_edge row(const struct io_table *T, uint64_t i)
{
    if (T->narrow)
        return T->narrow[i];
    return (hy_edge){ (hy_vid)T->wide[i].u, (hy_vid)T->wide[i].v };
}

static uint64_t edge_key(hy_edge e)
{
    return e.u < e.v ? (uint64_t)e.u << 32 | e.v : (uint64_t)e.v << 32 | e.u;
}

struct sum {
    const struct io_table *T;
    _Atomic uint64_t x; /* relaxed: a sum */
};

static void sum_par(void *arg, size_t lo, size_t hi)
{
    struct sum *S = arg;
    uint64_t x = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_edge e = row(S->T, i);
        const uint64_t w = S->T->n_values ? base_mix(S->T->value[0][i]) : 0;
        const uint64_t h = base_mix(edge_key(e) + w);
        x += e.u < e.v ? h : 0 - h;
    }
    atomic_fetch_add_explicit(&S->x, x, memory_order_relaxed);
}

static bool has_twins(const struct io_table *T)
{
    struct sum S = { .T = T };
    atomic_init(&S.x, 0);
    par_for(T->ctx, (size_t)T->n, 1 << 14, sum_par, &S);
    return atomic_load(&S.x) == 0;
}

/* Of arcs that have their twins, those that are edges. */
static void keep_smaller_ends(struct io_table *T)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < T->n; i++) {
        const hy_edge e = row(T, i);
        if (e.u > e.v)
            continue;
        if (T->narrow)
            T->narrow[n] = e;
        else
            T->wide[n] = (hy_pair){ e.u, e.v };
        if (T->n_values)
            T->value[0][n] = T->value[0][i];
        n++;
    }
    T->n = n;
}

struct arcs {
    struct io_table *T;
    const struct metis *P;
    struct par_keys keys; /* smaller end, larger end; tag: the row */
    hy_edge *edge;        /* edges with both sides, n of them */
    uint64_t *value;      /* theirs; NULL without weights */
    uint64_t n;
};

static hy_status arcs_init(struct arcs *A)
{
    const struct io_table *T = A->T;
    const size_t rows = (size_t)T->n;
    if (T->n > UINT32_MAX)
        return base_fail(HY_EFULL, "more than 2^32 neighbours");
    A->keys = (struct par_keys){
        .key = base_alloc_raw(T->ctx, rows, sizeof *A->keys.key),
        .tag = base_alloc_raw(T->ctx, rows, sizeof *A->keys.tag),
        .key_tmp = base_alloc_raw(T->ctx, rows, sizeof *A->keys.key_tmp),
        .tag_tmp = base_alloc_raw(T->ctx, rows, sizeof *A->keys.tag_tmp),
        .n = rows,
        .high_bits = bits_width(A->P->n),
        .low_bits = bits_width(A->P->n),
    };
    A->edge = base_alloc_raw(T->ctx, rows, sizeof *A->edge);
    if (A->P->keeps)
        A->value = base_alloc_raw(T->ctx, rows, sizeof *A->value);
    const bool has_all = A->keys.key && A->keys.tag && A->keys.key_tmp &&
                         A->keys.tag_tmp && A->edge &&
                         (!A->P->keeps || A->value);
    return has_all ? HY_OK : HY_ENOMEM;
}

static void arcs_fini(struct arcs *A)
{
    hy_ctx *ctx = A->T->ctx;
    base_free(ctx, A->keys.key);
    base_free(ctx, A->keys.tag);
    base_free(ctx, A->keys.key_tmp);
    base_free(ctx, A->keys.tag_tmp);
    base_free(ctx, A->edge);
    base_free(ctx, A->value);
}

static void fill_par(void *arg, size_t lo, size_t hi)
{
    struct arcs *A = arg;
    for (size_t i = lo; i < hi; i++) {
        A->keys.key[i] = edge_key(row(A->T, i));
        A->keys.tag[i] = (uint32_t)i;
    }
}

static void keep(struct arcs *A, hy_vid u, hy_vid v, uint32_t tag)
{
    if (A->value)
        A->value[A->n] = A->T->value[0][tag];
    A->edge[A->n++] = (hy_edge){ u, v };
}

static uint64_t line_of(const struct metis *P, hy_vid u)
{
    const bool has_comments =
        atomic_load_explicit(P->has_comments, memory_order_relaxed);
    return has_comments ? 0 : P->head_line + u;
}

/* The arcs lo .. hi-1 are of one edge: as lines are in the order of vertices
 * and the sort keeps it, those of the smaller end come first. */
static hy_status match(const struct io_reading *R, struct arcs *A, size_t lo,
                       size_t hi)
{
    const hy_vid u = (hy_vid)(A->keys.key[lo] >> 32);
    const hy_vid v = (hy_vid)A->keys.key[lo];
    const uint32_t *tag = A->keys.tag;
    size_t middle = lo;
    while (middle < hi && row(A->T, tag[middle]).u == u)
        middle++;
    if (middle - lo != hi - middle) {
        const bool is_more = middle - lo > hi - middle;
        return io_bad_table(R, A->T, line_of(A->P, is_more ? u : v),
                            "vertex %u has neighbour %u, but %u does not have "
                            "%u",
                            is_more ? u : v, is_more ? v : u, is_more ? v : u,
                            is_more ? u : v);
    }
    for (size_t i = lo, k = middle; i < middle; i++, k++) {
        if (A->value && A->T->value[0][tag[i]] != A->T->value[0][tag[k]])
            return io_bad_table(R, A->T, line_of(A->P, v),
                                "the edge of %u and %u has another weight "
                                "than in the line of %u",
                                v, u, u);
        keep(A, u, v, tag[i]);
        if (A->P->is_directed)
            keep(A, v, u, tag[k]);
    }
    return HY_OK;
}

static hy_status match_all(const struct io_reading *R, struct arcs *A)
{
    const uint64_t *key = A->keys.key;
    for (size_t lo = 0, hi; lo < A->keys.n; lo = hi) {
        hi = lo + 1;
        while (hi < A->keys.n && key[hi] == key[lo])
            hi++;
        HY_TRY(match(R, A, lo, hi));
    }
    return HY_OK;
}

/* The rows of the table, which are arcs, become edges, one by one. */
static hy_status join_slowly(const struct io_reading *R, const struct metis *P,
                             struct io_table *T)
{
    struct arcs A = { .T = T, .P = P };
    hy_status status = arcs_init(&A);
    if (status == HY_OK) {
        par_for(T->ctx, A.keys.n, 1 << 14, fill_par, &A);
        par_sort(T->ctx, &A.keys);
        status = match_all(R, &A);
    }
    if (status == HY_OK) {
        base_free(T->ctx, T->narrow);
        base_free(T->ctx, T->wide);
        T->narrow = A.edge;
        T->wide = NULL;
        A.edge = NULL;
        if (A.value) {
            base_free(T->ctx, T->value[0]);
            T->value[0] = A.value;
            A.value = NULL;
        }
        T->n = A.n;
    }
    arcs_fini(&A);
    return status;
}

/* ---- all of it
 * --------------------------------------------------------------- */

/* The last line may be empty and lack its newline: then it is not there. */
static hy_status check_counts(const struct io_reading *R, const struct metis *P,
                              struct io_table *T)
{
    if (T->items + 1 < P->n)
        HY_TRY(io_check_count(R, T, P->head_line, "vertices", P->n, T->items));
    if (!has_twins(T))
        HY_TRY(join_slowly(R, P, T));
    else if (!P->is_directed)
        keep_smaller_ends(T);
    if (T->n_bad)
        return HY_OK; /* edges are missing, and it is known */
    return io_check_count(R, T, P->head_line, "edges", P->m,
                          P->is_directed ? T->n / 2 : T->n);
}

hy_status io_read_metis(const struct io_reading *R, hy_graph **graph,
                        hy_names **names, hy_read_info *info)
{
    (void)names;
    _Atomic bool has_comments = false;
    struct metis P = { .has_comments = &has_comments };
    struct io_head H = { .R = R };
    HY_TRY(read_head(&H, &P));
    HY_TRY(settle(R, &P));
    const struct io_body body = {
        .count = count,
        .parse = parse,
        .state = &P,
        .n_values = P.keeps,
    };
    const struct io_shape shape = {
        .undirected = !P.is_directed,
        .n = P.n,
        .first = 1,
        .n_columns = P.keeps,
        .column = { "weight" },
    };
    struct io_table T = { 0 };
    hy_status status = io_lines_read(R, &body, &T);
    if (status == HY_OK)
        status = check_counts(R, &P, &T);
    if (status == HY_OK)
        status = io_build(R, &T, &shape, graph, info);
    io_table_fini(&T);
    if (status == HY_OK)
        info->ignored = (uint32_t)P.skips;
    return status;
}

hy_status io_estimate_metis(const struct io_reading *R, const char *at,
                            size_t n, hy_estimate *out)
{
    struct metis P = { 0 };
    struct io_head H = io_head_peek(R, at, n);
    HY_TRY(read_head(&H, &P));
    HY_TRY(settle(R, &P));
    io_estimate_sizes(R,
                      (struct io_sizes){
                          .n = P.n,
                          .m = P.m,
                          .arcs = 2 * P.m,
                          .rows = 2 * P.m,
                          .has_values = P.has_weights,
                      },
                      out);
    return HY_OK;
}
