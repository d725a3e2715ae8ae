/* Local clustering coefficients.
 *
 *   Coefficients
 *     1 Links   links(u) <- edges among the neighbours of u: over the
 *               triangles u v w, 2 or the number of edges between v and w
 *     2 Divide  lcc(u) <- links(u) / (d(u) (d(u) - 1))
 *
 * Undirected: links(u) is twice the triangles at u.  Directed: triangles are
 * listed on a copy ordered by degree (triangles_ranked.c has the reasons)
 * that knows which edges go both ways.  All sums are of integers, so that
 * they do not depend on threads.
 */
#include "algo/lcc/lcc_impl.h"

#include "algo/common/claims.h"
#include "algo/common/ranked.h"
#include "par/par.h"

#include <hypha/triangles.h>

struct lcc {
    const hy_view *V;
    uint64_t *links;  /* by vertex; atomic, relaxed: counters */
    uint32_t *degree; /* by vertex; atomic, relaxed: counters */
    /* directed: */
    struct ranked R;
    struct claims claims;
    uint32_t width;
    uint8_t **mark; /* by worker: by rank, edges between it and u */
};

/* ---- undirected -------------------------------------------------------- */

static void take_degrees_par(void *arg, size_t lo, size_t hi)
{
    struct lcc *L = arg;
    for (size_t u = lo; u < hi; u++) {
        const bool has_loop = hy_view_has_edge(L->V, (hy_vid)u, (hy_vid)u);
        L->degree[u] = view_degree(L->V, (hy_vid)u) - has_loop;
        L->links[u] *= 2;
    }
}

static hy_status links_undirected(struct lcc *L)
{
    enum { GRAIN = 4096 };
    HY_TRY(hy_triangles(L->V, NULL, L->links, NULL));
    par_for(view_ctx(L->V), hy_view_bound(L->V), GRAIN, take_degrees_par, L);
    return HY_OK;
}

/* ---- directed ---------------------------------------------------------- */

static void add_links(struct lcc *L, uint32_t r, uint64_t x)
{
    if (x)
        (void)__atomic_fetch_add(&L->links[L->R.vertex[r]], x,
                                 __ATOMIC_RELAXED);
}

/* Edges between the ends of the i-th entry of the lists. */
static uint8_t edges_at(const struct ranked *R, uint64_t i)
{
    return R->both ? (uint8_t)(1 + R->both[i]) : 2;
}

/* Triangles of u, v and what both have before them; edges_uv between u, v. */
static uint64_t links_of(struct lcc *L, const uint8_t *mark, uint32_t v,
                         uint8_t edges_uv)
{
    const struct ranked *R = &L->R;
    uint64_t at_u = 0, at_v = 0;
    for (uint64_t i = R->from[v]; i < R->from[v + 1]; i++) {
        const uint32_t w = R->to[i];
        if (!mark[w])
            continue;
        at_u += edges_at(R, i);
        at_v += mark[w];
        add_links(L, w, edges_uv);
    }
    add_links(L, v, at_v);
    return at_u;
}

static void links_at(struct lcc *L, uint8_t *mark, uint32_t u)
{
    const struct ranked *R = &L->R;
    uint64_t at_u = 0;
    for (uint64_t i = R->from[u]; i < R->from[u + 1]; i++) {
        mark[R->to[i]] = edges_at(R, i);
        (void)__atomic_fetch_add(&L->degree[R->vertex[R->to[i]]], 1,
                                 __ATOMIC_RELAXED);
    }
    for (uint64_t i = R->from[u]; i < R->from[u + 1]; i++)
        at_u += links_of(L, mark, R->to[i], edges_at(R, i));
    for (uint64_t i = R->from[u]; i < R->from[u + 1]; i++)
        mark[R->to[i]] = 0;
    add_links(L, u, at_u);
    (void)__atomic_fetch_add(&L->degree[R->vertex[u]], ranked_degree(R, u),
                             __ATOMIC_RELAXED);
}

static void links_par(void *arg, size_t i)
{
    struct lcc *L = arg;
    size_t lo, hi;
    while (claims_take(&L->claims, &lo, &hi))
        for (size_t u = lo; u < hi; u++)
            links_at(L, L->mark[i], (uint32_t)u);
}

static void clear_par(void *arg, size_t lo, size_t hi)
{
    struct lcc *L = arg;
    for (size_t u = lo; u < hi; u++) {
        L->links[u] = 0;
        L->degree[u] = 0;
    }
}

static hy_status links_directed(struct lcc *L, bool both)
{
    enum { GRAIN = 64, CLEAR_GRAIN = 1 << 16 };
    hy_ctx *ctx = view_ctx(L->V);
    HY_TRY(
        ranked_init(&L->R, L->V, (struct ranked_opts){ RANKED_LOWER, both }));
    L->width = par_width(ctx);
    L->mark = base_alloc(ctx, L->width, sizeof *L->mark);
    if (!L->mark)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < L->width; i++) {
        L->mark[i] = base_alloc(ctx, L->R.n, 1);
        if (!L->mark[i])
            return HY_ENOMEM;
    }
    par_for(ctx, hy_view_bound(L->V), CLEAR_GRAIN, clear_par, L);
    L->claims = (struct claims){ .n = L->R.n, .grain = GRAIN };
    par_run(ctx, L->width, links_par, L);
    return HY_OK;
}

/* ---- both -------------------------------------------------------------- */

static void release(struct lcc *L)
{
    hy_ctx *ctx = view_ctx(L->V);
    for (uint32_t i = 0; L->mark && i < L->width; i++)
        base_free(ctx, L->mark[i]);
    base_free(ctx, L->mark);
    ranked_fini(&L->R);
}

hy_status lcc_links(const hy_view *V, bool is_directed, uint64_t *links,
                    uint32_t *degree)
{
    struct lcc L = {
        .V = V, .links = links, .degree = degree, .R.ctx = view_ctx(V)
    };
    const hy_status status = view_is_undirected(V)
                                 ? links_undirected(&L)
                                 : links_directed(&L, is_directed);
    release(&L);
    return status;
}

struct division {
    const uint64_t *links;
    const uint32_t *degree;
    double *lcc;
};

static void divide_par(void *arg, size_t lo, size_t hi)
{
    const struct division *D = arg;
    for (size_t u = lo; u < hi; u++)
        D->lcc[u] = lcc_divide(D->links[u], D->degree[u]);
}

/* In one order, so that it is the same number every time. */
static double average(const hy_view *V, const double *lcc)
{
    const uint64_t n = hy_view_vertices(V);
    double sum = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        sum += lcc[u];
    return n ? sum / (double)n : 0;
}

hy_status hy_lcc(const hy_view *V, const hy_lcc_opts *opts, double *lcc,
                 hy_lcc_info *info)
{
    enum { GRAIN = 1 << 14 };
    if (!lcc)
        return base_fail(HY_EINVAL, "lcc: no array for the coefficients");
    hy_ctx *ctx = view_ctx(V);
    const hy_vid n = hy_view_bound(V);
    uint64_t *links = base_alloc_raw(ctx, n, sizeof *links);
    uint32_t *degree = base_alloc_raw(ctx, n, sizeof *degree);
    hy_status status = HY_ENOMEM;
    if (links && degree)
        status = lcc_links(V, !opts || !opts->undirected, links, degree);
    if (status == HY_OK) {
        struct division D = { links, degree, lcc };
        par_for(ctx, n, GRAIN, divide_par, &D);
        if (info)
            info->average = average(V, lcc);
    }
    base_free(ctx, degree);
    base_free(ctx, links);
    return status;
}
