/* Lists with labels: which of two vertices is first, in one comparison.
 *
 *   Link(p, v)   label(v) <- between p's and the next one's; if there is no
 *                room: Spread, and again
 *   Spread(p)    the fewest, j, behind p so that j^2 labels are there: these
 *                are shared out evenly
 *
 * Dietz and Sleator, Two Algorithms for Maintaining Order in a List, STOC
 * 1987; simplified by Bender et al., ESA 2002.  At both ends of a list there
 * is as much room as anybody needs.
 */
#include "algo/kcore/kcore_live.h"

enum { GAP_BITS = 30 };

static const uint64_t gap = (uint64_t)1 << GAP_BITS;
static const uint64_t middle = (uint64_t)1 << 63;

bool kcore_is_due(const struct kcore_live *K, hy_vid u, hy_vid v)
{
    const uint64_t key = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    uint64_t lo = K->turn, hi = K->n_coming;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (K->coming[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < K->n_coming && K->coming[lo] == key;
}

void kcore_know(struct kcore_live *K, hy_vid v)
{
    uint32_t ahead = 0;
    hy_vid x;
    if (kcore_is_known(K, v))
        return;
    kcore_for(x, K, v) ahead += kcore_is_before(K, v, x);
    K->node[v].ahead = ahead;
}

void kcore_unlink(struct kcore_live *K, hy_vid v)
{
    struct kcore_list *const list = &K->list[K->core[v]];
    const hy_vid next = K->node[v].next, prev = K->node[v].prev;
    if (next == HY_NONE)
        list->last = prev;
    else
        K->node[next].prev = prev;
    if (prev == HY_NONE)
        list->first = next;
    else
        K->node[prev].next = next;
}

/* Shares labels out anew from the first on. */
static void spread_all(struct kcore_live *K, struct kcore_list *list)
{
    uint64_t label = middle;
    for (hy_vid v = list->first; v != HY_NONE; v = K->node[v].next) {
        K->node[v].label = label;
        label += gap;
        K->work++;
    }
}

static void spread(struct kcore_live *K, struct kcore_list *list, hy_vid p)
{
    const uint64_t base = K->node[p].label;
    uint64_t j = 1;
    hy_vid end = K->node[p].next;
    while (end != HY_NONE && K->node[end].label - base <= j * j) {
        end = K->node[end].next;
        j++;
    }
    if (end == HY_NONE && base > UINT64_MAX - gap * (j + 1)) {
        spread_all(K, list);
        return;
    }
    const uint64_t room =
        end == HY_NONE ? gap * (j + 1) : K->node[end].label - base;
    uint64_t i = 1;
    for (hy_vid v = K->node[p].next; v != end; v = K->node[v].next)
        K->node[v].label = base + room / j * i++;
    K->work += j;
}

/* A label behind p, in front of next; 0: there is none. */
static uint64_t find_label(const struct kcore_live *K, hy_vid p, hy_vid next)
{
    const uint64_t lo = p == HY_NONE ? 0 : K->node[p].label;
    const uint64_t hi = next == HY_NONE ? UINT64_MAX : K->node[next].label;
    if (p == HY_NONE && next == HY_NONE)
        return middle;
    if (p == HY_NONE)
        return hi > gap ? hi - gap : 0;
    if (next == HY_NONE)
        return lo < UINT64_MAX - gap ? lo + gap : 0;
    return hi - lo > 1 ? lo + (hi - lo) / 2 : 0;
}

void kcore_link(struct kcore_live *K, uint32_t k, hy_vid p, hy_vid v)
{
    struct kcore_list *const list = &K->list[k];
    const hy_vid next = p == HY_NONE ? list->first : K->node[p].next;
    uint64_t label = find_label(K, p, next);
    while (!label) {
        if (p == HY_NONE || next == HY_NONE)
            spread_all(K, list);
        else
            spread(K, list, p);
        label = find_label(K, p, next);
    }
    K->node[v].label = label;
    K->node[v].prev = p;
    K->node[v].next = next;
    if (p == HY_NONE)
        list->first = v;
    else
        K->node[p].next = v;
    if (next == HY_NONE)
        list->last = v;
    else
        K->node[next].prev = v;
}
