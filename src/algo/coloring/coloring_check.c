/* Verifies colours: neighbours differ, and no vertex could have had a smaller
 * colour while its neighbours keep theirs. */
#include "algo/common/side.h"

#include <hypha/coloring.h>

struct check {
    const hy_view *V;
    struct algo_side near;
    const uint32_t *color;
    hy_vid *seen; /* the last vertex with a neighbour of that colour */
};

static hy_status check_vertex(struct check *C, hy_vid u)
{
    const uint32_t color = C->color[u];
    uint32_t below = 0;
    if (!view_has_vertex(C->V, u))
        return color == HY_NONE
                   ? HY_OK
                   : base_fail(HY_EBUG, "%u is no vertex, its colour is %u", u,
                               color);
    if (color >= C->V->bound)
        return base_fail(HY_EBUG, "%u has no colour: %u", u, color);
    algo_for_side (s, &C->near, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (v == u)
                continue;
            if (C->color[v] == color)
                return base_fail(HY_EBUG, "%u and %u have the colour %u", u, v,
                                 color);
            if (C->color[v] < color && C->seen[C->color[v]] != u) {
                C->seen[C->color[v]] = u;
                below++;
            }
        }
    return below == color ? HY_OK
                          : base_fail(HY_EBUG,
                                      "%u has the colour %u, and its "
                                      "neighbours %u smaller ones",
                                      u, color, below);
}

static hy_status check_all(struct check *C)
{
    for (hy_vid u = 0; u < C->V->bound; u++)
        C->seen[u] = HY_NONE;
    for (hy_vid u = 0; u < C->V->bound; u++)
        HY_TRY(check_vertex(C, u));
    return HY_OK;
}

bool hy_coloring_check(const hy_view *V, const uint32_t *color,
                       const char **why)
{
    hy_ctx *const ctx = view_ctx(V);
    struct check C = { .V = V, .color = color };
    hy_status status = HY_ENOMEM;
    C.seen = base_alloc_raw(ctx, V->bound, sizeof *C.seen);
    if (C.seen)
        status = algo_side_simple(&C.near, V);
    if (status == HY_OK)
        status = check_all(&C);
    algo_side_fini(&C.near);
    base_free(ctx, C.seen);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
