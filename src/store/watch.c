/* Watchers: a list at the graph, walked by each commit. */
#include "store/watch.h"

#include "store/batch.h"

void watch_add(hy_graph *G, struct watcher *w)
{
    struct watcher **end = &G->watchers;
    while (*end)
        end = &(*end)->next;
    w->next = NULL;
    *end = w;
}

void watch_remove(hy_graph *G, struct watcher *w)
{
    struct watcher **at = &G->watchers;
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at)
        *at = w->next;
}

void watch_add_marks(hy_graph *G, struct watch_marks *m)
{
    m->next = G->marks;
    G->marks = m;
}

void watch_remove_marks(hy_graph *G, struct watch_marks *m)
{
    struct watch_marks **at = &G->marks;
    while (*at && *at != m)
        at = &(*at)->next;
    if (*at)
        *at = m->next;
}

static bool brings_record(const hy_batch *B, size_t i)
{
    const enum op op = batch_op(B, i);
    return op == OP_INSERT || op == OP_UPDATE;
}

bool watch_records(const hy_batch *B, watch_record_step *step, void *arg)
{
    const size_t size = B->shape.edge.size;
    for (size_t i = 0; size && B->values && i < B->n; i++) {
        if (!brings_record(B, i))
            continue;
        const uint64_t u = B->key ? B->key[i] >> 32 : B->pair[i].u;
        const uint64_t v = B->key ? (hy_vid)B->key[i] : B->pair[i].v;
        if (!step(arg, u, v, B->values + i * size))
            return false;
    }
    return true;
}
