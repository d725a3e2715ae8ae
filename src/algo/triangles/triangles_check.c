/* Verifies triangle counts by the forward algorithm on lists sorted by id:
 * a vertex comes before another if it has the larger degree, or the same and
 * the smaller id; each triangle is found at its last vertex, by merging or
 * searching (Schank, Wagner, WEA 2005).
 */
#include "algo/common/simple.h"

#include "par/par.h"

#include <hypha/triangles.h>

#include <inttypes.h>

struct check {
    struct simple S;
    uint64_t *count; /* by vertex; atomic, relaxed: counters */
};

static bool is_before(const struct simple *S, hy_vid u, hy_vid v)
{
    const uint32_t a = simple_degree(S, u), b = simple_degree(S, v);
    return a > b || (a == b && u < v);
}

static void give(struct check *C, hy_vid u)
{
    (void)__atomic_fetch_add(&C->count[u], 1, __ATOMIC_RELAXED);
}

static void give_three(struct check *C, hy_vid u, hy_vid v, hy_vid w)
{
    if (!is_before(&C->S, w, v))
        return;
    give(C, u);
    give(C, v);
    give(C, w);
}

/* Triangles of u and v whose third vertex comes before both: v has the longer
 * list. */
static void find(struct check *C, hy_vid u, hy_vid v)
{
    enum { MUCH_LONGER = 32 };
    const struct simple *S = &C->S;
    uint64_t i = S->from[u], k = S->from[v];
    if (simple_degree(S, v) / MUCH_LONGER > simple_degree(S, u)) {
        for (; i < S->from[u + 1]; i++)
            if (simple_has(S, v, S->to[i]))
                give_three(C, u, v, S->to[i]);
        return;
    }
    while (i < S->from[u + 1] && k < S->from[v + 1]) {
        const hy_vid x = S->to[i], y = S->to[k];
        if (x == y)
            give_three(C, u, v, x);
        i += x <= y;
        k += y <= x;
    }
}

static void recount_par(void *arg, size_t lo, size_t hi)
{
    struct check *C = arg;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t i = C->S.from[u]; i < C->S.from[u + 1]; i++)
            if (is_before(&C->S, C->S.to[i], (hy_vid)u))
                find(C, (hy_vid)u, C->S.to[i]);
}

static hy_status compare(const struct check *C, const uint64_t *count,
                         uint64_t triangles)
{
    uint64_t sum = 0;
    for (hy_vid u = 0; u < C->S.n; u++) {
        sum += C->count[u];
        if (count && count[u] != C->count[u])
            return base_fail(HY_EBUG,
                             "vertex %" PRIu32 " is on %" PRIu64
                             " triangles, not %" PRIu64,
                             u, C->count[u], count[u]);
    }
    if (sum != 3 * triangles)
        return base_fail(HY_EBUG,
                         "there are %" PRIu64 " triangles, not %" PRIu64,
                         sum / 3, triangles);
    return HY_OK;
}

bool hy_triangles_check(const hy_view *V, const uint64_t *count,
                        uint64_t triangles, const char **why)
{
    enum { GRAIN = 64 };
    hy_ctx *ctx = view_ctx(V);
    struct check C = { .count = NULL };
    hy_status status = simple_init(&C.S, V);
    if (status == HY_OK) {
        C.count = base_alloc(ctx, C.S.n, sizeof *C.count);
        status = C.count ? HY_OK : HY_ENOMEM;
    }
    if (status == HY_OK) {
        par_for(ctx, C.S.n, GRAIN, recount_par, &C);
        status = compare(&C, count, triangles);
    }
    base_free(ctx, C.count);
    simple_fini(&C.S);
    if (why && status != HY_OK)
        *why = hy_error_text();
    return status == HY_OK;
}
