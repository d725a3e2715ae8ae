/* The minimum spanning forest, by Boruvka's method.
 *
 *   Mst
 *     1 every vertex is a tree
 *     2 repeat
 *     3     look:   each vertex finds its lightest edge to another tree
 *     4     offer:  each tree learns the least weight of its vertices' edges
 *     5     claim:  and of the edges of that weight the first
 *     6     join:   trees follow their edges; such an edge is in the forest
 *     7     rename: vertices learn their new tree
 *     8 until no tree has found an edge
 *
 * Boruvka, 1926; in parallel after Chung, Condon, IPPS 1996.  Edges are in the
 * order of (weight, smaller end, larger end), which no two share: hence trees
 * that follow their edges form no circle longer than two, and the forest is
 * unique.  A vertex keeps its edge until the other end is in its own tree, and
 * looks at none again once all of its edges are inside: a total order cannot
 * bring them back.
 *
 * A directed graph without a reverse side cannot do line 3, as a vertex does
 * not see the edges that end at it; every edge is offered to both trees then.
 *
 * Invariant: tree[v] is the vertex that stands for v's tree, and its own
 * tree[] is itself, but within lines 6 and 7.
 */
#include "algo/common/weights.h"

#include "base/atomic.h"

#include "par/par.h"

#include <hypha/mst.h>

enum { GRAIN = 1 << 10 };

#define NO_KEY UINT64_MAX
#define NO_EDGE UINT64_MAX

struct mst {
    struct algo_weights W;
    bool is_seen_from_both; /* every edge is found at both ends */
    hy_vid *tree;
    /* Of each vertex, its edge of line 3: weight and other end. */
    uint64_t *own_key;
    hy_vid *own_end;
    /* Of each tree, lines 4 and 5: weight, and ends as one number. */
    uint64_t *key;
    uint64_t *edge;
    /* The forest; atomic: threads append. */
    uint64_t *picked, *picked_key;
    _Atomic uint64_t n;
    uint64_t n_before; /* this round */
    /* Of each tree, line 6: the tree it joins, HY_NONE if it stays. */
    hy_vid *aim;
    uint64_t *scratch; /* of the sort; as is aim then */
    uint32_t *tag;
};

static uint64_t pack(hy_vid u, hy_vid v)
{
    return u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
}

static hy_vid tree_of(const struct mst *S, hy_vid v)
{
    return __atomic_load_n(&S->tree[v], __ATOMIC_RELAXED);
}

/* Lowers *p to x. */
static void lower(uint64_t *p, uint64_t x)
{
    uint64_t now = atomic_peek_u64(p);
    while (x < now &&
           !__atomic_compare_exchange_n(p, &now, x, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        continue;
}

/* ---- line 1 -------------------------------------------------------------- */

/* Writes its range. */
static void start_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    for (size_t v = lo; v < hi; v++) {
        S->tree[v] = (hy_vid)v;
        S->own_end[v] = (hy_vid)v; /* inside: look for one */
        S->key[v] = NO_KEY;
        S->edge[v] = NO_EDGE;
    }
}

/* ---- line 3 -------------------------------------------------------------- */

HY_INLINE void look_at(struct mst *S, const hy_span *s, uint64_t *key,
                       hy_vid *end)
{
    const hy_vid own = S->tree[s->u];
    const char *const at = algo_weights_at(&S->W, s);
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[(size_t)i * s->step];
        const uint64_t here =
            algo_weight_key(S->W.type, at + (size_t)i * S->W.step);
        if (here > *key || S->tree[v] == own)
            continue;
        if (here < *key || pack(s->u, v) < pack(s->u, *end)) {
            *key = here;
            *end = v;
        }
    }
}

/* Writes its range. */
static void look_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    const hy_view *const V = S->W.V;
    for (hy_vid u = (hy_vid)lo; u < hi; u++) {
        hy_vid end = S->own_end[u];
        if (end == HY_NONE || S->tree[end] != S->tree[u])
            continue;
        uint64_t key = NO_KEY;
        end = HY_NONE;
        view_for_out (s, V, u) {
            const hy_span here = s;
            look_at(S, &here, &key, &end);
        }
        if (!view_is_undirected(V))
            view_for_in (s, V, u) {
                const hy_span here = s;
                look_at(S, &here, &key, &end);
            }
        S->own_key[u] = key;
        S->own_end[u] = end;
    }
}

/* ---- lines 4 and 5 ------------------------------------------------------- */

/* Offers an edge to a tree, or claims the tree for it. */
HY_INLINE void propose(struct mst *S, bool is_claim, hy_vid tree, uint64_t key,
                       uint64_t edge)
{
    if (!is_claim)
        lower(&S->key[tree], key);
    else if (S->key[tree] == key)
        lower(&S->edge[tree], edge);
}

HY_INLINE void propose_own(struct mst *S, bool is_claim, size_t lo, size_t hi)
{
    for (hy_vid u = (hy_vid)lo; u < hi; u++)
        if (S->own_end[u] != HY_NONE)
            propose(S, is_claim, S->tree[u], S->own_key[u],
                    pack(u, S->own_end[u]));
}

HY_INLINE void propose_all(struct mst *S, bool is_claim, size_t lo, size_t hi)
{
    hy_scan scan = hy_scan_out(S->W.V, (hy_vid)lo, (hy_vid)hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        const char *const at = algo_weights_at(&S->W, &s);
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[(size_t)i * s.step];
            if (S->tree[s.u] == S->tree[v])
                continue;
            const uint64_t key =
                algo_weight_key(S->W.type, at + (size_t)i * S->W.step);
            propose(S, is_claim, S->tree[s.u], key, pack(s.u, v));
            propose(S, is_claim, S->tree[v], key, pack(s.u, v));
        }
    }
}

/* Keys race: each only falls. */
static void offer_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    if (S->is_seen_from_both)
        propose_own(S, false, lo, hi);
    else
        propose_all(S, false, lo, hi);
}

/* Edges race: each only falls. */
static void claim_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    if (S->is_seen_from_both)
        propose_own(S, true, lo, hi);
    else
        propose_all(S, true, lo, hi);
}

/* ---- lines 6 and 7 ------------------------------------------------------- */

/* The tree at the other end of the edge that r claimed. */
static hy_vid other_tree(const struct mst *S, hy_vid r)
{
    const hy_vid u = (hy_vid)(S->edge[r] >> 32), v = (hy_vid)S->edge[r];
    return S->tree[u] == r ? S->tree[v] : S->tree[u];
}

/* Writes its range of aims, and appends to the forest.  Of two trees that
 * claimed the same edge the smaller stays. */
static void aim_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    for (hy_vid r = (hy_vid)lo; r < hi; r++) {
        S->aim[r] = HY_NONE;
        if (S->edge[r] == NO_EDGE)
            continue;
        const hy_vid to = other_tree(S, r);
        if (S->edge[to] == S->edge[r] && r < to)
            continue;
        const uint64_t i = S->n++;
        S->picked[i] = S->edge[r];
        S->picked_key[i] = S->key[r];
        S->aim[r] = to;
    }
}

/* Writes its range. */
static void join_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    for (size_t r = lo; r < hi; r++) {
        if (S->aim[r] != HY_NONE)
            S->tree[r] = S->aim[r];
        S->key[r] = NO_KEY;
        S->edge[r] = NO_EDGE;
    }
}

/* Trees race: whoever writes, writes the same one that stands for all.  All on
 * the way learn it, or long chains would be walked again and again. */
static void rename_par(void *arg, size_t lo, size_t hi)
{
    struct mst *const S = arg;
    for (hy_vid v = (hy_vid)lo; v < hi; v++) {
        hy_vid root = v;
        while (tree_of(S, root) != root)
            root = tree_of(S, root);
        for (hy_vid r = v, next; r != root; r = next) {
            next = tree_of(S, r);
            __atomic_store_n(&S->tree[r], root, __ATOMIC_RELAXED);
        }
    }
}

/* ---- all of it ----------------------------------------------------------- */

static uint32_t grow(struct mst *S)
{
    hy_ctx *const ctx = view_ctx(S->W.V);
    const size_t bound = S->W.V->bound;
    uint32_t rounds = 0;
    par_for(ctx, bound, GRAIN, start_par, S);
    do {
        S->n_before = S->n;
        if (S->is_seen_from_both)
            par_for(ctx, bound, GRAIN, look_par, S);
        par_for(ctx, bound, GRAIN, offer_par, S);
        par_for(ctx, bound, GRAIN, claim_par, S);
        par_for(ctx, bound, GRAIN, aim_par, S);
        par_for(ctx, bound, GRAIN, join_par, S);
        par_for(ctx, bound, GRAIN, rename_par, S);
        rounds++;
    } while (S->n != S->n_before);
    return rounds;
}

/* Puts the forest in order; its weight is added in that order. */
static double write_forest(struct mst *S, hy_edge *edges)
{
    struct par_keys keys = { .key = S->picked,
                             .tag = S->tag,
                             .key_tmp = S->scratch,
                             .tag_tmp = S->aim,
                             .n = S->n };
    keys.high_bits = keys.low_bits = bits_width(S->W.V->bound);
    for (uint32_t i = 0; i < S->n; i++)
        S->tag[i] = i;
    par_sort(view_ctx(S->W.V), &keys);
    double weight = 0;
    for (size_t i = 0; i < S->n; i++) {
        edges[i] = (hy_edge){ .u = (hy_vid)(keys.key[i] >> 32),
                              .v = (hy_vid)keys.key[i] };
        weight += algo_weight_of_key(S->W.type, S->picked_key[keys.tag[i]]);
    }
    return weight;
}

static hy_status reserve(struct mst *S)
{
    hy_ctx *const ctx = view_ctx(S->W.V);
    const size_t bound = S->W.V->bound;
    S->tree = base_alloc_raw(ctx, bound, sizeof *S->tree);
    S->own_key = base_alloc_raw(ctx, bound, sizeof *S->own_key);
    S->own_end = base_alloc_raw(ctx, bound, sizeof *S->own_end);
    S->key = base_alloc_raw(ctx, bound, sizeof *S->key);
    S->edge = base_alloc_raw(ctx, bound, sizeof *S->edge);
    S->picked = base_alloc_raw(ctx, bound, sizeof *S->picked);
    S->picked_key = base_alloc_raw(ctx, bound, sizeof *S->picked_key);
    S->aim = base_alloc_raw(ctx, bound, sizeof *S->aim);
    S->scratch = base_alloc_raw(ctx, bound, sizeof *S->scratch);
    S->tag = base_alloc_raw(ctx, bound, sizeof *S->tag);
    const bool has_all = S->tree && S->own_key && S->own_end && S->key &&
                         S->edge && S->picked && S->picked_key && S->aim &&
                         S->scratch && S->tag;
    return has_all ? HY_OK : HY_ENOMEM;
}

static void free_all(struct mst *S)
{
    hy_ctx *const ctx = view_ctx(S->W.V);
    base_free(ctx, S->tag);
    base_free(ctx, S->scratch);
    base_free(ctx, S->aim);
    base_free(ctx, S->picked_key);
    base_free(ctx, S->picked);
    base_free(ctx, S->edge);
    base_free(ctx, S->key);
    base_free(ctx, S->own_end);
    base_free(ctx, S->own_key);
    base_free(ctx, S->tree);
}

hy_status hy_mst(const hy_view *V, const hy_mst_opts *opts, hy_edge *edges,
                 hy_mst_info *info)
{
    struct mst S = { .is_seen_from_both = view_has_in(V) };
    struct algo_survey survey;
    HY_TRY(algo_weights_init(&S.W, V, opts ? opts->weight : NULL));
    if (S.W.is_real) {
        algo_weights_survey(&S.W, &survey);
        HY_TRY(algo_survey_must(&survey, true));
    }
    const hy_status status = reserve(&S);
    if (status == HY_OK) {
        const uint32_t rounds = grow(&S);
        const double weight = write_forest(&S, edges);
        if (info)
            *info = (hy_mst_info){ .edges = S.n,
                                   .trees = V->vertices - S.n,
                                   .weight = weight,
                                   .rounds = rounds };
    }
    free_all(&S);
    return status;
}
