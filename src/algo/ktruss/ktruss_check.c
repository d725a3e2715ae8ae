/* Verifies trussness.
 *
 *   1 Same    the list has every edge once, in order
 *   2 Peel    for k = 2, 3, ...: of the edges that are said to have trussness
 *             k, take away one that is on at most k - 2 triangles of what is
 *             left, again and again; then none of them is left, and all that
 *             is left are on k - 1 triangles or more
 *
 * What is left after k is a (k + 1)-truss, so that nothing is said too large;
 * what went could not have stayed, so that nothing is said too small.
 */
#include "algo/common/simple.h"

#include <hypha/ktruss.h>

#include <inttypes.h>

struct check {
    struct simple S;
    uint64_t n;
    const hy_edge *edges;
    const uint32_t *truss;
    uint64_t *start;    /* by vertex: the first edge with it as u */
    uint32_t *support;  /* by edge: triangles left */
    uint8_t *is_gone;   /* by edge */
    uint64_t *by_truss; /* edges in rising order of trussness */
    uint64_t *queue;
    uint64_t head, tail;
};

/* The number of an edge that is there. */
static uint64_t find(const struct check *C, hy_vid x, hy_vid y)
{
    const hy_vid u = x < y ? x : y, v = x < y ? y : x;
    uint64_t lo = C->start[u], hi = C->start[u + 1];
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (C->edges[mid].v < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_same(struct check *C)
{
    if (C->n != C->S.m)
        return false;
    uint64_t at = 0;
    for (hy_vid u = 0; u < C->S.n; u++) {
        C->start[u] = at;
        for (uint64_t i = C->S.from[u]; i < C->S.from[u + 1]; i++) {
            if (C->S.to[i] < u)
                continue;
            if (C->edges[at].u != u || C->edges[at].v != C->S.to[i])
                return false;
            at++;
        }
    }
    C->start[C->S.n] = at;
    return true;
}

/* Calls for the two other edges of every triangle of e. */
typedef void triangle_step(struct check *C, uint64_t e, uint64_t f, uint64_t g);

static void for_triangles(struct check *C, uint64_t e, triangle_step *step)
{
    hy_vid u = C->edges[e].u, v = C->edges[e].v;
    if (simple_degree(&C->S, u) > simple_degree(&C->S, v)) {
        v = C->edges[e].u;
        u = C->edges[e].v;
    }
    for (uint64_t i = C->S.from[u]; i < C->S.from[u + 1]; i++) {
        const hy_vid w = C->S.to[i];
        if (w != v && simple_has(&C->S, v, w))
            step(C, e, find(C, u, w), find(C, v, w));
    }
}

static void add_one(struct check *C, uint64_t e, uint64_t f, uint64_t g)
{
    (void)f;
    (void)g;
    C->support[e]++;
}

/* An edge that is said to have trussness k goes when it can. */
static void take_if(struct check *C, uint64_t e, uint32_t k)
{
    if (!C->is_gone[e] && C->truss[e] == k && C->support[e] + 2 <= k) {
        C->is_gone[e] = 1;
        C->queue[C->tail++] = e;
    }
}

static void weaken(struct check *C, uint64_t e, uint64_t f, uint64_t g)
{
    enum { BROKEN = 2 };
    if (C->is_gone[f] == BROKEN || C->is_gone[g] == BROKEN)
        return;
    C->support[f]--;
    C->support[g]--;
    take_if(C, f, C->truss[e]);
    take_if(C, g, C->truss[e]);
}

/* Takes the edges lo..hi of by_truss away, which are said to be of k. */
static bool peel_one(struct check *C, uint64_t lo, uint64_t hi, uint32_t k)
{
    enum { BROKEN = 2 };
    for (uint64_t i = lo; i < hi; i++)
        take_if(C, C->by_truss[i], k);
    while (C->head < C->tail) {
        const uint64_t e = C->queue[C->head++];
        for_triangles(C, e, weaken);
        C->is_gone[e] = BROKEN;
    }
    return C->tail == hi;
}

/* Edges by trussness, by counting; false if one is below 2 or absurd. */
static bool sort_edges(struct check *C, uint64_t *count)
{
    for (uint64_t e = 0; e < C->n; e++) {
        if (C->truss[e] < 2 || C->truss[e] > C->S.n)
            return false;
        count[C->truss[e] + 1]++;
    }
    for (uint64_t k = 0; k <= C->S.n; k++)
        count[k + 1] += count[k];
    for (uint64_t e = 0; e < C->n; e++)
        C->by_truss[count[C->truss[e]]++] = e;
    return true;
}

static hy_status peel(struct check *C)
{
    for (uint64_t e = 0; e < C->n; e++)
        for_triangles(C, e, add_one);
    for (uint64_t lo = 0, hi; lo < C->n; lo = hi) {
        const uint32_t k = C->truss[C->by_truss[lo]];
        for (hi = lo; hi < C->n && C->truss[C->by_truss[hi]] == k;)
            hi++;
        /* what is left now must be a k-truss, and these its end */
        for (uint64_t i = lo; i < C->n; i++)
            if (C->support[C->by_truss[i]] + 2 < k)
                return base_fail(HY_EBUG,
                                 "not all edges of %" PRIu32
                                 " and more are on %" PRIu32
                                 " triangles of them",
                                 k, k - 2);
        if (!peel_one(C, lo, hi, k))
            return base_fail(HY_EBUG, "an edge of %" PRIu32 " could be of more",
                             k);
    }
    return HY_OK;
}

static hy_status check(struct check *C)
{
    hy_ctx *ctx = C->S.ctx;
    C->start = base_alloc(ctx, (size_t)C->S.n + 1, sizeof *C->start);
    C->support = base_alloc(ctx, C->n, sizeof *C->support);
    C->is_gone = base_alloc(ctx, C->n, sizeof *C->is_gone);
    C->by_truss = base_alloc(ctx, C->n, sizeof *C->by_truss);
    C->queue = base_alloc(ctx, C->n, sizeof *C->queue);
    uint64_t *count = base_alloc(ctx, (size_t)C->S.n + 2, sizeof *count);
    const bool has_room = C->start && C->support && C->is_gone && C->by_truss &&
                          C->queue && count;
    hy_status status = has_room ? HY_OK : HY_ENOMEM;
    if (has_room && !is_same(C))
        status = base_fail(HY_EBUG, "the list is not that of the edges");
    else if (has_room && !sort_edges(C, count))
        status = base_fail(HY_EBUG, "a trussness that cannot be");
    base_free(ctx, count);
    return status == HY_OK ? peel(C) : status;
}

bool hy_ktruss_check(const hy_view *V, uint64_t n_edges, const hy_edge *edges,
                     const uint32_t *truss, const char **why)
{
    hy_ctx *ctx = view_ctx(V);
    struct check C = { .n = n_edges, .edges = edges, .truss = truss };
    hy_status status = simple_init(&C.S, V);
    if (status == HY_OK)
        status = check(&C);
    base_free(ctx, C.queue);
    base_free(ctx, C.by_truss);
    base_free(ctx, C.is_gone);
    base_free(ctx, C.support);
    base_free(ctx, C.start);
    simple_fini(&C.S);
    if (why && status != HY_OK)
        *why = hy_error_text();
    return status == HY_OK;
}
