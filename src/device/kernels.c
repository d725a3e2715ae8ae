/* All kernels, by name; and their C side, which the host runs. */
#include "device/device.h"

#include "device/kernels/kernel.h"

#include "device/kernels/graph.cl"

#include "device/kernels/mirror.cl"

#include "device/kernels/spmv.cl"

#define IN(file_name, kernel)                                                  \
    {                                                                          \
        .name = #kernel, .file = file_name, .run = kernel_##kernel             \
    }

const struct device_kernel device_kernels[] = {
    IN("mirror.cl", mirror_scatter),
    IN("spmv.cl", spmv_rows),
    { 0 },
};
