/* `hypha bench device`: what a device costs beside the host.
 *
 *   bfs ...   an algorithm on the device, ratio over the host's time
 *   upload    the whole graph, as after a rebalance
 *   update    a commit of fresh edges and the upload of what it touched;
 *             `ratio` is the upload of the whole over that
 *   noting    commits while a mirror is attached and nobody asks, ratio over
 *             those without
 *   start     a process that asks one thing, its kernels built before; ratio
 *             over one that has to build them
 */
#include "cli/bench_device.h"

#include <stdio.h>
#include <string.h>

void bench_device_help(void)
{
    fputs("  device   the device of --device next to the host, a case each:\n"
          "          ",
          stdout);
    for (size_t i = 0; device_ask_names[i]; i++)
        printf(" %s", device_ask_names[i]);
    puts("\n"
         "                      the algorithm, over the host's time\n"
         "           upload     all of the graph\n"
         "           update     commits, and the upload of what they touched\n"
         "           noting     commits with a mirror that nobody asks\n"
         "           start      a process whose kernels were built before");
}

bool device_wants(const struct device_bed *B, const char *name)
{
    return !B->b.opts->cases || bench_lists(B->b.opts->cases, name);
}

static bool has_name(const char *const *names, const char *name, size_t n)
{
    while (*names && (strlen(*names) != n || memcmp(*names, name, n) != 0))
        names++;
    return *names;
}

static void check_names(const char *list)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        if (!has_name(device_ask_names, at, n) &&
            !has_name(device_update_names, at, n) &&
            !has_name(device_start_names, at, n))
            cli_die(CLI_USAGE, "no case `%.*s`; try `hypha bench --help`",
                    (int)n, at);
        at += n + (at[n] == ',');
    }
}

static void run_graph(struct device_bed *B, hy_gen_kind kind)
{
    struct gen_graph graph;
    gen_make(B->b.ctx, kind, (unsigned)B->b.opts->scale, B->b.opts->seed,
             &graph);
    B->b.graph = &graph;
    device_ask_cases(B);
    device_update_cases(B);
    gen_csr_fini(&graph.csr);
}

int bench_device_suite(const struct bench_opts *o)
{
    static const char *const kinds[] = { "kron", "urand", "grid" };
    check_names(o->cases);
    struct report report;
    struct device_bed B = { .b = { .opts = o, .ctx = cli_ctx(o->threads) },
                            .name = o->device ? o->device : "1" };
    B.b.report = &report;
    B.D = cli_device_open(B.b.ctx, B.name);
    report_init(&report, "device", hy_ctx_threads(B.b.ctx), o->json, o->quiet);
    bench_print_run(o, &report);
    for (hy_gen_kind kind = HY_GEN_KRON; kind <= HY_GEN_GRID; kind++)
        if (!o->graph || !strcmp(o->graph, "all") ||
            !strcmp(o->graph, kinds[kind]))
            run_graph(&B, kind);
    device_start_cases(&B);
    hy_device_close(B.D);
    hy_ctx_free(B.b.ctx);
    return report_finish(&report, o->quiet) ? CLI_OK : CLI_FAILED;
}
