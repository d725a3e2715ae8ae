/* kclique: the frame, to be filled. */
#include "base/status.h"

#include <hypha/kclique.h>

hy_status hy_kclique(const hy_view *V, const hy_kclique_opts *opts,
                     uint64_t *count, hy_kclique_info *info)
{
    (void)V;
    (void)opts;
    (void)count;
    (void)info;
    return base_fail(HY_ENOTSUP, "kclique: not there yet");
}

bool hy_kclique_check(const hy_view *V, const hy_kclique_opts *opts,
                      const uint64_t *count, uint64_t cliques, const char **why)
{
    (void)V;
    (void)opts;
    (void)count;
    (void)cliques;
    (void)why;
    (void)base_fail(HY_ENOTSUP, "kclique: not there yet");
    if (why)
        *why = hy_error_text();
    return false;
}
