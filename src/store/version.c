/* Versions: the rules are in graph.h. */
#include "store/graph.h"
#include "store/watch.h"

#include "par/par.h"

/* ---- dead lists --------------------------------------------------------- */

static void free_drop(hy_graph *G, struct drop d)
{
    struct arena *A = &G->core->arena;
    if (d.p & DROP_PAGE)
        table_give(&G->core->table, (uint32_t)d.p);
    else
        arena_free(A, arena_commons(A), d.p);
}

/* Frees what in the list was born after `epoch`; empty parts go.  From the end,
 * so that it is cut again in the order of the vertices. */
static void free_younger(hy_graph *G, struct dead **list, uint64_t epoch)
{
    while (*list) {
        struct dead *part = *list;
        size_t kept = 0;
        for (size_t i = part->n; i-- > 0;)
            if (part->at[i].birth > epoch)
                free_drop(G, part->at[i]);
        for (size_t i = 0; i < part->n; i++)
            if (part->at[i].birth <= epoch)
                part->at[kept++] = part->at[i];
        G->core->arena.promised -= part->n - kept;
        part->n = kept;
        if (kept) {
            list = &part->next;
        } else {
            *list = part->next;
            base_free(G->ctx, part);
        }
    }
}

static void forget(hy_graph *G, struct dead *list)
{
    while (list) {
        struct dead *next = list->next;
        base_free(G->ctx, list);
        list = next;
    }
}

static void join(struct dead **list, struct dead *more)
{
    while (*list)
        list = &(*list)->next;
    *list = more;
}

/* ---- the chain ---------------------------------------------------------- */

/* The lock is held. */
static void view_free(hy_view *V)
{
    hy_graph *G = V->graph;
    if (V->detached && atomic_load(&V->core->refs) == 1)
        G->bytes_detached -= core_bytes(V->core);
    core_release(G->ctx, V->core);
    base_free(G->ctx, (void *)(uintptr_t)V->dir);
    base_free(G->ctx, V);
}

static void unlink_view(hy_graph *G, hy_view *V)
{
    *(V->older ? &V->older->newer : &G->oldest) = V->newer;
    *(V->newer ? &V->newer->older : &G->newest) = V->older;
}

/* Rule 5, for every view that nobody holds. */
static void reap(hy_graph *G)
{
    for (hy_view *V = G->oldest, *next; V; V = next) {
        next = V->newer;
        if (V->refs)
            continue;
        struct dead **after = V->newer ? &V->newer->dead : &G->dead;
        free_younger(G, after, V->older ? V->older->epoch : 0);
        join(after, V->dead);
        unlink_view(G, V);
        view_free(V);
        G->refs--;
    }
}

uint64_t version_begin(hy_graph *G)
{
    par_lock_acquire(&G->lock);
    while (HY_UNLIKELY(G->n_waiting > 0))
        par_lock_wait(&G->lock); /* who waited for the last end goes first */
    G->writing = true;
    if (HY_UNLIKELY(G->oldest != NULL))
        reap(G);
    const uint64_t pin = G->newest ? G->newest->epoch : 0;
    par_lock_release(&G->lock);
    return pin;
}

void version_end(hy_graph *G, bool changed)
{
    par_lock_acquire(&G->lock);
    G->now.version += changed;
    G->writing = false;
    const bool is_awaited = G->n_waiting > 0;
    par_lock_release(&G->lock);
    if (HY_UNLIKELY(is_awaited))
        par_lock_wake_all(&G->lock);
}

uint64_t version_born(const hy_view *V)
{
    par_lock_acquire(&V->graph->lock);
    const uint64_t epoch = V->epoch;
    par_lock_release(&V->graph->lock);
    return epoch;
}

void version_detach(hy_graph *G)
{
    bool is_held = false;
    for (hy_view *V = G->oldest, *next; V; V = next) {
        next = V->newer;
        forget(G, V->dead);
        V->dead = NULL;
        V->older = V->newer = NULL;
        if (V->refs) {
            V->detached = is_held = true;
        } else {
            view_free(V);
            G->refs--;
        }
    }
    if (is_held)
        G->bytes_detached += core_bytes(G->core);
    G->oldest = G->newest = NULL;
    forget(G, G->dead);
    G->dead = NULL;
    G->core->arena.promised = 0;
}

/* ---- views -------------------------------------------------------------- */

/* A pinned copy of `now`.  The lock is held and nobody writes. */
static hy_view *pin_now(hy_graph *G)
{
    const size_t pages = bits_div_up(G->now.bound, PAGE_VERTICES);
    hy_view *V = base_alloc_raw(G->ctx, 1, sizeof *V);
    uint32_t *dir = base_alloc_raw(G->ctx, pages, sizeof *dir);
    if (!V || !dir) {
        base_free(G->ctx, V);
        base_free(G->ctx, dir);
        return NULL;
    }
    if (pages)
        memcpy(dir, G->dir, pages * sizeof *dir);
    *V = G->now;
    V->dir = dir;
    V->older = G->newest;
    V->newer = NULL;
    V->dead = G->dead;
    V->detached = false;
    V->refs = 0;
    *(G->newest ? &G->newest->newer : &G->oldest) = V;
    G->newest = V;
    G->dead = NULL;
    G->now.epoch++;
    G->refs++;
    atomic_fetch_add(&G->core->refs, 1);
    return V;
}

/* The pinned version that is `now`, if there is one.  The lock is held. */
static hy_view *newest_pinned(const hy_graph *G)
{
    hy_view *V = G->newest;
    return V && V->version == G->now.version ? V : NULL;
}

hy_status hy_view_acquire(hy_graph *G, const hy_view **out)
{
    if (!G || !out)
        return base_fail(HY_EINVAL, "a view needs a graph");
    par_lock_acquire(&G->lock);
    hy_view *V = newest_pinned(G);
    if (!V && G->writing) {
        G->n_waiting++;
        while (G->writing)
            par_lock_wait(&G->lock);
        if (--G->n_waiting == 0)
            par_lock_wake_all(&G->lock); /* the writer waits for us */
        V = newest_pinned(G);
    }
    if (!V)
        V = pin_now(G);
    if (V)
        G->n_held += V->refs++ == 0;
    par_lock_release(&G->lock);
    if (!V)
        return HY_ENOMEM;
    *out = V;
    return HY_OK;
}

void hy_view_release(const hy_view *view)
{
    hy_view *V = (hy_view *)(uintptr_t)view;
    if (!V || V == &V->graph->now)
        return;
    hy_graph *G = V->graph;
    par_lock_acquire(&G->lock);
    G->n_held -= --V->refs == 0;
    if (!V->refs && (V->detached || G->orphaned)) {
        if (!V->detached) {
            unlink_view(G, V);
            forget(G, V->dead);
        }
        view_free(V);
        G->refs--;
    }
    const bool is_last = G->orphaned && !G->refs;
    par_lock_release(&G->lock);
    if (is_last)
        graph_destroy(G);
}

void hy_graph_free(hy_graph *G)
{
    if (!G)
        return;
    for (struct watcher *w = G->watchers, *next; w; w = next) {
        next = w->next;
        w->leave(w);
    }
    par_lock_acquire(&G->lock);
    for (hy_view *V = G->oldest, *next; V; V = next) {
        next = V->newer;
        if (V->refs)
            continue;
        forget(G, V->dead);
        unlink_view(G, V);
        view_free(V);
        G->refs--;
    }
    G->orphaned = true;
    G->refs--;
    const bool is_last = !G->refs;
    par_lock_release(&G->lock);
    if (is_last)
        graph_destroy(G);
}
