/* Trees of shortest paths: memory, the source, the way of the static function.
 */
#include "algo/live/tree.h"

#include "base/bits.h"
#include "par/par.h"

#include <string.h>

enum { FILL_GRAIN = 1 << 16, ROOM_LEAST = 4 * TREE_RUN };

/* Parts of what the static function costs, so that an attempt in vain and the
 * static function after it stay below 1.2 of it. */
struct shares {
    double most;   /* where a repair gives up, ... */
    double in_all; /* ... unless it is about to end, before this in all */
    double ahead;  /* or once so much of its size is foreseen, by averages */
    double many;   /* it is not begun if the changes alone cost so much */
};

static const struct shares hops = {
    .most = 0.15, .in_all = 0.6, .ahead = 0.45, .many = 0.08
};
static const struct shares paths = {
    .most = 0.15, .in_all = 0.6, .ahead = 0.45, .many = 0.1
};

/* If the last two repairs gave up the next ones do so at this part, for so many
 * commits at most; one that is about to end is asked again each time it has
 * cost this part more. */
enum { SHARE_WARY = 80, WARY_MOST = 15, SHARE_STEP = 20 };

/* A changed edge costs as much as so many that are looked at; one of hops,
 * whose ends are read and no more, most often. */
enum { CHANGE = 5, CHANGE_HOPS = 2 };

/* A vertex that changes hops, besides its edges. */
enum { VERTEX = 12 };

/* Seconds for an edge, before any are known; and of how much work they are
 * worth learning. */
#define HOPS_ANEW 10e-9
#define HOPS_EACH 9e-9
#define PATHS_ANEW 5e-9
#define PATHS_EACH 5.5e-9
enum { WORK_TOLD = 4096 };

/* Of the first time, which met memory that was never touched. */
#define FIRST 0.7

/* ---- memory ---------------------------------------------------------------
 */

/* Every vertex is once in the queue or in the list, but for entries that are
 * out of date: one for each changed edge, and a quarter of all before a sweep
 * removes them (tree_repair.h). */
static hy_status reserve_entries(struct live_tree *T, uint64_t edges)
{
    const size_t bound = T->L->room;
    const size_t need = bound + bound / 4 + edges + ROOM_LEAST;
    if (need <= T->queue.room)
        return HY_OK;
    const size_t room = need + edges;
    struct tree_entry *at = base_alloc_raw(T->L->ctx, room, sizeof *at);
    if (!at)
        return HY_ENOMEM;
    base_free(T->L->ctx, T->queue.at);
    T->queue.at = at;
    T->queue.room = room;
    return HY_OK;
}

static hy_status reserve_marks(struct live_tree *T)
{
    const size_t room = bits_words(T->L->room);
    if (room <= T->cut_room && T->cut)
        return HY_OK;
    HY_TRY(live_grow(T->L->ctx, &T->cut, T->cut ? T->cut_room : 0, room,
                     sizeof *T->cut, 0));
    T->cut_room = room;
    return HY_OK;
}

hy_status tree_reserve(struct live_tree *T, const struct watch_coming *coming)
{
    HY_TRY(reserve_marks(T));
    HY_TRY(live_spare_reserve(&T->spare, T->L, coming->bound));
    return reserve_entries(T, coming->edges);
}

void tree_fini(struct live_tree *T, hy_ctx *ctx)
{
    live_spare_fini(&T->spare, ctx);
    base_free(ctx, T->queue.at);
    base_free(ctx, T->rank);
    base_free(ctx, T->cut);
    base_free(ctx, T);
}

/* ---- the source -----------------------------------------------------------
 */

/* Fills its range. */
static void clear_par(void *arg, size_t lo, size_t hi)
{
    struct live_tree *T = arg;
    live_fill_nothing(T->L->kind, T->L->values, lo, hi);
    memset(T->L->parents + lo, 0xff, (hi - lo) * sizeof *T->L->parents);
    if (T->has_flat)
        memset(T->rank + lo, 0, (hi - lo) * sizeof *T->rank);
}

static void clear(struct live_tree *T)
{
    live_keep_all(T->L);
    par_for(T->L->ctx, T->L->room, FILL_GRAIN, clear_par, T);
    T->has_flat = false;
    T->reached = 0;
}

static bool is_named(const hy_view *V, hy_vid v, uint64_t external)
{
    return v < V->bound && view_has_vertex(V, v) &&
           hy_view_external(V, v) == external;
}

hy_vid tree_source(const hy_view *V, hy_vid source, uint64_t external,
                   const hy_delta *delta)
{
    const hy_vid_list *const came = &delta->vertices_inserted;
    if (!came->n && !delta->vertices_deleted.n)
        return source;
    if (is_named(V, source, external))
        return source;
    for (uint64_t i = 0; i < came->n; i++)
        if (is_named(V, came->at[i], external))
            return came->at[i];
    return HY_NONE;
}

bool tree_find_source(struct live_tree *T, const hy_delta *delta)
{
    live_say(T->L, HY_LIVE_REPAIRED, "there is no source");
    const hy_vid now = tree_source(T->W.V, T->source, T->external, delta);
    if (now != T->source && T->source != HY_NONE) {
        clear(T);
        live_say(T->L, HY_LIVE_RECOMPUTED, "the source went");
    }
    T->source = now;
    return now != HY_NONE;
}

/* ---- repair or recompute --------------------------------------------------
 */

static const struct shares *shares(const struct live_tree *T)
{
    return T->is_hops ? &hops : &paths;
}

/* Of this commit, so far. */
static double spent(const struct live_tree *T)
{
    return hy_clock() - T->L->began;
}

static uint64_t part(uint64_t cost, double share)
{
    return (uint64_t)((double)cost * share);
}

void tree_begin(struct live_tree *T, const hy_delta *delta)
{
    const uint64_t cost =
        (uint64_t)((double)T->size(T) * T->anew / T->each) + 1;
    T->delta = delta;
    T->edges = delta->inserted.n + delta->deleted.n;
    /* Steps of hops do not get longer. */
    T->edges += T->is_hops ? 0 : delta->updated.n;
    T->work = T->edges * (T->is_hops ? CHANGE_HOPS : CHANGE);
    T->past = &T->pasts[delta->deleted.n > delta->inserted.n];
    T->cost = cost;
    T->most = T->most_in = part(cost, shares(T)->most);
    T->is_wary = T->past->wait && T->edges >= T->past->edges / 4;
    if (T->is_wary) {
        const uint64_t usual = 2 * T->past->usual;
        T->past->wait--;
        T->most = usual < T->most ? usual : T->most;
        T->most_in = T->most > T->most_in / 2 ? T->most : T->most_in / 2;
    }
    T->until = (double)T->most * T->each;
    if (T->work > part(cost, shares(T)->many))
        T->most_in = 0; /* not to be begun */
}

void tree_begin_phase(struct live_tree *T)
{
    const uint64_t least = T->work + T->cost / SHARE_WARY;
    if (T->most < least) {
        T->most = least < T->most_in ? least : T->most_in;
        T->until = (double)T->most * T->each;
    }
    T->work_before = T->work;
    T->pops = T->puts = 0;
    T->foreseen = 0;
}

/* What is foreseen for all that is left. */
static bool is_too_much(const struct live_tree *T)
{
    return T->foreseen > part(T->size(T), shares(T)->ahead);
}

void tree_foresee(struct live_tree *T, uint64_t vertices, unsigned times)
{
    const hy_view *const V = T->W.V;
    const uint64_t each = VERTEX + hy_view_arcs(V) / (V->vertices | 1);
    const bool was_too_much = is_too_much(T);
    T->foreseen += vertices * each * times;
    if (!was_too_much && is_too_much(T))
        T->most = T->work < T->most ? T->work : T->most;
}

/* Entries beget entries: if each brings r < 1 more, all that are left come to
 * 1 / (1 - r) as many.  Those of the list will be put and taken once more.
 * What few of them cost says little about many. */
static bool is_about_to_end(const struct live_tree *T)
{
    const struct tree_queue *const Q = &T->queue;
    const double left = (double)(tree_queue_count(Q) + 2 * Q->n_list);
    const double pops = (double)T->pops, r = (double)T->puts / pops;
    if (pops < left / 8 || r > 0.85)
        return false;
    const double each = (double)(T->work - T->work_before) / pops;
    const double in_all = (double)T->work + left * each / (1 - r);
    return in_all < (double)T->cost * shares(T)->in_all;
}

/* Edges that may be looked at until it has taken all it may; 0: it has.  From
 * now on the static function costs what it does at the pace of this repair. */
static uint64_t edges_left(struct live_tree *T)
{
    const double now = spent(T);
    const double each = now > 0 ? now / (double)T->work : T->each;
    T->cost = (uint64_t)((double)T->size(T) * T->anew / each) + 1;
    return now < T->until ? (uint64_t)((T->until - now) / each) + 1 : 0;
}

bool tree_inserts_on(struct live_tree *T)
{
    const uint64_t left = edges_left(T);
    T->most_in = T->work + left;
    return left != 0;
}

bool tree_goes_on(struct live_tree *T)
{
    const uint64_t left = edges_left(T);
    if (left && !is_too_much(T))
        T->most = T->work + left;
    else if (is_about_to_end(T))
        T->most = T->work + T->cost / SHARE_STEP;
    else
        return false;
    return true;
}

static void learn_each(struct live_tree *T)
{
    if (T->work >= WORK_TOLD)
        live_learn(&T->each, spent(T) / (double)T->work);
}

static void give_up(struct live_tree *T)
{
    struct tree_past *const past = T->past;
    if (T->is_wary)
        return;
    past->wait = past->span;
    past->span = past->span < WARY_MOST ? 4 * past->span + 3 : WARY_MOST;
    past->edges = T->edges;
}

static void unmark_ends(struct live_tree *T, const hy_edge_list *edges)
{
    for (uint64_t i = 0; i < edges->n; i++)
        T->cut[edges->at[i].u / 64] = T->cut[edges->at[i].v / 64] = 0;
}

/* Ends all marks: those that lost their values are noted, others are ends of
 * changed edges. */
static void unmark(struct live_tree *T)
{
    const hy_live *const L = T->L;
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    if (!T->has_cut)
        return;
    T->has_cut = false;
    if (L->is_all_kept)
        memset(T->cut, 0, bits_words(L->room) * sizeof *T->cut);
    for (uint32_t i = 0; i < n; i++)
        T->cut[L->noted[i] / 64] = 0;
    unmark_ends(T, &T->delta->inserted);
    unmark_ends(T, &T->delta->updated);
}

void tree_end(struct live_tree *T)
{
    struct tree_past *const past = T->past;
    const uint64_t usual = past->usual - past->usual / 8;
    *past = (struct tree_past){ .usual = T->work > usual ? T->work : usual };
    unmark(T);
    learn_each(T);
}

/* ---- the other way --------------------------------------------------------
 */

hy_status tree_start(struct live_tree *T)
{
    hy_live *const L = T->L;
    if (!hy_view_has_vertex(T->W.V, T->source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)T->source);
    HY_TRY(reserve_entries(T, 0));
    HY_TRY(live_spare_reserve(&T->spare, L, T->W.V->bound));
    T->external = hy_view_external(T->W.V, T->source);
    T->anew = T->is_hops ? HOPS_ANEW : PATHS_ANEW;
    T->each = T->is_hops ? HOPS_EACH : PATHS_EACH;
    const double begin = hy_clock();
    HY_TRY(T->solve(T, L->values, L->parents));
    live_learn(&T->anew, FIRST * (hy_clock() - begin) / (double)T->size(T));
    L->info.total = T->reached;
    return HY_OK;
}

bool tree_recompute(struct live_tree *T, const char *why)
{
    hy_live *const L = T->L;
    /* The static function must not write where the values are: it may fail. */
    const double begin = hy_clock();
    if (T->solve(T, T->spare.values, T->spare.parents) != HY_OK)
        return false;
    live_learn(&T->anew, (hy_clock() - begin) / (double)T->size(T));
    unmark(T);
    live_spare_take(&T->spare, L, T->W.V->bound);
    tree_queue_clear(&T->queue);
    give_up(T);
    live_say(L, HY_LIVE_RECOMPUTED, why);
    return true;
}
