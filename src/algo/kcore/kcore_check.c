/* Verifies core numbers from both sides.
 *
 *   1 u has at least core(u) neighbours v with core(v) >= core(u): so all
 *     these are in a core of that number
 *   2 for k = 0, 1, ...: peeling vertices with at most k neighbours left,
 *     among those said to have core k, leaves none of them: so no core above
 *     k has them
 */
#include "algo/common/side.h"

#include <hypha/kcore.h>

struct check {
    const hy_view *V;
    struct algo_side near;
    const uint32_t *core;
    uint32_t limit;
    uint32_t *d; /* neighbours left */
    hy_vid *queue;
    hy_vid *by_core; /* vertices in the order of their cores */
    uint32_t *start; /* where a core begins there; bound + 1 of them */
};

/* 1, and d. */
static hy_status check_vertex(struct check *C, hy_vid u)
{
    const uint32_t core = C->core[u];
    uint32_t inside = 0;
    C->d[u] = 0;
    if (!view_has_vertex(C->V, u))
        return core == HY_NONE
                   ? HY_OK
                   : base_fail(HY_EBUG, "%u is no vertex, its core is %u", u,
                               core);
    algo_for_side (s, &C->near, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            C->d[u] += v != u;
            inside += v != u && C->core[v] >= core;
        }
    if (inside < core)
        return base_fail(HY_EBUG, "%u has the core %u, with %u neighbours", u,
                         core, inside);
    return HY_OK;
}

/* Lists vertices by core; cores are below the bound, as 1 showed. */
static void sort(struct check *C)
{
    const hy_vid n = C->V->bound;
    for (hy_vid u = 0; u < n; u++)
        if (C->core[u] != HY_NONE)
            C->start[C->core[u] + 1]++;
    for (hy_vid k = 0; k < n; k++)
        C->start[k + 1] += C->start[k];
    for (hy_vid u = n; u-- > 0;)
        if (C->core[u] != HY_NONE)
            C->by_core[--C->start[C->core[u] + 1]] = u;
    /* Each start is now that of the core before it. */
}

static size_t peel(struct check *C, hy_vid u, uint32_t k, size_t n)
{
    algo_for_side (s, &C->near, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (v != u && C->d[v]-- == k + 1 && C->core[v] == k)
                C->queue[n++] = v;
        }
    return n;
}

/* 2, for one core: the vertices from..to-1 of by_core. */
static hy_status check_core(struct check *C, uint32_t k, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (C->d[C->by_core[i]] <= k)
            C->queue[n++] = C->by_core[i];
    for (size_t i = 0; i < n; i++)
        n = peel(C, C->queue[i], k, n);
    return n == to - from
               ? HY_OK
               : base_fail(HY_EBUG,
                           "%zu vertices of core %u are in a larger one",
                           to - from - n, k);
}

static hy_status check_all(struct check *C)
{
    const hy_vid n = C->V->bound;
    for (hy_vid u = 0; u < n; u++)
        HY_TRY(check_vertex(C, u));
    sort(C);
    for (size_t from = 0, to; from < C->V->vertices; from = to) {
        const uint32_t k = C->core[C->by_core[from]];
        for (to = from; to < C->V->vertices && C->core[C->by_core[to]] == k;)
            to++;
        if (!C->limit || k < C->limit)
            HY_TRY(check_core(C, k, from, to));
        else if (k > C->limit)
            return base_fail(HY_EBUG, "a core of %u is over the limit", k);
    }
    return HY_OK;
}

static hy_status check_reserve(struct check *C)
{
    hy_ctx *const ctx = view_ctx(C->V);
    const size_t n = C->V->bound;
    C->d = base_alloc_raw(ctx, n, sizeof *C->d);
    C->queue = base_alloc_raw(ctx, n, sizeof *C->queue);
    C->by_core = base_alloc_raw(ctx, n, sizeof *C->by_core);
    C->start = base_alloc(ctx, n + 1, sizeof *C->start);
    if (!C->d || !C->queue || !C->by_core || !C->start)
        return HY_ENOMEM;
    return algo_side_simple(&C->near, C->V);
}

bool hy_kcore_check(const hy_view *V, const hy_kcore_opts *opts,
                    const uint32_t *core, const char **why)
{
    hy_ctx *const ctx = view_ctx(V);
    struct check C = { .V = V, .core = core, .limit = opts ? opts->limit : 0 };
    hy_status status = check_reserve(&C);
    if (status == HY_OK)
        status = check_all(&C);
    algo_side_fini(&C.near);
    base_free(ctx, C.start);
    base_free(ctx, C.by_core);
    base_free(ctx, C.queue);
    base_free(ctx, C.d);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
