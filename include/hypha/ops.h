/* Operators: what algorithms are made of, for the library's own and yours.
 *
 * A step is a function of yours that an operator calls on all threads of the
 * graph's context, at once, for different vertices or spans; what it shares
 * with the other calls it must write atomically.  A step must not call an
 * operator.  Operators on frontiers cannot fail: these have all the memory.
 *
 * Push or pull, sparse or dense is the operator's choice.
 */
#ifndef HY_OPS_H
#define HY_OPS_H

#include <hypha/base.h>
#include <hypha/graph.h>
#include <hypha/ops_intersect.h>
#include <hypha/ops_sets.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frontiers -------------------------------------------------------- */

/* A set of vertices of one view: a list while it is small, a bitmap when it
 * is large, each made of the other when it is asked for.  Used by one thread
 * at a time. */
typedef struct hy_frontier hy_frontier;

/* Makes an empty frontier for V, and for other views of the graph with the
 * same bound.  4 bytes and a bit for every vertex.  HY_ENOMEM. */
HY_MUST hy_status hy_frontier_new(const hy_view *V, hy_frontier **out);
HY_API void hy_frontier_free(hy_frontier *F);

HY_API void hy_frontier_clear(hy_frontier *F);

/* v < the view's bound; nothing happens if it is there. */
HY_API void hy_frontier_add(hy_frontier *F, hy_vid v);
/* Adds every vertex of V. */
HY_API void hy_frontier_fill(hy_frontier *F, const hy_view *V);
HY_API bool hy_frontier_has(hy_frontier *F, hy_vid v);
HY_API uint64_t hy_frontier_count(const hy_frontier *F);

/* The vertices, in any order.  Borrowed until F changes. */
HY_API const hy_vid *hy_frontier_list(hy_frontier *F);

/* The vertices as bits: v is bit v % 64 of word v / 64.  Borrowed alike. */
HY_API const uint64_t *hy_frontier_bits(hy_frontier *F);

/* Exchanges contents; O(1). */
HY_API void hy_frontier_swap(hy_frontier *a, hy_frontier *b);

static inline bool hy_bit(const uint64_t *bits, hy_vid v)
{
    return (bits[v / 64] >> (v % 64)) & 1;
}

/* ---- advance ---------------------------------------------------------- */

/* Where a step puts the vertices of the next frontier.  Its inside but for
 * `round` is private, and here only so that hy_emit_put is compiled into its
 * caller. */
enum { HY_EMIT_ROOM = 500 };
typedef struct hy_emit {
    hy_frontier *out; /* NULL: none is wanted */
    void *lane;       /* where a push puts; NULL: to the end of `out` */
    uint64_t *bits;   /* of `out`; NULL: no vertex is put twice */
    uint32_t n;       /* put since the last flush */
    uint32_t round;   /* advances since F was filled, this one included */
    bool is_pull;
    bool is_alone; /* no other step runs */
    hy_vid at[HY_EMIT_ROOM];
} hy_emit;

HY_API void hy_emit_flush(hy_emit *emit);

/* Puts v into the next frontier, where it is once however often it is put.
 * A pull puts the vertex of its span and no other. */
static inline void hy_emit_put(hy_emit *emit, hy_vid v)
{
    const uint64_t bit = (uint64_t)1 << (v % 64);
    if (emit->is_pull) {
        /* Threads have whole words of their own. */
        emit->n += !(emit->bits[v / 64] & bit);
        emit->bits[v / 64] |= bit;
        return;
    }
    if (emit->bits) {
        uint64_t *const word = &emit->bits[v / 64];
        /* Relaxed: the end of the operator orders what was put. */
        if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit)
            return;
        if (emit->is_alone)
            *word |= bit;
        else if (__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit)
            return;
    }
    emit->at[emit->n++] = v;
    if (emit->n == HY_EMIT_ROOM)
        hy_emit_flush(emit);
}

/* Makes *x `value` if it is `from`; true to the one step that did.  Costs
 * nothing while no other step runs. */
static inline bool hy_emit_claim(const hy_emit *emit, uint32_t *x,
                                 uint32_t from, uint32_t value)
{
    if (__atomic_load_n(x, __ATOMIC_RELAXED) != from)
        return false;
    if (!emit->is_alone)
        return __atomic_compare_exchange_n(x, &from, value, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *x = value;
    return true;
}

/* Makes *x `value` if that is less; true if so.  Other steps may do so too:
 * what they all see at *x in the end is the least. */
static inline bool hy_emit_lower(const hy_emit *emit, double *x, double value)
{
    double old;
    (void)emit;
    __atomic_load(x, &old, __ATOMIC_RELAXED);
    while (value < old)
        if (__atomic_compare_exchange(x, &old, &value, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
            return true;
    return false;
}

/* Reads what other steps may write. */
static inline double hy_emit_peek(const hy_emit *emit, const double *x)
{
    double value;
    (void)emit;
    __atomic_load(x, &value, __ATOMIC_RELAXED);
    return value;
}

typedef struct hy_program {
    /* Goes along edges s->u -> s->v[i * s->step], s->u in the frontier.
     * Called once for every span of s->u, by any threads at once. */
    void (*push)(void *arg, const hy_span *s, hy_emit *emit);
    /* Goes along the same edges from their heads: s is a span of in-edges of
     * s->u, and s->v[i * s->step] is in the frontier if hy_bit(from, it).
     * Spans of one vertex come in order, to one thread.  True: the others
     * are not needed.  NULL: never pull. */
    bool (*pull)(void *arg, const hy_span *s, const uint64_t *from,
                 hy_emit *emit);
    /* Whether a vertex is to be pulled to; NULL: all are. */
    bool (*is_open)(void *arg, hy_vid v);
    /* The push puts no vertex twice: spares the test. */
    bool puts_once;
} hy_program;

/* Goes along the out-edges of F.  `out`, if not NULL, is cleared first and
 * gets what the steps put; it must not be F.  Pulls, where the program can
 * and V has in-edges, while F's edges are more than a 15th of those not gone
 * along yet, or F is growing or more than an 18th of the vertices (Beamer,
 * Asanovic, Patterson, SC 2012).  Hubs are shared between threads. */
HY_API void hy_advance(const hy_view *V, hy_frontier *F, const hy_program *P,
                       void *arg, hy_frontier *out);

/* Advances from one vertex, then from each next frontier, until one is empty.
 * HY_EINVAL: there is no such vertex; HY_ENOMEM. */
HY_MUST hy_status hy_advance_from(const hy_view *V, hy_vid source,
                                  const hy_program *P, void *arg);

/* All edges, span by span; long ones are cut and shared between threads. */
HY_API void hy_each_span(const hy_view *V,
                         void (*step)(void *arg, const hy_span *s), void *arg);

/* All edges, by ranges of vertices: `walk` goes over the spans of some
 * vertices, all spans of each.  The fastest where degrees are even. */
HY_API void hy_each_range(const hy_view *V,
                          void (*step)(void *arg, hy_scan *walk), void *arg);

/* ---- filter and compute ------------------------------------------------ */

/* out = those of F that `keep` keeps; cleared first, not F. */
HY_API void hy_filter(hy_frontier *F, bool (*keep)(void *arg, hy_vid v),
                      void *arg, hy_frontier *out);

/* Calls the step for each vertex of F; F NULL: of V. */
HY_API void hy_compute(const hy_view *V, hy_frontier *F,
                       void (*step)(void *arg, hy_vid v), void *arg);

#ifdef __cplusplus
}
#endif
#endif
