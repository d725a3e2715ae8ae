/* Streams of changes over a graph.
 *
 *   for each change
 *     Decide   whether an edge comes or goes
 *     Insert   draw ends until no such edge is there
 *     Delete   one of the row of edges that are there: any, or the oldest
 *
 * What is there is what the view has, but for the edges that were touched.
 * One change depends on all before it, so this runs on one thread; only the
 * row of the graph's own edges is made on all.
 */
#include "gen/gen.h"

enum { TRIES = 256 };

struct stream {
    hy_ctx *ctx;
    const hy_view *V;
    hy_gen_changes_opts o;
    bool directed;
    uint64_t n;      /* vertices */
    hy_vid *vertex;  /* owned: those that are alive */
    uint64_t *ends;  /* owned; skewed: sums of (degree + 1) up to a vertex */
    uint64_t n_ends; /* all of them */
    uint64_t *row;   /* owned: keys of edges that are there */
    uint64_t first, n_row; /* of the row: window takes from its start */
    uint64_t loops, edges; /* that are there, loops apart */
    uint64_t full;         /* edges there can be, without loops */
    uint64_t state;        /* of the random numbers */
    struct gen_touched touched;
};

static uint64_t draw(struct stream *S, uint64_t n)
{
    return base_random_below(base_random(&S->state), n);
}

/* ---- the row of edges -----------------------------------------------------
 */

struct lister {
    const hy_view *V;
    uint64_t *starts; /* edges of each vertex, then where they go */
    uint64_t *row;
    bool directed;
};

static bool is_listed(const struct lister *L, hy_vid u, hy_vid v)
{
    return L->directed || u <= v;
}

static void count_par(void *arg, size_t lo, size_t hi)
{
    const struct lister *const L = arg;
    for (size_t u = lo; u < hi; u++) {
        uint64_t n = 0;
        hy_for_out_span (s, L->V, (hy_vid)u)
            for (size_t i = 0; i < s.n; i++)
                n += is_listed(L, s.u, s.v[i * s.step]);
        L->starts[u] = n;
    }
}

static void list_par(void *arg, size_t lo, size_t hi)
{
    const struct lister *const L = arg;
    for (size_t u = lo; u < hi; u++) {
        uint64_t to = L->starts[u];
        hy_for_out_span (s, L->V, (hy_vid)u)
            for (size_t i = 0; i < s.n; i++)
                if (is_listed(L, s.u, s.v[i * s.step]))
                    L->row[to++] = gen_key(s.u, s.v[i * s.step]);
    }
}

/* The graph's edges, with room for those that come. */
static hy_status make_row(struct stream *S)
{
    const hy_vid bound = hy_view_bound(S->V);
    const uint64_t m = hy_view_edges(S->V);
    if (S->o.count > UINT64_MAX - m)
        return base_fail(HY_ENOMEM, "no memory for so many changes");
    S->row = base_alloc_raw(S->ctx, m + S->o.count, sizeof *S->row);
    uint64_t *const starts = base_alloc_raw(S->ctx, bound, sizeof *starts);
    if (S->row && starts) {
        struct lister L = {
            .V = S->V, .starts = starts, .row = S->row, .directed = S->directed
        };
        par_for(S->ctx, bound, GEN_GRAIN / 4, count_par, &L);
        S->n_row = par_scan(S->ctx, starts, bound);
        par_for(S->ctx, bound, GEN_GRAIN / 4, list_par, &L);
    }
    base_free(S->ctx, starts);
    return S->row && starts ? HY_OK : HY_ENOMEM;
}

/* The graph's edges have come in no order, so any will do: Fisher, Yates. */
static void shuffle_row(struct stream *S)
{
    for (uint64_t i = S->n_row; i > 1; i--) {
        const uint64_t j = draw(S, i);
        const uint64_t key = S->row[j];
        S->row[j] = S->row[i - 1];
        S->row[i - 1] = key;
    }
}

/* ---- ends -------------------------------------------------------------------
 */

static hy_status list_vertices(struct stream *S)
{
    const hy_vid bound = hy_view_bound(S->V);
    S->vertex = base_alloc_raw(S->ctx, S->n, sizeof *S->vertex);
    if (!S->vertex)
        return HY_ENOMEM;
    uint64_t n = 0;
    for (hy_vid u = 0; u < bound; u++)
        if (hy_view_has_vertex(S->V, u)) {
            S->vertex[n++] = u;
            S->loops += hy_view_has_edge(S->V, u, u);
        }
    return HY_OK;
}

static hy_status sum_degrees(struct stream *S)
{
    S->ends = base_alloc_raw(S->ctx, S->n, sizeof *S->ends);
    if (!S->ends)
        return HY_ENOMEM;
    for (uint64_t i = 0; i < S->n; i++) {
        S->n_ends += (uint64_t)hy_view_degree(S->V, S->vertex[i]) + 1;
        S->ends[i] = S->n_ends;
    }
    return HY_OK;
}

static hy_vid draw_end(struct stream *S)
{
    if (!S->ends)
        return S->vertex[draw(S, S->n)];
    const uint64_t wanted = draw(S, S->n_ends);
    uint64_t lo = 0, hi = S->n - 1;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (S->ends[mid] <= wanted)
            lo = mid + 1;
        else
            hi = mid;
    }
    return S->vertex[lo];
}

/* ---- insert
 * ------------------------------------------------------------------- */

static bool is_there(const struct stream *S, uint64_t key)
{
    const enum gen_touch touch = gen_touched_get(&S->touched, key);
    if (touch != GEN_UNTOUCHED)
        return touch == GEN_CAME;
    return hy_view_has_edge(S->V, gen_key_u(key), gen_key_v(key));
}

/* Where nearly all edges are there: from a random place on, the next one that
 * is not. */
static uint64_t walk_to_absent(struct stream *S)
{
    uint64_t i = draw(S, S->n), j = draw(S, S->n);
    for (;;) {
        const hy_vid u = S->vertex[i], v = S->vertex[j];
        const uint64_t key = gen_key_of(S->directed, u, v);
        if (u != v && !is_there(S, key))
            return key;
        j = j + 1 < S->n ? j + 1 : 0;
        if (j == 0)
            i = i + 1 < S->n ? i + 1 : 0;
    }
}

static uint64_t draw_absent(struct stream *S)
{
    for (unsigned t = 0; t < TRIES || S->o.repeats; t++) {
        const hy_vid u = draw_end(S), v = draw_end(S);
        const uint64_t key = gen_key_of(S->directed, u, v);
        if (u != v && (S->o.repeats || !is_there(S, key)))
            return key;
    }
    return walk_to_absent(S);
}

static uint64_t insert(struct stream *S)
{
    const uint64_t key = draw_absent(S);
    if (S->row)
        S->row[S->first + S->n_row++] = key;
    if (!S->o.repeats) {
        gen_touched_set(&S->touched, key, true);
        S->edges++;
    }
    return key;
}

/* ---- delete
 * ------------------------------------------------------------------- */

static uint32_t busyness(const struct stream *S, uint64_t at)
{
    const uint64_t key = S->row[at];
    const uint32_t a = hy_view_degree(S->V, gen_key_u(key));
    const uint32_t b = hy_view_degree(S->V, gen_key_v(key));
    return a > b ? a : b;
}

static uint64_t take_any(struct stream *S)
{
    uint64_t at = draw(S, S->n_row);
    if (S->o.skewed) {
        const uint64_t other = draw(S, S->n_row);
        at = busyness(S, other) > busyness(S, at) ? other : at;
    }
    const uint64_t key = S->row[at];
    if (!S->o.repeats)
        S->row[at] = S->row[--S->n_row];
    return key;
}

static uint64_t take_oldest(struct stream *S)
{
    S->n_row--;
    return S->row[S->first++];
}

static uint64_t delete_one(struct stream *S)
{
    const uint64_t key =
        S->o.kind == HY_GEN_WINDOW ? take_oldest(S) : take_any(S);
    if (!S->o.repeats) {
        gen_touched_set(&S->touched, key, false);
        S->edges -= gen_key_u(key) != gen_key_v(key);
    }
    return key;
}

/* ---- decide
 * -------------------------------------------------------------------- */

/* Of what can be done, what is to be done. */
static bool wants_insertion(struct stream *S)
{
    const bool can_insert = S->o.repeats || S->edges < S->full;
    bool wanted = S->o.kind == HY_GEN_INSERT;
    if (S->o.kind == HY_GEN_MIXED)
        wanted = draw(S, 100) < S->o.inserts;
    else if (S->o.kind == HY_GEN_WINDOW)
        wanted = S->n_row < S->o.window;
    return S->o.kind == HY_GEN_DELETE
               ? false
               : (wanted && can_insert) || (!wanted && !S->n_row);
}

static void run(struct stream *S, hy_change *out)
{
    const uint64_t weights = base_random_start(S->o.seed, 1);
    for (uint64_t i = 0; i < S->o.count; i++) {
        const bool inserts = wants_insertion(S);
        const uint64_t key = inserts ? insert(S) : delete_one(S);
        out[i] = (hy_change){ .u = gen_key_u(key),
                              .v = gen_key_v(key),
                              .is_deletion = !inserts };
        if (inserts && S->o.weights)
            out[i].weight = 1 + (int32_t)base_random_below(
                                    base_random_at(weights, i), S->o.weights);
    }
}

/* ---- all of it
 * ------------------------------------------------------------------ */

static hy_status check_opts(const hy_gen_changes_opts *o)
{
    if ((unsigned)o->kind > HY_GEN_WINDOW)
        return base_fail(HY_EINVAL, "%d is no kind of stream", (int)o->kind);
    if (o->inserts > 100)
        return base_fail(HY_EINVAL, "%u per cent are more than all",
                         o->inserts);
    if (o->weights > INT32_MAX)
        return base_fail(HY_EINVAL, "weights are at most %d", INT32_MAX);
    return HY_OK;
}

/* That there are as many changes as are asked for. */
static hy_status check_room(const struct stream *S)
{
    const unsigned long long count = S->o.count;
    const unsigned long long there = hy_view_edges(S->V);
    const unsigned long long absent = S->full - S->edges;
    if (!count)
        return HY_OK;
    if (S->o.kind == HY_GEN_DELETE) {
        if (!there || (count > there && !S->o.repeats))
            return base_fail(HY_EINVAL, "%llu edges cannot be deleted of %llu",
                             count, there);
        return HY_OK;
    }
    if (S->n < 2)
        return base_fail(HY_EINVAL,
                         "an edge cannot be inserted into a graph of less "
                         "than two vertices");
    if (S->o.kind == HY_GEN_INSERT && count > absent && !S->o.repeats)
        return base_fail(HY_EINVAL,
                         "%llu edges cannot be inserted: only %llu are not "
                         "there",
                         count, absent);
    return HY_OK;
}

static void set_defaults(struct stream *S)
{
    const uint64_t m = hy_view_edges(S->V);
    if (!S->o.inserts)
        S->o.inserts = 50;
    if (!S->o.window)
        S->o.window = m ? m : (S->o.count + 1) / 2;
    S->edges = m - S->loops;
    S->full = S->n ? S->n * (S->n - 1) / (S->directed ? 1 : 2) : 0;
}

static hy_status stream_init(struct stream *S)
{
    HY_TRY(list_vertices(S));
    set_defaults(S);
    HY_TRY(check_room(S));
    if (S->o.skewed)
        HY_TRY(sum_degrees(S));
    if (S->o.kind != HY_GEN_INSERT)
        HY_TRY(make_row(S));
    if (S->o.kind == HY_GEN_WINDOW)
        shuffle_row(S);
    return gen_touched_init(&S->touched, S->ctx, S->o.repeats ? 0 : S->o.count);
}

hy_status hy_gen_changes_make(hy_ctx *ctx, const hy_view *V,
                              const hy_gen_changes_opts *opts,
                              hy_gen_changes *out)
{
    HY_TRY(check_opts(opts));
    struct stream S = { .ctx = ctx,
                        .V = V,
                        .o = *opts,
                        .directed = !hy_view_is_undirected(V),
                        .n = hy_view_vertices(V),
                        .state = base_random_start(opts->seed, 0) };
    hy_change *at = NULL;
    hy_status status = stream_init(&S);
    if (status == HY_OK) {
        at = base_alloc_raw(ctx, opts->count, sizeof *at);
        status = at ? HY_OK : HY_ENOMEM;
    }
    if (status == HY_OK) {
        run(&S, at);
        *out = (hy_gen_changes){ .ctx = ctx, .n = opts->count, .at = at };
    }
    gen_touched_fini(&S.touched, ctx);
    base_free(ctx, S.row);
    base_free(ctx, S.ends);
    base_free(ctx, S.vertex);
    return status;
}

void hy_gen_changes_fini(hy_gen_changes *C)
{
    if (C->ctx)
        base_free(C->ctx, C->at);
    *C = (hy_gen_changes){ .ctx = NULL };
}
