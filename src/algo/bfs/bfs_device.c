/* Breadth-first search on a device, level by level, forwards or backwards.
 *
 *   Search(s)
 *     1 Start   all unreached but s; F <- {s}, a list
 *     2 while F is not empty
 *     3   choose: forwards needs a list, backwards a set of bits
 *     4   Push   claim the unreached neighbours of F, its edges cut into
 *                equal parts; weigh the list of them
 *         Pull   each open vertex looks for one of F among its in-neighbours
 *     5   read how many there are, and how many edges they have
 *
 * The rule of line 3 is that of ops/advance.c.  Only line 5 waits for the
 * device, once in a level.  The kernels are device/kernels/bfs.cl.
 */
#include "algo/bfs/bfs_impl.h"

#include "base/bits.h"
#include "device/frontier.h"

#include <string.h>

enum {
    ALPHA = 15,
    BETA = 18,
    GAMMA = 16,
    PUSH_CHUNK = 1024, /* edges */
    PULL_CHUNK = 1024, /* vertices, a multiple of 32 */
    PULL_SINGLE = 32,
};

enum { HAS_DEPTH = 1, HAS_PARENT = 2, IS_SMALLEST = 4, IS_FIRST = 8 };

enum { SHAPE, DEPTH, PARENT, LIST, NEXT, FROM, TO, OPEN, BUFS };

struct search {
    const hy_view *V;
    hy_device *D;
    struct mirror *M;
    struct frontier_work W;
    struct device_buf buf[BUFS];
    size_t n, words; /* vertices, and words of a set of them */
    uint32_t how;    /* of the above */
    uint32_t d;      /* of the vertices that this level finds */
    uint32_t set;    /* of counts: that of F */
    bool is_list;    /* the form of F */
    bool has_open;   /* says which are unreached */
    struct frontier_size F, before;
    uint64_t explored; /* edges of all frontiers before F */
};

static hy_status start(struct search *S, hy_vid source)
{
    const uint32_t zero = 0, one = 1;
    const size_t bytes = S->n * sizeof(uint32_t), at = source * sizeof source;
    if (S->how & HAS_DEPTH) {
        HY_TRY(device_fill(S->D, &S->buf[DEPTH], 0, bytes, HY_NONE));
        HY_TRY(device_write(S->D, &S->buf[DEPTH], at, sizeof zero, &zero));
    }
    if (S->how & HAS_PARENT) {
        HY_TRY(device_fill(S->D, &S->buf[PARENT], 0, bytes, HY_NONE));
        HY_TRY(device_write(S->D, &S->buf[PARENT], at, sizeof source, &source));
    }
    HY_TRY(device_write(S->D, &S->buf[LIST], 0, sizeof source, &source));
    HY_TRY(device_write(S->D, &S->W.count, 0, sizeof one, &one));
    HY_TRY(frontier_weigh(&S->W, &S->buf[LIST], S->set, 1));
    S->is_list = true;
    S->F = (struct frontier_size){ 1, view_degree(S->V, source) };
    S->d = 1;
    return HY_OK;
}

static void swap(struct search *S, int a, int b)
{
    const struct device_buf other = S->buf[a];
    S->buf[a] = S->buf[b];
    S->buf[b] = other;
}

/* Line 3. */
static bool prefers_pull(const struct search *S)
{
    if (!view_has_in(S->V))
        return false;
    if (!S->is_list)
        return S->F.n >= S->before.n || S->F.n > S->n / BETA;
    const uint64_t rest =
        S->V->arcs > S->explored ? S->V->arcs - S->explored : 0;
    return S->F.edges > rest / ALPHA && S->F.edges > S->n / GAMMA;
}

static hy_status need_list(struct search *S)
{
    if (S->is_list)
        return HY_OK;
    S->is_list = true;
    /* counted again, into the set that the pull has cleared */
    S->set = 1 - S->set;
    HY_TRY(frontier_to_list(&S->W, &S->buf[FROM], S->words, &S->buf[LIST],
                            S->set));
    return frontier_weigh(&S->W, &S->buf[LIST], S->set, S->F.n);
}

static hy_status push(struct search *S)
{
    HY_TRY(need_list(S));
    const uint32_t grain = device_grain(S->D, PUSH_CHUNK, 1), to = 1 - S->set;
    const struct device_arg args[] = {
        MIRROR_ARGS(S->M, &S->buf[SHAPE]),
        DEVICE_BUF(&S->buf[LIST]),
        DEVICE_BUF(&S->W.offset),
        DEVICE_U32(S->F.n),
        DEVICE_BUF(&S->buf[DEPTH]),
        DEVICE_BUF(&S->buf[PARENT]),
        DEVICE_U32(S->how),
        DEVICE_U32(S->d),
        DEVICE_BUF(&S->buf[NEXT]),
        DEVICE_BUF(&S->W.count),
        DEVICE_U32(to),
        DEVICE_U32(grain),
    };
    HY_TRY(device_launch(S->D, "bfs_push", bits_div_up(S->F.edges, grain), args,
                         15));
    swap(S, LIST, NEXT);
    S->set = to;
    S->has_open = false;
    return frontier_weigh(&S->W, &S->buf[LIST], to, S->F.edges);
}

static hy_status need_bits(struct search *S)
{
    if (S->is_list)
        HY_TRY(frontier_to_bits(&S->W, &S->buf[LIST], S->F.n, &S->buf[FROM],
                                S->words));
    S->is_list = false;
    return HY_OK;
}

static hy_status pull(struct search *S)
{
    const uint32_t grain = device_grain(S->D, PULL_CHUNK, PULL_SINGLE);
    const uint32_t to = 1 - S->set, first = S->has_open ? 0 : IS_FIRST;
    HY_TRY(need_bits(S));
    const struct device_arg args[] = {
        MIRROR_ARGS(S->M, &S->buf[SHAPE]),
        DEVICE_BUF(&S->buf[FROM]),
        DEVICE_BUF(&S->buf[TO]),
        DEVICE_BUF(&S->buf[OPEN]),
        DEVICE_BUF(&S->buf[DEPTH]),
        DEVICE_BUF(&S->buf[PARENT]),
        DEVICE_U32(S->how | first),
        DEVICE_U32(S->d),
        DEVICE_BUF(&S->W.count),
        DEVICE_U32(to),
        DEVICE_U32(grain),
        DEVICE_U32(S->n),
    };
    HY_TRY(device_launch(S->D, "bfs_pull", bits_div_up(S->n, grain), args, 15));
    swap(S, FROM, TO);
    S->set = to;
    S->has_open = true;
    return HY_OK;
}

static hy_status search(struct search *S, hy_vid source, hy_bfs_info *info)
{
    HY_TRY(start(S, source));
    while (S->F.n) {
        info->reached += S->F.n;
        info->max_depth = S->d - 1;
        info->edges += S->F.edges;
        HY_TRY(prefers_pull(S) ? pull(S) : push(S));
        S->explored += S->F.edges;
        S->before = S->F;
        HY_TRY(frontier_size(&S->W, S->set, &S->F));
        S->d++;
    }
    return HY_OK;
}

static hy_status reserve(struct search *S)
{
    const size_t n = S->n * sizeof(uint32_t);
    const size_t bits = S->words * sizeof(uint32_t);
    const size_t bytes[BUFS] = { [DEPTH] = S->how & HAS_DEPTH ? n : 0,
                                 [PARENT] = S->how & HAS_PARENT ? n : 0,
                                 [LIST] = n,
                                 [NEXT] = n,
                                 [FROM] = bits,
                                 [TO] = bits,
                                 [OPEN] = bits };
    HY_TRY(mirror_sync(S->D, S->V, &S->M));
    HY_TRY(mirror_shape(S->D, S->V, HY_NONE, &S->buf[SHAPE]));
    for (int i = DEPTH; i < BUFS; i++)
        if (!S->buf[i].handle)
            HY_TRY(device_alloc(S->D, &S->buf[i], bytes[i]));
    return frontier_work_init(&S->W, S->D, S->M, &S->buf[SHAPE], S->n);
}

static hy_status run(struct search *S, const hy_bfs_opts *opts, uint32_t *depth,
                     hy_vid *parent, hy_bfs_info *info)
{
    const size_t bytes = S->n * sizeof(uint32_t);
    HY_TRY(reserve(S));
    HY_TRY(search(S, opts->source, info));
    if (depth)
        HY_TRY(device_read(S->D, &S->buf[DEPTH], 0, bytes, depth));
    if (parent)
        HY_TRY(device_read(S->D, &S->buf[PARENT], 0, bytes, parent));
    return HY_OK;
}

hy_status bfs_on_device(const hy_view *V, const hy_bfs_opts *opts,
                        const struct bfs_kept *kept, uint32_t *depth,
                        hy_vid *parent, hy_bfs_info *info)
{
    struct search S = { .V = V,
                        .D = opts->device,
                        .n = V->bound,
                        .words = bits_div_up(V->bound, 32) };
    if (parent)
        S.how |= HAS_PARENT | (opts->deterministic ? IS_SMALLEST : 0);
    if (depth || !parent || opts->deterministic)
        S.how |= HAS_DEPTH;
    hy_bfs_info found = { 0 };
    if (kept) {
        HY_TRY(device_grow(S.D, kept->depth, S.n * sizeof *depth));
        HY_TRY(device_grow(S.D, kept->parent, S.n * sizeof *parent));
        S.buf[DEPTH] = *kept->depth;
        S.buf[PARENT] = *kept->parent;
    }
    const hy_status status = run(&S, opts, depth, parent, &found);
    if (kept)
        S.buf[DEPTH] = S.buf[PARENT] = (struct device_buf){ 0 };
    frontier_work_fini(&S.W);
    for (int i = 0; i < BUFS; i++)
        device_free(S.D, &S.buf[i]);
    if (status == HY_OK && info)
        *info = found;
    return status;
}
