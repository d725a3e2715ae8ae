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
#include "algo/triangles/triangles_follow.h"

#include "base/bits.h"

enum {
    MUCH_LONGER = 32, /* as in ops: searching beats merging */
    FEW = 16,         /* short lists, merged without vectors */
    SERIAL = 100000,  /* work not worth a second thread */
    GRAIN = 128,
    FAR = 16,
    NEAR = 8,  /* edges ahead whose slots and lists are asked for */
    EACH = 60, /* cost of an edge without neighbours */
};

/* ---- costs ----------------------------------------------------------------
 */

static uint64_t weigh_edge(const hy_view *V, hy_vid u, hy_vid v)
{
    uint64_t a = view_degree(V, u), b = view_degree(V, v);
    if (!view_is_undirected(V)) {
        a += view_in_degree(V, u);
        b += view_in_degree(V, v);
    }
    const uint64_t few = a < b ? a : b, many = a < b ? b : a;
    const uint64_t search = few * (8 + 4 * bits_width(many / (few + 1)));
    const uint64_t merge = (few + many) / 2;
    return EACH + (search < merge ? search : merge);
}

static void weigh_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    uint64_t work = 0;
    for (size_t i = lo; i < hi; i++) {
        const size_t ahead = i + FAR < F->n ? i + FAR : i;
        view_prefetch_slot(F->V, F->edge[ahead].u);
        view_prefetch_slot(F->V, F->edge[ahead].v);
        work += weigh_edge(F->V, F->edge[i].u, F->edge[i].v);
    }
    atomic_fetch_add_explicit(&F->work, work, memory_order_relaxed);
}

uint64_t triangles_follow_weigh(struct triangles_follow *F)
{
    enum { WEIGH_GRAIN = 2048 };
    atomic_store_explicit(&F->work, 0, memory_order_relaxed);
    par_for(view_ctx(F->V), F->n, WEIGH_GRAIN, weigh_par, F);
    return atomic_load_explicit(&F->work, memory_order_relaxed);
}

/* An edge costs what its lists cost, and no more than that of hubs, which are
 * looked up in rows of bits. */
uint64_t triangles_follow_all(const hy_view *V)
{
    const uint64_t n = V->vertices ? V->vertices : 1, mean = V->arcs / n;
    const uint64_t each = 1 + mean * mean / 16;
    return V->vertices / 4 + V->edges * (each < 64 ? each : 64);
}

bool triangles_follow_is_much(const hy_view *V, const hy_delta *delta)
{
    const uint64_t arcs = delta->inserted.n + delta->deleted.n;
    return (view_is_undirected(V) ? arcs : arcs / 2) * EACH >
           triangles_follow_all(V);
}

/* ---- changed edges --------------------------------------------------------
 */

/* Changed edges at one end: lo .. hi - 1 of the arcs. */
struct group {
    hy_vid u;
    size_t lo, hi;
};

/* One edge being counted. */
struct turn {
    struct triangles_follow *F;
    size_t i;
    struct triangles_edge e;
    struct group at_u, at_v; /* empty where no other edge changed */
    int64_t add_u, add_v;
};

/* The first arc that is not below the key, in lo .. hi. */
static size_t search(const struct par_keys *K, size_t lo, size_t hi,
                     uint64_t key)
{
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (K->key[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct group group_of(const struct triangles_follow *F, hy_vid u,
                             bool is_busy)
{
    const struct par_keys *const K = &F->arcs;
    struct group g = { .u = u };
    if (HY_LIKELY(!is_busy))
        return g;
    g.lo = search(K, 0, K->n, (uint64_t)u << 32);
    g.hi = search(K, g.lo, K->n, ((uint64_t)u + 1) << 32);
    return g;
}

/* False: no edge changed at w. */
static bool is_marked(const struct triangles_follow *F, hy_vid w)
{
    return F->marks[triangles_marks_of(F, w)] >> w % 64 & 1;
}

/* The changed edge between the vertex of the group and w, or NULL. */
static const struct triangles_edge *changed(const struct triangles_follow *F,
                                            const struct group *g, hy_vid w)
{
    if (g->lo == g->hi || !is_marked(F, w))
        return NULL;
    const uint64_t key = (uint64_t)g->u << 32 | w;
    const size_t at = search(&F->arcs, g->lo, g->hi, key);
    if (at == g->hi || F->arcs.key[at] != key)
        return NULL;
    return &F->edge[F->arcs.tag[at]];
}

/* ---- one triangle ---------------------------------------------------------
 */

static void give(struct triangles_follow *F, hy_vid u, int64_t x)
{
    if (!x)
        return;
    if (F->is_shared) {
        live_note_par(F->L, u);
        (void)__atomic_fetch_add(&F->diff[u], x, __ATOMIC_RELAXED);
    } else {
        live_note(F->L, u);
        F->diff[u] += x;
    }
}

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
    const struct triangles_edge *const a = changed(F, &t->at_u, w);
    const struct triangles_edge *const b = changed(F, &t->at_v, w);
    const struct triangles_edge *const self = &F->edge[t->i];
    if ((a && a < self) || (b && b < self) || w == t->e.u || w == t->e.v)
        return;
    const struct triangles_edge uv = t->e;
    const struct triangles_edge uw = a ? *a : steady(F, uv.u, w);
    const struct triangles_edge vw = b ? *b : steady(F, uv.v, w);
    const int was = uv.was && uw.was && vw.was, is = uv.is && uw.is && vw.is;
    if (is != was)
        atomic_fetch_add_explicit(&F->total, is - was, memory_order_relaxed);
    if (F->is_weighted) {
        t->add_u += is * vw.is - was * vw.was;
        t->add_v += is * uw.is - was * uw.was;
        give(F, w, is * uv.is - was * uv.was);
    } else {
        t->add_u += is - was;
        t->add_v += is - was;
        give(F, w, is - was);
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

/* Those that lost their edge to the vertex of `from`, and have or had one to
 * that of `to`.  is_first: also those that lost both. */
static void common_before(struct turn *t, const struct group *from,
                          const struct group *to, bool is_first)
{
    struct triangles_follow *F = t->F;
    for (size_t k = from->lo; k < from->hi; k++) {
        const hy_vid w = (hy_vid)F->arcs.key[k];
        if (F->edge[F->arcs.tag[k]].is || w == to->u)
            continue;
        const struct triangles_edge *const other = changed(F, to, w);
        const bool is_lost = other && !other->is;
        if (is_lost ? is_first : is_joined(F->V, to->u, w))
            count_third(t, w);
    }
}

/* ---- all ------------------------------------------------------------------
 */

static void count_edge(struct triangles_follow *F, size_t i)
{
    struct turn t = { .F = F, .i = i, .e = F->edge[i] };
    t.at_u = group_of(F, t.e.u, t.e.is_u_busy);
    t.at_v = group_of(F, t.e.v, t.e.is_v_busy);
    if (view_is_undirected(F->V))
        common_undirected(&t);
    else
        common_directed(&t);
    common_before(&t, &t.at_u, &t.at_v, true);
    common_before(&t, &t.at_v, &t.at_u, false);
    give(F, t.e.u, t.add_u);
    give(F, t.e.v, t.add_v);
}

static void count_par(void *arg, size_t lo, size_t hi)
{
    struct triangles_follow *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const size_t far = i + FAR < F->n ? i + FAR : i;
        const size_t near = i + NEAR < F->n ? i + NEAR : i;
        view_prefetch_slot(F->V, F->edge[far].u);
        view_prefetch_slot(F->V, F->edge[far].v);
        view_prefetch_out(F->V, F->edge[near].u);
        view_prefetch_out(F->V, F->edge[near].v);
        count_edge(F, i);
    }
}

void triangles_follow_count(struct triangles_follow *F, hy_live *L)
{
    F->L = L;
    F->loops = ops_intersect_best();
    F->is_shared =
        atomic_load_explicit(&F->work, memory_order_relaxed) > SERIAL;
    atomic_store_explicit(&F->total, 0, memory_order_relaxed);
    if (F->is_shared)
        par_for(L->ctx, F->n, GRAIN, count_par, F);
    else
        count_par(F, 0, F->n);
}
