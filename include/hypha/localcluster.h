/* A cluster around a seed: PageRank-Nibble (Andersen, Chung, Lang, FOCS
 * 2006).
 *
 * Personalised PageRank spreads from the seed by pushes, as far as epsilon
 * lets it; the vertices reached are put in the order of rank per degree; of
 * all beginnings of that order, the one of least conductance is the cluster.
 *
 * The conductance of a set S is cut(S) / min(vol(S), vol(all) - vol(S)),
 * where vol adds up degrees and cut counts the edges that leave S.  A directed
 * graph is read without its directions: degree = out-degree + in-degree.  A
 * loop adds to degrees (directed: twice) and never to a cut.
 *
 * The work is local: it depends on alpha and epsilon, not on the graph.
 */
#ifndef HY_LOCALCLUSTER_H
#define HY_LOCALCLUSTER_H

#include <hypha/base.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_localcluster_opts {
    hy_vid seed;    /* default 0 */
    double alpha;   /* of a step being the last, < 1; default 0.15 */
    double epsilon; /* residual per degree that stays; default 1e-5 */
} hy_localcluster_opts;

typedef struct hy_localcluster_info {
    uint64_t members;
    /* 1 if there is nothing to cut: no edge in the cluster, or none outside
     * of it. */
    double conductance;
    uint64_t volume, cut; /* of the cluster */
    uint64_t touched;     /* vertices with rank or residual */
    uint64_t pushes;
} hy_localcluster_info;

/* Ids that `members` must have room for: no more than hy_view_vertices, and
 * no more than 1/(alpha * epsilon) and a few.  0 if an option is bad. */
HY_API uint64_t hy_localcluster_room(const hy_view *V,
                                     const hy_localcluster_opts *opts);

/* Writes the cluster's members, ascending; the seed need not be among them.
 * `opts` may be NULL, `info` may not: it has their number.
 * HY_EINVAL: a bad option, no such seed, no info; HY_ESTATE: directed without
 * in-adjacency (hy_graph_add_reverse makes it); HY_ENOMEM.
 * O(1/(alpha * epsilon)) pushes over edges, and a sort of the touched. */
HY_MUST hy_status hy_localcluster(const hy_view *V,
                                  const hy_localcluster_opts *opts,
                                  hy_vid *members, hy_localcluster_info *info);

/* Verifies that the members are ascending and alive, and that their volume,
 * cut and conductance are those of `info`.  False: *why says what is wrong, in
 * memory of this thread, until its next call.  O(volume * log members). */
HY_MUST bool hy_localcluster_check(const hy_view *V, const hy_vid *members,
                                   const hy_localcluster_info *info,
                                   const char **why);

#ifdef __cplusplus
}
#endif
#endif
