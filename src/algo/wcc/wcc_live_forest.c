/* A spanning forest with levels, from nothing.
 *
 *   Rebuild(V)
 *     1 Begin     parent(u) <- the smallest neighbour of u, if smaller than u:
 *                 trees, whose roots are their smallest vertices
 *     2 Roots     r hangs under a neighbour that is in another tree
 *     3 Units     trees that hang together are a unit, by its root's name;
 *                 level(u) <- u + bound * how many trees are above u's
 *     4 Seed      c <- a unit that many vertices are in, if there is one;
 *                 others <- vertices with edges that are not in c
 *     5 while there are edges between units, over the others
 *     6   Hook      each unit but c takes one of its edges that lead to c or
 *                   to a unit of a smaller name
 *     7   Turn      the path from that edge to the unit's root, around, so
 *                   that the unit hangs by the edge
 *     8   Merge     names, and levels are unknown now; Seed, if there is none
 *     9 Climb     level(u) <- level(parent(u)) + 1 where it is unknown
 *    10 Name      by the smallest vertices
 *
 * Begin and Seed are Afforest's (wcc_afforest.c), and so is the hope: that
 * many vertices are in c by then, and only the others look at their edges.
 * Where it unites sets, we need parents with lower levels.  Rounds of hooks
 * are Boruvka's (1926).
 *
 * Roots.  A root r has larger neighbours only.  One of these, w, has a parent
 * that is no larger than r: either r itself, or it leads to a smaller root.
 * So a root is put under a smaller one, and nobody but r writes it.  The pair
 * of a tree's place below others and the id falls towards the root, which is
 * what (1) of wcc_live.h asks for.
 *
 * Hooks lead to smaller names, c's being the smallest: no circles.  A unit
 * that has a neighbour but takes no edge is taken by that neighbour.  Units
 * without edges to others stay as they are, and leave the list.
 */
#include "algo/wcc/wcc_live.h"

#include "algo/common/list.h"
#include "algo/common/sample.h"
#include "ops/sets.h"

enum {
    GRAIN = 1 << 10,
    GRAIN_LIST = 1 << 8,
    MUCH = 4,  /* the part of a sample that makes a seed */
    AHEAD = 8, /* vertices of which more is asked for before it is read */
};

#define UNKNOWN UINT32_MAX
#define ALONE (HY_NONE - 1)

static const uint64_t max_level = (uint64_t)1 << 31;

struct forest {
    struct wcc_live *W;
    const hy_view *V;
    hy_ctx *ctx;
    struct wcc_node *node;
    hy_vid *p;     /* parents of trees and of roots; then room for a list, as is
                    * the journal's, which is empty */
    hy_vid *unit;  /* names; in the answer's comp */
    hy_vid *from;  /* by unit: the vertex that has its hook, or HY_NONE, or
                    * ALONE: it has no edges */
    hy_vid *to;    /* and the other end of the edge.  Before: parents; HY_NONE:
                    * a root; ALONE: a vertex without edges */
    hy_vid c;      /* the seed */
    uint64_t size; /* of c; atomic, relaxed */
    uint64_t units;          /* that are left; atomic, relaxed */
    uint32_t has_unknown;    /* levels before the rounds; atomic, relaxed */
    struct algo_list roots;  /* that have edges */
    struct algo_list others; /* vertices with edges that are not in c */
    const hy_vid *list;      /* those of them that a round looks at */
    struct algo_list out;    /* in the next one */
    struct algo_list hooks;  /* vertices that have one, of this round */
};

/* ---- 1, 2 ------------------------------------------------------------------
 */

/* Lowers p and `to` of its range to the first neighbours of one side. */
static void begin_side(const struct forest *F, hy_scan scan)
{
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u, v = scan.span.v[0];
        if (v < F->p[u])
            F->to[u] = F->p[u] = v;
        else if (F->to[u] == ALONE)
            F->to[u] = HY_NONE;
        scan.span.path = 0; /* one span of each vertex is enough */
    }
}

/* Writes p and `to` of its range, and lists roots that have edges. */
static void begin_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->roots };
    for (size_t u = lo; u < hi; u++) {
        F->p[u] = (hy_vid)u;
        F->to[u] = ALONE;
    }
    begin_side(F, hy_scan_out(F->V, (hy_vid)lo, (hy_vid)hi));
    if (!view_is_undirected(F->V))
        begin_side(F, hy_scan_in(F->V, (hy_vid)lo, (hy_vid)hi));
    for (size_t u = lo; u < hi; u++)
        if (F->to[u] == HY_NONE)
            algo_put(&puts, (hy_vid)u);
    algo_puts_flush(&puts);
}

/* Writes p of its range, and reads that of others: any ancestor will do. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((const struct forest *)arg)->p, lo, hi);
}

static void hang_root(const struct forest *F, hy_vid r)
{
    near_for(s, F->V, r) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        const hy_vid other = atomic_peek_u32(&F->p[w]);
        if (other >= r)
            continue;
        F->to[r] = w;
        atomic_put_u32(&F->p[r], other);
        return;
    }
}

/* Writes p and `to` of its range of roots. */
static void roots_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        if (i + 2 * AHEAD < hi)
            view_prefetch_slot(F->V, F->roots.at[i + 2 * AHEAD]);
        if (i + AHEAD < hi)
            view_prefetch_out(F->V, F->roots.at[i + AHEAD]);
        hang_root(F, F->roots.at[i]);
    }
}

/* ---- 3 ---------------------------------------------------------------------
 */

/* Writes units and levels of its range of roots. */
static void root_units_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = F->roots.at[i];
        uint64_t level = u;
        hy_vid r = u;
        for (hy_vid up; (up = F->p[r]) != r; r = up)
            level += F->V->bound;
        F->node[u].level = level < max_level ? (uint32_t)level : UNKNOWN;
        if (HY_UNLIKELY(level >= max_level))
            atomic_put_u32(&F->has_unknown, 1);
        F->unit[u] = r;
    }
}

/* A unit of n vertices as far as is known: nothing hangs under r from another
 * one yet. */
static void new_unit(const struct forest *F, hy_vid r, hy_vid from, uint32_t n)
{
    F->from[r] = from;
    F->W->group[r] =
        (struct wcc_group){ .state = F->W->epoch << 1, .size = n, .min = r };
}

/* Writes all of a vertex u whose root is not u. */
static void put_under(const struct forest *F, hy_vid u)
{
    const hy_vid r = F->p[u];
    const uint32_t level = F->node[r].level;
    F->unit[u] = F->unit[r];
    F->node[u] = (struct wcc_node){ .parent = F->to[u],
                                    .level = level == UNKNOWN ? UNKNOWN
                                                              : level - r + u };
}

/* Writes nodes of its range, units but for those of roots, and lists those that
 * are not in c and have edges. */
static void units_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->others };
    for (hy_vid u = (hy_vid)lo; u < hi; u++) {
        if (F->to[u] == ALONE) {
            F->unit[u] = u;
            F->node[u] = (struct wcc_node){ .parent = HY_NONE, .level = u };
            new_unit(F, u, ALONE, 1);
            continue;
        }
        if (F->to[u] < u) {
            put_under(F, u);
        } else {
            F->node[u].parent = F->to[u];
            if (F->unit[u] == u)
                new_unit(F, u, HY_NONE, 0);
        }
        if (F->unit[u] != F->c)
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* ---- 6 ---------------------------------------------------------------------
 */

/* Offers an edge of u, of unit r, to it.  True: r may have one later. */
static bool hook_one(struct forest *F, hy_vid u, hy_vid r,
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

static void ask_ahead(const struct forest *F, size_t i, size_t hi)
{
    if (i + 2 * AHEAD < hi) {
        view_prefetch_slot(F->V, F->list[i + 2 * AHEAD]);
        HY_PREFETCH(&F->unit[F->list[i + 2 * AHEAD]]);
    }
    if (i + AHEAD < hi) {
        view_prefetch_out(F->V, F->list[i + AHEAD]);
        HY_PREFETCH(&F->from[F->unit[F->list[i + AHEAD]]]);
    }
}

/* Writes hooks of units, where it is the first, and marks of those that may
 * have one later. */
static void hook_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
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

/* ---- 7, 8 ------------------------------------------------------------------
 */

/* Turns the paths of its range of hooks: nobody else is in their units. */
static void turn_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
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
    const struct forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid mine = F->unit[F->hooks.at[i]];
        hy_vid r = mine;
        while (F->from[r] < ALONE)
            r = F->unit[atomic_peek_u32(&F->to[r])];
        atomic_put_u32(&F->to[mine], r);
    }
}

/* Writes units and levels of its range, and lists those whose units have edges
 * to others, or may have. */
static void merge_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->out };
    const uint32_t border = F->W->stamp << WCC_BITS;
    for (size_t i = lo; i < hi; i++) {
        if (i + AHEAD < hi)
            HY_PREFETCH(&F->from[F->unit[F->list[i + AHEAD]]]);
        const hy_vid u = F->list[i], mine = F->unit[u];
        if (F->from[mine] >= ALONE) {
            if (F->W->mark[mine] == border)
                algo_put(&puts, u);
            continue;
        }
        const hy_vid r = F->to[mine];
        F->node[u].level = UNKNOWN;
        F->unit[u] = r;
        if (u == mine)
            atomic_min_u32(&F->W->group[r].min, F->W->group[u].min);
        if (r != F->c)
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* The unit that has much of the sample, or HY_NONE: who is in the seed is not
 * looked at any more, so that it is not to be changed. */
static hy_vid seed_of(struct algo_sample sample)
{
    return sample.count > sample.drawn / MUCH ? sample.value : HY_NONE;
}

/* One round over the n that are listed; how many to look at in the next. */
static uint64_t round_of(struct forest *F, uint64_t n)
{
    hy_vid *const room = F->list == F->p ? F->W->L->noted : F->p;
    F->out = (struct algo_list){ .at = room };
    F->hooks = (struct algo_list){ .at = F->W->freed };
    wcc_new_stamp(F->W);
    par_for(F->ctx, n, GRAIN_LIST, hook_par, F);
    F->W->work += n;
    if (F->hooks.n == 0)
        return 0;
    par_for(F->ctx, F->hooks.n, GRAIN_LIST, turn_par, F);
    par_for(F->ctx, F->hooks.n, GRAIN_LIST, lead_par, F);
    par_for(F->ctx, n, GRAIN_LIST, merge_par, F);
    F->list = room;
    if (F->c == HY_NONE)
        F->c = seed_of(algo_sample(F->V, F->unit));
    return F->out.n;
}

/* ---- 9 ---------------------------------------------------------------------
 */

/* Writes levels from u up to the first that is known.  Others may write the
 * same meanwhile. */
static void climb(struct wcc_node *node, hy_vid u)
{
    uint32_t steps = 0, level;
    hy_vid x = u;
    while ((level = atomic_peek_u32(&node[x].level)) == UNKNOWN) {
        steps++;
        x = node[x].parent;
    }
    for (x = u, level += steps; steps > 0; steps--, level--) {
        atomic_put_u32(&node[x].level, level);
        x = node[x].parent;
    }
}

static void climb_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
    for (size_t u = lo; u < hi; u++)
        if (atomic_peek_u32(&F->node[u].level) == UNKNOWN)
            climb(F->node, (hy_vid)u);
}

/* The same over the others. */
static void climb_others_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
    for (size_t i = lo; i < hi; i++) {
        if (i + 2 * AHEAD < hi)
            HY_PREFETCH(&F->node[F->others.at[i + 2 * AHEAD]]);
        if (i + AHEAD < hi) {
            const hy_vid p = F->node[F->others.at[i + AHEAD]].parent;
            HY_PREFETCH(&F->node[p != HY_NONE ? p : 0]);
        }
        const hy_vid u = F->others.at[i];
        if (atomic_peek_u32(&F->node[u].level) == UNKNOWN)
            climb(F->node, u);
    }
}

/* ---- 10 --------------------------------------------------------------------
 */

/* Writes names and values of its range, and counts. */
static void name_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    const bool has_dead = F->V->vertices < F->V->bound;
    uint64_t size = 0, units = 0;
    for (size_t u = lo; u < hi; u++) {
        const hy_vid r = F->unit[u];
        units += r == u;
        if (r == F->c) {
            F->p[u] = F->W->group[r].min;
            size++;
        } else if (F->from[r] != ALONE) {
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

static void name_all(struct forest *F)
{
    struct wcc_live *const W = F->W;
    par_for(F->ctx, F->V->bound, GRAIN, name_par, F);
    W->components = F->units;
    if (F->c != HY_NONE)
        W->group[F->c].size = (uint32_t)F->size;
}

/* ---- the whole -------------------------------------------------------------
 */

static void new_epoch(struct wcc_live *W)
{
    if (++W->epoch == UINT32_MAX >> 1) {
        for (size_t c = 0; c < W->room; c++)
            W->group[c].state = 0;
        W->epoch = 1;
    }
    W->fresh = 0;
    W->n_freed = 0;
}

void wcc_rebuild(struct wcc_live *W)
{
    const hy_vid n = W->V->bound;
    struct forest F = { .W = W,
                        .V = W->V,
                        .ctx = W->L->ctx,
                        .node = W->node,
                        .p = W->L->values,
                        .unit = W->comp,
                        .from = W->queue[0],
                        .to = W->queue[1],
                        .roots.at = W->freed,
                        .others.at = W->L->changed };
    new_epoch(W);
    par_for(F.ctx, n, GRAIN, begin_par, &F);
    par_for(F.ctx, n, GRAIN, compress_par, &F);
    par_for(F.ctx, F.roots.n, GRAIN_LIST, roots_par, &F);
    par_for(F.ctx, F.roots.n, GRAIN_LIST, root_units_par, &F);
    F.c = seed_of(algo_sample_by(F.V, F.unit, F.p));
    par_for(F.ctx, n, GRAIN, units_par, &F);
    F.list = F.others.at;
    for (uint64_t left = F.others.n; left > 0;)
        left = round_of(&F, left);
    if (F.has_unknown)
        par_for(F.ctx, n, GRAIN, climb_par, &F);
    else
        par_for(F.ctx, F.others.n, GRAIN_LIST, climb_others_par, &F);
    name_all(&F);
}
