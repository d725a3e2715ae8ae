/* Sides that a directed view does not keep, as CSR: its in-adjacency, and
 * both sides merged.
 *
 *   Reverse(V)
 *     1 Offsets   where each vertex's out-edges start, by a scan
 *     2 Keys      (v, u) for every edge u -> v
 *     3 Sort      by v, then u
 *     4 Cut       offset[v] <- the first key of v
 *
 * A sort, and not counting with atomic cursors: the order is then the same
 * for every number of threads.  Merging walks both sides of each vertex
 * twice: to count, then to write.
 */
#include "algo/common/side.h"

#include "base/bits.h"
#include "par/par.h"

enum { GRAIN = 512 };

struct reverse {
    const hy_view *V;
    uint64_t *start; /* of each vertex's out-edges, then of its in-edges */
    struct par_keys keys;
    uint32_t *source;
};

static void count_par(void *arg, size_t lo, size_t hi)
{
    struct reverse *R = arg;
    for (size_t u = lo; u < hi; u++)
        R->start[u] = view_degree(R->V, (hy_vid)u);
}

/* Writes the keys of its vertices. */
static void key_par(void *arg, size_t lo, size_t hi)
{
    struct reverse *R = arg;
    uint64_t at = R->start[lo];
    hy_scan scan = hy_scan_out(R->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan))
        for (size_t i = 0; i < scan.span.n; i++)
            R->keys.key[at++] =
                (uint64_t)scan.span.v[i * scan.span.step] << 32 | scan.span.u;
}

/* The first key not below v << 32. */
static uint64_t find(const struct par_keys *keys, uint64_t v)
{
    uint64_t lo = 0, hi = keys->n;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (keys->key[mid] >> 32 < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Writes the offsets of its vertices, and their sources. */
static void cut_par(void *arg, size_t lo, size_t hi)
{
    struct reverse *R = arg;
    uint64_t at = find(&R->keys, lo);
    for (size_t v = lo; v < hi; v++) {
        R->start[v] = at;
        for (; at < R->keys.n && R->keys.key[at] >> 32 == v; at++)
            R->source[at] = (uint32_t)R->keys.key[at];
    }
}

static hy_status reverse(struct algo_side *S)
{
    hy_ctx *const ctx = view_ctx(S->V);
    const hy_vid bound = hy_view_bound(S->V);
    const uint64_t m = hy_view_arcs(S->V);
    struct reverse R = { .V = S->V, .keys = { .n = m } };
    R.start = base_alloc_raw(ctx, (size_t)bound + 1, sizeof *R.start);
    R.source = base_alloc_raw(ctx, m, sizeof *R.source);
    R.keys.key = base_alloc_raw(ctx, m, sizeof *R.keys.key);
    R.keys.key_tmp = base_alloc_raw(ctx, m, sizeof *R.keys.key_tmp);
    R.keys.high_bits = R.keys.low_bits = bits_width(bound);
    const bool ok = R.start && R.source && R.keys.key && R.keys.key_tmp;
    if (ok) {
        par_for(ctx, bound, GRAIN, count_par, &R);
        (void)par_scan(ctx, R.start, bound);
        par_for(ctx, bound, GRAIN, key_par, &R);
        par_sort(ctx, &R.keys);
        par_for(ctx, bound, GRAIN, cut_par, &R);
        R.start[bound] = m;
        S->offset = R.start;
        S->source = R.source;
    } else {
        base_free(ctx, R.source);
        base_free(ctx, R.start);
    }
    base_free(ctx, R.keys.key_tmp);
    base_free(ctx, R.keys.key);
    return ok ? HY_OK : HY_ENOMEM;
}

hy_status algo_side_in(struct algo_side *S, const hy_view *V)
{
    *S = (struct algo_side){ .V = V, .is_in = !view_is_undirected(V) };
    return view_has_in(V) ? HY_OK : reverse(S);
}

/* ---- both kinds, each neighbour once ----------------------------------- */

/* A walk over sorted neighbours. */
struct walk {
    const hy_view *V;
    hy_span s;
    uint32_t i;
};

/* HY_NONE at the end: no vertex has that id. */
static hy_vid walk_at(const struct walk *w)
{
    return w->i < w->s.n ? w->s.v[(size_t)w->i * w->s.step] : HY_NONE;
}

static void walk_next(struct walk *w)
{
    if (++w->i == w->s.n) {
        hy_span_next(w->V, &w->s);
        w->i = 0;
    }
}

struct merge {
    const struct algo_side *in;
    struct algo_side *S;
};

/* Writes the neighbours of u, unless `to` is NULL; returns how many. */
static uint64_t merge(const struct merge *M, hy_vid u, hy_vid *to)
{
    struct walk out = { .V = M->in->V, .s = view_out(M->in->V, u) };
    struct walk in = { .V = M->in->V, .s = algo_side_span(M->in, u) };
    uint64_t n = 0;
    for (;;) {
        const hy_vid a = walk_at(&out), b = walk_at(&in);
        const hy_vid v = a < b ? a : b;
        if (v == HY_NONE)
            return n;
        if (a == v)
            walk_next(&out);
        if (b == v)
            walk_next(&in);
        if (v == u)
            continue;
        if (to)
            to[n] = v;
        n++;
    }
}

/* Writes the offsets of its range: degrees as yet. */
static void measure_par(void *arg, size_t lo, size_t hi)
{
    const struct merge *M = arg;
    for (size_t u = lo; u < hi; u++)
        M->S->offset[u] = merge(M, (hy_vid)u, NULL);
}

/* Writes the neighbours of its range. */
static void merge_par(void *arg, size_t lo, size_t hi)
{
    const struct merge *M = arg;
    for (size_t u = lo; u < hi; u++)
        (void)merge(M, (hy_vid)u, M->S->source + M->S->offset[u]);
}

static hy_status copy_both(struct algo_side *S, const struct algo_side *in)
{
    hy_ctx *const ctx = view_ctx(S->V);
    const size_t n = S->V->bound;
    struct merge M = { .in = in, .S = S };
    S->offset = base_alloc_raw(ctx, n + 1, sizeof *S->offset);
    if (!S->offset)
        return HY_ENOMEM;
    par_for(ctx, n, GRAIN, measure_par, &M);
    S->offset[n] = par_scan(ctx, S->offset, n);
    S->source = base_alloc_raw(ctx, S->offset[n], sizeof *S->source);
    if (!S->source)
        return HY_ENOMEM;
    par_for(ctx, n, GRAIN, merge_par, &M);
    return HY_OK;
}

hy_status algo_side_simple(struct algo_side *S, const hy_view *V)
{
    struct algo_side in;
    *S = (struct algo_side){ .V = V };
    if (view_is_undirected(V))
        return HY_OK;
    HY_TRY(algo_side_in(&in, V));
    const hy_status status = copy_both(S, &in);
    algo_side_fini(&in);
    if (status != HY_OK)
        algo_side_fini(S);
    return status;
}

void algo_side_fini(struct algo_side *S)
{
    if (!S->V)
        return;
    base_free(view_ctx(S->V), S->source);
    base_free(view_ctx(S->V), S->offset);
    *S = (struct algo_side){ 0 };
}
