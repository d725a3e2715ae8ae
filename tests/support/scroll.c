#include "support/scroll.h"

#include <stdlib.h>
#include <unistd.h>

static void must(int ok)
{
    if (!ok)
        abort();
}

void scroll_init(struct scroll *S)
{
    char path[] = "/tmp/hypha-test-XXXXXX";
    *S = (struct scroll){ .fd = mkstemp(path) };
    must(S->fd >= 0 && unlink(path) == 0);
}

void scroll_fini(struct scroll *S)
{
    must(close(S->fd) == 0);
}

static void write_at(struct scroll *S, const void *bytes, size_t n, uint64_t at)
{
    while (n) {
        const ssize_t done = pwrite(S->fd, bytes, n, (off_t)at);
        must(done > 0);
        bytes = (const char *)bytes + done;
        n -= (size_t)done;
        at += (uint64_t)done;
    }
}

hy_status scroll_put(void *arg, const void *bytes, size_t n)
{
    struct scroll *S = arg;
    write_at(S, bytes, n, S->n);
    S->n += n;
    return HY_OK;
}

unsigned char *scroll_bytes(const struct scroll *S)
{
    unsigned char *bytes = malloc(S->n + 1);
    must(bytes != NULL);
    must(pread(S->fd, bytes, S->n, 0) == (ssize_t)S->n);
    return bytes;
}

void scroll_set(struct scroll *S, const unsigned char *bytes, uint64_t n)
{
    must(ftruncate(S->fd, (off_t)n) == 0);
    write_at(S, bytes, n, 0);
    S->n = n;
}

void scroll_poke(struct scroll *S, uint64_t at, unsigned char byte)
{
    write_at(S, &byte, 1, at);
}
