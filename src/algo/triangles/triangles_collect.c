/* Which neighbours a delta joined, parted, or joined in another way.
 *
 * Undirected: the two lists of the delta are merged.  Directed: an edge may
 * have another of the opposite direction, which decides whether its ends were
 * neighbours before and are now; so edges are sorted by their ends, and those
 * that the delta does not have are looked up.
 */
#include "algo/triangles/triangles_follow.h"

#include "base/bits.h"

#include <string.h>

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

/* Words of marks for so many edges: 32 bits or more for each end, and no more
 * than for all ids. */
static size_t marks_words(size_t bound, size_t edges)
{
    const size_t ids = 64 * edges < bound ? 64 * edges : bound;
    const size_t words = ids ? bits_words(ids) : 1;
    return (size_t)2 << bits_width(words - 1);
}

static hy_status reserve_marks(struct triangles_follow *F, hy_ctx *ctx,
                               size_t bound, size_t edges)
{
    const size_t room = marks_words(bound, edges);
    if (room <= F->marks_room)
        return HY_OK;
    HY_TRY(live_grow(ctx, &F->marks, room, room, sizeof *F->marks, 0));
    F->marks_room = room;
    return HY_OK;
}

/* A batch of few edges has no hub. */
static hy_status reserve_hubs(struct triangles_follow *F, hy_ctx *ctx,
                              size_t bound, size_t edges)
{
    const size_t hubs = F->has_hubs ? 2 * edges / TRIANGLES_HUB_LEAST : 0;
    const size_t words = 2 * bits_words(bound + bound / 8);
    if (hubs > F->hub_room) {
        HY_TRY(live_grow(ctx, &F->hub, hubs, hubs, sizeof *F->hub, 0));
        F->hub_room = hubs;
    }
    if (hubs && 2 * bits_words(bound) > F->row_words) {
        HY_TRY(live_grow(ctx, &F->row, F->row_words, words, sizeof *F->row, 0));
        F->row_words = words;
    }
    return HY_OK;
}

hy_status triangles_follow_reserve(struct triangles_follow *F, hy_ctx *ctx,
                                   size_t bound, size_t edges)
{
    HY_TRY(reserve_edges(F, ctx, edges));
    HY_TRY(reserve_marks(F, ctx, bound, edges));
    HY_TRY(reserve_hubs(F, ctx, bound, edges));
    if (bound <= F->bound && F->diff)
        return HY_OK;
    const size_t room = bound + bound / 8 + 64, used = F->bound;
    HY_TRY(live_grow(ctx, &F->diff, used, room, sizeof *F->diff, 0));
    F->bound = room;
    return HY_OK;
}

hy_status triangles_follow_check(const struct triangles_follow *F, hy_vid bound)
{
    for (hy_vid u = 0; F->diff && u < bound; u++)
        if (F->diff[u])
            return base_fail(HY_EBUG, "triangles: %u was left out",
                             (unsigned)u);
    for (size_t i = 0; i < F->row_words; i++)
        if (F->row[i])
            return base_fail(HY_EBUG, "triangles: the row of a hub stayed");
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
    base_free(ctx, F->marks);
    base_free(ctx, F->hub);
    base_free(ctx, F->row);
}

/* ---- edges ----------------------------------------------------------------
 */

static void clear_marks(struct triangles_follow *F, size_t bound, size_t edges)
{
    const size_t words = marks_words(bound, edges);
    F->mask = (hy_vid)(words * 32 - 1);
    memset(F->marks, 0, words * sizeof *F->marks);
}

static void mark(struct triangles_follow *F, hy_vid u)
{
    const size_t at = triangles_marks_of(F, u);
    const uint64_t bit = (uint64_t)1 << u % 64;
    F->marks[at + 1] |= F->marks[at] & bit;
    F->marks[at] |= bit;
}

/* Changes of weight alone matter only where weights are counted. */
static void add(struct triangles_follow *F, hy_edge e, uint8_t was, uint8_t is)
{
    if (was == is || (!F->is_weighted && was && is))
        return;
    struct triangles_edge *const at = &F->edge[F->n++];
    at->u = e.u;
    at->v = e.v;
    at->was = was;
    at->is = is;
    F->has_lost |= !is;
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
            add(F, e, is_new ? 0 : 2, is_new ? 2 : 0);
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

static void sort_keys(struct triangles_follow *F)
{
    const unsigned bits = bits_width(F->V->bound);
    F->arcs.high_bits = F->arcs.low_bits = bits;
    par_sort(view_ctx(F->V), &F->arcs);
}

/* Two weights in one tag. */
enum { WAS = 1, IS = 4, WEIGHT = 3 };

static bool is_first(const struct par_keys *K, size_t i)
{
    return i == 0 || K->key[i] != K->key[i - 1];
}

/* Weighs the neighbours whose directed edges begin at lo. */
static uint32_t weigh_pair(const struct triangles_follow *F, size_t lo)
{
    const struct par_keys *const K = &F->arcs;
    const hy_vid u = (hy_vid)(K->key[lo] >> 32), v = (hy_vid)K->key[lo];
    uint32_t was[2], is[2];
    was[0] = is[0] = hy_view_has_edge(F->V, u, v);
    was[1] = is[1] = hy_view_has_edge(F->V, v, u);
    for (size_t i = lo; i < K->n && K->key[i] == K->key[lo]; i++)
        was[(K->tag[i] & DOWN) != 0] = !(K->tag[i] & CAME);
    return WAS * (was[0] + was[1]) + IS * (is[0] + is[1]);
}

/* Writes the weights of pairs that begin in its range. */
static void weigh_pairs_par(void *arg, size_t lo, size_t hi)
{
    enum { FAR = 16, NEAR = 8 };
    struct triangles_follow *F = arg;
    const struct par_keys *const K = &F->arcs;
    for (size_t i = lo; i < hi; i++) {
        const uint64_t far = K->key[i + FAR < K->n ? i + FAR : i];
        const uint64_t near = K->key[i + NEAR < K->n ? i + NEAR : i];
        view_prefetch_slot(F->V, (hy_vid)(far >> 32));
        view_prefetch_slot(F->V, (hy_vid)far);
        view_prefetch_out(F->V, (hy_vid)(near >> 32));
        view_prefetch_out(F->V, (hy_vid)near);
        if (is_first(K, i))
            K->tag_tmp[i] = weigh_pair(F, i);
    }
}

static void collect_directed(struct triangles_follow *F, const hy_delta *delta)
{
    enum { GRAIN = 512 };
    struct par_keys *const K = &F->arcs;
    K->n = 0;
    take_arcs(K, &delta->deleted, 0);
    take_arcs(K, &delta->inserted, CAME);
    sort_keys(F);
    par_for(view_ctx(F->V), K->n, GRAIN, weigh_pairs_par, F);
    for (size_t i = 0; i < K->n; i++) {
        const hy_edge e = { .u = (hy_vid)(K->key[i] >> 32),
                            .v = (hy_vid)K->key[i] };
        const uint32_t weights = is_first(K, i) ? K->tag_tmp[i] : 0;
        add(F, e, weights & WEIGHT, weights / IS & WEIGHT);
    }
}

/* ---- edges at vertices that have more of them -----------------------------
 */

static bool is_busy(const struct triangles_follow *F, hy_vid u)
{
    return F->marks[triangles_marks_of(F, u) + 1] >> u % 64 & 1;
}

static void add_arc(struct par_keys *K, bool is_busy, hy_vid u, hy_vid v,
                    size_t edge)
{
    K->key[K->n] = (uint64_t)u << 32 | v;
    K->tag[K->n] = (uint32_t)edge;
    K->n += is_busy;
}

static void tangle(struct triangles_follow *F)
{
    struct par_keys *const K = &F->arcs;
    K->n = 0;
    for (size_t i = 0; i < F->n; i++) {
        struct triangles_edge *const e = &F->edge[i];
        e->at_u = is_busy(F, e->u) ? TRIANGLES_BUSY : TRIANGLES_CALM;
        e->at_v = is_busy(F, e->v) ? TRIANGLES_BUSY : TRIANGLES_CALM;
        add_arc(K, e->at_u, e->u, e->v, i);
        add_arc(K, e->at_v, e->v, e->u, i);
    }
    if (K->n)
        sort_keys(F);
}

void triangles_follow_collect(struct triangles_follow *F, const hy_view *V,
                              const hy_delta *delta)
{
    F->V = V;
    F->n = 0;
    F->has_lost = false;
    clear_marks(F, V->bound, delta->inserted.n + delta->deleted.n);
    if (view_is_undirected(V))
        collect_undirected(F, &delta->inserted, &delta->deleted);
    else
        collect_directed(F, delta);
    tangle(F);
}
