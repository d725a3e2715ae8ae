/* Verifies ranks by an iteration of the definition: serial, along out-edges,
 * in f64. */
#include "algo/pagerank/pagerank_impl.h"

#include "base/mem.h"
#include "store/view.h"

#include <math.h>

hy_status pagerank_plan(struct pagerank_plan *plan,
                        const hy_pagerank_opts *opts)
{
    const hy_pagerank_opts none = { 0 };
    opts = opts ? opts : &none;
    const double d = opts->damping != 0 ? opts->damping : 0.85;
    const double tolerance = opts->tolerance != 0 ? opts->tolerance : 1e-4;
    if (!(d > 0 && d < 1))
        return base_fail(HY_EINVAL, "damping %g is not between 0 and 1", d);
    if (isnan(tolerance))
        return base_fail(HY_EINVAL, "the tolerance is not a number");
    if ((unsigned)opts->method > HY_PAGERANK_GAUSS_SEIDEL)
        return base_fail(HY_EINVAL, "no such method of PageRank");
    if (tolerance < 0 && opts->method == HY_PAGERANK_GAUSS_SEIDEL)
        return base_fail(HY_EINVAL, "exact iterations are Jacobi's");
    *plan = (struct pagerank_plan){
        .damping = d,
        .tolerance = tolerance,
        .iterations = opts->iterations ? opts->iterations : 100,
        .is_exact = tolerance < 0,
        .is_jacobi = tolerance < 0 || opts->method == HY_PAGERANK_JACOBI,
    };
    return HY_OK;
}

/* to <- one iteration from `from`. */
static void iterate(const hy_view *V, double d, const double *from, double *to)
{
    const hy_vid bound = hy_view_bound(V);
    const double n = (double)hy_view_vertices(V);
    double dangling = 0;
    for (hy_vid u = 0; u < bound; u++)
        to[u] = 0;
    for (hy_vid u = 0; u < bound; u++) {
        const uint32_t degree = view_degree(V, u);
        if (!degree && view_has_vertex(V, u))
            dangling += from[u];
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++)
                to[s.v[i * s.step]] += from[u] / degree;
    }
    for (hy_vid u = 0; u < bound; u++)
        to[u] = view_has_vertex(V, u) ? (1 - d) / n + d * (to[u] + dangling / n)
                                      : 0;
}

static hy_status check_shape(const hy_view *V, const double *rank)
{
    for (hy_vid u = 0; u < hy_view_bound(V); u++) {
        if (!isfinite(rank[u]))
            return base_fail(HY_EBUG, "the rank of %u is no number", u);
        if (!view_has_vertex(V, u) && rank[u] != 0)
            return base_fail(HY_EBUG, "%u is not alive and has a rank", u);
    }
    return HY_OK;
}

/* Within the tolerance of a fixed point.  A hundredth more is for shares of
 * single precision. */
static hy_status check_residual(const hy_view *V,
                                const struct pagerank_plan *plan,
                                const double *rank, double *next)
{
    double change = 0;
    iterate(V, plan->damping, rank, next);
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        change += fabs(next[u] - rank[u]);
    if (change > plan->tolerance * 1.01 + 1e-14)
        return base_fail(HY_EBUG, "an iteration changes the ranks by %g",
                         change);
    return HY_OK;
}

static hy_status check_exact(const hy_view *V, const struct pagerank_plan *plan,
                             const double *rank, double *now, double *next)
{
    const hy_vid bound = hy_view_bound(V);
    const double n = (double)hy_view_vertices(V);
    for (hy_vid u = 0; u < bound; u++)
        now[u] = view_has_vertex(V, u) ? 1 / n : 0;
    for (uint32_t i = 0; i < plan->iterations; i++) {
        iterate(V, plan->damping, now, next);
        double *const swap = now;
        now = next;
        next = swap;
    }
    for (hy_vid u = 0; u < bound; u++)
        if (fabs(now[u] - rank[u]) > 1e-6 * now[u])
            return base_fail(HY_EBUG, "the rank of %u is %.17g, not %.17g", u,
                             rank[u], now[u]);
    return HY_OK;
}

static hy_status check(const hy_view *V, const hy_pagerank_opts *opts,
                       const double *rank)
{
    hy_ctx *const ctx = view_ctx(V);
    struct pagerank_plan plan;
    HY_TRY(pagerank_plan(&plan, opts));
    HY_TRY(check_shape(V, rank));
    double *const now = base_alloc(ctx, hy_view_bound(V), sizeof *now);
    double *const next = base_alloc(ctx, hy_view_bound(V), sizeof *next);
    hy_status status = HY_ENOMEM;
    if (now && next)
        status = plan.is_exact ? check_exact(V, &plan, rank, now, next)
                               : check_residual(V, &plan, rank, next);
    base_free(ctx, next);
    base_free(ctx, now);
    return status;
}

bool hy_pagerank_check(const hy_view *V, const hy_pagerank_opts *opts,
                       const double *rank, const char **why)
{
    const hy_status status = check(V, opts, rank);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
