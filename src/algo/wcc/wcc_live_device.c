/* Weakly connected components, live on a device.
 *
 * The labels stay there.  What a commit adds joins them; who loses an edge may
 * be parted, and all is computed anew.
 */
#include "algo/live/live_device.h"
#include "algo/wcc/wcc_impl.h"

#include <hypha/par.h>

/* A component is called by a vertex of its own. */
static uint64_t count_roots(void *arg, size_t lo, size_t hi)
{
    const hy_vid *const label = arg;
    uint64_t roots = 0;
    for (size_t u = lo; u < hi; u++)
        roots += label[u] == u;
    return roots;
}

static uint64_t count_components(const hy_view *V, hy_vid *label)
{
    return hy_par_sum(view_ctx(V), V->bound, count_roots, label);
}

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    struct wcc W = { .V = V, .ctx = view_ctx(V), .n = V->bound, .p = values };
    (void)parents;
    if (D)
        HY_TRY(wcc_on_device(&W, D, &S->kept));
    else
        HY_TRY(hy_wcc(V, NULL, values, NULL));
    S->n_kept = V->bound;
    S->total = count_components(V, values);
    return HY_OK;
}

static bool can_repair(const struct live_device *S, const hy_delta *delta)
{
    (void)S;
    return !delta->deleted.n && !delta->vertices_deleted.n;
}

static hy_status repair(struct live_device *S, const hy_view *V,
                        const hy_delta *delta, void *values, hy_vid *parents)
{
    struct wcc W = { .V = V, .ctx = view_ctx(V), .n = V->bound, .p = values };
    (void)parents;
    HY_TRY(wcc_join_on_device(&W, S->D, &S->kept, S->n_kept, delta));
    S->n_kept = V->bound;
    S->total = count_components(V, values);
    return HY_OK;
}

static hy_status check(hy_live *L, const hy_view *V)
{
    return hy_wcc_check(V, L->values, NULL) ? HY_OK : HY_EBUG;
}

hy_status wcc_live_on_device(hy_graph *G, const hy_wcc_opts *opts,
                             hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "wcc",
                  .type = HY_U32,
                  .nothing = HY_NONE,
                  .check = check },
        .run = run,
        .can_repair = can_repair,
        .repair = repair,
        .how = "joined on the device",
    };
    struct live_device *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    return live_device_attach(G, &problem, S, opts->device, out);
}
