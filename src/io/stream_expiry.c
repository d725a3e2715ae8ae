/* Edges that expire: a map of newest times, a heap of all times. */
#include "io/stream.h"

#include "base/random.h"

#include <string.h>

enum { FIRST_ROOM = 1024 };

void io_expiry_init(struct io_expiry *E, hy_ctx *ctx)
{
    *E = (struct io_expiry){ .ctx = ctx };
}

void io_expiry_fini(struct io_expiry *E)
{
    base_free(E->ctx, E->map);
    base_free(E->ctx, E->heap);
}

/* ---- the map ------------------------------------------------------------- */

static size_t home(const struct io_expiry *E, uint64_t u, uint64_t v)
{
    return (size_t)base_mix(base_mix(u + 1) ^ v) & (E->map_room - 1);
}

/* The edge's place, or the empty one where it belongs. */
static struct io_timed *place(const struct io_expiry *E, uint64_t u, uint64_t v)
{
    size_t i = home(E, u, v);
    while (E->map[i].u != HY_ANY && (E->map[i].u != u || E->map[i].v != v))
        i = (i + 1) & (E->map_room - 1);
    return &E->map[i];
}

/* Room for one more at a load of one half. */
static hy_status widen_map(struct io_expiry *E)
{
    struct io_expiry wider = *E;
    if (2 * (E->n_map + 1) <= E->map_room)
        return HY_OK;
    wider.map_room = E->map_room ? 2 * E->map_room : FIRST_ROOM;
    wider.map = base_alloc_raw(E->ctx, wider.map_room, sizeof *wider.map);
    if (!wider.map)
        return HY_ENOMEM;
    for (size_t i = 0; i < wider.map_room; i++)
        wider.map[i].u = HY_ANY;
    for (size_t i = 0; i < E->map_room; i++)
        if (E->map[i].u != HY_ANY)
            *place(&wider, E->map[i].u, E->map[i].v) = E->map[i];
    base_free(E->ctx, E->map);
    *E = wider;
    return HY_OK;
}

/* Closes the gap, so that searches need no marks of what was there. */
static void forget(struct io_expiry *E, struct io_timed *gone)
{
    const size_t mask = E->map_room - 1;
    size_t hole = (size_t)(gone - E->map);
    for (size_t i = (hole + 1) & mask; E->map[i].u != HY_ANY;
         i = (i + 1) & mask) {
        const size_t from = home(E, E->map[i].u, E->map[i].v);
        if (((i - from) & mask) < ((i - hole) & mask))
            continue;
        E->map[hole] = E->map[i];
        hole = i;
    }
    E->map[hole].u = HY_ANY;
    E->n_map--;
}

/* ---- the heap ------------------------------------------------------------ */

static hy_status widen_heap(struct io_expiry *E)
{
    if (E->n_heap < E->heap_room)
        return HY_OK;
    const size_t room = E->heap_room ? 2 * E->heap_room : FIRST_ROOM;
    struct io_timed *heap = base_resize(E->ctx, E->heap, room, sizeof *heap);
    if (!heap)
        return HY_ENOMEM;
    E->heap = heap;
    E->heap_room = room;
    return HY_OK;
}

/* Edges of the same time expire in the order of their ids, so that what a
 * batch says does not depend on how it was come by. */
static bool is_before(const struct io_timed *a, const struct io_timed *b)
{
    if (a->t != b->t)
        return a->t < b->t;
    return a->u != b->u ? a->u < b->u : a->v < b->v;
}

static void push(struct io_expiry *E, struct io_timed x)
{
    size_t i = E->n_heap++;
    for (; i > 0 && is_before(&x, &E->heap[(i - 1) / 2]); i = (i - 1) / 2)
        E->heap[i] = E->heap[(i - 1) / 2];
    E->heap[i] = x;
}

static void pop(struct io_expiry *E)
{
    const struct io_timed x = E->heap[--E->n_heap];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= E->n_heap)
            break;
        if (child + 1 < E->n_heap &&
            is_before(&E->heap[child + 1], &E->heap[child]))
            child++;
        if (!is_before(&E->heap[child], &x))
            break;
        E->heap[i] = E->heap[child];
        i = child;
    }
    E->heap[i] = x;
}

/* ---- both ---------------------------------------------------------------- */

hy_status io_expiry_see(struct io_expiry *E, uint64_t u, uint64_t v, int64_t t)
{
    const struct io_timed x = { t, u, v };
    HY_TRY(widen_map(E));
    HY_TRY(widen_heap(E));
    struct io_timed *old = place(E, u, v);
    const bool is_new = old->u == HY_ANY;
    if (is_new || t > old->t) {
        E->n_map += is_new;
        *old = x;
        push(E, x);
    }
    E->newest = !E->is_begun || t > E->newest ? t : E->newest;
    E->is_begun = true;
    return HY_OK;
}

bool io_expiry_pop(struct io_expiry *E, uint64_t window, uint64_t *u,
                   uint64_t *v)
{
    while (E->n_heap) {
        const struct io_timed x = E->heap[0];
        /* Never negative, and at most 2^64 - 1. */
        if ((uint64_t)E->newest - (uint64_t)x.t <= window)
            return false;
        struct io_timed *now = place(E, x.u, x.v);
        const bool is_overtaken = now->u == HY_ANY || now->t != x.t;
        pop(E);
        if (is_overtaken)
            continue;
        forget(E, now);
        *u = x.u;
        *v = x.v;
        return true;
    }
    return false;
}
