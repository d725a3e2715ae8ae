/* Ranks kept with what is missing from them: shares and rests.
 *
 * Let k(v) be the out-degree of v, or 1 if that is 0.  For every vertex that is
 * alive
 *
 *   z(v) = share(v) * k(v)
 *   rest(v) = 1 + d * (sum of share(u) over edges u -> v) - z(v)
 *
 * and both are 0 for other ids.  See pagerank_live.c for what follows from it.
 */
#ifndef ALGO_PAGERANK_LIVE_H
#define ALGO_PAGERANK_LIVE_H

#include "algo/live/live.h"
#include "algo/pagerank/pagerank_impl.h"
#include "base/atomic.h"
#include "par/par.h"

#include <math.h>
#include <string.h>

/* What a push to v needs, in one place. */
struct ranks_node {
    double rest;
    uint32_t degree; /* out */
    uint32_t mark;   /* of those below */
};

enum { RANKS_QUEUED = 1, RANKS_WAITING = 2, RANKS_MOVED = 4, RANKS_ALIVE = 8 };

/* What a task found: sums of a sweep, or how many are high after it. */
struct ranks_part {
    double rest, net, dangling;
    hy_vid n_high;
    bool is_full; /* a step is as long as it gets */
};

/* What pushes changed. */
struct ranks_tally {
    double sum, net, dangling, drift;
    uint64_t work;
};

enum {
    RANKS_SHARDS = 8,    /* at most */
    RANKS_SHARD_LOG = 6, /* of the vertices of one, at least */
    RANKS_WAVE = 2048,   /* edges after which a shard's wave ends, at most */
    RANKS_APART = 256,   /* pushes that it may leave to one thread */
};

/* Vertices next to each other whose pushes are one thread's: there are as many
 * shards as the number of vertices says, so that bits do not depend on threads.
 * The lists of shards are parts of those of all, at its own vertices. */
struct ranks_shard {
    hy_vid lo, size;
    hy_vid head; /* of the ring */
    hy_vid n_queue, n_wait, n_turn, n_moved;
    hy_vid at_turn; /* before it all have had their turn */
    struct ranks_tally did;
    uint32_t n_mail[RANKS_SHARDS]; /* what it sends, to each shard */
    uint32_t n_apart;
    hy_vid apart[RANKS_APART]; /* marked QUEUED, too */
};

/* To be added to a rest. */
struct ranks_mail {
    double x;
    hy_vid v;
};

/* Steps are gain * rest / degree + onward * the step before. */
struct ranks_gait {
    double gain, onward;
    double omega; /* gain without the unit */
};

/* Sweeps in a row whose effects are learned apart; the last stands for all
 * behind it.  Each is better than the one before it where they go on from each
 * other. */
enum { RANKS_ROW = 3 };

enum { RANKS_LANES = 4 }; /* threads that send, at most */

/* What is sent to each vertex, integers.  A thread counts in a lane of its own,
 * so that nothing is shared, and sums do not depend on the order.  Lanes are of
 * bytes, as their entries are met at random and are to be in the cache; what
 * does not fit into one, some 256s, goes to an array of all threads, which is
 * looked at only where it is marked. */
struct ranks_box {
    int8_t *low[RANKS_LANES];
    int32_t *high;
    uint8_t *has_high; /* of each RANKS_MARKED vertices; racing writes agree */
};

enum { RANKS_MARKED = 1024 };

struct ranks {
    hy_pagerank_opts opts;
    struct pagerank_plan plan;
    double d;

    hy_live *L;
    const hy_view *V;
    /* In address space of their own: it has huge pages, and rests and bytes of
     * steps are looked up all over. */
    struct base_space shares, nodes, bytes;
    double *share;
    struct ranks_node *node;
    int16_t *step; /* of a sweep: shares move by step * unit */
    int16_t *next; /* of the sweep after it, or of the one before */
    bool is_open;  /* ... in a row, and neither shares nor rests know of it */
    bool is_full;  /* ... and some of it could not go as far as it was to */
    int8_t *low;   /* bytes of steps */
    struct ranks_box box[2]; /* all are 0 between commits */
    uint32_t lanes;          /* of a box: threads */
    hy_vid *queue;           /* rings: marked QUEUED */
    hy_vid *wait;  /* marked WAITING: vertices whose rests are not small */
    hy_vid *turn;  /* marked WAITING, too: those being looked at */
    hy_vid *moved; /* marked MOVED: whose shares or degrees changed */
    hy_vid room;   /* entries of all arrays above */
    hy_vid cut;    /* vertices that shards are made for */
    unsigned shard_log;
    uint32_t shards, wave;
    struct ranks_shard shard[RANKS_SHARDS];
    struct ranks_mail *mail; /* boxes of 2 * wave, from each shard to each */
    struct ranks_part *part;

    double sum;            /* of |rest| */
    double net;            /* sum of rest */
    double dangling;       /* sum of z where the degree is 0 */
    double doubt;          /* what rounding may have done to each of the sums */
    double blur;           /* ... and to all rests, summed */
    double scale;          /* published: (z + rest) / scale ... */
    double drift;          /* ... but for rests of so much, summed, at most */
    double told;           /* values are those of this scale; 0: not yet */
    double eps;            /* rest / degree from which a vertex is queued ... */
    double least;          /* ... and from which it waits */
    double unit;           /* of steps */
    double shift, stretch; /* of all shares, by the sweep */
    struct ranks_gait gait;
    bool is_fast;           /* sweeps shift */
    bool is_slow;           /* sweeps that did left too much */
    bool is_stuck;          /* a sweep of this commit took nothing */
    uint32_t n_slow;        /* how often they did not */
    uint32_t chain;         /* sweeps in a row that go on from each other */
    double left[RANKS_ROW]; /* of the sum, by the first sweep in a row, ... */
    bool knows[RANKS_ROW];  /* no guesses */
    uint64_t known_arcs;    /* of the graph that all this was learned of */
    double gain;     /* what pushes of a round take off, over their rests */
    double vain;     /* sum over goal from which repairs were in vain */
    uint32_t sweeps; /* that a static run takes */
    bool is_blank;   /* it wrote the values, and rests are not known */
    double error;    /* what it said of them */
    /* After a repair in vain, commits of about as many edges that are to be
     * recomputed without a look at rests; and after the next one. */
    uint32_t to_wait, span;
    uint64_t vain_edges;
    uint64_t work; /* edges and vertices, of this commit */
    bool is_all;   /* all values are to be written */
};

/* Without a branch: in many graphs nobody can foresee who has no edges. */
static inline double ranks_k(const struct ranks_node *a)
{
    return (double)(a->degree + !a->degree);
}

/* What is published of a vertex, times the scale. */
static inline double ranks_z(const struct ranks_node *a, double share)
{
    return share * ranks_k(a) + a->rest;
}

/* 1 without out-edges, else 0. */
static inline double ranks_is_dangling(const struct ranks_node *a)
{
    return (double)!a->degree;
}

/* Of a run, in parts: one sum of many shares that are alike is rounded the same
 * way each time.  Four at a time do not wait for each other. */
static inline double ranks_sum_shares(const struct ranks *R, const hy_span *s)
{
    enum { PART = 256, WAYS = 4 };
    double sum = 0;
    for (size_t i = 0; i < s->n;) {
        const size_t end = s->n - i < PART ? s->n : i + PART;
        double way[WAYS] = { 0 };
        for (; i + WAYS <= end; i += WAYS)
            for (size_t w = 0; w < WAYS; w++)
                way[w] += R->share[s->v[(i + w) * s->step]];
        for (; i < end; i++)
            way[0] += R->share[s->v[i * s->step]];
        sum += (way[0] + way[1]) + (way[2] + way[3]);
    }
    return sum;
}

/* What sweeps that suffice are taken to leave, in goals: less than one, as
 * estimates are no promise. */
#define RANKS_MARGIN 0.97

/* Which of the estimates is the i-th sweep's in a row. */
static inline uint32_t ranks_turn(uint32_t i)
{
    return i < RANKS_ROW ? i : RANKS_ROW - 1;
}

/* What the i-th sweep in a row is likely to leave of the sum. */
static inline double ranks_likely(const struct ranks *R, uint32_t i)
{
    uint32_t k = ranks_turn(i);
    while (k > 1 && !R->knows[k])
        k--;
    const double left = R->left[k] < R->d ? R->left[k] : R->d;
    return left > 0.05 ? left : 0.05;
}

/* The sum from which one sweep is likely to suffice, in goals. */
static inline double ranks_reach(const struct ranks *R)
{
    return RANKS_MARGIN / ranks_likely(R, 0);
}

static inline void ranks_set_reach(struct ranks *R, double goals)
{
    R->left[0] = RANKS_MARGIN / goals;
}

/* ---- boxes ----------------------------------------------------------------
 */

/* Sends so many 256s to v. */
static inline void ranks_send_high(const struct ranks_box *box, hy_vid v,
                                   int32_t x)
{
    atomic_add_i32(&box->high[v], x);
    __atomic_store_n(&box->has_high[v / RANKS_MARKED], 1, __ATOMIC_RELAXED);
}

/* Sends x to v[0], v[step], ..., n of them. */
HY_INLINE void ranks_send_run(const struct ranks_box *box, size_t lane,
                              const hy_vid *v, size_t n, size_t step, int32_t x)
{
    int8_t *const low = box->low[lane];
    const int8_t few = (int8_t)(uint8_t)(uint32_t)x;
    const int32_t many = (x - few) / 256;
    for (size_t i = 0; i < n; i++) {
        int8_t *const a = &low[v[i * step]];
        if (__builtin_add_overflow(*a, few, a))
            ranks_send_high(box, v[i * step], few > 0 ? 1 : -1);
    }
    for (size_t i = 0; many && i < n; i++)
        ranks_send_high(box, v[i * step], many);
}

/* Sends x to all out-neighbours of u. */
HY_INLINE void ranks_send(const struct ranks *R, const struct ranks_box *box,
                          size_t lane, hy_vid u, int32_t x)
{
    view_for_out (s, R->V, u)
        if (s.step == 1)
            ranks_send_run(box, lane, s.v, s.n, 1, x);
        else
            ranks_send_run(box, lane, s.v, s.n, s.step, x);
}

/* Asks for the first neighbours of v, whose slot is there. */
HY_INLINE void ranks_prefetch_out(const struct ranks *R, hy_vid v)
{
    enum { LINE = 64 / sizeof(hy_vid) };
    const hy_span s = view_out(R->V, v);
    HY_PREFETCH(s.v);
    if (s.n > LINE) {
        HY_PREFETCH(s.v + LINE);
        HY_PREFETCH(s.v + 2 * LINE);
    }
}

/* Asks for what is kept of v. */
HY_INLINE void ranks_prefetch(const struct ranks *R, hy_vid v)
{
    HY_PREFETCH(&R->node[v]);
    HY_PREFETCH(&R->share[v]);
}

/* Asks for what pushes of those who come soon, of n who send, will need. */
HY_INLINE void ranks_look_ahead(const struct ranks *R, const hy_vid *pick,
                                size_t n)
{
    enum { FAR = 24, NEAR = 12 };
    if (n > FAR) {
        ranks_prefetch(R, pick[FAR]);
        view_prefetch_slot(R->V, pick[FAR]);
    }
    if (n > NEAR)
        ranks_prefetch_out(R, pick[NEAR]);
}

/* What was sent to v. */
HY_INLINE int64_t ranks_sent(const struct ranks *R, const struct ranks_box *box,
                             size_t v)
{
    int64_t sum = (int64_t)box->high[v] * 256;
    for (uint32_t i = 0; i < R->lanes; i++)
        sum += box->low[i][v];
    return sum;
}

static inline bool ranks_has_high(const struct ranks_box *box, size_t lo,
                                  size_t hi)
{
    bool has = false;
    for (size_t i = lo / RANKS_MARKED; i <= (hi - 1) / RANKS_MARKED; i++)
        has |= box->has_high[i];
    return has;
}

enum { RANKS_OUT = 4096 }; /* vertices that are taken out at a time */

/* Takes what was sent to lo .. hi - 1, one or more, out of the box; marks stay
 * until ranks_box_emptied.  Integers, as they are multiplied next. */
static inline void ranks_take_out(const struct ranks *R,
                                  const struct ranks_box *box, size_t lo,
                                  size_t hi, double *sum)
{
    const size_t n = hi - lo;
    int16_t low[RANKS_OUT] = { 0 };
    for (uint32_t lane = 0; lane < R->lanes; lane++) {
        int8_t *const from = box->low[lane] + lo;
        for (size_t i = 0; i < n; i++)
            low[i] = (int16_t)(low[i] + from[i]);
        memset(from, 0, n * sizeof *from);
    }
    for (size_t i = 0; i < n; i++)
        sum[i] = low[i];
    if (!ranks_has_high(box, lo, hi))
        return;
    for (size_t i = 0; i < n; i++)
        sum[i] += 256.0 * box->high[lo + i];
    memset(box->high + lo, 0, n * sizeof *box->high);
}

static inline size_t ranks_marks(size_t vertices)
{
    return vertices / RANKS_MARKED + 1;
}

/* All was taken out. */
static inline void ranks_box_emptied(const struct ranks *R,
                                     const struct ranks_box *box)
{
    memset(box->has_high, 0, ranks_marks(R->V->bound));
}

/* ---- pagerank_shard.c -----------------------------------------------------
 */

/* Cuts the vertices of the view into shards; who waited does.  Nobody moved
 * yet. */
void ranks_cut(struct ranks *R);

/* Entries of R->mail for so many vertices, or less. */
size_t ranks_mail_room(hy_vid room);

HY_INLINE struct ranks_shard *ranks_home(struct ranks *R, hy_vid v)
{
    return &R->shard[v >> R->shard_log];
}

/* v waits, if it does not yet. */
static inline void ranks_wait(struct ranks *R, hy_vid v)
{
    struct ranks_shard *const S = ranks_home(R, v);
    if (R->node[v].mark & RANKS_WAITING)
        return;
    R->node[v].mark |= RANKS_WAITING;
    R->wait[S->lo + S->n_wait++] = v;
}

/* The share, the degree or, by a changed edge, the rest of v changes. */
static inline void ranks_move(struct ranks *R, hy_vid v)
{
    struct ranks_shard *const S = ranks_home(R, v);
    if (R->node[v].mark & RANKS_MOVED || R->is_all)
        return;
    R->node[v].mark |= RANKS_MOVED;
    R->moved[S->lo + S->n_moved++] = v;
}

/* A pass over all vertices rounds each rest and share a few times.  `sum` was
 * that of rests before; shares add up to n / (1 - d) at most. */
static inline void ranks_blur(struct ranks *R, double sum)
{
    const double all = (sum + (double)R->V->vertices) / (1 - R->d);
    R->blur += 0x1p-50 * (1 + fabs(R->stretch)) * all;
}

static inline void ranks_add_rest(struct ranks *R, struct ranks_tally *did,
                                  hy_vid v, double x)
{
    struct ranks_node *const a = &R->node[v];
    const double old = a->rest;
    a->rest = old + x;
    did->sum += fabs(a->rest) - fabs(old);
    did->net += x;
}

/* What all shards did is told of all.  Each edge is rounded once in a rest and
 * once in each sum, which are never larger than these. */
void ranks_add_tallies(struct ranks *R);

/* Empties the lists, whatever marks say. */
void ranks_clear(struct ranks *R);

hy_vid ranks_n_wait(const struct ranks *R);
hy_vid ranks_n_moved(const struct ranks *R);

/* Forgets who waits, who moved. */
void ranks_forget(struct ranks *R);
void ranks_forget_moved(struct ranks *R);

/* Who waits, one behind another in R->turn. */
hy_vid ranks_gather(struct ranks *R);

/* ---- pagerank_bound.c -----------------------------------------------------
 */

/* What ranks are divided by if they are to sum to 1 in the end. */
double ranks_best_scale(const struct ranks *R);

/* Of values that are all written: the one they have if it is about as good, so
 * that those of vertices that nothing reached stay. */
double ranks_next_scale(const struct ranks *R);

/* What the sum of rests must become; has it? */
double ranks_goal(const struct ranks *R);
bool ranks_is_done(const struct ranks *R);

/* Writes the values that moved, or all of them, and says how far they may be
 * away. */
void ranks_publish(struct ranks *R);

/* ---- pagerank_anew.c ------------------------------------------------------
 */

/* Values by the static function; the ranks are blank.  Nothing has changed on
 * failure. */
HY_CHECKED hy_status ranks_run_static(struct ranks *R);

/* Finds the rests of blank ranks, in the graph as it is now. */
void ranks_know(struct ranks *R);

/* What they cost, in edges of a sweep. */
double ranks_sweep_cost(const struct ranks *R);
double ranks_static_cost(const struct ranks *R);

/* Is so much changed that rests are not worth a look? */
bool ranks_is_much(struct ranks *R, const hy_delta *delta);

/* A repair was given up. */
void ranks_learn_vain(struct ranks *R, const hy_delta *delta);

/* ---- pagerank_take.c ------------------------------------------------------
 */

/* Brings shares and rests in line with a delta. */
void ranks_take(struct ranks *R, const hy_delta *delta);

/* ---- pagerank_push.c ------------------------------------------------------
 */

struct ranks_aim {
    double goal;    /* of the sum */
    double pace;    /* of its logarithm, for each edge walked, at least */
    uint64_t limit; /* of edges */
};

/* Pushes the largest rests until the sum is the goal, or there are none, or it
 * falls too slowly, or is not likely to get there within the limit. */
void ranks_push(struct ranks *R, const struct ranks_aim *aim);

/* ---- pagerank_sweep.c -----------------------------------------------------
 */

enum { RANKS_TASK = 2048 }; /* vertices */

size_t ranks_tasks(const struct ranks *R);
hy_vid ranks_task_end(const struct ranks *R, hy_vid lo);

/* The sums of what all tasks found. */
void ranks_add_up(struct ranks *R);

/* All rests, their sums and the degrees from the shares. */
void ranks_measure(struct ranks *R);

/* Pushes all rests at once, the i-th time in a row.  Those that are not
 * multiples of a unit stay: `goal` says which are worth it.  If `scale` is not
 * 0 all values are written, over that: it may be the last.  Else it may leave a
 * row open, which another sweep is to end before shares and rests are used. */
void ranks_sweep(struct ranks *R, uint32_t i, double goal, double scale);

/* Those whose rests are high after a sweep wait: to push some of them may be
 * enough. */
void ranks_wait_high(struct ranks *R);

/* ---- pagerank_round.c -----------------------------------------------------
 */

/* Pushes those who wait, and then the highest rests, as long as that is likely
 * to bring the sum to the goal for less work than a sweep is.  Rounds that may
 * do so write all values, over `scale`. */
void ranks_rounds(struct ranks *R, double goal, double sweep, double scale);

/* ---- pagerank_first.c -----------------------------------------------------
 */

/* The sum of rests that ranks would have that begin anew, by a sample, in an
 * undirected graph, or anything above `most`; and such ranks. */
double ranks_first_sum(const struct ranks *R, double most);
void ranks_first(struct ranks *R);

/* ---- pagerank_live_check.c ------------------------------------------------
 */

HY_CHECKED hy_status ranks_check(hy_live *L, const hy_view *V);

#endif
