#include "support/trial.h"

#include "support/random.h"

#include <stdlib.h>

static bool is_ok(struct trial *T, hy_status status, const char *what)
{
    return status == HY_OK || why_not(&T->why, "%s: %s: %s", what,
                                      hy_status_text(status), hy_error_text());
}

bool trial_init(struct trial *T, hy_ctx *ctx, const hy_graph_opts *opts,
                uint64_t seed)
{
    *T = (struct trial){ .ctx = ctx, .opts = *opts, .rng = seed };
    T->M = model_new(opts);
    return is_ok(T, hy_graph_new(ctx, opts, &T->G), "graph_new") &&
           is_ok(T, hy_batch_new(T->G, &T->B), "batch_new");
}

void trial_fini(struct trial *T)
{
    hy_batch_free(T->B);
    hy_graph_free(T->G);
    model_free(T->M);
    lines_fini(&T->lines);
    *T = (struct trial){ 0 };
}

/* ---- loading ---------------------------------------------------------- */

/* Edges to be loaded; `line` says the same to the model. */
struct load {
    uint64_t n, m;
    hy_edge *edges;
    hy_pair *pairs;
    unsigned char *values; /* NULL, or m records */
};

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

static void load_init(struct load *L, struct trial *T, enum trial_start start)
{
    const size_t size = T->M->edge.size;
    const bool is_valued = size && rng_chance(&T->rng, 80);
    L->edges = must(calloc(L->m + 1, sizeof *L->edges));
    L->pairs = must(calloc(L->m + 1, sizeof *L->pairs));
    L->values = is_valued ? must(calloc(L->m + 1, size)) : NULL;
    for (uint64_t i = 0; i < L->m; i++) {
        struct line l = { .kind = LINE_INSERT_EDGE, .is_valued = is_valued };
        l.u = rng_below(&T->rng, L->n);
        l.v = rng_below(&T->rng, L->n);
        l.values = layout_random(&T->M->edge, &T->rng);
        L->edges[i] = (hy_edge){ (hy_vid)l.u, (hy_vid)l.v };
        if (start == TRIAL_PAIRS) {
            l.u = external_of(T->M, l.u);
            l.v = external_of(T->M, l.v);
        }
        L->pairs[i] = (hy_pair){ l.u, l.v };
        for (size_t k = 0; is_valued && k < size; k++)
            L->values[i * size + k] = l.values.at[k];
        lines_add(&T->lines, l);
    }
}

static void load_fini(struct load *L)
{
    free(L->edges);
    free(L->pairs);
    free(L->values);
}

static void csr_put(const struct load *L, size_t size, uint64_t i, uint64_t at,
                    hy_vid v, hy_vid *targets, unsigned char *values)
{
    targets[at] = v;
    for (size_t k = 0; L->values && k < size; k++)
        values[at * size + k] = L->values[i * size + k];
}

/* Edges become rows, in their order; both directions if undirected. */
static hy_status load_csr(struct trial *T, const struct load *L)
{
    const size_t size = T->M->edge.size;
    const bool both = T->opts.undirected;
    uint64_t *offsets = must(calloc(L->n + 2, sizeof *offsets));
    hy_vid *targets = must(calloc(2 * L->m + 1, sizeof *targets));
    unsigned char *values = must(calloc(2 * L->m + 1, size + 1));
    uint64_t at = 0;
    for (uint64_t u = 0; u < L->n; u++) {
        offsets[u] = at;
        for (uint64_t i = 0; i < L->m; i++) {
            const hy_edge e = L->edges[i];
            if (e.u == u)
                csr_put(L, size, i, at++, e.v, targets, values);
            else if (both && e.v == u)
                csr_put(L, size, i, at++, e.u, targets, values);
        }
    }
    offsets[L->n] = at;
    const hy_status status = hy_graph_load_csr(T->G, L->n, offsets, targets,
                                               L->values ? values : NULL);
    free(offsets);
    free(targets);
    free(values);
    return status;
}

/* The order in which a CSR names directed edges is that of the rows; the
 * order within a row is that of the list, so that the last one still wins. */
static hy_status load(struct trial *T, const struct load *L,
                      enum trial_start start)
{
    switch (start) {
    case TRIAL_EDGES:
        return hy_graph_load_edges(T->G, L->n, L->m, L->edges, L->values);
    case TRIAL_CSR:
        return load_csr(T, L);
    case TRIAL_PAIRS:
        return hy_graph_load_pairs(T->G, L->m, L->pairs, L->values);
    default:
        return HY_OK;
    }
}

bool trial_load(struct trial *T, enum trial_start start, uint64_t n, uint64_t m)
{
    struct load L = { .n = n, .m = n ? m : 0 };
    hy_counts counts;
    if (start == TRIAL_EMPTY)
        return true;
    if (start == TRIAL_PAIRS && !T->M->is_mapped)
        start = TRIAL_EDGES;
    T->lines.n = 0;
    for (uint64_t u = 0; start != TRIAL_PAIRS && u < n; u++)
        lines_vertex(&T->lines, LINE_INSERT_VERTEX, u);
    load_init(&L, T, start);
    const hy_status status = load(T, &L, start);
    load_fini(&L);
    return is_ok(T, status, "load") &&
           is_ok(T, model_apply(T->M, &T->lines, &counts), "model") &&
           model_learn(T->M, hy_graph_now(T->G), &T->why) && trial_compare(T);
}

/* ---- changing --------------------------------------------------------- */

hy_status trial_fill(struct trial *T)
{
    hy_batch_clear(T->B);
    return lines_put(&T->lines, T->B);
}

static bool is_version(struct trial *T, uint64_t before, const hy_delta *delta)
{
    const uint64_t now = hy_view_version(hy_graph_now(T->G));
    if (delta->version != now || now < before)
        return why_not(&T->why, "version was %llu, is %llu, delta says %llu",
                       (unsigned long long)before, (unsigned long long)now,
                       (unsigned long long)delta->version);
    return true;
}

static bool compare_commit(struct trial *T, const hy_delta *delta)
{
    struct model *before = model_copy(T->M);
    const hy_status want = model_apply(T->M, &T->lines, &T->counts);
    const bool is_same =
        is_ok(T, want, "commit does what the model does not") &&
        model_compare_counts(&T->counts, &delta->counts, &T->why) &&
        model_learn(T->M, hy_graph_now(T->G), &T->why) &&
        model_compare_delta(before, T->M, delta, &T->why);
    model_free(before);
    return is_same;
}

bool trial_confirm(struct trial *T, const hy_delta *delta)
{
    if (!lines_learn(&T->lines, delta, hy_graph_now(T->G)))
        return why_not(&T->why, "the delta does not tell ids of HY_ANY");
    return compare_commit(T, delta);
}

static bool commit_filled(struct trial *T)
{
    hy_delta delta;
    const uint64_t version = hy_view_version(hy_graph_now(T->G));
    if (hy_batch_lines(T->B) != T->lines.n)
        return why_not(&T->why, "the batch miscounts its lines");
    const hy_status status = hy_graph_commit(T->G, T->B, &delta);
    if (status != HY_OK) {
        const hy_status want = model_apply(T->M, &T->lines, &T->counts);
        return status == want || is_ok(T, status, "commit");
    }
    return is_version(T, version, &delta) && trial_confirm(T, &delta);
}

bool trial_commit_only(struct trial *T)
{
    return is_ok(T, trial_fill(T), "fill") && commit_filled(T);
}

bool trial_commit_again(struct trial *T)
{
    return commit_filled(T) && trial_compare(T);
}

bool trial_commit(struct trial *T)
{
    return trial_commit_only(T) && trial_compare(T);
}

bool trial_step(struct trial *T, const struct mix *mix, size_t n)
{
    T->lines.n = 0;
    generate(&T->lines, T->M, mix, n, &T->rng);
    return trial_commit(T);
}

bool trial_compare(struct trial *T)
{
    return model_compare_graph(T->M, T->G, &T->why);
}

bool trial_rebalance(struct trial *T)
{
    return is_ok(T, hy_graph_rebalance(T->G), "rebalance") && trial_compare(T);
}

bool trial_add_reverse(struct trial *T)
{
    if (!is_ok(T, hy_graph_add_reverse(T->G), "add_reverse"))
        return false;
    T->M->has_reverse = true;
    return trial_compare(T);
}
