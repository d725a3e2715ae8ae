/* One neighbour of a hub, in place: no more than a page is moved.
 *
 *   Put(v)
 *     1 Descend   to the leaf of v, noting the way
 *     2 Leaf      if it has room, what is behind v goes up by one; else, if v
 *                 is in its upper half, that half becomes a leaf of its own;
 *                 else what is before v goes down by one, and the first entry
 *                 to the leaf before, or to a new one
 *     3 Branches  a new leaf is one twig more in its branch: the same again,
 *                 level by level
 *
 * So the shorter part moves: half a page of entries in the leaf, half of the
 * twigs in each branch that is full, and once up to all of a branch that is
 * not.  With narrow branches (hub_impl.h) that is less than a page for a hub
 * of 10^6 neighbours, however they came.
 */
#include "store/hub_impl.h"

enum { NOTES = 64 }; /* bytes at most that say of each branch what is below */

/* A branch on the way, and which of its twigs was taken. */
struct step {
    struct branch *B;
    uint64_t at, epoch;
    uint32_t i;
};

struct one {
    struct lane *L;
    uint32_t levels; /* below the root */
    struct step step[HUB_LEVELS + 1];
};

static struct branch *branch_at(const struct lane *L, uint64_t at)
{
    return hub_branch(L->core->arena.space.base, at);
}

/* ---- 1 the way ---------------------------------------------------------- */

/* False: a view sees a page of it.  *end is as for hub_leaf. */
static bool descend(struct one *O, const struct slot *s, hy_vid v,
                    struct twig *leaf, uint64_t *end)
{
    struct twig t = { .at = slot_at(s), .epoch = slot_epoch(s) };
    for (uint32_t d = 0; d <= O->levels; d++) {
        struct branch *B = branch_at(O->L, t.at);
        if (hub_is_seen(O->L, t.epoch))
            return false;
        O->step[d] = (struct step){
            .B = B, .at = t.at, .epoch = t.epoch, .i = branch_find(B, v)
        };
        t = branch_twig(B, O->step[d].i);
        *end = branch_end(B, O->step[d].i, *end);
    }
    *leaf = t;
    return !hub_is_seen(O->L, t.epoch);
}

/* Says in the branches above step d what is below it. */
static void note_above(struct one *O, uint32_t d, int32_t change)
{
    for (; d; d--) {
        const struct step *up = &O->step[d - 1];
        up->B->count[up->i] += (uint32_t)change;
        up->B->first[up->i] = O->step[d].B->first[0];
        lane_mark(O->L, up->at);
        O->L->chunk->moved += sizeof(hy_vid) + sizeof(uint32_t);
    }
}

static void note_leaf(struct one *O, hy_vid first, int32_t change)
{
    const struct step *low = &O->step[O->levels];
    low->B->count[low->i] += (uint32_t)change;
    low->B->first[low->i] = first;
    lane_mark(O->L, low->at);
    O->L->chunk->moved += sizeof(hy_vid) + sizeof(uint32_t);
}

/* ---- 3 branches --------------------------------------------------------- */

/* Moves n twigs, `first` to `at`. */
static void shift_twigs(struct one *O, const struct step *p, uint32_t at,
                        uint32_t first, uint32_t n)
{
    struct branch *B = p->B;
    memmove(B->first + at, B->first + first, n * sizeof *B->first);
    memmove(B->count + at, B->count + first, n * sizeof *B->count);
    memmove(B->at + at, B->at + first, n * sizeof *B->at);
    memmove(B->epoch + at, B->epoch + first, n * sizeof *B->epoch);
    lane_mark(O->L, p->at);
    O->L->chunk->moved += n * sizeof(struct twig);
}

static void set_twig(struct one *O, const struct step *p, uint32_t i,
                     struct twig t)
{
    branch_set(p->B, i, t);
    lane_mark(O->L, p->at);
    O->L->chunk->moved += sizeof t;
}

static struct twig describe(const struct step *p)
{
    struct twig t = { .at = p->at, .epoch = p->epoch, .first = p->B->first[0] };
    for (uint32_t i = 0; i < p->B->n; i++)
        t.count += p->B->count[i];
    return t;
}

/* A root above the root. */
static void grow(struct one *O)
{
    const struct twig below = describe(&O->step[0]);
    const struct twig root = hub_new_branch(O->L, &below, 1);
    O->levels++;
    memmove(O->step + 1, O->step, O->levels * sizeof *O->step);
    O->step[0] = (struct step){ .B = branch_at(O->L, root.at),
                                .at = root.at,
                                .epoch = root.epoch };
}

/* The upper half of a branch becomes one of its own, with t at place i. */
static struct twig split_branch(struct one *O, const struct step *p,
                                struct twig t, uint32_t i)
{
    struct twig *list = O->L->twig;
    const uint32_t half = p->B->n / 2, n = p->B->n;
    size_t k = 0;
    for (uint32_t from = half; from < n; from++) {
        if (from == i)
            list[k++] = t;
        list[k++] = branch_twig(p->B, from);
    }
    if (i == n)
        list[k++] = t;
    p->B->n = half;
    return hub_new_branch(O->L, list, k);
}

/* Puts t at place i of a branch, whose first twig makes way for it. */
static struct twig push_down(struct one *O, const struct step *p, struct twig t,
                             uint32_t i)
{
    if (!i)
        return t;
    const struct twig first = branch_twig(p->B, 0);
    shift_twigs(O, p, 0, 1, i - 1);
    set_twig(O, p, i - 1, t);
    return first;
}

/* Appends t to the branch before that of step d, if it is there below the
 * same one, has room and no view sees it. */
static bool append_before(struct one *O, uint32_t d, struct twig t)
{
    const struct step *up = &O->step[d - 1];
    if (!up->i)
        return false;
    const struct twig before = branch_twig(up->B, up->i - 1);
    struct branch *B = branch_at(O->L, before.at);
    if (hub_is_seen(O->L, before.epoch) ||
        B->n >= hub_fan(O->levels - d, false))
        return false;
    const struct step p = { .B = B, .at = before.at };
    set_twig(O, &p, B->n++, t);
    up->B->count[up->i - 1] += t.count;
    return true;
}

/* Puts t at place i of the branch of step d; one entry is new below it. */
static void put_twig(struct one *O, uint32_t d, struct twig t, uint32_t i)
{
    struct branch *B = O->step[d].B;
    while (B->n >= hub_fan(O->levels - d, !d)) {
        if (!d) {
            grow(O);
            d = 1;
        }
        const struct step *p = &O->step[d], *up = p - 1;
        const bool is_upper = i >= B->n / 2;
        t = is_upper ? split_branch(O, p, t, i) : push_down(O, p, t, i);
        set_twig(O, up, up->i, describe(p));
        if (!is_upper) {
            if (append_before(O, d, t)) {
                note_above(O, d - 1, 1);
                return;
            }
            t = hub_new_branch(O->L, &t, 1);
        }
        d--;
        i = up->i + is_upper;
        B = O->step[d].B;
    }
    shift_twigs(O, &O->step[d], i + 1, i, B->n - i);
    set_twig(O, &O->step[d], i, t);
    B->n++;
    note_above(O, d, 1);
}

/* ---- 2 the leaf --------------------------------------------------------- */

/* Appends entry 0 of a leaf, or the edit's if it comes before that, to the
 * leaf before it; false: that has no room. */
static bool append_entry(struct one *O, const char *block, const struct edit *e)
{
    struct lane *L = O->L;
    const struct step *low = &O->step[O->levels];
    const uint32_t room = L->S->page_room;
    if (!low->i || !e->pos)
        return false;
    const struct twig before = branch_twig(low->B, low->i - 1);
    if (hub_is_seen(L, before.epoch) || before.count == room)
        return false;
    block_copy(L->S, lane_block(L, before.at), room, before.count, block, room,
               0, 1);
    low->B->count[low->i - 1]++;
    lane_mark(L, before.at);
    return true;
}

/* The same as a leaf of its own. */
static struct twig new_leaf(struct one *O, const char *block,
                            const struct edit *e)
{
    struct lane *L = O->L;
    struct twig t = { 0 };
    const uint32_t room = L->S->page_room;
    struct pour P = { .L = L, .quota = room, .n = room, .leaf = &t };
    if (e->pos)
        pour_copy(&P, block, room, 0, 1);
    else
        pour_edited(&P, block, room, 0, 0, e, 1);
    return t;
}

/* Entries before the edit go down by one, to make way for it. */
static void push_entries(struct one *O, const struct twig *leaf,
                         const struct edit *e)
{
    struct lane *L = O->L;
    char *block = lane_block(L, leaf->at);
    const uint32_t room = L->S->page_room;
    const struct step *low = &O->step[O->levels];
    struct twig t = { 0 };
    const bool is_appended = append_entry(O, block, e);
    if (!is_appended)
        t = new_leaf(O, block, e);
    if (e->pos) {
        block_shift(L->S, block, room, 0, 1, e->pos - 1);
        block_put(L->S, block, room, e->pos - 1, e->v, e->values);
        lane_mark(L, leaf->at);
    }
    L->chunk->moved += (uint64_t)e->pos * L->S->width;
    note_leaf(O, block_id(L->S, block, 0), 0);
    if (is_appended)
        note_above(O, O->levels, 1);
    else
        put_twig(O, O->levels, t, low->i);
}

static void put_entry(struct one *O, const struct twig *leaf,
                      const struct edit *e)
{
    struct lane *L = O->L;
    struct twig out[2];
    const struct step *low = &O->step[O->levels];
    if (e->pos < leaf->count / 2 ||
        !hub_split_leaf(L, leaf, e, 1, leaf->count + 1, out)) {
        push_entries(O, leaf, e);
        return;
    }
    set_twig(O, low, low->i, out[0]);
    put_twig(O, O->levels, out[1], low->i + 1);
}

/* Whether the leaf takes the edit as it is, and no more than a page moves. */
static bool has_room(const struct lane *L, const struct twig *leaf,
                     const struct edit *e)
{
    if (e->net != NET_INSERT)
        return true;
    const uint64_t behind = (uint64_t)(leaf->count - e->pos) * L->S->width;
    return leaf->count < L->S->page_room && behind + NOTES <= PAGE_BYTES;
}

bool hub_one(struct lane *L, hy_vid u, struct slot *s, size_t lo, size_t hi,
             uint32_t *count)
{
    struct one O = { .L = L, .levels = slot_units(s) };
    struct twig leaf;
    uint64_t end = L->G->now.bound;
    if (!descend(&O, s, (hy_vid)L->ops->key[lo], &leaf, &end) || leaf.count < 2)
        return false;
    char *block = lane_block(L, leaf.at);
    const uint32_t room = L->S->page_room;
    const struct entries E = { .block = block,
                               .room = room,
                               .n = leaf.count,
                               .even = spread_of(leaf.first, end) };
    int64_t change;
    *count = s->degree;
    if (!apply_judge(L, u, &E, lo, hi, &change))
        return true;
    *count += (uint32_t)change;
    if (has_room(L, &leaf, L->edit)) {
        edit_in_place(L, block, room, leaf.count, L->edit, 1);
        lane_mark(L, leaf.at);
        note_leaf(&O, block_id(L->S, block, 0), (int32_t)change);
        note_above(&O, O.levels, (int32_t)change);
        return true;
    }
    put_entry(&O, &leaf, L->edit);
    O.step[0].B->pages = L->hub_pages;
    lane_mark(L, O.step[0].at);
    slot_set(s, O.step[0].at, O.levels, true, O.step[0].epoch);
    return true;
}
