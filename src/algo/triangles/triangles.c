/* triangles: the frame, to be filled. */
#include "base/status.h"

#include <hypha/triangles.h>

hy_status hy_triangles(const hy_view *V, const hy_triangles_opts *opts,
                       uint64_t *count, hy_triangles_info *info)
{
    (void)V;
    (void)opts;
    (void)count;
    (void)info;
    return base_fail(HY_ENOTSUP, "triangles: not there yet");
}

bool hy_triangles_check(const hy_view *V, const uint64_t *count,
                        uint64_t triangles, const char **why)
{
    (void)V;
    (void)count;
    (void)triangles;
    (void)why;
    (void)base_fail(HY_ENOTSUP, "triangles: not there yet");
    if (why)
        *why = hy_error_text();
    return false;
}
