/* Values of a live tree: reading, growing, writing and queueing them.
 *
 * All is written once for hops and distances of any type: HY_INLINE functions
 * that a kind calls with a constant `how`.
 */
#ifndef ALGO_LIVE_TREE_VALUE_H
#define ALGO_LIVE_TREE_VALUE_H

#include "algo/live/tree.h"

#include "base/bits.h"

#include <string.h>

struct tree_how {
    bool is_hops;
    hy_type type; /* of the weights, and bytes between two */
    uint32_t step;
};

enum {
    TREE_AHEAD = 16, /* edges of a delta asked for before they are needed */
    TREE_AHEAD_BLOCK = 10, /* vertices of the queue: blocks and values */
    TREE_AHEAD_VALUES = 3,
    TREE_LINE = 64,
    TREE_LINES = 8,   /* of a block that are asked for */
    TREE_VALUES = 32, /* of its neighbours */
    /* An entry of the queue and a value that changes cost as much as so many
     * edges; hops are in few segments, and fit a cache more often. */
    TREE_POP = 16,
    TREE_POP_HOPS = 8,
    TREE_SET = 16,
    TREE_SET_HOPS = 4,
};

/* ---- values ---------------------------------------------------------------
 */

HY_INLINE uint64_t tree_none(struct tree_how how)
{
    const double far = INFINITY;
    uint64_t bits = UINT32_MAX;
    if (!how.is_hops)
        memcpy(&bits, &far, sizeof bits);
    return bits;
}

HY_INLINE uint64_t tree_key(const struct live_tree *T, struct tree_how how,
                            hy_vid v)
{
    return how.is_hops ? ((const uint32_t *)T->L->values)[v]
                       : ((const uint64_t *)T->L->values)[v];
}

HY_INLINE uint32_t tree_rank(const struct live_tree *T, struct tree_how how,
                             hy_vid v)
{
    return how.is_hops || !T->has_flat ? 0 : T->rank[v];
}

/* Vertices that are to change if v, of this key, does: as many as are below one
 * on average, but no more than its edges can lead to, for averages are those
 * of hubs. */
HY_INLINE uint64_t tree_below(const struct live_tree *T, struct tree_how how,
                              hy_vid v, uint64_t key)
{
    if (!how.is_hops || key + 1 >= TREE_LEVELS || T->below[key] == 0)
        return 0;
    const uint64_t most = view_degree(T->W.V, v) * (1 + T->below[key + 1]);
    return most < T->below[key] ? most : T->below[key];
}

/* The key that an edge of weight *w leads to from `key`. */
HY_INLINE uint64_t tree_over(struct tree_how how, uint64_t key, const char *w)
{
    if (how.is_hops)
        return key + 1;
    double d;
    memcpy(&d, &key, sizeof d);
    d += algo_weight_f64(how.type, w);
    memcpy(&key, &d, sizeof key);
    return key;
}

HY_INLINE void tree_set(struct live_tree *T, struct tree_how how, hy_vid v,
                        uint64_t key, uint32_t rank)
{
    live_note(T->L, v);
    T->work += how.is_hops ? TREE_SET_HOPS : TREE_SET;
    if (how.is_hops) {
        ((uint32_t *)T->L->values)[v] = (uint32_t)key;
        return;
    }
    ((uint64_t *)T->L->values)[v] = key;
    T->has_flat |= rank > 0;
    if (T->has_flat)
        T->rank[v] = rank;
}

/* ---- the queue ------------------------------------------------------------
 */

HY_INLINE bool tree_is_stale(const struct live_tree *T, struct tree_how how,
                             const struct tree_entry *e)
{
    return tree_key(T, how, e->v) != e->key ||
           tree_rank(T, how, e->v) != e->rank;
}

/* Takes out what is out of date: what is left are vertices, each once. */
HY_INLINE void tree_sweep(struct live_tree *T, struct tree_how how)
{
    struct tree_queue *const Q = &T->queue;
    size_t n = 0, at = 0;
    for (uint32_t i = 0; i < Q->n_segments; i++) {
        const size_t end =
            i + 1 < Q->n_segments ? Q->segment[i + 1].start : Q->n;
        Q->segment[i].start = n;
        for (; at < end; at++)
            if (!tree_is_stale(T, how, &Q->at[at]))
                Q->at[n++] = Q->at[at];
    }
    Q->n = n;
    T->work += at;
}

HY_INLINE void tree_put(struct live_tree *T, struct tree_how how, hy_vid v,
                        uint64_t key, uint32_t rank)
{
    view_prefetch_slot(T->W.V, v);
    T->puts++;
    if (HY_UNLIKELY(tree_queue_is_full(&T->queue)))
        tree_sweep(T, how);
    tree_queue_put(&T->queue,
                   (struct tree_entry){ .key = key, .rank = rank, .v = v });
}

/* Asks for what the loops over v will read: its slot when it comes into the
 * run, then its block, then the values of its neighbours. */
HY_INLINE void tree_ask_block(const struct live_tree *T, hy_vid v)
{
    const hy_view *const V = T->W.V;
    const struct slot *const slot = view_slot(V, OUT, v);
    if (!slot || !slot->degree)
        return;
    const char *const block = view_block(V, slot_at(slot));
    const size_t bytes = (size_t)slot_units(slot) * UNIT;
    HY_PREFETCH(block);
    for (size_t at = TREE_LINE; at < bytes && at < TREE_LINES * TREE_LINE;
         at += TREE_LINE)
        HY_PREFETCH(block + at);
}

HY_INLINE void tree_ask(const struct live_tree *T, struct tree_how how,
                        hy_vid v)
{
    if (how.is_hops)
        HY_PREFETCH((const uint32_t *)T->L->values + v);
    else
        HY_PREFETCH((const uint64_t *)T->L->values + v);
}

HY_INLINE void tree_ask_values(const struct live_tree *T, struct tree_how how,
                               hy_vid v)
{
    const hy_span s = view_out(T->W.V, v);
    for (uint32_t i = 0; i < s.n && i < TREE_VALUES; i++)
        tree_ask(T, how, s.v[(size_t)i * s.step]);
}

/* Weights below 2^32: sums with keys below 2^52 are exact. */
HY_INLINE bool tree_is_exact(struct tree_how how)
{
    return how.type == HY_U8 || how.type == HY_U16 || how.type == HY_U32 ||
           how.type == HY_I32;
}

/* Whether v lost its value in this commit and got one that is surely larger,
 * over all its edges too. */
HY_INLINE bool tree_has_risen(const struct live_tree *T, struct tree_how how,
                              hy_vid v, uint64_t key)
{
    const double exact = 0x1p52;
    uint64_t most;
    memcpy(&most, &exact, sizeof most);
    if (!T->has_cut || !bits_has(T->cut, v) || T->L->stamp[v] != T->L->turn)
        return false;
    if (how.is_hops)
        return key > ((const uint32_t *)T->L->old)[v];
    return tree_is_exact(how) && key < most &&
           key > ((const uint64_t *)T->L->old)[v];
}

HY_INLINE struct tree_entry tree_pop(struct live_tree *T, struct tree_how how)
{
    struct tree_queue *const Q = &T->queue;
    const struct tree_entry e = tree_queue_pop(Q);
    T->work += how.is_hops ? TREE_POP_HOPS : TREE_POP;
    T->pops++;
    if (Q->lo == 1)
        for (uint32_t i = 1; i < Q->hi; i++)
            view_prefetch_slot(T->W.V, Q->run[i].v);
    if (Q->lo + TREE_AHEAD_BLOCK < Q->hi) {
        const hy_vid v = Q->run[Q->lo + TREE_AHEAD_BLOCK].v;
        tree_ask_block(T, v);
        tree_ask(T, how, v);
        HY_PREFETCH_WRITE(&T->L->parents[v]);
        HY_PREFETCH_WRITE(&T->L->stamp[v]);
    }
    if (Q->lo + TREE_AHEAD_VALUES < Q->hi) {
        const struct tree_entry *const next =
            &Q->run[Q->lo + TREE_AHEAD_VALUES];
        if (!tree_has_risen(T, how, next->v, next->key))
            tree_ask_values(T, how, next->v);
    }
    return e;
}

HY_INLINE void tree_list(struct live_tree *T, hy_vid v, uint64_t key,
                         uint32_t rank)
{
    tree_queue_list(&T->queue,
                    (struct tree_entry){ .key = key, .rank = rank, .v = v });
}

#endif
