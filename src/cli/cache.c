/* Where kernels that were built are kept: a folder of the user's. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };

/* Makes the folder, if need be; whether it is this user's to write in. */
static bool is_ours(const char *path)
{
    struct stat what;
    (void)mkdir(path, S_IRWXU);
    return lstat(path, &what) == 0 && S_ISDIR(what.st_mode) &&
           what.st_uid == geteuid() && !(what.st_mode & (S_IWGRP | S_IWOTH)) &&
           access(path, R_OK | W_OK | X_OK) == 0;
}

/* parent/name in `path`, if there is a parent, made. */
static bool use(char path[PATH], const char *parent, const char *name)
{
    if (!parent || !*parent)
        return false;
    const int n = snprintf(path, PATH, "%s/%s", parent, name);
    return n > 0 && n < PATH && is_ours(path);
}

static bool use_home(char path[PATH])
{
    char above[PATH];
    const char *const xdg = getenv("XDG_CACHE_HOME");
    if (xdg && *xdg)
        return use(path, xdg, "hypha");
    return use(above, getenv("HOME"), ".cache") && use(path, above, "hypha");
}

const char *cli_cache(void)
{
    static char path[PATH];
    char name[32];
    if (use_home(path))
        return path;
    const char *const env = getenv("TMPDIR");
    (void)snprintf(name, sizeof name, "hypha-%u", (unsigned)geteuid());
    if (!use(path, env && *env ? env : "/tmp", name))
        return NULL;
    /* PoCL shows no device where it cannot write either */
    if (!getenv("POCL_CACHE_DIR"))
        (void)setenv("POCL_CACHE_DIR", path, 1);
    return path;
}
