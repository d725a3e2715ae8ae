/* Insertions and deletions of edges, one kind to a batch.
 *
 * A cell is a graph, a way to draw edges and a size of batch.  It starts from
 * a fresh load, so that it does not depend on the cells before it.
 *
 *   for each trial
 *     draw    rounds * batch edges that the graph does not have
 *     insert  them, a batch a round, until the trial's time is used up
 *     delete  the same batches in the same order
 *     sort    the keys of the same batches
 *
 * Only the commits and the sorts are timed.  Deletions come after all of the
 * trial's insertions, so that a small batch is not deleted while it is still
 * in the cache.
 */
#include "cli/bench_store.h"

enum { LATENCY_BATCH = 10 }; /* up to here latencies are told */

struct clock {
    struct report_times trials; /* seconds of a batch, mean of the rounds */
    double *each;               /* seconds of each commit; or NULL */
    size_t n_each;
};

struct cell {
    const struct bench *b;
    const char *edges_name;
    bool undirected;
    uint64_t batch, rounds, done; /* done: rounds of this trial */
    hy_graph *G;
    hy_batch *B;
    hy_gen_draw draw;
    uint64_t drawn;
    hy_edge *edges; /* rounds * batch */
    uint64_t *keys, *scratch;
    struct clock insert, delete, sort;
    bool right;
};

static void clock_init(struct clock *c, const struct cell *C)
{
    *c = (struct clock){ .n_each = 0 };
    if (C->batch <= LATENCY_BATCH)
        c->each = cli_alloc(C->rounds * C->b->opts->trials, sizeof *c->each);
}

static void clock_add(struct clock *c, double s)
{
    if (c->each)
        c->each[c->n_each++] = s;
}

static void cell_init(struct cell *C, const struct bench *b, bool skewed,
                      bool undirected, uint64_t batch)
{
    const uint64_t rounds = bench_rounds(batch);
    *C = (struct cell){ .b = b,
                        .edges_name = skewed ? "skewed" : "uniform",
                        .undirected = undirected,
                        .batch = batch,
                        .rounds = rounds,
                        .draw = bench_draw(b, skewed, batch),
                        .right = true };
    C->G = bench_load(b, undirected);
    C->B = bench_batch(C->G);
    C->edges = cli_alloc(rounds * batch, sizeof *C->edges);
    C->keys = cli_alloc(batch, sizeof *C->keys);
    C->scratch = cli_alloc(batch, sizeof *C->scratch);
    clock_init(&C->insert, C);
    clock_init(&C->delete, C);
    clock_init(&C->sort, C);
}

static void cell_fini(struct cell *C)
{
    cli_free(C->insert.each);
    cli_free(C->delete.each);
    cli_free(C->sort.each);
    cli_free(C->scratch);
    cli_free(C->keys);
    cli_free(C->edges);
    hy_batch_free(C->B);
    hy_graph_free(C->G);
}

static hy_counts insert_rounds(struct cell *C)
{
    hy_counts sum = { 0 };
    double s = 0;
    for (C->done = 0; C->done < C->rounds && s < bench_trial_s; C->done++) {
        const double took = bench_change(C->G, C->B, BENCH_INSERT, C->batch,
                                         C->edges + C->done * C->batch, &sum);
        clock_add(&C->insert, took);
        s += took;
    }
    report_time(&C->insert.trials, s / (double)C->done);
    return sum;
}

static hy_counts delete_rounds(struct cell *C)
{
    hy_counts sum = { 0 };
    double s = 0;
    for (uint64_t r = 0; r < C->done; r++) {
        const double took = bench_change(C->G, C->B, BENCH_DELETE, C->batch,
                                         C->edges + r * C->batch, &sum);
        clock_add(&C->delete, took);
        s += took;
    }
    report_time(&C->delete.trials, s / (double)C->done);
    return sum;
}

static void sort_rounds(struct cell *C)
{
    double s = 0;
    for (uint64_t r = 0; r < C->done; r++)
        s += bench_time_sort(C->b, C->batch, C->edges + r * C->batch, C->keys,
                             C->scratch);
    report_time(&C->sort.trials, s / (double)C->done);
}

static void trial(struct cell *C)
{
    const uint64_t before = hy_view_edges(hy_graph_now(C->G));
    bench_fresh(C->b, C->G, &C->draw, &C->drawn, C->rounds * C->batch,
                C->edges);
    const hy_counts in = insert_rounds(C);
    C->right &= hy_view_edges(hy_graph_now(C->G)) == before + in.inserted;
    const hy_counts out = delete_rounds(C);
    sort_rounds(C);
    const uint64_t lines = C->done * C->batch;
    C->right &= in.inserted + in.duplicate == lines;
    C->right &= out.deleted + out.missing == lines;
    C->right &= out.deleted == in.inserted;
    C->right &= hy_view_edges(hy_graph_now(C->G)) == before;
}

static void print(struct cell *C, const char *name, struct clock *c)
{
    if (!bench_wants(C->b, "update", name))
        return;
    struct report_row row = report_row_of(C->b->graph->name, name);
    row.edges = C->edges_name;
    row.batch = (double)C->batch;
    report_row_times(&row, &c->trials, "edges", row.batch);
    row.ratio = row.median_s / report_median(&C->sort.trials);
    if (c->each) {
        double *const x = c->each;
        const size_t n = c->n_each;
        report_row_number(&row, "p50_us", report_quantile(x, n, 0.5) * 1e6);
        report_row_number(&row, "p99_us", report_quantile(x, n, 0.99) * 1e6);
        report_row_number(&row, "p999_us", report_quantile(x, n, 0.999) * 1e6);
    }
    report_row_aside(&row, "first_s", c->trials.s[0]);
    report_row_aside(&row, "sort_s", report_median(&C->sort.trials));
    row.verified = C->right;
    report_print(C->b->report, &row);
}

static void run_cell(struct cell *C)
{
    report_progress(C->b->report, C->b->graph->name, "insert, delete",
                    C->batch);
    for (uint64_t t = 0; t < C->b->opts->trials; t++)
        trial(C);
    C->right &= bench_check(C->b, C->G);
    print(C, C->undirected ? "insert_undirected" : "insert", &C->insert);
    print(C, C->undirected ? "delete_undirected" : "delete", &C->delete);
}

static void run(const struct bench *b, bool skewed, bool undirected,
                uint64_t batch)
{
    struct cell C;
    cell_init(&C, b, skewed, undirected, batch);
    run_cell(&C);
    cell_fini(&C);
}

void bench_update_cases(const struct bench *b)
{
    static const uint64_t undirected[] = { 10000, 1000000 };
    uint64_t sizes[BENCH_SIZES];
    const size_t n = bench_sizes(b, sizes);
    if (bench_wants(b, "update", "insert") ||
        bench_wants(b, "update", "delete"))
        for (size_t i = 0; i < 2 * n; i++)
            run(b, i >= n, false, sizes[i % n]);
    if (bench_wants(b, "update", "insert_undirected") ||
        bench_wants(b, "update", "delete_undirected"))
        for (size_t i = 0; i < 2; i++)
            if (bench_has_size(b, undirected[i]))
                run(b, false, true, undirected[i]);
}
