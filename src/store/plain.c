/* The short way for most of what batches do: lines that insert or delete, in a
 * graph without columns, at a vertex that is one block.
 *
 * It does what apply_judge and edit_block do, with everything that columns
 * need left out; what does not end in a block again is left to them.  Lines
 * about different edges may come in any order; where insertions and deletions
 * mix, several lines about one edge are left to apply_judge, too, as a delta
 * is net.  Most blocks are short: branches that nobody predicts, not memory,
 * are what a line costs there, hence quad.h.
 */
#include "store/plain.h"

/* A place among the entries, and the neighbour that comes to it or goes. */
struct place {
    uint32_t pos;
    hy_vid v;
};

/* What the lines of a vertex come to. */
struct plain {
    struct place *place;
    uint32_t k;     /* entries that come or go */
    uint64_t lines; /* that did nothing */
};

/* Entries of `id` that lines lo..hi-1 name: those there are, if `there`, else
 * those there are not.  They are written to `out` as well, if it is there;
 * the branch that would ask which of them to write is the dear part. */
HY_INLINE void find_places(const struct lane *L, struct plain *P,
                           const hy_vid *id, uint32_t n, size_t lo, size_t hi,
                           bool there, hy_vid u, hy_edge *out)
{
    const uint64_t *key = L->ops->key;
    const struct spread even = { .from = 0, .inverse = L->even.inverse };
    struct place *place = P->place;
    uint32_t pos = 0, k = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid v = (hy_vid)key[i];
        if (HY_UNLIKELY(i > lo && (hy_vid)key[i - 1] == v))
            continue;
        pos = n - pos <= SEARCH_FEW
                  ? pos + search_few(id + pos, n - pos, v)
                  : search_near(id, pos, n, v, guess(even, v, n));
        place[k] = (struct place){ .pos = pos, .v = v };
        if (out)
            out[k] = (hy_edge){ .u = u, .v = v };
        k += (pos < n && id[pos] == v) == there;
    }
    P->k = k;
    P->lines = hi - lo - k;
}

static void insert_in_place(hy_vid *id, uint32_t n, const struct place *p,
                            uint32_t k)
{
    uint32_t end = n;
    for (uint32_t i = k; i-- > 0;) {
        hy_vid *to = id + p[i].pos + i;
        memmove(to + 1, id + p[i].pos, (end - p[i].pos) * sizeof *id);
        *to = p[i].v;
        end = p[i].pos;
    }
}

/* The same into another block. */
static void insert_into(hy_vid *to, const hy_vid *id, uint32_t n,
                        const struct place *p, uint32_t k)
{
    uint32_t from = 0;
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t part = p[i].pos - from;
        memcpy(to, id + from, part * sizeof *id);
        to[part] = p[i].v;
        to += part + 1;
        from = p[i].pos;
    }
    memcpy(to, id + from, (n - from) * sizeof *id);
}

static void delete_into(hy_vid *to, const hy_vid *id, uint32_t n,
                        const struct place *p, uint32_t k)
{
    uint32_t from = 0;
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t part = p[i].pos - from;
        memmove(to, id + from, part * sizeof *id);
        to += part;
        from = p[i].pos + 1;
    }
    memmove(to, id + from, (n - from) * sizeof *id);
}

/* Counts what find_places found; the delta has it, if all are counted. */
HY_INLINE void count_places(struct lane *L, hy_vid u, const struct plain *P,
                            bool deletes)
{
    struct chunk *C = L->chunk;
    struct list_out *list = deletes ? &C->deleted : &C->inserted;
    uint64_t done = P->k;
    if (L->counts_all) {
        list->n += done;
    } else {
        done = 0;
        for (uint32_t i = 0; L->counts_half && i < P->k; i++) {
            if (u > P->place[i].v)
                continue;
            done++;
            if (list->at)
                list->at[list->n++] = (hy_edge){ .u = u, .v = P->place[i].v };
        }
    }
    const int64_t sign = deletes ? -1 : 1;
    *(deletes ? &C->counts.deleted : &C->counts.inserted) += done;
    *(deletes ? &C->counts.missing : &C->counts.duplicate) += P->lines;
    C->edges += sign * (int64_t)done;
    C->arcs += sign * (int64_t)P->k;
}

/* A new block for the entries of s and what came. */
static HY_NOINLINE void move_block(struct lane *L, struct slot *s,
                                   const struct plain *P, bool deletes)
{
    const uint32_t n = s->degree;
    const uint32_t size = deletes ? n - P->k : n + P->k;
    const hy_vid *id = (hy_vid *)(void *)lane_block(L, slot_at(s));
    uint32_t units = shape_units_grown(L->S, size);
    const uint64_t at = lane_cut(L, &units);
    hy_vid *to = (hy_vid *)(void *)lane_block(L, at);
    if (deletes)
        delete_into(to, id, n, P->place, P->k);
    else
        insert_into(to, id, n, P->place, P->k);
    L->chunk->moved += size * sizeof *id;
    if (slot_units(s))
        lane_drop(L, piece_of(slot_at(s), slot_units(s)), slot_epoch(s));
    slot_set(s, at, units, false, L->epoch);
    s->degree = size;
}

/* Changes the entries of a block that no view sees and that has room. */
static void change_in_place(struct lane *L, struct slot *s,
                            const struct plain *P, bool deletes)
{
    const uint32_t n = s->degree;
    hy_vid *id = (hy_vid *)(void *)lane_block(L, slot_at(s));
    L->chunk->moved += (n - P->place[0].pos) * sizeof *id;
    if (deletes)
        delete_into(id, id, n, P->place, P->k);
    else
        insert_in_place(id, n, P->place, P->k);
    s->degree = deletes ? n - P->k : n + P->k;
}

/* Lines that did nothing count at one end of an undirected edge: which they
 * are is not known here.  Nor is a block trimmed or emptied here. */
static bool is_for_others(const struct lane *L, const struct plain *P,
                          uint32_t left, uint32_t room)
{
    if (L->counts_half && P->lines)
        return true;
    return L->ops->all == OP_DELETE && P->k && left + 3 < room / 4 * 3;
}

/* Does all of lines lo..hi-1 if s is a block and will be; else false, and
 * nothing. */
static bool apply_together(struct lane *L, struct slot *s, hy_vid u, size_t lo,
                           size_t hi)
{
    const bool deletes = L->ops->all == OP_DELETE;
    const uint32_t n = s->degree, units = slot_units(s);
    const uint32_t room = units * (UNIT / (uint32_t)sizeof(hy_vid));
    if (HY_UNLIKELY(slot_is_hub(s)) ||
        (!deletes && n + (hi - lo) > L->S->page_room))
        return false;
    struct plain P = { .place = (struct place *)(void *)L->edit };
    const struct list_out *list =
        deletes ? &L->chunk->deleted : &L->chunk->inserted;
    hy_edge *out = L->counts_all && list->at ? list->at + list->n : NULL;
    find_places(L, &P, (const hy_vid *)(void *)lane_block(L, slot_at(s)), n, lo,
                hi, deletes, u, out);
    const uint32_t left = deletes ? n - P.k : n + P.k;
    if (HY_UNLIKELY(is_for_others(L, &P, left, room)))
        return false;
    if (!L->counts_all && !L->counts_half)
        P.lines = 0;
    count_places(L, u, &P, deletes);
    if (!P.k)
        return true;
    if ((units && slot_epoch(s) <= L->pin) || left > room)
        move_block(L, s, &P, deletes);
    else
        change_in_place(L, s, &P, deletes);
    return true;
}

void plain_run(struct lane *L, struct slot *s, hy_vid u, size_t lo, size_t hi)
{
    if (!apply_together(L, s, u, lo, hi))
        apply_run(L, s, u, lo, hi);
}

/* ---- lines -------------------------------------------------------------- */

/* What the loop below keeps in registers, and puts back before it calls
 * anything that looks. */
struct tally {
    uint64_t done, counted; /* entries that came or went; edges of these */
    uint64_t vain;          /* lines about edges that did nothing */
    uint64_t moved;
    hy_edge *out;  /* the next of the delta */
    uint32_t step; /* to the one after it; 0: nobody wants them */
};

/* Each undirected edge is in two adjacencies, each directed one may be in two
 * sides: one of them counts. */
enum counts { COUNTS_ALL, COUNTS_HALF, COUNTS_NONE };

HY_INLINE uint32_t is_counted(uint64_t key, enum counts counts)
{
    return counts == COUNTS_ALL ||
           (counts == COUNTS_HALF && (hy_vid)(key >> 32) <= (hy_vid)key);
}

HY_INLINE void tell_done(struct tally *t, uint64_t key, enum counts counts)
{
    const uint32_t counted = is_counted(key, counts);
    *t->out = (hy_edge){ .u = (hy_vid)(key >> 32), .v = (hy_vid)key };
    t->out += counted * t->step;
    t->counted += counted;
    t->done++;
}

HY_INLINE void put_back(struct lane *L, struct tally *t, bool deletes)
{
    struct chunk *C = L->chunk;
    struct list_out *list = deletes ? &C->deleted : &C->inserted;
    const int64_t sign = deletes ? -1 : 1;
    *(deletes ? &C->counts.deleted : &C->counts.inserted) += t->counted;
    *(deletes ? &C->counts.missing : &C->counts.duplicate) += t->vain;
    C->edges += sign * (int64_t)t->counted;
    C->arcs += sign * (int64_t)t->done;
    C->moved += t->moved;
    list->n += t->counted * t->step;
    *t = (struct tally){ .out = t->out, .step = t->step };
}

enum { QUADS_FEW = 32 }; /* ids that are shifted whole, by quads */

/* Inserts v into a block with room for it; false: it is there. */
HY_INLINE bool insert_one(hy_vid *id, uint32_t n, hy_vid v, uint64_t *moved)
{
    if (HY_LIKELY(n <= QUADS_FEW)) {
        *moved += n * sizeof *id;
        if (HY_LIKELY(!quads_insert(id, id, n, quad_get(id, n / QUAD), v)))
            return true;
        quads_delete(id, n + 1, v); /* one of two */
        return false;
    }
    uint32_t first;
    if (HY_UNLIKELY(quads_insert_long(id, n, v, &first))) {
        (void)quads_delete_long(id, n + 1, v, &first);
        return false;
    }
    *moved += (n - first * QUAD) * sizeof *id;
    return true;
}

/* Takes v out; false: it is not there. */
HY_INLINE bool delete_one(hy_vid *id, uint32_t n, hy_vid v, uint64_t *moved)
{
    if (HY_LIKELY(n <= QUADS_FEW)) {
        if (HY_UNLIKELY(!n || !quads_have(id, n, v)))
            return false;
        quads_delete(id, n, v);
        *moved += n * sizeof *id;
        return true;
    }
    uint32_t first;
    if (HY_UNLIKELY(!quads_delete_long(id, n, v, &first)))
        return false;
    *moved += (n - first * QUAD) * sizeof *id;
    return true;
}

/* The line at `key` and those behind it that are of the same vertex. */
static uint32_t lines_left(const uint64_t *key, const uint64_t *end)
{
    uint32_t n = 1;
    while (key + n < end && key[n] >> 32 == key[0] >> 32)
        n++;
    return n;
}

/* Inserts the line at `key` into a block that is full or that a view sees, or
 * where there is none: a new one takes its place, with room for the lines left
 * of the vertex, as a block moves once by the plan.  False: it is there. */
static HY_NOINLINE bool grow_one(struct lane *L, struct slot *s,
                                 const uint64_t *key, const uint64_t *end)
{
    const uint32_t n = s->degree;
    const hy_vid v = (hy_vid)*key;
    const hy_vid *id = (hy_vid *)(void *)lane_block(L, slot_at(s));
    if (n && HY_UNLIKELY(quads_have(id, n, v)))
        return false;
    uint32_t units = shape_units_grown(L->S, n + lines_left(key, end));
    const uint64_t at = lane_cut(L, &units);
    const quad last = n % QUAD ? quad_get(id, n / QUAD) : (quad){ 0 };
    (void)quads_insert((hy_vid *)(void *)lane_block(L, at), id, n, last, v);
    if (slot_units(s))
        lane_drop(L, piece_of(slot_at(s), slot_units(s)), slot_epoch(s));
    slot_set(s, at, units, false, L->epoch);
    return true;
}

enum { LONG_RUN = 8 }; /* lines for one vertex: merging beats single ones */

/* One line of a vertex with at most LONG_RUN, the most frequent case; `room`:
 * of what no view sees.  False: not done, and the others are to be done with
 * it: a hub may come of them. */
HY_INLINE bool insert_line(struct lane *L, struct tally *t, struct slot *s,
                           hy_vid *id, uint32_t room, const uint64_t *key,
                           const uint64_t *end, enum counts counts)
{
    const uint32_t n = s->degree;
    const hy_vid v = (hy_vid)*key;
    bool is_done;
    if (HY_LIKELY(n < room)) {
        is_done = insert_one(id, n, v, &t->moved);
    } else if (HY_LIKELY(n + LONG_RUN <= L->S->page_room)) {
        is_done = grow_one(L, s, key, end);
        t->moved += n * sizeof *id;
    } else {
        return false;
    }
    if (HY_UNLIKELY(!is_done)) {
        t->vain += is_counted(*key, counts);
        return true;
    }
    s->degree = n + 1;
    tell_done(t, *key, counts);
    return true;
}

/* Of the lines of its vertex. */
HY_INLINE bool is_last(const uint64_t *key, const uint64_t *end)
{
    return key + 1 == end || key[0] >> 32 != key[1] >> 32;
}

/* The same.  The last entry may go and leave a unit behind: who had an edge
 * will have one. */
HY_INLINE bool delete_line(struct lane *L, struct tally *t, struct slot *s,
                           hy_vid *id, uint32_t room, const uint64_t *key,
                           const uint64_t *end, enum counts counts)
{
    const uint32_t n = s->degree;
    const hy_vid v = (hy_vid)*key;
    const bool is_large = n + 2 < room / 4 * 3;
    if (HY_UNLIKELY(is_large && n == 1))
        return false;
    if (HY_UNLIKELY(!delete_one(id, n, v, &t->moved))) {
        t->vain += is_counted(*key, counts);
        return true;
    }
    s->degree = n - 1;
    tell_done(t, *key, counts);
    if (HY_UNLIKELY(is_large && is_last(key, end)))
        edit_trim(L, s, n - 1);
    return true;
}

/* What the lines of a batch do. */
enum kind { INSERTS, DELETES, MIXES };

enum { AHEAD_OP = 16 }; /* lines ahead for which the kind is asked for */

/* Does line i delete?  Where they mix. */
HY_INLINE bool is_deletion(const struct ops *O, size_t i, size_t end)
{
    if (HY_LIKELY(i + AHEAD_OP < end))
        HY_PREFETCH(&O->op[O->tag[i + AHEAD_OP]]);
    return O->op[O->tag[i]] == OP_DELETE;
}

/* Is line i, where they mix, the only one about its edge, and none that asks
 * for the edge to be there?  The lines before it are done. */
HY_INLINE bool is_single(const struct ops *O, size_t i, size_t end)
{
    return O->op[O->tag[i]] != OP_UPDATE &&
           (i + 1 == end || O->key[i] != O->key[i + 1]);
}

/* Behind the last line of s, where they mix: a deletion that came before it may
 * have left much room, and so may a block made for lines that delete. */
static void trim_mixed(struct lane *L, struct slot *s)
{
    const uint32_t room = slot_units(s) * QUAD;
    if (s->degree && s->degree + 3 < room / 4 * 3 && slot_epoch(s) > L->pin)
        edit_trim(L, s, s->degree);
}

static struct tally tally_of(const struct list_out *list, hy_edge *nobodys)
{
    return (struct tally){ .out = list->at ? list->at + list->n : nobodys,
                           .step = list->at != NULL };
}

/* Of what lines of no such kind are counted in, nothing is left to compile. */
HY_INLINE void put_all_back(struct lane *L, struct tally *in, struct tally *out,
                            enum kind kind)
{
    if (kind != DELETES)
        put_back(L, in, false);
    if (kind != INSERTS)
        put_back(L, out, true);
}

/* Lines are done one by one, those of one vertex too: telling runs apart
 * costs a branch that is often wrong.  A line that is not done so ends its
 * vertex's lines together. */
HY_INLINE void lines_as(struct lane *L, size_t lo, size_t end, enum kind kind,
                        enum counts counts)
{
    struct chunk *C = L->chunk;
    const uint64_t *key = L->ops->key;
    const uint64_t pin = L->pin;
    const struct reach reach = L->reach;
    char *blocks = L->core->arena.space.base;
    hy_edge nobodys;
    struct tally in = tally_of(&C->inserted, &nobodys);
    struct tally out = tally_of(&C->deleted, &nobodys);
    struct apply_ahead ahead;
    apply_look_first(L, &reach, &ahead, lo, end);
    for (size_t i = lo; i < end;) {
        const hy_vid u = (hy_vid)(key[i] >> 32);
        struct slot *s = &apply_slots(L, u)[u % PAGE_VERTICES];
        const uint32_t room = slot_units(s) * QUAD;
        hy_vid *id = (hy_vid *)(void *)arena_block(blocks, slot_at(s));
        const bool is_long = i + LONG_RUN < end && key[i + LONG_RUN] >> 32 == u;
        const bool is_seen = pin && room && slot_epoch(s) <= pin;
        const bool deletes =
            kind == DELETES || (kind == MIXES && is_deletion(L->ops, i, end));
        const bool is_odd = kind == MIXES && !is_single(L->ops, i, end);
        apply_look_ahead(L, &reach, &ahead, i, end);
        if (HY_LIKELY(!is_long && !is_odd && !slot_is_hub(s) &&
                      !(deletes && is_seen)) &&
            (deletes
                 ? delete_line(L, &out, s, id, room, key + i, key + end, counts)
                 : insert_line(L, &in, s, id, is_seen ? 0 : room, key + i,
                               key + end, counts))) {
            if (kind == MIXES && is_last(key + i, key + end))
                trim_mixed(L, s);
            i++;
            continue;
        }
        size_t hi = i + 1;
        for (; hi < end && key[hi] >> 32 == u; hi++)
            apply_look_ahead(L, &reach, &ahead, hi, end);
        put_all_back(L, &in, &out, kind);
        if (kind == MIXES)
            apply_run(L, s, u, i, hi);
        else
            plain_run(L, s, u, i, hi);
        in = tally_of(&C->inserted, &nobodys);
        out = tally_of(&C->deleted, &nobodys);
        i = hi;
    }
    put_all_back(L, &in, &out, kind);
}

HY_INLINE void lines_of(struct lane *L, size_t lo, size_t hi, enum kind kind)
{
    if (L->counts_all)
        lines_as(L, lo, hi, kind, COUNTS_ALL);
    else if (L->counts_half)
        lines_as(L, lo, hi, kind, COUNTS_HALF);
    else
        lines_as(L, lo, hi, kind, COUNTS_NONE);
}

HY_INLINE void lines_each(struct lane *L, size_t lo, size_t hi)
{
    if (L->ops->op)
        lines_of(L, lo, hi, MIXES);
    else if (L->ops->all == OP_DELETE)
        lines_of(L, lo, hi, DELETES);
    else
        lines_of(L, lo, hi, INSERTS);
}

static void lines_plain(struct lane *L, size_t lo, size_t hi)
{
    lines_each(L, lo, hi);
}

/* The same in two thirds of the instructions for quads. */
HY_AVX2
static void lines_avx2(struct lane *L, size_t lo, size_t hi)
{
    lines_each(L, lo, hi);
}

void plain_lines(struct lane *L, size_t lo, size_t hi)
{
    if (HY_HAS_AVX2())
        lines_avx2(L, lo, hi);
    else
        lines_plain(L, lo, hi);
}

void plain_chunk(struct lane *L, struct chunk *C)
{
    if (!dense_chunk(L, C))
        plain_lines(L, C->lo, C->hi);
}
