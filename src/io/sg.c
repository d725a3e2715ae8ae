/* GAP's serialized graphs (.sg, .wsg): CSR as it lies in memory.
 *
 *   byte   0        directed: 0 or 1
 *   byte   1        int64 m: arcs stored, two for an undirected edge
 *   byte   9        int64 n: vertices
 *   byte  17        int64 offsets[n + 1]
 *   then            .sg:  int32 target[m]
 *                   .wsg: { int32 target, int32 weight }[m]
 *   if directed     the same two once more, of the arcs turned round
 *
 * All little-endian, without padding.  The turned side says nothing new: it
 * must be there and is not looked at.
 *
 * Beamer, Asanović, Patterson, The GAP Benchmark Suite, 2015.
 */
#include "io/head.h"
#include "io/formats.h"

enum {
    HEAD = 17,
    STEP = 1 << 24, /* bytes taken on trust where the size is not known */
};

/* More arcs than any memory holds; keeps sizes from overflowing. */
#define MAX_ARCS ((uint64_t)1 << 48)

struct sg {
    const struct io_reading *R;
    bool is_directed, is_weighted;
    uint64_t n, m, loops;
    uint64_t at;       /* bytes read so far */
    uint64_t *offsets; /* owned */
    hy_vid *targets;   /* owned */
    int32_t *weights;  /* owned; NULL without weights */
};

static hy_status bad(const struct sg *F, uint64_t offset, const char *text)
{
    const hy_status status =
        io_bad(F->R, 0, "%s (byte %llu)", text, (unsigned long long)offset);
    F->R->diag->offset = offset;
    return status;
}

/* ---- bytes
 * -------------------------------------------------------------------- */

static hy_status read_exactly(struct sg *F, void *to, size_t n)
{
    size_t got = 0;
    HY_TRY(io_source_read(F->R->source, to, n, &got));
    F->at += got;
    return got == n ? HY_OK : bad(F, F->at, "the file ends early");
}

/* Whether the size of the file, and so of all in it, is known. */
static bool is_size_known(const struct sg *F)
{
    return io_source_bytes(F->R->source) && !*io_source_packed(F->R->source);
}

/* Reads an array of n items; takes no memory that the file does not fill. */
static hy_status read_array(struct sg *F, uint64_t n, size_t size, void **out)
{
    const size_t bytes = (size_t)(n * size);
    size_t room = is_size_known(F) || bytes < STEP ? bytes : STEP;
    size_t done = 0;
    for (;;) {
        HY_TRY(io_check_memory(F->R, room - done));
        char *to = base_resize(F->R->ctx, *out, room, 1);
        if (!to)
            return HY_ENOMEM;
        *out = to;
        HY_TRY(read_exactly(F, to + done, room - done));
        if (room == bytes)
            return HY_OK;
        done = room;
        room = bytes - room > room ? 2 * room : bytes;
    }
}

static hy_status skip(struct sg *F, uint64_t bytes)
{
    char scratch[4096];
    while (bytes) {
        const size_t n =
            bytes < sizeof scratch ? (size_t)bytes : sizeof scratch;
        HY_TRY(read_exactly(F, scratch, n));
        bytes -= n;
    }
    return HY_OK;
}

/* ---- the head
 * ------------------------------------------------------------------- */

static uint64_t side_bytes(const struct sg *F, bool is_weighted)
{
    return (F->n + 1) * sizeof *F->offsets +
           F->m * (is_weighted ? 2 : 1) * sizeof *F->targets;
}

static uint64_t file_bytes(const struct sg *F, bool is_weighted)
{
    return HEAD + (F->is_directed ? 2 : 1) * side_bytes(F, is_weighted);
}

static hy_status check_size(const struct sg *F)
{
    const uint64_t bytes = io_source_bytes(F->R->source);
    const uint64_t due = file_bytes(F, F->is_weighted);
    if (!is_size_known(F) || bytes == due)
        return HY_OK;
    if (bytes == file_bytes(F, !F->is_weighted))
        return bad(F, due < bytes ? due : bytes,
                   F->is_weighted ? "this is a graph without weights: .sg"
                                  : "this is a graph with weights: .wsg");
    if (bytes < due)
        return bad(F, bytes, "the file ends early");
    return bad(F, due, "the file goes on after its end");
}

/* What the first bytes say; false: no such file begins so. */
static bool parse_head(const unsigned char *head, struct sg *F)
{
    memcpy(&F->m, head + 1, sizeof F->m);
    memcpy(&F->n, head + 9, sizeof F->n);
    F->is_directed = head[0];
    return head[0] <= 1 && F->m <= MAX_ARCS && F->n <= HY_NONE;
}

static hy_status read_head(struct sg *F)
{
    unsigned char head[HEAD];
    HY_TRY(read_exactly(F, head, sizeof head));
    if (!parse_head(head, F)) {
        if (head[0] > 1)
            return bad(F, 0, "neither 0 nor 1: no serialized graph");
        return F->m > MAX_ARCS ? bad(F, 1, "no number of edges")
                               : bad(F, 9, "no number of vertices");
    }
    return check_size(F);
}

/* ---- arrays
 * --------------------------------------------------------------------- */

static hy_status read_offsets(struct sg *F)
{
    const uint64_t at = F->at;
    void *array = NULL;
    const hy_status status =
        read_array(F, F->n + 1, sizeof *F->offsets, &array);
    F->offsets = array;
    if (status != HY_OK)
        return status;
    if (F->offsets[0])
        return bad(F, at, "the first offset is not 0");
    for (uint64_t u = 0; u < F->n; u++)
        if (F->offsets[u] > F->offsets[u + 1])
            return bad(F, at + (u + 1) * sizeof *F->offsets,
                       "an offset is below the one before it");
    if (F->offsets[F->n] != F->m)
        return bad(F, at + F->n * sizeof *F->offsets,
                   "the last offset is not the number of edges");
    return HY_OK;
}

/* Takes targets and weights apart. */
static hy_status split(struct sg *F)
{
    F->weights = base_alloc_raw(F->R->ctx, F->m, sizeof *F->weights);
    if (!F->weights)
        return HY_ENOMEM;
    for (uint64_t i = 0; i < F->m; i++) {
        memcpy(&F->weights[i], &F->targets[2 * i + 1], sizeof *F->weights);
        F->targets[i] = F->targets[2 * i];
    }
    return HY_OK;
}

static hy_status read_targets(struct sg *F)
{
    const uint64_t at = F->at;
    const size_t step = F->is_weighted ? 2 : 1;
    void *array = NULL;
    hy_status status = read_array(F, F->m * step, sizeof *F->targets, &array);
    F->targets = array;
    if (status == HY_OK && F->is_weighted)
        status = split(F);
    if (status != HY_OK)
        return status;
    uint64_t u = 0;
    for (uint64_t i = 0; i < F->m; i++) {
        while (i == F->offsets[u + 1])
            u++;
        F->loops += F->targets[i] == u;
        if (F->targets[i] >= F->n)
            return bad(F, at + i * step * sizeof *F->targets,
                       "a neighbour is no vertex");
    }
    return HY_OK;
}

static hy_status read_tail(struct sg *F)
{
    char byte;
    size_t got = 0;
    if (F->is_directed)
        HY_TRY(skip(F, side_bytes(F, F->is_weighted)));
    HY_TRY(io_source_read(F->R->source, &byte, 1, &got));
    return got ? bad(F, F->at, "the file goes on after its end") : HY_OK;
}

/* ---- the graph
 * -------------------------------------------------------------------- */

/* Each arc is an edge, one of two opposite ones merged. */
static hy_status load_edges(const struct sg *F, hy_graph *G,
                            const void *weights)
{
    HY_TRY(io_check_memory(F->R, F->m * sizeof(hy_edge)));
    hy_edge *edges = base_alloc_raw(F->R->ctx, F->m, sizeof *edges);
    if (!edges)
        return HY_ENOMEM;
    for (uint64_t u = 0; u < F->n; u++)
        for (uint64_t i = F->offsets[u]; i < F->offsets[u + 1]; i++)
            edges[i] = (hy_edge){ (hy_vid)u, F->targets[i] };
    const hy_status status = hy_graph_load_edges(G, F->n, F->m, edges, weights);
    base_free(F->R->ctx, edges);
    return status;
}

static hy_status load(const struct sg *F, bool undirected, bool keeps,
                      hy_graph **graph)
{
    static const hy_column weight = { "weight", HY_I32 };
    const hy_graph_opts opts = {
        .undirected = undirected,
        .reverse = F->R->opts->reverse && !undirected,
        .ids = F->R->opts->growing ? HY_IDS_MAPPED : HY_IDS_DENSE,
        .edge_columns = &weight,
        .n_edge_columns = keeps,
    };
    hy_estimate need;
    hy_graph *G = NULL;
    io_estimate_graph(F->R, F->n, F->m, keeps ? sizeof *F->weights : 0, &need);
    HY_TRY(io_check_memory(F->R, need.peak_bytes));
    HY_TRY(hy_graph_new(F->R->ctx, &opts, &G));
    const void *weights = keeps ? F->weights : NULL;
    hy_status status;
    if (undirected && F->is_directed)
        status = load_edges(F, G, weights);
    else
        status = hy_graph_load_csr(G, F->n, F->offsets, F->targets, weights);
    if (status == HY_EINVAL)
        status = bad(F, HEAD + (F->n + 1) * sizeof *F->offsets,
                     "an undirected edge has no twin");
    if (status != HY_OK)
        hy_graph_free(G);
    else
        *graph = G;
    return status;
}

/* An arc is an entry; two are, where they are one edge in file and graph. */
static void count(const struct sg *F, const hy_graph *G, hy_read_info *info)
{
    const hy_view *V = hy_graph_now(G);
    const bool has_pairs = !F->is_directed && hy_view_is_undirected(V);
    info->lines = has_pairs ? (F->m + F->loops) / 2 : F->m;
    info->repeats = info->lines - hy_view_edges(V);
}

hy_status io_read_sg(const struct io_reading *R, hy_graph **graph,
                     hy_names **names, hy_read_info *info)
{
    (void)names;
    struct sg F = { .R = R, .is_weighted = R->opts->format == HY_FORMAT_WSG };
    const hy_weighting weighting = R->opts->weighting;
    hy_status status = read_head(&F);
    if (status == HY_OK && !F.is_weighted && weighting == HY_WEIGHTS_NEED)
        status = bad(&F, 0, "the edges have no weights");
    if (status == HY_OK)
        status = read_offsets(&F);
    if (status == HY_OK)
        status = read_targets(&F);
    if (status == HY_OK)
        status = read_tail(&F);
    const bool undirected = R->opts->sense == HY_AS_WRITTEN
                                ? !F.is_directed
                                : R->opts->sense == HY_UNDIRECTED;
    if (status == HY_OK)
        status = load(&F, undirected,
                      F.is_weighted && weighting != HY_WEIGHTS_DROP, graph);
    if (status == HY_OK)
        count(&F, *graph, info);
    base_free(R->ctx, F.offsets);
    base_free(R->ctx, F.targets);
    base_free(R->ctx, F.weights);
    return status;
}

/* ---- telling it from others
 * -------------------------------------------------------- */

/* The head, and the first offset: 0. */
bool io_sniff_sg(const char *at, size_t n)
{
    static const char zeros[8];
    unsigned char head[HEAD];
    struct sg F;
    if (n < HEAD + sizeof zeros)
        return false;
    memcpy(head, at, HEAD);
    return parse_head(head, &F) && memcmp(at + HEAD, zeros, sizeof zeros) == 0;
}

bool io_is_wsg(const struct io_source *S, const char *at)
{
    unsigned char head[HEAD];
    struct sg F;
    memcpy(head, at, HEAD);
    return parse_head(head, &F) && !*io_source_packed(S) &&
           io_source_bytes(S) == file_bytes(&F, true);
}

hy_status io_estimate_sg(const struct io_reading *R, const char *at, size_t n,
                         hy_estimate *out)
{
    struct sg F = { .R = R, .is_weighted = out->format == HY_FORMAT_WSG };
    unsigned char head[HEAD];
    if (n < HEAD)
        return bad(&F, n, "the file ends early");
    memcpy(head, at, HEAD);
    if (!parse_head(head, &F))
        return bad(&F, 0, "no serialized graph");
    HY_TRY(check_size(&F));
    const bool undirected = R->opts->sense == HY_UNDIRECTED;
    out->edges = F.is_directed ? F.m : F.m / 2;
    out->exact = F.is_directed;
    io_estimate_graph(R, F.n, undirected && F.is_directed ? 2 * F.m : F.m,
                      F.is_weighted ? sizeof *F.weights : 0, out);
    out->peak_bytes += side_bytes(&F, F.is_weighted);
    return HY_OK;
}
