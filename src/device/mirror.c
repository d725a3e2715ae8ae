/* Mirrors: the plan is in mirror.h. */
#include "device/mirror.h"

#include "base/bits.h"
#include "base/compiler.h"
#include "par/par.h"

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

/* Sets of large graphs are not in a cache: words are asked for ahead. */
enum { AHEAD = 24 };

static void note_log(struct mirror *M)
{
    for (size_t i = 0; i < M->n_log; i++) {
        if (i + AHEAD < M->n_log)
            HY_PREFETCH_WRITE(&M->noted[M->log[i + AHEAD] / WORD]);
        note(M, M->log[i]);
    }
    M->n_log = 0;
}

/* Each vertex once: the last of its keys. */
static void log_keys(struct mirror *M, const uint64_t *key, size_t n)
{
    hy_vid *const log = M->log + M->n_log;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        log[k] = (hy_vid)(key[i] >> 32);
        k += i + 1 == n || key[i] >> 32 != key[i + 1] >> 32;
    }
    M->n_log += k;
}

/* Many keys, cut where words of `brief` are: no task writes another's. */
struct touched {
    struct mirror *M;
    const uint64_t *key;
    size_t n, tasks;
};

static size_t cut(const struct touched *T, size_t task)
{
    if (task == 0 || task == T->tasks)
        return task ? T->n : 0;
    size_t lo = 0, hi = T->n / T->tasks * task;
    const uint64_t whole = (uint64_t)WORD * WORD;
    const uint64_t first = T->key[hi] >> 32 & ~(whole - 1);
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (T->key[middle] >> 32 < first)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Writes the words of its vertices. */
static void note_keys_par(void *arg, size_t task)
{
    const struct touched *const T = arg;
    const size_t end = cut(T, task + 1);
    for (size_t i = cut(T, task); i < end; i++) {
        if (i + AHEAD < end)
            HY_PREFETCH_WRITE(&T->M->noted[(T->key[i + AHEAD] >> 32) / WORD]);
        note(T->M, (hy_vid)(T->key[i] >> 32));
    }
}

/* A small commit does not wait for the set: it writes a log. */
static void touch(struct watcher *w, const uint64_t *key, size_t n)
{
    enum { FEW = MIRROR_LOG / 2 };
    struct mirror *M = (struct mirror *)w;
    if (n > FEW) {
        struct touched T = { M, key, n, par_width(M->D->ctx) };
        par_run(M->D->ctx, T.tasks, note_keys_par, &T);
        return;
    }
    if (M->n_log + n > MIRROR_LOG)
        note_log(M);
    log_keys(M, key, n);
}

static void leave(struct watcher *w)
{
    ((struct mirror *)w)->G = NULL;
}

static void forget_notes(struct mirror *M)
{
    for (size_t b = 0; b < M->noted_room / WORD / WORD; b++) {
        for (uint64_t brief = M->brief[b]; brief; brief &= brief - 1)
            M->noted[b * WORD + bits_first(brief)] = 0;
        M->brief[b] = 0;
    }
    M->n_log = 0;
    memset(M->marks.bits, 0, M->marks_room / 8);
}

/* ---- 3 collect ----------------------------------------------------------- */

#define PLACE_IS_PAGES ((uint64_t)1 << 63) /* not in blocks: see mirror.cl */

/* Units on their way to the device: counted, then copied. */
struct load {
    const struct mirror *M;
    const hy_view *V;
    size_t arena_units;
    hy_vid *vertex; /* noted, and there */
    size_t vertices;
    size_t dir_lo, dir_hi; /* of the directory: what differs */
    size_t n, n_blocks;    /* units, and those in blocks */
    uint64_t *place;       /* NULL: count */
    char *unit;
};

static void put(struct load *L, uint64_t space, uint64_t at, size_t units)
{
    const char *const from = space ? L->V->pages : L->V->blocks;
    if (L->place) {
        memcpy(L->unit + L->n * UNIT, from + at * UNIT, units * UNIT);
        for (size_t i = 0; i < units; i++)
            L->place[L->n + i] = space | (at + i);
    }
    L->n += units;
    L->n_blocks += space ? 0 : units;
}

static void put_slot(struct load *L, enum side side, hy_vid u)
{
    const struct slot *const s = view_slot(L->V, side, u);
    put(L, PLACE_IS_PAGES, (uint64_t)((const char *)s - L->V->pages) / UNIT, 1);
    if (!slot_is_hub(s) && s->degree)
        put(L, 0, slot_at(s), slot_units(s));
}

/* Their slots are all over the table, their blocks all over the arena: both
 * are asked for ahead. */
static void put_vertices(struct load *L)
{
    enum { SLOTS_AHEAD = 16, BLOCKS_AHEAD = 8 };
    for (size_t i = 0; i < L->vertices; i++) {
        if (i + SLOTS_AHEAD < L->vertices)
            view_prefetch_slot(L->V, L->vertex[i + SLOTS_AHEAD]);
        if (L->place && i + BLOCKS_AHEAD < L->vertices)
            view_prefetch_out(L->V, L->vertex[i + BLOCKS_AHEAD]);
        put_slot(L, OUT, L->vertex[i]);
        if (L->V->reverse)
            put_slot(L, IN, L->vertex[i]);
    }
}

/* Pages of the table that are new here. */
static void put_pages(struct load *L)
{
    const struct mirror *const M = L->M;
    const size_t units = L->V->page_bytes / UNIT;
    for (size_t i = L->dir_lo; i < L->dir_hi; i++)
        if (L->V->dir[i] != NO_PAGE &&
            (i >= M->dir_count || M->dir_copy[i] != L->V->dir[i]))
            put(L, PLACE_IS_PAGES, L->V->dir[i] * units, units);
}

static void put_marks(struct load *L)
{
    const struct mirror *const M = L->M;
    uint64_t done = 0; /* granules below are on their way */
    for (size_t w = 0; w < M->marks_room / WORD; w++)
        for (uint64_t word = M->marks.bits[w]; word; word &= word - 1) {
            const uint64_t i = w * WORD + bits_first(word);
            for (uint64_t g = i > done ? i : done; g < i + 2; g++) {
                const uint64_t at = g * WATCH_GRANULE;
                if (at >= L->arena_units)
                    break;
                const uint64_t left = L->arena_units - at;
                put(L, 0, at, left < WATCH_GRANULE ? left : WATCH_GRANULE);
                done = g + 1;
            }
        }
}

static void put_all(struct load *L)
{
    L->n = L->n_blocks = 0;
    put_vertices(L);
    put_pages(L);
    put_marks(L);
}

static size_t count_noted(const struct mirror *M)
{
    size_t n = 0;
    for (size_t b = 0; b < M->noted_room / WORD / WORD; b++)
        for (uint64_t brief = M->brief[b]; brief; brief &= brief - 1)
            n += bits_count(M->noted[b * WORD + bits_first(brief)]);
    return n;
}

static void list_noted(struct load *L)
{
    const struct mirror *const M = L->M;
    for (size_t b = 0; b < M->noted_room / WORD / WORD; b++)
        for (uint64_t brief = M->brief[b]; brief; brief &= brief - 1) {
            const size_t i = b * WORD + bits_first(brief);
            for (uint64_t word = M->noted[i]; word; word &= word - 1) {
                const hy_vid u = (hy_vid)(i * WORD + bits_first(word));
                if (u < L->V->bound && view_slot(L->V, OUT, u))
                    L->vertex[L->vertices++] = u;
            }
        }
}

/* ---- 4 scatter ----------------------------------------------------------- */

/* Places, and units behind them, in one piece. */
static hy_status scatter(struct mirror *M, const struct load *L)
{
    hy_device *const D = M->D;
    const size_t bytes = L->n * (sizeof *L->place + UNIT);
    if (!L->n)
        return HY_OK;
    HY_TRY(device_grow(D, &M->staged, bytes));
    HY_TRY(device_write(D, &M->staged, 0, bytes, L->place));
    D->stats.mirrored += bytes;
    const uint32_t grain = device_grain(D, SCATTER_CHUNK, 1);
    const struct device_arg args[] = {
        DEVICE_BUF(&M->staged), DEVICE_BUF(&M->pages), DEVICE_BUF(&M->blocks),
        DEVICE_U32(grain),      DEVICE_U32(L->n),
    };
    return device_launch(D, "mirror_scatter", bits_div_up(L->n, grain), args,
                         5);
}

/* ---- the directory ------------------------------------------------------- */

static void compare_dir(const struct mirror *M, const hy_view *V, size_t *lo,
                        size_t *hi)
{
    const size_t n = view_dir_count(V);
    *lo = 0;
    *hi = n;
    while (*lo < n && *lo < M->dir_count && M->dir_copy[*lo] == V->dir[*lo])
        ++*lo;
    while (*hi > *lo && *hi <= M->dir_count &&
           M->dir_copy[*hi - 1] == V->dir[*hi - 1])
        --*hi;
}

/* Entries lo .. hi differ. */
static hy_status keep_dir(struct mirror *M, const hy_view *V, size_t lo,
                          size_t hi)
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
    HY_TRY(keep_dir(M, V, 0, view_dir_count(V)));
    D->stats.mirrored += pages + blocks;
    D->stats.touched += pages + blocks;
    D->stats.whole++;
    return HY_OK;
}

/* Bytes that a commit touched, as the units are told: whole table pages. */
static uint64_t touched(const struct load *L)
{
    const uint64_t per_page = L->V->page_bytes / UNIT;
    uint64_t n = 0, last = UINT64_MAX;
    for (size_t i = 0; i < L->n; i++)
        if (L->place[i] & PLACE_IS_PAGES) {
            n += L->place[i] / per_page != last;
            last = L->place[i] / per_page;
        }
    return n * L->V->page_bytes + L->n_blocks * UNIT;
}

static hy_status send(struct mirror *M, struct load *L)
{
    hy_device *const D = M->D;
    HY_TRY(device_grow(D, &M->pages, view_page_count(L->V) * L->V->page_bytes));
    HY_TRY(device_grow(D, &M->blocks, view_block_bytes(L->V)));
    L->place = base_alloc_raw(D->ctx, L->n, sizeof *L->place + UNIT);
    if (!L->place)
        return HY_ENOMEM;
    L->unit = (char *)(L->place + L->n);
    put_all(L);
    D->stats.touched += touched(L);
    const hy_status status = scatter(M, L);
    base_free(D->ctx, L->place);
    HY_TRY(status);
    return keep_dir(M, L->V, L->dir_lo, L->dir_hi);
}

static hy_status upload_noted(struct mirror *M, const hy_view *V)
{
    hy_ctx *const ctx = M->D->ctx;
    struct load L = { .M = M,
                      .V = V,
                      .arena_units = view_block_bytes(V) / UNIT };
    note_log(M);
    L.vertex = base_alloc_raw(ctx, count_noted(M), sizeof *L.vertex);
    if (!L.vertex)
        return HY_ENOMEM;
    compare_dir(M, V, &L.dir_lo, &L.dir_hi);
    list_noted(&L);
    put_all(&L);
    const bool is_much = L.n_blocks > L.arena_units / MANY;
    const hy_status status = is_much ? upload_whole(M, V) : send(M, &L);
    base_free(ctx, L.vertex);
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
    base_free(D->ctx, M->dir_copy);
    base_free(D->ctx, M->log);
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
    M->log = base_alloc_raw(D->ctx, MIRROR_LOG, sizeof *M->log);
    hy_status status = M->log ? grow_noted(M, V->bound) : HY_ENOMEM;
    if (status == HY_OK)
        status = grow_marks(M, view_block_room(V));
    if (status != HY_OK) {
        mirror_free(M);
        return status;
    }
    M->watcher =
        (struct watcher){ .foresee = foresee, .touch = touch, .leave = leave };
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
