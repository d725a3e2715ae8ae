/* Cutting blocks, freeing them, sweeping what is free. */
#include "store/arena.h"

#include "base/bits.h"
#include "par/par.h"

#include <string.h>

enum {
    ARENA_UNIT = 16,
    LEAST_RESERVE = 64 << 20 /* bytes: where address space is short */
};

hy_status arena_init(hy_ctx *ctx, struct arena *A, uint64_t bytes,
                     size_t cursors)
{
    *A = (struct arena){ .n_cursors = cursors };
    if (bytes > ARENA_MAX_UNITS * ARENA_UNIT)
        bytes = ARENA_MAX_UNITS * ARENA_UNIT;
    const uint64_t least = bytes < LEAST_RESERVE ? bytes : LEAST_RESERVE;
    A->cursor = base_alloc(ctx, cursors, sizeof *A->cursor);
    A->freed = base_alloc_raw(ctx, cursors, sizeof *A->freed);
    if (!A->cursor || !A->freed ||
        base_space_init(ctx, &A->space, bytes, least) != HY_OK) {
        arena_fini(ctx, A);
        return HY_ENOMEM;
    }
    A->freed_room = cursors;
    for (size_t i = 0; i < cursors; i++)
        A->cursor[i].hole = NO_HOLE;
    atomic_init(&A->top, 1);
    atomic_init(&A->next_hole, 0);
    return HY_OK;
}

void arena_fini(hy_ctx *ctx, struct arena *A)
{
    base_space_fini(ctx, &A->space);
    base_free(ctx, A->hole);
    base_free(ctx, A->freed);
    base_free(ctx, A->cursor);
    *A = (struct arena){ 0 };
}

static uint64_t top_of(struct arena *A)
{
    return atomic_load_explicit(&A->top, memory_order_relaxed);
}

/* ---- sweeping ----------------------------------------------------------- */

/* Appends p to n pieces, merged with the last where they touch. */
static size_t append_merged(piece *out, size_t n, piece p)
{
    if (n) {
        const piece last = out[n - 1];
        const uint64_t both = piece_units(last) + piece_units(p);
        if (piece_at(last) + piece_units(last) == piece_at(p) &&
            both <= PIECE_MAX) {
            out[n - 1] = piece_of(piece_at(last), both);
            return n;
        }
    }
    out[n] = p;
    return n + 1;
}

static size_t merge(const struct arena *A, const piece *freed, piece *out)
{
    size_t n = 0, h = 0, f = 0;
    while (h < A->n_holes || f < A->n_freed) {
        const bool take_hole =
            f == A->n_freed || (h < A->n_holes && A->hole[h] < freed[f]);
        const piece p = take_hole ? A->hole[h++] : freed[f++];
        if (piece_units(p))
            n = append_merged(out, n, p);
    }
    return n;
}

/* Ends a cursor's claim; what it had of a granule is returned, length 0 for
 * a hole, which keeps its own rest. */
static piece close_cursor(struct arena *A, struct arena_cursor *c)
{
    piece left = piece_of(c->at, c->end - c->at);
    if (c->hole != NO_HOLE) {
        A->hole[c->hole] = left; /* still ascending: a part of what it was */
        left = 0;
    }
    *c = (struct arena_cursor){ .hole = NO_HOLE };
    return left;
}

static void close_cursors(struct arena *A)
{
    for (size_t i = 0; i < A->n_cursors; i++) {
        const piece left = close_cursor(A, &A->cursor[i]);
        if (piece_units(left))
            arena_free(A, left);
    }
}

/* Holes at the end are no holes. */
static size_t lower_top(struct arena *A, const piece *hole, size_t n)
{
    while (n && piece_at(hole[n - 1]) + piece_units(hole[n - 1]) == top_of(A))
        atomic_store_explicit(&A->top, piece_at(hole[--n]),
                              memory_order_relaxed);
    return n;
}

void arena_sweep(hy_ctx *ctx, struct arena *A)
{
    close_cursors(A);
    piece *out = base_alloc_raw(ctx, A->n_holes + A->n_freed, sizeof *out);
    piece *scratch = base_alloc_raw(ctx, A->n_freed, sizeof *scratch);
    if (out && scratch) {
        struct par_keys keys = {
            .key = A->freed,
            .key_tmp = scratch,
            .n = A->n_freed,
            .high_bits = bits_width(piece_of(top_of(A), 0) >> 32),
            .low_bits = 32,
        };
        par_sort(ctx, &keys);
        const size_t n = merge(A, keys.key, out);
        base_free(ctx, A->hole);
        A->hole = out;
        A->n_holes = lower_top(A, out, n);
        A->n_freed = 0;
        A->freed_units = 0;
        out = NULL;
    }
    /* Without memory the holes stay as they are, and are offered again. */
    atomic_store_explicit(&A->next_hole, 0, memory_order_relaxed);
    base_free(ctx, out);
    base_free(ctx, scratch);
}

/* ---- reserving ---------------------------------------------------------- */

/* What requests of at most `most` units are sure to get out of the holes:
 * all of a hole but what is too short for the next request. */
static uint64_t sure_units(struct arena *A, uint64_t most)
{
    uint64_t sum = 0;
    for (size_t i = atomic_load(&A->next_hole); i < A->n_holes; i++)
        if (piece_units(A->hole[i]) > most)
            sum += piece_units(A->hole[i]) - most;
    return sum;
}

static hy_status grow_freed(hy_ctx *ctx, struct arena *A, size_t pieces)
{
    const size_t need = A->n_freed + pieces + A->promised + A->n_cursors;
    if (need <= A->freed_room)
        return HY_OK;
    const size_t room = need + need / 4 + 64;
    piece *freed = base_resize(ctx, A->freed, room, sizeof *freed);
    if (!freed)
        return HY_ENOMEM;
    A->freed = freed;
    A->freed_room = room;
    return HY_OK;
}

enum {
    SWEEP_SHARE = 16, /* of the arena: freed, before a sweep is worth it */
    SWEEP_LEAST = 1024,
    GRANULE = 4096,
    MOST = 128 /* units of the largest request */
};

/* The end after cutting `units` from it: a granule may end in a rest too
 * short for the next request, and every cursor may hold a fresh one. */
static uint64_t end_after(struct arena *A, uint64_t units)
{
    const uint64_t rests = A->granule ? units / A->granule * MOST * 2 : 0;
    return top_of(A) + units + rests + A->n_cursors * (A->granule + MOST);
}

hy_status arena_reserve(hy_ctx *ctx, struct arena *A, uint64_t units,
                        size_t pieces, uint64_t cap)
{
    const size_t next = atomic_load_explicit(&A->next_hole,
                                             memory_order_relaxed);
    if (next >= A->n_holes &&
        A->freed_units > top_of(A) / SWEEP_SHARE + SWEEP_LEAST)
        arena_sweep(ctx, A);
    A->granule = GRANULE;
    uint64_t end = end_after(A, units);
    if (end > cap / ARENA_UNIT) {
        /* Near the cap: count on what the holes are sure to hold. */
        arena_sweep(ctx, A);
        A->granule = 0;
        const uint64_t sure = sure_units(A, MOST);
        end = end_after(A, units > sure ? units - sure : 0);
        if (end > cap / ARENA_UNIT)
            return base_fail(HY_ENOMEM, "the memory cap is reached");
    }
    HY_TRY(base_space_grow(ctx, &A->space, end * ARENA_UNIT));
    return grow_freed(ctx, A, pieces);
}

/* ---- cutting ------------------------------------------------------------ */

static bool claim_hole(struct arena *A, struct arena_cursor *c, uint32_t units)
{
    while (atomic_load_explicit(&A->next_hole, memory_order_relaxed) <
           A->n_holes) {
        const size_t i = atomic_fetch_add_explicit(&A->next_hole, 1,
                                                   memory_order_relaxed);
        if (i >= A->n_holes)
            return false;
        if (piece_units(A->hole[i]) >= units) {
            c->hole = i;
            c->at = piece_at(A->hole[i]);
            c->end = c->at + piece_units(A->hole[i]);
            return true;
        }
    }
    return false;
}

uint64_t arena_cut_slow(struct arena *A, struct arena_cursor *c,
                        uint32_t units, piece *left)
{
    *left = close_cursor(A, c);
    if (!claim_hole(A, c, units)) {
        const uint64_t n = units > A->granule ? units : A->granule;
        c->at = atomic_fetch_add_explicit(&A->top, n, memory_order_relaxed);
        c->end = c->at + n;
    }
    c->at += units;
    return c->at - units;
}
