/* Rows of one chunk, growing. */
#include "io/rows.h"

#include <string.h>

enum { FIRST_ROOM = 256 };

void io_rows_init(struct io_rows *R, hy_ctx *ctx, uint32_t n_values)
{
    *R = (struct io_rows){ .ctx = ctx, .n_values = n_values };
}

void io_rows_fini(struct io_rows *R)
{
    base_free(R->ctx, R->narrow);
    base_free(R->ctx, R->wide);
    for (uint32_t c = 0; c < R->n_values; c++)
        base_free(R->ctx, R->value[c]);
    base_free(R->ctx, R->lone);
    hy_names_free(R->texts);
    *R = (struct io_rows){ 0 };
}

hy_status io_rows_name(struct io_rows *R)
{
    hy_names_free(R->texts);
    R->texts = NULL;
    return hy_names_new(R->ctx, &R->texts);
}

void io_rows_clear(struct io_rows *R)
{
    /* What is wide stays wide: its next rows will be. */
    R->n = 0;
    R->n_lone = 0;
    R->failed = false;
    memset(R->real, 0, sizeof R->real);
}

/* *array with room for n words; false if memory ran out. */
static bool resize(struct io_rows *R, uint64_t **array, size_t n)
{
    uint64_t *const to = base_resize(R->ctx, *array, n, sizeof *to);
    if (!to)
        return false;
    *array = to;
    return true;
}

static bool resize_ids(struct io_rows *R, size_t room)
{
    if (R->wide) {
        hy_pair *const to = base_resize(R->ctx, R->wide, room, sizeof *to);
        R->wide = to ? to : R->wide;
        return to != NULL;
    }
    hy_edge *const to = base_resize(R->ctx, R->narrow, room, sizeof *to);
    R->narrow = to ? to : R->narrow;
    return to != NULL;
}

static void set_room(struct io_rows *R, size_t room)
{
    bool ok = !R->failed && resize_ids(R, room);
    for (uint32_t c = 0; ok && c < R->n_values; c++)
        ok = resize(R, &R->value[c], room);
    R->failed = !ok;
    R->room = ok ? room : R->room;
}

void io_rows_grow(struct io_rows *R)
{
    set_room(R, R->room ? 2 * R->room : FIRST_ROOM);
}

void io_rows_reserve(struct io_rows *R, size_t n)
{
    if (n > R->room)
        set_room(R, n);
}

void io_rows_widen(struct io_rows *R)
{
    if (R->failed)
        return;
    hy_pair *const wide = base_alloc_raw(R->ctx, R->room, sizeof *wide);
    if (!wide) {
        R->failed = true;
        return;
    }
    for (size_t i = 0; i < R->n; i++)
        wide[i] = (hy_pair){ R->narrow[i].u, R->narrow[i].v };
    base_free(R->ctx, R->narrow);
    R->narrow = NULL;
    R->wide = wide;
}

void io_values_to_real(uint64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double x = (double)(int64_t)value[i];
        memcpy(&value[i], &x, sizeof x);
    }
}

void io_rows_value(struct io_rows *R, uint32_t column, struct io_value x)
{
    if (HY_UNLIKELY(R->failed))
        return;
    uint64_t *const value = R->value[column];
    if (HY_UNLIKELY(x.real && !R->real[column])) {
        io_values_to_real(value, R->n - 1);
        R->real[column] = true;
    }
    if (R->real[column] && !x.real)
        x.f = (double)x.i;
    memcpy(&value[R->n - 1], &x.i, sizeof x.i);
}

void io_rows_lone(struct io_rows *R, uint64_t u)
{
    if (R->n_lone == R->lone_room) {
        const size_t room = R->lone_room ? 2 * R->lone_room : FIRST_ROOM;
        if (R->failed || !resize(R, &R->lone, room)) {
            R->failed = true;
            return;
        }
        R->lone_room = room;
    }
    R->lone[R->n_lone++] = u;
}

uint64_t io_rows_text(struct io_rows *R, const char *at, size_t n)
{
    uint64_t id = 0;
    if (!R->failed && hy_names_add(R->texts, at, n, &id) != HY_OK)
        R->failed = true;
    return id;
}
