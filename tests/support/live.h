/* Live answers followed through random histories.
 *
 * After every commit: the values are those of the static function, the list
 * of changes is the true difference, the answer is of the graph's version,
 * and hy_live_check agrees.
 */
#ifndef TESTS_LIVE_H
#define TESTS_LIVE_H

#include "support/test.h"

#include <hypha/live.h>

struct live_case {
    /* Changes the drawn options of the graph, before it is made; or NULL. */
    void (*shape)(hy_graph_opts *opts, uint64_t *rng);
    /* Attaches the answer; `arg` is the case's own. */
    hy_status (*attach)(hy_graph *G, void *arg, hy_live **out);
    /* Compares values (and parents) with the static function's. */
    bool (*compare)(hy_live *L, const hy_view *V, void *arg, struct why *why);
    /* Changes a drawn mix of lines; or NULL. */
    void (*mix)(struct mix *mix);
    void *arg;
    /* Before an answer is attached to a graph of ctx, and after it was
     * detached; or NULL. */
    void (*open)(hy_ctx *ctx, void *arg);
    void (*close)(void *arg);
    bool may_be_stale; /* if there is no memory after the graph has changed */
};

struct live_counts {
    uint64_t repaired, recomputed, stale, changed;
};

/* n histories; adds to *counts what the answers said they did. */
void live_histories(const struct live_case *C, uint64_t n,
                    struct live_counts *counts);

/* All edges deleted one by one, and put back in batches of k. */
void live_empty_and_refill(const struct live_case *C, uint64_t n, size_t k,
                           struct live_counts *counts);

/* One batch of k lines gives what k batches of one line give. */
void live_one_by_one(const struct live_case *C, uint64_t n);

/* n graphs of some thousand edges with hubs, and a few batches of a thousand
 * edges each, so that threads share the work. */
void live_large(const struct live_case *C, uint64_t n,
                struct live_counts *counts);

/* Every allocation of a commit fails in turn: graph and answer stay; or the
 * answer alone, if it may be stale. */
void live_commit_fails(const struct live_case *C, uint64_t n);

/* The same, and all later ones fail with it. */
void live_commits_starve(const struct live_case *C, uint64_t n,
                         struct live_counts *counts);

#endif
