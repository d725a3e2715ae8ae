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
 * undirected graph, sweeps are those of Chebyshev's method (Golub, Varga,
 * 1961): the walk's eigenvalues are real, and a step goes on in the direction
 * of the one before.  Such sweeps come in rows.  As each ends with the steps of
 * the next one, vertices are passed once a sweep; these steps are of 16 bits,
 * for they differ much where changes are near, and neighbours' steps are often
 * near each other in memory.
 */
#include "algo/pagerank/pagerank_live.h"

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

static hy_scan scan_in(const hy_view *V, hy_vid lo, hy_vid hi)
{
    return view_is_undirected(V) ? hy_scan_out(V, lo, hi)
                                 : hy_scan_in(V, lo, hi);
}

void ranks_add_up(struct ranks *R)
{
    struct ranks_part all = { 0 };
    for (size_t i = 0; i < ranks_tasks(R); i++) {
        all.rest += R->part[i].rest;
        all.net += R->part[i].net;
        all.dangling += R->part[i].dangling;
    }
    R->sum = all.rest;
    R->net = all.net;
    R->dangling = all.dangling;
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
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
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
    par_run(R->L->ctx, ranks_tasks(R), measure_par, R);
    ranks_add_up(R);
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}

/* ---- step -----------------------------------------------------------------
 */

/* What a pass needs, by value: what it writes could else be any of these. */
struct terms {
    double d, unit;
    double bare; /* (1 - d) * shift */
    double shift, stretch;
    struct ranks_gait gait;
};

static struct terms terms(const struct ranks *R, const struct ranks_gait *gait)
{
    return (struct terms){ .d = R->d,
                           .unit = R->unit,
                           .bare = (1 - R->d) * R->shift,
                           .shift = R->shift,
                           .stretch = R->stretch,
                           .gait = *gait };
}

/* Share and rest of a vertex once all shares have moved alike. */
HY_INLINE void shift_one(const struct terms *t, const struct ranks_node *a,
                         double *share, double *rest)
{
    *rest -= t->bare * a->degree;
    *share += t->shift * (1 - ranks_is_dangling(a));
    *rest += t->stretch * (*rest - 1);
    *share += t->stretch * *share;
}

/* The step for a rest; `last`: the one before it; 0 without edges.  To the
 * nearest integer by adding a number that leaves no bits behind the point:
 * signs are random, and a branch on them is guessed wrong half of the time. */
HY_INLINE int16_t step_for(const struct ranks_gait *g,
                           const struct ranks_node *a, double rest,
                           int16_t last)
{
    const float most = INT16_MAX, round = 0x1.8p23f;
    const float k = (float)ranks_k(a), has_edges = a->degree != 0;
    float x = (float)(rest * g->gain) / k + (float)g->onward * last;
    if (fabsf(x) > most)
        x = copysignf(most, x);
    return (int16_t)(int32_t)(x * has_edges + round - round);
}

/* Writes the steps of its vertices. */
static void step_all(struct ranks *R, hy_vid lo, hy_vid hi)
{
    const struct terms t = terms(R, &R->gait);
    const int16_t *const last = R->next;
    int16_t *const step = R->step;
    for (hy_vid v = lo; v < hi; v++) {
        const struct ranks_node *const a = &R->node[v];
        double share = 0, rest = a->rest;
        shift_one(&t, a, &share, &rest);
        step[v] = step_for(&t.gait, a, rest, last[v]);
    }
}

static void step_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK;
    step_all(R, lo, ranks_task_end(R, lo));
}

/* ---- send -----------------------------------------------------------------
 */

/* Writes the low bytes of steps; returns how many do not fit, and who. */
static size_t split(struct ranks *R, hy_vid lo, hy_vid hi, hy_vid *far)
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

/* Writes the steps of its vertices and their low bytes, and in its lane what
 * is left of them, for out-neighbours.  Steps are at most 64 on the average
 * over all edges (best_unit), so that what is sent adds up to a quarter of the
 * edges' number, whoever gets it. */
static void step_and_send_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    struct ranks *R = arg;
    hy_vid far[RANKS_TASK];
    for (size_t end; lo < hi; lo = end) {
        end = hi - lo < RANKS_TASK ? hi : lo + RANKS_TASK;
        step_all(R, (hy_vid)lo, (hy_vid)end);
        const size_t n = split(R, (hy_vid)lo, (hy_vid)end, far);
        for (size_t i = 0; i < n; i++)
            ranks_send(R, &R->box[0], lane, far[i],
                       (R->step[far[i]] - R->low[far[i]]) / 256);
    }
}

/* ---- pull -----------------------------------------------------------------
 */

/* What is summed: whole steps, or their low bytes. */
struct steps {
    const int16_t *all;
    const int8_t *low;
};

HY_INLINE int32_t step_of(const struct steps *x, hy_vid u, bool is_low)
{
    return is_low ? x->low[u] : x->all[u];
}

/* Runs are too short to overflow: a hub has many. */
HY_INLINE int32_t sum_steps(const hy_span s, const struct steps *x, bool is_low)
{
    int32_t a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    if (s.step != 1) {
        for (; i < s.n; i++)
            a += step_of(x, s.v[i * s.step], is_low);
        return a;
    }
    for (; i + 4 <= s.n; i += 4) {
        a += step_of(x, s.v[i], is_low);
        b += step_of(x, s.v[i + 1], is_low);
        c += step_of(x, s.v[i + 2], is_low);
        d += step_of(x, s.v[i + 3], is_low);
    }
    for (; i < s.n; i++)
        a += step_of(x, s.v[i], is_low);
    return (a + b) + (c + d);
}

/* sum[v - lo]: the steps of v's in-neighbours. */
HY_INLINE void sum_all(const struct ranks *R, hy_vid lo, hy_vid hi,
                       int64_t *sum, bool is_low)
{
    const struct steps x = { .all = R->step, .low = R->low };
    hy_scan scan = scan_in(R->V, lo, hi);
    while (hy_scan_next(&scan))
        sum[scan.span.u - lo] += sum_steps(scan.span, &x, is_low);
}

/* Of a vertex that is alive; `more`: what its in-neighbours' steps bring. */
HY_INLINE double settle(const struct terms *t, struct ranks_node *a,
                        double *share, int16_t step, double more, bool is_row)
{
    double z = *share, rest = a->rest;
    if (!is_row)
        shift_one(t, a, &z, &rest);
    const double moved = step * t->unit + rest * ranks_is_dangling(a);
    *share = z + moved;
    a->rest = rest - moved * ranks_k(a) + more;
    return a->rest;
}

/* Writes shares and rests of its vertices; if sweeps come in rows the steps of
 * the next one; else who is to wait, to where the list of those who do has room
 * for them. */
HY_INLINE void settle_all(struct ranks *R, size_t task, const int64_t *sum,
                          bool is_row)
{
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const double tell = R->told > 0 ? 1 / R->told : 0;
    double *const value = R->L->values;
    const struct terms t = terms(R, &R->next_gait);
    const double high = HIGH * R->least;
    struct ranks_part part = { 0 };
    hy_vid *const wait = R->wait + lo;
    struct ranks_node *const node = R->node;
    const int16_t *const step = R->step;
    int16_t *const next = R->next;
    double *const share = R->share;
    for (hy_vid v = lo; v < hi; v++) {
        const double more = t.d * t.unit * (double)sum[v - lo];
        if (!(node[v].mark & RANKS_ALIVE)) {
            next[v] = 0;
            if (tell > 0)
                value[v] = 0;
            continue;
        }
        const double rest =
            settle(&t, &node[v], &share[v], step[v], more, is_row);
        if (tell > 0)
            value[v] = ranks_z(&node[v], share[v]) * tell;
        part.dangling += share[v] * ranks_is_dangling(&node[v]);
        add_part(&part, rest);
        if (is_row) {
            next[v] = step_for(&t.gait, &node[v], rest, step[v]);
            continue;
        }
        wait[part.n_high] = v;
        part.n_high += fabs(rest) > high * node[v].degree;
    }
    R->part[task] = part;
}

static void pull_row_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    int64_t sum[RANKS_TASK] = { 0 };
    sum_all(R, lo, hi, sum, false);
    settle_all(R, task, sum, true);
}

/* Takes what was sent to its vertices, too. */
static void pull_low_par(void *arg, size_t task)
{
    struct ranks *R = arg;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    int64_t sum[RANKS_TASK];
    for (hy_vid v = lo; v < hi; v++)
        sum[v - lo] = ranks_sent(R, &R->box[0], v) * 256;
    ranks_clear(R, &R->box[0], lo, hi);
    sum_all(R, lo, hi, sum, true);
    settle_all(R, task, sum, false);
}

/* Those whom a sweep found high wait. */
static void wait_high(struct ranks *R)
{
    for (size_t i = 0; i < ranks_tasks(R); i++) {
        const hy_vid *const from = R->wait + i * RANKS_TASK;
        for (hy_vid k = 0; k < R->part[i].n_high; k++) {
            R->node[from[k]].mark |= RANKS_WAITING;
            R->wait[R->n_wait++] = from[k];
        }
    }
}

/* ---- both -----------------------------------------------------------------
 */

/* Steps may be wrong by half a unit, which leaves a sixteenth of the goal at
 * most, or of a sum that is less; they reach to some hundred times the mean.
 * Where walks mix fast it may be a quarter, an eighth on the average: what a
 * sweep leaves there is noise, which adds up by squares, and a byte is to hold
 * most steps. */
static double best_unit(const struct ranks *R, double goal)
{
    enum { FINE = 8, COARSE = 2, REACH = 64 };
    const double arcs = (double)R->V->arcs + 1;
    const double least = R->sum < goal ? R->sum : goal;
    const double fine = least / (arcs * (R->is_fast ? COARSE : FINE));
    const double wide = R->sum / (arcs * REACH);
    return fine > wide ? fine : wide;
}

static void choose_shift(struct ranks *R)
{
    const double arcs = (double)R->V->arcs, n = (double)R->V->vertices;
    if (!view_is_undirected(R->V))
        R->stretch = R->net / n;
    else if (arcs > 0)
        R->shift = R->net / ((1 - R->d) * arcs);
}

/* Steps of the kind that comes `chain`-th in a row, after one with `omega`.
 * Steps of that one were multiples of `old_unit`. */
static struct ranks_gait choose_gait(const struct ranks *R, uint32_t chain,
                                     double omega, double old_unit)
{
    const double half = R->d * R->d / (chain == 1 ? 2 : 4);
    const double x = chain ? 1 / (1 - half * omega) : 1;
    return (struct ranks_gait){ .omega = x,
                                .gain = x / R->unit,
                                .onward = (x - 1) * old_unit / R->unit };
}

/* The steps that the last sweep prepared do not serve. */
static void take_steps(struct ranks *R, double unit)
{
    const double old_unit = R->unit;
    R->unit = unit;
    R->gait = choose_gait(R, R->chain, R->last_omega, old_unit);
    if (R->is_fast)
        par_for_shares(R->L->ctx, R->V->bound, R->lanes, RANKS_TASK,
                       step_and_send_par, R);
    else
        par_run(R->L->ctx, ranks_tasks(R), step_par, R);
}

/* A graph is fast if sweeps that shift take much; asked again now and then. */
static void choose_kind(struct ranks *R)
{
    enum { AGAIN = 64 };
    R->chain = 0;
    R->is_slow &= view_is_undirected(R->V) && ++R->n_slow % AGAIN;
    R->is_fast = !R->is_slow;
}

/* The steps just made are the next ones. */
static void turn_over(struct ranks *R)
{
    int16_t *const done = R->step;
    R->step = R->next;
    R->next = done;
    R->last_omega = R->gait.omega;
    R->gait = R->next_gait;
}

/* Steps go on from those of the sweep before, if there was one. */
static void sweep_row(struct ranks *R, double unit)
{
    enum { COARSE = 8 };
    if (!R->chain || R->unit > COARSE * unit)
        take_steps(R, unit);
    R->chain++;
    R->next_gait = choose_gait(R, R->chain, R->gait.omega, R->unit);
    par_run(R->L->ctx, ranks_tasks(R), pull_row_par, R);
    turn_over(R);
}

static void sweep_once(struct ranks *R, double unit)
{
    choose_shift(R);
    take_steps(R, unit);
    par_run(R->L->ctx, ranks_tasks(R), pull_low_par, R);
    wait_high(R);
}

/* The i-th sweep in a row left so much of the sum.  Estimates rise at once and
 * fall slowly: to hope for too much costs a sweep or, where walks mix fast, a
 * round. */
static void learn(struct ranks *R, uint32_t i, double left)
{
    double *const shrink = i == 0 ? &R->shrink : &R->later;
    bool *const knows = i == 0 ? &R->knows_first : &R->knows_later;
    const double fall = 0.5;
    if (!*knows || left > *shrink)
        *shrink = left;
    else
        *shrink += fall * (left - *shrink);
    *knows = true;
    if (i == 0 && R->is_fast && left > FAST && view_is_undirected(R->V)) {
        R->is_slow = true;
        R->is_fast = false;
        R->knows_first = false; /* of sweeps of the other kind */
    }
}

void ranks_sweep(struct ranks *R, uint32_t i, double goal, double scale)
{
    enum { LITTLE = 256 };
    const double before = R->sum;
    ranks_forget(R); /* its tasks write where the list is */
    if (i == 0)
        choose_kind(R);
    R->shift = R->stretch = 0;
    R->told = scale;
    if (scale > 0)
        live_turn_over(R->L, R->V->bound);
    if (R->is_fast)
        sweep_once(R, best_unit(R, goal));
    else
        sweep_row(R, best_unit(R, goal));
    ranks_add_up(R);
    if (before > goal / LITTLE) /* else it was rounding, or nothing */
        learn(R, i, R->sum / before);
    R->work += R->V->arcs + R->V->bound;
    R->is_all = true;
}
