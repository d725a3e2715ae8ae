/* The lines of a batch turned into operations on edges and events of
 * vertices.
 *
 * Mostly a batch is about edges between vertices that are there: then its
 * keys are the operations.  Else its lines are gone through in order, with
 * the ids (alive, map, queue) changing as the lines say; events remember what
 * changed, to undo it and to write it into the table.
 */
#include "store/stage.h"

#include "par/par.h"

enum {
    RESOLVE_GRAIN = 1 << 14,
    ASK_SLOTS = 512 /* lines: the slots of so few stay in the first cache */
};

/* ---- edges alone -------------------------------------------------------- */

void stage_ask(const hy_graph *G, const hy_batch *B)
{
    const hy_view *V = &G->now;
    if (B->n > ASK_SLOTS || !B->key || B->n_vertex_lines ||
        B->max_id >= V->bound)
        return;
    const bool both = V->shape->undirected || V->reverse;
    const struct reach out = view_reach(V, OUT);
    const struct reach in = view_reach(V, V->shape->undirected ? OUT : IN);
    for (size_t i = 0; i < B->n; i++) {
        const uint64_t key = B->key[i];
        HY_PREFETCH_WRITE(reach_slot(&out, (hy_vid)(key >> 32)));
        if (both)
            HY_PREFETCH_WRITE(reach_slot(&in, (hy_vid)key));
    }
}

static hy_status stage_edges(struct commit *C)
{
    const hy_batch *B = C->B;
    if (B->n && B->max_id >= C->bound)
        return base_fail(HY_ERANGE, "no vertex %u: ids are below %llu",
                         B->max_id, (unsigned long long)C->bound);
    ops_describe(C);
    return ops_fill(C, B->key, NULL, B->n, ops_need_tags(B), B->n_loops > 0);
}

/* ---- lines in order ------------------------------------------------------ */

static uint64_t external_of(const hy_batch *B, size_t i, int end)
{
    if (B->shape.mapped)
        return end ? B->pair[i].v : B->pair[i].u;
    return end ? (hy_vid)B->key[i] : B->key[i] >> 32;
}

static void add_event(struct staging *T, struct event e)
{
    struct commit *C = T->C;
    const size_t i = stage_last(T, e.u);
    e.previous = T->last[i];
    T->last[i] = (uint32_t)C->n_events;
    C->event[C->n_events++] = e;
}

static bool is_alive(const struct staging *T, hy_vid u)
{
    return u < T->C->bound && ids_is_alive(T->ids, u);
}

/* The vertex of an end: as found before, unless a line deleted it since. */
static hy_vid find_end(const struct staging *T, size_t line, int end)
{
    const hy_vid u = T->end[end][line];
    if (!T->B->shape.mapped || (u != HY_NONE && is_alive(T, u)))
        return u;
    return ids_find(T->ids, external_of(T->B, line, end));
}

static void bring(struct staging *T, hy_vid u, size_t line, uint32_t values,
                  uint64_t external)
{
    struct commit *C = T->C;
    C->bound = u >= C->bound ? (uint64_t)u + 1 : C->bound;
    bits_add(T->ids->alive, u);
    if (T->B->shape.mapped)
        ids_map(T->ids, external, u);
    C->vertices++;
    add_event(T, (struct event){ .u = u,
                                 .line = (uint32_t)line,
                                 .what = VERTEX_CAME,
                                 .values = values,
                                 .external = external });
}

/* A vertex with an id from the queue, or else past the last one. */
static hy_status bring_any(struct staging *T, size_t line, uint32_t values,
                           uint64_t external, hy_vid *out)
{
    hy_vid u = ids_dequeue(T->ids);
    if (u == HY_NONE) {
        if (T->C->bound >= HY_NONE)
            return base_fail(HY_EFULL, "all vertex ids are used up");
        u = (hy_vid)T->C->bound;
    }
    bring(T, u, line, values, external);
    *out = u;
    return HY_OK;
}

/* The vertex's columns as the lines so far have left them. */
static void columns_now(const struct staging *T, hy_vid u, char *record)
{
    const struct commit *C = T->C;
    const size_t size = T->B->shape.vertex.size;
    uint32_t e = T->last[stage_last(T, u)];
    while (e != NO_EVENT && C->event[e].values == NO_VALUES &&
           C->event[e].what == VERTEX_CHANGED)
        e = C->event[e].previous;
    if (e == NO_EVENT)
        (void)hy_view_vertex_values(&T->G->now, u, record);
    else if (C->event[e].values == NO_VALUES)
        memset(record, 0, size);
    else
        memcpy(record, T->B->vertex_values + C->event[e].values * size, size);
}

static bool columns_differ(const struct staging *T, hy_vid u, uint32_t values)
{
    const struct shape_record *R = &T->B->shape.vertex;
    _Alignas(16) char now[MAX_COLUMNS * 8];
    columns_now(T, u, now);
    return record_differs(R, now, T->B->vertex_values + values * R->size);
}

static void change_vertex(struct staging *T, hy_vid u, size_t line,
                          uint32_t values)
{
    if (values == NO_VALUES || !columns_differ(T, u, values)) {
        T->C->counts.vertices_duplicate++;
        return;
    }
    T->C->counts.vertices_updated++;
    add_event(T, (struct event){ .u = u,
                                 .line = (uint32_t)line,
                                 .what = VERTEX_CHANGED,
                                 .values = values });
}

static hy_status insert_vertex(struct staging *T, size_t line)
{
    const hy_batch *B = T->B;
    const uint32_t values = (uint32_t)external_of(B, line, 1);
    hy_vid u = find_end(T, line, 0);
    if (u != HY_NONE && is_alive(T, u)) {
        change_vertex(T, u, line, values);
        return HY_OK;
    }
    if (B->shape.mapped || u == HY_NONE)
        HY_TRY(bring_any(T, line, values, external_of(B, line, 0), &u));
    else
        bring(T, u, line, values, u);
    T->C->counts.vertices_inserted++;
    return HY_OK;
}

static void delete_vertex(struct staging *T, size_t line)
{
    const hy_vid u = find_end(T, line, 0);
    if (u == HY_NONE || !is_alive(T, u)) {
        T->C->counts.vertices_missing++;
        return;
    }
    const uint64_t external = external_of(T->B, line, 0);
    bits_remove(T->ids->alive, u);
    if (T->B->shape.mapped)
        ids_unmap(T->ids, external);
    T->C->vertices--;
    T->C->counts.vertices_deleted++;
    add_event(T, (struct event){ .u = u,
                                 .line = (uint32_t)line,
                                 .what = VERTEX_WENT,
                                 .values = NO_VALUES,
                                 .external = external });
}

/* True if both ends are there; false: the line was counted. */
static hy_status find_ends(struct staging *T, size_t line, enum op op,
                           hy_vid at[2], bool *found)
{
    const hy_batch *B = T->B;
    const bool inserts = op == OP_INSERT || op == OP_INSERT_BARE;
    *found = false;
    for (int end = 0; end < 2; end++) {
        at[end] = find_end(T, line, end);
        if (!B->shape.mapped && at[end] >= T->C->bound)
            return base_fail(HY_ERANGE, "no vertex %u: ids are below %llu",
                             at[end], (unsigned long long)T->C->bound);
    }
    if (inserts && T->G->shape.no_loops &&
        external_of(B, line, 0) == external_of(B, line, 1)) {
        T->C->counts.rejected++;
        return HY_OK;
    }
    for (int end = 0; end < 2; end++) {
        if (end)
            at[end] = find_end(T, line, end); /* a loop may just have come */
        if (at[end] != HY_NONE && is_alive(T, at[end]))
            continue;
        if (inserts && B->shape.mapped) {
            HY_TRY(bring_any(T, line, NO_VALUES, external_of(B, line, end),
                             &at[end]));
            continue;
        }
        T->C->counts.rejected += inserts;
        T->C->counts.missing += !inserts;
        return HY_OK;
    }
    *found = true;
    return HY_OK;
}

static hy_status stage_edge(struct staging *T, size_t line, enum op op)
{
    hy_vid at[2];
    bool found;
    HY_TRY(find_ends(T, line, op, at, &found));
    if (!found)
        return HY_OK;
    T->edge[T->n] = (uint64_t)at[0] << 32 | at[1];
    T->tag[T->n] = (uint32_t)line;
    T->loops |= at[0] == at[1];
    T->n++;
    return HY_OK;
}

static hy_status stage_in_order(struct staging *T)
{
    for (size_t i = 0; i < T->B->n; i++) {
        const enum op op = batch_op(T->B, i);
        if (op == OP_INSERT_VERTEX)
            HY_TRY(insert_vertex(T, i));
        else if (op == OP_DELETE_VERTEX)
            delete_vertex(T, i);
        else
            HY_TRY(stage_edge(T, i, op));
    }
    return HY_OK;
}

void stage_undo(struct commit *C)
{
    hy_graph *G = C->G;
    if (!C->is_staged)
        return;
    C->is_staged = false;
    par_lock_acquire(&G->lock);
    while (C->n_events) {
        const struct event *e = &C->event[--C->n_events];
        if (e->what == VERTEX_WENT) {
            bits_add(G->ids.alive, e->u);
            if (G->shape.mapped)
                ids_map(&G->ids, e->external, e->u);
        } else if (e->what == VERTEX_CAME) {
            bits_remove(G->ids.alive, e->u);
            if (G->shape.mapped)
                ids_unmap(&G->ids, e->external);
        }
    }
    ids_rewind(&G->ids, C->queue);
    par_lock_release(&G->lock);
}

/* ---- all lines ---------------------------------------------------------- */

static void resolve_par(void *arg, size_t lo, size_t hi)
{
    struct staging *T = arg;
    const bool is_ahead = T->B->shape.mapped && T->B->n > IDS_AHEAD;
    const size_t last = is_ahead ? T->B->n - IDS_AHEAD : 0;
    for (size_t i = lo; i < hi; i++)
        for (int end = 0; end < 2; end++) {
            const uint64_t external = external_of(T->B, i, end);
            if (i < last)
                ids_ahead(T->ids, external_of(T->B, i + IDS_AHEAD, end));
            T->end[end][i] = T->B->shape.mapped ? ids_find(T->ids, external)
                                                : (hy_vid)external;
        }
}

/* Most ids that the batch may bring, and the bound that may need. */
static uint64_t count_new(struct staging *T, struct ids_widths *coming)
{
    uint64_t fresh = 0, bound = T->C->bound;
    for (size_t i = 0; i < T->B->n; i++) {
        const enum op op = batch_op(T->B, i);
        const hy_vid u = T->end[0][i];
        if (T->B->shape.mapped) {
            const bool brings = op == OP_INSERT || op == OP_INSERT_BARE ||
                                op == OP_INSERT_VERTEX;
            /* A vertex that is there may be deleted and come back. */
            const bool may_go = T->B->n_vertex_lines > 0;
            for (int end = 0; end < (op == OP_INSERT_VERTEX ? 1 : 2); end++)
                if (brings && (T->end[end][i] == HY_NONE || may_go)) {
                    ids_widths_add(coming, external_of(T->B, i, end));
                    fresh++;
                }
        } else if (op == OP_INSERT_VERTEX) {
            fresh++;
            if (u != HY_NONE && u >= bound)
                bound = (uint64_t)u + 1;
        }
    }
    T->unknown = fresh;
    bound += fresh;
    return bound < HY_NONE ? bound : HY_NONE;
}

static hy_status reserve_staging(struct staging *T)
{
    hy_graph *G = T->G;
    struct commit *C = T->C;
    const size_t n = T->B->n;
    HY_TRY(buf_reserve(G, &G->work.line, 2 * n, sizeof(hy_vid)));
    T->end[0] = G->work.line.at;
    T->end[1] = T->end[0] + n;
    par_for(G->ctx, n, RESOLVE_GRAIN, resolve_par, T);
    struct ids_widths coming = { 0 };
    const uint64_t bound = count_new(T, &coming);
    const size_t events = T->unknown + T->B->n_vertex_lines;
    size_t hash = 16;
    while (hash < 2 * events)
        hash *= 2;
    HY_TRY(buf_reserve(G, &G->work.event, events, sizeof *C->event));
    C->event = G->work.event.at;
    HY_TRY(buf_reserve(G, &G->work.last, hash, sizeof *T->last));
    T->last = G->work.last.at;
    T->last_mask = hash - 1;
    memset(T->last, 0xff, hash * sizeof *T->last);
    T->edge = base_alloc_raw(G->ctx, n, sizeof *T->edge);
    T->tag = base_alloc_raw(G->ctx, n, sizeof *T->tag);
    if (!T->edge || !T->tag)
        return HY_ENOMEM;
    HY_TRY(graph_allows(G, ids_growth(&G->ids, bound, events, &coming)));
    par_lock_acquire(&G->lock);
    const hy_status status =
        ids_reserve(G->ctx, &G->ids, bound, events, &coming);
    par_lock_release(&G->lock);
    return status;
}

/* Table pages for the vertices that come; they stay if the commit fails. */
static hy_status reserve_pages(struct staging *T)
{
    struct commit *C = T->C;
    hy_graph *G = T->G;
    HY_TRY(graph_reserve_dir(G, C->bound));
    /* Lists of the delta, and as much again to sort them in. */
    HY_TRY(buf_reserve(G, &G->work.came, 2 * C->n_events, sizeof(uint64_t)));
    HY_TRY(buf_reserve(G, &G->work.went, 2 * C->n_events, sizeof(uint64_t)));
    uint32_t last = NO_PAGE;
    for (size_t i = 0; i < C->n_events; i++) {
        uint32_t *page = &G->dir[C->event[i].u / PAGE_VERTICES];
        if (*page != NO_PAGE) {
            const bool is_seen = G->core->table.birth[*page] <= C->pin;
            C->event_pages += is_seen && *page != last;
            last = *page;
            continue;
        }
        HY_TRY(graph_allows(G, G->core->table.layout.bytes));
        HY_TRY(table_reserve(G->ctx, &G->core->table, 1));
        *page = table_take(&G->core->table, version_epoch(G), true);
    }
    return HY_OK;
}

static hy_status stage_all(struct staging *T)
{
    HY_TRY(reserve_staging(T));
    T->C->queue = ids_mark(T->ids);
    T->C->is_staged = true;
    par_lock_acquire(&T->G->lock);
    const hy_status status = stage_in_order(T);
    par_lock_release(&T->G->lock);
    HY_TRY(status);
    HY_TRY(reserve_pages(T));
    ops_describe(T->C);
    HY_TRY(stage_kill(T));
    const bool tagged = T->C->ops[0].kill_time || ops_need_tags(T->B);
    return ops_fill(T->C, T->edge, T->tag, T->n, tagged, T->loops);
}

hy_status stage_lines(struct commit *C)
{
    hy_graph *G = C->G;
    const hy_batch *B = C->B;
    const bool all_alive = G->now.vertices == G->now.bound;
    const bool has_bad_loops = G->shape.no_loops && B->n_loops;
    if (!G->shape.mapped && !B->n_vertex_lines && all_alive && !has_bad_loops)
        return stage_edges(C);
    struct staging T = { .C = C, .G = G, .B = B, .ids = &G->ids };
    const hy_status status = stage_all(&T);
    if (status != HY_OK)
        stage_undo(C);
    base_free(G->ctx, T.edge);
    base_free(G->ctx, T.tag);
    return status;
}
