#include "support/small.h"

hy_graph *small_graph(const hy_graph_opts *opts, uint64_t n)
{
    hy_graph *G;
    assert_int_equal(hy_graph_new(test_ctx(0), opts, &G), HY_OK);
    if (n)
        assert_int_equal(hy_graph_load_edges(G, n, 0, NULL, NULL), HY_OK);
    return G;
}

hy_batch *small_batch(const hy_graph *G)
{
    hy_batch *B;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    return B;
}

hy_delta small_commit(hy_graph *G, hy_batch *B)
{
    hy_delta delta;
    assert_int_equal(hy_graph_commit(G, B, &delta), HY_OK);
    hy_batch_free(B);
    return delta;
}

hy_delta small_insert(hy_graph *G, uint64_t u, uint64_t v, const void *values)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_edge(B, u, v, values), HY_OK);
    return small_commit(G, B);
}

hy_delta small_delete(hy_graph *G, uint64_t u, uint64_t v)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_delete_edge(B, u, v), HY_OK);
    return small_commit(G, B);
}

hy_delta small_update(hy_graph *G, uint64_t u, uint64_t v, const void *values)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_update_edge(B, u, v, values), HY_OK);
    return small_commit(G, B);
}

hy_delta small_insert_vertex(hy_graph *G, uint64_t u, const void *values)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_vertex(B, u, values), HY_OK);
    return small_commit(G, B);
}

hy_delta small_delete_vertex(hy_graph *G, uint64_t u)
{
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_delete_vertex(B, u), HY_OK);
    return small_commit(G, B);
}

bool small_has_edge(const hy_graph *G, hy_vid u, hy_vid v)
{
    return hy_view_has_edge(hy_graph_now(G), u, v);
}

float small_weight(const hy_view *V, hy_vid u, hy_vid v)
{
    struct {
        float weight;
        unsigned char rest[RECORD_MAX];
    } record;
    assert_true(hy_view_edge_values(V, u, v, &record));
    return record.weight;
}

void small_free(hy_graph *G)
{
    const char *why = "";
    if (!hy_graph_check(G, &why))
        fail_msg("hy_graph_check: %s", why);
    hy_graph_free(G);
}
