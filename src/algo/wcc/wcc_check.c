/* Verifies components: unions of all edges, one by one, then a comparison. */
#include "base/mem.h"
#include "store/view.h"

#include <hypha/wcc.h>

/* The smallest element of the set of u. */
static hy_vid root(hy_vid *p, hy_vid u)
{
    while (p[u] != u)
        u = p[u] = p[p[u]];
    return u;
}

static void unite(hy_vid *p, hy_vid u, hy_vid v)
{
    u = root(p, u);
    v = root(p, v);
    if (u < v)
        p[v] = u;
    else
        p[u] = v;
}

static hy_status compare(const hy_view *V, hy_vid *p, const hy_vid *label)
{
    for (hy_vid u = 0; u < V->bound; u++) {
        const hy_vid want = view_has_vertex(V, u) ? root(p, u) : HY_NONE;
        if (label[u] != want)
            return base_fail(HY_EBUG, "vertex %u has the label %u, not %u", u,
                             label[u], want);
    }
    return HY_OK;
}

static hy_status check(const hy_view *V, const hy_vid *label)
{
    hy_vid *const p = base_alloc_raw(view_ctx(V), V->bound, sizeof *p);
    if (!p)
        return HY_ENOMEM;
    for (hy_vid u = 0; u < V->bound; u++)
        p[u] = u;
    for (hy_vid u = 0; u < V->bound; u++)
        view_for_out (s, V, u)
            for (uint32_t i = 0; i < s.n; i++)
                unite(p, u, s.v[i * s.step]);
    const hy_status status = compare(V, p, label);
    base_free(view_ctx(V), p);
    return status;
}

bool hy_wcc_check(const hy_view *V, const hy_vid *label, const char **why)
{
    const hy_status status = check(V, label);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
