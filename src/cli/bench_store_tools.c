/* What the parts of the benchmark share: graphs, edges, commits, scans. */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <stdio.h>

enum { GRAIN = 1 << 10 };

/* ---- graphs -------------------------------------------------------------- */

hy_graph *bench_load(const struct bench *b, bool undirected)
{
    const struct gen_csr *const csr = &b->graph->csr;
    const hy_graph_opts opts = { .undirected = undirected };
    hy_graph *G = NULL;
    cli_must(hy_graph_new(b->ctx, &opts, &G), "making a graph");
    cli_must(hy_graph_load_csr(G, csr->n, csr->offsets, csr->targets, NULL),
             "loading a graph");
    return G;
}

hy_batch *bench_batch(const hy_graph *G)
{
    hy_batch *B = NULL;
    cli_must(hy_batch_new(G, &B), "making a batch");
    return B;
}

uint64_t bench_scaled(const struct bench *b, uint64_t size)
{
    const uint64_t scale = b->opts->scale;
    const uint64_t scaled = scale < 20 ? size >> (20 - scale) : size;
    return scaled ? scaled : 1;
}

size_t bench_sizes(const struct bench *b, uint64_t sizes[BENCH_SIZES])
{
    if (b->opts->batch) {
        sizes[0] = b->opts->batch;
        return 1;
    }
    size_t n = 0;
    const uint64_t step = b->opts->quick ? 100 : 10;
    for (uint64_t size = 1; n < BENCH_SIZES; size *= step)
        if (size <= 10000000 && size <= b->graph->csr.m)
            sizes[n++] = size;
        else
            break;
    return n;
}

bool bench_has_size(const struct bench *b, uint64_t batch)
{
    return b->opts->batch ? b->opts->batch == batch : batch <= b->graph->csr.m;
}

/* ---- edges --------------------------------------------------------------- */

hy_gen_draw bench_draw(const struct bench *b, bool skewed, uint64_t salt)
{
    const uint64_t seed = random_at(~b->opts->seed, salt);
    return gen_draw_of(&b->graph->csr, b->opts->seed, seed, skewed);
}

void bench_fresh(const struct bench *b, const hy_graph *G,
                 const hy_gen_draw *draw, uint64_t *drawn, uint64_t n,
                 hy_edge *out)
{
    bool *const found = cli_alloc(n, sizeof *found);
    for (uint64_t kept = 0; kept < n;) {
        const uint64_t more = n - kept;
        gen_draw_edges(b->ctx, draw, *drawn, more, out + kept);
        *drawn += more;
        hy_view_has_edges(hy_graph_now(G), more, out + kept, found);
        uint64_t to = kept;
        for (uint64_t i = 0; i < more; i++)
            if (!found[i])
                out[to++] = out[kept + i];
        kept = to;
    }
    cli_free(found);
}

struct pick_job {
    const hy_view *V;
    uint64_t seed;
    hy_edge *out;
};

/* The i-th neighbour of u. */
static hy_vid neighbour(const hy_view *V, hy_vid u, uint32_t i)
{
    hy_for_out_span (s, V, u) {
        if (i < s.n)
            return s.v[(size_t)i * s.step];
        i -= s.n;
    }
    return HY_NONE;
}

static void pick_par(void *arg, size_t lo, size_t hi)
{
    const struct pick_job *const job = arg;
    const hy_vid bound = hy_view_bound(job->V);
    for (size_t i = lo; i < hi; i++) {
        uint64_t state = random_start(job->seed, i);
        uint32_t degree = 0;
        hy_vid u = 0;
        while (!degree) {
            u = (hy_vid)random_below(random_next(&state), bound);
            degree = hy_view_degree(job->V, u);
        }
        const uint64_t which = random_below(random_next(&state), degree);
        job->out[i] = (hy_edge){ u, neighbour(job->V, u, (uint32_t)which) };
    }
}

void bench_pick(const struct bench *b, const hy_graph *G, uint64_t seed,
                uint64_t n, hy_edge *out)
{
    struct pick_job job = { .V = hy_graph_now(G), .seed = seed, .out = out };
    if (!hy_view_arcs(job.V))
        cli_die(CLI_FAILED, "no edge is left to be picked");
    hy_par_for(b->ctx, n, GRAIN, pick_par, &job);
}

/* ---- commits ------------------------------------------------------------- */

double bench_commit(hy_graph *G, const hy_batch *B, hy_counts *sum)
{
    hy_delta delta;
    const double start = hy_clock();
    const hy_status status = hy_graph_commit(G, B, &delta);
    const double s = hy_clock() - start;
    cli_must(status, "committing a batch");
    sum->inserted += delta.counts.inserted;
    sum->deleted += delta.counts.deleted;
    sum->duplicate += delta.counts.duplicate;
    sum->missing += delta.counts.missing;
    sum->vertices_inserted += delta.counts.vertices_inserted;
    sum->vertices_deleted += delta.counts.vertices_deleted;
    sum->detached += delta.counts.detached;
    return s;
}

double bench_change(hy_graph *G, hy_batch *B, enum bench_change change,
                    uint64_t n, const hy_edge *edges, hy_counts *sum)
{
    hy_batch_clear(B);
    cli_must(change == BENCH_INSERT ? hy_batch_insert_edges(B, n, edges, NULL)
                                    : hy_batch_delete_edges(B, n, edges),
             "filling a batch");
    return bench_commit(G, B, sum);
}

double bench_time_sort(const struct bench *b, uint64_t n, const hy_edge *edges,
                       uint64_t *keys, uint64_t *scratch)
{
    const unsigned bits = gen_bits(b->graph->csr.n);
    for (uint64_t i = 0; i < n; i++)
        keys[i] = (uint64_t)edges[i].u << 32 | edges[i].v;
    const double start = hy_clock();
    (void)hy_par_sort_keys(b->ctx, keys, scratch, n, bits, bits);
    return hy_clock() - start;
}

bool bench_check(const struct bench *b, const hy_graph *G)
{
    report_progress(b->report, b->graph ? b->graph->name : "star", "check", 0);
    const char *why = "";
    const bool sound = hy_graph_check(G, &why);
    if (!sound)
        fprintf(stderr, "hypha: the graph is broken: %s\n", why);
    return sound;
}

/* ---- scans --------------------------------------------------------------- */

void bench_cut(const struct gen_csr *csr, hy_vid cuts[BENCH_PIECES + 1])
{
    const uint64_t work = csr->m + csr->n;
    hy_vid u = 0;
    for (uint64_t i = 0; i <= BENCH_PIECES; i++) {
        while (u < csr->n && csr->offsets[u] + u < work / BENCH_PIECES * i)
            u++;
        cuts[i] = i == BENCH_PIECES ? csr->n : u;
    }
}

struct scan_job {
    const hy_view *V;
    const struct gen_csr *csr;
    const hy_vid *cuts;
    uint64_t sums[BENCH_PIECES];
};

/* Graphs of the benchmark are not interleaved: the step is 1. */
static uint64_t sum_span(hy_span s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s.n; i++)
        sum += s.v[i];
    return sum;
}

static void scan_view_par(void *arg, size_t lo, size_t hi)
{
    struct scan_job *const job = arg;
    for (size_t i = lo; i < hi; i++) {
        uint64_t sum = 0;
        hy_scan scan = hy_scan_out(job->V, job->cuts[i], job->cuts[i + 1]);
        while (hy_scan_next(&scan))
            sum += sum_span(scan.span);
        job->sums[i] = sum;
    }
}

static void scan_csr_par(void *arg, size_t lo, size_t hi)
{
    struct scan_job *const job = arg;
    const uint64_t *const offsets = job->csr->offsets;
    const hy_vid *const targets = job->csr->targets;
    for (size_t i = lo; i < hi; i++) {
        uint64_t sum = 0;
        for (hy_vid u = job->cuts[i]; u < job->cuts[i + 1]; u++)
            for (uint64_t e = offsets[u]; e < offsets[u + 1]; e++)
                sum += targets[e];
        job->sums[i] = sum;
    }
}

static uint64_t total(const struct scan_job *job)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < BENCH_PIECES; i++)
        sum += job->sums[i];
    return sum;
}

uint64_t bench_scan_view(const struct bench *b, const hy_view *V,
                         const hy_vid *cuts)
{
    struct scan_job job = { .V = V, .cuts = cuts };
    hy_par_for(b->ctx, BENCH_PIECES, 1, scan_view_par, &job);
    return total(&job);
}

uint64_t bench_scan_csr(const struct bench *b, const struct gen_csr *csr,
                        const hy_vid *cuts)
{
    struct scan_job job = { .csr = csr, .cuts = cuts };
    hy_par_for(b->ctx, BENCH_PIECES, 1, scan_csr_par, &job);
    return total(&job);
}
