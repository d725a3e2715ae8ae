/* Heap and address space.
 *
 * A heap block is preceded by its size, so that the context can count what
 * it holds; a few large ones outlive their user.  A space is reserved without
 * access and opened piece by piece: the system accounts for what was opened,
 * even where it does not overcommit.
 */
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Keeps what follows aligned for any type and for 16-byte vectors. */
union header {
    struct {
        size_t bytes; /* asked for */
        size_t room;  /* there are */
    } is;
    _Alignas(16) char pad[16];
};

enum {
    SPACE_STEP = 2 << 20, /* one huge page */
    LARGE = 4 << 20,      /* bytes of a block that may have huge pages */
};

static bool is_permitted(hy_ctx *ctx, size_t bytes)
{
    return !ctx->may_alloc || ctx->may_alloc(ctx->user, bytes);
}

static void count(hy_ctx *ctx, size_t more, size_t less)
{
    atomic_fetch_add_explicit(&ctx->bytes, (uint64_t)more - less,
                              memory_order_relaxed);
}

static void *fail_alloc(size_t n, size_t size)
{
    (void)base_fail(HY_ENOMEM, "no memory for %zu x %zu bytes", n, size);
    return NULL;
}

static bool is_sizable(size_t n, size_t size)
{
    return size == 0 || n <= (SIZE_MAX - sizeof(union header)) / size;
}

/* Asks for huge pages where a block is large: fewer faults when it is filled,
 * and no look-up of a page for each entry of it when it is read at random. */
static void prefer_huge(const void *block, size_t bytes)
{
    const uintptr_t step = SPACE_STEP;
    const uintptr_t first = ((uintptr_t)block + step - 1) & ~(step - 1);
    const uintptr_t end = ((uintptr_t)block + bytes) & ~(step - 1);
    if (bytes >= LARGE && first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* ---- spares ------------------------------------------------------------
 *
 * Algorithms ask for the same workspaces again and again, and the system takes
 * longer to clear new pages than some take to run.  A few blocks that were
 * freed are kept for the next; not the largest, whose memory others may need
 * more, nor where a sanitizer is to see who uses what was freed. */

static const size_t spare_least = 1 << 20, spare_most = 40 << 20;

static bool can_be_spare(size_t room)
{
    return !HY_SANITIZED && room >= spare_least && room <= spare_most;
}

/* A spare block of `bytes`, and not of much more; NULL: there is none.  A
 * place is emptied before its block is looked at: it is nobody else's then. */
static union header *take_spare(hy_ctx *ctx, size_t bytes)
{
    for (size_t i = 0; can_be_spare(bytes) && i < BASE_SPARES; i++) {
        if (!atomic_load_explicit(&ctx->spare[i], memory_order_relaxed))
            continue;
        union header *const h = atomic_exchange(&ctx->spare[i], NULL);
        if (h && h->is.room >= bytes && h->is.room / 2 <= bytes)
            return h;
        void *none = NULL;
        if (h && !atomic_compare_exchange_strong(&ctx->spare[i], &none, h))
            free(h);
    }
    return NULL;
}

static bool keep_spare(hy_ctx *ctx, union header *h)
{
    for (size_t i = 0; can_be_spare(h->is.room) && i < BASE_SPARES; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&ctx->spare[i], &none, h))
            return true;
    }
    return false;
}

void base_trim(hy_ctx *ctx)
{
    for (size_t i = 0; i < BASE_SPARES; i++)
        free(atomic_exchange(&ctx->spare[i], NULL));
}

/* ---- the heap ---------------------------------------------------------- */

/* A block from the system, if need be after all spares went back to it. */
static union header *new_block(hy_ctx *ctx, size_t bytes, bool zeroed)
{
    union header *h = NULL;
    for (int tries = 0; !h && tries < 2; tries++) {
        if (tries)
            base_trim(ctx);
        h = zeroed ? calloc(1, sizeof *h + bytes) : malloc(sizeof *h + bytes);
    }
    if (!h)
        return NULL;
    h->is.room = bytes;
    prefer_huge(h, bytes);
    return h;
}

static void *alloc(hy_ctx *ctx, size_t n, size_t size, bool zeroed)
{
    if (!is_sizable(n, size) || !is_permitted(ctx, n * size))
        return fail_alloc(n, size);
    union header *h = take_spare(ctx, n * size);
    if (h && zeroed)
        memset(h + 1, 0, n * size);
    if (!h)
        h = new_block(ctx, n * size, zeroed);
    if (!h)
        return fail_alloc(n, size);
    h->is.bytes = n * size;
    count(ctx, n * size, 0);
    return h + 1;
}

void *base_alloc_raw(hy_ctx *ctx, size_t n, size_t size)
{
    return alloc(ctx, n, size, false);
}

void *base_alloc(hy_ctx *ctx, size_t n, size_t size)
{
    return alloc(ctx, n, size, true);
}

void *base_resize(hy_ctx *ctx, void *p, size_t n, size_t size)
{
    if (!p)
        return base_alloc_raw(ctx, n, size);
    if (!is_sizable(n, size) || !is_permitted(ctx, n * size))
        return fail_alloc(n, size);
    union header *h = (union header *)p - 1;
    const size_t before = h->is.bytes;
    h = realloc(h, sizeof *h + n * size);
    if (!h)
        return fail_alloc(n, size);
    h->is.bytes = h->is.room = n * size;
    prefer_huge(h, n * size);
    count(ctx, n * size, before);
    return h + 1;
}

void base_free(hy_ctx *ctx, void *p)
{
    if (!p)
        return;
    union header *h = (union header *)p - 1;
    count(ctx, 0, h->is.bytes);
    if (!keep_spare(ctx, h))
        free(h);
}

static size_t round_up(size_t bytes)
{
    return (bytes + SPACE_STEP - 1) & ~(size_t)(SPACE_STEP - 1);
}

hy_status base_space_init(hy_ctx *ctx, struct base_space *space, size_t bytes,
                          size_t least)
{
    if (!is_permitted(ctx, 0))
        return base_fail(HY_ENOMEM, "no address space was permitted");
    for (size_t n = round_up(bytes); n && n >= least; n = round_up(n / 2)) {
        /* A step more, to align the start for huge pages. */
        char *p = mmap(NULL, n + SPACE_STEP, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) {
            const size_t lead = (size_t)(-(uintptr_t)p) & (SPACE_STEP - 1);
            if (lead)
                (void)munmap(p, lead);
            (void)munmap(p + lead + n, SPACE_STEP - lead);
            (void)madvise(p + lead, n, MADV_HUGEPAGE);
            *space = (struct base_space){ .base = p + lead, .reserved = n };
            return HY_OK;
        }
        if (n == SPACE_STEP)
            break;
    }
    return base_fail(HY_ENOMEM, "no address space for %zu bytes", least);
}

hy_status base_space_grow(hy_ctx *ctx, struct base_space *space, size_t bytes)
{
    if (bytes <= space->usable)
        return HY_OK;
    if (bytes > space->reserved)
        return base_fail(HY_EFULL, "%zu bytes of address space are used up",
                         space->reserved);
    /* In growing steps, so that a growing graph makes few system calls. */
    size_t end = round_up(bytes + space->usable / 8);
    end = end < space->reserved ? end : space->reserved;
    const size_t more = end - space->usable;
    if (!is_permitted(ctx, more) ||
        mprotect(space->base + space->usable, more, PROT_READ | PROT_WRITE))
        return base_fail(HY_ENOMEM, "no memory for %zu more bytes", more);
    space->usable = end;
    count(ctx, more, 0);
    return HY_OK;
}

/* The way without a mapping: all of it into memory. */
static hy_status read_into(hy_ctx *ctx, struct base_space *space, int fd,
                           uint64_t offset, size_t bytes)
{
    HY_TRY(base_space_grow(ctx, space, bytes));
    for (size_t done = 0; done < bytes;) {
        const ssize_t n =
            pread(fd, space->base + done, bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return base_fail(HY_EIO, "reading a file: %s",
                             n < 0 ? strerror(errno) : "it ends early");
        done += (size_t)n;
    }
    return HY_OK;
}

hy_status base_space_map(hy_ctx *ctx, struct base_space *space, int fd,
                         uint64_t offset, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t end = (bytes + page - 1) / page * page;
    if (!bytes)
        return HY_OK;
    if (bytes > space->reserved || end > space->reserved)
        return base_fail(HY_EFULL, "%zu bytes of address space are used up",
                         space->reserved);
    if (offset % page)
        return read_into(ctx, space, fd, offset, bytes);
    if (!is_permitted(ctx, 0))
        return base_fail(HY_ENOMEM, "no mapping was permitted");
    if (mmap(space->base, end, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd,
             (off_t)offset) == MAP_FAILED) {
        const bool is_full = errno == ENOMEM;
        return base_fail(is_full ? HY_ENOMEM : HY_EIO, "mapping a file: %s",
                         strerror(errno));
    }
    space->usable = space->mapped = end;
    return HY_OK;
}

void base_space_fini(hy_ctx *ctx, struct base_space *space)
{
    if (space->base)
        (void)munmap(space->base, space->reserved);
    count(ctx, 0, space->usable - space->mapped);
    *space = (struct base_space){ 0 };
}

hy_status base_map_init(hy_ctx *ctx, struct base_map *map, int fd, size_t n)
{
    if (!is_permitted(ctx, 0))
        return base_fail(HY_ENOMEM, "no address space was permitted");
    void *const p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return base_fail(errno == ENOMEM ? HY_ENOMEM : HY_EIO,
                         "%zu bytes of a file cannot be mapped: %s", n,
                         strerror(errno));
    (void)madvise(p, n, MADV_SEQUENTIAL);
    *map = (struct base_map){ .at = p, .n = n };
    return HY_OK;
}

void base_map_drop(const struct base_map *map, size_t from, size_t to)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    from = (from + page - 1) / page * page;
    to = to >= map->n ? map->n : to / page * page;
    if (from < to)
        (void)madvise((char *)map->at + from, to - from, MADV_DONTNEED);
}

void base_map_fini(struct base_map *map)
{
    if (map->at)
        (void)munmap((char *)map->at, map->n);
    *map = (struct base_map){ 0 };
}
