/* The weights of edges, whatever column they are in.
 *
 * A reader of weights is prepared once and asked per span:
 *
 *     const char *w = algo_weights_at(&W, &s);
 *     for (uint32_t i = 0; i < s.n; i++)
 *         ... algo_weight_f64(W.type, w + i * W.step)
 *
 * A graph without the column has one weight, 1, read again and again with a
 * step of 0: loops need no case for it.  A hot loop is an HY_INLINE function
 * with `type` and `step` as parameters, called with constants from a switch
 * over W.type: the compiler makes one loop for each type (see spmv.c).
 */
#ifndef ALGO_COMMON_WEIGHTS_H
#define ALGO_COMMON_WEIGHTS_H

#include "store/view.h"

#include <math.h>

struct algo_weights {
    const hy_view *V;
    hy_type type;    /* HY_U8 if there is no column */
    uint32_t column; /* HY_NONE: all weights are 1 */
    uint32_t step;   /* bytes from a weight to the next of its span */
    bool is_real;    /* f32 or f64 */
    /* where a span's weights are: private */
    uint32_t lead, within, width;
};

/* Prepares W to read column `name` of V; NULL is "weight", and no error if
 * there is none.  HY_EINVAL: no column of that name. */
HY_CHECKED hy_status algo_weights_init(struct algo_weights *W, const hy_view *V,
                                       const char *name);

extern const uint8_t algo_weights_one;

/* The first weight of a span; the i-th is at + i * W->step. */
HY_INLINE const char *algo_weights_at(const struct algo_weights *W,
                                      const hy_span *s)
{
    if (W->column == HY_NONE)
        return (const char *)&algo_weights_one;
    /* The usual widths without a division. */
    const size_t room = W->width == 8 ? (size_t)s->units * (UNIT / 8)
                                      : shape_room(W->V->shape, s->units);
    return (const char *)s->v + W->lead * room + W->within;
}

/* A weight as f64: exact but for integers beyond 2^53. */
HY_INLINE double algo_weight_f64(hy_type type, const char *at)
{
    const void *const p = at;
    switch (type) {
    case HY_U8:
        return *(const uint8_t *)p;
    case HY_U16:
        return *(const uint16_t *)p;
    case HY_U32:
        return *(const uint32_t *)p;
    case HY_U64:
        return (double)*(const uint64_t *)p;
    case HY_I32:
        return *(const int32_t *)p;
    case HY_I64:
        return (double)*(const int64_t *)p;
    case HY_F32:
        return (double)*(const float *)p;
    case HY_F64:
        return *(const double *)p;
    }
    return NAN;
}

/* A number for a weight of any type, in the order of the weights of its type
 * and without loss.  -0.0 is 0.0; NaN comes after all. */
uint64_t algo_weight_key(hy_type type, const char *at);

/* The weight of such a number. */
double algo_weight_of_key(hy_type type, uint64_t key);

/* The number of the lightest edge between u and v, in either direction; false
 * if there is none. */
bool algo_weights_find_key(const struct algo_weights *W, hy_vid u, hy_vid v,
                           uint64_t *key);

/* The n weights from the i-th of the span on, as f64. */
void algo_weights_load(const struct algo_weights *W, const hy_span *s,
                       uint32_t i, uint32_t n, double *to);

/* All weights of out-adjacencies. */
struct algo_survey {
    uint64_t n; /* arcs */
    double min, max, sum;
    /* The first edge, by (u, v), with a weight below 0, and with one that is
     * infinite or not a number; u = HY_NONE: there is none. */
    hy_edge negative, odd;
};

/* Reads them all, in parallel.  The same on any number of threads. */
void algo_weights_survey(const struct algo_weights *W, struct algo_survey *out);

/* Estimates the mean from some thousand weights spread over the graph; 0 for
 * a graph without edges, never NaN or infinite. */
double algo_weights_mean(const struct algo_weights *W);

/* HY_EINVAL, naming the edge, if a weight of the survey is infinite, not a
 * number or, unless that is allowed, negative. */
HY_CHECKED hy_status algo_survey_must(const struct algo_survey *S,
                                      bool may_be_negative);

#endif
