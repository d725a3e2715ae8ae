/* Verifies hubs and authorities by one more iteration: serial, along
 * out-edges. */
#include "algo/hits/hits_impl.h"

#include "base/mem.h"
#include "store/view.h"

#include <math.h>
#include <string.h>

hy_status hits_plan(struct hits_plan *plan, const hy_hits_opts *opts)
{
    const hy_hits_opts none = { 0 };
    opts = opts ? opts : &none;
    const double tolerance = opts->tolerance != 0 ? opts->tolerance : 1e-6;
    if (isnan(tolerance))
        return base_fail(HY_EINVAL, "the tolerance is not a number");
    *plan = (struct hits_plan){
        .tolerance = tolerance,
        .iterations = opts->iterations ? opts->iterations : 1000,
    };
    return HY_OK;
}

/* Sums of x, from sources to targets or, if `back`, from targets to sources;
 * scaled to length 1. */
static void step(const hy_view *V, bool back, const double *x, double *y)
{
    const hy_vid bound = hy_view_bound(V);
    memset(y, 0, bound * sizeof *y);
    for (hy_vid u = 0; u < bound; u++)
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                y[back ? u : v] += x[back ? v : u];
            }
    double squares = 0;
    for (hy_vid u = 0; u < bound; u++)
        squares += y[u] * y[u];
    for (hy_vid u = 0; u < bound; u++)
        y[u] = squares > 0 ? y[u] / sqrt(squares) : 0;
}

/* That x, `what` of the answer, is as far from y as may be. */
static hy_status compare(const hy_view *V, const char *what, const double *x,
                         const double *y, double tolerance)
{
    double squares = 0, moved = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++) {
        if (!(x[u] >= 0))
            return base_fail(HY_EBUG, "the %s score of %u is %g", what, u,
                             x[u]);
        if (!view_has_vertex(V, u) && x[u] != 0)
            return base_fail(HY_EBUG, "%u is not alive and has a score", u);
        squares += x[u] * x[u];
        moved += (x[u] - y[u]) * (x[u] - y[u]);
    }
    if (fabs(squares - (hy_view_arcs(V) ? 1 : 0)) > 1e-9)
        return base_fail(HY_EBUG, "the %s scores have length %g", what,
                         sqrt(squares));
    if (sqrt(moved) > tolerance)
        return base_fail(HY_EBUG, "an iteration moves the %s scores by %g",
                         what, sqrt(moved));
    return HY_OK;
}

static hy_status check(const hy_view *V, const hy_hits_opts *opts,
                       const double *hub, const double *authority)
{
    hy_ctx *const ctx = view_ctx(V);
    struct hits_plan plan = { 0 };
    HY_TRY(hits_plan(&plan, opts));
    if (plan.tolerance < 0)
        return base_fail(HY_EINVAL, "exact iterations cannot be verified");
    double *const a = base_alloc(ctx, hy_view_bound(V), sizeof *a);
    double *const h = base_alloc(ctx, hy_view_bound(V), sizeof *h);
    hy_status status = HY_ENOMEM;
    if (a && h) {
        step(V, false, hub, a);
        step(V, true, a, h);
        /* A move need not be shorter than the one before it. */
        const double tolerance = 2 * plan.tolerance + 1e-12;
        status = compare(V, "authority", authority, a, tolerance);
        if (status == HY_OK)
            status = compare(V, "hub", hub, h, tolerance);
    }
    base_free(ctx, h);
    base_free(ctx, a);
    return status;
}

bool hy_hits_check(const hy_view *V, const hy_hits_opts *opts,
                   const double *hub, const double *authority, const char **why)
{
    const hy_status status = check(V, opts, hub, authority);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
