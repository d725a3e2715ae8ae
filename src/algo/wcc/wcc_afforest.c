/* Weakly connected components by unions of a few edges, then of the rest.
 *
 *   Afforest(V)
 *     1 Begin     p(u) <- min(u, the smallest neighbour of u)
 *     2 Compress  p(u) <- root of u
 *     3 Sample    c <- the most frequent root of some vertices
 *     4 until c has most of the sample, for r = 1, 2
 *     5   Link      unite u with its r-th neighbour besides the one above
 *     6   Compress, Sample
 *     7 Rest      unite u with all its neighbours, unless u is in c
 *     8 Compress
 *
 * After Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity
 * Computation via Subgraph Sampling, IPDPS 2018.  They begin with every
 * vertex alone and do two rounds of links.  Our neighbours are sorted, so
 * that a first round of links needs no atomics and reads no label: the
 * smallest neighbour, if smaller than u, is a parent as any other.  Rounds
 * go on only while they pay: a grid needs none.
 *
 * An edge between u in c and v outside is found from v: of a directed view
 * that takes its in-edges.  Without these no vertex is skipped.
 */
#include "algo/wcc/wcc_impl.h"

enum {
    ROUNDS = 3, /* at most, with Begin */
    MOST = 90,  /* per cent of the sample that end them */
    AHEAD = 64, /* edges whose labels are asked for before they are read */
};

/* Writes p of its range. */
static void begin_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc *W = arg;
    hy_vid *const p = W->p;
    for (size_t u = lo; u < hi; u++)
        p[u] = (hy_vid)u;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u, v = scan.span.v[0];
        if (v < u)
            p[u] = v;
        scan.span.path = 0; /* one span of each vertex is enough */
    }
}

/* Writes p of its range, and reads that of others: any ancestor will do. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((const struct wcc *)arg)->p, lo, hi);
}

static void unite_all(hy_vid *p, const hy_edge *edges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        (void)sets_unite(p, edges[i].u, edges[i].v);
}

/* Unions: any thread may write any root. */
static void link_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc *W = arg;
    hy_edge edges[AHEAD];
    size_t n = 0;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u;
        const uint32_t r = scan.span.v[0] < u ? W->r : W->r - 1;
        if (scan.span.n > r) {
            const hy_vid v = scan.span.v[r * scan.span.step];
            HY_PREFETCH(&W->p[v]);
            edges[n++] = (hy_edge){ u, v };
            if (n == AHEAD) {
                unite_all(W->p, edges, n);
                n = 0;
            }
        }
        scan.span.path = 0;
    }
    unite_all(W->p, edges, n);
}

HY_INLINE void unite_span(hy_vid *p, const hy_span *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        (void)sets_unite(p, s->u, s->v[i * s->step]);
}

/* Unions, as above. */
static void rest_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc *W = arg;
    const bool has_both = !view_is_undirected(W->V);
    for (size_t u = lo; u < hi; u++) {
        if (atomic_peek_u32(&W->p[u]) == W->c)
            continue;
        view_for_out (s, W->V, (hy_vid)u)
            unite_span(W->p, &s);
        if (has_both)
            view_for_in (s, W->V, (hy_vid)u)
                unite_span(W->p, &s);
    }
}

/* Unions, as above. */
static void all_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc *W = arg;
    hy_scan scan = hy_scan_out(W->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan))
        unite_span(W->p, &scan.span);
}

static void each(struct wcc *W, par_range_step *step)
{
    par_for(W->ctx, W->n, WCC_GRAIN, step, W);
}

static bool is_most(struct wcc *W)
{
    const struct algo_sample sample = algo_sample(W->V, W->p);
    W->c = sample.value;
    return sample.count * 100ull >= sample.drawn * (uint64_t)MOST;
}

void wcc_afforest(struct wcc *W)
{
    each(W, begin_par);
    each(W, compress_par);
    for (W->r = 1; !is_most(W) && W->r < ROUNDS; W->r++) {
        each(W, link_par);
        each(W, compress_par);
    }
    each(W, view_has_in(W->V) ? rest_par : all_par);
    each(W, compress_par);
    W->iterations = W->r + 1;
}
