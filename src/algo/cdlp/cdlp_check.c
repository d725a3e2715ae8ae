/* Verifies communities: the definition, word for word.  Each vertex sorts its
 * neighbours' labels, all iterations are done, one thread does it all. */
#include "algo/common/side.h"

#include <hypha/cdlp.h>

#include <stdlib.h>

struct check {
    const hy_view *V;
    hy_ctx *ctx;
    struct algo_side in;
    uint64_t *l, *next;
    uint64_t *x; /* labels of neighbours: room for two of each vertex */
};

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t gather(struct check *C, hy_vid u)
{
    size_t n = 0;
    view_for_out (s, C->V, u)
        for (uint32_t i = 0; i < s.n; i++)
            C->x[n++] = C->l[s.v[i * s.step]];
    if (view_is_undirected(C->V))
        return n;
    algo_for_side (s, &C->in, u)
        for (uint32_t i = 0; i < s.n; i++)
            C->x[n++] = C->l[s.v[i * s.step]];
    return n;
}

static uint64_t vote(struct check *C, hy_vid u)
{
    const size_t n = gather(C, u);
    uint64_t best = C->l[u];
    size_t most = 0;
    qsort(C->x, n, sizeof *C->x, compare);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && C->x[j] == C->x[i];)
            j++;
        if (j - i > most) {
            most = j - i;
            best = C->x[i];
        }
    }
    return best;
}

static hy_status check_reserve(struct check *C)
{
    const size_t n = C->V->bound;
    C->l = base_alloc_raw(C->ctx, n, sizeof *C->l);
    C->next = base_alloc_raw(C->ctx, n, sizeof *C->next);
    C->x = base_alloc_raw(C->ctx, n, 2 * sizeof *C->x);
    if (!C->l || !C->next || !C->x)
        return HY_ENOMEM;
    return algo_side_in(&C->in, C->V);
}

static hy_status check_all(struct check *C, const hy_cdlp_opts *o,
                           const uint64_t *label)
{
    const hy_vid n = C->V->bound;
    for (hy_vid u = 0; u < n; u++)
        C->l[u] = !view_has_vertex(C->V, u) ? HY_CDLP_NONE
                  : o->labels               ? o->labels[u]
                                            : u;
    for (uint32_t k = o->iterations ? o->iterations : 10; k > 0; k--) {
        for (hy_vid u = 0; u < n; u++)
            C->next[u] = vote(C, u);
        uint64_t *const l = C->l;
        C->l = C->next;
        C->next = l;
    }
    for (hy_vid u = 0; u < n; u++)
        if (label[u] != C->l[u])
            return base_fail(HY_EBUG, "vertex %u has the label %llu, not %llu",
                             u, (unsigned long long)label[u],
                             (unsigned long long)C->l[u]);
    return HY_OK;
}

bool hy_cdlp_check(const hy_view *V, const hy_cdlp_opts *opts,
                   const uint64_t *label, const char **why)
{
    const hy_cdlp_opts o = opts ? *opts : (hy_cdlp_opts){ 0 };
    struct check C = { .V = V, .ctx = view_ctx(V) };
    hy_status status = check_reserve(&C);
    if (status == HY_OK)
        status = check_all(&C, &o, label);
    algo_side_fini(&C.in);
    base_free(C.ctx, C.x);
    base_free(C.ctx, C.next);
    base_free(C.ctx, C.l);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
