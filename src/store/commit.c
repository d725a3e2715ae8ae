/* Commit: the batch's lines become one new version, or nothing changes. */
#include "store/commit.h"
#include "store/build.h"
#include "store/hub.h"
#include "store/watch.h"

#include "par/par.h"

#include <stdatomic.h>

/* ---- 3 sort ------------------------------------------------------------- */

static void sort_side(struct commit *C, uint32_t side)
{
    struct work *W = &C->G->work;
    struct ops *O = &C->ops[side];
    const size_t at = side ? C->ops[0].n : 0;
    const unsigned bits = bits_width(C->bound ? C->bound - 1 : 0);
    struct par_keys keys = {
        .key = (uint64_t *)W->key.at + at,
        .key_tmp = (uint64_t *)W->key_tmp.at + at,
        .tag = O->tag,
        .tag_tmp = O->tag ? (uint32_t *)W->tag_tmp.at + at : NULL,
        .n = O->n,
        .high_bits = bits,
        .low_bits = bits,
    };
    par_sort(C->G->ctx, &keys);
    O->key = keys.key;
    O->tag = keys.tag;
}

/* ---- 5 apply ------------------------------------------------------------ */

struct applying {
    struct commit *C;
    const struct ops *O;
    struct chunk *chunk;
    size_t n_chunks;
    _Atomic size_t next; /* chunk to take; relaxed: a ticket */
};

static void lane_par(void *arg, size_t i)
{
    struct applying *P = arg;
    hy_graph *G = P->C->G;
    struct arena *A = &G->core->arena;
    struct lane L;
    L.G = G;
    L.S = &G->shape;
    L.core = G->core;
    L.ops = P->O;
    L.bins = &A->lane[i];
    L.counts_all = !G->shape.undirected && P->O->side == OUT;
    L.counts_half = G->shape.undirected;
    L.pin = P->C->pin;
    L.marks = G->marks;
    L.epoch = version_epoch(G);
    L.even = spread_of(0, P->C->bound);
    L.edit = (struct edit *)G->work.edit.at + i * P->C->max_run;
    L.twig_room = P->C->twig_room;
    L.twig =
        (struct twig *)G->work.twig.at + i * HUB_SCRATCH_LEVELS * L.twig_room;
    for (;;) {
        const size_t c =
            atomic_fetch_add_explicit(&P->next, 1, memory_order_relaxed);
        if (c >= P->n_chunks)
            break;
        apply_chunk(&L, &P->chunk[c]);
    }
}

static void apply_side(struct commit *C, uint32_t side)
{
    hy_graph *G = C->G;
    struct applying P = {
        .C = C,
        .O = &C->ops[side],
        .chunk = C->chunk + (side ? C->n_chunks[0] : 0),
        .n_chunks = C->n_chunks[side],
    };
    atomic_init(&P.next, 0);
    struct arena *A = &G->core->arena;
    const size_t width = A->tight ? 1 : par_width(G->ctx);
    const size_t lanes = P.n_chunks < width ? P.n_chunks : width;
    A->alone = lanes == 1;
    par_run(G->ctx, lanes, lane_par, &P);
}

/* ---- 6 settle ----------------------------------------------------------- */

/* What a view sees and `now` does not any more. */
static void settle_drops(struct commit *C, const struct drop *d, size_t n)
{
    if (n)
        memcpy(C->dead->at + C->dead->n, d, n * sizeof *d);
    if (n)
        C->dead->n += n;
}

static void keep_dead(struct commit *C)
{
    hy_graph *G = C->G;
    if (!C->dead || !C->dead->n) {
        base_free(G->ctx, C->dead);
        return;
    }
    const size_t bytes = sizeof *C->dead + C->dead->n * sizeof *C->dead->at;
    struct dead *fit = base_resize(G->ctx, C->dead, 1, bytes);
    C->dead = fit ? fit : C->dead;
    C->dead->next = G->dead;
    G->dead = C->dead;
    G->core->arena.promised += C->dead->n;
}

static void add_counts(hy_counts *sum, const hy_counts *c)
{
    sum->inserted += c->inserted;
    sum->updated += c->updated;
    sum->deleted += c->deleted;
    sum->duplicate += c->duplicate;
    sum->missing += c->missing;
    sum->detached += c->detached;
}

static void settle(struct commit *C)
{
    hy_graph *G = C->G;
    const struct drop *drop = G->work.drop.at;
    const uint32_t *pages = G->work.pages.at;
    struct table *T = &G->core->table;
    const size_t n = C->n_chunks[0] + (C->n_sides > 1 ? C->n_chunks[1] : 0);
    G->bytes_moved = 0;
    for (size_t i = 0; i < n; i++) {
        struct chunk *c = &C->chunk[i];
        settle_drops(C, drop + c->drop_at, c->n_drops);
        for (size_t p = c->n_pages; p < c->pages; p++)
            table_give(T, pages[c->page_at + p]);
        add_counts(&C->counts, &c->counts);
        G->bytes_moved += c->moved;
        G->now.edges += (uint64_t)c->edges;
        if (i < C->n_chunks[0])
            G->now.arcs += (uint64_t)c->arcs;
    }
    settle_drops(C, drop + C->event_drop_at, C->n_event_drops);
    for (size_t p = C->n_event_pages; p < C->event_pages; p++)
        table_give(T, pages[C->event_page_at + p]);
    keep_dead(C);
    arena_settle(&G->core->arena);
    G->now.bound = (hy_vid)C->bound;
    G->now.vertices += (uint64_t)C->vertices;
    build_note(G, C->B->n);
}

/* ---- the delta ---------------------------------------------------------- */

/* Moves the chunks' parts of a list together. */
static void join(const struct commit *C, size_t list, struct buf *at,
                 struct buf *values, struct buf *old, hy_edge_list *out)
{
    const size_t size = C->G->shape.edge.size;
    size_t n = 0;
    for (size_t i = 0; i < C->n_chunks[0]; i++) {
        const struct chunk *c = &C->chunk[i];
        const struct list_out *part = list == 0   ? &c->inserted
                                      : list == 1 ? &c->deleted
                                                  : &c->updated;
        if (part->n && n != c->lo) {
            memmove((hy_edge *)at->at + n, part->at,
                    part->n * sizeof *part->at);
            if (size)
                memmove((char *)values->at + n * size, part->values,
                        part->n * size);
            if (size && old)
                memmove((char *)old->at + n * size, part->old, part->n * size);
        }
        n += part->n;
    }
    out->n = n;
    out->at = at->at;
    out->values = size ? values->at : NULL;
    out->old = size && old ? old->at : NULL;
}

static void fill_delta(struct commit *C, hy_delta *delta)
{
    struct work *W = &C->G->work;
    *delta = (hy_delta){ .version = C->G->now.version, .counts = C->counts };
    join(C, 0, &W->inserted, &W->inserted_values, NULL, &delta->inserted);
    join(C, 1, &W->deleted, &W->deleted_values, NULL, &delta->deleted);
    join(C, 2, &W->updated, &W->updated_values, &W->updated_old,
         &delta->updated);
    stage_tell(C, delta);
}

/* ---- commit ------------------------------------------------------------- */

enum { TRIM_LINES = 256 }; /* fewer leave no workspace worth a look */

static void take_pages(struct commit *C)
{
    uint32_t *pages = C->G->work.pages.at;
    for (size_t i = 0; i < C->n_pages; i++)
        pages[i] = table_take(&C->G->core->table, version_epoch(C->G), false);
}

/* Watchers reserve what they may need. */
static hy_status foresee(struct commit *C)
{
    const struct watch_coming coming = {
        .bound = (hy_vid)C->bound,
        .edges = C->ops[0].n,
        .vertices = C->n_events,
        .batch = C->B,
    };
    for (struct watcher *w = C->G->watchers; w; w = w->next)
        HY_TRY(w->foresee(w, &coming));
    return HY_OK;
}

static bool wants_delta(const hy_graph *G)
{
    for (const struct watcher *w = G->watchers; w; w = w->next)
        if (w->follow)
            return true;
    return false;
}

static void touch(const struct commit *C, struct watcher *w)
{
    for (uint32_t side = 0; side < C->n_sides; side++)
        w->touch(w, C->ops[side].key, C->ops[side].n);
    for (size_t i = 0; i < C->n_events; i++) {
        const uint64_t key = (uint64_t)C->event[i].u << 32;
        w->touch(w, &key, 1);
    }
}

static void tell_touched(const struct commit *C)
{
    for (struct watcher *w = C->G->watchers; w; w = w->next)
        if (w->touch)
            touch(C, w);
}

static void follow(hy_graph *G, const hy_delta *delta)
{
    for (struct watcher *w = G->watchers; w; w = w->next)
        if (w->follow)
            w->follow(w, &G->now, delta);
}

/* 2 to 4: all that can fail. */
static hy_status prepare(struct commit *C)
{
    HY_TRY(stage_lines(C));
    for (uint32_t side = 0; side < C->n_sides; side++)
        sort_side(C, side);
    hy_status status = plan(C);
    if (status == HY_OK)
        status = foresee(C);
    if (status != HY_OK) {
        stage_undo(C);
        base_free(C->G->ctx, C->dead);
    } else if (C->dead) {
        C->dead->n = 0;
    }
    return status;
}

hy_status hy_graph_commit(hy_graph *G, const hy_batch *B, hy_delta *delta)
{
    if (!G || !B || !shape_is_same(&G->shape, &B->shape))
        return base_fail(HY_EINVAL, "the batch is for another kind of graph");
    stage_ask(G, B);
    if (HY_UNLIKELY(G->has_large_work))
        work_trim(G, false);
    struct commit C;
    memset(&C, 0, sizeof C);
    C.G = G;
    C.B = B;
    C.want_delta = delta || wants_delta(G);
    C.bound = G->now.bound;
    C.pin = version_begin(G);
    const hy_status status = prepare(&C);
    if (status != HY_OK) {
        work_fini(G); /* so that a smaller batch finds room under the cap */
        version_end(G, false);
        return status;
    }
    take_pages(&C);
    for (uint32_t side = 0; side < C.n_sides; side++)
        apply_side(&C, side);
    stage_settle(&C);
    settle(&C);
    version_end(G, true);
    tell_touched(&C);
    if (C.want_delta) {
        hy_delta own;
        delta = delta ? delta : &own;
        fill_delta(&C, delta);
        follow(G, delta);
    }
    build_compact(G);
    if (C.ops[0].n > TRIM_LINES)
        work_trim(G, true);
    return HY_OK;
}
