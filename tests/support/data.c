#include "support/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *test_data(const char *name)
{
    static char path[4096];
    const char *const roots[] = { getenv("HYPHA_DATA"),
                                  HYPHA_TESTS_DIR "/../../shared/data",
                                  HYPHA_TESTS_DIR "/../../../shared/data" };
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (!roots[i])
            continue;
        const int n = snprintf(path, sizeof path, "%s/%s", roots[i], name);
        if (n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}
