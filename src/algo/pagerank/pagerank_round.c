/* The highest rests pushed at once, in rounds: parts of a sweep.
 *
 *   Rounds
 *     1 Send     who waits pushes
 *     until the sum is low enough, or that costs more than a sweep
 *     2 Survey   one in SAMPLE vertices: how much rests, and at which height
 *     3 Choose   the height from which to push, to be done after this round
 *     4 Pass     each vertex takes in what was sent to it, and pushes if its
 *                rest is high enough
 *     5 End      each vertex takes in what was sent to it; sums, and values if
 *                it may be the last
 *
 * Height is |rest| / degree: what a push takes from the sum for each edge that
 * it walks.
 *
 * What is sent are integers, multiples of d * unit, by boxes.  What a push
 * leaves since it is no multiple stays a rest.  The survey counts integers,
 * too: the bits of the answer do not depend on the threads.
 *
 * In an undirected graph all shares may move alike before a pass, so that rests
 * sum to 0 (pagerank_sweep.c tells why), if that does not raise their absolute
 * sum by much.  Where walks mix fast, rests are then much like noise once
 * changed edges have been spread: what is sent meets rests of both signs, a
 * push takes nearly all of its rest off the sum, and to push the highest tenth
 * of them takes off a quarter.
 */
#include "algo/pagerank/pagerank_live.h"

#include "base/bits.h"

enum {
    GRAIN = 1 << 14, /* vertices */
    GROUP = 64,      /* vertices that are surveyed together */
    SAMPLE = 32,     /* one in so many groups is, if there are ... */
    LARGE = 1 << 16, /* ... so many vertices */
    STEPS = 4,       /* units of the least push */
    FINE = 1024,     /* parts of the mean height in which rests are counted */
    BINS_LOG = 3,    /* bins for each power of 2, logarithm */
    N_BINS = 32 << BINS_LOG,
    MIDDLE = 12 << BINS_LOG, /* the bin that begins with the mean */
    TRIES = 3,               /* times that a survey may be wrong */
    PUSH_COST = 2,           /* of an edge, in edges of a sweep */
    PASS_COST = 3,           /* of a vertex, too */
};

/* Rests of sum 0 may be so much more than others. */
#define MOST_RISE 1.25

/* Rests of some height. */
struct bin {
    uint64_t rest, arcs; /* rests in FINEs of the mean height */
};

/* What a thread found: integers, whose sums do not depend on the order. */
struct found {
    struct bin bin[2][N_BINS]; /* as they are, and moved to a sum of 0 */
    uint64_t sum[2];
    int64_t flow; /* sum of steps sent */
    uint64_t walked;
};

struct round {
    struct ranks *R;
    size_t sample; /* one in so many groups is surveyed */
    uint64_t end;  /* work at which to give up */
    double mean;   /* height, once the goal is reached */
    double least;  /* height of those who push */
    double unit;   /* of what they send */
    const struct ranks_box *in, *out;
    double in_unit; /* of what was sent */
    double bare;    /* to be taken off rests, for each edge */
    double lift;    /* to be added to shares */
    double scale;   /* of values, should it be the last round */
    struct found found[RANKS_LANES];
};

/* ---- push -----------------------------------------------------------------
 */

/* To the nearest; one that is too long goes as far as it can. */
static int32_t step_for(double x)
{
    const double most = 0x1p30;
    return (int32_t)(fabs(x) < most ? x + copysign(0.5, x) : copysign(most, x));
}

static void push(struct round *W, size_t lane, hy_vid u)
{
    struct ranks *const R = W->R;
    struct ranks_node *const a = &R->node[u];
    if (!a->degree) {
        R->share[u] += a->rest;
        a->rest = 0;
        return;
    }
    const int32_t step = step_for(a->rest / (a->degree * W->unit));
    R->share[u] += step * W->unit;
    a->rest -= step * W->unit * a->degree;
    W->found[lane].flow += (int64_t)step * a->degree;
    W->found[lane].walked += a->degree;
    ranks_send(R, W->out, lane, u, step);
}

/* Writes shares and rests of its part of those who wait, and its lane. */
static void send_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    struct round *const W = arg;
    struct ranks *const R = W->R;
    for (size_t i = lo; i < hi; i++) {
        const struct ranks_node *const a = &R->node[R->turn[i]];
        ranks_look_ahead(R, R->turn + i, hi - i);
        if (fabs(a->rest) > W->least * a->degree)
            push(W, lane, R->turn[i]);
    }
}

/* Takes in what was sent to lo .. hi - 1; picks those who push. */
static size_t take_in(struct round *W, size_t lo, size_t hi, hy_vid *pick)
{
    struct ranks_node *const node = W->R->node;
    const double more = W->R->d * W->in_unit, bare = W->bare, least = W->least;
    size_t n = 0;
    double sum[RANKS_OUT];
    ranks_take_out(W->R, W->in, lo, hi, sum);
    for (size_t v = lo; v < hi; v++) {
        const uint32_t k = node[v].degree;
        const double rest = node[v].rest + more * sum[v - lo] - bare * k;
        node[v].rest = rest;
        pick[n] = (hy_vid)v;
        n += fabs(rest) > least * k;
    }
    return n;
}

/* Writes shares and rests of its vertices, its part of R->turn, and its lane.
 * Who pushes is picked beforehand: to go through nodes between pushes would
 * take the lane out of the cache. */
static void pass_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    struct round *const W = arg;
    hy_vid *const pick = W->R->turn + lo;
    size_t n = 0;
    for (size_t end; lo < hi; lo = end) {
        end = hi - lo < RANKS_OUT ? hi : lo + RANKS_OUT;
        n += take_in(W, lo, end, pick + n);
    }
    for (size_t i = 0; i < n; i++) {
        ranks_look_ahead(W->R, pick + i, n - i);
        push(W, lane, pick[i]);
    }
}

/* Writes shares and rests of its vertices, its part and, if they are told,
 * values. */
static void end_par(void *arg, size_t task)
{
    struct round *const W = arg;
    struct ranks *const R = W->R;
    const hy_vid lo = (hy_vid)task * RANKS_TASK, hi = ranks_task_end(R, lo);
    const double more = R->d * W->in_unit, lift = W->lift, bare = W->bare;
    const double tell = R->told > 0 ? 1 / R->told : 0;
    double *const value = R->L->values;
    struct ranks_part part = { 0 };
    double sum[RANKS_TASK];
    ranks_take_out(R, W->in, lo, hi, sum);
    for (hy_vid v = lo; v < hi; v++) {
        struct ranks_node *const a = &R->node[v];
        const double rest = a->rest + more * sum[v - lo] - bare * a->degree;
        a->rest = rest;
        R->share[v] += lift - lift * ranks_is_dangling(a);
        part.dangling += R->share[v] * ranks_is_dangling(a);
        part.rest += fabs(rest);
        part.net += rest;
        if (tell > 0)
            value[v] = ranks_z(a, R->share[v]) * tell;
    }
    R->part[task] = part;
}

/* ---- survey ---------------------------------------------------------------
 */

/* Bins are those of the exponent and the first bits behind it. */
enum { BIN_SHIFT = 23 - BINS_LOG, BIN_ONE = 127 << BINS_LOG };

HY_INLINE uint32_t bin_of(float height)
{
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    const int32_t i = (int32_t)(bits >> BIN_SHIFT) - BIN_ONE + MIDDLE;
    return i < 0 ? 0 : i < N_BINS ? (uint32_t)i : N_BINS - 1;
}

/* The least height of a bin. */
static double bin_floor(uint32_t i)
{
    const uint32_t bits = (i + BIN_ONE - MIDDLE) << BIN_SHIFT;
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/* `rest`: over the mean height. */
HY_INLINE void survey_one(struct found *f, int moved, double rest, uint32_t k)
{
    const double a = fabs(rest);
    const uint64_t count = (uint64_t)(a * FINE);
    struct bin *const b = &f->bin[moved][bin_of((float)a / (float)k)];
    b->rest += count;
    b->arcs += k;
    f->sum[moved] += count;
}

/* Writes what its thread found. */
static void survey_par(void *arg, size_t lane, size_t lo, size_t hi)
{
    struct round *const W = arg;
    const struct ranks *const R = W->R;
    const double more = R->d * W->in_unit, scale = 1 / W->mean;
    const size_t bound = R->V->bound;
    for (size_t g = lo; g < hi; g++) {
        const size_t first = g * GROUP * W->sample;
        const size_t end = bound - first < GROUP ? bound : first + GROUP;
        for (size_t v = first; v < end; v++) {
            const uint32_t k = R->node[v].degree;
            const double rest =
                R->node[v].rest + more * (double)ranks_sent(R, W->in, v);
            if (!k)
                continue;
            survey_one(&W->found[lane], 0, rest * scale, k);
            survey_one(&W->found[lane], 1, (rest - W->bare * k) * scale, k);
        }
    }
}

static void add_bins(struct bin *to, const struct bin *from)
{
    for (uint32_t i = 0; i < N_BINS; i++) {
        to[i].rest += from[i].rest;
        to[i].arcs += from[i].arcs;
    }
}

/* What all threads found is added to what the first did. */
static const struct found *add_up(struct round *W)
{
    struct found *const all = &W->found[0];
    for (uint32_t i = 1; i < W->R->lanes; i++) {
        const struct found *const f = &W->found[i];
        for (int moved = 0; moved < 2; moved++) {
            add_bins(all->bin[moved], f->bin[moved]);
            all->sum[moved] += f->sum[moved];
        }
        all->flow += f->flow;
        all->walked += f->walked;
    }
    return all;
}

/* Vertices for each one that is looked at. */
static double part_seen(const struct round *W)
{
    const size_t bound = W->R->V->bound, all = GROUP * W->sample;
    const size_t last = bound % all;
    const size_t seen = bound / all * GROUP + (last < GROUP ? last : GROUP);
    return (double)bound / (double)seen;
}

struct outlook {
    double sum;  /* of |rest|, likely */
    double rest; /* of it, to be pushed */
    double arcs; /* that are walked for it */
    double from; /* the height */
};

/* The highest rests that are likely to suffice. */
static struct outlook choose(const struct round *W, bool is_moved, double goal)
{
    const struct bin *const bin = W->found[0].bin[is_moved];
    const double part = part_seen(W);
    const double count = part * W->mean / FINE;
    struct outlook o = { .sum = count * (double)W->found[0].sum[is_moved] };
    uint32_t i = N_BINS;
    while (i > 0 && o.sum - W->R->gain * o.rest > goal) {
        i--;
        o.rest += count * (double)bin[i].rest;
        o.arcs += part * (double)bin[i].arcs;
    }
    if (i == N_BINS)
        return o;
    /* Of the last bin only so much. */
    const double last = count * (double)bin[i].rest;
    const double over = o.rest - (o.sum - goal) / W->R->gain;
    const double skip = last > 0 && over > 0 ? over / last : 0;
    o.rest -= skip * last;
    o.arcs -= skip * part * (double)bin[i].arcs;
    o.from =
        (bin_floor(i) + skip * (bin_floor(i + 1) - bin_floor(i))) * W->mean;
    return o;
}

/* Looks at some vertices; moves all shares alike if that is good. */
static struct outlook survey(struct round *W, double goal)
{
    struct ranks *const R = W->R;
    const double arcs = (double)R->V->arcs;
    const size_t groups = bits_div_up(R->V->bound, GROUP * W->sample);
    W->bare = view_is_undirected(R->V) && arcs > 0 ? R->net / arcs : 0;
    memset(W->found, 0, sizeof W->found);
    par_for_shares(R->L->ctx, groups, R->lanes, GROUP, survey_par, W);
    const struct found *const all = add_up(W);
    const bool is_moved =
        (double)all->sum[1] <= MOST_RISE * (double)all->sum[0];
    W->bare *= is_moved;
    W->lift += W->bare / (1 - R->d);
    R->net -= W->bare * arcs;
    R->work += R->V->bound / W->sample;
    return choose(W, is_moved, goal);
}

/* ---- rounds ---------------------------------------------------------------
 */

/* Multiples of the unit that are sent add up to less than 2^38. */
static void set_least(struct round *W, double least)
{
    const double unit = least / STEPS, small = W->R->sum * 0x1p-38;
    W->least = least;
    W->unit = unit > small ? unit : small;
}

/* What was sent out is to be taken in. */
static void turn_over(struct round *W)
{
    struct ranks *const R = W->R;
    const struct ranks_box *const in = W->in;
    ranks_blur(R, R->sum);
    W->in = W->out;
    W->out = in;
    const struct found *const all = add_up(W);
    W->in_unit = W->unit;
    W->bare = 0;
    R->net -= (1 - R->d) * W->unit * (double)all->flow;
    R->work += all->walked;
}

static void send_waiting(struct round *W)
{
    struct ranks *const R = W->R;
    set_least(W, R->least);
    memset(W->found, 0, sizeof W->found);
    par_for_shares(R->L->ctx, ranks_gather(R), R->lanes, GROUP, send_par, W);
    ranks_forget(R);
    turn_over(W);
}

static void pass(struct round *W, const struct outlook *o)
{
    struct ranks *const R = W->R;
    set_least(W, o->from);
    memset(W->found, 0, sizeof W->found);
    par_for_shares(R->L->ctx, R->V->bound, R->lanes, GRAIN, pass_par, W);
    ranks_box_emptied(R, W->in);
    R->work += R->V->bound;
    turn_over(W);
}

static void end(struct round *W, bool tells)
{
    struct ranks *const R = W->R;
    R->told = tells ? W->scale : 0;
    ranks_blur(R, R->sum);
    if (tells)
        live_turn_over(R->L, R->V->bound);
    par_run(R->L->ctx, ranks_tasks(R), end_par, W);
    ranks_box_emptied(R, W->in);
    ranks_add_up(R);
    R->work += R->V->bound;
    W->bare = W->lift = W->in_unit = 0;
}

/* Is a round likely to end before more is done than a sweep does? */
static bool is_cheap(const struct round *W, const struct outlook *o)
{
    const double pass = PASS_COST * (double)W->R->V->bound;
    return (double)W->R->work + PUSH_COST * o->arcs + pass < (double)W->end;
}

/* What was expected of pushes, and the sum that they left. */
static void learn(struct ranks *R, const struct outlook *o)
{
    const double gain = (o->sum - R->sum) / o->rest, least = 0.1;
    if (o->rest > 0)
        R->gain += ((gain > least ? gain < 1 ? gain : 1 : least) - R->gain) / 2;
}

/* Pushes what is likely to suffice; false: that is too much work. */
static bool go_round(struct round *W, double aim)
{
    const struct outlook o = survey(W, aim);
    const bool is_worth = is_cheap(W, &o);
    if (o.rest > 0 && is_worth)
        pass(W, &o);
    end(W, is_worth);
    if (is_worth)
        learn(W->R, &o);
    return is_worth;
}

void ranks_rounds(struct ranks *R, double goal, double sweep, double scale)
{
    const double close = 0.985, closer = 0.97;
    struct round W = { .R = R,
                       .sample = R->V->bound < LARGE ? 1 : SAMPLE,
                       .end = R->work + (uint64_t)sweep,
                       .scale = scale,
                       .in = &R->box[0],
                       .out = &R->box[1],
                       .mean = goal / ((double)R->V->arcs + 1) };
    double aim = goal * close;
    R->told = 0;
    R->is_all = true;
    if (ranks_n_wait(R))
        send_waiting(&W);
    for (uint32_t i = 0; i < TRIES; i++, aim *= closer)
        if (!go_round(&W, aim) || R->sum <= goal)
            return;
}
