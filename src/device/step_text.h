/* The kernel around a user's step. */
#ifndef DEVICE_STEP_TEXT_H
#define DEVICE_STEP_TEXT_H

#include "device/device.h"

/* What the kernel takes before the step's own arguments: dir, pages, blocks,
 * shape, grain, n, list, offset, to, count, mark. */
enum { STEP_GRAPH_ARGS = 11 };

/* The text of a kernel `step_over`, to be freed.  HY_EINVAL: the step's name
 * is too long; HY_ENOMEM. */
HY_CHECKED hy_status step_text(hy_ctx *ctx, const hy_step *S, char **out);

#endif
