/* Writing an image, and what writing and opening share.
 *
 *   Write(version)
 *     1 Core     that of the version if it is as it was built, else a copy
 *     2 Ids      alive, queue and map as the version has them
 *     3 Put      head, parts, seal
 *
 * The queue of the version is not known, only that of `now`: all ids that are
 * free in pages of the table go into it, ascending.
 */
#include "store/image_impl.h"

#include "base/random.h"

const char image_magic[8] = "HYPHA\0\x1a\n";
const char image_seal_magic[8] = "HYPHAEND";

void image_lay_out(struct image_header *H, uint64_t names)
{
    const uint64_t words = bits_words(H->bound);
    const uint64_t bytes[IMAGE_PARTS] = {
        [PART_DIR] = bits_div_up(H->bound, PAGE_VERTICES) * sizeof(uint32_t),
        [PART_ALIVE] = words * sizeof(uint64_t),
        [PART_QUEUED] = words * sizeof(uint64_t),
        [PART_QUEUE] = H->n_queued * sizeof(hy_vid),
        [PART_DIRECT] = H->direct_room * sizeof(uint32_t),
        [PART_MAP] = H->map_room * sizeof(struct ids_entry),
        [PART_NAMES] = names,
        [PART_TABLE] = H->pages * H->page_bytes,
        [PART_ARENA] = H->units * UNIT,
    };
    uint64_t offset = sizeof *H;
    for (int i = 0; i < IMAGE_PARTS; i++) {
        H->part[i] =
            (struct image_place){ .offset = offset, .bytes = bytes[i] };
        offset += image_padded(bytes[i]);
    }
    H->file_bytes = offset + sizeof(struct image_seal);
}

/* ---- sums ---------------------------------------------------------------- */

void image_sum_init(struct image_sum *S)
{
    for (uint64_t i = 0; i < 4; i++)
        S->lane[i] = base_random_at(1, i);
}

void image_sum_add(struct image_sum *S, const void *bytes, size_t n)
{
    uint64_t lane[4], word[4];
    memcpy(lane, S->lane, sizeof lane);
    for (const char *at = bytes, *end = at + n; at < end; at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < 4; i++) {
            lane[i] = (lane[i] ^ word[i]) * 0x9e3779b97f4a7c15u;
            lane[i] ^= lane[i] >> 32;
        }
    }
    memcpy(S->lane, lane, sizeof lane);
}

uint64_t image_sum_end(const struct image_sum *S)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum = base_mix(sum + 1) ^ S->lane[i];
    return base_mix(sum);
}

uint64_t image_sum_page(const void *page)
{
    struct image_sum S;
    image_sum_init(&S);
    image_sum_add(&S, page, IMAGE_ALIGN);
    return image_sum_end(&S);
}

uint64_t image_sum_join(uint64_t part, uint64_t chunk)
{
    return base_mix(part + 1) ^ chunk;
}

/* ---- 2 ids --------------------------------------------------------------- */

/* Ids that are free in pages of the table, and widths of those in use. */
static size_t count_ids(const hy_view *V, struct ids_widths *W)
{
    size_t n = 0;
    for (hy_vid u = 0; u < V->bound; u++) {
        const struct slot *s = view_slot(V, OUT, u);
        if (s && slot_is_alive(s) && V->shape->mapped)
            ids_widths_add(W, hy_view_external(V, u));
        n += s && !slot_is_alive(s);
    }
    return n;
}

static hy_status view_ids(const hy_view *V, struct ids *I)
{
    struct ids_widths W = { 0 };
    const size_t n = count_ids(V, &W);
    HY_TRY(ids_reserve(V->graph->ctx, I, V->bound, n, &W));
    for (hy_vid u = 0; u < V->bound; u++) {
        const struct slot *s = view_slot(V, OUT, u);
        if (!s)
            continue;
        if (!slot_is_alive(s)) {
            ids_enqueue(I, u);
            continue;
        }
        bits_add(I->alive, u);
        if (V->shape->mapped)
            ids_map(I, hy_view_external(V, u), u);
    }
    return HY_OK;
}

/* ---- the head ------------------------------------------------------------ */

static void put_columns(struct image_column *to, const struct shape_record *R)
{
    for (uint32_t i = 0; i < R->n; i++) {
        memcpy(to[i].name, R->field[i].name, sizeof to[i].name);
        to[i].type = (uint32_t)R->field[i].type;
    }
}

static uint32_t flags_of(const hy_view *V)
{
    const struct shape *S = V->shape;
    return (S->undirected ? IMAGE_UNDIRECTED : 0u) |
           (V->reverse ? IMAGE_REVERSE : 0u) |
           (S->interleaved ? IMAGE_INTERLEAVED : 0u) |
           (S->mapped ? IMAGE_MAPPED : 0u) |
           (S->no_loops ? IMAGE_NO_LOOPS : 0u);
}

static void fill_head(struct image_header *H, const hy_view *V,
                      const struct ids *I, const struct core *C)
{
    const struct shape *S = V->shape;
    memcpy(H->magic, image_magic, sizeof H->magic);
    H->version = IMAGE_VERSION;
    H->order = IMAGE_ORDER;
    H->flags = flags_of(V);
    H->slack = (uint32_t)S->slack;
    H->slack_amount = S->slack_amount;
    H->n_edge_columns = S->edge.n;
    H->n_vertex_columns = S->vertex.n;
    H->page_bytes = (uint32_t)C->table.layout.bytes;
    H->bound = V->bound;
    H->vertices = V->vertices;
    H->edges = V->edges;
    H->arcs = V->arcs;
    H->units = C->built_units;
    H->n_queued = I->n_queued;
    H->limit = I->limit;
    H->direct_room = I->direct_room;
    H->map_room = I->map_room;
    H->n_hashed = I->n_hashed;
    H->widths = I->widths;
    put_columns(H->edge, &S->edge);
    put_columns(H->vertex, &S->vertex);
}

/* ---- 3 put --------------------------------------------------------------- */

struct writing {
    image_put *put;
    void *arg;
    struct image_header head;
    struct image_seal seal;
    char page[IMAGE_ALIGN]; /* the last of a part, filled up with zeros */
};

static hy_status put_part(struct writing *W, enum image_part part,
                          const void *bytes)
{
    const char *at = bytes;
    uint64_t left = W->head.part[part].bytes;
    uint64_t *sum = &W->seal.part[part];
    while (left) {
        const size_t n = left < IMAGE_CHUNK ? (size_t)left : IMAGE_CHUNK;
        const size_t rest = n % IMAGE_ALIGN, whole = n - rest;
        struct image_sum S;
        image_sum_init(&S);
        image_sum_add(&S, at, whole);
        if (whole)
            HY_TRY(W->put(W->arg, at, whole));
        if (rest) {
            memset(W->page, 0, sizeof W->page);
            memcpy(W->page, at + whole, rest);
            image_sum_add(&S, W->page, sizeof W->page);
            HY_TRY(W->put(W->arg, W->page, sizeof W->page));
        }
        *sum = image_sum_join(*sum, image_sum_end(&S));
        at += n;
        left -= n;
    }
    return HY_OK;
}

static hy_status put_all(struct writing *W, const void *const *parts)
{
    struct image_header *H = &W->head;
    H->sum = image_sum_page(H);
    HY_TRY(W->put(W->arg, H, sizeof *H));
    for (int i = 0; i < IMAGE_PARTS; i++)
        HY_TRY(put_part(W, (enum image_part)i, parts[i]));
    memcpy(W->seal.magic, image_seal_magic, sizeof W->seal.magic);
    W->seal.sum = image_sum_page(&W->seal);
    return W->put(W->arg, &W->seal, sizeof W->seal);
}

/* The pages of a directory if they are 0, 1, ..., else NO_PAGE. */
static uint32_t count_pages(const uint32_t *dir, size_t n)
{
    uint32_t pages = 0;
    for (size_t i = 0; i < n; i++)
        if (dir[i] != NO_PAGE && dir[i] != pages++)
            return NO_PAGE;
    return pages;
}

static hy_status write_core(struct writing *W, const struct core *C,
                            const uint32_t *dir, const struct ids *I,
                            const void *names)
{
    const void *const parts[IMAGE_PARTS] = {
        [PART_DIR] = dir,
        [PART_ALIVE] = I->alive,
        [PART_QUEUED] = I->queued,
        [PART_QUEUE] = I->queue,
        [PART_DIRECT] = I->direct,
        [PART_MAP] = I->map,
        [PART_NAMES] = names,
        [PART_TABLE] = C->table.space.base,
        [PART_ARENA] = C->arena.space.base,
    };
    return put_all(W, parts);
}

static hy_status write_version(struct writing *W, const hy_view *V,
                               const struct ids *I, const void *names, size_t n)
{
    hy_ctx *ctx = V->graph->ctx;
    const size_t pages = bits_div_up(V->bound, PAGE_VERTICES);
    struct built B = { .core = V->core, .dir = (uint32_t *)(uintptr_t)V->dir };
    uint32_t used = V->as_built ? count_pages(V->dir, pages) : NO_PAGE;
    const bool is_copied = used == NO_PAGE;
    W->head.epoch = is_copied ? 1 : version_born(V);
    if (is_copied) {
        HY_TRY(build_copy(V, &B));
        used = count_pages(B.dir, pages);
    }
    fill_head(&W->head, V, I, B.core);
    W->head.pages = used;
    image_lay_out(&W->head, n);
    const hy_status status = write_core(W, B.core, B.dir, I, names);
    if (is_copied) {
        base_free(ctx, B.dir);
        core_release(ctx, B.core);
    }
    return status;
}

hy_status image_write(const hy_view *V, const void *names, size_t n,
                      image_put *put, void *arg)
{
    hy_ctx *ctx = V->graph->ctx;
    struct ids I = { 0 };
    struct writing *W = base_alloc(ctx, 1, sizeof *W);
    if (!W)
        return HY_ENOMEM;
    W->put = put;
    W->arg = arg;
    hy_status status = view_ids(V, &I);
    if (status == HY_OK)
        status = write_version(W, V, &I, names, n);
    ids_fini(ctx, &I);
    base_free(ctx, W);
    return status;
}
