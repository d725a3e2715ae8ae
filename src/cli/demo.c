/* `hypha demo`: a short look at a graph that changes. */
#include "cli/cli.h"
#include "cli/gen.h"
#include "cli/random.h"
#include "cli/report.h"

#include <stdio.h>

enum { SCALE = 16, LINES = 100000, N_OPTIONS = 2 };

struct demo {
    hy_ctx *ctx;
    uint64_t seed;
    struct gen_graph graph;
    hy_graph *G;
    hy_batch *B;
    hy_edge *edges; /* LINES */
};

/* ---- the table ----------------------------------------------------------- */

static void print_header(void)
{
    printf("%-34s %8s %8s %8s %8s %9s %9s %10s %7s\n", "step", "lines", "in",
           "out", "no-op", "time", "lines/s", "edges", "B/edge");
}

static void print_step(const struct demo *D, const char *what, uint64_t lines,
                       const hy_counts *c, double s)
{
    char time[REPORT_TEXT], rate[REPORT_TEXT];
    hy_graph_stats stats;
    hy_graph_stats_get(D->G, &stats);
    printf("%-34s %8llu %8llu %8llu %8llu %9s %9s %10llu %7.2f\n", what,
           (unsigned long long)lines, (unsigned long long)c->inserted,
           (unsigned long long)(c->deleted + c->detached),
           (unsigned long long)(c->duplicate + c->missing),
           report_seconds(s, time),
           lines ? report_si((double)lines / s, rate) : "",
           (unsigned long long)stats.edges, stats.bytes_per_edge);
}

static void commit(struct demo *D, const char *what)
{
    hy_delta delta;
    const double start = hy_clock();
    cli_must(hy_graph_commit(D->G, D->B, &delta), "committing a batch");
    print_step(D, what, hy_batch_lines(D->B), &delta.counts,
               hy_clock() - start);
    hy_batch_clear(D->B);
}

/* ---- steps --------------------------------------------------------------- */

static void load(struct demo *D)
{
    const struct gen_csr *const csr = &D->graph.csr;
    cli_must(hy_graph_new(D->ctx, NULL, &D->G), "making a graph");
    const double start = hy_clock();
    cli_must(hy_graph_load_csr(D->G, csr->n, csr->offsets, csr->targets, NULL),
             "loading a graph");
    const hy_counts counts = { .inserted = csr->m };
    print_step(D, "load from CSR", csr->m, &counts, hy_clock() - start);
    cli_must(hy_batch_new(D->G, &D->B), "making a batch");
}

static void insert(struct demo *D, uint64_t n)
{
    cli_must(hy_batch_insert_edges(D->B, n, D->edges, NULL), "filling a batch");
}

static void erase(struct demo *D, uint64_t n)
{
    cli_must(hy_batch_delete_edges(D->B, n, D->edges), "filling a batch");
}

static hy_vid hub_of(const hy_view *V)
{
    hy_vid hub = 0;
    for (hy_vid u = 1; u < hy_view_bound(V); u++)
        if (hy_view_degree(V, u) > hy_view_degree(V, hub))
            hub = u;
    return hub;
}

static void change(struct demo *D)
{
    const hy_gen_draw draw =
        gen_draw_of(&D->graph.csr, D->seed, ~D->seed, true);
    const hy_gen_draw one =
        gen_draw_of(&D->graph.csr, D->seed, ~D->seed, false);
    gen_draw_edges(D->ctx, &one, 0, 1, D->edges);
    insert(D, 1);
    commit(D, "insert one edge");
    gen_draw_edges(D->ctx, &draw, 0, LINES, D->edges);
    insert(D, LINES);
    commit(D, "insert edges");
    insert(D, LINES);
    commit(D, "insert the same again");
    erase(D, LINES / 2);
    gen_draw_edges(D->ctx, &draw, LINES, LINES / 2, D->edges);
    insert(D, LINES / 2);
    commit(D, "delete half, insert others");
    erase(D, LINES / 2);
    commit(D, "delete those");
    const hy_vid hub = hub_of(hy_graph_now(D->G));
    char what[64];
    snprintf(what, sizeof what, "delete vertex %u (degree %u)", hub,
             hy_view_degree(hy_graph_now(D->G), hub));
    cli_must(hy_batch_delete_vertex(D->B, hub), "filling a batch");
    commit(D, what);
}

static void rebalance(struct demo *D)
{
    const double start = hy_clock();
    cli_must(hy_graph_rebalance(D->G), "rebalancing");
    const double s = hy_clock() - start;
    print_step(D, "view released, rebalance", 0, &(hy_counts){ 0 }, s);
}

/* ---- what must hold --------------------------------------------------- */

/* A number that hardly any other graph has. */
static uint64_t fingerprint(const hy_view *V)
{
    uint64_t sum = 0;
    hy_scan scan = hy_scan_out(V, 0, hy_view_bound(V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++)
            sum += random_mix((uint64_t)s.u << 32 | s.v[i * s.step]);
    }
    return sum;
}

static bool run(struct demo *D)
{
    load(D);
    const hy_view *V = NULL;
    const double start = hy_clock();
    cli_must(hy_view_acquire(D->G, &V), "taking a view");
    const double took = hy_clock() - start;
    const uint64_t before = fingerprint(V);
    change(D);
    const bool still =
        fingerprint(V) == before && hy_view_arcs(V) == D->graph.csr.m;
    const uint64_t version = hy_view_version(V), edges = hy_view_edges(V);
    hy_view_release(V); /* what it held was part of the bytes until here */
    rebalance(D);
    const hy_view *const now = hy_graph_now(D->G);
    char time[REPORT_TEXT];
    printf("\nA view taken in %s after the load %s: version %llu, %llu edges.\n"
           "The graph has moved on to version %llu, %llu edges; what the view "
           "held\nwas part of the bytes until its release.\n",
           report_seconds(took, time), still ? "has not moved" : "HAS MOVED",
           (unsigned long long)version, (unsigned long long)edges,
           (unsigned long long)hy_view_version(now),
           (unsigned long long)hy_view_edges(now));
    const char *why = "";
    const bool sound = hy_graph_check(D->G, &why);
    printf("%s%s\n",
           sound ? "The graph checked itself: every invariant holds."
                 : "The graph is broken: ",
           sound ? "" : why);
    return still && sound;
}

int cli_demo(int argc, char **argv)
{
    uint64_t threads = 0, seed = 1;
    const struct cli_option list[N_OPTIONS] = {
        cli_number("--threads", 1, 1024, &threads, "default: one per core"),
        cli_number("--seed", 0, UINT64_MAX, &seed,
                   "of the graph and its changes (default 1)"),
    };
    const struct cli_syntax syntax = {
        .command = "demo",
        .about = "Makes a Kronecker graph, changes it in batches, holds a view "
                 "meanwhile,\nand checks the result.",
        .more = "example:\n"
                "  hypha demo --threads 2",
        .options = list,
        .n_options = N_OPTIONS
    };
    cli_parse(&syntax, argc, argv, NULL);
    struct demo D = { .ctx = cli_ctx(threads), .seed = seed };
    gen_make(D.ctx, HY_GEN_KRON, SCALE, seed, &D.graph);
    D.edges = cli_alloc(LINES, sizeof *D.edges);
    printf("A Kronecker graph of %u vertices and %llu directed edges, changed "
           "by %u thread%s.\n\n",
           D.graph.csr.n, (unsigned long long)D.graph.csr.m,
           hy_ctx_threads(D.ctx), hy_ctx_threads(D.ctx) == 1 ? "" : "s");
    print_header();
    const bool good = run(&D);
    hy_batch_free(D.B);
    hy_graph_free(D.G);
    cli_free(D.edges);
    gen_csr_fini(&D.graph.csr);
    hy_ctx_free(D.ctx);
    return good ? CLI_OK : CLI_FAILED;
}
