/* Graphs of the benchmarks.  Made by the library's generators, but turned into
 * CSR here: what the store is measured with must not come from the store. */
#include "cli/gen.h"
#include "cli/cli.h"

#include <stdio.h>

enum { EDGES_PER_VERTEX = 16 };

unsigned gen_bits(hy_vid n)
{
    unsigned bits = 0;
    while (bits < 32 && ((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

/* The list is ascending and has u < v, so that each row gets its smaller
 * neighbours in order, then its larger ones. */
static void build_csr(const hy_gen_list *L, struct gen_csr *csr)
{
    const size_t n = (size_t)L->n;
    uint64_t *const offsets = cli_alloc_zeroed(n + 1, sizeof *offsets);
    uint64_t *const next = cli_alloc(n, sizeof *next);
    hy_vid *const targets = cli_alloc(2 * L->m, sizeof *targets);
    for (uint64_t i = 0; i < L->m; i++) {
        offsets[L->edges[i].u + 1]++;
        offsets[L->edges[i].v + 1]++;
    }
    for (size_t u = 0; u < n; u++) {
        offsets[u + 1] += offsets[u];
        next[u] = offsets[u];
    }
    for (uint64_t i = 0; i < L->m; i++)
        targets[next[L->edges[i].v]++] = L->edges[i].u;
    for (uint64_t i = 0; i < L->m; i++)
        targets[next[L->edges[i].u]++] = L->edges[i].v;
    cli_free(next);
    *csr = (struct gen_csr){
        .n = (hy_vid)n, .m = 2 * L->m, .offsets = offsets, .targets = targets
    };
}

/* The largest side with side^2 <= 2000^2 * 2^(scale - 20). */
static uint64_t grid_side(unsigned scale)
{
    const uint64_t area = ((uint64_t)4000000 << scale) >> 20;
    uint64_t side = 2;
    while ((side + 1) * (side + 1) <= area)
        side++;
    return side;
}

void gen_make(hy_ctx *ctx, hy_gen_kind kind, unsigned scale, uint64_t seed,
              struct gen_graph *out)
{
    hy_gen_opts opts = { .kind = kind, .scale = scale, .seed = seed };
    if (kind == HY_GEN_GRID)
        opts.rows = opts.columns = grid_side(scale);
    else
        opts.degree = EDGES_PER_VERTEX;
    hy_gen_list L;
    cli_must(hy_gen_make(ctx, &opts, &L), "making a graph");
    build_csr(&L, &out->csr);
    hy_gen_list_fini(&L);
    out->kind = kind;
    snprintf(out->name, sizeof out->name, "%s%u", hy_gen_name(kind),
             kind == HY_GEN_GRID ? (unsigned)opts.rows : scale);
}

void gen_csr_fini(struct gen_csr *csr)
{
    cli_free(csr->offsets);
    cli_free(csr->targets);
    *csr = (struct gen_csr){ .n = 0 };
}

hy_gen_draw gen_draw_of(const struct gen_csr *csr, uint64_t order,
                        uint64_t seed, bool skewed)
{
    return (hy_gen_draw){
        .seed = seed, .order = order, .n = csr->n, .skewed = skewed
    };
}

void gen_draw_edges(hy_ctx *ctx, const hy_gen_draw *draw, uint64_t first,
                    uint64_t n, hy_edge *out)
{
    cli_must(hy_gen_draw_edges(ctx, draw, first, n, out), "drawing edges");
}
