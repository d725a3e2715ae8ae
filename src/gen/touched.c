#include "gen/gen.h"

#include <string.h>

hy_status gen_touched_init(struct gen_touched *T, hy_ctx *ctx, uint64_t most)
{
    uint64_t room = 16;
    *T = (struct gen_touched){ .key = NULL };
    while (room / 2 < most && room <= SIZE_MAX / 4)
        room *= 2;
    if (room / 2 < most)
        return base_fail(HY_ENOMEM, "no memory for %llu edges",
                         (unsigned long long)most);
    T->key = base_alloc_raw(ctx, room, sizeof *T->key);
    T->there = T->key ? base_alloc(ctx, room, sizeof *T->there) : NULL;
    if (!T->there) {
        gen_touched_fini(T, ctx);
        return HY_ENOMEM;
    }
    memset(T->key, 0xff, room * sizeof *T->key);
    T->mask = room - 1;
    return HY_OK;
}

void gen_touched_fini(struct gen_touched *T, hy_ctx *ctx)
{
    base_free(ctx, T->there);
    base_free(ctx, T->key);
    *T = (struct gen_touched){ .key = NULL };
}

/* Where the key is, or would be: at most half of the places are taken. */
static uint64_t find(const struct gen_touched *T, uint64_t key)
{
    uint64_t i = base_mix(key) & T->mask;
    while (T->key[i] != key && T->key[i] != UINT64_MAX)
        i = (i + 1) & T->mask;
    return i;
}

enum gen_touch gen_touched_get(const struct gen_touched *T, uint64_t key)
{
    const uint64_t i = find(T, key);
    if (T->key[i] != key)
        return GEN_UNTOUCHED;
    return T->there[i] ? GEN_CAME : GEN_WENT;
}

void gen_touched_set(struct gen_touched *T, uint64_t key, bool there)
{
    const uint64_t i = find(T, key);
    T->key[i] = key;
    T->there[i] = there;
}
