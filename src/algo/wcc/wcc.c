/* Weakly connected components: the method, then the counts. */
#include "algo/wcc/wcc_impl.h"

#include "algo/common/groups.h"

/* Writes p of its range. */
static void alone_par(void *arg, size_t lo, size_t hi)
{
    hy_vid *const p = ((const struct wcc *)arg)->p;
    for (size_t u = lo; u < hi; u++)
        p[u] = (hy_vid)u;
}

void wcc_alone(struct wcc *W)
{
    par_for(W->ctx, W->n, WCC_GRAIN, alone_par, W);
}

/* Writes p of its range: labels are final, dead vertices lose theirs. */
static void bury_par(void *arg, size_t lo, size_t hi)
{
    const struct wcc *W = arg;
    for (size_t u = lo; u < hi; u++)
        if (!view_has_vertex(W->V, (hy_vid)u))
            W->p[u] = HY_NONE;
}

void wcc_on_host(struct wcc *W, hy_wcc_method method)
{
    static void (*const methods[])(struct wcc *) = {
        [HY_WCC_AFFOREST] = wcc_afforest,
        [HY_WCC_SHILOACH_VISHKIN] = wcc_shiloach_vishkin,
        [HY_WCC_LABEL_PROPAGATION] = wcc_label_propagation,
    };
    methods[method](W);
    if (W->V->vertices != W->V->bound)
        par_for(W->ctx, W->n, WCC_GRAIN, bury_par, W);
}

hy_status hy_wcc(const hy_view *V, const hy_wcc_opts *opts, hy_vid *label,
                 hy_wcc_info *info)
{
    const hy_wcc_opts o = opts ? *opts : (hy_wcc_opts){ 0 };
    struct wcc W = { .V = V, .ctx = view_ctx(V), .n = V->bound, .p = label };
    if ((size_t)o.method > HY_WCC_LABEL_PROPAGATION)
        return base_fail(HY_EINVAL, "wcc has no method %d", (int)o.method);
    uint32_t *const size = base_alloc(W.ctx, info ? W.n : 0, sizeof *size);
    if (!size)
        return HY_ENOMEM;
    hy_status status = HY_OK;
    if (o.device)
        status = wcc_on_device(&W, o.device, NULL);
    else
        wcc_on_host(&W, o.method);
    if (info && status == HY_OK) {
        const struct algo_groups found = algo_groups(V, label, size, true);
        *info = (hy_wcc_info){ .components = found.groups,
                               .largest = found.largest,
                               .iterations = W.iterations };
    }
    base_free(W.ctx, size);
    return status;
}
