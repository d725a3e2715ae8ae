/* Disjoint sets: the public door to sets.h. */
#include "ops/sets.h"

#include "base/mem.h"
#include "par/par.h"

#include <hypha/ops_sets.h>

enum { GRAIN = 1 << 12 };

struct hy_sets {
    hy_ctx *ctx;
    uint32_t n;
    uint32_t *p; /* atomic, relaxed, while threads unite */
};

hy_status hy_sets_new(hy_ctx *ctx, uint32_t n, hy_sets **out)
{
    hy_sets *const S = base_alloc(ctx, 1, sizeof *S);
    uint32_t *const p = base_alloc_raw(ctx, n, sizeof *p);
    if (!S || !p) {
        base_free(ctx, p);
        base_free(ctx, S);
        return HY_ENOMEM;
    }
    *S = (hy_sets){ .ctx = ctx, .n = n, .p = p };
    hy_sets_reset(S);
    *out = S;
    return HY_OK;
}

void hy_sets_free(hy_sets *S)
{
    if (!S)
        return;
    base_free(S->ctx, S->p);
    base_free(S->ctx, S);
}

/* Writes the parents of its range. */
static void reset_par(void *arg, size_t lo, size_t hi)
{
    uint32_t *const p = ((hy_sets *)arg)->p;
    for (size_t a = lo; a < hi; a++)
        p[a] = (uint32_t)a;
}

void hy_sets_reset(hy_sets *S)
{
    par_for(S->ctx, S->n, GRAIN, reset_par, S);
}

bool hy_sets_unite(hy_sets *S, uint32_t a, uint32_t b)
{
    return sets_unite(S->p, a, b);
}

uint32_t hy_sets_find(hy_sets *S, uint32_t a)
{
    return sets_find(S->p, a);
}

bool hy_sets_same(hy_sets *S, uint32_t a, uint32_t b)
{
    /* Only a root that is one still cannot have joined b's set meanwhile. */
    for (;;) {
        a = sets_find(S->p, a);
        b = sets_find(S->p, b);
        if (a == b)
            return true;
        if (atomic_peek_u32(&S->p[a]) == a)
            return false;
    }
}

/* Writes the parents of its range. */
static void compress_par(void *arg, size_t lo, size_t hi)
{
    sets_compress(((hy_sets *)arg)->p, lo, hi);
}

const uint32_t *hy_sets_roots(hy_sets *S)
{
    par_for(S->ctx, S->n, GRAIN, compress_par, S);
    return S->p;
}

uint32_t hy_sets_count(const hy_sets *S)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < S->n; a++)
        count += S->p[a] == a;
    return count;
}

bool hy_sets_check(const hy_sets *S, const char **why)
{
    for (uint32_t a = 0; a < S->n; a++)
        if (S->p[a] > a) {
            (void)base_fail(HY_EBUG, "element %u has the parent %u", a,
                            S->p[a]);
            if (why)
                *why = hy_error_text();
            return false;
        }
    return true;
}
