/* Formats that number their vertices from 1: Matrix Market and DIMACS, a line
 * for each edge; METIS, a line for each vertex. */
#include "io/write_lines.h"

static const char renumbered[] =
    "vertices are numbered from 1, in ascending order of their ids";

static hy_status say_renumbered(struct io_writing *W, const char *comment)
{
    return io_is_renumbered(W)
               ? io_write_head(W, "%s %s\n", comment, renumbered)
               : HY_OK;
}

/* ---- Matrix Market ---------------------------------------------------------
 */

static const char *field_name(const struct io_writing *W)
{
    if (W->n_columns == 0)
        return "pattern";
    return W->type[0] == HY_F32 || W->type[0] == HY_F64 ? "real" : "integer";
}

static hy_status mtx_body(struct io_writing *W)
{
    const unsigned long long n = W->order.n, m = hy_view_edges(W->V);
    HY_TRY(io_write_head(
        W, "%%%%MatrixMarket matrix coordinate %s %s\n", field_name(W),
        hy_view_is_undirected(W->V) ? "symmetric" : "general"));
    /* Else an integer is one with a sign. */
    if (W->n_columns && W->type[0] == HY_U64)
        HY_TRY(io_write_head(W, "%%%%GraphBLAS type uint64_t\n"));
    HY_TRY(say_renumbered(W, "%"));
    HY_TRY(io_write_head(W, "%llu %llu %llu\n", n, n, m));
    return io_write_edges(W);
}

hy_status io_write_mtx(struct io_writing *W)
{
    static const struct io_style style = { .prefix = "",
                                           .separator = ' ',
                                           .is_numbered = true };
    W->state = &style;
    W->half = hy_view_is_undirected(W->V) ? IO_LOWER : IO_ALL;
    return io_write_file(W, W->path, mtx_body);
}

/* ---- DIMACS -------------------------------------------------------------- */

/* Arcs have a direction there: an undirected edge is two of them. */
static hy_status gr_body(struct io_writing *W)
{
    if (hy_view_is_undirected(W->V))
        HY_TRY(io_write_head(W, "c Undirected graph: an edge is two arcs\n"));
    HY_TRY(say_renumbered(W, "c"));
    HY_TRY(io_write_head(W, "p sp %llu %llu\n", (unsigned long long)W->order.n,
                         (unsigned long long)hy_view_arcs(W->V)));
    return io_write_edges(W);
}

hy_status io_write_gr(struct io_writing *W)
{
    static const struct io_style style = { .prefix = "a ",
                                           .separator = ' ',
                                           .is_numbered = true,
                                           .is_integer = true };
    W->state = &style;
    return io_write_file(W, W->path, gr_body);
}

/* ---- METIS --------------------------------------------------------------- */

static void metis_vertex(const struct io_writing *W, struct io_part *P,
                         hy_vid rank)
{
    struct io_text *T = &P->text;
    if (!io_write_gather(W, P, io_order_vertex(&W->order, rank)))
        return;
    for (size_t i = 0; i < P->arc.n; i++) {
        const struct io_arc *a = &P->arc.at[i];
        if (a->rank == rank)
            io_text_fail(T, HY_ENOTSUP, "metis has no loops: there is one");
        if (i > 0)
            io_text_char(T, ' ');
        io_text_u64(T, (uint64_t)a->rank + 1);
        if (W->n_columns == 0)
            continue;
        const int64_t weight = io_arc_integer(W, P, a, 0);
        if (weight <= 0)
            io_text_fail(T, HY_ENOTSUP, "metis takes weights above 0 only");
        io_text_char(T, ' ');
        io_text_i64(T, weight);
    }
    io_text_char(T, '\n');
}

static hy_status metis_body(struct io_writing *W)
{
    HY_TRY(say_renumbered(W, "%"));
    HY_TRY(io_write_head(W, "%llu %llu%s\n", (unsigned long long)W->order.n,
                         (unsigned long long)hy_view_edges(W->V),
                         W->n_columns ? " 001" : ""));
    return io_write_pass(W, metis_vertex, true);
}

hy_status io_write_metis(struct io_writing *W)
{
    if (!hy_view_is_undirected(W->V))
        return base_fail(HY_ENOTSUP, "metis holds undirected graphs only");
    return io_write_file(W, W->path, metis_body);
}
