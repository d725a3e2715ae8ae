/* `hypha convert`: from one file format to another. */
#include "cli/input.h"
#include "cli/json.h"
#include "cli/report.h"

#include <string.h>

enum { N_OPTIONS = 2 };

struct convert {
    struct cli_common common;
    const char *in, *out, *to;
    uint64_t level;
};

static void parse(struct convert *C, int argc, char **argv)
{
    const struct cli_option list[N_OPTIONS] = {
        cli_text("--to", "FORMAT", &C->to, "of OUT; default: by its name"),
        cli_number("--level", 1, 19, &C->level,
                   "how hard .gz (to 9) or .zst is packed"),
    };
    const struct cli_syntax syntax = {
        .command = "convert",
        .args = "IN OUT",
        .about =
            "Reads a graph in one format and writes it in another.  Names tell "
            "the formats,\n.gz and .zst are unpacked and packed, and `-` is "
            "standard input or output.\nOUT appears whole or not at all.",
        .more = "examples:\n"
                "  hypha convert wiki-Vote.txt wiki.hyg\n"
                "  hypha convert --undirected roads.gr roads.mtx.gz\n"
                "  zcat edges.gz | hypha convert --from csv - - --to el | head"
                "\n\n`hypha help formats` lists the formats.",
        .options = list,
        .n_options = N_OPTIONS,
        .common = &C->common,
        .least_words = 2,
        .most_words = 2
    };
    const char *words[2];
    cli_parse(&syntax, argc, argv, words);
    C->in = words[0];
    C->out = words[1];
    if (C->common.json && !strcmp(C->out, "-"))
        cli_die(CLI_USAGE, "`--json` and the graph cannot both go to standard "
                           "output; name a file");
}

static void print_json(const struct convert *C, const struct cli_input *I,
                       hy_format to, double s)
{
    const hy_view *const V = hy_graph_now(I->G);
    struct json J = { .to = stdout };
    json_open(&J, NULL, '{');
    json_text(&J, "in", C->in);
    json_text(&J, "out", C->out);
    json_text(&J, "from", hy_format_name(I->info.format));
    json_text(&J, "to", hy_format_name(to));
    json_count(&J, "vertices", hy_view_vertices(V));
    json_count(&J, "edges", hy_view_edges(V));
    json_count(&J, "repeats", I->info.repeats);
    json_count(&J, "bad", I->info.bad);
    json_number(&J, "load_s", I->s);
    json_number(&J, "write_s", s);
    json_close(&J, '}');
    json_end(&J);
}

/* What the new file will not hold, though the old one did. */
static void note_losses(const struct cli_input *I)
{
    char n[REPORT_COUNT];
    if (I->info.repeats)
        cli_note("%s: %s repeated edge%s merged, the last one of each stays",
                 I->path, report_count(I->info.repeats, n),
                 I->info.repeats == 1 ? "" : "s");
    if (I->info.ignored)
        cli_note("%s: %u column%s left out, %s", I->path, I->info.ignored,
                 I->info.ignored == 1 ? "" : "s", cli_why_ignored(&I->info));
}

/* GAP's files can say nothing of ids that are not 0 .. n - 1. */
static void note_numbers(const struct cli_input *I, const char *out,
                         hy_format format)
{
    const hy_view *const V = hy_graph_now(I->G);
    const uint64_t n = hy_view_vertices(V);
    bool is_kept = !I->names;
    for (hy_vid u = 0; u < hy_view_bound(V) && is_kept; u++)
        is_kept = !hy_view_has_vertex(V, u) || hy_view_external(V, u) < n;
    if ((format == HY_FORMAT_SG || format == HY_FORMAT_WSG) && !is_kept)
        cli_note("%s: vertices are numbered from 0, in ascending order of "
                 "their ids",
                 out);
}

int cli_convert(int argc, char **argv)
{
    struct convert C = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                       CLI_HAS_WORK | CLI_HAS_MEMORY };
    parse(&C, argc, argv);
    const hy_write_opts how = { .format = cli_format_to(C.out, C.to),
                                .level = (int)C.level };
    const hy_read_opts opts = cli_read_opts(&C.common);
    hy_ctx *const ctx = cli_ctx(C.common.threads);
    struct cli_input I;
    cli_read(ctx, &C.common, C.in, &opts, &I);
    if (!C.common.quiet) {
        note_losses(&I);
        note_numbers(&I, C.out, how.format);
    }
    const double start = hy_clock();
    cli_write(ctx, &C.common, &I, C.out, &how);
    if (C.common.json)
        print_json(&C, &I, how.format, hy_clock() - start);
    cli_input_fini(&I);
    hy_ctx_free(ctx);
    return CLI_OK;
}
