/* All rests pushed at once, by pulls.
 *
 *   Sweep
 *     1 Step     how far each share will move: a multiple of the unit, as near
 *                to rest / degree as it goes
 *     2 Send     those of the few steps that do not fit into a byte, in 256s
 *     3 Pull     sum of the low bytes of steps(u), u -> v
 *     4 Settle   v's own step is taken from its rest, d * unit * both sums
 *                are added
 *
 * Steps are small integers: a quarter of the bytes of a float to be read from
 * caches, and sums that are exact.  What a step leaves is not lost but stays a
 * rest.
 *
 * Before, what a sweep would only wear off by a factor of d is taken away: in
 * an undirected graph, if all shares move by s, the rest of v moves by
 * -(1 - d) * s * degree(v), so that s can make the sum of all rests 0; the same
 * is done in a directed graph by stretching all shares by 1 + e, which moves
 * rests by e * (rest - 1).  Where walks mix fast, rests of sum 0 shrink by much
 * more than d.  Where they do not, that would only spread them; there, in an
 * undirected graph, sweeps come in rows (pagerank_row.c).
 */
#include "algo/pagerank/pagerank_pull.h"

#include "base/bits.h"

/* What a first sweep that shifts leaves, at most, where walks mix fast. */
#define FAST 0.8

/* Rests that are worth a push after a sweep, over those that are not small. */
enum { HIGH = 2 };

hy_vid ranks_task_end(const struct ranks *R, hy_vid lo)
{
    const hy_vid end = R->V->bound;
    return end - lo < RANKS_TASK ? end : lo + RANKS_TASK;
}

size_t ranks_tasks(const struct ranks *R)
{
    return bits_div_up(R->V->bound, RANKS_TASK);
}

void ranks_add_up(struct ranks *R)
{
    struct ranks_part all = { 0 };
    for (size_t i = 0; i < ranks_tasks(R); i++) {
        all.rest += R->part[i].rest;
        all.net += R->part[i].net;
        all.dangling += R->part[i].dangling;
        all.is_full |= R->part[i].is_full;
    }
    R->is_full = all.is_full;
    R->sum = all.rest;
    R->net = all.net;
    R->dangling = all.dangling;
    R->doubt = 0;
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
    part->rest += fabs(a->rest);
    part->net += a->rest;
}

/* Writes the nodes of its vertices. */
static void measure_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    struct ranks_part part = { 0 };
    double sum[RANKS_TASK] = { 0 };
    hy_scan scan = ranks_scan_in(R, lo, hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        sum[s.u - lo] += ranks_sum_shares(R, &s);
    }
    for (hy_vid v = lo; v < hi; v++)
        measure_one(R, v, sum[v - lo], &part);
    R->part[task] = part;
}

void ranks_measure(struct ranks *R)
{
    ranks_clear(R); /* marks go, too */
    R->told = 0;
    par_run(R->L->ctx, ranks_tasks(R), measure_par, R);
    ranks_add_up(R);
    R->shift = R->stretch = R->blur = 0;
    ranks_blur(R, R->sum);
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}

/* ---- step -----------------------------------------------------------------
 */

/* How all shares move alike. */
struct shift {
    double bare; /* (1 - d) * shift */
    double shift, stretch;
};

static struct shift all_alike(const struct ranks *R)
{
    return (struct shift){ .bare = (1 - R->d) * R->shift,
                           .shift = R->shift,
                           .stretch = R->stretch };
}

/* Rests of some once all shares have moved alike. */
HY_INLINE void shift_rests(const struct shift *t, size_t n,
                           struct ranks_some *x)
{
    const double bare = t->bare, stretch = t->stretch;
    for (size_t i = 0; i < n; i++) {
        const double rest = x->rest[i] - bare * (x->k[i] - x->lone[i]);
        x->rest[i] = rest + stretch * (rest - x->alive[i]);
    }
}

/* A share, too. */
HY_INLINE double shift_share(const struct shift *t, double share, double lone)
{
    const double x = share + t->shift * (1 - lone);
    return x + t->stretch * x;
}

/* Writes the steps of its vertices. */
HY_INLINE void step_all(struct ranks *R, hy_vid lo, hy_vid hi)
{
    const struct ranks_gait gait = R->gait;
    const struct shift shift = all_alike(R);
    struct ranks_some x;
    for (hy_vid v = lo, n; v < hi; v += n) {
        int16_t *const step = R->step + v;
        n = hi - v < RANKS_SOME ? hi - v : RANKS_SOME;
        ranks_load(R, v, n, &x);
        shift_rests(&shift, n, &x);
        for (hy_vid i = 0; i < n; i++)
            step[i] =
                ranks_step(&gait, x.k[i], x.rest[i] * (1 - x.lone[i]), 0, 0);
    }
}

/* ---- send -----------------------------------------------------------------
 */

/* Writes the low bytes of steps; returns how many do not fit, and who. */
HY_INLINE size_t split(struct ranks *R, hy_vid lo, hy_vid hi, hy_vid *far)
{
    const int16_t *const step = R->step;
    int8_t *const low = R->low;
    size_t n = 0;
    for (hy_vid v = lo; v < hi; v++) {
        const int8_t x = (int8_t)(uint8_t)(uint16_t)step[v];
        low[v] = x;
        far[n] = v;
        n += x != step[v];
    }
    return n;
}

/* Sends what is left of the steps of n vertices. */
HY_INLINE void send_far(struct ranks *R, size_t lane, const hy_vid *far,
                        size_t n)
{
    enum { AHEAD = 24, NEXT = 12 };
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            view_prefetch_slot(R->V, far[i + AHEAD]);
        if (i + NEXT < n)
            ranks_prefetch_out(R, far[i + NEXT]);
        ranks_send(R, &R->box[0], lane, far[i],
                   (R->step[far[i]] - R->low[far[i]]) / 256);
    }
}

/* Writes the steps of its vertices and their low bytes, and in its lane what
 * is left of them, for out-neighbours.  Steps are at most 64 on the average
 * over all edges (best_unit), so that what is sent adds up to a quarter of the
 * edges' number, whoever gets it.  Many are sent at a time, so that most of
 * them are asked for ahead. */
HY_INLINE void step_and_send(struct ranks *R, size_t lane, size_t lo, size_t hi)
{
    enum { MANY = 512 };
    hy_vid far[MANY + RANKS_TASK];
    size_t n = 0;
    for (size_t end; lo < hi; lo = end) {
        end = hi - lo < RANKS_TASK ? hi : lo + RANKS_TASK;
        step_all(R, (hy_vid)lo, (hy_vid)end);
        n += split(R, (hy_vid)lo, (hy_vid)end, far + n);
        if (n > MANY || end == hi) {
            send_far(R, lane, far, n);
            n = 0;
        }
    }
}

static void step_plain_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    step_and_send(arg, lane, lo, hi);
}

HY_AVX2
static void step_avx2_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    step_and_send(arg, lane, lo, hi);
}

/* ---- pull -----------------------------------------------------------------
 */

/* Writes shares of some; `sum`: what their in-neighbours' steps bring. */
HY_INLINE void settle(struct ranks *R, const struct shift *shift, hy_vid lo,
                      size_t n, const double *sum, struct ranks_some *x)
{
    const double unit = R->unit, more = R->d * R->unit;
    const struct shift t = *shift;
    const int16_t *const step = R->step + lo;
    double *const share = R->share + lo;
    for (size_t i = 0; i < n; i++) {
        const double moved = step[i] * unit + x->rest[i] * x->lone[i];
        const double now = shift_share(&t, share[i], x->lone[i]) + moved;
        x->rest[i] += more * sum[i] - moved * x->k[i];
        x->lone[i] *= now;
        share[i] = now;
    }
}

/* Writes their rests and, if it tells, values. */
HY_INLINE void tell_some(struct ranks *R, hy_vid lo, hy_vid n,
                         const struct ranks_some *x, bool tells)
{
    const double tell = tells ? 1 / R->told : 0;
    const double *const share = R->share + lo;
    double *const value = (double *)R->L->values + lo;
    struct ranks_node *const node = R->node + lo;
    for (hy_vid i = 0; tells && i < n; i++)
        value[i] = (share[i] * x->k[i] + x->rest[i]) * tell;
    for (hy_vid i = 0; i < n; i++)
        node[i].rest = x->rest[i];
}

/* Writes shares and rests of its vertices and, if it tells, values. */
HY_INLINE void settle_all(struct ranks *R, size_t task, const double *sum,
                          bool tells)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const struct shift shift = all_alike(R);
    struct ranks_sums rest = { 0 }, dangling = { 0 };
    struct ranks_some x;
    for (hy_vid v = lo, n; v < hi; v += n) {
        n = hi - v < RANKS_SOME ? hi - v : RANKS_SOME;
        ranks_load(R, v, n, &x);
        shift_rests(&shift, n, &x);
        settle(R, &shift, v, n, sum + (v - lo), &x);
        tell_some(R, v, n, &x, tells);
        ranks_sum(x.rest, n, &rest);
        ranks_sum(x.lone, n, &dangling);
    }
    R->part[task] = ranks_part_of(&rest, &dangling);
}

/* Takes what was sent to its vertices, too. */
HY_INLINE void pull_all(struct ranks *R, size_t task, bool is_wide)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    double sum[RANKS_TASK];
    ranks_take_out(R, &R->box[0], lo, hi, sum);
    for (hy_vid i = 0; i < hi - lo; i++)
        sum[i] *= 256;
    ranks_pull(R, lo, hi, sum, true, is_wide);
    settle_all(R, task, sum, R->told > 0);
}

static void pull_plain_par(void *arg, size_t task)
{
    pull_all(arg, task, false);
}

HY_AVX2
static void pull_avx2_par(void *arg, size_t task)
{
    pull_all(arg, task, true);
}

/* ---- after it -------------------------------------------------------------
 */

/* Writes who of its vertices is high, to where R->turn has room for them. */
static void find_high_par(void *arg, size_t task)
{
    struct ranks *const R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const double high = HIGH * R->least;
    hy_vid *const who = R->turn + lo;
    hy_vid n = 0;
    for (hy_vid v = lo; v < hi; v++) {
        who[n] = v;
        n += fabs(R->node[v].rest) > high * R->node[v].degree;
    }
    R->part[task].n_high = n;
}

void ranks_wait_high(struct ranks *R)
{
    par_run(R->L->ctx, ranks_tasks(R), find_high_par, R);
    R->work += R->V->bound;
    for (size_t i = 0; i < ranks_tasks(R); i++) {
        const hy_vid *const from = R->turn + i * RANKS_TASK;
        for (hy_vid k = 0; k < R->part[i].n_high; k++)
            ranks_wait(R, from[k]);
    }
}

/* ---- both -----------------------------------------------------------------
 */

/* Steps may be wrong by half a unit, which leaves a sixteenth of the goal at
 * most, or of a sum that is less; they reach to some hundred times the mean.
 * Where walks mix fast it may be a third, a sixth on the average: what a sweep
 * leaves there is noise, which adds up by squares, and a byte is to hold most
 * steps.  With a quarter a sweep of kron20 took a twentieth longer, and left
 * 0.892 of the goal instead of 0.896.  In a small graph that may be all there
 * is to be taken, and a sweep then undoes what the one before it did. */
static double best_unit(const struct ranks *R, double goal)
{
    const double reach = 64, parts = R->is_fast && !R->is_stuck ? 1.5 : 8;
    const double arcs = (double)R->V->arcs + 1;
    const double least = R->sum < goal ? R->sum : goal;
    const double fine = least / (arcs * parts), wide = R->sum / (arcs * reach);
    return fine > wide ? fine : wide;
}

/* Stretched by 1 + e, rests sum to (1 + e) * net - e * n. */
static void choose_shift(struct ranks *R)
{
    const double arcs = (double)R->V->arcs, n = (double)R->V->vertices;
    if (!view_is_undirected(R->V))
        R->stretch = R->net < n / 2 ? R->net / (n - R->net) : 0;
    else if (arcs > 0)
        R->shift = R->net / ((1 - R->d) * arcs);
}

/* A graph is fast if sweeps that shift take much; asked again now and then. */
static void choose_kind(struct ranks *R)
{
    enum { AGAIN = 32 };
    R->chain = 0;
    R->is_slow &= view_is_undirected(R->V) && ++R->n_slow % AGAIN;
    R->is_fast = !R->is_slow;
}

static void sweep_once(struct ranks *R, double unit)
{
    hy_ctx *const ctx = R->L->ctx;
    R->unit = unit;
    R->gait = (struct ranks_gait){ .gain = 1 / unit };
    par_for_shares(ctx, R->V->bound, R->lanes, RANKS_TASK,
                   HY_HAS_AVX2() ? step_avx2_par : step_plain_par, R);
    par_run(ctx, ranks_tasks(R), HY_HAS_AVX2() ? pull_avx2_par : pull_plain_par,
            R);
    ranks_box_emptied(R, &R->box[0]);
}

/* Near the sum from which one sweep suffices, what a sweep leaves is no
 * proportion of what it began with: most is noise, which it takes to an eighth,
 * and the rest what pushes have not spread yet, of which it takes little.  So
 * what is left grows by as much as the sum does: a sum that sufficed may be
 * raised by the room that was left, and one that did not is lowered by more
 * than it lacked, but not below what a proportion would say. */
static void learn_reach(struct ranks *R, double sum, double left)
{
    const double aim = 0.93, back = 1.5, reach = ranks_reach(R);
    const double more = sum + aim - left, least = RANKS_MARGIN * sum / left;
    const double less = sum - back * (left - aim);
    if (left <= RANKS_MARGIN && (more > reach || !R->knows[0]))
        ranks_set_reach(R, more);
    else if (left > RANKS_MARGIN && !R->knows[0])
        ranks_set_reach(R, least);
    else if (left > RANKS_MARGIN && sum < 2 * reach)
        ranks_set_reach(R, fmin(reach, fmax(less, least)));
}

/* Estimates rise at once and fall slowly: to hope for too much costs a sweep
 * or, where walks mix fast, a round. */
static void learn_part(double *part, bool is_guess, double left, double fall)
{
    if (is_guess || left > *part)
        *part = left;
    else
        *part += fall * (left - *part);
}

/* The i-th sweep in a row began with the sum `before`.  Where walks mix fast
 * one that began near its goal met what is left of others, and tells little of
 * one that does not. */
static void learn(struct ranks *R, uint32_t i, double goal, double before)
{
    enum { FAR = 2 };
    const double left = R->sum / before;
    const uint32_t k = ranks_turn(i);
    const bool is_far = !R->is_fast || before > FAR * goal;
    if (i == 0 && R->is_fast && is_far)
        learn_reach(R, before / goal, R->sum / goal);
    else if (!R->knows[k] || is_far)
        learn_part(&R->left[k], !R->knows[k], left, R->is_fast ? 0.25 : 0.5);
    R->knows[k] |= is_far;
    if (i == 0 && R->is_fast && left > FAST && view_is_undirected(R->V)) {
        R->is_slow = true;
        R->is_fast = false;
        R->knows[0] = false; /* of sweeps of the other kind */
    }
}

void ranks_sweep(struct ranks *R, uint32_t i, double goal, double scale)
{
    enum { LITTLE = 256 };
    const double before = R->sum;
    ranks_forget(R);
    if (i == 0)
        choose_kind(R);
    R->shift = R->stretch = 0;
    if (i == 0 && R->is_fast)
        choose_shift(R);
    ranks_blur(R, before);
    R->told = scale;
    if (scale > 0)
        live_turn_over(R->L, R->V->bound);
    if (R->is_fast)
        sweep_once(R, best_unit(R, goal));
    else
        ranks_sweep_row(R, best_unit(R, goal));
    ranks_add_up(R);
    R->is_stuck |= R->sum >= before;
    if (before > goal / LITTLE) /* else it was rounding, or nothing */
        learn(R, i, goal, before);
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}
