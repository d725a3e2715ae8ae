/* Counting butterflies by vertex priority.
 *
 *   Count
 *     1 Rank   number vertices by falling degree
 *     for every u:
 *       2 Wedges  for every neighbour v > u, for every neighbour w > u of v:
 *                 wedges(w) <- wedges(w) + 1
 *       3 Pairs   for every w: x = wedges(w) makes x (x - 1) / 2 butterflies
 *
 * After Wang, Lin, Qin, Zhang, Zhang (Vertex Priority Based Butterfly Counting
 * for Large-scale Bipartite Networks, VLDB 2019): every cycle is counted
 * once, at its vertex of lowest rank u, w being the one across.  Nothing in
 * that needs two sides, so that any simple graph will do.  An edge is walked
 * from its end of the larger degree: O(sum of smaller degrees).
 *
 * Invariant: the wedges of a worker are all 0 between two u.
 */
#include "algo/common/claims.h"
#include "algo/common/ranked.h"
#include "par/par.h"

#include <hypha/butterfly.h>

struct worker {
    uint32_t *wedges; /* by rank */
    uint32_t *met;    /* ranks with wedges */
    uint64_t total;
};

struct flies {
    struct ranked R;
    uint64_t *count; /* NULL, or by vertex; atomic, relaxed: counters */
    struct claims claims;
    uint32_t width;
    struct worker *workers;
};

static void give(const struct flies *C, uint32_t r, uint64_t x)
{
    if (x)
        (void)__atomic_fetch_add(&C->count[C->R.vertex[r]], x,
                                 __ATOMIC_RELAXED);
}

/* ---- one vertex -------------------------------------------------------- */

/* Counts the wedges u v w of all w; returns how many w were met. */
static size_t walk(const struct flies *C, struct worker *W, uint32_t u)
{
    const struct ranked *R = &C->R;
    size_t n = 0;
    for (uint64_t i = R->from[u + 1]; i-- > R->from[u] && R->to[i] > u;) {
        const uint32_t v = R->to[i];
        for (uint64_t k = R->from[v + 1]; k-- > R->from[v] && R->to[k] > u;) {
            const uint32_t w = R->to[k];
            W->met[n] = w;
            n += W->wedges[w]++ == 0;
        }
    }
    return n;
}

/* Each wedge of u v w is in as many butterflies as there are others. */
static void give_middles(const struct flies *C, struct worker *W, uint32_t u)
{
    const struct ranked *R = &C->R;
    for (uint64_t i = R->from[u + 1]; i-- > R->from[u] && R->to[i] > u;) {
        const uint32_t v = R->to[i];
        uint64_t at_v = 0;
        for (uint64_t k = R->from[v + 1]; k-- > R->from[v] && R->to[k] > u;)
            at_v += W->wedges[R->to[k]] - 1;
        give(C, v, at_v);
    }
}

static uint64_t count_at(const struct flies *C, struct worker *W, uint32_t u)
{
    const size_t n = walk(C, W, u);
    uint64_t sum = 0;
    if (C->count)
        give_middles(C, W, u);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = W->wedges[W->met[i]];
        W->wedges[W->met[i]] = 0;
        if (C->count)
            give(C, W->met[i], x * (x - 1) / 2);
        sum += x * (x - 1) / 2;
    }
    if (C->count)
        give(C, u, sum);
    return sum;
}

/* ---- all --------------------------------------------------------------- */

static void work_par(void *arg, size_t i)
{
    struct flies *C = arg;
    size_t lo, hi;
    while (claims_take(&C->claims, &lo, &hi))
        for (size_t u = lo; u < hi; u++)
            C->workers[i].total += count_at(C, &C->workers[i], (uint32_t)u);
}

static hy_status reserve(struct flies *C)
{
    hy_ctx *ctx = C->R.ctx;
    C->workers = base_alloc(ctx, C->width, sizeof *C->workers);
    if (!C->workers)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < C->width; i++) {
        struct worker *W = &C->workers[i];
        W->wedges = base_alloc(ctx, C->R.n, sizeof *W->wedges);
        /* one more: the entry that is written and not kept */
        W->met = base_alloc_raw(ctx, (size_t)C->R.n + 1, sizeof *W->met);
        if (!W->wedges || !W->met)
            return HY_ENOMEM;
    }
    return HY_OK;
}

static void release(struct flies *C)
{
    hy_ctx *ctx = C->R.ctx;
    for (uint32_t i = 0; C->workers && i < C->width; i++) {
        base_free(ctx, C->workers[i].met);
        base_free(ctx, C->workers[i].wedges);
    }
    base_free(ctx, C->workers);
    ranked_fini(&C->R);
}

static uint64_t run(struct flies *C, const hy_view *V)
{
    enum { GRAIN = 16 };
    uint64_t total = 0;
    for (hy_vid u = 0; C->count && u < hy_view_bound(V); u++)
        C->count[u] = 0;
    C->claims = (struct claims){ .n = C->R.n, .grain = GRAIN };
    par_run(C->R.ctx, C->width, work_par, C);
    for (uint32_t i = 0; i < C->width; i++)
        total += C->workers[i].total;
    return total;
}

hy_status hy_butterfly(const hy_view *V, const hy_butterfly_opts *opts,
                       uint64_t *count, hy_butterfly_info *info)
{
    if (opts && opts->reserved)
        return base_fail(HY_EINVAL, "butterfly: an option that is not 0");
    struct flies C = { .count = count, .width = par_width(view_ctx(V)) };
    HY_TRY(ranked_init(&C.R, V, (struct ranked_opts){ .part = RANKED_ALL }));
    const hy_status status = reserve(&C);
    if (status == HY_OK) {
        const uint64_t total = run(&C, V);
        if (info)
            info->butterflies = total;
    }
    release(&C);
    return status;
}
