/* Counting k-cliques by subgraphs of lower neighbours.
 *
 *   Count(k)
 *     1 Rank   number vertices by falling degree; keep lower neighbours L(u)
 *     for every u:
 *       2 Rows    for the i-th of L(u), as bits: its neighbours among the
 *                 first i - 1
 *       3 Search  candidates S <- L(u); pick i from S, highest first, go on
 *                 with S and row i until two are missing; then count the bits
 *                 of S and row i for every i of S
 *
 * After kClist (Danisch, Balalau, Sozio, WWW 2018): its induced subgraphs are
 * lists that are cut and mended, ours are rows of bits, as no list is longer
 * than sqrt(2 m).  A set with less candidates than are missing is left at
 * once.
 *
 * Invariant: level d of the search has picked d vertices below u, in falling
 * order; its set holds what is adjacent to all of them and was not yet picked
 * at that level.  As rows only have lower places, nothing is lost by taking
 * away what was picked.
 */
#include "algo/common/claims.h"
#include "algo/common/ranked.h"
#include "base/bits.h"
#include "ops/intersect.h"
#include "par/par.h"

#include <hypha/kclique.h>

struct worker {
    uint32_t *place;  /* by rank: 1 + place in L(u), 0: not there */
    uint64_t *rows;   /* longest rows */
    uint64_t *sets;   /* one for each level */
    uint32_t *picked; /* at each level: place in L(u) */
    uint64_t *found;  /* at each level: cliques below it */
    uint64_t *share;  /* by place in L(u): cliques with it */
    uint64_t total;
};

struct cliques {
    struct ranked R;
    const struct ops_intersect *loops;
    uint32_t k;
    uint64_t *count; /* NULL, or by vertex; atomic, relaxed: counters */
    struct claims claims;
    uint32_t width;
    struct worker *workers;
};

/* Words of a set of n places: a multiple of 4, as the loops want it. */
static size_t set_words(size_t n)
{
    return bits_div_up(n, 256) * 4;
}

/* ---- one vertex -------------------------------------------------------- */

static void make_rows(const struct cliques *C, struct worker *W,
                      const uint32_t *list, uint32_t n)
{
    const size_t words = set_words(n);
    for (size_t i = 0; i < n * words; i++)
        W->rows[i] = 0;
    for (uint32_t i = 0; i < n; i++)
        W->place[list[i]] = i + 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = list[i];
        for (uint64_t k = C->R.from[v]; k < C->R.from[v + 1]; k++) {
            const uint32_t at = W->place[C->R.to[k]];
            if (at)
                bits_add(W->rows + i * words, at - 1);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        W->place[list[i]] = 0;
}

static void fill_set(uint64_t *set, uint32_t n)
{
    for (size_t i = 0; i < set_words(n); i++)
        set[i] = 0;
    for (uint32_t i = 0; i < n; i++)
        bits_add(set, i);
}

/* Takes the highest out of the set; false if it is empty.  *words shrinks. */
static bool pick(uint64_t *set, size_t *words, uint32_t *place)
{
    while (*words && !set[*words - 1])
        --*words;
    if (!*words)
        return false;
    const size_t last = *words - 1;
    *place = (uint32_t)(last * 64 + bits_width(set[last]) - 1);
    bits_remove(set, *place);
    return true;
}

/* Adds 1 to the share of each that is in both. */
static void share_leaves(struct worker *W, const uint64_t *set,
                         const uint64_t *row, size_t words)
{
    for (size_t i = 0; i < words; i++)
        for (uint64_t x = set[i] & row[i]; x; x &= x - 1)
            W->share[i * 64 + (size_t)__builtin_ctzll(x)]++;
}

/* Pairs of neighbours in a set: the last two vertices of a clique. */
static uint64_t count_pairs(const struct cliques *C, struct worker *W,
                            uint64_t *set, size_t words)
{
    uint64_t sum = 0;
    size_t left = words;
    uint32_t i = 0;
    while (pick(set, &left, &i)) {
        const uint64_t *row = W->rows + i * words;
        const uint64_t n = C->loops->rows(set, row, bits_div_up(left, 4) * 4);
        sum += n;
        if (C->count && n) {
            W->share[i] += n;
            share_leaves(W, set, row, left);
        }
    }
    return sum;
}

/* The candidates after i was picked; how many. */
static uint64_t narrow(uint64_t *to, const uint64_t *set, const uint64_t *row,
                       size_t words)
{
    uint64_t n = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] = set[i] & row[i];
        n += bits_count(to[i]);
    }
    return n;
}

/* Cliques of `missing` >= 2 vertices among the n places. */
static uint64_t search(const struct cliques *C, struct worker *W, uint32_t n,
                       uint32_t missing)
{
    const size_t words = set_words(n);
    uint32_t level = 0;
    fill_set(W->sets, n);
    W->found[0] = 0;
    for (;;) {
        uint64_t *set = W->sets + level * words;
        size_t left = words;
        if (missing - level == 2)
            W->found[level] = count_pairs(C, W, set, words);
        else if (pick(set, &left, &W->picked[level])) {
            const uint64_t *row = W->rows + W->picked[level] * words;
            if (narrow(set + words, set, row, words) + level + 1 >= missing)
                W->found[++level] = 0;
            continue;
        }
        if (level == 0)
            return W->found[0];
        level--;
        W->found[level] += W->found[level + 1];
        W->share[W->picked[level]] += W->found[level + 1];
    }
}

static void hand_out(const struct cliques *C, struct worker *W, uint32_t u,
                     const uint32_t *list, uint32_t n, uint64_t found)
{
    (void)__atomic_fetch_add(&C->count[C->R.vertex[u]], found,
                             __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n; i++) {
        if (W->share[i])
            (void)__atomic_fetch_add(&C->count[C->R.vertex[list[i]]],
                                     W->share[i], __ATOMIC_RELAXED);
        W->share[i] = 0;
    }
}

static uint64_t count_at(const struct cliques *C, struct worker *W, uint32_t u)
{
    const uint32_t *list = C->R.to + C->R.from[u];
    const uint32_t n = ranked_degree(&C->R, u);
    uint64_t found = n;
    if (n + 1 < C->k)
        return 0;
    if (C->k > 2) {
        make_rows(C, W, list, n);
        found = search(C, W, n, C->k - 1);
    }
    for (uint32_t i = 0; C->k == 2 && i < n; i++)
        W->share[i] = 1;
    if (C->count)
        hand_out(C, W, u, list, n, found);
    return found;
}

/* ---- all --------------------------------------------------------------- */

static void work_par(void *arg, size_t i)
{
    struct cliques *C = arg;
    size_t lo, hi;
    while (claims_take(&C->claims, &lo, &hi))
        for (size_t u = lo; u < hi; u++)
            C->workers[i].total += count_at(C, &C->workers[i], (uint32_t)u);
}

static hy_status reserve_worker(const struct cliques *C, struct worker *W)
{
    hy_ctx *ctx = C->R.ctx;
    const size_t longest = C->R.longest, words = set_words(longest);
    W->place = base_alloc(ctx, C->R.n, sizeof *W->place);
    W->rows = base_alloc_raw(ctx, longest * words, sizeof *W->rows);
    W->sets = base_alloc_raw(ctx, C->k * words, sizeof *W->sets);
    W->picked = base_alloc(ctx, C->k, sizeof *W->picked);
    W->found = base_alloc(ctx, C->k, sizeof *W->found);
    W->share = base_alloc(ctx, longest, sizeof *W->share);
    return W->place && W->rows && W->sets && W->picked && W->found && W->share
               ? HY_OK
               : HY_ENOMEM;
}

static void release(struct cliques *C)
{
    hy_ctx *ctx = C->R.ctx;
    for (uint32_t i = 0; C->workers && i < C->width; i++) {
        base_free(ctx, C->workers[i].share);
        base_free(ctx, C->workers[i].found);
        base_free(ctx, C->workers[i].picked);
        base_free(ctx, C->workers[i].sets);
        base_free(ctx, C->workers[i].rows);
        base_free(ctx, C->workers[i].place);
    }
    base_free(ctx, C->workers);
    ranked_fini(&C->R);
}

static void clear(uint64_t *count, hy_vid n)
{
    for (hy_vid u = 0; count && u < n; u++)
        count[u] = 0;
}

static hy_status reserve(struct cliques *C)
{
    C->workers = base_alloc(C->R.ctx, C->width, sizeof *C->workers);
    if (!C->workers)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < C->width; i++)
        HY_TRY(reserve_worker(C, &C->workers[i]));
    return HY_OK;
}

static uint64_t run(struct cliques *C)
{
    enum { GRAIN = 16 };
    uint64_t cliques = 0;
    C->claims = (struct claims){ .n = C->R.n, .grain = GRAIN };
    par_run(C->R.ctx, C->width, work_par, C);
    for (uint32_t i = 0; i < C->width; i++)
        cliques += C->workers[i].total;
    return cliques;
}

static hy_status count_cliques(const hy_view *V, uint32_t k, uint64_t *count,
                               uint64_t *cliques)
{
    struct cliques C = { .loops = ops_intersect_best(),
                         .k = k,
                         .count = count,
                         .width = par_width(view_ctx(V)) };
    HY_TRY(ranked_init(&C.R, V, (struct ranked_opts){ .part = RANKED_LOWER }));
    /* a clique is its last vertex and a part of that one's list */
    const bool has_any = k - 1 <= C.R.longest;
    const hy_status status = has_any ? reserve(&C) : HY_OK;
    if (status == HY_OK) {
        clear(count, hy_view_bound(V));
        *cliques = has_any ? run(&C) : 0;
    }
    release(&C);
    return status;
}

/* Every vertex is a clique of one. */
static uint64_t count_vertices(const hy_view *V, uint64_t *count)
{
    for (hy_vid u = 0; count && u < hy_view_bound(V); u++)
        count[u] = view_has_vertex(V, u);
    return hy_view_vertices(V);
}

hy_status hy_kclique(const hy_view *V, const hy_kclique_opts *opts,
                     uint64_t *count, hy_kclique_info *info)
{
    const uint32_t k = opts && opts->k ? opts->k : 4;
    uint64_t cliques = 0;
    if (k == 1)
        cliques = count_vertices(V, count);
    else
        HY_TRY(count_cliques(V, k, count, &cliques));
    if (info)
        info->cliques = cliques;
    return HY_OK;
}
