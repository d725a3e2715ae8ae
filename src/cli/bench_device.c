/* `hypha bench device`: what a device costs beside the host.
 *
 *   spmv      the product on the device, ratio over the host's
 *   upload    the whole graph, as after a rebalance
 *   update    a commit of fresh edges, and the next product; `ratio` is the
 *             upload of the whole over commit and upload of what it touched
 *   noting    commits while a mirror is attached and nobody asks, ratio over
 *             those without
 *
 * A product is measured before and after each change; what it takes longer is
 * the upload. */
#include "cli/bench_store.h"

#include <stdio.h>
#include <string.h>

struct bed {
    struct bench b;
    hy_device *D;
    hy_device_info info;
    hy_graph *G;
    hy_batch *B;
    double *x, *y, *z;
    uint64_t drawn;
    bool right;
};

static const char *const cases[] = { "spmv", "upload", "update", "noting" };
enum { N_CASES = sizeof cases / sizeof *cases };

void bench_device_help(void)
{
    puts("  device   the device of --device next to the host, a case each:\n"
         "           spmv       the product, over the host's\n"
         "           upload     all of the graph\n"
         "           update     commits, and the upload of what they touched\n"
         "           noting     commits with a mirror that nobody asks");
}

static double product(struct bed *B, hy_device *D, double *y)
{
    const hy_spmv_opts opts = { .device = D };
    const double start = hy_clock();
    cli_must(hy_spmv(hy_graph_now(B->G), &opts, B->x, y), "spmv");
    return hy_clock() - start;
}

/* Median seconds of a product of a mirror that is up to date. */
static double settled(struct bed *B)
{
    struct report_times times = { .n = 0 };
    for (uint64_t t = 0; t < B->b.opts->trials; t++)
        report_time(&times, product(B, B->D, B->y));
    return report_median(&times);
}

static bool is_same(struct bed *B)
{
    (void)product(B, NULL, B->z);
    const size_t bytes = hy_view_bound(hy_graph_now(B->G)) * sizeof *B->y;
    return memcmp(B->y, B->z, bytes) == 0;
}

static hy_device_stats stats_of(const struct bed *B)
{
    hy_device_stats stats;
    hy_device_stats_get(B->D, &stats);
    return stats;
}

static void measure_spmv(struct bed *B)
{
    struct report_times here = { .n = 0 }, there = { .n = 0 };
    (void)product(B, B->D, B->y);
    for (uint64_t t = 0; t < B->b.opts->trials; t++) {
        report_time(&there, product(B, B->D, B->y));
        report_time(&here, product(B, NULL, B->z));
    }
    struct report_row row = report_row_of(B->b.graph->name, "spmv");
    report_row_times(&row, &there, "edges", (double)B->b.graph->csr.m);
    row.ratio = row.median_s / report_median(&here);
    report_row_aside(&row, "host_s", report_median(&here));
    row.verified = is_same(B);
    report_print(B->b.report, &row);
}

/* Median seconds that uploading the whole graph takes. */
static double measure_upload(struct bed *B, bool tells)
{
    struct report_times times = { .n = 0 };
    const double rest = settled(B);
    const hy_device_stats before = stats_of(B);
    for (uint64_t t = 0; t < B->b.opts->trials; t++) {
        cli_must(hy_graph_rebalance(B->G), "rebalance");
        report_time(&times, product(B, B->D, B->y) - rest);
    }
    const hy_device_stats after = stats_of(B);
    const double bytes =
        (double)(after.mirrored - before.mirrored) / (double)B->b.opts->trials;
    if (tells) {
        struct report_row row = report_row_of(B->b.graph->name, "upload");
        report_row_times(&row, &times, "bytes", bytes);
        report_row_number(&row, "bytes", bytes);
        row.verified =
            is_same(B) && after.whole - before.whole == B->b.opts->trials;
        report_print(B->b.report, &row);
    }
    return report_median(&times);
}

static void draw(struct bed *B, uint64_t n, hy_edge *edges)
{
    const hy_gen_draw draw = bench_draw(&B->b, false, 11);
    bench_fresh(&B->b, B->G, &draw, &B->drawn, n, edges);
}

static void measure_update(struct bed *B, uint64_t batch, double whole_s)
{
    struct report_times all = { .n = 0 }, commit = { .n = 0 };
    hy_edge *const edges = cli_alloc(batch, sizeof *edges);
    const double rest = settled(B);
    const hy_device_stats before = stats_of(B);
    hy_counts counts = { 0 };
    for (uint64_t t = 0; t < B->b.opts->trials; t++) {
        draw(B, batch, edges);
        const double s =
            bench_change(B->G, B->B, BENCH_INSERT, batch, edges, &counts);
        const double more = product(B, B->D, B->y) - rest;
        report_time(&commit, s);
        report_time(&all, s + (more > 0 ? more : 0));
    }
    const hy_device_stats after = stats_of(B);
    const double trials = (double)B->b.opts->trials;
    const double sent = (double)(after.mirrored - before.mirrored) / trials;
    const double touched = (double)(after.touched - before.touched) / trials;
    struct report_row row = report_row_of(B->b.graph->name, "update");
    row.batch = (double)batch;
    report_row_times(&row, &all, "edges", (double)batch);
    row.ratio = whole_s / row.median_s;
    report_row_number(&row, "bytes", sent);
    report_row_number(&row, "touched", touched);
    report_row_aside(&row, "commit_s", report_median(&commit));
    report_row_aside(&row, "spmv_s", rest);
    report_row_aside(&row, "whole_s", whole_s);
    row.verified = is_same(B);
    report_print(B->b.report, &row);
    cli_free(edges);
}

/* Seconds of commits that insert the edges in batches, and take them out. */
static double commits(struct bed *B, hy_graph *G, uint64_t n, uint64_t batch,
                      const hy_edge *edges)
{
    hy_counts counts = { 0 };
    double s = 0;
    for (int change = BENCH_INSERT; change <= BENCH_DELETE; change++)
        for (uint64_t i = 0; i < n; i += batch)
            s +=
                bench_change(G, B->B, (enum bench_change)change,
                             n - i < batch ? n - i : batch, edges + i, &counts);
    return s;
}

static void measure_noting(struct bed *B, uint64_t batch)
{
    const uint64_t n = batch < 100000 ? 100000 : batch;
    struct report_times with = { .n = 0 }, without = { .n = 0 };
    hy_edge *const edges = cli_alloc(n, sizeof *edges);
    hy_graph *const plain = bench_load(&B->b, false);
    for (uint64_t t = 0; t < B->b.opts->trials; t++) {
        draw(B, n, edges);
        report_time(&with, commits(B, B->G, n, batch, edges));
        report_time(&without, commits(B, plain, n, batch, edges));
    }
    struct report_row row = report_row_of(B->b.graph->name, "noting");
    row.batch = (double)batch;
    report_row_times(&row, &with, "edges", 2 * (double)n);
    row.ratio = row.median_s / report_median(&without);
    (void)product(B, B->D, B->y);
    row.verified = is_same(B);
    report_print(B->b.report, &row);
    hy_graph_free(plain);
    cli_free(edges);
}

/* ---- the suite ----------------------------------------------------------- */

static bool wants(const struct bed *B, const char *name)
{
    return !B->b.opts->cases || bench_lists(B->b.opts->cases, name);
}

static void run_graph(struct bed *B, hy_gen_kind kind)
{
    static const uint64_t noted[] = { 10, 1000, 100000 };
    struct gen_graph graph;
    uint64_t sizes[BENCH_SIZES];
    gen_make(B->b.ctx, kind, (unsigned)B->b.opts->scale, B->b.opts->seed,
             &graph);
    B->b.graph = &graph;
    B->G = bench_load(&B->b, false);
    B->B = bench_batch(B->G);
    B->x = cli_alloc(graph.csr.n, sizeof *B->x);
    B->y = cli_alloc(graph.csr.n, sizeof *B->y);
    B->z = cli_alloc(graph.csr.n, sizeof *B->z);
    for (hy_vid u = 0; u < graph.csr.n; u++)
        B->x[u] = 1 + u % 7;
    report_progress(B->b.report, graph.name, "spmv", 0);
    if (wants(B, "spmv"))
        measure_spmv(B);
    const bool updates = wants(B, "update");
    double whole_s = 0;
    if (wants(B, "upload") || updates)
        whole_s = measure_upload(B, wants(B, "upload"));
    for (size_t i = 0; updates && i < bench_sizes(&B->b, sizes); i++)
        if (sizes[i] <= 100000)
            measure_update(B, sizes[i], whole_s);
    for (size_t i = 0; wants(B, "noting") && i < 3; i++)
        if (bench_has_size(&B->b, noted[i]))
            measure_noting(B, noted[i]);
    hy_batch_free(B->B);
    hy_graph_free(B->G);
    cli_free(B->x);
    cli_free(B->y);
    cli_free(B->z);
    gen_csr_fini(&graph.csr);
}

static void check_names(const char *list)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        bool is_known = false;
        for (size_t i = 0; i < N_CASES; i++)
            is_known |= strlen(cases[i]) == n && !memcmp(cases[i], at, n);
        if (!is_known)
            cli_die(CLI_USAGE, "no case `%.*s`; try `hypha bench --help`",
                    (int)n, at);
        at += n + (at[n] == ',');
    }
}

int bench_device_suite(const struct bench_opts *o)
{
    static const char *const kinds[] = { "kron", "urand", "grid" };
    check_names(o->cases);
    struct report report;
    struct bed B = { .b = { .opts = o, .ctx = cli_ctx(o->threads) } };
    const char *const name = o->device ? o->device : "1";
    B.b.report = &report;
    const hy_status status = hy_device_open(B.b.ctx, name, NULL, &B.D);
    if (status == HY_EINVAL)
        cli_die(CLI_FAILED, "no device `%s`; try `hypha devices`", name);
    cli_must(status, name);
    hy_device_info_get(B.D, &B.info);
    report_init(&report, "device", hy_ctx_threads(B.b.ctx), o->json, o->quiet);
    bench_print_run(o, &report);
    for (hy_gen_kind kind = HY_GEN_KRON; kind <= HY_GEN_GRID; kind++)
        if (!o->graph || !strcmp(o->graph, "all") ||
            !strcmp(o->graph, kinds[kind]))
            run_graph(&B, kind);
    hy_device_close(B.D);
    hy_ctx_free(B.b.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
