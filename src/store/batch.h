/* A batch: its lines as arrays.  Private to store.
 *
 * Lines about edges hold two ids; lines about vertices hold the vertex first
 * and then the index of its values, or NO_VALUES.  While all lines are of one
 * kind there is no array of kinds. */
#ifndef STORE_BATCH_H
#define STORE_BATCH_H

#include "store/apply.h"

#define NO_VALUES UINT32_MAX

struct hy_batch {
    hy_ctx *ctx;
    struct shape shape; /* of the graph it was made for */
    size_t n, room;     /* lines */
    uint64_t *key;      /* dense ids: u << 32 | v */
    hy_pair *pair;      /* mapped ids */
    enum op all;        /* of every line, if op is NULL */
    uint8_t *op;
    char *values; /* records of edges by line; NULL: none has any */
    char *vertex_values;
    size_t n_vertex_values, vertex_values_room;
    size_t n_vertex_lines, n_loops;
    hy_vid max_id; /* of edges; dense ids, n > 0 */
};

/* The kind of line i. */
static inline enum op batch_op(const hy_batch *B, size_t i)
{
    return B->op ? (enum op)B->op[i] : B->all;
}

#endif
