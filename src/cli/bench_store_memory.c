/* Bytes per edge: after a load, over long series of changes, after a shrink.
 *
 * The series are those of faimGraph (Winter, Mlakar, Zayer, Seidel,
 * Steinberger, SC 2018; Winter's thesis, section 4.3), with batches of 10^6:
 *
 *   uniform  an iteration inserts random edges, then deletes: a random source
 *            each and one of its neighbours
 *   sweep    the same, but the sources of insertions are in a tenth of the
 *            ids, which moves on ten times during the series
 *   random   an iteration inserts or deletes, at random
 */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <stdio.h>
#include <string.h>

enum {
    SERIES_BATCH = 1000000,
    REGIONS = 10,
    KRON_ITERATIONS = 100,
    OTHER_ITERATIONS = 20,
    QUICK_ITERATIONS = 10,
};

enum series { UNIFORM, SWEEP, RANDOM };

struct memory {
    const struct bench *b;
    enum series series;
    uint64_t batch, iterations;
    hy_graph *G;
    hy_batch *B;
    hy_edge *edges; /* batch */
    hy_gen_draw draw;
    uint64_t drawn;
    double most; /* bytes per edge, so far */
    double seconds;
    hy_counts sum;
};

static double bytes_per_edge(const hy_graph_stats *stats)
{
    return (double)stats->bytes / (double)(stats->arcs ? stats->arcs : 1);
}

static void add_stats(struct report_row *row, const hy_graph *G)
{
    hy_graph_stats stats;
    hy_graph_stats_get(G, &stats);
    const double bytes = (double)(stats.bytes ? stats.bytes : 1);
    report_row_number(row, "slack_share", (double)stats.bytes_slack / bytes);
    report_row_number(row, "free_share", (double)stats.bytes_free / bytes);
    report_row_aside(row, "table_share", (double)stats.bytes_table / bytes);
    report_row_aside(row, "work_share", (double)stats.bytes_work / bytes);
    report_row_aside(row, "bytes", (double)stats.bytes);
    report_row_aside(row, "arcs", (double)stats.arcs);
    report_row_aside(row, "compactions", (double)stats.compactions);
}

static void memory_init(struct memory *M, const struct bench *b)
{
    *M = (struct memory){ .b = b, .batch = bench_scaled(b, SERIES_BATCH) };
    M->iterations = b->opts->iterations             ? b->opts->iterations
                    : b->opts->quick                ? QUICK_ITERATIONS
                    : b->graph->kind == HY_GEN_KRON ? KRON_ITERATIONS
                                                    : OTHER_ITERATIONS;
    M->G = bench_load(b, false);
    M->B = bench_batch(M->G);
    M->edges = cli_alloc(M->batch, sizeof *M->edges);
}

static void memory_fini(struct memory *M)
{
    cli_free(M->edges);
    hy_batch_free(M->B);
    hy_graph_free(M->G);
}

/* ---- the series ---------------------------------------------------------- */

static void watch(struct memory *M)
{
    hy_graph_stats stats;
    hy_graph_stats_get(M->G, &stats);
    const double now = bytes_per_edge(&stats);
    M->most = now > M->most ? now : M->most;
}

static void insert_batch(struct memory *M, uint64_t iteration)
{
    if (M->series == SWEEP) {
        const uint64_t n = M->draw.n;
        const uint64_t at = iteration * REGIONS / M->iterations % REGIONS;
        M->draw.lo = (hy_vid)(n * at / REGIONS);
        M->draw.hi = (hy_vid)(n * (at + 1) / REGIONS);
    }
    gen_draw_edges(M->b->ctx, &M->draw, M->drawn, M->batch, M->edges);
    M->drawn += M->batch;
    M->seconds +=
        bench_change(M->G, M->B, BENCH_INSERT, M->batch, M->edges, &M->sum);
    watch(M);
}

static void delete_batch(struct memory *M, uint64_t iteration)
{
    bench_pick(M->b, M->G, random_at(M->draw.seed, iteration), M->batch,
               M->edges);
    M->seconds +=
        bench_change(M->G, M->B, BENCH_DELETE, M->batch, M->edges, &M->sum);
    watch(M);
}

static void iterate(struct memory *M, uint64_t i)
{
    const bool both = M->series != RANDOM;
    const bool insert = random_at(~M->draw.seed, i) >> 63;
    if (both || insert)
        insert_batch(M, i);
    if (both || !insert)
        delete_batch(M, i);
}

static void run_series(const struct bench *b, enum series series)
{
    static const char *const names[] = { "series_uniform", "series_sweep",
                                         "series_random" };
    if (!bench_wants(b, "memory", names[series]))
        return;
    struct memory M;
    memory_init(&M, b);
    M.series = series;
    M.draw = bench_draw(b, false, 100 + (uint64_t)series);
    const uint64_t before = hy_view_arcs(hy_graph_now(M.G));
    for (uint64_t i = 0; i < M.iterations; i++) {
        report_progress(b->report, b->graph->name, names[series], i + 1);
        iterate(&M, i);
    }
    struct report_row row = report_row_of(b->graph->name, names[series]);
    hy_graph_stats stats;
    hy_graph_stats_get(M.G, &stats);
    row.batch = (double)M.batch;
    const hy_counts *const c = &M.sum;
    const uint64_t lines = c->inserted + c->duplicate + c->deleted + c->missing;
    row.unit = "edges";
    row.rate = (double)lines / M.seconds;
    report_row_number(&row, "bytes_per_edge", M.most);
    report_row_number(&row, "bytes_per_edge_end", bytes_per_edge(&stats));
    report_row_number(&row, "iterations", (double)M.iterations);
    add_stats(&row, M.G);
    row.verified = stats.arcs == before + c->inserted - c->deleted &&
                   lines % M.batch == 0 && bench_check(b, M.G);
    report_print(b->report, &row);
    memory_fini(&M);
}

/* ---- loaded, shrunk --------------------------------------------------- */

static void loaded(const struct bench *b)
{
    hy_graph *const G = bench_load(b, false);
    hy_graph_stats stats;
    hy_graph_stats_get(G, &stats);
    struct report_row row = report_row_of(b->graph->name, "bytes_loaded");
    report_row_number(&row, "bytes_per_edge", bytes_per_edge(&stats));
    add_stats(&row, G);
    row.verified = stats.arcs == b->graph->csr.m;
    report_print(b->report, &row);
    hy_graph_free(G);
}

/* Deletes nine in ten edges, chosen at random, in batches in vertex order. */
static void delete_most(struct memory *M)
{
    const struct gen_csr *const csr = &M->b->graph->csr;
    const uint64_t seed = ~M->b->opts->seed;
    uint64_t n = 0;
    for (hy_vid u = 0; u < csr->n; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            if (random_below(random_at(seed, e), 10) == 0)
                continue;
            M->edges[n++] = (hy_edge){ u, csr->targets[e] };
            if (n == M->batch) {
                bench_change(M->G, M->B, BENCH_DELETE, n, M->edges, &M->sum);
                n = 0;
            }
        }
    bench_change(M->G, M->B, BENCH_DELETE, n, M->edges, &M->sum);
}

static void shrink(const struct bench *b)
{
    struct memory M;
    hy_graph_stats before, after;
    report_progress(b->report, b->graph->name, "shrink", 0);
    memory_init(&M, b);
    hy_graph_stats_get(M.G, &before);
    delete_most(&M);
    hy_graph_stats_get(M.G, &after);
    struct report_row row = report_row_of(b->graph->name, "shrink");
    row.batch = (double)M.batch;
    row.ratio = (double)after.bytes / (double)before.bytes;
    report_row_number(&row, "bytes_before", (double)before.bytes);
    report_row_number(&row, "bytes_after", (double)after.bytes);
    report_row_number(&row, "bytes_per_edge", bytes_per_edge(&after));
    add_stats(&row, M.G);
    row.verified = M.sum.missing == 0 &&
                   after.arcs == before.arcs - M.sum.deleted &&
                   bench_check(b, M.G);
    report_print(b->report, &row);
    memory_fini(&M);
}

void bench_memory_cases(const struct bench *b)
{
    if (bench_wants(b, "memory", "bytes_loaded"))
        loaded(b);
    run_series(b, UNIFORM);
    run_series(b, SWEEP);
    run_series(b, RANDOM);
    if (bench_wants(b, "memory", "shrink"))
        shrink(b);
}
