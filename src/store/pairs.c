/* The external ids that a list of pairs names, each once, ascending.
 *
 *   Externals(pairs)
 *     1 Width    ends by their width: a limit, as ids.h has it
 *     2 Mark     small ends into a set of bits, great ones into a list
 *     3 Sort     the list, each id once
 *     4 Read     the set, then the list
 */
#include "store/build.h"

#include "base/atomic.h"
#include "par/par.h"

enum { PAIRS_GRAIN = 1 << 15 }; /* pairs, or words of the set */

struct gather {
    const hy_pair *pair;
    bool no_loops;
    uint64_t limit;
    uint64_t *set;         /* of ids below the limit */
    uint64_t *great;       /* ids from it on, in any order */
    _Atomic uint64_t next; /* of great; relaxed: claimed, then private */
    uint64_t *rank;        /* of each grain of words: ids before it */
    size_t words;
    uint64_t *out;
};

static bool is_left_out(const struct gather *G, hy_pair p)
{
    return G->no_loops && p.u == p.v;
}

/* ---- 2 mark -------------------------------------------------------------- */

static void mark(struct gather *G, uint64_t x, uint64_t *great)
{
    if (x >= G->limit) {
        ++*great;
        return;
    }
    const uint64_t bit = (uint64_t)1 << x % 64;
    uint64_t *word = &G->set[x / 64];
    if (!(atomic_peek_u64(word) & bit))
        atomic_or_u64(word, bit);
}

static void mark_par(void *arg, size_t lo, size_t hi)
{
    struct gather *G = arg;
    uint64_t great = 0;
    for (size_t i = lo; i < hi; i++) {
        if (is_left_out(G, G->pair[i]))
            continue;
        mark(G, G->pair[i].u, &great);
        mark(G, G->pair[i].v, &great);
    }
    if (!great)
        return;
    uint64_t at =
        atomic_fetch_add_explicit(&G->next, great, memory_order_relaxed);
    for (size_t i = lo; i < hi; i++) {
        if (is_left_out(G, G->pair[i]))
            continue;
        if (G->pair[i].u >= G->limit)
            G->great[at++] = G->pair[i].u;
        if (G->pair[i].v >= G->limit)
            G->great[at++] = G->pair[i].v;
    }
}

/* ---- 3 sort -------------------------------------------------------------- */

static uint64_t sort_great(hy_ctx *ctx, struct gather *G, uint64_t n)
{
    uint64_t *tmp = base_alloc_raw(ctx, n, sizeof *tmp);
    if (!tmp)
        return UINT64_MAX;
    struct par_keys keys = {
        .key = G->great, .key_tmp = tmp, .n = n, .high_bits = 32, .low_bits = 32
    };
    par_sort(ctx, &keys);
    G->great = keys.key;
    base_free(ctx, keys.key_tmp);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        if (!kept || G->great[kept - 1] != G->great[i])
            G->great[kept++] = G->great[i];
    return kept;
}

/* ---- 4 read -------------------------------------------------------------- */

static void rank_par(void *arg, size_t i)
{
    struct gather *G = arg;
    const size_t lo = i * PAIRS_GRAIN;
    const size_t hi = lo + PAIRS_GRAIN < G->words ? lo + PAIRS_GRAIN : G->words;
    uint64_t n = 0;
    for (size_t w = lo; w < hi; w++)
        n += (uint64_t)__builtin_popcountll(G->set[w]);
    G->rank[i] = n;
}

static void read_par(void *arg, size_t i)
{
    struct gather *G = arg;
    const size_t lo = i * PAIRS_GRAIN;
    const size_t hi = lo + PAIRS_GRAIN < G->words ? lo + PAIRS_GRAIN : G->words;
    uint64_t *to = G->out + G->rank[i];
    for (size_t w = lo; w < hi; w++)
        for (uint64_t bits = G->set[w]; bits; bits &= bits - 1)
            *to++ = 64 * w + (uint64_t)__builtin_ctzll(bits);
}

static hy_status read_all(hy_ctx *ctx, struct gather *G, uint64_t great,
                          struct externals *out)
{
    const size_t grains = bits_div_up(G->words, PAIRS_GRAIN);
    G->rank = base_alloc_raw(ctx, grains, sizeof *G->rank);
    if (!G->rank)
        return HY_ENOMEM;
    par_run(ctx, grains, rank_par, G);
    const uint64_t n = par_scan(ctx, G->rank, grains);
    if (n + great > HY_NONE)
        return base_fail(HY_EFULL, "all vertex ids are used up");
    G->out = base_alloc_raw(ctx, n + great, sizeof *G->out);
    if (!G->out)
        return HY_ENOMEM;
    par_run(ctx, grains, read_par, G);
    memcpy(G->out + n, G->great, great * sizeof *G->great);
    *out = (struct externals){ .n = n + great, .at = G->out };
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status gather(hy_ctx *ctx, struct gather *G, uint64_t m,
                        struct externals *out)
{
    /* A list of ends is what pairs are. */
    struct ids_widths W;
    ids_widths_of(ctx, &W, 2 * m, (const uint64_t *)(const void *)G->pair);
    uint64_t great = 0;
    G->limit = ids_limit(&W);
    for (unsigned w = bits_width(G->limit); w < IDS_WIDTHS; w++)
        great += W.n[w];
    G->words = bits_words(G->limit);
    G->set = base_alloc(ctx, G->words, sizeof *G->set);
    G->great = base_alloc_raw(ctx, great, sizeof *G->great);
    if (!G->set || !G->great)
        return HY_ENOMEM;
    par_for(ctx, m, PAIRS_GRAIN, mark_par, G);
    great = sort_great(ctx, G, atomic_load(&G->next));
    return great == UINT64_MAX ? HY_ENOMEM : read_all(ctx, G, great, out);
}

hy_status externals_of(hy_ctx *ctx, uint64_t m, const hy_pair *pairs,
                       bool no_loops, struct externals *out)
{
    struct gather G = { .pair = pairs, .no_loops = no_loops };
    atomic_init(&G.next, 0);
    const hy_status status = gather(ctx, &G, m, out);
    base_free(ctx, G.set);
    base_free(ctx, G.great);
    base_free(ctx, G.rank);
    return status;
}
