/* Verifies a minimum spanning forest.
 *
 *   Check
 *     1 edges are in order, each is an edge of the graph
 *     2 put them into a merge tree, lightest first: none closes a circle
 *     3 for each edge (u, v) of the graph: u and v are in one tree, and the
 *       edge is not before the last one on the way between them
 *
 * The merge tree links the root of the smaller set under that of the larger
 * and never compresses: a vertex has at most log2 n above it, the edges that
 * linked them come later and later, and the last edge on the way between two
 * vertices is the one that linked the lower of the two branches where they
 * meet.
 */
#include "algo/common/weights.h"

#include "par/par.h"

#include <hypha/mst.h>

struct check {
    struct algo_weights W;
    const hy_edge *edges;
    uint64_t n;
    uint64_t *key, *key_scratch;  /* owned: of the edges, in order of weight */
    uint32_t *rank, *tag_scratch; /* owned: the edge of that key */
    /* owned: of each vertex in the merge tree */
    hy_vid *up;
    uint32_t *size;
    uint32_t *time; /* when it was linked: an index of key; HY_NONE: a root */
    double weight;
};

/* ---- line 1 -------------------------------------------------------------- */

static hy_status check_edge(struct check *C, uint32_t i)
{
    const hy_edge e = C->edges[i];
    const hy_edge last = i ? C->edges[i - 1] : (hy_edge){ 0 };
    const bool is_after =
        i == 0 || last.u < e.u || (last.u == e.u && last.v < e.v);
    if (e.u >= e.v || !is_after)
        return base_fail(HY_EBUG, "edge %u %u is out of order", (unsigned)e.u,
                         (unsigned)e.v);
    if (!algo_weights_find_key(&C->W, e.u, e.v, &C->key[i]))
        return base_fail(HY_EBUG, "there is no edge %u %u", (unsigned)e.u,
                         (unsigned)e.v);
    C->rank[i] = i;
    C->weight += algo_weight_of_key(C->W.type, C->key[i]);
    return HY_OK;
}

/* Stable: edges of the same weight stay in the order of their ends. */
static void sort_edges(struct check *C)
{
    struct par_keys keys = { .key = C->key,
                             .tag = C->rank,
                             .key_tmp = C->key_scratch,
                             .tag_tmp = C->tag_scratch,
                             .n = C->n,
                             .high_bits = 32,
                             .low_bits = 32 };
    par_sort(view_ctx(C->W.V), &keys);
    C->key = keys.key;
    C->rank = keys.tag;
    C->key_scratch = keys.key_tmp;
    C->tag_scratch = keys.tag_tmp;
}

/* ---- line 2 -------------------------------------------------------------- */

static hy_vid root_of(const struct check *C, hy_vid v)
{
    while (C->time[v] != HY_NONE)
        v = C->up[v];
    return v;
}

static hy_status merge(struct check *C)
{
    const hy_vid bound = C->W.V->bound;
    for (hy_vid v = 0; v < bound; v++) {
        C->size[v] = 1;
        C->time[v] = HY_NONE;
    }
    for (uint32_t i = 0; i < C->n; i++) {
        const hy_edge e = C->edges[C->rank[i]];
        hy_vid a = root_of(C, e.u), b = root_of(C, e.v);
        if (a == b)
            return base_fail(HY_EBUG, "edge %u %u closes a circle",
                             (unsigned)e.u, (unsigned)e.v);
        const bool is_small = C->size[a] < C->size[b];
        const hy_vid low = is_small ? a : b, high = is_small ? b : a;
        C->up[low] = high;
        C->time[low] = i;
        C->size[high] += C->size[low];
    }
    return HY_OK;
}

/* ---- line 3 -------------------------------------------------------------- */

/* When u and v came together; HY_NONE: never. */
static uint32_t time_of(const struct check *C, hy_vid u, hy_vid v)
{
    uint32_t last = HY_NONE;
    while (u != v) {
        hy_vid *const low = C->time[u] < C->time[v] ? &u : &v;
        last = C->time[*low];
        if (last == HY_NONE)
            break;
        *low = C->up[*low];
    }
    return last;
}

static hy_status check_arc(const struct check *C, hy_vid u, hy_vid v,
                           uint64_t key)
{
    const uint32_t time = time_of(C, u, v);
    if (time == HY_NONE)
        return base_fail(HY_EBUG, "edge %u %u connects two trees", (unsigned)u,
                         (unsigned)v);
    const hy_edge e = C->edges[C->rank[time]];
    const hy_vid lo = u < v ? u : v, hi = u < v ? v : u;
    const bool is_before = lo < e.u || (lo == e.u && hi < e.v);
    if (key < C->key[time] || (key == C->key[time] && is_before))
        return base_fail(HY_EBUG, "edge %u %u is better than %u %u",
                         (unsigned)u, (unsigned)v, (unsigned)e.u,
                         (unsigned)e.v);
    return HY_OK;
}

static hy_status check_arcs(const struct check *C)
{
    const struct algo_weights *const W = &C->W;
    for (hy_vid u = 0; u < W->V->bound; u++)
        hy_for_out_span (s, W->V, u) {
            const char *const at = algo_weights_at(W, &s);
            for (uint32_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[(size_t)i * s.step];
                if (u != v)
                    HY_TRY(check_arc(
                        C, u, v,
                        algo_weight_key(W->type, at + (size_t)i * W->step)));
            }
        }
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status check_all(struct check *C, const hy_mst_info *info)
{
    for (uint32_t i = 0; i < C->n; i++)
        HY_TRY(check_edge(C, i));
    if (info->trees + C->n != C->W.V->vertices || info->weight != C->weight)
        return base_fail(HY_EBUG, "%llu trees of weight %g in all, not %g",
                         (unsigned long long)info->trees, info->weight,
                         C->weight);
    sort_edges(C);
    HY_TRY(merge(C));
    return check_arcs(C);
}

static hy_status reserve(struct check *C)
{
    hy_ctx *const ctx = view_ctx(C->W.V);
    const size_t bound = C->W.V->bound;
    C->key = base_alloc_raw(ctx, C->n, sizeof *C->key);
    C->key_scratch = base_alloc_raw(ctx, C->n, sizeof *C->key_scratch);
    C->rank = base_alloc_raw(ctx, C->n, sizeof *C->rank);
    C->tag_scratch = base_alloc_raw(ctx, C->n, sizeof *C->tag_scratch);
    C->up = base_alloc_raw(ctx, bound, sizeof *C->up);
    C->size = base_alloc_raw(ctx, bound, sizeof *C->size);
    C->time = base_alloc_raw(ctx, bound, sizeof *C->time);
    return C->key && C->key_scratch && C->rank && C->tag_scratch && C->up &&
                   C->size && C->time
               ? HY_OK
               : HY_ENOMEM;
}

static void free_all(struct check *C)
{
    hy_ctx *const ctx = view_ctx(C->W.V);
    base_free(ctx, C->time);
    base_free(ctx, C->size);
    base_free(ctx, C->up);
    base_free(ctx, C->tag_scratch);
    base_free(ctx, C->rank);
    base_free(ctx, C->key_scratch);
    base_free(ctx, C->key);
}

bool hy_mst_check(const hy_view *V, const hy_mst_opts *opts,
                  const hy_edge *edges, const hy_mst_info *info,
                  const char **why)
{
    struct check C = { .edges = edges, .n = info->edges };
    hy_status status = algo_weights_init(&C.W, V, opts ? opts->weight : NULL);
    if (status == HY_OK && info->edges > V->vertices)
        status = base_fail(HY_EBUG, "more edges than vertices");
    if (status == HY_OK) {
        status = reserve(&C);
        if (status == HY_OK)
            status = check_all(&C, info);
        free_all(&C);
    }
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
