/* A queue of values: segments, and the run that is cut from them. */
#include "algo/live/tree_queue.h"

#include <string.h>

static bool is_before(const struct tree_entry *a, const struct tree_entry *b)
{
    return tree_is_less(a->key, a->rank, b->key, b->rank);
}

/* ---- segments -------------------------------------------------------------
 */

/* Adds a segment above all; its entries lie from `start` on. */
static void push(struct tree_queue *Q, size_t start, uint64_t key,
                 uint32_t rank, bool is_flat)
{
    if (Q->n_segments == TREE_SEGMENTS) {
        /* The two lowest become one. */
        Q->segment[0].is_flat = false;
        memmove(&Q->segment[1], &Q->segment[2],
                (TREE_SEGMENTS - 2) * sizeof *Q->segment);
        Q->n_segments--;
    }
    Q->segment[Q->n_segments++] = (struct tree_segment){
        .start = start, .key = key, .rank = rank, .is_flat = is_flat
    };
}

void tree_queue_put_far(struct tree_queue *Q, struct tree_entry e)
{
    if (!Q->n_segments)
        push(Q, 0, UINT64_MAX, UINT32_MAX, false);
    size_t hole = Q->n++;
    for (uint32_t i = Q->n_segments; --i > 0;) {
        struct tree_segment *const s = &Q->segment[i];
        if (tree_is_less(e.key, e.rank, s->key, s->rank))
            break;
        Q->at[hole] = Q->at[s->start];
        hole = s->start++;
    }
    Q->at[hole] = e;
}

/* ---- the run --------------------------------------------------------------
 */

void tree_queue_spill(struct tree_queue *Q)
{
    const uint32_t n = Q->hi - Q->lo;
    if (Q->lo > TREE_RUN / 4) {
        memmove(Q->run, Q->run + Q->lo, n * sizeof *Q->run);
        Q->lo = 0;
        Q->hi = n;
        return;
    }
    const uint32_t from = Q->lo + n / 2;
    if (Q->n_segments)
        push(Q, Q->n, Q->key, Q->rank, false);
    else
        push(Q, 0, UINT64_MAX, UINT32_MAX, false);
    memcpy(Q->at + Q->n, Q->run + from, (Q->hi - from) * sizeof *Q->run);
    Q->n += Q->hi - from;
    Q->key = Q->run[from].key;
    Q->rank = Q->run[from].rank;
    Q->hi = from;
}

/* The middle one of three. */
static struct tree_entry pivot(const struct tree_entry *at, size_t n)
{
    const struct tree_entry *a = &at[0], *b = &at[n / 2], *c = &at[n - 1];
    if (is_before(b, a)) {
        const struct tree_entry *t = a;
        a = b;
        b = t;
    }
    return is_before(c, a) ? *a : is_before(c, b) ? *c : *b;
}

static void swap(struct tree_entry *a, struct tree_entry *b)
{
    const struct tree_entry t = *a;
    *a = *b;
    *b = t;
}

/* Cuts the top segment in three: larger than a pivot, like it, less. */
static void cut(struct tree_queue *Q)
{
    const struct tree_segment s = Q->segment[--Q->n_segments];
    const struct tree_entry p = pivot(Q->at + s.start, Q->n - s.start);
    size_t alike = s.start, less = Q->n;
    for (size_t i = s.start; i < less;) {
        if (is_before(&p, &Q->at[i]))
            swap(&Q->at[i++], &Q->at[alike++]);
        else if (is_before(&Q->at[i], &p))
            swap(&Q->at[i], &Q->at[--less]);
        else
            i++;
    }
    /* Even if it is empty: what comes between p and s must not join those
     * below s, which may be all alike. */
    push(Q, s.start, s.key, s.rank, false);
    push(Q, alike, p.key, p.rank + 1, true);
    if (less < Q->n)
        push(Q, less, p.key, p.rank, false);
}

static void sort(struct tree_entry *at, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct tree_entry e = at[i];
        uint32_t k = i;
        for (; k > 0 && is_before(&e, &at[k - 1]); k--)
            at[k] = at[k - 1];
        at[k] = e;
    }
}

void tree_queue_fill(struct tree_queue *Q)
{
    /* Moved entries may have left segments empty. */
    while (Q->segment[Q->n_segments - 1].start == Q->n)
        Q->n_segments--;
    while (!Q->segment[Q->n_segments - 1].is_flat &&
           Q->n - Q->segment[Q->n_segments - 1].start > TREE_FILL)
        cut(Q);
    const struct tree_segment *const s = &Q->segment[Q->n_segments - 1];
    const size_t here = Q->n - s->start;
    const uint32_t n = here < TREE_FILL ? (uint32_t)here : TREE_FILL;
    Q->n -= n;
    memcpy(Q->run, Q->at + Q->n, n * sizeof *Q->run);
    Q->lo = 0;
    Q->hi = n;
    Q->key = s->key;
    Q->rank = s->rank;
    if (!s->is_flat)
        sort(Q->run, n);
    else if (here > n)
        Q->rank--; /* what is like them joins those that are left */
    if (here == n)
        Q->n_segments--;
}
