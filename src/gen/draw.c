/* Edges drawn one by one: Kronecker and uniform.
 *
 * Kronecker graphs after R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with
 * the parameters of Graph500: every bit of an edge's two ids is drawn from
 * the quadrants A B C D.  Ids are then put into a random order, so that a
 * vertex's degree says nothing about its place.  Graph500's own generator
 * shuffles by table; a bijection on the bits of the id needs none.
 *
 * An edge that is a loop, or that names an id past n where n is no power of
 * two, is drawn again.
 */
#include "gen/gen.h"

#include "base/bits.h"

/* Quadrants of R-MAT, summed up: of 2^32. */
static const uint32_t rmat_a = (uint32_t)(0.57 * 4294967296.0);
static const uint32_t rmat_ab = (uint32_t)(0.76 * 4294967296.0);
static const uint32_t rmat_abc = (uint32_t)(0.95 * 4294967296.0);

/* A bijection of the numbers of `bits` bits: steps that can be undone. */
static hy_vid reorder(uint64_t order, unsigned bits, hy_vid x)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t y = x;
    for (uint64_t round = 0; round < 3; round++) {
        const uint64_t r = base_random_at(order, round);
        y = ((y + r) * (r >> 32 | 1)) & mask;
        y ^= y >> (bits + 1) / 2;
    }
    return (hy_vid)y;
}

static hy_edge draw_rmat(uint64_t *state, unsigned bits)
{
    hy_edge e = { 0, 0 };
    uint64_t random = 0;
    for (unsigned bit = 0; bit < bits; bit++) {
        random = bit % 2 ? random >> 32 : base_random(state);
        const uint32_t r = (uint32_t)random;
        /* Right is from A's end to B's, and from C's on: no branch, as none
         * could be foretold. */
        const bool down = r >= rmat_ab;
        const bool right = (r >= rmat_a) ^ down ^ (r >= rmat_abc);
        e.u = e.u << 1 | down;
        e.v = e.v << 1 | right;
    }
    return e;
}

static hy_edge draw_edge(const hy_gen_draw *d, unsigned bits, uint64_t i)
{
    uint64_t state = base_random_start(d->seed, i);
    for (;;) {
        hy_edge e;
        if (d->skewed) {
            e = draw_rmat(&state, bits);
            e.u = reorder(d->order, bits, e.u);
            e.v = reorder(d->order, bits, e.v);
        } else {
            const uint64_t r = base_random(&state);
            e.u = d->lo + (hy_vid)base_random_below(r, d->hi - d->lo);
            e.v = (hy_vid)base_random_below(base_random(&state), d->n);
        }
        if (e.u != e.v && e.u < d->n && e.v < d->n)
            return e;
    }
}

/* ---- a sequence ------------------------------------------------------------
 */

struct draw_job {
    hy_gen_draw draw;
    unsigned bits;
    uint64_t first;
    hy_edge *out;
};

static void draw_par(void *arg, size_t lo, size_t hi)
{
    const struct draw_job *const job = arg;
    for (size_t i = lo; i < hi; i++)
        job->out[i] = draw_edge(&job->draw, job->bits, job->first + i);
}

hy_status hy_gen_draw_edges(hy_ctx *ctx, const hy_gen_draw *draw,
                            uint64_t first, uint64_t n, hy_edge *out)
{
    struct draw_job job = { .draw = *draw, .first = first, .out = out };
    if (draw->n < 2)
        return base_fail(HY_EINVAL, "an edge needs two vertices");
    if (!draw->lo && !draw->hi)
        job.draw.hi = draw->n;
    if (job.draw.lo >= job.draw.hi || job.draw.hi > draw->n)
        return base_fail(HY_EINVAL, "%u .. %u are no sources", draw->lo,
                         draw->hi);
    job.bits = bits_width(draw->n - 1);
    par_for(ctx, n, GEN_GRAIN, draw_par, &job);
    return HY_OK;
}

/* ---- a graph ----------------------------------------------------------------
 */

struct drawn_job {
    hy_gen_draw draw;
    unsigned bits;
    bool directed;
    uint64_t *key;
};

static void drawn_par(void *arg, size_t lo, size_t hi)
{
    const struct drawn_job *const job = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_edge e = draw_edge(&job->draw, job->bits, i);
        job->key[i] = gen_key_of(job->directed, e.u, e.v);
    }
}

hy_status gen_drawn(const struct gen_plan *P, hy_gen_list *L)
{
    struct gen_keys K;
    HY_TRY(gen_keys_init(&K, P->ctx, P->m));
    struct drawn_job job = {
        .draw = { .seed = base_mix(P->seed ^ (uint64_t)P->kind),
                  .order = P->seed,
                  .n = P->n,
                  .hi = P->n,
                  .skewed = P->kind == HY_GEN_KRON },
        .bits = bits_width(P->n - 1),
        .directed = P->directed,
        .key = K.key,
    };
    par_for(P->ctx, P->m, GEN_GRAIN, drawn_par, &job);
    return gen_keys_list(&K, L);
}
