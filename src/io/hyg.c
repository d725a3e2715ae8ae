/* hypha's own files: images of the store, with the names of vertices.
 *
 * A plain file is mapped.  What comes packed or through a pipe goes into a
 * file without a name first, and that is mapped.
 *
 * Names are a part of the image:
 *
 *   | n | end x n | texts |      u64, counted from the first text
 */
#include "io/formats.h"
#include "io/reshape.h"
#include "io/write.h"

#include "store/image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool io_sniff_hyg(const char *at, size_t n)
{
    return image_is(at, n);
}

hy_status io_estimate_hyg(const struct io_reading *R, const char *at, size_t n,
                          hy_estimate *out)
{
    struct image_head head;
    (void)R;
    HY_TRY(image_peek(at, n, &head));
    out->edges = head.edges;
    out->graph_bytes = head.file_bytes;
    /* Mapped, it takes no memory before it is used. */
    out->peak_bytes = head.file_bytes;
    out->exact = true;
    return HY_OK;
}

/* ---- a file that can be mapped ------------------------------------------- */

static hy_status write_all(int fd, const char *at, size_t n)
{
    while (n) {
        const ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return base_fail(HY_EIO, "writing a temporary file: %s",
                             strerror(errno));
        at += done;
        n -= (size_t)done;
    }
    return HY_OK;
}

/* The source's bytes, as many as the head says and not one more. */
static hy_status spill(const struct io_reading *R, int fd, char *piece,
                       size_t size, uint64_t *bytes)
{
    struct image_head head;
    size_t got;
    HY_TRY(io_source_read(R->source, piece, IMAGE_HEAD_BYTES, &got));
    HY_TRY(image_peek(piece, got, &head));
    HY_TRY(io_check_memory(R, head.file_bytes));
    for (uint64_t done = 0;;) {
        HY_TRY(write_all(fd, piece, got));
        done += got;
        HY_TRY(io_progress(R, done, head.file_bytes));
        HY_TRY(io_source_read(R->source, piece, size, &got));
        if (!got) {
            *bytes = done;
            return HY_OK;
        }
        if (got > head.file_bytes - done)
            return io_bad(R, 0, "the image goes on after its end");
    }
}

static hy_status open_spilled(const struct io_reading *R,
                              const struct image_opts *opts, hy_graph **graph,
                              struct image_names *names)
{
    enum { PIECE = 1 << 20 };
    FILE *file = tmpfile();
    if (!file)
        return base_fail(HY_EIO, "no temporary file: %s", strerror(errno));
    char *piece = base_alloc_raw(R->ctx, PIECE, 1);
    uint64_t bytes = 0;
    hy_status status =
        piece ? spill(R, fileno(file), piece, PIECE, &bytes) : HY_ENOMEM;
    base_free(R->ctx, piece);
    if (status == HY_OK)
        status = image_open(R->ctx, fileno(file), bytes, opts, graph, names);
    (void)fclose(file);
    return status;
}

static hy_status open_image(const struct io_reading *R, hy_graph **graph,
                            struct image_names *names)
{
    const struct image_opts opts = { .verify = R->opts->verify };
    const int fd = io_source_take_file(R->source);
    return fd < 0 ? open_spilled(R, &opts, graph, names)
                  : image_open(R->ctx, fd, io_source_bytes(R->source), &opts,
                               graph, names);
}

/* ---- names --------------------------------------------------------------- */

static uint64_t word_at(const char *at, uint64_t i)
{
    uint64_t word;
    memcpy(&word, at + i * sizeof word, sizeof word);
    return word;
}

static hy_status add_names(const struct io_reading *R,
                           const struct image_names *from, hy_names *N)
{
    const uint64_t n = from->n >= 8 ? word_at(from->at, 0) : 0;
    if (from->n < 8 || n > (from->n - 8) / 8)
        return io_bad(R, 0, "the image is damaged: its names");
    const char *ends = from->at + 8, *texts = ends + 8 * n;
    const uint64_t bytes = from->n - 8 - 8 * n;
    for (uint64_t i = 0, at = 0; i < n; i++) {
        const uint64_t end = word_at(ends, i);
        uint64_t id;
        if (end < at || end > bytes)
            return io_bad(R, 0, "the image is damaged: its names");
        HY_TRY(hy_names_add(N, texts + at, (size_t)(end - at), &id));
        if (id != i)
            return io_bad(R, 0, "the image is damaged: a name is there twice");
        at = end;
    }
    return io_check_memory(R, 0);
}

/* Every vertex has a name. */
static hy_status check_named(const struct io_reading *R, const hy_view *V,
                             const hy_names *N)
{
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        if (hy_view_has_vertex(V, u) &&
            hy_view_external(V, u) >= hy_names_count(N))
            return io_bad(R, 0, "the image is damaged: a vertex has no name");
    return HY_OK;
}

static hy_status read_names(const struct io_reading *R, const hy_graph *G,
                            const struct image_names *from, hy_names **out)
{
    const hy_id_kind kind = R->opts->id_kind;
    if (!from->n && kind == HY_ID_TEXT)
        return base_fail(HY_ENOTSUP, "the ids of the image are integers");
    if (!from->n)
        return HY_OK;
    if (kind == HY_ID_INTEGER)
        return base_fail(HY_ENOTSUP, "the ids of the image are texts");
    hy_names *N = NULL;
    HY_TRY(hy_names_new(R->ctx, &N));
    hy_status status = add_names(R, from, N);
    if (status == HY_OK)
        status = check_named(R, hy_graph_now(G), N);
    if (status == HY_OK)
        *out = N;
    else
        hy_names_free(N);
    return status;
}

/* ---- as the reader wants it ---------------------------------------------- */

/* HY_EFORMAT if it cannot be had; `want` is what it is else. */
static hy_status wanted(const struct io_reading *R, struct io_reshape *want)
{
    const hy_read_opts *opts = R->opts;
    if (opts->sense != HY_AS_WRITTEN)
        want->undirected = opts->sense == HY_UNDIRECTED;
    want->mapped |= opts->growing;
    if (opts->weighting == HY_WEIGHTS_NEED && want->bare)
        return io_bad(R, 0, "the image has no weights");
    want->bare |= opts->weighting == HY_WEIGHTS_DROP;
    return HY_OK;
}

static hy_status adapt(const struct io_reading *R, hy_graph **G)
{
    const hy_view *V = hy_graph_now(*G);
    const struct io_reshape is = io_reshape_of(V);
    struct io_reshape want = is;
    HY_TRY(wanted(R, &want));
    if (want.undirected != is.undirected || want.mapped != is.mapped ||
        want.bare != is.bare) {
        hy_graph *reshaped;
        HY_TRY(io_reshape(R->ctx, V, &want, &reshaped));
        hy_graph_free(*G);
        *G = reshaped;
    }
    HY_TRY(R->opts->reverse ? hy_graph_add_reverse(*G) : HY_OK);
    return io_check_memory(R, 0);
}

hy_status io_read_hyg(const struct io_reading *R, hy_graph **graph,
                      hy_names **names, hy_read_info *info)
{
    struct image_names from = { 0 };
    hy_names *N = NULL;
    hy_graph *G = NULL;
    HY_TRY(open_image(R, &G, &from));
    hy_status status = read_names(R, G, &from, &N);
    if (status == HY_OK)
        status = adapt(R, &G);
    if (status != HY_OK) {
        hy_names_free(N);
        hy_graph_free(G);
        return status;
    }
    info->lines = hy_view_edges(hy_graph_now(G));
    if (N)
        *names = N;
    *graph = G;
    return HY_OK;
}

/* ---- writing ------------------------------------------------------------- */

struct putting {
    struct io_writing *W;
    uint64_t done, total;
};

static hy_status put(void *arg, const void *bytes, size_t n)
{
    struct putting *P = arg;
    const hy_write_opts *opts = P->W->opts;
    struct image_head head;
    if (!P->done && image_peek(bytes, n, &head) == HY_OK)
        P->total = head.file_bytes;
    P->done += n;
    if (opts->progress && !opts->progress(opts->user, P->done, P->total))
        return base_fail(HY_ESTOPPED, "stopped while writing %s", P->W->path);
    return hy_out_put(P->W->out, bytes, n);
}

static hy_status names_part(const struct io_writing *W, char **out, size_t *n)
{
    *out = NULL;
    *n = 0;
    if (!W->names)
        return HY_OK;
    const uint64_t count = hy_names_count(W->names);
    uint64_t end = 0;
    for (uint64_t i = 0; i < count; i++) {
        size_t length;
        (void)hy_names_text(W->names, i, &length);
        end += length;
    }
    const size_t front = 8 + 8 * (size_t)count;
    char *part = base_alloc_raw(W->ctx, front + end, 1);
    if (!part)
        return HY_ENOMEM;
    memcpy(part, &count, 8);
    *out = part;
    *n = front + (size_t)end;
    end = 0;
    for (uint64_t i = 0; i < count; i++) {
        size_t length;
        const char *text = hy_names_text(W->names, i, &length);
        memcpy(part + front + end, text, length);
        end += length;
        memcpy(part + 8 + 8 * i, &end, 8);
    }
    return HY_OK;
}

static hy_status body(struct io_writing *W)
{
    struct putting P = { .W = W };
    char *names;
    size_t n;
    HY_TRY(names_part(W, &names, &n));
    const hy_status status = image_write(W->V, names, n, put, &P);
    base_free(W->ctx, names);
    return status;
}

hy_status io_write_hyg(struct io_writing *W)
{
    if (!W->opts->no_weights || hy_view_edge_columns(W->V) == 0)
        return io_write_file(W, W->path, body);
    struct io_reshape want = io_reshape_of(W->V);
    hy_graph *bare;
    want.bare = true;
    HY_TRY(io_reshape(W->ctx, W->V, &want, &bare));
    const hy_view *V = W->V;
    W->V = hy_graph_now(bare);
    const hy_status status = io_write_file(W, W->path, body);
    W->V = V;
    hy_graph_free(bare);
    return status;
}
