/* What the system says about the machine: /proc/cpuinfo, /proc/meminfo. */
#include "cli/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds a line `key : value` and copies its value, without blanks around. */
static void look_up(const char *path, const char *key, char *value, size_t size)
{
    value[0] = '\0';
    FILE *const file = fopen(path, "r");
    if (!file)
        return;
    char line[256];
    while (!value[0] && fgets(line, sizeof line, file)) {
        const char *const colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *const from = colon + 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(from, "\n"), from);
    }
    fclose(file);
}

void machine_name(char name[MACHINE_NAME])
{
    look_up("/proc/cpuinfo", "model name", name, MACHINE_NAME);
    if (!name[0])
        snprintf(name, MACHINE_NAME, "host");
}

/* A line `key: n kB`. */
static uint64_t memory(const char *key)
{
    char value[64];
    look_up("/proc/meminfo", key, value, sizeof value);
    return (uint64_t)strtoull(value, NULL, 10) * 1024;
}

uint64_t machine_memory(void)
{
    return memory("MemTotal");
}

uint64_t machine_memory_free(void)
{
    return memory("MemAvailable");
}
