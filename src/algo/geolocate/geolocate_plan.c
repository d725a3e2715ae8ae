/* Options, neighbours and medians of numbers, for the locator and its
 * checker. */
#include "algo/geolocate/geolocate_impl.h"

#include <math.h>
#include <stdlib.h>

hy_status geolocate_plan(struct geolocate_plan *plan, const hy_view *V,
                         const hy_geolocate_opts *opts)
{
    const hy_geolocate_opts none = { 0 };
    opts = opts ? opts : &none;
    plan->spread = opts->spread != 0 ? opts->spread : INFINITY;
    plan->tolerance = opts->tolerance != 0 ? opts->tolerance : 1;
    plan->iterations = opts->iterations ? opts->iterations : 10;
    if (!(plan->spread > 0))
        return base_fail(HY_EINVAL, "spread %g is not positive", opts->spread);
    if (!(plan->tolerance > 0))
        return base_fail(HY_EINVAL, "tolerance %g is not positive",
                         opts->tolerance);
    return algo_weights_init(&plan->weights, V, opts->weight);
}

hy_status geolocate_is_known(hy_vid u, hy_place place, bool *known)
{
    *known = !isnan(place.lat) && !isnan(place.lon);
    if (isnan(place.lat) != isnan(place.lon))
        return base_fail(HY_EINVAL, "half of the position of %u is missing", u);
    if (*known && !(fabs(place.lat) <= 90 && fabs(place.lon) <= 180))
        return base_fail(HY_EINVAL, "%u at (%g, %g) is not on the globe", u,
                         place.lat, place.lon);
    return HY_OK;
}

static size_t add_span(const struct geolocate_plan *plan,
                       const struct point *at, const hy_span *s,
                       struct pull *to)
{
    const char *const w = algo_weights_at(&plan->weights, s);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        const double weight =
            algo_weight_f64(plan->weights.type, w + i * plan->weights.step);
        if (v != s->u && !isnan(at[v].x[0]) && weight > 0 && isfinite(weight))
            to[n++] = (struct pull){ .at = at[v], .w = weight };
    }
    return n;
}

size_t geolocate_pulls(const struct geolocate_plan *plan, const hy_view *V,
                       const struct point *at, hy_vid u, struct pull *to)
{
    size_t n = 0;
    view_for_out (s, V, u)
        n += add_span(plan, at, &s, to + n);
    if (!view_is_undirected(V) && view_has_in(V))
        view_for_in (s, V, u)
            n += add_span(plan, at, &s, to + n);
    return n;
}

uint64_t geolocate_degree(const hy_view *V, hy_vid u)
{
    const bool both = !view_is_undirected(V) && view_has_in(V);
    return (uint64_t)view_degree(V, u) + (both ? view_in_degree(V, u) : 0);
}

uint64_t geolocate_degree_max(const hy_view *V)
{
    uint64_t most = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++) {
        const uint64_t degree = geolocate_degree(V, u);
        most = degree > most ? degree : most;
    }
    return most;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double geolocate_middle(double *km, size_t n)
{
    qsort(km, n, sizeof *km, compare);
    return km[(n - 1) / 2];
}
