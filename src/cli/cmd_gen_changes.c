/* `hypha gen changes`: streams of changes to a graph. */
#include "cli/cmd_gen.h"
#include "cli/json.h"
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_COUNT = 10000, DEFAULT_BATCH = 1000, DEFAULT_WEIGHTS = 255 };

struct changes {
    struct cli_common common;
    const char *in, *out, *kind;
    bool skewed, repeats;
    uint64_t count, batch, inserts, window, weights, seed;
};

static const char *const kinds[] = {
    [HY_GEN_INSERT] = "insert",
    [HY_GEN_DELETE] = "delete",
    [HY_GEN_MIXED] = "mixed",
    [HY_GEN_WINDOW] = "window",
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- options ----------------------------------------------------------------
 */

static void parse(struct changes *A, int argc, char **argv)
{
    const struct cli_option list[] = {
        cli_text("--kind", "KIND", &A->kind,
                 "insert, delete, mixed (default) or window"),
        cli_number("--count", 0, UINT64_MAX, &A->count,
                   "changes (default 10000)"),
        cli_number("--batch", 1, UINT64_MAX, &A->batch,
                   "a `commit` line after every N (default 1000)"),
        cli_flag("--skewed", &A->skewed,
                 "more of them at vertices of many edges"),
        cli_number("--inserts", 1, 100, &A->inserts,
                   "per cent of insertions among mixed (default 50)"),
        cli_number("--window", 1, UINT64_MAX, &A->window,
                   "edges that stay; default: as many as the graph has"),
        cli_number("--weights", 1, INT32_MAX, &A->weights,
                   "weights from 1 to N; default: 255 if the graph has any"),
        cli_flag("--repeats", &A->repeats,
                 "may insert what is there, and delete what is not"),
        cli_number("--seed", 0, UINT64_MAX, &A->seed, "default 1"),
    };
    const struct cli_syntax syntax = {
        .command = "gen changes",
        .args = "GRAPH OUT.hys",
        .about = "Makes a stream of changes that fits a graph: what is "
                 "inserted is not there at\nthat point, what is deleted is.  "
                 "`window` lets new edges come and the oldest go.",
        .more = "examples:\n"
                "  hypha gen kron social.el --scale 16\n"
                "  hypha gen changes social.el day.hys --kind mixed --skewed "
                "--count 100000\n"
                "  hypha gen changes social.el - --kind delete --count 10 "
                "--undirected",
        .options = list,
        .n_options = sizeof list / sizeof *list,
        .common = &A->common,
        .least_words = 2,
        .most_words = 2
    };
    const char *words[2];
    cli_parse(&syntax, argc, argv, words);
    A->in = words[0];
    A->out = words[1];
    if (A->common.json && !strcmp(A->out, "-"))
        cli_die(CLI_USAGE, "`--json` and the stream cannot both go to "
                           "standard output; name a file");
}

static hy_gen_stream find_kind(const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (!strcmp(kinds[i], name))
            return (hy_gen_stream)i;
    cli_die_unknown("no kind of stream", name, kinds, N_KINDS,
                    "gen changes --help");
}

static uint64_t weights_of(const struct changes *A, const hy_view *V)
{
    if (A->weights)
        return A->weights;
    return hy_view_edge_columns(V) ? DEFAULT_WEIGHTS : 0;
}

/* ---- lines
 * ------------------------------------------------------------------- */

struct lines {
    hy_out *to;
    const char *path;
    const struct cli_input *I;
};

static void put(struct lines *L, const char *text, size_t n)
{
    const hy_status status = hy_out_put(L->to, text, n);
    if (status == HY_OK)
        return;
    hy_out_drop(L->to);
    cli_must_write(status, L->path);
}

static void put_number(struct lines *L, char before, uint64_t x)
{
    char text[32];
    const int n =
        snprintf(text, sizeof text, "%c%llu", before, (unsigned long long)x);
    put(L, text, (size_t)n);
}

static void put_vertex(struct lines *L, hy_vid u)
{
    const uint64_t id = hy_view_external(hy_graph_now(L->I->G), u);
    if (!L->I->names) {
        put_number(L, ' ', id);
        return;
    }
    size_t n;
    const char *const text = hy_names_text(L->I->names, id, &n);
    if (strcspn(text, " \t\r\v\f\n") != n) {
        hy_out_drop(L->to);
        cli_die(CLI_FAILED, "`%s` cannot stand in a stream: it has a blank",
                text);
    }
    put(L, " ", 1);
    put(L, text, n);
}

static void put_change(struct lines *L, const hy_change *c, bool weighted)
{
    put(L, c->is_deletion ? "-" : "+", 1);
    put_vertex(L, c->u);
    put_vertex(L, c->v);
    if (weighted && !c->is_deletion)
        put_number(L, ' ', (uint64_t)c->weight);
    put(L, "\n", 1);
}

static void write_stream(const struct changes *A, hy_ctx *ctx,
                         const struct cli_input *I, const hy_gen_changes *C,
                         bool weighted)
{
    struct lines L = { .path = A->out, .I = I };
    cli_must_write(hy_out_open(ctx, A->out, &L.to), A->out);
    for (uint64_t i = 0; i < C->n; i++) {
        put_change(&L, &C->at[i], weighted);
        if ((i + 1) % A->batch == 0 || i + 1 == C->n)
            put(&L, "commit\n", 7);
        if (i % 4096 == 0 && cli_stopped()) {
            hy_out_drop(L.to);
            cli_stop();
        }
    }
    cli_must_write(hy_out_close(L.to), A->out);
}

/* ---- the command
 * --------------------------------------------------------------
 */

static void report(const struct changes *A, const hy_gen_changes *C,
                   double make_s, double write_s)
{
    uint64_t deleted = 0;
    for (uint64_t i = 0; i < C->n; i++)
        deleted += C->at[i].is_deletion;
    if (!A->common.json) {
        if (!A->common.quiet)
            cli_note("%s: %s, %llu insertions, %llu deletions, seed %llu",
                     A->out, A->kind, (unsigned long long)(C->n - deleted),
                     (unsigned long long)deleted, (unsigned long long)A->seed);
        return;
    }
    struct json J = { .to = stdout };
    json_open(&J, NULL, '{');
    json_text(&J, "kind", A->kind);
    json_text(&J, "graph", A->in);
    json_text(&J, "out", A->out);
    json_count(&J, "insertions", C->n - deleted);
    json_count(&J, "deletions", deleted);
    json_count(&J, "batch", A->batch);
    json_count(&J, "seed", A->seed);
    json_number(&J, "make_s", make_s);
    json_number(&J, "write_s", write_s);
    json_close(&J, '}');
    json_end(&J);
}

int gen_changes(int argc, char **argv)
{
    struct changes A = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                       CLI_HAS_WORK | CLI_HAS_MEMORY,
                         .kind = "mixed",
                         .count = DEFAULT_COUNT,
                         .batch = DEFAULT_BATCH,
                         .seed = 1 };
    parse(&A, argc, argv);
    hy_gen_changes_opts opts = { .kind = find_kind(A.kind),
                                 .count = A.count,
                                 .seed = A.seed,
                                 .skewed = A.skewed,
                                 .repeats = A.repeats,
                                 .inserts = (uint32_t)A.inserts,
                                 .window = A.window };
    const hy_read_opts read = cli_read_opts(&A.common);
    hy_ctx *const ctx = cli_ctx(A.common.threads);
    struct cli_input I;
    cli_read(ctx, &A.common, A.in, &read, &I);
    const hy_view *const V = hy_graph_now(I.G);
    opts.weights = (uint32_t)weights_of(&A, V);
    hy_gen_changes C;
    const double start = hy_clock();
    gen_must(hy_gen_changes_make(ctx, V, &opts, &C), A.in);
    const double made = hy_clock();
    write_stream(&A, ctx, &I, &C, opts.weights != 0);
    report(&A, &C, made - start, hy_clock() - made);
    hy_gen_changes_fini(&C);
    cli_input_fini(&I);
    hy_ctx_free(ctx);
    return CLI_OK;
}
