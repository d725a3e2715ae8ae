/* Reading a graph: the source, its format, the format's reader. */
#include "io/formats.h"

#include <stdio.h>
#include <string.h>

hy_status io_settle_format(struct io_reading *R, hy_read_opts *opts)
{
    *opts = *R->opts;
    R->is_format_said = opts->format != HY_FORMAT_AUTO;
    R->opts = opts;
    if (opts->format == HY_FORMAT_AUTO)
        opts->format = hy_format_of_path(R->path);
    if (opts->format == HY_FORMAT_AUTO) {
        const char *at;
        size_t n;
        HY_TRY(io_source_peek(R->source, &at, &n));
        opts->format = io_format_sniff(at, n);
        if (opts->format == HY_FORMAT_SG && io_is_wsg(R->source, at))
            opts->format = HY_FORMAT_WSG;
    }
    return HY_OK;
}

hy_status io_read_source(const struct io_reading *R, hy_graph **graph,
                         hy_names **names, hy_read_info *info)
{
    struct io_reading with = *R;
    hy_read_opts opts;
    HY_TRY(io_settle_format(&with, &opts));
    const struct io_format *const F = io_format_at(opts.format);
    if (!F || !F->read)
        return base_fail(HY_ENOTSUP, "%s is not read by this build",
                         F ? hy_format_name(opts.format) : "that format");
    *info = (hy_read_info){ .format = opts.format,
                            .packed = io_source_packed(R->source) };
    HY_TRY(F->read(&with, graph, names, info));
    info->bytes += io_source_used(R->source);
    info->text_bytes += io_source_unpacked(R->source);
    return HY_OK;
}

static hy_status open_and_read(struct io_reading *R, hy_graph **graph,
                               hy_names **names, hy_read_info *info)
{
    HY_TRY(io_source_open(R->ctx, R->path, R->opts->memory, &R->source));
    const hy_status status = io_read_source(R, graph, names, info);
    io_source_close(R->source);
    return status;
}

void io_complete_diag(const struct io_reading *R, hy_status status)
{
    if (status != HY_EFORMAT || R->diag->text[0])
        return;
    (void)snprintf(R->diag->file, sizeof R->diag->file, "%s", R->path);
    (void)snprintf(R->diag->text, sizeof R->diag->text, "%s", hy_error_text());
}

hy_status hy_graph_read(hy_ctx *ctx, const char *path, const hy_read_opts *opts,
                        hy_graph **graph, hy_names **names, hy_read_info *info,
                        hy_diag *diag)
{
    if (!ctx || !path || !graph)
        return base_fail(HY_EINVAL, "no context, path or place for a graph");
    static const hy_read_opts usual = { 0 };
    hy_diag bad = { 0 };
    char found_path[IO_PATH_ROOM];
    struct io_reading R = { .ctx = ctx,
                            .path = io_ldbc_path(path, found_path),
                            .opts = opts ? opts : &usual,
                            .diag = &bad,
                            .held = hy_ctx_bytes(ctx) };
    hy_graph *G = NULL;
    hy_names *found = NULL;
    hy_read_info about;
    hy_status status = open_and_read(&R, &G, &found, &about);
    if (status == HY_OK && found && !names)
        status = base_fail(HY_ENOTSUP, "ids are texts, and no place for them");
    if (status != HY_OK) {
        io_complete_diag(&R, status);
        if (diag)
            *diag = bad;
        hy_graph_free(G);
        hy_names_free(found);
        return status;
    }
    *graph = G;
    if (names)
        *names = found;
    if (info)
        *info = about;
    return HY_OK;
}
