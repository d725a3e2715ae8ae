/* Core numbers by peeling, level by level.
 *
 *   KCore(V)
 *     1 Count    d(u) <- neighbours of u; left <- all vertices; k <- 0
 *     2 while someone is left
 *     3   Split    those left with d(u) <= k have core k: the first wave;
 *                  the others with no core yet are left
 *     4   in waves
 *     5     Peel     for neighbours v with d(v) > k: d(v) <- d(v) - 1; at k,
 *                    v has core k and is in the next wave
 *     6   k <- k + 1, or the least d(u) if this level was empty
 *
 * ParK (Dasari, Desh, Zubair, BigData 2014) with the shrinking list of PKC
 * (Kabir, Madduri, 2017).  A vertex is looked at once for each level up to its
 * core number, which is at most its degree: O(n + m) in all, in the order of
 * memory, so that buckets (Julienne, SPAA 2017) would save little.
 */
#include "algo/kcore/kcore_impl.h"

#include "algo/common/list.h"
#include "algo/common/side.h"

#include <hypha/kcore.h>

enum {
    GRAIN = 1 << 9,
    GRAIN_LEFT = 1 << 12,
    GRAIN_WAVE = 1 << 6, /* vertices of a wave below which one thread runs */
};

struct kcore {
    const hy_view *V;
    hy_ctx *ctx;
    struct algo_side near;
    uint32_t *d;    /* atomic, relaxed: neighbours that have no core < k */
    uint32_t *core; /* HY_NONE until it is known */
    uint32_t *few;  /* neighbours that have no core < its own; may be NULL */
    uint32_t k;
    uint32_t least; /* d of those left; atomic, relaxed */
    struct algo_list left, next;
    struct algo_wave wave;
};

static uint32_t loops(const struct algo_side *S, hy_vid u)
{
    uint32_t n = 0;
    if (!S->offset) /* a copy has none */
        algo_for_side (s, S, u)
            for (uint32_t i = 0; i < s.n; i++)
                n += s.v[i * s.step] == u;
    return n;
}

/* Writes d and core of its range; lists it. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    struct kcore *K = arg;
    struct algo_puts left = { .to = &K->left };
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        K->core[u] = HY_NONE;
        K->d[u] = algo_side_degree(&K->near, u) - loops(&K->near, u);
        if (view_has_vertex(K->V, u))
            algo_put(&left, u);
    }
    algo_puts_flush(&left);
}

/* Writes core of its range. */
static void split_par(void *arg, size_t lo, size_t hi)
{
    struct kcore *K = arg;
    struct algo_puts first = { .to = &K->wave.list };
    struct algo_puts left = { .to = &K->next };
    uint32_t least = UINT32_MAX;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = K->left.at[i];
        if (K->core[u] != HY_NONE)
            continue;
        if (K->d[u] <= K->k) {
            K->core[u] = K->k;
            algo_put(&first, u);
        } else {
            algo_put(&left, u);
            least = K->d[u] < least ? K->d[u] : least;
        }
    }
    algo_puts_flush(&first);
    algo_puts_flush(&left);
    atomic_min_u32(&K->least, least);
}

/* Takes one from d(v); true for the thread that takes it to k. */
HY_INLINE bool peel(struct kcore *K, hy_vid v)
{
    if (atomic_peek_u32(&K->d[v]) <= K->k)
        return false;
    const uint32_t old = atomic_add_u32(&K->d[v], UINT32_MAX);
    if (old <= K->k) /* it fell meanwhile */
        (void)atomic_add_u32(&K->d[v], 1);
    return old == K->k + 1;
}

/* The same, slower: only those of a core lower than k ever have less than k. */
HY_INLINE bool peel_counting(struct kcore *K, hy_vid v, uint32_t *near)
{
    uint32_t old = atomic_peek_u32(&K->d[v]);
    *near += old >= K->k;
    while (old > K->k)
        if (atomic_claim_u32(&K->d[v], &old, old - 1))
            return old == K->k + 1;
    return false;
}

/* An atomic step waits for its line alone: so lines are asked for before. */
HY_INLINE uint32_t peel_span(struct kcore *K, const hy_span *s,
                             struct algo_puts *puts, bool counts)
{
    enum { AHEAD = 16 };
    uint32_t near = 0;
    for (uint32_t j = 0; j < s->n; j++) {
        const hy_vid v = s->v[j * s->step];
        if (j + AHEAD < s->n)
            HY_PREFETCH_WRITE(&K->d[s->v[(j + AHEAD) * s->step]]);
        if (v == s->u || !(counts ? peel_counting(K, v, &near) : peel(K, v)))
            continue;
        K->core[v] = K->k;
        algo_put(puts, v);
    }
    return near;
}

/* Writes d of any vertex, core of those that it takes to k. */
HY_INLINE void peel_range(struct kcore *K, size_t lo, size_t hi, bool counts)
{
    struct algo_puts puts = { .to = &K->wave.list };
    for (size_t i = K->wave.lo + lo; i < K->wave.lo + hi; i++) {
        const hy_vid u = K->wave.list.at[i];
        uint32_t few = 0;
        algo_side_ahead(&K->near, K->wave.list.at, i, K->wave.hi);
        algo_for_side (s, &K->near, u)
            few += peel_span(K, &s, &puts, counts);
        if (counts)
            K->few[u] = few;
    }
    algo_puts_flush(&puts);
}

static void peel_par(void *K, size_t lo, size_t hi)
{
    peel_range(K, lo, hi, false);
}

static void peel_counting_par(void *K, size_t lo, size_t hi)
{
    peel_range(K, lo, hi, true);
}

/* Finds all vertices of core k; false if there are none. */
static bool level(struct kcore *K)
{
    const uint64_t before = K->wave.list.n;
    K->next.n = 0;
    K->least = UINT32_MAX;
    par_for(K->ctx, K->left.n, GRAIN_LEFT, split_par, K);
    const struct algo_list old = K->left;
    K->left = K->next;
    K->next = old;
    while (algo_wave_next(&K->wave))
        algo_wave_run(K->ctx, &K->wave, GRAIN_WAVE,
                      K->few ? peel_counting_par : peel_par, K);
    return K->wave.list.n != before;
}

/* Those left have a core of `limit` at least. */
static void stop_at(struct kcore *K, uint32_t limit)
{
    for (size_t i = 0; i < K->left.n; i++) {
        const hy_vid u = K->left.at[i];
        if (K->core[u] == HY_NONE) {
            K->core[u] = limit;
            K->wave.list.n++;
        }
    }
}

static void kcore_run(struct kcore *K, uint32_t limit, hy_kcore_info *info)
{
    par_for(K->ctx, K->V->bound, GRAIN, count_par, K);
    while (K->wave.list.n < K->V->vertices) {
        const uint64_t before = K->wave.list.n;
        bool is_level = true;
        if (limit && K->k >= limit)
            stop_at(K, K->k = limit);
        else
            is_level = level(K);
        if (is_level) {
            info->max_core = K->k;
            info->vertices = K->wave.list.n - before;
            info->levels++;
        }
        K->k = is_level ? K->k + 1 : K->least;
    }
}

static hy_status kcore_init(struct kcore *K)
{
    const size_t n = K->V->bound;
    HY_TRY(algo_side_simple(&K->near, K->V));
    K->d = base_alloc_raw(K->ctx, n, sizeof *K->d);
    K->left.at = base_alloc_raw(K->ctx, n, sizeof(hy_vid));
    K->next.at = base_alloc_raw(K->ctx, n, sizeof(hy_vid));
    return K->d && K->left.at && K->next.at ? HY_OK : HY_ENOMEM;
}

static void kcore_fini(struct kcore *K)
{
    base_free(K->ctx, K->next.at);
    base_free(K->ctx, K->left.at);
    base_free(K->ctx, K->d);
    algo_side_fini(&K->near);
}

hy_status kcore_peel(const hy_view *V, uint32_t limit, uint32_t *core,
                     hy_vid *order, uint32_t *near, hy_kcore_info *info)
{
    struct kcore K = { .V = V,
                       .ctx = view_ctx(V),
                       .core = core,
                       .few = near,
                       .wave.list.at = order };
    *info = (hy_kcore_info){ 0 };
    const hy_status status = kcore_init(&K);
    if (status == HY_OK)
        kcore_run(&K, limit, info);
    kcore_fini(&K);
    return status;
}

hy_status hy_kcore(const hy_view *V, const hy_kcore_opts *opts, uint32_t *core,
                   hy_kcore_info *info)
{
    hy_ctx *const ctx = view_ctx(V);
    hy_kcore_info found;
    hy_vid *const order = base_alloc_raw(ctx, V->bound, sizeof *order);
    if (!order)
        return HY_ENOMEM;
    const hy_status status =
        kcore_peel(V, opts ? opts->limit : 0, core, order, NULL, &found);
    if (status == HY_OK && info)
        *info = found;
    base_free(ctx, order);
    return status;
}
