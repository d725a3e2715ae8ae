/* Counting and peeling.
 *
 * A triangle breaks when the first of its edges goes.  If two go in the same
 * round, the one of the smaller number takes 1 from the third; if all three
 * go, nobody does.  The support of an edge stops at the level: who brings it
 * there puts the edge into the next round, so that it goes once.
 */
#include "algo/ktruss/ktruss_impl.h"

#include "par/par.h"

enum { GRAIN = 64 };

/* ---- count ------------------------------------------------------------- */

static void add_support(struct truss *T, uint32_t e, uint32_t x)
{
    if (x)
        (void)__atomic_fetch_add(&T->support[e], x, __ATOMIC_RELAXED);
}

/* Triangles of u with two neighbours of lower rank. */
static void count_at(struct truss *T, uint32_t *mark, uint32_t u)
{
    const uint32_t first = T->lower[u], last = T->lower[u + 1];
    for (uint32_t e = first; e < last; e++)
        mark[T->other[e]] = e + 1;
    for (uint32_t e = first; e < last; e++) {
        const uint32_t v = T->other[e];
        uint32_t found = 0;
        for (uint32_t f = T->lower[v]; f < T->lower[v + 1]; f++) {
            const uint32_t at = mark[T->other[f]];
            if (!at)
                continue;
            found++;
            add_support(T, f, 1);
            add_support(T, at - 1, 1);
        }
        add_support(T, e, found);
    }
    for (uint32_t e = first; e < last; e++)
        mark[T->other[e]] = 0;
}

static void count_par(void *arg, size_t i)
{
    struct truss *T = arg;
    size_t lo, hi;
    while (claims_take(&T->claims, &lo, &hi))
        for (size_t u = lo; u < hi; u++)
            count_at(T, T->mark[i], (uint32_t)u);
}

void truss_count(struct truss *T)
{
    T->claims = (struct claims){ .n = T->R.n, .grain = GRAIN };
    par_run(T->R.ctx, T->width, count_par, T);
}

/* ---- peel -------------------------------------------------------------- */

static void put(struct truss *T, uint32_t e)
{
    T->order[atomic_fetch_add_explicit(&T->tail, 1, memory_order_relaxed)] = e;
}

/* Takes 1 from an edge that stays, but not below the level. */
static void weaken(struct truss *T, uint32_t e)
{
    uint32_t support = __atomic_load_n(&T->support[e], __ATOMIC_RELAXED);
    while (support > T->level)
        if (__atomic_compare_exchange_n(&T->support[e], &support, support - 1,
                                        true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            if (support - 1 == T->level)
                put(T, e);
            return;
        }
}

/* Edge e goes, and with it the triangle of e, f and g. */
static void break_triangle(struct truss *T, uint32_t e, uint32_t f, uint32_t g)
{
    const uint8_t at_f = T->state[f], at_g = T->state[g];
    if (at_f == TRUSS_GONE || at_g == TRUSS_GONE)
        return;
    if (at_f == TRUSS_STAYS && (at_g == TRUSS_STAYS || e < g))
        weaken(T, f);
    if (at_g == TRUSS_STAYS && (at_f == TRUSS_STAYS || e < f))
        weaken(T, g);
}

/* The first place in from..end whose rank is >= key: steps that double, then
 * halve. */
static uint64_t gallop(const uint32_t *to, uint64_t from, uint64_t end,
                       uint32_t key)
{
    uint64_t step = 1, lo = from, hi = from;
    while (hi < end && to[hi] < key) {
        lo = hi + 1;
        hi += step;
        step *= 2;
    }
    hi = hi < end ? hi : end;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (to[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint64_t length(const struct truss *T, uint32_t r)
{
    return T->stop[r] - T->R.from[r];
}

/* Breaks the triangles of edge e. */
static void remove_edge(struct truss *T, uint32_t e)
{
    enum { MUCH_LONGER = 16 };
    const uint32_t *to = T->R.to;
    uint32_t few = T->end[e], many = T->other[e];
    if (length(T, few) > length(T, many)) {
        few = T->other[e];
        many = T->end[e];
    }
    const bool searches = length(T, many) / MUCH_LONGER > length(T, few);
    uint64_t i = T->R.from[few], k = T->R.from[many];
    while (i < T->stop[few] && k < T->stop[many]) {
        const uint32_t x = to[i], y = to[k];
        if (x == y)
            break_triangle(T, e, T->edge[i], T->edge[k]);
        if (searches && y < x) {
            k = gallop(to, k, T->stop[many], x);
            continue;
        }
        i += x <= y;
        k += y <= x;
    }
}

static void remove_par(void *arg, size_t lo, size_t hi)
{
    struct truss *T = arg;
    for (size_t i = lo; i < hi; i++)
        if (T->level > 0)
            remove_edge(T, T->order[T->head + i]);
}

/* Takes what went out of the lists. */
static void cut_par(void *arg, size_t lo, size_t hi)
{
    struct truss *T = arg;
    for (size_t r = lo; r < hi; r++) {
        uint64_t kept = T->R.from[r];
        for (uint64_t i = kept; i < T->stop[r]; i++) {
            T->R.to[kept] = T->R.to[i];
            T->edge[kept] = T->edge[i];
            kept += T->state[T->edge[i]] != TRUSS_GONE;
        }
        T->stop[r] = kept;
    }
}

static void cut_lists(struct truss *T)
{
    if (T->n_left > T->n_listed - T->n_listed / 4)
        return;
    T->n_listed = T->n_left;
    par_for(T->R.ctx, T->R.n, GRAIN, cut_par, T);
}

/* The level is the least support of what stays; what has it goes first. */
static void begin_level(struct truss *T)
{
    uint64_t kept = 0;
    uint32_t least = HY_NONE;
    for (uint64_t i = 0; i < T->n_left; i++) {
        const uint32_t e = T->left[i];
        if (T->state[e] != TRUSS_STAYS)
            continue;
        T->left[kept++] = e;
        least = T->support[e] < least ? T->support[e] : least;
    }
    T->n_left = kept;
    T->level = least;
    for (uint64_t i = 0; i < kept; i++)
        if (T->support[T->left[i]] == least)
            put(T, T->left[i]);
}

static void set_state(struct truss *T, uint64_t lo, uint64_t hi,
                      enum truss_state state)
{
    for (uint64_t i = lo; i < hi; i++)
        T->state[T->order[i]] = (uint8_t)state;
}

void truss_peel(struct truss *T)
{
    for (uint32_t e = 0; e < T->m; e++)
        T->left[e] = e;
    for (uint32_t r = 0; r < T->R.n; r++)
        T->stop[r] = T->R.from[r + 1];
    T->n_left = T->n_listed = T->m;
    while (T->head < T->m) {
        begin_level(T);
        cut_lists(T);
        for (uint64_t end; (end = atomic_load(&T->tail)) > T->head;) {
            set_state(T, T->head, end, TRUSS_GOES);
            par_for(T->R.ctx, end - T->head, GRAIN, remove_par, T);
            set_state(T, T->head, end, TRUSS_GONE);
            T->head = end;
        }
    }
}
