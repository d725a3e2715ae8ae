/* Counts of labels: of the likely largest one apart, for it would be a
 * counter that all threads fight for. */
#include "algo/common/groups.h"

#include "algo/common/sample.h"
#include "base/atomic.h"
#include "par/par.h"

enum { GRAIN = 1 << 12 };

struct count {
    const hy_vid *label;
    uint32_t *size; /* atomic, relaxed; but for c */
    hy_vid c;
    uint64_t roots, members; /* atomic, relaxed; members: of c */
};

/* Adds to the counters. */
static void roots_par(void *arg, size_t lo, size_t hi)
{
    struct count *C = arg;
    const hy_vid *const label = C->label, c = C->c;
    uint64_t roots = 0, members = 0;
    for (size_t u = lo; u < hi; u++) {
        roots += label[u] == u;
        members += label[u] == c;
    }
    (void)atomic_add_u64(&C->roots, roots);
    (void)atomic_add_u64(&C->members, members);
}

/* Adds to the sizes of any label but c. */
static void sizes_par(void *arg, size_t lo, size_t hi)
{
    struct count *C = arg;
    for (size_t u = lo; u < hi; u++)
        if (C->label[u] != HY_NONE && C->label[u] != C->c)
            (void)atomic_add_u32(&C->size[C->label[u]], 1);
}

struct algo_groups algo_groups(const hy_view *V, const hy_vid *label,
                               uint32_t *size, bool is_rooted)
{
    hy_ctx *const ctx = view_ctx(V);
    struct count C = { .label = label,
                       .size = size,
                       .c = algo_sample(V, label).value };
    if (C.c == HY_NONE)
        C.c = V->bound; /* nobody's label */
    par_for(ctx, V->bound, GRAIN, roots_par, &C);
    if (is_rooted && C.members >= V->vertices - C.members)
        return (struct algo_groups){ C.roots, C.members };
    par_for(ctx, V->bound, GRAIN, sizes_par, &C);
    struct algo_groups found = { C.members != 0, C.members };
    for (hy_vid u = 0; u < V->bound; u++) {
        found.groups += size[u] != 0;
        found.largest = size[u] > found.largest ? size[u] : found.largest;
    }
    return found;
}
