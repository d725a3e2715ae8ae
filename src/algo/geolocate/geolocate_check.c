/* Verifies positions that settled, by trying others.
 *
 * A position is good if the weighted sum of distances to its neighbours is
 * not noticeably less at any of them, nor at places around it.  Not far away:
 * among neighbours all over the globe the sum has several valleys, and the
 * median is the floor of one of them.
 * In the last iteration it was computed from positions that were a tolerance
 * away at most, and it is a tolerance from its own: the sum may be off by
 * three tolerances for each unit of weight.
 */
#include "algo/geolocate/geolocate_impl.h"

#include "base/mem.h"

#include <math.h>

enum { TRIED = 64, DIRECTIONS = 8, AROUND_KM = 64 };

struct check {
    const hy_view *V;
    struct geolocate_plan plan;
    struct point *at;
    struct pull *pull;
    double *km;
};

/* x, gone `angle` in the direction d of DIRECTIONS. */
static struct point go(const struct point *x, double angle, int d)
{
    const hy_place here = sphere_place(*x);
    const double rad = 3.14159265358979323846 / 180;
    const double a = 2 * 3.14159265358979323846 * d / DIRECTIONS;
    const double lat = here.lat * rad, lon = here.lon * rad;
    const double north[3] = { -sin(lat) * cos(lon), -sin(lat) * sin(lon),
                              cos(lat) };
    const double east[3] = { -sin(lon), cos(lon), 0 };
    struct point p;
    for (int i = 0; i < 3; i++)
        p.x[i] = cos(angle) * x->x[i] +
                 sin(angle) * (cos(a) * north[i] + sin(a) * east[i]);
    return p;
}

static hy_status check_median(struct check *C, hy_vid u, size_t n)
{
    const struct point *const x = &C->at[u];
    double weight = 0;
    for (size_t i = 0; i < n; i++)
        weight += C->pull[i].w;
    const double slack = (3 * C->plan.tolerance + 0.01) / EARTH_KM * weight;
    const double sum = sphere_sum(x, C->pull, n) - slack;
    for (size_t i = 0; i < n && i < TRIED; i++)
        if (sphere_sum(&C->pull[i].at, C->pull, n) < sum)
            return base_fail(HY_EBUG, "%u is better off at a neighbour", u);
    for (double km = C->plan.tolerance; km <= AROUND_KM; km *= 2)
        for (int d = 0; d < DIRECTIONS; d++) {
            const struct point p = go(x, km / EARTH_KM, d);
            if (sphere_sum(&p, C->pull, n) < sum)
                return base_fail(HY_EBUG, "%u is better off %g km away", u, km);
        }
    return HY_OK;
}

static hy_status check_spread(struct check *C, hy_vid u, size_t n)
{
    for (size_t i = 0; i < n; i++)
        C->km[i] = sphere_angle(&C->at[u], &C->pull[i].at) * EARTH_KM;
    const double middle = geolocate_middle(C->km, n);
    if (middle > C->plan.spread + 2 * C->plan.tolerance + 0.01)
        return base_fail(HY_EBUG, "neighbours of %u are %g km away", u, middle);
    return HY_OK;
}

static hy_status check_vertex(struct check *C, hy_vid u)
{
    const bool has_place = !isnan(C->at[u].x[0]);
    const size_t n = geolocate_pulls(&C->plan, C->V, C->at, u, C->pull);
    if (has_place && !n)
        return base_fail(HY_EBUG, "%u has a position from nowhere", u);
    if (!has_place && n && isinf(C->plan.spread))
        return base_fail(HY_EBUG, "%u has neighbours and no position", u);
    if (!has_place)
        return HY_OK;
    HY_TRY(check_median(C, u, n));
    return check_spread(C, u, n);
}

/* True if it is known: then it must be as it was. */
static hy_status check_known(const struct check *C, hy_vid u, hy_place known,
                             hy_place place, bool *is_known)
{
    HY_TRY(geolocate_is_known(u, known, is_known));
    if (!view_has_vertex(C->V, u)) {
        if (!isnan(place.lat) || !isnan(place.lon))
            return base_fail(HY_EBUG, "%u is not alive and has a position", u);
        *is_known = true;
        return HY_OK;
    }
    if (*is_known && (place.lat != known.lat || place.lon != known.lon))
        return base_fail(HY_EBUG, "the known position of %u changed", u);
    return HY_OK;
}

static hy_status check_all(struct check *C, const hy_place *known,
                           const hy_place *place)
{
    const hy_vid bound = hy_view_bound(C->V);
    for (hy_vid u = 0; u < bound; u++) {
        bool has_place;
        HY_TRY(geolocate_is_known(u, place[u], &has_place));
        C->at[u] = sphere_point(place[u]);
    }
    for (hy_vid u = 0; u < bound; u++) {
        bool is_known;
        HY_TRY(check_known(C, u, known[u], place[u], &is_known));
        if (!is_known)
            HY_TRY(check_vertex(C, u));
    }
    return HY_OK;
}

static hy_status check(const hy_view *V, const hy_geolocate_opts *opts,
                       const hy_place *known, const hy_place *place)
{
    hy_ctx *const ctx = view_ctx(V);
    struct check C = { .V = V };
    HY_TRY(geolocate_plan(&C.plan, V, opts));
    const size_t room = geolocate_degree_max(V);
    C.at = base_alloc(ctx, hy_view_bound(V), sizeof *C.at);
    C.pull = base_alloc(ctx, room, sizeof *C.pull);
    C.km = base_alloc(ctx, room, sizeof *C.km);
    hy_status status = HY_ENOMEM;
    if (C.at && C.pull && C.km)
        status = check_all(&C, known, place);
    base_free(ctx, C.km);
    base_free(ctx, C.pull);
    base_free(ctx, C.at);
    return status;
}

bool hy_geolocate_check(const hy_view *V, const hy_geolocate_opts *opts,
                        const hy_place *known, const hy_place *place,
                        const char **why)
{
    const hy_status status = check(V, opts, known, place);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
