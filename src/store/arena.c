/* Cutting blocks, freeing them, sweeping what is free. */
#include "store/arena.h"

#include "base/bits.h"
#include "par/par.h"

#include <assert.h>
#include <string.h>

enum {
    ARENA_UNIT = 16,
    LEAST_RESERVE = 64 << 20, /* bytes: where address space is short */
    GRANULE = 4096,           /* units; a small arena is cut to measure */
    GRANULE_SHARE = 256,      /* of the arena: most that granules take */
    SWEEP_GROWN = 8, /* share of the arena that grew since the last ... */
    SWEEP_FREE = 8,  /* ... and that is free: then a sweep pays */
    SWEEP_LEAST = 1024,
    SHARE = 4,    /* times what lanes lacked: most that becomes common */
    ASK_LINES = 3 /* of a free piece, before it is cut */
};

static uint64_t top_of(const struct arena *A)
{
    return atomic_load_explicit(&A->top, memory_order_relaxed);
}

void arena_lane_init(struct arena_lane *L)
{
    memset(L, 0, sizeof *L);
    memset(L->bin, 0xff, sizeof L->bin);
    L->spare = NO_NODE;
}

hy_status arena_init(hy_ctx *ctx, struct arena *A, uint64_t bytes, size_t lanes)
{
    *A = (struct arena){ 0 };
    HY_TRY(par_lock_init(&A->lock));
    A->n_lanes = lanes + 1; /* from here on there is something to finish */
    if (bytes > ARENA_MAX_UNITS * ARENA_UNIT)
        bytes = ARENA_MAX_UNITS * ARENA_UNIT;
    const uint64_t least = bytes < LEAST_RESERVE ? bytes : LEAST_RESERVE;
    A->lane = base_alloc(ctx, A->n_lanes, sizeof *A->lane);
    if (!A->lane || base_space_init(ctx, &A->space, bytes, least) != HY_OK) {
        arena_fini(ctx, A);
        return HY_ENOMEM;
    }
    for (size_t i = 0; i < A->n_lanes; i++)
        arena_lane_init(&A->lane[i]);
    atomic_init(&A->top, 1);
    atomic_init(&A->n_spare, 0);
    return HY_OK;
}

void arena_fini(hy_ctx *ctx, struct arena *A)
{
    base_space_fini(ctx, &A->space);
    base_free(ctx, A->lane);
    base_free(ctx, A->node);
    base_free(ctx, A->spare);
    if (A->n_lanes)
        par_lock_fini(&A->lock);
    *A = (struct arena){ 0 };
}

hy_status arena_map(hy_ctx *ctx, struct arena *A, int fd, uint64_t offset,
                    uint64_t units)
{
    HY_TRY(base_space_map(ctx, &A->space, fd, offset, units * ARENA_UNIT));
    atomic_store(&A->top, units);
    return HY_OK;
}

/* ---- nodes -------------------------------------------------------------- */

uint32_t arena_take_node(struct arena *A, struct arena_lane *L)
{
    const uint32_t own = L->spare;
    if (own != NO_NODE) {
        L->spare = A->node[own].next;
        return own;
    }
    const uint32_t left =
        atomic_fetch_sub_explicit(&A->n_spare, 1, memory_order_relaxed);
    assert(left > 0);
    return A->spare[left - 1];
}

static void give_nodes(struct arena *A, uint32_t list)
{
    uint32_t n = atomic_load_explicit(&A->n_spare, memory_order_relaxed);
    for (; list != NO_NODE; list = A->node[list].next)
        A->spare[n++] = list;
    atomic_store_explicit(&A->n_spare, n, memory_order_relaxed);
}

static size_t pieces_free(const struct arena *A)
{
    size_t n = 0;
    for (size_t i = 0; i < A->n_lanes; i++)
        n += A->lane[i].free_pieces;
    return n;
}

/* So that `pieces` more can be freed.  Every bin may be begun with a new node:
 * by these pieces, or by all when a sweep deals them out anew. */
static size_t nodes_for(const struct arena *A, size_t pieces)
{
    pieces += A->promised + A->n_lanes;
    const size_t most = A->n_lanes * BINS, all = pieces + pieces_free(A);
    return pieces / NODE_PIECES + (all < most ? all : most) + 1;
}

static hy_status reserve_nodes(hy_ctx *ctx, struct arena *A, size_t pieces,
                               uint64_t *more)
{
    const uint32_t n = atomic_load_explicit(&A->n_spare, memory_order_relaxed);
    const size_t need = nodes_for(A, pieces);
    *more = 0;
    if (need <= n)
        return HY_OK;
    const size_t room = A->nodes_room + (need - n) + A->nodes_room / 8;
    if (room >= NO_NODE)
        return base_fail(HY_EFULL, "too many free blocks");
    struct bin_node *node = base_resize(ctx, A->node, room, sizeof *node);
    if (!node)
        return HY_ENOMEM;
    A->node = node;
    uint32_t *spare = base_resize(ctx, A->spare, room, sizeof *spare);
    if (!spare)
        return HY_ENOMEM;
    A->spare = spare;
    *more = (room - A->nodes_room) * (sizeof *node + sizeof *spare);
    uint32_t top = n;
    for (uint32_t i = A->nodes_room; i < room; i++)
        A->spare[top++] = i;
    atomic_store_explicit(&A->n_spare, top, memory_order_relaxed);
    A->nodes_room = (uint32_t)room;
    return HY_OK;
}

/* ---- cutting ------------------------------------------------------------ */

/* The piece that is likely to be cut next: cold by now, and written whole. */
HY_INLINE void ask(const struct arena *A, piece p)
{
    const char *block = arena_block(A->space.base, piece_at(p));
    const uint64_t lines = piece_units(p) / 4;
    for (uint64_t i = 0; i <= lines && i < ASK_LINES; i++)
        HY_PREFETCH_WRITE(block + i * 64);
}

static piece pop(struct arena *A, struct arena_lane *L, uint32_t b)
{
    const uint32_t top = L->bin[b];
    struct bin_node *node = &A->node[top];
    const piece p = node->at[--node->n];
    if (node->n) {
        ask(A, node->at[node->n - 1]);
    } else {
        L->bin[b] = node->next;
        if (L->bin[b] == NO_NODE)
            L->filled[b / 64] &= ~((uint64_t)1 << (b % 64));
        node->next = L->spare;
        L->spare = top;
    }
    L->free_units -= piece_units(p);
    L->free_pieces--;
    return p;
}

/* The first bin of a set from b on, BINS if there is none. */
static uint32_t next_bin(const uint64_t *set, uint32_t b)
{
    uint64_t word = set[b / 64] >> (b % 64);
    if (word)
        return b + (uint32_t)__builtin_ctzll(word);
    for (uint32_t w = b / 64 + 1; w < BIN_WORDS; w++)
        if (set[w])
            return w * 64 + (uint32_t)__builtin_ctzll(set[w]);
    return BINS;
}

/* Leaves of p what a block of `units` does not need, into the lane's bins;
 * little is not worth it, and room in a block is of use. */
static piece split(struct arena *A, struct arena_lane *L, piece p,
                   uint32_t units)
{
    const uint64_t rest = piece_units(p) - units;
    if (rest == 0 || (rest <= units / 8 && piece_units(p) <= BIN_LONGEST))
        return p;
    arena_free(A, L, piece_of(piece_at(p) + units, rest));
    return piece_of(piece_at(p), units);
}

static piece cut_end(struct arena *A, struct arena_lane *L, uint32_t units)
{
    if (L->end - L->at < units) {
        if (L->end > L->at)
            arena_free(A, L, piece_of(L->at, L->end - L->at));
        const uint64_t n = units > A->granule ? units : A->granule;
        L->at = atomic_fetch_add_explicit(&A->top, n, memory_order_relaxed);
        L->end = L->at + n;
    }
    L->at += units;
    L->lacked += units;
    return piece_of(L->at - units, units);
}

static uint64_t node_units(const struct bin_node *node)
{
    uint64_t units = 0;
    for (uint32_t i = 0; i < node->n; i++)
        units += piece_units(node->at[i]);
    return units;
}

/* Moves the node that `link` of bin b names. */
static void move_node(struct arena *A, struct arena_lane *from,
                      struct arena_lane *to, uint32_t b, uint32_t *link)
{
    const uint32_t i = *link;
    struct bin_node *node = &A->node[i];
    const uint64_t units = node_units(node);
    *link = node->next;
    if (from->bin[b] == NO_NODE)
        from->filled[b / 64] &= ~((uint64_t)1 << (b % 64));
    node->next = to->bin[b];
    to->bin[b] = i;
    to->filled[b / 64] |= (uint64_t)1 << (b % 64);
    to->free_units += units;
    to->free_pieces += node->n;
    from->free_units -= units;
    from->free_pieces -= node->n;
}

/* A long piece of the commons is left to all but for a part. */
static void take_part(struct arena *A, struct arena_lane *L)
{
    struct arena_lane *C = arena_commons(A);
    const piece p = pop(A, C, BIN_LONG);
    const uint64_t units = piece_units(p);
    const uint64_t part = units > 2 * GRANULE ? GRANULE : units;
    if (part < units)
        arena_free(A, C, piece_of(piece_at(p) + part, units - part));
    arena_free(A, L, piece_of(piece_at(p), part));
}

static void tell_common(struct arena *A)
{
    for (uint32_t w = 0; w < BIN_WORDS; w++)
        atomic_store_explicit(&A->common[w], arena_commons(A)->filled[w],
                              memory_order_relaxed);
}

/* Makes pieces that fit better than those of bin `own` the lane's, if the
 * commons have some; returns the bin to cut from, BINS if there is none. */
static HY_NOINLINE uint32_t take_common(struct arena *A, struct arena_lane *L,
                                        uint32_t units, uint32_t own)
{
    struct arena_lane *C = arena_commons(A);
    uint64_t hint[BIN_WORDS];
    for (uint32_t w = 0; w < BIN_WORDS; w++)
        hint[w] = atomic_load_explicit(&A->common[w], memory_order_relaxed);
    if (next_bin(hint, units) >= own)
        return own;
    par_lock_acquire(&A->lock);
    const uint32_t b = next_bin(C->filled, units);
    if (b < own && b == BIN_LONG)
        take_part(A, L);
    else if (b < own)
        move_node(A, C, L, b, &C->bin[b]);
    tell_common(A);
    par_lock_release(&A->lock);
    return b < own ? b : own;
}

/* One lane is at work, and all bins are its own. */
static uint32_t find_alone(const struct arena *A, uint32_t units,
                           struct arena_lane **from)
{
    uint32_t best = next_bin((*from)->filled, units);
    for (size_t i = 0; i < A->n_lanes; i++) {
        const uint32_t b = next_bin(A->lane[i].filled, units);
        *from = b < best ? &A->lane[i] : *from;
        best = b < best ? b : best;
    }
    return best;
}

piece arena_cut(struct arena *A, struct arena_lane *L, uint32_t units)
{
    struct arena_lane *from = L;
    uint32_t b = next_bin(L->filled, units);
    if (b == BINS || b > units + units / 8)
        b = A->alone ? find_alone(A, units, &from)
                     : take_common(A, L, units, b);
    if (b < BINS)
        return split(A, L, pop(A, from, b), units);
    return cut_end(A, L, units);
}

/* ---- sharing ------------------------------------------------------------- */

/* Every other node of a lane's becomes common, until there are plenty. */
static void share(struct arena *A, struct arena_lane *from, uint64_t lacked)
{
    struct arena_lane *C = arena_commons(A);
    const uint64_t enough = C->free_units + SHARE * lacked;
    for (uint32_t b = 0; b < BINS && (b = next_bin(from->filled, b)) < BINS;
         b++) {
        uint32_t *kept = &from->bin[b];
        while (*kept != NO_NODE && A->node[*kept].next != NO_NODE) {
            if (C->free_units >= enough)
                return;
            kept = &A->node[*kept].next;
            move_node(A, from, C, b, kept);
        }
    }
}

void arena_settle(struct arena *A)
{
    struct arena_lane *most = arena_commons(A);
    uint64_t lacked = 0;
    for (size_t i = 0; i < A->n_lanes; i++) {
        struct arena_lane *L = &A->lane[i];
        most = L->free_units > most->free_units ? L : most;
        lacked += L->lacked;
        give_nodes(A, L->spare);
        L->spare = NO_NODE;
        L->lacked = 0;
    }
    if (HY_UNLIKELY(lacked && most != arena_commons(A)))
        share(A, most, lacked);
}

/* ---- looking ------------------------------------------------------------ */

bool arena_each_free(const struct arena *A, bool (*f)(void *arg, piece p),
                     void *arg)
{
    for (size_t i = 0; i < A->n_lanes; i++) {
        const struct arena_lane *L = &A->lane[i];
        if (L->end > L->at && !f(arg, piece_of(L->at, L->end - L->at)))
            return false;
        for (uint32_t b = 0; b < BINS; b++)
            for (uint32_t n = L->bin[b]; n != NO_NODE; n = A->node[n].next)
                for (uint32_t j = 0; j < A->node[n].n; j++)
                    if (!f(arg, A->node[n].at[j]))
                        return false;
    }
    return true;
}

uint64_t arena_free_units(const struct arena *A)
{
    uint64_t units = 0;
    for (size_t i = 0; i < A->n_lanes; i++)
        units += A->lane[i].free_units + A->lane[i].end - A->lane[i].at;
    return units;
}

/* ---- sweeping ----------------------------------------------------------- */

struct sweep {
    piece *at;
    size_t n;
};

static bool collect(void *arg, piece p)
{
    struct sweep *S = arg;
    S->at[S->n++] = p;
    return true;
}

/* Appends p to n pieces, merged with the last where they touch. */
static size_t append_merged(piece *out, size_t n, piece p)
{
    if (n) {
        const piece last = out[n - 1];
        const uint64_t both = piece_units(last) + piece_units(p);
        if (piece_at(last) + piece_units(last) == piece_at(p) &&
            both <= PIECE_MAX) {
            out[n - 1] = piece_of(piece_at(last), both);
            return n;
        }
    }
    out[n] = p;
    return n + 1;
}

/* Pieces at the end are no pieces. */
static size_t lower_top(struct arena *A, const piece *p, size_t n)
{
    while (n && piece_at(p[n - 1]) + piece_units(p[n - 1]) == top_of(A))
        atomic_store_explicit(&A->top, piece_at(p[--n]), memory_order_relaxed);
    return n;
}

static void empty_bins(struct arena *A)
{
    for (size_t i = 0; i < A->n_lanes; i++) {
        for (uint32_t b = 0; b < BINS; b++)
            give_nodes(A, A->lane[i].bin[b]);
        give_nodes(A, A->lane[i].spare);
        arena_lane_init(&A->lane[i]);
    }
}

/* From the end, so that stacks pop ascending: what a batch moves comes to lie
 * in vertex order. */
static void fill_bins(struct arena *A, const piece *p, size_t n)
{
    for (size_t i = n; i-- > 0;)
        arena_free(A, arena_commons(A), p[i]);
}

/* Merges all free pieces with their neighbours; false, and skipped, without
 * memory. */
static bool sweep(hy_ctx *ctx, struct arena *A)
{
    const size_t n = pieces_free(A) + A->n_lanes;
    A->top_swept = top_of(A);
    struct sweep S = { .at = base_alloc_raw(ctx, n, sizeof *S.at) };
    piece *tmp = base_alloc_raw(ctx, n, sizeof *tmp);
    const bool is_done = S.at && tmp;
    if (is_done) {
        (void)arena_each_free(A, collect, &S);
        struct par_keys keys = {
            .key = S.at,
            .key_tmp = tmp,
            .n = S.n,
            .high_bits = bits_width(piece_of(top_of(A), 0) >> 32),
            .low_bits = 32,
        };
        par_sort(ctx, &keys);
        S.at = keys.key;
        tmp = keys.key_tmp;
        size_t kept = 0;
        for (size_t i = 0; i < S.n; i++)
            kept = append_merged(S.at, kept, S.at[i]);
        empty_bins(A);
        fill_bins(A, S.at, lower_top(A, S.at, kept));
        A->top_swept = top_of(A);
    }
    base_free(ctx, S.at);
    base_free(ctx, tmp);
    return is_done;
}

/* Nodes that a refused request brought go again: under a cap they would be
 * what is lacking for all that come after it.  Those in use move to the front;
 * skipped without memory. */
static void shed_nodes(hy_ctx *ctx, struct arena *A)
{
    const size_t n = pieces_free(A);
    const size_t room = n / NODE_PIECES + nodes_for(A, 0);
    struct sweep S = { .at =
                           base_alloc_raw(ctx, n + A->n_lanes, sizeof *S.at) };
    if (S.at && room < A->nodes_room) {
        (void)arena_each_free(A, collect, &S);
        empty_bins(A);
        struct bin_node *node =
            base_resize(ctx, A->node, room, sizeof *A->node);
        uint32_t *spare = base_resize(ctx, A->spare, room, sizeof *A->spare);
        A->node = node ? node : A->node;
        A->spare = spare ? spare : A->spare;
        A->nodes_room = (uint32_t)room;
        for (uint32_t i = 0; i < room; i++)
            A->spare[i] = i;
        atomic_store_explicit(&A->n_spare, (uint32_t)room,
                              memory_order_relaxed);
        fill_bins(A, S.at, S.n);
    }
    base_free(ctx, S.at);
}

/* ---- reserving ---------------------------------------------------------- */

/* The end after cutting `units` from it: a granule may end in a rest too
 * short for the next request, and every lane may hold a fresh one. */
static uint64_t end_after(const struct arena *A, uint64_t units)
{
    const uint64_t rests =
        A->granule ? units / A->granule * 2 * BIN_LONGEST : 0;
    return top_of(A) + units + rests + A->n_lanes * (A->granule + BIN_LONGEST);
}

struct sure {
    uint64_t units;
};

/* Of a piece, requests of at most a page are sure to get all but a page. */
static bool add_sure(void *arg, piece p)
{
    struct sure *S = arg;
    if (piece_units(p) > BIN_LONGEST)
        S->units += piece_units(p) - BIN_LONGEST;
    return true;
}

static uint64_t sure_units(const struct arena *A)
{
    struct sure S = { 0 };
    (void)arena_each_free(A, add_sure, &S);
    return S.units;
}

static bool is_sweep_due(const struct arena *A)
{
    const uint64_t top = top_of(A);
    return top > A->top_swept + A->top_swept / SWEEP_GROWN + SWEEP_LEAST &&
           arena_free_units(A) > top / SWEEP_FREE;
}

hy_status arena_reserve(hy_ctx *ctx, struct arena *A, uint64_t units,
                        size_t pieces, uint64_t cap)
{
    uint64_t nodes, more = 0;
    pieces += units / (GRANULE - BIN_LONGEST); /* parts of long ones */
    HY_TRY(reserve_nodes(ctx, A, pieces, &nodes));
    A->granule = top_of(A) / GRANULE_SHARE > GRANULE ? GRANULE : 0;
    A->tight = (end_after(A, units) * ARENA_UNIT) + nodes > cap;
    if (HY_UNLIKELY(A->tight || is_sweep_due(A))) {
        const bool is_swept = sweep(ctx, A);
        HY_TRY(reserve_nodes(ctx, A, pieces, &more));
        /* What is left of granules is one lane's, and not sure. */
        if (A->tight && !is_swept)
            return HY_ENOMEM;
    }
    if (HY_UNLIKELY(A->tight)) {
        /* Near the cap: one lane, cutting to measure, and counting on what
         * long pieces are sure to hold. */
        const uint64_t sure = sure_units(A);
        A->granule = 0;
        units = units > sure ? units - sure : 0;
        if (end_after(A, units) * ARENA_UNIT + nodes + more > cap) {
            shed_nodes(ctx, A);
            return base_fail(HY_ENOMEM, "the memory cap is reached");
        }
    }
    tell_common(A);
    return base_space_grow(ctx, &A->space, end_after(A, units) * ARENA_UNIT);
}
