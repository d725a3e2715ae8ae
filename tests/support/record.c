#include "record.h"

#include "random.h"

#include <assert.h>
#include <string.h>

static size_t round_up(size_t n, size_t unit)
{
    return unit ? (n + unit - 1) / unit * unit : n;
}

void layout_init(struct layout *L, const hy_column *columns, uint32_t n)
{
    size_t align = 1;
    *L = (struct layout){ .n = n };
    assert(n <= RECORD_COLUMNS);
    for (uint32_t i = 0; i < n; i++) {
        const size_t width = hy_type_width(columns[i].type);
        L->column[i] = columns[i];
        L->offset[i] = round_up(L->size, width);
        L->size = L->offset[i] + width;
        align = width > align ? width : align;
    }
    L->size = round_up(L->size, align);
    assert(L->size <= RECORD_MAX);
}

struct record layout_read(const struct layout *L, const void *values)
{
    struct record r = { { 0 } };
    if (!values)
        return r;
    for (uint32_t i = 0; i < L->n; i++)
        memcpy(r.at + L->offset[i],
               (const unsigned char *)values + L->offset[i],
               hy_type_width(L->column[i].type));
    return r;
}

static void random_value(hy_type type, uint64_t *rng, unsigned char *at)
{
    const uint64_t k = rng_below(rng, 4);
    const float f32 = (float)k * 0.5f;
    const double f64 = (double)k * -1.25;
    /* Large, so that no byte of a value may get lost. */
    const uint64_t whole = k * 0x0123456789abcdefu;
    if (type == HY_F32)
        memcpy(at, &f32, sizeof f32);
    else if (type == HY_F64)
        memcpy(at, &f64, sizeof f64);
    else
        memcpy(at, &whole, hy_type_width(type));
}

struct record layout_random(const struct layout *L, uint64_t *rng)
{
    struct record r;
    memset(r.at, (int)(rng_next(rng) & 0xff), sizeof r.at);
    for (uint32_t i = 0; i < L->n; i++)
        random_value(L->column[i].type, rng, r.at + L->offset[i]);
    return r;
}

bool record_equal(const struct record *a, const struct record *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
