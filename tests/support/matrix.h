/* A view as a matrix, for oracles that look at every pair of vertices. */
#ifndef TESTS_MATRIX_H
#define TESTS_MATRIX_H

#include <hypha/graph.h>

struct matrix {
    hy_vid n;      /* rows: ids below */
    uint8_t *edge; /* n * n: there is an edge from row to column */
    uint8_t *near; /* n * n: neighbours, in either direction, not itself */
};

/* Asks the view about every pair.  Fails the test without memory. */
void matrix_init(struct matrix *M, const hy_view *V);
void matrix_fini(struct matrix *M);

static inline bool matrix_near(const struct matrix *M, hy_vid u, hy_vid v)
{
    return M->near[(size_t)u * M->n + v];
}

#endif
