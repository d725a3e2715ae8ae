/* Changing hubs.
 *
 *   Apply(hub, operations)
 *     1 Descend   each branch hands each twig its part of the operations
 *     2 Edit      a leaf is edited in place, copied, or split in two or more
 *     3 Collect   the twigs that came back are the branch's new twigs; too
 *                 many for a page make several branches
 *     4 Settle    several roots get a root above them; a root with one twig
 *                 makes way for it; a hub that shrank is built anew, or
 *                 becomes a block
 *
 * Operations on one neighbour alone are hub_one.c's.
 */
#include "store/hub_impl.h"

enum { SPARSE = 4 }; /* times the pages needed: then a hub is built anew */

/* Twigs of a branch that is made. */
static uint32_t branch_fill(uint32_t level)
{
    return hub_fan(level, false) * 3 / 4;
}

static uint32_t leaf_fill(const struct shape *S)
{
    const uint32_t fill = S->page_room * 3 / 4;
    return fill ? fill : 1;
}

/* ---- bounds ------------------------------------------------------------- */

/* Branches of so many twigs, and those above them. */
static uint64_t branches_made(uint64_t twigs)
{
    return twigs / (branch_fill(0) / 2) + HUB_LEVELS + 1;
}

/* Pages of a hub with `count` entries that is built at once. */
static uint64_t pages_made(const struct shape *S, uint64_t count)
{
    const uint64_t leaves = count / leaf_fill(S) + 1;
    return leaves + branches_made(leaves);
}

/* Pages of what settle() makes once t has left a hub with so many: a block, or
 * the hub anew if they are far more than it needs. */
static uint64_t pages_settled(const struct shape *S, const struct hub_task *t,
                              uint64_t pages)
{
    const uint64_t least = t->degree > t->k ? t->degree - t->k : 0;
    const uint64_t most = pages / SPARSE; /* leaves, if it is built anew */
    const bool is_anew = pages > SPARSE * (least / leaf_fill(S) + 2);
    return 1 + (is_anew ? most + branches_made(most) : 0);
}

/* Pages of what the edits make.  A leaf of at most a page and its share of k is
 * split evenly; so is a branch, however many twigs it has; each operation is
 * below one branch of each level.  Deletions copy what a view sees, and split
 * branches alone, of files of before that are too wide. */
static uint64_t pages_edited(const struct shape *S, const struct hub_task *t)
{
    const uint64_t touched = t->k < t->pages ? t->k : t->pages;
    const uint64_t above =
        touched < t->pages / 8 ? HUB_LEVELS * touched : t->pages;
    if (!t->grows)
        return (t->is_seen ? touched + above : 0) + branches_made(t->pages);
    const uint64_t leaves = 3 * touched + t->k / leaf_fill(S) + 1;
    return leaves + 3 * above + branches_made(t->pages + leaves);
}

struct hub_bound hub_bound(const struct shape *S, const struct hub_task *t)
{
    const uint64_t edited = pages_edited(S, t);
    const uint64_t made =
        edited + (t->pages ? pages_settled(S, t, t->pages + edited)
                           : pages_made(S, t->degree + t->k));
    return (struct hub_bound){ .pages = made, .pieces = 2 * made + t->pages };
}

size_t hub_scratch(const struct shape *S, uint64_t degree, size_t k)
{
    /* A fourth: building anew has the scratch of all levels for its leaves. */
    return 3 * FAN + 2 * (k / leaf_fill(S)) + degree / leaf_fill(S) / 4 + 8;
}

/* ---- pages -------------------------------------------------------------- */

static void drop_page(struct lane *L, uint64_t at, uint64_t birth)
{
    lane_drop(L, piece_of(at, PAGE_UNITS), birth);
    L->hub_pages--;
}

static struct twig describe(const struct twig *t, size_t n)
{
    struct twig sum = { .first = t[0].first };
    for (size_t i = 0; i < n; i++)
        sum.count += t[i].count;
    return sum;
}

static void fill_branch(struct lane *L, struct branch *B, const struct twig *t,
                        size_t n)
{
    B->n = (uint32_t)n;
    for (uint32_t i = 0; i < n; i++)
        branch_set(B, i, t[i]);
    L->chunk->moved += n * sizeof *t;
}

struct twig hub_new_branch(struct lane *L, const struct twig *t, size_t n)
{
    struct twig up = describe(t, n);
    up.at = lane_cut_page(L);
    up.epoch = L->epoch;
    L->hub_pages++;
    lane_mark(L, up.at);
    struct branch *B = hub_branch(L->core->arena.space.base, up.at);
    B->pages = 0;
    fill_branch(L, B, t, n);
    return up;
}

/* Branches of n twigs; `out` may be where the twigs are. */
static size_t make_branches(struct lane *L, uint32_t level,
                            const struct twig *t, size_t n, struct twig *out)
{
    const size_t pieces = bits_div_up(n, branch_fill(level));
    size_t from = 0;
    for (size_t i = 0; i < pieces; i++) {
        const size_t to = n * (i + 1) / pieces;
        out[i] = hub_new_branch(L, t + from, to - from);
        from = to;
    }
    return pieces;
}

/* ---- leaves ------------------------------------------------------------- */

/* `count` entries poured into leaves of even size. */
static size_t pour_leaves(struct lane *L, const char *block, uint32_t room,
                          uint32_t n, const struct edit *e, size_t k,
                          uint32_t count, struct twig *out)
{
    const uint32_t fill = count <= L->S->page_room ? count : leaf_fill(L->S);
    const uint32_t pieces = (count + fill - 1) / fill;
    const uint32_t quota = (count + pieces - 1) / pieces;
    struct pour P = { .L = L, .quota = quota, .n = quota, .leaf = out };
    pour_edited(&P, block, room, 0, n, e, k);
    L->chunk->moved += (uint64_t)count * L->S->width;
    return P.n_leaves;
}

bool hub_split_leaf(struct lane *L, const struct twig *t, const struct edit *e,
                    size_t k, uint32_t count, struct twig out[2])
{
    char *block = lane_block(L, t->at);
    const uint32_t room = L->S->page_room, half = t->count / 2;
    uint32_t lower = half;
    size_t j = 0;
    for (; j < k && e[j].pos < half; j++) {
        lower += e[j].net == NET_INSERT;
        lower -= e[j].net == NET_DELETE;
    }
    if (!lower || lower > room || count <= lower || count - lower > room)
        return false;
    struct pour P = { .L = L, .quota = room, .n = room, .leaf = out + 1 };
    pour_edited(&P, block, room, half, t->count, e + j, k - j);
    L->chunk->moved += (uint64_t)(t->count - half) * L->S->width;
    if (j)
        edit_in_place(L, block, room, half, e, j);
    lane_mark(L, t->at);
    out[0] = *t;
    out[0].first = block_id(L->S, block, 0);
    out[0].count = lower;
    return true;
}

static size_t leaf_apply(struct lane *L, hy_vid u, struct twig t, size_t lo,
                         size_t hi, struct twig *out)
{
    char *block = lane_block(L, t.at);
    const uint32_t room = L->S->page_room;
    /* The end of the block is needed anyway: entries are shifted from there. */
    const hy_vid last = block_id(L->S, block, t.count - 1);
    const struct entries E = { .block = block,
                               .room = room,
                               .n = t.count,
                               .even = spread_of(t.first, last) };
    int64_t change;
    const size_t k = apply_judge(L, u, &E, lo, hi, &change);
    const uint32_t count = (uint32_t)(t.count + change);
    if (count > room && !hub_is_seen(L, t.epoch) &&
        hub_split_leaf(L, &t, L->edit, k, count, out))
        return 2;
    if (k && (hub_is_seen(L, t.epoch) || count > room || !count)) {
        size_t n = 0;
        if (count)
            n = pour_leaves(L, block, room, t.count, L->edit, k, count, out);
        drop_page(L, t.at, t.epoch);
        return n;
    }
    if (k) {
        edit_in_place(L, block, room, t.count, L->edit, k);
        lane_mark(L, t.at);
        t.count = count;
        t.first = block_id(L->S, block, 0);
    }
    *out = t;
    return 1;
}

/* ---- branches ----------------------------------------------------------- */

/* The first operation from lo on whose neighbour is not below v. */
static size_t ops_until(const struct ops *O, size_t lo, size_t hi, hy_vid v)
{
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if ((hy_vid)O->key[middle] < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static size_t branch_apply(struct lane *L, hy_vid u, uint32_t level,
                           struct twig t, size_t lo, size_t hi,
                           struct twig *out);

static size_t twig_apply(struct lane *L, hy_vid u, uint32_t level,
                         struct twig t, size_t lo, size_t hi, struct twig *out)
{
    return level ? branch_apply(L, u, level - 1, t, lo, hi, out)
                 : leaf_apply(L, u, t, lo, hi, out);
}

/* Hands every twig its operations; returns the new twigs in `list`. */
static size_t descend(struct lane *L, hy_vid u, uint32_t level,
                      const struct branch *B, size_t lo, size_t hi,
                      struct twig *list)
{
    size_t n = 0;
    for (uint32_t i = 0; i < B->n; i++) {
        const size_t end =
            i + 1 < B->n ? ops_until(L->ops, lo, hi, B->first[i + 1]) : hi;
        if (lo < end)
            n += twig_apply(L, u, level, branch_twig(B, i), lo, end, list + n);
        else
            list[n++] = branch_twig(B, i);
        lo = end;
    }
    return n;
}

/* The branch's page with new twigs, or several if they are too many. */
static size_t collect(struct lane *L, uint32_t level, struct twig t,
                      const struct twig *list, size_t n, struct twig *out)
{
    struct branch *B = hub_branch(L->core->arena.space.base, t.at);
    const uint32_t fan = hub_fan(level, level == L->hub_levels);
    if (n && n <= fan && !hub_is_seen(L, t.epoch)) {
        const struct twig sum = describe(list, n);
        fill_branch(L, B, list, n);
        lane_mark(L, t.at);
        t.first = sum.first;
        t.count = sum.count;
        *out = t;
        return 1;
    }
    size_t made = 0;
    if (n && n <= fan) {
        *out = hub_new_branch(L, list, n);
        made = 1;
    } else if (n) {
        made = make_branches(L, level, list, n, out);
    }
    drop_page(L, t.at, t.epoch);
    return made;
}

static bool is_same(const struct twig *a, const struct twig *b)
{
    return a->at == b->at && a->count == b->count && a->first == b->first;
}

static size_t branch_apply(struct lane *L, hy_vid u, uint32_t level,
                           struct twig t, size_t lo, size_t hi,
                           struct twig *out)
{
    struct branch *B = hub_branch(L->core->arena.space.base, t.at);
    struct twig *list = L->twig + (size_t)level * L->twig_room;
    const uint32_t c = branch_find(B, (hy_vid)L->ops->key[lo]);
    const bool is_one =
        c + 1 == B->n || (hy_vid)L->ops->key[hi - 1] < B->first[c + 1];
    if (!is_one)
        return collect(L, level, t, list, descend(L, u, level, B, lo, hi, list),
                       out);

    /* All below one twig, which mostly comes back as one: no list. */
    const struct twig before = branch_twig(B, c);
    size_t n = twig_apply(L, u, level, before, lo, hi, list);
    if (n == 1 && (is_same(&before, list) || !hub_is_seen(L, t.epoch))) {
        if (!hub_is_seen(L, t.epoch)) {
            branch_set(B, c, *list);
            lane_mark(L, t.at);
        }
        t.count += list->count - before.count;
        t.first = c ? t.first : list->first;
        *out = t;
        return 1;
    }
    memmove(list + c, list, n * sizeof *list);
    for (uint32_t i = 0; i < c; i++)
        list[i] = branch_twig(B, i);
    n += c;
    for (uint32_t i = c + 1; i < B->n; i++)
        list[n++] = branch_twig(B, i);
    return collect(L, level, t, list, n, out);
}

/* ---- the hub of a vertex ------------------------------------------------ */

static void set_root(struct lane *L, struct slot *s, struct twig root,
                     uint32_t levels)
{
    struct branch *B = hub_branch(L->core->arena.space.base, root.at);
    while (B->n == 1 && levels) {
        drop_page(L, root.at, root.epoch);
        root = branch_twig(B, 0);
        levels--;
        B = hub_branch(L->core->arena.space.base, root.at);
    }
    if (hub_is_seen(L, root.epoch)) {
        const struct twig before = root;
        for (uint32_t i = 0; i < B->n; i++)
            L->twig[i] = branch_twig(B, i);
        root = hub_new_branch(L, L->twig, B->n);
        B = hub_branch(L->core->arena.space.base, root.at);
        drop_page(L, before.at, before.epoch);
    }
    B->pages = L->hub_pages;
    lane_mark(L, root.at);
    slot_set(s, root.at, levels, true, root.epoch);
}

/* Puts branches above n twigs until one is left: the root.  `levels` are
 * those below a branch of these twigs. */
static void plant(struct lane *L, struct slot *s, struct twig *t, size_t n,
                  uint32_t levels)
{
    for (; n > hub_fan(levels, true); levels++)
        n = make_branches(L, levels, t, n, t);
    set_root(L, s, hub_new_branch(L, t, n), levels);
}

void hub_plant(struct lane *L, struct slot *s, struct twig *leaf, size_t n)
{
    plant(L, s, leaf, n, 0);
}

uint32_t hub_leaf_loaded(const struct shape *S)
{
    /* Full leaves side by side are one span (view.c); each splits at its
     * first insertion, unless slack is asked for. */
    uint64_t fill = S->page_room;
    if (S->slack == HY_SLACK_EVEN)
        fill -= fill / 8;
    if (S->slack == HY_SLACK_RATIO)
        fill = fill * 100 / (100 + S->slack_amount);
    return fill ? (uint32_t)fill : 1;
}

uint64_t hub_pages_loaded(const struct shape *S, uint32_t degree)
{
    uint64_t n = bits_div_up(degree, hub_leaf_loaded(S)), pages = n + 1;
    for (uint32_t level = 0; n > hub_fan(level, true); level++) {
        n = bits_div_up(n, branch_fill(level));
        pages += n;
    }
    return pages;
}

void hub_make(struct lane *L, struct slot *s, const char *block, uint32_t room,
              uint32_t n, const struct edit *e, size_t k, uint32_t count)
{
    L->hub_pages = 0;
    const size_t leaves = pour_leaves(L, block, room, n, e, k, count, L->twig);
    hub_plant(L, s, L->twig, leaves);
}

/* Drops every page of the hub, leaf by leaf into P, branches with them. */
static void drain(struct lane *L, const struct twig *t, uint32_t level,
                  struct pour *P)
{
    const struct branch *B = hub_branch(L->core->arena.space.base, t->at);
    for (uint32_t i = 0; i < B->n; i++) {
        const struct twig child = branch_twig(B, i);
        if (level) {
            drain(L, &child, level - 1, P);
            continue;
        }
        pour_copy(P, lane_block(L, child.at), L->S->page_room, 0, child.count);
        drop_page(L, child.at, child.epoch);
    }
    drop_page(L, t->at, t->epoch);
}

static struct twig root_of(const struct slot *s)
{
    return (struct twig){ .at = slot_at(s), .epoch = slot_epoch(s) };
}

static void become_block(struct lane *L, struct slot *s, uint32_t n)
{
    const struct twig root = root_of(s);
    uint32_t units = shape_units_grown(L->S, n);
    const uint64_t at = lane_cut(L, &units);
    const uint32_t room = shape_room(L->S, units);
    struct pour P = {
        .L = L, .block = lane_block(L, at), .room = room, .quota = room
    };
    drain(L, &root, slot_units(s), &P);
    L->chunk->moved += (uint64_t)n * L->S->width;
    slot_set(s, at, units, false, L->epoch);
}

static void rebuild(struct lane *L, struct slot *s, uint32_t n)
{
    const struct twig root = root_of(s);
    const uint32_t quota = leaf_fill(L->S);
    struct pour P = { .L = L, .quota = quota, .n = quota, .leaf = L->twig };
    drain(L, &root, slot_units(s), &P);
    L->chunk->moved += (uint64_t)n * L->S->width;
    hub_plant(L, s, L->twig, P.n_leaves);
}

static bool is_few(const struct shape *S, uint32_t n)
{
    return n <= S->page_room / 2;
}

static bool is_sparse(const struct shape *S, uint64_t pages, uint32_t n)
{
    const uint64_t needed = n / leaf_fill(S) + 1;
    return pages > SPARSE * (needed + 1);
}

bool hub_stays(const struct shape *S, uint64_t pages, uint32_t n)
{
    return !is_few(S, n) && !is_sparse(S, pages, n);
}

static void settle(struct lane *L, struct slot *s, uint32_t n)
{
    if (is_few(L->S, n))
        become_block(L, s, n);
    else if (is_sparse(L->S, L->hub_pages, n))
        rebuild(L, s, n);
    s->degree = n;
}

void hub_apply(struct lane *L, hy_vid u, struct slot *s, size_t lo, size_t hi)
{
    const uint32_t levels = slot_units(s);
    struct twig root = root_of(s);
    const struct branch *B = hub_branch(L->core->arena.space.base, root.at);
    root.count = s->degree;
    L->hub_pages = B->pages;
    L->hub_levels = levels;
    const hy_vid first = (hy_vid)L->ops->key[lo];
    uint32_t count;
    if ((hy_vid)L->ops->key[hi - 1] == first &&
        hub_one(L, u, s, lo, hi, &count)) {
        if (count != s->degree)
            settle(L, s, count);
        return;
    }
    struct twig *out = L->twig + (HUB_SCRATCH_LEVELS - 1) * L->twig_room;
    const uint32_t pages = L->hub_pages;
    const size_t n = branch_apply(L, u, levels, root, lo, hi, out);
    if (!n) {
        slot_set(s, 0, 0, false, 0);
        s->degree = 0;
        return;
    }
    count = describe(out, n).count;
    if (n == 1 && out->at == root.at && count == s->degree &&
        pages == L->hub_pages)
        return; /* as it was, or columns changed in place */
    if (n == 1)
        set_root(L, s, *out, levels);
    else
        plant(L, s, out, n, levels + 1);
    settle(L, s, count);
}
