/* `hypha devices`: what this machine can compute on. */
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEVICES = 32 };

static const char *kind_name(hy_device_kind kind)
{
    static const char *const names[] = { "host", "cpu", "gpu", "other" };
    return names[kind];
}

static const char *shape_name(hy_device_shape shape)
{
    return shape == HY_SHAPE_CHUNKS ? "chunks" : "singles";
}

/* The library leaves to the system what it does not ask it. */
static void complete_host(hy_device_info *host)
{
    machine_name(host->name);
    host->memory = machine_memory();
}

static void print_json(const hy_device_info *D, uint32_t n)
{
    struct json J = { .to = stdout };
    json_open(&J, NULL, '[');
    for (uint32_t i = 0; i < n; i++) {
        json_open(&J, NULL, '{');
        json_count(&J, "number", i);
        json_text(&J, "name", D[i].name);
        json_text(&J, "kind", kind_name(D[i].kind));
        json_count(&J, "memory", D[i].memory);
        json_count(&J, "threads", D[i].units);
        json_text(&J, "platform", D[i].platform);
        json_text(&J, "shape", shape_name(D[i].shape));
        json_bool(&J, "f64", D[i].has_f64);
        json_bool(&J, "atomics_64", D[i].has_atomics_64);
        json_bool(&J, "shared_memory", D[i].is_shared);
        json_close(&J, '}');
    }
    json_close(&J, ']');
    json_end(&J);
}

static void print_table(const hy_device_info *D, uint32_t n)
{
    printf("%2s %-5s %10s %8s  %-8s %-7s %s\n", "#", "kind", "memory",
           "threads", "extras", "shape", "name");
    for (uint32_t i = 0; i < n; i++) {
        char memory[REPORT_TEXT], extras[16];
        snprintf(extras, sizeof extras, "%s%s", D[i].has_f64 ? "f64 " : "",
                 D[i].has_atomics_64 ? "a64" : "");
        printf("%2u %-5s %10s %8u  %-8s %-7s %s%s%s%s\n", (unsigned)i,
               kind_name(D[i].kind), report_bytes((double)D[i].memory, memory),
               (unsigned)D[i].units, extras, shape_name(D[i].shape), D[i].name,
               *D[i].platform ? " (" : "", D[i].platform,
               *D[i].platform ? ")" : "");
    }
}

int cli_devices(int argc, char **argv)
{
    struct cli_common common = { .has = CLI_HAS_JSON };
    const struct cli_syntax syntax = {
        .command = "devices",
        .about = "Lists what this machine can compute on: the host, and what "
                 "OpenCL finds.\n`--device` of other commands takes a number "
                 "or part of a name from here.\nExtras are f64, doubles, and "
                 "a64, atomic operations on 64 bits.\nThe shape is how work "
                 "is dealt out: chunks of edges, or single ones.",
        .more = "examples:\n"
                "  hypha devices\n"
                "  hypha devices --json",
        .common = &common
    };
    cli_parse(&syntax, argc, argv, NULL);
    hy_ctx *const ctx = cli_ctx(0);
    static hy_device_info D[MOST_DEVICES];
    uint32_t n = 0;
    (void)cli_cache(); /* without, PoCL may hide its device */
    cli_must(hy_devices(ctx, MOST_DEVICES, D, &n), "devices");
    n = n < MOST_DEVICES ? n : MOST_DEVICES;
    complete_host(&D[0]);
    if (common.json)
        print_json(D, n);
    else
        print_table(D, n);
    hy_ctx_free(ctx);
    return CLI_OK;
}
