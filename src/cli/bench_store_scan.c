/* A full scan of the store, next to a scan of the same edges as CSR: after a
 * load, after many random updates, and after a rebalance. */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <string.h>

enum { RUNS = 9, ROUNDS = 10, ROUND_LINES = 1000000, GRAIN = 1 << 10 };

/* ---- the store as CSR ---------------------------------------------------- */

struct csr_job {
    const hy_view *V;
    struct gen_csr *csr;
};

static void copy_par(void *arg, size_t lo, size_t hi)
{
    const struct csr_job *const job = arg;
    for (size_t u = lo; u < hi; u++) {
        hy_vid *to = job->csr->targets + job->csr->offsets[u];
        hy_for_out_span (s, job->V, (hy_vid)u) {
            memcpy(to, s.v, s.n * sizeof *to);
            to += s.n;
        }
    }
}

static void csr_of_view(const struct bench *b, const hy_view *V,
                        struct gen_csr *csr)
{
    const hy_vid n = hy_view_bound(V);
    *csr = (struct gen_csr){ .n = n, .m = hy_view_arcs(V) };
    csr->offsets = cli_alloc((size_t)n + 1, sizeof *csr->offsets);
    csr->targets = cli_alloc(csr->m, sizeof *csr->targets);
    csr->offsets[0] = 0;
    for (hy_vid u = 0; u < n; u++)
        csr->offsets[u + 1] = csr->offsets[u] + hy_view_degree(V, u);
    if (csr->offsets[n] != csr->m)
        cli_die(CLI_FAILED, "degrees do not add up to the number of edges");
    struct csr_job job = { .V = V, .csr = csr };
    hy_par_for(b->ctx, n, GRAIN, copy_par, &job);
}

/* ---- measuring ----------------------------------------------------------- */

static void scan_case(const struct bench *b, const char *name,
                      const hy_graph *G, const struct gen_csr *csr,
                      double rebalance_s)
{
    if (!bench_wants(b, "scan", name))
        return;
    report_progress(b->report, b->graph->name, name, 0);
    hy_vid cuts[BENCH_PIECES + 1];
    bench_cut(csr, cuts);
    const hy_view *const V = hy_graph_now(G);
    struct report_times store = { .n = 0 }, flat = { .n = 0 };
    struct report_row row = report_row_of(b->graph->name, name);
    const uint64_t runs = b->opts->trials > RUNS ? b->opts->trials : RUNS;
    for (uint64_t t = 0; t < runs; t++) {
        const double start = hy_clock();
        const uint64_t a = bench_scan_view(b, V, cuts);
        const double middle = hy_clock();
        const uint64_t c = bench_scan_csr(b, csr, cuts);
        const double end = hy_clock();
        report_time(&store, middle - start);
        report_time(&flat, end - middle);
        row.verified &= a == c;
    }
    report_row_times(&row, &store, "edges", (double)csr->m);
    row.ratio = row.median_s / report_median(&flat);
    report_row_aside(&row, "csr_s", report_median(&flat));
    if (rebalance_s >= 0)
        report_row_number(&row, "rebalance_s", rebalance_s);
    report_print(b->report, &row);
}

/* Half of the lines insert uniform fresh edges, half delete edges of random
 * vertices; a batch of each in turn. */
static bool update(const struct bench *b, hy_graph *G)
{
    const uint64_t half = bench_scaled(b, ROUND_LINES / 2);
    hy_batch *const B = bench_batch(G);
    hy_edge *const edges = cli_alloc(half, sizeof *edges);
    const hy_gen_draw draw = bench_draw(b, false, 0);
    uint64_t drawn = 0;
    hy_counts sum = { 0 };
    for (uint64_t r = 0; r < ROUNDS; r++) {
        report_progress(b->report, b->graph->name, "updating, round", r + 1);
        bench_fresh(b, G, &draw, &drawn, half, edges);
        bench_change(G, B, BENCH_INSERT, half, edges, &sum);
        bench_pick(b, G, random_at(draw.seed, r), half, edges);
        bench_change(G, B, BENCH_DELETE, half, edges, &sum);
    }
    cli_free(edges);
    hy_batch_free(B);
    return sum.inserted + sum.duplicate == half * ROUNDS &&
           sum.deleted + sum.missing == half * ROUNDS;
}

void bench_scan_cases(const struct bench *b)
{
    hy_graph *const G = bench_load(b, false);
    scan_case(b, "scan_loaded", G, &b->graph->csr, -1);
    if (!bench_wants(b, "scan", "scan_updated") &&
        !bench_wants(b, "scan", "scan_rebalanced")) {
        hy_graph_free(G);
        return;
    }
    struct gen_csr csr;
    if (!update(b, G))
        cli_die(CLI_FAILED, "an update counted its lines wrong");
    csr_of_view(b, hy_graph_now(G), &csr);
    scan_case(b, "scan_updated", G, &csr, -1);
    const double start = hy_clock();
    cli_must(hy_graph_rebalance(G), "rebalancing");
    const double s = hy_clock() - start;
    scan_case(b, "scan_rebalanced", G, &csr, s);
    gen_csr_fini(&csr);
    hy_graph_free(G);
}
