/* Edge lists: el, wel, konect, csv, tsv.
 *
 * What a line for each edge does not say stands in comments that reading
 * understands, a `%` in place of the `#` in KONECT's:
 *
 *   # Undirected graph      first: each edge is there once
 *   # vertex 17             last: a vertex without edges
 */
#include "io/write_lines.h"

#include "base/bits.h"

#include <string.h>

static const struct io_style *style_of(const struct io_writing *W)
{
    return W->state;
}

static void put_id(const struct io_writing *W, struct io_text *T, hy_vid u,
                   hy_vid rank)
{
    const struct io_style *style = style_of(W);
    size_t n;
    if (style->is_numbered) {
        io_text_u64(T, (uint64_t)rank + 1);
    } else if (W->names) {
        const char *name =
            hy_names_text(W->names, hy_view_external(W->V, u), &n);
        io_text_name(T, name, n, style->separator);
    } else {
        io_text_u64(T, W->order.is_from_0 ? rank : hy_view_external(W->V, u));
    }
}

/* ---- edges -----------------------------------------------------------------
 */

static void put_values(const struct io_writing *W, struct io_part *P,
                       const struct io_arc *a)
{
    const struct io_style *style = style_of(W);
    for (uint32_t k = 0; k < W->n_columns; k++) {
        io_text_char(&P->text, style->separator);
        if (style->is_integer)
            io_text_i64(&P->text, io_arc_integer(W, P, a, k));
        else
            io_text_value(&P->text, W->type[k], io_arc_value(W, P, a, k));
    }
    io_text_char(&P->text, '\n');
}

/* The first half of the line is the same for all edges of u: it is made once
 * and copied. */
static void edges_of_vertex(const struct io_writing *W, struct io_part *P,
                            hy_vid rank)
{
    const struct io_style *style = style_of(W);
    const hy_vid u = io_order_vertex(&W->order, rank);
    struct io_text *T = &P->text;
    if (!io_write_gather(W, P, u) || P->arc.n == 0)
        return;
    const size_t from = T->n;
    io_text_put(T, style->prefix, strlen(style->prefix));
    put_id(W, T, u, rank);
    io_text_char(T, style->separator);
    const size_t n = T->n - from;
    for (size_t i = 0; i < P->arc.n; i++) {
        const struct io_arc *a = &P->arc.at[i];
        char *to = io_text_more(T, n);
        if (!to)
            return;
        if (i > 0) {
            memcpy(to, T->at + from, n);
            T->n += n;
        }
        put_id(W, T, a->v, a->rank);
        put_values(W, P, a);
    }
}

hy_status io_write_edges(struct io_writing *W)
{
    return io_write_pass(W, edges_of_vertex, true);
}

/* ---- vertices ------------------------------------------------------------ */

static void id_of_vertex(const struct io_writing *W, struct io_part *P,
                         hy_vid rank)
{
    put_id(W, &P->text, io_order_vertex(&W->order, rank), rank);
    io_text_char(&P->text, '\n');
}

hy_status io_write_ids(struct io_writing *W)
{
    return io_write_pass(W, id_of_vertex, false);
}

bool io_is_renumbered(const struct io_writing *W)
{
    return W->names || !W->order.is_from_1;
}

/* Vertices without edges, for one pass. */
struct lone {
    struct io_style style;
    uint64_t *pointed; /* owned: somebody points to it; NULL: ask the view */
};

static void mark_pointed(const hy_view *V, uint64_t *pointed)
{
    hy_scan scan = hy_scan_out(V, 0, hy_view_bound(V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++)
            bits_add(pointed, s.v[(size_t)i * s.step]);
    }
}

static void comment_if_lone(const struct io_writing *W, struct io_part *P,
                            hy_vid rank)
{
    const struct lone *L = W->state;
    const hy_vid u = io_order_vertex(&W->order, rank);
    if (hy_view_degree(W->V, u) ||
        (L->pointed ? bits_has(L->pointed, u) : hy_view_in_degree(W->V, u)))
        return;
    io_text_put(&P->text, L->style.comment, strlen(L->style.comment));
    io_text_put(&P->text, " vertex ", 8);
    id_of_vertex(W, P, rank);
}

static hy_status write_lone(struct io_writing *W)
{
    const struct io_style *style = style_of(W);
    struct lone L = { .style = *style };
    if (!hy_view_has_reverse(W->V)) {
        const size_t words = bits_words(hy_view_bound(W->V));
        L.pointed = base_alloc(W->ctx, words, sizeof *L.pointed);
        if (!L.pointed)
            return HY_ENOMEM;
        mark_pointed(W->V, L.pointed);
    }
    W->state = &L;
    const hy_status status = io_write_pass(W, comment_if_lone, false);
    W->state = style;
    base_free(W->ctx, L.pointed);
    return status;
}

/* ---- heads --------------------------------------------------------------- */

static hy_status el_head(struct io_writing *W)
{
    HY_TRY(
        io_write_head(W, "# %s graph\n",
                      hy_view_is_undirected(W->V) ? "Undirected" : "Directed"));
    return io_write_head(W, "# Nodes: %llu Edges: %llu\n",
                         (unsigned long long)hy_view_vertices(W->V),
                         (unsigned long long)hy_view_edges(W->V));
}

static hy_status konect_head(struct io_writing *W)
{
    const unsigned long long n = hy_view_vertices(W->V);
    HY_TRY(io_write_head(W, "%% %s %s\n",
                         hy_view_is_undirected(W->V) ? "sym" : "asym",
                         W->n_columns ? "weighted" : "unweighted"));
    return io_write_head(W, "%% %llu %llu %llu\n",
                         (unsigned long long)hy_view_edges(W->V), n, n);
}

/* A directed table has no comments: not all who read tables know any. */
static hy_status table_head(struct io_writing *W)
{
    return hy_view_is_undirected(W->V)
               ? io_write_head(W, "# Undirected graph\n")
               : HY_OK;
}

static hy_status column_names(struct io_writing *W)
{
    const char separator = style_of(W)->separator;
    struct io_text T;
    io_text_init(&T, W->ctx);
    io_text_put(&T, "source", 6);
    io_text_char(&T, separator);
    io_text_put(&T, "target", 6);
    for (uint32_t k = 0; k < W->n_columns; k++) {
        const char *name = hy_view_edge_column(W->V, W->column[k]).name;
        io_text_char(&T, separator);
        io_text_name(&T, name, strlen(name), separator);
    }
    io_text_char(&T, '\n');
    const hy_status status = T.status == HY_OK
                                 ? hy_out_put(W->out, T.at, T.n)
                                 : base_fail(T.status, "%s", T.why);
    io_text_fini(&T);
    return status;
}

static hy_status body(struct io_writing *W)
{
    const bool is_table =
        W->format == HY_FORMAT_CSV || W->format == HY_FORMAT_TSV;
    HY_TRY(is_table                        ? table_head(W)
           : W->format == HY_FORMAT_KONECT ? konect_head(W)
                                           : el_head(W));
    if (is_table)
        HY_TRY(column_names(W));
    HY_TRY(io_write_edges(W));
    return write_lone(W);
}

hy_status io_write_lines(struct io_writing *W)
{
    const struct io_style style = {
        .prefix = "",
        .comment = W->format == HY_FORMAT_KONECT ? "%" : "#",
        .separator = W->format == HY_FORMAT_CSV   ? ','
                     : W->format == HY_FORMAT_TSV ? '\t'
                                                  : ' ',
    };
    W->state = &style;
    W->half = hy_view_is_undirected(W->V) ? IO_UPPER : IO_ALL;
    return io_write_file(W, W->path, body);
}
