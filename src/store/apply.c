/* Operations judged and carried out, vertex by vertex. */
#include "store/ahead.h"

/* ---- judging one edge --------------------------------------------------- */

static const char zeros[MAX_COLUMNS * 8];

static inline void list_put(struct list_out *list, const struct shape *S,
                            hy_vid u, hy_vid v, const char *values,
                            const char *old)
{
    if (!list->at)
        return;
    list->at[list->n] = (hy_edge){ .u = u, .v = v };
    const size_t size = S->edge.size;
    if (HY_LIKELY(!size)) {
        list->n++;
        return;
    }
    record_copy(list->values + list->n * size, values ? values : zeros, size);
    if (old && list->old)
        record_copy(list->old + list->n * size, old, size);
    list->n++;
}

/* Puts what became of a counted edge into the delta. */
static inline void tell(struct lane *L, hy_vid u, hy_vid v, enum net net,
                        const char *values)
{
    struct chunk *C = L->chunk;
    switch (net) {
    case NET_INSERT:
        C->edges++;
        list_put(&C->inserted, L->S, u, v, values, NULL);
        break;
    case NET_DELETE:
        C->edges--;
        list_put(&C->deleted, L->S, u, v, L->old, NULL);
        break;
    case NET_UPDATE:
        list_put(&C->updated, L->S, u, v, values, L->old);
        break;
    case NET_NONE:
        break;
    }
}

/* So many lines do the same thing to the same edge, without values. */
static inline enum net judge_plain(struct lane *L, bool present, size_t lines,
                                   bool counted)
{
    hy_counts *c = counted ? &L->chunk->counts : &L->uncounted;
    if (L->ops->all == OP_DELETE) {
        c->deleted += present;
        c->missing += lines - present;
        return present ? NET_DELETE : NET_NONE;
    }
    c->inserted += !present;
    c->duplicate += lines - !present;
    return present ? NET_NONE : NET_INSERT;
}

/* One edge as the lines of a batch see it. */
struct state {
    bool present;
    const char *values;
};

static void step(struct lane *L, struct state *e, enum op op,
                 const char *values, hy_counts *c)
{
    switch (op) {
    case OP_INSERT:
    case OP_INSERT_BARE:
        if (!e->present) {
            c->inserted++;
            *e = (struct state){ true, values };
            break;
        }
        if (op == OP_INSERT_BARE) {
            c->duplicate++;
            break;
        }
        /* fall through */
    case OP_UPDATE:
        if (!e->present) {
            c->missing++;
        } else if (record_differs(&L->S->edge, e->values, values)) {
            c->updated++;
            e->values = values;
        } else {
            c->duplicate++;
        }
        break;
    case OP_DELETE:
        c->deleted += e->present;
        c->missing += !e->present;
        e->present = false;
        break;
    case OP_KILL:
        c->detached += e->present;
        e->present = false;
        break;
    case OP_INSERT_VERTEX:
    case OP_DELETE_VERTEX:
        break;
    }
}

static uint32_t time_of(const struct ops *O, uint32_t tag)
{
    return tag < O->n_lines ? tag : O->kill_time[tag - O->n_lines];
}

/* Lets tag i of a heap of n sink to its place; latest on top. */
static void sink(const struct ops *O, uint32_t *tag, size_t i, size_t n)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n &&
            time_of(O, tag[child]) < time_of(O, tag[child + 1]))
            child++;
        if (time_of(O, tag[i]) >= time_of(O, tag[child]))
            return;
        const uint32_t t = tag[i];
        tag[i] = tag[child];
        tag[child] = t;
    }
}

/* Kills were added behind the lines: puts them where they belong in time. */
static void order_by_time(const struct ops *O, size_t g, size_t h)
{
    uint32_t *tag = O->tag + g;
    size_t n = h - g;
    for (size_t i = n / 2; i-- > 0;)
        sink(O, tag, i, n);
    while (n > 1) {
        const uint32_t t = tag[0];
        tag[0] = tag[--n];
        tag[n] = t;
        sink(O, tag, 0, n);
    }
}

/* Lines g..h-1 of one edge, in order; its old columns are in L->old. */
static enum net judge_lines(struct lane *L, bool present, size_t g, size_t h,
                            bool counted, const char **values)
{
    const struct ops *O = L->ops;
    hy_counts *c = counted ? &L->chunk->counts : &L->uncounted;
    if (O->kill_time && h - g > 1)
        order_by_time(O, g, h);
    struct state e = { present, L->old };
    for (size_t i = g; i < h; i++) {
        const uint32_t tag = O->tag[i];
        enum op op = O->all;
        if (tag >= O->n_lines)
            op = OP_KILL;
        else if (O->op)
            op = (enum op)O->op[tag];
        const bool has_values =
            O->values && (op == OP_INSERT || op == OP_UPDATE);
        step(L, &e, op, has_values ? O->values + tag * L->S->edge.size : zeros,
             c);
    }
    *values = e.values;
    if (!present || !e.present)
        return present == e.present ? NET_NONE
               : present            ? NET_DELETE
                                    : NET_INSERT;
    return record_differs(&L->S->edge, L->old, e.values) ? NET_UPDATE
                                                         : NET_NONE;
}

/* ---- judging a block ---------------------------------------------------- */

size_t apply_judge(struct lane *L, hy_vid u, const struct entries *E, size_t lo,
                   size_t hi, int64_t *change)
{
    const char *block = E->block;
    const uint32_t n = E->n;
    const struct ops *O = L->ops;
    const struct shape *S = L->S;
    size_t k = 0;
    uint32_t pos = 0;
    *change = 0;
    for (size_t g = lo, h; g < hi; g = h) {
        const hy_vid v = (hy_vid)O->key[g];
        for (h = g + 1; h < hi && (hy_vid)O->key[h] == v; h++)
            ;
        pos = block_search(S, block, pos, n, v, E->even);
        const bool present = pos < n && block_id(S, block, pos) == v;
        const bool counted = lane_counts(L, u, v);
        const char *values = NULL;
        if (present && S->edge.n)
            block_get(S, block, E->room, pos, L->old);
        const enum net net =
            O->tag ? judge_lines(L, present, g, h, counted, &values)
                   : judge_plain(L, present, h - g, counted);
        if (net == NET_NONE)
            continue;
        if (counted)
            tell(L, u, v, net, values);
        *change += (net == NET_INSERT) - (net == NET_DELETE);
        L->edit[k++] =
            (struct edit){ .values = values, .pos = pos, .v = v, .net = net };
    }
    return k;
}

/* ---- a vertex ----------------------------------------------------------- */

void apply_run(struct lane *L, struct slot *s, hy_vid u, size_t lo, size_t hi)
{
    const uint32_t before = s->degree;
    if (HY_UNLIKELY(slot_is_hub(s))) {
        hub_apply(L, u, s, lo, hi);
    } else {
        int64_t change;
        const struct entries E = { .block = lane_block(L, slot_at(s)),
                                   .room = shape_room(L->S, slot_units(s)),
                                   .n = before,
                                   .even = L->even };
        const size_t k = apply_judge(L, u, &E, lo, hi, &change);
        if (k)
            edit_block(L, s, L->edit, k, (uint32_t)(before + change));
    }
    L->chunk->arcs += (int64_t)s->degree - before;
}

/* ---- a chunk ------------------------------------------------------------ */

static bool is_plain(const struct lane *L)
{
    const struct ops *O = L->ops;
    return shape_is_simple(L->S) && !O->kill_time &&
           (O->op || O->all != OP_UPDATE);
}

void apply_chunk(struct lane *L, struct chunk *C)
{
    const uint64_t *key = L->ops->key;
    L->chunk = C;
    L->reach = view_reach(&L->G->now, L->ops->side);
    L->drop = (struct drop *)L->G->work.drop.at + C->drop_at;
    L->pages = (uint32_t *)L->G->work.pages.at + C->page_at;
    L->dir_index = UINT32_MAX;
    if (is_plain(L)) {
        plain_chunk(L, C);
        return;
    }
    struct apply_ahead ahead;
    apply_look_first(L, &L->reach, &ahead, C->lo, C->hi);
    for (size_t lo = C->lo, hi; lo < C->hi; lo = hi) {
        const hy_vid u = (hy_vid)(key[lo] >> 32);
        hi = lo;
        do {
            apply_look_ahead(L, &L->reach, &ahead, hi, C->hi);
            hi++;
        } while (hi < C->hi && key[hi] >> 32 == u);
        struct slot *s = &apply_slots(L, u)[u % PAGE_VERTICES];
        apply_run(L, s, u, lo, hi);
    }
}
