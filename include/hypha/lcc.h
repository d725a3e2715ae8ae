/* Local clustering coefficients, as LDBC Graphalytics defines them.
 *
 * The neighbourhood N(u) is every other vertex with an edge to or from u.
 * The coefficient of u is the number of edges among N(u) over the number
 * that could be there: directed edges over |N|(|N| - 1), undirected ones
 * over half of that; 0 where |N| < 2.  Loops count for nothing.
 */
#ifndef HY_LCC_H
#define HY_LCC_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_lcc_opts {
    bool undirected; /* forget the directions of a directed graph */
} hy_lcc_opts;

typedef struct hy_lcc_info {
    double average; /* over the vertices that are alive; 0 if there is none */
} hy_lcc_info;

/* lcc[u] for every id below the bound, 0 for those not alive.  The same bits
 * for every number of threads.  `opts` and `info` may be NULL.
 * HY_EINVAL: lcc is NULL; HY_ENOMEM.  O(m^1.5) time at most, O(n + m) space. */
HY_MUST hy_status hy_lcc(const hy_view *V, const hy_lcc_opts *opts, double *lcc,
                         hy_lcc_info *info);

/* Verifies an answer from the definition, within 1e-9: all of it where that is
 * cheap, a sample of vertices where not.  False: *why says what is wrong, in
 * memory of this thread, until its next call; also false if there was no
 * memory to check. */
HY_MUST bool hy_lcc_check(const hy_view *V, const hy_lcc_opts *opts,
                          const double *lcc, const char **why);

#ifdef __cplusplus
}
#endif
#endif
