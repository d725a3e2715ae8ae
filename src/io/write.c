/* Writing a graph: what is common to all formats. */
#include "io/write.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hy_status io_write_head(struct io_writing *W, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line)
        return base_fail(HY_EBUG, "a head line of %d bytes", n);
    return hy_out_put(W->out, line, (size_t)n);
}

hy_status io_write_file(struct io_writing *W, const char *path,
                        hy_status (*body)(struct io_writing *W))
{
    HY_TRY(io_out_open(W->ctx, path, W->opts->level, &W->out));
    const hy_status status = body(W);
    if (status == HY_OK)
        return hy_out_close(W->out);
    hy_out_drop(W->out);
    return status;
}

/* ---- columns ---------------------------------------------------------------
 */

uint32_t io_weight_column(const hy_view *V)
{
    const uint32_t named = hy_view_find_edge_column(V, "weight");
    return named != HY_NONE || hy_view_edge_columns(V) == 0 ? named : 0;
}

static void add_column(struct io_writing *W, uint32_t column)
{
    if (column == HY_NONE || W->n_columns == IO_WRITE_COLUMNS)
        return;
    W->column[W->n_columns] = column;
    W->type[W->n_columns++] = hy_view_edge_column(W->V, column).type;
}

/* CSV and TSV hold every column, KONECT weight and time, others one. */
static void choose_columns(struct io_writing *W)
{
    const uint32_t n = hy_view_edge_columns(W->V);
    const uint32_t weight = io_weight_column(W->V);
    if (W->opts->no_weights)
        return;
    if (W->format == HY_FORMAT_CSV || W->format == HY_FORMAT_TSV) {
        for (uint32_t k = 0; k < n; k++)
            add_column(W, k);
        return;
    }
    add_column(W, weight);
    if (W->format == HY_FORMAT_KONECT && n > 1)
        add_column(W, hy_view_find_edge_column(W->V, "time"));
}

/* ---- any format ------------------------------------------------------------
 */

typedef hy_status writer(struct io_writing *W);

static writer *writer_of(hy_format format)
{
    switch (format) {
    case HY_FORMAT_EL:
    case HY_FORMAT_WEL:
    case HY_FORMAT_KONECT:
    case HY_FORMAT_CSV:
    case HY_FORMAT_TSV:
        return io_write_lines;
    case HY_FORMAT_MTX:
        return io_write_mtx;
    case HY_FORMAT_GR:
        return io_write_gr;
    case HY_FORMAT_METIS:
        return io_write_metis;
    case HY_FORMAT_LDBC:
        return io_write_ldbc;
    case HY_FORMAT_SG:
    case HY_FORMAT_WSG:
        return io_write_gap;
    case HY_FORMAT_HYG:
        return io_write_hyg;
    default:
        return NULL;
    }
}

/* Names must be there for all vertices that bear one. */
static hy_status check_names(const struct io_writing *W)
{
    const uint64_t n = W->names ? hy_names_count(W->names) : 0;
    if (!W->names || W->order.n == 0)
        return HY_OK;
    const hy_vid last = io_order_vertex(&W->order, W->order.n - 1);
    const uint64_t id = hy_view_external(W->V, last);
    return id < n ? HY_OK
                  : base_fail(HY_EINVAL, "vertex %llu has no name",
                              (unsigned long long)id);
}

static hy_status check_weights(const struct io_writing *W)
{
    const char *name = hy_format_name(W->format);
    const bool is_needed =
        W->format == HY_FORMAT_WEL || W->format == HY_FORMAT_WSG;
    if (is_needed && W->n_columns == 0)
        return base_fail(HY_ENOTSUP, "%s needs weights: there are none", name);
    if (W->format == HY_FORMAT_SG && W->n_columns)
        return base_fail(HY_ENOTSUP,
                         "sg has no weights: write wsg, or no weights");
    return HY_OK;
}

hy_status hy_graph_write(hy_ctx *ctx, const hy_view *V, const hy_names *names,
                         const char *path, const hy_write_opts *opts)
{
    static const hy_write_opts none = { 0 };
    if (!ctx || !V || !path)
        return base_fail(HY_EINVAL, "no context, view or path");
    struct io_writing W = { .ctx = ctx,
                            .V = V,
                            .names = names,
                            .path = path,
                            .opts = opts ? opts : &none,
                            .total = hy_view_arcs(V) };
    W.format = W.opts->format ? W.opts->format : hy_format_of_path(path);
    writer *write = writer_of(W.format);
    if (!write)
        return base_fail(HY_EINVAL, "%s: no format to write it in", path);
    choose_columns(&W);
    HY_TRY(check_weights(&W));
    hy_status status = io_order_init(ctx, &W.order, V);
    if (status == HY_OK)
        status = check_names(&W);
    if (status == HY_OK)
        status = write(&W);
    io_order_fini(ctx, &W.order);
    return status;
}
