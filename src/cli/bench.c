/* `hypha bench`: reads its options; of the suite `store`, makes each graph and
 * runs the cases. */
#include "cli/bench_store.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

struct group {
    const char *name;
    bench_group *run;
    const char *cases; /* with a blank before and after each */
    const char *help;
    bool once; /* makes its own graph: runs once, not for each */
};

static const struct group groups[] = {
    { "load", bench_load_cases, " load ", "bulk load from CSR and from edges",
      false },
    { "update", bench_update_cases,
      " insert delete insert_undirected delete_undirected ",
      "fresh edges in, and out again", false },
    { "mixed", bench_mixed_cases, " mixed ",
      "half insertions, half deletions, in one batch", false },
    { "member", bench_member_cases, " member ",
      "batched questions, half of them about edges that are there", false },
    { "vertex", bench_vertex_cases,
      " vertex_insert vertex_delete vertex_insert_undirected "
      "vertex_delete_undirected ",
      "vertices in; vertices and all their edges out", false },
    { "scan", bench_scan_cases, " scan_loaded scan_updated scan_rebalanced ",
      "every neighbour of every vertex", false },
    { "memory", bench_memory_cases,
      " bytes_loaded series_uniform series_sweep series_random shrink ",
      "bytes per edge, also over long series of changes", false },
    { "view", bench_view_cases, " view insert_view_held ",
      "taking views, and updates while views are held", false },
    { "hub", bench_hub_cases, " hub ",
      "single insertions into a vertex of a million neighbours", true },
};

enum { N_GROUPS = sizeof groups / sizeof *groups };

enum { N_OPTIONS = 13 };

static void list_options(struct bench_opts *o,
                         struct cli_option list[N_OPTIONS])
{
    const struct cli_option all[N_OPTIONS] = {
        cli_text("--graph", "NAME", &o->graph,
                 "kron, urand, grid or all (default; load: kron)"),
        cli_number("--scale", 10, 26, &o->scale,
                   "2^N vertices, 2^N * 16 edges (default 20)"),
        cli_text("--case", "NAME[,NAME]", &o->cases,
                 "these cases or groups alone"),
        cli_text("--dir", "PATH", &o->dir,
                 "load: where files are made (default $TMPDIR or /tmp)"),
        cli_text("--device", "NAME", &o->device,
                 "device: which (default: the first after the host)"),
        cli_number("--batch", 1, 10000000, &o->batch,
                   "store, live: batches of this size alone"),
        cli_number("--trials", 1, TRIALS_MAX, &o->trials,
                   "the median is told (default 5)"),
        cli_number("--iterations", 1, 100000, &o->iterations,
                   "store: of a memory series (default kron 100, others 20)"),
        cli_flag("--quick", &o->quick,
                 "a look of a minute: scale 16, fewer sizes"),
        cli_number("--threads", 1, 1024, &o->threads, "default: one per core"),
        cli_number("--seed", 0, UINT64_MAX, &o->seed,
                   "of graphs and changes (default 1)"),
        cli_flag("--json", &o->json, "one object a line, no table"),
        cli_flag("--quiet", &o->quiet, "no progress, no closing line"),
    };
    memcpy(list, all, sizeof all);
}

static void print_groups(void)
{
    puts("\nsuites:\n  store    groups of cases, below");
    bench_load_help();
    bench_static_help();
    bench_device_help();
    bench_live_help();
    puts("\ngroups of store and their cases:");
    for (size_t i = 0; i < N_GROUPS; i++)
        printf("  %-8s %s\n          %.*s\n", groups[i].name, groups[i].help,
               (int)strlen(groups[i].cases) - 1, groups[i].cases);
    puts(
        "\nratio is, within the same run and on the same threads, the time\n"
        "over that of\n"
        "  (of suite load) a pass of memchr over the same file, on one thread\n"
        "  (of suite static) the plain loop that is named with the case\n"
        "  (of suite device) the host's; update: the upload of all over it\n"
        "  (of suite live) what the answers add to the commit; the time is\n"
        "                 that of recomputing them\n"
        "  load           copying the CSR arrays once\n"
        "  insert delete mixed\n"
        "                 sorting the same batch once with the library's "
        "sort\n"
        "  member         binary searches for the same edges in CSR\n"
        "  scan           scanning the same edges as CSR\n"
        "and for insert_view_held the rate over that without a view, for\n"
        "shrink the bytes after over the bytes before.  Batches are filled\n"
        "before the clock starts; a commit returns its delta.  bench/README.md "
        "tells all.");
}

/* ---- choosing ------------------------------------------------------------ */

bool bench_lists(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at += at != NULL)
        if (!strncmp(at, name, length) &&
            (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

bool bench_wants(const struct bench *b, const char *group, const char *name)
{
    const char *const cases = b->opts->cases;
    return !cases || bench_lists(cases, group) || bench_lists(cases, name);
}

static bool is_known(const char *name, size_t length)
{
    char word[64];
    if (length == 0 || length > sizeof word - 3)
        return false;
    snprintf(word, sizeof word, " %.*s ", (int)length, name);
    for (size_t i = 0; i < N_GROUPS; i++)
        if (strstr(groups[i].cases, word) ||
            (strlen(groups[i].name) == length &&
             !memcmp(groups[i].name, name, length)))
            return true;
    return false;
}

static void check_cases(const char *cases)
{
    for (const char *at = cases; at;) {
        const size_t length = strcspn(at, ",");
        if (!is_known(at, length))
            cli_die(CLI_USAGE, "no case `%.*s`; try `hypha bench store --help`",
                    (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
    }
}

/* Whether any case of the group is asked for. */
static bool wants_group(const struct bench *b, const struct group *group)
{
    const char *const cases = b->opts->cases;
    if (!cases || bench_lists(cases, group->name))
        return true;
    for (const char *at = cases; at;) {
        const size_t length = strcspn(at, ",");
        char word[64];
        snprintf(word, sizeof word, " %.*s ", (int)length, at);
        if (strstr(group->cases, word))
            return true;
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}

/* ---- running ------------------------------------------------------------- */

void bench_print_run(const struct bench_opts *o, struct report *report)
{
    if (!o->json)
        return;
    struct utsname system;
    const bool known = uname(&system) == 0;
    struct report_row row = report_row_of("all", "run");
    report_row_text(&row, "version", hy_version());
    report_row_text(&row, "system", known ? system.sysname : "unknown");
    report_row_text(&row, "machine", known ? system.machine : "unknown");
#ifdef __VERSION__
    report_row_text(&row, "compiler", __VERSION__);
#endif
    report_row_number(&row, "scale", (double)o->scale);
    report_row_number(&row, "trials", (double)o->trials);
    report_row_number(&row, "seed", (double)o->seed);
    report_print(report, &row);
}

static void run_graph(struct bench *b, hy_gen_kind kind)
{
    static const char *const names[] = { "kron", "urand", "grid" };
    const char *const asked = b->opts->graph;
    if (asked && strcmp(asked, "all") != 0 && strcmp(asked, names[kind]) != 0)
        return;
    bool any = false;
    for (size_t i = 0; i < N_GROUPS; i++)
        any |= !groups[i].once && wants_group(b, &groups[i]);
    if (!any)
        return;
    report_progress(b->report, "making", names[kind], 0);
    struct gen_graph graph;
    gen_make(b->ctx, kind, (unsigned)b->opts->scale, b->opts->seed, &graph);
    b->graph = &graph;
    for (size_t i = 0; i < N_GROUPS; i++)
        if (!groups[i].once && wants_group(b, &groups[i]))
            groups[i].run(b);
    b->graph = NULL;
    gen_csr_fini(&graph.csr);
}

static int run_store(const struct bench_opts *o)
{
    check_cases(o->cases);
    struct bench b = { .opts = o, .ctx = cli_ctx(o->threads) };
    struct report report;
    report_init(&report, "store", hy_ctx_threads(b.ctx), o->json, o->quiet);
    b.report = &report;
    bench_print_run(o, &report);
    run_graph(&b, HY_GEN_KRON);
    run_graph(&b, HY_GEN_URAND);
    run_graph(&b, HY_GEN_GRID);
    for (size_t i = 0; i < N_GROUPS; i++)
        if (groups[i].once && wants_group(&b, &groups[i]))
            groups[i].run(&b);
    hy_ctx_free(b.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}

static void check_graphs(const char *graphs)
{
    if (graphs && strcmp(graphs, "all") != 0 && strcmp(graphs, "kron") != 0 &&
        strcmp(graphs, "urand") != 0 && strcmp(graphs, "grid") != 0)
        cli_die(CLI_USAGE,
                "`--graph` takes kron, urand, grid or all, not "
                "`%s`",
                graphs);
}

typedef int bench_suite(const struct bench_opts *o);

static bench_suite *find_suite(const char *name)
{
    static const struct {
        const char *name;
        bench_suite *run;
    } suites[] = { { "store", run_store },
                   { "load", bench_load_suite },
                   { "static", bench_static_suite },
                   { "live", bench_live_suite },
                   { "device", bench_device_suite } };
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (!strcmp(suites[i].name, name))
            return suites[i].run;
    cli_die(CLI_USAGE,
            "no suite `%s`; there are `store`, `load`, `static`, `live` and "
            "`device`",
            name);
}

int cli_bench(int argc, char **argv)
{
    struct bench_opts o = { .seed = 1 };
    struct cli_option list[N_OPTIONS];
    list_options(&o, list);
    const struct cli_syntax syntax = {
        .command = "bench",
        .args = "SUITE",
        .about =
            "Measures a part of hypha on graphs it makes itself: a Kronecker "
            "graph, a\nuniform one of the same size and a grid.  Each is "
            "stored as a directed graph\nthat holds both directions of every "
            "edge, and every figure counts directed\nedges; cases called "
            "undirected count lines.  `store` measures the graph in\nmemory, "
            "`load` reads files of it in several formats, `static` runs "
            "algorithms on\nundirected graphs, `live` keeps their answers "
            "while the graphs change.",
        .more = "examples:\n"
                "  hypha bench store --quick\n"
                "  hypha bench store --graph kron --case update --json\n"
                "  hypha bench load --case el,el.gz,hyg\n"
                "  hypha bench static --graph urand --case bfs,pagerank\n"
                "  hypha bench live --graph kron --case bfs,latency",
        .tail = print_groups,
        .options = list,
        .n_options = N_OPTIONS,
        .least_words = 1,
        .most_words = 1
    };
    const char *suite = NULL;
    cli_parse(&syntax, argc, argv, &suite);
    bench_suite *const run = find_suite(suite);
    check_graphs(o.graph);
    o.scale = o.scale ? o.scale : o.quick ? 16 : 20;
    o.trials = o.trials ? o.trials : o.quick ? 3 : 5;
    return run(&o);
}
