/* The product of a graph's matrix and a vector, row by row.
 *
 *   Spmv
 *     1 in parallel, for each u: y(u) <- sum of w x(v) over edges (u, v, w)
 *
 * Transposed, the sum is over edges (v, u, w).  A directed graph without a
 * reverse side has no list of these: each worker then owns a range of u and
 * finds its part of every sorted adjacency,
 *
 *     2 for each v, each edge (v, u, w) with u in the range: y(u) += w x(v)
 *
 * Either way a sum is taken in ascending order of neighbours by one thread, so
 * that it depends neither on threads nor on where spans end.
 */
#include "algo/spmv/spmv_impl.h"

#include "par/par.h"

#include <hypha/spmv.h>

enum { GRAIN = 1 << 10 };

struct spmv {
    struct algo_weights W;
    bool in; /* over the reverse side */
    const double *x;
    double *y;
    size_t length; /* of a worker's range, line 2 */
};

/* ---- line 1 -------------------------------------------------------------- */

HY_INLINE void rows(const struct spmv *S, hy_type type, uint32_t step,
                    hy_vid lo, hy_vid hi)
{
    const double *const x = S->x;
    for (hy_vid u = lo; u < hi; u++)
        S->y[u] = 0;
    hy_scan scan =
        S->in ? hy_scan_in(S->W.V, lo, hi) : hy_scan_out(S->W.V, lo, hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        const char *const at = algo_weights_at(&S->W, &s);
        double sum = S->y[s.u];
        for (uint32_t i = 0; i < s.n; i++)
            sum += algo_weight_f64(type, at + (size_t)i * step) *
                   x[s.v[(size_t)i * s.step]];
        S->y[s.u] = sum;
    }
}

/* Writes its range of y. */
static void rows_par(void *arg, size_t from, size_t to)
{
    const struct spmv *const S = arg;
    const hy_vid lo = (hy_vid)from, hi = (hy_vid)to;
    const hy_type type = S->W.type;
    const uint32_t step = S->W.step;
    if (type == HY_U8 && step == 0)
        rows(S, HY_U8, 0, lo, hi);
    else if (type == HY_I32 && step == 4)
        rows(S, HY_I32, 4, lo, hi);
    else if (type == HY_F32 && step == 4)
        rows(S, HY_F32, 4, lo, hi);
    else if (type == HY_F64 && step == 8)
        rows(S, HY_F64, 8, lo, hi);
    else
        rows(S, type, step, lo, hi);
}

/* ---- line 2 -------------------------------------------------------------- */

/* The first of the span's neighbours that is not below v. */
static uint32_t lower_bound(const hy_span *s, hy_vid v)
{
    uint32_t lo = 0, hi = s->n;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (s->v[(size_t)middle * s->step] < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Writes its range of y. */
static void columns_par(void *arg, size_t i)
{
    const struct spmv *const S = arg;
    const struct algo_weights *const W = &S->W;
    const size_t bound = W->V->bound, from = i * S->length;
    const size_t lo = from < bound ? from : bound;
    const size_t hi = bound - lo < S->length ? bound : lo + S->length;
    for (size_t u = lo; u < hi; u++)
        S->y[u] = 0;
    hy_scan scan = hy_scan_out(W->V, 0, W->V->bound);
    while (lo < hi && hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        const char *const at = algo_weights_at(W, &s);
        const double x = S->x[s.u];
        for (uint32_t k = lower_bound(&s, (hy_vid)lo); k < s.n; k++) {
            const hy_vid u = s.v[(size_t)k * s.step];
            if (u >= hi)
                break;
            S->y[u] += algo_weight_f64(W->type, at + (size_t)k * W->step) * x;
        }
    }
}

hy_status hy_spmv(const hy_view *V, const hy_spmv_opts *opts, const double *x,
                  double *y)
{
    static const hy_spmv_opts none = { 0 };
    opts = opts ? opts : &none;
    struct spmv S = { .x = x, .y = y };
    hy_ctx *const ctx = view_ctx(V);
    HY_TRY(algo_weights_init(&S.W, V, opts->weight));
    if (opts->device)
        return spmv_on_device(opts->device, &S.W, opts, x, y);
    S.in = opts->transposed && !view_is_undirected(V);
    if (S.in && !view_has_in(V)) {
        S.length = bits_div_up(V->bound, par_width(ctx));
        par_run(ctx, par_width(ctx), columns_par, &S);
    } else {
        par_for(ctx, V->bound, GRAIN, rows_par, &S);
    }
    return HY_OK;
}
