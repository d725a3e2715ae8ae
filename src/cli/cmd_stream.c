/* `hypha stream`: a graph, and batches of changes to it. */
#include "cli/input.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <string.h>

enum { N_OPTIONS = 7 };

struct stream {
    struct cli_common common;
    const char *graph, *updates;
    const char *live, *answers, *save, *to, *format;
    uint64_t batch, window;
};

static void parse(struct stream *S, int argc, char **argv)
{
    const struct cli_option list[N_OPTIONS] = {
        cli_text("--live", "ANSWER", &S->live,
                 "keep it current (not built yet)"),
        cli_number("--batch", 1, UINT64_MAX, &S->batch,
                   "lines a batch holds; default: up to `commit` lines"),
        cli_number("--window", 1, UINT64_MAX, &S->window,
                   "temporal: edges this much older than the newest go"),
        cli_text("--stream-from", "FORMAT", &S->format,
                 "of UPDATES: hys, delta or temporal"),
        cli_text("--save", "FILE", &S->save, "write the graph at the end"),
        cli_text("--to", "FORMAT", &S->to, "of that file; default: by name"),
        cli_short('o', cli_text("--output", "DIR", &S->answers,
                                "write the answers there (not built yet)")),
    };
    const struct cli_syntax syntax = {
        .command = "stream",
        .args = "GRAPH UPDATES",
        .about =
            "Reads a graph, applies changes to it batch by batch, and tells "
            "what each batch\nreally changed.  Changes are lines `+ u v [w]`, "
            "`- u v`, `= u v w`, `+ u`, `- u`\nand `commit`; libgrape deltas "
            "and temporal edge lists are read too.  Either\nmay be `-`, "
            "standard input.",
        .more = "examples:\n"
                "  hypha stream graph.el changes.hys\n"
                "  hypha stream base.e changes.delta --batch 1000 --json\n"
                "  printf '+ 7 8\\n' | hypha stream graph.hyg - --save new.hyg",
        .options = list,
        .n_options = N_OPTIONS,
        .common = &S->common,
        .least_words = 2,
        .most_words = 2
    };
    const char *words[2];
    cli_parse(&syntax, argc, argv, words);
    S->graph = words[0];
    S->updates = words[1];
}

static void check(const struct stream *S)
{
    if (S->live || S->answers)
        cli_die(CLI_FAILED, "live answers are not built yet; without `--live` "
                            "the changes alone are applied");
    if (!strcmp(S->graph, "-") && !strcmp(S->updates, "-"))
        cli_die(CLI_USAGE, "GRAPH and UPDATES cannot both be standard input");
    if (S->save && !strcmp(S->save, "-"))
        cli_die(CLI_USAGE, "`--save` needs a file: standard output has the "
                           "batches");
    if (S->to && !S->save)
        cli_die(CLI_USAGE, "`--to` is the format of `--save`");
}

static hy_stream_format stream_format(const char *name)
{
    static const char *const names[] = { "auto", "hys", "delta", "temporal" };
    if (!name)
        return HY_STREAM_AUTO;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return (hy_stream_format)i;
    cli_die_unknown("`--stream-from`: no format", name, names,
                    sizeof names / sizeof *names, "stream --help");
}

/* ---- what is shown ---------------------------------------------------- */

struct batch {
    uint64_t number, lines;
    hy_counts counts;
    uint64_t vertices, edges; /* after it */
    double s;
};

static void print_json(const struct batch *b)
{
    const hy_counts *const c = &b->counts;
    struct json J = { .to = stdout };
    json_open(&J, NULL, '{');
    json_count(&J, "batch", b->number);
    json_count(&J, "lines", b->lines);
    json_count(&J, "inserted", c->inserted);
    json_count(&J, "updated", c->updated);
    json_count(&J, "deleted", c->deleted);
    json_count(&J, "duplicate", c->duplicate);
    json_count(&J, "missing", c->missing);
    json_count(&J, "rejected", c->rejected);
    json_count(&J, "detached", c->detached);
    json_count(&J, "vertices_inserted", c->vertices_inserted);
    json_count(&J, "vertices_updated", c->vertices_updated);
    json_count(&J, "vertices_deleted", c->vertices_deleted);
    json_count(&J, "vertices_duplicate", c->vertices_duplicate);
    json_count(&J, "vertices_missing", c->vertices_missing);
    json_count(&J, "vertices", b->vertices);
    json_count(&J, "edges", b->edges);
    json_number(&J, "commit_s", b->s);
    json_open(&J, "live", '[');
    json_close(&J, ']');
    json_close(&J, '}');
    json_end(&J);
}

static void print_line(const struct batch *b)
{
    const hy_counts *const c = &b->counts;
    if (b->number == 1)
        printf("%6s %9s %9s %9s %9s %9s %9s %11s %9s\n", "batch", "inserted",
               "updated", "deleted", "duplicate", "missing", "rejected",
               "edges", "commit ms");
    printf("%6llu %9llu %9llu %9llu %9llu %9llu %9llu %11llu %9.3f\n",
           (unsigned long long)b->number, (unsigned long long)c->inserted,
           (unsigned long long)c->updated,
           (unsigned long long)(c->deleted + c->detached),
           (unsigned long long)c->duplicate, (unsigned long long)c->missing,
           (unsigned long long)c->rejected, (unsigned long long)b->edges,
           b->s * 1000);
}

/* ---- running ---------------------------------------------------------- */

static void commit(const struct stream *S, hy_graph *G, const hy_batch *B,
                   uint64_t number)
{
    struct batch b = { .number = number, .lines = hy_batch_lines(B) };
    hy_delta delta;
    const double start = hy_clock();
    const hy_status status = hy_graph_commit(G, B, &delta);
    b.s = hy_clock() - start;
    char what[64];
    snprintf(what, sizeof what, "batch %llu", (unsigned long long)number);
    cli_must(status, what);
    b.counts = delta.counts;
    b.vertices = hy_view_vertices(hy_graph_now(G));
    b.edges = hy_view_edges(hy_graph_now(G));
    if (S->common.json)
        print_json(&b);
    else
        print_line(&b);
    fflush(stdout);
}

static void apply(const struct stream *S, hy_ctx *ctx, struct cli_input *I,
                  const hy_stream_opts *how)
{
    hy_stream *stream = NULL;
    hy_batch *B = NULL;
    hy_diag diag = { .line = 0 };
    cli_must_read(
        hy_stream_open(ctx, S->updates, I->G, I->names, how, &stream, &diag),
        S->updates, &diag);
    cli_must(hy_batch_new(I->G, &B), "making a batch");
    for (uint64_t number = 1;; number++) {
        bool end = false;
        cli_signals_kill(true);
        const hy_status status = hy_stream_next(stream, B, &end, &diag);
        cli_signals_kill(false);
        cli_must_read(status, S->updates, &diag);
        if (end)
            break;
        commit(S, I->G, B, number);
    }
    hy_diag first;
    const uint64_t bad = hy_stream_bad(stream, &first);
    if (bad && !S->common.quiet)
        cli_note_bad(bad, &first);
    hy_batch_free(B);
    hy_stream_close(stream);
}

int cli_stream(int argc, char **argv)
{
    struct stream S = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                      CLI_HAS_WORK | CLI_HAS_MEMORY };
    parse(&S, argc, argv);
    check(&S);
    hy_read_opts opts = cli_read_opts(&S.common);
    opts.growing = true;
    const hy_stream_opts how = { .format = stream_format(S.format),
                                 .batch = S.batch,
                                 .window = S.window,
                                 .skip_bad = S.common.skip_bad };
    hy_write_opts save = { .format = HY_FORMAT_AUTO };
    if (S.save)
        save.format = cli_format_to(S.save, S.to);
    hy_ctx *const ctx = cli_ctx(S.common.threads);
    struct cli_input I;
    cli_read(ctx, &S.common, S.graph, &opts, &I);
    apply(&S, ctx, &I, &how);
    if (S.save)
        cli_write(ctx, &S.common, &I, S.save, &save);
    cli_input_fini(&I);
    hy_ctx_free(ctx);
    return CLI_OK;
}
