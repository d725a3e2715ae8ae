/* Files that appear whole or not at all.
 *
 *   open    a file beside the target, of a name nobody has
 *   put     bytes into blocks; full blocks are packed on all threads, written
 *   finish  write what is left, close
 *   show    rename
 *
 * What is no regular file (a terminal, a pipe, /dev/null) is written as it
 * stands.  The first failure sticks: later calls return it, and the file
 * beside goes.
 */
#include "io/out.h"

#include "io/pack.h"
#include "io/path.h"

#include "par/par.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, MOST_LINKS = 40, MOST_NAMES = 10000 };

struct block {
    char *bytes; /* owned, BLOCK of them */
    size_t n;
    char *packed; /* owned; NULL if nothing is packed */
    size_t n_packed;
};

struct hy_out {
    hy_ctx *ctx;
    int fd; /* -1: closed */
    enum io_packing packing;
    int level;
    hy_status status;    /* the first failure */
    int error;           /* errno of it */
    char *target;        /* owned: the path that is replaced */
    char *beside;        /* owned: the file that is written; "" if none is */
    uint32_t at, n;      /* block that is being filled, blocks */
    struct block *block; /* owned */
    bool is_written;     /* something is in the file */
};

static hy_status broken(hy_out *O, const char *what)
{
    O->error = errno;
    O->status = base_fail(HY_EIO, "cannot %s %s: %m", what, O->target);
    return O->status;
}

/* The failure that was, again. */
static hy_status still_broken(const hy_out *O)
{
    errno = O->error;
    return O->status == HY_ENOMEM
               ? base_fail(HY_ENOMEM, "no memory for packing")
               : base_fail(O->status, "cannot write %s: %m", O->target);
}

/* ---- where it goes ------------------------------------------------------- */

/* Follows links to the name that is to be replaced, there or not. */
static hy_status follow(const char *path, char *to)
{
    char link[PATH_MAX];
    if (strlen(path) >= PATH_MAX)
        return base_fail(HY_EIO, "%.64s...: path too long", path);
    memcpy(to, path, strlen(path) + 1);
    for (unsigned i = 0; i < MOST_LINKS; i++) {
        const ssize_t n = readlink(to, link, sizeof link - 1);
        if (n < 0)
            return HY_OK;
        char *slash = strrchr(to, '/');
        char *tail = link[0] == '/' || !slash ? to : slash + 1;
        if ((size_t)(tail - to) + (size_t)n >= PATH_MAX)
            break;
        memcpy(tail, link, (size_t)n);
        tail[n] = 0;
    }
    return base_fail(HY_EIO, "%s: too many links", path);
}

/* Makes a file beside the target, with its permissions if it is there. */
static hy_status open_beside(hy_out *O, const struct stat *old)
{
    const char *slash = strrchr(O->target, '/');
    const char *name = slash ? slash + 1 : O->target;
    const int folder = (int)(name - O->target);
    const size_t room = strlen(O->target) + 48;
    for (unsigned i = 0; i < MOST_NAMES; i++) {
        /* A name may be as long as names can be: 200 bytes of it will do. */
        (void)snprintf(O->beside, room, "%.*s.%.200s.%ld-%u.tmp", folder,
                       O->target, name, (long)getpid(), i);
        O->fd = open(O->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (O->fd >= 0 || errno != EEXIST)
            break;
    }
    if (O->fd < 0) {
        O->beside[0] = 0;
        return broken(O, "create");
    }
    if (old && fchmod(O->fd, old->st_mode & 07777) != 0)
        return broken(O, "create");
    return HY_OK;
}

static bool is_under(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* /dev/stdout is a link to wherever standard output goes; renaming something
 * onto that would take it away from others who write there. */
static hy_status open_target(hy_out *O, const char *path)
{
    struct stat old;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        O->fd = dup(STDOUT_FILENO);
        return O->fd < 0 ? broken(O, "open") : HY_OK;
    }
    const bool is_there = stat(O->target, &old) == 0;
    if (is_under(path, "/dev/") || is_under(path, "/proc/") ||
        (is_there && !S_ISREG(old.st_mode))) {
        O->fd = open(path, O_WRONLY | O_CLOEXEC);
        return O->fd < 0 ? broken(O, "open") : HY_OK;
    }
    return open_beside(O, is_there ? &old : NULL);
}

/* ---- making and freeing -------------------------------------------------- */

static void out_free(hy_out *O)
{
    if (O->fd >= 0)
        (void)close(O->fd);
    if (O->beside && O->beside[0])
        (void)unlink(O->beside);
    for (uint32_t i = 0; O->block && i < O->n; i++) {
        base_free(O->ctx, O->block[i].bytes);
        base_free(O->ctx, O->block[i].packed);
    }
    base_free(O->ctx, O->block);
    base_free(O->ctx, O->beside);
    base_free(O->ctx, O->target);
    base_free(O->ctx, O);
}

static hy_status take_memory(hy_out *O, const char *target)
{
    const size_t n = strlen(target);
    O->n = O->packing == IO_PLAIN ? 1 : par_width(O->ctx);
    O->target = base_alloc_raw(O->ctx, n + 1, 1);
    O->beside = base_alloc(O->ctx, n + 48, 1);
    O->block = base_alloc(O->ctx, O->n, sizeof *O->block);
    if (!O->target || !O->beside || !O->block)
        return HY_ENOMEM;
    memcpy(O->target, target, n + 1);
    for (uint32_t i = 0; i < O->n; i++) {
        struct block *b = &O->block[i];
        b->bytes = base_alloc_raw(O->ctx, BLOCK, 1);
        if (O->packing != IO_PLAIN)
            b->packed =
                base_alloc_raw(O->ctx, io_pack_bound(O->packing, BLOCK), 1);
        if (!b->bytes || (O->packing != IO_PLAIN && !b->packed))
            return HY_ENOMEM;
    }
    return HY_OK;
}

hy_status io_out_open(hy_ctx *ctx, const char *path, int level, hy_out **out)
{
    char target[PATH_MAX];
    size_t length;
    const enum io_packing packing = io_path_packing(path, &length);
    HY_TRY(io_pack_check(packing, level));
    HY_TRY(follow(path, target));
    hy_out *O = base_alloc(ctx, 1, sizeof *O);
    if (!O)
        return HY_ENOMEM;
    O->ctx = ctx;
    O->fd = -1;
    O->packing = packing;
    O->level = level;
    hy_status status = take_memory(O, target);
    if (status == HY_OK)
        status = open_target(O, path);
    if (status != HY_OK) {
        out_free(O);
        return status;
    }
    *out = O;
    return HY_OK;
}

hy_status hy_out_open(hy_ctx *ctx, const char *path, hy_out **out)
{
    if (!ctx || !path || !out)
        return base_fail(HY_EINVAL, "no context, path or result");
    return io_out_open(ctx, path, 0, out);
}

/* ---- bytes --------------------------------------------------------------- */

static hy_status write_all(hy_out *O, const char *from, size_t n)
{
    while (n) {
        const ssize_t done = write(O->fd, from, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return broken(O, "write");
        from += done;
        n -= (size_t)done;
    }
    O->is_written = true;
    return HY_OK;
}

static void pack_par(void *arg, size_t i)
{
    hy_out *O = arg;
    struct block *b = &O->block[i];
    b->n_packed =
        io_pack(O->ctx, O->packing, O->level, b->bytes, b->n, b->packed);
}

/* Writes the first n blocks and begins anew. */
static hy_status flush(hy_out *O, uint32_t n)
{
    if (O->packing != IO_PLAIN)
        par_run(O->ctx, n, pack_par, O);
    for (uint32_t i = 0; i < n; i++) {
        struct block *b = &O->block[i];
        if (O->packing == IO_PLAIN) {
            HY_TRY(write_all(O, b->bytes, b->n));
        } else if (b->n_packed == 0) {
            O->status = base_fail(HY_ENOMEM, "no memory for packing");
            return O->status;
        } else {
            HY_TRY(write_all(O, b->packed, b->n_packed));
        }
        b->n = 0;
    }
    O->at = 0;
    return HY_OK;
}

hy_status hy_out_put(hy_out *O, const void *bytes, size_t n)
{
    if (!O || (!bytes && n))
        return base_fail(HY_EINVAL, "no output or no bytes");
    if (O->status != HY_OK)
        return still_broken(O);
    const char *from = bytes;
    while (n) {
        struct block *b = &O->block[O->at];
        const size_t part = n < BLOCK - b->n ? n : BLOCK - b->n;
        memcpy(b->bytes + b->n, from, part);
        b->n += part;
        from += part;
        n -= part;
        if (b->n == BLOCK && ++O->at == O->n)
            HY_TRY(flush(O, O->n));
    }
    return HY_OK;
}

hy_status io_out_finish(hy_out *O)
{
    if (O->status != HY_OK)
        return still_broken(O);
    /* An empty packed file is a packing of nothing, not nothing. */
    const uint32_t n = O->at + (O->block[O->at].n != 0);
    if (n || (O->packing != IO_PLAIN && !O->is_written))
        HY_TRY(flush(O, n ? n : 1));
    const int fd = O->fd;
    O->fd = -1;
    return close(fd) != 0 && errno != EINTR ? broken(O, "close") : HY_OK;
}

hy_status hy_out_close(hy_out *O)
{
    if (!O)
        return base_fail(HY_EINVAL, "no output");
    hy_status status = HY_OK;
    if (O->fd >= 0 || O->status != HY_OK)
        status = io_out_finish(O);
    if (status == HY_OK && O->beside[0]) {
        if (rename(O->beside, O->target) == 0)
            O->beside[0] = 0;
        else
            status = broken(O, "replace");
    }
    out_free(O);
    return status;
}

void hy_out_drop(hy_out *O)
{
    if (O)
        out_free(O);
}
