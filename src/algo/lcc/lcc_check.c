/* Verifies coefficients from their definition: for a vertex, its neighbours
 * are marked and the edges that leave them and end at a mark are counted.
 * Vertices are taken in a random order, until all are done or so many edges
 * were looked at that it would take minutes. */
#include "algo/common/simple.h"
#include "base/bits.h"
#include "base/random.h"

#include <hypha/lcc.h>

#include <inttypes.h>
#include <math.h>

static const uint64_t most_steps = (uint64_t)1 << 30;

struct check {
    const hy_view *V;
    struct simple S;
    uint64_t *mark; /* bits */
    bool undirected;
    uint64_t steps;
};

static uint64_t edges_to_marks(struct check *C, hy_vid v)
{
    uint64_t found = 0;
    if (C->undirected) {
        const hy_vid *list = simple_list(&C->S, v);
        const uint32_t n = simple_degree(&C->S, v);
        for (uint32_t i = 0; i < n; i++)
            found += bits_has(C->mark, list[i]);
        C->steps += n;
        return found;
    }
    view_for_out (s, C->V, v) {
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid w = s.v[(size_t)i * s.step];
            found += w != v && bits_has(C->mark, w);
        }
        C->steps += s.n;
    }
    return found;
}

static double define(struct check *C, hy_vid u)
{
    const hy_vid *list = simple_list(&C->S, u);
    const uint32_t n = simple_degree(&C->S, u);
    uint64_t found = 0;
    if (n < 2)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        bits_add(C->mark, list[i]);
    for (uint32_t i = 0; i < n; i++)
        found += edges_to_marks(C, list[i]);
    for (uint32_t i = 0; i < n; i++)
        bits_remove(C->mark, list[i]);
    return (double)found / n / (n - 1.0);
}

static hy_status compare(struct check *C, const double *lcc)
{
    const double tolerance = 1e-9;
    for (uint64_t i = 0; i < C->S.n; i++) {
        const hy_vid u = (hy_vid)base_permute(1, C->S.n, i);
        const bool is_over = C->steps > most_steps;
        if (is_over && simple_degree(&C->S, u) >= 2)
            continue;
        const double right = define(C, u);
        if (!(fabs(lcc[u] - right) <= tolerance))
            return base_fail(HY_EBUG,
                             "the coefficient of vertex %" PRIu32
                             " is %.12g, not %.12g",
                             u, right, lcc[u]);
    }
    return HY_OK;
}

bool hy_lcc_check(const hy_view *V, const hy_lcc_opts *opts, const double *lcc,
                  const char **why)
{
    hy_ctx *ctx = view_ctx(V);
    struct check C = { .V = V,
                       .undirected = view_is_undirected(V) ||
                                     (opts && opts->undirected) };
    hy_status status = simple_init(&C.S, V);
    if (status == HY_OK) {
        C.mark = base_alloc(ctx, bits_words(C.S.n), sizeof *C.mark);
        status = C.mark ? compare(&C, lcc) : HY_ENOMEM;
    }
    base_free(ctx, C.mark);
    simple_fini(&C.S);
    if (why && status != HY_OK)
        *why = hy_error_text();
    return status == HY_OK;
}
