/* A file without a name, written and read as a whole. */
#ifndef TESTS_SCROLL_H
#define TESTS_SCROLL_H

#include <hypha/base.h>

struct scroll {
    int fd;
    uint64_t n; /* bytes */
};

/* All of these abort when the system fails. */
void scroll_init(struct scroll *S);
void scroll_fini(struct scroll *S);

/* Adds n bytes; `arg` is the scroll. */
hy_status scroll_put(void *arg, const void *bytes, size_t n);

/* Its bytes, to be freed. */
unsigned char *scroll_bytes(const struct scroll *S);

/* Makes it these bytes. */
void scroll_set(struct scroll *S, const unsigned char *bytes, uint64_t n);

/* Changes one byte. */
void scroll_poke(struct scroll *S, uint64_t at, unsigned char byte);

#endif
