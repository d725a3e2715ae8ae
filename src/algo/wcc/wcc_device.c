/* Weakly connected components on a device: Afforest, as wcc_afforest.c.
 *
 *   Afforest(V)
 *     1 Begin, Compress
 *     2 until one component has most of a sample, for r = 1, 2
 *     3   Link, Compress
 *     4 Rest      all edges of vertices outside of it
 *     5 Compress, Bury
 *
 * The sample is drawn on the host, from labels that are read back.
 */
#include "algo/wcc/wcc_impl.h"

#include "base/bits.h"
#include "device/mirror.h"

enum { ROUNDS = 3, MOST = 90, CHUNK = 1024 };
enum { SKIPS = 1, HAS_BOTH = 2 };

struct labels {
    struct wcc *W;
    hy_device *D;
    struct mirror *M;
    struct device_buf shape, p;
    uint32_t grain;
};

static hy_status each(struct labels *L, const char *kernel)
{
    const struct device_arg args[] = {
        MIRROR_ARGS(L->M, &L->shape),
        DEVICE_BUF(&L->p),
        DEVICE_U32(L->grain),
        DEVICE_U32(L->W->n),
    };
    return device_launch(L->D, kernel, bits_div_up(L->W->n, L->grain), args, 7);
}

static hy_status compress(struct labels *L)
{
    const struct device_arg args[] = { DEVICE_BUF(&L->p), DEVICE_U32(L->grain),
                                       DEVICE_U32(L->W->n) };
    return device_launch(L->D, "wcc_compress", bits_div_up(L->W->n, L->grain),
                         args, 3);
}

static hy_status link(struct labels *L)
{
    const struct device_arg args[] = {
        MIRROR_ARGS(L->M, &L->shape), DEVICE_BUF(&L->p),   DEVICE_U32(L->W->r),
        DEVICE_U32(L->grain),         DEVICE_U32(L->W->n),
    };
    return device_launch(L->D, "wcc_link", bits_div_up(L->W->n, L->grain), args,
                         8);
}

static hy_status rest(struct labels *L)
{
    const hy_view *const V = L->W->V;
    uint32_t how = view_has_in(V) ? SKIPS : 0;
    if (view_has_in(V) && !view_is_undirected(V))
        how |= HAS_BOTH;
    const struct device_arg args[] = {
        MIRROR_ARGS(L->M, &L->shape), DEVICE_BUF(&L->p),
        DEVICE_U32(L->W->c),          DEVICE_U32(how),
        DEVICE_U32(L->grain),         DEVICE_U32(L->W->n),
    };
    return device_launch(L->D, "wcc_rest", bits_div_up(L->W->n, L->grain), args,
                         9);
}

static hy_status read(struct labels *L)
{
    return device_read(L->D, &L->p, 0, L->W->n * sizeof *L->W->p, L->W->p);
}

static hy_status sample(struct labels *L, bool *is_most)
{
    HY_TRY(read(L));
    const struct algo_sample drawn = algo_sample(L->W->V, L->W->p);
    L->W->c = drawn.value;
    *is_most = drawn.count * 100ull >= drawn.drawn * (uint64_t)MOST;
    return HY_OK;
}

static hy_status afforest(struct labels *L)
{
    struct wcc *const W = L->W;
    bool is_most = false;
    HY_TRY(each(L, "wcc_begin"));
    HY_TRY(compress(L));
    HY_TRY(sample(L, &is_most));
    for (W->r = 1; !is_most && W->r < ROUNDS; W->r++) {
        HY_TRY(link(L));
        HY_TRY(compress(L));
        HY_TRY(sample(L, &is_most));
    }
    HY_TRY(rest(L));
    HY_TRY(compress(L));
    W->iterations = W->r + 1;
    if (W->V->vertices != W->V->bound)
        HY_TRY(each(L, "wcc_bury"));
    return read(L);
}

hy_status wcc_on_device(struct wcc *W, hy_device *D, struct device_buf *kept)
{
    struct labels L = { .W = W, .D = D, .grain = device_grain(D, CHUNK, 1) };
    const size_t bytes = W->n * sizeof *W->p;
    hy_status status = mirror_sync(D, W->V, &L.M);
    if (status == HY_OK)
        status = mirror_shape(D, W->V, HY_NONE, &L.shape);
    if (status == HY_OK && kept) {
        status = device_grow(D, kept, bytes);
        L.p = *kept;
    } else if (status == HY_OK) {
        status = device_alloc(D, &L.p, bytes);
    }
    if (status == HY_OK)
        status = afforest(&L);
    if (!kept)
        device_free(D, &L.p);
    device_free(D, &L.shape);
    return status;
}

/* ---- joins ---------------------------------------------------------------
 *
 *   Join(delta)
 *     1 Come      ids that are new have no label, vertices that came their own
 *     2 Unite     the ends of each inserted edge
 *     3 Settle    every vertex under the root of its root
 *
 * Labels are roots already: line 2 walks a step or two.
 */

/* Lines 1 and 2: `list`, n times `words` of it, is sent for the kernel. */
static hy_status send(struct labels *L, const char *kernel, const void *list,
                      size_t n, size_t words)
{
    struct device_buf d_list = { 0 };
    const uint32_t grain = device_grain(L->D, CHUNK / 16, 1);
    const size_t bytes = n * words * sizeof(uint32_t);
    if (!n)
        return HY_OK;
    const struct device_arg args[] = { DEVICE_BUF(&L->p), DEVICE_BUF(&d_list),
                                       DEVICE_U32(grain), DEVICE_U32(n) };
    hy_status status = device_alloc(L->D, &d_list, bytes);
    if (status == HY_OK)
        status = device_write(L->D, &d_list, 0, bytes, list);
    if (status == HY_OK)
        status = device_launch(L->D, kernel, bits_div_up(n, grain), args, 4);
    device_free(L->D, &d_list);
    return status;
}

hy_status wcc_join_on_device(struct wcc *W, hy_device *D,
                             struct device_buf *kept, hy_vid n_kept,
                             const hy_delta *delta)
{
    struct labels L = { .W = W, .D = D, .grain = device_grain(D, CHUNK, 1) };
    const size_t used = n_kept * sizeof *W->p, bytes = W->n * sizeof *W->p;
    const struct device_arg args[] = { DEVICE_BUF(&L.p), DEVICE_U32(L.grain),
                                       DEVICE_U32(W->n) };
    HY_TRY(device_grow(D, kept, bytes));
    L.p = *kept;
    if (bytes > used)
        HY_TRY(device_fill(D, &L.p, used, bytes - used, HY_NONE));
    HY_TRY(send(&L, "wcc_come", delta->vertices_inserted.at,
                delta->vertices_inserted.n, 1));
    HY_TRY(send(&L, "wcc_join", delta->inserted.at, delta->inserted.n, 2));
    HY_TRY(device_launch(D, "wcc_settle", bits_div_up(W->n, L.grain), args, 3));
    return read(&L);
}
