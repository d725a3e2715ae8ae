/* Ranks next to textbook loops: hubs and authorities by products with the
 * matrix and its transpose, Katz by iteration. */
#include "cli/bench_static.h"

#include <math.h>

enum { HITS_ITERATIONS = 10, KATZ_ITERATIONS = 1000 };

static const double katz_tolerance = 1e-9;

struct ranks {
    struct cell *C;
    const double *from;
    double *to;
    double alpha, beta;
};

/* to = beta + alpha A from */
static void multiply_par(void *arg, size_t lo, size_t hi)
{
    const struct ranks *const R = arg;
    const struct gen_csr *const csr = R->C->csr;
    for (size_t u = lo; u < hi; u++) {
        double sum = 0;
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            sum += R->from[csr->targets[e]];
        R->to[u] = R->beta + R->alpha * sum;
    }
}

static void multiply(struct ranks *R, const double *from, double *to)
{
    R->from = from;
    R->to = to;
    hy_par_for(R->C->ctx, R->C->n, STATIC_GRAIN, multiply_par, R);
}

/* ---- hits ---------------------------------------------------------------- */

static void hits_ours(struct cell *C)
{
    const hy_hits_opts opts = { .tolerance = -1,
                                .iterations = HITS_ITERATIONS };
    cli_must(hy_hits(C->V, &opts, C->x[0], (double *)C->keys[0], NULL), "hits");
}

static void scale(double *x, hy_vid n)
{
    double sum = 0;
    for (hy_vid u = 0; u < n; u++)
        sum += x[u] * x[u];
    for (hy_vid u = 0; u < n && sum > 0; u++)
        x[u] /= sqrt(sum);
}

static void hits_plain(struct cell *C)
{
    struct ranks R = { .C = C, .alpha = 1 };
    for (hy_vid u = 0; u < C->n; u++)
        C->x[1][u] = 1;
    for (int i = 0; i < HITS_ITERATIONS; i++) {
        multiply(&R, C->x[1], C->x[2]);
        scale(C->x[2], C->n);
        multiply(&R, C->x[2], C->x[1]);
        scale(C->x[1], C->n);
    }
}

static bool hits_are_right(struct cell *C)
{
    const double *const authority = (const double *)C->keys[0];
    for (hy_vid u = 0; u < C->n; u++)
        if (fabs(C->x[0][u] - C->x[1][u]) > 1e-9 ||
            fabs(authority[u] - C->x[2][u]) > 1e-9)
            return static_verdict("hits", false, "not the loop's");
    return true;
}

/* ---- katz ---------------------------------------------------------------- */

/* Half of what the largest degree allows. */
static double katz_alpha(const struct cell *C)
{
    uint64_t most = 1;
    for (hy_vid u = 0; u < C->n; u++) {
        const uint64_t degree = C->csr->offsets[u + 1] - C->csr->offsets[u];
        most = degree > most ? degree : most;
    }
    return 0.5 / (double)most;
}

static void katz_ours(struct cell *C)
{
    const hy_katz_opts opts = { .alpha = katz_alpha(C),
                                .tolerance = katz_tolerance };
    hy_katz_info info;
    cli_must(hy_katz(C->V, &opts, C->x[0], &info), "katz");
    C->number_name = "iterations";
    C->number = info.iterations;
}

static void katz_plain(struct cell *C)
{
    struct ranks R = { .C = C, .alpha = katz_alpha(C), .beta = 1 };
    for (hy_vid u = 0; u < C->n; u++)
        C->x[1][u] = 1;
    for (int i = 0; i < KATZ_ITERATIONS; i++) {
        double change = 0, most = 0;
        multiply(&R, C->x[1], C->x[2]);
        for (hy_vid u = 0; u < C->n; u++) {
            change = fmax(change, fabs(C->x[2][u] - C->x[1][u]));
            most = fmax(most, C->x[2][u]);
        }
        double *const done = C->x[2];
        C->x[2] = C->x[1];
        C->x[1] = done;
        if (change <= katz_tolerance * most)
            return;
    }
}

static bool katz_is_right(struct cell *C)
{
    double most = 0;
    for (hy_vid u = 0; u < C->n; u++)
        most = fmax(most, C->x[1][u]);
    for (hy_vid u = 0; u < C->n; u++)
        if (fabs(C->x[0][u] - C->x[1][u]) > 4 * katz_tolerance * most)
            return static_verdict("katz", false, "not the loop's");
    return true;
}

const struct static_case static_rank_cases[] = {
    { "hits", "ten iterations; over: row by row", 0, hits_ours, hits_plain,
      hits_are_right },
    { "katz", "to 1e-9; over: row by row", 0, katz_ours, katz_plain,
      katz_is_right },
    { .name = NULL },
};
