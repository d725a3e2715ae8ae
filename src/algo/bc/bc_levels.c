/* Dependencies with all threads on one level of one source.
 *
 *   Count
 *     while F is not empty
 *       append F to the order of levels
 *       F <- unreached vertices v with an edge from F;
 *            sigma(v) <- sum of sigma over those edges
 *   Accumulate
 *     for each level, deepest first
 *       Gather   delta(u) <- sigma(u) * sum of x(v) over edges (u, v)
 *       Publish  x(u) <- (1 + delta(u)) / sigma(u)
 *
 * Invariant while a level is gathered: x is not 0 for deeper levels only.
 * Since no edge leads more than one level down, the sum needs no test of
 * where v is: one load for each edge, where Madduri et al. have a bit for
 * each edge and three loads for those that count.  x takes the place of sigma,
 * with its sign turned: what is not negative is not published.
 *
 * Numbers of paths are doubles.  Should one come near their end, all become
 * wide numbers (bc_wide.h), for the sources after this one too.  These are
 * two words, which cannot be added to at once: a level is found first, then
 * each of its vertices adds up what comes in, by one thread.
 */
#include "algo/bc/bc_impl.h"
#include "algo/bc/bc_wide.h"

#include "ops/advance.h"

#include "base/atomic.h"
#include "base/bits.h"

#include <math.h>
#include <string.h>

enum {
    LEVEL_GRAIN = 64,
    /* Vertices that are worth a thread, in a hot pool; and a level of fewer
     * is dealt out by place. */
    SHARE = 1 << 7,
    NEAR_VERTICES = 1 << 16,
    FILL_GRAIN = 1 << 15,
    /* A double holds numbers of fewer bits, with room to spare. */
    DOUBLE_BITS = 960,
};

struct bc {
    const hy_view *V;
    double *score;
    uint32_t *depth;  /* UINT32_MAX: not reached */
    double *sigma;    /* once its level is published: -x */
    uint32_t *k;      /* sigma's, if it is wide */
    double *delta;    /* of the level at hand, by place in it */
    hy_vid *order;    /* those reached, nearest first */
    uint64_t *starts; /* of each level in `order`, and the end of the last */
    uint32_t d;       /* of the vertices that this level finds */
    const hy_vid *level;
    par_range_step *step; /* of the loop at hand */
    hy_vid source;
    bool is_wide;
    double bits; /* no sigma of this level has more */
    hy_frontier *F, *next;
};

/* ---- count --------------------------------------------------------------- */

static inline void add_par(double *p, double x)
{
    uint64_t *const bits = (uint64_t *)(void *)p;
    uint64_t old = atomic_peek_u64(bits), sum;
    do {
        double value;
        memcpy(&value, &old, sizeof value);
        value += x;
        memcpy(&sum, &value, sizeof sum);
    } while (!__atomic_compare_exchange_n(bits, &old, sum, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Races for the depth of v by a claim, for its sigma by an atomic sum. */
static void push_par(void *arg, const hy_span *s, hy_emit *emit)
{
    struct bc *S = arg;
    const double sigma = S->sigma[s->u];
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (hy_emit_claim(emit, &S->depth[v], UINT32_MAX, S->d))
            hy_emit_put(emit, v);
        else if (atomic_peek_u32(&S->depth[v]) != S->d)
            continue;
        if (emit->is_alone)
            S->sigma[v] += sigma;
        else
            add_par(&S->sigma[v], sigma);
    }
}

static struct wide sigma_of(const struct bc *S, hy_vid v)
{
    return (struct wide){ .m = S->sigma[v], .k = S->k[v] };
}

static void set_sigma(struct bc *S, hy_vid v, struct wide sigma)
{
    S->sigma[v] = sigma.m;
    S->k[v] = sigma.k;
}

/* One thread alone: two words cannot be added to at once. */
static void push_wide(void *arg, const hy_span *s, hy_emit *emit)
{
    struct bc *S = arg;
    const struct wide sigma = sigma_of(S, s->u);
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (S->depth[v] == UINT32_MAX) {
            S->depth[v] = S->d;
            set_sigma(S, v, sigma);
            hy_emit_put(emit, v);
        } else if (S->depth[v] == S->d) {
            set_sigma(S, v, wide_add(sigma_of(S, v), sigma));
        }
    }
}

/* Writes what is of its own vertex. */
static bool pull_par(void *arg, const hy_span *s, const uint64_t *from,
                     hy_emit *emit)
{
    struct bc *S = arg;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid u = s->v[i * s->step];
        if (hy_bit(from, u))
            sum += S->sigma[u];
    }
    if (sum > 0) {
        S->depth[s->u] = S->d;
        S->sigma[s->u] += sum;
        hy_emit_put(emit, s->u);
    }
    return false;
}

/* Races for the depth of v by a claim.  Paths are counted when the level is
 * known, by sum_par. */
static void find_par(void *arg, const hy_span *s, hy_emit *emit)
{
    struct bc *S = arg;
    for (size_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (hy_emit_claim(emit, &S->depth[v], UINT32_MAX, S->d))
            hy_emit_put(emit, v);
    }
}

/* Writes what is of its own vertex. */
static bool meet_par(void *arg, const hy_span *s, const uint64_t *from,
                     hy_emit *emit)
{
    struct bc *S = arg;
    for (size_t i = 0; i < s->n; i++)
        if (hy_bit(from, s->v[i * s->step])) {
            S->depth[s->u] = S->d;
            hy_emit_put(emit, s->u);
            return true;
        }
    return false;
}

static bool is_open(void *arg, hy_vid v)
{
    const struct bc *S = arg;
    return S->depth[v] == UINT32_MAX;
}

HY_INLINE void ask(void *arg, const hy_span *s)
{
    enum { FEW = 8 };
    const struct bc *S = arg;
    for (size_t i = 0; i < s->n && i < FEW; i++)
        HY_PREFETCH(&S->depth[s->v[i * s->step]]);
}

OPS_ADVANCE_ALL(count_level, push_par, ask, pull_par, is_open, false)
OPS_ADVANCE_ALL(count_wide, push_wide, ask, NULL, NULL, true)
OPS_ADVANCE(find_level, find_par, ask, meet_par, is_open, true)

HY_INLINE void ask_sigma(void *arg, const hy_span *s)
{
    enum { FEW = 8 };
    const struct bc *S = arg;
    for (size_t i = 0; i < s->n && i < FEW; i++) {
        HY_PREFETCH(&S->depth[s->v[i * s->step]]);
        HY_PREFETCH(&S->sigma[s->v[i * s->step]]);
        HY_PREFETCH(&S->k[s->v[i * s->step]]);
    }
}

/* Of those of the level before that s and its next spans lead from. */
static struct wide sum(const struct bc *S, hy_span s)
{
    struct wide all = { 0 };
    for (; s.n; hy_span_next(S->V, &s))
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid u = s.v[i * s.step];
            if (S->depth[u] == S->d - 1)
                all = wide_add(all, sigma_of(S, u));
        }
    return all;
}

/* Writes sigma of its vertices. */
static void sum_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    const enum side side = view_in_side(S->V);
    const struct slot *ring[OPS_RING];
    const struct ops_ahead A = { S->V, side, S->level, hi, ask_sigma, S, ring };
    ops_look_first(&A, lo);
    for (size_t i = lo; i < hi; i++) {
        ops_look_ahead(&A, i);
        set_sigma(S, S->level[i], sum(S, ops_ahead_span(&A, i)));
    }
}

/* Empties its range. */
static void empty_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    memset(S->depth + lo, 0xff, (hi - lo) * sizeof *S->depth);
    memset(S->sigma + lo, 0, (hi - lo) * sizeof *S->sigma);
    if (S->is_wide)
        memset(S->k + lo, 0, (hi - lo) * sizeof *S->k);
}

static void start(struct bc *S)
{
    par_for(S->F->ctx, S->V->bound, FILL_GRAIN, empty_par, S);
    S->depth[S->source] = 0;
    S->sigma[S->source] = 1;
    S->bits = 0;
    hy_frontier_clear(S->F);
    hy_frontier_add(S->F, S->source);
}

/* Writes what the loop's step writes. */
static void share_par(void *arg, size_t share, size_t lo, size_t hi)
{
    struct bc *S = arg;
    (void)share;
    S->step(S, lo, hi);
}

/* Short levels keep their parts with the same threads. */
static void for_level(struct bc *S, size_t n, par_range_step *step)
{
    hy_ctx *const ctx = S->F->ctx;
    const size_t width = par_width(ctx), worth = n / SHARE;
    S->step = step;
    if (worth < 2)
        step(S, 0, n);
    else if (n < NEAR_VERTICES && width <= PAR_SHARES)
        par_for_shares(ctx, n, worth < width ? worth : width, SHARE, share_par,
                       S);
    else
        par_for(ctx, n, LEVEL_GRAIN, step, S);
}

/* Whether the sigmas of the next level will fit a double: a vertex there
 * gets no more than all n of this level have.  Only where that bound is too
 * large, they are looked at. */
static bool fits_double(struct bc *S, const hy_vid *level, uint64_t n)
{
    S->bits += (double)bits_width(n);
    if (S->bits < DOUBLE_BITS)
        return true;
    double max = 1;
    for (uint64_t i = 0; i < n; i++)
        max = S->sigma[level[i]] > max ? S->sigma[level[i]] : max;
    S->bits = log2(max) + 1 + (double)bits_width(n);
    return S->bits < DOUBLE_BITS;
}

/* Makes the sigmas of its range wide; all others are 0. */
static void widen_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    for (size_t v = lo; v < hi; v++) {
        S->k[v] = S->sigma[v] >= WIDE_STEP;
        S->sigma[v] *= S->k[v] ? WIDE_STEP_DOWN : 1;
    }
}

static void next_level(struct bc *S, const hy_vid *level, uint64_t n)
{
    if (!S->is_wide && !fits_double(S, level, n)) {
        S->is_wide = true;
        par_for(S->F->ctx, S->V->bound, FILL_GRAIN, widen_par, S);
    }
    if (!S->is_wide) {
        ops_advance(S->V, S->F, &count_level, S, S->next);
    } else if (!view_has_in(S->V)) {
        ops_advance(S->V, S->F, &count_wide, S, S->next);
    } else {
        ops_advance(S->V, S->F, &find_level, S, S->next);
        S->level = hy_frontier_list(S->next);
        for_level(S, hy_frontier_count(S->next), sum_par);
    }
    hy_frontier_swap(S->F, S->next);
}

/* Returns how many levels there are. */
static uint32_t count(struct bc *S)
{
    start(S);
    uint64_t end = 0;
    for (S->d = 1; hy_frontier_count(S->F); S->d++) {
        const uint64_t n = hy_frontier_count(S->F);
        hy_vid *const level = S->order + end;
        memcpy(level, hy_frontier_list(S->F), n * sizeof *level);
        S->starts[S->d - 1] = end;
        end += n;
        next_level(S, level, n);
    }
    S->starts[S->d - 1] = end;
    return S->d - 1;
}

/* ---- accumulate -----------------------------------------------------------
 */

/* 0 for levels that are not published. */
static inline double x_of(const struct bc *S, hy_vid v)
{
    const double y = S->sigma[v];
    return y < 0 ? -y : 0;
}

/* Of u, whose first span is s. */
static double gather(const struct bc *S, hy_vid u, hy_span s)
{
    double sum = 0;
    for (; s.n; hy_span_next(S->V, &s))
        for (size_t i = 0; i < s.n; i++)
            sum += x_of(S, s.v[i * s.step]);
    return S->sigma[u] * sum;
}

/* An x that is 0 may have any k. */
static double gather_wide(const struct bc *S, hy_vid u, hy_span s)
{
    const uint32_t k = S->k[u];
    const double same = S->sigma[u], less = same * WIDE_STEP_DOWN;
    double sum = 0;
    for (; s.n; hy_span_next(S->V, &s))
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            const uint32_t more = S->k[v] - k;
            sum += (more == 0 ? same : more == 1 ? less : 0) * x_of(S, v);
        }
    return sum;
}

HY_INLINE void ask_x(void *arg, const hy_span *s)
{
    enum { FEW = 8 };
    const struct bc *S = arg;
    HY_PREFETCH(&S->sigma[s->u]);
    HY_PREFETCH(&S->score[s->u]);
    for (size_t i = 0; i < s->n && i < FEW; i++)
        HY_PREFETCH(&S->sigma[s->v[i * s->step]]);
    for (size_t i = 0; S->is_wide && i < s->n && i < FEW; i++)
        HY_PREFETCH(&S->k[s->v[i * s->step]]);
}

typedef double dependency_of(const struct bc *S, hy_vid u, hy_span s);

HY_INLINE void gather_range(struct bc *S, size_t lo, size_t hi,
                            dependency_of *dependency)
{
    const struct slot *ring[OPS_RING];
    const struct ops_ahead A = { S->V, OUT, S->level, hi, ask_x, S, ring };
    ops_look_first(&A, lo);
    for (size_t i = lo; i < hi; i++) {
        ops_look_ahead(&A, i);
        const hy_vid u = S->level[i];
        S->delta[i] = dependency(S, u, ops_ahead_span(&A, i));
        if (u != S->source)
            S->score[u] += S->delta[i];
    }
}

/* Writes delta and score of its vertices. */
static void gather_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    if (S->is_wide)
        gather_range(S, lo, hi, gather_wide);
    else
        gather_range(S, lo, hi, gather);
}

/* Writes x of its vertices, to where their sigma was, which is not needed any
 * more. */
static void publish_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = S->level[i];
        S->sigma[u] = -(1 + S->delta[i]) / S->sigma[u];
    }
}

static void accumulate(struct bc *S, uint32_t levels)
{
    for (uint32_t d = levels; d-- > 0;) {
        S->level = S->order + S->starts[d];
        const size_t n = S->starts[d + 1] - S->starts[d];
        for_level(S, n, gather_par);
        for_level(S, n, publish_par);
    }
}

/* ---- the whole ------------------------------------------------------------
 */

static hy_status reserve(struct bc *S)
{
    hy_ctx *const ctx = view_ctx(S->V);
    const size_t n = S->V->bound;
    S->depth = base_alloc_raw(ctx, n, sizeof *S->depth);
    S->sigma = base_alloc_raw(ctx, n, sizeof *S->sigma);
    S->k = base_alloc_raw(ctx, n, sizeof *S->k);
    S->delta = base_alloc_raw(ctx, n, sizeof *S->delta);
    S->order = base_alloc_raw(ctx, n, sizeof *S->order);
    S->starts = base_alloc_raw(ctx, n + 1, sizeof *S->starts);
    if (!S->depth || !S->sigma || !S->k || !S->delta || !S->order || !S->starts)
        return HY_ENOMEM;
    HY_TRY(hy_frontier_new(S->V, &S->F));
    return hy_frontier_new(S->V, &S->next);
}

static void give_back(struct bc *S)
{
    hy_ctx *const ctx = view_ctx(S->V);
    hy_frontier_free(S->next);
    hy_frontier_free(S->F);
    base_free(ctx, S->starts);
    base_free(ctx, S->order);
    base_free(ctx, S->delta);
    base_free(ctx, S->k);
    base_free(ctx, S->sigma);
    base_free(ctx, S->depth);
}

/* Writes the scores of its range. */
static void zero_par(void *arg, size_t lo, size_t hi)
{
    struct bc *S = arg;
    memset(S->score + lo, 0, (hi - lo) * sizeof *S->score);
}

hy_status bc_by_levels(const hy_view *V, struct bc_draw *D, double *score,
                       uint32_t *max_depth)
{
    struct bc S = { .V = V, .score = score };
    const hy_status status = reserve(&S);
    if (status == HY_OK) {
        par_for(S.F->ctx, V->bound, FILL_GRAIN, zero_par, &S);
        par_hot_begin(S.F->ctx);
        while (bc_draw_next(D, &S.source)) {
            const uint32_t levels = count(&S);
            accumulate(&S, levels);
            *max_depth = levels - 1 > *max_depth ? levels - 1 : *max_depth;
        }
        par_hot_end(S.F->ctx);
    }
    give_back(&S);
    return status;
}
