/* ktruss: the frame, to be filled. */
#include "base/status.h"

#include <hypha/ktruss.h>

hy_status hy_ktruss(const hy_view *V, const hy_ktruss_opts *opts,
                    const hy_ktruss_out *out, hy_ktruss_info *info)
{
    (void)V;
    (void)opts;
    (void)out;
    (void)info;
    return base_fail(HY_ENOTSUP, "ktruss: not there yet");
}

bool hy_ktruss_check(const hy_view *V, uint64_t n_edges, const hy_edge *edges,
                     const uint32_t *truss, const char **why)
{
    (void)V;
    (void)n_edges;
    (void)edges;
    (void)truss;
    (void)why;
    (void)base_fail(HY_ENOTSUP, "ktruss: not there yet");
    if (why)
        *why = hy_error_text();
    return false;
}
