/* Verifies scores by the definition of dependency with predecessors, source
 * by source: Brandes's first form, serial, edges taken from their heads.
 *
 *   for each source, vertices v farthest first
 *     for each edge (u, v) from one level nearer
 *       delta(u) <- delta(u) + sigma(u) / sigma(v) * (1 + delta(v))
 *
 * Edges are only known from their tails; each is taken from there, in the
 * order of its head's level.  Numbers of paths are logarithms, which cannot
 * grow too large.
 */
#include "algo/bc/bc_impl.h"

#include <math.h>
#include <string.h>

struct truth {
    const hy_view *V;
    double *score, *delta;
    double *sigma; /* log2 */
    uint32_t *depth;
    hy_vid *order;
};

static uint64_t search(struct truth *T, hy_vid source)
{
    uint64_t end = 0;
    memset(T->depth, 0xff, T->V->bound * sizeof *T->depth);
    T->depth[source] = 0;
    T->order[end++] = source;
    for (uint64_t at = 0; at < end; at++)
        view_for_out (s, T->V, T->order[at])
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                if (T->depth[v] != UINT32_MAX)
                    continue;
                T->depth[v] = T->depth[T->order[at]] + 1;
                T->order[end++] = v;
            }
    return end;
}

/* Does one thing for every edge from u to the next level. */
static void each_down(struct truth *T, hy_vid u,
                      void (*step)(struct truth *T, hy_vid u, hy_vid v))
{
    view_for_out (s, T->V, u)
        for (size_t i = 0; i < s.n; i++)
            if (T->depth[s.v[i * s.step]] == T->depth[u] + 1)
                step(T, u, s.v[i * s.step]);
}

static void add_paths(struct truth *T, hy_vid u, hy_vid v)
{
    const double a = fmax(T->sigma[u], T->sigma[v]);
    const double b = fmin(T->sigma[u], T->sigma[v]);
    T->sigma[v] = a + log2(1 + exp2(b - a));
}

static void add_dependency(struct truth *T, hy_vid u, hy_vid v)
{
    T->delta[u] += exp2(T->sigma[u] - T->sigma[v]) * (1 + T->delta[v]);
}

static void depend(struct truth *T, hy_vid source)
{
    const uint64_t end = search(T, source);
    for (uint64_t i = 0; i < end; i++)
        T->sigma[T->order[i]] = -INFINITY;
    memset(T->delta, 0, T->V->bound * sizeof *T->delta);
    T->sigma[source] = 0;
    for (uint64_t i = 0; i < end; i++)
        each_down(T, T->order[i], add_paths);
    for (uint64_t i = end; i-- > 0;)
        each_down(T, T->order[i], add_dependency);
    for (uint64_t i = 1; i < end; i++) /* the source is no. 0 */
        T->score[T->order[i]] += T->delta[T->order[i]];
}

static hy_status compare(const struct truth *T, const hy_bc_opts *opts,
                         const double *score)
{
    double largest = 0;
    for (hy_vid v = 0; v < T->V->bound; v++)
        largest = T->score[v] > largest ? T->score[v] : largest;
    const double unit = opts->normalize && largest > 0 ? largest : 1;
    for (hy_vid v = 0; v < T->V->bound; v++) {
        const double want = T->score[v] / unit;
        if (!(fabs(score[v] - want) <= 1e-6 * want + 1e-12))
            return base_fail(HY_EBUG, "the score of %u is %.9g, not %.9g",
                             (unsigned)v, want, score[v]);
    }
    return HY_OK;
}

bool hy_bc_check(const hy_view *V, const hy_bc_opts *opts, const double *score,
                 const char **why)
{
    static const hy_bc_opts defaults = { 0 };
    opts = opts ? opts : &defaults;
    hy_ctx *const ctx = view_ctx(V);
    const size_t n = V->bound;
    struct truth T = {
        .V = V,
        .score = base_alloc(ctx, n, sizeof *T.score),
        .sigma = base_alloc_raw(ctx, n, sizeof *T.sigma),
        .delta = base_alloc_raw(ctx, n, sizeof *T.delta),
        .depth = base_alloc_raw(ctx, n, sizeof *T.depth),
        .order = base_alloc_raw(ctx, n, sizeof *T.order),
    };
    struct bc_draw D;
    hy_status status = bc_draw_init(&D, V, opts);
    if (!T.score || !T.sigma || !T.delta || !T.depth || !T.order)
        status = HY_ENOMEM;
    if (status == HY_OK) {
        for (hy_vid source; bc_draw_next(&D, &source);)
            depend(&T, source);
        status = compare(&T, opts, score);
    }
    base_free(ctx, T.order);
    base_free(ctx, T.depth);
    base_free(ctx, T.delta);
    base_free(ctx, T.sigma);
    base_free(ctx, T.score);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
