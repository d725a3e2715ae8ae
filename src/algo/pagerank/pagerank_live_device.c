/* PageRank, live on a device.
 *
 * A run ends when one more iteration is certain to move all ranks by no more
 * than the tolerance, summed; all that are to come move them by 1 / (1 - d)
 * times as much at most, which info.error says.  Where shares are f32, rounding
 * (pagerank.c tells how much) is a part of both.
 *
 * The ranks stay on the device, and a commit begins with those of the version
 * before: fewer sweeps, to the same bound.
 */
#include "algo/live/live_device.h"
#include "algo/pagerank/pagerank_impl.h"

struct device_ranks {
    struct live_device on; /* first */
    hy_pagerank_opts opts;
    struct pagerank_plan plan;
};

static hy_status rank_all(struct live_device *S, hy_device *D, const hy_view *V,
                          hy_vid n_kept, double *rank)
{
    const struct device_ranks *const R = (const struct device_ranks *)S;
    struct pagerank_plan plan = R->plan;
    hy_pagerank_opts opts = R->opts;
    hy_pagerank_info info;
    plan.tolerance -= pagerank_rounding(&plan);
    opts.tolerance = plan.tolerance;
    opts.device = D;
    const struct pagerank_kept kept = { .rank = &S->kept, .n = n_kept };
    if (D)
        HY_TRY(pagerank_on_device(V, &opts, &kept, rank, &info));
    else
        HY_TRY(hy_pagerank(V, &opts, rank, &info));
    S->n_kept = V->vertices ? V->bound : 0;
    S->total = V->vertices;
    S->error = (info.l1 + pagerank_rounding(&plan)) / (1 - plan.damping);
    return HY_OK;
}

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    (void)parents;
    return rank_all(S, D, V, 0, values);
}

static bool can_repair(const struct live_device *S, const hy_delta *delta)
{
    (void)delta;
    return S->n_kept > 0;
}

static hy_status repair(struct live_device *S, const hy_view *V,
                        const hy_delta *delta, void *values, hy_vid *parents)
{
    (void)delta;
    (void)parents;
    return rank_all(S, S->D, V, S->n_kept, values);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const struct device_ranks *const R = L->state;
    if (L->info.error * (1 - R->plan.damping) > R->plan.tolerance)
        return HY_OK; /* the iterations did not suffice */
    return hy_pagerank_check(V, &R->opts, L->values, NULL) ? HY_OK : HY_EBUG;
}

hy_status pagerank_live_on_device(hy_graph *G, const hy_pagerank_opts *opts,
                                  hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "pagerank",
                  .type = HY_F64,
                  .needs_in = true,
                  .check = check },
        .run = run,
        .can_repair = can_repair,
        .repair = repair,
        .how = "from the ranks before, on the device",
    };
    struct device_ranks *R = base_alloc(hy_graph_ctx(G), 1, sizeof *R);
    if (!R)
        return HY_ENOMEM;
    const hy_status status = pagerank_plan(&R->plan, opts);
    if (status != HY_OK) {
        base_free(hy_graph_ctx(G), R);
        return status;
    }
    R->opts = *opts;
    return live_device_attach(G, &problem, &R->on, opts->device, out);
}
