/* The largest values of a live answer. */
#include "cli/live.h"

/* Whether a comes after b: a smaller value, or the same and a later id. */
static bool is_after(const struct live_keeper *K, const struct live_top *a,
                     const struct live_top *b)
{
    return a->value != b->value ? a->value < b->value
                                : live_id_before(K, b->id, a->id);
}

/* A heap of at most k; the last one is on top. */
struct heap {
    const struct live_keeper *K;
    struct live_top *at;
    size_t n, most;
};

static void sink(struct heap *H, size_t i)
{
    for (;;) {
        size_t last = i;
        for (size_t j = 2 * i + 1; j <= 2 * i + 2 && j < H->n; j++)
            if (is_after(H->K, &H->at[j], &H->at[last]))
                last = j;
        if (last == i)
            return;
        const struct live_top t = H->at[i];
        H->at[i] = H->at[last];
        H->at[last] = t;
        i = last;
    }
}

static void offer(struct heap *H, struct live_top t)
{
    if (H->n == H->most) {
        if (!is_after(H->K, &H->at[0], &t))
            return;
        H->at[0] = t;
        sink(H, 0);
        return;
    }
    size_t i = H->n++;
    for (; i && is_after(H->K, &t, &H->at[(i - 1) / 2]); i = (i - 1) / 2)
        H->at[i] = H->at[(i - 1) / 2];
    H->at[i] = t;
}

/* Of a group its smallest vertex, with the number of all. */
static void offer_groups(struct heap *H, const struct live_answer *a)
{
    const struct live_keeper *const K = H->K;
    uint32_t *const size = cli_alloc_zeroed(K->bound, sizeof *size);
    for (hy_vid v = 0; v < K->bound; v++)
        if (a->named[v] != HY_NONE)
            size[a->named[v]]++;
    for (hy_vid v = 0; v < K->bound; v++)
        if (size[v])
            offer(H, (struct live_top){ K->ids[v], size[v] });
    cli_free(size);
}

/* Values are never negative: the bits of doubles are in their order. */
size_t live_top_of(const struct live_keeper *K, const struct live_answer *a,
                   size_t k, struct live_top *out)
{
    struct heap H = { .K = K, .at = out, .most = k };
    const uint64_t nothing = a->kind->nothing;
    if (a->named)
        offer_groups(&H, a);
    else
        for (hy_vid v = 0; v < K->bound; v++) {
            const uint64_t x = live_value(K, a, v);
            if (K->ids[v] != HY_ANY && (x != nothing || !nothing))
                offer(&H, (struct live_top){ K->ids[v], x });
        }
    const size_t n = H.n;
    while (H.n > 1) {
        const struct live_top t = H.at[0];
        H.at[0] = H.at[--H.n];
        H.at[H.n] = t;
        sink(&H, 0);
    }
    return n;
}
