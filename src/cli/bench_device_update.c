/* `hypha bench device`: commits, and what they cost the device's copy.
 *
 * The copy is brought up to date by itself, so that it can be timed; a product
 * afterwards says whether it is right. */
#include "cli/bench_device.h"

#include <math.h>
#include <string.h>

struct changing {
    const struct device_bed *B;
    const struct bench *b;
    hy_graph *G;
    hy_batch *batch;
    double *x, *y, *z;
    uint64_t drawn;
};

const char *const device_update_names[] = { "upload", "update", "noting",
                                            NULL };

/* ---- asking -------------------------------------------------------------- */

static double sync(const struct changing *C)
{
    const double start = hy_clock();
    cli_must(hy_device_sync(C->B->D, hy_graph_now(C->G)), "uploading");
    return hy_clock() - start;
}

static double product(const struct changing *C, const hy_graph *G, hy_device *D,
                      double *y)
{
    const hy_spmv_opts opts = { .device = D };
    const double start = hy_clock();
    cli_must(hy_spmv(hy_graph_now(G), &opts, C->x, y), "spmv");
    return hy_clock() - start;
}

/* Does D see G as it is? */
static bool is_same(const struct changing *C, const hy_graph *G, hy_device *D)
{
    (void)product(C, G, D, C->y);
    (void)product(C, G, NULL, C->z);
    const size_t bytes = hy_view_bound(hy_graph_now(G)) * sizeof *C->y;
    return memcmp(C->y, C->z, bytes) == 0;
}

static hy_device_stats stats_of(const struct changing *C)
{
    hy_device_stats stats;
    hy_device_stats_get(C->B->D, &stats);
    return stats;
}

/* ---- the whole ----------------------------------------------------------- */

/* Median seconds that uploading the whole graph takes. */
static double measure_upload(const struct changing *C, bool tells)
{
    struct report_times times = { .n = 0 };
    const double trials = (double)C->b->opts->trials;
    (void)sync(C);
    const hy_device_stats before = stats_of(C);
    for (uint64_t t = 0; t < C->b->opts->trials; t++) {
        cli_must(hy_graph_rebalance(C->G), "rebalance");
        report_time(&times, sync(C));
    }
    const hy_device_stats after = stats_of(C);
    const double bytes = (double)(after.mirrored - before.mirrored) / trials;
    if (tells) {
        struct report_row row = report_row_of(C->b->graph->name, "upload");
        report_row_times(&row, &times, "bytes", bytes);
        report_row_number(&row, "bytes", bytes);
        row.verified = is_same(C, C->G, C->B->D) &&
                       after.whole - before.whole == C->b->opts->trials;
        report_print(C->b->report, &row);
    }
    return report_median(&times);
}

/* ---- what a commit touched ----------------------------------------------- */

static void draw(struct changing *C, uint64_t n, hy_edge *edges)
{
    const hy_gen_draw draw = bench_draw(C->b, false, 11);
    bench_fresh(C->b, C->G, &draw, &C->drawn, n, edges);
}

static void measure_update(struct changing *C, uint64_t batch, double whole_s)
{
    struct report_times all = { .n = 0 }, commit = { .n = 0 },
                        asked = { .n = 0 };
    const double trials = (double)C->b->opts->trials;
    hy_edge *const edges = cli_alloc(batch, sizeof *edges);
    (void)sync(C);
    const hy_device_stats before = stats_of(C);
    hy_counts counts = { 0 };
    for (uint64_t t = 0; t < C->b->opts->trials; t++) {
        draw(C, batch, edges);
        const double s =
            bench_change(C->G, C->batch, BENCH_INSERT, batch, edges, &counts);
        report_time(&commit, s);
        report_time(&all, s + sync(C));
        report_time(&asked, product(C, C->G, C->B->D, C->y));
    }
    const hy_device_stats after = stats_of(C);
    const double spmv_s = report_median(&asked);
    struct report_row row = report_row_of(C->b->graph->name, "update");
    row.batch = (double)batch;
    report_row_times(&row, &all, "edges", (double)batch);
    row.ratio = whole_s / row.median_s;
    report_row_number(&row, "bytes",
                      (double)(after.mirrored - before.mirrored) / trials);
    report_row_number(&row, "touched",
                      (double)(after.touched - before.touched) / trials);
    report_row_aside(&row, "commit_s", report_median(&commit));
    report_row_aside(&row, "whole_s", whole_s);
    report_row_aside(&row, "spmv_s", spmv_s);
    row.verified = is_same(C, C->G, C->B->D);
    report_print(C->b->report, &row);
    cli_free(edges);
}

/* ---- commits that nobody asks about -------------------------------------- */

/* Seconds of commits that insert the edges in batches, and take them out. */
static double commits(struct changing *C, hy_graph *G, uint64_t n,
                      uint64_t batch, const hy_edge *edges)
{
    hy_counts counts = { 0 };
    double s = 0;
    for (int change = BENCH_INSERT; change <= BENCH_DELETE; change++)
        for (uint64_t i = 0; i < n; i += batch)
            s +=
                bench_change(G, C->batch, (enum bench_change)change,
                             n - i < batch ? n - i : batch, edges + i, &counts);
    return s;
}

/* Both graphs in turns, one with a mirror: the ratio of their times. */
static double compare_noting(struct changing *C, hy_graph *watched,
                             hy_graph *plain, uint64_t n, uint64_t batch,
                             struct report_times *with, bool *is_right)
{
    struct report_times here = { .n = 0 }, without = { .n = 0 };
    hy_edge *const edges = cli_alloc(n, sizeof *edges);
    hy_device *const D = cli_device_open(hy_graph_ctx(watched), C->B->name);
    cli_must(hy_device_sync(D, hy_graph_now(watched)), "uploading");
    for (uint64_t t = 0; t < C->b->opts->trials; t++) {
        draw(C, n, edges);
        (void)commits(C, watched, n, batch, edges);
        (void)commits(C, plain, n, batch, edges);
        const double s = commits(C, watched, n, batch, edges);
        report_time(&here, s);
        report_time(with, s);
        report_time(&without, commits(C, plain, n, batch, edges));
    }
    hy_counts counts = { 0 };
    (void)bench_change(watched, C->batch, BENCH_INSERT, n, edges, &counts);
    *is_right &= is_same(C, watched, D);
    (void)bench_change(watched, C->batch, BENCH_DELETE, n, edges, &counts);
    hy_device_close(D);
    cli_free(edges);
    return report_median(&here) / report_median(&without);
}

/* Two graphs of the same edges differ by the luck of their pages, so each has
 * the mirror once. */
static void measure_noting(struct changing *C, uint64_t batch)
{
    const uint64_t n = batch < 100000 ? 100000 : batch;
    struct report_times with = { .n = 0 };
    hy_graph *const G = bench_load(C->b, false);
    hy_graph *const H = bench_load(C->b, false);
    bool is_right = true;
    const double first = compare_noting(C, G, H, n, batch, &with, &is_right);
    const double second = compare_noting(C, H, G, n, batch, &with, &is_right);
    struct report_row row = report_row_of(C->b->graph->name, "noting");
    row.batch = (double)batch;
    report_row_times(&row, &with, "edges", 2 * (double)n);
    row.ratio = sqrt(first * second);
    row.verified = is_right;
    report_print(C->b->report, &row);
    hy_graph_free(G);
    hy_graph_free(H);
}

/* ---- all of them --------------------------------------------------------- */

static void run_cases(struct changing *C)
{
    static const uint64_t noted[] = { 10, 1000, 100000 };
    uint64_t sizes[BENCH_SIZES];
    const bool updates = device_wants(C->B, "update");
    const bool uploads = device_wants(C->B, "upload");
    double whole_s = 0;
    report_progress(C->b->report, C->b->graph->name, "update", 0);
    if (updates || uploads)
        whole_s = measure_upload(C, uploads);
    for (size_t i = 0; updates && i < bench_sizes(C->b, sizes); i++)
        if (sizes[i] <= 100000)
            measure_update(C, sizes[i], whole_s);
    for (size_t i = 0; device_wants(C->B, "noting") && i < 3; i++)
        if (bench_has_size(C->b, noted[i]))
            measure_noting(C, noted[i]);
}

void device_update_cases(const struct device_bed *B)
{
    bool any = false;
    for (size_t i = 0; device_update_names[i]; i++)
        any |= device_wants(B, device_update_names[i]);
    if (!any)
        return;
    const hy_vid n = B->b.graph->csr.n;
    struct changing C = { .B = B, .b = &B->b, .G = bench_load(&B->b, false) };
    C.batch = bench_batch(C.G);
    C.x = cli_alloc(n, sizeof *C.x);
    C.y = cli_alloc(n, sizeof *C.y);
    C.z = cli_alloc(n, sizeof *C.z);
    for (hy_vid u = 0; u < n; u++)
        C.x[u] = 1 + u % 7;
    run_cases(&C);
    hy_batch_free(C.batch);
    hy_graph_free(C.G);
    cli_free(C.x);
    cli_free(C.y);
    cli_free(C.z);
}
