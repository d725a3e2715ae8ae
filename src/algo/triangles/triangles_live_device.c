/* Triangles of each vertex, live on a device.
 *
 *   Repair(delta)
 *     1 Collect   the neighbours that the delta joined or parted, here
 *     2 Weigh     what it costs; all anew if that is cheaper
 *     3 Send      these, and those at vertices that have several of them
 *     4 Count     triangles that came and went, each once, there: added to
 *                 the counts, which stay there
 *
 * Lines 1 and 2 are those of triangles_follow.h, and so is the rule of line 4:
 * a triangle belongs to the first of its changed edges.
 */
#include "algo/live/live_device.h"
#include "algo/triangles/triangles_follow.h"
#include "algo/triangles/triangles_impl.h"
#include "base/bits.h"
#include "device/mirror.h"

enum { EDGE_CHUNK = 16 };

struct device_triangles {
    struct live_device on; /* first */
    struct triangles_follow follow;
};

static hy_status run(struct live_device *S, hy_device *D, const hy_view *V,
                     void *values, hy_vid *parents)
{
    hy_triangles_info info = { 0 };
    (void)parents;
    if (D)
        HY_TRY(triangles_on_device(V, D, &S->kept, values, &info.triangles));
    else
        HY_TRY(hy_triangles(V, NULL, values, &info));
    S->n_kept = V->bound;
    S->total = info.triangles;
    return HY_OK;
}

/* ---- repair ---------------------------------------------------------------
 */

_Static_assert(sizeof(struct triangles_edge) == 3 * sizeof(uint32_t),
               "as kernels have it");

enum { SHAPE, EDGES, ARCS, TAGS, TOTAL, BUFS };

/* Line 3. */
static hy_status send(struct live_device *S, struct device_buf *buf,
                      const struct triangles_follow *F)
{
    const struct par_keys *const K = &F->arcs;
    const size_t edges = F->n * sizeof *F->edge;
    const size_t arcs = K->n * sizeof *K->key, tags = K->n * sizeof *K->tag;
    HY_TRY(mirror_shape(S->D, F->V, HY_NONE, &buf[SHAPE]));
    HY_TRY(device_alloc(S->D, &buf[EDGES], edges));
    HY_TRY(device_alloc(S->D, &buf[ARCS], arcs));
    HY_TRY(device_alloc(S->D, &buf[TAGS], tags));
    HY_TRY(device_alloc(S->D, &buf[TOTAL], sizeof(uint64_t)));
    HY_TRY(device_write(S->D, &buf[EDGES], 0, edges, F->edge));
    HY_TRY(device_write(S->D, &buf[ARCS], 0, arcs, K->key));
    HY_TRY(device_write(S->D, &buf[TAGS], 0, tags, K->tag));
    return device_fill(S->D, &buf[TOTAL], 0, sizeof(uint64_t), 0);
}

/* Line 4. */
static hy_status count(struct live_device *S, struct device_buf *buf,
                       const struct triangles_follow *F, uint64_t *values)
{
    const uint32_t grain = device_grain(S->D, EDGE_CHUNK, 1);
    const size_t used = S->n_kept * sizeof *values;
    const size_t bytes = F->V->bound * sizeof *values;
    struct mirror *M;
    uint64_t more = 0;
    HY_TRY(mirror_sync(S->D, F->V, &M));
    HY_TRY(send(S, buf, F));
    HY_TRY(device_grow(S->D, &S->kept, bytes));
    if (bytes > used)
        HY_TRY(device_fill(S->D, &S->kept, used, bytes - used, 0));
    const struct device_arg args[] = {
        MIRROR_ARGS(M, &buf[SHAPE]), DEVICE_BUF(&buf[EDGES]),
        DEVICE_BUF(&buf[ARCS]),      DEVICE_BUF(&buf[TAGS]),
        DEVICE_U32(F->arcs.n),       DEVICE_BUF(&S->kept),
        DEVICE_BUF(&buf[TOTAL]),     DEVICE_U32(!view_is_undirected(F->V)),
        DEVICE_U32(grain),           DEVICE_U32(F->n),
    };
    HY_TRY(
        device_launch(S->D, "tri_follow", bits_div_up(F->n, grain), args, 13));
    HY_TRY(device_read(S->D, &buf[TOTAL], 0, sizeof more, &more));
    HY_TRY(device_read(S->D, &S->kept, 0, bytes, values));
    S->n_kept = F->V->bound;
    S->total += more;
    return HY_OK;
}

static bool can_repair(const struct live_device *S, const hy_delta *delta)
{
    (void)S;
    (void)delta;
    return true;
}

static hy_status repair(struct live_device *S, const hy_view *V,
                        const hy_delta *delta, void *values, hy_vid *parents)
{
    struct triangles_follow *const F = &((struct device_triangles *)S)->follow;
    struct device_buf buf[BUFS] = { { 0 } };
    hy_status status = HY_ENOTSUP;
    (void)parents;
    triangles_follow_collect(F, V, delta);
    if (triangles_follow_weigh(F) <= triangles_follow_all(V))
        status = count(S, buf, F, values);
    for (int i = 0; i < BUFS; i++)
        device_free(S->D, &buf[i]);
    return status;
}

/* ---- the kind -------------------------------------------------------------
 */

static hy_status reserve(struct live_device *S,
                         const struct watch_coming *coming)
{
    return triangles_follow_reserve(&((struct device_triangles *)S)->follow,
                                    hy_graph_ctx(S->G), coming->bound,
                                    coming->edges);
}

static void fini(struct live_device *S, hy_ctx *ctx)
{
    triangles_follow_fini(&((struct device_triangles *)S)->follow, ctx);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    return hy_triangles_check(V, L->values, L->info.total, NULL) ? HY_OK
                                                                 : HY_EBUG;
}

hy_status triangles_live_on_device(hy_graph *G, const hy_triangles_opts *opts,
                                   hy_live **out)
{
    static const struct live_problem problem = {
        .kind = { .name = "triangles",
                  .type = HY_U64,
                  .needs_in = true,
                  .check = check },
        .run = run,
        .can_repair = can_repair,
        .repair = repair,
        .how = "at the ends of changed edges, on the device",
        .reserve = reserve,
        .fini = fini,
    };
    struct device_triangles *T = base_alloc(hy_graph_ctx(G), 1, sizeof *T);
    if (!T)
        return HY_ENOMEM;
    T->follow.is_by_kernel = true;
    return live_device_attach(G, &problem, &T->on, opts->device, out);
}
