/* Strongly connected components: the method, then the counts. */
#include "algo/common/groups.h"
#include "algo/scc/scc_impl.h"

#include <hypha/wcc.h>

/* What a call needs; `reach` only for its method. */
struct scc {
    const hy_view *V;
    struct scc_tarjan *tarjan;
    struct scc_reach *reach;
    uint32_t *size;
};

static hy_status scc_init(struct scc *S, const hy_view *V, bool has_reach)
{
    *S = (struct scc){ .V = V };
    S->size = base_alloc(view_ctx(V), V->bound, sizeof *S->size);
    if (!S->size)
        return HY_ENOMEM;
    HY_TRY(scc_tarjan_new(V, &S->tarjan));
    return has_reach ? scc_reach_new(V, &S->reach) : HY_OK;
}

static void scc_fini(struct scc *S)
{
    scc_reach_free(S->V, S->reach);
    scc_tarjan_free(S->V, S->tarjan);
    base_free(view_ctx(S->V), S->size);
}

static void scc_run(struct scc *S, hy_vid *label, hy_scc_info *info)
{
    uint64_t trimmed = 0;
    for (hy_vid u = 0; u < S->V->bound; u++)
        label[u] = HY_NONE;
    if (S->reach)
        trimmed = scc_reach_run(S->reach, label);
    scc_tarjan_run(S->tarjan, label);
    if (!info)
        return;
    const struct algo_groups found = algo_groups(S->V, label, S->size, true);
    *info = (hy_scc_info){ .components = found.groups,
                           .largest = found.largest,
                           .trimmed = trimmed };
}

/* Of an undirected view: every edge goes both ways. */
static hy_status by_wcc(const hy_view *V, hy_vid *label, hy_scc_info *info)
{
    hy_wcc_info found;
    HY_TRY(hy_wcc(V, NULL, label, info ? &found : NULL));
    if (info)
        *info = (hy_scc_info){ .components = found.components,
                               .largest = found.largest };
    return HY_OK;
}

hy_status hy_scc(const hy_view *V, const hy_scc_opts *opts, hy_vid *label,
                 hy_scc_info *info)
{
    const hy_scc_method method = opts ? opts->method : HY_SCC_AUTO;
    struct scc S;
    if ((unsigned)method > HY_SCC_TARJAN)
        return base_fail(HY_EINVAL, "scc has no method %d", (int)method);
    if (view_is_undirected(V))
        return by_wcc(V, label, info);
    const bool has_reach =
        method == HY_SCC_AUTO ? view_has_in(V) : method == HY_SCC_REACH;
    const hy_status status = scc_init(&S, V, has_reach);
    if (status == HY_OK)
        scc_run(&S, label, info);
    scc_fini(&S);
    return status;
}
