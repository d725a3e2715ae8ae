/* Texts and their numbers.
 *
 * The texts lie one after the other, each with a 0 behind it; `at` says
 * where; `slot` is a table of numbers, open addressing, at most half full.
 * The hash is seeded with the object's address, so that no file can be made
 * to fill one place of it; nothing that can be seen depends on it.
 */
#include "base/bits.h"
#include "base/mem.h"
#include "base/random.h"

#include <hypha/io.h>

#include <string.h>

/* A text's number + 1, and the rest of its hash: few texts are compared in
 * vain. */
struct slot {
    uint32_t tag;
    uint32_t id; /* 0: free */
};

struct hy_names {
    hy_ctx *ctx;
    uint64_t seed;
    uint64_t n, room; /* texts */
    size_t bytes, bytes_room;
    size_t slots; /* a power of two; 0 at first */
    char *text;   /* owned */
    size_t *at;   /* owned; n + 1 places */
    struct slot *slot;
};

static uint64_t hash(const hy_names *N, const char *text, size_t n)
{
    uint64_t h = N->seed ^ n, word = 0;
    for (; n >= sizeof word; text += sizeof word, n -= sizeof word) {
        memcpy(&word, text, sizeof word);
        h = base_mix(h ^ word) + word;
    }
    word = 0;
    if (n)
        memcpy(&word, text, n);
    return base_mix(h ^ word);
}

hy_status hy_names_new(hy_ctx *ctx, hy_names **out)
{
    if (!ctx || !out)
        return base_fail(HY_EINVAL, "no context or no place for the names");
    hy_names *const N = base_alloc(ctx, 1, sizeof *N);
    if (!N)
        return HY_ENOMEM;
    N->ctx = ctx;
    N->seed = base_mix((uint64_t)(uintptr_t)N);
    *out = N;
    return HY_OK;
}

void hy_names_free(hy_names *N)
{
    if (!N)
        return;
    base_free(N->ctx, N->text);
    base_free(N->ctx, N->at);
    base_free(N->ctx, N->slot);
    base_free(N->ctx, N);
}

uint64_t hy_names_count(const hy_names *N)
{
    return N->n;
}

const char *hy_names_text(const hy_names *N, uint64_t id, size_t *n)
{
    if (n)
        *n = N->at[id + 1] - N->at[id] - 1;
    return N->text + N->at[id];
}

/* The slot of a text, or the free one where it belongs. */
static struct slot *find(const hy_names *N, uint64_t h, const char *text,
                         size_t n)
{
    for (size_t i = h & (N->slots - 1);; i = (i + 1) & (N->slots - 1)) {
        struct slot *const s = &N->slot[i];
        if (!s->id)
            return s;
        if (s->tag != (uint32_t)(h >> 32))
            continue;
        size_t length;
        const char *const other = hy_names_text(N, s->id - 1, &length);
        if (length == n && memcmp(other, text, n) == 0)
            return s;
    }
}

uint64_t hy_names_find(const hy_names *N, const char *text, size_t n)
{
    if (!N->slots)
        return HY_ANY;
    const struct slot *const s = find(N, hash(N, text, n), text, n);
    return s->id ? s->id - 1 : HY_ANY;
}

static hy_status grow_slots(hy_names *N)
{
    enum { FIRST = 64 };
    const size_t slots = N->slots ? 2 * N->slots : FIRST;
    struct slot *const slot = base_alloc(N->ctx, slots, sizeof *slot);
    if (!slot)
        return HY_ENOMEM;
    base_free(N->ctx, N->slot);
    N->slot = slot;
    N->slots = slots;
    for (uint64_t id = 0; id < N->n; id++) {
        size_t n;
        const char *const text = hy_names_text(N, id, &n);
        const uint64_t h = hash(N, text, n);
        *find(N, h, text, n) =
            (struct slot){ .tag = (uint32_t)(h >> 32), .id = (uint32_t)id + 1 };
    }
    return HY_OK;
}

/* Room for one more text, of n bytes. */
static hy_status reserve(hy_names *N, size_t n)
{
    if (N->n + 1 >= HY_NONE)
        return base_fail(HY_ENOMEM, "more than %u texts", HY_NONE);
    if (N->n + 1 >= N->room) {
        const size_t room = N->room + N->room / 2 + 64;
        size_t *const at = base_resize(N->ctx, N->at, room, sizeof *at);
        if (!at)
            return HY_ENOMEM;
        if (!N->at)
            at[0] = 0;
        N->at = at;
        N->room = room;
    }
    if (n + 1 > N->bytes_room - N->bytes) {
        const size_t room = N->bytes_room + N->bytes_room / 2 + n + 256;
        char *const text = base_resize(N->ctx, N->text, room, 1);
        if (!text)
            return HY_ENOMEM;
        N->text = text;
        N->bytes_room = room;
    }
    return 2 * (N->n + 1) > N->slots ? grow_slots(N) : HY_OK;
}

hy_status hy_names_add(hy_names *N, const char *text, size_t n, uint64_t *out)
{
    const uint64_t known = hy_names_find(N, text, n);
    if (known != HY_ANY) {
        *out = known;
        return HY_OK;
    }
    HY_TRY(reserve(N, n));
    const uint64_t h = hash(N, text, n);
    *find(N, h, text, n) =
        (struct slot){ .tag = (uint32_t)(h >> 32), .id = (uint32_t)N->n + 1 };
    if (n)
        memcpy(N->text + N->bytes, text, n);
    N->text[N->bytes + n] = 0;
    N->bytes += n + 1;
    *out = N->n++;
    N->at[N->n] = N->bytes;
    return HY_OK;
}
