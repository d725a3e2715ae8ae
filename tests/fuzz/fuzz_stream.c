/* Bytes -> a stream of changes, in windows of any size: every batch commits,
 * every failure names its line, nothing is left behind.
 *
 *   byte 0   bits 0..1 format, 2 skip_bad, 3 mapped ids, 4 a column, 5 texts
 *            as ids, 6 a second column, 7 undirected
 *   byte 1   bits 0..3 lines of a batch, 4..7 window
 *   byte 2   bytes of a window of the source
 *   then the stream
 */
#include "io/stream.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3, VERTICES = 16 };

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, hy_error_text());
    abort();
}

static hy_graph *make_graph(hy_ctx *ctx, uint8_t code)
{
    static const hy_column columns[] = { { "weight", HY_I32 },
                                         { "time", HY_F32 } };
    const bool is_mapped = code & (8 | 32);
    const hy_graph_opts opts = { .undirected = code & 128,
                                 .ids =
                                     is_mapped ? HY_IDS_MAPPED : HY_IDS_DENSE,
                                 .edge_columns = columns,
                                 .n_edge_columns = code & 16   ? 1
                                                   : code & 64 ? 2
                                                               : 0,
                                 .reserve = (uint64_t)64 << 20 };
    hy_graph *G;
    must(hy_graph_new(ctx, &opts, &G) == HY_OK, "new");
    if (!is_mapped)
        must(hy_graph_load_edges(G, VERTICES, 0, NULL, NULL) == HY_OK, "load");
    return G;
}

/* Vertices of high ids take memory for all ids below: no fault of streams. */
static bool is_modest(hy_stream *S)
{
    return !S->is_dense || S->bound < (uint64_t)1 << 20;
}

static void run(hy_stream *S, hy_graph *G, bool skips)
{
    hy_batch *B;
    bool end = false;
    must(hy_batch_new(G, &B) == HY_OK, "batch");
    while (!end) {
        hy_diag diag = { 0 };
        const hy_status status = hy_stream_next(S, B, &end, &diag);
        if (status == HY_EFORMAT) {
            must(diag.text[0] != 0, "no reason");
            must(!skips || diag.line == 0, "a line that is not skipped");
            break;
        }
        if (status == HY_EFULL) /* zstd with a window that is too large */
            break;
        must(status == HY_OK, "next");
        must(end == (hy_batch_lines(B) == 0), "end");
        if (!is_modest(S))
            break;
        must(hy_graph_commit(G, B, NULL) == HY_OK, "commit");
    }
    must(skips || hy_stream_bad(S, NULL) == 0, "skipped");
    hy_batch_free(B);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_ctx_opts ctx_opts = { .threads = 1 };
    hy_ctx *ctx;
    hy_names *names = NULL;
    struct io_source *source;
    hy_stream *S;
    if (size < HEAD)
        return 0;
    must(hy_ctx_new(&ctx_opts, &ctx) == HY_OK, "ctx");
    hy_graph *G = make_graph(ctx, data[0]);
    if (data[0] & 32)
        must(hy_names_new(ctx, &names) == HY_OK, "names");
    const hy_stream_opts opts = { .format = (hy_stream_format)(data[0] & 3),
                                  .skip_bad = data[0] & 4,
                                  .batch = data[1] & 15,
                                  .window = (data[0] & 3) == HY_STREAM_TEMPORAL
                                                ? data[1] >> 4
                                                : 0 };
    const char *text = (const char *)data + HEAD;
    hy_status status =
        io_source_open_bytes(ctx, text, size - HEAD, data[2], &source);
    if (status == HY_OK)
        status = io_stream_open(source, "-", G, names, &opts, &S);
    must(status == HY_OK || status == HY_EFORMAT || status == HY_EFULL, "open");
    if (status == HY_OK) {
        run(S, G, opts.skip_bad);
        hy_stream_close(S);
    }
    const char *why = "";
    must(hy_graph_check(G, &why), why);
    hy_graph_free(G);
    hy_names_free(names);
    must(hy_ctx_bytes(ctx) == 0, "bytes are left");
    hy_ctx_free(ctx);
    return 0;
}
