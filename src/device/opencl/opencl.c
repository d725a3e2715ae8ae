/* OpenCL devices behind the table.
 *
 * One context and one in-order queue for each device that is open.  A program
 * is built when its first kernel is asked for, from kernel.h, graph.cl and the
 * file of the kernel, always as OpenCL C 1.2, or comes from the cache, where it
 * is kept when the device is closed: a driver that builds for a size of groups
 * has done so then.
 */
#include "device/device.h"
#include "device/opencl/api.h"
#include "device/opencl/cache.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_PLATFORMS = 8,
    MAX_DEVICES = 16,
    MAX_KERNELS = 128,
    TEXTS = 3,
    LOG_BYTES = 400,
    GROUP_SINGLES = 128, /* items of a work-group on GPUs */
    GROUP_CHUNKS = 1,    /* an item is large there: it may run alone */
};

struct place {
    cl_platform_id platform;
    cl_device_id device;
};

struct kernel {
    const char *name, *text; /* what it is known by */
    char *copy;              /* of the text, if it is a user's */
    cl_program program;
    bool owns_program; /* the first kernel of it does */
    bool is_kept;      /* in the cache */
    struct cache_key key;
    cl_kernel kernel;
};

struct opencl {
    struct opencl_api cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    struct kernel kernels[MAX_KERNELS];
    size_t n_kernels;
};

/* ---- listing ------------------------------------------------------------- */

static uint32_t find_places(const struct opencl_api *cl, struct place *places)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n_platforms = 0;
    uint32_t n = 0;
    if (cl->GetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms))
        return 0;
    for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint found = 0;
        if (cl->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES,
                             devices, &found))
            continue;
        for (cl_uint d = 0; d < found && n < MAX_DEVICES; d++)
            places[n++] = (struct place){ platforms[p], devices[d] };
    }
    return n;
}

uint32_t opencl_count(void)
{
    struct opencl_api cl;
    struct place places[MAX_DEVICES];
    return opencl_api_load(&cl) ? find_places(&cl, places) : 0;
}

static bool has_extension(const struct opencl_api *cl, cl_device_id device,
                          const char *name)
{
    char list[8192] = "";
    if (cl->GetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof list - 1, list,
                          NULL))
        return false;
    return strstr(list, name);
}

static hy_device_kind kind_of(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU   ? HY_DEVICE_GPU
           : type & CL_DEVICE_TYPE_CPU ? HY_DEVICE_CPU
                                       : HY_DEVICE_OTHER;
}

static void describe(const struct opencl_api *cl, const struct place *at,
                     hy_device_info *info)
{
    cl_device_type type = 0;
    cl_ulong memory = 0;
    cl_uint units = 0;
    cl_bool shared = CL_FALSE;
    (void)cl->GetDeviceInfo(at->device, CL_DEVICE_NAME, sizeof info->name - 1,
                            info->name, NULL);
    (void)cl->GetPlatformInfo(at->platform, CL_PLATFORM_NAME,
                              sizeof info->platform - 1, info->platform, NULL);
    (void)cl->GetDeviceInfo(at->device, CL_DEVICE_TYPE, sizeof type, &type,
                            NULL);
    (void)cl->GetDeviceInfo(at->device, CL_DEVICE_GLOBAL_MEM_SIZE,
                            sizeof memory, &memory, NULL);
    (void)cl->GetDeviceInfo(at->device, CL_DEVICE_MAX_COMPUTE_UNITS,
                            sizeof units, &units, NULL);
    (void)cl->GetDeviceInfo(at->device, CL_DEVICE_HOST_UNIFIED_MEMORY,
                            sizeof shared, &shared, NULL);
    info->kind = kind_of(type);
    info->shape =
        info->kind == HY_DEVICE_CPU ? HY_SHAPE_CHUNKS : HY_SHAPE_SINGLES;
    info->memory = memory;
    info->units = units;
    info->is_shared = shared;
    info->has_f64 = has_extension(cl, at->device, "cl_khr_fp64");
    info->has_atomics_64 =
        has_extension(cl, at->device, "cl_khr_int64_extended_atomics");
}

void opencl_describe(uint32_t i, hy_device_info *info)
{
    struct opencl_api cl;
    struct place places[MAX_DEVICES];
    if (opencl_api_load(&cl) && i < find_places(&cl, places))
        describe(&cl, &places[i], info);
}

/* ---- calls --------------------------------------------------------------- */

static hy_status fail(const hy_device *D, const char *what, cl_int code)
{
    return base_fail(HY_EDEVICE, "%s: %s: %s (%d)", D->info.name, what,
                     opencl_error(code), (int)code);
}

/* Calls the driver, if it may be called. */
#define CALL(D, what, call)                                                    \
    do {                                                                       \
        const bool may_call =                                                  \
            !(D)->opts.may_call || (D)->opts.may_call((D)->opts.user);         \
        const cl_int result = may_call ? (call) : CL_OUT_OF_RESOURCES;         \
        if (result != CL_SUCCESS)                                              \
            return fail(D, what, result);                                      \
    } while (0)

static hy_status alloc(hy_device *D, size_t bytes, void **handle)
{
    struct opencl *const O = D->own;
    cl_int code = CL_SUCCESS;
    cl_mem mem = NULL;
    CALL(D, "a buffer",
         (mem = O->cl.CreateBuffer(O->context, CL_MEM_READ_WRITE, bytes, NULL,
                                   &code),
          code));
    *handle = mem;
    return HY_OK;
}

static void give_back(hy_device *D, void *handle)
{
    struct opencl *const O = D->own;
    (void)O->cl.ReleaseMemObject(handle);
}

/* Waits: what is written may be changed afterwards. */
static hy_status write(hy_device *D, void *handle, size_t at, size_t bytes,
                       const void *from)
{
    struct opencl *const O = D->own;
    CALL(D, "writing",
         O->cl.EnqueueWriteBuffer(O->queue, handle, CL_TRUE, at, bytes, from, 0,
                                  NULL, NULL));
    return HY_OK;
}

static hy_status read(hy_device *D, void *handle, size_t at, size_t bytes,
                      void *to)
{
    struct opencl *const O = D->own;
    CALL(D, "reading",
         O->cl.EnqueueReadBuffer(O->queue, handle, CL_TRUE, at, bytes, to, 0,
                                 NULL, NULL));
    return HY_OK;
}

static hy_status copy(hy_device *D, void *from, void *to, size_t bytes)
{
    struct opencl *const O = D->own;
    CALL(D, "copying",
         O->cl.EnqueueCopyBuffer(O->queue, from, to, 0, 0, bytes, 0, NULL,
                                 NULL));
    CALL(D, "copying", O->cl.Finish(O->queue));
    return HY_OK;
}

static hy_status fill(hy_device *D, void *handle, size_t at, size_t bytes,
                      uint32_t word)
{
    struct opencl *const O = D->own;
    CALL(D, "filling",
         O->cl.EnqueueFillBuffer(O->queue, handle, &word, sizeof word, at,
                                 bytes, 0, NULL, NULL));
    return HY_OK;
}

static hy_status finish(hy_device *D)
{
    struct opencl *const O = D->own;
    CALL(D, "finishing", O->cl.Finish(O->queue));
    return HY_OK;
}

/* ---- programs and kernels ------------------------------------------------ */

static const char *text_of(const char *file)
{
    const struct device_text *t = device_texts;
    while (t->name && strcmp(t->name, file) != 0)
        t++;
    return t->text;
}

/* What the compiler said, with the status. */
static hy_status tell_log(hy_device *D, cl_program program, const char *file)
{
    struct opencl *const O = D->own;
    char log[LOG_BYTES] = "";
    (void)O->cl.GetProgramBuildInfo(program, O->device, CL_PROGRAM_BUILD_LOG,
                                    sizeof log - 1, log, NULL);
    return base_fail(HY_EDEVICE, "%s: %s does not build: %s", D->info.name,
                     file, log);
}

/* `text` is that of `file`, or of a user's step, which has no file. */
static hy_status build(hy_device *D, const char *file, const char *text,
                       struct kernel *out)
{
    struct opencl *const O = D->own;
    const char *texts[TEXTS] = { text_of("kernel.h"), text_of("graph.cl"),
                                 text };
    cl_int code = CL_SUCCESS;
    cl_program program = NULL;
    out->key = cache_key_of(&O->cl, O->device, texts, TEXTS);
    out->program = cache_load(&O->cl, D, O->context, O->device, &out->key);
    out->is_kept = out->program;
    if (out->is_kept)
        return HY_OK;
    CALL(D, "a program",
         (program = O->cl.CreateProgramWithSource(O->context, TEXTS, texts,
                                                  NULL, &code),
          code));
    code =
        O->cl.BuildProgram(program, 1, &O->device, "-cl-std=CL1.2", NULL, NULL);
    if (code != CL_SUCCESS) {
        const hy_status status = tell_log(D, program, file);
        (void)O->cl.ReleaseProgram(program);
        return status;
    }
    out->program = program;
    return HY_OK;
}

/* The kernel of a program that is built once; `own` says that the text must
 * be copied to be known again. */
static hy_status make_kernel(hy_device *D, const char *file, const char *text,
                             const char *name, bool own, struct kernel *out)
{
    struct opencl *const O = D->own;
    struct kernel made = { .name = name };
    for (size_t i = 0; i < O->n_kernels && !made.program; i++)
        if (!strcmp(O->kernels[i].text, text))
            made.program = O->kernels[i].program;
    made.owns_program = !made.program;
    if (made.owns_program)
        HY_TRY(build(D, file, text, &made));
    made.copy = own ? base_alloc(D->ctx, strlen(text) + 1, 1) : NULL;
    made.text = own ? made.copy : text;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    const bool may_call = !D->opts.may_call || D->opts.may_call(D->opts.user);
    if (may_call && made.text)
        made.kernel = O->cl.CreateKernel(made.program, name, &code);
    if (code != CL_SUCCESS) {
        if (made.owns_program)
            (void)O->cl.ReleaseProgram(made.program);
        base_free(D->ctx, made.copy);
        return fail(D, name, code);
    }
    if (own)
        memcpy(made.copy, text, strlen(text) + 1);
    *out = made;
    return HY_OK;
}

static hy_status find_kernel(hy_device *D, const char *file, const char *text,
                             const char *name, bool own, cl_kernel *out)
{
    struct opencl *const O = D->own;
    for (size_t i = 0; i < O->n_kernels; i++)
        if (!strcmp(O->kernels[i].name, name) &&
            !strcmp(O->kernels[i].text, text)) {
            *out = O->kernels[i].kernel;
            return HY_OK;
        }
    if (O->n_kernels == MAX_KERNELS)
        return base_fail(HY_EFULL, "%s has %d kernels already", D->info.name,
                         MAX_KERNELS);
    struct kernel made;
    HY_TRY(make_kernel(D, file, text, name, own, &made));
    O->kernels[O->n_kernels++] = made;
    *out = made.kernel;
    return HY_OK;
}

static hy_status enqueue(hy_device *D, cl_kernel kernel, const char *name,
                         size_t items, const struct device_arg *args,
                         uint32_t n_args)
{
    struct opencl *const O = D->own;
    for (uint32_t i = 0; i < n_args; i++) {
        const bool is_buf = args[i].kind == DEVICE_ARG_BUF;
        CALL(D, name,
             O->cl.SetKernelArg(kernel, i,
                                is_buf ? sizeof(cl_mem) : args[i].size,
                                is_buf ? (const void *)&args[i].buf->handle
                                       : (const void *)&args[i].value));
    }
    const size_t group = device_grain(D, GROUP_CHUNKS, GROUP_SINGLES);
    const size_t padded = (items + group - 1) / group * group;
    CALL(D, name,
         O->cl.EnqueueNDRangeKernel(O->queue, kernel, 1, NULL, &padded, &group,
                                    0, NULL, NULL));
    return HY_OK;
}

static hy_status launch(hy_device *D, const char *name, size_t items,
                        const struct device_arg *args, uint32_t n_args)
{
    const struct device_kernel *const what = device_find_kernel(name);
    if (!what)
        return base_fail(HY_EBUG, "no kernel %s", name);
    cl_kernel kernel = NULL;
    HY_TRY(find_kernel(D, what->file, text_of(what->file), what->name, false,
                       &kernel));
    return enqueue(D, kernel, name, items, args, n_args);
}

static hy_status launch_text(hy_device *D, const char *text, const char *name,
                             size_t items, const struct device_arg *args,
                             uint32_t n_args)
{
    cl_kernel kernel = NULL;
    HY_TRY(find_kernel(D, "the step", text, name, true, &kernel));
    return enqueue(D, kernel, name, items, args, n_args);
}

/* ---- opening ------------------------------------------------------------- */

static void shut(hy_device *D)
{
    struct opencl *const O = D->own;
    for (size_t i = 0; i < O->n_kernels; i++) {
        struct kernel *const k = &O->kernels[i];
        if (k->owns_program && !k->is_kept)
            cache_store(&O->cl, D, k->program, &k->key);
        (void)O->cl.ReleaseKernel(k->kernel);
    }
    for (size_t i = 0; i < O->n_kernels; i++) {
        if (O->kernels[i].owns_program)
            (void)O->cl.ReleaseProgram(O->kernels[i].program);
        base_free(D->ctx, O->kernels[i].copy);
    }
    if (O->queue)
        (void)O->cl.ReleaseCommandQueue(O->queue);
    if (O->context)
        (void)O->cl.ReleaseContext(O->context);
    base_free(D->ctx, O);
}

static hy_status open_queue(hy_device *D, struct opencl *O)
{
    cl_int code = CL_SUCCESS;
    CALL(D, "a context",
         (O->context =
              O->cl.CreateContext(NULL, 1, &O->device, NULL, NULL, &code),
          code));
    CALL(D, "a queue",
         (O->queue = O->cl.CreateCommandQueue(O->context, O->device, 0, &code),
          code));
    return HY_OK;
}

hy_status opencl_open(hy_device *D, uint32_t i)
{
    static const struct device_table table = {
        .alloc = alloc,
        .free = give_back,
        .write = write,
        .read = read,
        .copy = copy,
        .fill = fill,
        .launch = launch,
        .launch_text = launch_text,
        .finish = finish,
        .close = shut,
    };
    struct place places[MAX_DEVICES];
    struct opencl *O = base_alloc(D->ctx, 1, sizeof *O);
    if (!O)
        return HY_ENOMEM;
    D->table = &table;
    D->own = O;
    hy_status status = HY_OK;
    if (!opencl_api_load(&O->cl) || i >= find_places(&O->cl, places))
        status = base_fail(HY_EDEVICE, "the device is gone");
    if (status == HY_OK) {
        O->device = places[i].device;
        status = open_queue(D, O);
    }
    if (status != HY_OK)
        shut(D);
    return status;
}
