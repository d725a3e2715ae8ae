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
    uint64_t bytes; /* of whole lines, those without an edge among them */
};

static void look_at(const char *at, const char *end, struct sample *out)
{
    static const char separators[] = ",;";
    char separator = 0;
    for (const char *c = separators; *c && !separator; c++)
        if (memchr(at, *c, (size_t)(end - at)))
            separator = *c;
    struct io_field field[IO_MAX_FIELDS];
    const uint32_t n = io_split(separator, at, end, field);
    if (n == HY_NONE)
        return;
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

/* The lines of a piece; the last one only if it is whole. */
static void look_through(const char *at, const char *end, bool is_end,
                         struct sample *out)
{
    while (at < end) {
        const char *const stop = io_line_end(at, end);
        if (stop == end && !is_end)
            return;
        if (!io_is_empty_line(at, stop))
            look_at(at, stop, out);
        out->bytes += (uint64_t)(stop - at) + 1;
        at = stop + 1;
    }
}

/* Pieces from all over a file, whose lines may grow longer as ids do. */
static void look_around(const char *at, uint64_t n, struct sample *out)
{
    enum { PIECES = 32, PIECE = 1 << 14 };
    for (uint64_t i = 1; i < PIECES; i++) {
        const char *const from = at + n / PIECES * i;
        const char *const end = from + PIECE;
        const char *const line = io_line_end(from, end);
        if (line < end)
            look_through(line + 1, end, false, out);
    }
}

/* A line is an edge; vertices are up to the largest id that was seen, if that
 * is not absurd. */
static hy_status by_sample(const struct io_reading *R, const char *at, size_t n,
                           hy_estimate *out)
{
    const bool is_all = n == out->bytes && !*out->packed;
    const char *const plain = io_source_plain(R->source);
    struct sample S = { 0 };
    look_through(at, at + n, is_all, &S);
    if (plain && out->bytes > (uint64_t)1 << 20)
        look_around(plain, out->bytes, &S);
    double bytes = (double)out->bytes;
    if (*out->packed) /* unpacks like its head */
        bytes *= (double)n / (double)(io_source_used(R->source) + 1);
    out->exact = is_all;
    out->edges = is_all ? S.lines
                 : S.bytes
                     ? (uint64_t)(bytes * (double)S.lines / (double)S.bytes)
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
    struct io_reading with = *R;
    hy_read_opts opts;
    HY_TRY(io_settle_format(&with, &opts));
    const struct io_format *const F = io_format_at(opts.format);
    if (!F)
        return base_fail(HY_EINVAL, "no such format");
    const char *at;
    size_t n;
    HY_TRY(io_source_peek(R->source, &at, &n));
    *out = (hy_estimate){ .format = opts.format,
                          .packed = io_source_packed(R->source),
                          .bytes = io_source_bytes(R->source) };
    return (F->estimate ? F->estimate : by_sample)(&with, at, n, out);
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
