/* Vertices by external id. */
#include "io/write.h"

#include "base/bits.h"
#include "par/par.h"

/* What the external ids look like, by ascending vertex. */
static uint64_t survey(struct io_order *order, const hy_view *V)
{
    const hy_vid bound = hy_view_bound(V);
    uint64_t max = 0, last = 0;
    hy_vid n = 0;
    order->is_rising = order->is_from_0 = order->is_from_1 = true;
    for (hy_vid u = 0; u < bound; u++) {
        if (!hy_view_has_vertex(V, u))
            continue;
        const uint64_t id = hy_view_external(V, u);
        order->is_rising &= n == 0 || id > last;
        order->is_from_0 &= id == n;
        order->is_from_1 &= id == (uint64_t)n + 1;
        max = id > max ? id : max;
        last = id;
        n++;
    }
    order->n = n;
    return max;
}

static void list(struct io_order *order, const hy_view *V)
{
    const hy_vid bound = hy_view_bound(V);
    hy_vid n = 0;
    for (hy_vid u = 0; u < bound; u++)
        if (hy_view_has_vertex(V, u))
            order->vertex[n++] = u;
}

static hy_status sort(hy_ctx *ctx, struct io_order *order, const hy_view *V,
                      uint64_t max)
{
    const size_t n = order->n;
    const unsigned width = bits_width(max);
    struct par_keys keys = { .n = n,
                             .high_bits = width > 32 ? width - 32 : 0,
                             .low_bits = width > 32 ? 32 : width };
    keys.key = base_alloc_raw(ctx, n, sizeof *keys.key);
    keys.key_tmp = base_alloc_raw(ctx, n, sizeof *keys.key_tmp);
    keys.tag = order->vertex;
    keys.tag_tmp = base_alloc_raw(ctx, n, sizeof *keys.tag_tmp);
    const bool is_done = keys.key && keys.key_tmp && keys.tag_tmp;
    if (is_done) {
        for (size_t i = 0; i < n; i++)
            keys.key[i] = hy_view_external(V, order->vertex[i]);
        par_sort(ctx, &keys);
        order->vertex = keys.tag;
    }
    base_free(ctx, keys.tag_tmp);
    base_free(ctx, keys.key_tmp);
    base_free(ctx, keys.key);
    return is_done ? HY_OK : HY_ENOMEM;
}

/* Whether the ranks are the ids, now that they are known. */
static void look_again(struct io_order *order, const hy_view *V)
{
    order->is_from_0 = order->is_from_1 = true;
    for (hy_vid r = 0; r < order->n; r++) {
        const uint64_t id = hy_view_external(V, order->vertex[r]);
        order->is_from_0 &= id == r;
        order->is_from_1 &= id == (uint64_t)r + 1;
    }
}

hy_status io_order_init(hy_ctx *ctx, struct io_order *order, const hy_view *V)
{
    const hy_vid bound = hy_view_bound(V);
    *order = (struct io_order){ 0 };
    const uint64_t max = survey(order, V);
    if (order->is_rising && order->n == bound)
        return HY_OK;
    order->vertex = base_alloc_raw(ctx, order->n, sizeof *order->vertex);
    order->rank = base_alloc_raw(ctx, bound, sizeof *order->rank);
    if (!order->vertex || !order->rank)
        return HY_ENOMEM;
    list(order, V);
    if (!order->is_rising) {
        HY_TRY(sort(ctx, order, V, max));
        look_again(order, V);
    }
    for (hy_vid r = 0; r < order->n; r++)
        order->rank[order->vertex[r]] = r;
    return HY_OK;
}

void io_order_fini(hy_ctx *ctx, struct io_order *order)
{
    base_free(ctx, order->vertex);
    base_free(ctx, order->rank);
    *order = (struct io_order){ 0 };
}
