/* Built without OpenCL's headers: there are no such devices. */
#include "device/device.h"

uint32_t opencl_count(void)
{
    return 0;
}

void opencl_describe(uint32_t i, hy_device_info *info)
{
    (void)i;
    (void)info;
}

hy_status opencl_open(hy_device *D, uint32_t i)
{
    (void)D;
    (void)i;
    return base_fail(HY_EDEVICE, "this build has no OpenCL");
}
