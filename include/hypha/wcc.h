/* Weakly connected components: which vertices a path joins, whatever the
 * direction of its edges. */
#ifndef HY_WCC_H
#define HY_WCC_H

#include <hypha/base.h>
#include <hypha/device.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hy_wcc_method {
    HY_WCC_AFFOREST,         /* default: unions of some edges, then the rest */
    HY_WCC_SHILOACH_VISHKIN, /* hook roots, jump pointers, until nothing moves
                              */
    HY_WCC_LABEL_PROPAGATION /* smallest label of the neighbours, likewise */
} hy_wcc_method;

typedef struct hy_wcc_opts {
    hy_wcc_method method;
    /* Default NULL: on this machine's cores.  On a device, which knows
     * Afforest alone, V must be the graph's newest version (HY_ENOTSUP); also
     * HY_EDEVICE, HY_EFULL, after which labels have any contents. */
    hy_device *device;
} hy_wcc_opts;

typedef struct hy_wcc_info {
    uint64_t components;
    uint64_t largest;    /* vertices of the largest one */
    uint32_t iterations; /* rounds over the edges */
} hy_wcc_info;

/* label[u] = the smallest vertex of u's component, HY_NONE where no vertex is
 * alive; hy_view_bound(V) entries.  The same for every method and number of
 * threads.  A directed view needs no reverse side; Afforest uses one that is
 * there.  HY_EINVAL: no such method; HY_ENOMEM.
 * O(n + m) time in practice, O(1) space beside the labels (with `info`:
 * O(n) if no component has half of the vertices). */
HY_MUST hy_status hy_wcc(const hy_view *V, const hy_wcc_opts *opts,
                         hy_vid *label, hy_wcc_info *info);

/* Verifies labels by unions of its own.  False: *why says what is wrong, in
 * memory of this thread, until its next call; so too without memory.
 * O(n + m), serial. */
HY_MUST bool hy_wcc_check(const hy_view *V, const hy_vid *label,
                          const char **why);

#ifdef __cplusplus
}
#endif
#endif
