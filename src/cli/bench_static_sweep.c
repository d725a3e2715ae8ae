/* Sweeps over all edges next to textbook loops: PageRank by pulling, the
 * product row by row, Shiloach and Vishkin's components, peeling by scans. */
#include "cli/bench_static.h"

#include <math.h>
#include <string.h>

static const double damping = 0.85;

/* ---- pagerank ------------------------------------------------------------ */

static hy_pagerank_opts pagerank_opts(const struct cell *C)
{
    return (hy_pagerank_opts){ .damping = damping, .tolerance = C->tolerance };
}

static void pagerank_ours(struct cell *C)
{
    const hy_pagerank_opts opts = pagerank_opts(C);
    hy_pagerank_info info;
    cli_must(hy_pagerank(C->V, &opts, C->x[0], &info), "pagerank");
    C->number_name = "iterations";
    C->number = info.iterations;
}

struct sweep {
    struct cell *C;
    double base;          /* of every rank */
    _Atomic uint64_t sum; /* of changes, or of dangling ranks, in 2^-52 */
    hy_vid *frontier;
    _Atomic size_t size; /* of it */
    size_t first;        /* of those in turn */
    uint32_t level;
    atomic_bool changed;
};

static void add_real(_Atomic uint64_t *sum, double x)
{
    atomic_fetch_add(sum, (uint64_t)(x * 0x1p52));
}

static void share_par(void *arg, size_t lo, size_t hi)
{
    struct sweep *const S = arg;
    const struct gen_csr *const csr = S->C->csr;
    double dangling = 0;
    for (size_t u = lo; u < hi; u++) {
        const uint64_t degree = csr->offsets[u + 1] - csr->offsets[u];
        S->C->x[2][u] = degree ? S->C->x[1][u] / (double)degree : 0;
        dangling += degree ? 0 : S->C->x[1][u];
    }
    add_real(&S->sum, dangling);
}

static void pull_par(void *arg, size_t lo, size_t hi)
{
    struct sweep *const S = arg;
    const struct gen_csr *const csr = S->C->csr;
    const double *const share = S->C->x[2];
    double change = 0;
    for (size_t v = lo; v < hi; v++) {
        double sum = 0;
        for (uint64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
            sum += share[csr->targets[e]];
        const double rank = S->base + damping * sum;
        change += fabs(rank - S->C->x[1][v]);
        S->C->x[1][v] = rank;
    }
    add_real(&S->sum, change);
}

static void pagerank_plain(struct cell *C)
{
    struct sweep S = { .C = C };
    const double n = C->n;
    for (hy_vid u = 0; u < C->n; u++)
        C->x[1][u] = 1 / n;
    for (unsigned i = 0; i < 100; i++) {
        atomic_store(&S.sum, 0);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, share_par, &S);
        const double dangling = (double)atomic_exchange(&S.sum, 0) * 0x1p-52;
        S.base = (1 - damping + damping * dangling) / n;
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, pull_par, &S);
        if ((double)atomic_load(&S.sum) * 0x1p-52 <= C->tolerance)
            break;
    }
}

/* Either is at most tolerance * d / (1 - d) off, all ranks together. */
static bool pagerank_is_right(struct cell *C)
{
    const hy_pagerank_opts opts = pagerank_opts(C);
    const char *why = NULL;
    const bool right = hy_pagerank_check(C->V, &opts, C->x[0], &why);
    double apart = 0;
    for (hy_vid u = 0; u < C->n; u++)
        apart += fabs(C->x[0][u] - C->x[1][u]);
    return static_verdict("pagerank", right, why) &&
           apart <= 2 * C->tolerance / (1 - damping);
}

/* ---- spmv ---------------------------------------------------------------- */

static void spmv_ours(struct cell *C)
{
    cli_must(hy_spmv(C->V, NULL, C->vector, C->x[0]), "spmv");
}

static void spmv_par(void *arg, size_t lo, size_t hi)
{
    const struct cell *const C = ((struct sweep *)arg)->C;
    const struct gen_csr *const csr = C->csr;
    for (size_t u = lo; u < hi; u++) {
        double sum = 0;
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            sum += (double)C->weights[e] * C->vector[csr->targets[e]];
        C->x[1][u] = sum;
    }
}

static void spmv_plain(struct cell *C)
{
    struct sweep S = { .C = C };
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, spmv_par, &S);
}

static bool spmv_is_right(struct cell *C)
{
    const char *why = NULL;
    bool right = hy_spmv_check(C->V, NULL, C->vector, C->x[0], &why);
    right = static_verdict("spmv", right, why);
    for (hy_vid u = 0; u < C->n && right; u++)
        right = C->x[0][u] == C->x[1][u]; /* whole numbers: exact */
    return right;
}

/* ---- wcc ----------------------------------------------------------------- */

static void wcc_ours(struct cell *C)
{
    cli_must(hy_wcc(C->V, NULL, C->a[0], NULL), "wcc");
}

static void hook_par(void *arg, size_t lo, size_t hi)
{
    struct sweep *const S = arg;
    const struct gen_csr *const csr = S->C->csr;
    _Atomic uint32_t *const label = (_Atomic uint32_t *)S->C->a[1];
    bool changed = false;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const uint32_t a =
                atomic_load_explicit(&label[u], memory_order_relaxed);
            const uint32_t b = atomic_load_explicit(&label[csr->targets[e]],
                                                    memory_order_relaxed);
            if (a >= b ||
                atomic_load_explicit(&label[b], memory_order_relaxed) != b)
                continue;
            atomic_store_explicit(&label[b], a, memory_order_relaxed);
            changed = true;
        }
    if (changed)
        atomic_store(&S->changed, true);
}

static void jump_par(void *arg, size_t lo, size_t hi)
{
    _Atomic uint32_t *const label =
        (_Atomic uint32_t *)((struct sweep *)arg)->C->a[1];
    for (size_t u = lo; u < hi; u++) {
        uint32_t a = atomic_load_explicit(&label[u], memory_order_relaxed);
        for (uint32_t b;
             (b = atomic_load_explicit(&label[a], memory_order_relaxed)) != a;)
            a = b;
        atomic_store_explicit(&label[u], a, memory_order_relaxed);
    }
}

static void wcc_plain(struct cell *C)
{
    struct sweep S = { .C = C };
    for (hy_vid u = 0; u < C->n; u++)
        C->a[1][u] = u;
    do {
        atomic_store(&S.changed, false);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, hook_par, &S);
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, jump_par, &S);
    } while (atomic_load(&S.changed));
}

static bool wcc_is_right(struct cell *C)
{
    const char *why = NULL;
    const bool right = hy_wcc_check(C->V, C->a[0], &why);
    return static_verdict("wcc", right, why) &&
           !memcmp(C->a[0], C->a[1], C->n * sizeof *C->a[0]);
}

/* ---- kcore --------------------------------------------------------------- */

static void kcore_ours(struct cell *C)
{
    hy_kcore_info info;
    cli_must(hy_kcore(C->V, NULL, C->a[0], &info), "kcore");
    C->number_name = "max_core";
    C->number = info.max_core;
}

static void degrees_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = ((struct sweep *)arg)->C;
    for (size_t u = lo; u < hi; u++)
        C->a[1][u] = (uint32_t)(C->csr->offsets[u + 1] - C->csr->offsets[u]);
}

/* Vertices of this level's degree, into the frontier. */
static void find_par(void *arg, size_t lo, size_t hi)
{
    struct sweep *const S = arg;
    for (size_t u = lo; u < hi; u++)
        if (S->C->a[1][u] == S->level)
            S->frontier[atomic_fetch_add(&S->size, 1)] = (hy_vid)u;
}

/* Degrees never fall below the level: that is the core number in the end. */
static void peel_par(void *arg, size_t lo, size_t hi)
{
    struct sweep *const S = arg;
    const struct gen_csr *const csr = S->C->csr;
    _Atomic uint32_t *const degree = (_Atomic uint32_t *)S->C->a[1];
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = S->frontier[S->first + i];
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            if (atomic_load_explicit(&degree[v], memory_order_relaxed) <=
                S->level)
                continue;
            const uint32_t before = atomic_fetch_sub(&degree[v], 1);
            if (before == S->level + 1)
                S->frontier[atomic_fetch_add(&S->size, 1)] = v;
            else if (before <= S->level)
                atomic_fetch_add(&degree[v], 1);
        }
    }
}

static void kcore_plain(struct cell *C)
{
    struct sweep S = { .C = C, .frontier = C->a[2] };
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, degrees_par, &S);
    for (size_t done = 0; done < C->n; S.level++) {
        hy_par_for(C->ctx, C->n, STATIC_GRAIN, find_par, &S);
        for (size_t end; (end = atomic_load(&S.size)) > done; done = end) {
            S.first = done;
            hy_par_for(C->ctx, end - done, STATIC_GRAIN, peel_par, &S);
        }
    }
}

static bool kcore_is_right(struct cell *C)
{
    const char *why = NULL;
    const bool right = hy_kcore_check(C->V, NULL, C->a[0], &why);
    return static_verdict("kcore", right, why) &&
           !memcmp(C->a[0], C->a[1], C->n * sizeof *C->a[0]);
}

const struct static_case static_sweep_cases[] = {
    { "pagerank", "to 1e-4; over: pulling from the ranks before", 0,
      pagerank_ours, pagerank_plain, pagerank_is_right },
    { "spmv", "y = A x; over: row by row", STATIC_WEIGHTED, spmv_ours,
      spmv_plain, spmv_is_right },
    { "wcc", "components; over: Shiloach-Vishkin", 0, wcc_ours, wcc_plain,
      wcc_is_right },
    { "kcore", "core numbers; over: peeling, a scan for each level", 0,
      kcore_ours, kcore_plain, kcore_is_right },
    { .name = NULL },
};
