/* Breadth-first search, level by level, forwards or backwards.
 *
 *   Search(s)
 *     1 Start    all unreached but s; F <- {s}
 *     2 while F is not empty
 *       Level    F <- unreached vertices with an edge from F; note depth and
 *                parent of each
 *     3 Count    what was reached
 *
 * After Beamer, Asanovic, Patterson (Direction-optimizing breadth-first
 * search, SC 2012); which way a level goes is advance's choice.
 *
 * Invariant, at the start of level d: a vertex is marked if it is fewer than
 * d hops away, and F is those that are d - 1.  The mark is the depth or,
 * where only parents are wanted, the parent.
 *
 * With `deterministic` every edge into a new vertex lowers its parent.  A
 * pull meets parents in ascending order, and takes the first anyway.
 */
#include "algo/bfs/bfs_impl.h"

#include "ops/advance.h"

#include "base/atomic.h"
#include "base/bits.h"

#include <string.h>

#define UNREACHED UINT32_MAX

_Static_assert(UNREACHED == HY_NONE, "one value marks depths and parents");

enum {
    FILL_GRAIN = 1 << 16,
    COUNT_GRAIN = 1 << 14,
    AHEAD = 8, /* neighbours whose marks are asked for */
};

struct bfs {
    const hy_view *V;
    uint32_t *depth;             /* NULL: not wanted */
    hy_vid *parent;              /* NULL: not wanted */
    uint32_t d;                  /* of the vertices that this level finds */
    uint64_t *levels;            /* BFS_LEVELS; NULL: not wanted */
    _Atomic uint64_t left_edges; /* relaxed: read after the loop */
};

/* ---- a level -------------------------------------------------------------
 *
 * The steps are written once, for any choice of arrays, and compiled for
 * each.  A push races with others for the mark of v, by hy_emit_claim. */

HY_INLINE void ask_next(const struct bfs *S, const hy_span *s, size_t i,
                        bool has_depth, bool has_parent)
{
    if (i + AHEAD >= s->n)
        return;
    const hy_vid v = s->v[(i + AHEAD) * s->step];
    if (has_depth)
        HY_PREFETCH_WRITE(&S->depth[v]);
    if (has_parent)
        HY_PREFETCH_WRITE(&S->parent[v]);
}

HY_INLINE void push(struct bfs *S, const hy_span *s, hy_emit *emit,
                    bool has_depth, bool has_parent)
{
    uint32_t *const mark = has_depth ? S->depth : S->parent;
    const uint32_t value = has_depth ? S->d : s->u;
    const size_t step = s->step;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * step];
        ask_next(S, s, i, has_depth, has_parent);
        if (!hy_emit_claim(emit, &mark[v], UNREACHED, value))
            continue;
        if (has_depth && has_parent)
            S->parent[v] = s->u;
        hy_emit_put(emit, v);
    }
}

HY_INLINE bool pull(struct bfs *S, const hy_span *s, const uint64_t *from,
                    hy_emit *emit, bool has_depth, bool has_parent)
{
    const size_t step = s->step;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid u = s->v[i * step];
        if (!hy_bit(from, u))
            continue;
        if (has_depth)
            S->depth[s->u] = S->d;
        if (has_parent)
            S->parent[s->u] = u;
        hy_emit_put(emit, s->u);
        return true;
    }
    return false;
}

static void push_depth_par(void *S, const hy_span *s, hy_emit *emit)
{
    push(S, s, emit, true, false);
}

static bool pull_depth_par(void *S, const hy_span *s, const uint64_t *from,
                           hy_emit *emit)
{
    return pull(S, s, from, emit, true, false);
}

static void push_parent_par(void *S, const hy_span *s, hy_emit *emit)
{
    push(S, s, emit, false, true);
}

static bool pull_parent_par(void *S, const hy_span *s, const uint64_t *from,
                            hy_emit *emit)
{
    return pull(S, s, from, emit, false, true);
}

static void push_both_par(void *S, const hy_span *s, hy_emit *emit)
{
    push(S, s, emit, true, true);
}

static bool pull_both_par(void *S, const hy_span *s, const uint64_t *from,
                          hy_emit *emit)
{
    return pull(S, s, from, emit, true, true);
}

/* Makes *parent u if that is less; what it was. */
static inline hy_vid lower(const hy_emit *emit, hy_vid *parent, hy_vid u)
{
    hy_vid old = atomic_peek_u32(parent);
    if (!emit->is_alone)
        while (u < old && !atomic_claim_u32(parent, &old, u))
            ;
    else if (u < old)
        *parent = u;
    return old;
}

/* Races for the parent alone, which is HY_NONE to the first that lowers it:
 * a depth not yet put is as good as that of this level. */
static void push_smallest_par(void *arg, const hy_span *s, hy_emit *emit)
{
    struct bfs *S = arg;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        ask_next(S, s, i, true, true);
        if (atomic_peek_u32(&S->depth[v]) < S->d ||
            lower(emit, &S->parent[v], s->u) != HY_NONE)
            continue;
        atomic_put_u32(&S->depth[v], S->d);
        hy_emit_put(emit, v);
    }
}

/* Asks for the marks of the first neighbours; the steps ask for the others. */
HY_INLINE void ask(const uint32_t *mark, const hy_span *s)
{
    for (size_t i = 0; i < s->n && i < AHEAD; i++)
        HY_PREFETCH_WRITE(&mark[s->v[i * s->step]]);
}

HY_INLINE void ask_depth(void *arg, const hy_span *s)
{
    ask(((const struct bfs *)arg)->depth, s);
}

HY_INLINE void ask_parent(void *arg, const hy_span *s)
{
    ask(((const struct bfs *)arg)->parent, s);
}

HY_INLINE void ask_both(void *arg, const hy_span *s)
{
    ask_depth(arg, s);
    ask_parent(arg, s);
}

static bool is_open_depth(void *arg, hy_vid v)
{
    const struct bfs *S = arg;
    return S->depth[v] == UNREACHED;
}

static bool is_open_parent(void *arg, hy_vid v)
{
    const struct bfs *S = arg;
    return S->parent[v] == UNREACHED;
}

OPS_ADVANCE(level_depth, push_depth_par, ask_depth, pull_depth_par,
            is_open_depth, true)
OPS_ADVANCE(level_parent, push_parent_par, ask_parent, pull_parent_par,
            is_open_parent, true)
OPS_ADVANCE(level_both, push_both_par, ask_both, pull_both_par, is_open_depth,
            true)
OPS_ADVANCE(level_smallest, push_smallest_par, ask_both, pull_both_par,
            is_open_depth, true)

static const struct ops_engine *choose(const struct bfs *S, bool deterministic)
{
    if (!S->parent)
        return &level_depth;
    if (!S->depth)
        return &level_parent;
    return deterministic ? &level_smallest : &level_both;
}

/* ---- start and count ------------------------------------------------------
 */

/* Fills its range. */
static void start_par(void *arg, size_t lo, size_t hi)
{
    struct bfs *S = arg;
    if (S->depth)
        memset(S->depth + lo, 0xff, (hi - lo) * sizeof *S->depth);
    if (S->parent)
        memset(S->parent + lo, 0xff, (hi - lo) * sizeof *S->parent);
}

static void start(struct bfs *S, hy_frontier *F, hy_vid source)
{
    par_for(F->ctx, S->V->bound, FILL_GRAIN, start_par, S);
    if (S->depth)
        S->depth[source] = 0;
    if (S->parent)
        S->parent[source] = source;
    hy_frontier_add(F, source);
}

/* Counts the edges of those that were not reached: they are few, or all
 * that a search of nothing looks at. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    struct bfs *S = arg;
    const uint32_t *const mark = S->depth ? S->depth : S->parent;
    uint64_t edges = 0;
    for (size_t v = lo; v < hi; v++)
        if (mark[v] == UNREACHED)
            edges += view_degree(S->V, (hy_vid)v);
    atomic_fetch_add_explicit(&S->left_edges, edges, memory_order_relaxed);
}

static uint64_t count_edges(struct bfs *S)
{
    par_for(view_ctx(S->V), S->V->bound, COUNT_GRAIN, count_par, S);
    return S->V->arcs -
           atomic_load_explicit(&S->left_edges, memory_order_relaxed);
}

static void search(struct bfs *S, const struct ops_engine *level, hy_vid source,
                   hy_frontier *F, hy_frontier *next, hy_bfs_info *info)
{
    start(S, F, source);
    info->reached = 0;
    for (S->d = 1; hy_frontier_count(F); S->d++) {
        info->reached += hy_frontier_count(F);
        info->max_depth = S->d - 1;
        if (S->levels && S->d <= BFS_LEVELS)
            S->levels[S->d - 1] = hy_frontier_count(F);
        ops_advance(S->V, F, level, S, next);
        hy_frontier_swap(F, next);
    }
}

/* ---- the door -------------------------------------------------------------
 */

static hy_status run(struct bfs *S, const hy_bfs_opts *opts, hy_bfs_info *found,
                     bool has_edges)
{
    const hy_view *const V = S->V;
    hy_ctx *const ctx = view_ctx(V);
    hy_frontier *F = NULL, *next = NULL;
    uint32_t *own = NULL; /* depths that the caller does not want */
    hy_status status = hy_frontier_new(V, &F);
    if (status == HY_OK)
        status = hy_frontier_new(V, &next);
    if (status == HY_OK && !S->depth && (!S->parent || opts->deterministic)) {
        S->depth = own = base_alloc_raw(ctx, V->bound, sizeof *own);
        status = own ? HY_OK : HY_ENOMEM;
    }
    if (status == HY_OK) {
        par_hot_begin(ctx);
        search(S, choose(S, opts->deterministic), opts->source, F, next, found);
        par_hot_end(ctx);
        if (has_edges)
            found->edges = count_edges(S);
    }
    base_free(ctx, own);
    hy_frontier_free(next);
    hy_frontier_free(F);
    return status;
}

hy_status bfs_reach(const hy_view *V, hy_vid source, uint32_t *depth,
                    hy_vid *parent, uint64_t levels[BFS_LEVELS],
                    hy_bfs_info *found)
{
    const hy_bfs_opts opts = { .source = source, .deterministic = true };
    struct bfs S = {
        .V = V, .depth = depth, .parent = parent, .levels = levels
    };
    return run(&S, &opts, found, false);
}

hy_status hy_bfs(const hy_view *V, const hy_bfs_opts *opts, uint32_t *depth,
                 hy_vid *parent, hy_bfs_info *info)
{
    static const hy_bfs_opts defaults = { 0 };
    hy_bfs_info found = { 0 };
    opts = opts ? opts : &defaults;
    if (!V)
        return base_fail(HY_EINVAL, "hy_bfs: no view");
    if (opts->source >= V->bound || !view_has_vertex(V, opts->source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)opts->source);
    if (opts->device)
        return bfs_on_device(V, opts, NULL, depth, parent, info);
    struct bfs S = { .V = V, .depth = depth, .parent = parent };
    HY_TRY(run(&S, opts, &found, info != NULL));
    if (info)
        *info = found;
    return HY_OK;
}
