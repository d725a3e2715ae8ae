/* Along the edges of a frontier: which way, and on how many threads.
 *
 *   Advance(F)
 *     1 choose push or pull
 *     2 push: every out-span of F; hubs are set aside, then cut and shared;
 *       a short F is dealt out by place, in lanes
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

#include <string.h>

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
    /* Edges that take less time than to wake a thread; or, in a hot pool,
     * than to meet one. */
    SERIAL_EDGES = 1 << 14,
    SERIAL_EDGES_HOT = 1 << 10,
    /* Of a short list: edges that are worth a lane, and vertices that are
     * not cut. */
    LANE_EDGES = SERIAL_EDGES_HOT / 2,
    LANE_GRAIN = 256,
    /* Pieces of a hub for each thread, so that a late one is evened out. */
    HUB_PIECES = 4,
    DEGREES_GRAIN = 1 << 12,
};

_Static_assert(PULL_GRAIN % 64 == 0, "words have one owner");

static uint64_t add_degrees(const hy_view *V, const hy_vid *list, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + OPS_SLOTS_AHEAD < n)
            view_prefetch_slot(V, list[i + OPS_SLOTS_AHEAD]);
        sum += view_degree(V, list[i]);
    }
    return sum;
}

/* ---- emitting ------------------------------------------------------------ */

/* Also counts their edges: the thread that will go along them is here. */
static void append(struct ops_lane *L, const hy_emit *emit)
{
    memcpy(L->to + L->n, emit->at, emit->n * sizeof *L->to);
    L->n += emit->n;
    L->edges += add_degrees(L->walk->V, emit->at, emit->n);
}

void hy_emit_flush(hy_emit *emit)
{
    if (emit->out && emit->is_pull)
        (void)atomic_fetch_add_explicit(&emit->out->bag.n, emit->n,
                                        memory_order_relaxed);
    else if (emit->out && emit->lane)
        append(emit->lane, emit);
    else if (emit->out)
        bag_append(&emit->out->bag, emit->at, emit->n);
    emit->n = 0;
}

/* ---- choosing -------------------------------------------------------------
 */

struct degrees {
    const hy_view *V;
    const hy_vid *list;
    uint64_t enough;
    _Atomic uint64_t sum; /* relaxed: read after the loop's end */
};

/* Adds up its vertices, or none if there is enough. */
static void degrees_par(void *arg, size_t lo, size_t hi)
{
    struct degrees *D = arg;
    if (atomic_load_explicit(&D->sum, memory_order_relaxed) > D->enough)
        return;
    const uint64_t sum = add_degrees(D->V, D->list + lo, hi - lo);
    atomic_fetch_add_explicit(&D->sum, sum, memory_order_relaxed);
}

/* The edges of F, or one more than `enough` if they are more: the same for
 * any threads. */
static uint64_t count_edges(const hy_view *V, hy_frontier *F, uint64_t enough)
{
    uint64_t sum = F->edges;
    if (sum == UINT64_MAX) {
        frontier_need_list(F);
        struct degrees D = { .V = V, .list = F->bag.at, .enough = enough };
        par_for(F->ctx, frontier_count(F), DEGREES_GRAIN, degrees_par, &D);
        sum = atomic_load_explicit(&D.sum, memory_order_relaxed);
    }
    return sum > enough ? enough + 1 : sum;
}

/* What makes a pull worth looking at every vertex. */
static uint64_t larger(uint64_t edges, const hy_view *V)
{
    const uint64_t least = V->bound / GAMMA;
    return edges > least ? edges : least;
}

/* Also sets *edges to those of F, if they were counted. */
static bool prefers_pull(const hy_view *V, hy_frontier *F, uint64_t *edges)
{
    const uint64_t n = frontier_count(F);
    if (F->was_pulled && (n >= F->before || n > V->bound / BETA))
        return true;
    const uint64_t rest = V->arcs > F->explored ? V->arcs - F->explored : 0;
    const uint64_t enough =
        F->was_pulled ? UINT64_MAX : larger(rest / ALPHA, V);
    *edges = count_edges(V, F, enough);
    return *edges > enough;
}

/* The same for pulls that stop at nothing: by what each way reads. */
static bool prefers_pull_all(const hy_view *V, hy_frontier *F, uint64_t *edges)
{
    *edges = count_edges(V, F, UINT64_MAX);
    const uint64_t seen = F->explored + *edges;
    const uint64_t rest = V->arcs > seen ? V->arcs - seen : 0;
    return *edges > larger(rest / DELTA, V);
}

/* ---- both ways ------------------------------------------------------------
 */

/* Writes what the steps write, and what they find to the lane's place. */
static void lane_par(void *walk, size_t share, size_t lo, size_t hi)
{
    struct ops_walk *const W = walk;
    W->engine->push(&W->lane[share], lo, hi);
}

/* Closes the gaps between what the lanes found. */
static void put_together(struct ops_walk *W)
{
    size_t n = 0;
    uint64_t edges = 0;
    for (uint32_t i = 0; i < W->lanes; i++) {
        const struct ops_lane *const L = &W->lane[i];
        memmove(W->out->bag.at + n, L->to, L->n * sizeof *L->to);
        n += L->n;
        edges += L->edges;
    }
    frontier_set_count(W->out, n);
    W->out->edges = edges;
}

/* Short lists are dealt out by place, and what comes of them is put together
 * in the same order: who takes the first share will find in it, in the next
 * round too, what is near to what it has in its cache. */
static void push_lanes(struct ops_walk *W, hy_ctx *ctx, uint32_t lanes)
{
    struct ops_lane lane[PAR_SHARES];
    W->lane = lane;
    W->lanes = lanes;
    for (uint64_t i = 0; i < lanes; i++) {
        lane[i] = (struct ops_lane){ .walk = W };
        lane[i].to = W->out ? W->out->bag.at + W->V->bound / lanes * i : NULL;
    }
    par_for_shares(ctx, W->n, lanes, LANE_GRAIN, lane_par, W);
    if (W->out)
        put_together(W);
}

/* How many lanes; 0: what they find might not fit into one list. */
static uint32_t choose_lanes(const struct ops_walk *W, hy_ctx *ctx,
                             uint64_t edges)
{
    if (!W->engine->puts_heads)
        return 0;
    uint64_t lanes = edges / LANE_EDGES;
    lanes = lanes < par_width(ctx) ? lanes : par_width(ctx);
    lanes = lanes < PAR_SHARES ? lanes : PAR_SHARES;
    return edges <= W->V->bound / lanes ? (uint32_t)lanes : 0;
}

static void push_hubs(struct ops_walk *W, hy_ctx *ctx)
{
    const uint32_t hubs =
        atomic_load_explicit(&W->n_hubs, memory_order_relaxed);
    if (W->out && hubs)
        W->out->edges = UINT64_MAX; /* there will be more */
    par_run(ctx, (size_t)(hubs < OPS_HUBS ? hubs : OPS_HUBS) * W->pieces,
            W->engine->hub, W);
}

static void push(struct ops_walk *W, hy_frontier *F, uint64_t edges)
{
    hy_ctx *const ctx = F->ctx;
    const struct ops_engine *const engine = W->engine;
    const uint64_t few = par_is_hot(ctx) ? SERIAL_EDGES_HOT : SERIAL_EDGES;
    struct ops_lane all = { .walk = W };
    frontier_need_list(F);
    W->list = F->bag.at;
    W->n = frontier_count(F);
    if (W->out && !engine->puts_once)
        W->out->has_bits = true;
    W->is_alone = engine->is_serial || edges < few || par_width(ctx) == 1;
    W->pieces = W->is_alone ? 1 : par_width(ctx) * HUB_PIECES;
    if (W->is_alone) {
        if (W->n)
            engine->push(&all, 0, W->n);
        return;
    }
    const uint32_t lanes = choose_lanes(W, ctx, edges);
    if (lanes)
        push_lanes(W, ctx, lanes);
    else
        par_for(ctx, W->n, PUSH_GRAIN, engine->push, &all);
    push_hubs(W, ctx);
}

static void pull(struct ops_walk *W, hy_frontier *F)
{
    frontier_need_bits(F);
    W->from = F->bits;
    if (W->out) {
        W->out->has_bits = true;
        W->out->has_list = false;
    }
    par_for(F->ctx, W->V->bound, PULL_GRAIN, W->engine->pull, W);
}

void ops_advance_program(const hy_view *V, hy_frontier *F,
                         const struct ops_engine *engine, const hy_program *P,
                         void *arg, hy_frontier *out)
{
    struct ops_walk W = { .V = V,
                          .P = P,
                          .arg = arg,
                          .out = out,
                          .engine = engine,
                          .puts_once = engine->puts_once };
    if (out)
        hy_frontier_clear(out);
    W.round = F->round + 1;
    uint64_t edges = UINT64_MAX;
    bool pulls = false;
    if (engine->pull && view_has_in(V))
        pulls = engine->pulls_all ? prefers_pull_all(V, F, &edges)
                                  : prefers_pull(V, F, &edges);
    if (!pulls && edges == UINT64_MAX && frontier_count(F) < SERIAL_EDGES)
        edges = count_edges(V, F, UINT64_MAX);
    if (out) {
        out->round = W.round;
        out->was_pulled = pulls;
        out->before = frontier_count(F);
        out->explored = F->explored + (edges == UINT64_MAX ? 0 : edges);
    }
    if (pulls)
        pull(&W, F);
    else
        push(&W, F, edges);
}

void ops_advance(const hy_view *V, hy_frontier *F,
                 const struct ops_engine *engine, void *arg, hy_frontier *out)
{
    ops_advance_program(V, F, engine, NULL, arg, out);
}

/* ---- with steps that are not known here -----------------------------------
 */

/* Writes what the step writes; so do the two below. */
static void push_par(void *lane, size_t lo, size_t hi)
{
    const struct ops_walk *const W = ((const struct ops_lane *)lane)->walk;
    ops_push_range(lane, lo, hi, W->P->push, NULL);
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
    if (status == HY_OK)
        par_hot_begin(F->ctx);
    while (status == HY_OK && hy_frontier_count(F)) {
        hy_advance(V, F, P, arg, next);
        hy_frontier_swap(F, next);
    }
    if (status == HY_OK)
        par_hot_end(F->ctx);
    hy_frontier_free(next);
    hy_frontier_free(F);
    return status;
}
