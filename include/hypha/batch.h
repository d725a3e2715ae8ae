/* Changes to be made together.
 *
 * A batch means what its lines mean when applied one by one, in order.  It
 * is filled by one thread, committed any number of times to the graph it was
 * made for (or to one of the same shape: dense or mapped ids, and the columns
 * of edges and of vertices), and cleared to be filled again.
 *
 * Ids are external: in a graph with dense ids they are the vertices' own, in
 * one with mapped ids any 64-bit integers but the largest, HY_ANY.
 */
#ifndef HY_BATCH_H
#define HY_BATCH_H

#include <hypha/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_graph hy_graph;
typedef struct hy_batch hy_batch;

/* A directed edge, or an undirected one in either order. */
typedef struct hy_edge {
    hy_vid u, v;
} hy_edge;

/* The same with external 64-bit ids. */
typedef struct hy_pair {
    uint64_t u, v;
} hy_pair;

/* In hy_batch_insert_vertex: the id that was deleted first and is not there
 * again, or else the one behind all that ever were.  (Not one that an insertion
 * past the last id has left out.)  The delta tells which. */
#define HY_ANY UINT64_MAX

/* Makes an empty batch for graphs of G's shape.  HY_ENOMEM. */
HY_MUST hy_status hy_batch_new(const hy_graph *G, hy_batch **out);
HY_API void hy_batch_free(hy_batch *B);

/* Forgets all lines, keeps the memory. */
HY_API void hy_batch_clear(hy_batch *B);

/* Lines in the batch. */
HY_API uint64_t hy_batch_lines(const hy_batch *B);

/* Each of the following adds one line (the plural ones n lines) or, on an
 * error, nothing.  HY_ERANGE: an id that no graph can hold; HY_EFULL: more than
 * 2^31 lines; HY_EINVAL: HY_ANY where ids are mapped, an update without values,
 * or n edges at once where ids are mapped; HY_ENOMEM. */

/* Inserts the edge, or changes its columns if it is there.  `values` is a
 * record of the edge columns; NULL inserts zeros and leaves the columns of an
 * edge that is there as they are. */
HY_MUST hy_status hy_batch_insert_edge(hy_batch *B, uint64_t u, uint64_t v,
                                       const void *values);
HY_MUST hy_status hy_batch_delete_edge(hy_batch *B, uint64_t u, uint64_t v);

/* Changes the columns of an edge that must be there (else: missing). */
HY_MUST hy_status hy_batch_update_edge(hy_batch *B, uint64_t u, uint64_t v,
                                       const void *values);

/* Inserts the vertex, or changes its columns if it is there.  `values` as
 * for edges.  With dense ids, an id past the last one makes room up to it. */
HY_MUST hy_status hy_batch_insert_vertex(hy_batch *B, uint64_t u,
                                         const void *values);

/* Deletes the vertex and every edge at it. */
HY_MUST hy_status hy_batch_delete_vertex(hy_batch *B, uint64_t u);

/* n edges at once, for graphs with dense ids; `values` is n records. */
HY_MUST hy_status hy_batch_insert_edges(hy_batch *B, uint64_t n,
                                        const hy_edge *edges,
                                        const void *values);
HY_MUST hy_status hy_batch_delete_edges(hy_batch *B, uint64_t n,
                                        const hy_edge *edges);

#ifdef __cplusplus
}
#endif
#endif
