/* butterfly: the frame, to be filled. */
#include "base/status.h"

#include <hypha/butterfly.h>

hy_status hy_butterfly(const hy_view *V, const hy_butterfly_opts *opts,
                       uint64_t *count, hy_butterfly_info *info)
{
    (void)V;
    (void)opts;
    (void)count;
    (void)info;
    return base_fail(HY_ENOTSUP, "butterfly: not there yet");
}

bool hy_butterfly_check(const hy_view *V, const uint64_t *count,
                        uint64_t butterflies, const char **why)
{
    (void)V;
    (void)count;
    (void)butterflies;
    (void)why;
    (void)base_fail(HY_ENOTSUP, "butterfly: not there yet");
    if (why)
        *why = hy_error_text();
    return false;
}
