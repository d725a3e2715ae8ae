/* All rests pushed at once, by pulls.
 *
 *   Sweep
 *     1 Step   each share moves by a multiple of the unit, as near to
 *              rest / degree as it goes; that much is taken from the rest
 *     2 Pull   rest(v) + d * unit * sum of steps(u), u -> v
 *
 * Steps are small integers: half the bytes of a float to be read from caches,
 * and sums that are exact.  What a step leaves is not lost but stays a rest.
 *
 * Before, what a sweep would only wear off by a factor of d is taken away: in
 * an undirected graph, if all shares move by s, the rest of v moves by
 * -(1 - d) * s * degree(v), so that s can make the sum of all rests 0; the same
 * is done in a directed graph by stretching all shares by 1 + e, which moves
 * rests by e * (rest - 1).  Where walks mix fast, rests of sum 0 shrink by much
 * more than d.  Where they do not, that would only spread them; there, in an
 * undirected graph, sweeps are those of Chebyshev's method (Golub, Varga,
 * 1961): the walk's eigenvalues are real, and a step goes on in the direction
 * of the one before.
 */
#include "algo/pagerank/pagerank_live.h"

#include "base/bits.h"

/* What a sweep that shifts leaves of rests where walks mix fast. */
#define FAST 0.6

static hy_vid task_end(const struct ranks *R, hy_vid lo)
{
    const hy_vid end = R->V->bound;
    return end - lo < RANKS_TASK ? end : lo + RANKS_TASK;
}

static size_t n_tasks(const struct ranks *R)
{
    return bits_div_up(R->V->bound, RANKS_TASK);
}

static hy_scan scan_in(const hy_view *V, hy_vid lo, hy_vid hi)
{
    return view_is_undirected(V) ? hy_scan_out(V, lo, hi)
                                 : hy_scan_in(V, lo, hi);
}

static struct ranks_part total(const struct ranks *R)
{
    struct ranks_part all = { 0 };
    for (size_t i = 0; i < n_tasks(R); i++) {
        all.rest += R->part[i].rest;
        all.net += R->part[i].net;
        all.dangling += R->part[i].dangling;
    }
    return all;
}

static void add_part(struct ranks_part *part, double rest)
{
    part->rest += fabs(rest);
    part->net += rest;
}

/* ---- measure --------------------------------------------------------------
 */

static void measure_one(struct ranks *R, hy_vid v, double sum,
                        struct ranks_part *part)
{
    struct ranks_node *const a = &R->node[v];
    const struct slot *const s = view_slot(R->V, OUT, v);
    const bool is_alive = s && slot_is_alive(s);
    *a = (struct ranks_node){ .degree = is_alive ? s->degree : 0,
                              .mark = is_alive ? RANKS_ALIVE : 0 };
    if (!is_alive) {
        R->share[v] = 0;
        return;
    }
    a->rest = 1 + R->d * sum - R->share[v] * ranks_k(a);
    part->dangling += a->degree ? 0 : R->share[v];
    add_part(part, a->rest);
}

/* Writes the nodes of its vertices. */
static void measure_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = task_end(R, lo);
    struct ranks_part part = { 0 };
    double sum[RANKS_TASK] = { 0 };
    hy_scan scan = scan_in(R->V, lo, hi);
    while (hy_scan_next(&scan)) {
        double more = 0;
        for (size_t i = 0; i < scan.span.n; i++)
            more += R->share[scan.span.v[i * scan.span.step]];
        sum[scan.span.u - lo] += more;
    }
    for (hy_vid v = lo; v < hi; v++)
        measure_one(R, v, sum[v - lo], &part);
    R->part[task] = part;
}

void ranks_measure(struct ranks *R)
{
    R->n_wait = R->n_moved = 0; /* marks go, too */
    par_run(R->L->ctx, n_tasks(R), measure_par, R);
    const struct ranks_part all = total(R);
    R->sum = all.rest;
    R->net = all.net;
    R->dangling = all.dangling;
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}

/* ---- step -----------------------------------------------------------------
 */

/* Returns z where the vertex is dangling. */
HY_INLINE double step_one(struct ranks *R, hy_vid v)
{
    struct ranks_node *const a = &R->node[v];
    if (!(a->mark & RANKS_ALIVE)) {
        R->step[v] = 0;
        return 0;
    }
    const double k = a->degree, shift = k > 0 ? R->shift : 0;
    double rest = a->rest - (1 - R->d) * shift * k;
    double share = R->share[v] + shift;
    rest += R->stretch * (rest - 1);
    share += R->stretch * share;
    if (!a->degree) {
        R->share[v] = share + rest;
        R->step[v] = 0;
        a->rest = 0;
        return R->share[v];
    }
    double x = R->omega * rest / (k * R->unit) + R->onward * R->step[v];
    x = x < INT16_MAX ? x : INT16_MAX;
    x = x > -INT16_MAX ? x : -INT16_MAX;
    const int16_t step = (int16_t)(x < 0 ? x - 0.5 : x + 0.5);
    R->step[v] = step;
    R->share[v] = share + step * R->unit;
    a->rest = rest - step * R->unit * k;
    return 0;
}

/* Writes shares, rests and steps of its vertices. */
static void step_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = task_end(R, lo);
    double dangling = 0;
    for (hy_vid v = lo; v < hi; v++)
        dangling += step_one(R, v);
    R->part[task].dangling = dangling;
}

/* ---- pull -----------------------------------------------------------------
 */

/* Runs are too short to overflow: a hub has many. */
HY_INLINE int32_t sum_steps(const hy_span s, const int16_t *step)
{
    int32_t a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    if (s.step != 1) {
        for (; i < s.n; i++)
            a += step[s.v[i * s.step]];
        return a;
    }
    for (; i + 4 <= s.n; i += 4) {
        a += step[s.v[i]];
        b += step[s.v[i + 1]];
        c += step[s.v[i + 2]];
        d += step[s.v[i + 3]];
    }
    for (; i < s.n; i++)
        a += step[s.v[i]];
    return (a + b) + (c + d);
}

/* Writes the rests of its vertices. */
static void pull_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = task_end(R, lo);
    const double each = R->d * R->unit;
    const int16_t *const step = R->step;
    struct ranks_part part = { .dangling = R->part[task].dangling };
    int64_t sum[RANKS_TASK] = { 0 };
    hy_scan scan = scan_in(R->V, lo, hi);
    while (hy_scan_next(&scan))
        sum[scan.span.u - lo] += sum_steps(scan.span, step);
    for (hy_vid v = lo; v < hi; v++) {
        R->node[v].rest += each * (double)sum[v - lo];
        add_part(&part, R->node[v].rest);
    }
    R->part[task] = part;
}

/* ---- both -----------------------------------------------------------------
 */

/* Steps may be wrong by half a unit, which leaves a sixteenth of the goal at
 * most; they reach to some hundred times the mean. */
static double choose_unit(const struct ranks *R, double goal)
{
    enum { FINE = 8, REACH = 64 };
    const double arcs = (double)R->V->arcs + 1;
    const double fine = goal / (arcs * FINE), wide = R->sum / (arcs * REACH);
    return fine > wide ? fine : wide;
}

static void choose_shift(struct ranks *R)
{
    const double arcs = (double)R->V->arcs, n = (double)R->V->vertices;
    R->shift = R->stretch = 0;
    if (!view_is_undirected(R->V))
        R->stretch = R->net / n;
    else if (arcs > 0)
        R->shift = R->net / ((1 - R->d) * arcs);
}

/* Of the sweep that is the `chain`-th of its kind in a row. */
static void choose_omega(struct ranks *R, double old_unit)
{
    const double half = R->d * R->d / (R->chain == 1 ? 2 : 4);
    R->omega = R->chain ? 1 / (1 - half * R->omega) : 1;
    R->onward = R->chain ? (R->omega - 1) * old_unit / R->unit : 0;
    R->chain++;
}

static void choose_steps(struct ranks *R, double goal)
{
    const double old_unit = R->unit;
    R->unit = choose_unit(R, goal);
    R->shift = R->stretch = R->onward = 0;
    R->omega = R->is_fast ? 1 : R->omega;
    if (R->is_fast)
        choose_shift(R);
    else
        choose_omega(R, old_unit);
}

/* A graph is fast if sweeps that shift take much; asked again now and then. */
static void choose_kind(struct ranks *R)
{
    enum { AGAIN = 64 };
    R->chain = 0;
    R->is_fast = !view_is_undirected(R->V) || R->shrink < FAST ||
                 ++R->n_slow % AGAIN == 0;
}

void ranks_sweep(struct ranks *R, uint32_t i, double goal)
{
    const double before = R->sum;
    if (i == 0) {
        ranks_forget(R);
        choose_kind(R);
    }
    choose_steps(R, goal);
    par_run(R->L->ctx, n_tasks(R), step_par, R);
    par_run(R->L->ctx, n_tasks(R), pull_par, R);
    const struct ranks_part all = total(R);
    R->sum = all.rest;
    R->net = all.net;
    R->dangling = all.dangling;
    R->shrink = R->sum / before;
    if (R->shrink > FAST && view_is_undirected(R->V))
        R->is_fast = false;
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}
