/* `--device`: which one is meant. */
#include "cli/cli.h"

hy_device *cli_device_open(hy_ctx *ctx, const char *name)
{
    const hy_device_opts opts = { .cache = cli_cache() };
    hy_device *D = NULL;
    const hy_status status = hy_device_open(ctx, name, &opts, &D);
    if (status == HY_EINVAL)
        cli_die(CLI_FAILED, "no device `%s`; try `hypha devices`", name);
    cli_must(status, name);
    return D;
}

hy_device *cli_device(hy_ctx *ctx, const struct cli_common *common)
{
    if (!common->device)
        return NULL;
    hy_device *const D = cli_device_open(ctx, common->device);
    hy_device_info info;
    hy_device_info_get(D, &info);
    if (info.kind != HY_DEVICE_HOST)
        return D;
    hy_device_close(D);
    return NULL;
}
