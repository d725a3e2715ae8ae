/* Live answers on a device: the plan is in live_device.h. */
#include "algo/live/live_device.h"

#include "algo/live/tree.h"

/* ---- room -----------------------------------------------------------------
 */

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    struct live_device *const S = L->state;
    if (S->problem->reserve)
        HY_TRY(S->problem->reserve(S, coming));
    return live_spare_reserve(&S->spare, L, coming->bound);
}

/* ---- the steps ------------------------------------------------------------
 */

static void take(struct live_device *S, hy_live *L, hy_vid known)
{
    live_spare_take(&S->spare, L, known);
    L->info.total = S->total;
    L->info.error = S->error;
}

static const char *why_not_there(hy_status status)
{
    switch (status) {
    case HY_EDEVICE:
        return "on the host: the device failed";
    case HY_EFULL:
        return "on the host: the device has too little memory";
    case HY_ENOTSUP:
        return "on the host: the device cannot";
    default:
        return "on the host: no memory to ask the device";
    }
}

/* One in so many edges changed, and from nothing is no slower. */
enum { MANY = 4 };

/* Kernels count them, and their ends, in 32 bits. */
static const uint64_t most_edges = UINT32_MAX / 2;

static bool is_repairable(const struct live_device *S, const hy_view *V,
                          const hy_delta *delta)
{
    const uint64_t edges =
        delta->inserted.n + delta->deleted.n + delta->updated.n;
    return S->is_kept && S->problem->repair && edges <= V->arcs / MANY &&
           edges <= most_edges && S->problem->can_repair(S, delta);
}

/* Line 2. */
static hy_status compute_there(struct live_device *S, hy_live *L,
                               const hy_view *V, const hy_delta *delta)
{
    const bool can = is_repairable(S, V, delta);
    hy_status status = HY_ENOTSUP;
    S->is_kept = false;
    if (can) {
        live_say(L, HY_LIVE_REPAIRED, S->problem->how);
        status =
            S->problem->repair(S, V, delta, S->spare.values, S->spare.parents);
        L->info.work = delta->inserted.n + delta->updated.n + V->bound;
    }
    if (status == HY_ENOTSUP) {
        live_say(L, HY_LIVE_RECOMPUTED, "on the device");
        status = S->problem->run(S, S->D, V, S->spare.values, S->spare.parents);
        L->info.work = V->arcs + V->bound;
    }
    S->is_kept = status == HY_OK;
    return status;
}

/* Lines 2, 3 and 5. */
static hy_status compute(struct live_device *S, hy_live *L, const hy_view *V,
                         const hy_delta *delta)
{
    hy_status status = compute_there(S, L, V, delta);
    if (status != HY_OK) {
        live_say(L, HY_LIVE_RECOMPUTED, why_not_there(status));
        status = S->problem->run(S, NULL, V, S->spare.values, S->spare.parents);
    }
    if (status != HY_OK)
        live_say(L, HY_LIVE_STALE, "no memory, neither there nor here");
    return status;
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct live_device *const S = L->state;
    hy_vid known = V->bound;
    if (S->problem->has_source)
        S->source = tree_source(V, S->source, S->external, delta);
    if (S->problem->has_source && S->source == HY_NONE) {
        S->total = known = 0;
        S->is_kept = false;
        live_say(L, HY_LIVE_RECOMPUTED, "there is no source");
    } else if (compute(S, L, V, delta) != HY_OK) {
        return;
    }
    take(S, L, known);
}

/* ---- the kind -------------------------------------------------------------
 */

static hy_status start(hy_live *L, const hy_view *V)
{
    struct live_device *const S = L->state;
    if (S->problem->has_source && !hy_view_has_vertex(V, S->source))
        return base_fail(HY_EINVAL, "there is no vertex %u to start from",
                         (unsigned)S->source);
    HY_TRY(S->problem->run(S, S->D, V, L->values, L->parents));
    S->is_kept = true;
    if (S->problem->has_source)
        S->external = hy_view_external(V, S->source);
    L->info.total = S->total;
    L->info.error = S->error;
    return HY_OK;
}

static void fini(hy_live *L)
{
    struct live_device *const S = L->state;
    device_free(S->D, &S->kept);
    device_free(S->D, &S->kept_parents);
    if (S->problem->fini)
        S->problem->fini(S, L->ctx);
    live_spare_fini(&S->spare, L->ctx);
    base_free(L->ctx, S);
}

static bool is_nothing(const hy_live *L, hy_vid v)
{
    const uint64_t nothing = L->kind->nothing;
    const bool is = L->kind->type == HY_U32
                        ? ((const uint32_t *)L->values)[v] == (uint32_t)nothing
                        : ((const uint64_t *)L->values)[v] == nothing;
    return is && L->parents[v] == HY_NONE;
}

hy_status live_device_check_nothing(const hy_live *L)
{
    for (hy_vid v = 0; v < L->info.bound; v++)
        if (!is_nothing(L, v))
            return base_fail(HY_EBUG, "%s: %u is reached from nowhere",
                             L->kind->name, (unsigned)v);
    return HY_OK;
}

hy_status live_device_attach(hy_graph *G, const struct live_problem *problem,
                             struct live_device *S, hy_device *D, hy_live **out)
{
    S->problem = problem;
    S->D = D;
    S->G = G;
    S->kind = problem->kind;
    S->kind.start = start;
    S->kind.reserve = reserve;
    S->kind.follow = follow;
    S->kind.fini = fini;
    return live_attach(G, &S->kind, S, problem->has_source, out);
}
