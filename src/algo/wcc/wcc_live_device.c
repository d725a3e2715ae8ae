/* Weakly connected components, live on a device. */
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

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    const hy_wcc_opts opts = { .device = D };
    (void)parents;
    HY_TRY(hy_wcc(V, &opts, values, NULL));
    S->total = hy_par_sum(view_ctx(V), V->bound, count_roots, values);
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
    };
    struct live_device *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    return live_device_attach(G, &problem, S, opts->device, out);
}
