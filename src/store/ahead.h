/* Looking ahead: memory that the next operations of a chunk will need is asked
 * for before it is their turn.  Private to apply.c and plain.c. */
#ifndef STORE_AHEAD_H
#define STORE_AHEAD_H

#include "store/apply.h"
#include "store/hub.h"

/* All of a page: it is going to be copied, or to be a copy. */
HY_INLINE void ask_page(const struct table *T, uint32_t page, bool is_copy)
{
    const char *const at = table_page(T, page);
    for (size_t i = 0; i < T->layout.bytes; i += 64)
        if (is_copy)
            HY_PREFETCH_WRITE(at + i);
        else
            HY_PREFETCH(at + i);
}

/* The page of an operation to come, if a view sees it. */
HY_INLINE void ask_seen(const struct lane *L, hy_vid u)
{
    const struct table *const T = &L->core->table;
    const uint32_t page = L->G->dir[u / PAGE_VERTICES];
    if (T->birth[page] <= L->pin)
        ask_page(T, page, false);
}

/* The slots of u's page, to be written: copied if a view sees them. */
static inline struct slot *apply_slots(struct lane *L, hy_vid u)
{
    const uint32_t i = u / PAGE_VERTICES;
    if (HY_LIKELY(i == L->dir_index))
        return L->slots;
    struct table *T = &L->core->table;
    uint32_t page = L->G->dir[i];
    if (T->birth[page] <= L->pin) {
        const uint32_t fresh = L->pages[L->chunk->n_pages++];
        memcpy(table_page(T, fresh), table_page(T, page), T->layout.bytes);
        T->birth[fresh] = L->epoch;
        lane_drop(L, DROP_PAGE | page, T->birth[page]);
        L->G->dir[i] = page = fresh;
        if (L->chunk->n_pages < L->chunk->pages)
            ask_page(T, L->pages[L->chunk->n_pages], true);
    }
    L->dir_index = i;
    L->slots = (struct slot *)(void *)(table_page(T, page) +
                                       T->layout.slots[L->ops->side]);
    return L->slots;
}

/* Operations ahead for which memory is asked for: the slot, what it points to,
 * and for hubs the twig in the root and the leaf.  Far enough for memory to
 * answer, near enough for the first cache to keep it. */
enum {
    AHEAD_SLOT = 28,
    AHEAD_BLOCK = 18,
    AHEAD_TWIG = 12,
    AHEAD_LEAF = 6,
    AHEAD_PAGE = 8,
    RING = 32
};

/* All lines from where v is guessed to be to the end, which are shifted, in
 * each lane: a processor that sees them coming has not the time to fetch them.
 */
HY_INLINE void ask_rest(const struct lane *L, const char *block, uint32_t room,
                        uint32_t n, struct spread even, hy_vid v)
{
    const struct shape *const S = L->S;
    const size_t from = guess(even, v, n);
    for (uint32_t l = 0; l < S->n_lanes; l++) {
        const char *const lane = block + (size_t)S->lane[l].lead * room;
        const char *const end = lane + n * S->lane[l].width;
        const char *at = lane + from * S->lane[l].width - 64;
        for (; at < end; at += 64)
            HY_PREFETCH_WRITE(at);
        HY_PREFETCH_WRITE(end);
    }
}

enum { ASK_WHOLE = 8 }; /* units of a block that is asked for whole */

/* All of a small block; of a large one what will be shifted; of a hub the start
 * of its root.  Says whether it is one. */
HY_INLINE bool ask_block(const struct lane *L, const struct slot *s, hy_vid v)
{
    const char *block = lane_block(L, slot_at(s));
    const uint32_t units = slot_units(s);
    HY_PREFETCH_WRITE(block);
    if (HY_LIKELY(units <= ASK_WHOLE)) {
        HY_PREFETCH_WRITE(block + (size_t)(units > 4) * 64);
        HY_PREFETCH_WRITE(block + units * UNIT - (units != 0));
        if (HY_LIKELY(!slot_is_hub(s)))
            return false;
        for (size_t at = 64; at < 384; at += 64)
            HY_PREFETCH_WRITE(block + at);
        return true;
    }
    HY_PREFETCH_WRITE(block + 64);
    HY_PREFETCH_WRITE(block + 128);
    HY_PREFETCH_WRITE(block + 192);
    if (units > 16)
        ask_rest(L, block, shape_room(L->S, units), s->degree, L->even, v);
    return false;
}

HY_INLINE void ask_twig(const struct lane *L, const struct slot *s, hy_vid v)
{
    if (HY_UNLIKELY(!slot_is_hub(s)))
        return; /* not any more */
    const struct branch *B = hub_branch(L->core->arena.space.base, slot_at(s));
    const uint32_t c = branch_find(B, v);
    HY_PREFETCH_WRITE(&B->at[c]);
    HY_PREFETCH_WRITE(&B->count[c]);
    HY_PREFETCH_WRITE(&B->epoch[c]);
}

/* What a search in a narrow branch looks at. */
HY_INLINE void ask_branch(const char *page)
{
    HY_PREFETCH_WRITE(page);
    HY_PREFETCH_WRITE(page + 64);
    HY_PREFETCH_WRITE(page + offsetof(struct branch, count));
    HY_PREFETCH_WRITE(page + offsetof(struct branch, at));
    HY_PREFETCH_WRITE(page + offsetof(struct branch, epoch));
}

HY_INLINE void ask_leaf(const struct lane *L, const struct slot *s, hy_vid v)
{
    if (HY_UNLIKELY(!slot_is_hub(s)))
        return; /* not any more */
    const char *blocks = L->core->arena.space.base;
    const struct branch *B = hub_branch(blocks, slot_at(s));
    const uint32_t c = branch_find(B, v);
    const char *page = arena_block(blocks, B->at[c]);
    const uint64_t end = branch_end(B, c, L->G->now.bound);
    if (HY_LIKELY(!slot_units(s)))
        ask_rest(L, page, L->S->page_room, B->count[c],
                 spread_of(B->first[c], end), v);
    else
        ask_branch(page);
}

/* The slots of operations to come, in a ring. */
struct apply_ahead {
    const struct slot *slot[RING];
    uint32_t hubs; /* bit k: operation i + AHEAD_BLOCK - k is on a hub */
};

HY_INLINE void ask_hubs(const struct lane *L, const struct apply_ahead *A,
                        size_t i)
{
    const uint64_t *key = L->ops->key;
    const size_t twig = i + AHEAD_TWIG, leaf = i + AHEAD_LEAF;
    if (A->hubs >> (AHEAD_BLOCK - AHEAD_TWIG) & 1)
        ask_twig(L, A->slot[twig % RING], (hy_vid)key[twig]);
    if (A->hubs >> (AHEAD_BLOCK - AHEAD_LEAF) & 1)
        ask_leaf(L, A->slot[leaf % RING], (hy_vid)key[leaf]);
}

/* Operation i is next: asks for memory of those that follow. */
HY_INLINE void apply_look_ahead(const struct lane *L, const struct reach *R,
                                struct apply_ahead *A, size_t i, size_t end)
{
    const uint64_t *key = L->ops->key;
    if (HY_LIKELY(i + AHEAD_SLOT < end)) {
        const struct slot *s =
            reach_slot(R, (hy_vid)(key[i + AHEAD_SLOT] >> 32));
        A->slot[(i + AHEAD_SLOT) % RING] = s;
        HY_PREFETCH_WRITE(s);
    }
    if (L->pin && i + AHEAD_PAGE < end)
        ask_seen(L, (hy_vid)(key[i + AHEAD_PAGE] >> 32));
    A->hubs <<= 1;
    if (HY_LIKELY(i + AHEAD_BLOCK < end))
        A->hubs |= ask_block(L, A->slot[(i + AHEAD_BLOCK) % RING],
                             (hy_vid)key[i + AHEAD_BLOCK]);
    if (HY_UNLIKELY(A->hubs & ((uint32_t)1 << (AHEAD_BLOCK - AHEAD_TWIG) |
                               (uint32_t)1 << (AHEAD_BLOCK - AHEAD_LEAF))))
        ask_hubs(L, A, i);
}

/* Of the first operations, from lo on: what ask_hubs asks for later ones.  Bit
 * k of A->hubs is that of operation lo + AHEAD_BLOCK - 1 - k. */
static HY_NOINLINE void ask_first_hubs(const struct lane *L,
                                       const struct apply_ahead *A, size_t lo)
{
    const uint64_t *key = L->ops->key;
    for (size_t i = 0; i < AHEAD_TWIG; i++)
        if (A->hubs >> (AHEAD_BLOCK - 1 - i) & 1)
            ask_twig(L, A->slot[(lo + i) % RING], (hy_vid)key[lo + i]);
    for (size_t i = 0; i < AHEAD_LEAF; i++)
        if (A->hubs >> (AHEAD_BLOCK - 1 - i) & 1)
            ask_leaf(L, A->slot[(lo + i) % RING], (hy_vid)key[lo + i]);
}

/* Asks for the first operations, all at once. */
HY_INLINE void apply_look_first(const struct lane *L, const struct reach *R,
                                struct apply_ahead *A, size_t lo, size_t end)
{
    const uint64_t *key = L->ops->key;
    A->hubs = 0;
    for (size_t i = lo; i < end && i < lo + AHEAD_SLOT; i++)
        A->slot[i % RING] = reach_slot(R, (hy_vid)(key[i] >> 32));
    for (size_t i = lo; i < lo + AHEAD_BLOCK; i++) {
        if (L->pin && i + AHEAD_PAGE < end)
            ask_seen(L, (hy_vid)(key[i + AHEAD_PAGE] >> 32));
        A->hubs <<= 1;
        if (HY_LIKELY(i < end))
            A->hubs |= ask_block(L, A->slot[i % RING], (hy_vid)key[i]);
    }
    if (HY_UNLIKELY(A->hubs))
        ask_first_hubs(L, A, lo);
}

#endif
