/* PageRank by sweeps of pulls, in bands.
 *
 *   PageRank(V)
 *     1 Prepare   count the degrees and the vertices without out-edges
 *     2 Start     first ranks; share(u) <- rank(u) / degree(u)
 *     3 repeat
 *     4   for each band of vertices
 *     5     Pull     rank(v) <- even + d * sum of share(u), u -> v,
 *                    and the new share(v), for all v of the band
 *     6     Publish  the new shares of the band
 *     7   even <- (1 - d + d * dangling) / n
 *     8 until d * change <= tolerance
 *
 * One band is Jacobi's method.  Many bands are a block Gauss-Seidel method:
 * a band sees what those before it found in the same sweep.  Bands depend on
 * n alone and no share changes while it may be read, so that the answer has
 * the same bits for every number of threads.  GAP's reference (Beamer,
 * Asanovic, Patterson, arXiv:1508.03619) publishes every share at once, in a
 * race; 16 bands need as many sweeps.
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
 * Precision.  Ranks are f64.  Shares are f32 if the tolerance is not below
 * FINE: half the bytes, and sums as in gather_f32.  Rounding moves the ranks
 * by at most 2^-19 * d/(1 - d), summed: 1.1e-5 for d = 0.85, and in practice
 * a hundredth of that.
 */
#include "algo/pagerank/pagerank_impl.h"

#include "algo/common/gather.h"
#include "base/bits.h"
#include "par/par.h"

#include <math.h>
#include <stdlib.h>

#define FINE 1e-4

enum {
    BANDS = 16,
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
    double lone, pair, each; /* first ranks: see prepare */
    double *rank;
    void *share, *fresh; /* read by pulls, written by them */
    uint32_t *degree;    /* of the side `out`; NULL: that of `in` */
    uint64_t *alive;     /* set of vertices; NULL: all */
    struct part *part;   /* of each task */
    hy_vid first;        /* of the band */
};

/* ---- what tasks have in common ------------------------------------------ */

static bool is_alive(const struct ranking *W, size_t u)
{
    return !W->alive || bits_has(W->alive, u);
}

static void put_share(const struct ranking *W, size_t u, double x)
{
    if (W->wide)
        ((double *)W->share)[u] = x;
    else
        ((float *)W->share)[u] = (float)x;
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

/* ---- prepare, start ------------------------------------------------------ */

/* Instead of a degree: a single edge or loop, which has a component to itself.
 */
#define PAIR (-1.0)

/* Is u, of degree 1, joined to nothing that has another edge? */
static bool is_pair(const struct ranking *W, hy_vid u)
{
    return view_degree(W->V, view_out(W->V, u).v[0]) == 1;
}

/* Writes its vertices' degrees, where ranks will be, and its part. */
static void prepare_par(void *arg, size_t task)
{
    struct ranking *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(lo, W->bound);
    struct part part = { 0 };
    for (hy_vid u = lo; u < hi; u++) {
        const struct slot *s = view_slot(W->V, OUT, u);
        const uint32_t degree = s ? s->degree : 0;
        const bool is_here = s && slot_is_alive(s);
        if (W->alive && is_here)
            bits_add(W->alive, u);
        if (W->degree)
            W->degree[u] = degree;
        const bool is_lone = W->is_guess && degree == 1 && is_pair(W, u);
        W->rank[u] = is_lone ? PAIR : degree;
        part.n_pairs += is_lone;
        part.n_dangling += is_here && !degree;
    }
    W->part[task] = part;
}

/* What a vertex without edges, one of a pair, and a degree are worth. */
static void prepare(struct ranking *W)
{
    par_run(W->ctx, bits_div_up(W->bound, TASK), prepare_par, W);
    const struct part all = total(W);
    const double n = W->n, pairs = (double)all.n_pairs;
    const double arcs = (double)hy_view_arcs(W->V) - pairs;
    const double c = (1 - W->d) / (1 - W->d * (double)all.n_dangling / n);
    W->lone = c / n;
    W->pair = W->lone / (1 - W->d);
    const double rest = 1 - W->lone * (n - pairs) - W->pair * pairs;
    W->each = arcs > 0 ? rest / arcs : 0;
}

/* Writes the ranks and shares of its vertices, and its part. */
static void start_par(void *arg, size_t task)
{
    struct ranking *W = arg;
    const hy_vid lo = (hy_vid)task * TASK, hi = task_end(lo, W->bound);
    struct part part = { 0 };
    for (hy_vid u = lo; u < hi; u++) {
        const bool is_lone = W->rank[u] == PAIR;
        const double degree = is_lone ? 1 : W->rank[u];
        double x = 1 / W->n;
        if (W->is_guess)
            x = is_lone ? W->pair : W->lone + W->each * degree;
        if (!is_alive(W, u))
            x = 0;
        W->rank[u] = x;
        put_share(W, u, degree != 0 ? x / degree : 0);
        part.dangling += degree != 0 ? 0 : x;
    }
    W->part[task] = part;
}

static void spread_dangling(struct ranking *W)
{
    W->even = (1 - W->d + W->d * total(W).dangling) / W->n;
}

static void start(struct ranking *W)
{
    par_run(W->ctx, bits_div_up(W->bound, TASK), start_par, W);
    spread_dangling(W);
}

/* ---- pull, publish ------------------------------------------------------- */

/* Takes the sums of vertices lo .. hi - 1 and writes ranks and new shares. */
HY_INLINE struct part settle(struct ranking *W, hy_vid lo, hy_vid hi, bool wide,
                             const double *sum, const uint32_t *degree)
{
    struct part part = { 0 };
    double *const rank = W->rank;
    for (hy_vid u = lo; u < hi; u++) {
        if (!is_alive(W, u))
            continue;
        const uint32_t k = degree[u - lo];
        const double x = W->even + W->d * sum[u - lo];
        part.change += fabs(x - rank[u]);
        part.sum += x;
        part.dangling += k ? 0 : x;
        rank[u] = x;
        const double share = k ? x / k : 0;
        if (wide)
            ((double *)W->fresh)[u] = share;
        else
            ((float *)W->fresh)[u] = (float)share;
    }
    return part;
}

HY_INLINE void pull(struct ranking *W, size_t task, bool wide)
{
    const hy_vid lo = W->first + (hy_vid)task * TASK;
    const hy_vid hi = task_end(lo, W->bound);
    double sum[TASK];
    uint32_t degree[TASK];
    gather_range(&W->in, lo, hi, W->share, wide, sum, degree);
    W->part[lo / TASK] =
        settle(W, lo, hi, wide, sum, W->degree ? W->degree + lo : degree);
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
    const size_t at = (W->first + lo) * size;
    memcpy((char *)W->share + at, (char *)W->fresh + at, (hi - lo) * size);
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

static hy_pagerank_info iterate(struct ranking *W)
{
    hy_pagerank_info info = { 0 };
    bool is_done = W->n == 0;
    while (!is_done && info.iterations < W->plan.iterations) {
        const struct part all = sweep(W);
        info.iterations++;
        info.l1 = W->d * all.change;
        info.sum = all.sum;
        is_done = !W->plan.is_exact && info.l1 <= W->plan.tolerance;
    }
    return info;
}

static void clear_dead(struct ranking *W)
{
    for (size_t u = 0; W->alive && u < W->bound; u++)
        if (!bits_has(W->alive, u))
            W->rank[u] = 0;
}

static hy_vid choose_band(const struct ranking *W)
{
    const size_t bands = W->plan.is_jacobi ? 1 : BANDS;
    size_t band = bits_div_up(W->bound, bands);
    band = band < BAND_MIN ? BAND_MIN : band;
    band = bits_div_up(band, TASK) * TASK;
    return band < W->bound ? (hy_vid)band : W->bound;
}

static hy_status reserve(struct ranking *W)
{
    const size_t size = W->wide ? sizeof(double) : sizeof(float);
    const size_t n = W->bound, tasks = bits_div_up(n, TASK);
    W->part = base_alloc(W->ctx, tasks, sizeof *W->part);
    W->share = base_alloc(W->ctx, n, size);
    W->fresh = base_alloc(W->ctx, n, size);
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
    W.bound = hy_view_bound(V);
    W.n = (double)hy_view_vertices(V);
    W.d = W.plan.damping;
    W.wide = W.plan.is_exact || W.plan.tolerance < FINE;
    W.is_guess = !W.plan.is_exact && view_is_undirected(V);
    W.band = choose_band(&W);
    const hy_status status = reserve(&W);
    if (status == HY_OK) {
        prepare(&W);
        start(&W);
        const hy_pagerank_info done = iterate(&W);
        clear_dead(&W);
        if (info)
            *info = done;
    }
    release(&W);
    return status;
}
