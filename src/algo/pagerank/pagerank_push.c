/* Rests that changed edges leave, and how the largest are pushed on.
 *
 *   Take(delta)
 *     each edge u -> v that went or came: share(u) stays, so that
 *       rest(v) -+ d * share(u), and rest(u) +- share(u), as k(u) changed
 *     each vertex that went: nothing is left of it
 *     each vertex that came: share 1, rest 0
 *
 *   Push
 *     for falling eps, while the sum is too large
 *       while some |rest(u)| > eps * degree(u)
 *         move share(u) by rest(u) / k(u); rest(u) <- 0
 *         each out-neighbour's rest by d times that
 *
 * Shares are kept and not ranks: a changed edge touches its two ends alone, and
 * in an undirected graph the two changes of an end nearly cancel.
 *
 * Rests are compared with degrees (as Andersen, Chung, Lang, FOCS 2006, do), so
 * that vertices go first where a push takes most from the sum for each edge
 * that it walks.  One thread, in a fixed order: the bits do not depend on how
 * many there are.
 */
#include "algo/pagerank/pagerank_live.h"

enum {
    FALL = 4,        /* of eps, from level to level */
    BLOCK = 1 << 14, /* edges from one look at the cost to the next */
};

/* ---- who waits, who is queued ---------------------------------------------
 */

static void enqueue(struct ranks *R, hy_vid v)
{
    const uint64_t at = (uint64_t)R->head + R->n_queue++;
    R->queue[at < R->room ? at : at - R->room] = v;
    R->node[v].mark |= RANKS_QUEUED;
}

static hy_vid dequeue(struct ranks *R)
{
    const hy_vid v = R->queue[R->head];
    R->head = R->head + 1 < R->room ? R->head + 1 : 0;
    R->n_queue--;
    R->node[v].mark &= ~(uint32_t)RANKS_QUEUED;
    return v;
}

static void wait(struct ranks *R, hy_vid v)
{
    if (R->node[v].mark & RANKS_WAITING)
        return;
    R->node[v].mark |= RANKS_WAITING;
    R->wait[R->n_wait++] = v;
}

void ranks_forget(struct ranks *R)
{
    for (hy_vid i = 0; i < R->n_wait; i++)
        R->node[R->wait[i]].mark &= ~(uint32_t)RANKS_WAITING;
    R->n_wait = 0;
}

void ranks_forget_moved(struct ranks *R)
{
    for (hy_vid i = 0; i < R->n_moved; i++)
        R->node[R->moved[i]].mark &= ~(uint32_t)RANKS_MOVED;
    R->n_moved = 0;
}

/* The share, the degree or, by a changed edge, the rest of v changes. */
static void move(struct ranks *R, hy_vid v)
{
    if (R->node[v].mark & RANKS_MOVED || R->is_all)
        return;
    R->node[v].mark |= RANKS_MOVED;
    R->moved[R->n_moved++] = v;
}

/* ---- take -----------------------------------------------------------------
 */

static void add_rest(struct ranks *R, hy_vid v, double x)
{
    struct ranks_node *const a = &R->node[v];
    const double old = a->rest;
    a->rest = old + x;
    R->sum += fabs(a->rest) - fabs(old);
    R->net += x;
}

/* One direction of an edge; more: 1 or -1. */
static void take_arc(struct ranks *R, hy_vid u, hy_vid v, int more)
{
    struct ranks_node *const a = &R->node[u];
    const double share = R->share[u], k = ranks_k(a);
    move(R, u);
    move(R, v);
    if (!a->degree)
        R->dangling -= share;
    a->degree += (uint32_t)more;
    if (!a->degree)
        R->dangling += share;
    add_rest(R, u, -share * (ranks_k(a) - k));
    add_rest(R, v, more * R->d * share);
    wait(R, u);
    wait(R, v);
}

static void prefetch(const struct ranks *R, hy_vid v)
{
    HY_PREFETCH(&R->node[v]);
    HY_PREFETCH(&R->share[v]);
}

static void take_edges(struct ranks *R, const hy_edge_list *edges, int more)
{
    enum { AHEAD = 12 };
    for (uint64_t i = 0; i < edges->n; i++) {
        const hy_edge e = edges->at[i];
        if (i + AHEAD < edges->n) {
            prefetch(R, edges->at[i + AHEAD].u);
            prefetch(R, edges->at[i + AHEAD].v);
        }
        take_arc(R, e.u, e.v, more);
        if (view_is_undirected(R->V) && e.u != e.v)
            take_arc(R, e.v, e.u, more);
    }
    R->work += edges->n;
}

/* Of a vertex that has no edge; a new one has share 1. */
static void set_alone(struct ranks *R, hy_vid v, double share)
{
    move(R, v);
    add_rest(R, v, -R->node[v].rest);
    R->dangling += share - R->share[v];
    R->share[v] = share;
    R->node[v].mark &= ~(uint32_t)RANKS_ALIVE;
    R->node[v].mark |= share > 0 ? RANKS_ALIVE : 0;
}

/* Ids that went and came are of other vertices, but what is kept of them goes
 * by their edges alone. */
static void take_vertices(struct ranks *R, const hy_delta *delta)
{
    const hy_vid_list *const went = &delta->vertices_deleted;
    const hy_vid_list *const came = &delta->vertices_inserted;
    uint64_t i = 0, k = 0;
    while (i < went->n || k < came->n) {
        const hy_vid x = i < went->n ? went->at[i] : HY_NONE;
        const hy_vid y = k < came->n ? came->at[k] : HY_NONE;
        if (x < y)
            set_alone(R, x, 0);
        else if (y < x)
            set_alone(R, y, 1);
        i += x <= y;
        k += y <= x;
    }
    R->work += went->n + came->n;
}

void ranks_take(struct ranks *R, const hy_delta *delta)
{
    take_edges(R, &delta->deleted, -1);
    take_vertices(R, delta);
    take_edges(R, &delta->inserted, 1);
}

/* ---- push -----------------------------------------------------------------
 */

enum { RUN = 64 }; /* entries of a run at a time: bits of a word */

/* v's rest is no longer small. */
static void notice(struct ranks *R, hy_vid v)
{
    const struct ranks_node *const a = &R->node[v];
    if (fabs(a->rest) > R->eps * a->degree)
        enqueue(R, v);
    else
        wait(R, v);
}

/* Adds x to the rests of v[0], v[step], ..., n of them; sets bit i of *large if
 * the i-th is to be noticed; returns what the sum gained.  No branch and no
 * place depends on a node, so that many are on their way from memory at once.
 */
HY_INLINE double give_run(struct ranks *R, const hy_vid *v, size_t n,
                          size_t step, double x, uint64_t *large)
{
    struct ranks_node *const node = R->node;
    const double least = R->least, eps = R->eps;
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        struct ranks_node *const a = &node[v[i * step]];
        const double old = a->rest, now = old + x;
        const double most = (a->mark & RANKS_WAITING ? eps : least) * a->degree;
        const uint64_t is_large = fabs(now) > most;
        const uint64_t is_free = !(a->mark & RANKS_QUEUED);
        a->rest = now;
        sum += fabs(now) - fabs(old);
        bits |= (is_large & is_free) << i;
    }
    *large = bits;
    return sum;
}

/* The same for all of a span. */
static double give(struct ranks *R, const hy_span *s, double x)
{
    double sum = 0;
    for (size_t i = 0, n; i < s->n; i += n) {
        const hy_vid *const v = s->v + i * s->step;
        uint64_t large;
        n = s->n - i < RUN ? s->n - i : RUN;
        if (s->step == 1)
            sum += give_run(R, v, n, 1, x, &large);
        else
            sum += give_run(R, v, n, s->step, x, &large);
        for (; large; large &= large - 1)
            notice(R, v[(size_t)__builtin_ctzll(large) * s->step]);
    }
    return sum;
}

/* Adds to the share of u; returns what was really added. */
static double add_share(struct ranks *R, hy_vid u, double x)
{
    const double old = R->share[u];
    move(R, u);
    R->share[u] = old + x;
    const double added = R->share[u] - old;
    add_rest(R, u, -added * ranks_k(&R->node[u]));
    return added;
}

/* The other end of a lone edge; HY_NONE if u has none, or others. */
static hy_vid partner(const struct ranks *R, hy_vid u)
{
    if (R->node[u].degree != 1 || !view_is_undirected(R->V))
        return HY_NONE;
    const hy_vid v = view_out(R->V, u).v[0];
    return v != u && R->node[v].degree == 1 ? v : HY_NONE;
}

/* Two who would push to and fro are done at once. */
static void push_pair(struct ranks *R, hy_vid u, hy_vid v)
{
    const double d = R->d, x = R->node[u].rest, y = R->node[v].rest;
    const double part = 1 / (1 - d * d);
    const double to_u = add_share(R, u, (x + d * y) * part);
    const double to_v = add_share(R, v, (y + d * x) * part);
    add_rest(R, u, d * to_v);
    add_rest(R, v, d * to_u);
    R->work += 4;
}

static void push(struct ranks *R, hy_vid u)
{
    struct ranks_node *const a = &R->node[u];
    const hy_vid v = partner(R, u);
    if (v != HY_NONE) {
        push_pair(R, u, v);
        return;
    }
    const double moved = add_share(R, u, a->rest / ranks_k(a));
    R->work += 1 + a->degree;
    if (!a->degree) {
        R->dangling += moved;
        return;
    }
    double sum = 0;
    view_for_out (s, R->V, u)
        sum += give(R, &s, R->d * moved);
    R->sum += sum;
    R->net += R->d * moved * a->degree;
    R->drift += fabs(R->d * moved) * a->degree;
}

/* Asks for the nodes of the first neighbours of v. */
HY_INLINE void ask_for_targets(const struct ranks *R, hy_vid v)
{
    enum { MOST = 64 };
    const hy_span s = view_out(R->V, v);
    const size_t n = s.n < MOST ? s.n : MOST;
    for (size_t i = 0; i < n; i++)
        HY_PREFETCH(&R->node[s.v[i * s.step]]);
}

/* The one who is i-th in the queue. */
HY_INLINE hy_vid queued(const struct ranks *R, hy_vid i)
{
    const uint64_t at = (uint64_t)R->head + i;
    return R->queue[at < R->room ? at : at - R->room];
}

/* Asks for what pushes of those whose turn it is soon will need. */
HY_INLINE void look_ahead(const struct ranks *R)
{
    enum { FAR = 16, NEAR = 8, NEXT = 3 };
    if (R->n_queue > FAR) {
        prefetch(R, queued(R, FAR));
        view_prefetch_slot(R->V, queued(R, FAR));
    }
    if (R->n_queue > NEAR)
        view_prefetch_out(R->V, queued(R, NEAR));
    if (R->n_queue > NEXT)
        ask_for_targets(R, queued(R, NEXT));
}

/* The largest rest for a degree among those who wait. */
static double highest(const struct ranks *R)
{
    double most = 0;
    for (hy_vid i = 0; i < R->n_wait; i++) {
        const struct ranks_node *const a = &R->node[R->wait[i]];
        const double x = fabs(a->rest) / ranks_k(a);
        most = x > most ? x : most;
    }
    return most;
}

/* From the i-th of the n whose turn it is on: queues the next who are large, a
 * group of them; who is not small waits.  Returns the place behind them. */
static hy_vid take_turns(struct ranks *R, hy_vid i, hy_vid n)
{
    enum { AHEAD = 24, GROUP = 64 };
    while (i < n && R->n_queue < GROUP) {
        const hy_vid v = R->turn[i];
        struct ranks_node *const a = &R->node[v];
        HY_PREFETCH(&R->node[R->turn[i + AHEAD < n ? i + AHEAD : i]]);
        const double rest = fabs(a->rest), k = ranks_k(a);
        a->mark &= ~(uint32_t)RANKS_WAITING;
        if (rest > R->eps * k)
            enqueue(R, v);
        else if (rest > R->least * k)
            wait(R, v);
        i++;
    }
    return i;
}

/* Pushes took the sum from `sum` to what it is at some cost: go on?  They are
 * to take a part of it at each edge, as sweeps would, and to end in time. */
static bool is_worth(const struct ranks *R, const struct ranks_aim *aim,
                     double sum, double cost, double left)
{
    return log(sum / R->sum) >= aim->pace * cost &&
           (R->sum - aim->goal) * cost <= (sum - R->sum) * left;
}

/* What pushes did since it was looked at last. */
struct pushed {
    double sum;
    uint64_t work;
};

/* Looks at a block of pushes; false if to go on does not pay. */
static bool look_back(const struct ranks *R, const struct ranks_aim *aim,
                      uint64_t end, struct pushed *last)
{
    const double cost = (double)(R->work - last->work), sum = last->sum;
    if (cost < BLOCK)
        return true;
    *last = (struct pushed){ .sum = R->sum, .work = R->work };
    return R->work < end &&
           is_worth(R, aim, sum, cost, (double)(end - R->work));
}

/* One level: all who wait now and are large, in groups, each with what becomes
 * large thereby, while it is in the caches.  False if it does not pay any more:
 * who is queued then waits. */
static bool push_level(struct ranks *R, const struct ranks_aim *aim,
                       uint64_t end)
{
    hy_vid *const swap = R->turn;
    const hy_vid n = R->n_wait;
    struct pushed last = { .sum = R->sum, .work = R->work };
    bool goes_on = true;
    hy_vid i = 0;
    R->turn = R->wait;
    R->wait = swap;
    R->n_wait = 0;
    while (goes_on && R->sum > aim->goal && i < n) {
        i = take_turns(R, i, n);
        while (R->n_queue && goes_on && R->sum > aim->goal) {
            look_ahead(R);
            push(R, dequeue(R));
            goes_on = look_back(R, aim, end, &last);
        }
    }
    R->work += i / 8;
    while (R->n_queue)
        wait(R, dequeue(R));
    for (; i < n; i++)
        R->wait[R->n_wait++] = R->turn[i];
    return goes_on && R->work < end;
}

void ranks_push(struct ranks *R, const struct ranks_aim *aim)
{
    const uint64_t end = R->work + aim->limit;
    bool goes_on = true;
    R->told = 0;
    R->eps = highest(R);
    while (goes_on && R->sum > aim->goal && R->eps > R->least) {
        R->eps = R->eps / FALL > R->least ? R->eps / FALL : R->least;
        goes_on = push_level(R, aim, end);
    }
}
