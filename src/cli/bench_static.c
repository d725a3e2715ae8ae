/* `hypha bench static`: each algorithm on each graph, next to a plain loop. */
#include "cli/bench_static.h"

#include "cli/random.h"

#include <stdio.h>
#include <string.h>

/* A plain loop is not run again once it used up this much. */
static const double plain_s = 20;
static const double tolerance = 1e-4;

enum { MOST_WEIGHT = 255 };

static const struct static_case *const groups[] = { static_search_cases,
                                                    static_sweep_cases,
                                                    static_count_cases,
                                                    static_label_cases };
enum { N_GROUPS = sizeof groups / sizeof *groups };

struct bed {
    const struct bench_opts *o;
    hy_ctx *ctx;
    struct report *report;
    struct gen_graph graph;
    int32_t *weights;
    double *vector;
    hy_graph *plain, *weighted; /* made when they are asked for */
    hy_vid source;
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

static hy_graph *load(const struct bed *B, bool weighted)
{
    const hy_column column = { "weight", HY_I32 };
    const hy_graph_opts opts = { .undirected = true,
                                 .edge_columns = &column,
                                 .n_edge_columns = weighted };
    const struct gen_csr *const csr = &B->graph.csr;
    hy_graph *G = NULL;
    cli_must(hy_graph_new(B->ctx, &opts, &G), "making a graph");
    cli_must(hy_graph_load_csr(G, csr->n, csr->offsets, csr->targets,
                               weighted ? B->weights : NULL),
             "loading a graph");
    return G;
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

static void bed_init(struct bed *B, hy_gen_kind kind)
{
    gen_make(B->ctx, kind, (unsigned)B->o->scale, B->o->seed, &B->graph);
    const struct gen_csr *const csr = &B->graph.csr;
    B->weights = bench_weights(B->ctx, csr);
    B->vector = cli_alloc(csr->n, sizeof *B->vector);
    for (hy_vid u = 0; u < csr->n; u++)
        B->vector[u] = 1 + u % 7;
    B->plain = load(B, false);
    B->weighted = NULL;
    B->source = bench_source(hy_graph_now(B->plain), csr, B->o->seed);
}

static void bed_fini(struct bed *B)
{
    hy_graph_free(B->plain);
    hy_graph_free(B->weighted);
    cli_free(B->weights);
    cli_free(B->vector);
    gen_csr_fini(&B->graph.csr);
}

/* ---- a case -------------------------------------------------------------- */

static void cell_init(struct cell *C, struct bed *B,
                      const struct static_case *c)
{
    const struct gen_csr *const csr = &B->graph.csr;
    if (c->weighted && !B->weighted)
        B->weighted = load(B, true);
    *C = (struct cell){ .ctx = B->ctx,
                        .V = hy_graph_now(c->weighted ? B->weighted : B->plain),
                        .csr = csr,
                        .weights = B->weights,
                        .vector = B->vector,
                        .n = csr->n,
                        .source = B->source,
                        .tolerance = tolerance };
    for (size_t i = 0; i < STATIC_REALS; i++)
        C->x[i] = cli_alloc_zeroed(csr->n, sizeof *C->x[i]);
    for (size_t i = 0; i < STATIC_WORDS; i++)
        C->a[i] = cli_alloc_zeroed((size_t)csr->n + 1, sizeof *C->a[i]);
    for (size_t i = 0; i < STATIC_KEYS; i++)
        C->keys[i] = cli_alloc_zeroed(csr->n, sizeof *C->keys[i]);
    if (!c->half)
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
    report_progress(B->report, B->graph.name, c->name, 0);
    cell_init(&C, B, c);
    c->ours(&C); /* touches the memory of the answer */
    for (uint64_t t = 0; t < B->o->trials; t++) {
        report_time(&ours, timed(c->ours, &C));
        if (spent > plain_s)
            continue;
        report_time(&plain, timed(c->plain, &C));
        spent += plain.s[plain.n - 1];
    }
    struct report_row row = report_row_of(B->graph.name, c->name);
    report_row_times(&row, &ours, "edges", (double)C.csr->m);
    row.ratio = row.median_s / report_median(&plain);
    if (C.number_name)
        report_row_number(&row, C.number_name, C.number);
    report_row_aside(&row, "plain_s", report_median(&plain));
    report_row_aside(&row, "plain_spread", report_spread(&plain));
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
        bed_init(&B, kind);
        for (size_t g = 0; g < N_GROUPS; g++)
            for (const struct static_case *c = groups[g]; c->name; c++)
                if (!o->cases || bench_lists(o->cases, c->name))
                    run_case(&B, c);
        bed_fini(&B);
    }
    hy_ctx_free(B.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
