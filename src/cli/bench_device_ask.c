/* `hypha bench device`: each algorithm on the device and on the host, in turn.
 *
 * Graphs are undirected, as those of `bench static`.  A case has two answers,
 * [0] of the host and [1] of the device, and compares them. */
#include "cli/bench_device.h"

#include <string.h>

enum { HOST, DEVICE, SIDES };

struct question {
    const struct device_bed *B;
    const hy_view *V;
    hy_vid n, source;
    const double *x;
    uint32_t *words[SIDES];
    double *reals[SIDES];
    uint64_t count[SIDES];
};

struct ask_case {
    const char *name;
    bool weighted;
    hy_status (*ask)(struct question *Q, hy_device *D, int side);
    bool (*is_right)(struct question *Q, const char **why);
};

static bool is_same(const void *a, const void *b, size_t bytes,
                    const char **why)
{
    const bool is = memcmp(a, b, bytes) == 0;
    if (!is)
        *why = "the device's answer is not the host's";
    return is;
}

/* ---- the questions ------------------------------------------------------- */

static hy_status ask_bfs(struct question *Q, hy_device *D, int side)
{
    const hy_bfs_opts opts = { .source = Q->source, .device = D };
    return hy_bfs(Q->V, &opts, NULL, Q->words[side], NULL);
}

static bool check_bfs(struct question *Q, const char **why)
{
    const hy_bfs_opts opts = { .source = Q->source };
    uint32_t *const depth = Q->words[HOST];
    cli_must(hy_bfs(Q->V, &opts, depth, NULL, NULL), "bfs");
    return hy_bfs_check(Q->V, &opts, depth, Q->words[DEVICE], NULL, why);
}

static hy_status ask_sssp(struct question *Q, hy_device *D, int side)
{
    const hy_sssp_opts opts = { .source = Q->source,
                                .weight = "weight",
                                .device = D };
    return hy_sssp(Q->V, &opts, Q->reals[side], NULL, NULL);
}

static bool check_reals(struct question *Q, const char **why)
{
    return is_same(Q->reals[HOST], Q->reals[DEVICE], Q->n * sizeof(double),
                   why);
}

static hy_status ask_pagerank(struct question *Q, hy_device *D, int side)
{
    const hy_pagerank_opts opts = { .tolerance = 1e-4, .device = D };
    return hy_pagerank(Q->V, &opts, Q->reals[side], NULL);
}

static bool check_pagerank(struct question *Q, const char **why)
{
    const hy_pagerank_opts opts = { .tolerance = 1e-4 };
    return hy_pagerank_check(Q->V, &opts, Q->reals[DEVICE], why);
}

static hy_status ask_wcc(struct question *Q, hy_device *D, int side)
{
    const hy_wcc_opts opts = { .device = D };
    return hy_wcc(Q->V, &opts, Q->words[side], NULL);
}

static bool check_wcc(struct question *Q, const char **why)
{
    return is_same(Q->words[HOST], Q->words[DEVICE], Q->n * sizeof(uint32_t),
                   why);
}

static hy_status ask_triangles(struct question *Q, hy_device *D, int side)
{
    const hy_triangles_opts opts = { .device = D };
    hy_triangles_info info = { 0 };
    const hy_status status = hy_triangles(Q->V, &opts, NULL, &info);
    Q->count[side] = info.triangles;
    return status;
}

static bool check_triangles(struct question *Q, const char **why)
{
    return is_same(&Q->count[HOST], &Q->count[DEVICE], sizeof *Q->count, why);
}

static hy_status ask_spmv(struct question *Q, hy_device *D, int side)
{
    const hy_spmv_opts opts = { .weight = "weight", .device = D };
    return hy_spmv(Q->V, &opts, Q->x, Q->reals[side]);
}

static const struct ask_case cases[] = {
    { "bfs", false, ask_bfs, check_bfs },
    { "sssp", true, ask_sssp, check_reals },
    { "pagerank", false, ask_pagerank, check_pagerank },
    { "wcc", false, ask_wcc, check_wcc },
    { "triangles", false, ask_triangles, check_triangles },
    { "spmv", true, ask_spmv, check_reals },
};
enum { N_CASES = sizeof cases / sizeof *cases };

const char *const device_ask_names[] = { "bfs",       "sssp", "pagerank", "wcc",
                                         "triangles", "spmv", NULL };

/* ---- asking -------------------------------------------------------------- */

static double timed(const struct ask_case *c, struct question *Q, int side)
{
    hy_device *const D = side == DEVICE ? Q->B->D : NULL;
    const double start = hy_clock();
    cli_must(c->ask(Q, D, side), c->name);
    return hy_clock() - start;
}

static void run_case(const struct ask_case *c, struct question *Q)
{
    const struct bench *const b = &Q->B->b;
    struct report_times times[SIDES] = { { .n = 0 }, { .n = 0 } };
    report_progress(b->report, b->graph->name, c->name, 0);
    hy_device_stats before, after;
    for (int side = HOST; side < SIDES; side++)
        (void)timed(c, Q, side); /* builds, uploads, touches memory */
    hy_device_stats_get(Q->B->D, &before);
    for (uint64_t t = 0; t < b->opts->trials; t++)
        for (int side = HOST; side < SIDES; side++)
            report_time(&times[side], timed(c, Q, side));
    hy_device_stats_get(Q->B->D, &after);
    struct report_row row = report_row_of(b->graph->name, c->name);
    report_row_times(&row, &times[DEVICE], "edges", (double)b->graph->csr.m);
    row.ratio = row.median_s / report_median(&times[HOST]);
    report_row_aside(&row, "host_s", report_median(&times[HOST]));
    report_row_aside(&row, "host_spread", report_spread(&times[HOST]));
    report_row_aside(&row, "launches",
                     (double)(after.launches - before.launches) /
                         (double)b->opts->trials);
    const char *why = NULL;
    row.verified = c->is_right(Q, &why);
    if (!row.verified)
        cli_note("%s: %s", c->name, why);
    report_print(b->report, &row);
}

static void run_cases(struct question *Q, bool weighted)
{
    const struct gen_csr *const csr = &Q->B->b.graph->csr;
    bool any = false;
    for (size_t i = 0; i < N_CASES; i++)
        any |=
            cases[i].weighted == weighted && device_wants(Q->B, cases[i].name);
    if (!any)
        return;
    int32_t *const weights = weighted ? bench_weights(Q->B->b.ctx, csr) : NULL;
    hy_graph *const G = bench_load_as(Q->B->b.ctx, csr, weights, true);
    Q->V = hy_graph_now(G);
    Q->source = bench_source(Q->V, csr, Q->B->b.opts->seed);
    for (size_t i = 0; i < N_CASES; i++)
        if (cases[i].weighted == weighted && device_wants(Q->B, cases[i].name))
            run_case(&cases[i], Q);
    hy_graph_free(G);
    cli_free(weights);
}

void device_ask_cases(const struct device_bed *B)
{
    const hy_vid n = B->b.graph->csr.n;
    double *const x = cli_alloc(n, sizeof *x);
    struct question Q = { .B = B, .n = n, .x = x };
    for (hy_vid u = 0; u < n; u++)
        x[u] = 1 + u % 7;
    for (int side = HOST; side < SIDES; side++) {
        Q.words[side] = cli_alloc_zeroed(n, sizeof *Q.words[side]);
        Q.reals[side] = cli_alloc_zeroed(n, sizeof *Q.reals[side]);
    }
    run_cases(&Q, false);
    run_cases(&Q, true);
    for (int side = HOST; side < SIDES; side++) {
        cli_free(Q.words[side]);
        cli_free(Q.reals[side]);
    }
    cli_free(x);
}
