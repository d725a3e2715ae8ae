/* Positions by total variation minimisation.
 *
 *   Geolocate(V, known)
 *     1 Start      at(u) <- known(u), or nowhere
 *     2 repeat
 *     3   Locate     for every u that is not known, from the positions before:
 *                    m <- spatial median of the neighbours that have one;
 *                    next(u) <- m, if the median neighbour is within `spread`
 *     4   at <- next
 *     5 until no position came, went or moved far, or iterations are used up
 *     6 Write      places
 *
 * After Compton, Jurgens, Allen (Geotagging one hundred million Twitter
 * accounts with total variation minimization, IEEE Big Data 2014), who
 * minimise the sum over edges of weight times distance the same way, with
 * five iterations and a spread of 100 km.
 *
 * Threads take vertices from a common counter, since each needs room for the
 * neighbours of one vertex; a position depends on those before alone, and so
 * is the same for every number of threads.
 */
#include "algo/geolocate/geolocate_impl.h"

#include "base/bits.h"
#include "par/par.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 64 };

struct locator {
    const hy_view *V;
    hy_ctx *ctx;
    struct geolocate_plan plan;
    hy_vid bound;
    uint64_t *known; /* set of vertices */
    struct point *at, *next;
    uint32_t workers;
    size_t room; /* neighbours, for each worker */
    struct pull *pull;
    double *km;
    double *moved;               /* of each worker */
    _Atomic uint64_t next_grain; /* relaxed: a counter */
};

static const struct point nowhere = { { NAN, NAN, NAN } };

/* ---- locate -------------------------------------------------------------- */

static bool is_somewhere(const struct point *p)
{
    return !isnan(p->x[0]);
}

static struct point locate(const struct locator *L, size_t worker, hy_vid u)
{
    struct pull *const pull = L->pull + worker * L->room;
    double *const km = L->km + worker * L->room;
    const size_t n = geolocate_pulls(&L->plan, L->V, L->at, u, pull);
    if (!n)
        return nowhere;
    const double fine = fmin(L->plan.tolerance, 1) / EARTH_KM / 100;
    const struct point median = sphere_median(pull, n, fine);
    if (isinf(L->plan.spread))
        return median;
    for (size_t i = 0; i < n; i++)
        km[i] = sphere_angle(&median, &pull[i].at) * EARTH_KM;
    return geolocate_middle(km, n) <= L->plan.spread ? median : nowhere;
}

/* Kilometres; infinite if one of them is nowhere, 0 if both are. */
static double distance(const struct point *p, const struct point *q)
{
    if (is_somewhere(p) && is_somewhere(q))
        return sphere_angle(p, q) * EARTH_KM;
    return is_somewhere(p) == is_somewhere(q) ? 0 : INFINITY;
}

/* Writes the next position of vertices it claims, and how far they moved. */
static void locate_par(void *arg, size_t worker)
{
    struct locator *L = arg;
    double moved = 0;
    for (;;) {
        const uint64_t lo =
            GRAIN *
            atomic_fetch_add_explicit(&L->next_grain, 1, memory_order_relaxed);
        if (lo >= L->bound)
            break;
        const uint64_t hi = lo + GRAIN < L->bound ? lo + GRAIN : L->bound;
        for (hy_vid u = (hy_vid)lo; u < hi; u++) {
            if (bits_has(L->known, u))
                continue;
            L->next[u] = locate(L, worker, u);
            moved = fmax(moved, distance(&L->at[u], &L->next[u]));
        }
    }
    L->moved[worker] = moved;
}

/* Returns how far a position moved at most. */
static double locate_all(struct locator *L)
{
    double moved = 0;
    atomic_store_explicit(&L->next_grain, 0, memory_order_relaxed);
    par_run(L->ctx, L->workers, locate_par, L);
    for (uint32_t i = 0; i < L->workers; i++)
        moved = fmax(moved, L->moved[i]);
    struct point *const swap = L->at;
    L->at = L->next;
    L->next = swap;
    return moved;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status start(struct locator *L, const hy_place *known,
                       hy_geolocate_info *info)
{
    for (hy_vid u = 0; u < L->bound; u++) {
        bool is_known = false;
        HY_TRY(geolocate_is_known(u, known[u], &is_known));
        is_known = is_known && view_has_vertex(L->V, u);
        if (is_known)
            bits_add(L->known, u);
        info->known += is_known;
        L->at[u] = L->next[u] = is_known ? sphere_point(known[u]) : nowhere;
    }
    return HY_OK;
}

static void write(const struct locator *L, const hy_place *known,
                  hy_place *place, hy_geolocate_info *info)
{
    for (hy_vid u = 0; u < L->bound; u++) {
        const bool is_known = bits_has(L->known, u);
        place[u] = is_known                  ? known[u]
                   : is_somewhere(&L->at[u]) ? sphere_place(L->at[u])
                                             : (hy_place){ NAN, NAN };
        info->found += !is_known && is_somewhere(&L->at[u]);
    }
}

static hy_status reserve(struct locator *L)
{
    const size_t n = L->bound;
    L->workers = par_width(L->ctx);
    L->room = geolocate_degree_max(L->V);
    L->known = base_alloc(L->ctx, bits_words(n), sizeof *L->known);
    L->at = base_alloc_raw(L->ctx, n, sizeof *L->at);
    L->next = base_alloc_raw(L->ctx, n, sizeof *L->next);
    L->pull = base_alloc_raw(L->ctx, L->workers * L->room, sizeof *L->pull);
    L->km = base_alloc_raw(L->ctx, L->workers * L->room, sizeof *L->km);
    L->moved = base_alloc(L->ctx, L->workers, sizeof *L->moved);
    const bool ok =
        L->known && L->at && L->next && L->pull && L->km && L->moved;
    return ok ? HY_OK : HY_ENOMEM;
}

static void release(struct locator *L)
{
    base_free(L->ctx, L->moved);
    base_free(L->ctx, L->km);
    base_free(L->ctx, L->pull);
    base_free(L->ctx, L->next);
    base_free(L->ctx, L->at);
    base_free(L->ctx, L->known);
}

hy_status hy_geolocate(const hy_view *V, const hy_geolocate_opts *opts,
                       const hy_place *known, hy_place *place,
                       hy_geolocate_info *info)
{
    struct locator L = { .V = V,
                         .ctx = view_ctx(V),
                         .bound = hy_view_bound(V) };
    hy_geolocate_info done = { 0 };
    HY_TRY(geolocate_plan(&L.plan, V, opts));
    hy_status status = reserve(&L);
    if (status == HY_OK)
        status = start(&L, known, &done);
    if (status == HY_OK) {
        do {
            done.moved = locate_all(&L);
            done.iterations++;
        } while (done.moved > L.plan.tolerance &&
                 done.iterations < L.plan.iterations);
        write(&L, known, place, &done);
        if (info)
            *info = done;
    }
    release(&L);
    return status;
}
