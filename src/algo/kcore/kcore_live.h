/* Core numbers under change: the order of peeling, kept.
 *
 * Order.  The vertices of each core number k are a list.  All lists, one after
 * the other by ascending k, are an order in which the graph can be peeled:
 *
 *   ahead(v) <= core(v)    ahead(v): neighbours behind v in the order    (1)
 *
 * so that nobody is in a core above its number; and everybody is in that one:
 *
 *   near(v) >= core(v)     near(v): neighbours of no lower core number   (2)
 *
 * Peeling tells near, but ahead is not known in a new order: a vertex gets its
 * own when an insertion first asks for it, and steps that change it pass over
 * those that are not known.
 *
 * Labels.  label(u) < label(v) if u is before v in the same list.  They are
 * spread out so that a vertex finds room between two others; where there is
 * none, some labels behind it are spread anew.
 *
 * Edges still to come.  The view has all inserted edges at once.  Those whose
 * turn has not come are passed over: the sorted list of them is asked where
 * both ends have some.
 *
 * Neighbours are those by edges of either direction, each once, without loops.
 */
#ifndef ALGO_KCORE_LIVE_H
#define ALGO_KCORE_LIVE_H

#include "algo/common/near.h"
#include "algo/live/live.h"

struct kcore_node {
    uint64_t label;
    uint32_t ahead, near; /* ahead = HY_NONE: not known */
    hy_vid next, prev;    /* in the list; HY_NONE: it ends here */
};

struct kcore_list {
    hy_vid first, last; /* HY_NONE: it is empty */
};

struct kcore_live {
    hy_live *L;
    const hy_view *V; /* while a commit is followed */
    hy_vid room;      /* entries for each id below */
    uint32_t *core;   /* the answer's values */
    struct kcore_node *node;
    struct kcore_list *list; /* by core number; room + 2 of them */
    uint32_t *due;           /* edges of v still to come */
    uint32_t *in;   /* insertion: candidates before v; 0 between commits */
    uint8_t *state; /* insertion, deletion; 0 between commits */
    hy_vid *heap, *rise, *fall, *seen; /* workspaces */

    uint64_t edges;
    uint64_t *coming; /* u << 32 | v, u < v: inserted, ascending */
    uint64_t *going;  /* the same: deleted */
    uint64_t *sorting;
    uint64_t n_coming, n_going, turn; /* coming[turn]: comes next */
    uint32_t top;                     /* the largest core, or above it */
    uint64_t work, budget, whole;     /* neighbours looked at; anew: as many */
    uint64_t before, done, total;     /* of a step: work before it; how far */
    bool is_rebuilt;                  /* in this commit */
};

/* ---- neighbours ---------------------------------------------------------- */

bool kcore_is_due(const struct kcore_live *K, hy_vid u, hy_vid v);

static inline bool kcore_next(struct kcore_live *K, struct near_once *N,
                              hy_vid *v)
{
    do {
        if (!near_once_next(K->V, N, v))
            return false;
        K->work++;
    } while (HY_UNLIKELY(K->due[N->u] && K->due[*v]) &&
             kcore_is_due(K, N->u, *v));
    return true;
}

/* kcore_for (v, K, u)  v: a neighbour of u */
#define kcore_for(v, K, u)                                                     \
    for (struct near_once v##_near = near_once_begin((K)->V, u);               \
         kcore_next(K, &v##_near, &v);)

/* ---- order (kcore_live_order.c) ------------------------------------------ */

static inline bool kcore_is_before(const struct kcore_live *K, hy_vid u,
                                   hy_vid v)
{
    return K->core[u] != K->core[v] ? K->core[u] < K->core[v]
                                    : K->node[u].label < K->node[v].label;
}

static inline bool kcore_is_known(const struct kcore_live *K, hy_vid v)
{
    return K->node[v].ahead != HY_NONE;
}

/* Counts ahead of v, if it is not known (kcore_live_order.c). */
void kcore_know(struct kcore_live *K, hy_vid v);

void kcore_unlink(struct kcore_live *K, hy_vid v);

/* Puts v, of core k, behind p of the same; p = HY_NONE: in front of all. */
void kcore_link(struct kcore_live *K, uint32_t k, hy_vid p, hy_vid v);

static inline void kcore_link_last(struct kcore_live *K, uint32_t k, hy_vid v)
{
    kcore_link(K, k, K->list[k].last, v);
}

/* Changes the core number, and tells it. */
static inline void kcore_set(struct kcore_live *K, hy_vid v, uint32_t k)
{
    live_note(K->L, v);
    K->core[v] = k;
}

/* ---- the steps of a commit ----------------------------------------------- */

/* Once the budget is spent: gives more to a step that has come far enough to
 * end soon, or tries to rebuild.  True if that was done, and there is nothing
 * left to do.  Where there is no memory for it, the repair goes on without a
 * budget.  May be asked in the middle of a step. */
bool kcore_give_up(struct kcore_live *K);

static inline void kcore_begin(struct kcore_live *K, uint64_t total)
{
    K->before = K->work;
    K->done = 0;
    K->total = total;
}

static inline bool kcore_is_over(struct kcore_live *K)
{
    return HY_UNLIKELY(K->work > K->budget) && kcore_give_up(K);
}

/* Puts in the edge that comes next (kcore_live_insert.c). */
void kcore_insert(struct kcore_live *K, hy_vid u, hy_vid v);

/* Takes all deleted edges away (kcore_live_delete.c). */
void kcore_delete_all(struct kcore_live *K);

#endif
