/* A folder of a test's own, removed with all that is in it. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <stddef.h>

struct folder {
    char path[64];
};

void folder_init(struct folder *F);
void folder_fini(struct folder *F);

/* The path of a file in it; valid until the eighth call from now. */
const char *folder_file(const struct folder *F, const char *name);

/* Removes all files. */
void folder_empty(const struct folder *F);

/* Files in it, hidden ones too. */
size_t folder_count(const struct folder *F);

/* A file's bytes and a 0, from malloc; NULL if it cannot be read. */
char *file_read(const char *path, size_t *n);
void file_write(const char *path, const char *text);

#endif
