/* A cluster around a seed: PageRank-Nibble.
 *
 *   LocalCluster(V, seed)
 *     1 r(seed) <- 1, queue it
 *     2 Spread     while the queue has a u:                 r(u) >= eps * d(u)
 *     3   Push       p(u) += alpha * r(u); half of the rest stays in r(u),
 *                    half goes to r of the neighbours, evenly; queue whoever
 *                    has r >= eps * d now
 *     4 Order      the u with p(u) > 0 by p(u) / d(u), descending
 *     5 Sweep      of all beginnings of that order, take the one of least
 *                  conductance
 *
 * After Andersen, Chung, Lang (Local graph partitioning using PageRank
 * vectors, FOCS 2006): their ApproximatePageRank and sweep, without the
 * search over scales of PageRank-Nibble's proof.
 *
 * A push at u moves at least alpha * eps * d(u) into p, whose sum never
 * exceeds 1: degrees of pushed vertices sum to at most 1/(alpha * eps), and
 * so does everything that is touched.  Memory for all of it is reserved
 * first, and left untouched by the system where it is not needed; nothing is
 * done for every vertex of the graph.
 */
#include "base/bits.h"
#include "base/mem.h"
#include "base/random.h"
#include "store/view.h"

#include <hypha/localcluster.h>

#include <math.h>
#include <stdlib.h>

/* A vertex that was touched. */
struct spot {
    double p, r;
    hy_vid u;
    uint32_t place; /* in the order, from 1; 0: not placed */
    uint64_t degree;
    bool is_queued;
};

struct nibble {
    const hy_view *V;
    hy_ctx *ctx;
    hy_vid seed;
    double alpha, epsilon;
    uint32_t room;
    struct spot *spot; /* n of them, in order of discovery */
    uint32_t n;
    uint32_t *slot; /* hash table: 1 + index of a spot, 0: empty */
    uint32_t mask;
    uint32_t *queue; /* ring of `room` indices of spots */
    uint32_t head, queued;
    uint32_t *order; /* indices of spots */
    uint64_t pushes;
};

/* ---- neighbours, of both sides if directed ------------------------------ */

static uint32_t n_sides(const hy_view *V)
{
    return view_is_undirected(V) ? 1 : 2;
}

static hy_span side_span(const hy_view *V, uint32_t side, hy_vid u)
{
    return side ? view_in(V, u) : view_out(V, u);
}

#define for_neighbour_spans(s, V, u)                                           \
    for (uint32_t side = 0; side < n_sides(V); side++)                         \
        for (hy_span s = side_span(V, side, u); s.n != 0; hy_span_next(V, &s))

static uint64_t degree_of(const hy_view *V, hy_vid u)
{
    return (uint64_t)view_degree(V, u) +
           (view_is_undirected(V) ? 0 : view_in_degree(V, u));
}

static uint64_t volume_of_all(const hy_view *V)
{
    return hy_view_arcs(V) * n_sides(V);
}

/* ---- spots --------------------------------------------------------------- */

/* The slot of u, or the empty one where it belongs. */
static uint32_t *find(const struct nibble *N, hy_vid u)
{
    uint32_t i = (uint32_t)base_mix(u) & N->mask;
    while (N->slot[i] && N->spot[N->slot[i] - 1].u != u)
        i = (i + 1) & N->mask;
    return &N->slot[i];
}

static struct spot *touch(struct nibble *N, hy_vid u)
{
    uint32_t *const slot = find(N, u);
    if (!*slot) {
        N->spot[N->n] = (struct spot){ .u = u, .degree = degree_of(N->V, u) };
        *slot = ++N->n;
    }
    return &N->spot[*slot - 1];
}

/* ---- spread -------------------------------------------------------------- */

static void add_residual(struct nibble *N, hy_vid u, double r)
{
    struct spot *const s = touch(N, u);
    s->r += r;
    if (s->is_queued || s->r < N->epsilon * (double)s->degree)
        return;
    s->is_queued = true;
    N->queue[(N->head + (uint64_t)N->queued++) % N->room] =
        (uint32_t)(s - N->spot);
}

static void push(struct nibble *N, struct spot *spot)
{
    const hy_vid u = spot->u;
    const double half = (1 - N->alpha) * spot->r / 2;
    const double each = half / (double)spot->degree;
    spot->p += N->alpha * spot->r;
    spot->r = 0;
    spot->is_queued = false;
    N->pushes++;
    add_residual(N, u, half);
    for_neighbour_spans(s, N->V, u) for (size_t i = 0; i < s.n; i++)
        add_residual(N, s.v[i * s.step], each);
}

static void spread(struct nibble *N)
{
    struct spot *const s = touch(N, N->seed);
    if (!s->degree) {
        s->p = 1;
        return;
    }
    add_residual(N, N->seed, 1);
    while (N->queued) {
        const uint32_t at = N->queue[N->head];
        N->head = (N->head + 1) % N->room;
        N->queued--;
        push(N, &N->spot[at]);
    }
    if (s->p <= 0) /* epsilon is too large for a single push */
        s->p = 1;
}

/* ---- order --------------------------------------------------------------- */

static double worth(const struct spot *s)
{
    return s->degree ? s->p / (double)s->degree : s->p;
}

static bool is_before(const struct nibble *N, uint32_t a, uint32_t b)
{
    const struct spot *const x = &N->spot[a], *const y = &N->spot[b];
    const double p = worth(x), q = worth(y);
    return p != q ? p > q : x->u < y->u;
}

/* Lets the i-th of n sink in a heap whose top comes last. */
static void sink(const struct nibble *N, size_t i, size_t n)
{
    const uint32_t x = N->order[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(N, N->order[child], N->order[child + 1]))
            child++;
        if (!is_before(N, x, N->order[child]))
            break;
        N->order[i] = N->order[child];
    }
    N->order[i] = x;
}

/* Returns how many there are. */
static size_t order(struct nibble *N)
{
    size_t n = 0;
    for (uint32_t i = 0; i < N->n; i++)
        if (N->spot[i].p > 0)
            N->order[n++] = i;
    for (size_t i = n / 2; i-- > 0;)
        sink(N, i, n);
    for (size_t i = n; i-- > 1;) {
        const uint32_t top = N->order[0];
        N->order[0] = N->order[i];
        N->order[i] = top;
        sink(N, 0, i);
    }
    return n;
}

/* ---- sweep --------------------------------------------------------------- */

static double conductance_of(uint64_t cut, uint64_t volume, uint64_t all)
{
    const uint64_t less = volume < all - volume ? volume : all - volume;
    return less ? (double)cut / (double)less : 1;
}

/* What the cut is when u joins those that are placed. */
static uint64_t cut_with(const struct nibble *N, hy_vid u, uint64_t cut)
{
    for_neighbour_spans(s, N->V, u) for (size_t i = 0; i < s.n; i++)
    {
        const hy_vid v = s.v[i * s.step];
        const uint32_t slot = v == u ? 0 : *find(N, v);
        if (slot && N->spot[slot - 1].place)
            cut--;
        else if (v != u)
            cut++;
    }
    return cut;
}

static void sweep(struct nibble *N, size_t n, hy_localcluster_info *best)
{
    const uint64_t all = volume_of_all(N->V);
    uint64_t volume = 0, cut = 0;
    best->members = 0;
    for (size_t i = 0; i < n; i++) {
        struct spot *const s = &N->spot[N->order[i]];
        cut = cut_with(N, s->u, cut);
        volume += s->degree;
        s->place = (uint32_t)i + 1;
        const double conductance = conductance_of(cut, volume, all);
        if (best->members && !(conductance < best->conductance))
            continue;
        best->members = i + 1;
        best->conductance = conductance;
        best->volume = volume;
        best->cut = cut;
    }
}

static int compare_ids(const void *a, const void *b)
{
    const hy_vid x = *(const hy_vid *)a, y = *(const hy_vid *)b;
    return (x > y) - (x < y);
}

static void write(const struct nibble *N, uint64_t n, hy_vid *members)
{
    for (uint64_t i = 0; i < n; i++)
        members[i] = N->spot[N->order[i]].u;
    qsort(members, n, sizeof *members, compare_ids);
}

/* ---- all of it ----------------------------------------------------------- */

/* Room for all that is touched, and a little for rounding. */
static uint64_t room_of(const hy_view *V, double alpha, double epsilon)
{
    const double touched = 1.001 / (alpha * epsilon) + 64;
    const uint64_t n = hy_view_vertices(V);
    return touched < (double)n ? (uint64_t)touched : n;
}

static hy_status plan(struct nibble *N, const hy_localcluster_opts *opts)
{
    const hy_localcluster_opts none = { 0 };
    opts = opts ? opts : &none;
    N->seed = opts->seed;
    N->alpha = opts->alpha != 0 ? opts->alpha : 0.15;
    N->epsilon = opts->epsilon != 0 ? opts->epsilon : 1e-5;
    if (!(N->alpha > 0 && N->alpha < 1))
        return base_fail(HY_EINVAL, "alpha %g is not between 0 and 1",
                         N->alpha);
    if (!(N->epsilon > 0) || isinf(N->epsilon))
        return base_fail(HY_EINVAL, "epsilon %g is not positive", N->epsilon);
    N->room = (uint32_t)room_of(N->V, N->alpha, N->epsilon);
    return HY_OK;
}

static hy_status reserve(struct nibble *N)
{
    const unsigned bits = bits_width((uint64_t)N->room * 2);
    const size_t slots = (size_t)1 << (bits < 32 ? bits : 32);
    N->mask = (uint32_t)(slots - 1);
    N->slot = base_alloc(N->ctx, slots, sizeof *N->slot);
    N->spot = base_alloc_raw(N->ctx, N->room, sizeof *N->spot);
    N->queue = base_alloc_raw(N->ctx, N->room, sizeof *N->queue);
    N->order = base_alloc_raw(N->ctx, N->room, sizeof *N->order);
    return N->slot && N->spot && N->queue && N->order ? HY_OK : HY_ENOMEM;
}

static void release(struct nibble *N)
{
    base_free(N->ctx, N->order);
    base_free(N->ctx, N->queue);
    base_free(N->ctx, N->spot);
    base_free(N->ctx, N->slot);
}

uint64_t hy_localcluster_room(const hy_view *V,
                              const hy_localcluster_opts *opts)
{
    struct nibble N = { .V = V };
    return plan(&N, opts) == HY_OK ? N.room : 0;
}

hy_status hy_localcluster(const hy_view *V, const hy_localcluster_opts *opts,
                          hy_vid *members, hy_localcluster_info *info)
{
    struct nibble N = { .V = V, .ctx = view_ctx(V) };
    HY_TRY(plan(&N, opts));
    if (!info)
        return base_fail(HY_EINVAL, "no place for the number of members");
    if (!hy_view_has_vertex(V, N.seed))
        return base_fail(HY_EINVAL, "there is no vertex %u", N.seed);
    if (!view_has_in(V))
        return base_fail(HY_ESTATE, "a cluster in a directed graph needs its "
                                    "in-adjacency: hy_graph_add_reverse");
    const hy_status status = reserve(&N);
    if (status == HY_OK) {
        spread(&N);
        const size_t n = order(&N);
        sweep(&N, n, info);
        write(&N, info->members, members);
        info->touched = N.n;
        info->pushes = N.pushes;
    }
    release(&N);
    return status;
}
