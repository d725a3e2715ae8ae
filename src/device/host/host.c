/* The host as a device: memory is memory, kernels are functions. */
#include "device/device.h"

#include "par/par.h"

#include <string.h>

enum { ITEMS_AT_ONCE = 16 };

static bool may(const hy_device *D)
{
    return !D->opts.may_call || D->opts.may_call(D->opts.user);
}

static hy_status must(const hy_device *D)
{
    return may(D) ? HY_OK : base_fail(HY_EDEVICE, "host: the call was refused");
}

static hy_status alloc(hy_device *D, size_t bytes, void **handle)
{
    HY_TRY(must(D));
    *handle = base_alloc_raw(D->ctx, 1, bytes);
    return *handle ? HY_OK : HY_ENOMEM;
}

static void give_back(hy_device *D, void *handle)
{
    base_free(D->ctx, handle);
}

static hy_status write(hy_device *D, void *handle, size_t at, size_t bytes,
                       const void *from)
{
    HY_TRY(must(D));
    memcpy((char *)handle + at, from, bytes);
    return HY_OK;
}

static hy_status read(hy_device *D, void *handle, size_t at, size_t bytes,
                      void *to)
{
    HY_TRY(must(D));
    memcpy(to, (char *)handle + at, bytes);
    return HY_OK;
}

static hy_status copy(hy_device *D, void *from, void *to, size_t bytes)
{
    HY_TRY(must(D));
    memcpy(to, from, bytes);
    return HY_OK;
}

static hy_status fill(hy_device *D, void *handle, size_t at, size_t bytes,
                      uint32_t word)
{
    HY_TRY(must(D));
    uint32_t *const to = (uint32_t *)(void *)((char *)handle + at);
    for (size_t i = 0; i < bytes / sizeof word; i++)
        to[i] = word;
    return HY_OK;
}

struct launch {
    const struct device_kernel *kernel;
    const void *arg[DEVICE_ARGS];
};

/* Writes what its items write. */
static void items_par(void *arg, size_t lo, size_t hi)
{
    const struct launch *const J = arg;
    for (size_t i = lo; i < hi; i++)
        J->kernel->run((uint32_t)i, J->arg);
}

static hy_status launch(hy_device *D, const char *kernel, size_t items,
                        const struct device_arg *args, uint32_t n_args)
{
    HY_TRY(must(D));
    struct launch J = { .kernel = device_find_kernel(kernel) };
    if (!J.kernel)
        return base_fail(HY_EBUG, "host: no kernel %s", kernel);
    for (uint32_t i = 0; i < n_args; i++)
        J.arg[i] = args[i].kind == DEVICE_ARG_BUF
                       ? (const void *)&args[i].buf->handle
                       : (const void *)&args[i].value;
    const size_t grain = items < 64 * ITEMS_AT_ONCE ? 1 : ITEMS_AT_ONCE;
    par_for(D->ctx, items, grain, items_par, &J);
    return HY_OK;
}

static hy_status finish(hy_device *D)
{
    return must(D);
}

static void shut(hy_device *D)
{
    (void)D;
}

void host_describe(hy_ctx *ctx, hy_device_info *info)
{
    memcpy(info->name, "host", sizeof "host");
    info->kind = HY_DEVICE_HOST;
    info->shape = HY_SHAPE_CHUNKS;
    info->units = par_width(ctx);
    info->has_f64 = true;
    info->has_atomics_64 = true;
    info->is_shared = true;
}

hy_status host_open(hy_device *D)
{
    static const struct device_table table = {
        .alloc = alloc,
        .free = give_back,
        .write = write,
        .read = read,
        .copy = copy,
        .fill = fill,
        .launch = launch,
        .finish = finish,
        .close = shut,
    };
    D->table = &table;
    return HY_OK;
}
