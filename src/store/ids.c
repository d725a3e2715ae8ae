/* Alive ids, free ids, external ids. */
#include "store/ids.h"

#include "base/random.h"

#include <string.h>

void ids_fini(hy_ctx *ctx, struct ids *I)
{
    base_free(ctx, I->alive);
    base_free(ctx, I->queued);
    base_free(ctx, I->queue);
    base_free(ctx, I->map);
    *I = (struct ids){ 0 };
}

uint64_t ids_bytes(const struct ids *I)
{
    return 2 * I->words * sizeof *I->alive + I->queue_room * sizeof *I->queue +
           I->map_room * sizeof *I->map;
}

static size_t sets_room(const struct ids *I, uint64_t bound)
{
    const size_t words = bits_words(bound);
    return words <= I->words ? I->words : words + words / 8;
}

static size_t queue_room(const struct ids *I, size_t more)
{
    const size_t need = I->n_queued + more;
    return need <= I->queue_room ? I->queue_room : 2 * need;
}

static size_t map_room(const struct ids *I, size_t more)
{
    const size_t need = (I->n_mapped + more) * 8 / 5 + 1;
    size_t room = I->map_room ? I->map_room : 64;
    while (more && room < need)
        room *= 2;
    return more ? room : I->map_room;
}

uint64_t ids_growth(const struct ids *I, uint64_t bound, size_t queue,
                    size_t map)
{
    return (sets_room(I, bound) - I->words) * 2 * sizeof *I->alive +
           (queue_room(I, queue) - I->queue_room) * sizeof *I->queue +
           (map_room(I, map) - I->map_room) * sizeof *I->map;
}

static hy_status grow_sets(hy_ctx *ctx, struct ids *I, uint64_t bound)
{
    const size_t words = sets_room(I, bound);
    if (words == I->words)
        return HY_OK;
    uint64_t *alive = base_resize(ctx, I->alive, words, sizeof *alive);
    if (!alive)
        return HY_ENOMEM;
    I->alive = alive;
    uint64_t *queued = base_resize(ctx, I->queued, words, sizeof *queued);
    if (!queued)
        return HY_ENOMEM;
    I->queued = queued;
    memset(alive + I->words, 0, (words - I->words) * sizeof *alive);
    memset(queued + I->words, 0, (words - I->words) * sizeof *queued);
    I->words = words;
    return HY_OK;
}

static hy_status grow_queue(hy_ctx *ctx, struct ids *I, size_t more)
{
    const size_t room = queue_room(I, more);
    if (room == I->queue_room)
        return HY_OK;
    hy_vid *queue = base_alloc_raw(ctx, room, sizeof *queue);
    if (!queue)
        return HY_ENOMEM;
    for (size_t i = 0; i < I->n_queued; i++)
        queue[i] = I->queue[(I->head + i) % I->queue_room];
    base_free(ctx, I->queue);
    I->queue = queue;
    I->queue_room = room;
    I->head = 0;
    return HY_OK;
}

static size_t place(const struct ids *I, uint64_t external)
{
    return base_mix(external) & (I->map_room - 1);
}

static hy_status grow_map(hy_ctx *ctx, struct ids *I, size_t more)
{
    const size_t room = map_room(I, more);
    if (room == I->map_room)
        return HY_OK;
    struct ids_entry *map = base_alloc_raw(ctx, room, sizeof *map);
    if (!map)
        return HY_ENOMEM;
    for (size_t i = 0; i < room; i++)
        map[i].vertex = HY_NONE;
    struct ids bigger = { .map = map, .map_room = room };
    for (size_t i = 0; i < I->map_room; i++)
        if (I->map[i].vertex != HY_NONE)
            ids_map(&bigger, I->map[i].external, I->map[i].vertex);
    base_free(ctx, I->map);
    I->map = map;
    I->map_room = room;
    return HY_OK;
}

hy_status ids_reserve(hy_ctx *ctx, struct ids *I, uint64_t bound, size_t queue,
                      size_t map)
{
    HY_TRY(grow_sets(ctx, I, bound));
    HY_TRY(grow_queue(ctx, I, queue));
    return grow_map(ctx, I, map);
}

void ids_enqueue(struct ids *I, hy_vid u)
{
    if (bits_has(I->queued, u))
        return;
    bits_add(I->queued, u);
    I->queue[(I->head + I->n_queued++) % I->queue_room] = u;
}

hy_vid ids_dequeue(struct ids *I)
{
    while (I->n_queued) {
        const hy_vid u = I->queue[I->head];
        I->head = (I->head + 1) % I->queue_room;
        I->n_queued--;
        bits_remove(I->queued, u);
        if (!ids_is_alive(I, u))
            return u;
    }
    return HY_NONE;
}

void ids_rewind(struct ids *I, struct ids_mark mark)
{
    for (size_t i = 0; i < mark.n_queued - I->n_queued; i++)
        bits_add(I->queued, I->queue[(mark.head + i) % I->queue_room]);
    I->head = mark.head;
    I->n_queued = mark.n_queued;
}

hy_vid ids_find(const struct ids *I, uint64_t external)
{
    if (!I->map_room)
        return HY_NONE;
    size_t i = place(I, external);
    while (I->map[i].vertex != HY_NONE && I->map[i].external != external)
        i = (i + 1) & (I->map_room - 1);
    return I->map[i].vertex;
}

void ids_map(struct ids *I, uint64_t external, hy_vid u)
{
    size_t i = place(I, external);
    while (I->map[i].vertex != HY_NONE)
        i = (i + 1) & (I->map_room - 1);
    I->map[i] = (struct ids_entry){ .external = external, .vertex = u };
    I->n_mapped++;
}

/* Closes the gap instead of marking it, so that searches stay short. */
void ids_unmap(struct ids *I, uint64_t external)
{
    const size_t mask = I->map_room - 1;
    size_t gap = place(I, external);
    while (I->map[gap].external != external || I->map[gap].vertex == HY_NONE)
        gap = (gap + 1) & mask;
    for (size_t i = (gap + 1) & mask; I->map[i].vertex != HY_NONE;
         i = (i + 1) & mask) {
        const size_t home = place(I, I->map[i].external);
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* it sits between its home and here */
        I->map[gap] = I->map[i];
        gap = i;
    }
    I->map[gap].vertex = HY_NONE;
    I->n_mapped--;
}
