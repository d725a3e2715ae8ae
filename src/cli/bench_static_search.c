/* Searches next to textbook loops: level by level from the source, forwards
 * only; relaxing all edges of what changed (Bellman and Ford); Brandes. */
#include "cli/bench_static.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 64 }; /* vertices a thread keeps before it hands them on */

static const uint32_t far = UINT32_MAX;

/* ---- a level's vertices -------------------------------------------------- */

struct level {
    struct cell *C;
    const hy_vid *from; /* the level */
    hy_vid *to;         /* the next one */
    _Atomic size_t n_to;
    uint32_t depth; /* of `from` */
};

static void hand_on(struct level *L, const hy_vid *kept, size_t n)
{
    const size_t at = atomic_fetch_add(&L->n_to, n);
    memcpy(L->to + at, kept, n * sizeof *kept);
}

/* ---- bfs ----------------------------------------------------------------- */

static void bfs_ours(struct cell *C)
{
    const hy_bfs_opts opts = { .source = C->source };
    hy_bfs_info info;
    cli_must(hy_bfs(C->V, &opts, NULL, C->a[0], &info), "bfs");
    C->count[0] = info.reached;
}

static void bfs_par(void *arg, size_t lo, size_t hi)
{
    struct level *const L = arg;
    const struct gen_csr *const csr = L->C->csr;
    _Atomic uint32_t *const parent = (_Atomic uint32_t *)L->C->a[1];
    hy_vid kept[PATIENCE];
    size_t n = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = L->from[i];
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            uint32_t none = HY_NONE;
            if (atomic_load_explicit(&parent[v], memory_order_relaxed) !=
                    HY_NONE ||
                !atomic_compare_exchange_strong(&parent[v], &none, u))
                continue;
            kept[n++] = v;
            if (n == PATIENCE) {
                hand_on(L, kept, n);
                n = 0;
            }
        }
    }
    hand_on(L, kept, n);
}

/* Levels from the source, one behind the other in `all`; starts[d] is where
 * the d-th begins.  Returns how many there are. */
static uint32_t levels(struct cell *C, hy_vid *all, uint32_t *starts)
{
    struct level L = { .C = C };
    memset(C->a[1], 0xff, C->n * sizeof *C->a[1]);
    C->a[1][C->source] = C->source;
    all[0] = C->source;
    uint32_t depth = 0;
    size_t lo = 0, hi = 1;
    while (lo < hi) {
        if (starts)
            starts[depth] = (uint32_t)lo;
        L.from = all + lo;
        L.to = all + hi;
        atomic_store(&L.n_to, 0);
        hy_par_for(C->ctx, hi - lo, STATIC_GRAIN, bfs_par, &L);
        lo = hi;
        hi += atomic_load(&L.n_to);
        depth++;
    }
    if (starts)
        starts[depth] = (uint32_t)lo;
    C->count[1] = hi;
    return depth;
}

static void bfs_plain(struct cell *C)
{
    (void)levels(C, C->a[2], NULL);
}

static bool bfs_is_right(struct cell *C)
{
    const hy_bfs_opts opts = { .source = C->source };
    const char *why = NULL;
    const bool right = hy_bfs_check(C->V, &opts, NULL, C->a[0], NULL, &why);
    return static_verdict("bfs", right, why) && C->count[0] == C->count[1];
}

/* ---- sssp ---------------------------------------------------------------- */

static void sssp_ours(struct cell *C)
{
    const hy_sssp_opts opts = { .source = C->source };
    hy_sssp_info info;
    cli_must(hy_sssp(C->V, &opts, C->x[0], NULL, &info), "sssp");
    C->count[0] = info.reached;
    C->number_name = "delta";
    C->number = info.delta;
}

/* Lowers the distance; true if it was larger. */
static bool lower(_Atomic uint32_t *d, uint32_t to)
{
    uint32_t now = atomic_load_explicit(d, memory_order_relaxed);
    while (to < now)
        if (atomic_compare_exchange_weak(d, &now, to))
            return true;
    return false;
}

static void sssp_par(void *arg, size_t lo, size_t hi)
{
    struct level *const L = arg;
    const struct gen_csr *const csr = L->C->csr;
    _Atomic uint32_t *const dist = (_Atomic uint32_t *)L->C->a[1];
    _Atomic uint32_t *const seen = (_Atomic uint32_t *)L->C->a[2];
    hy_vid kept[PATIENCE];
    size_t n = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = L->from[i];
        const uint32_t d = atomic_load(&dist[u]);
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            const uint32_t w = (uint32_t)L->C->weights[e];
            if (!lower(&dist[v], d + w) ||
                atomic_exchange(&seen[v], L->depth) == L->depth)
                continue;
            kept[n++] = v;
            if (n == PATIENCE) {
                hand_on(L, kept, n);
                n = 0;
            }
        }
    }
    hand_on(L, kept, n);
}

/* Rounds over what changed in the round before; seen[v] is the last round
 * that took v. */
static void sssp_plain(struct cell *C)
{
    struct level L = { .C = C };
    hy_vid *from = C->a[3], *to = C->a[4];
    memset(C->a[1], 0xff, C->n * sizeof *C->a[1]);
    memset(C->a[2], 0xff, C->n * sizeof *C->a[2]);
    C->a[1][C->source] = 0;
    from[0] = C->source;
    for (size_t n = 1; n > 0; n = atomic_load(&L.n_to), L.depth++) {
        L.from = from;
        L.to = to;
        atomic_store(&L.n_to, 0);
        hy_par_for(C->ctx, n, STATIC_GRAIN, sssp_par, &L);
        hy_vid *const other = from;
        from = to;
        to = other;
    }
}

static bool sssp_is_right(struct cell *C)
{
    const hy_sssp_opts opts = { .source = C->source };
    const char *why = NULL;
    bool right = hy_sssp_check(C->V, &opts, C->x[0], NULL, &why);
    right = static_verdict("sssp", right, why);
    for (hy_vid u = 0; u < C->n && right; u++)
        right = C->a[1][u] == far ? isinf(C->x[0][u])
                                  : C->x[0][u] == (double)C->a[1][u];
    return right;
}

/* ---- bc ------------------------------------------------------------------ */

static void bc_ours(struct cell *C)
{
    const hy_bc_opts opts = { .sources = 1, .list = &C->source };
    cli_must(hy_bc(C->V, &opts, C->x[0], NULL), "bc");
}

/* a[2] is the vertices level by level, a[3] the depths, x[2] the numbers of
 * shortest paths, x[1] the scores. */
static void mark_par(void *arg, size_t lo, size_t hi)
{
    const struct level *const L = arg;
    for (size_t i = lo; i < hi; i++)
        L->C->a[3][L->from[i]] = L->depth;
}

static void paths_par(void *arg, size_t lo, size_t hi)
{
    const struct level *const L = arg;
    struct cell *const C = L->C;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid v = L->from[i];
        double sum = 0;
        for (uint64_t e = C->csr->offsets[v]; e < C->csr->offsets[v + 1]; e++)
            if (C->a[3][C->csr->targets[e]] == L->depth - 1)
                sum += C->x[2][C->csr->targets[e]];
        C->x[2][v] = sum;
    }
}

static void scores_par(void *arg, size_t lo, size_t hi)
{
    const struct level *const L = arg;
    struct cell *const C = L->C;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = L->from[i];
        double sum = 0;
        for (uint64_t e = C->csr->offsets[u]; e < C->csr->offsets[u + 1]; e++) {
            const hy_vid v = C->csr->targets[e];
            if (C->a[3][v] == L->depth + 1)
                sum += (1 + C->x[1][v]) / C->x[2][v];
        }
        C->x[1][u] = sum * C->x[2][u];
    }
}

static void bc_plain(struct cell *C)
{
    uint32_t *const starts = C->a[4];
    struct level L = { .C = C };
    const uint32_t n = levels(C, C->a[2], starts);
    memset(C->x[1], 0, C->n * sizeof *C->x[1]);
    memset(C->a[3], 0xff, C->n * sizeof *C->a[3]);
    C->x[2][C->source] = 1;
    for (L.depth = 0; L.depth < n; L.depth++) {
        L.from = C->a[2] + starts[L.depth];
        const size_t size = starts[L.depth + 1] - starts[L.depth];
        hy_par_for(C->ctx, size, STATIC_GRAIN, mark_par, &L);
        if (L.depth)
            hy_par_for(C->ctx, size, STATIC_GRAIN, paths_par, &L);
    }
    for (uint32_t d = n; d-- > 0;) {
        L.depth = d;
        L.from = C->a[2] + starts[d];
        hy_par_for(C->ctx, starts[d + 1] - starts[d], STATIC_GRAIN, scores_par,
                   &L);
    }
    C->x[1][C->source] = 0;
}

static bool bc_is_right(struct cell *C)
{
    const hy_bc_opts opts = { .sources = 1, .list = &C->source };
    const char *why = NULL;
    bool right = hy_bc_check(C->V, &opts, C->x[0], &why);
    right = static_verdict("bc", right, why);
    for (hy_vid u = 0; u < C->n && right; u++)
        right = fabs(C->x[0][u] - C->x[1][u]) <= 1e-6 * (1 + C->x[1][u]);
    return right;
}

const struct static_case static_search_cases[] = {
    { "bfs", "levels from a vertex, parents; over: levels, forwards only", 0,
      bfs_ours, bfs_plain, bfs_is_right },
    { "sssp", "shortest paths; over: Bellman-Ford on what changed",
      STATIC_WEIGHTED, sssp_ours, sssp_plain, sssp_is_right },
    { "bc", "betweenness from one vertex; over: Brandes level by level", 0,
      bc_ours, bc_plain, bc_is_right },
    { .name = NULL },
};
