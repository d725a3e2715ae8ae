/* Verifies butterfly counts from their definition: a vertex u and one across,
 * w, make a butterfly with every pair of their common neighbours, and u is in
 * no other ones.  Vertices are taken in a random order; with counts for each
 * we stop when it would take minutes. */
#include "algo/common/simple.h"
#include "base/random.h"

#include <hypha/butterfly.h>

#include <inttypes.h>

static const uint64_t most_steps = (uint64_t)1 << 30;

struct check {
    struct simple S;
    uint32_t *common; /* by vertex: neighbours it has in common with u */
    uint64_t steps;
};

/* Butterflies with u. */
static uint64_t define(struct check *C, hy_vid u)
{
    const struct simple *S = &C->S;
    uint64_t sum = 0;
    for (uint64_t i = S->from[u]; i < S->from[u + 1]; i++) {
        const hy_vid v = S->to[i];
        for (uint64_t k = S->from[v]; k < S->from[v + 1]; k++)
            if (S->to[k] != u)
                sum += C->common[S->to[k]]++;
        C->steps += simple_degree(S, v);
    }
    for (uint64_t i = S->from[u]; i < S->from[u + 1]; i++) {
        const hy_vid v = S->to[i];
        for (uint64_t k = S->from[v]; k < S->from[v + 1]; k++)
            C->common[S->to[k]] = 0;
    }
    return sum;
}

static hy_status compare(struct check *C, const uint64_t *count,
                         uint64_t butterflies)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < C->S.n; i++) {
        const hy_vid u = (hy_vid)base_permute(1, C->S.n, i);
        const bool is_trusted = count && C->steps > most_steps;
        const uint64_t right = is_trusted ? count[u] : define(C, u);
        sum += right;
        if (count && count[u] != right)
            return base_fail(HY_EBUG,
                             "vertex %" PRIu32 " is in %" PRIu64
                             " butterflies, not %" PRIu64,
                             u, right, count[u]);
    }
    if (sum != 4 * butterflies)
        return base_fail(HY_EBUG,
                         "there are %" PRIu64 " butterflies, not %" PRIu64,
                         sum / 4, butterflies);
    return HY_OK;
}

bool hy_butterfly_check(const hy_view *V, const uint64_t *count,
                        uint64_t butterflies, const char **why)
{
    hy_ctx *ctx = view_ctx(V);
    struct check C = { .steps = 0 };
    hy_status status = simple_init(&C.S, V);
    if (status == HY_OK) {
        C.common = base_alloc(ctx, C.S.n, sizeof *C.common);
        status = C.common ? compare(&C, count, butterflies) : HY_ENOMEM;
    }
    base_free(ctx, C.common);
    simple_fini(&C.S);
    if (why && status != HY_OK)
        *why = hy_error_text();
    return status == HY_OK;
}
