/* Random graphs for tests of algorithms: of all shapes, and with a history.
 *
 * Directed, with a reverse side or not, or undirected; with columns or not,
 * interleaved or not; sparse, dense, or with hubs; with loops; isolated and
 * deleted vertices; blocks as loaded, or changed by commits.
 */
#ifndef TESTS_SOME_GRAPH_H
#define TESTS_SOME_GRAPH_H

#include "support/test.h"

struct some_graph {
    hy_vid n;     /* vertices at most; 0: drawn, up to 40 */
    uint64_t m;   /* edges at most; 0: drawn */
    bool has_hub; /* vertex 0 has an edge to nearly all others */
};

/* Makes the graph of a seed.  `how` may be NULL. */
hy_graph *some_graph(hy_ctx *ctx, const struct some_graph *how, uint64_t seed);

/* Any vertex, HY_NONE if there is none. */
hy_vid some_vertex(const hy_view *V, uint64_t *rng);

#endif
