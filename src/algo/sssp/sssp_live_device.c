/* Shortest paths from one source, live on a device.
 *
 * Distances and parents stay there.  A commit that makes no path longer relaxes
 * from the edges that came or got lighter; others compute all anew.
 */
#include "algo/live/live_device.h"
#include "algo/sssp/sssp_impl.h"

#include <string.h>

struct device_paths {
    struct live_device on; /* first */
    hy_sssp_opts opts;
    char name[NAME_BYTES];  /* of the column, if it is named */
    bool is_wide, has_flat; /* what is kept: see sssp_impl.h */
};

static struct device_paths *paths_of(struct live_device *S)
{
    return (struct device_paths *)S;
}

static hy_sssp_opts opts_of(const struct live_device *S, hy_device *D)
{
    hy_sssp_opts opts = ((const struct device_paths *)S)->opts;
    opts.source = S->source;
    opts.device = D;
    return opts;
}

static struct sssp_kept kept_of(struct live_device *S)
{
    return (struct sssp_kept){ .dist = &S->kept,
                               .parent = &S->kept_parents,
                               .n = S->n_kept,
                               .is_wide = paths_of(S)->is_wide,
                               .has_flat = paths_of(S)->has_flat };
}

static void keep(struct live_device *S, const struct sssp_kept *kept)
{
    S->n_kept = kept->n;
    paths_of(S)->is_wide = kept->is_wide;
    paths_of(S)->has_flat = kept->has_flat;
}

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    const hy_sssp_opts opts = opts_of(S, D);
    struct sssp_kept kept = kept_of(S);
    hy_sssp_info info;
    if (D)
        HY_TRY(sssp_keep(V, &opts, &kept, values, parents, &info));
    else
        HY_TRY(hy_sssp(V, &opts, values, parents, &info));
    keep(S, &kept);
    S->total = info.reached;
    return HY_OK;
}

/* ---- repair ---------------------------------------------------------------
 */

static bool is_heavier(const struct device_paths *P, const hy_edge_list *edges)
{
    const hy_view *const V = hy_graph_now(P->on.G);
    struct algo_weights W;
    if (algo_weights_init(&W, V, P->opts.weight) != HY_OK)
        return true;
    if (W.column == HY_NONE)
        return false;
    const struct shape *const shape = V->shape;
    const size_t size = shape->edge.size;
    const char *now = edges->values, *was = edges->old;
    now += shape->edge.field[W.column].offset;
    was += shape->edge.field[W.column].offset;
    for (uint64_t i = 0; i < edges->n; i++, now += size, was += size)
        if (algo_weight_f64(W.type, now) > algo_weight_f64(W.type, was))
            return true;
    return false;
}

static bool can_repair(const struct live_device *S, const hy_delta *delta)
{
    const struct device_paths *const P = (const struct device_paths *)S;
    return !delta->deleted.n && !delta->vertices_deleted.n &&
           !(delta->updated.n && is_heavier(P, &delta->updated));
}

static hy_status repair(struct live_device *S, const hy_view *V,
                        const hy_delta *delta, void *values, hy_vid *parents)
{
    const hy_sssp_opts opts = opts_of(S, S->D);
    struct sssp_kept kept = kept_of(S);
    struct sssp paths = { .ctx = view_ctx(V), .V = V, .kept = &kept };
    HY_TRY(algo_weights_init(&paths.W, V, opts.weight));
    HY_TRY(
        sssp_repair(&paths, &opts, delta, false, values, parents, &S->total));
    keep(S, &kept);
    return HY_OK;
}

/* ---- the kind -------------------------------------------------------------
 */

static hy_status reserve(struct live_device *S,
                         const struct watch_coming *coming)
{
    const struct device_paths *const P = (const struct device_paths *)S;
    struct algo_weights W;
    HY_TRY(algo_weights_init(&W, hy_graph_now(S->G), P->opts.weight));
    return sssp_judge(&W, S->G, coming->batch);
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
        .can_repair = can_repair,
        .repair = repair,
        .how = "relaxed from new edges on the device",
        .reserve = reserve,
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
