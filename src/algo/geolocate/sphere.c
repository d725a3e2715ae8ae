/* The spatial median on a sphere.
 *
 *   Median(points)
 *     1 Start     at the best of the first points, and end if it is optimal
 *     2 Weiszfeld steps, until one is small:
 *                 x <- exp_x(sum of w_i * log_x(p_i) / a_i / sum of w_i / a_i)
 *     3 Snap      to the nearest point, if it is optimal
 *
 * where a_i is the angle from x to p_i.  After Fletcher, Venkatasubramanian,
 * Joshi (The geometric median on Riemannian manifolds, NeuroImage 45, 2009);
 * a step that starts in a point p_k itself is Vardi's and Zhang's (PNAS 97,
 * 2000): p_k is optimal if the pull of the others is no more than w_k.
 *
 * Steps become short long before the median if that is one of the points:
 * hence the looks at the nearest point.
 *
 * The sum of angles is convex where all points are within a quarter of the
 * globe of each other.  Elsewhere the result is a place where no step leads
 * down, and never worse than the start.
 */
#include "algo/geolocate/sphere.h"

#include <math.h>

enum {
    FIRST = 32,  /* points that the start is chosen from */
    STEPS = 200, /* at most */
    LOOK = 8,    /* steps between looks at the nearest point */
};

/* Angles below it are none: 6 micrometres. */
#define SAME 1e-12

struct point sphere_point(hy_place place)
{
    const double degree = 3.14159265358979323846 / 180;
    const double lat = place.lat * degree, lon = place.lon * degree;
    return (
        struct point){ { cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat) } };
}

hy_place sphere_place(struct point p)
{
    const double degree = 3.14159265358979323846 / 180;
    return (hy_place){ .lat = atan2(p.x[2], hypot(p.x[0], p.x[1])) / degree,
                       .lon = atan2(p.x[1], p.x[0]) / degree };
}

static double dot(const struct point *p, const struct point *q)
{
    return p->x[0] * q->x[0] + p->x[1] * q->x[1] + p->x[2] * q->x[2];
}

static double length(const struct point *p)
{
    return sqrt(dot(p, p));
}

/* to + f * p */
static struct point add(struct point to, double f, const struct point *p)
{
    for (int i = 0; i < 3; i++)
        to.x[i] += f * p->x[i];
    return to;
}

double sphere_angle(const struct point *p, const struct point *q)
{
    /* Unlike acos(p . q), exact for small angles. */
    const struct point less = add(*p, -1, q), more = add(*p, 1, q);
    return 2 * atan2(length(&less), length(&more));
}

double sphere_sum(const struct point *p, const struct pull *pull, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pull[i].w * sphere_angle(p, &pull[i].at);
    return sum;
}

/* What pulls at x: the sum of unit vectors towards the points, times their
 * weights; the weight of those at x; the sum of w / angle of the others. */
struct tug {
    struct point force;
    double here, stiffness;
};

static struct tug tug_at(const struct point *x, const struct pull *pull,
                         size_t n)
{
    struct tug T = { 0 };
    for (size_t i = 0; i < n; i++) {
        const struct point *const p = &pull[i].at;
        const double angle = sphere_angle(x, p);
        const struct point towards = add(*p, -dot(x, p), x);
        const double l = length(&towards);
        if (angle < SAME)
            T.here += pull[i].w;
        else if (l > SAME) { /* else at the other end of the globe */
            T.force = add(T.force, pull[i].w / l, &towards);
            T.stiffness += pull[i].w / angle;
        }
    }
    return T;
}

/* A point of the input is optimal if the others do not pull it away. */
static bool is_optimal(const struct point *x, const struct pull *pull, size_t n)
{
    const struct tug T = tug_at(x, pull, n);
    return T.here > 0 && length(&T.force) <= T.here * (1 + 1e-12);
}

static struct point start(const struct pull *pull, size_t n)
{
    const size_t few = n < FIRST ? n : FIRST;
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < few; i++) {
        const double sum = sphere_sum(&pull[i].at, pull, n);
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return pull[best].at;
}

/* A step; returns its angle. */
static double step(struct point *x, const struct pull *pull, size_t n)
{
    const struct tug T = tug_at(x, pull, n);
    const double force = length(&T.force);
    if (force <= T.here || T.stiffness <= 0)
        return 0;
    const double angle = (force - T.here) / T.stiffness;
    struct point to = { { 0 } };
    to = add(to, cos(angle), x);
    to = add(to, sin(angle) / force, &T.force);
    const struct point zero = { { 0 } };
    *x = add(zero, 1 / length(&to), &to);
    return angle;
}

static const struct point *nearest(const struct point *x,
                                   const struct pull *pull, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (dot(x, &pull[i].at) > dot(x, &pull[best].at))
            best = i;
    return &pull[best].at;
}

struct point sphere_median(const struct pull *pull, size_t n, double fine)
{
    struct point x = start(pull, n);
    if (is_optimal(&x, pull, n))
        return x;
    for (int i = 1; i <= STEPS; i++) {
        const double angle = step(&x, pull, n);
        if (angle > fine && i % LOOK)
            continue;
        const struct point *const p = nearest(&x, pull, n);
        if (is_optimal(p, pull, n))
            return *p;
        if (angle <= fine)
            break;
    }
    return x;
}
