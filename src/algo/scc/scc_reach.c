/* Strongly connected components: those of one vertex, and the largest.
 *
 *   Reach(V)
 *     1 Count    d+(u), d-(u) <- degrees, without loops
 *     2 Trim     while some u has d+ or d- = 0: u is alone; count it out of
 *                its neighbours' degrees
 *     3 Pivot    s <- the vertex with the largest d+ d-
 *     4 Mark     what s reaches forwards, what reaches s
 *     5 Label    those with both marks are the component of s
 *
 * The first steps of Multistep (Slota, Rajamanickam, Madduri, IPDPS 2014),
 * after Fleischer, Hendrickson, Pinar (IPDPS 2000) and McLendon et al. (2005).
 * What is left is most often small; where Multistep goes on with colours, whose
 * rounds are as many as the longest path, we leave it to Tarjan's search.
 */
#include "algo/common/list.h"
#include "algo/scc/scc_impl.h"
#include "base/bits.h"

enum {
    GRAIN = 1 << 10,
    GRAIN_WAVE = 1 << 7, /* vertices of a wave below which one thread runs */
};

enum { FORWARDS = 1, BACKWARDS = 2, BOTH = 3 };

struct scc_reach {
    const hy_view *V;
    hy_ctx *ctx;
    struct algo_side in;
    hy_vid *label;
    uint32_t *d_out, *d_in; /* atomic, relaxed */
    uint8_t *mark;          /* atomic, relaxed */
    uint8_t way;            /* of this search */
    uint64_t pivot;         /* atomic, relaxed: the highest bid so far */
    hy_vid least;           /* atomic, relaxed: of the component */
    struct algo_wave wave;
};

hy_status scc_reach_new(const hy_view *V, struct scc_reach **out)
{
    hy_ctx *const ctx = view_ctx(V);
    const size_t n = V->bound;
    struct scc_reach *const R = base_alloc(ctx, 1, sizeof *R);
    if (!R)
        return HY_ENOMEM;
    R->V = V;
    R->ctx = ctx;
    R->d_out = base_alloc_raw(ctx, n, sizeof *R->d_out);
    R->d_in = base_alloc_raw(ctx, n, sizeof *R->d_in);
    R->mark = base_alloc(ctx, n, sizeof *R->mark);
    R->wave.list.at = base_alloc_raw(ctx, n, sizeof(hy_vid));
    if (!R->d_out || !R->d_in || !R->mark || !R->wave.list.at ||
        algo_side_in(&R->in, V) != HY_OK) {
        scc_reach_free(V, R);
        return HY_ENOMEM;
    }
    *out = R;
    return HY_OK;
}

void scc_reach_free(const hy_view *V, struct scc_reach *R)
{
    hy_ctx *const ctx = view_ctx(V);
    if (!R)
        return;
    algo_side_fini(&R->in);
    base_free(ctx, R->wave.list.at);
    base_free(ctx, R->mark);
    base_free(ctx, R->d_in);
    base_free(ctx, R->d_out);
    base_free(ctx, R);
}

/* ---- trim ---------------------------------------------------------------- */

/* Labels u as alone, unless another thread has. */
static void trim(struct scc_reach *R, hy_vid u, struct algo_puts *puts)
{
    hy_vid none = HY_NONE;
    if (atomic_claim_u32(&R->label[u], &none, u))
        algo_put(puts, u);
}

static bool has_loop(const hy_view *V, hy_vid u)
{
    view_for_out (s, V, u)
        for (uint32_t i = 0; i < s.n; i++)
            if (s.v[i * s.step] == u)
                return true;
    return false;
}

/* Writes degrees and labels of its range. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    struct scc_reach *R = arg;
    struct algo_puts puts = { .to = &R->wave.list };
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        const uint32_t loops = has_loop(R->V, u);
        R->d_out[u] = view_degree(R->V, u) - loops;
        R->d_in[u] = algo_side_degree(&R->in, u) - loops;
        if ((!R->d_out[u] || !R->d_in[u]) && view_has_vertex(R->V, u))
            trim(R, u, &puts);
    }
    algo_puts_flush(&puts);
}

/* Counts u out of the degrees of a span of its neighbours. */
static void detach(struct scc_reach *R, const hy_span *s, uint32_t *d,
                   struct algo_puts *puts)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (v != s->u && atomic_add_u32(&d[v], UINT32_MAX) == 1)
            trim(R, v, puts);
    }
}

/* Writes degrees of any vertex, and labels of those that are claimed. */
static void trim_par(void *arg, size_t lo, size_t hi)
{
    struct scc_reach *R = arg;
    struct algo_puts puts = { .to = &R->wave.list };
    for (size_t i = R->wave.lo + lo; i < R->wave.lo + hi; i++) {
        const hy_vid u = R->wave.list.at[i];
        view_for_out (s, R->V, u)
            detach(R, &s, R->d_in, &puts);
        algo_for_side (s, &R->in, u)
            detach(R, &s, R->d_out, &puts);
    }
    algo_puts_flush(&puts);
}

static void trim_all(struct scc_reach *R)
{
    R->wave.list.n = R->wave.hi = 0;
    par_for(R->ctx, R->V->bound, GRAIN, count_par, R);
    while (algo_wave_next(&R->wave))
        algo_wave_run(R->ctx, &R->wave, GRAIN_WAVE, trim_par, R);
}

/* ---- the pivot and its component ----------------------------------------- */

/* A bid: the width of d+ d-, then the vertex; 0 is no bid. */
static uint64_t bid(const struct scc_reach *R, hy_vid u)
{
    const uint64_t product = (uint64_t)R->d_out[u] * R->d_in[u];
    return R->label[u] == HY_NONE && product
               ? (uint64_t)bits_width(product) << 32 | u
               : 0;
}

/* Raises the pivot. */
static void pivot_par(void *arg, size_t lo, size_t hi)
{
    struct scc_reach *R = arg;
    uint64_t best = 0;
    for (size_t u = lo; u < hi; u++) {
        const uint64_t here = bid(R, (hy_vid)u);
        best = here > best ? here : best;
    }
    uint64_t old = atomic_peek_u64(&R->pivot);
    while (best > old &&
           !__atomic_compare_exchange_n(&R->pivot, &old, best, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* True for the thread that marks u first. */
static bool mark(struct scc_reach *R, hy_vid u)
{
    const uint8_t old = __atomic_load_n(&R->mark[u], __ATOMIC_RELAXED);
    return !(old & R->way) &&
           !(__atomic_fetch_or(&R->mark[u], R->way, __ATOMIC_RELAXED) & R->way);
}

static void mark_span(struct scc_reach *R, const hy_span *s,
                      struct algo_puts *puts)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (R->label[v] == HY_NONE && mark(R, v))
            algo_put(puts, v);
    }
}

/* Marks any vertex. */
static void mark_par(void *arg, size_t lo, size_t hi)
{
    struct scc_reach *R = arg;
    struct algo_puts puts = { .to = &R->wave.list };
    for (size_t i = R->wave.lo + lo; i < R->wave.lo + hi; i++) {
        const hy_vid u = R->wave.list.at[i];
        if (R->way == FORWARDS)
            view_for_out (s, R->V, u)
                mark_span(R, &s, &puts);
        else
            algo_for_side (s, &R->in, u)
                mark_span(R, &s, &puts);
    }
    algo_puts_flush(&puts);
}

static void mark_all(struct scc_reach *R, hy_vid s, uint8_t way)
{
    R->way = way;
    (void)mark(R, s);
    R->wave.list.at[0] = s;
    R->wave.list.n = 1;
    R->wave.hi = 0;
    while (algo_wave_next(&R->wave))
        algo_wave_run(R->ctx, &R->wave, GRAIN_WAVE, mark_par, R);
}

/* Lowers `least`. */
static void least_par(void *arg, size_t lo, size_t hi)
{
    struct scc_reach *R = arg;
    for (size_t u = lo; u < hi; u++)
        if (R->mark[u] == BOTH) {
            atomic_min_u32(&R->least, (hy_vid)u);
            return;
        }
}

/* Writes labels of its range. */
static void label_par(void *arg, size_t lo, size_t hi)
{
    const struct scc_reach *R = arg;
    for (size_t u = lo; u < hi; u++)
        if (R->mark[u] == BOTH)
            R->label[u] = R->least;
}

uint64_t scc_reach_run(struct scc_reach *R, hy_vid *label)
{
    R->label = label;
    trim_all(R);
    const uint64_t trimmed = R->wave.list.n;
    par_for(R->ctx, R->V->bound, GRAIN, pivot_par, R);
    if (R->pivot) {
        mark_all(R, (hy_vid)R->pivot, FORWARDS);
        mark_all(R, (hy_vid)R->pivot, BACKWARDS);
        R->least = HY_NONE;
        par_for(R->ctx, R->V->bound, GRAIN, least_par, R);
        par_for(R->ctx, R->V->bound, GRAIN, label_par, R);
    }
    return trimmed;
}
