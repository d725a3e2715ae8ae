/* A view's edges, loaded anew.
 *
 * An edge of an undirected view becomes two of a directed graph.  Two of a
 * directed one that become the same are merged, and the greater end's wins.
 * With dense ids, what is not there is loaded and deleted.
 */
#include "io/reshape.h"

enum { MOST_COLUMNS = 64 };

struct copying {
    hy_ctx *ctx;
    const hy_view *V;
    const struct io_reshape *want;
    size_t size; /* of a record; 0: none are kept */
    uint64_t n, m;
    hy_vid *rank;       /* owned: new numbers, if ids are mapped */
    uint64_t *external; /* owned, by new number */
    hy_edge *edge;      /* owned */
    char *values;       /* owned */
};

struct io_reshape io_reshape_of(const hy_view *V)
{
    return (struct io_reshape){ .undirected = hy_view_is_undirected(V),
                                .mapped = hy_view_ids(V) == HY_IDS_MAPPED,
                                .bare = hy_view_edge_columns(V) == 0 };
}

static hy_status new_graph(const struct copying *C, hy_graph **out)
{
    hy_column column[MOST_COLUMNS];
    const uint32_t n = C->size ? hy_view_edge_columns(C->V) : 0;
    for (uint32_t i = 0; i < n && i < MOST_COLUMNS; i++)
        column[i] = hy_view_edge_column(C->V, i);
    const hy_graph_opts opts = {
        .undirected = C->want->undirected,
        .ids = C->want->mapped ? HY_IDS_MAPPED : HY_IDS_DENSE,
        .edge_columns = column,
        .n_edge_columns = n,
    };
    return hy_graph_new(C->ctx, &opts, out);
}

/* ---- reading ------------------------------------------------------------- */

static hy_status allocate(struct copying *C)
{
    const hy_view *V = C->V;
    const uint64_t arcs = hy_view_arcs(V);
    C->edge = base_alloc_raw(C->ctx, arcs, sizeof *C->edge);
    C->values = base_alloc_raw(C->ctx, arcs, C->size);
    if (!C->edge || !C->values)
        return HY_ENOMEM;
    if (!C->want->mapped)
        return HY_OK;
    C->rank = base_alloc_raw(C->ctx, hy_view_bound(V), sizeof *C->rank);
    C->external =
        base_alloc_raw(C->ctx, hy_view_vertices(V), sizeof *C->external);
    return C->rank && C->external ? HY_OK : HY_ENOMEM;
}

static void number(struct copying *C)
{
    C->n = C->want->mapped ? 0 : hy_view_bound(C->V);
    for (hy_vid u = 0; C->rank && u < hy_view_bound(C->V); u++) {
        C->rank[u] = (hy_vid)C->n;
        if (hy_view_has_vertex(C->V, u))
            C->external[C->n++] = hy_view_external(C->V, u);
    }
}

static void gather(struct copying *C)
{
    const bool once = C->want->undirected && hy_view_is_undirected(C->V);
    hy_scan scan = hy_scan_out(C->V, 0, hy_view_bound(C->V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid u = s.u, v = s.v[(size_t)i * s.step];
            if (once && u > v)
                continue;
            if (C->size)
                (void)hy_view_edge_values(C->V, u, v,
                                          C->values + C->m * C->size);
            C->edge[C->m++] = C->rank ? (hy_edge){ C->rank[u], C->rank[v] }
                                      : (hy_edge){ u, v };
        }
    }
}

/* ---- loading ------------------------------------------------------------- */

static hy_status delete_dead(const struct copying *C, hy_graph *G)
{
    const hy_vid bound = hy_view_bound(C->V);
    hy_batch *B = NULL;
    if (C->want->mapped || hy_view_vertices(C->V) == bound)
        return HY_OK;
    HY_TRY(hy_batch_new(G, &B));
    hy_status status = HY_OK;
    for (hy_vid u = 0; u < bound && status == HY_OK; u++)
        if (!hy_view_has_vertex(C->V, u))
            status = hy_batch_delete_vertex(B, u);
    if (status == HY_OK)
        status = hy_graph_commit(G, B, NULL);
    hy_batch_free(B);
    return status;
}

static hy_status load(const struct copying *C, hy_graph *G)
{
    const void *values = C->size ? C->values : NULL;
    if (C->want->mapped)
        return hy_graph_load_named(G, C->n, C->external, C->m, C->edge, values);
    return hy_graph_load_edges(G, C->n, C->m, C->edge, values);
}

static hy_status copy(struct copying *C, hy_graph **out)
{
    hy_graph *G = NULL;
    HY_TRY(allocate(C));
    number(C);
    gather(C);
    HY_TRY(new_graph(C, &G));
    hy_status status = load(C, G);
    if (status == HY_OK)
        status = delete_dead(C, G);
    if (status == HY_OK)
        *out = G;
    else
        hy_graph_free(G);
    return status;
}

hy_status io_reshape(hy_ctx *ctx, const hy_view *V,
                     const struct io_reshape *want, hy_graph **out)
{
    struct copying C = { .ctx = ctx,
                         .V = V,
                         .want = want,
                         .size = want->bare ? 0 : hy_view_edge_record_size(V) };
    if (hy_view_vertex_columns(V))
        return base_fail(HY_ENOTSUP, "a graph with columns of vertices can "
                                     "only be taken as it is");
    const hy_status status = copy(&C, out);
    base_free(ctx, C.rank);
    base_free(ctx, C.external);
    base_free(ctx, C.edge);
    base_free(ctx, C.values);
    return status;
}
