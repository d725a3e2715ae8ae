/* Operators on arrays of a device: scan, reduce, filter, sort.
 *
 * Arrays are of u32 unless said otherwise, and shorter than 2^32.  All keep
 * the order of what is equal, and have the same result on every device.
 */
#ifndef DEVICE_OPS_H
#define DEVICE_OPS_H

#include "device/device.h"

/* y[i] <- the sum of x[0 .. i), y[n] <- of all: n + 1 entries of u64. */
HY_CHECKED hy_status device_scan(hy_device *D, const struct device_buf *x,
                                 size_t n, const struct device_buf *y);

enum device_reduce {
    DEVICE_SUM,
    DEVICE_MIN,  /* UINT32_MAX of nothing */
    DEVICE_MAX,  /* 0 of nothing */
    DEVICE_COUNT /* of those that are not 0 */
};

HY_CHECKED hy_status device_reduce(hy_device *D, const struct device_buf *x,
                                   size_t n, enum device_reduce what,
                                   uint64_t *out);

/* list <- the i with x[i] != 0, ascending; *count of them. */
HY_CHECKED hy_status device_filter(hy_device *D, const struct device_buf *x,
                                   size_t n, const struct device_buf *list,
                                   uint64_t *count);

/* Keys of 32 bits, or of 64 (is_wide), with a value each; only the low `bits`
 * of keys may be set. */
struct device_keys {
    struct device_buf *key, *value;
    struct device_buf *key_tmp, *value_tmp; /* as large */
    size_t n;
    bool is_wide;
    uint32_t bits;
};

/* Sorts; what is sorted is in key and value, which may have changed places
 * with key_tmp and value_tmp. */
HY_CHECKED hy_status device_sort(hy_device *D, const struct device_keys *K);

#endif
