/* Filling batches. */
#include "store/batch.h"

enum { FIRST_ROOM = 64 };

hy_status hy_batch_new(const hy_graph *G, hy_batch **out)
{
    if (!G || !out)
        return base_fail(HY_EINVAL, "a batch needs a graph");
    hy_batch *B = base_alloc(G->ctx, 1, sizeof *B);
    if (!B)
        return HY_ENOMEM;
    B->ctx = G->ctx;
    B->shape = G->shape;
    *out = B;
    return HY_OK;
}

void hy_batch_free(hy_batch *B)
{
    if (!B)
        return;
    base_free(B->ctx, B->key);
    base_free(B->ctx, B->pair);
    base_free(B->ctx, B->op);
    base_free(B->ctx, B->values);
    base_free(B->ctx, B->vertex_values);
    base_free(B->ctx, B);
}

void hy_batch_clear(hy_batch *B)
{
    base_free(B->ctx, B->op);
    B->op = NULL;
    B->n = B->n_vertex_values = B->n_vertex_lines = B->n_loops = 0;
    B->max_id = 0;
}

uint64_t hy_batch_lines(const hy_batch *B)
{
    return B->n;
}

/* ---- room --------------------------------------------------------------- */

/* Grows one array of the batch to `room` items. */
#define GROW(B, array, room, size)                                             \
    do {                                                                       \
        void *grown = base_resize((B)->ctx, (B)->array, room, size);           \
        if (!grown)                                                            \
            return HY_ENOMEM;                                                  \
        (B)->array = grown;                                                    \
    } while (0)

static hy_status make_room(hy_batch *B, size_t more)
{
    if (more <= B->room - B->n)
        return HY_OK;
    if (more > UINT32_MAX / 2 || B->n + more > UINT32_MAX / 2)
        return base_fail(HY_EFULL, "a batch holds at most 2^31 lines");
    size_t room = B->n + more;
    room = room < FIRST_ROOM ? FIRST_ROOM : room + room / 2;
    if (B->shape.mapped)
        GROW(B, pair, room, sizeof *B->pair);
    else
        GROW(B, key, room, sizeof *B->key);
    if (B->op)
        GROW(B, op, room, sizeof *B->op);
    if (B->values)
        GROW(B, values, room, B->shape.edge.size);
    B->room = room;
    return HY_OK;
}

/* Readies the batch for `more` lines of one kind. */
static hy_status prepare(hy_batch *B, enum op op, size_t more)
{
    HY_TRY(make_room(B, more));
    if (!B->n)
        B->all = op;
    if (B->op || B->all == op)
        return HY_OK;
    uint8_t *ops = base_alloc_raw(B->ctx, B->room, sizeof *ops);
    if (!ops)
        return HY_ENOMEM;
    memset(ops, (int)B->all, B->n);
    B->op = ops;
    return HY_OK;
}

static hy_status prepare_values(hy_batch *B)
{
    if (B->values)
        return HY_OK;
    B->values = base_alloc_raw(B->ctx, B->room, B->shape.edge.size);
    return B->values ? HY_OK : HY_ENOMEM;
}

/* ---- lines about edges -------------------------------------------------- */

static void put_edge(hy_batch *B, enum op op, uint64_t u, uint64_t v,
                     const void *values)
{
    const size_t i = B->n++;
    if (B->shape.mapped) {
        B->pair[i] = (hy_pair){ .u = u, .v = v };
    } else {
        const uint64_t greater = u > v ? u : v;
        B->key[i] = u << 32 | v;
        B->max_id = greater > B->max_id ? (hy_vid)greater : B->max_id;
    }
    B->n_loops += u == v;
    if (B->op)
        B->op[i] = (uint8_t)op;
    if (values)
        memcpy(B->values + i * B->shape.edge.size, values, B->shape.edge.size);
}

static hy_status check_id(const hy_batch *B, uint64_t u)
{
    if (u < (B->shape.mapped ? HY_ANY : HY_NONE))
        return HY_OK;
    return base_fail(HY_ERANGE, "no vertex has id %llu", (unsigned long long)u);
}

static hy_status add_edge(hy_batch *B, enum op op, uint64_t u, uint64_t v,
                          const void *values)
{
    HY_TRY(check_id(B, u > v ? u : v));
    HY_TRY(prepare(B, op, 1));
    if (values)
        HY_TRY(prepare_values(B));
    put_edge(B, op, u, v, values);
    return HY_OK;
}

hy_status hy_batch_insert_edge(hy_batch *B, uint64_t u, uint64_t v,
                               const void *values)
{
    const bool bare = !values || !B->shape.edge.size;
    return add_edge(B, bare ? OP_INSERT_BARE : OP_INSERT, u, v,
                    bare ? NULL : values);
}

hy_status hy_batch_delete_edge(hy_batch *B, uint64_t u, uint64_t v)
{
    return add_edge(B, OP_DELETE, u, v, NULL);
}

hy_status hy_batch_update_edge(hy_batch *B, uint64_t u, uint64_t v,
                               const void *values)
{
    if (!values && B->shape.edge.size)
        return base_fail(HY_EINVAL, "an update needs values");
    return add_edge(B, OP_UPDATE, u, v, B->shape.edge.size ? values : NULL);
}

static hy_status add_edges(hy_batch *B, enum op op, uint64_t n,
                           const hy_edge *edges, const char *values)
{
    if (B->shape.mapped)
        return base_fail(HY_EINVAL, "a graph with mapped ids: use pairs");
    for (uint64_t i = 0; i < n; i++)
        if (edges[i].u == HY_NONE || edges[i].v == HY_NONE)
            return base_fail(HY_ERANGE, "edge %llu: no vertex has that id",
                             (unsigned long long)i);
    HY_TRY(prepare(B, op, n));
    if (values)
        HY_TRY(prepare_values(B));
    for (uint64_t i = 0; i < n; i++)
        put_edge(B, op, edges[i].u, edges[i].v,
                 values ? values + i * B->shape.edge.size : NULL);
    return HY_OK;
}

hy_status hy_batch_insert_edges(hy_batch *B, uint64_t n, const hy_edge *edges,
                                const void *values)
{
    const bool bare = !values || !B->shape.edge.size;
    return add_edges(B, bare ? OP_INSERT_BARE : OP_INSERT, n, edges,
                     bare ? NULL : values);
}

hy_status hy_batch_delete_edges(hy_batch *B, uint64_t n, const hy_edge *edges)
{
    return add_edges(B, OP_DELETE, n, edges, NULL);
}

/* ---- lines about vertices ----------------------------------------------- */

static hy_status add_vertex(hy_batch *B, enum op op, uint64_t u,
                            uint32_t values)
{
    HY_TRY(prepare(B, op, 1));
    const size_t i = B->n++;
    if (B->shape.mapped)
        B->pair[i] = (hy_pair){ .u = u, .v = values };
    else
        B->key[i] = u << 32 | values;
    if (B->op)
        B->op[i] = (uint8_t)op;
    B->n_vertex_lines++;
    return HY_OK;
}

static hy_status add_vertex_values(hy_batch *B, const void *values,
                                   uint32_t *index)
{
    const size_t size = B->shape.vertex.size;
    *index = NO_VALUES;
    if (!values || !size)
        return HY_OK;
    if (B->n_vertex_values == B->vertex_values_room) {
        const size_t room = B->n_vertex_values * 2 + 16;
        GROW(B, vertex_values, room, size);
        B->vertex_values_room = room;
    }
    memcpy(B->vertex_values + B->n_vertex_values * size, values, size);
    *index = (uint32_t)B->n_vertex_values;
    return HY_OK;
}

hy_status hy_batch_insert_vertex(hy_batch *B, uint64_t u, const void *values)
{
    uint32_t index;
    if (B->shape.mapped && u == HY_ANY)
        return base_fail(HY_EINVAL, "a mapped id must be given");
    if (u != HY_ANY)
        HY_TRY(check_id(B, u));
    HY_TRY(add_vertex_values(B, values, &index));
    /* HY_ANY becomes HY_NONE, which is no id. */
    HY_TRY(add_vertex(B, OP_INSERT_VERTEX, B->shape.mapped ? u : (hy_vid)u,
                      index));
    B->n_vertex_values += index != NO_VALUES;
    return HY_OK;
}

hy_status hy_batch_delete_vertex(hy_batch *B, uint64_t u)
{
    HY_TRY(check_id(B, u));
    return add_vertex(B, OP_DELETE_VERTEX, u, NO_VALUES);
}
