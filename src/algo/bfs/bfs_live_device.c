/* Hops from one source, live on a device.
 *
 * Depths and parents stay there.  A commit that only adds relaxes from its
 * edges, as for shortest paths of weights 1, whose distances depths are; others
 * compute all anew.
 */
#include "algo/bfs/bfs_impl.h"
#include "algo/live/live_device.h"
#include "algo/sssp/sssp_impl.h"

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
    const struct bfs_kept kept = { .depth = &S->kept,
                                   .parent = &S->kept_parents };
    hy_bfs_info info;
    if (D)
        HY_TRY(bfs_on_device(V, &opts, &kept, values, parents, &info));
    else
        HY_TRY(hy_bfs(V, &opts, values, parents, &info));
    S->n_kept = V->bound;
    S->total = info.reached;
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
    const hy_sssp_opts opts = { .source = S->source, .device = S->D };
    struct sssp_kept kept = { .dist = &S->kept,
                              .parent = &S->kept_parents,
                              .n = S->n_kept };
    struct sssp hops = {
        .ctx = view_ctx(V),
        .V = V,
        .W = { .V = V, .type = HY_U8, .column = HY_NONE },
        .kept = &kept,
    };
    HY_TRY(sssp_repair(&hops, &opts, delta, true, values, parents, &S->total));
    S->n_kept = V->bound;
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
        .can_repair = can_repair,
        .repair = repair,
        .how = "relaxed from new edges on the device",
    };
    struct live_device *S = base_alloc(hy_graph_ctx(G), 1, sizeof *S);
    if (!S)
        return HY_ENOMEM;
    S->source = opts->source;
    return live_device_attach(G, &problem, S, opts->device, out);
}
