/* Sums over the neighbours of vertices: y(u) = sum of x(v), v from one side.
 *
 * The sum of a vertex is made by one thread, in the order of its spans, in
 * four interleaved parts: the same for every number of threads.
 */
#ifndef ALGO_COMMON_GATHER_H
#define ALGO_COMMON_GATHER_H

#include "algo/common/side.h"

#include <string.h>

/* ---- sums ---------------------------------------------------------------- */

/* Ids are asked for so far ahead, behind the run's end, too, where the next one
 * is most often: what is looked up between them keeps the processor from seeing
 * that they follow each other. */
enum { GATHER_LINE = 64 / sizeof(hy_vid), GATHER_AHEAD = 24 * GATHER_LINE };

/* The i-th to the (i + 3)-th are next. */
HY_INLINE void gather_look_ahead(const hy_vid *v, size_t i)
{
    if (i % GATHER_LINE == 0)
        HY_PREFETCH(v + i + GATHER_AHEAD);
}

/* One run of f64. */
HY_INLINE double gather_f64(const hy_vid *v, size_t n, const double *x)
{
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        gather_look_ahead(v, i);
        a += x[v[i]];
        b += x[v[i + 1]];
        c += x[v[i + 2]];
        d += x[v[i + 3]];
    }
    for (; i < n; i++)
        a += x[v[i]];
    return (a + b) + (c + d);
}

/* Up to GATHER_SINGLE of f32, in single precision and four parts, which is
 * faster than to widen each.  Relative to a sum of positive numbers the error
 * is at most (GATHER_SINGLE / 4 + 2) * 2^-24. */
enum { GATHER_SINGLE = 64 };

HY_INLINE float gather_few(const hy_vid *v, size_t n, const float *x)
{
    /* What is left after groups of four, without branches that nobody can
     * foresee: what is not there is the last one times 0. */
    static const float keep[4][3] = { { 0 }, { 1 }, { 1, 1 }, { 1, 1, 1 } };
    float a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        gather_look_ahead(v, i);
        a += x[v[i]];
        b += x[v[i + 1]];
        c += x[v[i + 2]];
        d += x[v[i + 3]];
    }
    if (i < n) {
        const size_t last = n - 1, i1 = i + 1 < n ? i + 1 : last;
        const float *const k = keep[n - i];
        a += x[v[i]];
        b += k[1] * x[v[i1]];
        c += k[2] * x[v[last]];
    }
    return (a + b) + (c + d);
}

HY_INLINE double gather_f32(const hy_vid *v, size_t n, const float *x)
{
    double sum = 0;
    for (; n > GATHER_SINGLE; v += GATHER_SINGLE, n -= GATHER_SINGLE)
        sum += (double)gather_few(v, GATHER_SINGLE, x);
    return sum + (double)gather_few(v, n, x);
}

HY_INLINE double gather_run(const hy_vid *v, size_t n, const void *x, bool wide)
{
    return wide ? gather_f64(v, n, x) : gather_f32(v, n, x);
}

/* One run with a step: of an interleaved graph. */
HY_INLINE double gather_steps(const hy_span *s, const void *x, bool wide)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        sum += wide ? ((const double *)x)[v] : (double)((const float *)x)[v];
    }
    return sum;
}

/* sum[u - lo] and degree[u - lo] of the vertices u = lo .. hi - 1.  Degrees
 * are numbers to divide by: converting them here is for free. */
HY_INLINE void gather_range(const struct algo_side *S, hy_vid lo, hy_vid hi,
                            const void *x, bool wide, double *sum,
                            double *degree)
{
    memset(sum, 0, (hi - lo) * sizeof *sum);
    memset(degree, 0, (hi - lo) * sizeof *degree);
    if (S->offset) {
        for (hy_vid u = lo; u < hi; u++) {
            const uint64_t at = S->offset[u], n = S->offset[u + 1] - at;
            degree[u - lo] = (double)n;
            sum[u - lo] = gather_run(S->source + at, n, x, wide);
        }
        return;
    }
    hy_scan scan =
        S->is_in ? hy_scan_in(S->V, lo, hi) : hy_scan_out(S->V, lo, hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        sum[s.u - lo] += s.step == 1 ? gather_run(s.v, s.n, x, wide)
                                     : gather_steps(&s, x, wide);
        degree[s.u - lo] += s.n;
    }
}

#endif
