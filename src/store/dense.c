/* The short way of plain.c where a batch has some lines for most vertices:
 * table page by table page, so that what a line is met with can be foreseen.
 *
 *   Page
 *     1 Sort     its lines by what they will find: a block of so many units
 *                with room, one that is full, a hub; ask for all of these
 *     2 Do       each kind in a loop of its own
 *     3 Tell     of them in order
 *
 * A page is sorted before the one in front of it is done, so that memory has
 * time to answer.  Lines of one vertex stay in order, and what a line finds
 * follows from the degree and the number of lines before it: lines in vain
 * leave more room than was foreseen, or more entries, never less.
 *
 * Done line by line, 10^6 edges into a Kronecker graph of 2^20 vertices
 * took 1.5 branches each that nobody foresees: how long a block is, whether it
 * is full. Here they are counters of loops.
 *
 * Blocks without columns, and no view that sees any of them.
 */
#include "store/dense_find.h"

#if HAS_OCTS

enum { WORTH = 16 }; /* lines a page, on the average */

/* Lines that did nothing, or are told by others. */
struct page_bits {
    uint64_t at[PAGE_LINES / 64];
};

/* What the lines of a page came to. */
struct page_sums {
    uint64_t moved; /* ids */
    uint32_t done;
    struct page_bits vain;
};

/* ---- 2 do ---------------------------------------------------------------- */

HY_INLINE void note_vain(struct page_sums *sums, uint32_t i)
{
    sums->vain.at[i / 64] |= (uint64_t)1 << i % 64;
}

/* Lines that find blocks of so many units; 0: many. */
HY_AVX2
HY_INLINE void do_kind(struct lane *L, const struct page_lines *P,
                       uint32_t units, struct page_sums *sums, bool deletes)
{
    const uint64_t *key = L->ops->key + P->lo;
    char *blocks = L->core->arena.space.base;
    const uint32_t kind = units ? units - 1 : KIND_LONG;
    const uint16_t *line = P->line[kind];
    const uint32_t count = P->count[kind];
    uint64_t moved = 0;
    uint32_t done = 0;
    for (uint32_t j = 0; j < count; j++) {
        const uint64_t here = key[line[j]];
        struct slot *s = slot_of_key(P->slots, here);
        hy_vid *id = (hy_vid *)(void *)arena_block(blocks, slot_at(s));
        const uint32_t n = s->degree;
        const hy_vid v = (hy_vid)here;
        const uint32_t start = units ? 0 : octs_start(L->even, v, n);
        const bool is_done = deletes ? units ? units_delete(id, n, v, units)
                                             : octs_delete(id, n, v, start)
                             : units ? units_insert(id, n, v, units)
                                     : octs_insert(id, n, v, start);
        if (HY_UNLIKELY(!is_done)) {
            note_vain(sums, line[j]);
            continue;
        }
        s->degree = deletes ? n - 1 : n + 1;
        moved += n;
        done++;
    }
    sums->moved += moved;
    sums->done += done;
}

HY_AVX2
HY_INLINE void do_kinds(struct lane *L, const struct page_lines *P,
                        struct page_sums *sums, bool deletes)
{
    do_kind(L, P, 1, sums, deletes);
    do_kind(L, P, 2, sums, deletes);
    do_kind(L, P, 3, sums, deletes);
    do_kind(L, P, 4, sums, deletes);
    do_kind(L, P, 5, sums, deletes);
    do_kind(L, P, 6, sums, deletes);
    do_kind(L, P, 7, sums, deletes);
    do_kind(L, P, 8, sums, deletes);
    do_kind(L, P, 0, sums, deletes);
}

/* The block of s, which is full, goes to one with room for `more`; v, which is
 * not there, comes to it. */
HY_AVX2
HY_INLINE void grow(struct lane *L, struct slot *s, uint32_t more, hy_vid v)
{
    const uint32_t n = s->degree;
    const hy_vid *id = (hy_vid *)(void *)lane_block(L, slot_at(s));
    uint32_t units = shape_units_grown(L->S, n + more);
    const uint64_t at = lane_cut(L, &units);
    hy_vid *to = (hy_vid *)(void *)lane_block(L, at);
    (void)octs_insert_into(to, id, n, v, 0);
    if (slot_units(s))
        lane_drop(L, piece_of(slot_at(s), slot_units(s)), slot_epoch(s));
    slot_set(s, at, units, false, L->epoch);
    s->degree = n + 1;
}

/* One of `more` lines of its vertex that are left, where they found a full
 * block.  False: v is there. */
HY_AVX2
HY_INLINE bool insert_growing(struct lane *L, struct slot *s, uint32_t more,
                              hy_vid v)
{
    const uint32_t n = s->degree;
    hy_vid *id = (hy_vid *)(void *)lane_block(L, slot_at(s));
    if (n < slot_units(s) * QUAD) {
        if (!octs_insert(id, n, v, 0))
            return false;
        s->degree = n + 1;
        return true;
    }
    if (n && HY_UNLIKELY(quads_have(id, n, v)))
        return false;
    grow(L, s, more, v);
    return true;
}

/* Lines that find a full block: those of one vertex, n of them. */
HY_AVX2
HY_INLINE void grow_run(struct lane *L, const struct page_lines *P,
                        const uint16_t *line, uint32_t n,
                        struct page_sums *sums)
{
    const uint64_t *key = L->ops->key + P->lo;
    struct slot *s = slot_of_key(P->slots, key[line[0]]);
    for (uint32_t j = 0; j < n; j++) {
        sums->moved += s->degree;
        if (HY_LIKELY(insert_growing(L, s, n - j, (hy_vid)key[line[j]])))
            sums->done++;
        else
            note_vain(sums, line[j]);
    }
}

/* Lines that follow each other and are of one vertex, of n in a list. */
static uint32_t run_of(const uint64_t *key, const uint16_t *line, uint32_t n)
{
    uint32_t k = 1;
    while (k < n && line[k] == line[0] + k &&
           key[line[k]] >> 32 == key[line[0]] >> 32)
        k++;
    return k;
}

/* In order, as they are told. */
static void join_apart(struct page_lines *P, uint16_t line)
{
    uint16_t *apart = P->line[KIND_APART];
    uint32_t i = P->count[KIND_APART]++;
    for (; i && apart[i - 1] > line; i--)
        apart[i] = apart[i - 1];
    apart[i] = line;
}

/* Who would become a hub joins those that are apart. */
HY_AVX2
static void do_growing(struct lane *L, struct page_lines *P,
                       struct page_sums *sums)
{
    const uint64_t *key = L->ops->key + P->lo;
    const uint16_t *line = P->line[KIND_GROWS];
    for (uint32_t j = 0, k; j < P->count[KIND_GROWS]; j += k) {
        const struct slot *s = slot_of_key(P->slots, key[line[j]]);
        k = run_of(key, line + j, P->count[KIND_GROWS] - j);
        if (HY_LIKELY(s->degree + k <= L->S->page_room)) {
            grow_run(L, P, line + j, k, sums);
            continue;
        }
        for (uint32_t i = 0; i < k; i++)
            join_apart(P, line[j + i]);
    }
}

/* The leaf of v in a hub, and the way to it. */
struct leaf {
    struct branch *branch[HUB_LEVELS + 1]; /* from the root on */
    uint64_t at[HUB_LEVELS + 2];           /* of these, and of the leaf */
    uint32_t i[HUB_LEVELS + 1];            /* the twig that is taken */
    uint32_t levels, n, start;             /* n entries; see octs_start */
    hy_vid *id;
};

HY_INLINE void find_leaf(const struct lane *L, const struct slot *s, hy_vid v,
                         struct leaf *f)
{
    const char *blocks = L->core->arena.space.base;
    uint64_t at = slot_at(s), end = L->G->now.bound;
    const struct branch *B = NULL;
    uint32_t i = 0;
    f->levels = slot_units(s);
    for (uint32_t d = 0; d <= f->levels; d++) {
        f->at[d] = at;
        f->branch[d] = hub_branch(blocks, at);
        B = f->branch[d];
        f->i[d] = i = branch_find(B, v);
        end = branch_end(B, i, end);
        at = B->at[i];
    }
    f->at[f->levels + 1] = at;
    f->n = B->count[i];
    f->start = octs_start(spread_of(B->first[i], end), v, f->n);
    f->id = (hy_vid *)(void *)arena_block(blocks, at);
}

/* May a line change the leaf, and nothing else? */
static bool is_leaf_enough(const struct lane *L, const struct slot *s,
                           const struct leaf *f, bool deletes)
{
    const uint64_t pages = f->branch[0]->pages;
    return deletes ? f->n > 1 && hub_stays(L->S, pages, s->degree - 1)
                   : f->n < L->S->page_room;
}

/* Says in the branches what is below them now. */
static void note_leaf(const struct lane *L, const struct leaf *f, bool deletes)
{
    hy_vid first = f->id[0];
    lane_mark(L, f->at[f->levels + 1]);
    for (uint32_t d = f->levels + 1; d-- > 0;) {
        struct branch *B = f->branch[d];
        B->count[f->i[d]] += deletes ? UINT32_MAX : 1;
        B->first[f->i[d]] = first;
        first = B->first[0];
        lane_mark(L, f->at[d]);
    }
}

HY_AVX2
static void do_leaf(struct lane *L, struct slot *s, const struct leaf *f,
                    hy_vid v, struct page_sums *sums, uint32_t line,
                    bool deletes)
{
    if (deletes ? !octs_delete(f->id, f->n, v, f->start)
                : !octs_insert(f->id, f->n, v, f->start)) {
        note_vain(sums, line);
        return;
    }
    s->degree = deletes ? s->degree - 1 : s->degree + 1;
    note_leaf(L, f, deletes);
    sums->moved += f->n - f->start * OCT + 2;
    sums->done++;
}

HY_AVX2
static void do_hubs(struct lane *L, struct page_lines *P,
                    struct page_sums *sums, bool deletes)
{
    const uint64_t *key = L->ops->key + P->lo;
    for (uint32_t j = 0; j < P->count[KIND_HUB]; j++) {
        const uint32_t line = P->line[KIND_HUB][j];
        struct slot *s = slot_of_key(P->slots, key[line]);
        const hy_vid v = (hy_vid)key[line];
        struct leaf f;
        find_leaf(L, s, v, &f);
        if (HY_LIKELY(is_leaf_enough(L, s, &f, deletes)))
            do_leaf(L, s, &f, v, sums, line, deletes);
        else
            join_apart(P, (uint16_t)line);
    }
}

HY_INLINE void ask_twigs(const struct lane *L, const struct page_lines *P)
{
    const uint64_t *key = L->ops->key + P->lo;
    for (uint32_t j = 0; j < P->count[KIND_HUB]; j++) {
        const uint64_t here = key[P->line[KIND_HUB][j]];
        ask_twig(L, slot_of_key(P->slots, here), (hy_vid)here);
    }
}

HY_INLINE void ask_leaves(const struct lane *L, const struct page_lines *P)
{
    const uint64_t *key = L->ops->key + P->lo;
    for (uint32_t j = 0; j < P->count[KIND_HUB]; j++) {
        const uint64_t here = key[P->line[KIND_HUB][j]];
        struct leaf f;
        find_leaf(L, slot_of_key(P->slots, here), (hy_vid)here, &f);
        for (uint32_t i = f.start * OCT; i <= f.n; i += 16)
            HY_PREFETCH_WRITE(f.id + i);
    }
}

/* The rest, vertex by vertex; tells of them at the end of the chunk's list. */
static void do_apart(struct lane *L, const struct page_lines *P)
{
    const uint64_t *key = L->ops->key + P->lo;
    const uint16_t *line = P->line[KIND_APART];
    for (uint32_t j = 0, k; j < P->count[KIND_APART]; j += k) {
        k = run_of(key, line + j, P->count[KIND_APART] - j);
        const size_t lo = P->lo + line[j];
        const hy_vid u = (hy_vid)(key[line[j]] >> 32);
        plain_run(L, slot_of_key(P->slots, key[line[j]]), u, lo, lo + k);
    }
}

/* ---- 3 tell -------------------------------------------------------------- */

static bool has_bit(const struct page_bits *bits, uint32_t i)
{
    return bits->at[i / 64] >> i % 64 & 1;
}

static hy_edge edge_of(uint64_t key)
{
    return (hy_edge){ .u = (hy_vid)(key >> 32), .v = (hy_vid)key };
}

static void count(struct chunk *C, uint64_t done, uint64_t vain, bool deletes)
{
    C->edges += deletes ? -(int64_t)done : (int64_t)done;
    *(deletes ? &C->counts.deleted : &C->counts.inserted) += done;
    *(deletes ? &C->counts.missing : &C->counts.duplicate) += vain;
}

static struct page_bits bits_apart(const struct page_lines *P)
{
    struct page_bits bits = { { 0 } };
    for (uint32_t j = 0; j < P->count[KIND_APART]; j++) {
        const uint32_t i = P->line[KIND_APART][j];
        bits.at[i / 64] |= (uint64_t)1 << i % 64;
    }
    return bits;
}

/* Line by line: some did nothing, or count at one end alone.  What those apart
 * told is the end of the page's part of the list; it is overtaken by nobody. */
static void tell_each(struct lane *L, const struct page_lines *P,
                      const struct page_sums *sums, struct list_out *list,
                      size_t n_apart, bool deletes)
{
    const uint64_t *key = L->ops->key + P->lo;
    const struct page_bits apart = bits_apart(P);
    hy_edge *out = list->at ? list->at + list->n : NULL;
    const hy_edge *other = out ? out + P->n - P->count[KIND_APART] : NULL;
    const hy_edge *const end = other ? other + n_apart : NULL;
    uint64_t done = 0, vain = 0;
    for (uint32_t i = 0; i < P->n; i++) {
        const hy_edge e = edge_of(key[i]);
        if (has_bit(&apart, i)) {
            if (other < end && other->u == e.u && other->v == e.v)
                *out++ = *other++;
        } else if (lane_counts(L, e.u, e.v)) {
            const bool is_done = !has_bit(&sums->vain, i);
            done += is_done;
            vain += !is_done;
            if (out && is_done)
                *out++ = e;
        }
    }
    if (out)
        list->n = (size_t)(out - list->at);
    count(L->chunk, done, vain, deletes);
}

/* All lines are edges that came or went. */
static void tell_all(struct lane *L, const struct page_lines *P,
                     struct list_out *list, bool deletes)
{
    const uint64_t *key = L->ops->key + P->lo;
    count(L->chunk, P->n - P->count[KIND_APART], 0, deletes);
    if (!list->at)
        return;
    for (uint32_t i = 0; i < P->n; i++)
        list->at[list->n + i] = edge_of(key[i]);
    list->n += P->n;
}

/* ---- a chunk ------------------------------------------------------------- */

/* Those apart write to the end of the page's part of the list, which they
 * cannot fill. */
HY_AVX2
HY_INLINE void do_page(struct lane *L, struct page_lines *P, bool deletes)
{
    struct chunk *C = L->chunk;
    struct list_out *list = deletes ? &C->deleted : &C->inserted;
    const struct list_out before = *list;
    struct page_sums sums = { 0 };
    ask_twigs(L, P);
    do_kinds(L, P, &sums, deletes);
    ask_leaves(L, P);
    if (!deletes)
        do_growing(L, P, &sums);
    do_hubs(L, P, &sums, deletes);
    C->moved += sums.moved * sizeof(hy_vid);
    C->arcs += deletes ? -(int64_t)sums.done : (int64_t)sums.done;
    const uint32_t apart = P->count[KIND_APART], own = P->n - apart;
    if (list->at) {
        list->at += list->n + own;
        list->n = 0;
    }
    do_apart(L, P);
    const size_t n_apart = list->at ? list->n : apart;
    *list = before;
    if (HY_LIKELY(L->counts_all && sums.done == own && n_apart == apart))
        tell_all(L, P, list, deletes);
    else
        tell_each(L, P, &sums, list, n_apart, deletes);
}

HY_AVX2
HY_INLINE void chunk_as(struct lane *L, struct chunk *C, bool deletes)
{
    struct finds finds[FINDS];
    struct page_lines pages[2];
    uint32_t turn = 0;
    list_finds(finds, deletes);
    sort_lines(L, finds, &pages[0], C->lo, C->hi, deletes);
    while (pages[turn].n) {
        struct page_lines *const now = &pages[turn], *const next =
                                                         &pages[turn ^= 1];
        sort_lines(L, finds, next, now->lo + now->n, C->hi, deletes);
        if (HY_LIKELY(now->n <= PAGE_LINES))
            do_page(L, now, deletes);
        else
            plain_lines(L, now->lo, now->lo + now->n);
    }
}

HY_AVX2
static void chunk_inserts(struct lane *L, struct chunk *C)
{
    chunk_as(L, C, false);
}

HY_AVX2
static void chunk_deletes(struct lane *L, struct chunk *C)
{
    chunk_as(L, C, true);
}

bool dense_chunk(struct lane *L, struct chunk *C)
{
    const uint64_t *key = L->ops->key;
    if (L->pin || L->ops->op || C->lo == C->hi || !HY_HAS_AVX2())
        return false;
    const uint64_t pages =
        page_of_key(key[C->hi - 1]) - page_of_key(key[C->lo]) + 1;
    if ((C->hi - C->lo) / pages < WORTH)
        return false;
    if (L->ops->all == OP_DELETE)
        chunk_deletes(L, C);
    else
        chunk_inserts(L, C);
    return true;
}

#else

bool dense_chunk(struct lane *L, struct chunk *C)
{
    (void)L;
    (void)C;
    return false;
}

#endif
