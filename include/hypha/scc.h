/* Strongly connected components: which vertices have paths to each other,
 * along the direction of the edges.  Of an undirected view: those of wcc. */
#ifndef HY_SCC_H
#define HY_SCC_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hy_scc_method {
    HY_SCC_AUTO,  /* default: reach where there is a reverse side */
    HY_SCC_REACH, /* trimming, reach of a pivot both ways, Tarjan on the rest */
    HY_SCC_TARJAN /* one depth-first search, one thread, no reverse side */
} hy_scc_method;

typedef struct hy_scc_opts {
    hy_scc_method method;
} hy_scc_opts;

typedef struct hy_scc_info {
    uint64_t components;
    uint64_t largest; /* vertices of the largest one */
    uint64_t trimmed; /* found to be alone by degree: depends on the method */
} hy_scc_info;

/* label[u] = the smallest vertex of u's component, HY_NONE where no vertex is
 * alive; hy_view_bound(V) entries.  The same for every method and number of
 * threads.  HY_EINVAL: no such method; HY_ENOMEM.  HY_SCC_REACH makes a
 * reverse side for the time of the call if the view has none.
 * O(n + m) time, O(n) space beside that. */
HY_MUST hy_status hy_scc(const hy_view *V, const hy_scc_opts *opts,
                         hy_vid *label, hy_scc_info *info);

/* Verifies labels: every component is reached from its label both ways
 * inside, and the graph of components has no cycle.  `why` as in
 * hy_graph_check.  O(n + m) time and space, serial. */
HY_MUST bool hy_scc_check(const hy_view *V, const hy_vid *label,
                          const char **why);

#ifdef __cplusplus
}
#endif
#endif
