/* PageRank by sweeps of pulls, in bands.
 *
 *   PageRank(V)
 *     1 Start      first ranks, kept as share(u) = rank(u) / degree(u)
 *     2 repeat
 *     3   for each band of vertices
 *     4     Pull       rank(v) <- even + d * sum of share(u), u -> v,
 *                      and the new share(v), for all v of the band
 *     5     Publish    the new shares of the band
 *     6   even <- (1 - d + d * dangling) / n
 *     7 until d * change <= tolerance
 *     8 Finish     rank(u) <- share(u) * degree(u), if ranks are not there yet
 *
 * One band is Jacobi's method.  Many bands are a block Gauss-Seidel method:
 * a band sees what those before it found in the same sweep.  Bands depend on
 * n alone and no share changes while it may be read, so that the answer has
 * the same bits for every number of threads.  GAP's reference (Beamer,
 * Asanovic, Patterson, arXiv:1508.03619) publishes every share at once, in a
 * race; 8 bands need as many sweeps.
 *
 * When to stop.  A rank was computed from shares that were at most one
 * publication old, so that one more Jacobi iteration would change the ranks
 * by at most d * (change of this sweep), summed: that is compared with the
 * tolerance, and not the change itself.
 *
 * Where to start.  With exact iterations: 1/n, as LDBC wants.  Else, in a
 * directed graph, the same.  In an undirected one a vertex without edges is
 * never heard of but by its dangling mass; its rank c/n, with
 * c = (1 - d) / (1 - d * (their part of n)), is known beforehand, and so is
 * every vertex's part of the dangling mass.  The other vertices start with
 * c/n and a part of what is missing to 1 in proportion to their degree, as
 * if the walk had mixed after two steps: exact for a regular graph, and a
 * seventh of the error of 1/n where walks mix fast.  Only a component that
 * is a single edge or loop is far off, and is known exactly too: (c/n)/(1-d).
 *
 * Memory.  Sweeps are bound by caches, so that ranks are kept as shares alone
 * and written out by the sweep that will probably be the last, and new shares
 * are kept for one band.  A share of a vertex without out-edges is its rank;
 * nobody asks for it.
 *
 * Precision.  Shares are f64 or, if the tolerance is not below FINE, f32:
 * half the bytes, and sums as in gather_few.  Rounding moves the ranks by at
 * most 2^-19 * d/(1 - d), summed: 1.1e-5 for d = 0.85, and in practice a
 * hundredth of that.
 */
#include "algo/pagerank/pagerank_impl.h"

#include "algo/common/gather.h"
#include "base/bits.h"
#include "par/par.h"

#include <math.h>
#include <stdlib.h>

#define FINE 1e-4

enum {
    BANDS = 8,
    BAND_MIN = 8192, /* vertices, below which a band is not worth its barrier */
    TASK = 1024,     /* vertices; a multiple of 64 */
};

struct part {
    double change, dangling, sum;
    uint64_t n_dangling, n_pairs;
};

struct ranking {
    const hy_view *V;
    hy_ctx *ctx;
    struct algo_side in;
    struct pagerank_plan plan;
    hy_vid bound, band; /* vertices in all and in a band */
    bool wide;          /* shares are f64 */
    bool is_guess;      /* starts as above */
    double n, d, even;
    struct pagerank_start first_ranks;
    bool is_second; /* of two starts */
    double *rank;
    bool is_rank_wanted; /* by the sweep */
    void *share, *fresh; /* of all; of the band */
    uint32_t *degree;    /* of the side `out`; NULL: that of `in` */
    uint64_t *alive;     /* set of vertices; NULL: all */
    struct part *part;   /* of each task */
    hy_vid first;        /* of the band */
};

/* ---- what tasks have in common ------------------------------------------ */

HY_INLINE double get_share(const void *share, size_t u, bool wide)
{
    return wide ? ((const double *)share)[u]
                : (double)((const float *)share)[u];
}

HY_INLINE void put_share(void *share, size_t u, double x, bool wide)
{
    if (wide)
        ((double *)share)[u] = x;
    else
        ((float *)share)[u] = (float)x;
}

static hy_vid task_end(hy_vid lo, hy_vid end)
{
    return end - lo < TASK ? end : lo + TASK;
}

static struct part total(const struct ranking *W)
{
    struct part all = { 0 };
    for (size_t i = 0; i < bits_div_up(W->bound, TASK); i++) {
        all.change += W->part[i].change;
        all.dangling += W->part[i].dangling;
        all.sum += W->part[i].sum;
        all.n_dangling += W->part[i].n_dangling;
        all.n_pairs += W->part[i].n_pairs;
    }
    return all;
}

/* ---- start --------------------------------------------------------------- */

/* What a vertex without edges, one of a pair, and a degree are worth, if
 * there are as many as that. */
struct pagerank_start pagerank_start(const hy_view *V, double d,
                                     double n_dangling, double n_pairs)
{
    const double n = (double)hy_view_vertices(V);
    const double arcs = (double)hy_view_arcs(V) - n_pairs;
    struct pagerank_start S;
    S.lone = (1 - d) / (n - d * n_dangling);
    S.pair = S.lone / (1 - d);
    const double rest = 1 - S.lone * (n - n_pairs) - S.pair * n_pairs;
    S.each = arcs > 0 ? rest / arcs : 0;
    return S;
}

static void choose_start(struct ranking *W, const struct part *all)
{
    W->first_ranks = pagerank_start(W->V, W->d, (double)all->n_dangling,
                                    (double)all->n_pairs);
}

/* What the first of two starts gives pairs as a share, for the second. */
#define NOTED (-1.0)

/* Is u, of degree 1, joined to nothing that has another edge? */
static bool is_pair(const struct ranking *W, hy_vid u)
{
    if (W->is_second)
        return get_share(W->share, u, W->wide) == NOTED;
    return view_degree(W->V, view_out(W->V, u).v[0]) == 1;
}

/* The first rank of u, and what it adds to the part. */
HY_INLINE double first_rank(struct ranking *W, hy_vid u, uint32_t degree,
                            struct part *part)
{
    if (degree == 1 && W->is_guess && is_pair(W, u)) {
        part->n_pairs++;
        return W->is_second ? W->first_ranks.pair : NOTED;
    }
    const struct pagerank_start *const S = &W->first_ranks;
    const double x = W->is_guess ? S->lone + S->each * degree : 1 / W->n;
    part->n_dangling += !degree;
    part->dangling += degree ? 0 : x;
    return x;
}

/* Writes the shares of vertices of one page of the table. */
static void start_page(struct ranking *W, hy_vid lo, hy_vid hi,
                       struct part *part)
{
    const struct slot *const slots = view_slot(W->V, OUT, lo);
    for (hy_vid u = lo; u < hi; u++) {
        const struct slot *const s = slots ? &slots[u - lo] : NULL;
        const uint32_t degree = s ? s->degree : 0;
        if (W->degree)
            W->degree[u] = degree;
        if (!s || !slot_is_alive(s)) {
            put_share(W->share, u, 0, W->wide);
            continue;
        }
        if (W->alive)
            bits_add(W->alive, u);
        const double x = first_rank(W, u, degree, part);
        put_share(W->share, u, x / (degree ? degree : 1), W->wide);
    }
}

/* Writes the shares of its vertices, and its part. */
static void start_par(void *arg, size_t task)
{
    struct ranking *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(lo, W->bound);
    struct part part = { 0 };
    for (hy_vid u = lo, end; u < hi; u = end) {
        end = hi - u < PAGE_VERTICES ? hi : u + PAGE_VERTICES;
        start_page(W, u, end, &part);
    }
    W->part[task] = part;
}

static void spread_dangling(struct ranking *W)
{
    W->even = (1 - W->d + W->d * total(W).dangling) / W->n;
}

/* Once as if all vertices had edges with others; again if they had not. */
static void start(struct ranking *W)
{
    const size_t tasks = bits_div_up(W->bound, TASK);
    choose_start(W, &(struct part){ 0 });
    par_run(W->ctx, tasks, start_par, W);
    const struct part all = total(W);
    if (W->is_guess && (all.n_dangling || all.n_pairs)) {
        choose_start(W, &all);
        W->is_second = true;
        par_run(W->ctx, tasks, start_par, W);
    }
    spread_dangling(W);
}

/* ---- pull, publish ------------------------------------------------------- */

/* Takes the sum of u and writes its new share and, if wanted, its rank. */
HY_INLINE void settle_one(struct ranking *W, size_t u, bool wide, double sum,
                          double degree, struct part *part)
{
    const double x = W->even + W->d * sum;
    const double k = degree > 1 ? degree : 1;
    part->change += fabs(x - k * get_share(W->share, u, wide));
    part->sum += x;
    part->dangling += degree > 0 ? 0 : x;
    put_share(W->fresh, u - W->first, x / k, wide);
    if (W->is_rank_wanted)
        W->rank[u] = x;
}

/* In pairs, since a sum would wait for the one before it. */
HY_INLINE struct part settle(struct ranking *W, hy_vid lo, hy_vid hi, bool wide,
                             const double *sum, const double *degree)
{
    struct part a = { 0 }, b = { 0 };
    const size_t n = hi - lo;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        settle_one(W, lo + i, wide, sum[i], degree[i], &a);
        settle_one(W, lo + i + 1, wide, sum[i + 1], degree[i + 1], &b);
    }
    if (i < n)
        settle_one(W, lo + i, wide, sum[i], degree[i], &a);
    return (struct part){ .change = a.change + b.change,
                          .dangling = a.dangling + b.dangling,
                          .sum = a.sum + b.sum };
}

/* Gives vertices that are not alive a sum that makes their rank 0. */
static void drop_dead(const struct ranking *W, hy_vid lo, hy_vid hi,
                      double *sum)
{
    for (size_t u = lo; u < hi; u++)
        if (!bits_has(W->alive, u))
            sum[u - lo] = -W->even / W->d;
}

HY_INLINE void pull(struct ranking *W, size_t task, bool wide)
{
    const hy_vid lo = W->first + (hy_vid)task * TASK;
    const hy_vid hi = task_end(lo, W->bound);
    double sum[TASK], degree[TASK];
    gather_range(&W->in, lo, hi, W->share, wide, sum, degree);
    for (size_t u = lo; W->degree && u < hi; u++)
        degree[u - lo] = W->degree[u];
    if (W->alive)
        drop_dead(W, lo, hi, sum);
    W->part[lo / TASK] = settle(W, lo, hi, wide, sum, degree);
}

/* Writes the ranks and new shares of its vertices, and its part. */
static void pull_par(void *arg, size_t task)
{
    struct ranking *W = arg;
    if (W->wide)
        pull(W, task, true);
    else
        pull(W, task, false);
}

/* Copies the new shares lo .. hi - 1 of the band. */
static void publish_par(void *arg, size_t lo, size_t hi)
{
    struct ranking *W = arg;
    const size_t size = W->wide ? sizeof(double) : sizeof(float);
    memcpy((char *)W->share + (W->first + lo) * size,
           (char *)W->fresh + lo * size, (hi - lo) * size);
}

static void publish(struct ranking *W, hy_vid length)
{
    if (length < W->bound) {
        par_for(W->ctx, length, (size_t)64 * TASK, publish_par, W);
        return;
    }
    void *const swap = W->share;
    W->share = W->fresh;
    W->fresh = swap;
}

/* Returns what the sweep changed. */
static struct part sweep(struct ranking *W)
{
    for (uint64_t first = 0; first < W->bound; first += W->band) {
        const uint64_t rest = W->bound - first;
        const hy_vid length = rest < W->band ? (hy_vid)rest : W->band;
        W->first = (hy_vid)first;
        par_run(W->ctx, bits_div_up(length, TASK), pull_par, W);
        publish(W, length);
    }
    spread_dangling(W);
    return total(W);
}

/* ---- all of it ----------------------------------------------------------- */

/* How much the change may still shrink in a sweep that is likely to be the
 * last. */
#define LAST 20

static hy_pagerank_info iterate(struct ranking *W)
{
    hy_pagerank_info info = { 0 };
    bool is_done = W->n == 0;
    while (!is_done && info.iterations < W->plan.iterations) {
        W->is_rank_wanted = pagerank_may_end(&W->plan, &info);
        const struct part all = sweep(W);
        info.iterations++;
        info.l1 = W->d * all.change;
        info.sum = all.sum;
        is_done = !W->plan.is_exact && info.l1 <= W->plan.tolerance;
    }
    return info;
}

/* Writes the ranks of its vertices. */
static void finish_par(void *arg, size_t lo, size_t hi)
{
    struct ranking *W = arg;
    for (size_t u = lo; u < hi; u++) {
        const uint32_t k = view_degree(W->V, (hy_vid)u);
        if (!W->is_rank_wanted)
            W->rank[u] = get_share(W->share, u, W->wide) * (k ? k : 1);
        if (W->alive && !bits_has(W->alive, u))
            W->rank[u] = 0;
    }
}

static void finish(struct ranking *W)
{
    if (W->alive || !W->is_rank_wanted)
        par_for(W->ctx, W->bound, TASK, finish_par, W);
}

hy_vid pagerank_band(const struct pagerank_plan *plan, hy_vid bound,
                     size_t task)
{
    const size_t bands = plan->is_jacobi ? 1 : BANDS;
    size_t band = bits_div_up(bound, bands);
    band = band < BAND_MIN ? BAND_MIN : band;
    band = bits_div_up(band, task) * task;
    return band < bound ? (hy_vid)band : bound;
}

bool pagerank_is_wide(const struct pagerank_plan *plan)
{
    return plan->is_exact || plan->tolerance < FINE;
}

double pagerank_rounding(const struct pagerank_plan *plan)
{
    return pagerank_is_wide(plan) ? 0 : 0x1p-19 * plan->damping;
}

bool pagerank_may_end(const struct pagerank_plan *plan,
                      const hy_pagerank_info *info)
{
    return info->iterations + 1 == plan->iterations ||
           (info->iterations > 0 && info->l1 <= plan->tolerance * LAST);
}

static hy_status reserve(struct ranking *W)
{
    const size_t size = W->wide ? sizeof(double) : sizeof(float);
    const size_t n = W->bound, tasks = bits_div_up(n, TASK);
    W->part = base_alloc(W->ctx, tasks, sizeof *W->part);
    W->share = base_alloc_raw(W->ctx, n, size);
    W->fresh = base_alloc_raw(W->ctx, W->band, size);
    if (!W->part || !W->share || !W->fresh)
        return HY_ENOMEM;
    if (!view_is_undirected(W->V)) {
        W->degree = base_alloc_raw(W->ctx, n, sizeof *W->degree);
        if (!W->degree)
            return HY_ENOMEM;
    }
    if (hy_view_vertices(W->V) != n) {
        W->alive = base_alloc(W->ctx, bits_words(n), sizeof *W->alive);
        if (!W->alive)
            return HY_ENOMEM;
    }
    return algo_side_in(&W->in, W->V);
}

static void release(struct ranking *W)
{
    algo_side_fini(&W->in);
    base_free(W->ctx, W->alive);
    base_free(W->ctx, W->degree);
    base_free(W->ctx, W->fresh);
    base_free(W->ctx, W->share);
    base_free(W->ctx, W->part);
}

hy_status hy_pagerank(const hy_view *V, const hy_pagerank_opts *opts,
                      double *rank, hy_pagerank_info *info)
{
    struct ranking W = { .V = V, .ctx = view_ctx(V), .rank = rank };
    HY_TRY(pagerank_plan(&W.plan, opts));
    if (opts && opts->device)
        return pagerank_on_device(V, opts, NULL, rank, info);
    W.bound = hy_view_bound(V);
    W.n = (double)hy_view_vertices(V);
    W.d = W.plan.damping;
    W.wide = pagerank_is_wide(&W.plan);
    W.is_guess = !W.plan.is_exact && view_is_undirected(V);
    W.band = pagerank_band(&W.plan, W.bound, TASK);
    const hy_status status = reserve(&W);
    if (status == HY_OK) {
        start(&W);
        const hy_pagerank_info done = iterate(&W);
        finish(&W);
        if (info)
            *info = done;
    }
    release(&W);
    return status;
}
