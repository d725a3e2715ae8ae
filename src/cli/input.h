/* Graphs and streams from outside, as every command takes them; answers to
 * the outside. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/cli.h"

#include <hypha/io.h>

#include <stdio.h>

/* The format that an option names, dying with a hint; NULL: HY_FORMAT_AUTO. */
hy_format cli_format(const char *option, const char *name);

/* What the options common to all say about reading.  `memory` is the limit,
 * or what is free. */
hy_read_opts cli_read_opts(const struct cli_common *common);

struct cli_input {
    const char *path;
    hy_graph *G;       /* owned */
    hy_names *names;   /* owned; NULL if ids are integers */
    hy_estimate guess; /* if `guessed`: pipes cannot be looked at before */
    bool guessed;
    hy_read_info info;
    double s;
};

/* What the file will need; false if it is a pipe.  Dies as cli_read does. */
bool cli_guess(hy_ctx *ctx, const char *path, const hy_read_opts *opts,
               hy_estimate *out);

/* Reads the graph at `path`, or dies: with `file:line: ...` and 3 if it is
 * malformed, with 1 and what would help if it does not fit. */
void cli_read(hy_ctx *ctx, const struct cli_common *common, const char *path,
              const hy_read_opts *opts, struct cli_input *out);
void cli_input_fini(struct cli_input *I);

/* Why columns were left out. */
const char *cli_why_ignored(const hy_read_info *info);

/* Dies of what a reader returned, unless it is HY_OK. */
void cli_must_read(hy_status status, const char *path, const hy_diag *diag);

/* Remarks on bad lines that were skipped. */
void cli_note_bad(uint64_t n, const hy_diag *first);

/* The same for what a writer returned. */
void cli_must_write(hy_status status, const char *path);

/* Writes what the graph is now, with progress; dies if it cannot. */
void cli_write(hy_ctx *ctx, const struct cli_common *common,
               const struct cli_input *I, const char *path,
               const hy_write_opts *opts);

/* The format that writing to `path` takes, dying if neither it nor `--to`
 * tells. */
hy_format cli_format_to(const char *path, const char *to);

/* ---- a page: text that appears whole ------------------------------------- */

struct cli_page {
    FILE *to;
    char *text;
    size_t n;
};

void cli_page_open(struct cli_page *P);

/* Writes it to the file, or to standard output if `path` is NULL. */
void cli_page_close(struct cli_page *P, hy_ctx *ctx, const char *path);

#endif
