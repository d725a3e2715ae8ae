/* Inserted edges put into the spanning forest.
 *
 *   JoinAll(inserted)
 *     for each edge between two components: with t its end in the smaller
 *     one and w the other
 *       Rename   from t on, outwards: component, parent and level anew, t's
 *                parent being w
 *
 * so that (1) of wcc_live.h holds by itself.  A vertex is renamed only if its
 * component becomes twice as large at least.
 */
#include "algo/wcc/wcc_live.h"

enum {
    /* Edges ahead for whose ends more is asked for: components, groups, and
     * what is to be written of the end that will be renamed. */
    FAR = 32,
    MIDDLE = 20,
    CLOSE = 8,
    EIGHTHS = 6, /* of a recomputation that unions may come to */
};

/* Puts v under w, in its component. */
static void adopt(struct wcc_live *W, hy_vid v, hy_vid w, hy_vid value)
{
    W->comp[v] = W->comp[w];
    W->node[v] =
        (struct wcc_node){ .parent = w, .level = wcc_level_under(W, w) };
    wcc_set_value(W, v, value);
}

/* All of t's component c, t being adopted already. */
static void rename_rest(struct wcc_live *W, hy_vid t, hy_vid c, hy_vid value)
{
    hy_vid *const queue = W->queue[0];
    uint32_t n = 0;
    queue[n++] = t;
    for (uint32_t i = 0; i < n; i++) {
        const hy_vid u = queue[i];
        near_for(s, W->V, u) for (uint32_t k = 0; k < s.n; k++)
        {
            const hy_vid v = s.v[k * s.step];
            W->work++;
            if (W->comp[v] != c)
                continue;
            adopt(W, v, u, value);
            queue[n++] = v;
        }
    }
}

/* c, t's, becomes part of w's, if that is worth it: once begun it comes to its
 * end, for half a tree would be none. */
static bool unite(struct wcc_live *W, hy_vid t, hy_vid w)
{
    const hy_vid c = W->comp[t];
    struct wcc_group *const small = &W->group[c];
    struct wcc_group *const large = &W->group[W->comp[w]];
    const uint32_t n = small->size;
    if (!wcc_spend(W, (uint64_t)WCC_RENAME * n))
        return false;
    const bool is_known = small->min != HY_NONE && large->min != HY_NONE;
    large->size += n;
    if (!is_known || small->min < large->min) {
        large->min = is_known ? small->min : HY_NONE;
        wcc_be_late(W, w);
    }
    const hy_vid value = large->min;
    wcc_group_free(W, c);
    adopt(W, t, w, value);
    if (n > 1)
        rename_rest(W, t, c, value);
    return true;
}

/* True: the component of v is to be renamed, not that of u. */
static bool is_smaller(const struct wcc_live *W, hy_vid u, hy_vid v)
{
    const struct wcc_group *const a = &W->group[W->comp[u]];
    const struct wcc_group *const b = &W->group[W->comp[v]];
    return b->size < a->size || (b->size == a->size && b->min > a->min);
}

HY_INLINE void ask_groups(const struct wcc_live *W, hy_edge e)
{
    const hy_vid a = W->comp[e.u], b = W->comp[e.v];
    if (a == b)
        return;
    HY_PREFETCH(&W->group[a]);
    HY_PREFETCH(&W->group[b]);
    HY_PREFETCH(&W->node[e.u]);
    HY_PREFETCH(&W->node[e.v]);
}

HY_INLINE void ask_ahead(const struct wcc_live *W, const hy_edge_list *edges,
                         uint64_t i)
{
    if (i + FAR < edges->n) {
        HY_PREFETCH(&W->comp[edges->at[i + FAR].u]);
        HY_PREFETCH(&W->comp[edges->at[i + FAR].v]);
    }
    if (i + MIDDLE < edges->n)
        ask_groups(W, edges->at[i + MIDDLE]);
    if (i + CLOSE >= edges->n)
        return;
    const hy_edge e = edges->at[i + CLOSE];
    if (W->comp[e.u] != W->comp[e.v])
        wcc_ask_value(W, is_smaller(W, e.u, e.v) ? e.v : e.u);
}

bool wcc_join_all(struct wcc_live *W, const hy_edge_list *inserted)
{
    wcc_begin_step(W);
    for (uint64_t i = 0; i < inserted->n; i++) {
        ask_ahead(W, inserted, i);
        const hy_edge e = inserted->at[i];
        if (W->comp[e.u] == W->comp[e.v])
            continue;
        const bool is_joined =
            is_smaller(W, e.u, e.v) ? unite(W, e.v, e.u) : unite(W, e.u, e.v);
        if (!is_joined || !wcc_go_on(W, i + 1, inserted->n, EIGHTHS))
            return false;
    }
    return true;
}
