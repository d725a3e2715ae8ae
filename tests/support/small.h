/* Short words for unit tests: each asserts that it succeeds. */
#ifndef TESTS_SMALL_H
#define TESTS_SMALL_H

#include "support/test.h"

/* A graph of n vertices (0..n-1, loaded) without edges. */
hy_graph *small_graph(const hy_graph_opts *opts, uint64_t n);

/* An empty batch for G. */
hy_batch *small_batch(const hy_graph *G);

/* Commits and frees the batch. */
hy_delta small_commit(hy_graph *G, hy_batch *B);

/* Batches of one line, committed. */
hy_delta small_insert(hy_graph *G, uint64_t u, uint64_t v, const void *values);
hy_delta small_delete(hy_graph *G, uint64_t u, uint64_t v);
hy_delta small_update(hy_graph *G, uint64_t u, uint64_t v, const void *values);
hy_delta small_insert_vertex(hy_graph *G, uint64_t u, const void *values);
hy_delta small_delete_vertex(hy_graph *G, uint64_t u);

bool small_has_edge(const hy_graph *G, hy_vid u, hy_vid v);

/* The first column of an edge, which is of type f32. */
float small_weight(const hy_view *V, hy_vid u, hy_vid v);

/* Checks the graph, and frees it. */
void small_free(hy_graph *G);

#endif
