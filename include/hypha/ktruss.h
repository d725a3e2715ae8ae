/* Trusses: the k-truss is the largest part of a graph in which every edge is
 * on at least k - 2 triangles of that part.  The trussness of an edge is the
 * largest k whose truss has it: at least 2.
 *
 * Edges are taken without direction and without repeats; loops are none.
 */
#ifndef HY_KTRUSS_H
#define HY_KTRUSS_H

#include <hypha/base.h>
#include <hypha/batch.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_ktruss_opts {
    uint32_t k; /* list the edges of the k-truss alone; default 0: all */
} hy_ktruss_opts;

/* The caller's arrays; those that are NULL are not wanted. */
typedef struct hy_ktruss_out {
    hy_edge *edges;   /* room for hy_view_edges; u < v, ascending */
    uint32_t *truss;  /* room for hy_view_edges; of the edges listed */
    uint32_t *vertex; /* hy_view_bound; the largest of the edges at a vertex
                       * that are listed, 0 where there is none */
} hy_ktruss_out;

typedef struct hy_ktruss_info {
    uint64_t edges;    /* listed */
    uint64_t vertices; /* with such an edge */
    uint32_t largest;  /* trussness in the whole graph; 0: no edges */
} hy_ktruss_info;

/* Computes the trussness of every edge.  `opts` and `info` may be NULL.
 * HY_EINVAL: out is NULL; HY_ENOMEM.  O(m^1.5) time, O(n + m) space. */
HY_MUST hy_status hy_ktruss(const hy_view *V, const hy_ktruss_opts *opts,
                            const hy_ktruss_out *out, hy_ktruss_info *info);

/* Verifies a list of all edges with their trussness: that each truss is one,
 * and that none could be larger.  False: *why says what is wrong, in memory
 * of this thread, until its next call; also false if there was no memory to
 * check. */
HY_MUST bool hy_ktruss_check(const hy_view *V, uint64_t n_edges,
                             const hy_edge *edges, const uint32_t *truss,
                             const char **why);

#ifdef __cplusplus
}
#endif
#endif
