/* Points on the unit sphere, distances, and the spatial median. */
#ifndef ALGO_GEOLOCATE_SPHERE_H
#define ALGO_GEOLOCATE_SPHERE_H

#include <hypha/geolocate.h>

#define EARTH_KM 6371.0088 /* mean radius */

/* A unit vector; NaN if the place is unknown. */
struct point {
    double x[3];
};

/* A point that pulls. */
struct pull {
    struct point at;
    double w; /* > 0 */
};

struct point sphere_point(hy_place place);
hy_place sphere_place(struct point p);

/* The angle between two points, 0 .. pi. */
double sphere_angle(const struct point *p, const struct point *q);

/* The weighted sum of angles from p to n points. */
double sphere_sum(const struct point *p, const struct pull *pull, size_t n);

/* Where that sum is least, within about `fine` radians; n > 0.  Exact if it
 * is one of the points.  Where several places are equally good, one of them,
 * that depends on the order of the points alone. */
struct point sphere_median(const struct pull *pull, size_t n, double fine);

#endif
