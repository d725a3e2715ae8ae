/* Edits of one block: in place where it has room and no view sees it, else
 * into a new one. */
#include "store/apply.h"
#include "store/hub.h"

/* ---- in place ----------------------------------------------------------- */

/* From the back: each insertion moves what lies behind it once, to its final
 * place. */
static void insert_in_place(struct lane *L, char *block, uint32_t room,
                            uint32_t n, const struct edit *e, size_t k)
{
    uint32_t end = n;
    for (size_t i = k; i-- > 0;) {
        const uint32_t to = e[i].pos + (uint32_t)i;
        block_shift(L->S, block, room, to + 1, e[i].pos, end - e[i].pos);
        block_put(L->S, block, room, to, e[i].v, e[i].values);
        end = e[i].pos;
    }
}

static void delete_in_place(struct lane *L, char *block, uint32_t room,
                            uint32_t n, const struct edit *e, size_t k)
{
    uint32_t to = e[0].pos;
    for (size_t i = 0; i < k; i++) {
        const uint32_t from = e[i].pos + 1;
        const uint32_t end = i + 1 < k ? e[i + 1].pos : n;
        block_shift(L->S, block, room, to, from, end - from);
        to += end - from;
    }
}

static void mix_in_place(struct lane *L, char *block, uint32_t room, uint32_t n,
                         const struct edit *e, size_t k)
{
    block_copy(L->S, L->scratch, room, 0, block, room, 0, n);
    struct pour P = { .L = L, .block = block, .room = room, .quota = room };
    pour_edited(&P, L->scratch, room, 0, n, e, k);
}

/* True if all edits are of the kind of the first. */
static bool is_uniform(const struct edit *e, size_t k)
{
    for (size_t i = 1; i < k; i++)
        if (e[i].net != e[0].net)
            return false;
    return true;
}

void edit_in_place(struct lane *L, char *block, uint32_t room, uint32_t n,
                   const struct edit *e, size_t k)
{
    const bool is_all_alike = is_uniform(e, k);
    const bool moves = !is_all_alike || e[0].net != NET_UPDATE;
    L->chunk->moved += (moves ? n - e[0].pos : k) * L->S->width;
    if (!is_all_alike) {
        mix_in_place(L, block, room, n, e, k);
        return;
    }
    switch (e[0].net) {
    case NET_INSERT:
        insert_in_place(L, block, room, n, e, k);
        break;
    case NET_DELETE:
        delete_in_place(L, block, room, n, e, k);
        break;
    case NET_UPDATE:
        for (size_t i = 0; i < k; i++)
            block_set(L->S, block, room, e[i].pos, e[i].values);
        break;
    case NET_NONE:
        break;
    }
}

/* ---- pouring ------------------------------------------------------------ */

static uint64_t next_page(struct pour *P)
{
    if (P->run == P->run_end)
        return lane_cut_page(P->L);
    const uint64_t at = P->run;
    P->run += PAGE_UNITS;
    return at;
}

static void next_leaf(struct pour *P)
{
    struct lane *L = P->L;
    const uint64_t at = next_page(P);
    P->leaf[P->n_leaves++] = (struct twig){ .at = at, .epoch = L->epoch };
    L->hub_pages++;
    lane_mark(L, at);
    P->block = lane_block(L, at);
    P->room = L->S->page_room;
    P->n = 0;
}

void pour_count(struct pour *P, uint32_t n)
{
    P->n += n;
    if (P->leaf) {
        struct twig *t = &P->leaf[P->n_leaves - 1];
        t->count = P->n;
        t->first = block_id(P->L->S, P->block, 0);
    }
}

uint32_t pour_way(struct pour *P, uint32_t n)
{
    if (P->leaf && P->n == P->quota)
        next_leaf(P);
    const uint32_t free = P->quota - P->n;
    return n < free ? n : free;
}

void pour_copy(struct pour *P, const char *block, uint32_t room, uint32_t first,
               uint32_t n)
{
    while (n) {
        const uint32_t part = pour_way(P, n);
        block_copy(P->L->S, P->block, P->room, P->n, block, room, first, part);
        pour_count(P, part);
        first += part;
        n -= part;
    }
}

void pour_edited(struct pour *P, const char *block, uint32_t room,
                 uint32_t first, uint32_t n, const struct edit *e, size_t k)
{
    uint32_t at = first;
    for (size_t i = 0; i < k; i++) {
        pour_copy(P, block, room, at, e[i].pos - at);
        at = e[i].pos + (e[i].net != NET_INSERT);
        if (e[i].net != NET_DELETE) {
            (void)pour_way(P, 1);
            block_put(P->L->S, P->block, P->room, P->n, e[i].v, e[i].values);
            pour_count(P, 1);
        }
    }
    pour_copy(P, block, room, at, n - at);
}

/* ---- the block of a vertex ---------------------------------------------- */

static void drop_block(struct lane *L, const struct slot *s)
{
    if (slot_units(s))
        lane_drop(L, piece_of(slot_at(s), slot_units(s)), slot_epoch(s));
}

void edit_trim(struct lane *L, struct slot *s, uint32_t n)
{
    const uint32_t units = slot_units(s), want = shape_units_grown(L->S, n);
    if (want > units - units / 4 - 1 || want >= units)
        return;
    block_squeeze(L->S, lane_block(L, slot_at(s)), shape_room(L->S, units),
                  shape_room(L->S, want), n);
    lane_drop(L, piece_of(slot_at(s) + want, units - want), slot_epoch(s));
    slot_set(s, slot_at(s), want, false, slot_epoch(s));
}

static void replace(struct lane *L, struct slot *s, const struct edit *e,
                    size_t k, uint32_t n)
{
    const struct shape *S = L->S;
    uint32_t units = shape_units_grown(S, n);
    const uint64_t at = lane_cut(L, &units);
    const uint32_t room = shape_room(S, units);
    struct pour P = {
        .L = L, .block = lane_block(L, at), .room = room, .quota = room
    };
    pour_edited(&P, lane_block(L, slot_at(s)), shape_room(S, slot_units(s)), 0,
                s->degree, e, k);
    L->chunk->moved += (uint64_t)n * S->width;
    drop_block(L, s);
    slot_set(s, at, units, false, L->epoch);
}

void edit_block(struct lane *L, struct slot *s, const struct edit *e, size_t k,
                uint32_t n)
{
    const uint32_t units = slot_units(s), room = shape_room(L->S, units);
    const bool is_seen = units && slot_epoch(s) <= L->pin;
    if (!n) {
        drop_block(L, s);
        slot_set(s, 0, 0, false, 0);
    } else if (n <= room && !is_seen) {
        edit_in_place(L, lane_block(L, slot_at(s)), room, s->degree, e, k);
        if (n < s->degree)
            edit_trim(L, s, n);
    } else if (n <= L->S->page_room) {
        replace(L, s, e, k, n);
    } else {
        const struct slot before = *s;
        hub_make(L, s, lane_block(L, slot_at(s)), room, s->degree, e, k, n);
        drop_block(L, &before);
    }
    s->degree = n;
}
