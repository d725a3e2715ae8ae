/* Counting triangles: which method.
 *
 * Numbering by degree costs a copy of the graph and pays where hubs would be
 * walked over and over (Latapy, Theoretical Computer Science 2008; the rule
 * of thumb is GAP's, Beamer, Asanovic, Patterson, 2015): where degrees are
 * high and a few vertices have most of the edges.
 */
#include "algo/triangles/triangles_impl.h"

#include "base/random.h"
#include "par/par.h"

/* True if the mean degree is well above the one most vertices have. */
static bool is_skewed(const hy_view *V)
{
    enum { LEAST_MEAN = 10, SAMPLE = 1000 };
    const uint64_t n = hy_view_bound(V), arcs = hy_view_arcs(V);
    if (arcs == 0 || arcs / LEAST_MEAN < hy_view_vertices(V))
        return false;
    const double mean = (double)arcs / (double)hy_view_vertices(V);
    unsigned below = 0, seen = 0;
    for (uint64_t i = 0; i < SAMPLE; i++) {
        const hy_vid u = (hy_vid)base_random_below(base_random_at(1, i), n);
        const uint32_t degree = view_degree(V, u);
        seen += degree > 0;
        below += degree > 0 && degree < mean / 1.3;
    }
    return below * 2 > seen;
}

static hy_triangles_method choose(const hy_view *V, hy_triangles_method method)
{
    if (method != HY_TRIANGLES_AUTO)
        return method;
    if (!view_is_undirected(V) || is_skewed(V))
        return HY_TRIANGLES_RANKED;
    return HY_TRIANGLES_IN_PLACE;
}

static void clear_par(void *arg, size_t lo, size_t hi)
{
    uint64_t *count = arg;
    for (size_t u = lo; u < hi; u++)
        count[u] = 0;
}

void triangles_clear(const hy_view *V, uint64_t *count)
{
    enum { GRAIN = 1 << 16 };
    if (count)
        par_for(view_ctx(V), hy_view_bound(V), GRAIN, clear_par, count);
}

hy_status hy_triangles(const hy_view *V, const hy_triangles_opts *opts,
                       uint64_t *count, hy_triangles_info *info)
{
    hy_triangles_method method = opts ? opts->method : HY_TRIANGLES_AUTO;
    if ((unsigned)method > HY_TRIANGLES_IN_PLACE)
        return base_fail(HY_EINVAL, "triangles: no method %d", (int)method);
    method = choose(V, method);
    if (method == HY_TRIANGLES_IN_PLACE && !view_is_undirected(V))
        return base_fail(HY_ENOTSUP,
                         "triangles: directed views are not counted in place");
    uint64_t total = 0;
    if (opts && opts->device) {
        method = HY_TRIANGLES_RANKED;
        HY_TRY(triangles_on_device(V, opts->device, NULL, count, &total));
    } else {
        HY_TRY(method == HY_TRIANGLES_RANKED
                   ? triangles_ranked(V, count, &total)
                   : triangles_in_place(V, count, &total));
    }
    if (info)
        *info = (hy_triangles_info){ .triangles = total, .method = method };
    return HY_OK;
}
