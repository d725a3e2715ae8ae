/* Whether the triangles of a delta are followed, or all counted anew.
 *
 *   Follow
 *     1 Much?    so many edges that it is not worth to collect them
 *     2 Collect  (triangles_collect.c)
 *     3 Weigh    what it takes to look at the lists of all their ends
 *     4 Sample   count at one edge in 16: how many triangles there are at
 *                each, nobody knows before
 *     5 Count    at the others
 *
 * and it ends as soon as one of these says that to count all is cheaper.  What
 * that takes is learned by the clock, from the times that it was done, as is
 * what a unit of work takes: how they compare depends on the graph, and on the
 * number of threads.
 */
#include "algo/triangles/triangles_follow.h"

enum {
    FAR = 16,
    EACH = 60,      /* of an edge without neighbours */
    DIRECTED = 150, /* more, to be collected where it may have an opposite */
    TRIANGLE = 64,  /* of each that comes or goes */
};

/* Of an edge, but for those who were joined to both of its ends; *most: how
 * many triangles it may have now. */
static uint64_t weigh_edge(const hy_view *V, hy_vid u, hy_vid v, uint64_t *most)
{
    const uint64_t a = triangles_degree(V, u), b = triangles_degree(V, v);
    const uint64_t few = a < b ? a : b, many = a < b ? b : a;
    *most += few;
    const uint64_t search = triangles_weigh_search(few, many / (few + 1));
    const uint64_t merge = (few + many) / 2;
    return EACH + (search < merge ? search : merge);
}

/* ---- hubs -----------------------------------------------------------------
 */

/* What a hub's row takes, and what is saved with it, for arcs lo .. hi - 1. */
static double weigh_row(const struct triangles_follow *F, size_t lo, size_t hi,
                        double *saved, uint64_t *most)
{
    enum { BIT = 4 }; /* to set and to clear one, twice */
    const hy_vid h = (hy_vid)(F->arcs.key[lo] >> 32);
    double work = BIT * (double)(view_degree(F->V, h) + hi - lo);
    for (size_t k = lo; k < hi; k++) {
        const hy_vid v = (hy_vid)F->arcs.key[k];
        uint64_t triangles = 0;
        if (k + FAR < hi)
            view_prefetch_slot(F->V, (hy_vid)F->arcs.key[k + FAR]);
        if (triangles_at_hub(&F->edge[F->arcs.tag[k]]))
            continue;
        *saved += (double)weigh_edge(F->V, h, v, &triangles);
        *saved += F->has_lost ? (double)(hi - k) : 0;
        work += EACH + (double)view_degree(F->V, v);
        *most += view_degree(F->V, v);
    }
    return work;
}

static void be_hub(struct triangles_follow *F, size_t lo, size_t hi)
{
    const hy_vid h = (hy_vid)(F->arcs.key[lo] >> 32);
    F->hub[F->n_hubs++] = lo;
    for (size_t k = lo; k < hi; k++) {
        struct triangles_edge *const e = &F->edge[F->arcs.tag[k]];
        if (!triangles_at_hub(e))
            *(e->u == h ? &e->at_u : &e->at_v) = TRIANGLES_HUB;
    }
}

/* Vertices at which a row pays, and what they take. */
static void find_hubs(struct triangles_follow *F)
{
    const struct par_keys *const K = &F->arcs;
    F->n_hubs = 0;
    for (size_t lo = 0, hi; F->has_hubs && lo < K->n; lo = hi) {
        for (hi = lo + 1; hi < K->n && K->key[hi] >> 32 == K->key[lo] >> 32;)
            hi++;
        double saved = 0;
        uint64_t most = 0;
        if (hi - lo < TRIANGLES_HUB_LEAST)
            continue;
        const double work = weigh_row(F, lo, hi, &saved, &most);
        if (work >= saved)
            continue;
        be_hub(F, lo, hi);
        atomic_fetch_add_explicit(&F->work, (uint64_t)work,
                                  memory_order_relaxed);
        atomic_fetch_add_explicit(&F->most, most, memory_order_relaxed);
    }
}

/* ---- edges ----------------------------------------------------------------
 */

static void weigh_edges_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    uint64_t work = 0, most = 0;
    for (size_t i = lo; i < hi; i++) {
        const size_t ahead = i + FAR < F->n ? i + FAR : i;
        view_prefetch_slot(F->V, F->edge[ahead].u);
        view_prefetch_slot(F->V, F->edge[ahead].v);
        if (!triangles_at_hub(&F->edge[i]))
            work += weigh_edge(F->V, F->edge[i].u, F->edge[i].v, &most);
    }
    atomic_fetch_add_explicit(&F->work, work, memory_order_relaxed);
    atomic_fetch_add_explicit(&F->most, most, memory_order_relaxed);
}

/* What lost_at_one does for the edges of these arcs; kernels always look up all
 * others. */
static void weigh_arcs_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    const struct par_keys *const K = &F->arcs;
    uint64_t work = 0, most = 0;
    for (size_t k = lo, end = lo; k < hi; k++) {
        const size_t ahead = k + FAR < K->n ? k + FAR : k;
        view_prefetch_slot(F->V, (hy_vid)K->key[ahead]);
        if (k == end)
            end = triangles_search_arcs(K, k, K->n,
                                        ((K->key[k] >> 32) + 1) << 32);
        if (triangles_at_hub(&F->edge[K->tag[k]]))
            continue;
        const uint64_t n = end - k - 1;
        const uint64_t others = triangles_degree(F->V, (hy_vid)K->key[k]);
        work += F->is_by_kernel || triangles_is_looked_up(n, others)
                    ? triangles_weigh_search(n, others)
                    : triangles_weigh_search(others, n);
        most += 2 * n; /* those lost at both, too */
    }
    atomic_fetch_add_explicit(&F->work, work, memory_order_relaxed);
    atomic_fetch_add_explicit(&F->most, most, memory_order_relaxed);
}

uint64_t triangles_follow_weigh(struct triangles_follow *F)
{
    enum { WEIGH_GRAIN = 2048 };
    hy_ctx *const ctx = view_ctx(F->V);
    atomic_store_explicit(&F->work, 0, memory_order_relaxed);
    atomic_store_explicit(&F->most, 0, memory_order_relaxed);
    find_hubs(F);
    par_for(ctx, F->n, WEIGH_GRAIN, weigh_edges_par, F);
    if (F->has_lost)
        par_for(ctx, F->arcs.n, WEIGH_GRAIN, weigh_arcs_par, F);
    return atomic_load_explicit(&F->work, memory_order_relaxed);
}

/* ---- what to count all takes ----------------------------------------------
 */

/* An edge costs what its lists cost, and no more than that of hubs, which are
 * looked up in rows of bits. */
uint64_t triangles_follow_all(const hy_view *V)
{
    const uint64_t n = V->vertices ? V->vertices : 1, mean = V->arcs / n;
    const uint64_t each = 1 + mean * mean / 16;
    return V->vertices / 4 + V->edges * (each < 64 ? each : 64);
}

/* In the same units, if an edge took as long in all graphs.  What is learned of
 * a graph without edges is to say little of larger ones. */
static double size(const hy_view *V)
{
    const double begin = 1e4;
    return begin + (double)V->vertices / 4 + 32 * (double)V->edges;
}

void triangles_follow_learn(struct triangles_follow *F, const hy_view *V,
                            double seconds)
{
    const double first = 0.8, anew = seconds / size(V);
    if (anew > 0 && F->anew > 0)
        live_learn(&F->anew, anew);
    else if (anew > 0)
        F->anew = anew * first;
}

/* ---- follow ---------------------------------------------------------------
 */

/* What it takes at least. */
static double least_work(const hy_view *V, const hy_delta *delta)
{
    const double arcs = (double)(delta->inserted.n + delta->deleted.n);
    return view_is_undirected(V) ? arcs * EACH : arcs * (EACH / 2.0 + DIRECTED);
}

/* What the lists of all take, by some of them. */
static double guess_work(const hy_view *V, const hy_edge_list *edges)
{
    enum { SOME = 1024 };
    const uint64_t apart = edges->n / SOME + 1;
    uint64_t work = 0, most = 0;
    for (uint64_t i = 0; i < edges->n; i += apart)
        work += weigh_edge(V, edges->at[i].u, edges->at[i].v, &most);
    return (double)work * (double)apart;
}

/* So many edges, or so long lists, that they are not worth to be collected? */
static bool is_much(const struct triangles_follow *F, const hy_view *V,
                    const hy_delta *delta, double seconds)
{
    enum { MANY = 1 << 16 };
    const double much = 0.6;
    if (least_work(V, delta) * F->each > much * seconds)
        return true;
    return delta->inserted.n + delta->deleted.n > MANY &&
           (guess_work(V, &delta->inserted) + guess_work(V, &delta->deleted)) *
                   F->each >
               seconds;
}

/* What it takes at most, about. */
static double most_work(struct triangles_follow *F)
{
    return (double)atomic_load_explicit(&F->work, memory_order_relaxed) +
           TRIANGLE *
               (double)atomic_load_explicit(&F->most, memory_order_relaxed);
}

bool triangles_follow(struct triangles_follow *F, hy_live *L, const hy_view *V,
                      const hy_delta *delta)
{
    enum { TELLING = 50000, UNSURE = 3 };
    const double most = 0.8 * F->anew * size(V);
    F->each = F->each > 0 ? F->each : 1e-9;
    if (is_much(F, V, delta, most))
        return false;
    triangles_follow_collect(F, V, delta);
    const uint64_t work = triangles_follow_weigh(F);
    const double left = most - (hy_clock() - L->began);
    L->info.work = work;
    if (F->n && (double)work * F->each > UNSURE * left)
        return false;
    if (!F->n || most_work(F) * F->each < left)
        triangles_follow_count(F, L);
    else if (!triangles_follow_count_within(F, L, left))
        return false;
    const double took = hy_clock() - L->began;
    if (work > TELLING)
        live_learn(&F->each, took / (double)work);
    /* What seems nearly as dear as to count all is to be compared one day. */
    F->anew -= took > most / 2 ? F->anew / 16 : 0;
    return true;
}

void triangles_follow_anyhow(struct triangles_follow *F, hy_live *L,
                             const hy_view *V, const hy_delta *delta)
{
    triangles_follow_collect(F, V, delta);
    L->info.work = triangles_follow_weigh(F);
    triangles_follow_count(F, L);
}
