/* `hypha info`: what a graph is, and what it needs. */
#include "cli/degrees.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/report.h"

#include <string.h>

enum { N_OPTIONS = 1, BAR = 40 };

struct info {
    struct cli_common common;
    const char *path;
    bool estimate;
    struct cli_input input;
    struct shape shape;
    hy_graph_stats stats;
};

static void parse(struct info *N, int argc, char **argv)
{
    const struct cli_option list[N_OPTIONS] = {
        cli_flag("--estimate", &N->estimate,
                 "only what it will need, from head and size"),
    };
    const struct cli_syntax syntax = {
        .command = "info",
        .args = "GRAPH",
        .about =
            "Reads a graph and tells what it is: vertices and their ids, edges "
            "and their\ncolumns, degrees, memory.  What will not fit into "
            "memory is refused before it\nis read.  `-` is standard input.",
        .more = "examples:\n"
                "  hypha info wiki-Vote.txt\n"
                "  hypha info --undirected roads.mtx.gz --json\n"
                "  hypha info --memory 2G --estimate large.el",
        .options = list,
        .n_options = N_OPTIONS,
        .common = &N->common,
        .least_words = 1,
        .most_words = 1
    };
    cli_parse(&syntax, argc, argv, &N->path);
}

static const char *ids_kind(const struct info *N)
{
    return N->input.names ? "text" : N->shape.dense ? "dense" : "integer";
}

/* ---- for people ------------------------------------------------------- */

static void print_file(const struct info *N, FILE *to)
{
    const hy_read_info *const r = &N->input.info;
    char n[REPORT_COUNT];
    fprintf(to, "%-10s %s\n", "file",
            strcmp(N->path, "-") ? N->path : "standard input");
    fprintf(to, "%-10s %s%s%s (%s)\n", "format", hy_format_name(r->format),
            r->packed[0] ? " in " : "", r->packed, hy_format_text(r->format));
    if (r->repeats)
        fprintf(to, "%-10s %s merged, the last one of each stays\n", "repeats",
                report_count(r->repeats, n));
    if (r->bad)
        fprintf(to, "%-10s %s line%s skipped\n", "bad", report_count(r->bad, n),
                r->bad == 1 ? "" : "s");
    if (r->ignored)
        fprintf(to, "%-10s %u column%s, %s\n", "left out", r->ignored,
                r->ignored == 1 ? "" : "s", cli_why_ignored(r));
}

static void print_sizes(const struct info *N, FILE *to)
{
    const hy_view *const V = hy_graph_now(N->input.G);
    const struct shape *const s = &N->shape;
    char n[REPORT_COUNT];
    fprintf(to, "%-10s %s", "vertices", report_count(N->stats.vertices, n));
    if (s->isolated)
        fprintf(to, ", %s isolated", report_count(s->isolated, n));
    fprintf(to, "\n%-10s ", "ids");
    if (N->input.names)
        fputs("texts", to);
    else if (N->stats.vertices)
        fprintf(to, "%llu to %llu%s", (unsigned long long)s->least,
                (unsigned long long)s->most, s->dense ? "" : ", mapped");
    else
        fputs("none", to);
    fprintf(to, "\n%-10s %s, %s", "edges", report_count(N->stats.edges, n),
            hy_view_is_undirected(V) ? "undirected" : "directed");
    if (s->loops)
        fprintf(to, ", %s loop%s", report_count(s->loops, n),
                s->loops == 1 ? "" : "s");
    fprintf(to, "\n%-10s ", "columns");
    const uint32_t columns = hy_view_edge_columns(V);
    for (uint32_t i = 0; i < columns; i++) {
        const hy_column c = hy_view_edge_column(V, i);
        fprintf(to, "%s%s %s", i ? ", " : "", c.name, hy_type_name(c.type));
    }
    fputs(columns ? "\n" : "none\n", to);
}

static void print_memory(const struct info *N, FILE *to)
{
    char graph[REPORT_TEXT], guess[REPORT_TEXT], peak[REPORT_TEXT];
    fprintf(to, "%-10s %s", "memory",
            report_bytes((double)N->stats.bytes, graph));
    if (N->input.guessed)
        fprintf(to, "; guessed before: %s, and %s to read it",
                report_bytes((double)N->input.guess.graph_bytes, guess),
                report_bytes((double)N->input.guess.peak_bytes, peak));
    fputc('\n', to);
}

/* In proportion, but something is never shown as nothing. */
static size_t bar_length(uint64_t n, uint64_t longest)
{
    const size_t length = (size_t)((double)n / (double)longest * BAR + 0.5);
    return n && !length ? 1 : length;
}

static void print_degrees(const char *name, const struct degrees *d, FILE *to)
{
    char most[REPORT_COUNT], n[REPORT_COUNT], range[REPORT_TEXT + 32];
    uint64_t longest = 1;
    for (size_t i = 0; i < d->n_rows; i++)
        longest = d->row[i] > longest ? d->row[i] : longest;
    fprintf(to, "\n%s: least %u, median %.4g, mean %.4g, most %s\n", name,
            d->least, d->median, d->mean, report_count(d->most, most));
    for (size_t i = d->first_row; i < d->n_rows; i++) {
        uint64_t lo, hi;
        degree_row(i, &lo, &hi);
        if (lo == hi)
            snprintf(range, sizeof range, "%llu", (unsigned long long)lo);
        else
            snprintf(range, sizeof range, "%llu to %llu",
                     (unsigned long long)lo, (unsigned long long)hi);
        char bar[BAR + 1];
        const size_t length = bar_length(d->row[i], longest);
        memset(bar, '#', length);
        bar[length] = '\0';
        fprintf(to, "%22s %13s%s%s\n", range, report_count(d->row[i], n),
                length ? " " : "", bar);
    }
}

static void print_text(const struct info *N, FILE *to)
{
    print_file(N, to);
    print_sizes(N, to);
    print_memory(N, to);
    if (!N->stats.vertices)
        return;
    if (hy_view_is_undirected(hy_graph_now(N->input.G))) {
        print_degrees("degree", &N->shape.out, to);
        return;
    }
    print_degrees("out-degree", &N->shape.out, to);
    print_degrees("in-degree", &N->shape.in, to);
}

/* ---- for programs ----------------------------------------------------- */

static void json_degrees(struct json *J, const char *key,
                         const struct degrees *d)
{
    json_open(J, key, '{');
    json_count(J, "min", d->least);
    json_number(J, "median", d->median);
    json_number(J, "mean", d->mean);
    json_count(J, "max", d->most);
    json_open(J, "log2", '[');
    for (size_t i = 0; i < d->n_rows; i++)
        json_count(J, NULL, d->row[i]);
    json_close(J, ']');
    json_close(J, '}');
}

static void json_guess(struct json *J, const hy_estimate *g)
{
    json_open(J, "estimate", '{');
    json_count(J, "edges", g->edges);
    json_count(J, "graph_bytes", g->graph_bytes);
    json_count(J, "peak_bytes", g->peak_bytes);
    json_bool(J, "exact", g->exact);
    json_close(J, '}');
}

static void json_graph(struct json *J, const struct info *N)
{
    const hy_view *const V = hy_graph_now(N->input.G);
    const uint32_t columns = hy_view_edge_columns(V);
    json_count(J, "vertices", N->stats.vertices);
    json_count(J, "edges", N->stats.edges);
    json_bool(J, "directed", !hy_view_is_undirected(V));
    json_bool(J, "weighted", columns != 0);
    json_count(J, "loops", N->shape.loops);
    json_count(J, "bytes", N->stats.bytes);
    json_count(J, "isolated", N->shape.isolated);
    json_text(J, "ids", ids_kind(N));
    if (!N->input.names) {
        json_count(J, "id_min", N->shape.least);
        json_count(J, "id_max", N->shape.most);
    }
    json_open(J, "columns", '[');
    for (uint32_t i = 0; i < columns; i++) {
        const hy_column c = hy_view_edge_column(V, i);
        json_open(J, NULL, '{');
        json_text(J, "name", c.name);
        json_text(J, "type", hy_type_name(c.type));
        json_close(J, '}');
    }
    json_close(J, ']');
    if (hy_view_is_undirected(V)) {
        json_degrees(J, "degree", &N->shape.out);
    } else {
        json_degrees(J, "out_degree", &N->shape.out);
        json_degrees(J, "in_degree", &N->shape.in);
    }
}

static void print_json(const struct info *N, FILE *to)
{
    const hy_read_info *const r = &N->input.info;
    struct json J = { .to = to };
    json_open(&J, NULL, '{');
    json_text(&J, "file", N->path);
    json_graph(&J, N);
    json_text(&J, "format", hy_format_name(r->format));
    json_text(&J, "packed", r->packed);
    json_count(&J, "file_bytes", r->bytes);
    json_count(&J, "text_bytes", r->text_bytes);
    json_count(&J, "lines", r->lines);
    json_count(&J, "repeats", r->repeats);
    json_count(&J, "bad", r->bad);
    json_count(&J, "ignored", r->ignored);
    if (N->input.guessed)
        json_guess(&J, &N->input.guess);
    json_number(&J, "load_s", N->input.s);
    json_close(&J, '}');
    json_end(&J);
}

/* ---- without reading
 * --------------------------------------------------------- */

static void print_estimate(const struct info *N, const hy_estimate *g, FILE *to)
{
    if (N->common.json) {
        struct json J = { .to = to };
        json_open(&J, NULL, '{');
        json_text(&J, "file", N->path);
        json_text(&J, "format", hy_format_name(g->format));
        json_text(&J, "packed", g->packed);
        json_count(&J, "file_bytes", g->bytes);
        json_guess(&J, g);
        json_close(&J, '}');
        json_end(&J);
        return;
    }
    char text[REPORT_TEXT], n[REPORT_COUNT];
    fprintf(to, "%-10s %s\n", "file", N->path);
    fprintf(to, "%-10s %s%s%s (%s)\n", "format", hy_format_name(g->format),
            g->packed[0] ? " in " : "", g->packed, hy_format_text(g->format));
    fprintf(to, "%-10s %s%s\n", "edges", g->exact ? "" : "about ",
            report_count(g->edges, n));
    fprintf(to, "%-10s about %s", "memory",
            report_bytes((double)g->graph_bytes, text));
    fprintf(to, ", and %s to read it\n",
            report_bytes((double)g->peak_bytes, text));
}

static void estimate(const struct info *N, hy_ctx *ctx,
                     const hy_read_opts *opts, FILE *to)
{
    hy_estimate guess;
    if (!cli_guess(ctx, N->path, opts, &guess))
        cli_die(CLI_FAILED, "a pipe cannot be looked at before it is read; "
                            "leave `--estimate` out");
    print_estimate(N, &guess, to);
}

int cli_info(int argc, char **argv)
{
    struct info N = { .common.has = CLI_HAS_GRAPH | CLI_HAS_JSON |
                                    CLI_HAS_WORK | CLI_HAS_MEMORY |
                                    CLI_HAS_OUTPUT };
    parse(&N, argc, argv);
    const hy_read_opts opts = cli_read_opts(&N.common);
    hy_ctx *const ctx = cli_ctx(N.common.threads);
    struct cli_page page;
    cli_page_open(&page);
    if (N.estimate) {
        estimate(&N, ctx, &opts, page.to);
    } else {
        cli_read(ctx, &N.common, N.path, &opts, &N.input);
        hy_graph_stats_get(N.input.G, &N.stats);
        shape_of(hy_graph_now(N.input.G), &N.shape);
        (N.common.json ? print_json : print_text)(&N, page.to);
    }
    cli_page_close(&page, ctx, N.common.output);
    cli_input_fini(&N.input);
    hy_ctx_free(ctx);
    return CLI_OK;
}
