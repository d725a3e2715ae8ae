/* What the makers of graphs share: the plan, keys, lists, touched edges. */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "base/mem.h"
#include "base/random.h"
#include "par/par.h"

#include <hypha/gen.h>

enum { GEN_GRAIN = 1 << 12 };

/* Options that were checked, with nothing left to default. */
struct gen_plan {
    hy_ctx *ctx;
    hy_gen_kind kind;
    hy_vid n;   /* at least 1 */
    uint64_t m; /* edges; of kron and urand those that are drawn */
    uint64_t degree, rows, columns;
    uint64_t seed;
    uint32_t weights;
    uint64_t chance; /* of 2^32, that an edge is rewired */
    bool directed;
};

HY_CHECKED hy_status gen_plan_init(struct gen_plan *P, hy_ctx *ctx,
                                   const hy_gen_opts *opts);

/* Seeds of one plan that have nothing to do with one another. */
static inline uint64_t gen_seed(const struct gen_plan *P, uint64_t purpose)
{
    return base_random_start(P->seed, (uint64_t)P->kind << 8 | purpose);
}

/* ---- edges as keys ------------------------------------------------------ */

static inline uint64_t gen_key(hy_vid u, hy_vid v)
{
    return (uint64_t)u << 32 | v;
}

static inline hy_vid gen_key_u(uint64_t key)
{
    return (hy_vid)(key >> 32);
}

static inline hy_vid gen_key_v(uint64_t key)
{
    return (hy_vid)key;
}

/* The key of an edge: undirected ones have u <= v. */
static inline uint64_t gen_key_of(bool directed, hy_vid u, hy_vid v)
{
    return directed || u < v ? gen_key(u, v) : gen_key(v, u);
}

/* Keys that are made in any order, and room to sort them. */
struct gen_keys {
    hy_ctx *ctx;
    uint64_t n;
    uint64_t *key, *tmp; /* owned */
};

HY_CHECKED hy_status gen_keys_init(struct gen_keys *K, hy_ctx *ctx, uint64_t n);
void gen_keys_fini(struct gen_keys *K);

/* Sorts keys of ids below `bound`. */
void gen_keys_sort(struct gen_keys *K, hy_vid bound);

/* Sorts, drops loops and repeats, and turns the keys into the list's edges;
 * K is finished, whatever happens. */
HY_CHECKED hy_status gen_keys_list(struct gen_keys *K, hy_gen_list *L);

/* All edges but those of the n sorted keys, which are no loops. */
HY_CHECKED hy_status gen_complement(const struct gen_plan *P,
                                    const uint64_t *keys, uint64_t n,
                                    hy_gen_list *L);

/* ---- makers ------------------------------------------------------------- */

/* Fills in edges and m of a list that has ctx, n and directed. */
typedef hy_status gen_maker(const struct gen_plan *P, hy_gen_list *L);

gen_maker gen_drawn, gen_grid, gen_path, gen_cycle, gen_star, gen_complete,
    gen_tree, gen_smallworld, gen_preferential, gen_regular;

/* ---- touched edges -------------------------------------------------------
 *
 * A map of edges that came or went since some base was looked at: a hash
 * table of keys with linear probing, of a size that is known before. */
struct gen_touched {
    uint64_t *key; /* owned; UINT64_MAX: empty, which is no edge's key */
    bool *there;   /* owned */
    uint64_t mask;
};

enum gen_touch { GEN_UNTOUCHED, GEN_WENT, GEN_CAME };

/* Room for `most` different edges. */
HY_CHECKED hy_status gen_touched_init(struct gen_touched *T, hy_ctx *ctx,
                                      uint64_t most);
void gen_touched_fini(struct gen_touched *T, hy_ctx *ctx);
enum gen_touch gen_touched_get(const struct gen_touched *T, uint64_t key);
void gen_touched_set(struct gen_touched *T, uint64_t key, bool there);

#endif
