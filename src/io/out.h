/* Output in two steps, for writers of more than one file: finish all of them,
 * then show all of them. */
#ifndef IO_OUT_H
#define IO_OUT_H

#include "base/mem.h"

#include <hypha/io.h>

/* hy_out_open with a level of packing, 0: the packer's default. */
HY_CHECKED hy_status io_out_open(hy_ctx *ctx, const char *path, int level,
                                 hy_out **out);

/* All bytes are in the file and it is closed; only its name is missing,
 * which hy_out_close gives. */
HY_CHECKED hy_status io_out_finish(hy_out *O);

#endif
