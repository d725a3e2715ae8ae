/* Batched questions whether edges are there, next to binary searches in CSR.
 *
 * Every other question is about an edge of the graph, each as likely; the
 * others are about drawn edges, which are hardly ever there.  Both sides
 * answer the same questions and must agree.
 */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <string.h>

enum { GRAIN = 1 << 10 };

struct member {
    const struct bench *b;
    const struct gen_csr *csr;
    const hy_view *V;
    uint64_t batch, rounds;
    uint64_t seed;
    hy_edge *edges; /* rounds * batch */
    bool *found, *found_csr;
    struct report_times store, csr_times;
    bool right;
};

/* The vertex that edge e of the CSR starts at. */
static hy_vid source_of(const struct gen_csr *csr, uint64_t e)
{
    hy_vid lo = 0, hi = csr->n; /* offsets[lo] <= e < offsets[hi] */
    while (hi - lo > 1) {
        const hy_vid mid = lo + (hi - lo) / 2;
        if (csr->offsets[mid] <= e)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static void ask_par(void *arg, size_t lo, size_t hi)
{
    const struct member *const M = arg;
    for (size_t i = lo; i < hi; i++) {
        if (i % 2)
            continue;
        const uint64_t e = random_below(random_at(M->seed, i), M->csr->m);
        M->edges[i] = (hy_edge){ source_of(M->csr, e), M->csr->targets[e] };
    }
}

static bool csr_has(const struct gen_csr *csr, hy_edge e)
{
    uint64_t lo = csr->offsets[e.u], hi = csr->offsets[e.u + 1];
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (csr->targets[mid] < e.v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < csr->offsets[e.u + 1] && csr->targets[lo] == e.v;
}

struct csr_job {
    const struct gen_csr *csr;
    const hy_edge *edges;
    bool *found;
};

static void search_par(void *arg, size_t lo, size_t hi)
{
    const struct csr_job *const job = arg;
    for (size_t i = lo; i < hi; i++)
        job->found[i] = csr_has(job->csr, job->edges[i]);
}

static double time_store(struct member *M, const hy_edge *edges)
{
    const double start = hy_clock();
    hy_view_has_edges(M->V, M->batch, edges, M->found);
    return hy_clock() - start;
}

static double time_csr(struct member *M, const hy_edge *edges)
{
    struct csr_job job = { M->csr, edges, M->found_csr };
    const double start = hy_clock();
    hy_par_for(M->b->ctx, M->batch, GRAIN, search_par, &job);
    return hy_clock() - start;
}

static void trial(struct member *M, const hy_gen_draw *draw, uint64_t t)
{
    const uint64_t n = M->rounds * M->batch;
    gen_draw_edges(M->b->ctx, draw, t * n, n, M->edges);
    M->seed = random_at(draw->seed, t);
    hy_par_for(M->b->ctx, n, GRAIN, ask_par, M);
    double store = 0, csr = 0;
    uint64_t r = 0;
    for (; r < M->rounds && store < bench_trial_s; r++)
        store += time_store(M, M->edges + r * M->batch);
    for (uint64_t i = 0; i < r; i++)
        csr += time_csr(M, M->edges + i * M->batch);
    report_time(&M->store, store / (double)r);
    report_time(&M->csr_times, csr / (double)r);
    for (uint64_t i = 0; i < r; i++) {
        time_store(M, M->edges + i * M->batch);
        time_csr(M, M->edges + i * M->batch);
        M->right &= !memcmp(M->found, M->found_csr, M->batch);
    }
}

static void run(const struct bench *b, const hy_graph *G, bool skewed,
                uint64_t batch)
{
    struct member M = { .b = b,
                        .csr = &b->graph->csr,
                        .V = hy_graph_now(G),
                        .batch = batch,
                        .rounds = bench_rounds(batch),
                        .right = true };
    report_progress(b->report, b->graph->name, "member", batch);
    M.edges = cli_alloc(M.rounds * batch, sizeof *M.edges);
    M.found = cli_alloc(batch, sizeof *M.found);
    M.found_csr = cli_alloc(batch, sizeof *M.found_csr);
    const hy_gen_draw draw = bench_draw(b, skewed, batch << 32);
    for (uint64_t t = 0; t < b->opts->trials; t++)
        trial(&M, &draw, t);
    struct report_row row = report_row_of(b->graph->name, "member");
    row.edges = skewed ? "skewed" : "uniform";
    row.batch = (double)batch;
    report_row_times(&row, &M.store, "edges", row.batch);
    row.ratio = row.median_s / report_median(&M.csr_times);
    report_row_aside(&row, "csr_s", report_median(&M.csr_times));
    row.verified = M.right;
    report_print(b->report, &row);
    cli_free(M.found_csr);
    cli_free(M.found);
    cli_free(M.edges);
}

void bench_member_cases(const struct bench *b)
{
    hy_graph *const G = bench_load(b, false);
    uint64_t sizes[BENCH_SIZES];
    const size_t n = bench_sizes(b, sizes);
    for (size_t i = 0; i < 2 * n; i++)
        run(b, G, i >= n, sizes[i % n]);
    hy_graph_free(G);
}
