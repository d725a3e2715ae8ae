/* Frontiers on a device: launches of kernels/frontier.cl. */
#include "device/frontier.h"

#include "base/bits.h"

enum {
    ITEMS_CHUNKS = 16, /* of a scan */
    ITEMS_SINGLES = 1024,
    ALONE = 2048, /* vertices that one item weighs faster than many */
    CHUNK = 2048,
};

hy_status frontier_work_init(struct frontier_work *W, hy_device *D,
                             const struct mirror *M,
                             const struct device_buf *shape, size_t n)
{
    *W = (struct frontier_work){ .D = D, .M = M, .shape = shape };
    const size_t words =
        (FRONTIER_SETS * FRONTIER_WORDS + FRONTIER_OWN) * sizeof(uint32_t);
    HY_TRY(device_alloc(D, &W->count, words));
    HY_TRY(device_alloc(D, &W->part, ITEMS_SINGLES * sizeof(uint64_t)));
    HY_TRY(device_alloc(D, &W->offset, (n + 1) * sizeof(uint64_t)));
    return device_fill(D, &W->count, 0, words, 0);
}

void frontier_work_fini(struct frontier_work *W)
{
    if (!W->D)
        return;
    device_free(W->D, &W->offset);
    device_free(W->D, &W->part);
    device_free(W->D, &W->count);
}

hy_status frontier_begin(struct frontier_work *W, const struct device_buf *list,
                         uint32_t set, const hy_vid *from, uint32_t n)
{
    const uint32_t grain = device_grain(W->D, CHUNK, 1);
    const struct device_arg args[] = { DEVICE_BUF(list), DEVICE_U32(grain),
                                       DEVICE_U32(n) };
    HY_TRY(device_write(W->D, &W->count,
                        set * FRONTIER_WORDS * sizeof(uint32_t), sizeof n, &n));
    if (from)
        return device_write(W->D, list, 0, n * sizeof *from, from);
    return device_launch(W->D, "frontier_all", bits_div_up(n, grain), args, 3);
}

hy_status frontier_weigh(struct frontier_work *W, const struct device_buf *list,
                         uint32_t set, uint64_t most)
{
    hy_device *const D = W->D;
    const uint32_t many = device_grain(D, ITEMS_CHUNKS, ITEMS_SINGLES);
    const uint32_t items = most <= ALONE ? 1 : many;
    const struct device_arg sum[] = {
        MIRROR_ARGS(W->M, W->shape), DEVICE_U32(0),   DEVICE_BUF(list),
        DEVICE_BUF(&W->count),       DEVICE_U32(set), DEVICE_BUF(&W->part),
        DEVICE_U32(items),
    };
    const struct device_arg scan[] = {
        MIRROR_ARGS(W->M, W->shape), DEVICE_U32(0),     DEVICE_BUF(list),
        DEVICE_BUF(&W->count),       DEVICE_U32(set),   DEVICE_BUF(&W->part),
        DEVICE_BUF(&W->offset),      DEVICE_U32(items),
    };
    if (items > 1)
        HY_TRY(device_launch(D, "frontier_sum", items, sum, 10));
    return device_launch(D, "frontier_scan", items, scan, 11);
}

hy_status frontier_size(struct frontier_work *W, uint32_t set,
                        struct frontier_size *out)
{
    uint32_t words[FRONTIER_WORDS];
    HY_TRY(
        device_read(W->D, &W->count, set * sizeof words, sizeof words, words));
    out->n = words[0];
    out->edges = words[1] | (uint64_t)words[2] << 32;
    return HY_OK;
}

hy_status frontier_to_bits(struct frontier_work *W,
                           const struct device_buf *list, uint32_t n,
                           const struct device_buf *bits, size_t words)
{
    const uint32_t grain = device_grain(W->D, CHUNK, 1);
    const struct device_arg args[] = { DEVICE_BUF(list), DEVICE_U32(n),
                                       DEVICE_BUF(bits), DEVICE_U32(grain) };
    HY_TRY(device_fill(W->D, bits, 0, words * sizeof(uint32_t), 0));
    return device_launch(W->D, "frontier_to_bits", bits_div_up(n, grain), args,
                         4);
}

hy_status frontier_to_list(struct frontier_work *W,
                           const struct device_buf *bits, size_t words,
                           const struct device_buf *list, uint32_t set)
{
    const uint32_t grain = device_grain(W->D, CHUNK / 8, 1);
    const struct device_arg args[] = {
        DEVICE_BUF(bits),      DEVICE_U32(words), DEVICE_BUF(list),
        DEVICE_BUF(&W->count), DEVICE_U32(set),   DEVICE_U32(grain),
    };
    return device_launch(W->D, "frontier_to_list", bits_div_up(words, grain),
                         args, 6);
}
