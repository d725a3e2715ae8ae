/* A folder of a test's own. */
#include "support/folder.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void folder_init(struct folder *F)
{
    (void)snprintf(F->path, sizeof F->path, "/tmp/hypha-test-XXXXXX");
    assert_non_null(mkdtemp(F->path));
}

/* Calls `each` for all files, returns how many there are. */
static size_t walk(const struct folder *F, int (*each)(const char *path))
{
    char path[512];
    size_t n = 0;
    DIR *dir = opendir(F->path);
    assert_non_null(dir);
    for (const struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        n++;
        (void)snprintf(path, sizeof path, "%s/%s", F->path, d->d_name);
        if (each)
            (void)each(path);
    }
    (void)closedir(dir);
    return n;
}

void folder_empty(const struct folder *F)
{
    (void)walk(F, unlink);
}

void folder_fini(struct folder *F)
{
    folder_empty(F);
    (void)rmdir(F->path);
}

const char *folder_file(const struct folder *F, const char *name)
{
    static char paths[8][512];
    static unsigned turn;
    char *path = paths[turn++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", F->path, name);
    return path;
}

size_t folder_count(const struct folder *F)
{
    return walk(F, NULL);
}

char *file_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 1 << 16, got;
    char *bytes = malloc(room);
    *n = 0;
    while (bytes && (got = fread(bytes + *n, 1, room - *n - 1, file)) > 0) {
        *n += got;
        if (*n + 1 == room)
            bytes = realloc(bytes, room *= 2);
    }
    (void)fclose(file);
    assert_non_null(bytes);
    bytes[*n] = 0;
    return bytes;
}

void file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}
