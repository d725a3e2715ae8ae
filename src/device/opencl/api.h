/* The functions of OpenCL that are used, found when the program runs: one
 * that was built with OpenCL runs without it, and has no such devices then. */
#ifndef DEVICE_OPENCL_API_H
#define DEVICE_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>

#define OPENCL_MAP(X)                                                          \
    X(GetPlatformIDs)                                                          \
    X(GetPlatformInfo)                                                         \
    X(GetDeviceIDs)                                                            \
    X(GetDeviceInfo)                                                           \
    X(CreateContext)                                                           \
    X(ReleaseContext)                                                          \
    X(CreateCommandQueue)                                                      \
    X(ReleaseCommandQueue)                                                     \
    X(CreateBuffer)                                                            \
    X(ReleaseMemObject)                                                        \
    X(EnqueueWriteBuffer)                                                      \
    X(EnqueueReadBuffer)                                                       \
    X(EnqueueCopyBuffer)                                                       \
    X(EnqueueFillBuffer)                                                       \
    X(CreateProgramWithSource)                                                 \
    X(CreateProgramWithBinary)                                                 \
    X(GetProgramInfo)                                                          \
    X(BuildProgram)                                                            \
    X(GetProgramBuildInfo)                                                     \
    X(ReleaseProgram)                                                          \
    X(CreateKernel)                                                            \
    X(ReleaseKernel)                                                           \
    X(SetKernelArg)                                                            \
    X(EnqueueNDRangeKernel)                                                    \
    X(Finish)

struct opencl_api {
#define OPENCL_MEMBER(name) __typeof__(&cl##name) name;
    OPENCL_MAP(OPENCL_MEMBER)
#undef OPENCL_MEMBER
};

/* False: this machine has no OpenCL. */
bool opencl_api_load(struct opencl_api *api);

/* The name of a code, as in the standard. */
const char *opencl_error(cl_int code);

#endif
