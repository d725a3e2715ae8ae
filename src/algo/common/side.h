/* One side of a view's adjacency: its own, or built for one call.
 */
#ifndef ALGO_COMMON_SIDE_H
#define ALGO_COMMON_SIDE_H

#include "store/view.h"

struct algo_side {
    const hy_view *V;
    bool is_in;
    /* What was built: the vertices at v are source[offset[v] ..
     * offset[v + 1]), ascending.  Owned; NULL: the side is the view's. */
    uint64_t *offset;
    uint32_t *source;
};

/* Prepares the side `out`, which cannot fail and needs no fini. */
static inline struct algo_side algo_side_out(const hy_view *V)
{
    return (struct algo_side){ .V = V };
}

/* Prepares the side `in`, building it if there is none: O(n + m) and 20 bytes
 * an edge meanwhile, 4 of which stay.  HY_ENOMEM. */
HY_CHECKED hy_status algo_side_in(struct algo_side *S, const hy_view *V);

/* Prepares neighbours by edges of either direction, each once: the view's, if
 * it is undirected (there a loop makes u its own neighbour), else built,
 * without loops.  HY_ENOMEM. */
HY_CHECKED hy_status algo_side_simple(struct algo_side *S, const hy_view *V);

/* Frees what was built.  A zeroed side is allowed. */
void algo_side_fini(struct algo_side *S);

HY_INLINE uint32_t algo_side_degree(const struct algo_side *S, hy_vid u)
{
    if (S->offset)
        return (uint32_t)(S->offset[u + 1] - S->offset[u]);
    return S->is_in ? view_in_degree(S->V, u) : view_degree(S->V, u);
}

HY_INLINE hy_span algo_side_span(const struct algo_side *S, hy_vid u)
{
    if (!S->offset)
        return S->is_in ? view_in(S->V, u) : view_out(S->V, u);
    return (hy_span){ .v = S->source + S->offset[u],
                      .n = algo_side_degree(S, u),
                      .step = 1,
                      .u = u };
}

/* Before the i-th of a list is looked at: asks for what the next ones need. */
HY_INLINE void algo_side_ahead(const struct algo_side *S, const hy_vid *list,
                               size_t i, size_t n)
{
    enum { FAR = 12, NEAR = 6 };
    if (i + FAR >= n)
        return;
    const hy_vid far = list[i + FAR], near = list[i + NEAR];
    if (S->offset) {
        HY_PREFETCH(&S->offset[far]);
        HY_PREFETCH(&S->source[S->offset[near]]);
    } else if (!S->is_in) {
        view_prefetch_slot(S->V, far);
        view_prefetch_out(S->V, near);
    }
}

/* algo_for_side (s, S, u)  ... s.v[i * s.step], i < s.n */
#define algo_for_side(s, S, u)                                                 \
    for (hy_span s = algo_side_span(S, u); s.n != 0; hy_span_next((S)->V, &s))

#endif
