/* PageRank, live.
 *
 *   Follow(delta)
 *     1 Take      the rests that changed edges and vertices leave
 *     2 Anew      from the first ranks of a static run, if these are nearer
 *     3 Push      the largest ones, while that is cheap
 *     4 Round     the highest ones at once, if their sum is near its goal
 *     5 Sweep     all of them, while their sum is too large
 *     6 Publish   rank(v) <- (z(v) + rest(v)) / scale, of those that moved or
 *                 of all
 *
 * Without dangling mass.  The ranks r are the only solution of
 *   r(v) = c + d * sum of r(u)/degree(u), u -> v,    c = (1 - d + d * D) / n
 * where D is the sum of r over dangling vertices.  So r = c * z, where z solves
 *   z(v) = 1 + d * sum of z(u)/degree(u), u -> v,
 * and as ranks sum to 1, c = 1 / sum of z.  Nothing in z depends on n or D: a
 * vertex that comes or goes, or is left without edges, touches only itself and
 * its neighbours.  pagerank_bound.c says how far what is published may be away.
 *
 * After the pushes of Andersen, Chung, Lang (FOCS 2006) and their use for
 * graphs that change (Zhang, Lofgren, Goel, KDD 2016), which keep ranks and not
 * shares, and so touch all neighbours of a changed edge's source.  Meerkat
 * (2023) runs all iterations from the old ranks.
 */
#include "algo/pagerank/pagerank_live.h"

#include "base/bits.h"

enum {
    PUSH_COST = 24, /* of an edge of a push, in edges of a sweep */
    ROUND_COST = 8, /* of a vertex in rounds without pushes */
    NEAR = 3,       /* goals that the sum may be when rounds begin */
    FEW = 64,       /* one waits of so many, and pushes may beat a round */
    FEW_HIGH = 16,  /* so too after a sweep, where all of them are high */
};

/* ---- repair ---------------------------------------------------------------
 */

/* Sweeps that a sum of rests is likely to need, at least one. */
static double sweeps_for(const struct ranks *R, double sum)
{
    const double each = ranks_likely(R, RANKS_ROW);
    double left = sum * ranks_likely(R, 0) / ranks_goal(R);
    uint32_t n = 1;
    for (; n < RANKS_ROW && left > 1; n++)
        left *= ranks_likely(R, n);
    return n + (left > 1 ? ceil(log(left) / -log(each)) : 0);
}

static double sweeps_ahead(const struct ranks *R)
{
    return sweeps_for(R, R->sum);
}

/* The sum from which n sweeps, n > 0, are likely to suffice. */
static double reach(const struct ranks *R, double n)
{
    double sum = ranks_goal(R) * ranks_reach(R);
    for (uint32_t i = 1; i < n && sum < R->sum; i++)
        sum /= ranks_likely(R, i);
    return sum;
}

/* Pushes the largest rests as long as they take more from the sum than sweeps
 * would at the same cost. */
static void push_fast(struct ranks *R, double aim, uint64_t limit)
{
    const double edges = sweeps_ahead(R) * ranks_sweep_cost(R) / PUSH_COST;
    const double pace = log(R->sum / ranks_goal(R)) / edges;
    ranks_push(R, &(struct ranks_aim){ .goal = aim,
                                       .pace = pace > 0 ? pace : 0,
                                       .limit = limit });
}

/* Goes on if that is likely to save a sweep for less. */
static void push_on(struct ranks *R)
{
    const double sweeps = sweeps_ahead(R);
    const double save = ranks_sweep_cost(R), most = ranks_static_cost(R) / 5;
    const double limit = (save < most ? save : most) / PUSH_COST;
    ranks_push(R, &(struct ranks_aim){ .goal = sweeps > 1 ? reach(R, sweeps - 1)
                                                          : ranks_goal(R),
                                       .limit = (uint64_t)limit + 1 });
}

/* Is the sum such that rounds may do? */
static bool is_near(const struct ranks *R)
{
    return !R->is_slow && R->sum <= NEAR * ranks_goal(R);
}

/* Does a sweep leave little? */
static bool mixes_fast(const struct ranks *R)
{
    return R->left[0] < 0.5;
}

/* From here on a rest is not small. */
static void set_least(struct ranks *R)
{
    R->least =
        ranks_goal(R) / ((double)R->V->arcs + 1) * (mixes_fast(R) ? 8 : 1);
}

/* The sum is near its goal: pushes if few wait, then rounds. */
static void push_last(struct ranks *R, double far, hy_vid few)
{
    const uint64_t most = (uint64_t)R->V->bound * ROUND_COST / PUSH_COST;
    if (ranks_n_wait(R) <= few)
        push_fast(R, far, most + 1);
    if (!ranks_is_done(R))
        ranks_rounds(R, far, ranks_sweep_cost(R), ranks_next_scale(R));
}

/* `added`: what this commit added to the sum.  After a small commit the sum is
 * brought down further, so that the next ones have nothing to do. */
static void push_some(struct ranks *R, double added)
{
    const double aim = ranks_goal(R), one = reach(R, 1);
    const double far = added < aim / 4 ? aim * 3 / 4 : aim;
    set_least(R);
    if (!is_near(R))
        push_fast(R, mixes_fast(R) && far < one ? one : far, UINT64_MAX / 2);
    if (!ranks_is_done(R) && !is_near(R) && !(mixes_fast(R) && R->sum <= one))
        push_on(R);
    if (!ranks_is_done(R) && is_near(R))
        push_last(R, far, R->V->bound / FEW);
}

/* Is the sum after the i-th sweep in a row likely to be low enough?  One that
 * is low already may only have to be written down. */
static bool may_be_last(const struct ranks *R, uint32_t i)
{
    const double hope = 1.25; /* estimates are careful */
    return ranks_is_done(R) ||
           R->sum * ranks_likely(R, i) <= hope * ranks_goal(R);
}

static void sweep_all(struct ranks *R)
{
    const uint32_t most = R->plan.iterations;
    uint32_t row = 0;
    set_least(R);
    for (uint32_t i = 0; i < most && (R->is_open || !ranks_is_done(R)); i++) {
        const bool tells = may_be_last(R, row) || i + 1 == most;
        ranks_sweep(R, row++, ranks_goal(R), tells ? ranks_next_scale(R) : 0);
        if (!ranks_is_done(R) && is_near(R)) {
            if (R->is_fast)
                ranks_wait_high(R);
            push_last(R, ranks_goal(R), R->V->bound / FEW_HIGH);
            row = 0;
        }
        ranks_forget(R);
    }
}

/* ---- anew -----------------------------------------------------------------
 */

/* Where sweeps are many, what a static run begins with may be nearer: all that
 * made a regular graph another one may be gone.  True: it was. */
static bool begin_anew(struct ranks *R)
{
    const double anew = 1.5; /* sweeps, to find all rests */
    const double now = sweeps_ahead(R);
    if (!view_is_undirected(R->V) || now < 1 + anew)
        return false;
    const double sum = ranks_first_sum(R, R->sum);
    if (anew + (sum > ranks_goal(R) ? sweeps_for(R, sum) : 0) >= now)
        return false;
    ranks_first(R);
    return true;
}

/* Would sweeps take longer than to start from nothing? */
static bool is_hopeless(const struct ranks *R)
{
    return sweeps_ahead(R) * ranks_sweep_cost(R) > ranks_static_cost(R);
}

/* Rounding stays: in sums that are kept by adding to them what changes, and in
 * rests.  Where it has become too much, as in a graph that is a fraction of
 * what it was, they are made anew. */
static void measure_again(struct ranks *R)
{
    const double much = ranks_goal(R) / 64;
    if (!R->V->vertices) {
        R->sum = R->net = R->dangling = R->doubt = R->blur = 0;
        return;
    }
    if (R->blur >= much)
        ranks_measure(R);
    if (R->doubt < much)
        return;
    R->sum = R->net = R->dangling = R->doubt = 0;
    for (hy_vid v = 0; v < R->V->bound; v++) {
        const struct ranks_node *const a = &R->node[v];
        R->sum += fabs(a->rest);
        R->net += a->rest;
        R->dangling += R->share[v] * ranks_is_dangling(a);
    }
    R->work += R->V->bound;
}

/* False if there is no memory: ranks are as they were. */
static bool recompute(struct ranks *R)
{
    live_keep_all(R->L);
    if (ranks_run_static(R) != HY_OK)
        return false;
    live_say(R->L, HY_LIVE_RECOMPUTED, "too much changed");
    if (R->error * (1 - R->d) > R->plan.tolerance) {
        ranks_know(R); /* by rounding, or its iterations did not suffice */
        sweep_all(R);
    }
    return true;
}

/* Is more missing than there is?  Then ranks from nothing are nearer, and what
 * sweeps would do to such rests leaves more rounding than they may. */
static bool is_lost(const struct ranks *R)
{
    return R->sum > ranks_best_scale(R);
}

/* Was so much, or not much more, too much before?  Asked again now and then. */
static bool is_in_vain(struct ranks *R)
{
    const bool is_so = R->sum > ranks_goal(R) * R->vain;
    R->vain *= is_so ? 1.125 : 1;
    return is_so;
}

static void repair(struct ranks *R, const hy_delta *delta)
{
    const bool is_blank = R->is_blank;
    const double before = is_blank ? 0 : R->sum;
    ranks_know(R);
    if (!is_blank)
        ranks_take(R, delta);
    measure_again(R);
    const double height = R->sum, ratio = height / ranks_goal(R);
    live_say(R->L, HY_LIVE_REPAIRED, "what is missing is within the tolerance");
    if (!ranks_is_done(R) && !is_lost(R) && !is_in_vain(R)) {
        const bool is_new = begin_anew(R);
        if (!is_new)
            push_some(R, height - before);
        measure_again(R);
        live_say(R->L, HY_LIVE_REPAIRED, "by pushing what changed");
        if (!ranks_is_done(R) && !is_hopeless(R)) {
            sweep_all(R);
            live_say(R->L, HY_LIVE_REPAIRED, "by sweeps over what is missing");
        }
        R->vain = ranks_is_done(R) ? HUGE_VAL : ratio;
        if (ranks_is_done(R))
            R->span = R->to_wait = 0;
        if (is_new)
            live_say(R->L, HY_LIVE_RECOMPUTED, "first ranks were nearer");
    }
    if (ranks_is_done(R))
        return;
    ranks_learn_vain(R, delta);
    if (!recompute(R))
        sweep_all(R);
}

static void publish(struct ranks *R)
{
    hy_live *const L = R->L;
    if (!R->is_blank) {
        ranks_publish(R);
        return;
    }
    L->info.work = R->work;
    L->info.total = R->V->vertices;
    L->info.error = R->error;
}

/* ---- the kind -------------------------------------------------------------
 */

/* New entries are 0. */
static hy_status grow_space(hy_ctx *ctx, struct base_space *space, hy_vid room,
                            size_t size)
{
    if (!space->base)
        HY_TRY(base_space_init(ctx, space, (size_t)HY_NONE * size,
                               (size_t)room * size));
    return base_space_grow(ctx, space, (size_t)room * size);
}

/* All arrays of bytes, one behind another: those of boxes, which are 0 between
 * commits, and the low bytes of steps, which nobody needs then. */
static hy_status grow_bytes(hy_ctx *ctx, struct ranks *R, hy_vid room)
{
    const size_t arrays = 1 + 2 * (size_t)R->lanes;
    if (R->low)
        memset(R->low, 0, R->room * sizeof *R->low);
    HY_TRY(grow_space(ctx, &R->bytes, room, arrays));
    int8_t *at = (int8_t *)R->bytes.base;
    R->low = at;
    for (uint32_t i = 0; i < R->lanes; i++) {
        R->box[0].low[i] = at += room;
        R->box[1].low[i] = at += room;
    }
    return HY_OK;
}

static hy_status grow(hy_live *L, hy_vid bound)
{
    struct ranks *const R = L->state;
    if (bound <= R->room && R->part)
        return HY_OK;
    const uint64_t want = (uint64_t)bound + bound / 8 + 1;
    const hy_vid room = want < HY_NONE ? (hy_vid)want : HY_NONE;
    const size_t used = R->room, tasks = bits_div_up(room, RANKS_TASK);
    HY_TRY(grow_space(L->ctx, &R->shares, room, sizeof *R->share));
    HY_TRY(grow_space(L->ctx, &R->nodes, room, sizeof *R->node));
    R->share = (double *)(void *)R->shares.base;
    R->node = (struct ranks_node *)(void *)R->nodes.base;
    HY_TRY(live_grow(L->ctx, &R->step, used, room, sizeof *R->step, 0));
    HY_TRY(live_grow(L->ctx, &R->next, used, room, sizeof *R->next, 0));
    HY_TRY(live_grow(L->ctx, &R->queue, used, room, sizeof *R->queue, 0));
    HY_TRY(live_grow(L->ctx, &R->wait, used, room, sizeof *R->wait, 0));
    HY_TRY(live_grow(L->ctx, &R->turn, used, room, sizeof *R->turn, 0));
    HY_TRY(live_grow(L->ctx, &R->moved, used, room, sizeof *R->moved, 0));
    for (int i = 0; i < 2; i++) {
        struct ranks_box *const box = &R->box[i];
        HY_TRY(live_grow(L->ctx, &box->high, used, room, sizeof *box->high, 0));
        HY_TRY(live_grow(L->ctx, &box->has_high, 0, ranks_marks(room),
                         sizeof *box->has_high, 0));
    }
    HY_TRY(grow_bytes(L->ctx, R, room));
    HY_TRY(live_grow(L->ctx, &R->part, 0, tasks, sizeof *R->part, 0));
    HY_TRY(live_grow(L->ctx, &R->mail, 0, ranks_mail_room(room),
                     sizeof *R->mail, 0));
    R->room = room;
    return HY_OK;
}

static void set_view(hy_live *L, const hy_view *V)
{
    struct ranks *const R = L->state;
    R->L = L;
    R->V = V;
    R->work = 0;
    R->is_all = R->is_stuck = false;
    R->told = 0;
}

/* Nothing is known of this graph. */
static void know_nothing(struct ranks *R)
{
    R->known_arcs = R->V->arcs;
    R->gain = 0.5;
    for (uint32_t i = 0; i < RANKS_ROW; i++) {
        R->left[i] = 0.5;
        R->knows[i] = false;
    }
    R->vain = HUGE_VAL;
    R->is_slow = false;
}

/* A graph that has grown by half, or shrunk as much, is another one: a forest
 * that became a random graph was swept in rows of eight, where a static run
 * takes five sweeps. */
static void guess_again(struct ranks *R)
{
    enum { SWEEPS = 6 };
    const uint64_t known = R->known_arcs, now = R->V->arcs;
    if (now <= known + known / 2 && known <= now + now / 2)
        return;
    know_nothing(R);
    R->sweeps = R->sweeps < SWEEPS ? R->sweeps : SWEEPS;
}

static hy_status start(hy_live *L, const hy_view *V)
{
    struct ranks *const R = L->state;
    set_view(L, V);
    HY_TRY(grow(L, V->bound));
    ranks_cut(R);
    know_nothing(R);
    HY_TRY(ranks_run_static(R));
    ranks_know(R);
    /* Once more: changes find room, and what a sweep leaves is known. */
    set_least(R);
    if (R->sum > 0)
        ranks_sweep(R, 0, ranks_goal(R), ranks_best_scale(R));
    ranks_forget(R);
    sweep_all(R);
    R->scale = 0;
    ranks_publish(R);
    return HY_OK;
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    return grow(L, coming->bound);
}

static bool is_nothing(const hy_delta *delta)
{
    return !delta->inserted.n && !delta->deleted.n &&
           !delta->vertices_inserted.n && !delta->vertices_deleted.n;
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct ranks *const R = L->state;
    set_view(L, V);
    if (R->cut != V->bound)
        ranks_cut(R);
    guess_again(R);
    if (R->is_blank && is_nothing(delta))
        live_say(L, HY_LIVE_REPAIRED, "nothing changed");
    else if (!ranks_is_much(R, delta) || !recompute(R))
        repair(R, delta);
    publish(R);
}

static void fini(hy_live *L)
{
    struct ranks *const R = L->state;
    if (R) {
        base_space_fini(L->ctx, &R->shares);
        base_space_fini(L->ctx, &R->nodes);
        base_free(L->ctx, R->step);
        base_free(L->ctx, R->next);
        base_free(L->ctx, R->queue);
        base_free(L->ctx, R->wait);
        base_free(L->ctx, R->turn);
        base_free(L->ctx, R->moved);
        base_free(L->ctx, R->part);
        base_free(L->ctx, R->mail);
        base_space_fini(L->ctx, &R->bytes);
        for (int i = 0; i < 2; i++) {
            base_free(L->ctx, R->box[i].high);
            base_free(L->ctx, R->box[i].has_high);
        }
    }
    base_free(L->ctx, R);
}

hy_status hy_live_pagerank(hy_graph *G, const hy_pagerank_opts *opts,
                           hy_live **out)
{
    static const struct live_kind kind = {
        .name = "pagerank",
        .type = HY_F64,
        .needs_in = true,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = ranks_check,
    };
    struct pagerank_plan plan;
    if (!G || !out)
        return base_fail(HY_EINVAL, "ranks of no graph");
    HY_TRY(pagerank_plan(&plan, opts));
    if (plan.is_exact)
        return base_fail(HY_EINVAL, "live ranks need a tolerance");
    if (opts && opts->device)
        return pagerank_live_on_device(G, opts, out);
    struct ranks *R = base_alloc(hy_graph_ctx(G), 1, sizeof *R);
    if (!R)
        return HY_ENOMEM;
    R->opts = opts ? *opts : (hy_pagerank_opts){ 0 };
    R->plan = plan;
    R->d = plan.damping;
    const uint32_t width = par_width(hy_graph_ctx(G));
    R->lanes = width < RANKS_LANES ? width : RANKS_LANES;
    return live_attach(G, &kind, R, false, out);
}
