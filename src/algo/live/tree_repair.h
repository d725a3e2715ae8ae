/* The repair of a tree of shortest paths after a commit.
 *
 *   Repair(delta)
 *     1 Doubt     queue <- v for each edge (parent(v), v) that went or grew
 *     2 Trim      take v from the queue, least old value first; pull: if
 *                 some u still gives it its value, v hangs there, else v loses
 *                 its value and its children are doubted
 *     3 Reattach  each v without value gets the best that was pulled
 *     4 Insert    relax every edge that came or changed
 *     5 Settle    relax out of the queue, least value first, until it is empty
 *
 * After Ramalingam and Reps (An incremental algorithm for a generalization of
 * the shortest-path problem, J. Algorithms 1996).  Lines 1 to 3 do what
 * Meerkat does with whole subtrees, but only where no other edge carries v.
 *
 * Line 2: a u that gives v its value has a smaller one, so that it was taken
 * before, if it had to be: it has its value or none.  Values that v does not
 * get are pulled along with those that it does; such a u may lose its own
 * later, and v is pulled again then.
 *
 * Lines 3 to 5: values are those of paths, and whatever has been lowered
 * since its edges were last relaxed is in the queue.  A u that gives v its
 * final value either has not changed, and was there to be pulled, or is
 * settled after it has: parents are the smallest.
 *
 * Line 5: a value that was lost and came back larger can lower only others that
 * were lost, or ends of edges that came or changed: all in the set `cut`.  To
 * ask a set of bits is much faster than to read values.  Not so where sums
 * are rounded: such a value may give the same as before.
 */
#ifndef ALGO_LIVE_TREE_REPAIR_H
#define ALGO_LIVE_TREE_REPAIR_H

#include "algo/live/tree_value.h"

/* What an edge or a pull offers to a vertex. */
struct tree_offer {
    uint64_t key;
    uint32_t rank;
    hy_vid u;
};

/* ---- line 1 ---------------------------------------------------------------
 */

HY_INLINE void tree_doubt(struct live_tree *T, struct tree_how how, hy_vid v)
{
    const uint64_t key = tree_key(T, how, v);
    if (key != tree_none(how))
        tree_put(T, how, v, key, tree_rank(T, how, v));
}

HY_INLINE const char *tree_weight(const struct live_tree *T,
                                  const hy_edge_list *edges, uint64_t i)
{
    const struct shape *const shape = T->W.V->shape;
    if (T->W.column == HY_NONE)
        return (const char *)&algo_weights_one;
    return (const char *)edges->values + i * shape->edge.size +
           shape->edge.field[T->W.column].offset;
}

HY_INLINE void tree_doubt_gone(struct live_tree *T, struct tree_how how,
                               const hy_edge_list *edges)
{
    const hy_vid *const parent = T->L->parents;
    const bool is_both = view_is_undirected(T->W.V);
    for (uint64_t i = 0; i < edges->n; i++) {
        const hy_edge e = edges->at[i];
        if (i + TREE_AHEAD < edges->n) {
            HY_PREFETCH(&parent[edges->at[i + TREE_AHEAD].v]);
            if (is_both)
                HY_PREFETCH(&parent[edges->at[i + TREE_AHEAD].u]);
        }
        if (e.u == e.v)
            continue;
        if (parent[e.v] == e.u)
            tree_doubt(T, how, e.v);
        else if (is_both && parent[e.u] == e.v)
            tree_doubt(T, how, e.u);
    }
}

HY_INLINE void tree_doubt_grown(struct live_tree *T, struct tree_how how,
                                const hy_edge_list *edges)
{
    const hy_vid *const parent = T->L->parents;
    const bool is_both = view_is_undirected(T->W.V);
    for (uint64_t i = 0; i < edges->n; i++) {
        const hy_edge e = edges->at[i];
        const char *const w = tree_weight(T, edges, i);
        if (e.u == e.v)
            continue;
        if (parent[e.v] == e.u) {
            if (tree_over(how, tree_key(T, how, e.u), w) >
                tree_key(T, how, e.v))
                tree_doubt(T, how, e.v);
        } else if (is_both && parent[e.u] == e.v) {
            if (tree_over(how, tree_key(T, how, e.v), w) >
                tree_key(T, how, e.u))
                tree_doubt(T, how, e.u);
        }
    }
}

HY_INLINE void tree_doubt_all(struct live_tree *T, struct tree_how how,
                              const hy_delta *delta)
{
    tree_doubt_gone(T, how, &delta->deleted);
    if (!how.is_hops)
        tree_doubt_grown(T, how, &delta->updated);
}

/* ---- lines 2 and 3 --------------------------------------------------------
 */

/* The best that the edges into v offer; the first that is no worse than
 * `enough`.  Distances: not from children of v.  They often have the best to
 * offer, back over the edge they hang on, and lose it if v does; if not, they
 * are settled. */
HY_INLINE struct tree_offer tree_pull(struct live_tree *T, struct tree_how how,
                                      hy_vid v, uint64_t enough,
                                      uint32_t enough_rank)
{
    struct tree_offer best = { .key = tree_none(how), .u = HY_NONE };
    view_for_in (s, T->W.V, v) {
        const hy_span here = s;
        const char *const w = algo_weights_at(&T->W, &here);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid u = s.v[(size_t)i * s.step];
            const uint64_t from = tree_key(T, how, u);
            const uint64_t key = tree_over(how, from, w + (size_t)i * how.step);
            if (HY_LIKELY(key > best.key) || key >= tree_none(how))
                continue;
            const uint32_t rank = key == from ? tree_rank(T, how, u) + 1 : 0;
            if (key == best.key && rank >= best.rank)
                continue;
            if (!how.is_hops && T->L->parents[u] == v)
                continue;
            best = (struct tree_offer){ .key = key, .rank = rank, .u = u };
            if (key < enough || (key == enough && rank <= enough_rank)) {
                T->work += i + 1;
                return best;
            }
        }
        T->work += s.n;
    }
    return best;
}

/* Children of v still have their old values: all are larger than v's. */
HY_INLINE void tree_doubt_children(struct live_tree *T, struct tree_how how,
                                   hy_vid v, uint64_t key)
{
    const hy_vid *const parent = T->L->parents;
    view_for_out (s, T->W.V, v) {
        const hy_span here = s;
        const char *const w = algo_weights_at(&T->W, &here);
        T->work += s.n;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid x = s.v[(size_t)i * s.step];
            /* Saves looking at most parents. */
            if (tree_over(how, key, w + (size_t)i * how.step) <=
                    tree_key(T, how, x) &&
                parent[x] == v)
                tree_doubt(T, how, x);
        }
    }
}

HY_INLINE void tree_trim(struct live_tree *T, struct tree_how how,
                         const struct tree_entry *e)
{
    const hy_vid v = e->v;
    if (tree_is_stale(T, how, e))
        return;
    const hy_vid from = T->L->parents[v];
    const struct tree_offer best = tree_pull(T, how, v, e->key, e->rank);
    T->L->parents[v] = best.u;
    if (tree_is_less(e->key, e->rank, best.key, best.rank)) {
        tree_doubt_children(T, how, v, e->key);
        tree_set(T, how, v, tree_none(how), 0);
        tree_list(T, v, best.key, best.rank);
        bits_add(T->cut, v);
        T->has_cut = true;
        T->reached--;
        if (tree_below(T, how, v, e->key))
            tree_foresee(T, tree_below(T, how, v, e->key), 2);
        return;
    }
    const bool is_less = tree_is_less(best.key, best.rank, e->key, e->rank);
    if (is_less)
        tree_set(T, how, v, best.key, best.rank);
    if (is_less || (!how.is_hops && tree_key(T, how, from) == tree_none(how)))
        tree_list(T, v, best.key, best.rank);
}

/* Forgets what was pulled from vertices that lost their own values later. */
HY_INLINE void tree_forget(struct live_tree *T, struct tree_how how)
{
    const struct tree_queue *const Q = &T->queue;
    for (size_t i = Q->room - Q->n_list; i < Q->room; i++) {
        const hy_vid v = Q->at[i].v, u = T->L->parents[v];
        if (u != HY_NONE && tree_key(T, how, u) == tree_none(how))
            T->L->parents[v] = HY_NONE;
    }
}

HY_INLINE void tree_reattach(struct live_tree *T, struct tree_how how)
{
    const uint64_t none = tree_none(how);
    struct tree_queue *const Q = &T->queue;
    tree_forget(T, how);
    while (Q->n_list) {
        struct tree_entry e = Q->at[Q->room - Q->n_list--];
        if (tree_key(T, how, e.v) == none) {
            if (T->L->parents[e.v] == HY_NONE && e.key != none) {
                const struct tree_offer best = tree_pull(T, how, e.v, 0, 0);
                e.key = best.key;
                e.rank = best.rank;
                T->L->parents[e.v] = best.u;
            }
            if (e.key == none)
                continue;
            tree_set(T, how, e.v, e.key, e.rank);
            T->reached++;
        }
        tree_put(T, how, e.v, e.key, e.rank);
    }
}

/* ---- lines 4 and 5 --------------------------------------------------------
 */

/* Computes all anew; without memory for that the repair goes on to its end. */
HY_INLINE bool tree_is_given_up(struct live_tree *T)
{
    if (tree_recompute(T, "the change reached too far"))
        return true;
    T->most = T->most_in = UINT64_MAX;
    return false;
}

/* An edge from u, whose key is `from`, offers `key` to v, which is no worse
 * than v's. */
HY_INLINE void tree_accept(struct live_tree *T, struct tree_how how, hy_vid u,
                           uint64_t from, hy_vid v, uint64_t key)
{
    const uint64_t now = tree_key(T, how, v);
    const uint32_t rank = key == from ? tree_rank(T, how, u) + 1 : 0;
    if (key == now) {
        const uint32_t rank_now = tree_rank(T, how, v);
        if (key == tree_none(how) || rank > rank_now)
            return;
        if (rank == rank_now) {
            if (u < T->L->parents[v])
                T->L->parents[v] = u;
            return;
        }
    }
    T->reached += now == tree_none(how);
    tree_set(T, how, v, key, rank);
    T->L->parents[v] = u;
    tree_put(T, how, v, key, rank);
}

HY_INLINE void tree_relax(struct live_tree *T, struct tree_how how, hy_vid u,
                          uint64_t from, hy_vid v, const char *w)
{
    const uint64_t key = tree_over(how, from, w);
    if (HY_UNLIKELY(key <= tree_key(T, how, v)))
        tree_accept(T, how, u, from, v, key);
}

/* Asks for the values at both ends of an edge, and later for what an edge
 * that changes something will change. */
HY_INLINE void tree_ask_ends(const struct live_tree *T, struct tree_how how,
                             hy_edge e)
{
    tree_ask(T, how, e.u);
    tree_ask(T, how, e.v);
}

HY_INLINE void tree_ask_end(const struct live_tree *T, struct tree_how how,
                            uint64_t from, hy_vid v, const char *w)
{
    const uint64_t key = tree_over(how, from, w);
    if (HY_LIKELY(key > tree_key(T, how, v)))
        return;
    HY_PREFETCH_WRITE(&T->L->parents[v]);
    if (key < tree_key(T, how, v))
        HY_PREFETCH_WRITE(&T->L->stamp[v]);
}

/* The edge was not there before, or was longer: it counts for one end if the
 * other lost its value. */
HY_INLINE void tree_mark_ends(struct live_tree *T, hy_edge e, bool is_both)
{
    if (bits_has(T->cut, e.u))
        bits_add(T->cut, e.v);
    else if (is_both && bits_has(T->cut, e.v))
        bits_add(T->cut, e.u);
}

/* True: it cost too much, and all has been computed anew. */
HY_INLINE bool tree_insert(struct live_tree *T, struct tree_how how,
                           const hy_edge_list *edges)
{
    const bool is_both = view_is_undirected(T->W.V);
    for (uint64_t i = 0; i < edges->n + TREE_AHEAD; i++) {
        if (i < edges->n)
            tree_ask_ends(T, how, edges->at[i]);
        if (i >= TREE_AHEAD / 2 && i - TREE_AHEAD / 2 < edges->n) {
            const hy_edge e = edges->at[i - TREE_AHEAD / 2];
            const char *const w = tree_weight(T, edges, i - TREE_AHEAD / 2);
            tree_ask_end(T, how, tree_key(T, how, e.u), e.v, w);
            if (is_both)
                tree_ask_end(T, how, tree_key(T, how, e.v), e.u, w);
        }
        if (i < TREE_AHEAD)
            continue;
        const hy_edge e = edges->at[i - TREE_AHEAD];
        const char *const w = tree_weight(T, edges, i - TREE_AHEAD);
        tree_relax(T, how, e.u, tree_key(T, how, e.u), e.v, w);
        if (is_both)
            tree_relax(T, how, e.v, tree_key(T, how, e.v), e.u, w);
        if (T->has_cut)
            tree_mark_ends(T, e, is_both);
        if (HY_UNLIKELY(T->work > T->most_in) && !tree_inserts_on(T) &&
            tree_is_given_up(T))
            return true;
    }
    return false;
}

HY_INLINE bool tree_insert_all(struct live_tree *T, struct tree_how how,
                               const hy_delta *delta)
{
    const hy_vid s = T->source;
    if (tree_key(T, how, s) == tree_none(how)) {
        tree_set(T, how, s, 0, 0);
        T->L->parents[s] = s;
        T->reached++;
        tree_put(T, how, s, 0, 0);
    }
    return tree_insert(T, how, &delta->inserted) ||
           (!how.is_hops && tree_insert(T, how, &delta->updated));
}

/* Relaxes the edges of v; only those to vertices of the set, if asked to. */
HY_INLINE void tree_spread(struct live_tree *T, struct tree_how how,
                           const struct tree_entry *e, bool is_to_cut)
{
    view_for_out (s, T->W.V, e->v) {
        const hy_span here = s;
        const char *const w = algo_weights_at(&T->W, &here);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid x = s.v[(size_t)i * s.step];
            if (!is_to_cut || HY_UNLIKELY(bits_has(T->cut, x)))
                tree_relax(T, how, e->v, e->key, x, w + (size_t)i * how.step);
        }
        T->work += is_to_cut ? s.n / 4 : s.n;
    }
}

HY_INLINE void tree_settle(struct live_tree *T, struct tree_how how,
                           const struct tree_entry *e)
{
    if (tree_is_stale(T, how, e))
        return;
    if (tree_has_risen(T, how, e->v, e->key))
        tree_spread(T, how, e, true);
    else
        tree_spread(T, how, e, false);
}

/* What settling is to come to, before it begins. */
HY_INLINE void tree_foresee_all(struct live_tree *T, struct tree_how how)
{
    const struct tree_queue *const Q = &T->queue;
    uint64_t n = 0;
    if (!how.is_hops)
        return;
    for (size_t i = 0; i < Q->n; i++)
        if (!tree_has_risen(T, how, Q->at[i].v, Q->at[i].key))
            n += tree_below(T, how, Q->at[i].v, Q->at[i].key);
    for (uint32_t i = Q->lo; i < Q->hi; i++)
        if (!tree_has_risen(T, how, Q->run[i].v, Q->run[i].key))
            n += tree_below(T, how, Q->run[i].v, Q->run[i].key);
    tree_foresee(T, n, 1);
}

/* ---- all of it ------------------------------------------------------------
 */

/* Whether the repair has cost too much, and all has been computed anew. */
HY_INLINE bool tree_has_ended(struct live_tree *T)
{
    return HY_UNLIKELY(T->work > T->most) && !tree_goes_on(T) &&
           tree_is_given_up(T);
}

HY_INLINE void tree_repair(struct live_tree *T, struct tree_how how,
                           const hy_delta *delta)
{
    if (T->work > T->most_in && tree_recompute(T, "many edges changed"))
        return;
    live_say(T->L, HY_LIVE_REPAIRED, "from the edges that changed");
    tree_doubt_all(T, how, delta);
    tree_begin_phase(T);
    while (!tree_queue_is_empty(&T->queue)) {
        const struct tree_entry e = tree_pop(T, how);
        tree_trim(T, how, &e);
        if (tree_has_ended(T))
            return;
    }
    tree_reattach(T, how);
    if (tree_insert_all(T, how, delta))
        return;
    tree_begin_phase(T);
    tree_foresee_all(T, how);
    while (!tree_queue_is_empty(&T->queue)) {
        const struct tree_entry e = tree_pop(T, how);
        tree_settle(T, how, &e);
        if (tree_has_ended(T))
            return;
    }
    tree_end(T);
}

/* The invariant. */
HY_INLINE hy_status tree_check(struct live_tree *T, struct tree_how how)
{
    if (!(T->anew > 0 && T->each > 0 && isfinite(T->anew) && isfinite(T->each)))
        return base_fail(HY_EBUG, "%s: what an edge takes is unknown",
                         T->L->kind->name);
    for (hy_vid v = 0; v < T->W.V->bound; v++) {
        struct tree_offer want = tree_pull(T, how, v, 0, 0);
        if (v == T->source)
            want = (struct tree_offer){ .u = v };
        if (want.key != tree_key(T, how, v) ||
            want.rank != tree_rank(T, how, v) || want.u != T->L->parents[v])
            return base_fail(HY_EBUG, "%s: %u hangs from %u, not from %u",
                             T->L->kind->name, (unsigned)v, (unsigned)want.u,
                             (unsigned)T->L->parents[v]);
    }
    return HY_OK;
}

#endif
