/* Devices listed, opened and counted. */
#include "device/device.h"

#include "device/mirror.h"

#include <ctype.h>
#include <string.h>

/* ---- listing ------------------------------------------------------------- */

static void describe(hy_ctx *ctx, uint32_t i, hy_device_info *info)
{
    *info = (hy_device_info){ 0 };
    if (i == 0)
        host_describe(ctx, info);
    else
        opencl_describe(i - 1, info);
}

hy_status hy_devices(hy_ctx *ctx, uint32_t room, hy_device_info *infos,
                     uint32_t *n)
{
    if (!ctx || !n || (room && !infos))
        return base_fail(HY_EINVAL, "devices of no context");
    *n = 1 + opencl_count();
    for (uint32_t i = 0; i < *n && i < room; i++)
        describe(ctx, i, &infos[i]);
    return HY_OK;
}

/* ---- choosing ------------------------------------------------------------ */

static char lower(char c)
{
    return (char)tolower((unsigned char)c);
}

static bool has_part(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && lower(text[i]) == lower(part[i]))
            i++;
        if (!part[i])
            return true;
    }
    return false;
}

static bool is_number(const char *text, uint32_t *number)
{
    *number = 0;
    for (; *text && isdigit((unsigned char)*text) && *number < 1000; text++)
        *number = *number * 10 + (uint32_t)(*text - '0');
    return !*text;
}

static bool is_named(const hy_device_info *info, const char *name)
{
    return has_part(info->name, name) || has_part(info->platform, name);
}

/* A GPU, else the host: OpenCL on the same cores is slower than they are. */
static uint32_t choose_best(hy_ctx *ctx, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        hy_device_info info;
        describe(ctx, i, &info);
        if (info.kind == HY_DEVICE_GPU)
            return i;
    }
    return 0;
}

/* HY_NONE: there is none of that name. */
static uint32_t choose(hy_ctx *ctx, const char *name)
{
    const uint32_t n = 1 + opencl_count();
    uint32_t number;
    if (!*name || !strcmp(name, "host"))
        return 0;
    if (!strcmp(name, "auto"))
        return choose_best(ctx, n);
    if (is_number(name, &number))
        return number < n ? number : HY_NONE;
    for (uint32_t i = 1; i < n; i++) {
        hy_device_info info;
        describe(ctx, i, &info);
        if (is_named(&info, name))
            return i;
    }
    return HY_NONE;
}

/* ---- spares --------------------------------------------------------------
 *
 * Questions ask for the same buffers again and again.  Drivers take longer to
 * make and to touch a large one than some questions take, and PoCL gives it
 * back later, on the threads that the next question needs.  So a few that were
 * freed are kept, within the cap: not the largest, whose memory others may need
 * more, nor where a sanitizer is to see who uses what was freed. */

static const size_t spare_least = 1 << 18, spare_most = 1 << 27;

static void drop_spare(hy_device *D, struct device_buf *spare)
{
    D->table->free(D, spare->handle);
    D->stats.spare -= spare->bytes;
    *spare = (struct device_buf){ 0 };
}

static void drop_spares(hy_device *D)
{
    for (size_t i = 0; i < DEVICE_SPARES; i++)
        if (D->spare[i].handle)
            drop_spare(D, &D->spare[i]);
}

/* One of `bytes`, and not of much more. */
static bool take_spare(hy_device *D, size_t bytes, struct device_buf *b)
{
    for (size_t i = 0; i < DEVICE_SPARES; i++) {
        struct device_buf *const spare = &D->spare[i];
        if (spare->bytes >= bytes && spare->bytes - bytes <= bytes / 4) {
            *b = *spare;
            D->stats.spare -= b->bytes;
            *spare = (struct device_buf){ 0 };
            return true;
        }
    }
    return false;
}

/* In place of the oldest: what is asked for now is not what was asked then. */
static bool keep_spare(hy_device *D, const struct device_buf *b)
{
    if (HY_SANITIZED || b->bytes < spare_least || b->bytes > spare_most)
        return false;
    struct device_buf *const at = &D->spare[D->next_spare];
    D->next_spare = (D->next_spare + 1) % DEVICE_SPARES;
    if (at->handle)
        drop_spare(D, at);
    *at = *b;
    D->stats.spare += b->bytes;
    return true;
}

/* ---- opening ------------------------------------------------------------- */

hy_status hy_device_open(hy_ctx *ctx, const char *name,
                         const hy_device_opts *opts, hy_device **out)
{
    if (!ctx || !out)
        return base_fail(HY_EINVAL, "a device needs a context");
    const uint32_t i = choose(ctx, name ? name : "host");
    if (i == HY_NONE)
        return base_fail(HY_EINVAL, "there is no device `%s`", name);
    hy_device *D = base_alloc(ctx, 1, sizeof *D);
    if (!D)
        return HY_ENOMEM;
    D->ctx = ctx;
    if (opts)
        D->opts = *opts;
    describe(ctx, i, &D->info);
    if (D->opts.wants_singles)
        D->info.shape = HY_SHAPE_SINGLES;
    D->cap = D->opts.memory_cap ? D->opts.memory_cap : D->info.memory / 4 * 3;
    const hy_status status = i ? opencl_open(D, i - 1) : host_open(D);
    if (status != HY_OK) {
        base_free(ctx, D);
        return status;
    }
    *out = D;
    return HY_OK;
}

void hy_device_close(hy_device *D)
{
    if (!D)
        return;
    mirror_free_all(D);
    drop_spares(D);
    D->table->close(D);
    base_free(D->ctx, D);
}

void hy_device_info_get(const hy_device *D, hy_device_info *info)
{
    *info = D->info;
}

void hy_device_stats_get(const hy_device *D, hy_device_stats *stats)
{
    *stats = D->stats;
}

/* ---- counting ------------------------------------------------------------ */

static bool fits(const hy_device *D, size_t bytes)
{
    const uint64_t held = D->stats.bytes + D->stats.spare;
    return !D->cap || (bytes <= D->cap && held <= D->cap - bytes);
}

static hy_status tell_full(const hy_device *D, size_t bytes)
{
    return base_fail(
        HY_EFULL, "%s: %llu bytes do not fit beside %llu, the limit is %llu",
        D->info.name, (unsigned long long)bytes,
        (unsigned long long)D->stats.bytes, (unsigned long long)D->cap);
}

/* A new buffer, if need be after all spares went back. */
static hy_status new_buffer(hy_device *D, struct device_buf *b, size_t bytes)
{
    if (!fits(D, bytes))
        drop_spares(D);
    if (!fits(D, bytes))
        return tell_full(D, bytes);
    hy_status status = D->table->alloc(D, bytes, &b->handle);
    if (status != HY_OK && D->stats.spare) {
        drop_spares(D);
        status = D->table->alloc(D, bytes, &b->handle);
    }
    b->bytes = status == HY_OK ? bytes : 0;
    return status;
}

hy_status device_alloc(hy_device *D, struct device_buf *b, size_t bytes)
{
    *b = (struct device_buf){ 0 };
    const size_t some = bytes ? bytes : 4; /* no driver knows empty buffers */
    if (!take_spare(D, some, b))
        HY_TRY(new_buffer(D, b, some));
    D->stats.bytes += b->bytes;
    return HY_OK;
}

void device_free(hy_device *D, struct device_buf *b)
{
    if (!b->handle)
        return;
    D->stats.bytes -= b->bytes;
    if (!keep_spare(D, b))
        D->table->free(D, b->handle);
    *b = (struct device_buf){ 0 };
}

hy_status device_grow(hy_device *D, struct device_buf *b, size_t bytes)
{
    if (bytes <= b->bytes && b->handle)
        return HY_OK;
    struct device_buf more;
    HY_TRY(device_alloc(D, &more, bytes + bytes / 8 / 16 * 16));
    if (b->handle) {
        const hy_status status =
            D->table->copy(D, b->handle, more.handle, b->bytes);
        if (status != HY_OK) {
            device_free(D, &more);
            return status;
        }
    }
    device_free(D, b);
    *b = more;
    return HY_OK;
}

hy_status device_write(hy_device *D, const struct device_buf *b, size_t at,
                       size_t bytes, const void *from)
{
    if (!bytes)
        return HY_OK;
    HY_TRY(D->table->write(D, b->handle, at, bytes, from));
    D->stats.uploaded += bytes;
    return HY_OK;
}

hy_status device_read(hy_device *D, const struct device_buf *b, size_t at,
                      size_t bytes, void *to)
{
    if (!bytes)
        return HY_OK;
    HY_TRY(D->table->read(D, b->handle, at, bytes, to));
    D->stats.downloaded += bytes;
    return HY_OK;
}

hy_status device_fill(hy_device *D, const struct device_buf *b, size_t at,
                      size_t bytes, uint32_t word)
{
    return bytes ? D->table->fill(D, b->handle, at, bytes, word) : HY_OK;
}

hy_status device_launch(hy_device *D, const char *kernel, size_t items,
                        const struct device_arg *args, uint32_t n_args)
{
    if (!items)
        return HY_OK;
    D->stats.launches++;
    return D->table->launch(D, kernel, items, args, n_args);
}

hy_status device_finish(hy_device *D)
{
    return D->table->finish(D);
}

const struct device_kernel *device_find_kernel(const char *name)
{
    for (const struct device_kernel *k = device_kernels; k->name; k++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}
