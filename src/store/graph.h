/* The graph, its versions, and the memory of its commits.  Private to store.
 *
 * Versions.  A graph has one changing version, `now`, and any number of
 * pinned ones, all in one chain from oldest to newest.  Taking a view copies
 * the directory of the vertex table, numbers the view with the current epoch,
 * and starts the next epoch.  Pages and blocks carry the epoch they were made
 * in (their birth).  Then
 *
 *   1 A view sees what was born in its epoch or before and was not dropped
 *     when it was taken.
 *   2 The writer changes in place only what no view sees: birth > pin, the
 *     epoch of the newest view (0 if there is none).  Anything else it copies
 *     and drops.
 *   3 What is dropped with birth > pin is free at once.  Else it goes to the
 *     dead list of `now`: dead(X) is what the version before X in the chain
 *     sees and X does not.
 *   4 A new view takes over the dead list of `now`.
 *   5 When the version between A and X goes, what in dead(X) was born after A
 *     is free, the rest stays; its own dead list joins dead(X).
 *
 * (Dead lists are those of ZFS snapshots.)  The writer does 5 when its next
 * change begins, for all views released since: readers free no block.
 *
 * A core is what lies in reserved address space.  Rebalance and add_reverse
 * build a new one and leave the old one to the views that hold it.
 */
#ifndef STORE_GRAPH_H
#define STORE_GRAPH_H

#include "store/arena.h"
#include "store/ids.h"
#include "store/shape.h"
#include "store/table.h"

#include "par/lock.h"

struct core {
    struct arena arena;
    struct table table;
    uint64_t built_units;  /* of the arena, as it was built */
    _Atomic uint32_t refs; /* the graph and each view */
};

/* A block or, with DROP_PAGE set, a page of the table, and its birth. */
struct drop {
    piece p;
    uint64_t birth;
};

#define DROP_PAGE ((piece)1 << 63)

/* Part of a dead list. */
struct dead {
    struct dead *next;
    size_t n;
    struct drop at[];
};

struct hy_view {
    const char *blocks; /* bases of the core's spaces */
    const char *pages;
    const uint32_t *dir;
    size_t page_bytes;
    size_t in_slots; /* offset of the side `in` in a page; 0: undirected */
    const struct shape *shape;
    hy_vid bound;
    bool reverse;
    bool scattered; /* blocks no longer lie in vertex order */
    bool as_built;  /* nothing changed since the core was built */
    uint64_t vertices, edges, arcs;
    uint64_t version, epoch;
    struct core *core;
    hy_graph *graph;
    /* of pinned versions; guarded by graph->lock */
    uint32_t refs;
    bool detached; /* of a core that `now` has left: not in the chain */
    struct hy_view *older, *newer;
    struct dead *dead;
};

/* Memory that grows and is kept. */
struct buf {
    void *at;
    size_t bytes;
};

/* What a commit works in; kept for the next one while it is small. */
struct work {
    struct buf key, key_tmp, tag, tag_tmp; /* operations, being sorted */
    struct buf chunk, drop, edit, twig, pages;
    struct buf line, kill, event, last; /* staging of vertex changes */
    /* From here on the delta's lists, which are lent until the next commit. */
    struct buf inserted, deleted, updated;
    struct buf inserted_values, deleted_values, updated_values, updated_old;
    struct buf came, went;
};

struct hy_graph {
    hy_ctx *ctx;
    struct shape shape;
    uint64_t cap, reserve;
    bool keep_memory;
    struct core *core; /* of `now` */
    struct hy_view now;
    uint32_t *dir; /* now.dir, writable */
    size_t dir_room;
    struct ids ids;
    struct work work;
    uint64_t bytes_moved, compactions;
    bool has_large_work;       /* workspace or lists worth giving back */
    uint64_t lines;            /* committed since the last compaction */
    struct watcher *watchers;  /* who follow; the writer's */
    struct watch_marks *marks; /* of pages that change; the writer's */
    uint64_t cores;            /* that `now` has had */

    struct par_lock lock;
    bool writing;            /* guarded by lock */
    uint32_t n_waiting;      /* who wait for the end of writing; lock */
    struct hy_view *oldest;  /* the chain of pinned versions; guarded by lock */
    struct hy_view *newest;  /* guarded by lock */
    struct dead *dead;       /* of `now`; writer, and who takes a view */
    uint32_t refs;           /* the owner and each pinned version; lock */
    uint32_t n_held;         /* pinned versions that are held; lock */
    uint64_t bytes_detached; /* of cores that views alone hold; lock */
    bool orphaned;           /* the owner freed it; guarded by lock */
};

/* ---- memory (graph.c) --------------------------------------------------- */

/* Room for n things of `size` bytes, and memory even for none; contents are
 * lost if it grows. */
HY_CHECKED hy_status buf_reserve(hy_graph *G, struct buf *b, size_t n,
                                 size_t size);
void buf_fini(hy_graph *G, struct buf *b);

uint64_t work_bytes(struct work *W);
void work_fini(hy_graph *G);

/* Gives the workspace back if it is large beside the graph; the delta's lists
 * too, if they are not lent. */
void work_trim(hy_graph *G, bool is_lent);

/* HY_ENOMEM if the cap does not allow `more` bytes. */
HY_CHECKED hy_status graph_allows(hy_graph *G, uint64_t more);

/* All bytes of the graph; what the cap is compared with. */
uint64_t graph_bytes(hy_graph *G);

HY_CHECKED hy_status core_new(hy_graph *G, bool reverse, struct core **out);
void core_release(hy_ctx *ctx, struct core *C);
uint64_t core_bytes(const struct core *C);

/* Room in the directory for vertices below `bound`; new pages are NO_PAGE. */
HY_CHECKED hy_status graph_reserve_dir(hy_graph *G, uint64_t bound);

/* Makes C the core of `now`, with `dir` for its directory (takes both). */
void graph_adopt(hy_graph *G, struct core *C, uint32_t *dir, size_t dir_room);

/* The end of it, when neither the owner nor a view is left. */
void graph_destroy(hy_graph *G);

/* hy_graph_check: HY_ENOMEM, or HY_EBUG with what is wrong as the text. */
HY_CHECKED hy_status graph_check(const hy_graph *G);

/* ---- versions (version.c) ----------------------------------------------- */

/* Begins a change: readers wait or share what is pinned.  Frees what views
 * released.  Returns the pin of rule 2. */
uint64_t version_begin(hy_graph *G);

/* Ends it; `changed`: `now` is a new version. */
void version_end(hy_graph *G, bool changed);

/* Takes all views out of the chain: `now` leaves the core they see.  The lock
 * is held. */
void version_detach(hy_graph *G);

/* The epoch of what is born now. */
static inline uint64_t version_epoch(const hy_graph *G)
{
    return G->now.epoch;
}

/* The epoch of a version, between changes, when taking a view of `now` may
 * begin the next one at any time. */
uint64_t version_born(const hy_view *V);

/* ---- reading a version (view.c has the loops) --------------------------- */

static inline char *view_page(const hy_view *V, hy_vid u)
{
    const uint32_t page = V->dir[u / PAGE_VERTICES];
    return (char *)(uintptr_t)V->pages + page * V->page_bytes;
}

/* The slot of u < bound, NULL where the table has no page. */
static inline struct slot *view_slot(const hy_view *V, enum side side, hy_vid u)
{
    const uint32_t page = V->dir[u / PAGE_VERTICES];
    if (HY_UNLIKELY(page == NO_PAGE))
        return NULL;
    char *at = (char *)(uintptr_t)V->pages + page * V->page_bytes +
               (side == IN ? V->in_slots : 0);
    return (struct slot *)(void *)at + u % PAGE_VERTICES;
}

/* The way to the slots of one side, to be kept in registers by a loop. */
struct reach {
    const uint32_t *dir;
    char *slots; /* of page 0 */
    size_t page_bytes;
};

static inline struct reach view_reach(const hy_view *V, enum side side)
{
    return (struct reach){
        .dir = V->dir,
        .slots = (char *)(uintptr_t)V->pages + (side == IN ? V->in_slots : 0),
        .page_bytes = V->page_bytes,
    };
}

/* The slot of a vertex that has a page. */
static inline struct slot *reach_slot(const struct reach *R, hy_vid u)
{
    char *page = R->slots + R->dir[u / PAGE_VERTICES] * R->page_bytes;
    return (struct slot *)(void *)page + u % PAGE_VERTICES;
}

static inline char *view_block(const hy_view *V, uint64_t at)
{
    return arena_block(V->blocks, at);
}

#endif
