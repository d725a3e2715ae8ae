/* Batches that are half insertions and half deletions.
 *
 * The lines of a trial alternate: insert a fresh edge, delete one that was
 * inserted in the trial before.  Batches are cut from that sequence, so that
 * batches of one are single insertions and single deletions in turn.
 *
 * Invariant between trials: the graph is the loaded one and `pool`.
 */
#include "cli/bench_store.h"

#include <string.h>

struct mixed {
    const struct bench *b;
    uint64_t batch, rounds;
    hy_graph *G;
    hy_batch *B;
    hy_gen_draw draw;
    uint64_t drawn;
    hy_edge *pool, *fresh; /* rounds * batch / 2 each */
    hy_edge *lines;        /* of one batch, to be sorted */
    uint64_t *keys, *scratch;
    struct report_times commits, sorts;
    bool right;
};

static void init(struct mixed *M, const struct bench *b, bool skewed,
                 uint64_t batch)
{
    const uint64_t least = bench_rounds(batch);
    const uint64_t rounds = least + least * batch % 2; /* even lines */
    const uint64_t half = rounds * batch / 2;
    *M = (struct mixed){ .b = b,
                         .batch = batch,
                         .rounds = rounds,
                         .draw = bench_draw(b, skewed, ~batch),
                         .right = true };
    M->G = bench_load(b, false);
    M->B = bench_batch(M->G);
    M->pool = cli_alloc(half, sizeof *M->pool);
    M->fresh = cli_alloc(half, sizeof *M->fresh);
    M->lines = cli_alloc(batch, sizeof *M->lines);
    M->keys = cli_alloc(batch, sizeof *M->keys);
    M->scratch = cli_alloc(batch, sizeof *M->scratch);
    hy_counts sum = { 0 };
    bench_fresh(b, M->G, &M->draw, &M->drawn, half, M->pool);
    bench_change(M->G, M->B, BENCH_INSERT, half, M->pool, &sum);
}

static void fini(struct mixed *M)
{
    cli_free(M->scratch);
    cli_free(M->keys);
    cli_free(M->lines);
    cli_free(M->fresh);
    cli_free(M->pool);
    hy_batch_free(M->B);
    hy_graph_free(M->G);
}

/* The batch of lines first .. first + batch - 1 of the trial. */
static void fill(struct mixed *M, uint64_t first)
{
    hy_batch_clear(M->B);
    for (uint64_t i = 0; i < M->batch; i++) {
        const uint64_t at = (first + i) / 2;
        const bool insert = (first + i) % 2 == 0;
        const hy_edge e = insert ? M->fresh[at] : M->pool[at];
        M->lines[i] = e;
        cli_must(insert ? hy_batch_insert_edge(M->B, e.u, e.v, NULL)
                        : hy_batch_delete_edge(M->B, e.u, e.v),
                 "filling a batch");
    }
}

static void trial(struct mixed *M)
{
    const uint64_t half = M->rounds * M->batch / 2;
    bench_fresh(M->b, M->G, &M->draw, &M->drawn, half, M->fresh);
    hy_counts sum = { 0 };
    double s = 0, sort_s = 0;
    uint64_t lines = 0, rounds = 0;
    /* an even number of lines, so that the pool is replaced edge by edge */
    while (rounds < M->rounds && (s < bench_trial_s || lines % 2)) {
        fill(M, lines);
        s += bench_commit(M->G, M->B, &sum);
        sort_s +=
            bench_time_sort(M->b, M->batch, M->lines, M->keys, M->scratch);
        lines += M->batch;
        rounds++;
    }
    report_time(&M->commits, s / (double)rounds);
    report_time(&M->sorts, sort_s / (double)rounds);
    M->right &= sum.inserted + sum.duplicate == lines / 2;
    M->right &= sum.deleted + sum.missing == lines / 2;
    memcpy(M->pool, M->fresh, lines / 2 * sizeof *M->pool);
}

/* Deletes the pool: the loaded graph must be left. */
static bool is_restored(struct mixed *M)
{
    hy_counts sum = { 0 };
    const uint64_t half = M->rounds * M->batch / 2;
    bench_change(M->G, M->B, BENCH_DELETE, half, M->pool, &sum);
    return hy_view_edges(hy_graph_now(M->G)) == M->b->graph->csr.m &&
           bench_check(M->b, M->G);
}

static void run(const struct bench *b, bool skewed, uint64_t batch)
{
    struct mixed M;
    report_progress(b->report, b->graph->name, "mixed", batch);
    init(&M, b, skewed, batch);
    for (uint64_t t = 0; t < b->opts->trials; t++)
        trial(&M);
    struct report_row row = report_row_of(b->graph->name, "mixed");
    row.edges = skewed ? "skewed" : "uniform";
    row.batch = (double)batch;
    report_row_times(&row, &M.commits, "edges", row.batch);
    row.ratio = row.median_s / report_median(&M.sorts);
    report_row_aside(&row, "first_s", M.commits.s[0]);
    report_row_aside(&row, "sort_s", report_median(&M.sorts));
    row.verified = M.right && is_restored(&M);
    report_print(b->report, &row);
    fini(&M);
}

void bench_mixed_cases(const struct bench *b)
{
    uint64_t sizes[BENCH_SIZES];
    const size_t n = bench_sizes(b, sizes);
    for (size_t i = 0; i < 2 * n; i++)
        run(b, i >= n, sizes[i % n]);
}
