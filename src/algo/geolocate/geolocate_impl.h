/* What the locator and its checker share. */
#ifndef ALGO_GEOLOCATE_IMPL_H
#define ALGO_GEOLOCATE_IMPL_H

#include "algo/common/weights.h"
#include "algo/geolocate/sphere.h"

struct geolocate_plan {
    struct algo_weights weights;
    double spread, tolerance; /* kilometres; no limit: infinite */
    uint32_t iterations;
};

/* `opts` may be NULL.  HY_EINVAL. */
HY_CHECKED hy_status geolocate_plan(struct geolocate_plan *plan,
                                    const hy_view *V,
                                    const hy_geolocate_opts *opts);

/* Whether the place is known.  HY_EINVAL: only half of it, or off the map. */
HY_CHECKED hy_status geolocate_is_known(hy_vid u, hy_place place, bool *known);

/* The neighbours of u that have a position, as pulls; returns their number.
 * Room is for geolocate_degree of them. */
size_t geolocate_pulls(const struct geolocate_plan *plan, const hy_view *V,
                       const struct point *at, hy_vid u, struct pull *to);

/* Neighbours on both sides. */
uint64_t geolocate_degree(const hy_view *V, hy_vid u);

/* The most of any vertex. */
uint64_t geolocate_degree_max(const hy_view *V);

/* Orders the n distances in `km` and returns the median one; n > 0. */
double geolocate_middle(double *km, size_t n);

#endif
