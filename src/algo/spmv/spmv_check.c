/* Verifies a product: by columns where it was made by rows, with a bound.
 *
 * A sum of k products, in any order, is off by at most k ulps of the sum of
 * their magnitudes (Higham, Accuracy and Stability, section 3.1); twice that
 * for two such sums.
 */
#include "algo/common/weights.h"

#include <hypha/spmv.h>

#include <float.h>

/* What a row adds up to, in magnitude, and of how many products. */
struct row {
    double sum, size;
    uint64_t n;
};

static void add(struct row *row, double term)
{
    row->sum += term;
    row->size += fabs(term);
    row->n++;
}

static void add_edges(const struct algo_weights *W, bool is_transposed,
                      const double *x, struct row *rows)
{
    for (hy_vid u = 0; u < W->V->bound; u++)
        hy_for_out_span (s, W->V, u) {
            const char *const at = algo_weights_at(W, &s);
            for (uint32_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[(size_t)i * s.step];
                const double w =
                    algo_weight_f64(W->type, at + (size_t)i * W->step);
                if (is_transposed)
                    add(&rows[v], w * x[u]);
                else
                    add(&rows[u], w * x[v]);
            }
        }
}

static bool is_row(const struct row *row, double y)
{
    if (!isfinite(row->size)) /* whatever infinities make of each other */
        return !isfinite(y);
    return fabs(row->sum - y) <= 2 * (double)row->n * DBL_EPSILON * row->size;
}

static hy_status check(const struct algo_weights *W, bool is_transposed,
                       const double *x, const double *y)
{
    hy_ctx *const ctx = view_ctx(W->V);
    struct row *const rows = base_alloc(ctx, W->V->bound, sizeof *rows);
    hy_status status = HY_OK;
    if (!rows)
        return HY_ENOMEM;
    add_edges(W, is_transposed, x, rows);
    for (hy_vid u = 0; status == HY_OK && u < W->V->bound; u++)
        if (!is_row(&rows[u], y[u]))
            status = base_fail(HY_EBUG, "row %u is %g, not %g", (unsigned)u,
                               y[u], rows[u].sum);
    base_free(ctx, rows);
    return status;
}

bool hy_spmv_check(const hy_view *V, const hy_spmv_opts *opts, const double *x,
                   const double *y, const char **why)
{
    static const hy_spmv_opts none = { 0 };
    opts = opts ? opts : &none;
    struct algo_weights W;
    hy_status status = algo_weights_init(&W, V, opts->weight);
    if (status == HY_OK)
        status = check(&W, opts->transposed, x, y);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
