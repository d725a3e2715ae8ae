#include "support/weighted.h"

#include <stdlib.h>
#include <string.h>

struct weighted weighted_random(uint64_t *rng)
{
    struct weighted how = {
        .n = (hy_vid)rng_range(rng, 1, 40),
        .has_column = rng_chance(rng, 90),
        .is_undirected = rng_chance(rng, 50),
        .has_reverse = rng_chance(rng, 50),
        .type = (hy_type)rng_below(rng, HY_F64 + 1),
        .values = (enum weighted_values)rng_below(rng, WEIGHTED_LARGE + 1),
        .has_hub = rng_chance(rng, 20),
        .percent_changed = rng_chance(rng, 50) ? 40 : 0,
    };
    how.m = rng_below(rng, (uint64_t)how.n * rng_range(rng, 1, 6));
    return how;
}

static double real_of(const struct weighted *how, uint64_t *rng)
{
    switch (how->values) {
    case WEIGHTED_FEW:
        return (double)rng_below(rng, 4) / 2;
    case WEIGHTED_SMALL:
        return (double)rng_below(rng, 2000) / 7;
    default:
        return (double)rng_below(rng, 1000) *
               (rng_chance(rng, 50) ? 1e-20 : 1e20);
    }
}

static uint64_t integer_of(const struct weighted *how, uint64_t *rng)
{
    switch (how->values) {
    case WEIGHTED_FEW:
        return rng_below(rng, 4);
    case WEIGHTED_SMALL:
        return rng_below(rng, 201);
    default:
        return hy_type_width(how->type) == 8 ? rng_below(rng, 1ull << 44)
                                             : rng_below(rng, INT32_MAX);
    }
}

static void put_weight(const struct weighted *how, char *to, uint64_t *rng)
{
    const int64_t sign = how->may_be_signed && rng_chance(rng, 30) ? -1 : 1;
    const double real = real_of(how, rng) * (double)sign;
    const float real32 = (float)real;
    const uint64_t whole = integer_of(how, rng);
    const uint64_t with_sign = (uint64_t)((int64_t)whole * sign);
    const bool has_sign = how->type == HY_I32 || how->type == HY_I64;
    const size_t width = hy_type_width(how->type);
    if (how->type == HY_F64)
        memcpy(to, &real, width);
    else if (how->type == HY_F32)
        memcpy(to, &real32, width);
    else /* little-endian: the low bytes come first */
        memcpy(to, has_sign ? &with_sign : &whole, width);
}

static hy_edge edge_of(const struct weighted *how, uint64_t *rng)
{
    hy_edge e = { (hy_vid)rng_below(rng, how->n),
                  (hy_vid)rng_below(rng, how->n) };
    if (how->has_hub && rng_chance(rng, 50))
        e.u = 0;
    if (rng_chance(rng, 5))
        e.v = e.u;
    return e;
}

static void load(hy_graph *G, const struct weighted *how, size_t record,
                 size_t at, uint64_t *rng)
{
    hy_edge *edges = calloc(how->m + 1, sizeof *edges);
    char *values = calloc(how->m + 1, record + 1);
    assert_true(edges && values);
    for (uint64_t i = 0; i < how->m; i++) {
        edges[i] = edge_of(how, rng);
        if (how->has_column)
            put_weight(how, values + i * record + at, rng);
    }
    assert_int_equal(hy_graph_load_edges(G, how->n, how->m, edges, values),
                     HY_OK);
    free(values);
    free(edges);
}

static void change(hy_graph *G, const struct weighted *how, size_t at,
                   uint64_t *rng)
{
    const uint64_t lines = how->m * how->percent_changed / 100;
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (uint64_t i = 0; i < lines; i++) {
        const hy_edge e = edge_of(how, rng);
        _Alignas(8) char record[RECORD_MAX] = { 0 };
        if (how->has_column)
            put_weight(how, record + at, rng);
        if (rng_chance(rng, 100 / (1 + how->n / 4)))
            assert_int_equal(hy_batch_delete_vertex(B, e.v), HY_OK);
        else if (rng_chance(rng, 40))
            assert_int_equal(hy_batch_delete_edge(B, e.u, e.v), HY_OK);
        else
            assert_int_equal(hy_batch_insert_edge(B, e.u, e.v, record), HY_OK);
    }
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
}

hy_graph *weighted_graph(hy_ctx *ctx, const struct weighted *how, uint64_t *rng)
{
    hy_column columns[3] = { { "kind", HY_U8 },
                             { "weight", how->type },
                             { "since", HY_U64 } };
    const bool has_others = rng_chance(rng, 30);
    const hy_graph_opts opts = {
        .undirected = how->is_undirected,
        .reverse = !how->is_undirected && how->has_reverse,
        .interleaved = rng_chance(rng, 20),
        .edge_columns = has_others ? columns : columns + 1,
        .n_edge_columns = !how->has_column ? 0
                          : has_others     ? 3
                                           : 1,
    };
    struct layout L;
    hy_graph *G;
    layout_init(&L, opts.edge_columns, opts.n_edge_columns);
    const size_t at = how->has_column ? L.offset[has_others ? 1 : 0] : 0;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    load(G, how, L.size, at, rng);
    if (how->percent_changed)
        change(G, how, at, rng);
    return G;
}

/* ---- the edges ------------------------------------------------------------
 */

static double value_at(hy_type type, const void *p)
{
    switch (type) {
    case HY_U8:
        return *(const uint8_t *)p;
    case HY_U16:
        return *(const uint16_t *)p;
    case HY_U32:
        return *(const uint32_t *)p;
    case HY_U64:
        return (double)*(const uint64_t *)p;
    case HY_I32:
        return *(const int32_t *)p;
    case HY_I64:
        return (double)*(const int64_t *)p;
    case HY_F32:
        return (double)*(const float *)p;
    case HY_F64:
        return *(const double *)p;
    }
    abort();
}

struct arcs arcs_of(const hy_view *V)
{
    const uint32_t column = hy_view_find_edge_column(V, "weight");
    struct arcs A = { .at = calloc(hy_view_arcs(V) + 1, sizeof *A.at) };
    assert_non_null(A.at);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        hy_for_out_span (s, V, u) {
            size_t step = 0;
            const char *at =
                column == HY_NONE ? NULL : hy_span_column(V, &s, column, &step);
            for (uint32_t i = 0; i < s.n; i++) {
                const double w =
                    at ? value_at(hy_view_edge_column(V, column).type,
                                  at + i * step)
                       : 1;
                A.at[A.n++] =
                    (struct arc){ .u = u, .v = s.v[i * s.step], .w = w };
            }
        }
    return A;
}
