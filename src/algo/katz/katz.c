/* Katz centrality by iteration.
 *
 *   Katz(V)
 *     1 Bound       if alpha is not given: 0.85 / an upper bound of lambda
 *     2 x <- beta
 *     3 repeat
 *     4   Pull      y(v) <- beta + alpha * sum of x(u), u -> v
 *     5   if no y is further from x than tolerance * the largest: end
 *     6   swap x, y
 *     7 Write       the answer <- x, scaled
 *
 * After Katz (A new status index derived from sociometric analysis,
 * Psychometrika 18, 1953).  The answer is x and not y, which may be further
 * from solving the equation: the distance is not certain to shrink at each
 * vertex.
 *
 * The bound.  For every positive x, lambda <= max over v of
 * (sum of x(u), u -> v) / x(v) (Collatz, 1942; Wielandt, 1950).  With x = 1
 * that is the largest in-degree.  We take the least of STEPS more, with x
 * leaning to the eigenvector by x <- x + sums / their mean, and of the largest
 * out-degree.
 */
#include "algo/katz/katz_impl.h"

#include "algo/common/gather.h"
#include "base/bits.h"
#include "par/par.h"

#include <math.h>

enum { TASK = 1024, STEPS = 16 };

/* Far beyond any sum that converges, and far from overflow. */
#define DIVERGED 1e60

struct part {
    double change, largest, squares;
    double x, y;     /* sums */
    uint32_t degree; /* the largest out-degree */
};

struct katz {
    const hy_view *V;
    hy_ctx *ctx;
    struct katz_plan plan;
    struct algo_side in;
    hy_vid bound;
    double mean; /* of quotients, weighted by x */
    double *x, *y;
    double *out; /* the caller's */
    double scale;
    struct part *part; /* of each task */
};

static hy_vid task_end(const struct katz *W, hy_vid lo)
{
    return W->bound - lo < TASK ? W->bound : lo + TASK;
}

static struct part total(const struct katz *W)
{
    struct part all = { 0 };
    for (size_t i = 0; i < bits_div_up(W->bound, TASK); i++) {
        const struct part *const p = &W->part[i];
        all.change = fmax(all.change, p->change);
        all.largest = fmax(all.largest, p->largest);
        all.squares += p->squares;
        all.x += p->x;
        all.y += p->y;
        all.degree = p->degree > all.degree ? p->degree : all.degree;
    }
    return all;
}

static struct part run(struct katz *W, par_step *step)
{
    par_run(W->ctx, bits_div_up(W->bound, TASK), step, W);
    return total(W);
}

static void swap(struct katz *W)
{
    double *const x = W->x;
    W->x = W->y;
    W->y = x;
}

/* Writes x of its vertices, and its part. */
static void start_par(void *arg, size_t task)
{
    struct katz *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    uint32_t most = 0;
    for (hy_vid u = lo; u < hi; u++) {
        const uint32_t degree = view_degree(W->V, u);
        most = degree > most ? degree : most;
        W->x[u] = view_has_vertex(W->V, u) ? W->plan.beta : 0;
    }
    W->part[task] = (struct part){ .degree = most };
}

/* ---- bound --------------------------------------------------------------- */

/* Writes y of its vertices, and its part: the largest quotient. */
static void quotients_par(void *arg, size_t task)
{
    struct katz *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    double degree[TASK];
    struct part part = { 0 };
    gather_range(&W->in, lo, hi, W->x, true, W->y + lo, degree);
    for (hy_vid u = lo; u < hi; u++) {
        part.x += W->x[u];
        part.y += W->y[u];
        if (degree[u - lo] > 0)
            part.largest = fmax(part.largest, W->y[u] / W->x[u]);
    }
    W->part[task] = part;
}

/* Writes x of its vertices. */
static void lean_par(void *arg, size_t task)
{
    struct katz *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    for (hy_vid u = lo; u < hi; u++)
        W->x[u] += W->y[u] / W->mean;
}

/* Bounds lambda from above.  0: there is no edge.  x is all beta before. */
static void bound(struct katz *W, uint32_t out_degree)
{
    struct part all = run(W, quotients_par);
    double lambda = fmin(all.largest, out_degree);
    for (int i = 0; i < STEPS && lambda > 0; i++) {
        W->mean = all.y / all.x;
        (void)run(W, lean_par);
        all = run(W, quotients_par);
        lambda = fmin(lambda, all.largest);
    }
    W->plan.alpha = lambda > 0 ? 0.85 / lambda : 0.85;
}

/* ---- iterate ------------------------------------------------------------- */

/* Writes y of its vertices, and its part. */
static void pull_par(void *arg, size_t task)
{
    struct katz *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    double degree[TASK];
    struct part part = { 0 };
    gather_range(&W->in, lo, hi, W->x, true, W->y + lo, degree);
    for (hy_vid u = lo; u < hi; u++) {
        /* Ids that are not alive stay at 0. */
        const double y =
            W->x[u] != 0 ? W->plan.beta + W->plan.alpha * W->y[u] : 0;
        part.change = fmax(part.change, fabs(y - W->x[u]));
        part.largest = fmax(part.largest, W->x[u]);
        part.squares += W->x[u] * W->x[u];
        W->y[u] = y;
    }
    W->part[task] = part;
}

/* False if the sums grow without bound. */
static bool iterate(struct katz *W, hy_katz_info *info)
{
    bool is_done = hy_view_vertices(W->V) == 0;
    W->scale = 1;
    while (!is_done && info->iterations < W->plan.iterations) {
        const struct part all = run(W, pull_par);
        if (!(all.largest < DIVERGED * W->plan.beta))
            return false;
        info->iterations++;
        info->change = all.change / all.largest;
        is_done = info->change <= W->plan.tolerance;
        if (!is_done)
            swap(W);
        else if (W->plan.is_normalised)
            W->scale = 1 / sqrt(all.squares);
    }
    info->alpha = W->plan.alpha;
    info->scale = W->scale;
    return true;
}

/* Writes the answer of its vertices. */
static void write_par(void *arg, size_t task)
{
    struct katz *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    for (hy_vid u = lo; u < hi; u++)
        W->out[u] = W->x[u] * W->scale;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status reserve(struct katz *W)
{
    const size_t tasks = bits_div_up(W->bound, TASK);
    W->part = base_alloc(W->ctx, tasks, sizeof *W->part);
    W->x = base_alloc_raw(W->ctx, W->bound, sizeof *W->x);
    W->y = base_alloc_raw(W->ctx, W->bound, sizeof *W->y);
    if (!W->part || !W->x || !W->y)
        return HY_ENOMEM;
    return algo_side_in(&W->in, W->V);
}

static void release(struct katz *W)
{
    algo_side_fini(&W->in);
    base_free(W->ctx, W->y);
    base_free(W->ctx, W->x);
    base_free(W->ctx, W->part);
}

static hy_status solve(struct katz *W, hy_katz_info *info)
{
    const uint32_t out_degree = run(W, start_par).degree;
    if (!(W->plan.alpha > 0)) {
        bound(W, out_degree);
        (void)run(W, start_par);
    }
    hy_katz_info done = { 0 };
    if (!iterate(W, &done))
        return base_fail(HY_EINVAL, "alpha %g is too large for this graph",
                         W->plan.alpha);
    (void)run(W, write_par);
    if (info)
        *info = done;
    return HY_OK;
}

hy_status hy_katz(const hy_view *V, const hy_katz_opts *opts, double *katz,
                  hy_katz_info *info)
{
    struct katz W = {
        .V = V, .ctx = view_ctx(V), .bound = hy_view_bound(V), .out = katz
    };
    HY_TRY(katz_plan(&W.plan, opts));
    hy_status status = reserve(&W);
    if (status == HY_OK)
        status = solve(&W, info);
    release(&W);
    return status;
}
