/* All edges of a view, and vertices one by one. */
#include "ops/advance.h"

#include "ops/bitmap.h"

enum {
    /* Vertices that are one thread's work at a time. */
    VERTICES = 256,
    FILTER_GRAIN = 1 << 11,
};

/* ---- spans ----------------------------------------------------------------
 *
 * Hubs are met again and again by the same loop over vertex ranges; each is
 * set aside with the others of its range, up to a fixed number, and cut when
 * the loop is over. */

struct spans {
    const hy_view *V;
    void (*step)(void *arg, const hy_span *s);
    void *arg;
    struct ops_walk hubs;
};

/* Writes what the step writes. */
static void spans_par(void *arg, size_t lo, size_t hi)
{
    struct spans *S = arg;
    hy_scan walk = hy_scan_out(S->V, (hy_vid)lo, (hy_vid)hi);
    hy_vid aside = HY_NONE;
    while (hy_scan_next(&walk)) {
        const hy_span s = walk.span;
        if (s.u == aside)
            continue;
        if (HY_UNLIKELY(s.path || s.n >= OPS_HUB) &&
            ops_set_aside(&S->hubs, s.u)) {
            aside = s.u;
            continue;
        }
        S->step(S->arg, &s);
    }
}

static void push_span(void *arg, const hy_span *s, hy_emit *emit)
{
    (void)emit;
    const struct spans *S = arg;
    S->step(S->arg, s);
}

/* Writes what the step writes. */
static void span_hub_par(void *arg, size_t i)
{
    ops_push_hub(arg, i, push_span);
}

void hy_each_span(const hy_view *V, void (*step)(void *arg, const hy_span *s),
                  void *arg)
{
    hy_ctx *const ctx = view_ctx(V);
    struct spans S = { .V = V, .step = step, .arg = arg };
    S.hubs.V = V;
    S.hubs.arg = &S;
    S.hubs.pieces = par_width(ctx) > 1 ? par_width(ctx) * 4 : 1;
    par_for(ctx, V->bound, VERTICES, spans_par, &S);
    const uint32_t hubs =
        atomic_load_explicit(&S.hubs.n_hubs, memory_order_relaxed);
    par_run(ctx, (size_t)(hubs < OPS_HUBS ? hubs : OPS_HUBS) * S.hubs.pieces,
            span_hub_par, &S.hubs);
}

/* ---- ranges ---------------------------------------------------------------
 */

struct ranges {
    const hy_view *V;
    void (*step)(void *arg, hy_scan *walk);
    void *arg;
};

/* Writes what the step writes. */
static void ranges_par(void *arg, size_t lo, size_t hi)
{
    const struct ranges *S = arg;
    hy_scan walk = hy_scan_out(S->V, (hy_vid)lo, (hy_vid)hi);
    S->step(S->arg, &walk);
}

void hy_each_range(const hy_view *V, void (*step)(void *arg, hy_scan *walk),
                   void *arg)
{
    struct ranges S = { .V = V, .step = step, .arg = arg };
    par_for(view_ctx(V), V->bound, VERTICES, ranges_par, &S);
}

/* ---- vertices -------------------------------------------------------------
 */

struct filter {
    const hy_vid *list;
    bool (*keep)(void *arg, hy_vid v);
    void *arg;
    hy_frontier *out;
};

/* Appends to the list of `out`. */
static void filter_par(void *arg, size_t lo, size_t hi)
{
    const struct filter *S = arg;
    struct bag_part part;
    bag_part_init(&part, &S->out->bag);
    for (size_t i = lo; i < hi; i++)
        if (S->keep(S->arg, S->list[i]))
            bag_put(&part, S->list[i]);
    bag_flush(&part);
}

void hy_filter(hy_frontier *F, bool (*keep)(void *arg, hy_vid v), void *arg,
               hy_frontier *out)
{
    frontier_need_list(F);
    hy_frontier_clear(out);
    struct filter S = {
        .list = F->bag.at, .keep = keep, .arg = arg, .out = out
    };
    par_for(F->ctx, frontier_count(F), FILTER_GRAIN, filter_par, &S);
    out->was_pulled = F->was_pulled;
    out->before = F->before;
    out->explored = F->explored;
    out->round = F->round;
}

struct compute {
    const hy_view *V;
    const hy_vid *list; /* NULL: all that are alive */
    void (*step)(void *arg, hy_vid v);
    void *arg;
};

/* Writes what the step writes. */
static void compute_par(void *arg, size_t lo, size_t hi)
{
    const struct compute *S = arg;
    for (size_t i = lo; i < hi; i++)
        if (S->list)
            S->step(S->arg, S->list[i]);
        else if (view_has_vertex(S->V, (hy_vid)i))
            S->step(S->arg, (hy_vid)i);
}

void hy_compute(const hy_view *V, hy_frontier *F,
                void (*step)(void *arg, hy_vid v), void *arg)
{
    struct compute S = { .V = V, .step = step, .arg = arg };
    if (F) {
        frontier_need_list(F);
        S.list = F->bag.at;
    }
    par_for(view_ctx(V), F ? frontier_count(F) : V->bound, VERTICES,
            compute_par, &S);
}
