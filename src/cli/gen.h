/* Graphs of the benchmarks, made from a seed, as CSR. */
#ifndef CLI_GEN_H
#define CLI_GEN_H

#include <hypha/hypha.h>

/* Neighbours of u are targets[offsets[u] .. offsets[u+1]), ascending. */
struct gen_csr {
    hy_vid n;
    uint64_t m;        /* directed edges */
    uint64_t *offsets; /* owned, n + 1 */
    hy_vid *targets;   /* owned, m */
};

struct gen_graph {
    hy_gen_kind kind;
    char name[24]; /* kron20, urand20, grid2000 */
    struct gen_csr csr;
};

/* Makes a symmetric graph without loops and repeats.
 *   kron, urand: 2^scale vertices, 16 edges drawn for each of them;
 *   grid: side x side vertices; the side is 2000 at scale 20, and half of it
 *   at scale 18. */
void gen_make(hy_ctx *ctx, hy_gen_kind kind, unsigned scale, uint64_t seed,
              struct gen_graph *out);
void gen_csr_fini(struct gen_csr *csr);

/* Random edges between the graph's vertices; `order` is the graph's seed. */
hy_gen_draw gen_draw_of(const struct gen_csr *csr, uint64_t order,
                        uint64_t seed, bool skewed);

/* Edges first .. first+n-1 of the draw; dies if there are none. */
void gen_draw_edges(hy_ctx *ctx, const hy_gen_draw *draw, uint64_t first,
                    uint64_t n, hy_edge *out);

/* Bits that ids below n need. */
unsigned gen_bits(hy_vid n);

#endif
