/* Filling an empty graph at once, and building the reverse side. */
#include "store/build.h"

#include "base/random.h"
#include "par/par.h"

enum { GRAIN = 1 << 15 };

/* ---- checks -------------------------------------------------------------- */

static hy_status check_empty(const hy_graph *G, uint64_t n, uint64_t m)
{
    if (!G)
        return base_fail(HY_EINVAL, "no graph");
    if (G->now.bound)
        return base_fail(HY_ESTATE, "the graph is not empty");
    if (G->watchers)
        return base_fail(HY_ESTATE, "live answers are attached to the graph");
    if (n > HY_NONE)
        return base_fail(HY_ERANGE, "%llu vertices: at most %u",
                         (unsigned long long)n, HY_NONE);
    if (m > UINT32_MAX && G->shape.edge.size)
        return base_fail(HY_EFULL, "more than 2^32 edges with columns");
    return HY_OK;
}

/* ---- beginning and ending ------------------------------------------------ */

/* Fills the ids: all below n are alive. */
static hy_status begin(hy_graph *G, uint64_t n, const uint64_t *external)
{
    (void)version_begin(G);
    par_lock_acquire(&G->lock);
    const hy_status status =
        ids_fill(G->ctx, &G->ids, n, G->shape.mapped, external);
    par_lock_release(&G->lock);
    return status;
}

static hy_status end(hy_graph *G, hy_status status)
{
    if (status != HY_OK) {
        par_lock_acquire(&G->lock);
        ids_fini(G->ctx, &G->ids);
        par_lock_release(&G->lock);
    }
    version_end(G, status == HY_OK);
    return status;
}

/* ---- undirected CSR: both directions are there --------------------------- */

/* A sum over arcs, equal for u < v and u > v if and (but for chance, 2^-64)
 * only if each arc has its twin, with the same columns. */
struct twins {
    const hy_graph *G;
    const struct rows *R;
    _Atomic uint64_t sum; /* relaxed: a sum */
};

static void twins_par(void *arg, size_t lo, size_t hi)
{
    struct twins *T = arg;
    const struct rows *R = T->R;
    const struct shape_record *record = &T->G->shape.edge;
    uint64_t sum = 0;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t i = R->at[u]; i < R->at[u + 1]; i++) {
            const uint64_t v = R->key ? (hy_vid)R->key[i] : R->target[i];
            const uint64_t at = R->tag ? R->tag[i] : i;
            const char *values =
                R->values ? R->values + at * record->size : NULL;
            const uint64_t key = u < v ? u << 32 | v : v << 32 | u;
            const uint64_t columns = values ? record_hash(record, values) : 0;
            const uint64_t h = base_mix(key + 1) + base_mix(key ^ columns);
            sum += u < v ? h : u > v ? 0 - h : 0;
        }
    atomic_fetch_add_explicit(&T->sum, sum, memory_order_relaxed);
}

static bool has_twins(hy_graph *G, const struct rows *R, uint64_t n)
{
    struct twins T = { .G = G, .R = R };
    atomic_init(&T.sum, 0);
    par_for(G->ctx, n, 1 << 12, twins_par, &T);
    return atomic_load(&T.sum) == 0;
}

/* ---- rows into the graph ------------------------------------------------- */

/* External ids of a mapped graph into the table. */
struct naming {
    hy_graph *G;
    const uint64_t *external; /* NULL: the vertices' own numbers */
};

static void name_par(void *arg, size_t lo, size_t hi)
{
    const struct naming *N = arg;
    const hy_view *V = &N->G->now;
    const size_t offset = V->core->table.layout.external;
    for (size_t u = lo; u < hi; u++) {
        const uint64_t id = N->external ? N->external[u] : u;
        memcpy(view_page(V, (hy_vid)u) + offset + u % PAGE_VERTICES * sizeof id,
               &id, sizeof id);
    }
}

struct loaded {
    uint64_t n, arcs, loops;
    const struct rows *out;
    const struct arcs *forward; /* the rows as arcs, to flip; or NULL */
    const uint64_t *external;   /* as load_edges has it */
};

static hy_status reverse_rows(hy_graph *G, const struct loaded *L,
                              struct arcs *back, struct rows *in)
{
    const bool tagged = L->out->values != NULL;
    HY_TRY(arcs_init(G->ctx, back, L->arcs, L->n, tagged));
    arcs_flip(G->ctx, L->forward, back, L->n);
    *in = (struct rows){ .at = back->at,
                         .key = back->key,
                         .tag = back->tag,
                         .values = L->out->values };
    return HY_OK;
}

static hy_status load_rows(hy_graph *G, const struct loaded *L)
{
    struct arcs back = { 0 };
    struct rows in;
    hy_status status = HY_OK;
    if (G->now.reverse)
        status = reverse_rows(G, L, &back, &in);
    if (status == HY_OK)
        status = build_core(G, L->n, L->out, G->now.reverse ? &in : NULL, true);
    arcs_fini(G->ctx, &back);
    if (status != HY_OK)
        return status;
    G->now.bound = (hy_vid)L->n;
    G->now.vertices = L->n;
    G->now.arcs = L->arcs;
    G->now.edges = G->shape.undirected ? (L->arcs + L->loops) / 2 : L->arcs;
    struct naming N = { .G = G, .external = L->external };
    if (G->shape.mapped)
        par_for(G->ctx, L->n, GRAIN, name_par, &N);
    return HY_OK;
}

static hy_status load_arcs(hy_graph *G, struct arcs *A, uint64_t n,
                           const char *values, const uint64_t *external,
                           bool twins)
{
    arcs_sort(G->ctx, A, n, G->shape.no_loops);
    const struct rows out = {
        .at = A->at, .key = A->key, .tag = A->tag, .values = values
    };
    if (twins && !has_twins(G, &out, n))
        return base_fail(HY_EINVAL, "an edge has no twin in the other row");
    const struct loaded L = { .n = n,
                              .arcs = A->n,
                              .loops = A->loops,
                              .out = &out,
                              .forward = A,
                              .external = external };
    return load_rows(G, &L);
}

/* ---- from edges ---------------------------------------------------------- */

struct reading {
    const hy_edge *edge;
    uint64_t n;
    struct arcs *A;
    bool undirected;
    _Atomic bool bad; /* relaxed: read after the loop */
};

static void read_par(void *arg, size_t lo, size_t hi)
{
    struct reading *R = arg;
    struct arcs *A = R->A;
    bool bad = false;
    const size_t step = R->undirected ? 2 : 1; /* twins side by side */
    for (size_t i = lo; i < hi; i++) {
        const uint64_t u = R->edge[i].u, v = R->edge[i].v;
        bad |= u >= R->n || v >= R->n;
        A->key[step * i] = u << 32 | v;
        if (R->undirected)
            A->key[2 * i + 1] = v << 32 | u;
    }
    for (size_t i = step * lo; A->tag && i < step * hi; i++)
        A->tag[i] = (uint32_t)(i / step);
    if (bad)
        atomic_store_explicit(&R->bad, true, memory_order_relaxed);
}

static hy_status load_edges(hy_graph *G, uint64_t n, uint64_t m,
                            const hy_edge *edges, const char *values,
                            const uint64_t *external)
{
    const bool both = G->shape.undirected;
    values = G->shape.edge.size ? values : NULL;
    struct arcs A;
    HY_TRY(arcs_init(G->ctx, &A, both ? 2 * m : m, n, values != NULL));
    struct reading R = { .edge = edges, .n = n, .A = &A, .undirected = both };
    atomic_init(&R.bad, false);
    par_for(G->ctx, m, GRAIN, read_par, &R);
    const hy_status status =
        atomic_load(&R.bad)
            ? base_fail(HY_ERANGE, "an edge names a vertex >= %llu",
                        (unsigned long long)n)
            : load_arcs(G, &A, n, values, external, false);
    arcs_fini(G->ctx, &A);
    return status;
}

hy_status hy_graph_load_edges(hy_graph *G, uint64_t n, uint64_t m,
                              const hy_edge *edges, const void *values)
{
    HY_TRY(check_empty(G, n, m));
    if (m && !edges)
        return base_fail(HY_EINVAL, "no edges are given");
    hy_status status = begin(G, n, NULL);
    if (status == HY_OK)
        status = load_edges(G, n, m, edges, values, NULL);
    return end(G, status);
}

hy_status hy_graph_load_named(hy_graph *G, uint64_t n, const uint64_t *external,
                              uint64_t m, const hy_edge *edges,
                              const void *values)
{
    HY_TRY(check_empty(G, n, m));
    if (!G->shape.mapped)
        return base_fail(HY_EINVAL, "names are for graphs with mapped ids");
    if ((n && !external) || (m && !edges))
        return base_fail(HY_EINVAL, "no names or no edges are given");
    hy_status status = begin(G, n, external);
    if (status == HY_OK)
        status = load_edges(G, n, m, edges, values, external);
    return end(G, status);
}

/* ---- from pairs ---------------------------------------------------------- */

struct pairing {
    const struct ids *ids;
    const hy_pair *pair;
    uint64_t m;
    hy_edge *edge;
    bool no_loops;
};

static void pair_par(void *arg, size_t lo, size_t hi)
{
    const struct pairing *P = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_pair p = P->pair[i];
        P->edge[i] = (hy_edge){ 0 };
        if (i + IDS_AHEAD < P->m) {
            ids_ahead(P->ids, P->pair[i + IDS_AHEAD].u);
            ids_ahead(P->ids, P->pair[i + IDS_AHEAD].v);
        }
        if (P->no_loops && p.u == p.v)
            continue; /* vertex 0's loop now: dropped like the rest */
        P->edge[i].u = ids_find(P->ids, p.u);
        P->edge[i].v = ids_find(P->ids, p.v);
    }
}

static hy_status load_pairs(hy_graph *G, uint64_t m, const hy_pair *pairs,
                            const void *values, const struct externals *X)
{
    hy_edge *edge = base_alloc_raw(G->ctx, m, sizeof *edge);
    if (!edge)
        return HY_ENOMEM;
    struct pairing P = { .ids = &G->ids,
                         .pair = pairs,
                         .m = m,
                         .edge = edge,
                         .no_loops = G->shape.no_loops };
    par_for(G->ctx, X->n ? m : 0, GRAIN, pair_par, &P);
    const hy_status status =
        load_edges(G, X->n, X->n ? m : 0, edge, values, X->at);
    base_free(G->ctx, edge);
    return status;
}

hy_status hy_graph_load_pairs(hy_graph *G, uint64_t m, const hy_pair *pairs,
                              const void *values)
{
    HY_TRY(check_empty(G, 0, m));
    if (!G->shape.mapped || (m && !pairs))
        return base_fail(HY_EINVAL, "pairs are for graphs with mapped ids");
    struct externals X;
    HY_TRY(externals_of(G->ctx, m, pairs, G->shape.no_loops, &X));
    hy_status status = begin(G, X.n, X.at);
    if (status == HY_OK)
        status = load_pairs(G, m, pairs, values, &X);
    base_free(G->ctx, X.at);
    return end(G, status);
}

/* ---- from CSR ------------------------------------------------------------ */

struct csr {
    uint64_t n;
    const uint64_t *at;
    const hy_vid *target;
    bool no_loops;
    _Atomic bool bad, unsorted; /* relaxed: read after the loop */
    _Atomic uint64_t loops;     /* relaxed: a sum */
    struct arcs *A;
};

static void look_par(void *arg, size_t lo, size_t hi)
{
    struct csr *R = arg;
    bool bad = false, unsorted = false;
    uint64_t loops = 0;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t i = R->at[u]; i < R->at[u + 1]; i++) {
            bad |= R->target[i] >= R->n;
            loops += R->target[i] == u;
            unsorted |= i > R->at[u] && R->target[i - 1] >= R->target[i];
        }
    if (bad)
        atomic_store_explicit(&R->bad, true, memory_order_relaxed);
    if (unsorted)
        atomic_store_explicit(&R->unsorted, true, memory_order_relaxed);
    atomic_fetch_add_explicit(&R->loops, loops, memory_order_relaxed);
}

static void keys_par(void *arg, size_t lo, size_t hi)
{
    struct csr *R = arg;
    for (size_t u = lo; u < hi; u++)
        for (uint64_t i = R->at[u]; i < R->at[u + 1]; i++) {
            R->A->key[i - R->at[0]] = (uint64_t)u << 32 | R->target[i];
            if (R->A->tag)
                R->A->tag[i - R->at[0]] = (uint32_t)i;
        }
}

static hy_status load_by_keys(hy_graph *G, struct csr *R, const char *values)
{
    struct arcs A;
    HY_TRY(arcs_init(G->ctx, &A, R->at[R->n] - R->at[0], R->n, values != NULL));
    R->A = &A;
    par_for(G->ctx, R->n, 1 << 10, keys_par, R);
    const hy_status status =
        load_arcs(G, &A, R->n, values, NULL, G->shape.undirected);
    arcs_fini(G->ctx, &A);
    return status;
}

static hy_status load_csr(hy_graph *G, struct csr *R, const char *values)
{
    par_for(G->ctx, R->n, 1 << 10, look_par, R);
    if (atomic_load(&R->bad))
        return base_fail(HY_ERANGE, "a row names a vertex >= %llu",
                         (unsigned long long)R->n);
    const uint64_t loops = atomic_load(&R->loops);
    if (atomic_load(&R->unsorted) || (G->shape.no_loops && loops) ||
        G->now.reverse)
        return load_by_keys(G, R, values);
    const struct rows out = { .at = R->at,
                              .target = R->target,
                              .values = values };
    if (G->shape.undirected && !has_twins(G, &out, R->n))
        return base_fail(HY_EINVAL, "an edge has no twin in the other row");
    const struct loaded L = {
        .n = R->n, .arcs = R->at[R->n] - R->at[0], .loops = loops, .out = &out
    };
    return load_rows(G, &L);
}

hy_status hy_graph_load_csr(hy_graph *G, uint64_t n, const uint64_t *offsets,
                            const hy_vid *targets, const void *values)
{
    if (!offsets)
        return base_fail(HY_EINVAL, "no offsets are given");
    HY_TRY(check_empty(G, n, offsets[n]));
    for (uint64_t u = 0; u < n; u++)
        if (offsets[u] > offsets[u + 1] ||
            offsets[u + 1] - offsets[u] > UINT32_MAX)
            return base_fail(HY_EINVAL, "offsets of row %llu are wrong",
                             (unsigned long long)u);
    if (offsets[n] > offsets[0] && !targets)
        return base_fail(HY_EINVAL, "no targets are given");
    struct csr R = { .n = n, .at = offsets, .target = targets };
    atomic_init(&R.bad, false);
    atomic_init(&R.unsorted, false);
    atomic_init(&R.loops, 0);
    hy_status status = begin(G, n, NULL);
    if (status == HY_OK)
        status = load_csr(G, &R, G->shape.edge.size ? values : NULL);
    return end(G, status);
}

/* ---- the reverse side ---------------------------------------------------- */

/* The arcs of `now`, with a record of each if there are columns. */
struct taking {
    const hy_view *V;
    struct arcs *A;
    char *values;
};

static void take_par(void *arg, size_t lo, size_t hi)
{
    struct taking *T = arg;
    const hy_view *V = T->V;
    for (size_t u = lo; u < hi; u++) {
        uint64_t to = T->A->at[u];
        hy_for_out_span (s, V, (hy_vid)u)
            for (uint32_t i = 0; i < s.n; i++, to++) {
                T->A->key[to] = (uint64_t)u << 32 | s.v[i * s.step];
                if (T->values)
                    block_get(V->shape, (const char *)s.v,
                              shape_room(V->shape, s.units), i,
                              T->values + to * V->shape->edge.size);
            }
    }
}

static hy_status add_reverse(hy_graph *G, struct taking *T, struct arcs *back)
{
    const hy_view *V = T->V;
    const size_t size = V->shape->edge.size;
    HY_TRY(arcs_init(G->ctx, T->A, V->arcs, V->bound, false));
    HY_TRY(arcs_init(G->ctx, back, V->arcs, V->bound, size > 0));
    T->values = size ? base_alloc_raw(G->ctx, V->arcs, size) : NULL;
    if (size && !T->values)
        return HY_ENOMEM;
    for (hy_vid u = 0; u < V->bound; u++)
        T->A->at[u] = hy_view_degree(V, u);
    T->A->at[V->bound] = 0;
    (void)par_scan(G->ctx, T->A->at, (size_t)V->bound + 1);
    par_for(G->ctx, V->bound, 1 << 12, take_par, T);
    arcs_flip(G->ctx, T->A, back, V->bound);
    const struct rows out = { .V = V, .side = OUT };
    const struct rows in = {
        .at = back->at, .key = back->key, .tag = back->tag, .values = T->values
    };
    return build_core(G, V->bound, &out, &in, false);
}

hy_status hy_graph_add_reverse(hy_graph *G)
{
    if (!G)
        return base_fail(HY_EINVAL, "no graph");
    if (hy_view_has_reverse(&G->now))
        return HY_OK;
    if (G->now.arcs > UINT32_MAX && G->shape.edge.size)
        return base_fail(HY_EFULL, "more than 2^32 edges with columns");
    struct arcs A = { 0 }, back = { 0 };
    struct taking T = { .V = &G->now, .A = &A };
    (void)version_begin(G);
    const hy_status status = add_reverse(G, &T, &back);
    arcs_fini(G->ctx, &A);
    arcs_fini(G->ctx, &back);
    base_free(G->ctx, T.values);
    version_end(G, false);
    return status;
}
