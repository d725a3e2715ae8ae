/* Random graphs with weights of all types, and their edges as a plain list
 * for oracles. */
#ifndef TESTS_WEIGHTED_H
#define TESTS_WEIGHTED_H

#include "support/test.h"

struct arc {
    hy_vid u, v;
    double w;
};

struct arcs {
    struct arc *at; /* ascending by (u, v); undirected edges twice */
    size_t n;
};

enum weighted_values {
    WEIGHTED_FEW,   /* 0 .. 3, so that many are equal */
    WEIGHTED_SMALL, /* 0 .. 200; reals with fractions */
    WEIGHTED_LARGE  /* up to 2^31 - 1, 2^44, or reals of all sizes */
};

struct weighted {
    hy_vid n;   /* vertices */
    uint64_t m; /* edges, before repeats are merged */
    bool has_column, is_undirected, has_reverse;
    hy_type type;
    enum weighted_values values;
    bool has_hub;             /* at vertex 0 */
    bool may_be_signed;       /* some weights are below 0, if the type can */
    unsigned percent_changed; /* by commits after the load */
};

/* All of it drawn, with few vertices. */
struct weighted weighted_random(uint64_t *rng);

/* The graph: a column "weight" between others, or none. */
hy_graph *weighted_graph(hy_ctx *ctx, const struct weighted *how,
                         uint64_t *rng);

/* Its edges, 1 for a weight if there is no column; to be freed. */
struct arcs arcs_of(const hy_view *V);

#endif
