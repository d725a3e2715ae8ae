/* Shortest paths by delta-stepping.
 *
 *   Step(s)
 *     1 d(s) <- 0; put s into bucket 0
 *     2 while a bucket has entries, the first of them being b
 *     3     in parallel: settle the chunks of b that all workers found
 *     4         then those of b that this worker finds, while they are few
 *
 *   Settle(chunk)
 *     5 for each entry (d, u) that still holds, d = d(u): relax u's edges
 *
 *   Relax(u)
 *     6 for each edge (u, v, w) with d(u) + w < d(v)
 *     7     d(v) <- d(u) + w; put (d(v), v) into the bucket of d(v)
 *
 * Meyer, Sanders, J. Algorithms 49 (2003); line 4 is the bucket fusion of
 * Zhang et al., CGO 2020, as in the GAP Benchmark Suite.  Light and heavy
 * edges are not told apart: buckets are narrow.  Entries carry the distance
 * they were made with, so that line 5 relaxes no vertex twice for the same
 * distance, which GAP's code does.
 *
 * Invariant: d(v) is the length of a path, and whenever d(v) has changed
 * since v was last relaxed, there is an entry (d(v), v).
 */
#include "algo/sssp/sssp_impl.h"

enum {
    AHEAD_SLOT = 12, /* entries that the slot, the block are asked for ahead */
    AHEAD_BLOCK = 6,
    LINE = 64, /* bytes that memory is asked for */
    LINES = 8,
    FUSE = 8,  /* chunks a worker keeps for itself */
    ALONE = 6, /* chunks for which no other thread is woken */
};

/* A weight as it is added to a narrow distance: negative ones as large ones,
 * which can do no harm before they are found out. */
HY_INLINE uint64_t narrow_weight(hy_type type, const char *at)
{
    const void *const p = at;
    switch (type) {
    case HY_U8:
        return *(const uint8_t *)p;
    case HY_U16:
        return *(const uint16_t *)p;
    case HY_U32:
        return *(const uint32_t *)p;
    case HY_I32:
        return (uint32_t) * (const int32_t *)p;
    case HY_U64:
    case HY_I64:
        return *(const uint64_t *)p;
    default:
        return UINT32_MAX;
    }
}

/* Line 7, unless someone was faster. */
HY_INLINE void improve_narrow(struct sssp *S, struct sssp_bins *B, hy_vid v,
                              uint64_t to)
{
    uint32_t now = __atomic_load_n(&S->near[v], __ATOMIC_RELAXED);
    while (to < now)
        if (atomic_claim_u32(&S->near[v], &now, (uint32_t)to)) {
            sssp_push(S, B, false, to, v);
            return;
        }
}

HY_INLINE void relax_narrow(struct sssp *S, struct sssp_bins *B, hy_type type,
                            uint32_t step, const hy_span *s, uint64_t d)
{
    const char *const at = algo_weights_at(&S->W, s);
    uint64_t weights = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[(size_t)i * s->step];
        const uint64_t w = narrow_weight(type, at + (size_t)i * step);
        weights |= w;
        if (HY_UNLIKELY(d + w < sssp_now(S, false, v)))
            improve_narrow(S, B, v, d + w);
    }
    /* Negative, or too much for 32 bits: no single weight is more. */
    if (HY_UNLIKELY(weights >> 31 || d + weights >= SSSP_NEAR_NONE))
        B->is_odd = true;
}

HY_INLINE void relax_wide(struct sssp *S, struct sssp_bins *B, hy_type type,
                          uint32_t step, const hy_span *s, double d)
{
    const char *const at = algo_weights_at(&S->W, s);
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[(size_t)i * s->step];
        const double w = algo_weight_f64(type, at + (size_t)i * step);
        if (HY_UNLIKELY(!(w >= 0 && w < INFINITY))) {
            B->is_odd = true;
            continue;
        }
        const uint64_t to = sssp_bits(d + w);
        uint64_t now = __atomic_load_n(&S->wide[v], __ATOMIC_RELAXED);
        while (HY_UNLIKELY(to < now))
            if (__atomic_compare_exchange_n(&S->wide[v], &now, to, false,
                                            __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
                sssp_push(S, B, true, to, v);
                break;
            }
    }
}

HY_INLINE void relax(struct sssp *S, struct sssp_bins *B, bool is_wide,
                     hy_type type, uint32_t step, hy_vid u, uint64_t d)
{
    view_for_out (s, S->V, u) {
        const hy_span here = s;
        if (is_wide)
            relax_wide(S, B, type, step, &here, sssp_real(d));
        else
            relax_narrow(S, B, type, step, &here, d);
    }
}

/* Asks for all of a small block, ids and weights: it is read from end to end,
 * and too short for the processor to see that coming. */
HY_INLINE void prefetch_block(const hy_view *V, hy_vid u)
{
    const struct slot *const slot = view_slot(V, OUT, u);
    const char *const block = view_block(V, slot_at(slot));
    const size_t bytes = (size_t)slot_units(slot) * UNIT;
    HY_PREFETCH(block);
    for (size_t at = LINE; at < bytes && at < LINES * LINE; at += LINE)
        HY_PREFETCH(block + at);
}

HY_INLINE void prefetch(const struct sssp *S, bool is_wide,
                        const struct sssp_chunk *c, uint32_t i)
{
    const uint32_t words = is_wide ? 2 : 1;
    uint64_t d;
    if (i + AHEAD_SLOT * words < c->n)
        view_prefetch_slot(S->V,
                           sssp_entry(c, is_wide, i + AHEAD_SLOT * words, &d));
    if (i + AHEAD_BLOCK * words < c->n)
        prefetch_block(S->V,
                       sssp_entry(c, is_wide, i + AHEAD_BLOCK * words, &d));
}

HY_INLINE void settle(struct sssp *S, struct sssp_bins *B, bool is_wide,
                      hy_type type, uint32_t step, struct sssp_chunk *c)
{
    for (uint32_t i = 0; i < c->n; i += is_wide ? 2 : 1) {
        uint64_t d;
        const hy_vid u = sssp_entry(c, is_wide, i, &d);
        prefetch(S, is_wide, c, i);
        if (sssp_now(S, is_wide, u) == d)
            relax(S, B, is_wide, type, step, u, d);
    }
    c->next = B->spare;
    B->spare = c;
}

/* Line 3.  A worker's own chunks first: what lies near each other in the
 * graph stays with one processor. */
HY_INLINE void settle_turn(struct sssp *S, struct sssp_bins *B, bool is_wide,
                           hy_type type, uint32_t step)
{
    const size_t self = (size_t)(B - S->bins);
    for (size_t k = 0; k < S->n_bins; k++) {
        struct sssp_bins *const from = &S->bins[(self + k) % S->n_bins];
        for (;;) {
            const size_t i =
                atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
            if (i >= from->end)
                break;
            settle(S, B, is_wide, type, step, S->turn[i]);
        }
    }
}

/* Line 4. */
HY_INLINE void settle_own(struct sssp *S, struct sssp_bins *B, bool is_wide,
                          hy_type type, uint32_t step)
{
    struct sssp_list *const own = &B->bin[S->bucket % SSSP_BINS];
    while (own->n && own->n <= FUSE && !B->is_odd) {
        struct sssp_chunk *c = own->head;
        *own = (struct sssp_list){ 0 };
        while (c) {
            struct sssp_chunk *const next = c->next;
            settle(S, B, is_wide, type, step, c);
            c = next;
        }
    }
    if (!own->n)
        bits_remove(B->filled, S->bucket % SSSP_BINS);
}

HY_INLINE void work(struct sssp *S, struct sssp_bins *B, bool is_wide,
                    hy_type type, uint32_t step)
{
    settle_turn(S, B, is_wide, type, step);
    settle_own(S, B, is_wide, type, step);
}

/* Distances race: each only falls, by compare and swap. */
static void work_par(void *arg, size_t i)
{
    struct sssp *const S = arg;
    struct sssp_bins *const B = &S->bins[i];
    const hy_type type = S->W.type;
    const uint32_t step = S->W.step;
    if (!S->is_wide && type == HY_I32 && step == 4)
        work(S, B, false, HY_I32, 4);
    else if (!S->is_wide && type == HY_U8 && step == 0)
        work(S, B, false, HY_U8, 0);
    else if (!S->is_wide)
        work(S, B, false, type, step);
    else if (type == HY_F32 && step == 4)
        work(S, B, true, HY_F32, 4);
    else if (type == HY_F64 && step == 8)
        work(S, B, true, HY_F64, 8);
    else
        work(S, B, true, type, step);
}

hy_status sssp_step(struct sssp *S, hy_vid source)
{
    if (S->is_wide)
        S->wide[source] = 0;
    else
        S->near[source] = 0;
    S->bucket = sssp_bucket(S, S->is_wide, 0);
    sssp_push(S, &S->bins[0], S->is_wide, 0, source);
    while (sssp_bins_next(S)) {
        if (S->n_turn <= ALONE)
            work_par(S, 0);
        else
            par_run(S->ctx, S->n_bins, work_par, S);
        S->rounds++;
    }
    for (uint32_t i = 0; i < S->n_bins; i++)
        if (S->bins[i].has_failed)
            return base_fail(HY_ENOMEM, "no memory for buckets of vertices");
    return HY_OK;
}
