/* Buckets of distances, kept apart by each worker.
 *
 * A worker's bins are a ring over the window of SSSP_BINS buckets from the
 * current one on; what lies beyond waits in `far`.  When a window is empty,
 * `far` is dealt out anew with delta doubled.  All bins are empty then, so
 * that a change of delta disturbs nothing; and as delta soon is so large that
 * the largest weight fits a window, `far` is walked a few times in all.
 */
#include "algo/sssp/sssp_impl.h"

enum {
    SLAB_CHUNKS = 64,
};

struct sssp_slab {
    struct sssp_slab *next;
    struct sssp_chunk chunk[SLAB_CHUNKS];
};

hy_status sssp_bins_init(struct sssp *S)
{
    S->n_bins = par_width(S->ctx);
    S->bins = base_alloc(S->ctx, S->n_bins, sizeof *S->bins);
    return S->bins ? HY_OK : HY_ENOMEM;
}

void sssp_bins_fini(struct sssp *S)
{
    for (uint32_t i = 0; S->bins && i < S->n_bins; i++)
        for (struct sssp_slab *slab = S->bins[i].slabs; slab;) {
            struct sssp_slab *const next = slab->next;
            base_free(S->ctx, slab);
            slab = next;
        }
    base_free(S->ctx, S->bins);
    base_free(S->ctx, S->turn);
    S->bins = NULL;
    S->turn = NULL;
    S->turn_room = 0;
}

static bool add_slab(hy_ctx *ctx, struct sssp_bins *B)
{
    struct sssp_slab *const slab = base_alloc_raw(ctx, 1, sizeof *slab);
    if (!slab)
        return false;
    slab->next = B->slabs;
    B->slabs = slab;
    for (size_t i = 0; i < SLAB_CHUNKS; i++) {
        slab->chunk[i].next = B->spare;
        B->spare = &slab->chunk[i];
    }
    return true;
}

struct sssp_chunk *sssp_bins_grow(hy_ctx *ctx, struct sssp_bins *B,
                                  struct sssp_list *L)
{
    if (!B->spare && !add_slab(ctx, B)) {
        B->has_failed = true;
        B->discard.n = 0;
        return &B->discard;
    }
    struct sssp_chunk *const c = B->spare;
    B->spare = c->next;
    c->next = L->head;
    c->n = 0;
    L->head = c;
    L->n++;
    if (L != &B->far)
        bits_add(B->filled, (size_t)(L - B->bin));
    return c;
}

/* ---- the next bucket ----------------------------------------------------- */

/* How far behind `start` the first bin with entries is; SSSP_BINS: none. */
static uint64_t first_filled(const struct sssp_bins *B, uint64_t start)
{
    const size_t words = SSSP_BINS / 64;
    size_t i = start % SSSP_BINS / 64;
    uint64_t word = B->filled[i] & (UINT64_MAX << start % 64);
    for (size_t seen = 0; seen <= words; seen++) {
        if (word) {
            const uint64_t bin = i * 64 + (uint64_t)__builtin_ctzll(word);
            return (bin - start) % SSSP_BINS;
        }
        i = (i + 1) % words;
        word = B->filled[i];
    }
    return SSSP_BINS;
}

static bool find_bucket(struct sssp *S)
{
    uint64_t ahead = SSSP_BINS;
    for (uint32_t i = 0; i < S->n_bins; i++) {
        const uint64_t here = first_filled(&S->bins[i], S->bucket);
        ahead = here < ahead ? here : ahead;
    }
    if (ahead == SSSP_BINS)
        return false;
    S->bucket += ahead;
    return true;
}

/* Room for the chunks of all workers' current bins. */
static bool reserve_turn(struct sssp *S, size_t n)
{
    if (n <= S->turn_room)
        return true;
    struct sssp_chunk **const turn =
        base_resize(S->ctx, S->turn, n * 2, sizeof(struct sssp_chunk *));
    if (!turn) {
        S->bins[0].has_failed = true;
        return false;
    }
    S->turn = turn;
    S->turn_room = n * 2;
    return true;
}

static bool deal(struct sssp *S)
{
    const size_t at = S->bucket % SSSP_BINS;
    size_t n = 0;
    for (uint32_t i = 0; i < S->n_bins; i++)
        n += S->bins[i].bin[at].n;
    if (!reserve_turn(S, n))
        return false;
    S->n_turn = 0;
    for (uint32_t i = 0; i < S->n_bins; i++) {
        struct sssp_list *const L = &S->bins[i].bin[at];
        atomic_store_explicit(&S->bins[i].next, S->n_turn,
                              memory_order_relaxed);
        for (struct sssp_chunk *c = L->head; c; c = c->next)
            S->turn[S->n_turn++] = c;
        S->bins[i].end = S->n_turn;
        *L = (struct sssp_list){ 0 };
        bits_remove(S->bins[i].filled, at);
    }
    return true;
}

/* ---- what was far -------------------------------------------------------- */

/* The least distance of entries that still hold, in all lists of far ones. */
static uint64_t least_far(const struct sssp *S)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < S->n_bins; i++)
        for (const struct sssp_chunk *c = S->bins[i].far.head; c; c = c->next)
            for (uint32_t k = 0; k < c->n; k += S->is_wide ? 2 : 1) {
                uint64_t d;
                const hy_vid v = sssp_entry(c, S->is_wide, k, &d);
                if (d < least && sssp_now(S, S->is_wide, v) == d)
                    least = d;
            }
    return least;
}

static void push_again(struct sssp *S, struct sssp_bins *B,
                       const struct sssp_chunk *c)
{
    for (uint32_t k = 0; k < c->n; k += S->is_wide ? 2 : 1) {
        uint64_t d;
        const hy_vid v = sssp_entry(c, S->is_wide, k, &d);
        if (sssp_now(S, S->is_wide, v) == d)
            sssp_push(S, B, S->is_wide, d, v);
    }
}

static bool refill(struct sssp *S)
{
    const uint64_t least = least_far(S);
    if (least == UINT64_MAX)
        return false;
    S->shift += S->shift < 31;
    S->delta *= 2;
    S->inverse *= 0.5;
    S->bucket = sssp_bucket(S, S->is_wide, least);
    for (uint32_t i = 0; i < S->n_bins; i++) {
        struct sssp_bins *const B = &S->bins[i];
        struct sssp_chunk *c = B->far.head;
        B->far = (struct sssp_list){ 0 };
        while (c) {
            struct sssp_chunk *const next = c->next;
            push_again(S, B, c);
            c->next = B->spare;
            B->spare = c;
            c = next;
        }
    }
    return true;
}

bool sssp_bins_next(struct sssp *S)
{
    for (uint32_t i = 0; i < S->n_bins; i++)
        if (S->bins[i].has_failed || S->bins[i].is_odd)
            return false;
    while (!find_bucket(S))
        if (!refill(S))
            return false;
    return deal(S);
}
