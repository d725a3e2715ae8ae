/* Sorted operations applied to adjacencies: one owner for each vertex.
 *
 * A commit sorts its operations by (vertex, neighbour) and cuts them into
 * chunks at borders of table pages.  A lane is one thread's work on chunks.
 * For each vertex the lane judges the operations against what is there, which
 * gives edits (apply.c), and carries the edits out (edit.c for blocks, hub.c
 * for hubs).  Plan (plan.c) runs before on the same chunks and bounds what
 * they may need, so that nothing here can fail.
 */
#ifndef STORE_APPLY_H
#define STORE_APPLY_H

#include "store/graph.h"
#include "store/watch.h"

enum op {
    OP_INSERT,      /* edges: with values */
    OP_INSERT_BARE, /* without */
    OP_DELETE,
    OP_UPDATE,
    OP_INSERT_VERTEX,
    OP_DELETE_VERTEX,
    OP_KILL /* an edge goes with its vertex; no line of a batch */
};

/* Operations on one side, sorted by key = vertex << 32 | neighbour. */
struct ops {
    const uint64_t *key;
    uint32_t *tag; /* of each: its line; NULL if all are `all` */
    size_t n;
    enum op all;        /* every operation, if `op` is NULL */
    const uint8_t *op;  /* by tag */
    const char *values; /* by tag: records, or NULL */
    /* Tags from n_lines on are kills; kill_time is the line that kills. */
    uint32_t n_lines;
    const uint32_t *kill_time; /* by tag - n_lines; NULL: there are none */
    enum side side;
};

/* What becomes of one neighbour. */
enum net { NET_NONE, NET_INSERT, NET_DELETE, NET_UPDATE };

struct edit {
    const char *values; /* new columns; NULL: zeros */
    uint32_t pos;       /* in the block as it was */
    hy_vid v;
    enum net net;
};

/* A list of a delta, written by the lanes. */
struct list_out {
    hy_edge *at; /* NULL: not wanted */
    char *values, *old;
    size_t n;
};

/* A part of the operations: its bounds from plan, its results from apply. */
struct chunk {
    size_t lo, hi;
    uint64_t units;          /* most units it cuts */
    size_t pieces;           /* most pieces it frees, or drops under a view */
    size_t drop_at, n_drops; /* the latter, in work.drop */
    size_t pages; /* most table pages it copies; their place in work.pages */
    size_t page_at, n_pages;
    hy_counts counts;
    int64_t arcs, edges; /* change of each */
    uint64_t moved;
    struct list_out inserted, deleted, updated;
};

struct lane {
    hy_graph *G;
    const struct shape *S;
    struct core *core;
    const struct ops *ops;
    struct chunk *chunk;
    struct arena_lane *bins;
    uint64_t pin, epoch;
    struct reach reach; /* the slots of the side */
    struct spread even; /* all ids */
    struct drop *drop;  /* of the chunk */
    uint32_t *pages;    /* of the chunk: fresh table pages */
    struct edit *edit;
    struct twig *twig; /* scratch of hubs: twig_room for each level */
    size_t twig_room;
    uint32_t dir_index; /* the table page that is writable, and its slots */
    struct slot *slots;
    bool counts_all, counts_half; /* all entries; those with u <= v */
    hy_counts uncounted;          /* what lines do to the other half of edges */
    struct watch_marks *marks;    /* of a commit; NULL: nobody wants any */
    uint32_t hub_pages;  /* pages that the hub at hand won, less those lost */
    uint32_t hub_levels; /* below its root */
    _Alignas(16) char scratch[PAGE_BYTES];
    _Alignas(16) char old[MAX_COLUMNS * 8];
};

static inline char *lane_block(const struct lane *L, uint64_t at)
{
    return arena_block(L->core->arena.space.base, at);
}

/* Rules 2 and 3 of graph.h: free at once, unless a view sees it. */
static inline void lane_drop(struct lane *L, piece p, uint64_t birth)
{
    if (HY_LIKELY(birth > L->pin))
        arena_free(&L->core->arena, L->bins, p);
    else
        L->drop[L->chunk->n_drops++] = (struct drop){ .p = p, .birth = birth };
}

/* A block of at least `units`; *units is what it has. */
static inline uint64_t lane_cut(struct lane *L, uint32_t *units)
{
    const piece p = arena_cut(&L->core->arena, L->bins, *units);
    *units = (uint32_t)piece_units(p);
    return piece_at(p);
}

/* Each undirected edge is in two adjacencies, each directed one may be in two
 * sides: one of them counts. */
static inline bool lane_counts(const struct lane *L, hy_vid u, hy_vid v)
{
    return L->counts_all || (u <= v && L->counts_half);
}

/* Tells those who mirror the arena that the page has changed. */
static inline void lane_mark(const struct lane *L, uint64_t at)
{
    const uint64_t i = at / WATCH_GRANULE;
    for (struct watch_marks *m = L->marks; HY_UNLIKELY(m != NULL); m = m->next)
        __atomic_fetch_or(&m->bits[i / 64], (uint64_t)1 << (i % 64),
                          __ATOMIC_RELAXED);
}

/* A page of a hub. */
static inline uint64_t lane_cut_page(struct lane *L)
{
    return piece_at(arena_cut(&L->core->arena, L->bins, PAGE_UNITS));
}

/* ---- judging (apply.c) -------------------------------------------------- */

/* Entries in a block. */
struct entries {
    const char *block;
    uint32_t room, n;
    struct spread even; /* where their ids lie, about */
};

/* Judges operations lo..hi-1, all of vertex u, against entries; writes the
 * edits and returns their number.  *change is what it does to n. */
size_t apply_judge(struct lane *L, hy_vid u, const struct entries *E, size_t lo,
                   size_t hi, int64_t *change);

/* Operations lo..hi-1, all of vertex u. */
void apply_run(struct lane *L, struct slot *s, hy_vid u, size_t lo, size_t hi);

/* Applies a chunk. */
void apply_chunk(struct lane *L, struct chunk *C);

/* A whole chunk of lines in a graph without columns: none are kills, and not
 * all of them updates (plain.c). */
void plain_chunk(struct lane *L, struct chunk *C);

/* ---- editing blocks (edit.c) -------------------------------------------- */

/* Carries out edits in a block that no view sees and that has room. */
void edit_in_place(struct lane *L, char *block, uint32_t room, uint32_t n,
                   const struct edit *e, size_t k);

/* The edits of a vertex kept as one block; may make a hub of it. */
void edit_block(struct lane *L, struct slot *s, const struct edit *e, size_t k,
                uint32_t n);

/* Gives back the end of a block that has become much too large for the n > 0
 * entries that are left. */
void edit_trim(struct lane *L, struct slot *s, uint32_t n);

/* Entries written one after another into one block or several leaves. */
struct pour {
    struct lane *L;
    char *block;
    uint32_t room, n;
    uint32_t quota;    /* entries of a leaf */
    struct twig *leaf; /* leaves filled so far; NULL: one block */
    size_t n_leaves;
    uint64_t run, run_end; /* pages to take before any are cut */
};

/* Makes way for up to n entries; returns how many fit the block at hand,
 * where they go from P->n on.  The caller writes them, then counts them. */
uint32_t pour_way(struct pour *P, uint32_t n);
void pour_count(struct pour *P, uint32_t n);

/* Entries first..n-1 of a block, edited. */
void pour_edited(struct pour *P, const char *block, uint32_t room,
                 uint32_t first, uint32_t n, const struct edit *e, size_t k);
void pour_copy(struct pour *P, const char *block, uint32_t room, uint32_t first,
               uint32_t n);

/* ---- hubs (hub.c) ------------------------------------------------------- */

/* Operations lo..hi-1 on the hub of slot s of vertex u. */
void hub_apply(struct lane *L, hy_vid u, struct slot *s, size_t lo, size_t hi);

/* Is a hub of so many pages right for n entries? */
bool hub_stays(const struct shape *S, uint64_t pages, uint32_t n);

/* Makes s a hub of the entries of `block`, edited; drops nothing. */
void hub_make(struct lane *L, struct slot *s, const char *block, uint32_t room,
              uint32_t n, const struct edit *e, size_t k, uint32_t count);

/* k operations on a hub, or on a block that becomes one: it has no pages yet.
 */
struct hub_task {
    uint64_t degree, pages, k;
    bool grows;   /* some may insert or update */
    bool is_seen; /* by a view, perhaps */
};

/* What they take at most. */
struct hub_bound {
    uint64_t pages; /* cut */
    size_t pieces;  /* freed */
};
struct hub_bound hub_bound(const struct shape *S, const struct hub_task *t);

/* Twigs that a branch may turn into with k operations below it; a lane's
 * scratch has room for HUB_SCRATCH_LEVELS times this. */
size_t hub_scratch(const struct shape *S, uint64_t degree, size_t k);
enum { HUB_SCRATCH_LEVELS = 9 };

/* Entries of a leaf, and pages of a hub, when a graph is built; hub_plant
 * makes the hub of s of such leaves.  The lane's hub_pages counts pages. */
uint32_t hub_leaf_loaded(const struct shape *S);
uint64_t hub_pages_loaded(const struct shape *S, uint32_t degree);
void hub_plant(struct lane *L, struct slot *s, struct twig *leaf, size_t n);

#endif
