/* Shortest paths from one source, live on a device. */
#include "algo/live/live_device.h"
#include "algo/sssp/sssp_impl.h"

#include <string.h>

struct device_paths {
    struct live_device on; /* first */
    hy_sssp_opts opts;
    char name[NAME_BYTES]; /* of the column, if it is named */
};

static hy_sssp_opts opts_of(const struct live_device *S, hy_device *D)
{
    hy_sssp_opts opts = ((const struct device_paths *)S)->opts;
    opts.source = S->source;
    opts.device = D;
    return opts;
}

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    const hy_sssp_opts opts = opts_of(S, D);
    hy_sssp_info info;
    HY_TRY(hy_sssp(V, &opts, values, parents, &info));
    S->total = info.reached;
    return HY_OK;
}

static hy_status judge(struct live_device *S, const hy_batch *batch)
{
    const struct device_paths *const P = (const struct device_paths *)S;
    struct algo_weights W;
    HY_TRY(algo_weights_init(&W, hy_graph_now(S->G), P->opts.weight));
    return sssp_judge(&W, S->G, batch);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const struct live_device *const S = L->state;
    const hy_sssp_opts opts = opts_of(S, NULL);
    if (S->source == HY_NONE)
        return live_device_check_nothing(L);
    return hy_sssp_check(V, &opts, L->values, L->parents, NULL) ? HY_OK
                                                                : HY_EBUG;
}

hy_status sssp_live_on_device(hy_graph *G, const hy_sssp_opts *opts,
                              hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "sssp",
                  .type = HY_F64,
                  .needs_in = true,
                  .nothing = (uint64_t)0x7ff << 52, /* infinity */
                  .check = check },
        .has_source = true,
        .run = run,
        .judge = judge,
    };
    struct device_paths *P = base_alloc(hy_graph_ctx(G), 1, sizeof *P);
    if (!P)
        return HY_ENOMEM;
    P->opts = *opts;
    if (opts->weight) {
        memcpy(P->name, opts->weight, strlen(opts->weight) + 1);
        P->opts.weight = P->name;
    }
    P->on.source = opts->source;
    return live_device_attach(G, &problem, &P->on, opts->device, out);
}
