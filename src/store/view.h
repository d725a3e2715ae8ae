/* What the rooms above may know of a view: its loops, compiled in place.
 *
 * All ids handed in are below the view's bound; ids that are not alive have
 * no neighbours.  A directed view has a side `in` only if view_has_in.
 */
#ifndef STORE_VIEW_H
#define STORE_VIEW_H

#include "store/graph.h"

static inline hy_ctx *view_ctx(const hy_view *V)
{
    return V->graph->ctx;
}

static inline bool view_is_undirected(const hy_view *V)
{
    return V->shape->undirected;
}

static inline bool view_has_in(const hy_view *V)
{
    return V->shape->undirected || V->reverse;
}

static inline bool view_has_vertex(const hy_view *V, hy_vid u)
{
    const struct slot *s = view_slot(V, OUT, u);
    return s && slot_is_alive(s);
}

static inline enum side view_in_side(const hy_view *V)
{
    return V->shape->undirected ? OUT : IN;
}

static inline uint32_t view_side_degree(const hy_view *V, enum side side,
                                        hy_vid u)
{
    const struct slot *s = view_slot(V, side, u);
    return s ? s->degree : 0;
}

static inline uint32_t view_degree(const hy_view *V, hy_vid u)
{
    return view_side_degree(V, OUT, u);
}

static inline uint32_t view_in_degree(const hy_view *V, hy_vid u)
{
    return view_side_degree(V, view_in_side(V), u);
}

/* The first span of u, whose slot is s. */
HY_INLINE hy_span view_slot_span(const hy_view *V, enum side side,
                                 const struct slot *s, hy_vid u)
{
    if (!s || !s->degree)
        return (hy_span){ .u = u };
    if (HY_UNLIKELY(slot_is_hub(s)))
        return side == OUT ? hy_span_out(V, u) : hy_span_in(V, u);
    return (hy_span){
        .v = (const hy_vid *)(const void *)view_block(V, slot_at(s)),
        .n = s->degree,
        .step = V->shape->lane[0].width / (uint32_t)sizeof(hy_vid),
        .u = u,
        .units = slot_units(s),
    };
}

HY_INLINE hy_span view_side_span(const hy_view *V, enum side side, hy_vid u)
{
    return view_slot_span(V, side, view_slot(V, side, u), u);
}

HY_INLINE hy_span view_out(const hy_view *V, hy_vid u)
{
    return view_side_span(V, OUT, u);
}

HY_INLINE hy_span view_in(const hy_view *V, hy_vid u)
{
    return view_side_span(V, view_in_side(V), u);
}

/* view_for_out (s, V, u)  ... s.v[i * s.step], i < s.n */
#define view_for_out(s, V, u)                                                  \
    for (hy_span s = view_out(V, u); s.n != 0; hy_span_next(V, &s))
#define view_for_in(s, V, u)                                                   \
    for (hy_span s = view_in(V, u); s.n != 0; hy_span_next(V, &s))

/* ---- as bytes, for mirrors ------------------------------------------------
 */

/* What changes when all addresses do: the graph was laid out anew. */
static inline uint64_t view_layout(const hy_view *V)
{
    return V->graph->cores;
}

/* Bytes of blocks and of pages of the table, from V->blocks and V->pages on;
 * and entries of V->dir. */
static inline size_t view_block_bytes(const hy_view *V)
{
    const struct arena *const A = &V->core->arena;
    const uint64_t bytes = arena_bytes(A);
    return bytes < A->space.usable ? bytes : A->space.usable;
}

/* The same with what the next commit may take. */
static inline size_t view_block_room(const hy_view *V)
{
    return V->core->arena.space.usable;
}

static inline size_t view_page_count(const hy_view *V)
{
    return V->core->table.n_pages;
}

static inline size_t view_dir_count(const hy_view *V)
{
    return bits_div_up(V->bound, PAGE_VERTICES);
}

/* Asks for the slot of u, and for the first neighbours once it is there. */
HY_INLINE void view_prefetch_slot(const hy_view *V, hy_vid u)
{
    HY_PREFETCH(view_slot(V, OUT, u));
}

HY_INLINE void view_prefetch_span(const hy_view *V, const struct slot *s)
{
    if (s && s->degree)
        HY_PREFETCH(view_block(V, slot_at(s)));
}

HY_INLINE void view_prefetch_out(const hy_view *V, hy_vid u)
{
    view_prefetch_span(V, view_slot(V, OUT, u));
}

#endif
