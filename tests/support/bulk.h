/* Many edges at a time, and what they take: for tests of memory. */
#ifndef TESTS_BULK_H
#define TESTS_BULK_H

#include "support/test.h"

hy_graph_stats bulk_stats(const hy_graph *G);

/* Fails, and says what the graph takes. */
void bulk_fail(const hy_graph *G, const char *what);

/* Fails unless the graph is sound. */
void bulk_check(const hy_graph *G);

/* m edges among n vertices, in memory that is to be freed. */
hy_edge *bulk_edges(uint64_t n, uint64_t m, uint64_t *rng);

/* A graph of them, of the first test context. */
hy_graph *bulk_graph(const hy_graph_opts *opts, uint64_t n, uint64_t m,
                     const hy_edge *edges);

/* Inserts or deletes m edges, at most `part` in a commit. */
void bulk_change(hy_graph *G, const hy_edge *edges, uint64_t m, uint64_t part,
                 bool inserts);

#endif
