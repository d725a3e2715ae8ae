/* Making and freeing graphs; their memory. */
#include "store/graph.h"

#include "par/par.h"

static const uint64_t DEFAULT_RESERVE = (uint64_t)1 << 40;

/* ---- workspace ---------------------------------------------------------- */

hy_status buf_reserve(hy_graph *G, struct buf *b, size_t n, size_t size)
{
    const size_t bytes = n * size;
    if (HY_LIKELY(bytes <= b->bytes && b->at))
        return HY_OK;
    const size_t room = bytes + bytes / 16 + 256;
    HY_TRY(graph_allows(G, room - b->bytes));
    void *at = base_alloc_raw(G->ctx, room, 1);
    if (!at)
        return HY_ENOMEM;
    base_free(G->ctx, b->at);
    b->at = at;
    b->bytes = room;
    return HY_OK;
}

void buf_fini(hy_graph *G, struct buf *b)
{
    base_free(G->ctx, b->at);
    *b = (struct buf){ 0 };
}

/* The workspace is nothing but buffers. */
enum { WORK_BUFS = sizeof(struct work) / sizeof(struct buf) };

static struct buf *work_bufs(struct work *W)
{
    return (struct buf *)(void *)W;
}

uint64_t work_bytes(struct work *W)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WORK_BUFS; i++)
        sum += work_bufs(W)[i].bytes;
    return sum;
}

void work_fini(hy_graph *G)
{
    for (size_t i = 0; i < WORK_BUFS; i++)
        buf_fini(G, &work_bufs(&G->work)[i]);
}

/* A fourth of the graph, or as little as to be no matter. */
enum { KEEP_SHARE = 4, KEEP_LEAST = 1 << 16 };

void work_trim(hy_graph *G, bool is_lent)
{
    struct work *W = &G->work;
    const uint64_t bytes = work_bytes(W);
    G->has_large_work = bytes > KEEP_LEAST;
    if (!G->has_large_work || bytes <= (graph_bytes(G) - bytes) / KEEP_SHARE)
        return;
    const struct buf *const end =
        is_lent ? &W->inserted : work_bufs(W) + WORK_BUFS;
    for (struct buf *b = work_bufs(W); b < end; b++)
        buf_fini(G, b);
}

hy_status graph_allows(hy_graph *G, uint64_t more)
{
    if (G->cap && graph_bytes(G) + more > G->cap)
        return base_fail(HY_ENOMEM, "the memory cap is reached");
    return HY_OK;
}

uint64_t graph_bytes(hy_graph *G)
{
    return sizeof *G + core_bytes(G->core) + G->dir_room * sizeof *G->dir +
           ids_bytes(&G->ids) + work_bytes(&G->work);
}

/* ---- cores -------------------------------------------------------------- */

hy_status core_new(hy_graph *G, bool reverse, struct core **out)
{
    struct core *C = base_alloc(G->ctx, 1, sizeof *C);
    if (!C)
        return HY_ENOMEM;
    atomic_init(&C->refs, 1);
    hy_status status =
        arena_init(G->ctx, &C->arena, G->reserve, par_width(G->ctx));
    if (status == HY_OK)
        status = table_init(G->ctx, &C->table, &G->shape, reverse);
    if (status != HY_OK) {
        core_release(G->ctx, C);
        return status;
    }
    *out = C;
    return HY_OK;
}

uint64_t core_bytes(const struct core *C)
{
    return sizeof *C + arena_bytes(&C->arena) + arena_node_bytes(&C->arena) +
           table_bytes(&C->table);
}

void core_release(hy_ctx *ctx, struct core *C)
{
    if (!C || atomic_fetch_sub(&C->refs, 1) != 1)
        return;
    arena_fini(ctx, &C->arena);
    table_fini(ctx, &C->table);
    base_free(ctx, C);
}

hy_status graph_reserve_dir(hy_graph *G, uint64_t bound)
{
    const size_t pages = bits_div_up(bound, PAGE_VERTICES);
    if (pages <= G->dir_room)
        return HY_OK;
    const size_t room = pages + pages / 8 + 16;
    HY_TRY(graph_allows(G, (room - G->dir_room) * sizeof(uint32_t)));
    uint32_t *dir = base_resize(G->ctx, G->dir, room, sizeof *dir);
    if (!dir)
        return HY_ENOMEM;
    for (size_t i = G->dir_room; i < room; i++)
        dir[i] = NO_PAGE;
    G->dir = dir;
    G->now.dir = dir;
    G->dir_room = room;
    return HY_OK;
}

void graph_adopt(hy_graph *G, struct core *C, uint32_t *dir, size_t dir_room)
{
    par_lock_acquire(&G->lock);
    if (G->core)
        version_detach(G);
    core_release(G->ctx, G->core);
    par_lock_release(&G->lock);
    if (dir != G->dir)
        base_free(G->ctx, G->dir);
    G->core = C;
    G->cores++;
    G->dir = dir;
    G->dir_room = dir_room;
    G->now.core = C;
    G->now.dir = dir;
    G->now.blocks = C->arena.space.base;
    G->now.pages = C->table.space.base;
    G->now.page_bytes = C->table.layout.bytes;
    G->now.in_slots = C->table.layout.slots[IN];
    G->now.reverse = C->table.layout.reverse;
}

/* ---- graphs ------------------------------------------------------------- */

void hy_graph_opts_model(hy_graph_opts *opts, hy_model model)
{
    static const hy_column columns[] = {
        { "weight", HY_F32 },
        { "type", HY_U32 },
        { "from", HY_U64 },
        { "until", HY_U64 },
    };
    opts->edge_columns = columns;
    opts->n_edge_columns = model == HY_SIMPLE     ? 0
                           : model == HY_WEIGHTED ? 1
                                                  : 4;
}

static hy_status graph_init(hy_graph *G, const hy_graph_opts *opts)
{
    HY_TRY(shape_init(&G->shape, opts));
    if (opts->undirected && opts->reverse)
        return base_fail(HY_EINVAL, "an undirected graph is its own reverse");
    G->cap = opts->memory_cap;
    G->reserve = opts->reserve ? opts->reserve : DEFAULT_RESERVE;
    G->keep_memory = opts->keep_memory;
    struct core *C;
    HY_TRY(core_new(G, opts->reverse, &C));
    const hy_status status = par_lock_init(&G->lock);
    if (status != HY_OK) {
        core_release(G->ctx, C);
        return status;
    }
    G->refs = 1;
    G->now.graph = G;
    G->now.shape = &G->shape;
    G->now.epoch = 1;
    graph_adopt(G, C, NULL, 0);
    return HY_OK;
}

hy_status hy_graph_new(hy_ctx *ctx, const hy_graph_opts *opts, hy_graph **out)
{
    static const hy_graph_opts defaults;
    if (!ctx || !out)
        return base_fail(HY_EINVAL, "a graph needs a context");
    hy_graph *G = base_alloc(ctx, 1, sizeof *G);
    if (!G)
        return HY_ENOMEM;
    G->ctx = ctx;
    const hy_status status = graph_init(G, opts ? opts : &defaults);
    if (status != HY_OK) {
        base_free(ctx, G);
        return status;
    }
    *out = G;
    return HY_OK;
}

void graph_destroy(hy_graph *G)
{
    hy_ctx *ctx = G->ctx;
    struct dead *next;
    for (struct dead *d = G->dead; d; d = next) {
        next = d->next;
        base_free(ctx, d);
    }
    work_fini(G);
    ids_fini(ctx, &G->ids);
    core_release(ctx, G->core);
    base_free(ctx, G->dir);
    par_lock_fini(&G->lock);
    base_free(ctx, G);
}

hy_ids hy_view_ids(const hy_view *V)
{
    return V->shape->mapped ? HY_IDS_MAPPED : HY_IDS_DENSE;
}

hy_ctx *hy_graph_ctx(const hy_graph *G)
{
    return G->ctx;
}
