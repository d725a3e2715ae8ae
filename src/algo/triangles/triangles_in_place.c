/* Triangles on the view itself, ordered by id.
 *
 *   Count
 *     for every u, for every neighbour v < u:
 *       add the common neighbours of u and v below v
 *
 * Nothing is copied: what is common is found in the two spans by merging, or
 * by searching where one is much longer, so that an edge costs no more than
 * its smaller degree, times a logarithm.  The best where no vertex has much
 * more edges than others.  After GAP's tc (Beamer, Asanovic, Patterson, 2015),
 * which only merges.
 */
#include "algo/triangles/triangles_impl.h"

#include "ops/intersect.h"
#include "par/par.h"

#include <stdatomic.h>

struct place {
    const hy_view *V;
    const struct ops_intersect *loops;
    uint64_t *count;        /* NULL, or by vertex; atomic, relaxed: counters */
    _Atomic uint64_t total; /* relaxed: a counter */
};

static void give(uint64_t *count, hy_vid u, uint64_t x)
{
    (void)__atomic_fetch_add(&count[u], x, __ATOMIC_RELAXED);
}

/* ---- adjacencies of many pieces, or interleaved ------------------------- */

/* Common neighbours of u and v below v. */
struct below {
    struct place *P;
    hy_vid v;
    uint64_t found;
};

static void find_below(void *arg, hy_vid w)
{
    struct below *b = arg;
    if (w >= b->v)
        return;
    b->found++;
    if (b->P->count)
        give(b->P->count, w, 1);
}

static uint64_t common_anyhow(struct place *P, hy_vid u, hy_vid v)
{
    struct below b = { P, v, 0 };
    hy_intersect(P->V, u, v, find_below, &b);
    if (P->count && b.found) {
        give(P->count, u, b.found);
        give(P->count, v, b.found);
    }
    return b.found;
}

static uint64_t count_anyhow(struct place *P, hy_vid u)
{
    uint64_t found = 0;
    view_for_out (s, P->V, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            if (v >= u)
                return found;
            found += common_anyhow(P, u, v);
        }
    return found;
}

/* ---- adjacencies in one piece ------------------------------------------ */

enum { FEW = 16 };

/* How many of x[0..n) are below v. */
static uint32_t prefix(const hy_vid *x, uint32_t n, hy_vid v)
{
    uint32_t lo = 0, hi = n;
    while (hi - lo > FEW) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (x[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo < hi && x[lo] < v)
        lo++;
    return lo;
}

/* How many a[0..na) and b[0..nb) have in common; a ends below v. */
HY_INLINE uint64_t common(const struct place *P, const hy_vid *a, uint32_t na,
                          const hy_vid *b, uint32_t nb, hy_vid v)
{
    if (na > FEW || nb > FEW)
        return ops_intersect_sorted(P->loops, a, na, b, prefix(b, nb, v));
    uint64_t found = 0;
    uint32_t i = 0, k = 0;
    while (i < na && k < nb) {
        const hy_vid x = a[i], y = b[k];
        found += x == y;
        i += x <= y;
        k += y <= x;
    }
    return found;
}

/* The neighbours of u below u are list[0..n). */
static uint64_t count_at(struct place *P, hy_vid u, const hy_vid *list,
                         uint32_t n)
{
    uint64_t found = 0;
    for (uint32_t i = 1; i < n; i++) {
        const hy_span s = view_out(P->V, list[i]);
        if (HY_LIKELY(!s.path))
            found += common(P, list, i, s.v, s.n, list[i]);
        else
            found += common_anyhow(P, u, list[i]);
    }
    return found;
}

static void count_par(void *arg, size_t lo, size_t hi)
{
    struct place *P = arg;
    uint64_t found = 0;
    hy_vid hub = HY_NONE; /* whose other pieces follow */
    hy_scan scan = hy_scan_out(P->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        if (s.u == hub)
            continue;
        if (s.path || s.step != 1 || P->count) {
            hub = s.u;
            found += count_anyhow(P, hub);
        } else {
            found += count_at(P, s.u, s.v, prefix(s.v, s.n, s.u));
        }
    }
    atomic_fetch_add_explicit(&P->total, found, memory_order_relaxed);
}

hy_status triangles_in_place(const hy_view *V, uint64_t *count, uint64_t *total)
{
    enum { GRAIN = 512 };
    struct place P = { .V = V, .loops = ops_intersect_best(), .count = count };
    triangles_clear(V, count);
    par_for(view_ctx(V), hy_view_bound(V), GRAIN, count_par, &P);
    *total = atomic_load(&P.total);
    return HY_OK;
}
