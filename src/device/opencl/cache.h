/* Programs that were built, kept in a folder.
 *
 * Drivers that keep what they built find it by the text after their own
 * headers, which have to be read for that each time; a binary is found by a
 * sum of our text, the device, and the driver's version.
 */
#ifndef DEVICE_OPENCL_CACHE_H
#define DEVICE_OPENCL_CACHE_H

#include "device/device.h"
#include "device/opencl/api.h"

/* What a program is found by. */
struct cache_key {
    uint64_t sum[2];
};

struct cache_key cache_key_of(const struct opencl_api *cl, cl_device_id device,
                              const char *const *texts, size_t n);

/* The program, built; NULL: it is not there, or not for this device.  The
 * folder may be NULL or not be there. */
cl_program cache_load(const struct opencl_api *cl, hy_device *D,
                      cl_context context, cl_device_id device,
                      const struct cache_key *key);

/* Keeps it, if that can be done. */
void cache_store(const struct opencl_api *cl, hy_device *D, cl_program program,
                 const struct cache_key *key);

#endif
