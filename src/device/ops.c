/* Operators on arrays: launches of kernels/ops.cl. */
#include "device/ops.h"

#include "base/bits.h"

enum {
    ITEMS_CHUNKS = 16,
    ITEMS_SINGLES = 1024,
    SORT_SINGLES = 256,
    ALONE = 2048, /* entries that one item does faster than many */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};

static uint32_t items_of(const hy_device *D, size_t n)
{
    return n <= ALONE ? 1 : device_grain(D, ITEMS_CHUNKS, ITEMS_SINGLES);
}

hy_status device_scan(hy_device *D, const struct device_buf *x, size_t n,
                      const struct device_buf *y)
{
    const uint32_t items = items_of(D, n);
    struct device_buf part;
    HY_TRY(device_alloc(D, &part, items * sizeof(uint64_t)));
    const struct device_arg sum[] = { DEVICE_BUF(x), DEVICE_BUF(&part),
                                      DEVICE_U32(n), DEVICE_U32(items) };
    const struct device_arg write[] = { DEVICE_BUF(x), DEVICE_BUF(&part),
                                        DEVICE_BUF(y), DEVICE_U32(n),
                                        DEVICE_U32(items) };
    hy_status status = HY_OK;
    if (items > 1)
        status = device_launch(D, "scan_sum", items, sum, 4);
    if (status == HY_OK)
        status = device_launch(D, "scan_write", items, write, 5);
    device_free(D, &part);
    return status;
}

/* Of each item, into `part`, and read from there. */
static hy_status reduce_parts(hy_device *D, const struct device_buf *x,
                              size_t n, enum device_reduce what,
                              const struct device_buf *part, uint32_t items,
                              uint64_t *out)
{
    uint64_t found[ITEMS_SINGLES];
    const struct device_arg args[] = { DEVICE_BUF(x), DEVICE_BUF(part),
                                       DEVICE_U32(what), DEVICE_U32(n),
                                       DEVICE_U32(items) };
    HY_TRY(device_launch(D, "reduce", items, args, 5));
    HY_TRY(device_read(D, part, 0, items * sizeof *found, found));
    uint64_t y = found[0];
    for (uint32_t i = 1; i < items; i++) {
        if (what == DEVICE_MIN)
            y = found[i] < y ? found[i] : y;
        else if (what == DEVICE_MAX)
            y = found[i] > y ? found[i] : y;
        else
            y += found[i];
    }
    *out = y;
    return HY_OK;
}

hy_status device_reduce(hy_device *D, const struct device_buf *x, size_t n,
                        enum device_reduce what, uint64_t *out)
{
    const uint32_t items = items_of(D, n);
    struct device_buf part;
    HY_TRY(device_alloc(D, &part, items * sizeof(uint64_t)));
    const hy_status status = reduce_parts(D, x, n, what, &part, items, out);
    device_free(D, &part);
    return status;
}

hy_status device_filter(hy_device *D, const struct device_buf *x, size_t n,
                        const struct device_buf *list, uint64_t *count)
{
    const uint32_t items = items_of(D, n);
    struct device_buf part;
    HY_TRY(device_alloc(D, &part, items * sizeof(uint64_t)));
    const struct device_arg args[] = { DEVICE_BUF(x), DEVICE_BUF(&part),
                                       DEVICE_BUF(list), DEVICE_U32(n),
                                       DEVICE_U32(items) };
    hy_status status = reduce_parts(D, x, n, DEVICE_COUNT, &part, items, count);
    if (status == HY_OK)
        status = device_launch(D, "filter_write", items, args, 5);
    device_free(D, &part);
    return status;
}

/* ---- sort ---------------------------------------------------------------- */

struct sorting {
    hy_device *D;
    const struct device_keys *K;
    struct device_buf count, place;
    uint32_t items, words;
};

static void swap(struct device_buf *a, struct device_buf *b)
{
    const struct device_buf other = *a;
    *a = *b;
    *b = other;
}

static hy_status deal(const struct sorting *S, uint32_t shift)
{
    const struct device_keys *const K = S->K;
    const struct device_arg count[] = {
        DEVICE_BUF(K->key), DEVICE_BUF(&S->count), DEVICE_U32(S->words),
        DEVICE_U32(shift),  DEVICE_U32(K->n),      DEVICE_U32(S->items),
    };
    const struct device_arg args[] = {
        DEVICE_BUF(K->key),       DEVICE_BUF(K->value),  DEVICE_BUF(K->key_tmp),
        DEVICE_BUF(K->value_tmp), DEVICE_BUF(&S->place), DEVICE_U32(S->words),
        DEVICE_U32(shift),        DEVICE_U32(K->n),      DEVICE_U32(S->items),
    };
    HY_TRY(device_launch(S->D, "sort_count", S->items, count, 6));
    HY_TRY(device_scan(S->D, &S->count, (size_t)DIGITS * S->items, &S->place));
    HY_TRY(device_launch(S->D, "sort_deal", S->items, args, 9));
    swap(K->key, K->key_tmp);
    swap(K->value, K->value_tmp);
    return HY_OK;
}

hy_status device_sort(hy_device *D, const struct device_keys *K)
{
    struct sorting S = { .D = D, .K = K, .words = K->is_wide ? 2 : 1 };
    S.items = K->n <= ALONE ? 1 : device_grain(D, ITEMS_CHUNKS, SORT_SINGLES);
    const size_t cells = (size_t)DIGITS * S.items;
    hy_status status = device_alloc(D, &S.count, cells * sizeof(uint32_t));
    if (status == HY_OK)
        status = device_alloc(D, &S.place, (cells + 1) * sizeof(uint64_t));
    for (uint32_t shift = 0; status == HY_OK && shift < K->bits;
         shift += DIGIT_BITS)
        status = deal(&S, shift);
    device_free(D, &S.place);
    device_free(D, &S.count);
    return status;
}
