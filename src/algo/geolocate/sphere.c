/* The spatial median on a sphere.
 *
 *   Median(points)
 *     1 Start     at the best of the first points, and end if it is optimal
 *     2 repeat    until a step is small
 *     3   Newton    a step of Newton's method, halved until the sum is less
 *     4   or, if that fails,
 *         Weiszfeld x <- exp_x(sum of w_i * log_x(p_i) / a_i / sum of w_i /
 * a_i) 5 Snap      to the nearest point, if it is optimal
 *
 * where a_i is the angle from x to p_i.  After Fletcher, Venkatasubramanian,
 * Joshi (The geometric median on Riemannian manifolds, NeuroImage 45, 2009);
 * a step that starts in a point p_k itself is Vardi's and Zhang's (PNAS 97,
 * 2000): p_k is optimal if the pull of the others is no more than w_k.
 * Weiszfeld's steps always lead down but become short long before the median
 * where points are nearly on a line, hence Newton's; and where the median is
 * one of the points, hence the looks at the nearest one.
 *
 * The sum of angles is convex where all points are within a quarter of the
 * globe of each other.  Elsewhere the result is a place where no step leads
 * down, and never worse than the start.
 */
#include "algo/geolocate/sphere.h"

#include <math.h>

enum {
    FIRST = 32,  /* points that the start is chosen from */
    STEPS = 100, /* at most */
    HALVES = 24,
    LOOK = 8, /* steps between looks at the nearest point */
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

/* What pulls at x, in the plane that touches the sphere there. */
struct tug {
    struct point east, north; /* a basis of the plane */
    double e, n;              /* sum of unit vectors to the points, times w */
    double here;              /* w of the points at x */
    double stiff;             /* sum of w / angle of the others */
    double ee, en, nn;        /* of w / angle, across the direction to each */
};

/* Two unit vectors at right angles to x and to each other. */
static void touch(const struct point *x, struct tug *T)
{
    const struct point zero = { { 0 } };
    struct point axis = { { 0 } };
    axis.x[fabs(x->x[0]) < 0.7 ? 0 : 1] = 1;
    const struct point east = add(axis, -dot(x, &axis), x);
    T->east = add(zero, 1 / length(&east), &east);
    const double *const a = x->x, *const b = T->east.x;
    T->north =
        (struct point){ { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0] } };
}

static struct tug tug_at(const struct point *x, const struct pull *pull,
                         size_t count)
{
    struct tug T = { 0 };
    touch(x, &T);
    for (size_t i = 0; i < count; i++) {
        const double angle = sphere_angle(x, &pull[i].at);
        const double w = pull[i].w;
        double e = dot(&T.east, &pull[i].at), n = dot(&T.north, &pull[i].at);
        const double l = hypot(e, n);
        if (angle < SAME)
            T.here += w;
        if (angle < SAME || l < SAME) /* here, or on the other side */
            continue;
        e /= l;
        n /= l;
        T.e += w * e;
        T.n += w * n;
        T.stiff += w / angle;
        T.ee += w / angle * n * n;
        T.en -= w / angle * e * n;
        T.nn += w / angle * e * e;
    }
    return T;
}

/* A point of the input is optimal if the others do not pull it away. */
static bool is_optimal(const struct point *x, const struct pull *pull, size_t n)
{
    const struct tug T = tug_at(x, pull, n);
    return T.here > 0 && hypot(T.e, T.n) <= T.here * (1 + 1e-12);
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

/* x, gone by (e, n) in the plane of T. */
static struct point go(const struct point *x, const struct tug *T, double e,
                       double n)
{
    const struct point zero = { { 0 } };
    const double angle = hypot(e, n);
    struct point to = add(zero, cos(angle), x);
    to = add(to, sin(angle) * e / angle, &T->east);
    to = add(to, sin(angle) * n / angle, &T->north);
    return add(zero, 1 / length(&to), &to);
}

/* Newton's step; returns its angle, 0 if none leads down. */
static double newton(struct point *x, const struct tug *T,
                     const struct pull *pull, size_t count)
{
    const double det = T->ee * T->nn - T->en * T->en;
    if (T->here > 0 || !(det > 1e-14 * T->stiff * T->stiff))
        return 0;
    double e = (T->nn * T->e - T->en * T->n) / det;
    double n = (T->ee * T->n - T->en * T->e) / det;
    const double sum = sphere_sum(x, pull, count);
    for (int half = 0; half < HALVES; half++) {
        const double angle = hypot(e, n);
        if (angle < 1) {
            const struct point to = go(x, T, e, n);
            if (sphere_sum(&to, pull, count) < sum) {
                *x = to;
                return angle;
            }
        }
        e /= 2;
        n /= 2;
    }
    return 0;
}

/* Weiszfeld's step; returns its angle. */
static double weiszfeld(struct point *x, const struct tug *T)
{
    const double force = hypot(T->e, T->n);
    if (force <= T->here || T->stiff <= 0)
        return 0;
    const double angle = (force - T->here) / T->stiff;
    *x = go(x, T, T->e / force * angle, T->n / force * angle);
    return angle;
}

static double step(struct point *x, const struct pull *pull, size_t n)
{
    const struct tug T = tug_at(x, pull, n);
    const double angle = newton(x, &T, pull, n);
    return angle > 0 ? angle : weiszfeld(x, &T);
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
