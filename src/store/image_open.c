/* Opening an image: the frame is verified, the rest is mapped.
 *
 *   Open(file)
 *     1 Head      magic, version, sum; counts that can be
 *     2 Map       the front, the table, the arena
 *     3 Sums      of small files, or of all when so asked
 *     4 Ids       arrays of the front; the directory is copied
 *     5 Check     hy_graph_check, when so asked
 *
 * What the head says decides where everything is, so that nothing in it has
 * to be believed twice.
 */
#include "store/image_impl.h"

#include "par/par.h"

#include <stdio.h>

enum { MAX_LIMIT_WIDTH = 34 };

struct opening {
    hy_ctx *ctx;
    int fd;
    struct base_space front, seal; /* of the file: up to the table; its end */
    struct image_header head;
    hy_graph *G;
};

static hy_status damaged(const char *what)
{
    return base_fail(HY_EFORMAT, "the image is damaged: %s", what);
}

/* ---- 1 head -------------------------------------------------------------- */

bool image_is(const void *bytes, size_t n)
{
    return n >= sizeof image_magic &&
           memcmp(bytes, image_magic, sizeof image_magic) == 0;
}

static hy_status check_head(const struct image_header *H)
{
    struct image_header copy = *H;
    if (!image_is(H, sizeof *H))
        return base_fail(HY_EFORMAT, "this is no hypha image");
    if (H->order != IMAGE_ORDER)
        return base_fail(HY_ENOTSUP, "the image was written on a machine of "
                                     "another byte order");
    if (H->version > IMAGE_VERSION)
        return base_fail(HY_ENOTSUP,
                         "the image is of version %u, newer than this "
                         "program's %d",
                         H->version, IMAGE_VERSION);
    copy.sum = 0;
    if (H->version == 0 || image_sum_page(&copy) != H->sum)
        return damaged("its head");
    return HY_OK;
}

hy_status image_peek(const void *bytes, size_t n, struct image_head *out)
{
    struct image_header H;
    if (n < sizeof H)
        return base_fail(HY_EFORMAT, "this is no hypha image");
    memcpy(&H, bytes, sizeof H);
    HY_TRY(check_head(&H));
    *out = (struct image_head){ .file_bytes = H.file_bytes, .edges = H.edges };
    return HY_OK;
}

static bool is_power(uint64_t x)
{
    return (x & (x - 1)) == 0;
}

/* Counts of the map of ids: as struct ids could have them. */
static bool are_ids_sane(const struct image_header *H)
{
    uint64_t n = 0, hashed = 0;
    for (unsigned w = 0; w < IDS_WIDTHS; w++) {
        if (H->widths.n[w] > H->bound)
            return false;
        n += H->widths.n[w];
        hashed += w < bits_width(H->limit) ? 0 : H->widths.n[w];
    }
    return n == (H->flags & IMAGE_MAPPED ? H->vertices : 0) &&
           hashed == H->n_hashed && is_power(H->limit) &&
           H->limit >> MAX_LIMIT_WIDTH <= 1 && H->direct_room <= H->limit &&
           is_power(H->map_room) && H->map_room >> 40 == 0 &&
           (!hashed || hashed * 8 / 5 + 1 <= H->map_room) &&
           H->n_queued <= H->bound;
}

static bool are_counts_sane(const struct image_header *H)
{
    const bool undirected = H->flags & IMAGE_UNDIRECTED;
    return H->flags <= IMAGE_FLAGS && H->bound <= HY_NONE &&
           H->vertices <= H->bound && H->edges <= H->arcs &&
           (undirected ? H->arcs / 2 <= H->edges : H->arcs == H->edges) &&
           H->epoch && H->epoch >> 40 == 0 &&
           H->pages <= bits_div_up(H->bound, PAGE_VERTICES) && H->units &&
           H->units <= ARENA_MAX_UNITS && H->n_edge_columns <= MAX_COLUMNS &&
           H->n_vertex_columns <= MAX_COLUMNS && are_ids_sane(H);
}

/* Every part where the counts say, and the file no longer or shorter. */
static bool are_parts_sane(const struct image_header *H, uint64_t bytes)
{
    struct image_header want = *H;
    const uint64_t names = H->part[PART_NAMES].bytes;
    if (names > bytes)
        return false;
    image_lay_out(&want, names);
    return memcmp(want.part, H->part, sizeof want.part) == 0 &&
           want.file_bytes == H->file_bytes;
}

static hy_status check_frame(const struct image_header *H, uint64_t bytes)
{
    HY_TRY(check_head(H));
    if (H->file_bytes != bytes)
        return base_fail(
            HY_EFORMAT, "the image has %llu bytes and should have %llu",
            (unsigned long long)bytes, (unsigned long long)H->file_bytes);
    if (!are_counts_sane(H))
        return damaged("its counts");
    return are_parts_sane(H, bytes) ? HY_OK : damaged("its parts");
}

/* ---- the graph it will be ------------------------------------------------ */

static bool take_columns(const struct image_column *from, uint32_t n,
                         hy_column *to)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!memchr(from[i].name, 0, sizeof from[i].name))
            return false;
        to[i] =
            (hy_column){ .name = from[i].name, .type = (hy_type)from[i].type };
    }
    return true;
}

static hy_status new_graph(struct opening *O)
{
    const struct image_header *H = &O->head;
    hy_column edge[MAX_COLUMNS], vertex[MAX_COLUMNS];
    if (!take_columns(H->edge, H->n_edge_columns, edge) ||
        !take_columns(H->vertex, H->n_vertex_columns, vertex))
        return damaged("its columns");
    const hy_graph_opts opts = {
        .undirected = H->flags & IMAGE_UNDIRECTED,
        .reverse = H->flags & IMAGE_REVERSE,
        .interleaved = H->flags & IMAGE_INTERLEAVED,
        .ids = H->flags & IMAGE_MAPPED ? HY_IDS_MAPPED : HY_IDS_DENSE,
        .no_loops = H->flags & IMAGE_NO_LOOPS,
        .edge_columns = edge,
        .n_edge_columns = H->n_edge_columns,
        .vertex_columns = vertex,
        .n_vertex_columns = H->n_vertex_columns,
        .slack = (hy_slack)H->slack,
        .slack_amount = H->slack_amount,
    };
    const hy_status status = hy_graph_new(O->ctx, &opts, &O->G);
    if (status == HY_EINVAL)
        return damaged("its shape");
    HY_TRY(status);
    if (O->G->core->table.layout.bytes != H->page_bytes)
        return damaged("its pages");
    return HY_OK;
}

/* ---- 2 map --------------------------------------------------------------- */

static hy_status map_part(struct opening *O, struct base_space *space,
                          uint64_t offset, uint64_t bytes)
{
    HY_TRY(base_space_init(O->ctx, space, bytes, bytes));
    return base_space_map(O->ctx, space, O->fd, offset, bytes);
}

static hy_status map_all(struct opening *O)
{
    const struct image_header *H = &O->head;
    struct core *C = O->G->core;
    HY_TRY(table_map(O->ctx, &C->table, O->fd, H->part[PART_TABLE].offset,
                     (uint32_t)H->pages, H->epoch));
    HY_TRY(arena_map(O->ctx, &C->arena, O->fd, H->part[PART_ARENA].offset,
                     H->units));
    C->built_units = H->units;
    /* New pages of the table are taken to be zero. */
    const uint64_t end = H->part[PART_TABLE].bytes;
    if (end % IMAGE_ALIGN)
        memset(C->table.space.base + end, 0, IMAGE_ALIGN - end % IMAGE_ALIGN);
    return HY_OK;
}

/* ---- 3 sums -------------------------------------------------------------- */

struct summing {
    const char *at;
    uint64_t bytes;
    uint64_t *chunk;
};

static void sum_par(void *arg, size_t i)
{
    struct summing *S = arg;
    const uint64_t lo = (uint64_t)i * IMAGE_CHUNK;
    const uint64_t left = S->bytes - lo;
    struct image_sum sum;
    image_sum_init(&sum);
    image_sum_add(&sum, S->at + lo,
                  left < IMAGE_CHUNK ? (size_t)left : IMAGE_CHUNK);
    S->chunk[i] = image_sum_end(&sum);
}

static const char *part_at(const struct opening *O, int part)
{
    const struct core *C = O->G->core;
    if (part == PART_TABLE)
        return C->table.space.base;
    if (part == PART_ARENA)
        return C->arena.space.base;
    return O->front.base + O->head.part[part].offset;
}

static hy_status check_part(const struct opening *O, int part, uint64_t want)
{
    struct summing S = { .at = part_at(O, part),
                         .bytes = image_padded(O->head.part[part].bytes) };
    const size_t n = bits_div_up(S.bytes, IMAGE_CHUNK);
    S.chunk = base_alloc_raw(O->ctx, n, sizeof *S.chunk);
    if (!S.chunk)
        return HY_ENOMEM;
    par_run(O->ctx, n, sum_par, &S);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = image_sum_join(sum, S.chunk[i]);
    base_free(O->ctx, S.chunk);
    return sum == want ? HY_OK : damaged("a sum is wrong");
}

static hy_status check_seal(struct opening *O, bool all)
{
    struct image_seal seal;
    memcpy(&seal, O->seal.base, sizeof seal);
    const uint64_t sum = seal.sum;
    seal.sum = 0;
    if (memcmp(seal.magic, image_seal_magic, sizeof seal.magic) != 0 ||
        image_sum_page(&seal) != sum)
        return damaged("its end");
    for (int i = 0; all && i < IMAGE_PARTS; i++)
        HY_TRY(check_part(O, i, seal.part[i]));
    return HY_OK;
}

/* ---- 4 ids --------------------------------------------------------------- */

/* An array of the front, NULL if it is empty. */
static void *array(const struct opening *O, enum image_part part)
{
    const struct image_place p = O->head.part[part];
    return p.bytes ? O->front.base + p.offset : NULL;
}

static void take_ids(struct opening *O)
{
    const struct image_header *H = &O->head;
    O->G->ids = (struct ids){
        .alive = array(O, PART_ALIVE),
        .queued = array(O, PART_QUEUED),
        .words = bits_words(H->bound),
        .queue = array(O, PART_QUEUE),
        .n_queued = H->n_queued,
        .queue_room = H->n_queued,
        .direct = array(O, PART_DIRECT),
        .limit = H->limit,
        .direct_room = H->direct_room,
        .map = array(O, PART_MAP),
        .map_room = H->map_room,
        .n_hashed = H->n_hashed,
        .n_mapped = H->flags & IMAGE_MAPPED ? H->vertices : 0,
        .widths = H->widths,
        .image = O->front,
    };
    O->front = (struct base_space){ 0 };
}

/* Pages are 0, 1, ... in the order of vertices. */
static hy_status take_dir(struct opening *O)
{
    const struct image_header *H = &O->head;
    hy_graph *G = O->G;
    const uint32_t *from = array(O, PART_DIR);
    uint32_t pages = 0;
    HY_TRY(graph_reserve_dir(G, H->bound));
    for (size_t i = 0; i < bits_div_up(H->bound, PAGE_VERTICES); i++) {
        if (from[i] != NO_PAGE && from[i] != pages++)
            return damaged("its directory");
        G->dir[i] = from[i];
    }
    return pages == H->pages ? HY_OK : damaged("its directory");
}

static hy_status take_all(struct opening *O)
{
    const struct image_header *H = &O->head;
    hy_view *now = &O->G->now;
    HY_TRY(take_dir(O));
    now->bound = (hy_vid)H->bound;
    now->vertices = H->vertices;
    now->edges = H->edges;
    now->arcs = H->arcs;
    now->epoch = H->epoch;
    now->version = 1;
    now->as_built = true;
    take_ids(O);
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status open_all(struct opening *O, uint64_t bytes, bool verify,
                          struct image_names *names)
{
    const uint64_t least = sizeof O->head + sizeof(struct image_seal);
    if (bytes < least || bytes % IMAGE_ALIGN)
        return base_fail(HY_EFORMAT, "%llu bytes are no hypha image",
                         (unsigned long long)bytes);
    HY_TRY(map_part(O, &O->front, 0, sizeof O->head));
    memcpy(&O->head, O->front.base, sizeof O->head);
    base_space_fini(O->ctx, &O->front);
    HY_TRY(check_frame(&O->head, bytes));
    HY_TRY(map_part(O, &O->front, 0, O->head.part[PART_TABLE].offset));
    HY_TRY(map_part(O, &O->seal, bytes - sizeof(struct image_seal),
                    sizeof(struct image_seal)));
    HY_TRY(new_graph(O));
    HY_TRY(map_all(O));
    HY_TRY(check_seal(O, verify || bytes <= IMAGE_SMALL));
    *names = (struct image_names){ .at = array(O, PART_NAMES),
                                   .n = O->head.part[PART_NAMES].bytes };
    HY_TRY(take_all(O));
    const hy_status status = verify ? graph_check(O->G) : HY_OK;
    if (status != HY_EBUG)
        return status;
    char why[200];
    (void)snprintf(why, sizeof why, "%s", hy_error_text());
    return damaged(why);
}

hy_status image_open(hy_ctx *ctx, int fd, uint64_t bytes,
                     const struct image_opts *opts, hy_graph **graph,
                     struct image_names *names)
{
    struct opening O = { .ctx = ctx, .fd = fd };
    const hy_status status = open_all(&O, bytes, opts && opts->verify, names);
    base_space_fini(ctx, &O.front);
    base_space_fini(ctx, &O.seal);
    if (status != HY_OK) {
        hy_graph_free(O.G);
        return status;
    }
    *graph = O.G;
    return HY_OK;
}
