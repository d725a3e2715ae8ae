/* lcc: the frame, to be filled. */
#include "base/status.h"

#include <hypha/lcc.h>

hy_status hy_lcc(const hy_view *V, const hy_lcc_opts *opts, double *lcc,
                 hy_lcc_info *info)
{
    (void)V;
    (void)opts;
    (void)lcc;
    (void)info;
    return base_fail(HY_ENOTSUP, "lcc: not there yet");
}

bool hy_lcc_check(const hy_view *V, const hy_lcc_opts *opts, const double *lcc,
                  const char **why)
{
    (void)V;
    (void)opts;
    (void)lcc;
    (void)why;
    (void)base_fail(HY_ENOTSUP, "lcc: not there yet");
    if (why)
        *why = hy_error_text();
    return false;
}
