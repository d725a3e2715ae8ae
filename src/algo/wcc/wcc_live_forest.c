/* A spanning forest with levels, from nothing.
 *
 *   Rebuild(V)
 *     1 Begin     parent(u) <- the smallest neighbour of u, if smaller than u;
 *                 level(u) <- u; p(u) <- the root of u
 *     2 a few times, while many vertices are left
 *     3   Seed      c <- the most frequent root of some vertices
 *     4   Spread    while c is small: to the neighbours of its vertices
 *     5   Sweep     u not in c: if it has a neighbour w in c, it hangs under w
 *                   and is in c, from now on; twice or more often
 *         Spread    from those that came in last: neighbours, theirs, …
 *     6 Rest      what is left: component by component, one thread
 *     7 Name      by the smallest vertices
 *
 * Begin and Seed are Afforest's (wcc_afforest.c), and so is the hope: that
 * most vertices are in c at once, as in a grid, or one step away, as in a
 * random graph, and find that out at one of their first edges.  Where it
 * unites trees, we let the largest one grow, since a tree that is hung under
 * another at a vertex other than its root would have to turn around.
 *
 * p lies in the answer's values, whose form it has in the end.
 */
#include "algo/wcc/wcc_live.h"

#include "algo/common/list.h"
#include "algo/common/sample.h"
#include "ops/sets.h"

enum {
    GRAIN = 1 << 10,
    GRAIN_LIST = 1 << 8,
    ROUNDS = 4,    /* seeds */
    FEW = 1 << 14, /* vertices left that one thread can be left alone with */
    DRAWS = 32,    /* of those left, for the next seed */
    LARGE = 8,     /* one in so many vertices: enough to be met by most */
    HEAVY = 16,    /* one in so many edges: more than sweeps will look at */
};

struct forest {
    struct wcc_live *W;
    const hy_view *V;
    hy_ctx *ctx;
    hy_vid *p;
    hy_vid c;             /* the seed's root */
    hy_vid min;           /* of those in c; atomic, relaxed */
    uint64_t size;        /* in c; atomic, relaxed */
    uint64_t edges;       /* of a wave; atomic, relaxed */
    uint64_t alone;       /* vertices without neighbours; atomic, relaxed */
    const hy_vid *list;   /* NULL: all ids */
    struct algo_list out; /* those of the list that are not in c */
    struct algo_wave wave;
    hy_vid seed[ROUNDS], name[ROUNDS];
    unsigned n_seeds;
};

/* What a step found, to be added up once. */
struct tally {
    uint64_t size, alone;
    hy_vid min;
};

static void add_up(struct forest *F, const struct tally *tally)
{
    (void)atomic_add_u64(&F->size, tally->size);
    (void)atomic_add_u64(&F->alone, tally->alone);
    atomic_min_u32(&F->min, tally->min);
}

/* ---- 1 ---------------------------------------------------------------------
 */

/* Writes nodes and p of its range. */
static void begin_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
    struct wcc_node *const node = F->W->node;
    for (size_t u = lo; u < hi; u++) {
        node[u] = (struct wcc_node){ .parent = HY_NONE, .level = (uint32_t)u };
        F->p[u] = (hy_vid)u;
    }
    hy_scan scan = hy_scan_out(F->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_vid u = scan.span.u, v = scan.span.v[0];
        if (v < u)
            node[u].parent = F->p[u] = v;
        scan.span.path = 0; /* one span of each vertex is enough */
    }
}

/* Writes p of its range, and reads that of others: any ancestor will do. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((const struct forest *)arg)->p, lo, hi);
}

/* ---- 3 ---------------------------------------------------------------------
 */

static hy_vid draw_seed(const struct forest *F, uint64_t n)
{
    hy_vid best = HY_NONE;
    unsigned most = 0;
    if (!F->list)
        return algo_sample(F->V, F->p).value;
    for (unsigned i = 0; i < DRAWS; i++) {
        const hy_vid x = F->p[F->list[n * i / DRAWS]];
        unsigned k = 0;
        for (unsigned j = 0; j < DRAWS; j++)
            k += F->p[F->list[n * j / DRAWS]] == x;
        if (k > most) {
            most = k;
            best = x;
        }
    }
    return best;
}

/* ---- 4 ---------------------------------------------------------------------
 */

/* Acquire: the level that was put before. */
static bool is_in(const struct forest *F, hy_vid v)
{
    return __atomic_load_n(&F->p[v], __ATOMIC_ACQUIRE) == F->c;
}

/* Hangs v under w, if no other thread does. */
static bool take_in(struct forest *F, hy_vid v, hy_vid w)
{
    hy_vid old = atomic_peek_u32(&F->p[v]);
    if (old == F->c || !atomic_claim_u32(&F->p[v], &old, F->c))
        return false;
    F->W->node[v] =
        (struct wcc_node){ .parent = w, .level = F->W->node[w].level + 1 };
    return true;
}

static void spread_from(struct forest *F, hy_vid w, struct algo_puts *puts,
                        struct tally *tally)
{
    near_for(s, F->V, w) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid v = s.v[i * s.step];
        if (!take_in(F, v, w))
            continue;
        algo_put(puts, v);
        tally->size++;
        tally->min = v < tally->min ? v : tally->min;
    }
}

/* Writes p and nodes of vertices that it takes in. */
static void spread_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->wave.list };
    struct tally tally = { .min = HY_NONE };
    for (size_t i = F->wave.lo + lo; i < F->wave.lo + hi; i++)
        spread_from(F, F->wave.list.at[i], &puts, &tally);
    algo_puts_flush(&puts);
    add_up(F, &tally);
}

/* Adds up the edges of its range of the wave. */
static void weigh_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    uint64_t edges = 0;
    for (size_t i = F->wave.lo + lo; i < F->wave.lo + hi; i++)
        edges += near_degree(F->V, F->wave.list.at[i]);
    (void)atomic_add_u64(&F->edges, edges);
}

/* The wave has few edges, and c few vertices. */
static bool is_light(struct forest *F, uint64_t n)
{
    F->edges = 0;
    algo_wave_run(F->ctx, &F->wave, GRAIN_LIST, weigh_par, F);
    return F->wave.list.n < n / LARGE && F->edges < hy_view_arcs(F->V) / HEAVY;
}

/* Waves from the list, while c is small beside n vertices; 0: to the end. */
static void spread(struct forest *F, uint64_t n)
{
    while (algo_wave_next(&F->wave) && (!n || is_light(F, n)))
        algo_wave_run(F->ctx, &F->wave, GRAIN_LIST, spread_par, F);
    F->W->work += F->wave.list.n;
}

/* Lists the vertices of its range that are in c. */
static void members_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->wave.list };
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = F->list ? F->list[i] : (hy_vid)i;
        if (is_in(F, u))
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* The next wave: vertices of the list that are in c. */
static void list_members(struct forest *F, uint64_t n)
{
    F->wave = (struct algo_wave){ .list.at = F->W->freed };
    par_for(F->ctx, n, GRAIN, members_par, F);
}

/* ---- 5 ---------------------------------------------------------------------
 */

/* Hangs u under a neighbour that is in c. */
static bool come_in(struct forest *F, hy_vid u)
{
    near_for(s, F->V, u) for (uint32_t i = 0; i < s.n; i++)
    {
        const hy_vid w = s.v[i * s.step];
        if (!is_in(F, w))
            continue;
        F->W->node[u] =
            (struct wcc_node){ .parent = w, .level = F->W->node[w].level + 1 };
        __atomic_store_n(&F->p[u], F->c, __ATOMIC_RELEASE);
        return true;
    }
    return false;
}

static bool has_edges(const hy_view *V, hy_vid u)
{
    return view_degree(V, u) ||
           (!view_is_undirected(V) && view_in_degree(V, u));
}

/* A component of its own, or no vertex. */
static void be_alone(struct forest *F, hy_vid u, struct tally *tally)
{
    if (!view_has_vertex(F->V, u)) {
        atomic_put_u32(&F->p[u], HY_NONE);
        return;
    }
    atomic_put_u32(&F->p[u], u);
    F->W->group[u] =
        (struct wcc_group){ .state = F->W->epoch << 1, .size = 1, .min = u };
    tally->alone++;
}

/* Writes nodes and p of its vertices; p of others is read, and changes. */
static void sweep_par(void *arg, size_t lo, size_t hi)
{
    struct forest *F = arg;
    struct algo_puts puts = { .to = &F->out };
    struct tally tally = { .min = HY_NONE };
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = F->list ? F->list[i] : (hy_vid)i;
        if (is_in(F, u)) {
            tally.size++;
            tally.min = u < tally.min ? u : tally.min;
        } else if (!F->list && !has_edges(F->V, u)) {
            be_alone(F, u, &tally);
        } else if (come_in(F, u)) {
            tally.size++;
            tally.min = u < tally.min ? u : tally.min;
        } else {
            algo_put(&puts, u);
        }
    }
    algo_puts_flush(&puts);
    add_up(F, &tally);
}

/* Goes over the n vertices of the list; how many are not in c after. */
static uint64_t sweep(struct forest *F, uint64_t n)
{
    F->out = (struct algo_list){ .at = F->W->queue[F->list == F->W->queue[0]] };
    par_for(F->ctx, n, F->list ? GRAIN_LIST : GRAIN, sweep_par, F);
    F->W->work += n;
    return F->out.n;
}

/* ---- 2 ---------------------------------------------------------------------
 */

/* Takes those that are in c off the n of the list. */
static uint64_t keep_left(struct forest *F, hy_vid *list, uint64_t n)
{
    uint64_t left = 0;
    for (uint64_t i = 0; i < n; i++)
        if (!is_in(F, list[i]))
            list[left++] = list[i];
    return left;
}

static void name_seed(struct forest *F)
{
    if (!F->size)
        return;
    F->seed[F->n_seeds] = F->c;
    F->name[F->n_seeds++] = F->min;
    F->W->group[F->min] = (struct wcc_group){ .state = F->W->epoch << 1,
                                              .size = (uint32_t)F->size,
                                              .min = F->min };
    F->W->components++;
}

/* Lets one seed grow through the n vertices of the list; how many are left,
 * in the list then. */
static uint64_t grow(struct forest *F, uint64_t n)
{
    F->c = draw_seed(F, n);
    list_members(F, n);
    spread(F, n);
    F->size = 0;
    F->min = HY_NONE;
    uint64_t left = sweep(F, n), before;
    do {
        before = left;
        F->list = F->out.at;
        left = sweep(F, before);
    } while (left < before / 2);
    if (left < before) {
        list_members(F, before);
        spread(F, 0);
    }
    hy_vid *const list = F->out.at;
    F->list = list;
    left = keep_left(F, list, left);
    name_seed(F);
    return left;
}

/* ---- 6 ---------------------------------------------------------------------
 */

static void rest_one(struct forest *F, hy_vid u)
{
    struct wcc_live *const W = F->W;
    hy_vid *const queue = W->freed;
    const uint32_t seen = W->stamp << WCC_BITS;
    uint32_t n = 0;
    hy_vid min = u;
    W->mark[u] = seen;
    W->node[u] = (struct wcc_node){ .parent = HY_NONE };
    queue[n++] = u;
    for (uint32_t i = 0; i < n; i++)
        near_for(s, F->V, queue[i]) for (uint32_t k = 0; k < s.n; k++)
        {
            const hy_vid v = s.v[k * s.step];
            if (W->mark[v] == seen)
                continue;
            W->mark[v] = seen;
            W->node[v] =
                (struct wcc_node){ .parent = queue[i],
                                   .level = W->node[queue[i]].level + 1 };
            min = v < min ? v : min;
            queue[n++] = v;
        }
    for (uint32_t i = 0; i < n; i++)
        F->p[queue[i]] = min;
    W->group[min] =
        (struct wcc_group){ .state = W->epoch << 1, .size = n, .min = min };
    W->components++;
    W->work += n;
}

static void rest(struct forest *F, uint64_t n)
{
    wcc_new_stamp(F->W);
    for (uint64_t i = 0; i < n; i++)
        if (F->W->mark[F->list[i]] != F->W->stamp << WCC_BITS)
            rest_one(F, F->list[i]);
}

/* ---- 7 ---------------------------------------------------------------------
 */

/* Writes comp and values of its range. */
static void name_par(void *arg, size_t lo, size_t hi)
{
    const struct forest *F = arg;
    for (size_t u = lo; u < hi; u++) {
        for (unsigned k = 0; k < F->n_seeds; k++)
            if (F->p[u] == F->seed[k]) {
                F->p[u] = F->name[k];
                break;
            }
        F->W->comp[u] = F->p[u];
    }
}

static void new_epoch(struct wcc_live *W)
{
    if (++W->epoch == UINT32_MAX >> 1) {
        for (size_t c = 0; c < W->room; c++)
            W->group[c].state = 0;
        W->epoch = 1;
    }
    W->fresh = 0;
    W->n_freed = 0;
    W->components = 0;
}

void wcc_rebuild(struct wcc_live *W)
{
    const hy_vid n = W->V->bound;
    struct forest F = {
        .W = W, .V = W->V, .ctx = W->L->ctx, .p = W->L->values
    };
    new_epoch(W);
    par_for(F.ctx, n, GRAIN, begin_par, &F);
    par_for(F.ctx, n, GRAIN, compress_par, &F);
    uint64_t left = grow(&F, n);
    while (left > FEW && F.n_seeds < ROUNDS)
        left = grow(&F, left);
    rest(&F, left);
    par_for(F.ctx, n, GRAIN, name_par, &F);
    W->components += F.alone;
}
