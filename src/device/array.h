/* Arrays on both sides: one copy here, one on a device (hypha/device.h).
 *
 *     write here  ->  pages noted  ->  array_bring sends those
 *     step there  ->  `is_newer_there`  ->  hy_array_read fetches
 *
 * Invariant: where the device has anything, it is what is here, but for the
 * noted pages, which are newer here, or, if is_newer_there, all of it, which
 * is newer there; never both.
 */
#ifndef DEVICE_ARRAY_H
#define DEVICE_ARRAY_H

#include "device/device.h"

struct hy_array {
    hy_device *D;
    hy_type type;
    uint64_t n;
    char *here;
    struct device_buf there;
    size_t bytes, there_bytes; /* of entries, whole words; those it has */
    uint64_t *noted;           /* a bit for each page */
    bool is_newer_there;
};

/* The device has what is here. */
HY_CHECKED hy_status array_bring(hy_array *A);

#endif
