/* An inserted edge, in the order of peeling.
 *
 *   Insert(u, v)    u before v, of core k
 *     1 Count     ahead(u) + 1, near of both; if ahead(u) <= k, that is all
 *     2 in the order, from u on, w of core k that somebody of 3 is before
 *     3   Rise      if in(w) + ahead(w) > k: w is a candidate for k + 1; for
 *                   neighbours x behind it, of core k: in(x) + 1, and x is
 *                   looked at in its turn
 *     4   Stay      else w stays; candidates before it will be behind it, and
 *                   have one less ahead; those that have too few left stay
 *                   too, right behind w
 *     5 Promote   candidates left have core k + 1, and are its first
 *
 * in(w) counts candidates before w.  Simplified order-based core maintenance:
 * Guo, Sekerinski, arXiv 2201.07103, 2022, after Zhang, Yu, Zhang, Qin, A Fast
 * Order-Based Approach for Core Maintenance, ICDE 2017.
 */
#include "algo/kcore/kcore_live.h"

enum {
    WAITING = 1,   /* in the heap, or was */
    CANDIDATE = 2, /* may rise */
    FALLING = 4,   /* in the queue of those that stay after all */
};

/* ---- vertices to look at, first in the order first ------------------------
 */

struct heap {
    const struct kcore_node *node;
    hy_vid *at;
    size_t n;
};

static void put(struct heap *H, hy_vid v)
{
    const uint64_t label = H->node[v].label;
    size_t i = H->n++;
    for (; i > 0 && H->node[H->at[(i - 1) / 2]].label > label; i = (i - 1) / 2)
        H->at[i] = H->at[(i - 1) / 2];
    H->at[i] = v;
}

/* Labels may be spread anew meanwhile: the order stays. */
static hy_vid take(struct heap *H)
{
    const hy_vid top = H->at[0], x = H->at[--H->n];
    const uint64_t label = H->node[x].label;
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < H->n; i = k) {
        k += k + 1 < H->n &&
             H->node[H->at[k + 1]].label < H->node[H->at[k]].label;
        if (H->node[H->at[k]].label >= label)
            break;
        H->at[i] = H->at[k];
    }
    H->at[i] = x;
    return top;
}

/* ---- the steps -------------------------------------------------------------
 */

struct insertion {
    struct kcore_live *K;
    uint32_t k;
    struct heap heap;
    size_t n_rise, n_fall, n_seen;
};

static void look_at(struct insertion *I, hy_vid v)
{
    if (I->K->state[v] & WAITING)
        return;
    I->K->state[v] |= WAITING;
    I->K->seen[I->n_seen++] = v;
    put(&I->heap, v);
}

static void rise(struct insertion *I, hy_vid w)
{
    struct kcore_live *const K = I->K;
    hy_vid x;
    K->state[w] |= CANDIDATE;
    K->rise[I->n_rise++] = w;
    kcore_for(x, K, w) if (K->core[x] == I->k && kcore_is_before(K, w, x))
    {
        K->in[x]++;
        look_at(I, x);
    }
}

/* v has one less to count on. */
static void lose(struct insertion *I, hy_vid v)
{
    struct kcore_live *const K = I->K;
    if (K->in[v] + K->node[v].ahead <= I->k && !(K->state[v] & FALLING)) {
        K->state[v] |= FALLING;
        K->fall[I->n_fall++] = v;
    }
}

/* w stays: candidates before it will be behind it. */
static void lose_before(struct insertion *I, hy_vid w)
{
    struct kcore_live *const K = I->K;
    hy_vid v;
    kcore_for(v, K, w) if (K->state[v] & CANDIDATE && kcore_is_before(K, v, w))
    {
        K->node[v].ahead--;
        lose(I, v);
    }
}

/* w stays: those behind it do not have it before them as a candidate. */
static void lose_behind(struct insertion *I, hy_vid w)
{
    struct kcore_live *const K = I->K;
    hy_vid x;
    kcore_for(x, K,
              w) if (K->core[x] == I->k && K->in[x] && kcore_is_before(K, w, x))
    {
        K->in[x]--;
        if (K->state[x] & CANDIDATE)
            lose(I, x);
    }
}

static void settle(struct kcore_live *K, hy_vid w)
{
    K->node[w].ahead += K->in[w];
    K->in[w] = 0;
}

static void stay(struct insertion *I, hy_vid w)
{
    struct kcore_live *const K = I->K;
    hy_vid p = w;
    I->n_fall = 0;
    lose_before(I, w);
    settle(K, w);
    for (size_t i = 0; i < I->n_fall; i++) {
        const hy_vid v = K->fall[i];
        K->state[v] &= (uint8_t)~CANDIDATE;
        lose_before(I, v);
        lose_behind(I, v);
        kcore_unlink(K, v);
        kcore_link(K, I->k, p, v);
        p = v;
        settle(K, v);
    }
}

/* near of those that rose, and of neighbours that count them now. */
static void count_near(struct insertion *I, hy_vid v)
{
    struct kcore_live *const K = I->K;
    uint32_t n = 0;
    hy_vid x;
    kcore_for(x, K, v)
    {
        n += K->core[x] > I->k;
        K->node[x].near += K->core[x] == I->k + 1 && !(K->state[x] & CANDIDATE);
    }
    K->node[v].near = n;
}

/* The last first, so that they keep their order. */
static void promote(struct insertion *I)
{
    struct kcore_live *const K = I->K;
    for (size_t i = I->n_rise; i-- > 0;) {
        const hy_vid v = K->rise[i];
        if (!(K->state[v] & CANDIDATE))
            continue;
        kcore_unlink(K, v);
        kcore_set(K, v, I->k + 1);
        kcore_link(K, I->k + 1, HY_NONE, v);
        K->in[v] = 0;
        K->top = I->k + 1 > K->top ? I->k + 1 : K->top;
    }
    for (size_t i = 0; i < I->n_rise; i++)
        if (K->state[K->rise[i]] & CANDIDATE)
            count_near(I, K->rise[i]);
}

static void forget(struct insertion *I)
{
    for (size_t i = 0; i < I->n_seen; i++) {
        I->K->state[I->K->seen[i]] = 0;
        I->K->in[I->K->seen[i]] = 0;
    }
}

void kcore_insert(struct kcore_live *K, hy_vid u, hy_vid v)
{
    if (!kcore_is_before(K, u, v)) {
        const hy_vid other = u;
        u = v;
        v = other;
    }
    struct insertion I = { .K = K,
                           .k = K->core[u],
                           .heap = { .node = K->node, .at = K->heap } };
    K->node[u].ahead += kcore_is_known(K, u);
    kcore_know(K, u); /* with v */
    K->node[u].near++;
    K->node[v].near += K->core[v] == I.k;
    if (K->node[u].ahead <= I.k)
        return;
    look_at(&I, u);
    while (I.heap.n > 0) {
        if (kcore_is_over(K))
            return;
        const hy_vid w = take(&I.heap);
        kcore_know(K, w);
        if (K->in[w] + K->node[w].ahead > I.k)
            rise(&I, w);
        else if (K->in[w])
            stay(&I, w);
    }
    promote(&I);
    forget(&I);
}
