/* Hubs and authorities by power iteration.
 *
 *   HITS(V)
 *     1 Start       hub(u) <- 1 / sqrt(n)
 *     2 repeat
 *     3   Authorities   a(v) <- sum of hub(u), u -> v
 *     4   Hubs          h(u) <- sum of a(v), u -> v
 *     5   Scale         authority <- a / |a|, hub <- h / |h|; how far they
 * moved 6 until neither moved by more than the tolerance
 *
 * After Kleinberg (Authoritative sources in a hyperlinked environment, J. ACM
 * 46, 1999).  He scales a before h is computed; we scale both at once.  Sums
 * are made in tasks of a fixed size: the same for every number of threads.
 */
#include "algo/hits/hits_impl.h"

#include "algo/common/gather.h"
#include "base/bits.h"
#include "par/par.h"

#include <math.h>

enum { TASK = 1024 };

struct part {
    double hub, authority; /* squares */
};

struct hits {
    const hy_view *V;
    hy_ctx *ctx;
    struct hits_plan plan;
    struct algo_side in, out;
    hy_vid bound;
    double *hub, *authority; /* the caller's */
    double *h, *a;           /* not scaled */
    double scale_h, scale_a;
    struct part *part; /* of each task */
};

static hy_vid task_end(const struct hits *W, hy_vid lo)
{
    return W->bound - lo < TASK ? W->bound : lo + TASK;
}

static struct part total(const struct hits *W)
{
    struct part all = { 0 };
    for (size_t i = 0; i < bits_div_up(W->bound, TASK); i++) {
        all.hub += W->part[i].hub;
        all.authority += W->part[i].authority;
    }
    return all;
}

static void run(struct hits *W, par_step *step)
{
    par_run(W->ctx, bits_div_up(W->bound, TASK), step, W);
}

/* Writes its vertices' scores. */
static void start_par(void *arg, size_t task)
{
    struct hits *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    const double one = 1 / sqrt((double)hy_view_vertices(W->V));
    for (hy_vid u = lo; u < hi; u++) {
        W->hub[u] = view_has_vertex(W->V, u) ? one : 0;
        W->authority[u] = 0;
    }
}

/* y <- sums of x over one side, for the task's vertices; returns |y|^2. */
static double sum_task(const struct hits *W, const struct algo_side *S,
                       size_t task, const double *x, double *y)
{
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    double degree[TASK];
    double squares = 0;
    gather_range(S, lo, hi, x, true, y + lo, degree);
    for (hy_vid u = lo; u < hi; u++)
        squares += y[u] * y[u];
    return squares;
}

/* Writes a of its vertices, and its part. */
static void authorities_par(void *arg, size_t task)
{
    struct hits *W = arg;
    W->part[task].authority = sum_task(W, &W->in, task, W->hub, W->a);
}

/* Writes h of its vertices, and its part. */
static void hubs_par(void *arg, size_t task)
{
    struct hits *W = arg;
    W->part[task].hub = sum_task(W, &W->out, task, W->a, W->h);
}

/* Writes the scores of its vertices, and its part. */
static void scale_par(void *arg, size_t task)
{
    struct hits *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(W, lo);
    struct part moved = { 0 };
    for (hy_vid u = lo; u < hi; u++) {
        const double h = W->h[u] * W->scale_h, a = W->a[u] * W->scale_a;
        moved.hub += (h - W->hub[u]) * (h - W->hub[u]);
        moved.authority += (a - W->authority[u]) * (a - W->authority[u]);
        W->hub[u] = h;
        W->authority[u] = a;
    }
    W->part[task] = moved;
}

/* Returns how far the vectors moved: the larger distance. */
static double scale(struct hits *W)
{
    const struct part length = total(W);
    W->scale_h = length.hub > 0 ? 1 / sqrt(length.hub) : 0;
    W->scale_a = length.authority > 0 ? 1 / sqrt(length.authority) : 0;
    run(W, scale_par);
    const struct part moved = total(W);
    return sqrt(fmax(moved.hub, moved.authority));
}

static hy_hits_info iterate(struct hits *W)
{
    hy_hits_info info = { 0 };
    bool is_done = false;
    while (!is_done && info.iterations < W->plan.iterations) {
        run(W, authorities_par);
        run(W, hubs_par);
        info.change = scale(W);
        info.iterations++;
        is_done = info.change <= W->plan.tolerance;
    }
    return info;
}

static hy_status reserve(struct hits *W)
{
    const size_t tasks = bits_div_up(W->bound, TASK);
    W->part = base_alloc(W->ctx, tasks, sizeof *W->part);
    W->h = base_alloc_raw(W->ctx, W->bound, sizeof *W->h);
    W->a = base_alloc_raw(W->ctx, W->bound, sizeof *W->a);
    if (!W->part || !W->h || !W->a)
        return HY_ENOMEM;
    W->out = algo_side_out(W->V);
    return algo_side_in(&W->in, W->V);
}

static void release(struct hits *W)
{
    algo_side_fini(&W->in);
    base_free(W->ctx, W->a);
    base_free(W->ctx, W->h);
    base_free(W->ctx, W->part);
}

hy_status hy_hits(const hy_view *V, const hy_hits_opts *opts, double *hub,
                  double *authority, hy_hits_info *info)
{
    struct hits W = { .V = V,
                      .ctx = view_ctx(V),
                      .bound = hy_view_bound(V),
                      .hub = hub,
                      .authority = authority };
    HY_TRY(hits_plan(&W.plan, opts));
    const hy_status status = reserve(&W);
    if (status == HY_OK) {
        run(&W, start_par);
        const hy_hits_info done = iterate(&W);
        if (info)
            *info = done;
    }
    release(&W);
    return status;
}
