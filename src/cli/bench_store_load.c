/* Bulk load, next to copying the CSR arrays. */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <string.h>

enum { GRAIN = 1 << 16 };

/* ---- the copy ------------------------------------------------------------ */

struct copy_job {
    char *to;
    const char *from;
};

static void copy_par(void *arg, size_t lo, size_t hi)
{
    const struct copy_job *const job = arg;
    memcpy(job->to + lo, job->from + lo, hi - lo);
}

/* Seconds to copy both arrays into memory that is new to the process. */
static double time_copy(const struct bench *b)
{
    const struct gen_csr *const csr = &b->graph->csr;
    const size_t offsets = ((size_t)csr->n + 1) * sizeof *csr->offsets;
    const size_t targets = csr->m * sizeof *csr->targets;
    const double start = hy_clock();
    struct copy_job a = { cli_alloc(offsets, 1), (const char *)csr->offsets };
    struct copy_job t = { cli_alloc(targets, 1), (const char *)csr->targets };
    hy_par_for(b->ctx, offsets, GRAIN, copy_par, &a);
    hy_par_for(b->ctx, targets, GRAIN, copy_par, &t);
    const double s = hy_clock() - start;
    cli_free(a.to);
    cli_free(t.to);
    return s;
}

/* ---- edges in a random order ------------------------------------------ */

struct list_job {
    const struct gen_csr *csr;
    uint64_t seed;
    uint64_t *keys;    /* random << 32 | edge, then sorted */
    hy_edge *in_order; /* by source */
    hy_edge *out;
};

static void key_par(void *arg, size_t lo, size_t hi)
{
    const struct list_job *const job = arg;
    for (size_t i = lo; i < hi; i++)
        job->keys[i] = random_at(job->seed, i) >> 32 << 32 | (uint32_t)i;
}

static void list_par(void *arg, size_t lo, size_t hi)
{
    const struct list_job *const job = arg;
    const struct gen_csr *const csr = job->csr;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            job->in_order[e] = (hy_edge){ (hy_vid)u, csr->targets[e] };
}

static void gather_par(void *arg, size_t lo, size_t hi)
{
    const struct list_job *const job = arg;
    for (size_t i = lo; i < hi; i++)
        job->out[i] = job->in_order[(uint32_t)job->keys[i]];
}

static hy_edge *shuffled_edges(const struct bench *b)
{
    const struct gen_csr *const csr = &b->graph->csr;
    if (csr->m > UINT32_MAX)
        cli_die(CLI_FAILED, "too many edges to be shuffled; "
                            "try a smaller `--scale`");
    uint64_t *const keys = cli_alloc(csr->m, sizeof *keys);
    uint64_t *const scratch = cli_alloc(csr->m, sizeof *scratch);
    struct list_job job = { .csr = csr, .seed = b->opts->seed, .keys = keys };
    hy_par_for(b->ctx, csr->m, GRAIN, key_par, &job);
    job.keys = hy_par_sort_keys(b->ctx, keys, scratch, csr->m, 32, 32);
    job.in_order = cli_alloc(csr->m, sizeof *job.in_order);
    job.out = cli_alloc(csr->m, sizeof *job.out);
    hy_par_for(b->ctx, csr->n, GRAIN, list_par, &job);
    hy_par_for(b->ctx, csr->m, GRAIN, gather_par, &job);
    cli_free(job.in_order);
    cli_free(keys);
    cli_free(scratch);
    return job.out;
}

/* ---- loading ------------------------------------------------------------- */

/* Seconds to load; from CSR if there are no edges. */
static double time_load(const struct bench *b, const hy_edge *edges,
                        hy_graph **out)
{
    const struct gen_csr *const csr = &b->graph->csr;
    hy_graph *G = NULL;
    cli_must(hy_graph_new(b->ctx, NULL, &G), "making a graph");
    const double start = hy_clock();
    const hy_status status =
        edges ? hy_graph_load_edges(G, csr->n, csr->m, edges, NULL)
              : hy_graph_load_csr(G, csr->n, csr->offsets, csr->targets, NULL);
    const double s = hy_clock() - start;
    cli_must(status, "loading a graph");
    *out = G;
    return s;
}

static bool is_same(const struct bench *b, const hy_graph *G)
{
    const struct gen_csr *const csr = &b->graph->csr;
    const hy_view *const V = hy_graph_now(G);
    hy_vid cuts[BENCH_PIECES + 1];
    bench_cut(csr, cuts);
    return hy_view_arcs(V) == csr->m && hy_view_vertices(V) == csr->n &&
           bench_scan_view(b, V, cuts) == bench_scan_csr(b, csr, cuts);
}

static void load_case(const struct bench *b, const hy_edge *edges)
{
    const struct gen_csr *const csr = &b->graph->csr;
    struct report_times loads = { .n = 0 }, copies = { .n = 0 };
    struct report_row row = report_row_of(b->graph->name, "load");
    report_row_text(&row, "from", edges ? "edges" : "csr");
    for (uint64_t t = 0; t < b->opts->trials; t++) {
        hy_graph *G = NULL;
        report_time(&copies, time_copy(b));
        report_time(&loads, time_load(b, edges, &G));
        row.verified &= is_same(b, G);
        if (t == 0)
            row.verified &= bench_check(b, G);
        hy_graph_free(G);
    }
    report_row_times(&row, &loads, "edges", (double)csr->m);
    row.ratio = row.median_s / report_median(&copies);
    report_row_aside(&row, "copy_s", report_median(&copies));
    report_row_aside(&row, "vertices", (double)csr->n);
    report_row_aside(&row, "arcs", (double)csr->m);
    report_print(b->report, &row);
}

void bench_load_cases(const struct bench *b)
{
    report_progress(b->report, b->graph->name, "load", 0);
    load_case(b, NULL);
    hy_edge *const edges = shuffled_edges(b);
    load_case(b, edges);
    cli_free(edges);
}
