/* Weakly connected components by the smallest label that reaches a vertex.
 *
 *   LabelPropagation(V)
 *     1 p(u) <- u
 *     2 repeat
 *     3   for each edge (u, v): p(u), p(v) <- min(p(u), p(v))
 *     4 until nothing changed
 *
 * Labels go both ways along an edge, so that no reverse side is needed, and
 * in place: a label may go a long way in one round.  As many rounds as the
 * diameter in the worst case: simple, and slow on roads.
 */
#include "algo/wcc/wcc_impl.h"

/* *p <- min(*p, x); true if it was larger. */
HY_INLINE bool lower(hy_vid *p, hy_vid x)
{
    hy_vid old = atomic_peek_u32(p);
    while (x < old)
        if (atomic_claim_u32(p, &old, x))
            return true;
    return false;
}

/* Writes labels of any vertex: they only fall. */
static void spread_par(void *arg, size_t lo, size_t hi)
{
    struct wcc *W = arg;
    bool moved = false;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            moved |= lower(&W->p[s.u], atomic_peek_u32(&W->p[v]));
            moved |= lower(&W->p[v], atomic_peek_u32(&W->p[s.u]));
        }
    }
    if (moved)
        __atomic_store_n(&W->moved, true, __ATOMIC_RELAXED);
}

void wcc_label_propagation(struct wcc *W)
{
    wcc_alone(W);
    do {
        W->moved = false;
        par_for(W->ctx, W->n, WCC_GRAIN, spread_par, W);
        W->iterations++;
    } while (W->moved);
}
