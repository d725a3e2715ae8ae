/* The external ids that a list of pairs names, each once, ascending.
 *
 *   Externals(pairs)
 *     1 Width    ends by their width: a limit, as ids.h has it
 *     2 Mark     small ends into a set of bits; great ones are counted by the
 *                hash of their id, in parts
 *     3 Deal     great ends to their parts
 *     4 Merge    each part, by a small hash table; then sort what is left
 *     5 Read     the set, then the list
 */
#include "store/build.h"

#include "base/atomic.h"
#include "base/random.h"
#include "par/par.h"

enum {
    GRAIN = 1 << 16, /* pairs, or words of the set */
    PART_BITS = 9,
    PARTS = 1 << PART_BITS, /* tables of a part stay in the cache */
    TABLE_LEAST = 1 << 10
};

struct gather {
    hy_ctx *ctx;
    const hy_pair *pair;
    uint64_t m;
    bool no_loops;
    uint64_t limit;
    uint64_t *set; /* of ids below the limit */
    size_t words;
    uint64_t *great; /* ids from it on, part after part */
    uint64_t *place; /* [part][grain]: counts, then places in great */
    size_t grains;   /* of pairs */
    uint64_t left[PARTS];
    uint64_t *rank; /* of each grain of words: ids before it */
    uint64_t *out;
    _Atomic bool no_memory; /* relaxed: read after the loop */
};

static size_t part_of(uint64_t x)
{
    return base_mix(x) >> (64 - PART_BITS);
}

static uint64_t *place_of(const struct gather *G, uint64_t x, size_t grain)
{
    return &G->place[part_of(x) * G->grains + grain];
}

/* The pairs of a grain. */
static struct range {
    uint64_t lo, hi;
} grain_of(uint64_t n, size_t grain)
{
    const uint64_t lo = (uint64_t)grain * GRAIN;
    return (struct range){ lo, n - lo < GRAIN ? n : lo + GRAIN };
}

/* ---- 2 mark -------------------------------------------------------------- */

static void mark(struct gather *G, uint64_t x, size_t grain)
{
    if (x >= G->limit) {
        ++*place_of(G, x, grain);
        return;
    }
    const uint64_t bit = (uint64_t)1 << x % 64;
    uint64_t *word = &G->set[x / 64];
    if (!(atomic_peek_u64(word) & bit))
        atomic_or_u64(word, bit);
}

static void mark_par(void *arg, size_t grain)
{
    struct gather *G = arg;
    const struct range r = grain_of(G->m, grain);
    for (uint64_t i = r.lo; i < r.hi; i++) {
        if (G->no_loops && G->pair[i].u == G->pair[i].v)
            continue;
        mark(G, G->pair[i].u, grain);
        mark(G, G->pair[i].v, grain);
    }
}

/* ---- 3 deal -------------------------------------------------------------- */

static void deal(struct gather *G, uint64_t x, size_t grain)
{
    if (x >= G->limit)
        G->great[(*place_of(G, x, grain))++] = x;
}

static void deal_par(void *arg, size_t grain)
{
    struct gather *G = arg;
    const struct range r = grain_of(G->m, grain);
    for (uint64_t i = r.lo; i < r.hi; i++) {
        if (G->no_loops && G->pair[i].u == G->pair[i].v)
            continue;
        deal(G, G->pair[i].u, grain);
        deal(G, G->pair[i].v, grain);
    }
}

/* Where a part ends, once it is dealt: its last place. */
static uint64_t part_end(const struct gather *G, size_t part)
{
    return G->place[(part + 1) * G->grains - 1];
}

/* ---- 4 merge ------------------------------------------------------------- */

/* A table of n ids that are none below the limit, which 0 is. */
struct seen {
    uint64_t *at;
    size_t room; /* a power of two */
};

static bool is_new(struct seen *T, uint64_t x)
{
    size_t i = base_mix(x) & (T->room - 1);
    while (T->at[i] && T->at[i] != x)
        i = (i + 1) & (T->room - 1);
    const bool is = !T->at[i];
    T->at[i] = x;
    return is;
}

/* A table of twice the room, with the ids that were kept. */
static bool grow_seen(hy_ctx *ctx, struct seen *T, const uint64_t *kept,
                      uint64_t n)
{
    const size_t room = T->room ? 2 * T->room : TABLE_LEAST;
    base_free(ctx, T->at);
    *T = (struct seen){ .at = base_alloc(ctx, room, sizeof *T->at),
                        .room = room };
    for (uint64_t i = 0; T->at && i < n; i++)
        (void)is_new(T, kept[i]);
    return T->at != NULL;
}

static void merge_par(void *arg, size_t part)
{
    struct gather *G = arg;
    const uint64_t lo = part ? part_end(G, part - 1) : 0;
    const uint64_t end = part_end(G, part);
    uint64_t *kept = G->great + lo, n = 0;
    struct seen T = { 0 };
    bool ok = true;
    for (uint64_t i = lo; i < end && ok; i++) {
        if (2 * n >= T.room)
            ok = grow_seen(G->ctx, &T, kept, n);
        if (ok && is_new(&T, G->great[i]))
            kept[n++] = G->great[i];
    }
    base_free(G->ctx, T.at);
    G->left[part] = n;
    if (!ok)
        atomic_store_explicit(&G->no_memory, true, memory_order_relaxed);
}

/* Moves the parts together and sorts them. */
static hy_status join_great(struct gather *G, uint64_t *n)
{
    *n = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const uint64_t lo = part ? part_end(G, part - 1) : 0;
        memmove(G->great + *n, G->great + lo, G->left[part] * sizeof *G->great);
        *n += G->left[part];
    }
    uint64_t *tmp = base_alloc_raw(G->ctx, *n, sizeof *tmp);
    if (!tmp)
        return HY_ENOMEM;
    struct par_keys keys = { .key = G->great,
                             .key_tmp = tmp,
                             .n = *n,
                             .high_bits = 32,
                             .low_bits = 32 };
    par_sort(G->ctx, &keys);
    G->great = keys.key;
    base_free(G->ctx, keys.key_tmp);
    return HY_OK;
}

static hy_status find_great(struct gather *G, uint64_t *n)
{
    *n = par_scan(G->ctx, G->place, PARTS * G->grains);
    if (!*n)
        return HY_OK;
    G->great = base_alloc_raw(G->ctx, *n, sizeof *G->great);
    if (!G->great)
        return HY_ENOMEM;
    par_run(G->ctx, G->grains, deal_par, G);
    par_run(G->ctx, PARTS, merge_par, G);
    if (atomic_load(&G->no_memory))
        return base_fail(HY_ENOMEM, "no memory to merge ids");
    return join_great(G, n);
}

/* ---- 5 read -------------------------------------------------------------- */

static void rank_par(void *arg, size_t grain)
{
    struct gather *G = arg;
    const struct range r = grain_of(G->words, grain);
    uint64_t n = 0;
    for (uint64_t w = r.lo; w < r.hi; w++)
        n += (uint64_t)__builtin_popcountll(G->set[w]);
    G->rank[grain] = n;
}

static void read_par(void *arg, size_t grain)
{
    struct gather *G = arg;
    const struct range r = grain_of(G->words, grain);
    uint64_t *to = G->out + G->rank[grain];
    for (uint64_t w = r.lo; w < r.hi; w++)
        for (uint64_t bits = G->set[w]; bits; bits &= bits - 1)
            *to++ = 64 * w + (uint64_t)__builtin_ctzll(bits);
}

static hy_status read_all(struct gather *G, uint64_t great,
                          struct externals *out)
{
    const size_t grains = bits_div_up(G->words, GRAIN);
    G->rank = base_alloc_raw(G->ctx, grains, sizeof *G->rank);
    if (!G->rank)
        return HY_ENOMEM;
    par_run(G->ctx, grains, rank_par, G);
    const uint64_t n = par_scan(G->ctx, G->rank, grains);
    if (n + great > HY_NONE)
        return base_fail(HY_EFULL, "all vertex ids are used up");
    G->out = base_alloc_raw(G->ctx, n + great, sizeof *G->out);
    if (!G->out)
        return HY_ENOMEM;
    par_run(G->ctx, grains, read_par, G);
    if (great)
        memcpy(G->out + n, G->great, great * sizeof *G->great);
    *out = (struct externals){ .n = n + great, .at = G->out };
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status gather(struct gather *G, struct externals *out)
{
    /* A list of ends is what pairs are. */
    struct ids_widths W;
    ids_widths_of(G->ctx, &W, 2 * G->m,
                  (const uint64_t *)(const void *)G->pair);
    uint64_t great = 0;
    G->limit = ids_limit(&W);
    G->words = bits_words(G->limit);
    G->grains = bits_div_up(G->m, GRAIN);
    G->set = base_alloc(G->ctx, G->words, sizeof *G->set);
    G->place = base_alloc(G->ctx, PARTS * G->grains, sizeof *G->place);
    if (!G->set || !G->place)
        return HY_ENOMEM;
    par_run(G->ctx, G->grains, mark_par, G);
    HY_TRY(find_great(G, &great));
    return read_all(G, great, out);
}

hy_status externals_of(hy_ctx *ctx, uint64_t m, const hy_pair *pairs,
                       bool no_loops, struct externals *out)
{
    struct gather G = {
        .ctx = ctx, .pair = pairs, .m = m, .no_loops = no_loops
    };
    atomic_init(&G.no_memory, false);
    const hy_status status = gather(&G, out);
    base_free(ctx, G.set);
    base_free(ctx, G.great);
    base_free(ctx, G.place);
    base_free(ctx, G.rank);
    return status;
}
