/* The lines of a batch turned into operations on edges and events of
 * vertices.
 *
 * Mostly a batch is about edges between vertices that are there: then its
 * keys are the operations.  Else its lines are gone through in order, with
 * the ids (alive, map, queue) changing as the lines say; events remember what
 * changed, to undo it and to write it into the table.
 *
 * An edge that goes with its vertex gets an operation of its own, a kill, at
 * the time of the line that deletes the vertex: one for each edge that was
 * there at the vertex's first deletion, and one for each insertion of the
 * batch that is followed by a deletion of one of its ends.
 */
#include "store/commit.h"
#include "store/hub.h"

#include "base/random.h"
#include "par/par.h"

enum { FILL_GRAIN = 1 << 14 };

/* ---- operations from edges ---------------------------------------------- */

/* Where operations come from: keys of edges, and their tags. */
struct filling {
    const uint64_t *edge;
    const uint32_t *tag; /* NULL: tags are positions */
    uint64_t *key;
    uint32_t *out_tag; /* NULL: none wanted */
    size_t step;       /* 2: undirected, each edge and its twin behind it */
    size_t other;      /* where the other side starts; 0: there is none */
};

static uint64_t flip(uint64_t key)
{
    return key << 32 | key >> 32;
}

/* Undirected: twins side by side, so that sorting keeps lines in order
 * whichever way round they name the edge. */
static void fill_keys(const struct filling *F, size_t lo, size_t hi)
{
    for (size_t i = lo; F->step == 2 && i < hi; i++) {
        F->key[2 * i] = F->edge[i];
        F->key[2 * i + 1] = flip(F->edge[i]);
    }
    if (F->step == 1)
        memcpy(F->key + lo, F->edge + lo, (hi - lo) * sizeof *F->key);
    for (size_t i = lo; F->other && i < hi; i++)
        F->key[F->other + i] = flip(F->edge[i]);
}

static void fill_par(void *arg, size_t lo, size_t hi)
{
    const struct filling *F = arg;
    fill_keys(F, lo, hi);
    for (size_t i = lo; F->out_tag && i < hi; i++) {
        const uint32_t tag = F->tag ? F->tag[i] : (uint32_t)i;
        for (size_t twin = 0; twin < F->step; twin++)
            F->out_tag[F->step * i + twin] = tag;
        if (F->other)
            F->out_tag[F->other + i] = tag;
    }
}

/* An undirected loop is one operation: drops its twin. */
static size_t drop_twins(const struct filling *F, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        if (i % 2 && F->key[i] == flip(F->key[i]))
            continue;
        F->key[kept] = F->key[i];
        if (F->out_tag)
            F->out_tag[kept] = F->out_tag[i];
        kept++;
    }
    return kept;
}

/* Operations of all sides from n edges. */
static hy_status fill(struct commit *C, const uint64_t *edge,
                      const uint32_t *tag, size_t n, bool tagged, bool loops)
{
    hy_graph *G = C->G;
    struct work *W = &G->work;
    const bool undirected = G->shape.undirected, reverse = G->now.reverse;
    const size_t total = undirected || reverse ? 2 * n : n;
    HY_TRY(buf_reserve(G, &W->key, total, sizeof(uint64_t)));
    HY_TRY(buf_reserve(G, &W->key_tmp, total, sizeof(uint64_t)));
    if (tagged) {
        HY_TRY(buf_reserve(G, &W->tag, total, sizeof(uint32_t)));
        HY_TRY(buf_reserve(G, &W->tag_tmp, total, sizeof(uint32_t)));
    }
    struct filling F = { .edge = edge,
                         .tag = tag,
                         .key = W->key.at,
                         .out_tag = tagged ? W->tag.at : NULL,
                         .step = undirected ? 2 : 1,
                         .other = reverse ? n : 0 };
    par_for(G->ctx, n, FILL_GRAIN, fill_par, &F);
    C->n_sides = reverse ? 2 : 1;
    C->ops[0].n = F.step * n;
    if (undirected && loops)
        C->ops[0].n = drop_twins(&F, n);
    C->ops[0].tag = F.out_tag;
    if (reverse) {
        C->ops[1] = C->ops[0];
        C->ops[1].tag = F.out_tag ? F.out_tag + n : NULL;
        C->ops[1].side = IN;
    }
    return HY_OK;
}

/* What the operations of a batch are like, whatever their order. */
static void describe_ops(struct commit *C)
{
    const hy_batch *B = C->B;
    C->ops[0] = (struct ops){
        .all = B->all,
        .op = B->op,
        .values = B->values,
        .n_lines = (uint32_t)B->n,
        .side = OUT,
    };
}

/* Values, or different kinds of lines, are found through tags. */
static bool needs_tags(const hy_batch *B)
{
    return B->op || B->all == OP_INSERT || B->all == OP_UPDATE;
}

static hy_status stage_edges(struct commit *C)
{
    const hy_batch *B = C->B;
    if (B->n && B->max_id >= C->bound)
        return base_fail(HY_ERANGE, "no vertex %u: ids are below %llu",
                         B->max_id, (unsigned long long)C->bound);
    describe_ops(C);
    return fill(C, B->key, NULL, B->n, needs_tags(B), B->n_loops > 0);
}

/* ---- lines in order ------------------------------------------------------ */

struct staging {
    struct commit *C;
    hy_graph *G;
    const hy_batch *B;
    struct ids *ids;
    hy_vid *end[2];  /* of each line: its ends, HY_NONE if unknown */
    uint32_t *last;  /* hash: the last event of a vertex, or NO_EVENT */
    size_t last_mask;
    uint64_t *edge;  /* keys of operations, with their tags */
    uint32_t *tag;
    size_t n;
    bool loops;
    size_t unknown; /* ends that name no vertex yet */
};

static uint64_t external_of(const hy_batch *B, size_t i, int end)
{
    if (B->shape.mapped)
        return end ? B->pair[i].v : B->pair[i].u;
    return end ? (hy_vid)B->key[i] : B->key[i] >> 32;
}

/* Events by vertex: a small open hash over the event list. */
static size_t last_place(const struct staging *T, hy_vid u)
{
    size_t i = base_mix(u) & T->last_mask;
    while (T->last[i] != NO_EVENT && T->C->event[T->last[i]].u != u)
        i = (i + 1) & T->last_mask;
    return i;
}

static void add_event(struct staging *T, struct event e)
{
    struct commit *C = T->C;
    const size_t i = last_place(T, e.u);
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
    uint32_t e = T->last[last_place(T, u)];
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
    const char *then = T->B->vertex_values + values * R->size;
    for (uint32_t i = 0; i < R->n; i++) {
        const struct shape_field *f = &R->field[i];
        if (memcmp(now + f->offset, then + f->offset, f->width) != 0)
            return true;
    }
    return false;
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
    if (inserts && B->shape.no_loops &&
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

/* ---- kills -------------------------------------------------------------- */

struct kills {
    struct staging *T;
    uint64_t *key;
    uint32_t *time;
    size_t n, room;
};

static hy_status add_kill(struct kills *K, hy_vid u, hy_vid v, uint32_t time)
{
    hy_graph *G = K->T->G;
    if (K->n == K->room) {
        const size_t room = K->room * 2 + 256;
        uint64_t *key = base_resize(G->ctx, K->key, room, sizeof *key);
        if (!key)
            return HY_ENOMEM;
        K->key = key;
        uint32_t *t = base_resize(G->ctx, K->time, room, sizeof *t);
        if (!t)
            return HY_ENOMEM;
        K->time = t;
        K->room = room;
    }
    K->key[K->n] = (uint64_t)u << 32 | v;
    K->time[K->n++] = time;
    return HY_OK;
}

static hy_status kill_side(struct kills *K, hy_vid u, uint32_t time, bool in)
{
    const hy_view *V = &K->T->G->now;
    for (hy_span s = in ? hy_span_in(V, u) : hy_span_out(V, u); s.n;
         hy_span_next(V, &s))
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (in && v == u)
                continue; /* a loop: the other side has it */
            HY_TRY(add_kill(K, in ? v : u, in ? u : v, time));
        }
    return HY_OK;
}

/* True if event e is the first deletion of a vertex that was there before
 * the batch. */
static bool is_first_end(const struct commit *C, const struct event *e)
{
    if (e->what != VERTEX_WENT)
        return false;
    for (uint32_t p = e->previous; p != NO_EVENT; p = C->event[p].previous)
        if (C->event[p].what != VERTEX_CHANGED)
            return false;
    return true;
}

/* Directed, without a reverse side: looks for the doomed everywhere. */
static hy_status kill_mentions(struct kills *K)
{
    const struct commit *C = K->T->C;
    hy_graph *G = K->T->G;
    uint32_t *doom = base_alloc(G->ctx, G->now.bound, sizeof *doom);
    if (!doom)
        return HY_ENOMEM;
    for (size_t i = 0; i < C->n_events; i++)
        if (is_first_end(C, &C->event[i]))
            doom[C->event[i].u] = C->event[i].line + 1;
    hy_status status = HY_OK;
    hy_scan scan;
    hy_scan_out(&scan, &G->now, 0, G->now.bound);
    for (const hy_span *s; status == HY_OK && (s = hy_scan_next(&scan));)
        for (uint32_t i = 0; status == HY_OK && i < s->n; i++) {
            const hy_vid v = s->v[i * s->step];
            if (doom[v] && v != s->u)
                status = add_kill(K, s->u, v, doom[v] - 1);
        }
    base_free(G->ctx, doom);
    return status;
}

static hy_status kill_old_edges(struct kills *K)
{
    const struct commit *C = K->T->C;
    const hy_view *V = &K->T->G->now;
    bool any = false;
    for (size_t i = 0; i < C->n_events; i++) {
        const struct event *e = &C->event[i];
        if (!is_first_end(C, e))
            continue;
        any = true;
        HY_TRY(kill_side(K, e->u, e->line, false));
        if (V->reverse)
            HY_TRY(kill_side(K, e->u, e->line, true));
    }
    if (any && !hy_view_has_reverse(V))
        HY_TRY(kill_mentions(K));
    return HY_OK;
}

/* Backwards in time, with the next deletion of each vertex at hand. */
static hy_status kill_new_edges(struct kills *K)
{
    struct staging *T = K->T;
    const struct commit *C = T->C;
    uint32_t *soon = base_alloc_raw(T->G->ctx, T->last_mask + 1, sizeof *soon);
    if (!soon)
        return HY_ENOMEM;
    memset(soon, 0xff, (T->last_mask + 1) * sizeof *soon);
    hy_status status = HY_OK;
    size_t e = C->n_events;
    for (size_t i = T->n; status == HY_OK && i-- > 0;) {
        for (; e && C->event[e - 1].line > T->tag[i]; e--)
            if (C->event[e - 1].what == VERTEX_WENT)
                soon[last_place(T, C->event[e - 1].u)] = C->event[e - 1].line;
        const hy_vid at[2] = { (hy_vid)(T->edge[i] >> 32),
                               (hy_vid)T->edge[i] };
        for (int end = 0; status == HY_OK && end < 2; end++) {
            const uint32_t time = soon[last_place(T, at[end])];
            if (time != NO_EVENT)
                status = add_kill(K, at[0], at[1], time);
        }
    }
    base_free(T->G->ctx, soon);
    return status;
}

/* Adds the kills behind the operations of the lines. */
static hy_status add_kills(struct staging *T, struct kills *K)
{
    HY_TRY(kill_old_edges(K));
    HY_TRY(kill_new_edges(K));
    if (!K->n)
        return HY_OK;
    if (K->n + T->B->n >= UINT32_MAX)
        return base_fail(HY_EFULL, "the batch changes too many edges");
    struct work *W = &T->G->work;
    const size_t total = T->n + K->n;
    HY_TRY(buf_reserve(T->G, &W->kill, K->n, sizeof *K->time));
    memcpy(W->kill.at, K->time, K->n * sizeof *K->time);
    T->C->ops[0].kill_time = W->kill.at;
    uint64_t *edge = base_resize(T->G->ctx, T->edge, total, sizeof *edge);
    if (!edge)
        return HY_ENOMEM;
    T->edge = edge;
    uint32_t *tag = base_resize(T->G->ctx, T->tag, total, sizeof *tag);
    if (!tag)
        return HY_ENOMEM;
    T->tag = tag;
    memcpy(edge + T->n, K->key, K->n * sizeof *edge);
    for (size_t i = 0; i < K->n; i++) {
        tag[T->n + i] = (uint32_t)(T->B->n + i);
        T->loops |= K->key[i] == flip(K->key[i]);
    }
    T->n = total;
    return HY_OK;
}

/* ---- all lines ---------------------------------------------------------- */

static void resolve_par(void *arg, size_t lo, size_t hi)
{
    struct staging *T = arg;
    for (size_t i = lo; i < hi; i++)
        for (int end = 0; end < 2; end++) {
            const uint64_t external = external_of(T->B, i, end);
            T->end[end][i] = T->B->shape.mapped
                                 ? ids_find(T->ids, external)
                                 : (hy_vid)external;
        }
}

/* Most ids that the batch may bring, and the bound that may need. */
static uint64_t count_new(struct staging *T)
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
            fresh += brings && (u == HY_NONE || may_go);
            fresh += brings && op != OP_INSERT_VERTEX &&
                     (T->end[1][i] == HY_NONE || may_go);
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
    par_for(G->ctx, n, FILL_GRAIN, resolve_par, T);
    const uint64_t bound = count_new(T);
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
    HY_TRY(graph_allows(G, ids_growth(&G->ids, bound, events,
                                      G->shape.mapped ? T->unknown : 0)));
    par_lock_acquire(&G->lock);
    const hy_status status = ids_reserve(
        G->ctx, &G->ids, bound, events,
        G->shape.mapped ? T->unknown : 0);
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

static hy_status stage_all(struct staging *T, struct kills *K)
{
    HY_TRY(reserve_staging(T));
    T->C->queue = ids_mark(T->ids);
    T->C->is_staged = true;
    par_lock_acquire(&T->G->lock);
    const hy_status status = stage_in_order(T);
    par_lock_release(&T->G->lock);
    HY_TRY(status);
    HY_TRY(reserve_pages(T));
    describe_ops(T->C);
    HY_TRY(add_kills(T, K));
    return fill(T->C, T->edge, T->tag, T->n, true, T->loops);
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
    struct kills K = { .T = &T };
    const hy_status status = stage_all(&T, &K);
    if (status != HY_OK)
        stage_undo(C);
    base_free(G->ctx, T.edge);
    base_free(G->ctx, T.tag);
    base_free(G->ctx, K.key);
    base_free(G->ctx, K.time);
    return status;
}

/* ---- settling ----------------------------------------------------------- */

static char *writable_page(struct commit *C, hy_vid u)
{
    hy_graph *G = C->G;
    struct table *T = &G->core->table;
    uint32_t *page = &G->dir[u / PAGE_VERTICES];
    if (T->birth[*page] <= C->pin) {
        const uint32_t *fresh = G->work.pages.at;
        const uint32_t to = fresh[C->event_page_at + C->n_event_pages++];
        memcpy(table_page(T, to), table_page(T, *page), T->layout.bytes);
        struct drop *drop = G->work.drop.at;
        drop[C->event_drop_at + C->n_event_drops++] =
            (struct drop){ .p = DROP_PAGE | *page, .birth = T->birth[*page] };
        T->birth[to] = version_epoch(G);
        *page = to;
    }
    return table_page(T, *page);
}

static void set_columns(struct commit *C, char *page, hy_vid u,
                        uint32_t values)
{
    const struct shape_record *R = &C->G->shape.vertex;
    const struct table_layout *L = &C->G->core->table.layout;
    const char *record = values == NO_VALUES
                             ? NULL
                             : C->B->vertex_values + values * R->size;
    for (uint32_t i = 0; i < R->n; i++) {
        const struct shape_field *f = &R->field[i];
        char *to = page + L->column[i] + (size_t)(u % PAGE_VERTICES) * f->width;
        if (record)
            memcpy(to, record + f->offset, f->width);
        else
            memset(to, 0, f->width);
    }
}

static void settle_event(struct commit *C, const struct event *e)
{
    const struct table_layout *L = &C->G->core->table.layout;
    char *page = writable_page(C, e->u);
    struct slot *s = (struct slot *)(void *)page + e->u % PAGE_VERTICES;
    switch (e->what) {
    case VERTEX_CAME:
        s->where |= SLOT_ALIVE;
        if (L->mapped)
            memcpy(page + L->external +
                       (size_t)(e->u % PAGE_VERTICES) * sizeof e->external,
                   &e->external, sizeof e->external);
        set_columns(C, page, e->u, e->values);
        break;
    case VERTEX_CHANGED:
        set_columns(C, page, e->u, e->values);
        break;
    case VERTEX_WENT:
        s->where &= ~SLOT_ALIVE;
        break;
    }
}

void stage_settle(struct commit *C)
{
    struct ids *ids = &C->G->ids;
    for (size_t i = 0; i < C->n_events; i++)
        settle_event(C, &C->event[i]);
    for (size_t i = 0; i < C->n_events; i++) {
        const struct event *e = &C->event[i];
        if (e->what == VERTEX_WENT && !ids_is_alive(ids, e->u))
            ids_enqueue(ids, e->u);
    }
}

/* ---- the delta's vertices ------------------------------------------------ */

/* Sorts n ids, written as keys, and makes a list of them in their place. */
static hy_vid_list list_ids(hy_graph *G, struct buf *b, size_t n)
{
    uint64_t *at = b->at;
    struct par_keys keys = { .key = at,
                             .key_tmp = at ? at + n : NULL,
                             .n = n,
                             .low_bits = 32 };
    par_sort(G->ctx, &keys);
    char *ids = (char *)keys.key;
    for (size_t i = 0; i < n; i++) {
        const hy_vid u = (hy_vid)keys.key[i];
        memcpy(ids + i * sizeof u, &u, sizeof u);
    }
    return (hy_vid_list){ .n = n, .at = (const hy_vid *)(const void *)ids };
}

void stage_tell(struct commit *C, hy_delta *delta)
{
    hy_graph *G = C->G;
    size_t n_came = 0, n_went = 0;
    uint64_t *came = G->work.came.at, *went = G->work.went.at;
    for (size_t i = 0; i < C->n_events; i++) {
        const struct event *e = &C->event[i];
        if (e->previous != NO_EVENT)
            continue; /* the first event knows how it was before */
        const bool was = e->what != VERTEX_CAME;
        const bool is = ids_is_alive(&G->ids, e->u);
        if (!was && is)
            came[n_came++] = e->u;
        if (was && !is)
            went[n_went++] = e->u;
    }
    if (!C->n_events)
        return;
    delta->vertices_inserted = list_ids(G, &G->work.came, n_came);
    delta->vertices_deleted = list_ids(G, &G->work.went, n_went);
}
