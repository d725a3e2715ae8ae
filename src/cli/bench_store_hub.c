/* Single insertions into a vertex of a million neighbours. */
#include "cli/bench_store.h"
#include "cli/random.h"

enum {
    NEIGHBOURS = 1000000,
    INSERTIONS = 10000,
    LOOK = 4, /* one in so many is looked at for what it moved: O(n) each */
};

/* A star: vertex 0 points to all odd ids. */
static hy_graph *make_star(const struct bench *b)
{
    const hy_vid n = 2 * NEIGHBOURS + 1;
    uint64_t *const offsets = cli_alloc((size_t)n + 1, sizeof *offsets);
    hy_vid *const targets = cli_alloc(NEIGHBOURS, sizeof *targets);
    for (hy_vid i = 0; i < NEIGHBOURS; i++)
        targets[i] = 2 * i + 1;
    offsets[0] = 0;
    for (hy_vid u = 1; u <= n; u++)
        offsets[u] = NEIGHBOURS;
    hy_graph *G = NULL;
    cli_must(hy_graph_new(b->ctx, NULL, &G), "making a graph");
    cli_must(hy_graph_load_csr(G, n, offsets, targets, NULL),
             "loading a graph");
    cli_free(targets);
    cli_free(offsets);
    return G;
}

void bench_hub_cases(const struct bench *b)
{
    report_progress(b->report, "star", "hub", 1);
    hy_graph *const G = make_star(b);
    hy_batch *const B = bench_batch(G);
    double *const s = cli_alloc(INSERTIONS, sizeof *s);
    double moved[INSERTIONS / LOOK];
    hy_counts sum = { 0 };
    for (uint64_t i = 0; i < INSERTIONS; i++) {
        const uint64_t r = random_at(b->opts->seed, i);
        const hy_edge e = { 0, 2 * (hy_vid)random_below(r, NEIGHBOURS) };
        s[i] = bench_change(G, B, BENCH_INSERT, 1, &e, &sum);
        if (i % LOOK)
            continue;
        hy_graph_stats stats;
        hy_graph_stats_get(G, &stats);
        moved[i / LOOK] = (double)stats.bytes_moved;
    }
    struct report_row row = report_row_of("star", "hub");
    row.batch = 1;
    row.median_s = report_quantile(s, INSERTIONS, 0.5);
    row.unit = "edges";
    row.rate = 1 / row.median_s;
    report_row_number(&row, "p99_us",
                      report_quantile(s, INSERTIONS, 0.99) * 1e6);
    report_row_number(&row, "neighbours", NEIGHBOURS);
    report_row_number(&row, "bytes_moved_median",
                      report_quantile(moved, INSERTIONS / LOOK, 0.5));
    report_row_number(&row, "bytes_moved_most",
                      report_quantile(moved, INSERTIONS / LOOK, 1));
    row.verified =
        sum.inserted + sum.duplicate == INSERTIONS &&
        hy_view_degree(hy_graph_now(G), 0) == NEIGHBOURS + sum.inserted &&
        bench_check(b, G);
    report_print(b->report, &row);
    cli_free(s);
    hy_batch_free(B);
    hy_graph_free(G);
}
