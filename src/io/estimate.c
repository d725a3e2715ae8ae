/* What a file will be once it is loaded, judged by its head and its size. */
#include "io/delimited.h"

#include <string.h>

void io_estimate_graph(const struct io_reading *R, uint64_t n, uint64_t arcs,
                       size_t size, hy_estimate *out)
{
    /* Of the store: a slot and an external id of each vertex with its place
     * in the map; the neighbour and its columns of each arc, rounded; keys,
     * their scratch and, with columns, tags while arcs are sorted. */
    static const uint64_t vertex = 48, sorting = 16, tags = 8;
    const uint64_t sides = R->opts->reverse ? 2 : 1;
    out->graph_bytes = n * vertex + sides * (arcs * (4 + size) / 16 * 17);
    out->peak_bytes =
        out->graph_bytes + sides * arcs * (sorting + (size ? tags : 0));
}

/* ---- by a sample --------------------------------------------------------- */

struct sample {
    uint64_t lines, largest;
    uint32_t n_fields;
    bool texts;
    size_t used; /* bytes of whole lines */
};

static void look_at(const char *at, const char *end, struct sample *out)
{
    struct io_field field[IO_MAX_FIELDS];
    const uint32_t n = io_split(0, at, end, field);
    out->lines++;
    out->n_fields = n > out->n_fields ? n : out->n_fields;
    for (uint32_t i = 0; i < 2 && i < n; i++) {
        uint64_t id = 0;
        const char *const stop = field[i].at + field[i].n;
        if (io_read_u64(field[i].at, stop, &id) != stop)
            out->texts = true;
        else
            out->largest = id > out->largest ? id : out->largest;
    }
}

static struct sample take_sample(const char *at, size_t n, bool is_all)
{
    struct sample S = { 0 };
    const char *const end = at + n;
    for (const char *line = at; line < end;) {
        const char *const stop = io_line_end(line, end);
        if (stop == end && !is_all && S.used)
            break;
        if (!io_is_empty_line(line, stop))
            look_at(line, stop, &S);
        line = stop + 1;
        S.used = (size_t)(line - at);
    }
    return S;
}

/* Lines are as long as those of the head.  A line is an edge; vertices are
 * up to the largest id of the head, if that is not absurd. */
static hy_status by_sample(const struct io_reading *R, const char *at, size_t n,
                           hy_estimate *out)
{
    const bool is_all = n == out->bytes && !*out->packed;
    const struct sample S = take_sample(at, n, is_all);
    double bytes = (double)out->bytes;
    if (*out->packed) /* unpacks like its head */
        bytes *= (double)io_source_unpacked(R->source) /
                 (double)(io_source_used(R->source) + 1);
    out->exact = is_all;
    out->edges = is_all ? S.lines
                 : S.used
                     ? (uint64_t)(bytes * (double)S.lines / (double)S.used) + 1
                     : 0;
    const bool drop = R->opts->weighting == HY_WEIGHTS_DROP;
    const size_t values = S.n_fields > 2 && !drop ? S.n_fields - 2 : 0;
    const uint64_t vertices =
        S.texts || S.largest > 2 * out->edges ? out->edges / 2 : S.largest + 1;
    const uint64_t arcs =
        R->opts->sense == HY_UNDIRECTED ? 2 * out->edges : out->edges;
    io_estimate_graph(R, vertices, arcs, 8 * values, out);
    out->peak_bytes += out->edges * 8 * (1 + values); /* rows */
    return HY_OK;
}

/* ---- the public door ----------------------------------------------------- */

static hy_status estimate(const struct io_reading *R, hy_estimate *out)
{
    const char *at;
    size_t n;
    HY_TRY(io_source_peek(R->source, &at, &n));
    *out = (hy_estimate){ .format = R->opts->format,
                          .packed = io_source_packed(R->source),
                          .bytes = io_source_bytes(R->source) };
    if (out->format == HY_FORMAT_AUTO)
        out->format = hy_format_of_path(R->path);
    if (out->format == HY_FORMAT_AUTO)
        out->format = io_format_sniff(at, n);
    const struct io_format *const F = io_format_at(out->format);
    if (!F)
        return base_fail(HY_EINVAL, "no such format");
    return (F->estimate ? F->estimate : by_sample)(R, at, n, out);
}

hy_status hy_graph_estimate(hy_ctx *ctx, const char *path,
                            const hy_read_opts *opts, hy_estimate *out,
                            hy_diag *diag)
{
    if (!ctx || !path || !out)
        return base_fail(HY_EINVAL, "no context, path or place for a result");
    static const hy_read_opts usual = { 0 };
    hy_diag bad = { 0 };
    char found_path[IO_PATH_ROOM];
    struct io_reading R = { .ctx = ctx,
                            .path = io_ldbc_path(path, found_path),
                            .opts = opts ? opts : &usual,
                            .diag = &bad };
    hy_estimate found;
    HY_TRY(io_source_open(ctx, R.path, R.opts->memory, &R.source));
    const hy_status status = estimate(&R, &found);
    io_source_close(R.source);
    io_complete_diag(&R, status);
    if (status == HY_OK)
        *out = found;
    else if (diag)
        *diag = bad;
    return status;
}
