/* `hypha bench load`: files of one graph in several formats, read back.
 *
 * The graph is written to a file, which is read a few times from the cache of
 * the system, next to a plain pass over the same bytes that looks for line
 * ends (memchr) on one thread.
 */
#include "cli/bench.h"
#include "cli/progress.h"
#include "cli/random.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct file_case {
    const char *name; /* and extension */
    bool weighted;
};

static const struct file_case cases[] = {
    { "el", false },     { "wel", true },  { "csv", true }, { "tsv", false },
    { "mtx", false },    { "gr", true },   { "sg", false }, { "el.gz", false },
    { "el.zst", false }, { "hyg", false },
};

enum { N_CASES = sizeof cases / sizeof *cases };

/* ---- the graph ----------------------------------------------------------- */

/* The same for both directions of an edge. */
static int32_t weight_of(uint64_t u, uint64_t v)
{
    const uint64_t a = u < v ? u : v, b = u < v ? v : u;
    return 1 + (int32_t)(random_at(a, b) % 255);
}

static hy_graph *make_graph(hy_ctx *ctx, const struct gen_csr *csr,
                            bool weighted)
{
    const hy_column column = { "weight", HY_I32 };
    const hy_graph_opts opts = { .edge_columns = &column,
                                 .n_edge_columns = weighted };
    int32_t *const weights =
        weighted ? cli_alloc(csr->m, sizeof *weights) : NULL;
    for (hy_vid u = 0; weighted && u < csr->n; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            weights[e] = weight_of(u, csr->targets[e]);
    hy_graph *G = NULL;
    cli_must(hy_graph_new(ctx, &opts, &G), "making a graph");
    cli_must(hy_graph_load_csr(G, csr->n, csr->offsets, csr->targets, weights),
             "loading a graph");
    cli_free(weights);
    return G;
}

/* ---- what was read ------------------------------------------------------- */

/* A sum over all edges, by their external ids less `first`. */
static uint64_t sum_edges(const hy_view *V, uint64_t first, bool weighted)
{
    uint64_t sum = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        hy_for_out_span (s, V, u) {
            size_t step = 0;
            const char *const weight =
                weighted ? hy_span_column(V, &s, 0, &step) : NULL;
            for (uint32_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                int32_t w = 0;
                if (weight)
                    memcpy(&w, weight + i * step, sizeof w);
                sum += random_at(hy_view_external(V, u) - first,
                                 hy_view_external(V, v) - first) ^
                       (uint64_t)(uint32_t)w;
            }
        }
    return sum;
}

/* The file may number vertices from 1, and leave out those without edges. */
static bool is_same(const hy_graph *G, const hy_graph *want, bool weighted)
{
    const hy_view *const V = hy_graph_now(G), *const W = hy_graph_now(want);
    if (hy_view_arcs(V) != hy_view_arcs(W) ||
        hy_view_edge_columns(V) != hy_view_edge_columns(W))
        return false;
    const uint64_t sum = sum_edges(W, 0, weighted);
    return sum_edges(V, 0, weighted) == sum || sum_edges(V, 1, weighted) == sum;
}

/* ---- files --------------------------------------------------------------- */

/* The file there is now; removed whatever ends the program. */
static char made[4096];

static void remove_made(void)
{
    if (made[0])
        (void)unlink(made);
    made[0] = '\0';
}

static void make_file(const struct bench_opts *o, hy_ctx *ctx,
                      const hy_graph *G, const char *extension)
{
    const char *const env = getenv("TMPDIR");
    const char *const dir = o->dir ? o->dir : env && *env ? env : "/tmp";
    const int n =
        snprintf(made, sizeof made, "%s/hypha-bench-XXXXXX.%s", dir, extension);
    if (n < 0 || (size_t)n >= sizeof made)
        cli_die(CLI_FAILED, "the path of `--dir` is too long");
    const int fd = mkstemps(made, (int)strlen(extension) + 1);
    if (fd < 0) {
        made[0] = '\0';
        cli_die(CLI_FAILED, "no file can be made in %s", dir);
    }
    (void)close(fd);
    cli_must(hy_graph_write(ctx, hy_graph_now(G), NULL, made, NULL),
             "writing a graph");
    cli_stop_if_asked();
}

/* Seconds to look for all line ends of the file; its bytes. */
static double time_pass(uint64_t *bytes)
{
    enum { BLOCK = 1 << 20 };
    char *const block = cli_alloc(BLOCK, 1);
    const int fd = open(made, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        cli_die(CLI_FAILED, "%s cannot be read", made);
    const double start = hy_clock();
    uint64_t lines = 0;
    ssize_t got;
    *bytes = 0;
    while ((got = read(fd, block, BLOCK)) > 0) {
        *bytes += (uint64_t)got;
        const char *const end = block + got;
        for (const char *at = block;
             (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
            lines++;
    }
    const double s = hy_clock() - start;
    (void)close(fd);
    cli_free(block);
    /* Uses the count, so that it is counted. */
    return got < 0 || lines == UINT64_MAX ? -1 : s;
}

/* ---- cases --------------------------------------------------------------- */

static double peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? -1 : (double)usage.ru_maxrss * 1024;
}

static void run_case(const struct bench_opts *o, hy_ctx *ctx,
                     struct report *report, const struct gen_graph *graph,
                     const struct file_case *c)
{
    report_progress(report, graph->name, c->name, 0);
    hy_graph *want = make_graph(ctx, &graph->csr, c->weighted);
    make_file(o, ctx, want, c->name);
    struct report_times loads = { .n = 0 }, passes = { .n = 0 };
    struct report_row row = report_row_of(graph->name, c->name);
    hy_read_info info = { 0 };
    uint64_t bytes = 0;
    for (uint64_t t = 0; t < o->trials; t++) {
        hy_graph *G = NULL;
        report_time(&passes, time_pass(&bytes));
        const double start = hy_clock();
        const hy_status status =
            hy_graph_read(ctx, made, NULL, &G, NULL, &info, NULL);
        report_time(&loads, hy_clock() - start);
        cli_must(status, "reading a graph");
        row.verified &= hy_view_arcs(hy_graph_now(G)) == graph->csr.m &&
                        (t > 0 || is_same(G, want, c->weighted));
        hy_graph_free(G);
        cli_stop_if_asked();
    }
    remove_made();
    hy_graph_free(want);
    report_row_times(&row, &loads, "bytes", (double)info.text_bytes);
    row.ratio = row.median_s / report_median(&passes);
    report_row_number(&row, "file_bytes", (double)bytes);
    report_row_aside(&row, "memchr_s", report_median(&passes));
    report_row_aside(&row, "text_bytes", (double)info.text_bytes);
    report_row_aside(&row, "arcs", (double)graph->csr.m);
    report_row_aside(&row, "peak_bytes", peak_bytes());
    report_print(report, &row);
}

static const char *const kinds[] = { "kron", "urand", "grid" };

static void check_names(const char *list)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < N_CASES && (strlen(cases[i].name) != n ||
                               strncmp(cases[i].name, at, n) != 0))
            i++;
        if (i == N_CASES)
            cli_die(CLI_USAGE, "no case `%.*s`; try `hypha bench --help`",
                    (int)n, at);
        at += n + (at[n] == ',');
    }
}

void bench_load_help(void)
{
    fputs("  load     reading files of one graph, a case each:\n          ",
          stdout);
    for (size_t i = 0; i < N_CASES; i++)
        printf(" %s", cases[i].name);
    puts("");
}

int bench_load_suite(const struct bench_opts *o)
{
    check_names(o->cases);
    cli_catch_signals();
    (void)atexit(remove_made);
    hy_ctx *const ctx = cli_ctx(o->threads);
    struct report report;
    report_init(&report, "load", hy_ctx_threads(ctx), o->json, o->quiet);
    bench_print_run(o, &report);
    for (hy_gen_kind kind = HY_GEN_KRON; kind <= HY_GEN_GRID; kind++) {
        const char *const asked = o->graph ? o->graph : "kron";
        if (strcmp(asked, "all") != 0 && strcmp(asked, kinds[kind]) != 0)
            continue;
        report_progress(&report, "making", kinds[kind], 0);
        struct gen_graph graph;
        gen_make(ctx, kind, (unsigned)o->scale, o->seed, &graph);
        for (size_t i = 0; i < N_CASES; i++)
            if (!o->cases || bench_lists(o->cases, cases[i].name))
                run_case(o, ctx, &report, &graph, &cases[i]);
        gen_csr_fini(&graph.csr);
    }
    hy_ctx_free(ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
