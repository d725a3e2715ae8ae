/* A graph twice: with answers attached, and bare. */
#include "cli/bench_live.h"

#include "cli/random.h"

#include <string.h>

static hy_graph *load(const struct rig *r)
{
    return bench_load_as(r->b->ctx, &r->b->graph->csr, r->weights, true);
}

void rig_init(struct rig *r, const struct bench *b, const int32_t *weights,
              hy_vid source, const char *const *kinds, size_t n)
{
    *r = (struct rig){ .b = b,
                       .weights = weights,
                       .R = { .ctx = b->ctx },
                       .texts.n = n,
                       .draw = bench_draw(b, false, random_mix(n)),
                       .right = true };
    memcpy(r->texts.at, kinds, n * sizeof *kinds);
    snprintf(r->source, sizeof r->source, "%u", source);
    live_wants_of(&r->texts, r->source, r->wants);
    r->bare = load(r);
    r->R.input.path = b->graph->name;
    r->R.input.G = load(r);
    live_keeper_init(&r->keeper, &r->R, r->wants, n);
    r->B = bench_batch(r->bare);
    const size_t bound = b->graph->csr.n;
    r->fresh.values = cli_alloc(bound, sizeof(uint64_t));
    r->fresh.parents = cli_alloc(bound, sizeof *r->fresh.parents);
    memset(r->fresh.values, 0, bound * sizeof(uint64_t));
    memset(r->fresh.parents, 0, bound * sizeof *r->fresh.parents);
}

void rig_fini(struct rig *r)
{
    live_keeper_fini(&r->keeper);
    live_wants_fini(r->wants, r->texts.n);
    cli_free(r->fresh.values);
    cli_free(r->fresh.parents);
    hy_batch_free(r->B);
    hy_graph_free(r->R.input.G);
    hy_graph_free(r->bare);
}

void rig_draw(struct rig *r, uint64_t n, hy_edge *out)
{
    bench_fresh(r->b, r->bare, &r->draw, &r->drawn, n, out);
}

void rig_pick(struct rig *r, uint64_t trial, uint64_t n, hy_edge *out)
{
    bench_pick(r->b, r->bare, random_at(r->draw.seed, trial), n, out);
}

/* The busiest vertex that is not one of n others. */
static hy_vid busiest(const hy_view *V, const hy_vid *others, uint64_t n)
{
    hy_vid best = HY_NONE;
    for (hy_vid v = 0; v < hy_view_bound(V); v++) {
        bool is_other = false;
        for (uint64_t i = 0; i < n; i++)
            is_other |= others[i] == v;
        if (!is_other &&
            (best == HY_NONE || hy_view_degree(V, v) > hy_view_degree(V, best)))
            best = v;
    }
    return best;
}

hy_edge *rig_hubs(struct rig *r, uint64_t n, uint64_t *start)
{
    const hy_view *const V = hy_graph_now(r->bare);
    hy_vid *const hub = cli_alloc(n, sizeof *hub);
    uint64_t most = 1, at = 0;
    for (uint64_t i = 0; i < n; i++) {
        hub[i] = busiest(V, hub, i);
        most += hy_view_degree(V, hub[i]);
    }
    hy_edge *const edges = cli_alloc(most, sizeof *edges);
    for (uint64_t i = 0; i < n; i++) {
        start[i] = at;
        hy_for_out_span (s, V, hub[i])
            for (uint32_t k = 0; k < s.n; k++) {
                const hy_vid v = s.v[k * s.step];
                bool is_gone = false;
                for (uint64_t j = 0; j < i; j++)
                    is_gone |= hub[j] == v;
                edges[at] = (hy_edge){ hub[i], v };
                at += !is_gone;
            }
    }
    start[n] = at;
    cli_free(hub);
    return edges;
}

/* ---- commits ------------------------------------------------------------- */

static void fill(struct rig *r, enum bench_change change, uint64_t n,
                 const hy_edge *edges)
{
    hy_batch_clear(r->B);
    if (change == BENCH_DELETE || !r->weights) {
        cli_must(change == BENCH_INSERT
                     ? hy_batch_insert_edges(r->B, n, edges, NULL)
                     : hy_batch_delete_edges(r->B, n, edges),
                 "filling a batch");
        return;
    }
    int32_t *const w = cli_alloc(n, sizeof *w);
    for (uint64_t i = 0; i < n; i++)
        w[i] = bench_weight(edges[i]);
    cli_must(hy_batch_insert_edges(r->B, n, edges, w), "filling a batch");
    cli_free(w);
}

struct rig_times rig_change(struct rig *r, enum bench_change change, uint64_t n,
                            const hy_edge *edges)
{
    hy_counts with = { 0 }, bare = { 0 };
    struct rig_times t = { 0 };
    fill(r, change, n, edges);
    const bool first = r->turn++ % 2 == 0;
    if (first)
        t.with = bench_commit(r->R.input.G, r->B, &with);
    t.bare = bench_commit(r->bare, r->B, &bare);
    if (!first)
        t.with = bench_commit(r->R.input.G, r->B, &with);
    for (size_t i = 0; r->is_anew && i < r->keeper.n; i++)
        t.anew += rig_recompute(r, i);
    r->right &= memcmp(&with, &bare, sizeof with) == 0;
    for (size_t i = 0; i < r->keeper.n; i++) {
        struct live_answer *const a = &r->keeper.at[i];
        hy_live_info_get(a->L, &a->info);
        a->repaired += a->info.how == HY_LIVE_REPAIRED;
        a->recomputed += a->info.how == HY_LIVE_RECOMPUTED;
        t.follow += a->info.seconds;
    }
    return t;
}

/* ---- from nothing -------------------------------------------------------- */

double rig_recompute(struct rig *r, size_t i)
{
    const struct live_answer *const a = &r->keeper.at[i];
    /* It leaves its graph in the caches, for the next commit: for two turns
     * one graph, for two the other, so that each is first and last. */
    const hy_graph *const G = r->turn / 2 % 2 ? r->bare : r->R.input.G;
    const hy_view *const V = hy_graph_now(G);
    const hy_bfs_opts any = { .source = a->terms.source };
    const double start = hy_clock();
    /* Any parents are found faster than the smallest. */
    const hy_status status =
        strcmp(a->kind->name, "bfs") == 0
            ? hy_bfs(V, &any, r->fresh.values, r->fresh.parents, NULL)
            : a->kind->compute(V, &a->terms, &r->fresh);
    const double s = hy_clock() - start;
    cli_must(status, a->kind->name);
    return s;
}

void rig_verify(struct rig *r)
{
    char why[LIVE_WHY];
    for (size_t i = 0; i < r->keeper.n; i++)
        if (!live_is_right(&r->keeper, &r->keeper.at[i], why)) {
            cli_note("%s: %s", r->b->graph->name, why);
            r->right = false;
        }
}
