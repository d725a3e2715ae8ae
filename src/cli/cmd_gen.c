/* `hypha gen`: graphs from a seed. */
#include "cli/cmd_gen.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rewired = 0.1; /* if it is not told */

struct gen {
    struct cli_common common;
    const char *kind, *out, *to, *probability;
    bool directed, undirected;
    uint64_t scale, vertices, degree, rows, columns, seed, weights;
};

void gen_must(hy_status status, const char *what)
{
    if (status == HY_EINVAL || status == HY_EFULL)
        cli_die(CLI_USAGE, "%s: %s", what, hy_error_text());
    cli_must(status, what);
}

/* ---- options ----------------------------------------------------------------
 */

static void print_kinds(void)
{
    puts("\nkinds:");
    for (size_t k = 0; k < HY_GEN_KINDS; k++)
        printf("  %-13s %s\n", hy_gen_name((hy_gen_kind)k),
               hy_gen_text((hy_gen_kind)k));
    puts("  changes       not a graph, but changes to one: "
         "`hypha gen changes --help`");
}

static void parse(struct gen *A, int argc, char **argv)
{
    const struct cli_option list[] = {
        cli_number("--scale", 1, 31, &A->scale, "2^N vertices (default 16)"),
        cli_number("--vertices", 1, HY_NONE, &A->vertices, "N of them instead"),
        cli_number("--degree", 1, HY_NONE, &A->degree,
                   "edges or neighbours of each (default 16 or 8)"),
        cli_number("--rows", 1, HY_NONE, &A->rows, "of a grid"),
        cli_number("--columns", 1, HY_NONE, &A->columns,
                   "of a grid; default: a square"),
        cli_number("--weights", 1, INT32_MAX, &A->weights,
                   "weights from 1 to N; default: none"),
        cli_text("--probability", "P", &A->probability,
                 "that an edge of smallworld is rewired (default 0.1)"),
        cli_number("--seed", 0, UINT64_MAX, &A->seed, "default 1"),
        cli_flag("--directed", &A->directed, "edges have a direction"),
        cli_flag("--undirected", &A->undirected, "they have none (default)"),
        cli_text("--to", "FORMAT", &A->to, "of OUT; default: by its name"),
    };
    const struct cli_syntax syntax = {
        .command = "gen",
        .args = "KIND OUT",
        .about = "Makes a graph from a seed: the same on every machine, for "
                 "every number of\nthreads.  No loops, no repeated edges.",
        .more = "examples:\n"
                "  hypha gen kron social.el.gz --scale 18\n"
                "  hypha gen grid road.gr --rows 1000 --columns 500 "
                "--weights 100\n"
                "  hypha gen regular - --to el --vertices 10 --degree 3",
        .tail = print_kinds,
        .options = list,
        .n_options = sizeof list / sizeof *list,
        .common = &A->common,
        .least_words = 2,
        .most_words = 2
    };
    const char *words[2];
    cli_parse(&syntax, argc, argv, words);
    A->kind = words[0];
    A->out = words[1];
}

static hy_gen_kind find_kind(const char *name)
{
    const hy_gen_kind kind = hy_gen_find(name);
    if (kind != HY_GEN_KINDS)
        return kind;
    const char *names[HY_GEN_KINDS];
    for (size_t k = 0; k < HY_GEN_KINDS; k++)
        names[k] = hy_gen_name((hy_gen_kind)k);
    cli_die_unknown("no kind of graph", name, names, HY_GEN_KINDS,
                    "gen --help");
}

static double read_probability(const char *text)
{
    char *end = NULL;
    const double p = text ? strtod(text, &end) : rewired;
    if (text && (end == text || *end || !(p >= 0 && p <= 1)))
        cli_die(CLI_USAGE,
                "`--probability` takes a number from 0 to 1, not `%s`", text);
    return p;
}

static void check(const struct gen *A, hy_gen_kind kind)
{
    if (A->directed && A->undirected)
        cli_die(CLI_USAGE, "`--directed` and `--undirected` exclude each "
                           "other");
    if (A->scale && A->vertices)
        cli_die(CLI_USAGE, "`--scale` and `--vertices` exclude each other");
    if ((A->rows || A->columns) && kind != HY_GEN_GRID)
        cli_die(CLI_USAGE, "only a grid has rows and columns");
    if (A->probability && kind != HY_GEN_SMALLWORLD)
        cli_die(CLI_USAGE, "only smallworld has a probability");
    if (A->common.json && !strcmp(A->out, "-"))
        cli_die(CLI_USAGE, "`--json` and the graph cannot both go to standard "
                           "output; name a file");
}

/* Dies, before anything is made, of a graph that does not fit. */
static void check_memory(const struct gen *A, const hy_gen_opts *opts)
{
    hy_gen_estimate E;
    gen_must(hy_gen_estimate_get(opts, &E), A->kind);
    const uint64_t limit =
        A->common.memory ? A->common.memory : machine_memory_free();
    char need[REPORT_TEXT], have[REPORT_TEXT];
    if (limit && E.peak_bytes > limit)
        cli_die(CLI_FAILED, "%s needs about %s to be made, and %s %s", A->out,
                report_bytes((double)E.peak_bytes, need),
                report_bytes((double)limit, have),
                A->common.memory ? "is the limit" : "is free");
}

/* ---- the command
 * --------------------------------------------------------------
 */

static void report(const struct gen *A, const hy_view *V, hy_format to,
                   double make_s, double write_s)
{
    if (!A->common.json) {
        if (!A->common.quiet)
            cli_note("%s: %s, %llu vertices, %llu edges, seed %llu", A->out,
                     A->kind, (unsigned long long)hy_view_vertices(V),
                     (unsigned long long)hy_view_edges(V),
                     (unsigned long long)A->seed);
        return;
    }
    struct json J = { .to = stdout };
    json_open(&J, NULL, '{');
    json_text(&J, "kind", A->kind);
    json_text(&J, "out", A->out);
    json_text(&J, "to", hy_format_name(to));
    json_count(&J, "vertices", hy_view_vertices(V));
    json_count(&J, "edges", hy_view_edges(V));
    json_bool(&J, "directed", A->directed);
    json_bool(&J, "weighted", A->weights != 0);
    json_count(&J, "seed", A->seed);
    json_number(&J, "make_s", make_s);
    json_number(&J, "write_s", write_s);
    json_close(&J, '}');
    json_end(&J);
}

int cli_gen(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "changes"))
        return gen_changes(argc - 1, argv + 1);
    struct gen A = { .common.has = CLI_HAS_JSON | CLI_HAS_WORK | CLI_HAS_MEMORY,
                     .seed = 1 };
    parse(&A, argc, argv);
    const hy_gen_kind kind = find_kind(A.kind);
    check(&A, kind);
    const hy_write_opts how = { .format = cli_format_to(A.out, A.to) };
    const hy_gen_opts opts = { .kind = kind,
                               .n = A.vertices,
                               .scale = (uint32_t)A.scale,
                               .degree = A.degree,
                               .rows = A.rows,
                               .columns = A.columns,
                               .seed = A.seed,
                               .weights = (uint32_t)A.weights,
                               .probability = read_probability(A.probability),
                               .directed = A.directed };
    check_memory(&A, &opts);
    hy_ctx *const ctx = cli_ctx(A.common.threads);
    struct cli_input I = { .path = A.out };
    const double start = hy_clock();
    cli_signals_kill(true);
    gen_must(hy_gen_graph(ctx, &opts, &I.G), A.kind);
    const double made = hy_clock();
    cli_signals_kill(false);
    cli_write(ctx, &A.common, &I, A.out, &how);
    report(&A, hy_graph_now(I.G), how.format, made - start, hy_clock() - made);
    cli_input_fini(&I);
    hy_ctx_free(ctx);
    return CLI_OK;
}
