/* Streams of changes: lines into batches. */
#include "io/stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { USUAL_BATCH = 10000 };

/* ---- opening ------------------------------------------------------------- */

/* A graph with dense ids has no place for the last 64-bit id, one with mapped
 * ids has: its batches tell. */
static hy_status ask_ids(hy_stream *S)
{
    hy_batch *B;
    HY_TRY(hy_batch_new(S->G, &B));
    const hy_status status = hy_batch_delete_edge(B, HY_ANY - 1, HY_ANY - 1);
    hy_batch_free(B);
    S->is_dense = status == HY_ERANGE;
    return S->is_dense ? HY_OK : status;
}

/* Where columns lie in a record: as a compiler would lay them. */
static hy_status lay_columns(hy_stream *S)
{
    const hy_view *V = hy_graph_now(S->G);
    const uint32_t n = hy_view_edge_columns(V);
    size_t at = 0;
    if (n > IO_STREAM_COLUMNS)
        return base_fail(HY_ENOTSUP, "streams fill %d columns, not %u",
                         IO_STREAM_COLUMNS, n);
    S->n_columns = n;
    for (uint32_t k = 0; k < n; k++) {
        S->type[k] = hy_view_edge_column(V, k).type;
        const size_t width = hy_type_width(S->type[k]);
        S->offset[k] = (at + width - 1) / width * width;
        at = S->offset[k] + width;
    }
    S->time_column = hy_view_find_edge_column(V, "time");
    S->weight_column = hy_view_find_edge_column(V, "weight");
    for (uint32_t k = 0; k < n && S->weight_column == HY_NONE; k++)
        if (k != S->time_column)
            S->weight_column = k;
    S->record_bytes = hy_view_edge_record_size(V);
    S->record = base_alloc(S->ctx, S->record_bytes, 1);
    return S->record ? HY_OK : HY_ENOMEM;
}

static bool is_file(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && stat(path, &about) == 0 &&
           S_ISREG(about.st_mode);
}

/* Files are looked through for a commit line; of a pipe only what it has by now
 * can be. */
static hy_status look_for_commits(hy_stream *S, const char *at, size_t n)
{
    struct io_source *again;
    struct io_window w;
    S->has_commits = n && io_stream_has_commit(at, at + n);
    if (S->has_commits || !is_file(S->path))
        return HY_OK;
    HY_TRY(io_source_open(S->ctx, S->path, 0, &again));
    hy_status status;
    do {
        status = io_source_next(again, &w);
        if (status != HY_OK || w.n == 0)
            break;
        S->has_commits = io_stream_has_commit(w.at, w.at + w.n);
    } while (!S->has_commits);
    io_source_close(again);
    /* What is damaged is named when the stream comes to it. */
    return status == HY_EFORMAT ? HY_OK : status;
}

/* The beginning of the stream: the first line that says something, or more. */
static hy_status look_at_first(hy_stream *S, const char **at, size_t *n)
{
    bool more = true;
    HY_TRY(io_source_peek(S->source, at, n));
    while (more && !io_stream_says(*at, *n)) {
        HY_TRY(io_source_peek_on(S->source, &more));
        HY_TRY(io_source_peek(S->source, at, n));
    }
    return HY_OK;
}

static hy_status prepare(hy_stream *S, const char *path)
{
    const size_t n_path = strlen(path);
    const char *at;
    size_t n;
    io_source_flow(S->source);
    S->path = base_alloc_raw(S->ctx, n_path + 1, 1);
    if (!S->path)
        return HY_ENOMEM;
    memcpy(S->path, path, n_path + 1);
    HY_TRY(ask_ids(S));
    HY_TRY(lay_columns(S));
    HY_TRY(look_at_first(S, &at, &n));
    if (S->opts.format == HY_STREAM_AUTO)
        S->opts.format = io_stream_format(path, at, n);
    if (S->opts.window && S->opts.format != HY_STREAM_TEMPORAL)
        return base_fail(HY_EINVAL, "a window needs a stream with times");
    return S->opts.batch == 0 && S->opts.format == HY_STREAM_HYS
               ? look_for_commits(S, at, n)
               : HY_OK;
}

hy_status io_stream_open(struct io_source *source, const char *path,
                         const hy_graph *G, hy_names *names,
                         const hy_stream_opts *opts, hy_stream **out)
{
    hy_ctx *ctx = hy_graph_ctx(G);
    hy_stream *S = base_alloc(ctx, 1, sizeof *S);
    if (!S) {
        io_source_close(source);
        return HY_ENOMEM;
    }
    S->ctx = ctx;
    S->source = source;
    S->G = G;
    S->names = names;
    S->opts = opts ? *opts : (hy_stream_opts){ 0 };
    io_expiry_init(&S->expiry, ctx);
    const hy_status status = prepare(S, path);
    if (status != HY_OK) {
        hy_stream_close(S);
        return status;
    }
    *out = S;
    return HY_OK;
}

/* The file as a whole is what failed. */
static hy_status blame_file(hy_status status, const char *path, hy_diag *diag)
{
    if (diag && status == HY_EFORMAT) {
        *diag = (hy_diag){ 0 };
        (void)snprintf(diag->file, sizeof diag->file, "%s", path);
        (void)snprintf(diag->text, sizeof diag->text, "%s", hy_error_text());
    }
    return status;
}

hy_status hy_stream_open(hy_ctx *ctx, const char *path, const hy_graph *G,
                         hy_names *names, const hy_stream_opts *opts,
                         hy_stream **out, hy_diag *diag)
{
    struct io_source *source;
    if (!ctx || !path || !G || !out)
        return base_fail(HY_EINVAL, "no context, path, graph or result");
    hy_status status = io_source_open(ctx, path, 0, &source);
    if (status == HY_OK)
        status = io_stream_open(source, path, G, names, opts, out);
    return blame_file(status, path, diag);
}

void hy_stream_close(hy_stream *S)
{
    if (!S)
        return;
    io_source_close(S->source);
    io_expiry_fini(&S->expiry);
    base_free(S->ctx, S->record);
    base_free(S->ctx, S->path);
    base_free(S->ctx, S);
}

uint64_t hy_stream_bad(const hy_stream *S, hy_diag *first)
{
    if (first && S->n_bad)
        *first = S->first_bad;
    return S->n_bad;
}

/* ---- lines --------------------------------------------------------------- */

/* The next line; *stop = NULL at the end of the stream. */
static hy_status next_line(hy_stream *S, const char **from, const char **stop)
{
    if (S->at == S->end) {
        struct io_window w;
        HY_TRY(io_source_next(S->source, &w));
        S->at = w.at;
        S->end = w.n ? w.at + w.n : w.at;
        S->line = w.line;
        if (w.n == 0) {
            *stop = NULL;
            return HY_OK;
        }
    }
    const char *newline = memchr(S->at, '\n', (size_t)(S->end - S->at));
    *from = S->at;
    *stop = newline ? newline : S->end;
    S->at = newline ? newline + 1 : S->end;
    return HY_OK;
}

/* The line is bad, as S->why says: HY_OK if it is skipped. */
static hy_status blame_line(hy_stream *S, hy_diag *diag)
{
    const bool skips = S->opts.skip_bad;
    const struct io_reading R = { .ctx = S->ctx,
                                  .path = S->path,
                                  .diag = skips ? &S->first_bad : diag };
    if (skips && S->n_bad++ > 0)
        return HY_OK;
    const hy_status status = io_bad(&R, S->line, "%s", S->why);
    return skips ? HY_OK : status;
}

static hy_status note_time(hy_stream *S, const struct io_change *C)
{
    const bool swap = C->u > C->v && hy_view_is_undirected(hy_graph_now(S->G));
    if (!S->opts.window)
        return HY_OK;
    return io_expiry_see(&S->expiry, swap ? C->v : C->u, swap ? C->u : C->v,
                         C->time);
}

static hy_status put_change(hy_stream *S, const struct io_change *C,
                            hy_batch *B)
{
    const void *values = C->has_values ? S->record : NULL;
    switch (C->kind) {
    case IO_INSERT_EDGE:
        HY_TRY(note_time(S, C));
        return hy_batch_insert_edge(B, C->u, C->v, values);
    case IO_DELETE_EDGE:
        return hy_batch_delete_edge(B, C->u, C->v);
    case IO_UPDATE_EDGE:
        return hy_batch_update_edge(B, C->u, C->v, values);
    case IO_INSERT_VERTEX:
        return hy_batch_insert_vertex(B, C->u, NULL);
    case IO_DELETE_VERTEX:
        return hy_batch_delete_vertex(B, C->u);
    default:
        return HY_OK;
    }
}

/* ---- batches ------------------------------------------------------------- */

static bool is_full(const hy_stream *S, uint64_t lines)
{
    if (S->opts.batch == 0 && S->has_commits)
        return false;
    return lines >= (S->opts.batch ? S->opts.batch : USUAL_BATCH);
}

/* Lines up to the end of a batch. */
static hy_status fill(hy_stream *S, hy_batch *B, hy_diag *diag)
{
    while (!is_full(S, hy_batch_lines(B))) {
        const char *from, *stop;
        struct io_change C;
        HY_TRY(next_line(S, &from, &stop));
        if (!stop)
            return HY_OK;
        hy_status status = io_change_read(S, from, stop, &C);
        if (status == HY_EFORMAT)
            status = blame_line(S, diag);
        else if (status == HY_OK)
            status = put_change(S, &C, B);
        S->line++;
        HY_TRY(status);
        if (C.kind == IO_COMMIT) {
            S->has_commits = true;
            if (hy_batch_lines(B))
                return HY_OK;
        }
    }
    return HY_OK;
}

static hy_status expire(hy_stream *S, hy_batch *B)
{
    uint64_t u, v;
    while (S->opts.window && io_expiry_pop(&S->expiry, S->opts.window, &u, &v))
        HY_TRY(hy_batch_delete_edge(B, u, v));
    return HY_OK;
}

hy_status hy_stream_next(hy_stream *S, hy_batch *B, bool *end, hy_diag *diag)
{
    hy_diag mine;
    if (!S || !B || !end)
        return base_fail(HY_EINVAL, "no stream, batch or result");
    if (S->status != HY_OK)
        return base_fail(S->status, "%s: the stream is broken", S->path);
    hy_batch_clear(B);
    const uint64_t bound = hy_view_bound(hy_graph_now(S->G));
    S->bound = bound > S->bound ? bound : S->bound;
    diag = diag ? diag : &mine;
    diag->line = 0;
    S->status = fill(S, B, diag);
    if (S->status == HY_EFORMAT && diag->line == 0)
        (void)blame_file(S->status, S->path, diag);
    if (S->status == HY_OK)
        S->status = expire(S, B);
    if (S->status == HY_OK)
        *end = hy_batch_lines(B) == 0;
    return S->status;
}
