/* Weakly connected components by hooking and pointer jumping.
 *
 *   ShiloachVishkin(V)
 *     1 p(u) <- u
 *     2 repeat
 *     3   Hook      for each edge (u, v) with p(u) < p(v), p(v) a root:
 *                   p(p(v)) <- p(u); so too from v to u
 *     4   Compress  p(u) <- root of u
 *     5 until no root was hooked
 *
 * Shiloach, Vishkin: An O(log n) parallel connectivity algorithm, Journal of
 * Algorithms 3(1), 1982, in the form of Bader, Cong, Feo (ICPP 2005): jumps
 * go to the root at once.  Of hooks to one root the one that is first stays.
 */
#include "algo/wcc/wcc_impl.h"

/* Hooks the larger root under the smaller; true if there were two. */
HY_INLINE bool hook(hy_vid *p, hy_vid a, hy_vid b)
{
    a = atomic_peek_u32(&p[a]);
    b = atomic_peek_u32(&p[b]);
    if (a == b)
        return false;
    const hy_vid low = a < b ? a : b;
    hy_vid high = a < b ? b : a;
    (void)atomic_claim_u32(&p[high], &high, low);
    return true;
}

/* Writes roots, which other threads hook too. */
static void hook_par(void *arg, size_t lo, size_t hi)
{
    struct wcc *W = arg;
    bool moved = false;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++)
            moved |= hook(W->p, s.u, s.v[i * s.step]);
    }
    if (moved)
        __atomic_store_n(&W->moved, true, __ATOMIC_RELAXED);
}

/* Writes p of its range. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((const struct wcc *)arg)->p, lo, hi);
}

void wcc_shiloach_vishkin(struct wcc *W)
{
    wcc_alone(W);
    do {
        W->moved = false;
        par_for(W->ctx, W->n, WCC_GRAIN, hook_par, W);
        par_for(W->ctx, W->n, WCC_GRAIN, compress_par, W);
        W->iterations++;
    } while (W->moved);
}
