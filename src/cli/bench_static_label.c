/* Labels and trees next to textbook loops: label propagation by sorting the
 * neighbours' labels, colours by guessing and mending (Gebremedhin, Manne,
 * 2000), Boruvka's forest. */
#include "cli/bench_static.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 2 }; /* of label propagation */

struct labels {
    struct cell *C;
    const uint32_t *from;
    uint32_t *to;
    const hy_vid *list; /* of vertices to colour */
    hy_vid *next;       /* of those to colour again */
    _Atomic size_t n_next;
    _Atomic uint64_t weight;
};

static uint64_t degree_of(const struct gen_csr *csr, size_t u)
{
    return csr->offsets[u + 1] - csr->offsets[u];
}

/* ---- cdlp ---------------------------------------------------------------- */

static void cdlp_ours(struct cell *C)
{
    const hy_cdlp_opts opts = { .iterations = ITERATIONS };
    hy_cdlp_info info;
    cli_must(hy_cdlp(C->V, &opts, C->keys[0], &info), "cdlp");
    C->number_name = "communities";
    C->number = (double)info.communities;
}

static int by_label(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The most frequent of sorted labels, the smallest of several. */
static uint32_t most_frequent(const uint32_t *labels, size_t n)
{
    uint32_t best = labels[0];
    size_t most = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && labels[j] == labels[i];)
            j++;
        if (j - i > most) {
            most = j - i;
            best = labels[i];
        }
    }
    return best;
}

static void cdlp_par(void *arg, size_t lo, size_t hi)
{
    const struct labels *const L = arg;
    const struct gen_csr *const csr = L->C->csr;
    uint64_t room = 1;
    for (size_t u = lo; u < hi; u++)
        room = degree_of(csr, u) > room ? degree_of(csr, u) : room;
    uint32_t *const near = cli_alloc(room, sizeof *near);
    for (size_t u = lo; u < hi; u++) {
        const uint64_t first = csr->offsets[u];
        const size_t n = (size_t)degree_of(csr, u);
        for (size_t i = 0; i < n; i++)
            near[i] = L->from[csr->targets[first + i]];
        qsort(near, n, sizeof *near, by_label);
        L->to[u] = n ? most_frequent(near, n) : L->from[u];
    }
    cli_free(near);
}

static void cdlp_plain(struct cell *C)
{
    struct labels L = { .C = C };
    for (hy_vid u = 0; u < C->n; u++)
        C->a[ITERATIONS % 2][u] = u;
    for (int i = ITERATIONS; i > 0; i--) {
        L.from = C->a[i % 2];
        L.to = C->a[(i - 1) % 2];
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, cdlp_par, &L);
    }
}

static bool cdlp_is_right(struct cell *C)
{
    const hy_cdlp_opts opts = { .iterations = ITERATIONS };
    const char *why = NULL;
    bool right = hy_cdlp_check(C->V, &opts, C->keys[0], &why);
    right = static_verdict("cdlp", right, why);
    for (hy_vid u = 0; u < C->n && right; u++)
        right = C->keys[0][u] == C->a[0][u];
    return right;
}

/* ---- coloring ------------------------------------------------------------ */

static void coloring_ours(struct cell *C)
{
    hy_coloring_info info;
    cli_must(hy_coloring(C->V, NULL, C->a[0], &info), "coloring");
    C->number_name = "colors";
    C->number = info.colors;
}

/* The smallest colour that no neighbour has now, 64 of them at a time. */
static uint32_t free_color(const struct gen_csr *csr,
                           const _Atomic uint32_t *color, hy_vid u)
{
    for (uint32_t base = 0;; base += 64) {
        uint64_t taken = 0;
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const uint32_t c = atomic_load_explicit(&color[csr->targets[e]],
                                                    memory_order_relaxed);
            if (c - base < 64)
                taken |= (uint64_t)1 << (c - base);
        }
        for (uint32_t c = 0; ~taken && c < 64; c++)
            if (!(taken >> c & 1))
                return base + c;
    }
}

static void guess_par(void *arg, size_t lo, size_t hi)
{
    const struct labels *const L = arg;
    _Atomic uint32_t *const color = (_Atomic uint32_t *)L->C->a[1];
    for (size_t i = lo; i < hi; i++)
        atomic_store_explicit(&color[L->list[i]],
                              free_color(L->C->csr, color, L->list[i]),
                              memory_order_relaxed);
}

static void mend_par(void *arg, size_t lo, size_t hi)
{
    struct labels *const L = arg;
    const struct gen_csr *const csr = L->C->csr;
    const uint32_t *const color = L->C->a[1];
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = L->list[i];
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (csr->targets[e] < u && color[csr->targets[e]] == color[u]) {
                L->next[atomic_fetch_add(&L->n_next, 1)] = u;
                break;
            }
    }
}

static void coloring_plain(struct cell *C)
{
    struct labels L = { .C = C };
    hy_vid *list = C->a[2], *next = C->a[3];
    memset(C->a[1], 0xff, C->n * sizeof *C->a[1]);
    for (hy_vid u = 0; u < C->n; u++)
        list[u] = u;
    for (size_t n = C->n; n > 0; n = atomic_load(&L.n_next)) {
        L.list = list;
        L.next = next;
        atomic_store(&L.n_next, 0);
        hy_par_for(C->ctx, n, STATIC_GRAIN, guess_par, &L);
        hy_par_for(C->ctx, n, STATIC_GRAIN, mend_par, &L);
        next = list;
        list = L.next;
    }
}

static bool coloring_is_right(struct cell *C)
{
    const struct gen_csr *const csr = C->csr;
    const char *why = NULL;
    bool right = hy_coloring_check(C->V, C->a[0], &why);
    right = static_verdict("coloring", right, why);
    for (hy_vid u = 0; u < C->n; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            right &= C->a[1][u] != C->a[1][csr->targets[e]];
    return right;
}

/* ---- mst ----------------------------------------------------------------- */

static void mst_ours(struct cell *C)
{
    hy_mst_info info;
    hy_edge *const edges = (hy_edge *)(void *)C->keys[0];
    cli_must(hy_mst(C->V, NULL, edges, &info), "mst");
    C->count[0] = (uint64_t)info.weight;
}

/* An edge as a number: weight, smaller end, larger end. */
enum { END_BITS = 28 };

static uint64_t edge_key(const struct cell *C, hy_vid u, uint64_t e)
{
    const hy_vid v = C->csr->targets[e];
    const uint64_t a = u < v ? u : v, b = u < v ? v : u;
    return (uint64_t)C->weights[e] << 2 * END_BITS | a << END_BITS | b;
}

/* The lightest edge that leaves each tree. */
static void lightest_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = ((struct labels *)arg)->C;
    _Atomic uint64_t *const best = (_Atomic uint64_t *)C->keys[1];
    for (size_t u = lo; u < hi; u++) {
        const uint32_t tree = C->a[1][u];
        uint64_t least = UINT64_MAX;
        for (uint64_t e = C->csr->offsets[u]; e < C->csr->offsets[u + 1]; e++)
            if (C->a[1][C->csr->targets[e]] != tree) {
                const uint64_t key = edge_key(C, (hy_vid)u, e);
                least = key < least ? key : least;
            }
        uint64_t now = atomic_load_explicit(&best[tree], memory_order_relaxed);
        while (least < now &&
               !atomic_compare_exchange_weak(&best[tree], &now, least))
            continue;
    }
}

/* Hangs each tree on the one its edge leads to; of two that chose the same
 * edge, the larger one on the smaller. */
static void join_par(void *arg, size_t lo, size_t hi)
{
    struct labels *const L = arg;
    struct cell *const C = L->C;
    const uint64_t ends = ((uint64_t)1 << END_BITS) - 1;
    uint64_t weight = 0;
    for (size_t t = lo; t < hi; t++) {
        const uint64_t key = C->keys[1][t];
        if (C->a[1][t] != t || key == UINT64_MAX)
            continue;
        const uint32_t a = C->a[1][key >> END_BITS & ends];
        const uint32_t b = C->a[1][key & ends];
        const uint32_t other = a == t ? b : a;
        if (C->keys[1][other] == key && t < other)
            continue;
        C->a[2][t] = other;
        weight += key >> 2 * END_BITS;
    }
    atomic_fetch_add(&L->weight, weight);
}

static void settle_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = ((struct labels *)arg)->C;
    for (size_t u = lo; u < hi; u++) {
        uint32_t root = C->a[1][u];
        while (C->a[2][root] != root)
            root = C->a[2][root];
        C->a[3][u] = root;
    }
}

static void mst_plain(struct cell *C)
{
    struct labels L = { .C = C };
    for (hy_vid u = 0; u < C->n; u++)
        C->a[1][u] = u;
    for (uint64_t before = UINT64_MAX; before != atomic_load(&L.weight);) {
        before = atomic_load(&L.weight);
        memset(C->keys[1], 0xff, C->n * sizeof *C->keys[1]);
        memcpy(C->a[2], C->a[1], C->n * sizeof *C->a[2]);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, lightest_par, &L);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, join_par, &L);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, settle_par, &L);
        uint32_t *const settled = C->a[3];
        C->a[3] = C->a[1];
        C->a[1] = settled;
    }
    C->count[1] = atomic_load(&L.weight);
}

static bool mst_is_right(struct cell *C)
{
    hy_mst_info info;
    hy_edge *const edges = (hy_edge *)(void *)C->keys[0];
    cli_must(hy_mst(C->V, NULL, edges, &info), "mst");
    const char *why = NULL;
    const bool right = hy_mst_check(C->V, NULL, edges, &info, &why);
    return static_verdict("mst", right, why) && C->count[0] == C->count[1];
}

const struct static_case static_label_cases[] = {
    { "cdlp", "two iterations; over: sorting neighbours' labels", 0, cdlp_ours,
      cdlp_plain, cdlp_is_right },
    { "coloring", "by degree; over: guessing in any order and mending", 0,
      coloring_ours, coloring_plain, coloring_is_right },
    { "mst", "a spanning forest; over: Boruvka", STATIC_WEIGHTED, mst_ours,
      mst_plain, mst_is_right },
    { .name = NULL },
};
