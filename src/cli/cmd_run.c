/* `hypha run`: one algorithm on one graph. */
#include "cli/progress.h"
#include "cli/run.h"

#include <math.h>
#include <string.h>

enum { MOST_OPTIONS = 32 };

/* ---- options ------------------------------------------------------------- */

struct offered {
    unsigned takes; /* 0: of every algorithm */
    struct cli_option option;
};

/* long: a table */
static size_t list_options(struct run_opts *o, unsigned takes,
                           struct cli_option list[MOST_OPTIONS])
{
    const struct offered all[] = {
        { RUN_SOURCE | RUN_NEEDS_SOURCE,
          cli_text("--source", "ID", &o->source, "the vertex to start from") },
        { RUN_SOURCES,
          cli_number("--sources", 1, UINT64_MAX, &o->sources,
                     "sample this many; default: all, the exact answer") },
        { RUN_TOLERANCE, cli_real("--tolerance", 0, INFINITY, &o->tolerance,
                                  "end when changes are smaller") },
        { RUN_ITERATIONS, cli_number("--iterations", 1, UINT32_MAX,
                                     &o->iterations, "how many of them") },
        { RUN_DAMPING, cli_real("--damping", 0, 1, &o->damping,
                                "how much of a value goes on to neighbours") },
        { RUN_DELTA, cli_real("--delta", 0, INFINITY, &o->delta,
                              "width of a bucket of distances") },
        { RUN_SPREAD, cli_real("--spread", 0, INFINITY, &o->spread,
                               "km that neighbours may lie apart") },
        { RUN_K, cli_number("--k", 1, UINT32_MAX, &o->k,
                            "size of the cliques, order of the truss") },
        { RUN_METHOD,
          cli_text("--method", "NAME", &o->method, "how it is computed") },
        { RUN_COLUMN, cli_text("--column", "NAME", &o->column,
                               "of the edges' weights; default `weight`, "
                               "else 1") },
        { RUN_INPUT | RUN_NEEDS_INPUT,
          cli_text("--input", "FILE", &o->input,
                   "lines `id value ...` to start from") },
        { RUN_SEED, cli_number("--seed", 0, UINT64_MAX, &o->seed,
                               "of what is drawn at random") },
        { 0, cli_flag("--deterministic", &o->deterministic,
                      "the same bits for every number of threads") },
        { 0,
          cli_flag("--check", &o->check, "verify the answer; wrong: exit 1") },
        { 0, cli_number("--top", 1, UINT32_MAX, &o->top,
                        "show the N largest values") },
        { 0, cli_short('o', cli_text("--output", "FILE", &o->output,
                                     "write lines `id<TAB>value`, by id")) },
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].takes || (all[i].takes & takes))
            list[n++] = all[i].option;
    return n;
}

static void print_algorithms(void)
{
    puts("\nalgorithms; `hypha run NAME --help` tells more of each:");
    for (size_t i = 0; i < run_algorithms_n; i++)
        printf("  %-13s %s\n", run_algorithms[i].name, run_algorithms[i].help);
}

static struct cli_syntax syntax_of_all(const struct cli_option *list, size_t n,
                                       struct cli_common *common)
{
    return (struct cli_syntax){
        .command = "run",
        .args = "ALGORITHM GRAPH",
        .about =
            "Reads a graph, runs an algorithm on it once, and tells what came "
            "out and how\nlong it took.  `-o` writes a value for each vertex: "
            "ids as in the graph,\nascending, `inf` where there is no way.  "
            "`-` is standard input or output.\nAn algorithm takes those of "
            "these options that mean something to it.",
        .more = "examples:\n"
                "  hypha run bfs roads.mtx --source 17 -o depths.tsv\n"
                "  hypha run pagerank wiki-Vote.txt --top 10\n"
                "  hypha run triangles --undirected wiki-Vote.txt --json",
        .tail = print_algorithms,
        .options = list,
        .n_options = n,
        .common = common,
        .least_words = 2,
        .most_words = 2
    };
}

static const struct run_algorithm *find_algorithm(const char *name)
{
    for (size_t i = 0; i < run_algorithms_n; i++)
        if (!strcmp(run_algorithms[i].name, name))
            return &run_algorithms[i];
    const char **const names = cli_alloc(run_algorithms_n, sizeof *names);
    for (size_t i = 0; i < run_algorithms_n; i++)
        names[i] = run_algorithms[i].name;
    cli_die_unknown("no algorithm", name, names, run_algorithms_n,
                    "run --help");
}

/* Takes the algorithm's name out of argv; dies, or shows the help of all, if
 * there is none. */
static const struct run_algorithm *take_algorithm(struct run_opts *o, int *argc,
                                                  char **argv)
{
    struct cli_option list[MOST_OPTIONS];
    const size_t n = list_options(o, RUN_EVERYTHING, list);
    const struct cli_syntax syntax = syntax_of_all(list, n, &o->common);
    const int at = cli_first_word(&syntax, *argc, argv);
    for (int i = 1; i < *argc && i < at; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            *argc = at;
    if (at >= *argc) {
        const char *words[2];
        cli_parse(&syntax, *argc, argv, words);
    }
    const struct run_algorithm *const found = find_algorithm(argv[at]);
    memmove(&argv[at], &argv[at + 1], (size_t)(*argc - at - 1) * sizeof *argv);
    --*argc;
    return found;
}

static void parse(struct run_opts *o, const struct run_algorithm *a, int argc,
                  char **argv)
{
    struct cli_option list[MOST_OPTIONS];
    char command[32], about[2048], more[256];
    snprintf(command, sizeof command, "run %s", a->name);
    snprintf(about, sizeof about, "%s%s%s", a->about,
             a->methods ? "\n\nmethods, the default first: " : "",
             a->methods ? a->methods : "");
    snprintf(more, sizeof more, "example:\n  hypha run %s", a->example);
    const struct cli_syntax syntax = { .command = command,
                                       .args = "GRAPH",
                                       .about = about,
                                       .more = more,
                                       .options = list,
                                       .n_options =
                                           list_options(o, a->takes, list),
                                       .common = &o->common,
                                       .least_words = 1,
                                       .most_words = 1 };
    cli_parse(&syntax, argc, argv, &o->path);
}

static void check(const struct run_opts *o, const struct run_algorithm *a)
{
    const bool writes_out = o->output && !strcmp(o->output, "-");
    if ((a->takes & RUN_NEEDS_SOURCE) && !o->source)
        cli_die(CLI_USAGE, "`%s` needs a vertex to start from: --source ID",
                a->name);
    if ((a->takes & RUN_NEEDS_INPUT) && !o->input)
        cli_die(CLI_USAGE, "`%s` needs values to start from: --input FILE",
                a->name);
    if (o->source && o->sources)
        cli_die(CLI_USAGE, "`--source` and `--sources` exclude each other");
    if (o->common.json && writes_out)
        cli_die(CLI_USAGE, "`--json` and the values cannot both go to "
                           "standard output; name a file");
    if (o->input && !strcmp(o->input, "-") && !strcmp(o->path, "-"))
        cli_die(CLI_USAGE, "GRAPH and `--input` cannot both be standard "
                           "input");
}

/* Those of the table that devices compute, with commas. */
static const char *names_on_devices(void)
{
    static char list[256];
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < run_algorithms_n && n < sizeof list; i++)
        if (run_algorithms[i].on_devices)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s",
                                  n ? ", " : "", run_algorithms[i].name);
    return list;
}

/* ---- running ------------------------------------------------------------- */

unsigned run_method(const struct run *R)
{
    const char *const asked = R->o->method;
    if (!asked)
        return 0;
    const size_t length = strlen(asked);
    unsigned place = 0;
    for (const char *at = R->algorithm->methods; *at; place++) {
        const size_t n = strcspn(at, " ");
        if (n == length && !memcmp(at, asked, n))
            return place;
        at += n + strspn(at + n, " ");
    }
    cli_die(CLI_USAGE, "`%s` has no method `%s`; there are: %s",
            R->algorithm->name, asked, R->algorithm->methods);
}

const char *run_path(const struct run *R)
{
    return strcmp(R->input.path, "-") ? R->input.path : "standard input";
}

static void find_source(struct run *R)
{
    const char *const asked = R->o->source;
    R->source = HY_NONE;
    if (!asked)
        return;
    R->source = run_find(R, asked, strlen(asked));
    if (R->source == HY_NONE)
        cli_die(CLI_FAILED, "%s has no vertex `%s`", run_path(R), asked);
    run_text(R, "source", asked);
}

/* Dies if the algorithm cannot go there. */
static hy_device *open_device(struct run *R)
{
    hy_device *const D = cli_device(R->ctx, &R->o->common);
    if (!D)
        return NULL;
    if (!R->algorithm->on_devices)
        cli_die(CLI_FAILED, "`%s` runs on the host only; on devices run: %s",
                R->algorithm->name, names_on_devices());
    hy_device_info_get(D, &R->device_info);
    run_text(R, "device", R->device_info.name);
    return D;
}

static void show(struct run *R)
{
    const struct run_opts *const o = R->o;
    if (o->output)
        run_write(R);
    if (o->output && !strcmp(o->output, "-"))
        return;
    if (o->common.json)
        run_print_json(R, stdout);
    else if (!o->output || !o->common.quiet)
        run_print_text(R, stdout);
}

static void run_fini(struct run *R)
{
    for (size_t i = 0; i < R->n_arrays; i++)
        cli_free(R->arrays[i]);
    cli_free(R->order);
    hy_device_close(R->device);
    cli_input_fini(&R->input);
    hy_ctx_free(R->ctx);
}

int cli_run(int argc, char **argv)
{
    struct run_opts o = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                        CLI_HAS_WORK | CLI_HAS_MEMORY |
                                        CLI_HAS_DEVICE };
    const struct run_algorithm *const a = take_algorithm(&o, &argc, argv);
    o = (struct run_opts){ .common.has = o.common.has };
    parse(&o, a, argc, argv);
    check(&o, a);
    struct run R = { .algorithm = a, .o = &o };
    (void)run_method(&R);
    hy_read_opts how = cli_read_opts(&o.common);
    how.reverse = a->reverse || (a->reverse_there && o.common.device);
    R.ctx = cli_ctx(o.common.threads);
    cli_read(R.ctx, &o.common, o.path, &how, &R.input);
    R.V = hy_graph_now(R.input.G);
    find_source(&R);
    R.device = open_device(&R);
    a->run(&R);
    cli_signals_kill(false);
    show(&R);
    const bool wrong = R.checked && !R.right;
    if (wrong)
        cli_note("%s: the answer is wrong: %s", a->name, R.why);
    run_fini(&R);
    return wrong ? CLI_FAILED : CLI_OK;
}
