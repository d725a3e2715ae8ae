/* The methods of triangle counting. */
#ifndef ALGO_TRIANGLES_IMPL_H
#define ALGO_TRIANGLES_IMPL_H

#include "device/device.h"
#include "store/view.h"

#include <hypha/live.h>
#include <hypha/triangles.h>

/* Sets the counts of all vertices to 0.  NULL is allowed. */
void triangles_clear(const hy_view *V, uint64_t *count);

/* Each counts all triangles into *total and, unless it is NULL, those of each
 * vertex into `count`. */
HY_CHECKED hy_status triangles_ranked(const hy_view *V, uint64_t *count,
                                      uint64_t *total);
HY_CHECKED hy_status triangles_in_place(const hy_view *V, uint64_t *count,
                                        uint64_t *total);

/* The same on a device.  The counts are left there in *kept, which has any
 * contents on failure; NULL: they are not wanted. */
HY_CHECKED hy_status triangles_on_device(const hy_view *V, hy_device *D,
                                         struct device_buf *kept,
                                         uint64_t *count, uint64_t *total);

/* hy_live_triangles on opts->device. */
HY_CHECKED hy_status triangles_live_on_device(hy_graph *G,
                                              const hy_triangles_opts *opts,
                                              hy_live **out);

#endif
