/* Triangles on a copy ordered by degree, with rows of bits for the hubs.
 *
 *   Count
 *     1 Rank     number vertices by falling degree; keep lower neighbours L(u)
 *     2 Core     a row of bits for each of the first ranks: bit w of row v is
 *                set if w is in L(v)
 *     3 for every u, for every v in L(u): add |L(u) and L(v)|
 *         v in the core, few of L(u) below v   look each of them up in row v
 *         v in the core                        count the bits of L(u) and row v
 *         else                                 look each of L(v) up in L(u)
 *
 * Each triangle u > v > w is found once, at u.  Lists end at sqrt(2 m), so
 * that step 3 takes O(m^1.5) at most (Chiba, Nishizeki, SIAM J. Computing
 * 1985; Latapy, Theoretical Computer Science 2008).  In a graph with hubs
 * nearly all of the work is between them, and their rows stay in the cache.
 *
 * Invariant: the bits of a worker are all 0 between two u.
 */
#include "algo/triangles/triangles_impl.h"

#include "algo/common/claims.h"
#include "algo/common/ranked.h"
#include "base/bits.h"
#include "ops/intersect.h"
#include "par/par.h"

/* Rows are padded to 4 words, and 256 rows in turn have the same length. */
enum { ROW_STEP = 256, STEP_WORDS = ROW_STEP / 64, MOST_CORE = 64 * ROW_STEP };

struct worker {
    uint64_t *mark; /* bits of all ranks */
    uint64_t *hubs; /* NULL, or triangles of each rank of the core */
    uint64_t total;
};

struct count {
    struct ranked R;
    const struct ops_intersect *loops;
    uint32_t core;   /* ranks below have a row */
    uint64_t *rows;  /* of the core */
    uint64_t *count; /* NULL, or by vertex; atomic, relaxed: counters */
    struct claims claims;
    uint32_t width;
    struct worker *workers;
};

/* ---- rows -------------------------------------------------------------- */

/* Words of the row of v. */
static size_t row_words(uint32_t v)
{
    return ((size_t)v / ROW_STEP + 1) * STEP_WORDS;
}

/* Words of the rows before that of v. */
static size_t row_start(uint32_t v)
{
    const size_t step = v / ROW_STEP;
    return step * (step + 1) / 2 * ROW_STEP * STEP_WORDS +
           v % ROW_STEP * (step + 1) * STEP_WORDS;
}

static const uint64_t *row(const struct count *C, uint32_t v)
{
    return C->rows + row_start(v);
}

static void fill_rows_par(void *arg, size_t lo, size_t hi)
{
    struct count *C = arg;
    for (size_t v = lo; v < hi; v++) {
        uint64_t *bits = C->rows + row_start((uint32_t)v);
        for (uint64_t i = C->R.from[v]; i < C->R.from[v + 1]; i++)
            bits_add(bits, C->R.to[i]);
    }
}

/* As many rows as take no more memory than the lists. */
static uint32_t core_size(const struct ranked *R)
{
    uint32_t n = MOST_CORE;
    while (n > ROW_STEP && 2 * row_start(n) > R->m)
        n -= ROW_STEP;
    return n < R->n ? n : R->n;
}

/* ---- asking for memory before it is needed ------------------------------ */

/* How many entries of the lists ahead: of all lists, one after the other. */
enum { FAR = 32, NEAR = 12 };

/* The place of the list of v, or its row: hubs are at its start. */
HY_INLINE void ask_for_place(const struct count *C, uint64_t at)
{
    const uint32_t v = C->R.to[at < C->R.m ? at : 0];
    if (v < C->core)
        HY_PREFETCH(row(C, v));
    else
        HY_PREFETCH(&C->R.from[v]);
}

HY_INLINE void ask_for_list(const struct count *C, uint64_t at)
{
    const uint32_t v = C->R.to[at < C->R.m ? at : 0];
    if (v >= C->core)
        HY_PREFETCH(&C->R.to[C->R.from[v]]);
}

/* ---- one vertex: the total --------------------------------------------- */

static uint64_t look_up(const uint64_t *bits, const uint32_t *list, size_t n)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += bits_has(bits, list[i]);
    return found;
}

static void mark(struct worker *W, const uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bits_add(W->mark, list[i]);
}

static void unmark(struct worker *W, const uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        W->mark[list[i] / 64] = 0;
}

static size_t count_below(const uint32_t *list, size_t n, uint32_t bound)
{
    while (n && list[n - 1] >= bound)
        n--;
    return n;
}

/* Are `i` looks into row v cheaper than all of its bits? */
static bool is_few(const struct count *C, size_t i, uint32_t v)
{
    return i * C->loops->row_bits < v;
}

static uint64_t count_at(const struct count *C, struct worker *W, uint32_t u)
{
    const uint32_t *list = C->R.to + C->R.from[u];
    const size_t n = ranked_degree(&C->R, u);
    const size_t in_core = count_below(list, n, C->core);
    uint64_t found = 0;
    bool is_marked = false;
    for (size_t i = 1; i < n; i++) {
        const uint32_t v = list[i];
        ask_for_place(C, C->R.from[u] + i + FAR);
        ask_for_list(C, C->R.from[u] + i + NEAR);
        if (i < in_core && is_few(C, i, v)) {
            found += look_up(row(C, v), list, i);
            continue;
        }
        if (!is_marked)
            mark(W, list, n);
        is_marked = true;
        if (i < in_core)
            found += C->loops->rows(W->mark, row(C, v), row_words(v));
        else
            found += look_up(W->mark, C->R.to + C->R.from[v],
                             ranked_degree(&C->R, v));
    }
    if (is_marked)
        unmark(W, list, n);
    return found;
}

/* ---- one vertex: triangles of each ------------------------------------- */

static void add(const struct count *C, struct worker *W, uint32_t r, uint64_t x)
{
    if (r < C->core)
        W->hubs[r] += x;
    else if (x)
        (void)__atomic_fetch_add(&C->count[C->R.vertex[r]], x,
                                 __ATOMIC_RELAXED);
}

/* Adds 1 to each of the list that has its bit set; returns how many. */
static uint64_t give_looked_up(const struct count *C, struct worker *W,
                               const uint64_t *bits, const uint32_t *list,
                               size_t n)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hit = bits_has(bits, list[i]);
        found += hit;
        add(C, W, list[i], hit);
    }
    return found;
}

static uint64_t give_row(struct worker *W, const uint64_t *bits, size_t n)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t x = bits[i] & W->mark[i]; x; x &= x - 1) {
            W->hubs[i * 64 + (size_t)__builtin_ctzll(x)]++;
            found++;
        }
    return found;
}

static uint64_t give_at(const struct count *C, struct worker *W, uint32_t u)
{
    const uint32_t *list = C->R.to + C->R.from[u];
    const size_t n = ranked_degree(&C->R, u);
    const size_t in_core = count_below(list, n, C->core);
    uint64_t sum = 0;
    if (n < 2)
        return 0;
    mark(W, list, n);
    for (size_t i = 1; i < n; i++) {
        const uint32_t v = list[i];
        uint64_t found;
        if (i >= in_core)
            found = give_looked_up(C, W, W->mark, C->R.to + C->R.from[v],
                                   ranked_degree(&C->R, v));
        else if (is_few(C, i, v))
            found = give_looked_up(C, W, row(C, v), list, i);
        else
            found = give_row(W, row(C, v), row_words(v));
        add(C, W, v, found);
        sum += found;
    }
    unmark(W, list, n);
    add(C, W, u, sum);
    return sum;
}

/* ---- all --------------------------------------------------------------- */

static void work_par(void *arg, size_t i)
{
    struct count *C = arg;
    struct worker *W = &C->workers[i];
    uint64_t total = 0;
    size_t lo, hi;
    while (claims_take(&C->claims, &lo, &hi))
        for (size_t u = lo; u < hi; u++)
            total += W->hubs ? give_at(C, W, (uint32_t)u)
                             : count_at(C, W, (uint32_t)u);
    W->total = total;
}

static uint64_t sum_up(struct count *C)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < C->width; i++) {
        total += C->workers[i].total;
        for (uint32_t r = 0; C->count && r < C->core; r++)
            C->count[C->R.vertex[r]] += C->workers[i].hubs[r];
    }
    return total;
}

static hy_status reserve(struct count *C)
{
    hy_ctx *ctx = C->R.ctx;
    C->core = core_size(&C->R);
    C->rows = base_alloc(ctx, row_start(C->core), sizeof *C->rows);
    C->workers = base_alloc(ctx, C->width, sizeof *C->workers);
    if (!C->rows || !C->workers)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < C->width; i++) {
        struct worker *W = &C->workers[i];
        /* a row is as long as its step, however few ranks there are */
        const size_t words = row_words(C->R.n);
        W->mark = base_alloc(ctx, words, sizeof *W->mark);
        if (C->count)
            W->hubs = base_alloc(ctx, C->core, sizeof *W->hubs);
        if (!W->mark || (C->count && !W->hubs))
            return HY_ENOMEM;
    }
    return HY_OK;
}

static void release(struct count *C)
{
    hy_ctx *ctx = C->R.ctx;
    for (uint32_t i = 0; C->workers && i < C->width; i++) {
        base_free(ctx, C->workers[i].hubs);
        base_free(ctx, C->workers[i].mark);
    }
    base_free(ctx, C->workers);
    base_free(ctx, C->rows);
    ranked_fini(&C->R);
}

hy_status triangles_ranked(const hy_view *V, uint64_t *count, uint64_t *total)
{
    enum { GRAIN = 64 };
    hy_ctx *ctx = view_ctx(V);
    struct count C = { .loops = ops_intersect_best(),
                       .count = count,
                       .width = par_width(ctx) };
    HY_TRY(ranked_init(&C.R, V, (struct ranked_opts){ .part = RANKED_LOWER }));
    const hy_status status = reserve(&C);
    if (status == HY_OK) {
        C.claims = (struct claims){ .n = C.R.n, .grain = GRAIN };
        triangles_clear(V, count);
        par_for(ctx, C.core, GRAIN, fill_rows_par, &C);
        par_run(ctx, C.width, work_par, &C);
        *total = sum_up(&C);
    }
    release(&C);
    return status;
}
