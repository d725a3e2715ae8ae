/* A queue of values, least first, whose next entries are known beforehand.
 *
 *   at   | segment 0 | segment 1 | ... | top |        | list |
 *   run  | sorted: what comes next |
 *
 * Entries of a segment are in any order, and none is less than one of a
 * segment above it or of the run.  Only what is taken gets sorted: when the
 * run is empty, the top segment is cut around a pivot until its top is short,
 * or all alike.  A new entry goes to its segment by moving one entry of each
 * segment above.  After Navarro and Paredes (On sorting, heaps, and minimum
 * spanning trees, Algorithmica 2010), who sort single elements.
 *
 * To know what comes next is worth more than the order's price: blocks and
 * values are asked for before they are needed.
 *
 * The far end of the array is a list of entries in no order.
 */
#ifndef ALGO_LIVE_TREE_QUEUE_H
#define ALGO_LIVE_TREE_QUEUE_H

#include "base/mem.h"

#include <hypha/base.h>

struct tree_entry {
    uint64_t key;
    uint32_t rank;
    hy_vid v;
};

enum {
    TREE_RUN = 64,  /* entries of a run at most */
    TREE_FILL = 40, /* that are taken from a segment */
    TREE_SEGMENTS = 96,
};

struct tree_segment {
    size_t start;
    uint64_t key; /* all entries are less than (key, rank) */
    uint32_t rank;
    bool is_flat; /* all are alike, and so are all that will come */
};

struct tree_queue {
    struct tree_entry *at; /* owned */
    size_t room, n, n_list;
    uint32_t n_segments;
    uint32_t lo, hi; /* of the run */
    uint64_t key;    /* all entries of the run are less than (key, rank) */
    uint32_t rank;
    struct tree_entry run[TREE_RUN];
    struct tree_segment segment[TREE_SEGMENTS];
};

static inline bool tree_is_less(uint64_t key, uint32_t rank, uint64_t than_key,
                                uint32_t than_rank)
{
    return key < than_key || (key == than_key && rank < than_rank);
}

static inline bool tree_queue_is_empty(const struct tree_queue *Q)
{
    return Q->lo == Q->hi && !Q->n;
}

static inline size_t tree_queue_count(const struct tree_queue *Q)
{
    return Q->n + Q->hi - Q->lo;
}

static inline void tree_queue_clear(struct tree_queue *Q)
{
    Q->n = Q->n_list = 0;
    Q->n_segments = 0;
    Q->lo = Q->hi = 0;
    Q->key = Q->rank = 0;
}

static inline bool tree_queue_is_full(const struct tree_queue *Q)
{
    return Q->n + Q->n_list + TREE_RUN >= Q->room;
}

/* Puts an entry that is no part of the run; there is room. */
void tree_queue_put_far(struct tree_queue *Q, struct tree_entry e);

/* Makes room in a run that is full. */
void tree_queue_spill(struct tree_queue *Q);

/* Fills the run, which is empty. */
void tree_queue_fill(struct tree_queue *Q);

static inline void tree_queue_put(struct tree_queue *Q, struct tree_entry e)
{
    if (Q->hi == TREE_RUN)
        tree_queue_spill(Q);
    if (!tree_is_less(e.key, e.rank, Q->key, Q->rank)) {
        tree_queue_put_far(Q, e);
        return;
    }
    uint32_t i = Q->hi++;
    for (; i > Q->lo &&
           tree_is_less(e.key, e.rank, Q->run[i - 1].key, Q->run[i - 1].rank);
         i--)
        Q->run[i] = Q->run[i - 1];
    Q->run[i] = e;
}

/* The least; the queue is not empty. */
static inline struct tree_entry tree_queue_pop(struct tree_queue *Q)
{
    if (Q->lo == Q->hi)
        tree_queue_fill(Q);
    return Q->run[Q->lo++];
}

static inline void tree_queue_list(struct tree_queue *Q, struct tree_entry e)
{
    Q->at[Q->room - ++Q->n_list] = e;
}

#endif
