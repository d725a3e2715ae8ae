/* Taking a view, and updates while views are held.
 *
 *   for each trial
 *     none    commit the rounds
 *     held    take a view; commit the rounds; release it
 *     fresh   before each round take a view and release the former one
 *
 * Each is followed by deleting what it inserted.  The time of taking and
 * releasing views is part of the updates' time.
 */
#include "cli/bench_store.h"

enum { VIEWS = 1001, VIEW_BATCH = 10, ROUNDS = 20, BATCH = 10000 };

struct views {
    const struct bench *b;
    hy_graph *G;
    hy_batch *B;
    hy_gen_draw draw;
    uint64_t drawn;
    hy_edge *edges; /* ROUNDS * BATCH */
    hy_vid cuts[BENCH_PIECES + 1];
    bool right;
};

static const hy_view *acquire(struct views *S)
{
    const hy_view *V = NULL;
    cli_must(hy_view_acquire(S->G, &V), "taking a view");
    return V;
}

/* ---- taking -------------------------------------------------------------- */

static void take_case(struct views *S)
{
    const struct bench *const b = S->b;
    report_progress(b->report, b->graph->name, "view", 0);
    double *const take = cli_alloc(VIEWS, sizeof *take);
    double *const both = cli_alloc(VIEWS, sizeof *both);
    hy_counts sum = { 0 };
    for (size_t i = 0; i < VIEWS; i++) {
        bench_fresh(b, S->G, &S->draw, &S->drawn, VIEW_BATCH, S->edges);
        bench_change(S->G, S->B, BENCH_INSERT, VIEW_BATCH, S->edges, &sum);
        const double start = hy_clock();
        const hy_view *const V = acquire(S);
        take[i] = hy_clock() - start;
        const double middle = hy_clock();
        hy_view_release(V);
        both[i] = take[i] + (hy_clock() - middle);
        bench_change(S->G, S->B, BENCH_DELETE, VIEW_BATCH, S->edges, &sum);
    }
    struct report_row row = report_row_of(b->graph->name, "view");
    row.median_s = report_quantile(both, VIEWS, 0.5);
    report_row_number(&row, "p99_us", report_quantile(both, VIEWS, 0.99) * 1e6);
    report_row_number(&row, "acquire_us",
                      report_quantile(take, VIEWS, 0.5) * 1e6);
    row.verified = sum.inserted == sum.deleted;
    report_print(b->report, &row);
    cli_free(take);
    cli_free(both);
}

/* ---- holding ------------------------------------------------------------- */

enum holding { NONE, HELD, FRESH };

/* Seconds of the rounds. */
static double rounds(struct views *S, enum holding holding)
{
    hy_counts sum = { 0 };
    const uint64_t n = (uint64_t)ROUNDS * BATCH;
    bench_fresh(S->b, S->G, &S->draw, &S->drawn, n, S->edges);
    const hy_view *V = holding == HELD ? acquire(S) : NULL;
    double s = 0;
    for (size_t r = 0; r < ROUNDS; r++) {
        if (holding == FRESH) {
            const double start = hy_clock();
            const hy_view *const former = V;
            V = acquire(S);
            hy_view_release(former);
            s += hy_clock() - start;
        }
        s += bench_change(S->G, S->B, BENCH_INSERT, BATCH, S->edges + r * BATCH,
                          &sum);
    }
    hy_view_release(V);
    bench_change(S->G, S->B, BENCH_DELETE, n, S->edges, &sum);
    S->right &= sum.inserted == sum.deleted;
    return s / ROUNDS;
}

/* A view's edges must be the same after a round of changes as before. */
static bool stands_still(struct views *S)
{
    hy_counts sum = { 0 };
    const hy_view *const V = acquire(S);
    const uint64_t arcs = hy_view_arcs(V);
    const uint64_t before = bench_scan_view(S->b, V, S->cuts);
    bench_fresh(S->b, S->G, &S->draw, &S->drawn, BATCH, S->edges);
    bench_change(S->G, S->B, BENCH_INSERT, BATCH, S->edges, &sum);
    const bool still =
        hy_view_arcs(V) == arcs && bench_scan_view(S->b, V, S->cuts) == before;
    bench_change(S->G, S->B, BENCH_DELETE, BATCH, S->edges, &sum);
    hy_view_release(V);
    return still;
}

static void print(struct views *S, const char *holding,
                  const struct report_times *with,
                  const struct report_times *without)
{
    struct report_row row =
        report_row_of(S->b->graph->name, "insert_view_held");
    row.edges = "uniform";
    row.batch = BATCH;
    report_row_times(&row, with, "edges", BATCH);
    row.ratio = report_median(without) / row.median_s;
    report_row_text(&row, "view", holding);
    report_row_aside(&row, "without_s", report_median(without));
    row.verified = S->right;
    report_print(S->b->report, &row);
}

static void hold_case(struct views *S)
{
    struct report_times none = { .n = 0 }, held = none, fresh = none;
    report_progress(S->b->report, S->b->graph->name, "views held", BATCH);
    for (uint64_t t = 0; t < S->b->opts->trials; t++) {
        report_time(&none, rounds(S, NONE));
        report_time(&held, rounds(S, HELD));
        report_time(&fresh, rounds(S, FRESH));
    }
    S->right &= stands_still(S);
    S->right &= hy_view_edges(hy_graph_now(S->G)) == S->b->graph->csr.m;
    S->right &= bench_check(S->b, S->G);
    print(S, "held", &held, &none);
    print(S, "fresh", &fresh, &none);
}

void bench_view_cases(const struct bench *b)
{
    struct views S = { .b = b, .right = true };
    S.G = bench_load(b, false);
    S.B = bench_batch(S.G);
    S.draw = bench_draw(b, false, 200);
    S.edges = cli_alloc((size_t)ROUNDS * BATCH, sizeof *S.edges);
    bench_cut(&b->graph->csr, S.cuts);
    if (bench_wants(b, "view", "view"))
        take_case(&S);
    if (bench_wants(b, "view", "insert_view_held"))
        hold_case(&S);
    cli_free(S.edges);
    hy_batch_free(S.B);
    hy_graph_free(S.G);
}
