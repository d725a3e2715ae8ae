/* The graph verifies itself, and says what it is made of.
 *
 * Check verifies, for `now` and the memory that all versions share, and
 * believes nothing that it did not verify (an image may say anything):
 *   1 slots      only vertices that are there have edges; alive as the ids say
 *   2 blocks     ascending, no more than fit, no neighbour that is not there
 *   3 hubs       twigs say what is below them; the root counts the pages
 *   4 sums       arcs, edges, vertices
 *   5 sides      the reverse side, or the other half of undirected edges
 *   6 arena      live, free and dead pieces cover it, each unit once
 *   7 table      each page is used, dead or free, once
 *   8 ids        queue and map
 */
#include "store/build.h"
#include "store/hub.h"

#include "base/random.h"
#include "par/par.h"

struct checker {
    const hy_graph *G;
    const hy_view *V;
    uint64_t epoch; /* of what was born last, as taking a view ends it */
    piece *piece;   /* everything found in the arena */
    size_t n, room;
    uint64_t *page; /* set of table pages that were found */
    uint64_t arcs, edges, vertices;
    uint64_t sum[2]; /* of arcs, by the sides they were found on */
    bool no_memory;
};

#define WRONG(...)                                                             \
    do {                                                                       \
        (void)base_fail(HY_EBUG, __VA_ARGS__);                                 \
        return false;                                                          \
    } while (0)

/* ---- what the arena holds ------------------------------------------------ */

static bool note(struct checker *K, uint64_t at, uint64_t units)
{
    const uint64_t top = atomic_load(&K->G->core->arena.top);
    if (!at || at > top || units > top - at || K->n >= top)
        WRONG("the arena has %llu units, and no %llu at %llu",
              (unsigned long long)top, (unsigned long long)units,
              (unsigned long long)at);
    if (K->n == K->room) {
        const size_t room = K->room * 2 + 1024;
        piece *p = base_resize(K->G->ctx, K->piece, room, sizeof *p);
        K->no_memory = !p;
        if (!p)
            return false;
        K->piece = p;
        K->room = room;
    }
    K->piece[K->n++] = piece_of(at, units);
    return true;
}

/* Births are those of versions up to now.  The first is 1: at 0 a commit takes
 * what nobody sees for seen. */
static bool is_birth(const struct checker *K, uint64_t epoch)
{
    return epoch && epoch <= K->epoch;
}

/* ---- 2 blocks ------------------------------------------------------------ */

struct row {
    enum side side;
    hy_vid u;
    int64_t last; /* neighbour, -1 before the first */
};

static uint64_t hash_arc(const struct checker *K, const struct row *r,
                         const char *block, uint32_t room, uint32_t i)
{
    const struct shape *S = K->V->shape;
    _Alignas(16) char record[MAX_COLUMNS * 8] = { 0 };
    const hy_vid v = block_id(S, block, i);
    block_get(S, block, room, i, record);
    uint64_t h =
        r->side == OUT ? (uint64_t)r->u << 32 | v : (uint64_t)v << 32 | r->u;
    if (S->undirected && r->u > v)
        h = h << 32 | h >> 32;
    return base_mix(base_mix(h + 1) ^ record_hash(&S->edge, record));
}

static bool check_entries(struct checker *K, struct row *r, const char *block,
                          uint32_t room, uint32_t n)
{
    const hy_graph *G = K->G;
    for (uint32_t i = 0; i < n; i++) {
        const hy_vid v = block_id(&G->shape, block, i);
        if ((int64_t)v <= r->last)
            WRONG("vertex %u: neighbour %u after %lld", r->u, v,
                  (long long)r->last);
        if (v >= K->V->bound || !ids_is_alive(&G->ids, v))
            WRONG("vertex %u: neighbour %u is not there", r->u, v);
        if (v == r->u && G->shape.no_loops)
            WRONG("vertex %u: a loop", v);
        r->last = v;
        if (r->side == OUT)
            K->edges += !G->shape.undirected || r->u <= v;
        const uint64_t h = hash_arc(K, r, block, room, i);
        const bool second = G->shape.undirected ? r->u > v : r->side == IN;
        if (!G->shape.undirected || r->u != v)
            K->sum[second] += h;
    }
    return true;
}

/* ---- 3 hubs -------------------------------------------------------------- */

static bool check_branch(struct checker *K, struct row *r, const struct twig *t,
                         uint32_t level, uint32_t *pages)
{
    const hy_view *V = K->V;
    uint64_t count = 0;
    ++*pages;
    if (!note(K, t->at, PAGE_UNITS))
        return false;
    const struct branch *B = hub_branch(V->blocks, t->at);
    if (!B->n || B->n > FAN)
        WRONG("vertex %u: a branch of %u twigs", r->u, B->n);
    if (!is_birth(K, t->epoch))
        WRONG("vertex %u: a branch of no version", r->u);
    for (uint32_t i = 0; i < B->n; i++) {
        const struct twig c = branch_twig(B, i);
        count += c.count;
        if (level) {
            if (!check_branch(K, r, &c, level - 1, pages))
                return false;
            continue;
        }
        ++*pages;
        if (!c.count || c.count > V->shape->page_room || !is_birth(K, c.epoch))
            WRONG("vertex %u: a leaf of %u entries", r->u, c.count);
        if (!note(K, c.at, PAGE_UNITS))
            return false;
        const char *block = view_block(V, c.at);
        if (c.first != block_id(V->shape, block, 0))
            WRONG("vertex %u: a leaf begins with %u, not %u", r->u,
                  block_id(V->shape, block, 0), c.first);
        if (!check_entries(K, r, block, V->shape->page_room, c.count))
            return false;
    }
    if (count != t->count)
        WRONG("vertex %u: %llu entries where %u are said to be", r->u,
              (unsigned long long)count, t->count);
    return true;
}

static bool check_hub(struct checker *K, struct row *r, const struct slot *s)
{
    const struct twig root = { .at = slot_at(s),
                               .epoch = slot_epoch(s),
                               .count = s->degree };
    uint32_t pages = 0;
    if (slot_units(s) >= HUB_LEVELS)
        WRONG("vertex %u: a hub of %u levels", r->u, slot_units(s));
    if (!check_branch(K, r, &root, slot_units(s), &pages))
        return false;
    const struct branch *B = hub_branch(K->V->blocks, root.at);
    if (pages != B->pages)
        WRONG("vertex %u: a hub of %u pages counts %u", r->u, pages, B->pages);
    return true;
}

/* ---- 1 slots ------------------------------------------------------------- */

static bool check_slot(struct checker *K, enum side side, hy_vid u)
{
    const struct shape *S = K->V->shape;
    const struct slot *s = view_slot(K->V, side, u);
    struct row r = { .side = side, .u = u, .last = -1 };
    if (side == OUT && (s && slot_is_alive(s)) != ids_is_alive(&K->G->ids, u))
        WRONG("vertex %u: the table and the ids disagree", u);
    if (!s)
        return true;
    if (s->degree && !ids_is_alive(&K->G->ids, u))
        WRONG("vertex %u is not there and has edges", u);
    if (slot_epoch(s) > K->epoch)
        WRONG("vertex %u: a block of the future", u);
    K->arcs += side == OUT ? s->degree : 0;
    if (slot_is_hub(s))
        return check_hub(K, &r, s);
    const uint32_t units = slot_units(s), room = shape_room(S, units);
    if (s->degree > room || units > PAGE_UNITS)
        WRONG("vertex %u: %u entries in %u units", u, s->degree, units);
    if (!units)
        return true;
    if (!is_birth(K, slot_epoch(s)))
        WRONG("vertex %u: a block of no version", u);
    return note(K, slot_at(s), units) &&
           check_entries(K, &r, view_block(K->V, slot_at(s)), room, s->degree);
}

/* Past the bound nothing is alive, and slots of its page are blank. */
static bool check_rest(const struct checker *K, enum side side)
{
    const hy_view *V = K->V;
    const struct ids *I = &K->G->ids;
    for (uint64_t u = V->bound; u < 64 * (uint64_t)I->words; u++)
        if (bits_has(I->alive, u) || bits_has(I->queued, u))
            WRONG("vertex %llu is past the bound", (unsigned long long)u);
    for (hy_vid u = V->bound; u % PAGE_VERTICES; u++) {
        const struct slot *s = view_slot(V, side, u);
        if (s && (s->degree || s->where & ~(~0ull << SLOT_EPOCH_SHIFT)))
            WRONG("vertex %u is past the bound and has a block", u);
    }
    return true;
}

static bool check_slots(struct checker *K)
{
    const hy_view *V = K->V;
    if (!check_rest(K, OUT) || (V->reverse && !check_rest(K, IN)))
        return false;
    for (hy_vid u = 0; u < V->bound; u++) {
        if (!check_slot(K, OUT, u) || (V->reverse && !check_slot(K, IN, u)))
            return false;
        K->vertices += ids_is_alive(&K->G->ids, u);
    }
    return true;
}

static bool check_sums(const struct checker *K)
{
    const hy_view *V = K->V;
    if (K->arcs != V->arcs || K->edges != V->edges ||
        K->vertices != V->vertices)
        WRONG("%llu arcs, %llu edges, %llu vertices; counted as %llu, %llu, "
              "%llu",
              (unsigned long long)K->arcs, (unsigned long long)K->edges,
              (unsigned long long)K->vertices, (unsigned long long)V->arcs,
              (unsigned long long)V->edges, (unsigned long long)V->vertices);
    if (hy_view_has_reverse(V) && K->sum[0] != K->sum[1])
        WRONG("the sides differ");
    return true;
}

/* ---- 6 arena, 7 table ---------------------------------------------------- */

static bool note_page(struct checker *K, uint32_t page)
{
    if (page >= K->G->core->table.n_pages || bits_has(K->page, page))
        WRONG("page %u of the table is in two places", page);
    bits_add(K->page, page);
    return true;
}

static bool note_dead(struct checker *K, const struct dead *list, size_t *n)
{
    for (; list; list = list->next) {
        *n += list->n;
        for (size_t i = 0; i < list->n; i++) {
            const piece p = list->at[i].p;
            if (p & DROP_PAGE ? !note_page(K, (uint32_t)p)
                              : !note(K, piece_at(p), piece_units(p)))
                return false;
        }
    }
    return true;
}

/* The lock is held. */
static bool note_versions(struct checker *K)
{
    const hy_graph *G = K->G;
    size_t n = 0;
    uint64_t epoch = 0;
    for (const hy_view *V = G->oldest; V; V = V->newer) {
        if (V->epoch <= epoch || V->core != G->core)
            WRONG("the chain of views is out of order");
        epoch = V->epoch;
        if (!note_dead(K, V->dead, &n))
            return false;
    }
    if (!note_dead(K, G->dead, &n))
        return false;
    if (n != G->core->arena.promised)
        WRONG("%zu dead pieces, %zu promised", n, G->core->arena.promised);
    return true;
}

static bool note_piece(void *arg, piece p)
{
    return note(arg, piece_at(p), piece_units(p));
}

static bool check_arena(struct checker *K)
{
    hy_ctx *ctx = K->G->ctx;
    const uint64_t top = atomic_load(&K->G->core->arena.top);
    piece *tmp = base_alloc_raw(ctx, K->n, sizeof *tmp);
    K->no_memory = !tmp;
    if (!tmp)
        return false;
    struct par_keys keys = { .key = K->piece,
                             .key_tmp = tmp,
                             .n = K->n,
                             .high_bits = 32,
                             .low_bits = 32 };
    par_sort(ctx, &keys);
    uint64_t at = 1;
    for (size_t i = 0; i < K->n && at == piece_at(keys.key[i]); i++)
        at += piece_units(keys.key[i]);
    base_free(ctx, keys.key_tmp);
    K->piece = keys.key;
    if (at != top)
        WRONG("the arena has a gap or an overlap at unit %llu of %llu",
              (unsigned long long)at, (unsigned long long)top);
    return true;
}

static bool check_table(struct checker *K)
{
    const hy_graph *G = K->G;
    const struct table *T = &G->core->table;
    for (size_t i = 0; i < G->dir_room; i++)
        if (G->dir[i] != NO_PAGE && !note_page(K, G->dir[i]))
            return false;
    for (uint32_t i = 0; i < T->n_free; i++)
        if (!note_page(K, T->free[i]))
            return false;
    for (uint32_t i = 0; i < T->n_pages; i++)
        if (!bits_has(K->page, i))
            WRONG("page %u of the table is lost", i);
    return true;
}

/* ---- 8 ids --------------------------------------------------------------- */

/* Every id is on its side of the limit, and counted. */
static bool check_map(const struct ids *I)
{
    uint64_t direct = 0, hashed = 0, n[IDS_WIDTHS] = { 0 };
    for (uint64_t x = 0; x < I->direct_room; x++) {
        direct += I->direct[x] != 0;
        n[bits_width(x)] += I->direct[x] != 0;
    }
    for (size_t i = 0; i < I->map_room; i++) {
        if (I->map[i].vertex == HY_NONE)
            continue;
        if (I->map[i].external < I->limit)
            WRONG("a small external id is hashed");
        hashed++;
        n[bits_width(I->map[i].external)]++;
    }
    if (I->direct_room > I->limit || (I->map_room & (I->map_room - 1)))
        WRONG("the map of ids has a wrong size");
    if (hashed != I->n_hashed || direct + hashed != I->n_mapped ||
        memcmp(n, I->widths.n, sizeof n) != 0)
        WRONG("%llu ids are mapped directly, %llu by hash, counted as %llu",
              (unsigned long long)direct, (unsigned long long)hashed,
              (unsigned long long)I->n_mapped);
    if (hashed && hashed * 8 / 5 + 1 > I->map_room)
        WRONG("the map of ids is too full");
    return true;
}

static bool check_ids(const struct checker *K)
{
    const struct ids *I = &K->G->ids;
    uint64_t queued = 0;
    for (size_t i = 0; i < I->words; i++)
        queued += (uint64_t)__builtin_popcountll(I->queued[i]);
    if (queued != I->n_queued)
        WRONG("%llu ids are marked as queued, %zu are",
              (unsigned long long)queued, I->n_queued);
    for (size_t i = 0; i < I->n_queued; i++) {
        const hy_vid u = I->queue[(I->head + i) % I->queue_room];
        if (u >= K->V->bound || !bits_has(I->queued, u))
            WRONG("id %u is in the queue and should not be", u);
    }
    if (!K->G->shape.mapped)
        return true;
    if (!check_map(I))
        return false;
    if (I->n_mapped != K->V->vertices)
        WRONG("%llu ids are mapped", (unsigned long long)I->n_mapped);
    for (hy_vid u = 0; u < K->V->bound; u++)
        if (ids_is_alive(I, u) && ids_find(I, hy_view_external(K->V, u)) != u)
            WRONG("vertex %u is not found by its external id", u);
    return true;
}

/* ---- all of it ----------------------------------------------------------- */

static bool check_memory(struct checker *K)
{
    hy_graph *G = (hy_graph *)(uintptr_t)K->G;
    par_lock_acquire(&G->lock);
    const bool is_fine = note_versions(K);
    par_lock_release(&G->lock);
    return is_fine && arena_each_free(&K->G->core->arena, note_piece, K) &&
           check_arena(K) && check_table(K);
}

hy_status graph_check(const hy_graph *G)
{
    struct checker K = { .G = G, .V = &G->now, .epoch = version_born(&G->now) };
    K.page =
        base_alloc(G->ctx, bits_words(G->core->table.n_pages), sizeof *K.page);
    K.no_memory = !K.page;
    const bool is_fine = K.page && check_slots(&K) && check_sums(&K) &&
                         check_memory(&K) && check_ids(&K);
    base_free(G->ctx, K.piece);
    base_free(G->ctx, K.page);
    if (is_fine)
        return base_fail(HY_OK, "%s", "");
    return K.no_memory ? HY_ENOMEM : HY_EBUG;
}

bool hy_graph_check(const hy_graph *G, const char **why)
{
    const hy_status status = graph_check(G);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}

/* ---- statistics ---------------------------------------------------------- */

static void count_side(const hy_view *V, enum side side, hy_graph_stats *out)
{
    for (hy_vid u = 0; u < V->bound; u++) {
        const struct slot *s = view_slot(V, side, u);
        if (!s || !s->degree)
            continue;
        uint64_t units = slot_units(s);
        if (slot_is_hub(s)) {
            const uint32_t pages = hub_branch(V->blocks, slot_at(s))->pages;
            out->hubs++;
            out->hub_pages += pages;
            units = (uint64_t)pages * PAGE_UNITS;
        }
        const uint64_t bytes = (uint64_t)s->degree * V->shape->width;
        out->bytes_edges += bytes;
        out->bytes_slack += units * UNIT - bytes;
    }
}

static void count_free(const struct arena *A, hy_graph_stats *out)
{
    for (size_t i = 0; i < A->n_lanes; i++)
        out->free_blocks += A->lane[i].free_pieces;
    out->bytes_free = arena_free_units(A) * UNIT;
}

static uint64_t dead_units(const struct dead *list)
{
    uint64_t units = 0;
    for (; list; list = list->next)
        for (size_t i = 0; i < list->n; i++)
            if (!(list->at[i].p & DROP_PAGE))
                units += piece_units(list->at[i].p);
    return units;
}

static void count_versions(hy_graph *G, hy_graph_stats *out)
{
    par_lock_acquire(&G->lock);
    uint64_t units = dead_units(G->dead);
    for (const hy_view *V = G->oldest; V; V = V->newer)
        units += dead_units(V->dead);
    out->views = G->n_held;
    out->bytes_views = G->bytes_detached;
    for (const hy_view *V = G->oldest; V; V = V->newer)
        out->bytes_views += sizeof *V + V->bound / PAGE_VERTICES * 4;
    out->bytes += out->bytes_views;
    out->bytes_pinned = units * UNIT;
    par_lock_release(&G->lock);
}

void hy_graph_stats_get(const hy_graph *graph, hy_graph_stats *out)
{
    hy_graph *G = (hy_graph *)(uintptr_t)graph;
    const hy_view *V = &G->now;
    *out = (hy_graph_stats){
        .vertices = V->vertices,
        .edges = V->edges,
        .arcs = V->arcs,
        .bytes = graph_bytes(G),
        .bytes_arena = arena_bytes(&G->core->arena),
        .bytes_table =
            table_bytes(&G->core->table) + G->dir_room * sizeof *G->dir,
        .bytes_ids = ids_bytes(&G->ids),
        .bytes_work = work_bytes(&G->work),
        .free_ids = G->ids.n_queued,
        .bytes_moved = G->bytes_moved,
        .compactions = G->compactions,
    };
    count_side(V, OUT, out);
    if (V->reverse)
        count_side(V, IN, out);
    count_free(&G->core->arena, out);
    count_versions(G, out);
    const uint64_t entries = V->arcs * (V->reverse ? 2 : 1);
    out->bytes_per_edge = entries ? (double)out->bytes / (double)entries : 0;
}
