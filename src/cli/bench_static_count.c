/* Triangles next to the textbook's forward algorithm: every edge points to
 * its end of larger degree, and the lists of both ends are merged (Schank,
 * Wagner, WEA 2005). */
#include "cli/bench_static.h"

static void triangles_ours(struct cell *C)
{
    hy_triangles_info info;
    cli_must(hy_triangles(C->V, NULL, NULL, &info), "triangles");
    C->count[0] = info.triangles;
    C->number_name = "triangles";
    C->number = (double)info.triangles;
}

struct merge {
    struct cell *C;
    _Atomic uint64_t found;
};

static bool is_before(const struct gen_csr *csr, hy_vid u, hy_vid v)
{
    const uint64_t a = csr->offsets[u + 1] - csr->offsets[u];
    const uint64_t b = csr->offsets[v + 1] - csr->offsets[v];
    return a < b || (a == b && u < v);
}

static void measure_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = arg;
    const struct gen_csr *const csr = C->csr;
    for (size_t u = lo; u < hi; u++) {
        uint64_t n = 0;
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            n += is_before(csr, (hy_vid)u, csr->targets[e]);
        C->half.offsets[u + 1] = n;
    }
}

static void halve_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = arg;
    const struct gen_csr *const csr = C->csr;
    for (size_t u = lo; u < hi; u++) {
        hy_vid *to = C->half.targets + C->half.offsets[u];
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (is_before(csr, (hy_vid)u, csr->targets[e]))
                *to++ = csr->targets[e];
    }
}

void static_halve(struct cell *C)
{
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, measure_par, C);
    C->half.offsets[0] = 0;
    for (hy_vid u = 0; u < C->n; u++)
        C->half.offsets[u + 1] += C->half.offsets[u];
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, halve_par, C);
}

uint64_t static_common(const hy_vid *a, const hy_vid *a_end, const hy_vid *b,
                       const hy_vid *b_end)
{
    uint64_t n = 0;
    while (a < a_end && b < b_end) {
        const hy_vid u = *a, v = *b;
        n += u == v;
        a += u <= v;
        b += v <= u;
    }
    return n;
}

static void merge_par(void *arg, size_t lo, size_t hi)
{
    struct merge *const M = arg;
    const struct gen_csr *const half = &M->C->half;
    const hy_vid *const t = half->targets;
    uint64_t n = 0;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t e = half->offsets[u]; e < half->offsets[u + 1]; e++)
            n += static_common(t + half->offsets[u], t + half->offsets[u + 1],
                               t + half->offsets[t[e]],
                               t + half->offsets[t[e] + 1]);
    atomic_fetch_add(&M->found, n);
}

static void triangles_plain(struct cell *C)
{
    struct merge M = { .C = C };
    static_halve(C);
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, merge_par, &M);
    C->count[1] = atomic_load(&M.found);
}

/* The loop is the check: the library's own would take minutes. */
static bool triangles_are_right(struct cell *C)
{
    return C->count[0] == C->count[1];
}

const struct static_case static_count_cases[] = {
    { "triangles", "in all; over: merging lists ordered by degree", STATIC_HALF,
      triangles_ours, triangles_plain, triangles_are_right },
    { .name = NULL },
};
