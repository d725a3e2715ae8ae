/* Alive ids, free ids, external ids. */
#include "store/ids.h"

#include "base/atomic.h"
#include "par/par.h"

#include <hypha/batch.h>

#include <stdatomic.h>
#include <string.h>

enum {
    DIRECT_LEAST = 1 << 10, /* ids: so few are never hashed */
    DIRECT_WIDTH = 34,      /* of the greatest limit: 4 x all vertices */
    DIRECT_SHARE = 4,       /* of the limit that is in use */
    SHRINK = 8,             /* times less would do: then less is made */
    MAP_LEAST = 64,
    FILL_GRAIN = 1 << 14
};

/* ---- memory ------------------------------------------------------------- */

static bool is_of_image(const struct ids *I, const void *p)
{
    const uintptr_t at = (uintptr_t)p, base = (uintptr_t)I->image.base;
    return at >= base && at - base < I->image.usable;
}

static void drop(hy_ctx *ctx, const struct ids *I, void *p)
{
    if (!is_of_image(I, p))
        base_free(ctx, p);
}

/* An array of n items, and its first `kept` of before; NULL: it stays. */
static void *grow(hy_ctx *ctx, const struct ids *I, void *p, size_t kept,
                  size_t n, size_t size)
{
    if (!is_of_image(I, p))
        return base_resize(ctx, p, n, size);
    void *grown = base_alloc_raw(ctx, n, size);
    if (grown)
        memcpy(grown, p, kept * size);
    return grown;
}

void ids_fini(hy_ctx *ctx, struct ids *I)
{
    drop(ctx, I, I->alive);
    drop(ctx, I, I->queued);
    drop(ctx, I, I->queue);
    drop(ctx, I, I->direct);
    drop(ctx, I, I->map);
    base_space_fini(ctx, &I->image);
    *I = (struct ids){ 0 };
}

uint64_t ids_bytes(const struct ids *I)
{
    return 2 * I->words * sizeof *I->alive + I->queue_room * sizeof *I->queue +
           I->direct_room * sizeof *I->direct + I->map_room * sizeof *I->map;
}

static size_t sets_room(const struct ids *I, uint64_t bound)
{
    const size_t words = bits_words(bound);
    return words <= I->words ? I->words : words + words / 8;
}

static size_t queue_room(const struct ids *I, size_t more)
{
    const size_t need = I->n_queued + more;
    return need <= I->queue_room ? I->queue_room : 2 * need;
}

/* What direct array and map should be. */
struct ids_plan {
    uint64_t limit, direct_room;
    size_t map_room;
};

uint64_t ids_limit(const struct ids_widths *W)
{
    uint64_t below = 0, limit = DIRECT_LEAST;
    for (unsigned w = 0; w <= DIRECT_WIDTH; w++) {
        below += W->n[w];
        if (below >= ((uint64_t)1 << w) / DIRECT_SHARE && limit >> w == 0)
            limit = (uint64_t)1 << w;
    }
    return limit;
}

static size_t map_room_for(const struct ids *I, uint64_t hashed)
{
    const size_t need = hashed * 8 / 5 + 1;
    size_t room = I->map_room ? I->map_room : hashed ? MAP_LEAST : 0;
    if (room > MAP_LEAST && room / SHRINK >= need)
        room = MAP_LEAST;
    while (hashed && room < need)
        room *= 2;
    return room;
}

static struct ids_plan plan_map(const struct ids *I,
                                const struct ids_widths *coming)
{
    struct ids_plan P = { I->limit, I->direct_room, I->map_room };
    struct ids_widths all = I->widths;
    uint64_t fresh = 0, end = 0, hashed = 0;
    for (unsigned w = 0; coming && w < IDS_WIDTHS; w++) {
        fresh += coming->n[w];
        all.n[w] += coming->n[w];
        if (coming->most[w] > all.most[w])
            all.most[w] = coming->most[w];
    }
    if (!fresh)
        return P;
    const uint64_t limit = ids_limit(&all);
    if (limit > I->limit || limit * SHRINK <= I->limit)
        P.limit = limit;
    for (unsigned w = 0; w < IDS_WIDTHS; w++)
        if (w >= bits_width(P.limit))
            hashed += all.n[w];
        else if (all.n[w])
            end = all.most[w] + 1; /* ascending with w */
    if (end > P.direct_room)
        P.direct_room = end + end / 8 < P.limit ? end + end / 8 : P.limit;
    if (P.limit < I->limit)
        P.direct_room = end;
    P.map_room = map_room_for(I, hashed);
    return P;
}

uint64_t ids_growth(const struct ids *I, uint64_t bound, size_t queue,
                    const struct ids_widths *coming)
{
    const struct ids_plan P = plan_map(I, coming);
    uint64_t bytes = (sets_room(I, bound) - I->words) * 2 * sizeof *I->alive +
                     (queue_room(I, queue) - I->queue_room) * sizeof *I->queue;
    if (P.direct_room > I->direct_room)
        bytes += (P.direct_room - I->direct_room) * sizeof *I->direct;
    if (P.map_room > I->map_room)
        bytes += (P.map_room - I->map_room) * sizeof *I->map;
    return bytes;
}

static hy_status grow_sets(hy_ctx *ctx, struct ids *I, uint64_t bound)
{
    const size_t words = sets_room(I, bound);
    if (words == I->words)
        return HY_OK;
    uint64_t *alive = grow(ctx, I, I->alive, I->words, words, sizeof *alive);
    if (!alive)
        return HY_ENOMEM;
    I->alive = alive;
    uint64_t *queued = grow(ctx, I, I->queued, I->words, words, sizeof *queued);
    if (!queued)
        return HY_ENOMEM;
    I->queued = queued;
    memset(alive + I->words, 0, (words - I->words) * sizeof *alive);
    memset(queued + I->words, 0, (words - I->words) * sizeof *queued);
    I->words = words;
    return HY_OK;
}

static hy_status grow_queue(hy_ctx *ctx, struct ids *I, size_t more)
{
    const size_t room = queue_room(I, more);
    if (room == I->queue_room)
        return HY_OK;
    hy_vid *queue = base_alloc_raw(ctx, room, sizeof *queue);
    if (!queue)
        return HY_ENOMEM;
    for (size_t i = 0; i < I->n_queued; i++)
        queue[i] = I->queue[(I->head + i) % I->queue_room];
    drop(ctx, I, I->queue);
    I->queue = queue;
    I->queue_room = room;
    I->head = 0;
    return HY_OK;
}

static void put_hashed(struct ids *I, uint64_t external, hy_vid u)
{
    size_t i = ids_home(I, external);
    while (I->map[i].vertex != HY_NONE)
        i = (i + 1) & (I->map_room - 1);
    I->map[i] = (struct ids_entry){ .external = external, .vertex = u };
    I->n_hashed++;
}

/* Puts what is mapped into its place under the new limit. */
static void deal(const struct ids *from, struct ids *to)
{
    const uint64_t both = from->direct_room < to->direct_room
                              ? from->direct_room
                              : to->direct_room;
    if (both && from->direct != to->direct)
        memcpy(to->direct, from->direct, both * sizeof *to->direct);
    for (uint64_t x = to->direct_room; x < from->direct_room; x++)
        if (from->direct[x])
            put_hashed(to, x, from->direct[x] - 1);
    for (size_t i = 0; i < from->map_room; i++) {
        const struct ids_entry *e = &from->map[i];
        if (e->vertex == HY_NONE)
            continue;
        if (e->external < to->limit)
            to->direct[e->external] = e->vertex + 1;
        else
            put_hashed(to, e->external, e->vertex);
    }
}

/* The direct array alone grows: the usual case. */
static hy_status grow_direct(hy_ctx *ctx, struct ids *I, uint64_t room)
{
    uint32_t *direct =
        grow(ctx, I, I->direct, I->direct_room, room, sizeof *direct);
    if (!direct)
        return HY_ENOMEM;
    memset(direct + I->direct_room, 0,
           (room - I->direct_room) * sizeof *direct);
    I->direct = direct;
    I->direct_room = room;
    return HY_OK;
}

static hy_status grow_map(hy_ctx *ctx, struct ids *I,
                          const struct ids_widths *coming)
{
    const struct ids_plan P = plan_map(I, coming);
    if (P.limit == I->limit && P.map_room == I->map_room) {
        if (P.direct_room == I->direct_room)
            return HY_OK;
        return grow_direct(ctx, I, P.direct_room);
    }
    struct ids to = *I;
    to.limit = P.limit;
    to.direct_room = P.direct_room;
    to.map_room = P.map_room;
    to.n_hashed = 0;
    to.direct = base_alloc(ctx, P.direct_room, sizeof *to.direct);
    to.map = base_alloc(ctx, P.map_room, sizeof *to.map);
    if (!to.direct || !to.map) {
        base_free(ctx, to.direct);
        base_free(ctx, to.map);
        return HY_ENOMEM;
    }
    for (size_t i = 0; i < to.map_room; i++)
        to.map[i].vertex = HY_NONE;
    deal(I, &to);
    drop(ctx, I, I->direct);
    drop(ctx, I, I->map);
    *I = to;
    return HY_OK;
}

hy_status ids_reserve(hy_ctx *ctx, struct ids *I, uint64_t bound, size_t queue,
                      const struct ids_widths *coming)
{
    HY_TRY(grow_sets(ctx, I, bound));
    HY_TRY(grow_queue(ctx, I, queue));
    return grow_map(ctx, I, coming);
}

void ids_enqueue(struct ids *I, hy_vid u)
{
    if (bits_has(I->queued, u))
        return;
    bits_add(I->queued, u);
    I->queue[(I->head + I->n_queued++) % I->queue_room] = u;
}

hy_vid ids_dequeue(struct ids *I)
{
    while (I->n_queued) {
        const hy_vid u = I->queue[I->head];
        I->head = (I->head + 1) % I->queue_room;
        I->n_queued--;
        bits_remove(I->queued, u);
        if (!ids_is_alive(I, u))
            return u;
    }
    return HY_NONE;
}

void ids_rewind(struct ids *I, struct ids_mark mark)
{
    for (size_t i = 0; i < mark.n_queued - I->n_queued; i++)
        bits_add(I->queued, I->queue[(mark.head + i) % I->queue_room]);
    I->head = mark.head;
    I->n_queued = mark.n_queued;
}

hy_vid ids_find_hashed(const struct ids *I, uint64_t external)
{
    size_t i = ids_home(I, external);
    while (I->map[i].vertex != HY_NONE && I->map[i].external != external)
        i = (i + 1) & (I->map_room - 1);
    return I->map[i].vertex;
}

void ids_map(struct ids *I, uint64_t external, hy_vid u)
{
    if (external < I->limit)
        I->direct[external] = u + 1;
    else
        put_hashed(I, external, u);
    ids_widths_add(&I->widths, external);
    I->n_mapped++;
}

/* Closes the gap instead of marking it, so that searches stay short. */
static void unmap_hashed(struct ids *I, uint64_t external)
{
    const size_t mask = I->map_room - 1;
    size_t gap = ids_home(I, external);
    while (I->map[gap].external != external || I->map[gap].vertex == HY_NONE)
        gap = (gap + 1) & mask;
    for (size_t i = (gap + 1) & mask; I->map[i].vertex != HY_NONE;
         i = (i + 1) & mask) {
        const size_t home = ids_home(I, I->map[i].external);
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* it sits between its home and here */
        I->map[gap] = I->map[i];
        gap = i;
    }
    I->map[gap].vertex = HY_NONE;
    I->n_hashed--;
}

void ids_unmap(struct ids *I, uint64_t external)
{
    if (external < I->limit)
        I->direct[external] = 0;
    else
        unmap_hashed(I, external);
    I->widths.n[bits_width(external)]--;
    I->n_mapped--;
}

/* ---- all at once ---------------------------------------------------------
 *
 * Threads claim places.  An entry of the map is claimed by its vertex, whose
 * external id is in the list: nobody reads the ids of entries meanwhile. */

struct filling {
    struct ids *I;
    const uint64_t *external; /* NULL: the vertices' own numbers */
    /* relaxed: sums and maxima, read after the loop */
    _Atomic uint64_t n[IDS_WIDTHS], most[IDS_WIDTHS];
    _Atomic uint64_t hashed;
    _Atomic bool bad;
};

static uint64_t external_at(const struct filling *F, size_t u)
{
    return F->external ? F->external[u] : u;
}

static void count_par(void *arg, size_t lo, size_t hi)
{
    struct filling *F = arg;
    struct ids_widths W = { 0 };
    for (size_t u = lo; u < hi; u++)
        ids_widths_add(&W, external_at(F, u));
    for (unsigned w = 0; w < IDS_WIDTHS; w++) {
        if (!W.n[w])
            continue;
        atomic_fetch_add_explicit(&F->n[w], W.n[w], memory_order_relaxed);
        uint64_t most = atomic_load_explicit(&F->most[w], memory_order_relaxed);
        while (W.most[w] > most &&
               !atomic_compare_exchange_weak_explicit(
                   &F->most[w], &most, W.most[w], memory_order_relaxed,
                   memory_order_relaxed))
            ;
    }
}

void ids_widths_of(hy_ctx *ctx, struct ids_widths *W, uint64_t n,
                   const uint64_t *external)
{
    struct filling F = { .external = external };
    for (unsigned w = 0; w < IDS_WIDTHS; w++) {
        atomic_init(&F.n[w], 0);
        atomic_init(&F.most[w], 0);
    }
    par_for(ctx, n, FILL_GRAIN, count_par, &F);
    for (unsigned w = 0; w < IDS_WIDTHS; w++) {
        W->n[w] = atomic_load(&F.n[w]);
        W->most[w] = atomic_load(&F.most[w]);
    }
}

/* False: it is there already. */
static bool claim_hashed(const struct filling *F, uint64_t external, hy_vid u)
{
    struct ids *I = F->I;
    size_t i = ids_home(I, external);
    for (;; i = (i + 1) & (I->map_room - 1)) {
        hy_vid there = HY_NONE;
        if (atomic_claim_u32(&I->map[i].vertex, &there, u))
            break;
        if (external_at(F, there) == external)
            return false;
    }
    I->map[i].external = external;
    return true;
}

static void fill_par(void *arg, size_t lo, size_t hi)
{
    struct filling *F = arg;
    struct ids *I = F->I;
    bool bad = false;
    uint64_t hashed = 0;
    for (size_t u = lo; u < hi; u++) {
        const uint64_t x = external_at(F, u);
        if (x < I->limit) {
            bad |= atomic_swap_u32(&I->direct[x], (hy_vid)u + 1) != 0;
            continue;
        }
        bad |= x == HY_ANY || !claim_hashed(F, x, (hy_vid)u);
        hashed++;
    }
    if (bad)
        atomic_store_explicit(&F->bad, true, memory_order_relaxed);
    atomic_fetch_add_explicit(&F->hashed, hashed, memory_order_relaxed);
}

static hy_status fill_map(hy_ctx *ctx, struct ids *I, uint64_t n,
                          const uint64_t *external)
{
    struct filling F = { .I = I, .external = external };
    struct ids_widths coming;
    ids_widths_of(ctx, &coming, n, external);
    HY_TRY(ids_reserve(ctx, I, n, 0, &coming));
    atomic_init(&F.hashed, 0);
    atomic_init(&F.bad, false);
    par_for(ctx, n, FILL_GRAIN, fill_par, &F);
    if (atomic_load(&F.bad))
        return base_fail(HY_EINVAL, "two vertices have the same id, or one "
                                    "has none");
    I->widths = coming;
    I->n_hashed = atomic_load(&F.hashed);
    I->n_mapped = n;
    return HY_OK;
}

hy_status ids_fill(hy_ctx *ctx, struct ids *I, uint64_t n, bool mapped,
                   const uint64_t *external)
{
    const hy_status status = mapped ? fill_map(ctx, I, n, external)
                                    : ids_reserve(ctx, I, n, 0, NULL);
    if (status != HY_OK) {
        ids_fini(ctx, I);
        return status;
    }
    if (n)
        memset(I->alive, 0xff, n / 64 * sizeof *I->alive);
    if (n % 64)
        I->alive[n / 64] = ((uint64_t)1 << n % 64) - 1;
    return HY_OK;
}
