/* Triangles that come and go with the edges of a delta, each found once.
 *
 *   Count
 *     for each changed edge i = (u, v), in any order
 *       for each w that was or is joined to both
 *         unless another edge of the triangle changed and comes before i
 *           was <- all three edges were there, is <- all three are
 *           add is - was to u, v and w
 *
 * The graph has changed already.  Who is joined to both now is in the lists
 * of u and v, merged or searched as static counting does; who was is there
 * too, or lost one of its two edges, and then is on the list of changed edges
 * at u or at v.  Such lists are kept only for vertices at which two edges or
 * more changed: the others have no other triangle with two changed edges.
 *
 * A triangle is counted at the first of its changed edges, so that edges
 * can be taken in any order, by any thread, insertions and deletions mixed.
 * Where edges have weights, u gets the change of the weight between v and w
 * instead, and a change of a weight alone is a changed edge.
 *
 * Meerkat (Concessao et al., 2023, section 4.3; after Makkar, Bader, Green,
 * HiPC 2017) intersects old and new lists in three ways and corrects the total
 * by inclusion and exclusion, for a batch of insertions or one of deletions.
 * We keep counts of each vertex, and mixed batches.
 */
#include "algo/triangles/triangles_turn.h"

#include "base/bits.h"

enum {
    MUCH_LONGER = 32, /* as in ops: searching beats merging */
    FEW = 16,         /* short lists, merged without vectors */
    SERIAL = 100000,  /* work not worth a second thread */
    GRAIN = 128,
};

/* ---- one triangle ---------------------------------------------------------
 */

/* An edge that did not change, but for its weight where that is not asked. */
static struct triangles_edge steady(const struct triangles_follow *F, hy_vid u,
                                    hy_vid w)
{
    struct triangles_edge e = { .was = 2, .is = 2 };
    if (F->is_weighted) {
        const bool up = hy_view_has_edge(F->V, u, w);
        e.was = e.is = (uint8_t)(up + hy_view_has_edge(F->V, w, u));
    }
    return e;
}

/* Counts the triangle of the turn's edge and w, if it is this turn's. */
static void count_third(void *arg, hy_vid w)
{
    struct turn *t = arg;
    struct triangles_follow *F = t->F;
    const struct triangles_edge *const self = &F->edge[t->i];
    if (w == t->e.u || w == t->e.v)
        return;
    const struct triangles_edge *const a = turn_changed(F, &t->at_u, w);
    if (a && a < self)
        return;
    const struct triangles_edge *const b = turn_changed(F, &t->at_v, w);
    if (b && b < self)
        return;
    const struct triangles_edge uv = t->e;
    const struct triangles_edge uw = a ? *a : steady(F, uv.u, w);
    const struct triangles_edge vw = b ? *b : steady(F, uv.v, w);
    const int was = uv.was && uw.was && vw.was, is = uv.is && uw.is && vw.is;
    t->total += is - was;
    if (F->is_weighted) {
        t->add_u += is * vw.is - was * vw.was;
        t->add_v += is * uw.is - was * uw.was;
        turn_give(F, w, is * uv.is - was * uv.was);
    } else {
        t->add_u += is - was;
        t->add_v += is - was;
        turn_give(F, w, is - was);
    }
}

/* ---- who is joined to both ------------------------------------------------
 */

static void merge_few(struct turn *t, const hy_span *a, const hy_span *b)
{
    uint32_t i = 0, k = 0;
    while (i < a->n && k < b->n) {
        const hy_vid x = a->v[i], y = b->v[k];
        if (x == y)
            count_third(t, x);
        i += x <= y;
        k += y <= x;
    }
}

static bool is_much_longer(uint32_t a, uint32_t b)
{
    return a / MUCH_LONGER > b || b / MUCH_LONGER > a;
}

static void common_undirected(struct turn *t)
{
    const hy_view *const V = t->F->V;
    const hy_span a = view_out(V, t->e.u), b = view_out(V, t->e.v);
    if (!a.n || !b.n)
        return;
    if (a.path || b.path || a.step != 1 || is_much_longer(a.n, b.n))
        hy_intersect(V, t->e.u, t->e.v, count_third, t);
    else if ((a.n <= FEW && b.n <= FEW) ||
             t->F->loops->merge(a.v, a.n, b.v, b.n))
        merge_few(t, &a, &b);
}

static bool is_joined(const hy_view *V, hy_vid u, hy_vid v)
{
    return hy_view_has_edge(V, u, v) ||
           (!view_is_undirected(V) && hy_view_has_edge(V, v, u));
}

/* From the shorter side, looking each up at the other. */
static void common_directed(struct turn *t)
{
    const hy_view *const V = t->F->V;
    const uint64_t nu =
        (uint64_t)view_degree(V, t->e.u) + view_in_degree(V, t->e.u);
    const uint64_t nv =
        (uint64_t)view_degree(V, t->e.v) + view_in_degree(V, t->e.v);
    const hy_vid few = nu < nv ? t->e.u : t->e.v;
    const hy_vid many = nu < nv ? t->e.v : t->e.u;
    view_for_out (s, V, few)
        for (size_t i = 0; i < s.n; i++)
            if (is_joined(V, many, s.v[i * s.step]))
                count_third(t, s.v[i * s.step]);
    view_for_in (s, V, few)
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[i * s.step];
            if (!hy_view_has_edge(V, few, w) && is_joined(V, many, w))
                count_third(t, w);
        }
}

/* ---- who was joined to both and is not ------------------------------------
 */

/* Of a group, those behind w.  Edges at one vertex are in the order of their
 * other ends, so that a triangle of this edge and one before w is not this
 * turn's. */
static struct turn_group group_behind(const struct triangles_follow *F,
                                      const struct turn_group *g, hy_vid w)
{
    struct turn_group behind = *g;
    if (g->lo < g->hi)
        behind.lo = triangles_search_arcs(&F->arcs, g->lo, g->hi,
                                          ((uint64_t)g->u << 32 | w) + 1);
    return behind;
}

static const struct triangles_edge *lost(const struct triangles_follow *F,
                                         const struct turn_group *g, hy_vid w)
{
    const struct triangles_edge *const e = turn_changed(F, g, w);
    return e && !e->is ? e : NULL;
}

/* The neighbours of u that are in the group, and are not joined to its vertex
 * any more. */
static void look_up_all(struct turn *t, hy_vid u, const struct turn_group *g)
{
    const hy_view *const V = t->F->V;
    view_for_out (s, V, u)
        for (size_t i = 0; i < s.n; i++)
            if (lost(t->F, g, s.v[i * s.step]))
                count_third(t, s.v[i * s.step]);
    if (view_is_undirected(V))
        return;
    view_for_in (s, V, u)
        for (size_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[i * s.step];
            if (lost(t->F, g, w) && !hy_view_has_edge(V, u, w))
                count_third(t, w);
        }
}

/* Those that lost their edge to the vertex of the group, and have one to u. */
static void lost_at_one(struct turn *t, const struct turn_group *g, hy_vid u)
{
    const struct triangles_follow *const F = t->F;
    const struct turn_group behind = group_behind(F, g, u);
    if (!triangles_is_looked_up(behind.hi - behind.lo,
                                triangles_degree(F->V, u))) {
        look_up_all(t, u, &behind);
        return;
    }
    for (size_t k = behind.lo; k < behind.hi; k++) {
        const hy_vid w = (hy_vid)F->arcs.key[k];
        if (!F->edge[F->arcs.tag[k]].is && is_joined(F->V, u, w))
            count_third(t, w);
    }
}

/* Those that lost their edges to both. */
static void lost_at_both(struct turn *t)
{
    const struct triangles_follow *const F = t->F;
    const struct turn_group a = group_behind(F, &t->at_u, t->e.v);
    const struct turn_group b = group_behind(F, &t->at_v, t->e.u);
    const bool is_a_few = a.hi - a.lo < b.hi - b.lo;
    const struct turn_group *const few = is_a_few ? &a : &b;
    const struct turn_group *const many = is_a_few ? &b : &a;
    for (size_t k = few->lo; k < few->hi; k++) {
        const hy_vid w = (hy_vid)F->arcs.key[k];
        if (!F->edge[F->arcs.tag[k]].is && lost(F, many, w))
            count_third(t, w);
    }
}

/* ---- all ------------------------------------------------------------------
 */

/* Returns how many triangles there are more. */
static int64_t count_edge(struct triangles_follow *F, size_t i)
{
    struct turn t = { .F = F, .i = i, .e = F->edge[i] };
    t.at_u = turn_group_of(F, t.e.u, (enum triangles_end)t.e.at_u);
    t.at_v = turn_group_of(F, t.e.v, (enum triangles_end)t.e.at_v);
    if (view_is_undirected(F->V))
        common_undirected(&t);
    else
        common_directed(&t);
    if (F->has_lost && (t.e.at_u || t.e.at_v)) {
        lost_at_one(&t, &t.at_u, t.e.v);
        lost_at_one(&t, &t.at_v, t.e.u);
        lost_at_both(&t);
    }
    turn_give(F, t.e.u, t.add_u);
    turn_give(F, t.e.v, t.add_v);
    return t.total;
}

static void look_ahead(const struct triangles_follow *F, size_t far,
                       size_t near)
{
    if (far < F->n) {
        view_prefetch_slot(F->V, F->edge[far].u);
        view_prefetch_slot(F->V, F->edge[far].v);
    }
    if (near < F->n) {
        view_prefetch_out(F->V, F->edge[near].u);
        view_prefetch_out(F->V, F->edge[near].v);
    }
}

/* Every TURN_SAMPLE-th edge; none any more when it is late. */
static void sample_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    int64_t total = 0;
    for (size_t k = lo; k < hi; k++) {
        if ((k - lo) % TURN_LOOK == 0 && turn_is_late(F))
            break;
        look_ahead(F, (k + TURN_FAR) * TURN_SAMPLE,
                   (k + TURN_NEAR) * TURN_SAMPLE);
        if (!triangles_at_hub(&F->edge[k * TURN_SAMPLE]))
            total += count_edge(F, k * TURN_SAMPLE);
    }
    atomic_fetch_add_explicit(&F->total, total, memory_order_relaxed);
}

/* All but those of a sample that was taken. */
static void count_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    int64_t total = 0;
    for (size_t i = lo; i < hi; i++) {
        const bool is_done = F->is_sampled && i % TURN_SAMPLE == 0;
        look_ahead(F, i + TURN_FAR, i + TURN_NEAR);
        if (!is_done && !triangles_at_hub(&F->edge[i]))
            total += count_edge(F, i);
    }
    atomic_fetch_add_explicit(&F->total, total, memory_order_relaxed);
}

static void run(struct triangles_follow *F, size_t n, par_range_step *step)
{
    if (F->is_shared)
        par_for(F->L->ctx, n, GRAIN, step, F);
    else
        step(F, 0, n);
}

static void begin(struct triangles_follow *F, hy_live *L)
{
    F->L = L;
    F->loops = ops_intersect_best();
    F->is_shared =
        atomic_load_explicit(&F->work, memory_order_relaxed) > SERIAL;
    F->is_sampled = false;
    atomic_store_explicit(&F->total, 0, memory_order_relaxed);
    atomic_store_explicit(&F->is_late, false, memory_order_relaxed);
}

/* Values are still what they were. */
static void undo(struct triangles_follow *F)
{
    const hy_live *const L = F->L;
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++)
        F->diff[L->noted[i]] = 0;
}

/* Nobody knows how many triangles there are at an edge before they are
 * counted: a part of the edges tells. */
bool triangles_follow_count_within(struct triangles_follow *F, hy_live *L,
                                   double seconds)
{
    const double now = hy_clock(), share = 2;
    begin(F, L);
    F->is_sampled = true;
    F->until = now + seconds * share / TURN_SAMPLE;
    triangles_count_hubs(F, true);
    run(F, bits_div_up(F->n, TURN_SAMPLE), sample_par);
    const double rows = F->rows_took, took = hy_clock() - now - rows;
    if (turn_is_late(F) || took * TURN_SAMPLE + rows > seconds) {
        undo(F);
        return false;
    }
    triangles_count_hubs(F, false);
    run(F, F->n, count_par);
    return true;
}

void triangles_follow_count(struct triangles_follow *F, hy_live *L)
{
    begin(F, L);
    triangles_count_hubs(F, false);
    run(F, F->n, count_par);
}
