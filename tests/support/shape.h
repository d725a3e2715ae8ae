/* Options of graphs, drawn at random or decoded from a number. */
#ifndef TESTS_SHAPE_H
#define TESTS_SHAPE_H

#include <hypha/graph.h>

enum { SHAPE_EDGE_KINDS = 5, SHAPE_VERTEX_KINDS = 3 };

/* No columns, weighted, semantic, four odd ones, one byte. */
void shape_edge_columns(hy_graph_opts *opts, unsigned kind);

/* No columns, one, two with padding. */
void shape_vertex_columns(hy_graph_opts *opts, unsigned kind);

/* Any combination of options. */
hy_graph_opts shape_random(uint64_t *rng);

/* The combination a number stands for: any number will do. */
hy_graph_opts shape_of(uint64_t code);

/* In words, in memory that is valid until the next call. */
const char *shape_text(const hy_graph_opts *opts);

#endif
