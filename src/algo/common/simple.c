#include "algo/common/simple.h"

#include "base/bits.h"
#include "par/par.h"

/* Both directions of every edge that is no loop; returns how many. */
static uint64_t list_sides(const hy_view *V, uint64_t *key)
{
    uint64_t n = 0;
    hy_scan scan = hy_scan_out(V, 0, hy_view_bound(V));
    while (hy_scan_next(&scan))
        for (uint32_t i = 0; i < scan.span.n; i++) {
            const uint64_t u = scan.span.u;
            const uint64_t v = scan.span.v[(size_t)i * scan.span.step];
            if (u == v)
                continue;
            key[n++] = u << 32 | v;
            if (!view_is_undirected(V))
                key[n++] = v << 32 | u;
        }
    return n;
}

static uint64_t drop_repeats(uint64_t *key, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        if (i == 0 || key[i] != key[i - 1])
            key[kept++] = key[i];
    return kept;
}

static void fill(struct simple *S, const uint64_t *key, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        S->from[(key[i] >> 32) + 1]++;
        S->to[i] = (hy_vid)key[i];
    }
    for (hy_vid u = 0; u < S->n; u++)
        S->from[u + 1] += S->from[u];
    S->m = n / 2;
}

static hy_status build(struct simple *S, const hy_view *V,
                       struct par_keys *keys)
{
    const uint64_t sides = 2 * hy_view_arcs(V);
    S->n = hy_view_bound(V);
    keys->key = base_alloc_raw(S->ctx, sides, sizeof *keys->key);
    keys->key_tmp = base_alloc_raw(S->ctx, sides, sizeof *keys->key_tmp);
    S->from = base_alloc(S->ctx, (size_t)S->n + 1, sizeof *S->from);
    if (!keys->key || !keys->key_tmp || !S->from)
        return HY_ENOMEM;
    keys->n = list_sides(V, keys->key);
    par_sort(S->ctx, keys);
    const uint64_t n = drop_repeats(keys->key, keys->n);
    S->to = base_alloc_raw(S->ctx, n, sizeof *S->to);
    if (!S->to)
        return HY_ENOMEM;
    fill(S, keys->key, n);
    return HY_OK;
}

hy_status simple_init(struct simple *S, const hy_view *V)
{
    *S = (struct simple){ .ctx = view_ctx(V) };
    const unsigned bits = bits_width(hy_view_bound(V));
    struct par_keys keys = { .high_bits = bits, .low_bits = bits };
    const hy_status status = build(S, V, &keys);
    base_free(S->ctx, keys.key_tmp);
    base_free(S->ctx, keys.key);
    if (status != HY_OK)
        simple_fini(S);
    return status;
}

void simple_fini(struct simple *S)
{
    base_free(S->ctx, S->to);
    base_free(S->ctx, S->from);
    *S = (struct simple){ .ctx = S->ctx };
}

bool simple_has(const struct simple *S, hy_vid u, hy_vid v)
{
    uint64_t lo = S->from[u], hi = S->from[u + 1];
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (S->to[mid] == v)
            return true;
        if (S->to[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}
