/* Deleted edges taken out of the spanning forest.
 *
 *   CutAll(deleted)
 *     1 Lower      the vertices that lose their parent's edge find another
 *                  place, but for some (wcc_live_lower.c)
 *     2 for each v of these, by falling level
 *     3   Search     an edge from v's subtree to the rest of its component;
 *                    in turns with a walk over the rest, which may be smaller,
 *                    or meet the subtree first
 *     4   Hang       by that edge: the path from it up to v turns around
 *     5   Settle     children whose parents were raised
 *     6   or Split   the side that was walked through is a component
 *
 * One edge at a time: while v is cut, the graph is the view and the edges by
 * which vertices still to come have their parents.  The forest is one of that
 * graph, with (1) of wcc_live.h.  As deeper vertices come first, none of those
 * to come is in v's subtree, whose levels are above v's: all edges of the
 * subtree are the view's.  No neighbour of v is lower.
 *
 *   Search  w is in the subtree if its parents lead to v.  They are followed
 *           until the level is no more than v's, or somebody known is met.
 *           The walk over the rest begins outside and enters the subtree by
 *           an edge of the view: parents of those outside, and vertices to
 *           come, are outside as well.  It does not ask who is inside until it
 *           meets somebody who is known to be.
 *   Hang    t of the subtree, w not.  t, …, v hang under w, each under the
 *           one before, and are raised where (1) asks for it.  To raise t, who
 *           may have many children, costs more than to ask all its neighbours
 *           for one outside that is lower.
 *   Settle  in the order of levels.  Let x be the lowest child that is not
 *           above its parent.  Whoever is lower than x has parents by (1) all
 *           the way, so not through x, and can be x's parent; if nobody is,
 *           x is raised above its parent.  No vertex is raised twice: those
 *           under which somebody was put are settled for good.
 *   Split   The subtree has levels by (1) and v for a root; the rest has its
 *           own.  No level changes.
 *
 * The levels of Even and Shiloach (J. ACM 1981) are distances, so that they
 * fall with insertions, and deletions raise many; these only have to fall
 * towards the root.
 */
#include "algo/wcc/wcc_live.h"

#include "base/bits.h"
#include "par/par.h"

enum {
    QUEUED = 1,  /* of the subtree, and in its queue */
    INSIDE = 2,  /* of the subtree */
    OUTSIDE = 4, /* not of the subtree */
    BEYOND = 8,  /* in the queue of the rest */
    SEEN = QUEUED,
    AHEAD = 12,  /* edges whose ends are asked for before they are read */
    ALONE = 64,  /* neighbours looked at before the rest is walked too */
    TURN = 64,   /* neighbours looked at in turn */
    SEARCH = 16, /* looks that a search costs besides its own */
    FEW = 24,    /* cuts that are sorted in place */
    MANY = 256,  /* vertices that tell what others will cost */
};

/* ---- marks -----------------------------------------------------------------
 */

static void mark(struct wcc_live *W, hy_vid v, unsigned what)
{
    W->mark[v] = W->stamp << WCC_BITS | wcc_known(W, v) | what;
}

/* ---- 2 ---------------------------------------------------------------------
 */

static void sort_keys(struct wcc_live *W, uint64_t **key, uint64_t n)
{
    uint64_t *const at = *key;
    if (n > FEW) {
        struct par_keys keys = { .key = at,
                                 .key_tmp = W->sorting,
                                 .n = n,
                                 .high_bits = 32,
                                 .low_bits = bits_width(W->V->bound) };
        par_sort(W->L->ctx, &keys);
        *key = keys.key;
        W->sorting = keys.key_tmp;
        return;
    }
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t x = at[i];
        uint64_t j = i;
        for (; j > 0 && at[j - 1] > x; j--)
            at[j] = at[j - 1];
        at[j] = x;
    }
}

/* ---- 3 ---------------------------------------------------------------------
 */

/* A walk over one side, which can be left and taken up again. */
struct walk {
    hy_vid *queue;
    uint32_t head, n;
    struct near near; /* of the vertex before head */
    bool is_open;     /* near has more */
};

enum found { NOTHING_YET, ALL_SEEN, EDGE };

struct search {
    hy_vid v, c;
    uint32_t level; /* of v */
    struct walk under, rest;
    hy_vid from, to; /* EDGE: from the subtree to the rest */
};

/* Parents of w, same component, do not lead to v. */
static bool is_outside(struct wcc_live *W, const struct search *S, hy_vid w)
{
    hy_vid x = w;
    unsigned k;
    while (!((k = wcc_known(W, x)) & (QUEUED | INSIDE | OUTSIDE)) &&
           W->node[x].level > S->level) {
        x = W->node[x].parent;
        W->work++;
    }
    const bool is_out = !(k & (QUEUED | INSIDE));
    while (w != x) {
        mark(W, w, is_out ? OUTSIDE : INSIDE);
        w = W->node[w].parent;
    }
    return is_out;
}

static void enter(struct wcc_live *W, struct walk *walk, hy_vid v,
                  unsigned what)
{
    if (wcc_known(W, v) & what)
        return;
    mark(W, v, what);
    walk->queue[walk->n++] = v;
}

/* The next vertex of the queue; false if there is none. */
static bool open_next(const hy_view *V, struct walk *walk)
{
    if (walk->is_open)
        return true;
    if (walk->head == walk->n)
        return false;
    walk->near = near_begin(V, walk->queue[walk->head++]);
    walk->is_open = true;
    return true;
}

/* Looks at some neighbours of the subtree. */
static enum found walk_under(struct wcc_live *W, struct search *S, uint32_t k)
{
    struct walk *const walk = &S->under;
    for (; k > 0 && open_next(W->V, walk); k--) {
        hy_vid w;
        walk->is_open = near_next(W->V, &walk->near, &w);
        W->work++;
        if (!walk->is_open || W->comp[w] != S->c)
            continue;
        const hy_vid t = walk->near.u;
        if (W->node[w].parent == t) {
            enter(W, walk, w, QUEUED);
        } else if (is_outside(W, S, w)) {
            S->from = t;
            S->to = w;
            return EDGE;
        }
    }
    return walk->is_open || walk->head < walk->n ? NOTHING_YET : ALL_SEEN;
}

/* The vertices still to be cut whose parent is u: edges that the view does
 * not have any more. */
static void enter_to_come(struct wcc_live *W, struct search *S, hy_vid u)
{
    uint64_t lo = 0, hi = W->n_by_parent;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (W->by_parent[mid] >> 32 < u)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < W->n_by_parent && W->by_parent[lo] >> 32 == u; lo++) {
        const hy_vid x = (hy_vid)W->by_parent[lo];
        if (W->node[x].parent == u)
            enter(W, &S->rest, x, BEYOND);
    }
    W->work++;
}

/* Looks at some neighbours of the rest. */
static enum found walk_rest(struct wcc_live *W, struct search *S, uint32_t k)
{
    struct walk *const walk = &S->rest;
    for (; k > 0; k--) {
        const bool is_new = !walk->is_open;
        hy_vid w;
        if (!open_next(W->V, walk))
            return ALL_SEEN;
        const hy_vid u = walk->near.u;
        if (is_new && W->node[u].parent != HY_NONE)
            enter(W, walk, W->node[u].parent, BEYOND);
        if (is_new)
            enter_to_come(W, S, u);
        walk->is_open = near_next(W->V, &walk->near, &w);
        W->work++;
        if (!walk->is_open || W->comp[w] != S->c)
            continue;
        if (wcc_known(W, w) & (QUEUED | INSIDE)) {
            S->from = w;
            S->to = u;
            return EDGE;
        }
        enter(W, walk, w, BEYOND);
    }
    return NOTHING_YET;
}

/* Somebody outside next to x, or HY_NONE. */
static hy_vid next_outside(struct wcc_live *W, hy_vid x)
{
    near_for(s, W->V, x) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        W->work++;
        if (wcc_known(W, w) & OUTSIDE)
            return w;
    }
    return HY_NONE;
}

/* The walk over the rest met S->from of the subtree, by S->to: the edge by
 * which it went inside.  That leads to the first of its queue who is inside,
 * from one before; if nobody is, it is this one.  False: too much work. */
static bool find_entry(struct wcc_live *W, struct search *S)
{
    for (uint32_t i = 0; i < S->rest.n; i++) {
        const hy_vid x = S->rest.queue[i];
        if (!is_outside(W, S, x)) {
            S->from = x;
            S->to = next_outside(W, x);
            return S->to != HY_NONE;
        }
        mark(W, x, OUTSIDE);
        if (!wcc_spend(W, 1))
            return false;
    }
    return true;
}

/* Those that come after the i-th cut, by their parents. */
static void sort_by_parent(struct wcc_live *W, uint64_t i)
{
    W->n_by_parent = 0;
    W->has_by_parent = true;
    for (uint64_t j = 0; j < i; j++) {
        const hy_vid x = (hy_vid)W->cut[j];
        W->by_parent[W->n_by_parent++] = (uint64_t)W->node[x].parent << 32 | x;
    }
    W->work += i;
    sort_keys(W, &W->by_parent, W->n_by_parent);
}

/* ---- 4, 5 ------------------------------------------------------------------
 */

static void heap_put(uint64_t *heap, size_t *n, uint64_t x)
{
    size_t i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2] > x; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}

static uint64_t heap_take(uint64_t *heap, size_t *n)
{
    const uint64_t top = heap[0], x = heap[--*n];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < *n; i = k) {
        k += k + 1 < *n && heap[k + 1] < heap[k];
        if (heap[k] >= x)
            break;
        heap[i] = heap[k];
    }
    heap[i] = x;
    return top;
}

/* Puts v above its parent; its children may have to follow. */
static void raise(struct wcc_live *W, hy_vid v, size_t *n)
{
    const uint32_t level = wcc_level_under(W, W->node[v].parent);
    W->node[v].level = level;
    near_for(s, W->V, v) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid x = s.v[i * s.step];
        W->work++;
        if (W->node[x].parent != v || W->node[x].level > level ||
            wcc_known(W, x) & SEEN)
            continue;
        mark(W, x, SEEN);
        heap_put(W->heap, n, (uint64_t)W->node[x].level << 32 | x);
    }
}

/* Another edge of the same vertex, by which it need not be raised. */
static void look_lower(struct wcc_live *W, struct search *S)
{
    const uint32_t level = W->node[S->from].level;
    if (W->node[S->to].level < level)
        return;
    near_for(s, W->V, S->from) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        W->work++;
        if (W->node[w].level < level && W->comp[w] == S->c &&
            is_outside(W, S, w)) {
            S->to = w;
            return;
        }
    }
}

static size_t hang(struct wcc_live *W, const struct search *S)
{
    size_t n = 0;
    hy_vid above = S->to;
    wcc_new_stamp(W);
    for (hy_vid x = S->from, next; x != HY_NONE; x = next) {
        next = x == S->v ? HY_NONE : W->node[x].parent;
        W->node[x].parent = above;
        if (W->node[x].level <= W->node[above].level)
            raise(W, x, &n);
        above = x;
    }
    return n;
}

/* Lets go of those that are not above their parents. */
static void lose_rest(struct wcc_live *W, size_t n)
{
    for (size_t i = 0; i < n; i++)
        W->node[(hy_vid)W->heap[i]].parent = HY_NONE;
}

static bool settle(struct wcc_live *W, size_t n)
{
    while (n > 0) {
        const hy_vid x = (hy_vid)heap_take(W->heap, &n);
        const hy_vid w = wcc_lower(W, x, &W->work);
        if (w != HY_NONE)
            W->node[x].parent = w;
        else
            raise(W, x, &n);
        if (!wcc_spend(W, 1)) {
            lose_rest(W, n);
            return false;
        }
    }
    return true;
}

/* ---- the whole -------------------------------------------------------------
 */

/* Walks in turns until one of the sides is done, or an edge found. */
static enum found search(struct wcc_live *W, struct search *S, uint64_t i,
                         bool *is_rest)
{
    enum found found = walk_under(W, S, ALONE);
    *is_rest = false;
    if (found == NOTHING_YET && !W->has_by_parent)
        sort_by_parent(W, i);
    while (found == NOTHING_YET && wcc_spend(W, 0)) {
        found = walk_rest(W, S, TURN);
        *is_rest = found == ALL_SEEN;
        if (found == EDGE)
            return find_entry(W, S) ? EDGE : NOTHING_YET;
        if (found == NOTHING_YET)
            found = walk_under(W, S, TURN);
    }
    return found;
}

/* v, the i-th, has lost its parent u; those before come later. */
static bool replace(struct wcc_live *W, hy_vid v, hy_vid u, uint64_t i)
{
    struct search S = { .v = v,
                        .c = W->comp[v],
                        .level = W->node[v].level,
                        .under.queue = W->queue[0],
                        .rest.queue = W->queue[1] };
    bool is_rest;
    wcc_new_stamp(W);
    W->node[v].parent = HY_NONE;
    enter(W, &S.under, v, QUEUED);
    enter(W, &S.rest, u, BEYOND);
    switch (search(W, &S, i, &is_rest)) {
    case EDGE:
        look_lower(W, &S);
        return settle(W, hang(W, &S)) && wcc_spend(W, 0);
    case ALL_SEEN:
        if (is_rest)
            wcc_split(W, S.c, S.rest.queue, S.rest.n, v);
        else
            wcc_split(W, S.c, S.under.queue, S.under.n, u);
        return wcc_spend(W, WCC_RENAME * (is_rest ? S.rest.n : S.under.n));
    default:
        return false;
    }
}

static void ask_ahead(const struct wcc_live *W, uint64_t i)
{
    if (i >= 2 * AHEAD)
        view_prefetch_slot(W->V, (hy_vid)W->cut[i - 2 * AHEAD]);
    if (i < AHEAD)
        return;
    const hy_vid v = (hy_vid)W->cut[i - AHEAD];
    view_prefetch_out(W->V, v);
    HY_PREFETCH(&W->comp[v]);
    HY_PREFETCH(&W->node[v]);
    HY_PREFETCH(&W->mark[v]);
}

/* What came of it, if all were as those that have been dealt with.  The last
 * ones cost more. */
static void learn(struct wcc_live *W, uint64_t left)
{
    const uint64_t cost = W->work - W->before, done = W->n_cut - left;
    if (W->n_over < MANY)
        return;
    W->over_cost = cost / W->n_over;
    if (left)
        W->over_cost = 2 * (cost * W->n_cut / (done + 1)) / W->n_over;
}

/* Those of `left`, one by one. */
static bool replace_all(struct wcc_live *W, uint64_t *left)
{
    sort_keys(W, &W->cut, W->n_cut);
    wcc_begin_step(W);
    /* The last ones have the largest trees, and cost more than those before:
     * much more where trees are low, which are soon mended. */
    const unsigned eighths = W->is_tall ? 6 : 3;
    for (uint64_t i = W->n_cut; i-- > 0;) {
        const hy_vid v = (hy_vid)W->cut[i], u = W->node[v].parent;
        ask_ahead(W, i);
        W->work += SEARCH;
        *left = i;
        if (!replace(W, v, u, i) ||
            !wcc_go_on(W, W->n_cut - i, W->n_cut, eighths))
            return false;
    }
    return true;
}

bool wcc_cut_all(struct wcc_live *W, const hy_edge_list *deleted)
{
    W->has_by_parent = false;
    if (!wcc_lower_all(W, deleted))
        return false;
    if (W->n_cut == 0)
        return true;
    if (W->work + W->n_cut * SEARCH > W->whole)
        return false;
    uint64_t left = W->n_cut;
    const bool is_done = replace_all(W, &left);
    learn(W, left);
    return is_done;
}
