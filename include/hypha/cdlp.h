/* Communities by label propagation, as LDBC Graphalytics defines them.
 *
 * In each iteration all vertices at once take the most frequent label among
 * their neighbours, the smallest of those that are equally frequent.  In a
 * directed view the vertices of in-edges and those of out-edges count: a
 * neighbour by both counts twice.  A vertex without neighbours keeps its
 * label.  A self-loop makes a vertex its own neighbour (directed: twice).
 */
#ifndef HY_CDLP_H
#define HY_CDLP_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_cdlp_opts {
    uint32_t iterations; /* default 0: 10 */
    /* Labels to start from, hy_view_bound(V) entries, borrowed for the call;
     * HY_CDLP_NONE is none.  Default NULL: the vertex's id.  Graphalytics
     * starts from the external ids. */
    const uint64_t *labels;
} hy_cdlp_opts;

/* The label of what is not alive. */
#define HY_CDLP_NONE UINT64_MAX

typedef struct hy_cdlp_info {
    uint64_t communities; /* different labels */
    uint64_t largest;     /* vertices of the largest one */
    uint32_t iterations;  /* done: fewer if one changed nothing */
} hy_cdlp_info;

/* label[u] = the label of u after the iterations, HY_CDLP_NONE where no
 * vertex is alive; hy_view_bound(V) entries.  `label` may be opts->labels.
 * The same for every number of threads.  HY_EINVAL: a vertex that is alive
 * starts with HY_CDLP_NONE; HY_ENOMEM.  Makes a reverse side for the time of
 * the call if a directed view has none.
 * O(n + m) time an iteration, O(n) space per thread beside that. */
HY_MUST hy_status hy_cdlp(const hy_view *V, const hy_cdlp_opts *opts,
                          uint64_t *label, hy_cdlp_info *info);

/* Verifies labels by doing the iterations again, serially, by sorting.
 * `why` as in hy_graph_check. */
HY_MUST bool hy_cdlp_check(const hy_view *V, const hy_cdlp_opts *opts,
                           const uint64_t *label, const char **why);

#ifdef __cplusplus
}
#endif
#endif
