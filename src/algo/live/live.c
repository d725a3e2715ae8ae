/* The frame of live answers: attaching, following, reading. */
#include "algo/live/live.h"

#include "par/par.h"

#include <stdlib.h>
#include <string.h>

enum {
    COPY_GRAIN = 1 << 15,
    /* One in so many ids noted, and to look at all is faster than to sort. */
    DENSE_NOTES = 64,
};

static size_t width(const hy_live *L)
{
    return hy_type_width(L->kind->type);
}

/* ---- room -----------------------------------------------------------------
 */

hy_status live_grow(hy_ctx *ctx, void *p, size_t used, size_t room, size_t size,
                    int fill)
{
    void *old;
    memcpy(&old, p, sizeof old);
    char *grown = base_resize(ctx, old, room, size);
    if (!grown)
        return HY_ENOMEM;
    if (room > used)
        memset(grown + used * size, fill, (room - used) * size);
    memcpy(p, &grown, sizeof grown);
    return HY_OK;
}

void live_fill_nothing(const struct live_kind *kind, void *values, size_t from,
                       size_t to)
{
    for (size_t v = from; v < to; v++)
        if (kind->type == HY_U32)
            ((uint32_t *)values)[v] = (uint32_t)kind->nothing;
        else
            ((uint64_t *)values)[v] = kind->nothing;
}

/* All arrays of the frame, for ids below `bound`. */
static hy_status grow(hy_live *L, hy_vid bound, bool has_parents)
{
    if (bound <= L->room && L->values)
        return HY_OK;
    const uint64_t want = (uint64_t)bound + bound / 8;
    const hy_vid room = want < HY_NONE ? (hy_vid)want : HY_NONE;
    const size_t used = L->values ? L->room : 0;
    HY_TRY(live_grow(L->ctx, &L->values, used, room, width(L), 0));
    HY_TRY(live_grow(L->ctx, &L->old, used, room, width(L), 0));
    HY_TRY(live_grow(L->ctx, &L->stamp, used, room, sizeof *L->stamp, 0));
    HY_TRY(live_grow(L->ctx, &L->noted, used, room, sizeof *L->noted, 0));
    HY_TRY(live_grow(L->ctx, &L->changed, used, room, sizeof *L->changed, 0));
    if (has_parents)
        HY_TRY(live_grow(L->ctx, &L->parents, used, room, sizeof *L->parents,
                         0xff));
    live_fill_nothing(L->kind, L->values, used, room);
    live_fill_nothing(L->kind, L->old, used, room);
    L->room = room;
    return HY_OK;
}

/* ---- following ------------------------------------------------------------
 */

/* The lock is held: readers of other threads look at the arrays. */
static hy_status foresee(struct watcher *w, const struct watch_coming *coming)
{
    hy_live *L = (hy_live *)w;
    par_lock_acquire(&L->lock);
    hy_status status = grow(L, coming->bound, L->parents != NULL);
    if (status == HY_OK)
        status = L->kind->reserve(L, coming);
    par_lock_release(&L->lock);
    return status;
}

static void begin_turn(hy_live *L)
{
    if (++L->turn == 0) {
        memset(L->stamp, 0, L->room * sizeof *L->stamp);
        L->turn = 1;
    }
    atomic_store_explicit(&L->n_noted, 0, memory_order_relaxed);
    L->is_all_kept = false;
    L->is_told = false;
    L->info.work = 0;
}

static void follow(struct watcher *w, const hy_view *V, const hy_delta *delta)
{
    hy_live *L = (hy_live *)w;
    L->began = hy_clock();
    par_lock_acquire(&L->lock);
    begin_turn(L);
    L->kind->follow(L, V, delta);
    if (L->info.how != HY_LIVE_STALE) {
        L->info.version = delta->version;
        L->info.bound = V->bound;
    }
    L->info.seconds = hy_clock() - L->began;
    par_lock_release(&L->lock);
}

static void leave(struct watcher *w)
{
    ((hy_live *)w)->G = NULL;
}

/* ---- the journal ----------------------------------------------------------
 */

void live_note_par(hy_live *L, hy_vid v)
{
    if (L->is_all_kept ||
        __atomic_load_n(&L->stamp[v], __ATOMIC_RELAXED) == L->turn ||
        __atomic_exchange_n(&L->stamp[v], L->turn, __ATOMIC_RELAXED) == L->turn)
        return;
    const uint32_t i =
        atomic_fetch_add_explicit(&L->n_noted, 1, memory_order_relaxed);
    L->noted[i] = v;
    if (L->kind->type == HY_U32)
        ((uint32_t *)L->old)[v] = ((const uint32_t *)L->values)[v];
    else
        ((uint64_t *)L->old)[v] = ((const uint64_t *)L->values)[v];
}

/* Copies its range, but for values that were noted. */
static void keep_par(void *arg, size_t lo, size_t hi)
{
    hy_live *L = arg;
    for (size_t v = lo; v < hi; v++) {
        if (L->stamp[v] == L->turn)
            continue;
        if (L->kind->type == HY_U32)
            ((uint32_t *)L->old)[v] = ((const uint32_t *)L->values)[v];
        else
            ((uint64_t *)L->old)[v] = ((const uint64_t *)L->values)[v];
    }
}

void live_keep_all(hy_live *L)
{
    if (!L->is_all_kept)
        par_for(L->ctx, L->room, COPY_GRAIN, keep_par, L);
    L->is_all_kept = true;
}

/* All values are what they were before the commit. */
static void take_back(hy_live *L)
{
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++) {
        const hy_vid v = L->noted[i];
        if (L->kind->type == HY_U32)
            ((uint32_t *)L->values)[v] = ((const uint32_t *)L->old)[v];
        else
            ((uint64_t *)L->values)[v] = ((const uint64_t *)L->old)[v];
    }
}

void live_turn_over(hy_live *L, hy_vid bound)
{
    void *const now = L->values;
    if (L->is_all_kept)
        return;
    take_back(L);
    L->values = L->old;
    L->old = now;
    L->is_all_kept = true;
    live_fill_nothing(L->kind, L->values, bound, L->room);
}

void live_take_all(hy_live *L, void **values)
{
    void *const now = L->values;
    void *const given = *values;
    if (L->is_all_kept) {
        *values = now;
        L->values = given;
        return;
    }
    take_back(L);
    *values = L->old;
    L->old = now;
    L->values = given;
    L->is_all_kept = true;
}

/* ---- an answer apart ------------------------------------------------------
 */

static void fill_spare(const struct live_spare *S, const hy_live *L,
                       hy_vid from, hy_vid to)
{
    live_fill_nothing(L->kind, S->values, from, to);
    for (hy_vid v = from; S->parents && v < to; v++)
        S->parents[v] = HY_NONE;
}

static hy_status new_spare(struct live_spare *S, const hy_live *L)
{
    live_spare_fini(S, L->ctx);
    S->room = L->room;
    S->values = base_alloc_raw(L->ctx, L->room, width(L));
    if (L->parents)
        S->parents = base_alloc_raw(L->ctx, L->room, sizeof *S->parents);
    if (!S->values || (L->parents && !S->parents)) {
        live_spare_fini(S, L->ctx);
        return HY_ENOMEM;
    }
    fill_spare(S, L, 0, S->room);
    return HY_OK;
}

hy_status live_spare_reserve(struct live_spare *S, const hy_live *L,
                             hy_vid bound)
{
    if (S->room != L->room || !S->values)
        HY_TRY(new_spare(S, L));
    S->used = bound > S->used ? bound : S->used;
    return HY_OK;
}

void live_spare_fini(struct live_spare *S, hy_ctx *ctx)
{
    base_free(ctx, S->values);
    base_free(ctx, S->parents);
    *S = (struct live_spare){ 0 };
}

void live_spare_take(struct live_spare *S, hy_live *L, hy_vid known)
{
    hy_vid *const parents = L->parents;
    fill_spare(S, L, known, S->used);
    live_take_all(L, &S->values);
    L->parents = S->parents;
    S->parents = parents;
}

/* ---- what changed ---------------------------------------------------------
 */

static void tell_if_moved(hy_live *L, hy_vid v)
{
    const bool moved =
        L->kind->type == HY_U32
            ? ((const uint32_t *)L->old)[v] != ((const uint32_t *)L->values)[v]
            : ((const uint64_t *)L->old)[v] != ((const uint64_t *)L->values)[v];
    if (moved)
        L->changed[L->n_changed++] = v;
}

static int by_id(const void *a, const void *b)
{
    const hy_vid x = *(const hy_vid *)a, y = *(const hy_vid *)b;
    return (x > y) - (x < y);
}

static void tell(hy_live *L)
{
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    const hy_vid bound = L->info.bound;
    L->n_changed = 0;
    L->is_told = true;
    if (L->is_all_kept || n > bound / DENSE_NOTES) {
        for (hy_vid v = 0; v < bound; v++)
            if (L->is_all_kept || L->stamp[v] == L->turn)
                tell_if_moved(L, v);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        tell_if_moved(L, L->noted[i]);
    qsort(L->changed, L->n_changed, sizeof *L->changed, by_id);
}

/* ---- attaching ------------------------------------------------------------
 */

static void free_all(hy_live *L)
{
    L->kind->fini(L);
    base_free(L->ctx, L->values);
    base_free(L->ctx, L->old);
    base_free(L->ctx, L->stamp);
    base_free(L->ctx, L->noted);
    base_free(L->ctx, L->changed);
    base_free(L->ctx, L->parents);
    base_free(L->ctx, L);
}

static hy_status start(hy_live *L, bool has_parents)
{
    if (L->kind->needs_in)
        HY_TRY(hy_graph_add_reverse(L->G));
    const hy_view *const V = hy_graph_now(L->G);
    const double begin = hy_clock();
    HY_TRY(grow(L, V->bound, has_parents));
    L->info.version = V->version;
    L->info.bound = V->bound;
    live_say(L, HY_LIVE_ATTACHED, "no commit yet");
    HY_TRY(L->kind->start(L, V));
    L->info.seconds = hy_clock() - begin;
    L->is_told = true;
    return par_lock_init(&L->lock);
}

hy_status live_attach(hy_graph *G, const struct live_kind *kind, void *state,
                      bool has_parents, hy_live **out)
{
    hy_ctx *const ctx = hy_graph_ctx(G);
    hy_live *L = base_alloc(ctx, 1, sizeof *L);
    if (!L) {
        struct hy_live none = { .kind = kind, .ctx = ctx, .state = state };
        kind->fini(&none);
        return HY_ENOMEM;
    }
    *L = (hy_live){
        .watcher = { .foresee = foresee, .follow = follow, .leave = leave },
        .kind = kind,
        .G = G,
        .ctx = ctx,
        .state = state
    };
    const hy_status status = start(L, has_parents);
    if (status != HY_OK) {
        free_all(L);
        return status;
    }
    watch_add(G, &L->watcher);
    *out = L;
    return HY_OK;
}

void hy_live_detach(hy_live *L)
{
    if (!L)
        return;
    if (L->G)
        watch_remove(L->G, &L->watcher);
    par_lock_fini(&L->lock);
    free_all(L);
}

/* ---- reading --------------------------------------------------------------
 */

const char *hy_live_name(const hy_live *L)
{
    return L->kind->name;
}

void hy_live_info_get(const hy_live *L, hy_live_info *info)
{
    *info = L->info;
}

hy_type hy_live_type(const hy_live *L)
{
    return L->kind->type;
}

const void *hy_live_values(const hy_live *L)
{
    return L->values;
}

const hy_vid *hy_live_parents(const hy_live *L)
{
    return L->parents;
}

hy_vid_list hy_live_changed(hy_live *L)
{
    if (!L->is_told)
        tell(L);
    return (hy_vid_list){ .n = L->n_changed, .at = L->changed };
}

void hy_live_copy(hy_live *L, void *values, hy_vid room, hy_live_info *info)
{
    par_lock_acquire(&L->lock);
    const hy_vid n = room < L->info.bound ? room : L->info.bound;
    if (values && n)
        memcpy(values, L->values, n * width(L));
    if (info)
        *info = L->info;
    par_lock_release(&L->lock);
}

static hy_status check(hy_live *L)
{
    if (!L->G)
        return base_fail(HY_ESTATE, "the graph is gone");
    const hy_view *const V = hy_graph_now(L->G);
    if (L->info.version != V->version || L->info.bound != V->bound)
        return base_fail(HY_EBUG, "%s: the answer is of version %llu",
                         L->kind->name, (unsigned long long)L->info.version);
    return L->kind->check(L, V);
}

bool hy_live_check(hy_live *L, const char **why)
{
    const hy_status status = check(L);
    if (status != HY_OK && why)
        *why = hy_error_text();
    return status == HY_OK;
}
