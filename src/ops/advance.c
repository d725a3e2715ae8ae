/* Along the edges of a frontier: which way, and on how many threads.
 *
 *   Advance(F)
 *     1 choose push or pull
 *     2 push: every out-span of F; hubs are set aside, then cut and shared
 *       pull: every in-span of the vertices that are open
 *
 * The rule is that of Beamer, Asanovic and Patterson (Direction-optimizing
 * breadth-first search, SC 2012), with the constants of the GAP Benchmark
 * Suite: pull when the edges of F are more than 1/ALPHA of those that no
 * frontier before had; then go on pulling while frontiers grow, or are more
 * than 1/BETA of the vertices.  One condition is ours: a pull looks at every
 * vertex, so F must have edges for 1/GAMMA of them; else long thin graphs
 * would end in many pulls for a few vertices each.  What it needs to know
 * travels with the frontiers, from F to out.
 */
#include "ops/advance.h"

#include "base/bits.h"

enum {
    ALPHA = 15,
    BETA = 18,
    GAMMA = 16,
    DELTA = 8, /* an edge pushed costs as many pulled: measured for bc */
    /* Vertices of a list that are one thread's at a time. */
    PUSH_GRAIN = 64,
    /* Vertices pulled to; a multiple of 64, so that no word of `out` is two
     * threads'. */
    PULL_GRAIN = 1024,
    /* Edges that take less time than to wake a thread. */
    SERIAL_EDGES = 1 << 14,
    /* Pieces of a hub for each thread, so that a late one is evened out. */
    HUB_PIECES = 4,
    DEGREES_GRAIN = 1 << 13,
};

_Static_assert(PULL_GRAIN % 64 == 0, "words have one owner");

/* ---- emitting ------------------------------------------------------------ */

void hy_emit_flush(hy_emit *emit)
{
    if (emit->out && emit->is_pull)
        (void)atomic_fetch_add_explicit(&emit->out->bag.n, emit->n,
                                        memory_order_relaxed);
    else if (emit->out)
        bag_append(&emit->out->bag, emit->at, emit->n);
    emit->n = 0;
}

/* ---- choosing -------------------------------------------------------------
 */

struct degrees {
    const hy_view *V;
    const hy_vid *list;
    _Atomic uint64_t sum; /* relaxed: read after the loop's end */
};

/* Adds up its vertices. */
static void degrees_par(void *arg, size_t lo, size_t hi)
{
    struct degrees *D = arg;
    uint64_t sum = 0;
    for (size_t i = lo; i < hi; i++)
        sum += view_degree(D->V, D->list[i]);
    atomic_fetch_add_explicit(&D->sum, sum, memory_order_relaxed);
}

static uint64_t count_edges(const hy_view *V, hy_frontier *F)
{
    frontier_need_list(F);
    struct degrees D = { .V = V, .list = F->bag.at };
    par_for(F->ctx, frontier_count(F), DEGREES_GRAIN, degrees_par, &D);
    return atomic_load_explicit(&D.sum, memory_order_relaxed);
}

/* Also sets *edges to those of F, if they were counted. */
static bool prefers_pull(const hy_view *V, hy_frontier *F, uint64_t *edges)
{
    const uint64_t n = frontier_count(F);
    if (F->was_pulled && (n >= F->before || n > V->bound / BETA))
        return true;
    *edges = count_edges(V, F);
    if (F->was_pulled) /* has just become small */
        return false;
    const uint64_t rest = V->arcs > F->explored ? V->arcs - F->explored : 0;
    return *edges > rest / ALPHA && *edges > V->bound / GAMMA;
}

/* The same for pulls that stop at nothing: by what each way reads. */
static bool prefers_pull_all(const hy_view *V, hy_frontier *F, uint64_t *edges)
{
    *edges = count_edges(V, F);
    const uint64_t seen = F->explored + *edges;
    const uint64_t rest = V->arcs > seen ? V->arcs - seen : 0;
    return *edges > rest / DELTA && *edges > V->bound / GAMMA;
}

/* ---- both ways ------------------------------------------------------------
 */

static void push(struct ops_walk *W, const struct ops_engine *engine,
                 hy_frontier *F, uint64_t edges)
{
    hy_ctx *const ctx = F->ctx;
    frontier_need_list(F);
    W->list = F->bag.at;
    W->n = frontier_count(F);
    if (W->out && !engine->puts_once)
        W->out->has_bits = true;
    if (engine->is_serial || edges < SERIAL_EDGES) {
        W->pieces = 1;
        W->is_alone = true;
        if (W->n)
            engine->push(W, 0, W->n);
        return;
    }
    W->is_alone = par_width(ctx) == 1;
    W->pieces = W->is_alone ? 1 : par_width(ctx) * HUB_PIECES;
    par_for(ctx, W->n, PUSH_GRAIN, engine->push, W);
    const uint32_t hubs =
        atomic_load_explicit(&W->n_hubs, memory_order_relaxed);
    par_run(ctx, (size_t)(hubs < OPS_HUBS ? hubs : OPS_HUBS) * W->pieces,
            engine->hub, W);
}

static void pull(struct ops_walk *W, const struct ops_engine *engine,
                 hy_frontier *F)
{
    frontier_need_bits(F);
    W->from = F->bits;
    if (W->out) {
        W->out->has_bits = true;
        W->out->has_list = false;
    }
    par_for(F->ctx, W->V->bound, PULL_GRAIN, engine->pull, W);
}

void ops_advance_program(const hy_view *V, hy_frontier *F,
                         const struct ops_engine *engine, const hy_program *P,
                         void *arg, hy_frontier *out)
{
    struct ops_walk W = {
        .V = V, .P = P, .arg = arg, .out = out, .puts_once = engine->puts_once
    };
    if (out)
        hy_frontier_clear(out);
    W.round = F->round + 1;
    uint64_t edges = UINT64_MAX;
    bool pulls = false;
    if (engine->pull && view_has_in(V))
        pulls = engine->pulls_all ? prefers_pull_all(V, F, &edges)
                                  : prefers_pull(V, F, &edges);
    if (!pulls && edges == UINT64_MAX && frontier_count(F) < SERIAL_EDGES)
        edges = count_edges(V, F);
    if (out) {
        out->round = W.round;
        out->was_pulled = pulls;
        out->before = frontier_count(F);
        out->explored = F->explored + (edges == UINT64_MAX ? 0 : edges);
    }
    if (pulls)
        pull(&W, engine, F);
    else
        push(&W, engine, F, edges);
}

void ops_advance(const hy_view *V, hy_frontier *F,
                 const struct ops_engine *engine, void *arg, hy_frontier *out)
{
    ops_advance_program(V, F, engine, NULL, arg, out);
}

/* ---- with steps that are not known here -----------------------------------
 */

/* Writes what the step writes; so do the two below. */
static void push_par(void *walk, size_t lo, size_t hi)
{
    struct ops_walk *W = walk;
    ops_push_range(W, lo, hi, W->P->push, NULL);
}

static void hub_par(void *walk, size_t i)
{
    struct ops_walk *W = walk;
    ops_push_hub(W, i, W->P->push);
}

static void pull_par(void *walk, size_t lo, size_t hi)
{
    struct ops_walk *W = walk;
    ops_pull_range(W, lo, hi, W->P->pull, W->P->is_open);
}

void hy_advance(const hy_view *V, hy_frontier *F, const hy_program *P,
                void *arg, hy_frontier *out)
{
    const struct ops_engine engine = {
        .push = push_par,
        .hub = hub_par,
        .pull = P->pull ? pull_par : NULL,
        .puts_once = P->puts_once,
    };
    ops_advance_program(V, F, &engine, P, arg, out);
}

hy_status hy_advance_from(const hy_view *V, hy_vid source, const hy_program *P,
                          void *arg)
{
    if (!V || !P || source >= V->bound || !view_has_vertex(V, source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)source);
    hy_frontier *F = NULL, *next = NULL;
    hy_status status = hy_frontier_new(V, &F);
    if (status == HY_OK)
        status = hy_frontier_new(V, &next);
    if (status == HY_OK)
        hy_frontier_add(F, source);
    while (status == HY_OK && hy_frontier_count(F)) {
        hy_advance(V, F, P, arg, next);
        hy_frontier_swap(F, next);
    }
    hy_frontier_free(next);
    hy_frontier_free(F);
    return status;
}
