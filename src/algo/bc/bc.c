/* Betweenness centrality by dependencies.
 *
 *   Betweenness
 *     1 for each source s
 *         Count       sigma(v) <- shortest paths from s to v, level by level
 *         Accumulate  delta(u) <- sum over edges (u, v) to the next level of
 *                     sigma(u) / sigma(v) * (1 + delta(v)), from the deepest
 *                     level up; score(u) <- score(u) + delta(u), u != s
 *     2 Normalize   if asked for
 *
 * After Brandes (A faster algorithm for betweenness centrality, J. Math.
 * Sociology 2001); in parallel after Madduri et al. (IPDPS 2009).  Few
 * sources are worked on one by one, all threads on a level; many, or where
 * the bits must not depend on the threads, by one thread each.
 */
#include "algo/bc/bc_impl.h"

#include "par/par.h"

#include <string.h>

enum {
    /* More sources than this for each thread go one to a thread, as long as
     * what they need each fits this many bytes in all. */
    SOURCES_EACH = 2,
    SOURCES_BYTES = 1 << 28,
    /* Of workspace for each vertex, one source to a thread. */
    VERTEX_BYTES = 32,
};

static bool goes_by_sources(const hy_view *V, const struct bc_draw *D,
                            const hy_bc_opts *opts)
{
    const uint64_t width = par_width(view_ctx(V));
    return opts->deterministic ||
           (D->count >= width * SOURCES_EACH &&
            (uint64_t)V->bound * VERTEX_BYTES * width <= SOURCES_BYTES);
}

static double largest(const double *score, size_t n)
{
    double max = 0;
    for (size_t v = 0; v < n; v++)
        max = score[v] > max ? score[v] : max;
    return max;
}

static void normalize(double *score, size_t n, double by)
{
    for (size_t v = 0; v < n && by > 0; v++)
        score[v] /= by;
}

hy_status hy_bc(const hy_view *V, const hy_bc_opts *opts, double *score,
                hy_bc_info *info)
{
    static const hy_bc_opts defaults = { 0 };
    opts = opts ? opts : &defaults;
    if (!V || (V->bound && !score))
        return base_fail(HY_EINVAL, "hy_bc: no view or no scores");
    struct bc_draw D;
    HY_TRY(bc_draw_init(&D, V, opts));
    hy_bc_info found = { .sources = D.count };
    HY_TRY(goes_by_sources(V, &D, opts)
               ? bc_by_sources(V, &D, score, &found.max_depth)
               : bc_by_levels(V, &D, score, &found.max_depth));
    if (info || opts->normalize)
        found.largest = largest(score, V->bound);
    if (opts->normalize)
        normalize(score, V->bound, found.largest);
    if (info)
        *info = found;
    return HY_OK;
}
