/* What a commit may need, found before it changes anything.
 *
 * The bounds follow from degrees and numbers of operations alone: the blocks
 * are not read.  They are reserved, not used: an arena grown too far costs
 * address space only.
 */
#include "store/commit.h"
#include "store/hub.h"
#include "store/quad.h"

#include "par/par.h"

enum {
    CHUNK_LEAST = 1024,    /* operations: below, a second thread costs more */
    CHUNKS_PER_THREAD = 8, /* so that uneven ones even out */
    ASK_BLOCKS = 512,      /* a chunk this small fits the cache: fetch it */
    AHEAD = 16,
    DENSE = 24 /* operations on each table page: all its slots are looked at */
};

/* ---- chunks ------------------------------------------------------------- */

static uint32_t page_of(const struct ops *O, size_t i)
{
    return (uint32_t)(O->key[i] >> 32) / PAGE_VERTICES;
}

/* The next border of table pages from i on. */
static size_t border(const struct ops *O, size_t i)
{
    if (i == 0)
        return 0;
    while (i < O->n && page_of(O, i) == page_of(O, i - 1))
        i++;
    return i;
}

static size_t chunks_for(hy_graph *G, size_t n)
{
    const size_t width = par_width(G->ctx);
    if (width == 1 || n < 2 * CHUNK_LEAST)
        return 1;
    const size_t most = width * CHUNKS_PER_THREAD;
    return n / CHUNK_LEAST < most ? n / CHUNK_LEAST : most;
}

static void cut_chunks(const struct ops *O, struct chunk *chunk, size_t n)
{
    memset(chunk, 0, n * sizeof *chunk);
    for (size_t i = 0; i < n; i++) {
        chunk[i].lo = border(O, O->n * i / n);
        chunk[i].hi = border(O, O->n * (i + 1) / n);
        if (i && chunk[i].lo < chunk[i - 1].hi)
            chunk[i].lo = chunk[i - 1].hi;
        if (chunk[i].hi < chunk[i].lo)
            chunk[i].hi = chunk[i].lo;
    }
}

/* ---- bounds ------------------------------------------------------------- */

struct bounding {
    struct commit *C;
    const struct ops *O;
    struct chunk *chunk;
    _Atomic size_t max_run, twig_room; /* relaxed: maxima, read at the end */
};

static void raise(_Atomic size_t *max, size_t x)
{
    size_t seen = atomic_load_explicit(max, memory_order_relaxed);
    while (x > seen &&
           !atomic_compare_exchange_weak_explicit(
               max, &seen, x, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* What a chunk adds up to, and what its loop needs at hand. */
struct sums {
    const struct shape *S;
    const char *blocks;
    uint64_t pin, units;
    size_t pieces, pages, max_run, twig_room;
    bool grows, shrinks; /* operations may insert, may delete */
    bool is_plain;       /* no columns, no view, no room but the usual one */
};

static HY_NOINLINE void bound_hub(struct sums *sum, uint64_t degree,
                                  uint64_t pages, size_t k)
{
    const struct hub_task task = { .degree = degree,
                                   .pages = pages,
                                   .k = k,
                                   .grows = sum->grows,
                                   .is_seen = sum->pin > 0 };
    const struct hub_bound b = hub_bound(sum->S, &task);
    const size_t room = hub_scratch(sum->S, degree, k);
    sum->units += b.pages * PAGE_UNITS;
    sum->pieces += b.pieces + 2;
    sum->twig_room = room > sum->twig_room ? room : sum->twig_room;
}

HY_INLINE uint64_t degree_most(const struct sums *sum, const struct slot *s,
                               size_t k)
{
    return s->degree + (sum->grows ? k : 0);
}

/* k operations, or none, on the vertex of s. */
HY_INLINE void bound_vertex(struct sums *sum, const struct slot *s, size_t k)
{
    const struct shape *S = sum->S;
    const uint64_t most = degree_most(sum, s, k);
    const uint32_t is_touched = k > 0;
    sum->pieces += sum->shrinks & is_touched; /* a block trimmed, or emptied */
    if (HY_UNLIKELY(slot_is_hub(s))) {
        const struct branch *root = hub_branch(sum->blocks, slot_at(s));
        if (k)
            bound_hub(sum, s->degree, root->pages, k);
    } else if (HY_UNLIKELY(most > S->page_room)) {
        bound_hub(sum, s->degree, 0, k);
    } else {
        /* No branch: nobody can tell whether a block is full. */
        const uint32_t is_full = most > shape_room(S, slot_units(s));
        const uint32_t is_seen = slot_epoch(s) <= sum->pin;
        const uint32_t moves = (is_full | is_seen) & is_touched;
        sum->units += shape_units_grown(S, (uint32_t)most) & (0u - moves);
        sum->pieces += 2 * moves; /* what it was, what is left of a cut */
    }
    sum->max_run = k > sum->max_run ? k : sum->max_run;
}

/* Counts the table page of u, if it is to be copied. */
HY_INLINE void bound_page(struct sums *sum, const hy_graph *G, hy_vid u)
{
    const uint32_t page = G->dir[u / PAGE_VERTICES];
    sum->pages += sum->pin && G->core->table.birth[page] <= sum->pin;
}

/* Operations lo..end-1, vertex by vertex. */
static void bound_runs(struct sums *sum, const hy_graph *G,
                       const struct reach reach, const uint64_t *key, size_t lo,
                       size_t end)
{
    const bool asks = end - lo <= ASK_BLOCKS;
    uint32_t page = NO_PAGE;
    for (size_t j = lo; j < end && j < lo + AHEAD; j++)
        HY_PREFETCH(reach_slot(&reach, (hy_vid)(key[j] >> 32)));
    for (size_t hi; lo < end; lo = hi) {
        const hy_vid u = (hy_vid)(key[lo] >> 32);
        hi = lo;
        do {
            if (hi + AHEAD < end)
                HY_PREFETCH(
                    reach_slot(&reach, (hy_vid)(key[hi + AHEAD] >> 32)));
            hi++;
        } while (hi < end && key[hi] >> 32 == u);
        const struct slot *s = reach_slot(&reach, u);
        bound_vertex(sum, s, hi - lo);
        if (asks) {
            const char *block = arena_block(sum->blocks, slot_at(s));
            HY_PREFETCH_WRITE(block);
            HY_PREFETCH_WRITE(block + 64);
        }
        if (sum->pin && u / PAGE_VERTICES != page) {
            page = u / PAGE_VERTICES;
            bound_page(sum, G, u);
        }
    }
}

/* Units of a block and the flag of hubs, in 32 bits. */
enum { KIND_SHIFT = 40 };
static const uint32_t kind_units = SLOT_UNITS >> KIND_SHIFT;
static const uint32_t kind_hub = SLOT_HUB >> KIND_SHIFT;

HY_INLINE uint32_t kind(const struct slot *s)
{
    return (uint32_t)(s->where >> KIND_SHIFT);
}

/* The vertices of a page, with k operations each: what bound_vertex says of
 * blocks that stay blocks, four at a time.  False: there are others. */
static bool bound_blocks(struct sums *sum, const struct slot *s,
                         const uint32_t *k)
{
    const uint32_t page_room = sum->S->page_room, grows = 0u - sum->grows;
    quad units = { 0 }, moved = { 0 }, touched = { 0 }, others = { 0 };
    for (uint32_t i = 0; i < PAGE_VERTICES / QUAD; i++, s += QUAD) {
        const quad kinds = { kind(s), kind(s + 1), kind(s + 2), kind(s + 3) };
        const quad degrees = { s[0].degree, s[1].degree, s[2].degree,
                               s[3].degree };
        const quad lines = quad_get(k, i);
        const quad most = degrees + (lines & grows);
        const quad room = (kinds & kind_units) * QUAD;
        const quad other =
            (quad)((kinds & kind_hub) != 0) | (quad)(most > page_room);
        const quad moves = (quad)(most > room) & ~other;
        units += (most + most / 8 + QUAD - 1) / QUAD & moves;
        moved -= moves;
        touched -= (quad)(lines != 0) & ~other;
        others |= other;
    }
    sum->units += quad_sum(units);
    sum->pieces += 2 * quad_sum(moved) + (sum->shrinks ? quad_sum(touched) : 0);
    return !quad_is_any(others);
}

static void bound_others(struct sums *sum, const struct slot *s,
                         const uint32_t *k)
{
    for (uint32_t i = 0; i < PAGE_VERTICES; i++)
        if (HY_UNLIKELY(slot_is_hub(&s[i]) ||
                        degree_most(sum, &s[i], k[i]) > sum->S->page_room))
            bound_vertex(sum, &s[i], k[i]);
}

/* The same where most vertices have some: page by page, as nobody can tell
 * whether an operation is on the same vertex as the one before it. */
static void bound_pages(struct sums *sum, const hy_graph *G,
                        const struct reach reach, const uint64_t *key,
                        size_t lo, size_t end)
{
    while (lo < end) {
        const hy_vid first = (hy_vid)(key[lo] >> 32);
        const struct slot *slots =
            reach_slot(&reach, first) - first % PAGE_VERTICES;
        const size_t before = lo;
        uint32_t k[PAGE_VERTICES] = { 0 };
        do
            k[(key[lo] >> 32) % PAGE_VERTICES]++;
        while (++lo < end &&
               (key[lo] >> 32) / PAGE_VERTICES == first / PAGE_VERTICES);
        sum->max_run = lo - before > sum->max_run ? lo - before : sum->max_run;
        if (!sum->is_plain)
            for (uint32_t i = 0; i < PAGE_VERTICES; i++)
                bound_vertex(sum, &slots[i], k[i]);
        else if (!bound_blocks(sum, slots, k))
            bound_others(sum, slots, k);
        bound_page(sum, G, first);
    }
}

static void bound_chunk_par(void *arg, size_t i)
{
    struct bounding *P = arg;
    struct chunk *c = &P->chunk[i];
    const hy_graph *G = P->C->G;
    const struct reach reach = view_reach(&G->now, P->O->side);
    struct sums sum = {
        .S = &G->shape,
        .blocks = G->now.blocks,
        .pin = P->C->pin,
        .grows = P->O->op || P->O->all != OP_DELETE,
        .shrinks = P->O->op || P->O->kill_time || P->O->all == OP_DELETE,
        .is_plain = !P->C->pin && !G->shape.slack && shape_is_simple(&G->shape)
    };
    const size_t n = c->hi - c->lo;
    const size_t pages =
        n ? page_of(P->O, c->hi - 1) - page_of(P->O, c->lo) + 1 : 0;
    if (n > ASK_BLOCKS && n / DENSE > pages)
        bound_pages(&sum, G, reach, P->O->key, c->lo, c->hi);
    else
        bound_runs(&sum, G, reach, P->O->key, c->lo, c->hi);
    c->units = sum.units;
    c->pages = sum.pages;
    c->pieces = sum.pieces + sum.pages;
    raise(&P->max_run, sum.max_run);
    raise(&P->twig_room, sum.twig_room);
}

static void bound_side(struct commit *C, uint32_t side, struct chunk *chunk)
{
    struct bounding P = { .C = C, .O = &C->ops[side], .chunk = chunk };
    atomic_init(&P.max_run, C->max_run);
    atomic_init(&P.twig_room, C->twig_room);
    cut_chunks(P.O, chunk, C->n_chunks[side]);
    par_run(C->G->ctx, C->n_chunks[side], bound_chunk_par, &P);
    C->max_run = atomic_load(&P.max_run);
    C->twig_room = atomic_load(&P.twig_room);
}

/* ---- the delta's lists --------------------------------------------------- */

static hy_status reserve_list(hy_graph *G, bool wanted, size_t n,
                              struct buf *at, struct buf *values,
                              struct buf *old)
{
    if (!wanted)
        return HY_OK;
    const size_t size = G->shape.edge.size;
    HY_TRY(buf_reserve(G, at, n, sizeof(hy_edge)));
    if (size)
        HY_TRY(buf_reserve(G, values, n, size));
    return size && old ? buf_reserve(G, old, n, size) : HY_OK;
}

static hy_status reserve_lists(struct commit *C)
{
    hy_graph *G = C->G;
    struct work *W = &G->work;
    const struct ops *O = &C->ops[0];
    const bool all_insert = !O->op && O->all == OP_INSERT_BARE;
    const bool all_delete = !O->op && O->all == OP_DELETE;
    const bool w = C->want_delta;
    HY_TRY(reserve_list(G, w && !all_delete, O->n, &W->inserted,
                        &W->inserted_values, NULL));
    HY_TRY(reserve_list(G, w && !all_insert, O->n, &W->deleted,
                        &W->deleted_values, NULL));
    return reserve_list(G, w && !all_insert && !all_delete, O->n, &W->updated,
                        &W->updated_values, &W->updated_old);
}

static void hand_out(struct list_out *list, const struct buf *at,
                     const struct buf *values, const struct buf *old, size_t i,
                     size_t size)
{
    if (!at->at)
        return; /* nothing of this kind can come */
    list->at = (hy_edge *)at->at + i;
    if (size)
        list->values = (char *)values->at + i * size;
    if (size && old)
        list->old = (char *)old->at + i * size;
}

/* Each chunk writes its part of a list where its operations are. */
static void hand_out_lists(struct commit *C)
{
    const struct work *W = &C->G->work;
    const size_t size = C->G->shape.edge.size;
    for (size_t i = 0; C->want_delta && i < C->n_chunks[0]; i++) {
        struct chunk *c = &C->chunk[i];
        hand_out(&c->inserted, &W->inserted, &W->inserted_values, NULL, c->lo,
                 size);
        hand_out(&c->deleted, &W->deleted, &W->deleted_values, NULL, c->lo,
                 size);
        hand_out(&c->updated, &W->updated, &W->updated_values, &W->updated_old,
                 c->lo, size);
    }
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status reserve_core(struct commit *C, uint64_t units, size_t pieces,
                              size_t pages)
{
    hy_graph *G = C->G;
    const size_t drops = C->pin ? pieces : 0;
    HY_TRY(buf_reserve(G, &G->work.drop, drops, sizeof(struct drop)));
    HY_TRY(buf_reserve(G, &G->work.pages, pages, sizeof(uint32_t)));
    HY_TRY(table_reserve(G->ctx, &G->core->table, pages));
    if (C->pin) {
        C->dead = base_alloc_raw(G->ctx, 1,
                                 sizeof *C->dead + drops * sizeof *C->dead->at);
        if (!C->dead)
            return HY_ENOMEM;
    }
    uint64_t cap = UINT64_MAX;
    if (G->cap) {
        const uint64_t others = graph_bytes(G) - arena_bytes(&G->core->arena) +
                                pages * G->core->table.layout.bytes;
        cap = G->cap > others ? G->cap - others : 0;
    }
    /* Every piece may be freed, at once or when a view goes. */
    return arena_reserve(G->ctx, &G->core->arena, units, pieces, cap);
}

static hy_status reserve_lanes(struct commit *C)
{
    hy_graph *G = C->G;
    const size_t width = par_width(G->ctx);
    HY_TRY(
        buf_reserve(G, &G->work.edit, width * C->max_run, sizeof(struct edit)));
    return buf_reserve(G, &G->work.twig,
                       width * C->twig_room * HUB_SCRATCH_LEVELS,
                       sizeof(struct twig));
}

hy_status plan(struct commit *C)
{
    hy_graph *G = C->G;
    size_t n = 0;
    for (uint32_t side = 0; side < C->n_sides; side++)
        n += C->n_chunks[side] = chunks_for(G, C->ops[side].n);
    HY_TRY(buf_reserve(G, &G->work.chunk, n, sizeof *C->chunk));
    C->chunk = G->work.chunk.at;
    for (uint32_t side = 0; side < C->n_sides; side++)
        bound_side(C, side, C->chunk + (side ? C->n_chunks[0] : 0));

    uint64_t units = 0;
    size_t pieces = 0, pages = 0;
    for (size_t i = 0; i < n; i++) {
        struct chunk *c = &C->chunk[i];
        c->drop_at = pieces;
        c->page_at = pages;
        units += c->units;
        pieces += c->pieces;
        pages += c->pages;
    }
    /* Behind them: pages that events copy, and what that drops. */
    C->event_page_at = pages;
    C->event_drop_at = pieces;
    pages += C->event_pages;
    pieces += C->event_pages;
    C->n_pages = pages;
    HY_TRY(reserve_lists(C));
    HY_TRY(reserve_lanes(C));
    HY_TRY(reserve_core(C, units, pieces, pages));
    hand_out_lists(C);
    return HY_OK;
}
