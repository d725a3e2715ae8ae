/* How the largest rests are pushed on.
 *
 *   Push
 *     for falling eps, while the sum is too large
 *       in waves, until nobody is large
 *         1 Send      each shard: while some |rest(u)| > eps * degree(u), and a
 *                     wave is not full, moves share(u) by rest(u) / k(u), sets
 *                     rest(u) to 0, and sends d times that to out-neighbours
 *         2 Receive   each shard: adds to rests what was sent to them; who is
 *                     large then is queued
 *         3 Apart     what no shard can do alone
 *
 * Rests are compared with degrees (as Andersen, Chung, Lang, FOCS 2006, do), so
 * that vertices go first where a push takes most from the sum for each edge
 * that it walks.
 *
 * A push waits for memory: its own vertex's, and that of all neighbours.  What
 * is sent is written one behind another, and received by who can ask for the
 * next ones ahead.  Shards send and receive in a fixed order each, from boxes
 * that only two know: the bits do not depend on how many threads there are.
 */
#include "algo/pagerank/pagerank_live.h"

#include <assert.h>

enum {
    FALL = 4,        /* of eps, from level to level */
    BLOCK = 1 << 14, /* edges from one look at the cost to the next */
    FEW = 512,       /* so many are pushed by one thread */
    RUN = 64,        /* letters that are read at a time: bits of a word */
};

/* ---- who is queued --------------------------------------------------------
 */

static void enqueue(struct ranks *R, struct ranks_shard *S, hy_vid v)
{
    const uint64_t at = (uint64_t)S->head + S->n_queue++;
    assert(!(R->node[v].mark & RANKS_QUEUED));
    R->queue[S->lo + (at < S->size ? at : at - S->size)] = v;
    R->node[v].mark |= RANKS_QUEUED;
}

static hy_vid dequeue(struct ranks *R, struct ranks_shard *S)
{
    const hy_vid v = R->queue[S->lo + S->head];
    S->head = S->head + 1 < S->size ? S->head + 1 : 0;
    S->n_queue--;
    R->node[v].mark &= ~(uint32_t)RANKS_QUEUED;
    return v;
}

/* The one who is i-th in the queue. */
HY_INLINE hy_vid queued(const struct ranks *R, const struct ranks_shard *S,
                        hy_vid i)
{
    const uint64_t at = (uint64_t)S->head + i;
    return R->queue[S->lo + (at < S->size ? at : at - S->size)];
}

/* Queues the next of those whose turn it is who are large, a group of them; who
 * is not small waits. */
static void take_turns(struct ranks *R, struct ranks_shard *S)
{
    enum { AHEAD = 24, GROUP = 256 };
    const hy_vid *const turn = R->turn + S->lo;
    while (S->at_turn < S->n_turn && S->n_queue < GROUP) {
        const hy_vid i = S->at_turn++, v = turn[i];
        struct ranks_node *const a = &R->node[v];
        HY_PREFETCH(&R->node[turn[i + AHEAD < S->n_turn ? i + AHEAD : i]]);
        const double rest = fabs(a->rest), k = ranks_k(a);
        a->mark &= ~(uint32_t)RANKS_WAITING;
        if (a->mark & RANKS_QUEUED)
            continue; /* by a letter, and it may be apart */
        if (rest > R->eps * k)
            enqueue(R, S, v);
        else if (rest > R->least * k)
            ranks_wait(R, v);
    }
}

/* ---- receive --------------------------------------------------------------
 */

static struct ranks_mail *box(const struct ranks *R, size_t from, size_t to)
{
    return R->mail + (from * R->shards + to) * 2 * R->wave;
}

/* v's rest is no longer small. */
static void notice(struct ranks *R, struct ranks_shard *S, hy_vid v)
{
    const struct ranks_node *const a = &R->node[v];
    if (a->mark & RANKS_QUEUED)
        return; /* since the last letter */
    if (fabs(a->rest) > R->eps * a->degree)
        enqueue(R, S, v);
    else
        ranks_wait(R, v);
}

/* Adds so many letters to rests, of `left`; sets bit i of *large if the i-th's
 * is to be noticed; returns what the sum gained.  No branch and no place
 * depends on a node, so that many are on their way from memory at once. */
HY_INLINE double read_run(struct ranks *R, const struct ranks_mail *mail,
                          size_t n, size_t left, uint64_t *large)
{
    enum { AHEAD = 24 };
    struct ranks_node *const node = R->node;
    const double least = R->least, eps = R->eps;
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        struct ranks_node *const a = &node[mail[i].v];
        const double old = a->rest, now = old + mail[i].x;
        const double most = (a->mark & RANKS_WAITING ? eps : least) * a->degree;
        const uint64_t is_large = fabs(now) > most;
        const uint64_t is_free = !(a->mark & RANKS_QUEUED);
        HY_PREFETCH(&node[mail[i + AHEAD < left ? i + AHEAD : i].v]);
        a->rest = now;
        sum += fabs(now) - fabs(old);
        bits |= (is_large & is_free) << i;
    }
    *large = bits;
    return sum;
}

static void read_mail(struct ranks *R, struct ranks_shard *S,
                      const struct ranks_mail *mail, size_t n)
{
    for (size_t i = 0; i < n; i += RUN) {
        const size_t left = n - i;
        uint64_t large;
        S->did.sum +=
            read_run(R, mail + i, left < RUN ? left : RUN, left, &large);
        for (; large; large &= large - 1)
            notice(R, S, mail[i + (size_t)__builtin_ctzll(large)].v);
    }
}

/* Writes the rests and lists of its shard, and empties its boxes. */
static void receive_par(void *arg, size_t to)
{
    struct ranks *const R = arg;
    for (uint32_t from = 0; from < R->shards; from++) {
        uint32_t *const n = &R->shard[from].n_mail[to];
        read_mail(R, &R->shard[to], box(R, from, to), *n);
        *n = 0;
    }
}

/* ---- send -----------------------------------------------------------------
 */

/* Sends x to v[0], v[step], ..., n of them. */
HY_INLINE void post(const struct ranks *R, struct ranks_shard *S,
                    const hy_vid *v, size_t n, size_t step, double x)
{
    struct ranks_mail *const boxes = box(R, (size_t)(S - R->shard), 0);
    const size_t room = 2 * (size_t)R->wave;
    const unsigned log = R->shard_log;
    for (size_t i = 0; i < n; i++) {
        const hy_vid w = v[i * step];
        const size_t to = w >> log;
        boxes[to * room + S->n_mail[to]++] =
            (struct ranks_mail){ .x = x, .v = w };
    }
}

/* Adds to the share of u; returns what was really added. */
static double add_share(struct ranks *R, struct ranks_tally *did, hy_vid u,
                        double x)
{
    const double old = R->share[u];
    ranks_move(R, u);
    R->share[u] = old + x;
    const double added = R->share[u] - old;
    ranks_add_rest(R, did, u, -added * ranks_k(&R->node[u]));
    return added;
}

/* Moves u's rest to its share; returns what is to be sent to each neighbour. */
static double move_rest(struct ranks *R, struct ranks_tally *did, hy_vid u)
{
    const struct ranks_node *const a = &R->node[u];
    const double moved = add_share(R, did, u, a->rest / ranks_k(a));
    const double x = R->d * moved;
    did->dangling += a->degree ? 0 : moved;
    did->net += x * a->degree;
    did->drift += fabs(x) * a->degree;
    did->work += 1 + a->degree;
    return x;
}

static void push(struct ranks *R, struct ranks_shard *S, hy_vid u)
{
    const double x = move_rest(R, &S->did, u);
    view_for_out (s, R->V, u)
        if (s.step == 1)
            post(R, S, s.v, s.n, 1, x);
        else
            post(R, S, s.v, s.n, s.step, x);
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
static void push_pair(struct ranks *R, struct ranks_tally *did, hy_vid u,
                      hy_vid v)
{
    const double d = R->d, x = R->node[u].rest, y = R->node[v].rest;
    const double part = 1 / (1 - d * d);
    const double to_u = add_share(R, did, u, (x + d * y) * part);
    const double to_v = add_share(R, did, v, (y + d * x) * part);
    ranks_add_rest(R, did, u, d * to_v);
    ranks_add_rest(R, did, v, d * to_u);
    did->work += 4;
}

/* Sets u apart if others are needed. */
static void push_or_part(struct ranks *R, struct ranks_shard *S, hy_vid u)
{
    const hy_vid v = partner(R, u);
    if (R->node[u].degree > R->wave ||
        (v != HY_NONE && ranks_home(R, v) != S)) {
        R->node[u].mark |= RANKS_QUEUED;
        S->apart[S->n_apart++] = u;
    } else if (v != HY_NONE) {
        push_pair(R, &S->did, u, v);
    } else {
        push(R, S, u);
    }
}

/* Asks for what pushes of those whose turn it is soon will need. */
HY_INLINE void look_ahead(const struct ranks *R, const struct ranks_shard *S)
{
    enum { FAR = 24, NEAR = 12 };
    if (S->n_queue > FAR) {
        ranks_prefetch(R, queued(R, S, FAR));
        view_prefetch_slot(R->V, queued(R, S, FAR));
    }
    if (S->n_queue > NEAR)
        ranks_prefetch_out(R, queued(R, S, NEAR));
}

/* Writes shares, rests, lists and boxes of its shard. */
static void send_par(void *arg, size_t from)
{
    struct ranks *const R = arg;
    struct ranks_shard *const S = &R->shard[from];
    while (S->did.work < R->wave && S->n_apart < RANKS_APART) {
        if (!S->n_queue)
            take_turns(R, S);
        if (!S->n_queue)
            return;
        look_ahead(R, S);
        push_or_part(R, S, dequeue(R, S));
    }
}

/* ---- apart ----------------------------------------------------------------
 */

/* In pieces that boxes have room for. */
static void push_hub(struct ranks *R, struct ranks_shard *S, hy_vid u)
{
    const double x = move_rest(R, &S->did, u);
    view_for_out (s, R->V, u)
        for (size_t i = 0, n; i < s.n; i += n) {
            n = s.n - i < R->wave ? s.n - i : R->wave;
            post(R, S, s.v + i * s.step, n, s.step, x);
            for (uint32_t to = 0; to < R->shards; to++)
                receive_par(R, to);
        }
}

/* Hubs, and lone edges between shards: boxes are empty. */
static void push_apart(struct ranks *R, struct ranks_shard *S)
{
    for (uint32_t i = 0; i < S->n_apart; i++) {
        const hy_vid u = S->apart[i], v = partner(R, u);
        R->node[u].mark &= ~(uint32_t)RANKS_QUEUED;
        if (v != HY_NONE)
            push_pair(R, &S->did, u, v);
        else
            push_hub(R, S, u);
    }
    S->n_apart = 0;
}

/* ---- push -----------------------------------------------------------------
 */

/* Who is queued, or is yet to have a turn. */
static uint64_t n_left(const struct ranks *R)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < R->shards; i++) {
        const struct ranks_shard *const S = &R->shard[i];
        n += S->n_queue + (S->n_turn - S->at_turn);
    }
    return n;
}

static void each_shard(struct ranks *R, par_step *step, bool is_shared)
{
    if (is_shared)
        par_run(R->L->ctx, R->shards, step, R);
    for (uint32_t i = 0; !is_shared && i < R->shards; i++)
        step(R, i);
}

static void wave(struct ranks *R)
{
    const bool is_shared = n_left(R) > FEW;
    each_shard(R, send_par, is_shared);
    each_shard(R, receive_par, is_shared);
    for (uint32_t i = 0; i < R->shards; i++)
        push_apart(R, &R->shard[i]);
    ranks_add_tallies(R);
}

/* The largest rest for a degree among those who wait. */
static double highest(const struct ranks *R)
{
    double most = 0;
    for (uint32_t k = 0; k < R->shards; k++)
        for (hy_vid i = 0; i < R->shard[k].n_wait; i++) {
            const hy_vid v = R->wait[R->shard[k].lo + i];
            const double x = fabs(R->node[v].rest) / ranks_k(&R->node[v]);
            most = x > most ? x : most;
        }
    return most;
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

/* All who wait have their turn. */
static void begin_level(struct ranks *R)
{
    hy_vid *const swap = R->turn;
    R->turn = R->wait;
    R->wait = swap;
    for (uint32_t i = 0; i < R->shards; i++) {
        struct ranks_shard *const S = &R->shard[i];
        S->n_turn = S->n_wait;
        S->n_wait = S->at_turn = 0;
    }
}

/* Who is queued then waits; so do those who had no turn. */
static void end_level(struct ranks *R)
{
    for (uint32_t i = 0; i < R->shards; i++) {
        struct ranks_shard *const S = &R->shard[i];
        S->did.work += S->at_turn / 8;
        while (S->n_queue)
            ranks_wait(R, dequeue(R, S));
        for (; S->at_turn < S->n_turn; S->at_turn++)
            R->wait[S->lo + S->n_wait++] = R->turn[S->lo + S->at_turn];
    }
    ranks_add_tallies(R);
}

/* One level: all who wait now and are large, in groups, each with what becomes
 * large thereby, while it is in the caches.  False if it does not pay any more.
 */
static bool push_level(struct ranks *R, const struct ranks_aim *aim,
                       uint64_t end)
{
    struct pushed last = { .sum = R->sum, .work = R->work };
    bool goes_on = true;
    begin_level(R);
    while (goes_on && R->sum > aim->goal && n_left(R)) {
        wave(R);
        goes_on = look_back(R, aim, end, &last);
    }
    end_level(R);
    return goes_on && R->work < end;
}

void ranks_push(struct ranks *R, const struct ranks_aim *aim)
{
    const uint64_t end = R->work + aim->limit;
    const bool is_hot = ranks_n_wait(R) > FEW;
    bool goes_on = true;
    R->told = 0;
    R->eps = highest(R);
    if (is_hot)
        par_hot_begin(R->L->ctx);
    while (goes_on && R->sum > aim->goal && R->eps > R->least) {
        R->eps = R->eps / FALL > R->least ? R->eps / FALL : R->least;
        goes_on = push_level(R, aim, end);
    }
    if (is_hot)
        par_hot_end(R->L->ctx);
}
