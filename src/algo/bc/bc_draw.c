/* Sources: a list, all vertices, or a draw without repeats.
 *
 * The draw walks a random order of all ids, which needs no memory, and skips
 * those that are not alive. */
#include "algo/bc/bc_impl.h"

#include "base/random.h"

static hy_status check_list(const hy_view *V, const hy_bc_opts *opts)
{
    for (uint64_t i = 0; i < opts->sources; i++)
        if (opts->list[i] >= V->bound || !view_has_vertex(V, opts->list[i]))
            return base_fail(HY_EINVAL, "source %u is not a vertex",
                             (unsigned)opts->list[i]);
    return HY_OK;
}

hy_status bc_draw_init(struct bc_draw *D, const hy_view *V,
                       const hy_bc_opts *opts)
{
    *D = (struct bc_draw){ .V = V, .seed = opts->seed };
    if (opts->list) {
        D->list = opts->list;
        D->count = opts->sources;
        return check_list(V, opts);
    }
    D->is_all = !opts->sources || opts->sources >= V->vertices;
    D->count = D->is_all ? V->vertices : opts->sources;
    return HY_OK;
}

bool bc_draw_next(struct bc_draw *D, hy_vid *source)
{
    if (D->given == D->count)
        return false;
    if (D->list) {
        *source = D->list[D->given++];
        return true;
    }
    do {
        const uint64_t at = D->at++;
        *source =
            (hy_vid)(D->is_all ? at : base_permute(D->seed, D->V->bound, at));
    } while (!view_has_vertex(D->V, *source));
    D->given++;
    return true;
}
