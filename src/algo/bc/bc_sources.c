/* Dependencies of many sources, one thread each.
 *
 *   for every `width` sources
 *     Depend   each thread, one source: count and accumulate, serially
 *     Add      score(v) <- score(v) + the sources' deltas, in their order
 *
 * The order of all sums is that of the sources and of the adjacencies, so
 * the scores have the same bits for every number of threads.
 */
#include "algo/bc/bc_impl.h"
#include "algo/bc/bc_wide.h"

#include "par/par.h"

#include <string.h>

enum { ADD_GRAIN = 1 << 12 };

/* One source at work. */
struct run {
    hy_vid source;
    uint32_t *depth;
    struct wide *sigma;
    double *delta;
    hy_vid *order; /* those reached, nearest first */
    uint32_t max_depth;
};

struct bc {
    const hy_view *V;
    double *score;
    struct run *run; /* `width` of them */
    uint32_t width;
    uint32_t used; /* of them: sources in this round */
};

/* ---- one source -----------------------------------------------------------
 */

static uint64_t count(const hy_view *V, struct run *R)
{
    uint64_t end = 0;
    R->depth[R->source] = 0;
    R->sigma[R->source] = (struct wide){ .m = 1 };
    R->order[end++] = R->source;
    for (uint64_t at = 0; at < end; at++) {
        const hy_vid u = R->order[at];
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                if (R->depth[v] == UINT32_MAX) {
                    R->depth[v] = R->depth[u] + 1;
                    R->order[end++] = v;
                }
                if (R->depth[v] == R->depth[u] + 1)
                    R->sigma[v] = wide_add(R->sigma[v], R->sigma[u]);
            }
    }
    return end;
}

/* The part of the paths to v that goes through u. */
static double share(const struct run *R, hy_vid u, hy_vid v)
{
    const struct wide a = R->sigma[u], b = R->sigma[v];
    return wide_lower(a.m, b.k - a.k) / b.m;
}

static void accumulate(const hy_view *V, struct run *R, uint64_t end)
{
    while (end-- > 0) {
        const hy_vid u = R->order[end];
        double sum = 0;
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                if (R->depth[v] == R->depth[u] + 1)
                    sum += share(R, u, v) * (1 + R->delta[v]);
            }
        R->delta[u] = sum;
    }
}

/* Writes what is of its source. */
static void depend_par(void *arg, size_t i)
{
    struct bc *S = arg;
    struct run *R = &S->run[i];
    const size_t n = S->V->bound;
    memset(R->depth, 0xff, n * sizeof *R->depth);
    memset(R->sigma, 0, n * sizeof *R->sigma);
    memset(R->delta, 0, n * sizeof *R->delta);
    const uint64_t end = count(S->V, R);
    accumulate(S->V, R, end);
    const uint32_t depth = R->depth[R->order[end - 1]];
    R->max_depth = depth > R->max_depth ? depth : R->max_depth;
    R->delta[R->source] = 0; /* a path's ends are not between them */
}

/* Writes the scores of its range. */
static void add_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    for (uint32_t i = 0; i < S->used; i++)
        for (size_t v = lo; v < hi; v++)
            S->score[v] += S->run[i].delta[v];
}

/* ---- all ------------------------------------------------------------------
 */

static hy_status reserve(struct bc *S)
{
    hy_ctx *const ctx = view_ctx(S->V);
    const size_t n = S->V->bound;
    S->run = base_alloc(ctx, S->width, sizeof *S->run);
    if (!S->run)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < S->width; i++) {
        struct run *R = &S->run[i];
        R->depth = base_alloc_raw(ctx, n, sizeof *R->depth);
        R->sigma = base_alloc_raw(ctx, n, sizeof *R->sigma);
        R->delta = base_alloc_raw(ctx, n, sizeof *R->delta);
        R->order = base_alloc_raw(ctx, n, sizeof *R->order);
        if (!R->depth || !R->sigma || !R->delta || !R->order)
            return HY_ENOMEM;
    }
    return HY_OK;
}

static void give_back(struct bc *S)
{
    hy_ctx *const ctx = view_ctx(S->V);
    for (uint32_t i = 0; S->run && i < S->width; i++) {
        base_free(ctx, S->run[i].order);
        base_free(ctx, S->run[i].delta);
        base_free(ctx, S->run[i].sigma);
        base_free(ctx, S->run[i].depth);
    }
    base_free(ctx, S->run);
}

static bool draw(struct bc *S, struct bc_draw *D)
{
    S->used = 0;
    while (S->used < S->width && bc_draw_next(D, &S->run[S->used].source))
        S->used++;
    return S->used;
}

hy_status bc_by_sources(const hy_view *V, struct bc_draw *D, double *score,
                        uint32_t *max_depth)
{
    hy_ctx *const ctx = view_ctx(V);
    const uint32_t width = par_width(ctx);
    struct bc S = { .V = V,
                    .score = score,
                    .width = D->count < width ? (uint32_t)D->count : width };
    const hy_status status = reserve(&S);
    if (status == HY_OK) {
        memset(score, 0, V->bound * sizeof *score);
        while (draw(&S, D)) {
            par_run(ctx, S.used, depend_par, &S);
            par_for(ctx, V->bound, ADD_GRAIN, add_par, &S);
        }
        for (uint32_t i = 0; i < S.width; i++)
            if (S.run[i].max_depth > *max_depth)
                *max_depth = S.run[i].max_depth;
    }
    give_back(&S);
    return status;
}
