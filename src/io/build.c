/* Rows into a graph: which vertices there are, what they are called inside,
 * what the records of their edges are.
 *
 *   Build(T)
 *     1 Name     external ids, ascending, become 0 .. n-1
 *                  all of 0 .. n-1 is there: nothing to do
 *                  ids not much larger than the rows: a set of bits, ranks
 *                  else: a table of the distinct ones, sorted
 *     2 Record   value columns side by side, as narrow as they fit
 *     3 Load
 */
#include "io/build.h"

#include "par/par.h"

#include <string.h>

enum { GRAIN = 1 << 15 };

/* ---- records ------------------------------------------------------------- */

struct records {
    const struct io_table *T;
    hy_column column[IO_MAX_VALUES];
    size_t at[IO_MAX_VALUES]; /* place in a record */
    size_t size;              /* of a record */
    char *record;             /* owned if `own` */
    bool own;
    _Atomic bool is_long[IO_MAX_VALUES]; /* relaxed: read after the loop */
};

static void look_par(void *arg, size_t lo, size_t hi)
{
    struct records *const B = arg;
    for (uint32_t c = 0; c < B->T->n_values; c++) {
        bool is_long = false;
        for (size_t i = lo; !B->T->real[c] && i < hi; i++) {
            const int64_t x = (int64_t)B->T->value[c][i];
            is_long |= x != (int32_t)x;
        }
        if (is_long)
            atomic_store_explicit(&B->is_long[c], true, memory_order_relaxed);
    }
}

static void lay_out(struct records *B, const struct io_shape *shape)
{
    size_t widest = 1;
    for (uint32_t c = 0; c < B->T->n_values; c++) {
        const bool is_long = atomic_load(&B->is_long[c]);
        const hy_type type = B->T->real[c]           ? HY_F64
                             : shape->is_unsigned[c] ? HY_U64
                             : is_long               ? HY_I64
                                                     : HY_I32;
        const size_t width = hy_type_width(type);
        B->column[c] = (hy_column){ shape->column[c], type };
        B->at[c] = (B->size + width - 1) / width * width;
        B->size = B->at[c] + width;
        widest = width > widest ? width : widest;
    }
    B->size = (B->size + widest - 1) / widest * widest;
}

static void record_par(void *arg, size_t lo, size_t hi)
{
    const struct records *const B = arg;
    for (uint32_t c = 0; c < B->T->n_values; c++) {
        const uint64_t *const value = B->T->value[c];
        char *const to = B->record + B->at[c];
        if (B->column[c].type != HY_I32)
            for (size_t i = lo; i < hi; i++)
                memcpy(to + i * B->size, &value[i], sizeof *value);
        else
            for (size_t i = lo; i < hi; i++) {
                const int32_t x = (int32_t)(int64_t)value[i];
                memcpy(to + i * B->size, &x, sizeof x);
            }
    }
}

static hy_status make_records(struct records *B, struct io_table *T,
                              const struct io_shape *shape)
{
    *B = (struct records){ .T = T };
    for (uint32_t c = 0; c < IO_MAX_VALUES; c++)
        atomic_init(&B->is_long[c], false);
    par_for(T->ctx, T->n, GRAIN, look_par, B);
    lay_out(B, shape);
    if (T->n_values == 1 && B->size == sizeof *T->value[0]) {
        B->record = (char *)T->value[0]; /* as they are */
        return HY_OK;
    }
    if (!T->n_values)
        return HY_OK;
    B->record = base_alloc_raw(T->ctx, T->n, B->size);
    if (!B->record)
        return HY_ENOMEM;
    B->own = true;
    par_for(T->ctx, T->n, GRAIN, record_par, B);
    for (uint32_t c = 0; c < T->n_values; c++) {
        base_free(T->ctx, T->value[c]);
        T->value[c] = NULL;
    }
    return HY_OK;
}

/* ---- loading ------------------------------------------------------------- */

static hy_status load(const struct io_reading *R, const struct io_table *T,
                      const struct io_named *N, const struct records *B,
                      bool undirected, hy_graph **graph)
{
    const hy_graph_opts opts = { .undirected = undirected,
                                 .reverse = R->opts->reverse && !undirected,
                                 .ids =
                                     N->mapped ? HY_IDS_MAPPED : HY_IDS_DENSE,
                                 .edge_columns = B->column,
                                 .n_edge_columns = T->n_values };
    hy_graph *G = NULL;
    HY_TRY(hy_graph_new(R->ctx, &opts, &G));
    const hy_status status =
        N->external ? hy_graph_load_named(G, N->n, N->external, T->n, T->narrow,
                                          B->record)
                    : hy_graph_load_edges(G, N->n, T->n, T->narrow, B->record);
    if (status != HY_OK)
        hy_graph_free(G);
    else
        *graph = G;
    return status;
}

/* What loading takes beside the rows, at most. */
static uint64_t loading_bytes(const struct io_reading *R,
                              const struct io_table *T, bool undirected,
                              uint64_t n)
{
    hy_estimate E;
    io_estimate_graph(R, n, undirected ? 2 * T->n : T->n,
                      8 * (size_t)T->n_values, &E);
    return E.peak_bytes;
}

hy_status io_build(const struct io_reading *R, struct io_table *T,
                   const struct io_shape *shape, hy_graph **graph,
                   hy_read_info *info)
{
    const bool undirected = R->opts->sense == HY_AS_WRITTEN
                                ? shape->undirected
                                : R->opts->sense == HY_UNDIRECTED;
    struct io_named N = { 0 };
    struct records B = { 0 };
    hy_status status = io_name(R, T, shape, &N);
    if (status == HY_OK)
        status = io_check_memory(R, loading_bytes(R, T, undirected, N.n));
    if (status == HY_OK)
        status = make_records(&B, T, shape);
    if (status == HY_OK)
        status = load(R, T, &N, &B, undirected, graph);
    if (status == HY_OK) {
        info->lines = T->n;
        info->repeats = T->n - hy_view_edges(hy_graph_now(*graph));
        info->bad = T->n_bad;
        info->first_bad = T->first_bad;
    }
    if (B.own)
        base_free(R->ctx, B.record);
    base_free(R->ctx, N.external);
    return status;
}
