/* Inside io_build: the naming of vertices. */
#ifndef IO_BUILD_H
#define IO_BUILD_H

#include "io/formats.h"

struct io_named {
    uint64_t n; /* vertices */
    bool mapped;
    uint64_t *external; /* owned, ascending; NULL: their own numbers */
};

/* Numbers the vertices of the table, whose rows are numbers of vertices, and
 * narrow, afterwards. */
HY_CHECKED hy_status io_name(const struct io_reading *R, struct io_table *T,
                             const struct io_shape *shape,
                             struct io_named *out);

#endif
