/* Live answers: questions attached to a graph, answered anew by each commit.
 *
 * Life:  attach -> (commit -> read)* -> detach.
 *
 * hy_graph_commit moves the graph and all answers attached to it together,
 * or nothing: memory that an answer may need is reserved before the graph
 * changes.  After a commit an answer equals the static one on the same graph,
 * exactly for integers and distances, within the tolerance for ranks.  Each is
 * repaired from what changed or computed anew, whichever is cheaper, and says
 * which.
 *
 * Attach, detach and the reading functions belong to the graph's writer;
 * hy_live_copy may be called by any thread at any time.  A graph that has
 * answers attached cannot be loaded (HY_ESTATE).  If the graph is freed first,
 * its answers stay readable until they are detached.
 */
#ifndef HY_LIVE_H
#define HY_LIVE_H

#include <hypha/base.h>
#include <hypha/bfs.h>
#include <hypha/graph.h>
#include <hypha/kcore.h>
#include <hypha/pagerank.h>
#include <hypha/sssp.h>
#include <hypha/triangles.h>
#include <hypha/wcc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_live hy_live;

/* ---- attaching ----------------------------------------------------------- */

/* Each computes the answer for the graph as it is and attaches it.  `opts`
 * are those of the static function and may be NULL; what they point to is
 * borrowed for the call.  A directed graph gets a reverse side if the answer
 * needs one.  HY_EINVAL as the static function says; HY_ENOMEM.
 *
 * Ranks need a tolerance that is not negative; their iterations limit those of
 * each commit.
 *
 * With a device in the options an answer is computed there, at once (a failure
 * is as the static function says) and in each commit, for which what the
 * commit touched is sent and no more.  The device must outlive the answer.  If
 * it fails during a commit, the host computes, and info.why says so.
 *
 * A source that is deleted reaches nothing until it is inserted again.  While
 * shortest paths are attached, a commit whose lines hold a weight that is
 * negative or not finite is refused (HY_EINVAL).  Parents are the smallest
 * that are possible. */
HY_MUST hy_status hy_live_bfs(hy_graph *G, const hy_bfs_opts *opts,
                              hy_live **out);
HY_MUST hy_status hy_live_sssp(hy_graph *G, const hy_sssp_opts *opts,
                               hy_live **out);
HY_MUST hy_status hy_live_pagerank(hy_graph *G, const hy_pagerank_opts *opts,
                                   hy_live **out);
HY_MUST hy_status hy_live_wcc(hy_graph *G, const hy_wcc_opts *opts,
                              hy_live **out);

/* Triangles of each vertex; hy_live_total is their number in all. */
HY_MUST hy_status hy_live_triangles(hy_graph *G, const hy_triangles_opts *opts,
                                    hy_live **out);

/* Local clustering coefficients, as hy_lcc defines them. */
HY_MUST hy_status hy_live_lcc(hy_graph *G, hy_live **out);
HY_MUST hy_status hy_live_kcore(hy_graph *G, hy_live **out);

/* Out-degrees. */
HY_MUST hy_status hy_live_degrees(hy_graph *G, hy_live **out);

/* Ends it and frees all it holds.  NULL is allowed. */
HY_API void hy_live_detach(hy_live *L);

/* ---- reading ------------------------------------------------------------- */

/* What the last commit did to an answer. */
typedef enum hy_live_how {
    HY_LIVE_ATTACHED,   /* no commit since it was attached */
    HY_LIVE_REPAIRED,   /* from what changed */
    HY_LIVE_RECOMPUTED, /* from nothing */
    /* Not at all, for there was no memory: the values are still those of an
     * older version, and the next commit tries again.  Answers on devices
     * alone can become so. */
    HY_LIVE_STALE,
} hy_live_how;

typedef struct hy_live_info {
    uint64_t version; /* of the graph that the values belong to */
    hy_vid bound;     /* values there are */
    hy_live_how how;
    const char *why; /* it was done so: a text that lives for ever */
    double seconds;  /* that the last commit spent on it */
    uint64_t work;   /* vertices and edges that it looked at, about */
    uint64_t total;  /* triangles; components; vertices reached; the largest
                      * core; for the others vertices alive */
    double error;    /* ranks: bound of the L1 distance to the true ones */
} hy_live_info;

/* "bfs", "sssp", "pagerank", "wcc", "triangles", "lcc", "kcore", "degrees". */
HY_API const char *hy_live_name(const hy_live *L);

HY_API void hy_live_info_get(const hy_live *L, hy_live_info *info);

/* The values' type: HY_U32 for bfs, wcc, kcore and degrees, HY_U64 for
 * triangles, HY_F64 for the others. */
HY_API hy_type hy_live_type(const hy_live *L);

/* The values, one for each id below the bound, as the static function gives
 * them, also for ids that are not alive.  Borrowed until the next change of
 * the graph. */
HY_API const void *hy_live_values(const hy_live *L);

/* bfs, sssp: the vertex before, as the static function gives it; NULL for the
 * other answers. */
HY_API const hy_vid *hy_live_parents(const hy_live *L);

/* Vertices whose values the last commit moved, ascending.  Vertices that came
 * are among them if their value is not that of an id that is not alive; those
 * that went, if it was not.  Borrowed until the next change of the graph.  The
 * first call after a commit costs a sort of the list. */
HY_API hy_vid_list hy_live_changed(hy_live *L);

/* Copies the values, min(room, bound) of them, and tells what they belong to;
 * both of one version.  Waits while a commit works on this answer, which
 * waits meanwhile for the copy.  `values` and `info` may be NULL. */
HY_API void hy_live_copy(hy_live *L, void *values, hy_vid room,
                         hy_live_info *info);

/* Verifies what the answer keeps beside its values, and these against the
 * static function's checker.  False: *why says what is wrong, in memory of
 * this thread, until its next call; also if there was no memory to check.
 * Costs as much as to recompute. */
HY_MUST bool hy_live_check(hy_live *L, const char **why);

#ifdef __cplusplus
}
#endif
#endif
