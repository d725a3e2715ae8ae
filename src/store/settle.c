/* Events of vertices written into the table and told in the delta. */
#include "store/commit.h"

#include "par/par.h"

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

static void set_columns(struct commit *C, char *page, hy_vid u, uint32_t values)
{
    const struct shape_record *R = &C->G->shape.vertex;
    const struct table_layout *L = &C->G->core->table.layout;
    const char *record =
        values == NO_VALUES ? NULL : C->B->vertex_values + values * R->size;
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
    struct par_keys keys = {
        .key = at, .key_tmp = at ? at + n : NULL, .n = n, .low_bits = 32
    };
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
