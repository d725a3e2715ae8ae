/* Graph makers.
 *
 * Kronecker graphs after R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004) with
 * the parameters of Graph500: every bit of an edge's two ids is drawn from
 * the quadrants A B C D.  Ids are then put into a random order, so that a
 * vertex's degree says nothing about its place.  Graph500's own generator
 * shuffles by table; a bijection on the bits of the id needs none.
 */
#include "cli/gen.h"
#include "cli/cli.h"
#include "cli/random.h"

#include <stdio.h>

enum { EDGES_PER_VERTEX = 16, GRAIN = 1 << 12 };

/* Quadrants of R-MAT, summed up: of 2^32. */
static const uint32_t rmat_a = (uint32_t)(0.57 * 4294967296.0);
static const uint32_t rmat_ab = (uint32_t)(0.76 * 4294967296.0);
static const uint32_t rmat_abc = (uint32_t)(0.95 * 4294967296.0);

unsigned gen_bits(hy_vid n)
{
    unsigned bits = 0;
    while (bits < 32 && ((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

/* ---- edges ------------------------------------------------------------- */

/* A bijection of the numbers of `bits` bits: steps that can be undone. */
static hy_vid reorder(uint64_t order, unsigned bits, hy_vid x)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t y = x;
    for (uint64_t round = 0; round < 3; round++) {
        const uint64_t r = random_at(order, round);
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
        random = bit % 2 ? random >> 32 : random_next(state);
        const uint32_t r = (uint32_t)random;
        const bool down = r >= rmat_ab;
        const bool right = down ? r >= rmat_abc : r >= rmat_a;
        e.u = e.u << 1 | down;
        e.v = e.v << 1 | right;
    }
    return e;
}

static hy_edge draw_edge(const struct gen_draw *d, unsigned bits, uint64_t i)
{
    uint64_t state = random_start(d->seed, i);
    for (;;) {
        hy_edge e;
        if (d->skewed) {
            e = draw_rmat(&state, bits);
            e.u = reorder(d->order, bits, e.u);
            e.v = reorder(d->order, bits, e.v);
        } else {
            const uint64_t r = random_next(&state);
            e.u = d->lo + (hy_vid)random_below(r, d->hi - d->lo);
            e.v = (hy_vid)random_below(random_next(&state), d->n);
        }
        if (e.u != e.v && e.u < d->n && e.v < d->n)
            return e;
    }
}

struct gen_draw gen_draw_of(const struct gen_csr *csr, uint64_t order,
                            uint64_t seed, bool skewed)
{
    return (struct gen_draw){ .seed = seed,
                              .order = order,
                              .n = csr->n,
                              .lo = 0,
                              .hi = csr->n,
                              .skewed = skewed };
}

struct draw_job {
    const struct gen_draw *draw;
    uint64_t first;
    hy_edge *out;
};

static void draw_par(void *arg, size_t lo, size_t hi)
{
    const struct draw_job *const job = arg;
    const unsigned bits = gen_bits(job->draw->n);
    for (size_t i = lo; i < hi; i++)
        job->out[i] = draw_edge(job->draw, bits, job->first + i);
}

void gen_draw_edges(hy_ctx *ctx, const struct gen_draw *draw, uint64_t first,
                    uint64_t n, hy_edge *out)
{
    struct draw_job job = { .draw = draw, .first = first, .out = out };
    hy_par_for(ctx, n, GRAIN, draw_par, &job);
}

/* ---- graphs ------------------------------------------------------------ */

struct maker {
    enum gen_kind kind;
    struct gen_draw draw;
    hy_vid side;    /* of a grid */
    uint64_t drawn; /* undirected edges, loops and repeats among them */
    uint64_t *keys; /* both directions of each */
};

/* Edge i of a grid: to the right of vertex i/2 or, if i is odd, down; past
 * the border a loop, which is dropped later. */
static hy_edge grid_edge(hy_vid side, uint64_t i)
{
    const hy_vid u = (hy_vid)(i / 2);
    if (i % 2)
        return (hy_edge){ u, u / side + 1 < side ? u + side : u };
    return (hy_edge){ u, u % side + 1 < side ? u + 1 : u };
}

static void make_par(void *arg, size_t lo, size_t hi)
{
    const struct maker *const M = arg;
    const unsigned bits = gen_bits(M->draw.n);
    for (size_t i = lo; i < hi; i++) {
        const hy_edge e = M->kind == GEN_GRID ? grid_edge(M->side, i)
                                              : draw_edge(&M->draw, bits, i);
        M->keys[2 * i] = (uint64_t)e.u << 32 | e.v;
        M->keys[2 * i + 1] = (uint64_t)e.v << 32 | e.u;
    }
}

static bool is_kept(const uint64_t *keys, uint64_t i)
{
    const bool loop = keys[i] >> 32 == (hy_vid)keys[i];
    return !loop && (i == 0 || keys[i] != keys[i - 1]);
}

/* CSR of sorted keys, without loops and repeats. */
static void build_csr(const uint64_t *keys, uint64_t n_keys, hy_vid n,
                      struct gen_csr *csr)
{
    uint64_t *const offsets = cli_alloc_zeroed((size_t)n + 1, sizeof *offsets);
    for (uint64_t i = 0; i < n_keys; i++)
        offsets[(keys[i] >> 32) + 1] += is_kept(keys, i);
    for (hy_vid u = 0; u < n; u++)
        offsets[u + 1] += offsets[u];
    hy_vid *const targets = cli_alloc(offsets[n], sizeof *targets);
    uint64_t m = 0;
    for (uint64_t i = 0; i < n_keys; i++)
        if (is_kept(keys, i))
            targets[m++] = (hy_vid)keys[i];
    *csr = (struct gen_csr){
        .n = n, .m = m, .offsets = offsets, .targets = targets
    };
}

/* The largest side with side^2 <= 2000^2 * 2^(scale - 20). */
static hy_vid grid_side(unsigned scale)
{
    const uint64_t area = ((uint64_t)4000000 << scale) >> 20;
    uint64_t side = 2;
    while ((side + 1) * (side + 1) <= area)
        side++;
    return (hy_vid)side;
}

static void maker_init(struct maker *M, enum gen_kind kind, unsigned scale,
                       uint64_t seed)
{
    hy_vid n = (hy_vid)1 << scale;
    *M = (struct maker){ .kind = kind };
    M->drawn = (uint64_t)n * EDGES_PER_VERTEX;
    if (kind == GEN_GRID) {
        M->side = grid_side(scale);
        n = M->side * M->side;
        M->drawn = (uint64_t)n * 2;
    }
    M->draw = (struct gen_draw){ .seed = random_mix(seed ^ (uint64_t)kind),
                                 .order = seed,
                                 .n = n,
                                 .lo = 0,
                                 .hi = n,
                                 .skewed = kind == GEN_KRON };
}

void gen_make(hy_ctx *ctx, enum gen_kind kind, unsigned scale, uint64_t seed,
              struct gen_graph *out)
{
    struct maker M;
    maker_init(&M, kind, scale, seed);
    const uint64_t n_keys = 2 * M.drawn;
    uint64_t *const scratch = cli_alloc(n_keys, sizeof *scratch);
    M.keys = cli_alloc(n_keys, sizeof *M.keys);
    hy_par_for(ctx, M.drawn, GRAIN, make_par, &M);
    const unsigned bits = gen_bits(M.draw.n);
    const uint64_t *const sorted =
        hy_par_sort_keys(ctx, M.keys, scratch, n_keys, bits, bits);
    build_csr(sorted, n_keys, M.draw.n, &out->csr);
    cli_free(M.keys);
    cli_free(scratch);

    static const char *const names[] = { "kron", "urand", "grid" };
    out->kind = kind;
    snprintf(out->name, sizeof out->name, "%s%u", names[kind],
             kind == GEN_GRID ? (unsigned)M.side : scale);
}

void gen_csr_fini(struct gen_csr *csr)
{
    cli_free(csr->offsets);
    cli_free(csr->targets);
    *csr = (struct gen_csr){ .n = 0 };
}
