/* Shortest paths from one source: what is asked, what is answered.
 *
 *   Sssp(s)
 *     1 choose delta
 *     2 step from s (sssp_delta.c)
 *     3 finish: distances as f64, how many and how far
 *     4 hang every vertex under its parent (sssp_tree.c)
 *
 * Weights are not read beforehand to see whether all are fit: line 2 meets
 * those of all vertices that it reaches, line 3 looks at the others.  Only if
 * one of them seems odd all are read again, to name the first bad edge or to
 * go on with f64 where sums are too large for 32 bits.
 */
#include "algo/sssp/sssp_impl.h"

enum {
    GRAIN = 1 << 14,
    SAMPLES = 4096,
};

static hy_status check_opts(const hy_view *V, const hy_sssp_opts *opts)
{
    if (!hy_view_has_vertex(V, opts->source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)opts->source);
    if (!(opts->delta >= 0 && opts->delta < INFINITY))
        return base_fail(HY_EINVAL, "delta is %g", opts->delta);
    return HY_OK;
}

/* ---- delta --------------------------------------------------------------- */

/* By how much a vertex makes the frontier grow: it takes itself out and, but
 * for the way it was reached by, puts its neighbours in.  The mean, over
 * vertices that have neighbours, of which a sample tells how many there are. */
static double growth_of(const hy_view *V)
{
    const uint64_t stride = V->bound / SAMPLES + 1;
    uint64_t n = 0, n_linked = 0;
    for (uint64_t v = 0; v < V->bound; v += stride, n++)
        n_linked += view_degree(V, (hy_vid)v) > 0;
    const double linked =
        (double)V->bound * (double)(n_linked ? n_linked : 1) / (double)n;
    const double growth =
        (double)V->arcs / linked - (view_is_undirected(V) ? 2 : 1);
    return growth > 0.125 ? growth : 0.125;
}

/* Narrow buckets cost rounds, wide ones vertices that are relaxed more than
 * once: the more so the faster a frontier grows.  docs/algo/sssp.md has the
 * measurements behind the 2. */
void sssp_choose_delta(struct sssp *S, double asked)
{
    double delta = asked;
    if (!(delta > 0)) {
        const double mean = algo_weights_mean(&S->W);
        delta = mean > 0 ? 2 * mean / growth_of(S->V) : 1;
    }
    S->delta = delta;
    S->inverse = 1 / delta;
    if (S->is_wide)
        return;
    /* A power of two, the nearest. */
    S->shift = 0;
    while (S->shift < 31 &&
           (double)((uint64_t)2 << S->shift) <= delta * M_SQRT2)
        S->shift++;
    S->delta = (double)((uint64_t)1 << S->shift);
}

/* ---- distances ----------------------------------------------------------- */

/* Writes its range. */
static void clear_par(void *arg, size_t lo, size_t hi)
{
    struct sssp *const S = arg;
    const uint64_t far = sssp_bits(INFINITY);
    for (size_t v = lo; v < hi; v++)
        if (S->is_wide)
            S->wide[v] = far;
        else
            S->near[v] = SSSP_NEAR_NONE;
}

static hy_status step_once(struct sssp *S, hy_vid source)
{
    hy_status status = HY_ENOMEM;
    if (!S->is_wide) {
        S->near = base_alloc_raw(S->ctx, S->V->bound, sizeof *S->near);
        if (!S->near)
            return HY_ENOMEM;
    }
    status = sssp_bins_init(S);
    if (status == HY_OK) {
        par_for(S->ctx, S->V->bound, GRAIN, clear_par, S);
        status = sssp_step(S, source);
    }
    return status;
}

static bool is_odd(const struct sssp *S)
{
    bool is = false;
    for (uint32_t i = 0; i < S->n_bins; i++)
        is |= S->bins[i].is_odd;
    return is;
}

static void free_all(struct sssp *S)
{
    sssp_bins_fini(S);
    base_free(S->ctx, S->near);
    S->near = NULL;
}

/* ---- the end ------------------------------------------------------------- */

struct finish {
    struct sssp *S;
    double *dist;
    bool must_look; /* a weight of this type may be bad */
    /* atomic: all threads add to them, once for a range */
    _Atomic uint64_t reached, max; /* max: bits of an f64 */
    _Atomic bool has_bad;
};

static bool has_bad_weight(const struct algo_weights *W, hy_vid u)
{
    bool has = false;
    view_for_out (s, W->V, u) {
        const hy_span here = s;
        const char *const at = algo_weights_at(W, &here);
        for (uint32_t i = 0; i < s.n; i++) {
            const double w = algo_weight_f64(W->type, at + (size_t)i * W->step);
            has |= !(w >= 0 && w < INFINITY);
        }
    }
    return has;
}

static void finish_par(void *arg, size_t lo, size_t hi)
{
    struct finish *const F = arg;
    const struct sssp *const S = F->S;
    uint64_t reached = 0;
    double max = 0;
    for (size_t v = lo; v < hi; v++) {
        double d = INFINITY;
        if (S->is_wide)
            d = sssp_real(S->wide[v]);
        else if (S->near[v] != SSSP_NEAR_NONE)
            d = S->near[v];
        F->dist[v] = d;
        if (d < INFINITY) {
            reached++;
            max = d > max ? d : max;
        } else if (F->must_look && view_degree(S->V, (hy_vid)v) &&
                   has_bad_weight(&S->W, (hy_vid)v)) {
            F->has_bad = true;
        }
    }
    F->reached += reached;
    uint64_t most = F->max;
    while (sssp_bits(max) > most &&
           !atomic_compare_exchange_weak(&F->max, &most, sssp_bits(max)))
        continue;
}

static hy_status finish(struct sssp *S, double *dist, hy_sssp_info *info)
{
    const hy_type type = S->W.type;
    struct finish F = { .S = S,
                        .dist = dist,
                        .must_look =
                            type == HY_I32 || type == HY_I64 || S->W.is_real };
    par_for(S->ctx, S->V->bound, GRAIN, finish_par, &F);
    *info = (hy_sssp_info){ .reached = F.reached,
                            .max_dist = sssp_real(F.max),
                            .delta = S->delta,
                            .rounds = S->rounds };
    if (!F.has_bad)
        return HY_OK;
    struct algo_survey survey;
    algo_weights_survey(&S->W, &survey);
    return algo_survey_must(&survey, false);
}

/* Line 2, a second time if the first one met something odd. */
static hy_status step_all(struct sssp *S, const hy_sssp_opts *opts)
{
    sssp_choose_delta(S, opts->delta);
    hy_status status = step_once(S, opts->source);
    if (status != HY_OK || !is_odd(S))
        return status;
    struct algo_survey survey;
    algo_weights_survey(&S->W, &survey);
    status = algo_survey_must(&survey, false);
    if (status != HY_OK)
        return status;
    free_all(S);
    S->is_wide = true;
    sssp_choose_delta(S, opts->delta);
    return step_once(S, opts->source);
}

hy_status sssp_solve(const hy_view *V, const hy_sssp_opts *opts, double *dist,
                     hy_vid *parent, struct sssp_ranks *ranks,
                     hy_sssp_info *info)
{
    static const hy_sssp_opts none = { 0 };
    opts = opts ? opts : &none;
    hy_sssp_info found;
    struct sssp S = { .ctx = view_ctx(V),
                      .V = V,
                      .wide = (uint64_t *)(void *)dist };
    HY_TRY(check_opts(V, opts));
    HY_TRY(algo_weights_init(&S.W, V, opts->weight));
    S.is_wide = S.W.is_real;
    hy_status status = HY_OK;
    if (opts->device) {
        status = sssp_on_device(&S, opts, dist, parent, ranks, &found);
    } else {
        status = step_all(&S, opts);
        if (status == HY_OK)
            status = finish(&S, dist, &found);
        free_all(&S);
    }
    if (status == HY_OK && parent && !opts->device)
        status = sssp_tree(&S.W, opts->source, dist, parent, ranks);
    if (status == HY_OK && info)
        *info = found;
    return status;
}

hy_status sssp_keep(const hy_view *V, const hy_sssp_opts *opts,
                    struct sssp_kept *kept, double *dist, hy_vid *parent,
                    hy_sssp_info *info)
{
    struct sssp S = { .ctx = view_ctx(V), .V = V, .kept = kept };
    HY_TRY(check_opts(V, opts));
    HY_TRY(algo_weights_init(&S.W, V, opts->weight));
    S.is_wide = S.W.is_real;
    return sssp_on_device(&S, opts, dist, parent, NULL, info);
}

hy_status hy_sssp(const hy_view *V, const hy_sssp_opts *opts, double *dist,
                  hy_vid *parent, hy_sssp_info *info)
{
    return sssp_solve(V, opts, dist, parent, NULL, info);
}
