/* Values of components whose smallest vertex changed.
 *
 *   TellLate()
 *     if the late components have much of the graph
 *       Look at all ids: the smallest of each, then the values
 *     else
 *       Walk    through each, for its vertices; the smallest, the values
 *
 * All these values change: the cost is that of the change, but for edges of
 * the walks, which end in looking at all ids once they are more than these.
 */
#include "algo/wcc/wcc_live.h"

#include "base/atomic.h"
#include "par/par.h"

enum { MUCH = 16, GRAIN = 1 << 13 };

static bool is_late(const struct wcc_live *W, hy_vid v)
{
    return W->comp[v] != HY_NONE && W->group[W->comp[v]].late == W->L->turn;
}

/* ---- all ids ---------------------------------------------------------------
 */

/* Lowers the smallest vertices of late components, which other threads lower
 * too. */
static void smallest_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_live *W = arg;
    for (size_t v = lo; v < hi; v++)
        if (is_late(W, (hy_vid)v))
            atomic_min_u32(&W->group[W->comp[v]].min, (hy_vid)v);
}

/* Writes the values of its range. */
static void values_par(void *arg, size_t lo, size_t hi)
{
    struct wcc_live *W = arg;
    hy_vid *const value = W->L->values;
    for (size_t v = lo; v < hi; v++)
        if (is_late(W, (hy_vid)v))
            value[v] = W->group[W->comp[v]].min;
}

static void look_at_all(struct wcc_live *W)
{
    live_keep_all(W->L);
    par_for(W->L->ctx, W->V->bound, GRAIN, smallest_par, W);
    par_for(W->L->ctx, W->V->bound, GRAIN, values_par, W);
    W->work += W->V->bound;
}

/* ---- one by one ------------------------------------------------------------
 */

/* The vertices of v's component into queue 0.  0: too many edges. */
static uint32_t walk(struct wcc_live *W, hy_vid v, uint64_t *edges)
{
    hy_vid *const queue = W->queue[0];
    const uint32_t seen = W->stamp << WCC_BITS;
    uint32_t n = 0;
    W->mark[v] = seen;
    queue[n++] = v;
    for (uint32_t i = 0; i < n; i++) {
        near_for(s, W->V, queue[i]) for (uint32_t k = 0; k < s.n; k++)
        {
            const hy_vid w = s.v[k * s.step];
            if (W->mark[w] == seen)
                continue;
            W->mark[w] = seen;
            queue[n++] = w;
        }
        const uint64_t d = near_degree(W->V, queue[i]);
        W->work += d;
        if (d > *edges)
            return 0;
        *edges -= d;
    }
    return n;
}

static bool tell_one(struct wcc_live *W, hy_vid v, uint64_t *edges)
{
    struct wcc_group *const g = &W->group[W->comp[v]];
    const uint32_t n = walk(W, v, edges);
    if (!n)
        return false;
    hy_vid min = HY_NONE;
    for (uint32_t i = 0; i < n; i++)
        min = W->queue[0][i] < min ? W->queue[0][i] : min;
    for (uint32_t i = 0; i < n; i++)
        wcc_set_value(W, W->queue[0][i], min);
    g->min = min;
    g->late = 0;
    return true;
}

void wcc_tell_late(struct wcc_live *W)
{
    uint64_t n = 0, edges = W->V->bound;
    for (uint64_t i = 0; i < W->n_late; i++)
        n += is_late(W, W->late[i]) ? W->group[W->comp[W->late[i]]].size : 0;
    bool is_much = n > W->V->bound / MUCH;
    wcc_new_stamp(W);
    for (uint64_t i = 0; i < W->n_late && !is_much; i++)
        if (is_late(W, W->late[i]))
            is_much = !tell_one(W, W->late[i], &edges);
    if (is_much)
        look_at_all(W);
}
