/* Triangles on a device: the method of triangles_ranked.c, by kernels.
 *
 *   Count
 *     1 Rank    sort vertices by falling degree
 *     2 Lists   of each its neighbours of lower rank, ascending
 *     3 Core    a row of bits for each of the first ranks
 *     4 for every entry v of every list L(u), in equal parts:
 *       add |L(u) and L(v)|
 *         v in the core, u too, many of L(u) below v   bits of both rows
 *         v in the core                                look up in row v
 *         else                                         merge the lists
 *
 * Host and device differ in who marks what: an item has no memory of its own
 * that would hold the bits of L(u), so that lists outside of the core are
 * merged; they are short there.
 */
#include "algo/triangles/triangles_impl.h"

#include "base/bits.h"
#include "device/mirror.h"
#include "device/ops.h"

enum {
    VERTEX_CHUNK = 64,
    NAME_CHUNK = 2048,
    EDGE_CHUNK = 256,
    ROW_STEP = 256, /* rows are padded to so many bits */
    MOST_CORE = 64 * ROW_STEP,
};

enum {
    SHAPE,
    DEGREE,
    DEGREE_TMP,
    SORTED,
    SORTED_TMP,
    VERTEX,
    RANK,
    FROM,
    TO,
    ROWS,
    TOTAL,
    COUNT,
    BUFS
};

struct count {
    const hy_view *V;
    hy_device *D;
    struct mirror *M;
    struct device_buf buf[BUFS];
    size_t n;      /* ids */
    uint64_t most; /* entries of all lists, at most */
    uint32_t core;
    bool is_directed, has_counts;
};

/* Words of 8 bytes of the rows before that of v; as kernels have it. */
static size_t row_start(size_t v)
{
    const size_t step = v / ROW_STEP, words = ROW_STEP / 64;
    return step * (step + 1) / 2 * ROW_STEP * words +
           v % ROW_STEP * (step + 1) * words;
}

/* As many rows as take no more memory than the lists. */
static uint32_t core_size(const struct count *C)
{
    uint32_t n = MOST_CORE;
    while (n > ROW_STEP && 2 * row_start(n) > C->most)
        n -= ROW_STEP;
    return n < C->n ? n : (uint32_t)C->n;
}

/* ---- line 1 -------------------------------------------------------------- */

static hy_status rank(struct count *C)
{
    hy_device *const D = C->D;
    const uint32_t grain = device_grain(D, NAME_CHUNK, 1);
    const struct device_arg degrees[] = {
        MIRROR_ARGS(C->M, &C->buf[SHAPE]),
        DEVICE_BUF(&C->buf[DEGREE]),
        DEVICE_BUF(&C->buf[SORTED]),
        DEVICE_U32(C->is_directed),
        DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    uint64_t most = 0;
    HY_TRY(
        device_launch(D, "tri_degrees", bits_div_up(C->n, grain), degrees, 9));
    HY_TRY(device_reduce(D, &C->buf[DEGREE], C->n, DEVICE_MAX, &most));
    const struct device_keys keys = { .key = &C->buf[DEGREE],
                                      .value = &C->buf[SORTED],
                                      .key_tmp = &C->buf[DEGREE_TMP],
                                      .value_tmp = &C->buf[SORTED_TMP],
                                      .n = C->n,
                                      .bits = bits_width(most) };
    HY_TRY(device_sort(D, &keys));
    const struct device_arg name[] = {
        DEVICE_BUF(&C->buf[SORTED]),
        DEVICE_BUF(&C->buf[VERTEX]),
        DEVICE_BUF(&C->buf[RANK]),
        DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    return device_launch(D, "tri_name", bits_div_up(C->n, grain), name, 5);
}

/* ---- lines 2 and 3 ------------------------------------------------------- */

/* Lengths of lists are kept where degrees were. */
static hy_status fill(struct count *C)
{
    hy_device *const D = C->D;
    const uint32_t grain = device_grain(D, VERTEX_CHUNK, 1);
    const size_t items = bits_div_up(C->n, grain);
    const struct device_arg count[] = {
        MIRROR_ARGS(C->M, &C->buf[SHAPE]),
        DEVICE_BUF(&C->buf[VERTEX]),
        DEVICE_BUF(&C->buf[RANK]),
        DEVICE_BUF(&C->buf[DEGREE]),
        DEVICE_U32(C->is_directed),
        DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    const struct device_arg args[] = {
        MIRROR_ARGS(C->M, &C->buf[SHAPE]),
        DEVICE_BUF(&C->buf[VERTEX]),
        DEVICE_BUF(&C->buf[RANK]),
        DEVICE_BUF(&C->buf[FROM]),
        DEVICE_BUF(&C->buf[TO]),
        DEVICE_BUF(&C->buf[ROWS]),
        DEVICE_U32(C->core),
        DEVICE_U32(C->is_directed),
        DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    HY_TRY(device_launch(D, "tri_count", items, count, 10));
    HY_TRY(device_scan(D, &C->buf[DEGREE], C->n, &C->buf[FROM]));
    return device_launch(D, "tri_fill", items, args, 13);
}

/* ---- line 4 -------------------------------------------------------------- */

static hy_status add_up(struct count *C)
{
    hy_device *const D = C->D;
    const uint32_t grain = device_grain(D, EDGE_CHUNK, 1);
    uint64_t m = 0;
    HY_TRY(device_read(D, &C->buf[FROM], C->n * sizeof m, sizeof m, &m));
    const struct device_arg total[] = {
        DEVICE_BUF(&C->buf[FROM]),  DEVICE_BUF(&C->buf[TO]),
        DEVICE_BUF(&C->buf[ROWS]),  DEVICE_U32(C->core),
        DEVICE_BUF(&C->buf[TOTAL]), DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    const struct device_arg give[] = {
        DEVICE_BUF(&C->buf[FROM]),  DEVICE_BUF(&C->buf[TO]),
        DEVICE_BUF(&C->buf[ROWS]),  DEVICE_U32(C->core),
        DEVICE_BUF(&C->buf[TOTAL]), DEVICE_BUF(&C->buf[VERTEX]),
        DEVICE_BUF(&C->buf[COUNT]), DEVICE_U32(grain),
        DEVICE_U32(C->n),
    };
    const size_t items = bits_div_up(m, grain);
    HY_TRY(device_fill(D, &C->buf[TOTAL], 0, sizeof(uint64_t), 0));
    if (!C->has_counts)
        return device_launch(D, "tri_total", items, total, 7);
    HY_TRY(device_fill(D, &C->buf[COUNT], 0, C->n * sizeof(uint64_t), 0));
    return device_launch(D, "tri_give", items, give, 9);
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status reserve(struct count *C)
{
    const size_t n = C->n * sizeof(uint32_t);
    const size_t bytes[BUFS] = { [DEGREE] = n,
                                 [DEGREE_TMP] = n,
                                 [SORTED] = n,
                                 [SORTED_TMP] = n,
                                 [VERTEX] = n,
                                 [RANK] = n,
                                 [FROM] = 2 * n + sizeof(uint64_t),
                                 [TO] = C->most * sizeof(uint32_t),
                                 [ROWS] = row_start(C->core) * sizeof(uint64_t),
                                 [TOTAL] = sizeof(uint64_t),
                                 [COUNT] = C->has_counts ? 2 * n : 0 };
    HY_TRY(mirror_sync(C->D, C->V, &C->M));
    HY_TRY(mirror_shape(C->D, C->V, HY_NONE, &C->buf[SHAPE]));
    for (int i = DEGREE; i < BUFS; i++)
        if (!C->buf[i].handle)
            HY_TRY(device_alloc(C->D, &C->buf[i], bytes[i]));
    return HY_OK;
}

static hy_status run(struct count *C, uint64_t *count, uint64_t *total)
{
    HY_TRY(reserve(C));
    HY_TRY(rank(C));
    HY_TRY(fill(C));
    HY_TRY(add_up(C));
    HY_TRY(device_read(C->D, &C->buf[TOTAL], 0, sizeof *total, total));
    if (!count)
        return HY_OK;
    return device_read(C->D, &C->buf[COUNT], 0, C->n * sizeof *count, count);
}

hy_status triangles_on_device(const hy_view *V, hy_device *D,
                              struct device_buf *kept, uint64_t *count,
                              uint64_t *total)
{
    struct count C = { .V = V,
                       .D = D,
                       .n = V->bound,
                       .most = V->edges,
                       .is_directed = !view_is_undirected(V),
                       .has_counts = count };
    if (!view_has_in(V))
        return base_fail(HY_ESTATE, "the graph has no reverse side: "
                                    "hy_graph_add_reverse makes one");
    if (kept) {
        HY_TRY(device_grow(D, kept, C.n * sizeof *count));
        C.buf[COUNT] = *kept;
    }
    C.core = core_size(&C);
    const hy_status status = run(&C, count, total);
    if (kept)
        C.buf[COUNT] = (struct device_buf){ 0 };
    for (int i = 0; i < BUFS; i++)
        device_free(D, &C.buf[i]);
    return status;
}
