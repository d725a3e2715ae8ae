#include "support/some_graph.h"

#include <stdlib.h>

static hy_edge some_edge(const struct some_graph *how, uint64_t *rng)
{
    hy_edge e = { (hy_vid)rng_below(rng, how->n),
                  (hy_vid)rng_below(rng, how->n) };
    if (how->has_hub && rng_chance(rng, 40))
        e.u = 0;
    if (rng_chance(rng, 5))
        e.v = e.u;
    return e;
}

static void load(hy_graph *G, const struct some_graph *how, uint64_t *rng)
{
    const size_t record = hy_view_edge_record_size(hy_graph_now(G));
    hy_edge *edges = calloc(how->m + 1, sizeof *edges);
    char *values = calloc(how->m + 1, record + 1);
    assert_true(edges && values);
    for (uint64_t i = 0; i < how->m; i++) {
        edges[i] = some_edge(how, rng);
        for (size_t k = 0; k < record; k += 4) /* small floats and integers */
            values[i * record + k] = (char)rng_below(rng, 16);
    }
    assert_int_equal(hy_graph_load_edges(G, how->n, how->m, edges, values),
                     HY_OK);
    free(values);
    free(edges);
}

/* Deletes some vertices and edges, and inserts some edges. */
static void change(hy_graph *G, const struct some_graph *how, uint64_t *rng)
{
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (uint64_t i = rng_below(rng, how->m / 4 + 2); i; i--) {
        const hy_edge e = some_edge(how, rng);
        const unsigned kind = (unsigned)rng_below(rng, 8);
        if (kind == 0)
            assert_int_equal(hy_batch_delete_vertex(B, e.u), HY_OK);
        else if (kind < 4)
            assert_int_equal(hy_batch_delete_edge(B, e.u, e.v), HY_OK);
        else
            assert_int_equal(hy_batch_insert_edge(B, e.u, e.v, NULL), HY_OK);
    }
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
}

hy_graph *some_graph(hy_ctx *ctx, const struct some_graph *how, uint64_t seed)
{
    uint64_t rng = seed;
    struct some_graph drawn = how ? *how : (struct some_graph){ 0 };
    if (!drawn.n)
        drawn.n = (hy_vid)rng_range(&rng, 1, 40);
    if (!drawn.m)
        drawn.m = rng_below(&rng, (uint64_t)drawn.n * rng_range(&rng, 1, 6));
    hy_graph_opts opts = { .undirected = rng_chance(&rng, 50),
                           .interleaved = rng_chance(&rng, 20) };
    opts.reverse = !opts.undirected && rng_chance(&rng, 50);
    shape_edge_columns(&opts, (unsigned)rng_below(&rng, SHAPE_EDGE_KINDS));
    hy_graph *G;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    load(G, &drawn, &rng);
    if (rng_chance(&rng, 60))
        change(G, &drawn, &rng);
    return G;
}

hy_vid some_vertex(const hy_view *V, uint64_t *rng)
{
    const hy_vid bound = hy_view_bound(V);
    if (!hy_view_vertices(V))
        return HY_NONE;
    hy_vid u = (hy_vid)rng_below(rng, bound);
    while (!hy_view_has_vertex(V, u))
        u = (u + 1) % bound;
    return u;
}
