/* Numbering vertices by degree.
 *
 *   Rank    sort the vertices that have edges by (falling degree, id)
 *   Count   the length of every list
 *   Fill    the lists, sorted
 *
 * A list of an undirected view is its adjacency under new names.  The edges of
 * a directed one are dealt out to their ends in any order, so that no reverse
 * side is needed; sorting brings the two edges of a pair together, and one of
 * them goes.
 */
#include "algo/common/ranked.h"

#include "base/bits.h"
#include "par/par.h"

#include <stdatomic.h>

enum { GRAIN = 128, SCAN_GRAIN = 4096 };

struct build {
    const hy_view *V;
    struct ranked *R;
    struct ranked_opts opts;
    uint32_t *degree; /* by vertex; later its rank */
    uint64_t *key, *key_tmp;
    uint64_t *end;   /* directed: where the next entry of a list goes */
    uint32_t *dealt; /* directed: entries with repeats */
    uint64_t *dealt_from;
    _Atomic uint32_t longest;
};

/* ---- sorting a list ---------------------------------------------------- */

static void insert_sort(uint32_t *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint32_t key = x[i];
        size_t k = i;
        for (; k > 0 && x[k - 1] > key; k--)
            x[k] = x[k - 1];
        x[k] = key;
    }
}

/* Radix exchange: in place, and no order of the input is a bad one.  All
 * numbers agree above `bit`. */
static void sort_list(uint32_t *x, size_t n, uint32_t bit)
{
    enum { FEW = 24 };
    while (n > FEW && bit) {
        size_t lo = 0, hi = n;
        while (lo < hi) {
            const uint32_t a = x[lo], b = x[hi - 1];
            const bool is_high = a & bit;
            x[lo] = is_high ? b : a;
            x[hi - 1] = is_high ? a : b;
            lo += !is_high;
            hi -= is_high;
        }
        bit >>= 1;
        sort_list(x + lo, n - lo, bit);
        n = lo;
    }
    if (n <= FEW)
        insert_sort(x, n);
}

/* The highest bit of ranks below n. */
static uint32_t top_bit(uint32_t n)
{
    return n < 2 ? 1 : (uint32_t)1 << (bits_width(n - 1) - 1);
}

/* ---- rank -------------------------------------------------------------- */

static void count_heads_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    hy_scan scan = hy_scan_out(b->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan))
        for (uint32_t i = 0; i < scan.span.n; i++)
            /* relaxed: a counter */
            (void)__atomic_fetch_add(
                &b->degree[scan.span.v[(size_t)i * scan.span.step]], 1,
                __ATOMIC_RELAXED);
}

static void take_degrees_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    const bool is_directed = !view_is_undirected(b->V);
    const bool has_in = view_has_in(b->V);
    for (size_t u = lo; u < hi; u++) {
        uint64_t degree = view_degree(b->V, (hy_vid)u);
        if (is_directed)
            degree += has_in ? view_in_degree(b->V, (hy_vid)u) : b->degree[u];
        b->degree[u] = degree < HY_NONE ? (uint32_t)degree : HY_NONE;
        b->key[u] = (uint64_t)(HY_NONE - b->degree[u]) << 32 | u;
    }
}

static void name_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    for (size_t r = lo; r < hi; r++) {
        const hy_vid u = (hy_vid)b->key[r];
        b->R->vertex[r] = u;
        b->degree[u] = (uint32_t)r;
    }
}

/* How many of the sorted keys are of vertices with edges. */
static uint32_t count_ranks(const struct build *b, size_t n)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (b->key[mid] >> 32 < HY_NONE)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint32_t)lo;
}

static void rank(struct build *b)
{
    hy_ctx *ctx = b->R->ctx;
    const hy_vid n = hy_view_bound(b->V);
    if (!view_has_in(b->V))
        par_for(ctx, n, SCAN_GRAIN, count_heads_par, b);
    par_for(ctx, n, SCAN_GRAIN, take_degrees_par, b);
    struct par_keys keys = { .key = b->key,
                             .key_tmp = b->key_tmp,
                             .n = n,
                             .high_bits = 32,
                             .low_bits = bits_width(n) };
    par_sort(ctx, &keys);
    b->key = keys.key;
    b->key_tmp = keys.key_tmp;
    b->R->n = count_ranks(b, n);
    par_for(ctx, b->R->n, SCAN_GRAIN, name_par, b);
}

/* ---- lists of an undirected view --------------------------------------- */

static void note_length(struct build *b, uint64_t n)
{
    uint32_t seen = atomic_load_explicit(&b->longest, memory_order_relaxed);
    while (seen < n && !atomic_compare_exchange_weak_explicit(
                           &b->longest, &seen, (uint32_t)n,
                           memory_order_relaxed, memory_order_relaxed))
        ;
}

static void count_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    const uint32_t *rank_of = b->degree;
    const bool all = b->opts.part == RANKED_ALL;
    for (size_t r = lo; r < hi; r++) {
        uint64_t n = 0;
        view_for_out (s, b->V, b->R->vertex[r])
            for (uint32_t i = 0; i < s.n; i++) {
                const uint32_t other = rank_of[s.v[(size_t)i * s.step]];
                n += (other < r) | (all & (other > r));
            }
        b->R->from[r] = n;
        note_length(b, n);
    }
}

static void fill_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    const uint32_t *rank_of = b->degree;
    const bool all = b->opts.part == RANKED_ALL;
    const uint32_t bit = top_bit(b->R->n);
    for (size_t r = lo; r < hi; r++) {
        uint32_t *list = b->R->to + b->R->from[r];
        const size_t room = b->R->from[r + 1] - b->R->from[r];
        size_t n = 0;
        view_for_out (s, b->V, b->R->vertex[r])
            for (uint32_t i = 0; i < s.n && n < room; i++) {
                const uint32_t other = rank_of[s.v[(size_t)i * s.step]];
                list[n] = other;
                n += (other < r) | (all & (other > r));
            }
        sort_list(list, n, bit);
    }
}

static hy_status fill_undirected(struct build *b)
{
    struct ranked *R = b->R;
    par_for(R->ctx, R->n, GRAIN, count_par, b);
    const uint64_t n = par_scan(R->ctx, R->from, (size_t)R->n + 1);
    R->to = base_alloc_raw(R->ctx, n, sizeof *R->to);
    if (b->opts.both)
        R->both = base_alloc_raw(R->ctx, n, 1);
    if (!R->to || (b->opts.both && !R->both))
        return HY_ENOMEM;
    par_for(R->ctx, R->n, GRAIN, fill_par, b);
    for (uint64_t i = 0; b->opts.both && i < n; i++)
        R->both[i] = 1;
    return HY_OK;
}

/* ---- lists of a directed view ------------------------------------------ */

/* Each edge goes to its end of higher rank, or to both. */
HY_INLINE void deal_edges(struct build *b, size_t lo, size_t hi, bool count)
{
    const uint32_t *rank_of = b->degree;
    const bool all = b->opts.part == RANKED_ALL;
    hy_scan scan = hy_scan_out(b->V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const uint32_t x = rank_of[scan.span.u];
        for (uint32_t i = 0; i < scan.span.n; i++) {
            const uint32_t y = rank_of[scan.span.v[(size_t)i * scan.span.step]];
            if (x == y)
                continue;
            const uint32_t low = x < y ? x : y, high = x < y ? y : x;
            /* relaxed: places are counted out, the loop's end orders them */
            uint64_t at =
                __atomic_fetch_add(&b->end[high], 1, __ATOMIC_RELAXED);
            if (!count)
                b->dealt[at] = low;
            if (!all)
                continue;
            at = __atomic_fetch_add(&b->end[low], 1, __ATOMIC_RELAXED);
            if (!count)
                b->dealt[at] = high;
        }
    }
}

static void deal_count_par(void *arg, size_t lo, size_t hi)
{
    deal_edges(arg, lo, hi, true);
}

static void deal_par(void *arg, size_t lo, size_t hi)
{
    deal_edges(arg, lo, hi, false);
}

static void sort_lists_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    const uint32_t bit = top_bit(b->R->n);
    for (size_t r = lo; r < hi; r++) {
        uint32_t *list = b->dealt + b->dealt_from[r];
        const size_t n = b->dealt_from[r + 1] - b->dealt_from[r];
        sort_list(list, n, bit);
        uint64_t kept = 0;
        for (size_t i = 0; i < n; i++)
            kept += i == 0 || list[i] != list[i - 1];
        b->R->from[r] = kept;
        note_length(b, kept);
    }
}

static void keep_par(void *arg, size_t lo, size_t hi)
{
    struct build *b = arg;
    for (size_t r = lo; r < hi; r++) {
        uint64_t to = b->R->from[r];
        for (uint64_t i = b->dealt_from[r]; i < b->dealt_from[r + 1]; i++) {
            const bool is_twin =
                i > b->dealt_from[r] && b->dealt[i] == b->dealt[i - 1];
            if (!is_twin)
                b->R->to[to] = b->dealt[i];
            if (b->R->both)
                b->R->both[is_twin ? to - 1 : to] = is_twin;
            to += !is_twin;
        }
    }
}

static hy_status fill_directed(struct build *b)
{
    struct ranked *R = b->R;
    const size_t n = R->n;
    const hy_vid bound = hy_view_bound(b->V);
    b->end = base_alloc(R->ctx, n + 1, sizeof *b->end);
    b->dealt_from = base_alloc_raw(R->ctx, n + 1, sizeof *b->dealt_from);
    if (!b->end || !b->dealt_from)
        return HY_ENOMEM;
    par_for(R->ctx, bound, SCAN_GRAIN, deal_count_par, b);
    const uint64_t dealt = par_scan(R->ctx, b->end, n + 1);
    for (size_t r = 0; r <= n; r++)
        b->dealt_from[r] = b->end[r];
    b->dealt = base_alloc_raw(R->ctx, dealt, sizeof *b->dealt);
    if (!b->dealt)
        return HY_ENOMEM;
    par_for(R->ctx, bound, SCAN_GRAIN, deal_par, b);
    par_for(R->ctx, n, GRAIN, sort_lists_par, b);
    const uint64_t kept = par_scan(R->ctx, R->from, n + 1);
    R->to = base_alloc_raw(R->ctx, kept, sizeof *R->to);
    if (b->opts.both)
        R->both = base_alloc_raw(R->ctx, kept, 1);
    if (!R->to || (b->opts.both && !R->both))
        return HY_ENOMEM;
    par_for(R->ctx, n, GRAIN, keep_par, b);
    return HY_OK;
}

/* ---- all of it --------------------------------------------------------- */

static hy_status build(struct build *b)
{
    struct ranked *R = b->R;
    const size_t bound = hy_view_bound(b->V);
    b->degree = base_alloc(R->ctx, bound, sizeof *b->degree);
    b->key = base_alloc_raw(R->ctx, bound, sizeof *b->key);
    b->key_tmp = base_alloc_raw(R->ctx, bound, sizeof *b->key_tmp);
    R->vertex = base_alloc_raw(R->ctx, bound, sizeof *R->vertex);
    if (!b->degree || !b->key || !b->key_tmp || !R->vertex)
        return HY_ENOMEM;
    rank(b);
    base_free(R->ctx, b->key);
    base_free(R->ctx, b->key_tmp);
    b->key = b->key_tmp = NULL;
    R->from = base_alloc(R->ctx, (size_t)R->n + 1, sizeof *R->from);
    if (!R->from)
        return HY_ENOMEM;
    HY_TRY(view_is_undirected(b->V) ? fill_undirected(b) : fill_directed(b));
    R->longest = atomic_load(&b->longest);
    R->m = R->from[R->n] / (b->opts.part == RANKED_ALL ? 2 : 1);
    return HY_OK;
}

hy_status ranked_init(struct ranked *R, const hy_view *V,
                      struct ranked_opts opts)
{
    *R = (struct ranked){ .ctx = view_ctx(V) };
    struct build b = { .V = V, .R = R, .opts = opts };
    const hy_status status = build(&b);
    base_free(R->ctx, b.dealt);
    base_free(R->ctx, b.dealt_from);
    base_free(R->ctx, b.end);
    base_free(R->ctx, b.key_tmp);
    base_free(R->ctx, b.key);
    base_free(R->ctx, b.degree);
    if (status != HY_OK)
        ranked_fini(R);
    return status;
}

void ranked_fini(struct ranked *R)
{
    base_free(R->ctx, R->both);
    base_free(R->ctx, R->to);
    base_free(R->ctx, R->from);
    base_free(R->ctx, R->vertex);
    *R = (struct ranked){ .ctx = R->ctx };
}
