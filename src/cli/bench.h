/* `hypha bench`: what its suites share. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "cli/cli.h"
#include "cli/gen.h"
#include "cli/report.h"

struct bench_opts {
    bool json, quiet, quick;
    uint64_t threads, scale, trials, iterations, seed;
    uint64_t batch; /* this size alone; 0: all */
    const char *graph, *cases, *dir, *device;
};

/* Whether a comma-separated list holds the name. */
bool bench_lists(const char *list, const char *name);

/* As JSON: the row that tells of the run itself. */
void bench_print_run(const struct bench_opts *o, struct report *report);

/* The weight of an edge, 1 to 255, the same for both of its directions; and
 * those of all of csr's edges, to be freed. */
int32_t bench_weight(hy_edge e);
int32_t *bench_weights(hy_ctx *ctx, const struct gen_csr *csr);

/* A graph of csr's edges with these weights, or none (NULL); a directed one
 * has a reverse side. */
hy_graph *bench_load_as(hy_ctx *ctx, const struct gen_csr *csr,
                        const int32_t *weights, bool undirected);

/* A random vertex that has a way to at least half of all that have edges. */
hy_vid bench_source(const hy_view *V, const struct gen_csr *csr, uint64_t seed);

/* The other suites: their result is an exit code. */
int bench_load_suite(const struct bench_opts *o);
void bench_load_help(void);
int bench_static_suite(const struct bench_opts *o);
void bench_static_help(void);
int bench_device_suite(const struct bench_opts *o);
void bench_device_help(void);
int bench_live_suite(const struct bench_opts *o);
void bench_live_help(void);

#endif
