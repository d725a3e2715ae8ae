/* Formats whose body is a line for each edge. */
#ifndef IO_WRITE_LINES_H
#define IO_WRITE_LINES_H

#include "io/write.h"

struct io_style {
    const char *prefix;  /* of every line */
    const char *comment; /* begins a line that is one */
    char separator;
    bool is_numbered; /* ids are ranks, from 1 */
    bool is_integer;  /* so are all values */
};

/* All edges, a line each.  W->state is the style. */
HY_CHECKED hy_status io_write_edges(struct io_writing *W);

/* All vertices, a line each. */
HY_CHECKED hy_status io_write_ids(struct io_writing *W);

/* Is something said by numbering the vertices anew? */
bool io_is_renumbered(const struct io_writing *W);

#endif
