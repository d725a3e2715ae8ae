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
#include "algo/common/claims.h"
#include "algo/common/ranked.h"
#include "par/par.h"

#include <hypha/lcc.h>
#include <hypha/triangles.h>

struct lcc {
    const hy_view *V;
    uint64_t *links;  /* by vertex; atomic, relaxed: counters */
    uint32_t *degree; /* by vertex */
    double *lcc;
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

static hy_status links_directed(struct lcc *L, bool both)
{
    enum { GRAIN = 64 };
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
    L->claims = (struct claims){ .n = L->R.n, .grain = GRAIN };
    par_run(ctx, L->width, links_par, L);
    return HY_OK;
}

/* ---- both -------------------------------------------------------------- */

static void divide_par(void *arg, size_t lo, size_t hi)
{
    struct lcc *L = arg;
    for (size_t u = lo; u < hi; u++) {
        const double d = L->degree[u];
        L->lcc[u] = d < 2 ? 0 : (double)L->links[u] / (d * (d - 1));
    }
}

/* In one order, so that it is the same number every time. */
static double average(const struct lcc *L)
{
    const uint64_t n = hy_view_vertices(L->V);
    double sum = 0;
    for (hy_vid u = 0; u < hy_view_bound(L->V); u++)
        sum += L->lcc[u];
    return n ? sum / (double)n : 0;
}

static void release(struct lcc *L)
{
    hy_ctx *ctx = view_ctx(L->V);
    for (uint32_t i = 0; L->mark && i < L->width; i++)
        base_free(ctx, L->mark[i]);
    base_free(ctx, L->mark);
    ranked_fini(&L->R);
    base_free(ctx, L->degree);
    base_free(ctx, L->links);
}

hy_status hy_lcc(const hy_view *V, const hy_lcc_opts *opts, double *lcc,
                 hy_lcc_info *info)
{
    enum { GRAIN = 1 << 14 };
    if (!lcc)
        return base_fail(HY_EINVAL, "lcc: no array for the coefficients");
    hy_ctx *ctx = view_ctx(V);
    const hy_vid n = hy_view_bound(V);
    struct lcc L = { .V = V, .lcc = lcc, .R.ctx = ctx };
    L.links = base_alloc(ctx, n, sizeof *L.links);
    L.degree = base_alloc(ctx, n, sizeof *L.degree);
    hy_status status = L.links && L.degree ? HY_OK : HY_ENOMEM;
    if (status == HY_OK)
        status = view_is_undirected(V)
                     ? links_undirected(&L)
                     : links_directed(&L, !opts || !opts->undirected);
    if (status == HY_OK) {
        par_for(ctx, n, GRAIN, divide_par, &L);
        if (info)
            info->average = average(&L);
    }
    release(&L);
    return status;
}
