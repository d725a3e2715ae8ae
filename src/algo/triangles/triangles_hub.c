/* Triangles of changed edges at one vertex with many of them.
 *
 *   Hub(h)
 *     1 Row     two bits for each vertex: was it joined to h, is it
 *     2 Count   for each changed edge i = (h, v), and each w that is or was
 *               joined to v: by the bits of w, as at any edge
 *     3 Clear   the row
 *
 * Then no list of h is searched or merged, and a look at w costs what the cache
 * takes.  All threads share the edges of one hub.  Undirected graphs alone:
 * bits do not tell weights.
 */
#include "algo/triangles/triangles_turn.h"

enum { GRAIN = 16 };

/* ---- row ------------------------------------------------------------------
 */

/* Of 64 vertices: who was, who is. */
static uint64_t *pair_of(const struct triangles_follow *F, hy_vid w)
{
    return &F->row[2 * ((size_t)w / 64)];
}

static void fill(const struct triangles_follow *F, const struct turn_group *g)
{
    view_for_out (s, F->V, g->u)
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[i * s.step];
            pair_of(F, w)[0] |= (uint64_t)1 << w % 64;
            pair_of(F, w)[1] |= (uint64_t)1 << w % 64;
        }
    for (size_t k = g->lo; k < g->hi; k++) {
        const hy_vid w = (hy_vid)F->arcs.key[k];
        pair_of(F, w)[0] ^= (uint64_t)1 << w % 64; /* not as it is */
    }
}

static void clear(const struct triangles_follow *F, const struct turn_group *g)
{
    view_for_out (s, F->V, g->u)
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[i * s.step];
            pair_of(F, w)[0] = pair_of(F, w)[1] = 0;
        }
    for (size_t k = g->lo; k < g->hi; k++)
        pair_of(F, (hy_vid)F->arcs.key[k])[0] = 0;
}

/* ---- one edge -------------------------------------------------------------
 */

struct hub {
    struct triangles_follow *F;
    struct turn_group at;
    bool is_sample;
};

static bool has(const struct triangles_follow *F, hy_vid w)
{
    const uint64_t *const pair = pair_of(F, w);
    return (pair[0] | pair[1]) >> w % 64 & 1;
}

/* The triangle of the hub, v and w; b: the changed edge between these, or NULL.
 * Edges at the hub are in the order of their other ends. */
static int64_t count_third(const struct hub *H, const struct triangles_edge *e,
                           hy_vid v, hy_vid w, const struct triangles_edge *b)
{
    const uint64_t *const pair = pair_of(H->F, w);
    const bool was = pair[0] >> w % 64 & 1, is = pair[1] >> w % 64 & 1;
    const bool is_before = (was != is && w < v) || (b && b < e);
    if (is_before || w == v || w == H->at.u)
        return 0;
    const int more =
        (e->is && is && (!b || b->is)) - (e->was && was && (!b || b->was));
    turn_give(H->F, w, more);
    return more;
}

/* Of arc k; returns how many triangles there are more. */
static int64_t count_arc(const struct hub *H, size_t k)
{
    struct triangles_follow *const F = H->F;
    const struct triangles_edge *const e = &F->edge[F->arcs.tag[k]];
    const hy_vid v = (hy_vid)F->arcs.key[k];
    const enum triangles_end end = e->u == v ? e->at_u : e->at_v;
    const struct turn_group at_v = turn_group_of(F, v, end);
    int64_t more = 0;
    view_for_out (s, F->V, v)
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[i * s.step];
            if (has(F, w))
                more += count_third(H, e, v, w, turn_changed(F, &at_v, w));
        }
    for (size_t i = at_v.lo; i < at_v.hi; i++) {
        const struct triangles_edge *const b = &F->edge[F->arcs.tag[i]];
        const hy_vid w = (hy_vid)F->arcs.key[i];
        if (!b->is && has(F, w))
            more += count_third(H, e, v, w, b);
    }
    turn_give(F, v, more);
    return more;
}

/* ---- a hub ----------------------------------------------------------------
 */

/* Is the edge of arc k this hub's?  It may be that of its other end. */
static bool is_ours(const struct hub *H, size_t k)
{
    const struct triangles_edge *const e = &H->F->edge[H->F->arcs.tag[k]];
    return (e->u == H->at.u ? e->at_u : e->at_v) == TRIANGLES_HUB;
}

static void look_ahead(const struct hub *H, size_t k, size_t step)
{
    const struct triangles_follow *const F = H->F;
    const size_t far = k + TURN_FAR * step, near = k + TURN_NEAR * step;
    if (far < H->at.hi)
        view_prefetch_slot(F->V, (hy_vid)F->arcs.key[far]);
    if (near < H->at.hi)
        view_prefetch_out(F->V, (hy_vid)F->arcs.key[near]);
}

/* Of its arcs, or of every TURN_SAMPLE-th of them; of all others if that has
 * been done. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    const struct hub *const H = arg;
    struct triangles_follow *const F = H->F;
    const size_t step = H->is_sample ? TURN_SAMPLE : 1;
    int64_t total = 0;
    for (size_t i = lo; i < hi; i++) {
        const size_t k = H->at.lo + i * step;
        const bool is_done =
            !H->is_sample && F->is_sampled && i % TURN_SAMPLE == 0;
        if (H->is_sample && turn_is_late(F))
            break;
        look_ahead(H, k, step);
        if (!is_done && is_ours(H, k))
            total += count_arc(H, k);
    }
    turn_give(F, H->at.u, total);
    atomic_fetch_add_explicit(&F->total, total, memory_order_relaxed);
}

static void count_hub(struct hub *H)
{
    struct triangles_follow *const F = H->F;
    const size_t arcs = H->at.hi - H->at.lo;
    const size_t n = H->is_sample ? bits_div_up(arcs, TURN_SAMPLE) : arcs;
    const double begin = hy_clock();
    fill(F, &H->at);
    const double filled = hy_clock();
    if (F->is_shared)
        par_for(F->L->ctx, n, GRAIN, count_par, H);
    else
        count_par(H, 0, n);
    const double counted = hy_clock();
    clear(F, &H->at);
    F->rows_took += (filled - begin) + (hy_clock() - counted);
}

void triangles_count_hubs(struct triangles_follow *F, bool is_sample)
{
    const struct par_keys *const K = &F->arcs;
    F->rows_took = 0;
    for (size_t i = 0; i < F->n_hubs; i++) {
        const hy_vid u = (hy_vid)(K->key[F->hub[i]] >> 32);
        struct hub H = { .F = F,
                         .at = turn_group_of(F, u, TRIANGLES_HUB),
                         .is_sample = is_sample };
        if (is_sample && turn_is_late(F))
            return;
        count_hub(&H);
    }
}
