/* How many groups labels make, and how large the largest is. */
#ifndef ALGO_COMMON_GROUPS_H
#define ALGO_COMMON_GROUPS_H

#include "store/view.h"

struct algo_groups {
    uint64_t groups;
    uint64_t largest;
};

/* Labels are ids below the bound, HY_NONE where no vertex is alive.  `size`
 * is zeroed scratch, an entry for each id.  `is_rooted`: the label of each
 * group is one of its vertices, and that vertex has it; then often no second
 * look is needed. */
struct algo_groups algo_groups(const hy_view *V, const hy_vid *label,
                               uint32_t *size, bool is_rooted);

#endif
