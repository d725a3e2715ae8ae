/* Vertices in, and vertices out with every edge at them.
 *
 *   for each trial
 *     insert   that many vertices, whatever ids they get;   take them out
 *     delete   that many random vertices;    put them and their edges back
 *
 * What comes after the semicolons is not timed.
 */
#include "cli/bench_store.h"
#include "cli/random.h"

#include <string.h>

struct vertices {
    const struct bench *b;
    bool undirected;
    uint64_t batch;
    hy_graph *G;
    hy_batch *B;
    hy_vid *ids; /* batch */
    struct report_times insert, delete;
    uint64_t detached; /* edges that went with their vertices, in all trials */
    bool right;
};

static void add_ids(hy_batch *B, bool insert, uint64_t n, const hy_vid *ids)
{
    for (uint64_t i = 0; i < n; i++)
        cli_must(insert ? hy_batch_insert_vertex(B, ids[i], NULL)
                        : hy_batch_delete_vertex(B, ids[i]),
                 "filling a batch");
}

static double commit(struct vertices *S, hy_delta *delta)
{
    const double start = hy_clock();
    const hy_status status = hy_graph_commit(S->G, S->B, delta);
    const double s = hy_clock() - start;
    cli_must(status, "committing a batch");
    return s;
}

static void insert_trial(struct vertices *S)
{
    hy_delta delta;
    hy_batch_clear(S->B);
    for (uint64_t i = 0; i < S->batch; i++)
        cli_must(hy_batch_insert_vertex(S->B, HY_ANY, NULL), "filling a batch");
    report_time(&S->insert, commit(S, &delta));
    S->right &= delta.vertices_inserted.n == S->batch &&
                delta.counts.vertices_inserted == S->batch;
    if (delta.vertices_inserted.n != S->batch)
        return;
    memcpy(S->ids, delta.vertices_inserted.at, S->batch * sizeof *S->ids);
    hy_batch_clear(S->B);
    add_ids(S->B, false, S->batch, S->ids);
    commit(S, &delta);
    S->right &= delta.counts.vertices_deleted == S->batch;
}

/* Distinct vertices of the loaded graph. */
static void choose(struct vertices *S, uint64_t seed)
{
    const hy_vid n = S->b->graph->csr.n;
    bool *const taken = cli_alloc_zeroed(n, sizeof *taken);
    uint64_t state = seed;
    for (uint64_t i = 0; i < S->batch;) {
        const hy_vid u = (hy_vid)random_below(random_next(&state), n);
        if (!taken[u])
            S->ids[i++] = u;
        taken[u] = true;
    }
    cli_free(taken);
}

static void restore(struct vertices *S, uint64_t n, const hy_edge *edges)
{
    hy_delta delta;
    hy_batch_clear(S->B);
    add_ids(S->B, true, S->batch, S->ids);
    cli_must(hy_batch_insert_edges(S->B, n, edges, NULL), "filling a batch");
    commit(S, &delta);
    S->right &= delta.counts.vertices_inserted == S->batch;
    S->right &= delta.counts.inserted == n;
}

static void delete_trial(struct vertices *S, uint64_t seed)
{
    const uint64_t before = hy_view_edges(hy_graph_now(S->G));
    choose(S, seed);
    hy_batch_clear(S->B);
    add_ids(S->B, false, S->batch, S->ids);
    hy_delta delta;
    report_time(&S->delete, commit(S, &delta));
    const uint64_t n = delta.deleted.n;
    S->right &= delta.counts.vertices_deleted == S->batch;
    S->right &= delta.counts.detached == n;
    S->right &= hy_view_edges(hy_graph_now(S->G)) == before - n;
    S->detached += n;
    hy_edge *const edges = cli_alloc(n, sizeof *edges);
    if (n)
        memcpy(edges, delta.deleted.at, n * sizeof *edges);
    restore(S, n, edges);
    cli_free(edges);
    S->right &= hy_view_edges(hy_graph_now(S->G)) == before;
}

static void print(struct vertices *S, const char *name,
                  const struct report_times *times, bool detached)
{
    if (!bench_wants(S->b, "vertex", name))
        return;
    const double trials = (double)S->b->opts->trials;
    struct report_row row = report_row_of(S->b->graph->name, name);
    row.batch = (double)S->batch;
    report_row_times(&row, times, "vertices", row.batch);
    if (detached) {
        const double edges = (double)S->detached / trials;
        report_row_number(&row, "detached", edges);
        report_row_number(&row, "edges_per_s", edges / row.median_s);
    }
    row.verified = S->right;
    report_print(S->b->report, &row);
}

static void run(const struct bench *b, bool undirected, uint64_t batch)
{
    struct vertices S = {
        .b = b, .undirected = undirected, .batch = batch, .right = true
    };
    report_progress(b->report, b->graph->name, "vertices", batch);
    S.G = bench_load(b, undirected);
    S.B = bench_batch(S.G);
    S.ids = cli_alloc(batch, sizeof *S.ids);
    for (uint64_t t = 0; t < b->opts->trials; t++) {
        insert_trial(&S);
        delete_trial(&S, random_at(b->opts->seed, batch + t));
    }
    S.right &= bench_check(b, S.G);
    print(&S, undirected ? "vertex_insert_undirected" : "vertex_insert",
          &S.insert, false);
    print(&S, undirected ? "vertex_delete_undirected" : "vertex_delete",
          &S.delete, true);
    cli_free(S.ids);
    hy_batch_free(S.B);
    hy_graph_free(S.G);
}

void bench_vertex_cases(const struct bench *b)
{
    for (int undirected = 0; undirected < 2; undirected++) {
        const bool wanted =
            undirected
                ? bench_wants(b, "vertex", "vertex_insert_undirected") ||
                      bench_wants(b, "vertex", "vertex_delete_undirected")
                : bench_wants(b, "vertex", "vertex_insert") ||
                      bench_wants(b, "vertex", "vertex_delete");
        if (!wanted)
            continue;
        for (uint64_t batch = 1000; batch <= 100000; batch *= 10)
            if (bench_has_size(b, batch) && batch <= b->graph->csr.n / 2)
                run(b, undirected, batch);
    }
}
