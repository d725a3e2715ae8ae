/* Graphs from outside: how much they need, reading, what went wrong. */
#include "cli/input.h"

#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

hy_format cli_format(const char *option, const char *name)
{
    if (!name)
        return HY_FORMAT_AUTO;
    const hy_format format = hy_format_find(name);
    if (format < HY_FORMATS)
        return format;
    const char *names[HY_FORMATS];
    for (size_t i = 0; i < HY_FORMATS; i++)
        names[i] = hy_format_name((hy_format)i);
    char what[64];
    snprintf(what, sizeof what, "`%s`: no format", option);
    cli_die_unknown(what, name, names, HY_FORMATS, "help formats");
}

hy_format cli_format_to(const char *path, const char *to)
{
    const hy_format format =
        to ? cli_format("--to", to) : hy_format_of_path(path);
    if (format == HY_FORMAT_AUTO)
        cli_die(CLI_USAGE,
                "`%s` tells no format; say --to, `hypha help formats` lists "
                "them",
                path);
    return format;
}

hy_read_opts cli_read_opts(const struct cli_common *c)
{
    return (hy_read_opts){
        .format = cli_format("--from", c->from),
        .sense = c->directed     ? HY_DIRECTED
                 : c->undirected ? HY_UNDIRECTED
                                 : HY_AS_WRITTEN,
        .id_kind = !c->ids                   ? HY_ID_AUTO
                   : !strcmp(c->ids, "text") ? HY_ID_TEXT
                                             : HY_ID_INTEGER,
        .weighting = c->weighted     ? HY_WEIGHTS_NEED
                     : c->no_weights ? HY_WEIGHTS_DROP
                                     : HY_WEIGHTS_AUTO,
        .skip_bad = c->skip_bad,
        .verify = c->verify,
        .memory = c->memory ? c->memory : machine_memory_free(),
    };
}

/* ---- what went wrong -------------------------------------------------- */

static const char *shown(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

/* "file:line:", or "file:" if it is the whole file or a binary one, whose
 * text tells the byte. */
static void print_place(const hy_diag *d)
{
    fprintf(stderr, "%s:", shown(d->file));
    if (d->line)
        fprintf(stderr, "%llu:", (unsigned long long)d->line);
}

static _Noreturn void die_bad(const char *path, const hy_diag *diag)
{
    cli_progress_clear();
    fflush(stdout);
    if (diag->text[0]) {
        print_place(diag);
        fprintf(stderr, " %s\n", diag->text);
    } else {
        fprintf(stderr, "%s: %s\n", shown(path), hy_error_text());
    }
    exit(CLI_BAD_INPUT);
}

void cli_note_bad(uint64_t n, const hy_diag *first)
{
    cli_progress_clear();
    fprintf(stderr, "hypha: %llu bad line%s skipped, the first is ",
            (unsigned long long)n, n == 1 ? "" : "s");
    print_place(first);
    fprintf(stderr, " %s\n", first->text);
}

/* Of the outside world: the details tell all, and name the file. */
static _Noreturn void die_outside(hy_status status, const char *path)
{
    const char *const details = hy_error_text();
    if (details[0])
        cli_die(CLI_FAILED, "%s", details);
    cli_die(CLI_FAILED, "%s: %s", path, hy_status_text(status));
}

void cli_must_read(hy_status status, const char *path, const hy_diag *diag)
{
    if (status == HY_OK)
        return;
    if (status == HY_ESTOPPED || cli_stopped())
        cli_stop();
    /* What would not fit was refused before: a file that is too large still
     * holds more than its size let expect.  It unpacks to too much, or is one
     * endless line. */
    if (status == HY_EFORMAT || status == HY_EFULL)
        die_bad(path, diag);
    if (status == HY_ENOMEM)
        cli_die(CLI_FAILED, "%s does not fit into memory: %s", path,
                hy_error_text());
    if (status == HY_EIO && !strncmp(hy_error_text(), path, strlen(path)))
        cli_die(CLI_FAILED, "cannot read %s", hy_error_text());
    die_outside(status, path);
}

void cli_must_write(hy_status status, const char *path)
{
    if (status == HY_OK)
        return;
    if (status == HY_ESTOPPED || cli_stopped())
        cli_stop();
    die_outside(status, path);
}

/* ---- reading ---------------------------------------------------------- */

const char *cli_why_ignored(const hy_read_info *info)
{
    return info->format == HY_FORMAT_METIS || info->format == HY_FORMAT_LDBC
               ? "being of vertices"
               : "being no numbers";
}

bool cli_guess(hy_ctx *ctx, const char *path, const hy_read_opts *opts,
               hy_estimate *out)
{
    struct stat st;
    if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode)))
        return false;
    hy_diag diag = { .line = 0 };
    cli_must_read(hy_graph_estimate(ctx, path, opts, out, &diag), path, &diag);
    return true;
}

/* Says what does not fit, and what would. */
static _Noreturn void die_too_large(hy_ctx *ctx, const char *path,
                                    const hy_read_opts *opts,
                                    const hy_estimate *guess, bool limited)
{
    char need[REPORT_TEXT], have[REPORT_TEXT], less[REPORT_TEXT];
    char edges[REPORT_TEXT];
    hy_read_opts bare = *opts;
    bare.weighting = HY_WEIGHTS_DROP;
    hy_estimate plain;
    hy_diag diag;
    const bool helps =
        opts->weighting == HY_WEIGHTS_AUTO &&
        hy_graph_estimate(ctx, path, &bare, &plain, &diag) == HY_OK &&
        plain.peak_bytes <= opts->memory;
    if (helps)
        snprintf(less, sizeof less, "%s", "--no-weights fits");
    else
        snprintf(less, sizeof less, "%s edges would fit",
                 report_si((double)(uint64_t)((double)guess->edges *
                                              (double)opts->memory /
                                              (double)guess->peak_bytes),
                           edges));
    cli_die(CLI_FAILED, "%s needs about %s to be read, and %s %s; %s%s", path,
            report_bytes((double)guess->peak_bytes, need),
            report_bytes((double)opts->memory, have),
            limited ? "is the limit" : "is free", helps ? "" : "about ", less);
}

void cli_read(hy_ctx *ctx, const struct cli_common *common, const char *path,
              const hy_read_opts *opts, struct cli_input *out)
{
    *out = (struct cli_input){ .path = path };
    struct cli_progress progress =
        cli_progress_of("reading", path, "B", common->quiet);
    hy_read_opts how = *opts;
    how.progress = cli_progress_tick;
    how.user = &progress;
    out->guessed = cli_guess(ctx, path, &how, &out->guess);
    if (out->guessed && how.memory && out->guess.peak_bytes > how.memory)
        die_too_large(ctx, path, &how, &out->guess, common->memory != 0);
    hy_diag diag = { .line = 0 };
    const double start = hy_clock();
    cli_signals_kill(true);
    const hy_status status =
        hy_graph_read(ctx, path, &how, &out->G, &out->names, &out->info, &diag);
    cli_signals_kill(false);
    cli_progress_clear();
    cli_must_read(status, path, &diag);
    out->s = hy_clock() - start;
    if (out->info.bad && !common->quiet)
        cli_note_bad(out->info.bad, &out->info.first_bad);
}

void cli_input_fini(struct cli_input *I)
{
    hy_graph_free(I->G);
    hy_names_free(I->names);
}

/* ---- writing ---------------------------------------------------------- */

void cli_write(hy_ctx *ctx, const struct cli_common *common,
               const struct cli_input *I, const char *path,
               const hy_write_opts *opts)
{
    struct cli_progress progress =
        cli_progress_of("writing", path, " edges", common->quiet);
    hy_write_opts how = *opts;
    how.progress = cli_progress_tick;
    how.user = &progress;
    const hy_status status =
        hy_graph_write(ctx, hy_graph_now(I->G), I->names, path, &how);
    cli_progress_clear();
    cli_must_write(status, path);
}

void cli_page_open(struct cli_page *P)
{
    *P = (struct cli_page){ .to = NULL };
    P->to = open_memstream(&P->text, &P->n);
    if (!P->to)
        cli_die(CLI_FAILED, "out of memory");
}

static hy_status put_page(const struct cli_page *P, hy_ctx *ctx,
                          const char *path)
{
    hy_out *out = NULL;
    hy_status status = hy_out_open(ctx, path, &out);
    if (status != HY_OK)
        return status;
    status = hy_out_put(out, P->text, P->n);
    if (status == HY_OK)
        return hy_out_close(out);
    hy_out_drop(out);
    return status;
}

void cli_page_close(struct cli_page *P, hy_ctx *ctx, const char *path)
{
    const bool whole = !ferror(P->to);
    if (fclose(P->to) != 0 || !whole)
        cli_die(CLI_FAILED, "out of memory");
    if (!path || !strcmp(path, "-"))
        fwrite(P->text, 1, P->n, stdout);
    else
        cli_must_write(put_page(P, ctx, path), path);
    free(P->text);
}
