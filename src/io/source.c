/* Where bytes come from.
 *
 * A plain file is mapped, and a window is a part of the mapping; pages are let
 * go once a window is past them.  All else flows through a buffer, which a
 * window fills; what follows its last newline moves to the front for the next
 * one.  The buffer grows for a line that is longer, and for nothing else.
 *
 *   buffer  | given out | window: from .. from + window | rest .. to |
 */
#include "io/source.h"
#include "io/unpack.h"

#include "base/bits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW = 32 << 20,
    LEAST_WINDOW = 1 << 16,
    PEEK = 1 << 16,
    PIECE = 1 << 20 /* of packed input, at a time */
};

struct io_source {
    hy_ctx *ctx;
    int fd; /* -1: none */
    enum io_packing packing;
    uint64_t bytes;
    uint64_t memory;
    size_t size; /* of windows, if lines allow */

    struct base_map map; /* the file, if it is a regular one */
    const char *plain;   /* all bytes, if they are in memory and not packed */
    size_t dropped;      /* of the map */

    struct io_unpack *unpack;
    char *piece;             /* owned: input that is not mapped */
    const char *in, *in_end; /* input not used yet */
    uint64_t taken;          /* bytes of the file that went through `in` */
    bool is_end;             /* of the input */
    bool flows;              /* windows do not wait to be full */

    char *buffer; /* owned */
    size_t room, from, to;

    size_t place;    /* of the next byte in `plain` */
    size_t window;   /* bytes of the last window */
    uint64_t line;   /* of its first byte */
    uint64_t lines;  /* in it; HY_ANY: to be counted */
    uint64_t before; /* unpacked bytes up to its end */
    bool is_dry;     /* buffer: nothing will come into it any more */
    bool is_last;    /* buffer: nothing follows the last window */
    bool is_begun;   /* a mark at its beginning was looked for */
};

/* ---- opening ------------------------------------------------------------- */

static hy_status fail_io(const char *what)
{
    return base_fail(HY_EIO, "%s: %s", what, strerror(errno));
}

static size_t window_size(uint64_t memory)
{
    if (memory == 0 || memory / 8 >= WINDOW)
        return WINDOW;
    return memory / 8 < LEAST_WINDOW ? LEAST_WINDOW : (size_t)(memory / 8);
}

/* The next input of a pipe, after what is left of the last. */
static hy_status refill(struct io_source *S)
{
    if (S->is_end || S->fd < 0 || S->map.at) {
        S->is_end = true;
        return HY_OK;
    }
    const size_t left = (size_t)(S->in_end - S->in);
    if (left)
        memmove(S->piece, S->in, left);
    ssize_t got;
    do
        got = read(S->fd, S->piece + left, PIECE - left);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_io("reading");
    S->is_end = got == 0;
    S->in = S->piece;
    S->in_end = S->piece + left + got;
    S->taken += (uint64_t)got;
    return HY_OK;
}

static hy_status open_map(struct io_source *S, uint64_t bytes)
{
    S->bytes = bytes;
    if (bytes > SIZE_MAX)
        return base_fail(HY_EFULL, "the file is larger than memory can be");
    if (bytes)
        HY_TRY(base_map_init(S->ctx, &S->map, S->fd, (size_t)bytes));
    S->in = bytes ? S->map.at : "";
    S->in_end = S->in + S->map.n;
    S->taken = bytes;
    return HY_OK;
}

static hy_status open_file(struct io_source *S, const char *path)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    S->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (S->fd < 0 || fstat(S->fd, &about) != 0)
        return fail_io(path);
    if (S_ISDIR(about.st_mode))
        return base_fail(HY_EIO, "%s: it is a directory", path);
    /* Some files of the system say 0 and have bytes all the same. */
    const bool is_at_start = !is_stdin || lseek(S->fd, 0, SEEK_CUR) == 0;
    if (S_ISREG(about.st_mode) && about.st_size > 0 && is_at_start)
        return open_map(S, (uint64_t)about.st_size);
    S->piece = base_alloc_raw(S->ctx, PIECE, 1);
    if (!S->piece)
        return HY_ENOMEM;
    S->in = S->in_end = S->piece;
    /* Enough to tell what it is. */
    while (!S->is_end && S->in_end - S->in < 4)
        HY_TRY(refill(S));
    return HY_OK;
}

/* The first input is there: what is it? */
static hy_status look(struct io_source *S)
{
    S->packing = io_packing_of(S->in, (size_t)(S->in_end - S->in));
    if (S->packing != IO_PLAIN)
        return io_unpack_new(S->ctx, S->packing, S->memory, &S->unpack);
    if (!S->piece)
        S->plain = S->in;
    return HY_OK;
}

static struct io_source *source_new(hy_ctx *ctx, uint64_t memory)
{
    struct io_source *const S = base_alloc(ctx, 1, sizeof *S);
    if (S)
        *S = (struct io_source){ .ctx = ctx,
                                 .fd = -1,
                                 .memory = memory,
                                 .size = window_size(memory),
                                 .line = 1 };
    return S;
}

hy_status io_source_open(hy_ctx *ctx, const char *path, uint64_t memory,
                         struct io_source **out)
{
    struct io_source *const S = source_new(ctx, memory);
    if (!S)
        return HY_ENOMEM;
    hy_status status = open_file(S, path);
    if (status == HY_OK)
        status = look(S);
    if (status != HY_OK)
        io_source_close(S);
    else
        *out = S;
    return status;
}

hy_status io_source_open_bytes(hy_ctx *ctx, const char *at, size_t n,
                               size_t window, struct io_source **out)
{
    struct io_source *const S = source_new(ctx, 0);
    if (!S)
        return HY_ENOMEM;
    S->size = window ? window : S->size;
    S->bytes = S->taken = n;
    S->in = n ? at : "";
    S->in_end = S->in + n;
    const hy_status status = look(S);
    if (status != HY_OK)
        io_source_close(S);
    else
        *out = S;
    return status;
}

void io_source_close(struct io_source *S)
{
    if (!S)
        return;
    if (S->fd >= 0)
        (void)close(S->fd);
    base_map_fini(&S->map);
    io_unpack_free(S->unpack);
    base_free(S->ctx, S->piece);
    base_free(S->ctx, S->buffer);
    base_free(S->ctx, S);
}

/* ---- what is known of it ------------------------------------------------- */

const char *io_source_packed(const struct io_source *S)
{
    return io_packing_name(S->packing);
}

uint64_t io_source_bytes(const struct io_source *S)
{
    return S->bytes;
}

const char *io_source_plain(const struct io_source *S)
{
    return S->plain;
}

int io_source_take_file(struct io_source *S)
{
    if (!S->plain || !S->map.at)
        return -1;
    S->place = S->map.n;
    return S->fd;
}

uint64_t io_source_used(const struct io_source *S)
{
    if (S->plain)
        return S->place;
    return S->taken - (uint64_t)(S->in_end - S->in);
}

uint64_t io_source_unpacked(const struct io_source *S)
{
    return S->plain ? S->place : S->before;
}

/* ---- the buffer ---------------------------------------------------------- */

static hy_status take_plain(struct io_source *S, char *to, size_t n,
                            size_t *got)
{
    if (S->in == S->in_end)
        HY_TRY(refill(S));
    const size_t left = (size_t)(S->in_end - S->in);
    *got = n < left ? n : left;
    memcpy(to, S->in, *got);
    S->in += *got;
    return HY_OK;
}

/* Some bytes, unpacked; none at the end. */
static hy_status take(struct io_source *S, char *to, size_t n, size_t *got)
{
    if (!S->unpack)
        return take_plain(S, to, n, got);
    struct io_piece P = { .to = to, .to_end = to + n };
    for (;;) {
        P.in = S->in;
        P.in_end = S->in_end;
        HY_TRY(io_unpack_run(S->unpack, &P));
        S->in = P.in;
        if (S->map.at) {
            const size_t used = (size_t)(S->in - S->map.at);
            if (used - S->dropped > WINDOW) {
                base_map_drop(&S->map, S->dropped, used);
                S->dropped = used;
            }
        }
        *got = (size_t)(P.to - to);
        if (*got || n == 0)
            return HY_OK;
        HY_TRY(refill(S));
        if (S->is_end && S->in == S->in_end)
            return io_unpack_end(S->unpack);
    }
}

/* Room for n bytes from `from` on. */
static hy_status make_room(struct io_source *S, size_t n)
{
    if (S->from) {
        memmove(S->buffer, S->buffer + S->from, S->to - S->from);
        S->to -= S->from;
        S->from = 0;
    }
    if (n <= S->room)
        return HY_OK;
    if (S->memory && n > S->memory && n > S->size)
        return base_fail(HY_EFULL, "a line needs %zu bytes, the limit is %llu",
                         n, (unsigned long long)S->memory);
    char *const buffer = base_resize(S->ctx, S->buffer, n, 1);
    if (!buffer)
        return HY_ENOMEM;
    S->buffer = buffer;
    S->room = n;
    return HY_OK;
}

/* Some bytes more, if there will be any, behind what is there. */
static hy_status fill_some(struct io_source *S, size_t n)
{
    size_t got;
    HY_TRY(take(S, S->buffer + S->to, n - S->to, &got));
    S->to += got;
    S->is_dry = !got;
    return HY_OK;
}

static bool has_line(const struct io_source *S, size_t from)
{
    return S->to > from && memchr(S->buffer + from, '\n', S->to - from);
}

/* At least n bytes from `from` on, fewer only at the end or, if it flows, with
 * a line. */
static hy_status fill(struct io_source *S, size_t n)
{
    if (S->to - S->from >= n || (S->flows && has_line(S, S->from)))
        return HY_OK;
    HY_TRY(make_room(S, n));
    for (size_t before; S->to < n && !S->is_dry;) {
        before = S->to;
        HY_TRY(fill_some(S, n));
        if (S->flows && has_line(S, before))
            return HY_OK;
    }
    return HY_OK;
}

/* ---- windows ------------------------------------------------------------- */

uint64_t io_count_lines(const char *at, const char *end)
{
    enum { BLOCK = 4096 }; /* short enough for a compiler to use vectors */
    uint64_t lines = 0;
    while (at < end) {
        const size_t n = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
        uint32_t here = 0;
        for (size_t i = 0; i < n; i++)
            here += at[i] == '\n';
        lines += here;
        at += n;
    }
    return lines;
}

void io_source_tell_lines(struct io_source *S, uint64_t lines)
{
    S->lines = lines;
}

/* Leaves the last window, or the first `used` bytes of it. */
static void leave(struct io_source *S, size_t used)
{
    if (S->lines != HY_ANY) {
        S->line += S->lines;
    } else if (used) { /* else there may be no buffer yet */
        const char *const at =
            S->plain ? S->plain + S->place - S->window : S->buffer + S->from;
        S->line += io_count_lines(at, at + used);
    }
    S->lines = HY_ANY;
    if (S->plain) {
        S->place -= S->window - used;
        if (S->map.at && S->place - S->dropped >= LEAST_WINDOW) {
            base_map_drop(&S->map, S->dropped, S->place);
            S->dropped = S->place;
        }
    } else {
        S->from += used;
        S->before -= S->window - used;
    }
    S->window = 0;
}

void io_source_give_back(struct io_source *S, size_t used)
{
    S->lines = HY_ANY;
    leave(S, used);
}

bool io_source_widen(struct io_source *S)
{
    if (S->plain ? S->place == S->bytes : S->is_last)
        return false;
    io_source_give_back(S, 0);
    S->size *= 2;
    return true;
}

/* Some programs put a mark of UTF-8 before a text: it is no part of it. */
static hy_status skip_mark(struct io_source *S)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t n = sizeof mark - 1;
    if (S->is_begun)
        return HY_OK;
    if (!S->plain)
        HY_TRY(fill(S, n));
    S->is_begun = true;
    if (S->plain ? S->bytes < n || memcmp(S->plain, mark, n) != 0
                 : S->to < n || memcmp(S->buffer, mark, n) != 0)
        return HY_OK;
    S->place = S->from = n;
    S->before = n;
    return HY_OK;
}

static void next_of_plain(struct io_source *S, struct io_window *out)
{
    const size_t left = (size_t)S->bytes - S->place;
    const char *const at = S->plain + S->place;
    size_t n = left;
    if (S->size < left) {
        const char *const end = memchr(at + S->size, '\n', left - S->size);
        n = end ? (size_t)(end - at) + 1 : left;
    }
    S->place += n;
    S->window = n;
    *out = (struct io_window){ .at = at, .n = n, .line = S->line };
}

static hy_status next_of_buffer(struct io_source *S, struct io_window *out)
{
    size_t n = S->size, seen = 0;
    for (;;) {
        HY_TRY(fill(S, n));
        const char *const at = S->buffer + S->from;
        const size_t has = S->to - S->from;
        const char *const end =
            has > seen ? memrchr(at + seen, '\n', has - seen) : NULL;
        if (end || S->is_dry) {
            /* At the end, what is left is a window whatever it ends in. */
            S->is_last = S->is_dry;
            S->window = S->is_last ? has : (size_t)(end - at) + 1;
            S->before += S->window;
            *out =
                (struct io_window){ .at = at, .n = S->window, .line = S->line };
            return HY_OK;
        }
        seen = has;
        if (n > SIZE_MAX / 2)
            return base_fail(HY_EFULL, "a line is longer than memory can be");
        n *= 2;
    }
}

hy_status io_source_next(struct io_source *S, struct io_window *out)
{
    HY_TRY(skip_mark(S));
    leave(S, S->window);
    if (!S->plain)
        return next_of_buffer(S, out);
    next_of_plain(S, out);
    return HY_OK;
}

hy_status io_source_peek(struct io_source *S, const char **at, size_t *n)
{
    HY_TRY(skip_mark(S));
    leave(S, S->window);
    size_t has = (size_t)S->bytes - S->place;
    if (!S->plain) {
        HY_TRY(fill(S, PEEK));
        has = S->to - S->from;
    }
    *at = S->plain ? S->plain + S->place : S->buffer + S->from;
    *n = has < PEEK ? has : PEEK;
    return HY_OK;
}

void io_source_flow(struct io_source *S)
{
    S->flows = true;
}

hy_status io_source_peek_on(struct io_source *S, bool *more)
{
    *more = S->flows && !S->plain && !S->is_dry && S->to - S->from < PEEK;
    if (!*more)
        return HY_OK;
    HY_TRY(make_room(S, PEEK));
    return fill_some(S, PEEK);
}

/* ---- bytes --------------------------------------------------------------- */

hy_status io_source_read(struct io_source *S, void *to, size_t n, size_t *got)
{
    leave(S, S->window);
    const size_t has = S->plain ? (size_t)S->bytes - S->place : S->to - S->from;
    const size_t now = n < has ? n : has;
    if (now)
        memcpy(to, S->plain ? S->plain + S->place : S->buffer + S->from, now);
    *got = now;
    if (S->plain) {
        S->place += now;
        leave(S, 0);
        return HY_OK;
    }
    S->from += now;
    S->before += now;
    while (*got < n) {
        size_t more;
        HY_TRY(take(S, (char *)to + *got, n - *got, &more));
        if (!more)
            break;
        *got += more;
        S->before += more;
    }
    return HY_OK;
}
