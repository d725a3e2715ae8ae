/* `hypha stream`: a graph, batches of changes to it, and answers that follow.
 */
#include "cli/live.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { N_OPTIONS = 12 };

struct stream {
    struct cli_common common;
    const char *graph, *updates;
    struct cli_texts live;
    const char *source, *answers, *save, *to, *format;
    uint64_t batch, window, top, changes;
    bool check, verbose;

    struct live_want wants[CLI_TEXTS];
    struct run R; /* the graph, its ids */
    struct live_keeper keeper;
};

/* long: a table */
static void parse(struct stream *S, int argc, char **argv)
{
    const struct cli_option list[N_OPTIONS] = {
        cli_texts("--live", "ANSWER", &S->live,
                  "keep it current, NAME[:key=value,...]; see below"),
        cli_text("--source", "ID", &S->source,
                 "where searches start that have no source of their own"),
        cli_number("--batch", 1, UINT64_MAX, &S->batch,
                   "lines a batch holds; default: up to `commit` lines"),
        cli_number("--window", 1, UINT64_MAX, &S->window,
                   "temporal: edges this much older than the newest go"),
        cli_text("--stream-from", "FORMAT", &S->format,
                 "of UPDATES: hys, delta or temporal"),
        cli_flag("--check", &S->check,
                 "recompute after every batch; a difference ends it with 1"),
        cli_number("--top", 1, UINT32_MAX, &S->top,
                   "show the N largest values of every answer"),
        cli_number("--changes", 1, UINT32_MAX, &S->changes,
                   "show N of the vertices whose value a batch changed"),
        cli_flag("--verbose", &S->verbose, "tell why it was done so"),
        cli_text("--save", "FILE", &S->save, "write the graph at the end"),
        cli_text("--to", "FORMAT", &S->to, "of that file; default: by name"),
        cli_short('o', cli_text("--output", "DIR", &S->answers,
                                "write DIR/ANSWER.tsv at the end")),
    };
    const struct cli_syntax syntax = {
        .command = "stream",
        .args = "GRAPH UPDATES",
        .about =
            "Reads a graph, applies changes to it batch by batch, and tells "
            "what each batch\nreally changed.  Changes are lines `+ u v [w]`, "
            "`- u v`, `= u v w`, `+ u`, `- u`\nand `commit`; libgrape deltas "
            "and temporal edge lists `u v t`, t an integer, are\nread too.  "
            "Either may be `-`, standard input.  Answers that --live names "
            "are\ncurrent after every batch, repaired from what changed or, "
            "if that is cheaper,\nrecomputed.",
        .more = "examples:\n"
                "  hypha stream graph.el changes.hys\n"
                "  hypha stream graph.el changes.hys --live bfs:source=5 "
                "--live pagerank:top=3\n"
                "  hypha stream base.e changes.delta --batch 1000 --json\n"
                "  hypha stream empty.el mails.txt --stream-from temporal "
                "--window 86400 --live wcc\n"
                "  printf '+ 7 8\\n' | hypha stream graph.hyg - --save new.hyg",
        .tail = live_print_kinds,
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

/* Options that say something about answers. */
static void check_answers(const struct stream *S)
{
    const char *const option = S->answers         ? "-o"
                               : S->check         ? "--check"
                               : S->top           ? "--top"
                               : S->changes       ? "--changes"
                               : S->source        ? "--source"
                               : S->common.device ? "--device"
                                                  : NULL;
    if (!S->live.n && option)
        cli_die(CLI_USAGE, "`%s` is about answers: name one with --live",
                option);
}

static void check(const struct stream *S)
{
    check_answers(S);
    if (!strcmp(S->graph, "-") && !strcmp(S->updates, "-"))
        cli_die(CLI_USAGE, "GRAPH and UPDATES cannot both be standard input");
    if (S->save && !strcmp(S->save, "-"))
        cli_die(CLI_USAGE, "`--save` needs a file: standard output has the "
                           "batches");
    if (S->answers && !strcmp(S->answers, "-"))
        cli_die(CLI_USAGE, "`-o` needs a directory: standard output has the "
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

static void print_json(const struct live_keeper *K, const struct live_batch *b)
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
    live_json(K, &J);
    json_close(&J, '}');
    json_end(&J);
}

static void print_line(const struct live_batch *b)
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

static void print_batch(const struct stream *S, const struct live_batch *b)
{
    if (S->common.json)
        print_json(&S->keeper, b);
    else if (S->keeper.n)
        live_print_batch(&S->keeper, b, S->verbose);
    else
        print_line(b);
    fflush(stdout);
}

/* ---- running ---------------------------------------------------------- */

static void commit(struct stream *S, const hy_batch *B, uint64_t number)
{
    hy_graph *const G = S->R.input.G;
    struct live_batch b = { .number = number, .lines = hy_batch_lines(B) };
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
    if (S->keeper.n)
        live_follow(&S->keeper, &delta);
    if (S->check)
        live_check(&S->keeper, number);
    print_batch(S, &b);
}

static void apply(struct stream *S, const hy_stream_opts *how)
{
    struct cli_input *const I = &S->R.input;
    hy_stream *stream = NULL;
    hy_batch *B = NULL;
    hy_diag diag = { .line = 0 };
    cli_signals_kill(true); /* while it waits for input */
    const hy_status opened = hy_stream_open(S->R.ctx, S->updates, I->G,
                                            I->names, how, &stream, &diag);
    cli_signals_kill(false);
    if (opened == HY_EINVAL && how->window)
        cli_die(CLI_USAGE, "`--window`: %s", hy_error_text());
    cli_must_read(opened, S->updates, &diag);
    cli_must(hy_batch_new(I->G, &B), "making a batch");
    for (uint64_t number = 1;; number++) {
        bool end = false;
        cli_signals_kill(true);
        const hy_status status = hy_stream_next(stream, B, &end, &diag);
        cli_signals_kill(false);
        cli_must_read(status, S->updates, &diag);
        if (end)
            break;
        commit(S, B, number);
    }
    hy_diag first;
    const uint64_t bad = hy_stream_bad(stream, &first);
    if (bad && !S->common.quiet)
        cli_note_bad(bad, &first);
    hy_batch_free(B);
    hy_stream_close(stream);
}

/* Dies if no answer can go there; those that cannot stay on the host. */
static void open_device(struct stream *S)
{
    bool can = false;
    S->R.device = cli_device(S->R.ctx, &S->common);
    if (!S->R.device)
        return;
    for (size_t i = 0; i < S->live.n; i++)
        can |= S->wants[i].kind->on_devices;
    if (!can)
        cli_die(CLI_FAILED, "none of these goes to a device; there go: %s",
                live_names_on_devices());
    hy_device_info_get(S->R.device, &S->R.device_info);
}

/* Attaches the answers, and shows where they stand. */
static void keep(struct stream *S)
{
    live_keeper_init(&S->keeper, &S->R, S->wants, S->live.n);
    S->keeper.is_checked = S->check;
    if (S->common.json || !S->live.n)
        return;
    live_print_head(&S->keeper);
    live_print_attached(&S->keeper);
    fflush(stdout);
}

static void make_folder(const char *dir)
{
    struct stat st;
    if (mkdir(dir, 0777) == 0 || (!stat(dir, &st) && S_ISDIR(st.st_mode)))
        return;
    cli_die(CLI_FAILED, "cannot make the directory %s: %s", dir,
            strerror(errno));
}

/* Dies if nothing can be written there: now and not when the stream ends. */
static void try_save(const struct stream *S)
{
    struct stat st;
    hy_out *out;
    if (!S->save || (!stat(S->save, &st) && !S_ISREG(st.st_mode)))
        return;
    cli_must_write(hy_out_open(S->R.ctx, S->save, &out), S->save);
    hy_out_drop(out);
}

static void finish(struct stream *S, const hy_write_opts *save)
{
    if (S->live.n && !S->common.json && !S->common.quiet)
        live_print_sums(&S->keeper);
    if (S->answers)
        live_write(&S->keeper, S->answers);
    if (S->save)
        cli_write(S->R.ctx, &S->common, &S->R.input, S->save, save);
    live_keeper_fini(&S->keeper);
    live_wants_fini(S->wants, S->live.n);
    hy_device_close(S->R.device);
    cli_free(S->R.order);
    cli_input_fini(&S->R.input);
    hy_ctx_free(S->R.ctx);
}

static void read_wants(struct stream *S)
{
    live_wants_of(&S->live, S->source, S->wants);
    for (size_t i = 0; i < S->live.n; i++) {
        struct live_want *const w = &S->wants[i];
        w->top = w->top ? w->top : S->top;
        w->changes = w->changes ? w->changes : S->changes;
    }
}

int cli_stream(int argc, char **argv)
{
    struct stream S = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                      CLI_HAS_WORK | CLI_HAS_MEMORY |
                                      CLI_HAS_DEVICE };
    parse(&S, argc, argv);
    check(&S);
    read_wants(&S);
    hy_read_opts opts = cli_read_opts(&S.common);
    opts.growing = true;
    const hy_stream_opts how = { .format = stream_format(S.format),
                                 .batch = S.batch,
                                 .window = S.window,
                                 .skip_bad = S.common.skip_bad };
    hy_write_opts save = { .format = HY_FORMAT_AUTO };
    if (S.save)
        save.format = cli_format_to(S.save, S.to);
    S.R.ctx = cli_ctx(S.common.threads);
    try_save(&S);
    cli_read(S.R.ctx, &S.common, S.graph, &opts, &S.R.input);
    if (S.answers)
        make_folder(S.answers);
    open_device(&S);
    keep(&S);
    apply(&S, &how);
    finish(&S, &save);
    return CLI_OK;
}
