#include "support/bulk.h"

#include <stdlib.h>

hy_graph_stats bulk_stats(const hy_graph *G)
{
    hy_graph_stats s;
    hy_graph_stats_get(G, &s);
    return s;
}

void bulk_check(const hy_graph *G)
{
    const char *why = "";
    if (!hy_graph_check(G, &why))
        fail_msg("hy_graph_check: %s", why);
}

hy_edge *bulk_edges(uint64_t n, uint64_t m, uint64_t *rng)
{
    hy_edge *edges = malloc((size_t)m * sizeof *edges);
    assert_non_null(edges);
    for (uint64_t i = 0; i < m; i++)
        edges[i] =
            (hy_edge){ (hy_vid)rng_below(rng, n), (hy_vid)rng_below(rng, n) };
    return edges;
}

hy_graph *bulk_graph(const hy_graph_opts *opts, uint64_t n, uint64_t m,
                     const hy_edge *edges)
{
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(0), opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, n, m, edges, NULL), HY_OK);
    return G;
}

void bulk_change(hy_graph *G, const hy_edge *edges, uint64_t m, uint64_t part,
                 bool inserts)
{
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (uint64_t i = 0; i < m; i += part) {
        const uint64_t n = part < m - i ? part : m - i;
        hy_batch_clear(B);
        assert_int_equal(inserts ? hy_batch_insert_edges(B, n, edges + i, NULL)
                                 : hy_batch_delete_edges(B, n, edges + i),
                         HY_OK);
        assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    }
    hy_batch_free(B);
}

void bulk_fail(const hy_graph *G, const char *what)
{
    const hy_graph_stats s = bulk_stats(G);
    typedef unsigned long long ull;
    fail_msg("%s: %llu arcs, %llu bytes: arena %llu (edges %llu, slack %llu, "
             "free %llu, pinned %llu), table %llu, ids %llu, work %llu",
             what, (ull)s.arcs, (ull)s.bytes, (ull)s.bytes_arena,
             (ull)s.bytes_edges, (ull)s.bytes_slack, (ull)s.bytes_free,
             (ull)s.bytes_pinned, (ull)s.bytes_table, (ull)s.bytes_ids,
             (ull)s.bytes_work);
}
