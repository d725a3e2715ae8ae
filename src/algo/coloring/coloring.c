/* Colours by Jones and Plassmann, largest degrees first.
 *
 *   Coloring(V, seed)
 *     1 Order    u before v if its degree is larger, by hash among equals
 *     2 Wait     w(u) <- neighbours before u
 *     3 in waves, beginning with all u that wait for nobody
 *     4   Color    c(u) <- the smallest colour that no neighbour has
 *     5   Release  w(v) <- w(v) - 1 for neighbours v without a colour; those
 *                  that wait for nobody are the next wave
 *
 * Jones, Plassmann: A parallel graph coloring heuristic, SIAM Journal on
 * Scientific Computing 14(3), 1993, with the order of Welsh and Powell (1967);
 * see Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014.
 *
 * A vertex is coloured when all before it are and none after it is: the
 * colours are those of going through the vertices one by one in that order.
 */
#include "algo/common/crew.h"
#include "algo/common/list.h"
#include "algo/common/side.h"
#include "base/random.h"

#include <hypha/coloring.h>

enum {
    GRAIN = 1 << 9,
    GRAIN_WAVE = 1 << 6, /* vertices of a wave below which one thread runs */
};

struct coloring {
    const hy_view *V;
    hy_ctx *ctx;
    struct algo_side near;
    uint64_t seed;
    uint64_t *order; /* degree << 32 | hash: larger is before */
    uint32_t *wait;  /* atomic, relaxed */
    uint32_t *color; /* atomic, relaxed: HY_NONE until it is known */
    /* For each worker, the last vertex that saw a colour taken; a vertex has
     * at most as many neighbours as the largest degree. */
    hy_vid *taken;
    size_t n_taken;
    uint32_t colors; /* atomic, relaxed */
    struct algo_wave wave;
};

/* Writes the order and the colours of its range. */
static void order_par(void *arg, size_t lo, size_t hi)
{
    struct coloring *C = arg;
    for (size_t u = lo; u < hi; u++) {
        const uint64_t degree = algo_side_degree(&C->near, (hy_vid)u);
        C->order[u] = degree << 32 | base_random_at(C->seed, u) >> 32;
        C->color[u] = HY_NONE;
    }
}

static bool is_before(const struct coloring *C, hy_vid v, hy_vid u)
{
    return C->order[v] != C->order[u] ? C->order[v] > C->order[u] : v < u;
}

/* Writes `wait` of its range; puts who waits for nobody. */
static void wait_par(void *arg, size_t lo, size_t hi)
{
    struct coloring *C = arg;
    struct algo_puts puts = { .to = &C->wave.list };
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        uint32_t wait = 0;
        algo_for_side (s, &C->near, u)
            for (uint32_t k = 0; k < s.n; k++)
                wait += is_before(C, s.v[k * s.step], u);
        C->wait[u] = wait;
        if (wait == 0 && view_has_vertex(C->V, u))
            algo_put(&puts, u);
    }
    algo_puts_flush(&puts);
}

/* The smallest colour that no neighbour of u has. */
static uint32_t choose(const struct coloring *C, hy_vid u, hy_vid *taken)
{
    algo_for_side (s, &C->near, u)
        for (uint32_t k = 0; k < s.n; k++) {
            const hy_vid v = s.v[k * s.step];
            const uint32_t c = atomic_peek_u32(&C->color[v]);
            if (c != HY_NONE)
                taken[c] = u;
            else
                HY_PREFETCH_WRITE(&C->wait[v]); /* for release */
        }
    uint32_t color = 0;
    while (taken[color] == u)
        color++;
    return color;
}

static void release(struct coloring *C, hy_vid u, struct algo_puts *puts)
{
    algo_for_side (s, &C->near, u)
        for (uint32_t k = 0; k < s.n; k++) {
            const hy_vid v = s.v[k * s.step];
            if (atomic_peek_u32(&C->color[v]) == HY_NONE &&
                atomic_add_u32(&C->wait[v], UINT32_MAX) == 1)
                algo_put(puts, v);
        }
}

/* Writes colours of its range, and counts down neighbours, which are in later
 * waves: two neighbours are never in one. */
static void color_par(void *arg, size_t worker, size_t lo, size_t hi)
{
    struct coloring *C = arg;
    struct algo_puts puts = { .to = &C->wave.list };
    uint32_t colors = 0;
    for (size_t i = C->wave.lo + lo; i < C->wave.lo + hi; i++) {
        const hy_vid u = C->wave.list.at[i];
        algo_side_ahead(&C->near, C->wave.list.at, i, C->wave.hi);
        const uint32_t c = choose(C, u, C->taken + worker * C->n_taken);
        atomic_put_u32(&C->color[u], c);
        colors = c + 1 > colors ? c + 1 : colors;
        release(C, u, &puts);
    }
    algo_puts_flush(&puts);
    uint32_t old = atomic_peek_u32(&C->colors);
    while (colors > old && !atomic_claim_u32(&C->colors, &old, colors))
        ;
}

static uint32_t largest_degree(const struct algo_side *S)
{
    uint32_t max = 0;
    for (hy_vid u = 0; u < S->V->bound; u++) {
        const uint32_t d = algo_side_degree(S, u);
        max = d > max ? d : max;
    }
    return max;
}

static hy_status coloring_init(struct coloring *C)
{
    const size_t n = C->V->bound;
    HY_TRY(algo_side_simple(&C->near, C->V));
    C->n_taken = (size_t)largest_degree(&C->near) + 2;
    C->order = base_alloc_raw(C->ctx, n, sizeof *C->order);
    C->wait = base_alloc_raw(C->ctx, n, sizeof *C->wait);
    C->wave.list.at = base_alloc_raw(C->ctx, n, sizeof(hy_vid));
    C->taken = base_alloc_raw(C->ctx, C->n_taken,
                              par_width(C->ctx) * sizeof *C->taken);
    return C->order && C->wait && C->wave.list.at && C->taken ? HY_OK
                                                              : HY_ENOMEM;
}

static void coloring_fini(struct coloring *C)
{
    base_free(C->ctx, C->taken);
    base_free(C->ctx, C->wave.list.at);
    base_free(C->ctx, C->wait);
    base_free(C->ctx, C->order);
    algo_side_fini(&C->near);
}

static uint32_t coloring_run(struct coloring *C)
{
    const size_t n = C->V->bound;
    uint32_t rounds = 0;
    for (size_t i = 0; i < C->n_taken * par_width(C->ctx); i++)
        C->taken[i] = HY_NONE;
    par_for(C->ctx, n, GRAIN, order_par, C);
    par_for(C->ctx, n, GRAIN, wait_par, C);
    for (; algo_wave_next(&C->wave); rounds++)
        algo_crew_for(C->ctx, C->wave.hi - C->wave.lo, GRAIN_WAVE, color_par,
                      C);
    return rounds;
}

hy_status hy_coloring(const hy_view *V, const hy_coloring_opts *opts,
                      uint32_t *color, hy_coloring_info *info)
{
    struct coloring C = { .V = V,
                          .ctx = view_ctx(V),
                          .seed = opts ? opts->seed : 0,
                          .color = color };
    const hy_status status = coloring_init(&C);
    if (status == HY_OK) {
        const uint32_t rounds = coloring_run(&C);
        if (info)
            *info = (hy_coloring_info){ .colors = C.colors, .rounds = rounds };
    }
    coloring_fini(&C);
    return status;
}
