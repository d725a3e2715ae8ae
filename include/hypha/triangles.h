/* Triangles: three vertices, each a neighbour of the other two.
 *
 * Edges are taken without direction and without repeats: in a directed graph
 * u and v are neighbours if there is an edge from one to the other.  Loops
 * count for nothing.
 */
#ifndef HY_TRIANGLES_H
#define HY_TRIANGLES_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hy_triangles_method {
    HY_TRIANGLES_AUTO,    /* chosen by the spread of degrees */
    HY_TRIANGLES_RANKED,  /* on a copy, ordered by degree, with bit rows */
    HY_TRIANGLES_IN_PLACE /* on the view, ordered by id; undirected only */
} hy_triangles_method;

typedef struct hy_triangles_opts {
    hy_triangles_method method;
    /* Default NULL: on this machine's cores.  On a device, which knows RANKED
     * alone, V must be the graph's newest version (HY_ENOTSUP), with a reverse
     * side if it is directed (HY_ESTATE); also HY_EDEVICE, HY_EFULL. */
    hy_device *device;
} hy_triangles_opts;

typedef struct hy_triangles_info {
    uint64_t triangles;
    hy_triangles_method method; /* the one that was used */
} hy_triangles_info;

/* Counts the triangles of V; count[u], if count is not NULL, those at u, 0
 * for ids that are not alive.  `opts` and `info` may be NULL.
 * HY_EINVAL: no such method; HY_ENOTSUP: IN_PLACE on a directed view;
 * HY_ENOMEM.  O(m^1.5) time at most; RANKED takes 8 bytes an edge and 24 a
 * vertex meanwhile, twice that if directed, IN_PLACE next to nothing. */
HY_MUST hy_status hy_triangles(const hy_view *V, const hy_triangles_opts *opts,
                               uint64_t *count, hy_triangles_info *info);

/* Verifies an answer by counting all triangles anew, in another way.  `count`
 * may be NULL.  False: *why says what is wrong, in memory of this thread, until
 * its next call; also false if there was no memory to check.  O(m^1.5). */
HY_MUST bool hy_triangles_check(const hy_view *V, const uint64_t *count,
                                uint64_t triangles, const char **why);

#ifdef __cplusplus
}
#endif
#endif
