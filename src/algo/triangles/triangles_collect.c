/* Which neighbours a delta joined, parted, or joined in another way.
 *
 * Undirected: the two lists of the delta are merged.  Directed: an edge may
 * have another of the opposite direction, which decides whether its ends were
 * neighbours before and are now; so edges are sorted by their ends, and those
 * that the delta does not have are looked up.
 */
#include "algo/triangles/triangles_follow.h"

#include "base/bits.h"

/* ---- room -----------------------------------------------------------------
 */

static hy_status reserve_edges(struct triangles_follow *F, hy_ctx *ctx,
                               size_t edges)
{
    if (edges <= F->room && F->edge)
        return HY_OK;
    const size_t room = edges + edges / 8 + 16;
    struct par_keys *const K = &F->arcs;
    F->room = 0;
    HY_TRY(live_grow(ctx, &F->edge, room, room, sizeof *F->edge, 0));
    HY_TRY(live_grow(ctx, &K->key, 2 * room, 2 * room, sizeof *K->key, 0));
    HY_TRY(live_grow(ctx, &K->key_tmp, 2 * room, 2 * room, sizeof *K->key, 0));
    HY_TRY(live_grow(ctx, &K->tag, 2 * room, 2 * room, sizeof *K->tag, 0));
    HY_TRY(live_grow(ctx, &K->tag_tmp, 2 * room, 2 * room, sizeof *K->tag, 0));
    F->room = room;
    return HY_OK;
}

hy_status triangles_follow_reserve(struct triangles_follow *F, hy_ctx *ctx,
                                   size_t bound, size_t edges)
{
    HY_TRY(reserve_edges(F, ctx, edges));
    if (bound <= F->bound && F->diff)
        return HY_OK;
    const size_t room = bound + bound / 8 + 64, used = F->bound;
    const size_t words = bits_words(room), old = bits_words(used);
    HY_TRY(live_grow(ctx, &F->diff, used, room, sizeof *F->diff, 0));
    HY_TRY(live_grow(ctx, &F->once, old, words, sizeof *F->once, 0));
    HY_TRY(live_grow(ctx, &F->twice, old, words, sizeof *F->twice, 0));
    F->bound = room;
    return HY_OK;
}

void triangles_follow_fini(struct triangles_follow *F, hy_ctx *ctx)
{
    base_free(ctx, F->edge);
    base_free(ctx, F->arcs.key);
    base_free(ctx, F->arcs.key_tmp);
    base_free(ctx, F->arcs.tag);
    base_free(ctx, F->arcs.tag_tmp);
    base_free(ctx, F->diff);
    base_free(ctx, F->once);
    base_free(ctx, F->twice);
}

/* ---- edges ----------------------------------------------------------------
 */

static void mark(struct triangles_follow *F, hy_vid u)
{
    if (bits_has(F->once, u))
        bits_add(F->twice, u);
    else
        bits_add(F->once, u);
}

/* Changes of weight alone matter only where weights are counted. */
static void add(struct triangles_follow *F, struct triangles_edge e)
{
    if (e.was == e.is || (!F->is_weighted && e.was && e.is))
        return;
    F->edge[F->n++] = e;
    mark(F, e.u);
    mark(F, e.v);
}

static bool is_before(hy_edge a, hy_edge b)
{
    return a.u < b.u || (a.u == b.u && a.v < b.v);
}

static void collect_undirected(struct triangles_follow *F,
                               const hy_edge_list *came,
                               const hy_edge_list *went)
{
    uint64_t i = 0, k = 0;
    while (i < came->n || k < went->n) {
        const bool is_new =
            k == went->n ||
            (i < came->n && is_before(came->at[i], went->at[k]));
        const hy_edge e = is_new ? came->at[i++] : went->at[k++];
        if (e.u != e.v)
            add(F, (struct triangles_edge){ .u = e.u,
                                            .v = e.v,
                                            .was = is_new ? 0 : 2,
                                            .is = is_new ? 2 : 0 });
    }
}

/* Tags of directed edges. */
enum { CAME = 1, DOWN = 2 }; /* it was inserted; it goes from v to u */

static void take_arcs(struct par_keys *K, const hy_edge_list *edges,
                      uint32_t tag)
{
    for (uint64_t i = 0; i < edges->n; i++) {
        const hy_edge e = edges->at[i];
        if (e.u == e.v)
            continue;
        const hy_vid low = e.u < e.v ? e.u : e.v, high = e.u ^ e.v ^ low;
        K->key[K->n] = (uint64_t)low << 32 | high;
        K->tag[K->n++] = tag | (e.u > e.v ? DOWN : 0);
    }
}

/* The neighbours whose directed edges are lo .. hi - 1 of the keys. */
static struct triangles_edge weigh_pair(const struct triangles_follow *F,
                                        size_t lo, size_t hi)
{
    const struct par_keys *const K = &F->arcs;
    struct triangles_edge e = { .u = (hy_vid)(K->key[lo] >> 32),
                                .v = (hy_vid)K->key[lo] };
    bool was[2], is[2];
    was[0] = is[0] = hy_view_has_edge(F->V, e.u, e.v);
    was[1] = is[1] = hy_view_has_edge(F->V, e.v, e.u);
    for (size_t i = lo; i < hi; i++)
        was[(K->tag[i] & DOWN) != 0] = !(K->tag[i] & CAME);
    e.was = (uint8_t)(was[0] + was[1]);
    e.is = (uint8_t)(is[0] + is[1]);
    return e;
}

static void sort_keys(struct triangles_follow *F)
{
    const unsigned bits = bits_width(F->V->bound);
    F->arcs.high_bits = F->arcs.low_bits = bits;
    par_sort(view_ctx(F->V), &F->arcs);
}

static void collect_directed(struct triangles_follow *F, const hy_delta *delta)
{
    struct par_keys *const K = &F->arcs;
    K->n = 0;
    take_arcs(K, &delta->deleted, 0);
    take_arcs(K, &delta->inserted, CAME);
    sort_keys(F);
    for (size_t lo = 0, hi; lo < K->n; lo = hi) {
        for (hi = lo + 1; hi < K->n && K->key[hi] == K->key[lo];)
            hi++;
        add(F, weigh_pair(F, lo, hi));
    }
}

/* ---- edges at vertices that have more of them -----------------------------
 */

static void tangle(struct triangles_follow *F)
{
    struct par_keys *const K = &F->arcs;
    K->n = 0;
    for (size_t i = 0; i < F->n; i++) {
        const struct triangles_edge e = F->edge[i];
        if (bits_has(F->twice, e.u)) {
            K->key[K->n] = (uint64_t)e.u << 32 | e.v;
            K->tag[K->n++] = (uint32_t)i;
        }
        if (bits_has(F->twice, e.v)) {
            K->key[K->n] = (uint64_t)e.v << 32 | e.u;
            K->tag[K->n++] = (uint32_t)i;
        }
    }
    if (K->n)
        sort_keys(F);
}

void triangles_follow_collect(struct triangles_follow *F, const hy_view *V,
                              const hy_delta *delta)
{
    F->V = V;
    F->n = 0;
    if (view_is_undirected(V))
        collect_undirected(F, &delta->inserted, &delta->deleted);
    else
        collect_directed(F, delta);
    tangle(F);
}

void triangles_follow_end(struct triangles_follow *F)
{
    for (size_t i = 0; i < F->n; i++) {
        const struct triangles_edge e = F->edge[i];
        F->once[e.u / 64] = F->twice[e.u / 64] = 0;
        F->once[e.v / 64] = F->twice[e.v / 64] = 0;
    }
}
