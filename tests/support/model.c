#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------- */

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

struct model *model_new(const hy_graph_opts *opts)
{
    struct model *M = must(calloc(1, sizeof *M));
    M->is_undirected = opts->undirected;
    M->is_mapped = opts->ids == HY_IDS_MAPPED;
    M->has_no_loops = opts->no_loops;
    M->has_reverse = opts->undirected || opts->reverse;
    layout_init(&M->edge, opts->edge_columns, opts->n_edge_columns);
    layout_init(&M->vertex, opts->vertex_columns, opts->n_vertex_columns);
    return M;
}

static struct entries entries_copy(const struct entries *L)
{
    struct entries copy = { .n = L->n, .room = L->n };
    if (L->n) {
        copy.at = must(malloc(L->n * sizeof *copy.at));
        memcpy(copy.at, L->at, L->n * sizeof *copy.at);
    }
    return copy;
}

struct model *model_copy(const struct model *M)
{
    struct model *copy = must(malloc(sizeof *copy));
    *copy = *M;
    copy->room = M->n + 1;
    copy->slot = must(malloc(copy->room * sizeof *copy->slot));
    copy->by_external = must(malloc(copy->room * sizeof(uint32_t)));
    for (uint32_t i = 0; i < M->n; i++) {
        copy->slot[i] = M->slot[i];
        copy->slot[i].out = entries_copy(&M->slot[i].out);
        copy->slot[i].in = entries_copy(&M->slot[i].in);
    }
    if (M->is_mapped && M->vertices)
        memcpy(copy->by_external, M->by_external,
               M->vertices * sizeof(uint32_t));
    return copy;
}

void model_free(struct model *M)
{
    if (!M)
        return;
    for (uint32_t i = 0; i < M->n; i++) {
        free(M->slot[i].out.at);
        free(M->slot[i].in.at);
    }
    free(M->slot);
    free(M->by_external);
    free(M);
}

/* ---- entries ---------------------------------------------------------- */

/* Where `slot` is, or where it belongs. */
static uint32_t entries_place(const struct entries *L, uint32_t slot)
{
    uint32_t lo = 0, hi = L->n;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (L->at[mid].slot < slot)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static struct entry *entries_find(const struct entries *L, uint32_t slot)
{
    const uint32_t i = entries_place(L, slot);
    return i < L->n && L->at[i].slot == slot ? &L->at[i] : NULL;
}

/* Adds the entry, or changes its values. */
static void entries_put(struct entries *L, uint32_t slot,
                        const struct record *values)
{
    const uint32_t i = entries_place(L, slot);
    if (i < L->n && L->at[i].slot == slot) {
        L->at[i].values = *values;
        return;
    }
    if (L->n == L->room) {
        L->room = L->room ? 2 * L->room : 4;
        L->at = must(realloc(L->at, L->room * sizeof *L->at));
    }
    memmove(L->at + i + 1, L->at + i, (L->n - i) * sizeof *L->at);
    L->at[i] = (struct entry){ .slot = slot, .values = *values };
    L->n++;
}

static void entries_drop(struct entries *L, uint32_t slot)
{
    const uint32_t i = entries_place(L, slot);
    memmove(L->at + i, L->at + i + 1, (L->n - i - 1) * sizeof *L->at);
    L->n--;
}

/* ---- vertices --------------------------------------------------------- */

/* Where an external id is, or belongs, among those that are alive. */
static uint32_t external_place(const struct model *M, uint64_t external)
{
    uint32_t lo = 0, hi = (uint32_t)M->vertices;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (M->slot[M->by_external[mid]].external < external)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t model_find(const struct model *M, uint64_t external)
{
    if (!M->is_mapped)
        return external < M->n && M->slot[external].is_alive
                   ? (uint32_t)external
                   : HY_NONE;
    const uint32_t i = external_place(M, external);
    if (i == M->vertices || M->slot[M->by_external[i]].external != external)
        return HY_NONE;
    return M->by_external[i];
}

static uint32_t add_slot(struct model *M)
{
    if (M->n == M->room) {
        M->room = M->room ? 2 * M->room : 16;
        M->slot = must(realloc(M->slot, M->room * sizeof *M->slot));
        M->by_external =
            must(realloc(M->by_external, M->room * sizeof(uint32_t)));
    }
    M->slot[M->n] = (struct model_slot){ .vid = M->is_mapped ? HY_NONE : M->n,
                                         .external = M->n };
    return M->n++;
}

static uint32_t add_dense(struct model *M, uint64_t external)
{
    while (M->n <= external)
        (void)add_slot(M);
    M->bound = M->n;
    return (uint32_t)external;
}

static uint32_t add_mapped(struct model *M, uint64_t external)
{
    const uint32_t u = add_slot(M);
    const uint32_t i = external_place(M, external);
    memmove(M->by_external + i + 1, M->by_external + i,
            (M->vertices - i) * sizeof(uint32_t));
    M->by_external[i] = u;
    M->slot[u].external = external;
    return u;
}

/* Brings a vertex to life that is not there. */
static uint32_t create(struct model *M, uint64_t external,
                       const struct record *values)
{
    const uint32_t u =
        M->is_mapped ? add_mapped(M, external) : add_dense(M, external);
    M->slot[u].is_alive = true;
    M->slot[u].values = *values;
    M->vertices++;
    M->created++;
    return u;
}

static void destroy(struct model *M, uint32_t u)
{
    if (M->is_mapped) {
        const uint32_t i = external_place(M, M->slot[u].external);
        memmove(M->by_external + i, M->by_external + i + 1,
                (M->vertices - i - 1) * sizeof(uint32_t));
    }
    M->slot[u].is_alive = false;
    M->vertices--;
}

/* ---- edges ------------------------------------------------------------ */

const struct entry *model_edge(const struct model *M, uint32_t u, uint32_t v)
{
    return u < M->n ? entries_find(&M->slot[u].out, v) : NULL;
}

static struct entries *other_side(struct model *M, uint32_t v)
{
    return M->is_undirected ? &M->slot[v].out : &M->slot[v].in;
}

static void put_edge(struct model *M, uint32_t u, uint32_t v,
                     const struct record *values)
{
    entries_put(&M->slot[u].out, v, values);
    if (u != v || !M->is_undirected)
        entries_put(other_side(M, v), u, values);
}

static void drop_edge(struct model *M, uint32_t u, uint32_t v)
{
    entries_drop(&M->slot[u].out, v);
    if (u != v || !M->is_undirected)
        entries_drop(other_side(M, v), u);
    M->edges--;
    M->loops -= u == v;
}

uint64_t model_arcs(const struct model *M)
{
    return M->is_undirected ? 2 * M->edges - M->loops : M->edges;
}

/* ---- lines ------------------------------------------------------------ */

/* The vertex of an edge to be inserted; with mapped ids it comes along. */
static uint32_t endpoint(struct model *M, uint64_t external)
{
    static const struct record zeros;
    const uint32_t u = model_find(M, external);
    if (u == HY_NONE && M->is_mapped)
        return create(M, external, &zeros);
    return u;
}

static void insert_edge(struct model *M, const struct line *l, hy_counts *c)
{
    if (M->has_no_loops && l->u == l->v) {
        c->rejected++;
        return;
    }
    const uint32_t u = endpoint(M, l->u), v = endpoint(M, l->v);
    if (u == HY_NONE || v == HY_NONE) {
        c->rejected++;
        return;
    }
    const struct record values =
        layout_read(&M->edge, l->is_valued ? l->values.at : NULL);
    const struct entry *e = model_edge(M, u, v);
    if (!e) {
        put_edge(M, u, v, &values);
        M->edges++;
        M->loops += u == v;
        c->inserted++;
    } else if (l->is_valued && !record_equal(&e->values, &values)) {
        put_edge(M, u, v, &values);
        c->updated++;
    } else {
        c->duplicate++;
    }
}

static void delete_edge(struct model *M, const struct line *l, hy_counts *c)
{
    const uint32_t u = model_find(M, l->u), v = model_find(M, l->v);
    if (u == HY_NONE || v == HY_NONE || !model_edge(M, u, v)) {
        c->missing++;
        return;
    }
    drop_edge(M, u, v);
    c->deleted++;
}

static void update_edge(struct model *M, const struct line *l, hy_counts *c)
{
    const uint32_t u = model_find(M, l->u), v = model_find(M, l->v);
    const struct entry *e = u == HY_NONE ? NULL : model_edge(M, u, v);
    const struct record values = layout_read(&M->edge, l->values.at);
    if (!e) {
        c->missing++;
    } else if (record_equal(&e->values, &values)) {
        c->duplicate++;
    } else {
        put_edge(M, u, v, &values);
        c->updated++;
    }
}

static void insert_vertex(struct model *M, const struct line *l, hy_counts *c)
{
    const uint64_t id = line_is_any(l) ? l->any : l->u;
    const struct record values =
        layout_read(&M->vertex, l->is_valued ? l->values.at : NULL);
    const uint32_t u = model_find(M, id);
    if (u == HY_NONE) {
        (void)create(M, id, &values);
        c->vertices_inserted++;
    } else if (l->is_valued && !record_equal(&M->slot[u].values, &values)) {
        M->slot[u].values = values;
        c->vertices_updated++;
    } else {
        c->vertices_duplicate++;
    }
}

static void delete_vertex(struct model *M, const struct line *l, hy_counts *c)
{
    const uint32_t u = model_find(M, l->u);
    if (u == HY_NONE) {
        c->vertices_missing++;
        return;
    }
    struct model_slot *s = &M->slot[u];
    for (; s->out.n; c->detached++)
        drop_edge(M, u, s->out.at[s->out.n - 1].slot);
    for (; s->in.n; c->detached++)
        drop_edge(M, s->in.at[s->in.n - 1].slot, u);
    destroy(M, u);
    c->vertices_deleted++;
}

static bool is_in_range(const struct model *M, const struct lines *D)
{
    uint64_t bound = M->n;
    if (M->is_mapped)
        return true;
    for (size_t i = 0; i < D->n; i++) {
        const struct line *l = &D->at[i];
        const uint64_t id = line_is_any(l) ? l->any : l->u;
        if (line_is_edge(l) && (l->u >= bound || l->v >= bound))
            return false;
        if (l->kind == LINE_INSERT_VERTEX && id >= bound)
            bound = id + 1;
    }
    return true;
}

hy_status model_apply(struct model *M, const struct lines *D, hy_counts *counts)
{
    typedef void apply(struct model *, const struct line *, hy_counts *);
    static apply *const by_kind[LINE_KINDS] = {
        [LINE_INSERT_EDGE] = insert_edge,
        [LINE_DELETE_EDGE] = delete_edge,
        [LINE_UPDATE_EDGE] = update_edge,
        [LINE_INSERT_VERTEX] = insert_vertex,
        [LINE_DELETE_VERTEX] = delete_vertex,
    };
    *counts = (hy_counts){ 0 };
    if (!is_in_range(M, D))
        return HY_ERANGE;
    for (size_t i = 0; i < D->n; i++)
        by_kind[D->at[i].kind](M, &D->at[i], counts);
    return HY_OK;
}

bool model_learn(struct model *M, const hy_view *V, struct why *why)
{
    const hy_vid bound = hy_view_bound(V);
    if (!M->is_mapped)
        return true;
    if (bound < M->bound || bound - M->bound > M->created)
        return why_not(why, "bound was %u, is %u, %llu vertices came", M->bound,
                       bound, (unsigned long long)M->created);
    for (uint32_t u = 0; u < M->n; u++) {
        struct model_slot *s = &M->slot[u];
        if (!s->is_alive || s->vid != HY_NONE)
            continue;
        s->vid = hy_view_find(V, s->external);
        if (s->vid >= bound)
            return why_not(why, "external id %llu is nowhere",
                           (unsigned long long)s->external);
    }
    M->bound = bound;
    M->created = 0;
    return true;
}
