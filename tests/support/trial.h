/* A graph and its model, changed side by side and compared after each step.
 *
 * Every function that can go wrong returns false and says why in T->why.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "support/generate.h"
#include "support/shape.h"

struct trial {
    hy_ctx *ctx; /* borrowed */
    hy_graph_opts opts;
    hy_graph *G;
    hy_batch *B;
    struct model *M;
    struct lines lines; /* of the last batch */
    hy_counts counts;   /* of the last commit */
    uint64_t rng;
    struct why why;
};

enum trial_start {
    TRIAL_EMPTY,
    TRIAL_EDGES,
    TRIAL_CSR,
    TRIAL_PAIRS, /* edges, if ids are dense */
    TRIAL_STARTS
};

bool trial_init(struct trial *T, hy_ctx *ctx, const hy_graph_opts *opts,
                uint64_t seed);
void trial_fini(struct trial *T);

/* Loads up to n vertices and m random edges, some more than once. */
bool trial_load(struct trial *T, enum trial_start start, uint64_t n,
                uint64_t m);

/* Commits T->lines, and compares counts, delta and graph with the model. */
bool trial_commit(struct trial *T);

/* The same but for the comparison of the whole graph: for many in a row. */
bool trial_commit_only(struct trial *T);

/* Commits the batch as it was filled the last time, and compares. */
bool trial_commit_again(struct trial *T);

/* Commits n random lines, and compares. */
bool trial_step(struct trial *T, const struct mix *mix, size_t n);

/* After a commit of T->lines that succeeded elsewhere: brings the model up to
 * date, and compares counts and delta. */
bool trial_confirm(struct trial *T, const hy_delta *delta);

/* Compares the newest version with the model. */
bool trial_compare(struct trial *T);

/* Fills T->B with T->lines.  The status of what failed first. */
HY_MUST hy_status trial_fill(struct trial *T);

bool trial_rebalance(struct trial *T);
bool trial_add_reverse(struct trial *T);

#endif
