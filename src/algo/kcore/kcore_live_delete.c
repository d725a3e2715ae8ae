/* All deleted edges of a commit, in the order of peeling.
 *
 *   DeleteAll()
 *     1 Count     ahead and near of the ends
 *     2 for k = the largest core number that is too large, downwards
 *     3   Fall      those of core k with near < k, and from them on: core
 *                   k - 1; their neighbours of core k have one less near
 *     4   Link      they are the last of k - 1, in the order they fell in;
 *                   near and ahead anew, and of those they were behind
 *     5   those whose near is too small still fall with the next k
 *
 * A falling vertex has less than k neighbours that are of core k or more and
 * did not fall before it: so (1) of kcore_live.h holds behind the others of
 * k - 1.  The counts of Sariyuce et al., Streaming Algorithms for k-Core
 * Decomposition, PVLDB 2013, for a whole batch, level by level: nobody is
 * looked at more often than its number falls.
 */
#include "algo/kcore/kcore_live.h"

#include "base/bits.h"
#include "par/par.h"

enum { LISTED = 1, FELL = 2 };

/* ---- 1 ---------------------------------------------------------------------
 */

/* Lists v once if its number is too large. */
static void examine(struct kcore_live *K, hy_vid v, size_t *n)
{
    if (K->node[v].near >= K->core[v] || K->state[v])
        return;
    K->state[v] = LISTED;
    K->seen[(*n)++] = v;
}

static size_t count_all(struct kcore_live *K)
{
    size_t n = 0;
    for (uint64_t i = 0; i < K->n_going; i++) {
        const hy_vid u = (hy_vid)(K->going[i] >> 32), v = (hy_vid)K->going[i];
        const bool is_before = kcore_is_before(K, u, v);
        K->node[u].ahead -= is_before && kcore_is_known(K, u);
        K->node[v].ahead -= !is_before && kcore_is_known(K, v);
        K->node[u].near -= K->core[v] >= K->core[u];
        K->node[v].near -= K->core[u] >= K->core[v];
    }
    for (uint64_t i = 0; i < K->n_going; i++) {
        examine(K, (hy_vid)(K->going[i] >> 32), &n);
        examine(K, (hy_vid)K->going[i], &n);
    }
    K->work += K->n_going;
    return n;
}

/* ---- 3 ---------------------------------------------------------------------
 */

/* v falls from k: its neighbours of core k, and those that were before it. */
static void fall(struct kcore_live *K, hy_vid v, uint32_t k, size_t *n)
{
    hy_vid x;
    kcore_for(x, K, v)
    {
        if (K->core[x] != k || K->state[x] & FELL)
            continue;
        K->node[x].ahead -= kcore_is_before(K, x, v) && kcore_is_known(K, x);
        if (K->node[x].near-- == k)
            K->fall[(*n)++] = x;
    }
}

/* ---- 4 ---------------------------------------------------------------------
 */

/* Counts of v anew, which fell from k: it is among the last of k - 1, behind
 * those that fell before it. */
static void count_one(struct kcore_live *K, hy_vid v, uint32_t k)
{
    uint32_t near = 0, ahead = 0;
    hy_vid x;
    kcore_for(x, K, v)
    {
        near += K->core[x] + 1 >= k;
        ahead += kcore_is_before(K, v, x);
    }
    K->node[v].near = near;
    K->node[v].ahead = ahead;
}

/* All of core k that are in `fall`, and those they take with them; `left` are
 * to come.  Those that fall on are in `fall` then. */
static size_t level(struct kcore_live *K, uint32_t k, size_t n, size_t left)
{
    const uint64_t fell = K->done;
    for (size_t i = 0; i < n; i++) {
        const hy_vid v = K->fall[i];
        K->done = fell + i;
        K->total = fell + n + left;
        K->state[v] = LISTED | FELL;
        fall(K, v, k, &n);
        if (kcore_is_over(K))
            return 0;
    }
    for (size_t i = 0; i < n; i++) {
        const hy_vid v = K->fall[i];
        kcore_unlink(K, v);
        kcore_set(K, v, k - 1);
        kcore_link_last(K, k - 1, v);
    }
    size_t on = 0;
    for (size_t i = 0; i < n; i++)
        count_one(K, K->fall[i], k);
    for (size_t i = 0; i < n; i++) {
        const hy_vid v = K->fall[i];
        K->state[v] = 0;
        if (K->node[v].near < k - 1)
            K->fall[on++] = v;
    }
    return on;
}

static void sort_by_core(struct kcore_live *K, size_t n)
{
    for (size_t i = 0; i < n; i++)
        K->going[i] = (uint64_t)K->core[K->seen[i]] << 32 | K->seen[i];
    struct par_keys keys = { .key = K->going,
                             .key_tmp = K->sorting,
                             .n = n,
                             .high_bits = bits_width(K->top),
                             .low_bits = bits_width(K->V->bound) };
    par_sort(K->L->ctx, &keys);
    K->going = keys.key;
    K->sorting = keys.key_tmp;
}

void kcore_delete_all(struct kcore_live *K)
{
    size_t left = count_all(K), n = 0;
    sort_by_core(K, left);
    kcore_begin(K, left);
    while ((left > 0 || n > 0) && !K->is_rebuilt) {
        const uint32_t next = left ? (uint32_t)(K->going[left - 1] >> 32) : 0;
        const uint32_t k =
            n && K->core[K->fall[0]] > next ? K->core[K->fall[0]] : next;
        for (; left > 0 && K->going[left - 1] >> 32 == k; left--)
            K->fall[n++] = (hy_vid)K->going[left - 1];
        n = level(K, k, n, left);
    }
}
