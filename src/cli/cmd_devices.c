/* `hypha devices`: what this machine can compute on. */
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/report.h"

#include <stdio.h>

struct device {
    char name[MACHINE_NAME];
    const char *kind;
    uint64_t memory;
    uint32_t threads;
};

static struct device host(void)
{
    struct device D = { .kind = "host", .memory = machine_memory() };
    machine_name(D.name);
    hy_ctx *const ctx = cli_ctx(0);
    D.threads = hy_ctx_threads(ctx);
    hy_ctx_free(ctx);
    return D;
}

static void print_json(const struct device *D)
{
    struct json J = { .to = stdout };
    json_open(&J, NULL, '[');
    json_open(&J, NULL, '{');
    json_text(&J, "name", D->name);
    json_text(&J, "kind", D->kind);
    json_count(&J, "memory", D->memory);
    json_count(&J, "threads", D->threads);
    json_close(&J, '}');
    json_close(&J, ']');
    json_end(&J);
}

static void print_table(const struct device *D)
{
    char memory[REPORT_TEXT];
    printf("%-6s %10s %8s  %s\n", "kind", "memory", "threads", "name");
    printf("%-6s %10s %8u  %s\n", D->kind,
           report_bytes((double)D->memory, memory), D->threads, D->name);
}

int cli_devices(int argc, char **argv)
{
    struct cli_common common = { .has = CLI_HAS_JSON };
    const struct cli_syntax syntax = {
        .command = "devices",
        .about = "Lists what this machine can compute on.  For now that is "
                 "the host, which is\na device like the others.",
        .more = "examples:\n"
                "  hypha devices\n"
                "  hypha devices --json",
        .common = &common
    };
    cli_parse(&syntax, argc, argv, NULL);
    const struct device D = host();
    if (common.json)
        print_json(&D);
    else
        print_table(&D);
    return CLI_OK;
}
