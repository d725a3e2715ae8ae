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

enum { FALL = 4 }; /* of eps, from level to level */

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
    live_note(R->L, u);
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
    HY_PREFETCH(&R->L->stamp[v]);
    HY_PREFETCH(&((const double *)R->L->values)[v]);
    HY_PREFETCH(&((const double *)R->L->old)[v]);
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
    live_note(R->L, v);
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

enum { RUN = 256 }; /* entries of a run at a time */

/* v's rest is no longer small. */
static void notice(struct ranks *R, hy_vid v)
{
    const struct ranks_node *const a = &R->node[v];
    if (fabs(a->rest) > R->eps * a->degree)
        enqueue(R, v);
    else
        wait(R, v);
}

/* Adds x to the rests of v[0], v[step], ... and lists in `found` those to be
 * noticed; returns what the sum gained.  No branch depends on a node, so that
 * many are on their way from memory at once. */
HY_INLINE double give_run(struct ranks *R, const hy_vid *v, size_t n,
                          size_t step, double x, hy_vid *found, size_t *n_found)
{
    struct ranks_node *const node = R->node;
    const double least[2] = { R->least, R->eps };
    double sum = 0;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        struct ranks_node *const a = &node[v[i * step]];
        const double old = a->rest, now = old + x;
        const double most = least[(a->mark & RANKS_WAITING) != 0] * a->degree;
        a->rest = now;
        sum += fabs(now) - fabs(old);
        found[k] = v[i * step];
        k += (size_t)(fabs(now) > most) & (size_t) !(a->mark & RANKS_QUEUED);
    }
    *n_found = k;
    return sum;
}

/* The same for all of a span. */
static double give(struct ranks *R, const hy_span *s, double x)
{
    hy_vid found[RUN];
    double sum = 0;
    for (size_t i = 0, n; i < s->n; i += n) {
        size_t n_found;
        n = s->n - i < RUN ? s->n - i : RUN;
        if (s->step == 1)
            sum += give_run(R, s->v + i, n, 1, x, found, &n_found);
        else
            sum +=
                give_run(R, s->v + i * s->step, n, s->step, x, found, &n_found);
        for (size_t k = 0; k < n_found; k++)
            notice(R, found[k]);
    }
    return sum;
}

static void push(struct ranks *R, hy_vid u)
{
    struct ranks_node *const a = &R->node[u];
    const double x = a->rest, k = ranks_k(a), old = R->share[u];
    live_note(R->L, u);
    R->share[u] = old + x / k;
    const double moved = R->share[u] - old; /* what was really added */
    add_rest(R, u, -moved * k);
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
}

/* Asks for what pushes will need that are some places behind in the queue. */
static void look_ahead(const struct ranks *R)
{
    enum { FAR = 16, NEAR = 8 };
    if (R->n_queue > FAR) {
        const uint64_t at = (uint64_t)R->head + FAR;
        const hy_vid v = R->queue[at < R->room ? at : at - R->room];
        prefetch(R, v);
        view_prefetch_slot(R->V, v);
    }
    if (R->n_queue > NEAR) {
        const uint64_t at = (uint64_t)R->head + NEAR;
        view_prefetch_out(R->V, R->queue[at < R->room ? at : at - R->room]);
    }
}

/* Queues those who wait and are large enough; drops those who are too small. */
static void call(struct ranks *R)
{
    hy_vid n = 0;
    for (hy_vid i = 0; i < R->n_wait; i++) {
        const hy_vid v = R->wait[i];
        struct ranks_node *const a = &R->node[v];
        const double x = fabs(a->rest), k = ranks_k(a);
        if (x > R->least * k && x <= R->eps * k) {
            R->wait[n++] = v;
            continue;
        }
        a->mark &= ~(uint32_t)RANKS_WAITING;
        if (x > R->eps * k && !(a->mark & RANKS_QUEUED))
            enqueue(R, v);
    }
    R->work += R->n_wait / 8;
    R->n_wait = n;
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

/* Those who were queued wait again. */
static void stop(struct ranks *R)
{
    while (R->n_queue)
        wait(R, dequeue(R));
}

/* Pushes what is queued, in blocks; false if it does not pay any more. */
static bool push_queued(struct ranks *R, double goal, uint64_t limit)
{
    enum { BLOCK = 1 << 14 };
    while (R->n_queue && R->sum > goal) {
        const double sum = R->sum;
        const uint64_t work = R->work;
        while (R->n_queue && R->sum > goal && R->work - work < BLOCK) {
            look_ahead(R);
            push(R, dequeue(R));
        }
        const double cost = (double)(R->work - work), gain = sum - R->sum;
        if ((R->sum - goal) * cost > gain * (double)limit)
            return false;
    }
    return true;
}

void ranks_push(struct ranks *R, double goal, uint64_t limit)
{
    bool is_worth = true;
    R->eps = highest(R);
    while (is_worth && R->sum > goal && R->eps > R->least) {
        R->eps = R->eps / FALL > R->least ? R->eps / FALL : R->least;
        call(R);
        is_worth = push_queued(R, goal, limit);
    }
    stop(R);
}
