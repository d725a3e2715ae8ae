/* The benchmark of the store: what its parts share.
 *
 * Every graph is a directed one that holds both directions of each edge, and
 * every figure counts directed edges, but where a case is called undirected.
 */
#ifndef CLI_BENCH_STORE_H
#define CLI_BENCH_STORE_H

#include "cli/bench.h"

struct bench {
    const struct bench_opts *opts;
    hy_ctx *ctx;
    struct report *report;
    const struct gen_graph *graph; /* the one that is measured now */
};

/* A case by its name, or by that of its group. */
bool bench_wants(const struct bench *b, const char *group, const char *name);

/* A graph loaded from the CSR that is measured now. */
hy_graph *bench_load(const struct bench *b, bool undirected);
hy_batch *bench_batch(const hy_graph *G);

/* `size` made as much smaller as the graph is smaller than scale 20's. */
uint64_t bench_scaled(const struct bench *b, uint64_t size);

/* The sizes of batches of edges: 1, 10, ... up to 10^7 and to the graph's
 * edges, or the one that is asked for.  Returns how many. */
enum { BENCH_SIZES = 8 };
size_t bench_sizes(const struct bench *b, uint64_t sizes[BENCH_SIZES]);

/* Whether a size of a case's own list is one of them. */
bool bench_has_size(const struct bench *b, uint64_t batch);

/* Small batches are committed in rounds until a trial has seen enough edges
 * or used up its time. */
static const double bench_trial_s = 0.1;
static inline uint64_t bench_rounds(uint64_t batch)
{
    const uint64_t edges = 200000;
    return batch < edges ? edges / batch : 1;
}

/* ---- edges -------------------------------------------------------------- */

hy_gen_draw bench_draw(const struct bench *b, bool skewed, uint64_t salt);

/* n random edges that G does not have; `drawn` says how many the draw gave
 * so far.  An edge may come twice. */
void bench_fresh(const struct bench *b, const hy_graph *G,
                 const hy_gen_draw *draw, uint64_t *drawn, uint64_t n,
                 hy_edge *out);

/* n edges of G: a random source each and one of its neighbours.  An edge may
 * come more than once. */
void bench_pick(const struct bench *b, const hy_graph *G, uint64_t seed,
                uint64_t n, hy_edge *out);

/* ---- commits ------------------------------------------------------------ */

/* Commits, and adds up what happened.  Returns the seconds it took. */
double bench_commit(hy_graph *G, const hy_batch *B, hy_counts *sum);

/* The same with a batch of n lines of one kind, which is filled first. */
enum bench_change { BENCH_INSERT, BENCH_DELETE };
double bench_change(hy_graph *G, hy_batch *B, enum bench_change change,
                    uint64_t n, const hy_edge *edges, hy_counts *sum);

/* Seconds to sort the edges' keys with the library's own sort; making the
 * keys is not timed.  `keys` and `scratch` hold n each. */
double bench_time_sort(const struct bench *b, uint64_t n, const hy_edge *edges,
                       uint64_t *keys, uint64_t *scratch);

/* Runs hy_graph_check; says what is wrong on standard error. */
bool bench_check(const struct bench *b, const hy_graph *G);

/* ---- scans ------------------------------------------------------------ */

/* The sum of all neighbours' ids, by all threads. */
enum { BENCH_PIECES = 256 };
uint64_t bench_scan_view(const struct bench *b, const hy_view *V,
                         const hy_vid *cuts);
uint64_t bench_scan_csr(const struct bench *b, const struct gen_csr *csr,
                        const hy_vid *cuts);

/* Cuts the vertices into BENCH_PIECES ranges of even work: the i-th is
 * cuts[i] .. cuts[i+1]. */
void bench_cut(const struct gen_csr *csr, hy_vid cuts[BENCH_PIECES + 1]);

/* ---- groups of cases -------------------------------------------------- */

typedef void bench_group(const struct bench *b);

bench_group bench_load_cases, bench_update_cases, bench_mixed_cases,
    bench_member_cases, bench_vertex_cases, bench_scan_cases,
    bench_memory_cases, bench_view_cases, bench_hub_cases;

#endif
