/* Trees of a forest joined by edges between them, all at once.
 *
 *   Join(others)
 *     1 while there are edges between units, over the others
 *     2   Hook      each unit but c takes one of its edges that lead to c or
 *                   to a unit of a smaller name
 *     3   Turn      the path from that edge to the unit's root, around, so
 *                   that the unit hangs by the edge
 *     4   Merge     names, and levels are unknown now; Seed, if there is none
 *     5 Climb     level(u) <- level(parent(u)) + 1 where it is unknown
 *     6 Name      by the smallest vertices
 *
 * Hooks lead to smaller names, c's being the smallest: no circles.  A unit
 * that has a neighbour but takes no edge is taken by that neighbour.  Units
 * without edges to others stay as they are, and leave the list.  The rounds
 * are Boruvka's (1926).
 */
#include "algo/wcc/wcc_live_forest.h"

enum { MUCH = 4 }; /* the part of a sample that makes a seed */

/* ---- 2 ---------------------------------------------------------------------
 */

/* Offers an edge of u, of unit r, to it.  True: r may have one later. */
static bool hook_one(struct wcc_forest *F, hy_vid u, hy_vid r,
                     struct algo_puts *hooks)
{
    bool is_border = false;
    near_for(s, F->V, u) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step], other = F->unit[w];
        if (other == r)
            continue;
        is_border = true;
        if (other > r && other != F->c)
            continue;
        hy_vid none = HY_NONE;
        if (atomic_claim_u32(&F->from[r], &none, u)) {
            F->to[r] = w;
            algo_put(hooks, u);
        }
        return false; /* r is listed when it has been merged */
    }
    return is_border;
}

static void ask_ahead(const struct wcc_forest *F, size_t i, size_t hi)
{
    wcc_forest_ask(F, F->list, i, hi);
    if (i + 2 * WCC_AHEAD < hi)
        HY_PREFETCH(&F->unit[F->list[i + 2 * WCC_AHEAD]]);
    if (i + WCC_AHEAD < hi)
        HY_PREFETCH(&F->from[F->unit[F->list[i + WCC_AHEAD]]]);
}

/* Writes hooks of units, where it is the first, and marks of those that may
 * have one later. */
static void hook_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts hooks = { .to = &F->hooks };
    const uint32_t border = F->W->stamp << WCC_BITS;
    for (size_t i = lo; i < hi; i++) {
        ask_ahead(F, i, hi);
        const hy_vid u = F->list[i], r = F->unit[u];
        if (r != F->c && atomic_peek_u32(&F->from[r]) == HY_NONE &&
            hook_one(F, u, r, &hooks))
            atomic_put_u32(&F->W->mark[r], border);
    }
    algo_puts_flush(&hooks);
}

/* ---- 3, 4 ------------------------------------------------------------------
 */

/* Turns the paths of its range of hooks: nobody else is in their units. */
static void turn_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = F->hooks.at[i];
        hy_vid above = F->to[F->unit[u]];
        for (hy_vid x = u, next; x != HY_NONE; x = next) {
            next = F->node[x].parent;
            F->node[x].parent = above;
            above = x;
        }
    }
}

/* Lets units that have hooks, of its range, lead to the last one.  Others may
 * have done so for units in between. */
static void lead_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid mine = F->unit[F->hooks.at[i]];
        hy_vid r = mine;
        while (F->from[r] < WCC_ALONE)
            r = F->unit[atomic_peek_u32(&F->to[r])];
        atomic_put_u32(&F->to[mine], r);
    }
}

/* Writes units and levels of its range, and lists those whose units have edges
 * to others, or may have. */
static void merge_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    struct algo_puts puts = { .to = &F->out };
    const uint32_t border = F->W->stamp << WCC_BITS;
    for (size_t i = lo; i < hi; i++) {
        if (i + WCC_AHEAD < hi)
            HY_PREFETCH(&F->from[F->unit[F->list[i + WCC_AHEAD]]]);
        const hy_vid u = F->list[i], mine = F->unit[u];
        if (F->from[mine] >= WCC_ALONE) {
            if (F->W->mark[mine] == border)
                algo_put(&puts, u);
            continue;
        }
        const hy_vid r = F->to[mine];
        F->node[u].level = WCC_UNKNOWN;
        F->unit[u] = r;
        if (u == mine)
            atomic_min_u32(&F->W->group[r].min, F->W->group[u].min);
        if (r != F->c)
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

hy_vid wcc_forest_seed(struct algo_sample sample)
{
    return sample.count > sample.drawn / MUCH ? sample.value : HY_NONE;
}

/* One round over the n that are listed; how many to look at in the next. */
static uint64_t round_of(struct wcc_forest *F, uint64_t n)
{
    hy_vid *const room = F->list == F->p ? F->W->L->noted : F->p;
    F->out = (struct algo_list){ .at = room };
    F->hooks = (struct algo_list){ .at = F->W->freed };
    wcc_new_stamp(F->W);
    par_for(F->ctx, n, WCC_BY_LIST, hook_par, F);
    F->W->work += n;
    if (F->hooks.n == 0)
        return 0;
    par_for(F->ctx, F->hooks.n, WCC_BY_LIST, turn_par, F);
    par_for(F->ctx, F->hooks.n, WCC_BY_LIST, lead_par, F);
    par_for(F->ctx, n, WCC_BY_LIST, merge_par, F);
    F->list = room;
    if (F->c == HY_NONE)
        F->c = wcc_forest_seed(algo_sample(F->V, F->unit));
    return F->out.n;
}

/* ---- 5 ---------------------------------------------------------------------
 */

/* Writes levels from u up to the first that is known.  Others may write the
 * same meanwhile. */
static void climb(const struct wcc_forest *F, hy_vid u)
{
    struct wcc_node *const node = F->node;
    uint32_t steps = 0, level;
    hy_vid x = u;
    while ((level = atomic_peek_u32(&node[x].level)) == WCC_UNKNOWN) {
        steps++;
        x = node[x].parent;
    }
    if (HY_UNLIKELY(level + steps >= WCC_HIGH))
        atomic_put_u32(&F->W->is_high, 1);
    for (x = u, level += steps; steps > 0; steps--, level--) {
        atomic_put_u32(&node[x].level, level);
        x = node[x].parent;
    }
}

static void climb_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t u = lo; u < hi; u++)
        if (atomic_peek_u32(&F->node[u].level) == WCC_UNKNOWN)
            climb(F, (hy_vid)u);
}

/* The same over the others. */
static void climb_others_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc_forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        if (i + 2 * WCC_AHEAD < hi)
            HY_PREFETCH(&F->node[F->others.at[i + 2 * WCC_AHEAD]]);
        if (i + WCC_AHEAD < hi) {
            const hy_vid p = F->node[F->others.at[i + WCC_AHEAD]].parent;
            HY_PREFETCH(&F->node[p != HY_NONE ? p : 0]);
        }
        const hy_vid u = F->others.at[i];
        if (atomic_peek_u32(&F->node[u].level) == WCC_UNKNOWN)
            climb(F, u);
    }
}

/* ---- 6 --------------------------------------------------------------------
 */

/* Writes names and values of its range, and counts. */
static void name_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_forest *F = arg;
    const bool has_dead = F->V->vertices < F->V->bound;
    uint64_t size = 0, units = 0;
    for (size_t u = lo; u < hi; u++) {
        const hy_vid r = F->unit[u];
        units += r == u;
        if (r == F->c) {
            F->p[u] = F->W->group[r].min;
            size++;
        } else if (F->from[r] != WCC_ALONE) {
            F->p[u] = F->W->group[r].min;
            (void)atomic_add_u32(&F->W->group[r].size, 1);
        } else if (has_dead && !view_has_vertex(F->V, (hy_vid)u)) {
            F->W->group[u].size = 0;
            F->unit[u] = F->p[u] = HY_NONE;
            units--;
        } else {
            F->p[u] = (hy_vid)u;
        }
    }
    (void)atomic_add_u64(&F->size, size);
    (void)atomic_add_u64(&F->units, units);
}

static void name_all(struct wcc_forest *F)
{
    struct wcc_live *const W = F->W;
    par_for(F->ctx, F->V->bound, WCC_BY_IDS, name_par, F);
    W->components = F->units;
    if (F->c != HY_NONE)
        W->group[F->c].size = (uint32_t)F->size;
}

/* ---- the whole -------------------------------------------------------------
 */

void wcc_forest_join(struct wcc_forest *F)
{
    F->list = F->others.at;
    for (uint64_t left = F->others.n; left > 0;)
        left = round_of(F, left);
    if (F->has_unknown)
        par_for(F->ctx, F->V->bound, WCC_BY_IDS, climb_par, F);
    else
        par_for(F->ctx, F->others.n, WCC_BY_LIST, climb_others_par, F);
    name_all(F);
}
