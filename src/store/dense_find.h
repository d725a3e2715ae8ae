/* The lines of a table page sorted by what they will find, and memory asked
 * for: the first step of dense.c.  Private to it. */
#ifndef STORE_DENSE_FIND_H
#define STORE_DENSE_FIND_H

#include "store/oct.h"
#include "store/plain.h"

enum {
    PAGE_LINES = 512, /* of a page; more are done by vertex */
    /* Kinds: units - 1, then */
    KIND_LONG = UNITS_FEW,
    KIND_GROWS, /* the block is full; it goes to a larger one */
    KIND_HUB,
    KIND_APART, /* left to others: blocks that are to be trimmed, full leaves */
    KINDS,
    ASK_LONG = 4 /* lines of every long block */
};

/* The lines of a table page, by kind. */
struct page_lines {
    size_t lo;
    uint32_t n;
    uint16_t count[KINDS];
    uint16_t line[KINDS][PAGE_LINES]; /* less lo */
    struct slot *slots;
};

HY_INLINE uint64_t page_of_key(uint64_t key)
{
    return (key >> 32) / PAGE_VERTICES;
}

HY_INLINE struct slot *slot_of_key(struct slot *slots, uint64_t key)
{
    return &slots[(key >> 32) % PAGE_VERTICES];
}

/* What lines find in blocks of so many units, or in hubs.  Inserted is while n
 * + k < limit, deleted while n + 2 - k >= limit, if k lines of the vertex came
 * before: the first one has more room than is trimmed. */
struct finds {
    uint16_t limit;
    uint8_t then, otherwise;
};

enum { FINDS_HUB = PAGE_UNITS + 1, FINDS };

static void list_finds(struct finds *f, bool deletes)
{
    const uint8_t otherwise = deletes ? KIND_APART : KIND_GROWS;
    f[0] = (struct finds){ 0, otherwise, otherwise };
    for (uint32_t units = 1; units <= PAGE_UNITS; units++) {
        const uint32_t kind = units <= UNITS_FEW ? units - 1 : KIND_LONG;
        const uint32_t limit = deletes ? 3 * units : units * QUAD;
        f[units] = (struct finds){ (uint16_t)limit, (uint8_t)kind, otherwise };
    }
    f[FINDS_HUB] = (struct finds){ 0, KIND_HUB, KIND_HUB };
}

/* What a line finds in a slot. */
HY_INLINE uint32_t find(const struct finds *finds, uint64_t where, uint32_t n,
                        uint32_t k, bool deletes)
{
    const uint32_t units = (uint32_t)(where >> 40) & 0x3ff;
    const struct finds f = finds[units < FINDS_HUB ? units : FINDS_HUB];
    const bool is_so = deletes ? n + 2 >= f.limit + k : n + k < f.limit;
    return is_so ? f.then : f.otherwise;
}

/* All of a short block: it spans three lines at most. */
HY_INLINE void ask_short(const char *block, uint32_t units)
{
    HY_PREFETCH_WRITE(block);
    HY_PREFETCH_WRITE(block + units * (UNIT / 2));
    HY_PREFETCH_WRITE(block + units * UNIT - 1);
}

/* What will be shifted of a long block: four lines of it, and of very long ones
 * the others. */
HY_INLINE void ask_long(const struct lane *L, const struct slot *s, hy_vid v)
{
    const char *block = lane_block(L, slot_at(s));
    const uint32_t n = s->degree;
    const char *at = block + octs_start(L->even, v, n) * sizeof(oct) - sizeof v;
    const char *const last = block + n * sizeof v;
    for (uint32_t i = 0; i < ASK_LONG; i++, at += 64)
        HY_PREFETCH_WRITE(at);
    for (; HY_UNLIKELY(at < last); at += 64)
        HY_PREFETCH_WRITE(at);
}

HY_INLINE void ask_others(const struct lane *L, const struct page_lines *P)
{
    const uint64_t *key = L->ops->key + P->lo;
    for (uint32_t j = 0; j < P->count[KIND_LONG]; j++) {
        const uint64_t here = key[P->line[KIND_LONG][j]];
        ask_long(L, slot_of_key(P->slots, here), (hy_vid)here);
    }
    for (uint32_t j = 0; j < P->count[KIND_HUB]; j++) {
        const uint64_t here = key[P->line[KIND_HUB][j]];
        (void)ask_block(L, slot_of_key(P->slots, here), (hy_vid)here);
    }
}

/* The slots of the page of line i. */
HY_INLINE void ask_slots(const struct lane *L, size_t i, size_t end)
{
    if (i == end)
        return;
    const uint64_t page = page_of_key(L->ops->key[i]);
    const char *slots =
        (const char *)reach_slot(&L->reach, (hy_vid)page * PAGE_VERTICES);
    for (size_t at = 0; at < PAGE_VERTICES * sizeof(struct slot); at += 64)
        HY_PREFETCH_WRITE(slots + at);
}

/* Sorts the lines of the page of line lo; if there are too many, their number
 * alone is told. */
HY_INLINE void sort_lines(const struct lane *L, const struct finds *finds,
                          struct page_lines *P, size_t lo, size_t end,
                          bool deletes)
{
    const uint64_t *key = L->ops->key;
    const char *blocks = L->core->arena.space.base;
    uint16_t *to[KINDS];
    P->lo = lo;
    P->n = 0;
    if (lo == end)
        return;
    const uint64_t page = page_of_key(key[lo]);
    struct slot *slots = reach_slot(&L->reach, (hy_vid)page * PAGE_VERTICES);
    const size_t stop = end - lo < PAGE_LINES ? end : lo + PAGE_LINES;
    P->slots = slots;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        to[kind] = P->line[kind];
    size_t i = lo;
    uint64_t last = UINT64_MAX;
    for (uint32_t k = 0; i < stop && page_of_key(key[i]) == page; i++) {
        const struct slot *s = slot_of_key(slots, key[i]);
        k = key[i] >> 32 == last ? k + 1 : 0;
        last = key[i] >> 32;
        const uint64_t where = s->where;
        const uint32_t kind = find(finds, where, s->degree, k, deletes);
        ask_short(arena_block(blocks, where & SLOT_ADDRESS), slot_units(s));
        *to[kind]++ = (uint16_t)(i - lo);
    }
    for (uint32_t kind = 0; kind < KINDS; kind++)
        P->count[kind] = (uint16_t)(to[kind] - P->line[kind]);
    while (i < end && page_of_key(key[i]) == page)
        i++;
    P->n = (uint32_t)(i - lo);
    ask_slots(L, i, end);
    ask_others(L, P);
}

#endif
