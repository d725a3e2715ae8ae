/* Verifies Katz centralities by their equation: serial, along out-edges. */
#include "algo/katz/katz_impl.h"

#include "base/mem.h"
#include "store/view.h"

#include <math.h>

hy_status katz_plan(struct katz_plan *plan, const hy_katz_opts *opts)
{
    const hy_katz_opts none = { 0 };
    opts = opts ? opts : &none;
    *plan = (struct katz_plan){
        .alpha = opts->alpha,
        .beta = opts->beta != 0 ? opts->beta : 1,
        .tolerance = opts->tolerance != 0 ? opts->tolerance : 1e-9,
        .iterations = opts->iterations ? opts->iterations : 1000,
        .is_normalised = opts->normalised,
    };
    if (!(plan->alpha >= 0) || isinf(plan->alpha))
        return base_fail(HY_EINVAL, "alpha %g is not positive", plan->alpha);
    if (!(plan->beta > 0) || isinf(plan->beta))
        return base_fail(HY_EINVAL, "beta %g is not positive", plan->beta);
    if (!(plan->tolerance > 0))
        return base_fail(HY_EINVAL, "tolerance %g is not positive",
                         plan->tolerance);
    return HY_OK;
}

static hy_status check_equation(const hy_view *V, const struct katz_plan *plan,
                                const double *katz, const hy_katz_info *info,
                                double *sum)
{
    const hy_vid bound = hy_view_bound(V);
    double largest = 0;
    for (hy_vid u = 0; u < bound; u++) {
        largest = fmax(largest, katz[u]);
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++)
                sum[s.v[i * s.step]] += katz[u];
    }
    for (hy_vid u = 0; u < bound; u++) {
        const double want = view_has_vertex(V, u) ? plan->beta * info->scale +
                                                        info->alpha * sum[u]
                                                  : 0;
        if (!(fabs(katz[u] - want) <= largest * (plan->tolerance + 1e-13)))
            return base_fail(HY_EBUG, "%u has %.17g, its neighbours say %.17g",
                             u, katz[u], want);
    }
    return HY_OK;
}

static hy_status check(const hy_view *V, const hy_katz_opts *opts,
                       const double *katz, const hy_katz_info *info)
{
    struct katz_plan plan;
    HY_TRY(katz_plan(&plan, opts));
    if (plan.alpha > 0 && plan.alpha != info->alpha)
        return base_fail(HY_EBUG, "alpha was %g", info->alpha);
    double *const sum = base_alloc(view_ctx(V), hy_view_bound(V), sizeof *sum);
    if (!sum)
        return HY_ENOMEM;
    const hy_status status = check_equation(V, &plan, katz, info, sum);
    base_free(view_ctx(V), sum);
    return status;
}

bool hy_katz_check(const hy_view *V, const hy_katz_opts *opts,
                   const double *katz, const hy_katz_info *info,
                   const char **why)
{
    const hy_status status = check(V, opts, katz, info);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
