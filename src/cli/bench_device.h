/* The benchmark of devices: what its parts share. */
#ifndef CLI_BENCH_DEVICE_H
#define CLI_BENCH_DEVICE_H

#include "cli/bench_store.h"

struct device_bed {
    struct bench b;
    hy_device *D;
    const char *name; /* that it was opened by */
};

/* Whether the case was asked for. */
bool device_wants(const struct device_bed *B, const char *name);

/* Each algorithm there, over the host's time. */
void device_ask_cases(const struct device_bed *B);

/* Commits, and what they cost the mirror. */
void device_update_cases(const struct device_bed *B);

/* Processes that ask one thing, kernels built before or not. */
void device_start_cases(const struct device_bed *B);

/* Names of the cases of each, up to a NULL. */
extern const char *const device_ask_names[], *const device_update_names[],
                                                 *const device_start_names[];

#endif
