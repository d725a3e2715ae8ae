/* Neighbours by edges of either direction: the out-side and, of a directed
 * view, the in-side after it.  A pair with edges both ways comes twice, and a
 * loop makes u its own neighbour.  A directed view must have a reverse side.
 */
#ifndef ALGO_COMMON_NEAR_H
#define ALGO_COMMON_NEAR_H

#include "store/view.h"

static inline unsigned near_sides(const hy_view *V)
{
    return view_is_undirected(V) ? 1 : 2;
}

/* near_for (s, V, u)  ... s.v[i * s.step], i < s.n; leave it by return, as it
 * is two loops. */
#define near_for(s, V, u)                                                      \
    for (unsigned s##_side = 0; s##_side < near_sides(V); s##_side++)          \
        for (hy_span s = view_side_span(V, (enum side)s##_side, u); s.n != 0;  \
             hy_span_next(V, &s))

/* Entries of both sides. */
static inline uint64_t near_degree(const hy_view *V, hy_vid u)
{
    uint64_t n = view_degree(V, u);
    return view_is_undirected(V) ? n : n + view_in_degree(V, u);
}

/* The same neighbours one by one, for walks that stop and go on. */
struct near {
    hy_span s;
    hy_vid u;
    uint32_t i;    /* in the span */
    unsigned side; /* of the span */
};

static inline struct near near_begin(const hy_view *V, hy_vid u)
{
    return (struct near){ .s = view_out(V, u), .u = u };
}

/* False at the end. */
static inline bool near_next(const hy_view *V, struct near *N, hy_vid *v)
{
    while (N->i == N->s.n) {
        N->i = 0;
        if (N->s.n)
            hy_span_next(V, &N->s);
        if (N->s.n)
            continue;
        if (++N->side >= near_sides(V))
            return false;
        N->s = view_side_span(V, (enum side)N->side, N->u);
    }
    *v = N->s.v[N->i++ * N->s.step];
    return true;
}

/* Neighbours once each, ascending, and without loops. */
struct near_once {
    hy_span s[2];
    hy_vid u;
    uint32_t i[2];
};

static inline struct near_once near_once_begin(const hy_view *V, hy_vid u)
{
    struct near_once N = { .s[0] = view_out(V, u), .u = u };
    if (!view_is_undirected(V))
        N.s[1] = view_in(V, u);
    return N;
}

/* The next one of a side, HY_NONE at its end. */
static inline hy_vid near_once_peek(const hy_view *V, struct near_once *N,
                                    unsigned side)
{
    if (N->s[side].n && N->i[side] == N->s[side].n) {
        N->i[side] = 0;
        hy_span_next(V, &N->s[side]);
    }
    return N->s[side].n ? N->s[side].v[N->i[side] * N->s[side].step] : HY_NONE;
}

/* False at the end. */
static inline bool near_once_next(const hy_view *V, struct near_once *N,
                                  hy_vid *v)
{
    do {
        const hy_vid a = near_once_peek(V, N, 0);
        const hy_vid b = N->s[1].n ? near_once_peek(V, N, 1) : HY_NONE;
        *v = a < b ? a : b;
        N->i[0] += a == *v;
        N->i[1] += b == *v;
    } while (*v == N->u);
    return *v != HY_NONE;
}

#endif
