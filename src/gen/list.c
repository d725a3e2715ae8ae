/* Keys into sorted lists, weights, lists into graphs. */
#include "gen/gen.h"

#include "base/bits.h"

#include <string.h>

/* ---- keys -----------------------------------------------------------------
 */

hy_status gen_keys_init(struct gen_keys *K, hy_ctx *ctx, uint64_t n)
{
    *K = (struct gen_keys){ .ctx = ctx, .n = n };
    K->key = base_alloc_raw(ctx, n, sizeof *K->key);
    K->tmp = K->key ? base_alloc_raw(ctx, n, sizeof *K->tmp) : NULL;
    if (K->tmp)
        return HY_OK;
    gen_keys_fini(K);
    return HY_ENOMEM;
}

void gen_keys_fini(struct gen_keys *K)
{
    base_free(K->ctx, K->tmp);
    base_free(K->ctx, K->key);
    K->key = K->tmp = NULL;
}

void gen_keys_sort(struct gen_keys *K, hy_vid bound)
{
    const unsigned bits = bits_width(bound - 1);
    struct par_keys keys = { .key = K->key,
                             .key_tmp = K->tmp,
                             .n = K->n,
                             .high_bits = bits,
                             .low_bits = bits };
    par_sort(K->ctx, &keys);
    K->key = keys.key;
    K->tmp = keys.key_tmp;
}

/* ---- a list of sorted keys -------------------------------------------------
 */

enum { PIECE = 1 << 16 }; /* keys that are packed in one go */

struct packer {
    const uint64_t *key;
    uint64_t n;
    uint64_t *starts; /* kept keys of each piece, then where they go */
    hy_edge *out;
};

static bool is_kept(const uint64_t *key, uint64_t i)
{
    return gen_key_u(key[i]) != gen_key_v(key[i]) &&
           (i == 0 || key[i] != key[i - 1]);
}

static uint64_t piece_end(const struct packer *P, size_t piece)
{
    const uint64_t lo = (uint64_t)piece * PIECE;
    return P->n - lo < PIECE ? P->n : lo + PIECE;
}

static void count_par(void *arg, size_t piece)
{
    const struct packer *const P = arg;
    const uint64_t hi = piece_end(P, piece);
    uint64_t kept = 0;
    for (uint64_t i = (uint64_t)piece * PIECE; i < hi; i++)
        kept += is_kept(P->key, i);
    P->starts[piece] = kept;
}

static void pack_par(void *arg, size_t piece)
{
    const struct packer *const P = arg;
    const uint64_t hi = piece_end(P, piece);
    uint64_t to = P->starts[piece];
    for (uint64_t i = (uint64_t)piece * PIECE; i < hi; i++)
        if (is_kept(P->key, i))
            P->out[to++] =
                (hy_edge){ gen_key_u(P->key[i]), gen_key_v(P->key[i]) };
}

hy_status gen_keys_list(struct gen_keys *K, hy_gen_list *L)
{
    const size_t pieces = (size_t)bits_div_up(K->n, PIECE);
    uint64_t *const starts = base_alloc_raw(K->ctx, pieces, sizeof *starts);
    if (!starts) {
        gen_keys_fini(K);
        return HY_ENOMEM;
    }
    gen_keys_sort(K, (hy_vid)L->n);
    /* An edge is as large as a key, so that the scratch becomes the list. */
    _Static_assert(sizeof(hy_edge) == sizeof(uint64_t), "edges become keys");
    struct packer P = {
        .key = K->key, .n = K->n, .starts = starts, .out = (hy_edge *)K->tmp
    };
    par_run(K->ctx, pieces, count_par, &P);
    L->m = par_scan(K->ctx, starts, pieces);
    par_run(K->ctx, pieces, pack_par, &P);
    base_free(K->ctx, starts);
    base_free(K->ctx, K->key);
    L->edges = P.out;
    if (L->m < K->n) {
        hy_edge *const fit = base_resize(K->ctx, P.out, L->m, sizeof *fit);
        L->edges = fit ? fit : P.out;
    }
    K->key = K->tmp = NULL;
    return HY_OK;
}

/* ---- all edges but some
 * ------------------------------------------------------ */

struct others {
    const struct gen_plan *P;
    const uint64_t *key;
    uint64_t n;
    hy_edge *out;
};

/* Keys below `bound`. */
static uint64_t keys_below(const struct others *O, uint64_t bound)
{
    uint64_t lo = 0, hi = O->n;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (O->key[mid] < bound)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Edges of the complete graph at vertices before u. */
static uint64_t all_before(const struct gen_plan *P, uint64_t u)
{
    const uint64_t n = P->n;
    return P->directed ? u * (n - 1) : u * (n - 1) - u * (u - 1) / 2;
}

static void others_par(void *arg, size_t lo, size_t hi)
{
    const struct others *const O = arg;
    for (size_t u = lo; u < hi; u++) {
        uint64_t key = keys_below(O, (uint64_t)u << 32);
        uint64_t to = all_before(O->P, u) - key;
        for (uint64_t v = O->P->directed ? 0 : u + 1; v < O->P->n; v++)
            if (key < O->n && O->key[key] == gen_key((hy_vid)u, (hy_vid)v))
                key++;
            else if (v != u)
                O->out[to++] = (hy_edge){ (hy_vid)u, (hy_vid)v };
    }
}

hy_status gen_complement(const struct gen_plan *P, const uint64_t *keys,
                         uint64_t n, hy_gen_list *L)
{
    L->m = all_before(P, P->n) - n;
    L->edges = base_alloc_raw(P->ctx, L->m, sizeof *L->edges);
    if (!L->edges)
        return HY_ENOMEM;
    struct others O = { .P = P, .key = keys, .n = n, .out = L->edges };
    par_for(P->ctx, P->n, 1 + GEN_GRAIN / P->n, others_par, &O);
    return HY_OK;
}

/* ---- weights
 * ----------------------------------------------------------------- */

struct weigher {
    uint64_t seed;
    uint32_t most;
    const hy_gen_list *L;
};

/* A weight is a function of the edge, not of its place in the list. */
static void weigh_par(void *arg, size_t lo, size_t hi)
{
    const struct weigher *const W = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_edge e = W->L->edges[i];
        const uint64_t r = base_random_at(W->seed, gen_key(e.u, e.v));
        W->L->weights[i] = 1 + (int32_t)base_random_below(r, W->most);
    }
}

static hy_status weigh(const struct gen_plan *P, hy_gen_list *L)
{
    L->weights = base_alloc_raw(P->ctx, L->m, sizeof *L->weights);
    if (!L->weights)
        return HY_ENOMEM;
    struct weigher W = { .seed = gen_seed(P, 0), .most = P->weights, .L = L };
    par_for(P->ctx, L->m, GEN_GRAIN, weigh_par, &W);
    return HY_OK;
}

/* ---- lists and graphs
 * ----------------------------------------------------------
 */

hy_status hy_gen_make(hy_ctx *ctx, const hy_gen_opts *opts, hy_gen_list *out)
{
    static gen_maker *const makers[HY_GEN_KINDS] = {
        [HY_GEN_KRON] = gen_drawn,
        [HY_GEN_URAND] = gen_drawn,
        [HY_GEN_GRID] = gen_grid,
        [HY_GEN_PATH] = gen_path,
        [HY_GEN_CYCLE] = gen_cycle,
        [HY_GEN_STAR] = gen_star,
        [HY_GEN_COMPLETE] = gen_complete,
        [HY_GEN_TREE] = gen_tree,
        [HY_GEN_SMALLWORLD] = gen_smallworld,
        [HY_GEN_PREFERENTIAL] = gen_preferential,
        [HY_GEN_REGULAR] = gen_regular,
    };
    struct gen_plan P;
    HY_TRY(gen_plan_init(&P, ctx, opts));
    hy_gen_list L = { .ctx = ctx, .n = P.n, .directed = P.directed };
    HY_TRY(makers[P.kind](&P, &L));
    const hy_status status = P.weights ? weigh(&P, &L) : HY_OK;
    if (status == HY_OK)
        *out = L;
    else
        hy_gen_list_fini(&L);
    return status;
}

void hy_gen_list_fini(hy_gen_list *L)
{
    if (!L->ctx)
        return;
    base_free(L->ctx, L->edges);
    base_free(L->ctx, L->weights);
    *L = (hy_gen_list){ .ctx = NULL };
}

hy_status hy_gen_graph(hy_ctx *ctx, const hy_gen_opts *opts, hy_graph **out)
{
    const hy_column weight = { "weight", HY_I32 };
    const hy_graph_opts graph = { .undirected = !opts->directed,
                                  .edge_columns = &weight,
                                  .n_edge_columns = opts->weights != 0 };
    hy_gen_list L;
    HY_TRY(hy_gen_make(ctx, opts, &L));
    hy_graph *G = NULL;
    hy_status status = hy_graph_new(ctx, &graph, &G);
    if (status == HY_OK)
        status = hy_graph_load_edges(G, L.n, L.m, L.edges, L.weights);
    hy_gen_list_fini(&L);
    if (status == HY_OK)
        *out = G;
    else
        hy_graph_free(G);
    return status;
}
