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
    while (k < nb && b[k] < a[0])
        k++;
    while (i < na && k < nb) {
        const hy_vid x = a[i], y = b[k];
        found += x == y;
        i += x <= y;
        k += y <= x;
    }
    return found;
}

/* The neighbours of u below u. */
struct list {
    const hy_vid *at;
    uint32_t n;
    hy_vid u;
};

HY_INLINE uint64_t count_at(struct place *P, struct list L)
{
    uint64_t found = 0;
    for (uint32_t i = 1; i < L.n; i++) {
        const hy_vid v = L.at[i];
        const hy_span s = view_out(P->V, v);
        uint64_t more = 0;
        if (HY_LIKELY(!s.path))
            more = common(P, L.at, i, s.v, s.n, v);
        /* counts of each are rare enough where degrees are even */
        if (HY_UNLIKELY(s.path || (more && P->count)))
            more = common_anyhow(P, L.u, v);
        found += more;
    }
    return found;
}

/* ---- one after the other, with what is needed asked for before ---------- */

/* Lists on their way: of the newest the slots of its neighbours are asked
 * for, of the one before their adjacencies. */
struct queue {
    struct list newest, next;
};

HY_INLINE void ask_for_slots(const struct place *P, const struct list *L)
{
    for (uint32_t i = 1; i < L->n; i++)
        view_prefetch_slot(P->V, L->at[i]);
}

HY_INLINE void ask_for_lists(const struct place *P, const struct list *L)
{
    for (uint32_t i = 1; i < L->n; i++)
        view_prefetch_out(P->V, L->at[i]);
}

/* Takes a list in and counts the one that is due. */
static uint64_t pass_on(struct place *P, struct queue *Q, struct list L)
{
    const struct list due = Q->next;
    ask_for_slots(P, &L);
    ask_for_lists(P, &Q->newest);
    Q->next = Q->newest;
    Q->newest = L;
    return count_at(P, due);
}

/* Adjacencies are arrays of ids, most of them in one piece. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    enum { SHORT = 4 }; /* lists that are not worth the queue */
    struct place *P = arg;
    struct queue Q = { 0 };
    uint64_t found = 0;
    hy_vid hub = HY_NONE; /* whose other pieces follow */
    hy_scan scan = hy_scan_out(P->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u;
        if (HY_UNLIKELY(scan.span.path || u == hub)) {
            found += u == hub ? 0 : count_anyhow(P, u);
            hub = u;
            continue;
        }
        const hy_vid *at = scan.span.v;
        const uint32_t n = prefix(at, scan.span.n, u);
        if (n < SHORT)
            found += count_at(P, (struct list){ at, n, u });
        else
            found += pass_on(P, &Q, (struct list){ at, n, u });
    }
    found += pass_on(P, &Q, (struct list){ 0 });
    found += pass_on(P, &Q, (struct list){ 0 });
    atomic_fetch_add_explicit(&P->total, found, memory_order_relaxed);
}

/* Adjacencies of any form. */
static void count_anyhow_par(void *arg, size_t lo, size_t hi)
{
    struct place *P = arg;
    uint64_t found = 0;
    for (size_t u = lo; u < hi; u++)
        found += count_anyhow(P, (hy_vid)u);
    atomic_fetch_add_explicit(&P->total, found, memory_order_relaxed);
}

/* Do columns lie between the ids? */
static bool is_interleaved(const hy_view *V)
{
    return hy_scan_out(V, 0, 0).span.step != 1;
}

hy_status triangles_in_place(const hy_view *V, uint64_t *count, uint64_t *total)
{
    enum { GRAIN = 512 };
    struct place P = { .V = V, .loops = ops_intersect_best(), .count = count };
    triangles_clear(V, count);
    par_for(view_ctx(V), hy_view_bound(V), GRAIN,
            is_interleaved(V) ? count_anyhow_par : count_par, &P);
    *total = atomic_load(&P.total);
    return HY_OK;
}
