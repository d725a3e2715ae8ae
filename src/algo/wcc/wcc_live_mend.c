/* A spanning forest with levels, from what a commit has left of one.
 *
 *   Mend(delta)
 *     1 Lose      vertices that had their parents by deleted edges are roots,
 *                 and so are those that came
 *     2 Begin     roots that have edges are listed
 *     3 Lower     a root hangs under any neighbour of a lower level
 *     4 Leaf      or, if nobody hangs under it, under its lowest neighbour that
 *                 is no root, and is raised above it
 *     5 Trees     by their roots' names; c <- one that many vertices are in
 *     6 Hang      a root under a neighbour in c, or in a tree that hangs in c;
 *                 all levels of its tree are raised by as much
 *     7 Units     of what hangs together; Seed; others <- vertices not in c
 *     8 Join      units, by edges of the others (wcc_live_hook.c)
 *
 * Levels fall towards the root in all trees of before, and so they do when
 * roots are hung under lower vertices of whatever tree: there are no circles,
 * and nobody needs to know who is in which.  Those that find none are the
 * lowest of large trees, which hang as they are.  Edges are read at roots
 * alone, and by those that are not in c in the end.
 *
 * Wherever a repair gives up, it leaves trees with (1) of wcc_live.h, by edges
 * of the view or deleted ones.  What it knew of components is void.
 */
#include "algo/wcc/wcc_live_forest.h"

enum { HANGS = 2 }; /* rounds; c has most vertices after the first */

/* ---- 1 ---------------------------------------------------------------------
 */

struct losing {
    struct wcc_live *W;
    const hy_edge *deleted;
};

/* Writes parents; the same one may be written twice. */
static void lose_par(void *arg, size_t lo, size_t hi)
{
    enum { AHEAD = 12 };
    const struct losing *const S = arg;
    struct wcc_node *const node = S->W->node;
    for (size_t i = lo; i < hi; i++) {
        if (i + AHEAD < hi) {
            HY_PREFETCH(&node[S->deleted[i + AHEAD].u]);
            HY_PREFETCH(&node[S->deleted[i + AHEAD].v]);
        }
        const hy_edge e = S->deleted[i];
        if (atomic_peek_u32(&node[e.v].parent) == e.u)
            atomic_put_u32(&node[e.v].parent, HY_NONE);
        if (atomic_peek_u32(&node[e.u].parent) == e.v)
            atomic_put_u32(&node[e.u].parent, HY_NONE);
    }
}

static void lose(struct wcc_live *W, const hy_delta *delta)
{
    enum { GRAIN = 1 << 14 };
    struct losing S = { .W = W, .deleted = delta->deleted.at };
    const hy_vid_list *const came = &delta->vertices_inserted;
    par_for(W->L->ctx, delta->deleted.n, GRAIN, lose_par, &S);
    for (uint64_t i = 0; i < came->n; i++)
        if (W->comp[came->at[i]] == HY_NONE)
            W->node[came->at[i]] = wcc_node_new(came->at[i]);
}

/* ---- 2 ---------------------------------------------------------------------
 */

/* Writes units of its range: of a vertex under another that one, for now; and
 * p of roots. */
static void begin_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts puts = { .to = &F->roots };
    for (hy_vid u = (hy_vid)lo; u < hi; u++) {
        const hy_vid p = F->node[u].parent;
        F->unit[u] = p;
        if (p != HY_NONE)
            continue;
        const bool is_alone = near_degree(F->V, u) == 0;
        F->unit[u] = F->p[u] = u;
        wcc_forest_unit(F, u, is_alone ? WCC_ALONE : HY_NONE, is_alone);
        if (is_alone)
            F->node[u] = wcc_node_new(u);
        else
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* ---- 3, 4 ------------------------------------------------------------------
 */

static hy_vid lower_than(const struct wcc_forest *F, hy_vid r)
{
    const uint32_t level = F->node[r].level;
    near_for(s, F->V, r) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        if (F->node[w].level < level)
            return w;
    }
    return HY_NONE;
}

/* Writes parents and units of its range of roots; nobody writes levels. */
static void lower_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        wcc_forest_ask(F, F->roots.at, i, hi);
        const hy_vid r = F->roots.at[i], w = lower_than(F, r);
        if (w == HY_NONE)
            continue;
        F->node[r].parent = F->unit[r] = w;
    }
}

/* The lowest neighbour of r that is no root; HY_NONE: there is none, or
 * somebody hangs under r.  Roots do not get others under them meanwhile. */
static hy_vid place_of_leaf(const struct wcc_forest *F, hy_vid r)
{
    hy_vid best = HY_NONE;
    uint32_t level = WCC_HIGH - 1;
    near_for(s, F->V, r) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        if (F->unit[w] == w)
            continue;
        if (F->unit[w] == r)
            return HY_NONE;
        if (F->node[w].level < level) {
            best = w;
            level = F->node[w].level;
        }
    }
    return best;
}

/* Writes nodes of its range of roots; units stay, to tell who was one. */
static void leaf_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid r = F->roots.at[i];
        if (F->unit[r] != r)
            continue;
        const hy_vid w = place_of_leaf(F, r);
        if (w != HY_NONE)
            F->node[r] =
                (struct wcc_node){ .parent = w, .level = F->node[w].level + 1 };
    }
}

/* Writes units of its range of roots. */
static void follow_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid r = F->roots.at[i];
        if (F->node[r].parent != HY_NONE)
            F->unit[r] = F->node[r].parent;
    }
}

/* ---- 5 ---------------------------------------------------------------------
 */

/* Lets u, and whoever is met on the way, lead to the last one.  Others may
 * write the same meanwhile. */
HY_INLINE void lead(hy_vid *at, hy_vid u)
{
    hy_vid r = atomic_peek_u32(&at[u]), up;
    for (; (up = atomic_peek_u32(&at[r])) != r; r = up)
        ;
    for (; (up = atomic_peek_u32(&at[u])) != r; u = up)
        atomic_put_u32(&at[u], r);
}

/* Writes units of its range, and of others: parents may have larger ids. */
static void trees_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t u = lo; u < hi; u++)
        lead(F->unit, (hy_vid)u);
}

/* ---- 6, 7 ------------------------------------------------------------------
 */

/* It is still a root. */
static bool is_left(const struct wcc_forest *F, hy_vid r)
{
    return F->unit[r] == r;
}

/* A neighbour of r in a tree that hangs in c, or is c, or HY_NONE. */
static hy_vid place_of_tree(const struct wcc_forest *F, hy_vid r)
{
    near_for(s, F->V, r) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        if (atomic_peek_u32(&F->p[F->unit[w]]) == F->c)
            return w;
    }
    return HY_NONE;
}

/* Hangs its range of roots that are left and do not hang yet; units stay.
 * Whether others that hang meanwhile are met or not, what hangs in c stays. */
static void hang_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        wcc_forest_ask(F, F->roots.at, i, hi);
        const hy_vid r = F->roots.at[i];
        if (!is_left(F, r) || F->p[r] != r || r == F->c)
            continue;
        const hy_vid w = place_of_tree(F, r);
        if (w == HY_NONE)
            continue;
        F->to[r] = F->node[r].parent = w;
        atomic_put_u32(&F->p[r], F->unit[w]);
    }
}

/* How far the tree of r must be raised to be above where it hangs. */
static uint64_t gap(const struct wcc_forest *F, hy_vid r)
{
    const uint64_t level = (uint64_t)F->node[F->to[r]].level + 1;
    return level > F->node[r].level ? level - F->node[r].level : 0;
}

/* Writes into `from` how far the trees of its range of roots are raised. */
static void raise_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid r = F->roots.at[i];
        uint64_t far = 0;
        if (!is_left(F, r) || F->p[r] == r)
            continue;
        for (hy_vid x = r; F->p[x] != x; x = F->p[x])
            far += gap(F, x);
        F->from[r] = far < WCC_HIGH ? (uint32_t)far : WCC_HIGH;
    }
}

/* Lets p of its range of roots lead to the last one. */
static void lead_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++)
        if (is_left(F, F->roots.at[i]))
            lead(F->p, F->roots.at[i]);
}

/* Puts u, of the tree r, into the unit that r hangs in. */
static hy_vid move(struct wcc_forest *F, hy_vid u, hy_vid r)
{
    const uint64_t level = (uint64_t)F->node[u].level + F->from[r];
    const bool is_known = level < WCC_HIGH;
    F->node[u].level = is_known ? (uint32_t)level : WCC_UNKNOWN;
    if (!is_known)
        atomic_put_u32(&F->has_unknown, 1);
    return F->unit[u] = F->p[r];
}

/* Writes units and levels of its range, lists those that have edges and are
 * not in c, and lowers the smallest vertices of units, which others lower
 * too. */
static void units_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts puts = { .to = &F->others };
    hy_vid min = HY_NONE;
    for (hy_vid u = (hy_vid)lo; u < hi; u++) {
        hy_vid r = F->unit[u];
        if (F->p[r] != r)
            r = move(F, u, r);
        if (r == F->c) {
            min = u < min ? u : min;
        } else if (r != u || F->from[u] != WCC_ALONE) {
            atomic_min_u32(&F->W->group[r].min, u);
            algo_put(&puts, u);
        }
    }
    if (min != HY_NONE)
        atomic_min_u32(&F->W->group[F->c].min, min);
    algo_puts_flush(&puts);
}

/* ---- the whole -------------------------------------------------------------
 */

void wcc_mend(struct wcc_live *W, const hy_delta *delta)
{
    const hy_vid n = W->V->bound;
    lose(W, delta);
    struct wcc_forest F = wcc_forest_begin(W);
    par_for(F.ctx, n, WCC_BY_IDS, begin_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, lower_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, leaf_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, follow_par, &F);
    par_for(F.ctx, n, WCC_BY_IDS, trees_par, &F);
    F.c = algo_sample(F.V, F.unit).value;
    for (int round = 0; round < HANGS; round++)
        par_for(F.ctx, F.roots.n, WCC_BY_LIST, hang_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, raise_par, &F);
    par_for(F.ctx, F.roots.n, WCC_BY_LIST, lead_par, &F);
    F.c = wcc_forest_seed(algo_sample_by(F.V, F.p, F.unit));
    par_for(F.ctx, n, WCC_BY_IDS, units_par, &F);
    wcc_forest_join(&F);
}
