/* `hypha bench live`, case latency: commits of 1, 10, ... 10^6 edges with bfs,
 * sssp and wcc attached.  Small ones tell how long a commit takes, large ones
 * where repairing stops to pay. */
#include "cli/bench_live.h"

#include <math.h>

enum { EDGES = 20000, LEAST_ROUNDS = 6, MOST_ROUNDS = 10000 };
enum { LARGE = 100000 }; /* batches that change what recomputing takes */

static const double trial_s = 2; /* insertions of a size end then */

struct side {
    const char *name;
    double *with, *bare, *follow; /* of each commit */
    double anew; /* recomputing all: after large commits, or at the end */
    size_t n;
    uint64_t repaired[3];
};

static const char *const kinds[] = { "bfs", "sssp", "wcc" };
static const char *const repaired[] = { "repaired_bfs", "repaired_sssp",
                                        "repaired_wcc" };
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static uint64_t rounds_of(uint64_t batch)
{
    const uint64_t n = EDGES / batch;
    return n < LEAST_ROUNDS ? LEAST_ROUNDS : n > MOST_ROUNDS ? MOST_ROUNDS : n;
}

static void run_side(struct rig *r, enum bench_change change, uint64_t batch,
                     size_t rounds, const hy_edge *edges, struct side *S)
{
    uint64_t before[N_KINDS];
    struct report_times anew = { .n = 0 };
    double s = 0;
    r->is_anew = batch >= LARGE;
    for (size_t i = 0; i < N_KINDS; i++)
        before[i] = r->keeper.at[i].repaired;
    for (S->n = 0; S->n < rounds; S->n++) {
        if (change == BENCH_INSERT && s > trial_s && S->n >= LEAST_ROUNDS / 3)
            break;
        const struct rig_times t =
            rig_change(r, change, batch, edges + S->n * batch);
        S->with[S->n] = t.with;
        S->bare[S->n] = t.bare;
        S->follow[S->n] = t.follow;
        report_time(&anew, t.anew);
        s += t.with + t.bare;
    }
    S->anew = r->is_anew ? report_median(&anew) : 0;
    for (size_t i = 0; i < N_KINDS; i++) {
        S->repaired[i] = r->keeper.at[i].repaired - before[i];
        if (!r->is_anew)
            S->anew += fmin(rig_recompute(r, i), rig_recompute(r, i));
    }
    rig_verify(r);
}

static void print_side(const struct rig *r, const struct side *S,
                       uint64_t batch)
{
    const struct bench *const b = r->b;
    char name[32];
    const double p50 = report_quantile(S->with, S->n, 0.5);
    const double bare = report_quantile(S->bare, S->n, 0.5);
    const double follow = report_quantile(S->follow, S->n, 0.5);
    snprintf(name, sizeof name, "latency_%s", S->name);
    struct report_row row = report_row_of(b->graph->name, name);
    row.batch = (double)batch;
    row.unit = "edges";
    row.rate = (double)batch / p50;
    row.median_s = p50;
    row.spread = (S->with[S->n - 1] - S->with[0]) / p50; /* sorted by now */
    row.ratio = S->anew / fmax(p50 - bare, follow);
    report_row_number(&row, "p50_us", p50 * 1e6);
    report_row_number(&row, "p99_us",
                      report_quantile(S->with, S->n, 0.99) * 1e6);
    report_row_number(&row, "p999_us",
                      report_quantile(S->with, S->n, 0.999) * 1e6);
    report_row_number(&row, "bare_us", bare * 1e6);
    for (size_t i = 0; i < N_KINDS; i++)
        report_row_number(&row, repaired[i],
                          (double)S->repaired[i] / (double)S->n);
    report_row_aside(&row, "recompute_s", S->anew);
    report_row_aside(&row, "follow_s", follow);
    report_row_aside(&row, "commits", (double)S->n);
    row.verified = r->right;
    report_print(b->report, &row);
}

static struct side side_of(const char *name, size_t rounds)
{
    return (struct side){ .name = name,
                          .with = cli_alloc(rounds, sizeof(double)),
                          .bare = cli_alloc(rounds, sizeof(double)),
                          .follow = cli_alloc(rounds, sizeof(double)) };
}

static void side_fini(struct side *S)
{
    cli_free(S->with);
    cli_free(S->bare);
    cli_free(S->follow);
}

static void run_size(struct rig *r, uint64_t batch)
{
    const size_t rounds = (size_t)rounds_of(batch);
    hy_edge *const edges = cli_alloc(rounds * batch, sizeof *edges);
    struct side in = side_of("insert", rounds);
    struct side out = side_of("delete", rounds);
    report_progress(r->b->report, r->b->graph->name, "latency", batch);
    rig_draw(r, rounds * batch, edges);
    run_side(r, BENCH_INSERT, batch, rounds, edges, &in);
    run_side(r, BENCH_DELETE, batch, in.n, edges, &out);
    print_side(r, &in, batch);
    print_side(r, &out, batch);
    side_fini(&in);
    side_fini(&out);
    cli_free(edges);
}

void bench_live_latency(const struct bench *b, const int32_t *weights,
                        hy_vid source)
{
    struct rig r;
    rig_init(&r, b, weights, source, kinds, N_KINDS);
    for (uint64_t batch = 1; batch <= 1000000; batch *= 10)
        if (bench_has_size(b, batch) && batch <= b->graph->csr.m / 2)
            run_size(&r, batch);
    rig_fini(&r);
}
