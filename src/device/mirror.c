/* Mirrors: the plan is in mirror.h. */
#include "device/mirror.h"

#include "base/bits.h"

#include <string.h>

enum {
    WORD = 64,
    SCATTER_CHUNK = 256,
    /* More units than one in so many, and the whole is sent instead. */
    MANY = 3,
};

/* ---- noting -------------------------------------------------------------- */

static hy_status grow_noted(struct mirror *M, size_t bound)
{
    if (bound <= M->noted_room && M->noted)
        return HY_OK;
    hy_ctx *const ctx = M->D->ctx;
    const size_t old = M->noted_room / WORD;
    const size_t room = bits_div_up(bound + bound / 8 + 1, WORD * WORD) * WORD;
    uint64_t *noted = base_resize(ctx, M->noted, room, sizeof *noted);
    if (!noted)
        return HY_ENOMEM;
    M->noted = noted;
    uint64_t *brief = base_resize(ctx, M->brief, room / WORD, sizeof *brief);
    if (!brief)
        return HY_ENOMEM;
    M->brief = brief;
    memset(noted + old, 0, (room - old) * sizeof *noted);
    memset(brief + old / WORD, 0, (room - old) / WORD * sizeof *brief);
    M->noted_room = room * WORD;
    return HY_OK;
}

static hy_status grow_marks(struct mirror *M, size_t arena_bytes)
{
    const size_t granules =
        bits_div_up(arena_bytes, (size_t)UNIT * WATCH_GRANULE) + 2;
    if (granules <= M->marks_room && M->marks.bits)
        return HY_OK;
    const size_t old = M->marks_room / WORD;
    const size_t room = bits_div_up(granules + granules / 8, WORD);
    uint64_t *bits = base_resize(M->D->ctx, M->marks.bits, room, sizeof *bits);
    if (!bits)
        return HY_ENOMEM;
    memset(bits + old, 0, (room - old) * sizeof *bits);
    M->marks.bits = bits;
    M->marks_room = room * WORD;
    return HY_OK;
}

static hy_status foresee(struct watcher *w, const struct watch_coming *coming)
{
    struct mirror *M = (struct mirror *)w;
    HY_TRY(grow_noted(M, coming->bound));
    return grow_marks(M, view_block_room(hy_graph_now(M->G)));
}

static void note(struct mirror *M, hy_vid u)
{
    const size_t i = u / WORD;
    M->noted[i] |= (uint64_t)1 << (u % WORD);
    M->brief[i / WORD] |= (uint64_t)1 << (i % WORD);
}

static void note_ends(struct mirror *M, const hy_edge_list *edges)
{
    for (uint64_t i = 0; i < edges->n; i++) {
        note(M, edges->at[i].u);
        note(M, edges->at[i].v);
    }
}

static void note_vertices(struct mirror *M, const hy_vid_list *list)
{
    for (uint64_t i = 0; i < list->n; i++)
        note(M, list->at[i]);
}

static void follow(struct watcher *w, const hy_view *V, const hy_delta *delta)
{
    struct mirror *M = (struct mirror *)w;
    (void)V;
    note_ends(M, &delta->inserted);
    note_ends(M, &delta->deleted);
    note_ends(M, &delta->updated);
    note_vertices(M, &delta->vertices_inserted);
    note_vertices(M, &delta->vertices_deleted);
}

static void leave(struct watcher *w)
{
    ((struct mirror *)w)->G = NULL;
}

static void forget_notes(struct mirror *M)
{
    memset(M->noted, 0, M->noted_room / 8);
    memset(M->brief, 0, M->noted_room / WORD / 8);
    memset(M->marks.bits, 0, M->marks_room / 8);
}

/* ---- 3 collect ----------------------------------------------------------- */

/* Units of one space on their way to the device: counted, then copied. */
struct load {
    const char *from; /* the space */
    char *unit;       /* NULL: count */
    uint64_t *place;
    size_t n;
};

static void put(struct load *L, uint64_t at, size_t units)
{
    for (size_t i = 0; L->unit && i < units; i++) {
        memcpy(L->unit + (L->n + i) * UNIT, L->from + (at + i) * UNIT, UNIT);
        L->place[L->n + i] = at + i;
    }
    L->n += units;
}

static void put_slot(struct load *pages, struct load *blocks, const hy_view *V,
                     enum side side, hy_vid u)
{
    const struct slot *const s = view_slot(V, side, u);
    put(pages, (uint64_t)((const char *)s - V->pages) / UNIT, 1);
    if (!slot_is_hub(s) && s->degree)
        put(blocks, slot_at(s), slot_units(s));
}

/* Of each vertex noted; a page of the table that is new here, whole. */
static void put_vertices(const struct mirror *M, struct load *pages,
                         struct load *blocks, const hy_view *V)
{
    for (size_t b = 0; b < M->noted_room / WORD / WORD; b++)
        for (uint64_t brief = M->brief[b]; brief; brief &= brief - 1) {
            const size_t i = b * WORD + bits_first(brief);
            for (uint64_t word = M->noted[i]; word; word &= word - 1) {
                const hy_vid u = (hy_vid)(i * WORD + bits_first(word));
                if (u >= V->bound || !view_slot(V, OUT, u))
                    continue;
                put_slot(pages, blocks, V, OUT, u);
                if (V->reverse)
                    put_slot(pages, blocks, V, IN, u);
            }
        }
    for (size_t i = 0; i < view_dir_count(V); i++)
        if (V->dir[i] != NO_PAGE &&
            (i >= M->dir_count || M->dir_copy[i] != V->dir[i]))
            put(pages, V->dir[i] * (V->page_bytes / UNIT),
                V->page_bytes / UNIT);
}

static void put_marks(const struct mirror *M, struct load *blocks,
                      size_t arena_units)
{
    uint64_t done = 0; /* granules below are on their way */
    for (size_t w = 0; w < M->marks_room / WORD; w++)
        for (uint64_t word = M->marks.bits[w]; word; word &= word - 1) {
            const uint64_t i = w * WORD + bits_first(word);
            for (uint64_t g = i > done ? i : done; g < i + 2; g++) {
                const uint64_t at = g * WATCH_GRANULE;
                if (at >= arena_units)
                    break;
                const uint64_t left = arena_units - at;
                put(blocks, at, left < WATCH_GRANULE ? left : WATCH_GRANULE);
                done = g + 1;
            }
        }
}

/* ---- 4 scatter ----------------------------------------------------------- */

static hy_status scatter(struct mirror *M, const struct load *L,
                         const struct device_buf *to)
{
    hy_device *const D = M->D;
    if (!L->n)
        return HY_OK;
    HY_TRY(device_grow(D, &M->staged, L->n * UNIT));
    HY_TRY(device_grow(D, &M->places, L->n * sizeof *L->place));
    HY_TRY(device_write(D, &M->staged, 0, L->n * UNIT, L->unit));
    HY_TRY(device_write(D, &M->places, 0, L->n * sizeof *L->place, L->place));
    D->stats.mirrored += L->n * (UNIT + sizeof *L->place);
    const uint32_t grain = device_grain(D, SCATTER_CHUNK, 1);
    const struct device_arg args[] = {
        DEVICE_BUF(&M->staged), DEVICE_BUF(&M->places), DEVICE_BUF(to),
        DEVICE_U32(grain),      DEVICE_U32(L->n),
    };
    return device_launch(D, "mirror_scatter", bits_div_up(L->n, grain), args,
                         5);
}

static hy_status reserve(hy_ctx *ctx, struct load *L)
{
    L->unit = base_alloc_raw(ctx, L->n, UNIT);
    L->place = base_alloc_raw(ctx, L->n, sizeof *L->place);
    L->n = 0;
    return L->unit && L->place ? HY_OK : HY_ENOMEM;
}

static hy_status keep_dir(struct mirror *M, const hy_view *V)
{
    const size_t n = view_dir_count(V);
    if (n > M->dir_room || !M->dir_copy) {
        uint32_t *copy =
            base_resize(M->D->ctx, M->dir_copy, n + n / 8 + 16, sizeof *copy);
        if (!copy)
            return HY_ENOMEM;
        M->dir_copy = copy;
        M->dir_room = n + n / 8 + 16;
    }
    size_t lo = 0, hi = n;
    while (lo < n && lo < M->dir_count && M->dir_copy[lo] == V->dir[lo])
        lo++;
    while (hi > lo && hi <= M->dir_count &&
           M->dir_copy[hi - 1] == V->dir[hi - 1])
        hi--;
    HY_TRY(device_grow(M->D, &M->dir, n * sizeof *V->dir));
    HY_TRY(device_write(M->D, &M->dir, lo * sizeof *V->dir,
                        (hi - lo) * sizeof *V->dir,
                        hi > lo ? V->dir + lo : NULL));
    M->D->stats.mirrored += (hi - lo) * sizeof *V->dir;
    if (hi > lo)
        memcpy(M->dir_copy + lo, V->dir + lo, (hi - lo) * sizeof *V->dir);
    M->dir_count = n;
    return HY_OK;
}

/* ---- the whole ------------------------------------------------------------
 */

static hy_status upload_whole(struct mirror *M, const hy_view *V)
{
    hy_device *const D = M->D;
    const size_t pages = view_page_count(V) * V->page_bytes;
    const size_t blocks = view_block_bytes(V);
    M->is_there = false;
    M->dir_count = 0;
    if (M->pages.bytes < pages)
        device_free(D, &M->pages);
    if (M->blocks.bytes < blocks)
        device_free(D, &M->blocks);
    HY_TRY(device_grow(D, &M->pages, pages));
    HY_TRY(device_grow(D, &M->blocks, blocks));
    HY_TRY(device_write(D, &M->pages, 0, pages, V->pages));
    HY_TRY(device_write(D, &M->blocks, 0, blocks, V->blocks));
    HY_TRY(keep_dir(M, V));
    D->stats.mirrored += pages + blocks;
    D->stats.touched += pages + blocks;
    D->stats.whole++;
    return HY_OK;
}

/* Bytes that a commit touched, as the units are told: whole table pages. */
static uint64_t touched(const struct load *pages, const struct load *blocks,
                        const hy_view *V)
{
    const uint64_t per_page = V->page_bytes / UNIT;
    uint64_t n = 0, last = UINT64_MAX;
    for (size_t i = 0; i < pages->n; i++) {
        n += pages->place[i] / per_page != last;
        last = pages->place[i] / per_page;
    }
    return n * V->page_bytes + blocks->n * UNIT;
}

static hy_status upload_noted(struct mirror *M, const hy_view *V)
{
    hy_device *const D = M->D;
    struct load pages = { .from = V->pages }, blocks = { .from = V->blocks };
    const size_t arena_units = view_block_bytes(V) / UNIT;
    put_vertices(M, &pages, &blocks, V);
    put_marks(M, &blocks, arena_units);
    if (blocks.n > arena_units / MANY)
        return upload_whole(M, V);
    HY_TRY(device_grow(D, &M->pages, view_page_count(V) * V->page_bytes));
    HY_TRY(device_grow(D, &M->blocks, view_block_bytes(V)));
    hy_status status = reserve(D->ctx, &pages);
    if (status == HY_OK)
        status = reserve(D->ctx, &blocks);
    if (status == HY_OK) {
        put_vertices(M, &pages, &blocks, V);
        put_marks(M, &blocks, arena_units);
        D->stats.touched += touched(&pages, &blocks, V);
        status = scatter(M, &pages, &M->pages);
    }
    if (status == HY_OK)
        status = scatter(M, &blocks, &M->blocks);
    if (status == HY_OK)
        status = keep_dir(M, V);
    base_free(D->ctx, pages.unit);
    base_free(D->ctx, pages.place);
    base_free(D->ctx, blocks.unit);
    base_free(D->ctx, blocks.place);
    return status;
}

static hy_status sync(struct mirror *M, const hy_view *V)
{
    if (M->is_there && M->layout == view_layout(V) && M->version == V->version)
        return HY_OK;
    const bool is_whole = !M->is_there || M->layout != view_layout(V);
    const hy_status status = is_whole ? upload_whole(M, V) : upload_noted(M, V);
    M->is_there = status == HY_OK;
    HY_TRY(status);
    M->layout = view_layout(V);
    M->version = V->version;
    forget_notes(M);
    return HY_OK;
}

/* ---- life ---------------------------------------------------------------- */

static void mirror_free(struct mirror *M)
{
    hy_device *const D = M->D;
    if (M->G) {
        watch_remove(M->G, &M->watcher);
        watch_remove_marks(M->G, &M->marks);
    }
    device_free(D, &M->dir);
    device_free(D, &M->pages);
    device_free(D, &M->blocks);
    device_free(D, &M->staged);
    device_free(D, &M->places);
    base_free(D->ctx, M->dir_copy);
    base_free(D->ctx, M->noted);
    base_free(D->ctx, M->brief);
    base_free(D->ctx, M->marks.bits);
    base_free(D->ctx, M);
}

static hy_status mirror_new(hy_device *D, const hy_view *V, struct mirror **out)
{
    struct mirror *M = base_alloc(D->ctx, 1, sizeof *M);
    if (!M)
        return HY_ENOMEM;
    M->D = D;
    hy_status status = grow_noted(M, V->bound);
    if (status == HY_OK)
        status = grow_marks(M, view_block_room(V));
    if (status != HY_OK) {
        mirror_free(M);
        return status;
    }
    M->watcher = (struct watcher){ .foresee = foresee,
                                   .follow = follow,
                                   .leave = leave };
    M->G = V->graph;
    watch_add(M->G, &M->watcher);
    watch_add_marks(M->G, &M->marks);
    M->next = D->mirrors;
    D->mirrors = M;
    *out = M;
    return HY_OK;
}

/* Drops those whose graphs are gone; finds that of G. */
static struct mirror *find(hy_device *D, const hy_graph *G)
{
    struct mirror *found = NULL;
    for (struct mirror **at = &D->mirrors; *at;) {
        struct mirror *const M = *at;
        if (!M->G) {
            *at = M->next;
            mirror_free(M);
            continue;
        }
        if (M->G == G)
            found = M;
        at = &M->next;
    }
    return found;
}

void mirror_free_all(hy_device *D)
{
    while (D->mirrors) {
        struct mirror *const M = D->mirrors;
        D->mirrors = M->next;
        mirror_free(M);
    }
}

hy_status mirror_sync(hy_device *D, const hy_view *V, struct mirror **out)
{
    const hy_view *const now = hy_graph_now(V->graph);
    if (V->version != now->version)
        return base_fail(HY_ENOTSUP,
                         "devices know the newest version of a graph only");
    struct mirror *M = find(D, V->graph);
    if (!M)
        HY_TRY(mirror_new(D, V, &M));
    HY_TRY(sync(M, now));
    *out = M;
    return HY_OK;
}

hy_status hy_device_sync(hy_device *D, const hy_view *V)
{
    struct mirror *M = NULL;
    if (!D || !V)
        return base_fail(HY_EINVAL, "a copy needs a device and a view");
    HY_TRY(mirror_sync(D, V, &M));
    return device_finish(D);
}

hy_status mirror_shape(hy_device *D, const hy_view *V, uint32_t column,
                       struct device_buf *out)
{
    const struct shape *const S = V->shape;
    enum { NO_WEIGHT = 8, WORDS = 9 };
    uint32_t words[WORDS] = {
        (uint32_t)(V->page_bytes / 8),
        (uint32_t)(S->undirected ? 0 : V->in_slots / 8),
        S->lane[0].width / (uint32_t)sizeof(hy_vid),
        S->width,
        S->even,
        NO_WEIGHT,
    };
    if (column != HY_NONE) {
        const struct shape_field *const f = &S->edge.field[column];
        words[5] = f->type;
        words[6] = S->lane[f->lane].lead;
        words[7] = f->within;
        words[8] = S->lane[f->lane].width;
    }
    HY_TRY(device_alloc(D, out, sizeof words));
    const hy_status status = device_write(D, out, 0, sizeof words, words);
    if (status != HY_OK)
        device_free(D, out);
    return status;
}
