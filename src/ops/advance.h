/* The engine of advance, compiled anew around the steps of each algorithm.
 *
 *   static void push_par(void *arg, const hy_span *s, hy_emit *emit) ...
 *   OPS_ADVANCE(levels, push_par, pull_par, is_open, true)
 *   ... ops_advance(V, F, &levels, &S, out);
 *
 * is hy_advance without a call per span.  `pull` and `open` may be NULL, and
 * out too.
 */
#ifndef OPS_ADVANCE_H
#define OPS_ADVANCE_H

#include "ops/frontier.h"

#include "par/par.h"
#include "store/view.h"

enum {
    /* Neighbours that one thread should not be left alone with. */
    OPS_HUB = 1 << 14,
    /* Hubs that are kept for all threads; more than these are no hubs. */
    OPS_HUBS = 64,
    /* How far ahead slots, spans and what lies at their heads are asked
     * for. */
    OPS_SLOTS_AHEAD = 24,
    OPS_SPANS_AHEAD = 12,
    OPS_HEADS_AHEAD = 6,
    OPS_RING = 32,
    OPS_PULLS_AHEAD = 8,
};

/* One advance at work. */
struct ops_walk {
    const hy_view *V;
    const hy_program *P; /* of hy_advance alone */
    void *arg;
    hy_frontier *out;
    const hy_vid *list; /* push: n vertices */
    size_t n;
    const struct ops_engine *engine;
    struct ops_lane *lane; /* push: `lanes` of them; borrowed */
    uint32_t lanes;
    const uint64_t *from; /* pull */
    uint32_t round;
    bool puts_once, is_alone;
    uint32_t pieces;         /* that a hub is cut into */
    hy_vid hub[OPS_HUBS];    /* set aside */
    _Atomic uint32_t n_hubs; /* relaxed: deals out places */
};

/* What one thread found in its share of a short list. */
struct ops_lane {
    struct ops_walk *walk;
    hy_vid *to;     /* NULL: the end of `out`; else a place for all it finds */
    size_t n;       /* there so far */
    uint64_t edges; /* of these n */
    char pad[32];   /* a line each */
};

struct ops_engine {
    par_range_step *push; /* of a lane; of the list, some vertices */
    par_step *hub;        /* the i / pieces-th hub, its i % pieces-th piece */
    par_range_step *pull; /* vertices; NULL: never */
    bool puts_once;
    bool puts_heads; /* a push puts no more than one vertex for each edge */
    bool is_serial;  /* one thread pushes, whatever there is to do */
    bool pulls_all;  /* a pull reads all edges of the vertices that are open */
};

void ops_advance(const hy_view *V, hy_frontier *F,
                 const struct ops_engine *engine, void *arg, hy_frontier *out);
void ops_advance_program(const hy_view *V, hy_frontier *F,
                         const struct ops_engine *engine, const hy_program *P,
                         void *arg, hy_frontier *out);

typedef void ops_push(void *arg, const hy_span *s, hy_emit *emit);
typedef bool ops_pull(void *arg, const hy_span *s, const uint64_t *from,
                      hy_emit *emit);
typedef void ops_ask(void *arg, const hy_span *s);
typedef bool ops_is_open(void *arg, hy_vid v);

HY_INLINE void ops_emit_init(hy_emit *emit, const struct ops_walk *W,
                             bool is_pull)
{
    emit->out = W->out;
    emit->lane = NULL;
    emit->n = 0;
    emit->is_pull = is_pull && W->out;
    emit->is_alone = W->is_alone;
    emit->round = W->round;
    emit->bits = W->out && (is_pull || !W->puts_once) ? W->out->bits : NULL;
}

/* Sets u aside if it is a hub; false if not, or if there are too many. */
static inline bool ops_set_aside(struct ops_walk *W, hy_vid u)
{
    if (W->pieces <= 1 || view_degree(W->V, u) < OPS_HUB ||
        atomic_load_explicit(&W->n_hubs, memory_order_relaxed) >= OPS_HUBS)
        return false;
    const uint32_t i =
        atomic_fetch_add_explicit(&W->n_hubs, 1, memory_order_relaxed);
    if (i >= OPS_HUBS)
        return false;
    W->hub[i] = u;
    return true;
}

/* A walk over lo .. end-1 of a list of vertices that asks for memory ahead.
 * Slots of those to come are kept in a ring: each is looked up once. */
struct ops_ahead {
    const hy_view *V;
    enum side side;
    const hy_vid *list;
    size_t end;
    ops_ask *ask; /* for what lies at the heads; NULL: for nothing */
    void *arg;    /* ask's */
    const struct slot **slot; /* OPS_RING of them */
};

HY_INLINE void ops_ask_slot(const struct ops_ahead *A, size_t i)
{
    const struct slot *s = view_slot(A->V, A->side, A->list[i]);
    A->slot[i % OPS_RING] = s;
    HY_PREFETCH(s);
}

HY_INLINE void ops_ask_span(const struct ops_ahead *A, size_t i)
{
    view_prefetch_span(A->V, A->slot[i % OPS_RING]);
}

/* The first span of the i-th vertex. */
HY_INLINE hy_span ops_ahead_span(const struct ops_ahead *A, size_t i)
{
    return view_slot_span(A->V, A->side, A->slot[i % OPS_RING], A->list[i]);
}

HY_INLINE void ops_ask_heads(const struct ops_ahead *A, size_t i)
{
    const hy_span s = ops_ahead_span(A, i);
    A->ask(A->arg, &s);
}

/* The walk begins: asks for the first ones, all at once. */
HY_INLINE void ops_look_first(const struct ops_ahead *A, size_t lo)
{
    for (size_t i = lo; i < A->end && i < lo + OPS_SLOTS_AHEAD; i++)
        ops_ask_slot(A, i);
    for (size_t i = lo; i < A->end && i < lo + OPS_SPANS_AHEAD; i++)
        ops_ask_span(A, i);
    for (size_t i = lo; A->ask && i < A->end && i < lo + OPS_HEADS_AHEAD; i++)
        ops_ask_heads(A, i);
}

/* The i-th vertex is next: asks for memory of those that follow. */
HY_INLINE void ops_look_ahead(const struct ops_ahead *A, size_t i)
{
    if (i + OPS_SLOTS_AHEAD < A->end)
        ops_ask_slot(A, i + OPS_SLOTS_AHEAD);
    if (i + OPS_SPANS_AHEAD < A->end)
        ops_ask_span(A, i + OPS_SPANS_AHEAD);
    if (A->ask && i + OPS_HEADS_AHEAD < A->end)
        ops_ask_heads(A, i + OPS_HEADS_AHEAD);
}

HY_INLINE void ops_push_range(void *lane, size_t lo, size_t hi, ops_push *push,
                              ops_ask *ask)
{
    struct ops_lane *const L = lane;
    struct ops_walk *const W = L->walk;
    const struct slot *ring[OPS_RING];
    const struct ops_ahead A = { W->V, OUT, W->list, hi, ask, W->arg, ring };
    hy_emit emit;
    ops_emit_init(&emit, W, false);
    emit.lane = L->to ? L : NULL;
    ops_look_first(&A, lo);
    for (size_t i = lo; i < hi; i++) {
        ops_look_ahead(&A, i);
        const struct slot *const slot = ring[i % OPS_RING];
        if (HY_UNLIKELY(slot && slot->degree >= OPS_HUB) &&
            ops_set_aside(W, W->list[i]))
            continue;
        for (hy_span s = ops_ahead_span(&A, i); s.n; hy_span_next(W->V, &s))
            push(W->arg, &s, &emit);
    }
    hy_emit_flush(&emit);
}

/* The part of s, whose first neighbour is the at-th of its vertex, that lies
 * in lo .. hi.  Cutting a span is allowed if it is longer than a page: only
 * then its columns do not hang on where it begins. */
HY_INLINE hy_span ops_span_part(const hy_span *s, uint64_t at, uint64_t lo,
                                uint64_t hi)
{
    enum { PAGE = 512 };
    hy_span part = *s;
    if (s->n <= PAGE) {
        part.n = at >= lo && at < hi ? s->n : 0;
        return part;
    }
    const uint64_t from = at > lo ? at : lo;
    const uint64_t to = at + s->n < hi ? at + s->n : hi;
    part.n = from < to ? (uint32_t)(to - from) : 0;
    part.v = s->v + (part.n ? from - at : 0) * s->step;
    return part;
}

HY_INLINE void ops_push_hub(void *walk, size_t i, ops_push *push)
{
    struct ops_walk *W = walk;
    const hy_view *const V = W->V;
    const hy_vid u = W->hub[i / W->pieces];
    const uint64_t degree = view_degree(V, u), k = i % W->pieces;
    const uint64_t lo = degree * k / W->pieces;
    const uint64_t hi = degree * (k + 1) / W->pieces;
    hy_emit emit;
    ops_emit_init(&emit, W, false);
    uint64_t at = 0;
    view_for_out (s, V, u) {
        const hy_span part = ops_span_part(&s, at, lo, hi);
        if (part.n)
            push(W->arg, &part, &emit);
        at += s.n;
        if (at >= hi)
            break;
    }
    hy_emit_flush(&emit);
}

/* Those of the n vertices from `first` on that are open and have edges into
 * them, by their place; how many.  No jumps: which are open is hard to
 * guess. */
HY_INLINE uint32_t ops_list_open(const struct ops_walk *W,
                                 const struct slot *slots, size_t first,
                                 size_t n, ops_is_open *is_open, uint8_t *open)
{
    uint32_t count = 0, linked = 0;
    for (size_t k = 0; k < n; k++) {
        open[count] = (uint8_t)k;
        count += !is_open || is_open(W->arg, (hy_vid)(first + k));
    }
    for (uint32_t i = 0; i < count; i++) {
        open[linked] = open[i];
        linked += slots[open[i]].degree != 0;
    }
    return linked;
}

/* Page by page of vertices. */
HY_INLINE void ops_pull_range(void *walk, size_t lo, size_t hi, ops_pull *pull,
                              ops_is_open *is_open)
{
    struct ops_walk *W = walk;
    const hy_view *const V = W->V;
    const enum side side = view_in_side(V);
    hy_emit emit;
    ops_emit_init(&emit, W, true);
    for (size_t first = lo; first < hi; first += PAGE_VERTICES) {
        const struct slot *const slots = view_slot(V, side, (hy_vid)first);
        if (!slots)
            continue;
        uint8_t open[PAGE_VERTICES + 1];
        const size_t n =
            hi - first < PAGE_VERTICES ? hi - first : PAGE_VERTICES;
        const uint32_t count = ops_list_open(W, slots, first, n, is_open, open);
        for (uint32_t i = 0; i < count; i++) {
            if (i + OPS_PULLS_AHEAD < count)
                view_prefetch_span(V, &slots[open[i + OPS_PULLS_AHEAD]]);
            for (hy_span s = view_slot_span(V, side, &slots[open[i]],
                                            (hy_vid)(first + open[i]));
                 s.n != 0; hy_span_next(V, &s))
                if (pull(W->arg, &s, W->from, &emit))
                    break;
        }
    }
    hy_emit_flush(&emit);
}

/* Defines `name`, an engine around these steps. */
#define OPS_ADVANCE(name, push_step, ahead_step, pull_step, open_step, once)   \
    OPS_ENGINE(name, push_step, ahead_step, pull_step, open_step, once,        \
               .pulls_all = false)

/* The same for pulls that read all edges of a vertex, found or not, and put
 * each vertex once; `serial`: is_serial. */
#define OPS_ADVANCE_ALL(name, push_step, ahead_step, pull_step, open_step,     \
                        serial)                                                \
    OPS_ENGINE(name, push_step, ahead_step, pull_step, open_step, true,        \
               .pulls_all = true, .is_serial = serial)

#define OPS_ENGINE(name, push_step, ahead_step, pull_step, open_step, once,    \
                   ...)                                                        \
    static void name##_push_par(void *lane, size_t lo, size_t hi)              \
    {                                                                          \
        ops_push_range(lane, lo, hi, push_step, ahead_step);                   \
    }                                                                          \
    static void name##_hub_par(void *walk, size_t i)                           \
    {                                                                          \
        ops_push_hub(walk, i, push_step);                                      \
    }                                                                          \
    static void name##_pull_par(void *walk, size_t lo, size_t hi)              \
    {                                                                          \
        ops_pull_range(walk, lo, hi, pull_step, open_step);                    \
    }                                                                          \
    static const struct ops_engine name = { .push = name##_push_par,           \
                                            .hub = name##_hub_par,             \
                                            .pull = name##_pull_par,           \
                                            .puts_once = once,                 \
                                            .puts_heads = true,                \
                                            __VA_ARGS__ };

#endif
