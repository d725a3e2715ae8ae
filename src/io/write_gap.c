/* GAP's serialized graphs, little-endian, without padding:
 *
 *   u8 directed, i64 arcs, i64 vertices
 *   i64 offsets[vertices + 1], i32 neighbours[arcs]
 *   the same two for in-neighbours, if it is directed
 *
 * .wsg has an i32 weight after each neighbour.
 */
#include "io/write.h"

#include <string.h>

static void put_bytes(struct io_text *T, uint64_t x, size_t n)
{
    char bytes[8];
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(unsigned char)(x >> (8 * i));
    io_text_put(T, bytes, n);
}

static void neighbours(const struct io_writing *W, struct io_part *P,
                       hy_vid rank)
{
    if (!io_write_gather(W, P, io_order_vertex(&W->order, rank)))
        return;
    for (size_t i = 0; i < P->arc.n; i++) {
        const struct io_arc *a = &P->arc.at[i];
        put_bytes(&P->text, a->rank, 4);
        if (W->n_columns == 0)
            continue;
        const int64_t weight = io_arc_integer(W, P, a, 0);
        if (weight < INT32_MIN || weight > INT32_MAX)
            io_text_fail(&P->text, HY_ENOTSUP,
                         "wsg takes integer weights within 32 bits only");
        put_bytes(&P->text, (uint64_t)weight, 4);
    }
}

/* ---- the other direction --------------------------------------------------
 */

/* In-neighbours of all vertices, by rank.  Made here: most views have no
 * reverse side. */
struct inward {
    uint64_t *start; /* owned, one more than vertices */
    hy_vid *from;    /* owned: ranks */
    int32_t *weight; /* owned; NULL if there are none */
};

static void inward_fini(hy_ctx *ctx, struct inward *I)
{
    base_free(ctx, I->start);
    base_free(ctx, I->from);
    base_free(ctx, I->weight);
}

static hy_status inward_alloc(const struct io_writing *W, struct inward *I)
{
    const uint64_t m = hy_view_arcs(W->V);
    *I = (struct inward){ 0 };
    I->start = base_alloc(W->ctx, (size_t)W->order.n + 2, sizeof *I->start);
    I->from = base_alloc_raw(W->ctx, m, sizeof *I->from);
    if (W->n_columns)
        I->weight = base_alloc_raw(W->ctx, m, sizeof *I->weight);
    return I->start && I->from && (I->weight || !W->n_columns) ? HY_OK
                                                               : HY_ENOMEM;
}

/* Counts come to lie two places on, so that filling leaves the starts. */
static void inward_count(const struct io_writing *W, struct inward *I)
{
    hy_scan scan = hy_scan_out(W->V, 0, hy_view_bound(W->V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            I->start[(size_t)io_order_rank(&W->order, v) + 2]++;
        }
    }
    for (size_t r = 2; r < (size_t)W->order.n + 2; r++)
        I->start[r] += I->start[r - 1];
}

/* By ascending rank, so that every list ascends. */
static hy_status inward_fill(const struct io_writing *W, struct inward *I)
{
    struct io_part P = { 0 };
    io_text_init(&P.text, W->ctx);
    for (hy_vid r = 0; r < W->order.n; r++) {
        if (!io_write_gather(W, &P, io_order_vertex(&W->order, r)))
            break;
        for (size_t i = 0; i < P.arc.n; i++) {
            const struct io_arc *a = &P.arc.at[i];
            const uint64_t at = I->start[(size_t)a->rank + 1]++;
            I->from[at] = r;
            if (W->n_columns)
                I->weight[at] = (int32_t)io_arc_integer(W, &P, a, 0);
        }
    }
    const hy_status status = P.text.status;
    base_free(W->ctx, P.arc.at);
    base_free(W->ctx, P.arc.field);
    return status == HY_OK ? HY_OK : base_fail(status, "%s", P.text.why);
}

static void in_neighbours(const struct io_writing *W, struct io_part *P,
                          hy_vid rank)
{
    const struct inward *I = W->state;
    for (uint64_t i = I->start[rank]; i < I->start[rank + 1]; i++) {
        put_bytes(&P->text, I->from[i], 4);
        if (I->weight)
            put_bytes(&P->text, (uint32_t)I->weight[i], 4);
    }
}

/* ---- the file ------------------------------------------------------------ */

static hy_status put_text(struct io_writing *W, struct io_text *T)
{
    if (T->status != HY_OK)
        return base_fail(T->status, "%s", T->why);
    const size_t n = T->n;
    T->n = 0;
    return hy_out_put(W->out, T->at, n);
}

/* `I`: of in-neighbours; NULL: of neighbours. */
static hy_status put_offsets(struct io_writing *W, const struct inward *I)
{
    struct io_text T;
    uint64_t sum = 0;
    hy_status status = HY_OK;
    io_text_init(&T, W->ctx);
    put_bytes(&T, 0, 8);
    for (hy_vid r = 0; r < W->order.n && status == HY_OK; r++) {
        sum = I ? I->start[r + 1]
                : sum + hy_view_degree(W->V, io_order_vertex(&W->order, r));
        put_bytes(&T, sum, 8);
        if (r % 4096 == 4095)
            status = put_text(W, &T);
    }
    if (status == HY_OK)
        status = put_text(W, &T);
    io_text_fini(&T);
    return status;
}

static hy_status put_head(struct io_writing *W)
{
    struct io_text T;
    io_text_init(&T, W->ctx);
    put_bytes(&T, !hy_view_is_undirected(W->V), 1);
    put_bytes(&T, hy_view_arcs(W->V), 8);
    put_bytes(&T, W->order.n, 8);
    const hy_status status = put_text(W, &T);
    io_text_fini(&T);
    return status;
}

static hy_status put_inward(struct io_writing *W)
{
    struct inward I;
    hy_status status = inward_alloc(W, &I);
    if (status == HY_OK) {
        inward_count(W, &I);
        status = inward_fill(W, &I);
    }
    W->state = &I;
    if (status == HY_OK)
        status = put_offsets(W, &I);
    if (status == HY_OK)
        status = io_write_pass(W, in_neighbours, true);
    W->state = NULL;
    inward_fini(W->ctx, &I);
    return status;
}

static hy_status body(struct io_writing *W)
{
    const bool is_directed = !hy_view_is_undirected(W->V);
    W->total *= is_directed ? 2 : 1;
    HY_TRY(put_head(W));
    HY_TRY(put_offsets(W, NULL));
    HY_TRY(io_write_pass(W, neighbours, true));
    return is_directed ? put_inward(W) : HY_OK;
}

hy_status io_write_gap(struct io_writing *W)
{
    if (W->order.n > INT32_MAX)
        return base_fail(HY_ENOTSUP, "%s numbers vertices in 31 bits",
                         hy_format_name(W->format));
    return io_write_file(W, W->path, body);
}
