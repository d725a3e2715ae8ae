/* Counting at one changed edge: what all ways to do it have in common. */
#ifndef ALGO_TRIANGLES_TURN_H
#define ALGO_TRIANGLES_TURN_H

#include "algo/triangles/triangles_follow.h"

enum {
    TURN_FAR = 16,
    TURN_NEAR = 8,    /* edges ahead whose slots and lists are asked for */
    TURN_SAMPLE = 16, /* one edge in so many tells what all of them take */
    TURN_LOOK = 16,   /* edges from one look at the clock to the next */
};

/* Changed edges at one end: lo .. hi - 1 of the arcs. */
struct turn_group {
    hy_vid u;
    size_t lo, hi;
};

/* One edge being counted. */
struct turn {
    struct triangles_follow *F;
    size_t i;
    struct triangles_edge e;
    struct turn_group at_u, at_v; /* empty where no other edge changed */
    int64_t add_u, add_v, total;
};

static inline struct turn_group turn_group_of(const struct triangles_follow *F,
                                              hy_vid u, enum triangles_end end)
{
    const struct par_keys *const K = &F->arcs;
    struct turn_group g = { .u = u };
    if (HY_LIKELY(end == TRIANGLES_CALM))
        return g;
    g.lo = triangles_search_arcs(K, 0, K->n, (uint64_t)u << 32);
    g.hi = triangles_search_arcs(K, g.lo, K->n, ((uint64_t)u + 1) << 32);
    return g;
}

/* False: no edge changed at w. */
static inline bool turn_is_marked(const struct triangles_follow *F, hy_vid w)
{
    return F->marks[triangles_marks_of(F, w)] >> w % 64 & 1;
}

/* The changed edge between the vertex of the group and w, or NULL. */
static inline const struct triangles_edge *
turn_changed(const struct triangles_follow *F, const struct turn_group *g,
             hy_vid w)
{
    if (g->lo == g->hi || !turn_is_marked(F, w))
        return NULL;
    const uint64_t key = (uint64_t)g->u << 32 | w;
    const size_t at = triangles_search_arcs(&F->arcs, g->lo, g->hi, key);
    if (at == g->hi || F->arcs.key[at] != key)
        return NULL;
    return &F->edge[F->arcs.tag[at]];
}

/* For one thread or, where they share, for several. */
static inline void turn_give(struct triangles_follow *F, hy_vid u, int64_t x)
{
    if (!x)
        return;
    if (F->is_shared) {
        live_note_par(F->L, u);
        (void)__atomic_fetch_add(&F->diff[u], x, __ATOMIC_RELAXED);
    } else {
        live_note(F->L, u);
        F->diff[u] += x;
    }
}

/* A sample is given up when it is. */
static inline bool turn_is_late(struct triangles_follow *F)
{
    if (!atomic_load_explicit(&F->is_late, memory_order_relaxed) &&
        hy_clock() > F->until)
        atomic_store_explicit(&F->is_late, true, memory_order_relaxed);
    return atomic_load_explicit(&F->is_late, memory_order_relaxed);
}

#endif
