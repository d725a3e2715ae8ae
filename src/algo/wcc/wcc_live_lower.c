/* Vertices that lose their parent's edge, and those of them whose place in the
 * forest is found without a search: all at once, each on its own.
 *
 *   LowerAll(deleted)
 *     1 Collect   the vertices that lose their parent's edge
 *     2 Lower     parent(v) <- any neighbour of a lower level; if none,
 *     3 Alone     v is a component of its own, if it has no neighbours;
 *     4 Leaf      v hangs under its lowest neighbour, and is raised above it,
 *                 if nobody hangs under v;
 *     5 Left      or v is left for a search (wcc_live_cut.c)
 *
 * Until they are dealt with vertices keep their parents: the forest is one of
 * the view and the edges by which those that are left have theirs.
 *
 * Lower.  No level changes, so that (1) of wcc_live.h holds whatever parents
 * are taken, in any order.  Who finds none has none later: levels only grow.
 *
 * Alone.  Whoever hangs under v lost the edge to it as well.  If it is not
 * alone v must stay for it, as a place where the search begins; and who is
 * above v must stay for v.  So must those whose number is taken, and the
 * smallest of a component.
 *
 * Leaf.  The new parent is none of those that step 2 left over.  Nobody hangs
 * under a leaf, so that there is no other leaf on the way to the root.
 */
#include "algo/wcc/wcc_live.h"

#include "algo/common/list.h"
#include "base/random.h"

enum {
    /* marks */
    IS_ALONE = 1,
    IS_OVER = 2, /* it has neighbours, but none that is lower */
    IS_USED = 4, /* somebody who is over hangs under it */

    /* Costs, in looks of a search: bench live, kron, urand, grid. */
    CUT = 2,    /* a vertex that lost its parent's edge */
    SHARED = 3, /* looks of steps on all threads, asked for ahead */
    LEAVE = 4,  /* a vertex that gets alone, on all threads */
    OVER = 18,  /* one with neighbours of which none is lower, at first */

    DRAWS = 256, /* edges that many are judged by, and of more one in as many,
                  * up to: */
    DRAWS_MOST = 1 << 12,
    TALL = 100, /* steps to the root */
    FALLS = 4,  /* lost parents on the way to the root that make a tree fall
                 * to pieces */
    AHEAD = 12, /* edges whose ends are asked for before they are read */
    GRAIN_EDGES = 1 << 14,
    GRAIN = 1 << 10,
};

struct lowering {
    struct wcc_live *W;
    const hy_edge *deleted;
    struct algo_list gone; /* vertices that lose their parent's edge */
    struct algo_list alone, over;
    struct algo_list left;
};

/* ---- 1 ---------------------------------------------------------------------
 */

/* The end of e that has its parent by it, or HY_NONE; a loop has none. */
static hy_vid child_of(const struct wcc_live *W, hy_edge e)
{
    if (W->node[e.v].parent == e.u)
        return e.v;
    return W->node[e.u].parent == e.v ? e.u : HY_NONE;
}

/* Directed edges both ways name a vertex twice. */
static bool is_first(struct wcc_live *W, hy_vid v)
{
    const uint32_t seen = W->stamp << WCC_BITS;
    return view_is_undirected(W->V) ||
           atomic_swap_u32(&W->mark[v], seen) != seen;
}

/* Lists; marks may be written twice. */
static void collect_par(void *arg, size_t lo, size_t hi)
{
    struct lowering *const S = arg;
    struct wcc_live *const W = S->W;
    struct algo_puts gone = { .to = &S->gone };
    for (size_t i = lo; i < hi; i++) {
        if (i + AHEAD < hi) {
            HY_PREFETCH(&W->node[S->deleted[i + AHEAD].u]);
            HY_PREFETCH(&W->node[S->deleted[i + AHEAD].v]);
        }
        const hy_vid v = child_of(W, S->deleted[i]);
        if (v != HY_NONE && is_first(W, v))
            algo_put(&gone, v);
    }
    algo_puts_flush(&gone);
}

/* ---- 2 ---------------------------------------------------------------------
 */

/* It can have its own number, and its component's smallest vertex stays. */
static bool can_be_alone(const struct wcc_live *W, hy_vid v)
{
    return near_degree(W->V, v) == 0 && W->group[W->comp[v]].min != v &&
           wcc_is_free(W, v);
}

/* Writes parents and marks of its range, and reads levels, which nobody
 * writes. */
static void lower_par(void *arg, size_t lo, size_t hi)
{
    struct lowering *const S = arg;
    struct wcc_live *const W = S->W;
    struct algo_puts over = { .to = &S->over }, alone = { .to = &S->alone };
    uint64_t work = (hi - lo) * CUT;
    if (atomic_peek_u64(&W->work) > W->budget)
        return;
    for (size_t i = lo; i < hi; i++) {
        wcc_ask_cut(W, S->gone.at, i, hi);
        const hy_vid v = S->gone.at[i], w = wcc_lower(W, v, &work);
        if (w != HY_NONE) {
            W->node[v].parent = w;
        } else if (can_be_alone(W, v)) {
            W->mark[v] = W->stamp << WCC_BITS | IS_ALONE;
            algo_put(&alone, v);
        } else {
            W->mark[v] = W->stamp << WCC_BITS | IS_OVER;
            algo_put(&over, v);
        }
    }
    algo_puts_flush(&over);
    algo_puts_flush(&alone);
    (void)atomic_add_u64(&W->work, work / SHARED);
}

/* Marks those that somebody who is over hangs under and, while these are
 * alone, those above. */
static void mark_used(struct wcc_live *W, const struct algo_list *over)
{
    for (uint64_t i = 0; i < over->n; i++) {
        hy_vid p = W->node[over->at[i]].parent;
        unsigned k;
        do {
            k = wcc_known(W, p);
            W->mark[p] = W->stamp << WCC_BITS | k | IS_USED;
            p = W->node[p].parent;
        } while (k == IS_ALONE);
    }
}

/* ---- 3 ---------------------------------------------------------------------
 */

/* Takes n vertices from component c, which other threads take from too. */
static void take_from(struct wcc_live *W, hy_vid c, uint32_t n)
{
    if (n)
        (void)atomic_add_u32(&W->group[c].size, 0u - n);
}

static void be_alone(struct wcc_live *W, hy_vid v)
{
    live_note_par(W->L, v);
    ((hy_vid *)W->L->values)[v] = v;
    W->node[v].parent = HY_NONE;
    W->comp[v] = v;
    wcc_group_set(W, v, 1, v);
}

/* Writes all about the vertices of its range, and about their numbers. */
static void alone_par(void *arg, size_t lo, size_t hi)
{
    struct lowering *const S = arg;
    struct wcc_live *const W = S->W;
    struct algo_puts left = { .to = &S->left };
    uint64_t made = 0;
    uint32_t n = 0;
    hy_vid last = HY_NONE;
    for (size_t i = lo; i < hi; i++) {
        if (i + AHEAD < hi) {
            HY_PREFETCH(&W->mark[S->alone.at[i + AHEAD]]);
            HY_PREFETCH(&W->group[S->alone.at[i + AHEAD]]);
            wcc_ask_value(W, S->alone.at[i + AHEAD]);
        }
        const hy_vid v = S->alone.at[i], c = W->comp[v];
        if (wcc_known(W, v) & IS_USED) {
            algo_put(&left, v);
            continue;
        }
        if (c != last) {
            take_from(W, last, n);
            last = c;
            n = 0;
        }
        n++;
        made++;
        be_alone(W, v);
    }
    take_from(W, last, n);
    algo_puts_flush(&left);
    (void)atomic_add_u64(&W->components, made);
    (void)atomic_add_u64(&W->work, made * LEAVE);
}

/* ---- 4 ---------------------------------------------------------------------
 */

/* The lowest neighbour of v that is not over; HY_NONE: there is none, or
 * somebody hangs under v.  Parents of others may change meanwhile, but not to
 * v or from it. */
static hy_vid place_of_leaf(const struct wcc_live *W, hy_vid v, uint64_t *work)
{
    const hy_vid c = W->comp[v];
    hy_vid best = HY_NONE;
    uint32_t level = UINT32_MAX;
    if (wcc_known(W, v) & IS_USED)
        return HY_NONE;
    near_for(s, W->V, v) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        ++*work;
        if (atomic_peek_u32(&W->node[w].parent) == v)
            return HY_NONE;
        if (atomic_peek_u32(&W->node[w].level) >= level || W->comp[w] != c ||
            wcc_known(W, w) & IS_OVER)
            continue;
        best = w;
        level = atomic_peek_u32(&W->node[w].level);
    }
    return best;
}

/* Writes parents and levels of its range. */
static void leaf_par(void *arg, size_t lo, size_t hi)
{
    struct lowering *const S = arg;
    struct wcc_live *const W = S->W;
    struct algo_puts left = { .to = &S->left };
    uint64_t work = (hi - lo) * CUT;
    for (size_t i = lo; i < hi; i++) {
        wcc_ask_cut(W, S->over.at, i, hi);
        const hy_vid v = S->over.at[i], w = place_of_leaf(W, v, &work);
        if (w == HY_NONE || W->node[w].level >= WCC_HIGH) {
            algo_put(&left, v);
            continue;
        }
        atomic_put_u32(&W->node[v].parent, w);
        atomic_put_u32(&W->node[v].level, W->node[w].level + 1);
    }
    algo_puts_flush(&left);
    (void)atomic_add_u64(&W->work, work / SHARED);
}

/* ---- is it worth it --------------------------------------------------------
 */

/* Mean steps from some vertices to their roots, DEEP at most. */
static uint64_t depth(const struct wcc_live *W)
{
    enum { WALKS = 32, DEEP = 512 };
    uint64_t steps = 0;
    for (uint64_t i = 0; i < WALKS; i++) {
        hy_vid u = (hy_vid)base_random_below(base_random_at(1, i), W->V->bound);
        uint32_t k = 0;
        for (; W->node[u].parent != HY_NONE && k < DEEP; k++)
            u = W->node[u].parent;
        steps += k;
    }
    return steps / WALKS;
}

/* What all steps and the searches after them will cost, by some edges. */
static uint64_t expected(struct wcc_live *W, const hy_edge_list *deleted)
{
    uint64_t draws = deleted->n / DRAWS;
    draws = draws < DRAWS ? DRAWS : draws < DRAWS_MOST ? draws : DRAWS_MOST;
    const uint64_t step = deleted->n / draws;
    uint64_t work = 0, roots = 0, apart = 0, alone = 0;
    for (uint64_t i = 0; i < draws && work < W->whole; i++) {
        const uint64_t at = base_random_below(base_random_at(1, i), step);
        const hy_vid v = child_of(W, deleted->at[i * step + at]);
        if (v == HY_NONE)
            continue;
        work += CUT;
        roots++;
        if (wcc_lower(W, v, &work) != HY_NONE)
            continue;
        if (near_degree(W->V, v))
            apart++;
        else
            alone++;
    }
    W->roots = roots * step;
    const uint64_t far = depth(W);
    W->is_tall = far > TALL;
    W->is_falling = apart * step * far > FALLS * W->V->bound;
    return (work / SHARED + alone * LEAVE + apart * W->over_cost) * step;
}

/* Whether the cost is worth it; it is in the budget then.  Where it cannot
 * come to much nobody asks. */
static bool is_worth(struct wcc_live *W, const hy_edge_list *deleted)
{
    if (deleted->n < 2 * DRAWS || deleted->n < W->budget / CUT / 4)
        return true;
    const uint64_t cost = expected(W, deleted);
    W->budget += cost;
    if (W->work + cost < W->whole / 8 * 5)
        return true;
    W->over_cost -= W->over_cost / 8; /* to be tried again, in time */
    return false;
}

/* ---- the whole -------------------------------------------------------------
 */

bool wcc_lower_all(struct wcc_live *W, const hy_edge_list *deleted)
{
    hy_ctx *const ctx = W->L->ctx;
    hy_vid *const room = (hy_vid *)(void *)W->sorting; /* 2 for each edge */
    struct lowering S = { .W = W,
                          .deleted = deleted->at,
                          .gone.at = W->queue[0],
                          .alone.at = room,
                          .over.at = room + W->edges,
                          .left.at = W->late };
    W->n_cut = W->n_over = W->roots = 0;
    W->is_tall = W->is_falling = false;
    if (W->over_cost < OVER)
        W->over_cost = OVER;
    if (deleted->n == 0)
        return true;
    if (!is_worth(W, deleted))
        return false;
    wcc_new_stamp(W);
    par_for(ctx, deleted->n, GRAIN_EDGES, collect_par, &S);
    wcc_new_stamp(W);
    par_for(ctx, S.gone.n, GRAIN, lower_par, &S);
    if (!wcc_spend(W, 0))
        return false;
    mark_used(W, &S.over);
    par_for(ctx, S.alone.n, GRAIN, alone_par, &S);
    par_for(ctx, S.over.n, GRAIN, leaf_par, &S);
    W->n_cut = S.left.n;
    W->n_over = S.over.n;
    for (uint64_t i = 0; i < S.left.n; i++) {
        const hy_vid v = S.left.at[i];
        W->cut[i] = (uint64_t)W->node[v].level << 32 | v;
    }
    return wcc_spend(W, 0);
}
