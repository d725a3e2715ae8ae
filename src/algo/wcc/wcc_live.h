/* Components under change: a spanning forest with levels.
 *
 * Forest.  Every vertex has a parent, a neighbour in the graph, or is a root.
 *
 *   level(parent(v)) < level(v)                                          (1)
 *
 * so that parents lead to a root, whatever the levels are: they prove that
 * two vertices are joined, and need not be distances.  An insertion inside a
 * component changes nothing; a deletion of an edge that is no parent's
 * changes nothing; and a vertex that loses its parent has another one as soon
 * as any neighbour of the component has a lower level.
 *
 * Components.  comp(v) is the number of v's component, a place in `group`
 * with its size and its smallest vertex, which is the value of all of them.
 * A union renames the smaller part.  Numbers are ids below the bound.
 *
 * Late values.  Where the smallest vertex of a component changed, the values
 * of the others are brought up to date at the end of the commit.
 */
#ifndef ALGO_WCC_LIVE_H
#define ALGO_WCC_LIVE_H

#include "algo/common/near.h"
#include "algo/live/live.h"

struct wcc_node {
    hy_vid parent; /* HY_NONE: a root, or not alive */
    uint32_t level;
};

struct wcc_group {
    uint32_t state; /* epoch << 1 | it is among the freed; all other fields
                     * are void in another epoch */
    uint32_t size;  /* 0: the number is free */
    hy_vid min;     /* HY_NONE: not known */
    uint32_t late;  /* = turn of the answer: values must be brought up */
};

struct wcc_live {
    hy_live *L;
    const hy_view *V; /* while a commit is followed */
    hy_vid room;      /* entries for each id below */
    hy_vid *comp;     /* HY_NONE: not alive */
    struct wcc_node *node;
    uint32_t *mark; /* stamp << WCC_BITS | what a search knows of v */
    struct wcc_group *group;
    hy_vid *queue[2]; /* two halves of one block, which is the heap too */
    uint64_t *heap;   /* owns */
    hy_vid *freed;    /* numbers below `fresh` that may be free */
    hy_vid n_freed;
    hy_vid fresh;     /* numbers below were given out, or are among the freed */
    uint32_t epoch;   /* of the forest */
    uint32_t stamp;   /* of the search */
    uint32_t is_high; /* some level is; atomic, relaxed */

    /* Room for the edges of a commit. */
    uint64_t edges;
    uint64_t *cut;       /* level << 32 | vertex that lost its parent */
    uint64_t *by_parent; /* parent << 32 | the same vertices */
    uint64_t *sorting;
    hy_vid *late; /* vertices of components whose values are late */
    uint64_t n_cut, n_by_parent, n_late;
    bool has_by_parent;

    uint64_t components;
    uint64_t work, budget, whole; /* edges looked at; anew: as many */
    uint64_t doubt;               /* what is worth trying without knowing */
    uint64_t before;              /* work when the step began */
    uint64_t roots;  /* vertices that are to lose their parents, about */
    bool is_tall;    /* trees are */
    bool is_falling; /* and so tall that few vertices stay in the one they are
                      * in */
    bool is_rough;   /* there are many vertices without smaller ones next to
                      * them: Afforest takes longer */
    /* Looks that a vertex without a lower neighbour came to, in the end, when
     * some were dealt with last. */
    uint64_t over_cost;
    uint64_t n_over;    /* of this commit */
    uint64_t void_by;   /* edges of the commit that made the forest void; 0:
                         * it is not */
    uint32_t n_without; /* commits since then that were not too much */
};

enum {
    WCC_BITS = 4,
    WCC_RENAME = 5,  /* places looked at to change the component of a vertex */
    WCC_EDGES = 8,   /* changed edges gone through in the time of one look */
    WCC_ROUGH = 256, /* ids for each vertex without smaller ones next to it */
};

/* What a commit has cost; false: it is enough, recompute. */
static inline bool wcc_spend(struct wcc_live *W, uint64_t work)
{
    W->work += work;
    return W->work <= W->budget;
}

/* A step begins whose parts may each come to much. */
static inline void wcc_begin_step(struct wcc_live *W)
{
    W->before = W->work;
    W->budget = W->work + W->doubt;
}

/* After `done` parts of the step: it gets more to spend if it is to end before
 * `eighths` of a recomputation are spent in all. */
static inline bool wcc_go_on(struct wcc_live *W, uint64_t done, uint64_t n,
                             unsigned eighths)
{
    const uint64_t doubt = W->doubt;
    if (HY_LIKELY(W->work + doubt / 2 < W->budget))
        return true;
    const double each = (double)(W->work - W->before) / (double)done;
    if ((double)W->before + each * (double)n < (double)W->whole * eighths / 8)
        W->budget = W->work + doubt;
    return W->work <= W->budget;
}

static inline bool wcc_is_free(const struct wcc_live *W, hy_vid c)
{
    return W->group[c].state >> 1 != W->epoch || W->group[c].size == 0;
}

/* Number c, which is free, for n vertices. */
static inline void wcc_group_set(struct wcc_live *W, hy_vid c, uint32_t n,
                                 hy_vid min)
{
    struct wcc_group *const g = &W->group[c];
    const uint32_t is_freed = g->state >> 1 == W->epoch ? g->state & 1 : 0;
    *g = (struct wcc_group){ .state = W->epoch << 1 | is_freed,
                             .size = n,
                             .min = min };
}

/* A vertex that came: alone, and as low as a forest from nothing has it. */
static inline struct wcc_node wcc_node_new(hy_vid v)
{
    return (struct wcc_node){ .parent = HY_NONE, .level = v };
}

/* A neighbour of v in its component with a lower level, or HY_NONE. */
static inline hy_vid wcc_lower(const struct wcc_live *W, hy_vid v,
                               uint64_t *work)
{
    const uint32_t level = W->node[v].level;
    const hy_vid c = W->comp[v];
    near_for(s, W->V, v) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        ++*work;
        if (W->node[w].level < level && W->comp[w] == c)
            return w;
    }
    return HY_NONE;
}

/* ---- components (wcc_live.c) --------------------------------------------- */

/* A number that is free, `v` if it can be, for a component of n vertices. */
hy_vid wcc_group_new(struct wcc_live *W, hy_vid v, uint32_t n, hy_vid min);
void wcc_group_free(struct wcc_live *W, hy_vid c);

/* A new component of the n vertices of `part`, which were all of c but for
 * `left` and others. */
void wcc_split(struct wcc_live *W, hy_vid c, const hy_vid *part, uint32_t n,
               hy_vid left);

/* The values of v's component must be brought up to date. */
void wcc_be_late(struct wcc_live *W, hy_vid v);

/* Marks are void from now on. */
void wcc_new_stamp(struct wcc_live *W);

static inline unsigned wcc_known(const struct wcc_live *W, hy_vid v)
{
    const uint32_t mark = W->mark[v];
    return mark >> WCC_BITS == W->stamp ? mark & ((1u << WCC_BITS) - 1) : 0;
}

static inline void wcc_set_value(struct wcc_live *W, hy_vid v, hy_vid x)
{
    hy_vid *const value = W->L->values;
    if (value[v] == x)
        return;
    live_note(W->L, v);
    value[v] = x;
}

/* Asks for what wcc_set_value needs. */
HY_INLINE void wcc_ask_value(const struct wcc_live *W, hy_vid v)
{
    HY_PREFETCH((const hy_vid *)W->L->values + v);
    HY_PREFETCH(&W->L->stamp[v]);
    HY_PREFETCH((const hy_vid *)W->L->old + v);
}

/* Levels of a rebuilt forest are below by far; once there, it is rebuilt. */
#define WCC_HIGH (3u << 30)

/* Asks for what looking at the i-th of n vertices and those after it needs. */
HY_INLINE void wcc_ask_cut(const struct wcc_live *W, const hy_vid *at, size_t i,
                           size_t n)
{
    enum { CLOSE = 12, FAR = 2 * CLOSE };
    if (i + FAR < n)
        view_prefetch_slot(W->V, at[i + FAR]);
    if (i + CLOSE >= n)
        return;
    view_prefetch_out(W->V, at[i + CLOSE]);
    HY_PREFETCH(&W->comp[at[i + CLOSE]]);
    HY_PREFETCH(&W->node[at[i + CLOSE]]);
}

/* The level of a vertex right under w. */
static inline uint32_t wcc_level_under(struct wcc_live *W, hy_vid w)
{
    const uint32_t level = W->node[w].level + 1;
    if (HY_UNLIKELY(level >= WCC_HIGH)) {
        W->is_high = 1;
        W->budget = W->whole = 0;
    }
    return level;
}

/* ---- the steps of a commit ----------------------------------------------- */

/* Forest, components and values from nothing (wcc_live_forest.c). */
void wcc_rebuild(struct wcc_live *W);

/* The same from what is left of the forest (wcc_live_mend.c), while no level is
 * too high. */
void wcc_mend(struct wcc_live *W, const hy_delta *delta);

/* Lets vertices that lose their parent's edge hang by another, or be alone
 * (wcc_live_lower.c); those that are left are in `cut`. */
bool wcc_lower_all(struct wcc_live *W, const hy_edge_list *deleted);

/* Takes the deleted edges away (wcc_live_cut.c), puts the inserted ones in
 * (wcc_live_join.c).  False: too much work; numbers are void, and trees are as
 * wcc_live_mend.c wants them. */
bool wcc_cut_all(struct wcc_live *W, const hy_edge_list *deleted);
bool wcc_join_all(struct wcc_live *W, const hy_edge_list *inserted);

/* Brings late values up to date (wcc_live_late.c). */
void wcc_tell_late(struct wcc_live *W);

#endif
