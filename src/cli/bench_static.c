/* `hypha bench static`: each algorithm on each graph, next to a plain loop. */
#include "cli/bench_static.h"

#include "cli/random.h"

#include <stdio.h>
#include <string.h>

/* A plain loop is not run again once it used up this much. */
static const double plain_s = 20;
static const double tolerance = 1e-4;

enum {
    MOST_WEIGHT = 255,
    SMALL = 6, /* log2 of how much smaller a graph of small cases is */
};

static const struct static_case *const groups[] = {
    static_search_cases, static_sweep_cases, static_count_cases,
    static_label_cases,  static_rank_cases,  static_local_cases,
    static_dense_cases
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

/* A graph in all its forms; those that are NULL are made when they are asked
 * for. */
struct forms {
    struct gen_graph graph;
    struct gen_csr way; /* one direction of each edge */
    int32_t *weights;
    double *vector;
    hy_graph *plain, *weighted, *directed;
    hy_vid source;
};

struct bed {
    const struct bench_opts *o;
    hy_ctx *ctx;
    struct report *report;
    struct forms full, small;
};

bool static_verdict(const char *name, bool right, const char *why)
{
    if (!right)
        cli_note("%s: %s", name, why ? why : "wrong");
    return right;
}

/* ---- graphs -------------------------------------------------------------- */

struct weighing {
    const struct gen_csr *csr;
    int32_t *weights;
};

int32_t bench_weight(hy_edge e)
{
    const uint64_t a = e.u < e.v ? e.u : e.v, b = e.u < e.v ? e.v : e.u;
    return 1 + (int32_t)(random_at(a, b) % MOST_WEIGHT);
}

static void weigh_par(void *arg, size_t lo, size_t hi)
{
    const struct weighing *const W = arg;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t e = W->csr->offsets[u]; e < W->csr->offsets[u + 1]; e++) {
            const hy_edge uv = { (hy_vid)u, W->csr->targets[e] };
            W->weights[e] = bench_weight(uv);
        }
}

int32_t *bench_weights(hy_ctx *ctx, const struct gen_csr *csr)
{
    struct weighing W = { .csr = csr,
                          .weights = cli_alloc(csr->m, sizeof *W.weights) };
    hy_par_for(ctx, csr->n, STATIC_GRAIN, weigh_par, &W);
    return W.weights;
}

hy_graph *bench_load_as(hy_ctx *ctx, const struct gen_csr *csr,
                        const int32_t *weights, bool undirected)
{
    const hy_column column = { "weight", HY_I32 };
    const hy_graph_opts opts = { .undirected = undirected,
                                 .reverse = !undirected,
                                 .edge_columns = &column,
                                 .n_edge_columns = weights != NULL };
    hy_graph *G = NULL;
    cli_must(hy_graph_new(ctx, &opts, &G), "making a graph");
    cli_must(hy_graph_load_csr(G, csr->n, csr->offsets, csr->targets, weights),
             "loading a graph");
    return G;
}

/* One direction of each edge, or both of one in eight. */
static bool is_kept(hy_vid u, hy_vid v)
{
    const uint64_t draw = u < v ? random_at(u, v) : random_at(v, u);
    return draw % 8 == 0 || (draw % 2 == 0) == (u < v);
}

static void orient(struct forms *G)
{
    const struct gen_csr *const csr = &G->graph.csr;
    G->way.n = csr->n;
    G->way.offsets = cli_alloc((size_t)csr->n + 1, sizeof *G->way.offsets);
    G->way.targets = cli_alloc(csr->m, sizeof *G->way.targets);
    G->way.m = G->way.offsets[0] = 0;
    for (hy_vid u = 0; u < csr->n; u++) {
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (is_kept(u, csr->targets[e]))
                G->way.targets[G->way.m++] = csr->targets[e];
        G->way.offsets[u + 1] = G->way.m;
    }
}

hy_vid bench_source(const hy_view *V, const struct gen_csr *csr, uint64_t seed)
{
    uint64_t busy = 0, state = seed;
    for (hy_vid u = 0; u < csr->n; u++)
        busy += csr->offsets[u + 1] > csr->offsets[u];
    hy_vid u = 0;
    for (int tries = 0; tries < 100; tries++) {
        u = (hy_vid)random_below(random_next(&state), csr->n);
        const hy_bfs_opts opts = { .source = u };
        hy_bfs_info info;
        if (csr->offsets[u + 1] == csr->offsets[u])
            continue;
        cli_must(hy_bfs(V, &opts, NULL, NULL, &info), "bfs");
        if (info.reached >= busy / 2)
            break;
    }
    return u;
}

static void forms_init(struct forms *G, const struct bed *B, hy_gen_kind kind,
                       unsigned scale)
{
    *G = (struct forms){ .source = 0 };
    gen_make(B->ctx, kind, scale, B->o->seed, &G->graph);
    const struct gen_csr *const csr = &G->graph.csr;
    G->weights = bench_weights(B->ctx, csr);
    G->vector = cli_alloc(csr->n, sizeof *G->vector);
    for (hy_vid u = 0; u < csr->n; u++)
        G->vector[u] = 1 + u % 7;
    G->plain = bench_load_as(B->ctx, csr, NULL, true);
    G->source = bench_source(hy_graph_now(G->plain), csr, B->o->seed);
}

static void forms_fini(struct forms *G)
{
    hy_graph_free(G->plain);
    hy_graph_free(G->weighted);
    hy_graph_free(G->directed);
    cli_free(G->weights);
    cli_free(G->vector);
    gen_csr_fini(&G->way);
    gen_csr_fini(&G->graph.csr);
}

/* The form that a case is about. */
static const hy_view *form_of(struct forms *G, const struct bed *B,
                              const struct static_case *c)
{
    if ((c->needs & STATIC_WEIGHTED) && !G->weighted)
        G->weighted = bench_load_as(B->ctx, &G->graph.csr, G->weights, true);
    if ((c->needs & STATIC_DIRECTED) && !G->directed) {
        orient(G);
        G->directed = bench_load_as(B->ctx, &G->way, NULL, false);
    }
    return hy_graph_now(c->needs & STATIC_WEIGHTED   ? G->weighted
                        : c->needs & STATIC_DIRECTED ? G->directed
                                                     : G->plain);
}

/* ---- a case -------------------------------------------------------------- */

static void cell_init(struct cell *C, struct forms *G, const struct bed *B,
                      const struct static_case *c)
{
    const hy_view *const V = form_of(G, B, c);
    const struct gen_csr *const csr =
        c->needs & STATIC_DIRECTED ? &G->way : &G->graph.csr;
    *C = (struct cell){ .ctx = B->ctx,
                        .V = V,
                        .csr = csr,
                        .weights = G->weights,
                        .vector = G->vector,
                        .n = csr->n,
                        .source = G->source,
                        .tolerance = tolerance };
    for (size_t i = 0; i < STATIC_REALS; i++)
        C->x[i] = cli_alloc_zeroed(csr->n, sizeof *C->x[i]);
    for (size_t i = 0; i < STATIC_WORDS; i++)
        C->a[i] = cli_alloc_zeroed((size_t)csr->n + 1, sizeof *C->a[i]);
    for (size_t i = 0; i < STATIC_KEYS; i++)
        C->keys[i] = cli_alloc_zeroed(csr->n, sizeof *C->keys[i]);
    if (!(c->needs & STATIC_HALF))
        return;
    C->half.offsets = cli_alloc((size_t)csr->n + 1, sizeof *C->half.offsets);
    C->half.targets = cli_alloc(csr->m / 2, sizeof *C->half.targets);
}

static void cell_fini(struct cell *C)
{
    for (size_t i = 0; i < STATIC_REALS; i++)
        cli_free(C->x[i]);
    for (size_t i = 0; i < STATIC_WORDS; i++)
        cli_free(C->a[i]);
    for (size_t i = 0; i < STATIC_KEYS; i++)
        cli_free(C->keys[i]);
    gen_csr_fini(&C->half);
}

static double timed(void (*step)(struct cell *), struct cell *C)
{
    const double start = hy_clock();
    step(C);
    return hy_clock() - start;
}

static void run_case(struct bed *B, const struct static_case *c)
{
    struct cell C;
    struct report_times ours = { .n = 0 }, plain = { .n = 0 };
    double spent = 0;
    struct forms *const G = c->needs & STATIC_SMALL ? &B->small : &B->full;
    report_progress(B->report, G->graph.name, c->name, 0);
    cell_init(&C, G, B, c);
    c->ours(&C); /* touches the memory of the answer */
    for (uint64_t t = 0; t < B->o->trials; t++) {
        report_time(&ours, timed(c->ours, &C));
        if (spent > plain_s || !c->plain)
            continue;
        report_time(&plain, timed(c->plain, &C));
        spent += plain.s[plain.n - 1];
    }
    struct report_row row = report_row_of(G->graph.name, c->name);
    report_row_times(&row, &ours, "edges", (double)C.csr->m);
    if (C.number_name)
        report_row_number(&row, C.number_name, C.number);
    if (plain.n) {
        row.ratio = row.median_s / report_median(&plain);
        report_row_aside(&row, "plain_s", report_median(&plain));
        report_row_aside(&row, "plain_spread", report_spread(&plain));
    }
    row.verified = c->is_right(&C);
    report_print(B->report, &row);
    cell_fini(&C);
}

/* ---- the suite ----------------------------------------------------------- */

void bench_static_help(void)
{
    puts("  static   algorithms next to a plain loop over CSR, a case each:");
    for (size_t g = 0; g < N_GROUPS; g++)
        for (const struct static_case *c = groups[g]; c->name; c++)
            printf("           %-10s %s\n", c->name, c->help);
}

static bool is_case(const char *name, size_t length)
{
    for (size_t g = 0; g < N_GROUPS; g++)
        for (const struct static_case *c = groups[g]; c->name; c++)
            if (strlen(c->name) == length && !memcmp(c->name, name, length))
                return true;
    return false;
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

int bench_static_suite(const struct bench_opts *o)
{
    static const char *const kinds[] = { "kron", "urand", "grid" };
    check_names(o->cases);
    struct report report;
    struct bed B = { .o = o, .ctx = cli_ctx(o->threads), .report = &report };
    report_init(&report, "static", hy_ctx_threads(B.ctx), o->json, o->quiet);
    bench_print_run(o, &report);
    for (hy_gen_kind kind = HY_GEN_KRON; kind <= HY_GEN_GRID; kind++) {
        if (o->graph && strcmp(o->graph, "all") != 0 &&
            strcmp(o->graph, kinds[kind]) != 0)
            continue;
        report_progress(&report, "making", kinds[kind], 0);
        const unsigned scale = (unsigned)o->scale;
        forms_init(&B.full, &B, kind, scale);
        forms_init(&B.small, &B, kind, scale > SMALL ? scale - SMALL : 1);
        for (size_t g = 0; g < N_GROUPS; g++)
            for (const struct static_case *c = groups[g]; c->name; c++)
                if (!o->cases || bench_lists(o->cases, c->name))
                    run_case(&B, c);
        forms_fini(&B.small);
        forms_fini(&B.full);
    }
    hy_ctx_free(B.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
