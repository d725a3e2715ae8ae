/* Failing with a text. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "base/compiler.h"

#include <hypha/base.h>

/* Sets this thread's error text and returns `status`. */
hy_status base_fail(hy_status status, const char *format, ...) HY_PRINTF(2, 3);

/* Returns what failed; only while nothing is owned yet. */
#define HY_TRY(call)                                                           \
    do {                                                                       \
        const hy_status try_status = (call);                                   \
        if (try_status != HY_OK)                                               \
            return try_status;                                                 \
    } while (0)

#endif
