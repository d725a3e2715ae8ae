/* Who is told of commits: the door through which answers follow a graph.
 *
 *   Commit(batch)
 *     ...
 *     4 Plan
 *       Foresee   every watcher reserves what it may need, or all is undone
 *     --- nothing fails from here on ---
 *     5 Apply, 6 Settle, 7 End
 *       Touch, Follow   every watcher, in the order of attaching
 */
#ifndef STORE_WATCH_H
#define STORE_WATCH_H

#include <hypha/graph.h>

/* What is known before the graph changes. */
struct watch_coming {
    hy_vid bound;      /* after the commit */
    uint64_t edges;    /* no list of edges in the delta is longer, nor all three
                        * together */
    uint64_t vertices; /* the same for the lists of vertices */
    const hy_batch *batch; /* for watch_records */
};

struct watcher {
    struct watcher *next; /* in the graph's list */
    /* Reserves; nothing that can be seen changes.  A failure is the
     * commit's. */
    hy_status (*foresee)(struct watcher *w, const struct watch_coming *coming);
    /* The graph has changed.  V is hy_graph_now and delta the commit's; NULL:
     * it is not told, and no delta is made for it. */
    void (*follow)(struct watcher *w, const hy_view *V, const hy_delta *delta);
    /* Upper halves of keys, ascending, are vertices that the commit may have
     * changed: all of them in some calls.  NULL: it is not told. */
    void (*touch)(struct watcher *w, const uint64_t *key, size_t n);
    /* The graph is going. */
    void (*leave)(struct watcher *w);
};

/* Pages of hubs that commits changed, one bit for each WATCH_GRANULE units of
 * the arena: a page that begins in granule i lies in i and i + 1.  Other
 * blocks are found by their vertices, which `touch` names. */
struct watch_marks {
    struct watch_marks *next; /* in the graph's list */
    uint64_t *bits;           /* atomic while a commit is going on */
};

enum { WATCH_GRANULE = 128 };

void watch_add_marks(hy_graph *G, struct watch_marks *m);
void watch_remove_marks(hy_graph *G, struct watch_marks *m);

void watch_add(hy_graph *G, struct watcher *w);
void watch_remove(hy_graph *G, struct watcher *w);

/* Calls `step` with each record of edge columns that a line of the batch
 * brings, until one returns false; false then.  u and v are external. */
typedef bool watch_record_step(void *arg, uint64_t u, uint64_t v,
                               const void *record);
bool watch_records(const hy_batch *batch, watch_record_step *step, void *arg);

#endif
