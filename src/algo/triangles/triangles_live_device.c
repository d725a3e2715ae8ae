/* Triangles of each vertex, live on a device. */
#include "algo/live/live_device.h"
#include "algo/triangles/triangles_impl.h"

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    const hy_triangles_opts opts = { .device = D };
    hy_triangles_info info;
    (void)parents;
    HY_TRY(hy_triangles(V, &opts, values, &info));
    S->total = info.triangles;
    return HY_OK;
}

static hy_status check(hy_live *L, const hy_view *V)
{
    return hy_triangles_check(V, L->values, L->info.total, NULL) ? HY_OK
                                                                 : HY_EBUG;
}

hy_status triangles_live_on_device(hy_graph *G, const hy_triangles_opts *opts,
                                   hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "triangles",
                  .type = HY_U64,
                  .needs_in = true,
                  .check = check },
        .run = run,
    };
    struct live_device *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    return live_device_attach(G, &problem, S, opts->device, out);
}
