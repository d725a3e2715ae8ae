/* Hops from one source, live on a device. */
#include "algo/bfs/bfs_impl.h"
#include "algo/live/live_device.h"

/* The smallest parents, as live answers have them. */
static hy_bfs_opts opts_of(const struct live_device *S, hy_device *D)
{
    return (
        hy_bfs_opts){ .source = S->source, .deterministic = true, .device = D };
}

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    const hy_bfs_opts opts = opts_of(S, D);
    hy_bfs_info info;
    HY_TRY(hy_bfs(V, &opts, values, parents, &info));
    S->total = info.reached;
    return HY_OK;
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const struct live_device *const S = L->state;
    const hy_bfs_opts opts = opts_of(S, NULL);
    if (S->source == HY_NONE)
        return live_device_check_nothing(L);
    return hy_bfs_check(V, &opts, L->values, L->parents, NULL, NULL) ? HY_OK
                                                                     : HY_EBUG;
}

hy_status bfs_live_on_device(hy_graph *G, const hy_bfs_opts *opts,
                             hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "bfs",
                  .type = HY_U32,
                  .needs_in = true,
                  .nothing = UINT32_MAX,
                  .check = check },
        .has_source = true,
        .run = run,
    };
    struct live_device *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    S->source = opts->source;
    return live_device_attach(G, &problem, S, opts->device, out);
}
