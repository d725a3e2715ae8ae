/* The benchmark of live answers: what its parts share.
 *
 * A rig is a graph twice: with answers attached, and bare.  Every batch goes to
 * both, and what the answers cost is the difference, everything that they add
 * to a commit.  Graphs are undirected, a batch counts lines.
 */
#ifndef CLI_BENCH_LIVE_H
#define CLI_BENCH_LIVE_H

#include "cli/bench_store.h"
#include "cli/live.h"

struct rig {
    const struct bench *b;
    const int32_t *weights; /* of the graph's edges */
    hy_graph *bare;
    struct run R; /* the graph that has answers */
    struct cli_texts texts;
    char source[24];
    struct live_want wants[CLI_TEXTS];
    struct live_keeper keeper;
    struct live_fresh fresh; /* memory that was touched before */
    hy_batch *B;
    hy_gen_draw draw;
    uint64_t drawn;
    uint64_t turn; /* commits so far: who goes first takes turns */
    bool is_anew;  /* answers are computed from nothing after commits, too */
    bool right;
};

/* One commit on both. */
struct rig_times {
    double with, bare;
    double follow; /* what the answers say that they took */
    double anew;   /* from nothing, after both commits: what who keeps no
                    * answers pays */
};

/* Edges have a column if `weights` is not NULL; searches start from `source`.
 */
void rig_init(struct rig *r, const struct bench *b, const int32_t *weights,
              hy_vid source, const char *const *kinds, size_t n);
void rig_fini(struct rig *r);

/* n edges that the graph does not have. */
void rig_draw(struct rig *r, uint64_t n, hy_edge *out);

/* n edges that it has, from a random end each, the trial's own. */
void rig_pick(struct rig *r, uint64_t trial, uint64_t n, hy_edge *out);

/* All edges of the n busiest vertices, those of one behind those of another,
 * from start[i] on; start has n + 1 entries.  The caller frees them. */
hy_edge *rig_hubs(struct rig *r, uint64_t n, uint64_t *start);

struct rig_times rig_change(struct rig *r, enum bench_change change, uint64_t n,
                            const hy_edge *edges);

/* Seconds to compute the i-th answer from nothing, in the fastest way, on one
 * graph and the other in turn. */
double rig_recompute(struct rig *r, size_t i);

/* Compares all answers with the static ones. */
void rig_verify(struct rig *r);

/* Single edges and larger batches, with bfs, sssp and wcc attached. */
void bench_live_latency(const struct bench *b, const int32_t *weights,
                        hy_vid source);

#endif
