/* Finds OpenCL's loader, which finds the drivers. */
#include "device/opencl/api.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The loader stays: it keeps threads and caches of its own, and drivers do
 * not survive being unloaded. */
static void *open_loader(void)
{
    static const char *const names[] = { "libOpenCL.so.1", "libOpenCL.so" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *const library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    return NULL;
}

static bool find(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

bool opencl_api_load(struct opencl_api *api)
{
    void *const library = open_loader();
    bool is_whole = library;
#define OPENCL_FIND(name)                                                      \
    is_whole = is_whole && find(library, "cl" #name, &api->name);
    OPENCL_MAP(OPENCL_FIND)
#undef OPENCL_FIND
    return is_whole;
}

const char *opencl_error(cl_int code)
{
    switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
        return "CL_DEVICE_NOT_AVAILABLE";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case CL_OUT_OF_RESOURCES:
        return "CL_OUT_OF_RESOURCES";
    case CL_OUT_OF_HOST_MEMORY:
        return "CL_OUT_OF_HOST_MEMORY";
    case CL_BUILD_PROGRAM_FAILURE:
        return "CL_BUILD_PROGRAM_FAILURE";
    case CL_INVALID_BUFFER_SIZE:
        return "CL_INVALID_BUFFER_SIZE";
    case CL_INVALID_KERNEL_NAME:
        return "CL_INVALID_KERNEL_NAME";
    case CL_INVALID_KERNEL_ARGS:
        return "CL_INVALID_KERNEL_ARGS";
    case CL_INVALID_WORK_GROUP_SIZE:
        return "CL_INVALID_WORK_GROUP_SIZE";
    default:
        return "an error";
    }
}
