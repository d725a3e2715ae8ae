/* How many neighbours the vertices have. */
#ifndef CLI_DEGREES_H
#define CLI_DEGREES_H

#include "cli/cli.h"

/* Rows of the histogram: degree 0, 1, 2-3, 4-7, ... */
enum { DEGREE_ROWS = 34 };

struct degrees {
    uint32_t least, most;
    double median, mean;
    uint64_t row[DEGREE_ROWS]; /* vertices */
    size_t first_row, n_rows;  /* from and up to the one that is not 0 */
};

struct shape {
    struct degrees out; /* undirected: of all edges, loops counted once */
    struct degrees in;  /* directed alone */
    uint64_t isolated;  /* no edge at all, loops aside */
    uint64_t loops;
    uint64_t least, most; /* external ids; 0 if there is no vertex */
    bool dense;           /* they are 0 .. n-1 */
};

/* Walks over all edges once; ends the program if it is interrupted. */
void shape_of(const hy_view *V, struct shape *out);

/* The degrees of a row: lo .. hi. */
void degree_row(size_t row, uint64_t *lo, uint64_t *hi);

#endif
