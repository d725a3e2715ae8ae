/* `hypha bench live`: what keeping an answer costs, next to recomputing it.
 *
 * Meerkat's measure (Concessao, Cheramangalath, Dev, Nasre, 2023):
 *
 *   for each trial
 *     draw     ten batches of edges that the graph does not have
 *     insert   them, a batch after another
 *     delete   them in the same order
 *     own      ten batches of edges that the graph has: delete them, and put
 *              them back without the clock
 *     hub      all edges of the ten busiest vertices, one after another; and
 *              back
 *
 *   ratio = time of recomputing after every batch
 *           / time that the answer adds to all commits
 */
#include "cli/bench_live.h"

#include <stdio.h>
#include <string.h>

enum {
    BATCHES = 10,
    BATCH = 10000,
    LEAST_OF_GRAPH = 32, /* one in so many edges: the largest by default */
    OWN_PART = 2,        /* one in so many edges: all that are its own */
    SIDES = 4,
    ANEW_LEAST = 3, /* computations from nothing for a side */
    BESIDE = 3,     /* computations next to a dear commit */
};

/* Answers are computed from nothing for so long in all, spread over all
 * commits of a side: graphs change, some take longer, and a machine that others
 * use is not as fast all the time. */
static const double recompute_s = 10;

/* A commit that seems to be dearer than that, in computations from nothing, is
 * compared with some that are made for it. */
static const double dear = 1.2;

struct side {
    const char *name;
    uint64_t batch; /* edges; of a hub on the average */
    uint64_t start[BATCHES + 1];
    struct report_times added; /* by the ten batches of a trial */
    struct report_times bare;
    double follow; /* of all commits */
    struct report_times anew;
    double beside, anew_s; /* follow and anew of commits that have both */
    /* follow over anew, of each commit */
    double share[BATCHES * TRIALS_MAX];
    size_t n;
    uint64_t repaired;
    bool right;
};

struct cell {
    const struct live_kind *kind;
    struct rig rig;
    hy_edge *edges; /* BATCHES of them */
    hy_edge *at_hubs;
};

/* ---- a kind of answer ---------------------------------------------------- */

/* Whether the answer is to be computed from nothing after the next commit: the
 * first of all is, and so many of `commits`, if there is time for them. */
static bool is_due(const struct side *S, uint64_t commits)
{
    const double part = (double)(S->n + 1) / (double)commits;
    const double n = (double)S->anew.n;
    return n < ANEW_LEAST * part ||
           (S->anew_s <= recompute_s / SIDES * part && n < TRIALS_MAX * part);
}

static double compute_beside(struct cell *C)
{
    double s[BESIDE];
    for (size_t i = 0; i < BESIDE; i++)
        s[i] = rig_recompute(&C->rig, 0);
    return report_quantile(s, BESIDE, 0.5);
}

static void take_shares(struct cell *C, struct side *S,
                        const struct rig_times *t)
{
    double anew = t->anew;
    if (C->rig.is_anew) {
        report_time(&S->anew, anew);
        S->beside += t->follow;
        S->anew_s += anew;
    } else {
        anew = report_median(&S->anew);
    }
    if (t->follow > dear * anew)
        anew = compute_beside(C);
    S->share[S->n++] = t->follow / anew;
}

static void run_side(struct cell *C, const struct bench *b,
                     enum bench_change change, const hy_edge *edges,
                     struct side *S)
{
    struct rig *const r = &C->rig;
    const uint64_t before = r->keeper.at[0].repaired;
    struct rig_times sum = { 0 };
    for (size_t i = 0; i < BATCHES; i++) {
        r->is_anew = is_due(S, BATCHES * b->opts->trials);
        const struct rig_times t = rig_change(
            r, change, S->start[i + 1] - S->start[i], edges + S->start[i]);
        sum.with += t.with;
        sum.bare += t.bare;
        sum.follow += t.follow;
        take_shares(C, S, &t);
    }
    /* The difference of two times may be noise; what the answer itself was
     * seen to take is the least that it is. */
    const double added = sum.with - sum.bare;
    report_time(&S->added, added > sum.follow ? added : sum.follow);
    report_time(&S->bare, sum.bare);
    S->follow += sum.follow;
    S->repaired += r->keeper.at[0].repaired - before;
}

/* Edges of the graph out, and in again. */
static void run_back(struct cell *C, const struct bench *b,
                     const hy_edge *edges, struct side *S)
{
    run_side(C, b, BENCH_DELETE, edges, S);
    C->rig.is_anew = false;
    (void)rig_change(&C->rig, BENCH_INSERT, S->start[BATCHES], edges);
}

static bool is_wanted(const struct cell *C, const struct bench *b,
                      const char *side)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", C->kind->name, side);
    return !b->opts->cases || bench_lists(b->opts->cases, C->kind->name) ||
           bench_lists(b->opts->cases, name);
}

static void print_side(const struct cell *C, const struct bench *b,
                       struct side *S)
{
    char name[32];
    if (!is_wanted(C, b, S->name))
        return;
    snprintf(name, sizeof name, "%s_%s", C->kind->name, S->name);
    const double commits = (double)(BATCHES * b->opts->trials);
    const double anew = report_median(&S->anew);
    struct report_row row = report_row_of(b->graph->name, name);
    report_row_times(&row, &S->added, "edges", (double)S->start[BATCHES]);
    row.median_s /= BATCHES;
    row.batch = (double)S->batch;
    row.ratio = anew / row.median_s;
    report_row_number(&row, "repaired", (double)S->repaired / commits);
    report_row_number(&row, "recompute_ms", anew * 1e3);
    report_row_aside(&row, "recompute_s", anew);
    report_row_aside(&row, "commit_s", report_median(&S->bare) / BATCHES);
    report_row_aside(&row, "follow_s", S->follow / commits);
    report_row_aside(&row, "follow_share", S->beside / S->anew_s);
    report_row_aside(&row, "p95_share", report_quantile(S->share, S->n, 0.95));
    report_row_aside(&row, "worst_share", report_quantile(S->share, S->n, 1));
    row.verified = C->rig.right && S->right;
    report_print(b->report, &row);
}

static void run_trial(struct cell *C, const struct bench *b, uint64_t t,
                      struct side sides[SIDES])
{
    struct side *const in = &sides[0], *const out = &sides[1];
    if (is_wanted(C, b, in->name) || is_wanted(C, b, out->name)) {
        rig_draw(&C->rig, BATCHES * in->batch, C->edges);
        run_side(C, b, BENCH_INSERT, C->edges, in);
        if (t == 0)
            rig_verify(&C->rig);
        in->right = C->rig.right;
        run_side(C, b, BENCH_DELETE, C->edges, out);
    }
    if (sides[2].batch && is_wanted(C, b, sides[2].name)) {
        /* Some may be drawn twice. */
        rig_pick(&C->rig, t, BATCHES * sides[2].batch, C->edges);
        run_back(C, b, C->edges, &sides[2]);
    }
    if (is_wanted(C, b, sides[3].name))
        run_back(C, b, C->at_hubs, &sides[3]);
}

static void cut_even(struct side *S)
{
    for (uint64_t i = 0; i <= BATCHES; i++)
        S->start[i] = i * S->batch;
}

static void run_kind(const struct bench *b, const struct live_kind *kind,
                     const int32_t *weights, hy_vid source)
{
    const uint64_t edges = b->graph->csr.m / 2;
    const uint64_t most = edges / LEAST_OF_GRAPH;
    const uint64_t own = edges / OWN_PART / BATCHES;
    const uint64_t batch = b->opts->batch ? b->opts->batch
                           : BATCH < most ? BATCH
                                          : most;
    struct cell C = { .kind = kind };
    struct side sides[] = {
        { .name = "insert", .batch = batch },
        { .name = "delete", .batch = batch },
        { .name = "own", .batch = batch < own ? batch : own },
        { .name = "hub" },
    };
    for (size_t i = 0; i < 3; i++)
        cut_even(&sides[i]);
    report_progress(b->report, b->graph->name, kind->name, batch);
    C.edges = cli_alloc(BATCHES * batch, sizeof *C.edges);
    rig_init(&C.rig, b, kind->keys & LIVE_WEIGHT ? weights : NULL, source,
             &kind->name, 1);
    C.at_hubs = rig_hubs(&C.rig, BATCHES, sides[3].start);
    sides[3].batch = sides[3].start[BATCHES] / BATCHES;
    (void)rig_recompute(&C.rig, 0); /* touches its memory */
    for (uint64_t t = 0; t < b->opts->trials; t++)
        run_trial(&C, b, t, sides);
    rig_verify(&C.rig);
    sides[1].right = sides[2].right = sides[3].right = C.rig.right;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (sides[i].batch)
            print_side(&C, b, &sides[i]);
    rig_fini(&C.rig);
    cli_free(C.at_hubs);
    cli_free(C.edges);
}

/* ---- the suite ----------------------------------------------------------- */

static const char latency[] = "latency";

void bench_live_help(void)
{
    puts(
        "  live     answers kept current, a case each, or NAME_insert, "
        "NAME_delete,\n           NAME_own (edges of the graph itself out) and "
        "NAME_hub (all of a\n           busy vertex):");
    for (size_t i = 0; i < live_kinds_n; i++)
        printf("           %-10s %s\n", live_kinds[i].name, live_kinds[i].help);
    printf("           %-10s single edges and larger batches, bfs, sssp and "
           "wcc kept\n",
           latency);
}

static const char *const ends[] = { "_insert", "_delete", "_own", "_hub" };

/* "bfs", with one of these behind, or "latency". */
static bool is_case(const char *name, size_t n)
{
    size_t stem = n;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n > strlen(ends[i]) &&
            !memcmp(name + n - strlen(ends[i]), ends[i], strlen(ends[i])))
            stem = n - strlen(ends[i]);
    return live_kind_find(name, stem) ||
           (stem == strlen(latency) && !memcmp(name, latency, stem));
}

static void check_names(const char *list)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        if (!is_case(at, n))
            cli_die(CLI_USAGE, "no case `%.*s`; try `hypha bench --help`",
                    (int)n, at);
        at += n + (at[n] == ',');
    }
}

static bool wants(const struct bench_opts *o, const char *name)
{
    bool is_wanted = !o->cases || bench_lists(o->cases, name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char one[32];
        snprintf(one, sizeof one, "%s%s", name, ends[i]);
        is_wanted |= o->cases && bench_lists(o->cases, one);
    }
    return is_wanted;
}

static void run_graph(struct bench *b)
{
    const struct gen_csr *const csr = &b->graph->csr;
    hy_graph *const plain = bench_load(b, true);
    const hy_vid source = bench_source(hy_graph_now(plain), csr, b->opts->seed);
    hy_graph_free(plain);
    int32_t *const weights = bench_weights(b->ctx, csr);
    for (size_t i = 0; i < live_kinds_n; i++)
        if (wants(b->opts, live_kinds[i].name))
            run_kind(b, &live_kinds[i], weights, source);
    if (wants(b->opts, latency))
        bench_live_latency(b, weights, source);
    cli_free(weights);
}

int bench_live_suite(const struct bench_opts *o)
{
    check_names(o->cases);
    struct report report;
    struct bench b = { .opts = o,
                       .ctx = cli_ctx(o->threads),
                       .report = &report };
    report_init(&report, "live", hy_ctx_threads(b.ctx), o->json, o->quiet);
    bench_print_run(o, &report);
    for (hy_gen_kind kind = HY_GEN_KRON; kind <= HY_GEN_GRID; kind++) {
        if (o->graph && strcmp(o->graph, "all") != 0 &&
            strcmp(o->graph, hy_gen_name(kind)) != 0)
            continue;
        struct gen_graph graph;
        report_progress(&report, "making", hy_gen_name(kind), 0);
        gen_make(b.ctx, kind, (unsigned)o->scale, o->seed, &graph);
        b.graph = &graph;
        run_graph(&b);
        gen_csr_fini(&graph.csr);
    }
    hy_ctx_free(b.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
