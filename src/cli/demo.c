/* `hypha demo`: a short look at a graph that changes, and at answers that
 * follow it. */
#include "cli/live.h"
#include "cli/progress.h"
#include "cli/random.h"
#include "cli/report.h"

#include <string.h>

enum { SCALE = 16, WEIGHTS = 255, N_OPTIONS = 3 };

/* What a batch does. */
enum step { ONE_IN, ONE_OUT, MIXED, WEIGHED, INSERTED, DELETED, HUB };

static const struct {
    const char *what;
    enum step step;
    uint64_t lines;
} steps[] = {
    { "one edge in", ONE_IN, 1 },
    { "one edge out", ONE_OUT, 1 },
    { "100 edges in or out", MIXED, 100 },
    { "1,000 edges in or out", MIXED, 1000 },
    { "1,000 other weights", WEIGHED, 1000 },
    { "10,000 edges in", INSERTED, 10000 },
    { "10,000 edges out", DELETED, 10000 },
    { "the busiest vertex out", HUB, 1 },
    { "400,000 edges in or out", MIXED, 400000 },
};
enum { N_STEPS = sizeof steps / sizeof *steps };

struct demo {
    uint64_t seed;
    bool verbose;
    struct run R;
    struct live_want wants[CLI_TEXTS];
    struct live_keeper keeper;
    hy_batch *B;
    char source[32];
};

/* ---- the graph ----------------------------------------------------------- */

static hy_vid hub_of(const hy_view *V)
{
    hy_vid hub = 0;
    for (hy_vid u = 1; u < hy_view_bound(V); u++)
        if (hy_view_degree(V, u) > hy_view_degree(V, hub))
            hub = u;
    return hub;
}

/* A neighbour of the hub with many edges: it is not alone without it. */
static hy_vid source_of(const hy_view *V)
{
    hy_vid source = HY_NONE;
    hy_for_out_span (s, V, hub_of(V))
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (source == HY_NONE ||
                hy_view_degree(V, v) > hy_view_degree(V, source))
                source = v;
        }
    return source;
}

static void make(struct demo *D)
{
    const hy_gen_opts opts = {
        .kind = HY_GEN_KRON, .scale = SCALE, .weights = WEIGHTS, .seed = D->seed
    };
    struct cli_input *const I = &D->R.input;
    I->path = "the demo";
    cli_must(hy_gen_graph(D->R.ctx, &opts, &I->G), "making a graph");
    cli_must(hy_batch_new(I->G, &D->B), "making a batch");
    D->R.V = hy_graph_now(I->G);
    char text[REPORT_COUNT], more[REPORT_COUNT];
    printf("A Kronecker graph of %s vertices and %s edges, %u thread%s; five "
           "answers\nfollow it, and are compared with recomputing after every "
           "batch.\n\n",
           report_count(hy_view_vertices(D->R.V), text),
           report_count(hy_view_edges(D->R.V), more), hy_ctx_threads(D->R.ctx),
           hy_ctx_threads(D->R.ctx) == 1 ? "" : "s");
}

static void keep(struct demo *D)
{
    static const char *const names[] = { "bfs", "sssp", "pagerank", "wcc",
                                         "triangles" };
    struct cli_texts texts = { .n = sizeof names / sizeof *names };
    memcpy(texts.at, names, sizeof names);
    snprintf(D->source, sizeof D->source, "%u", source_of(D->R.V));
    live_wants_of(&texts, D->source, D->wants);
    live_keeper_init(&D->keeper, &D->R, D->wants, texts.n);
    D->keeper.is_checked = true;
    live_print_head(&D->keeper);
    live_print_attached(&D->keeper);
}

/* ---- changes ------------------------------------------------------------- */

static void add_changes(struct demo *D, hy_gen_stream kind, uint64_t n,
                        uint64_t salt)
{
    const hy_gen_changes_opts opts = { .kind = kind,
                                       .count = n,
                                       .seed = random_at(D->seed, salt),
                                       .weights = WEIGHTS };
    hy_gen_changes C;
    cli_must(hy_gen_changes_make(D->R.ctx, D->R.V, &opts, &C),
             "making changes");
    for (uint64_t i = 0; i < C.n; i++) {
        const hy_change *const c = &C.at[i];
        cli_must(c->is_deletion
                     ? hy_batch_delete_edge(D->B, c->u, c->v)
                     : hy_batch_insert_edge(D->B, c->u, c->v, &c->weight),
                 "filling a batch");
    }
    hy_gen_changes_fini(&C);
}

static void add_weights(struct demo *D, uint64_t n)
{
    const hy_view *const V = D->R.V;
    uint64_t state = ~D->seed;
    for (uint64_t i = 0; i < n;) {
        const hy_vid u =
            (hy_vid)random_below(random_next(&state), hy_view_bound(V));
        const hy_span s = hy_span_out(V, u);
        if (!s.n)
            continue;
        const hy_vid v = s.v[random_below(random_next(&state), s.n) * s.step];
        const int32_t w =
            (int32_t)(1 + random_below(random_next(&state), WEIGHTS));
        cli_must(hy_batch_update_edge(D->B, u, v, &w), "filling a batch");
        i++;
    }
}

static void fill(struct demo *D, size_t i)
{
    const uint64_t n = steps[i].lines;
    hy_batch_clear(D->B);
    switch (steps[i].step) {
    case ONE_IN:
    case INSERTED:
        add_changes(D, HY_GEN_INSERT, n, i);
        break;
    case ONE_OUT:
    case DELETED:
        add_changes(D, HY_GEN_DELETE, n, i);
        break;
    case MIXED:
        add_changes(D, HY_GEN_MIXED, n, i);
        break;
    case WEIGHED:
        add_weights(D, n);
        break;
    case HUB:
        cli_must(hy_batch_delete_vertex(D->B, hub_of(D->R.V)),
                 "filling a batch");
        break;
    }
}

static void change(struct demo *D, size_t i)
{
    hy_graph *const G = D->R.input.G;
    struct live_batch b = { .number = i + 1 };
    hy_delta delta;
    fill(D, i);
    b.lines = hy_batch_lines(D->B);
    const double start = hy_clock();
    cli_must(hy_graph_commit(G, D->B, &delta), "committing a batch");
    b.s = hy_clock() - start;
    b.counts = delta.counts;
    b.vertices = hy_view_vertices(hy_graph_now(G));
    b.edges = hy_view_edges(hy_graph_now(G));
    live_follow(&D->keeper, &delta);
    live_check(&D->keeper, b.number);
    printf("%s:\n", steps[i].what);
    live_print_batch(&D->keeper, &b, D->verbose);
    fflush(stdout);
    cli_stop_if_asked();
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
    const hy_view *V = NULL;
    make(D);
    keep(D);
    hy_graph *const G = D->R.input.G;
    cli_must(hy_view_acquire(G, &V), "taking a view");
    const uint64_t before = fingerprint(V), edges = hy_view_edges(V);
    for (size_t i = 0; i < N_STEPS; i++)
        change(D, i);
    live_print_sums(&D->keeper);
    const bool still = fingerprint(V) == before && hy_view_edges(V) == edges;
    printf("A view of version %llu, held all the while, %s.\n",
           (unsigned long long)hy_view_version(V),
           still ? "has not moved" : "HAS MOVED");
    hy_view_release(V);
    const char *why = "";
    const bool sound = hy_graph_check(G, &why);
    printf("%s%s\n",
           sound ? "The graph checked itself: every invariant holds."
                 : "The graph is broken: ",
           sound ? "" : why);
    return still && sound;
}

int cli_demo(int argc, char **argv)
{
    uint64_t threads = 0;
    struct demo D = { .seed = 1 };
    const struct cli_option list[N_OPTIONS] = {
        cli_number("--threads", 1, 1024, &threads, "default: one per core"),
        cli_number("--seed", 0, UINT64_MAX, &D.seed,
                   "of the graph and its changes (default 1)"),
        cli_flag("--verbose", &D.verbose, "tell why it was done so"),
    };
    const struct cli_syntax syntax = {
        .command = "demo",
        .about = "Makes a Kronecker graph, attaches five answers to it, "
                 "changes it in batches,\nand compares the answers with "
                 "recomputing after every batch.",
        .more = "example:\n"
                "  hypha demo --threads 2",
        .options = list,
        .n_options = N_OPTIONS
    };
    cli_parse(&syntax, argc, argv, NULL);
    D.R.ctx = cli_ctx(threads);
    const bool good = run(&D);
    live_keeper_fini(&D.keeper);
    live_wants_fini(D.wants, D.keeper.n);
    hy_batch_free(D.B);
    cli_free(D.R.order);
    cli_input_fini(&D.R.input);
    hy_ctx_free(D.R.ctx);
    return good ? CLI_OK : CLI_FAILED;
}
