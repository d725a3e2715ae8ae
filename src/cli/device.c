/* `--device`: which one is meant. */
#include "cli/cli.h"

hy_device *cli_device(hy_ctx *ctx, const struct cli_common *common)
{
    if (!common->device)
        return NULL;
    hy_device *D = NULL;
    const hy_status status = hy_device_open(ctx, common->device, NULL, &D);
    if (status == HY_EINVAL)
        cli_die(CLI_FAILED, "no device `%s`; try `hypha devices`",
                common->device);
    cli_must(status, common->device);
    hy_device_info info;
    hy_device_info_get(D, &info);
    if (info.kind != HY_DEVICE_HOST)
        return D;
    hy_device_close(D);
    return NULL;
}
