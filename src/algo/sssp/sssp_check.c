/* Verifies shortest paths.
 *
 *   Check
 *     1 the source is at 0; what is not alive is not reached
 *     2 no edge (u, v, w) has d(u) + w < d(v)
 *     3 edges without slack, d(u) + w = d(v), lead from the source to all
 *       that is reached
 *     4 each parent is the start of such an edge, and parents lead to the
 *       source without a circle
 *
 * By 2 no distance is too large, by 3 none too small.
 */
#include "algo/common/weights.h"

#include <hypha/sssp.h>

struct check {
    const struct algo_weights *W;
    hy_vid source;
    const double *dist;
    const hy_vid *parent; /* NULL: not asked */
    uint64_t *seen;       /* owned: a set of vertices */
    uint64_t *tight;      /* owned: v whose parent's edge has no slack */
    hy_vid *queue;        /* owned */
    size_t n;
};

static hy_status check_vertex(const struct check *C, hy_vid v)
{
    const double d = C->dist[v];
    const bool is_reached = d < INFINITY;
    if (isnan(d) || d < 0)
        return base_fail(HY_EBUG, "vertex %u is at %g", (unsigned)v, d);
    if (v == C->source && d != 0)
        return base_fail(HY_EBUG, "the source is at %g", d);
    if (is_reached && !hy_view_has_vertex(C->W->V, v))
        return base_fail(HY_EBUG, "vertex %u is not there, but reached",
                         (unsigned)v);
    if (!C->parent)
        return HY_OK;
    const hy_vid p = C->parent[v];
    if (v == C->source && p != v)
        return base_fail(HY_EBUG, "the source hangs under %u", (unsigned)p);
    if (is_reached != (p != HY_NONE) || (p != HY_NONE && p >= C->W->V->bound))
        return base_fail(HY_EBUG, "vertex %u is at %g, its parent is %u",
                         (unsigned)v, d, (unsigned)p);
    return HY_OK;
}

static void see(struct check *C, hy_vid v)
{
    if (bits_has(C->seen, v))
        return;
    bits_add(C->seen, v);
    C->queue[C->n++] = v;
}

/* Lines 2 and 3 for the edges of u, which is reached. */
static hy_status check_edges(struct check *C, hy_vid u)
{
    const struct algo_weights *const W = C->W;
    hy_for_out_span (s, W->V, u) {
        const char *const at = algo_weights_at(W, &s);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            const double w = algo_weight_f64(W->type, at + (size_t)i * W->step);
            const double d = C->dist[u] + w;
            if (!(w >= 0) || d < C->dist[v])
                return base_fail(
                    HY_EBUG, "edge %u %u of weight %g leads from %g to %g",
                    (unsigned)u, (unsigned)v, w, C->dist[u], C->dist[v]);
            if (d != C->dist[v] || isinf(d))
                continue;
            see(C, v);
            if (C->parent && C->parent[v] == u && v != C->source)
                bits_add(C->tight, v);
        }
    }
    return HY_OK;
}

/* Line 4.  A vertex is crossed out of `seen` when its parents are known to
 * lead to the source; a circle comes back to one that is on the way. */
static hy_status check_parents(struct check *C)
{
    const hy_vid bound = C->W->V->bound;
    for (hy_vid v = 0; v < bound; v++)
        if (C->dist[v] < INFINITY && v != C->source && !bits_has(C->tight, v))
            return base_fail(HY_EBUG, "no shortest path to %u comes from %u",
                             (unsigned)v, (unsigned)C->parent[v]);
    bits_remove(C->seen, C->source);
    for (hy_vid start = 0; start < bound; start++) {
        size_t steps = 0;
        for (hy_vid v = start; bits_has(C->seen, v); v = C->parent[v])
            if (steps++ == C->n)
                return base_fail(HY_EBUG, "parents of %u go in a circle",
                                 (unsigned)start);
        for (hy_vid v = start; bits_has(C->seen, v); v = C->parent[v])
            bits_remove(C->seen, v);
    }
    return HY_OK;
}

static hy_status check_all(struct check *C)
{
    const hy_vid bound = C->W->V->bound;
    for (hy_vid v = 0; v < bound; v++)
        HY_TRY(check_vertex(C, v));
    see(C, C->source);
    for (size_t i = 0; i < C->n; i++) /* grows as we walk it */
        HY_TRY(check_edges(C, C->queue[i]));
    for (hy_vid v = 0; v < bound; v++)
        if (C->dist[v] < INFINITY && !bits_has(C->seen, v))
            return base_fail(HY_EBUG, "no path of length %g leads to %u",
                             C->dist[v], (unsigned)v);
    return C->parent ? check_parents(C) : HY_OK;
}

static hy_status check(struct check *C)
{
    hy_ctx *const ctx = view_ctx(C->W->V);
    const size_t bound = C->W->V->bound;
    hy_status status = HY_ENOMEM;
    if (!hy_view_has_vertex(C->W->V, C->source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)C->source);
    C->seen = base_alloc(ctx, bits_words(bound), sizeof *C->seen);
    C->tight = base_alloc(ctx, bits_words(bound), sizeof *C->tight);
    C->queue = base_alloc_raw(ctx, bound, sizeof *C->queue);
    if (C->seen && C->tight && C->queue)
        status = check_all(C);
    base_free(ctx, C->queue);
    base_free(ctx, C->tight);
    base_free(ctx, C->seen);
    return status;
}

bool hy_sssp_check(const hy_view *V, const hy_sssp_opts *opts,
                   const double *dist, const hy_vid *parent, const char **why)
{
    static const hy_sssp_opts none = { 0 };
    opts = opts ? opts : &none;
    struct algo_weights W;
    struct check C = {
        .W = &W, .source = opts->source, .dist = dist, .parent = parent
    };
    hy_status status = algo_weights_init(&W, V, opts->weight);
    if (status == HY_OK)
        status = check(&C);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
