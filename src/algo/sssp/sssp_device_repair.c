/* Shortest paths on a device, repaired after a commit.
 *
 *   Repair(delta)
 *     1 near <- where edges begin that came or got lighter, if it is reached
 *     2 lines 2 to 5 of sssp_device.c, from the distances of before
 *     3 Mend      parents of those that got nearer, and of those that one of
 *                 them is nearer to; or, where steps add nothing, all as in
 *                 line 7 there
 *
 * No path got longer, so that a distance of before is still that of a path.
 * One that is too large has a shortest path over such an edge; the first of
 * them on it begins where the distance is right, and all that follows gets
 * right in turn.
 */
#include "algo/sssp/sssp_device.h"

static hy_status seed(struct paths *P, const hy_edge_list *edges)
{
    struct device_buf d_ends = { 0 };
    const size_t bytes = edges->n * sizeof *edges->at;
    const bool is_both = view_is_undirected(P->S->V);
    const size_t n = is_both ? 2 * edges->n : edges->n;
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const struct device_arg args[] = {
        DEVICE_BUF(&d_ends),
        DEVICE_U32(is_both ? 1 : 2),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->buf[MARKS]),
        DEVICE_U32(P->n),
        DEVICE_BUF(&P->buf[NEAR]),
        DEVICE_BUF(&P->W.count),
        DEVICE_U32(P->round),
        DEVICE_U32(grain),
        DEVICE_U32(n),
    };
    if (!n)
        return HY_OK;
    hy_status status = device_alloc(P->D, &d_ends, bytes);
    if (status == HY_OK)
        status = device_write(P->D, &d_ends, 0, bytes, edges->at);
    if (status == HY_OK)
        status =
            device_launch(P->D, "sssp_seed", bits_div_up(n, grain), args, 11);
    device_free(P->D, &d_ends);
    return status;
}

static hy_status seed_all(struct paths *P, const hy_delta *delta)
{
    const uint64_t most = 2 * (delta->inserted.n + delta->updated.n);
    HY_TRY(seed(P, &delta->inserted));
    if (P->S->W.column != HY_NONE)
        HY_TRY(seed(P, &delta->updated));
    P->round++;
    HY_TRY(frontier_weigh(&P->W, &P->buf[NEAR], P->set, most));
    return paths_read_state(P);
}

/* Line 3.  Whose distance stayed keeps its parent, or gets a smaller one: no
 * tight edge got slack without its end getting nearer. */
static hy_status mend(struct paths *P, hy_vid source)
{
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const size_t items = bits_div_up(P->n, grain);
    const struct device_arg pull[] = {
        MIRROR_ARGS(P->M, &P->buf[SHAPE]),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->buf[MARKS]),
        DEVICE_BUF(&P->buf[PARENT]),
        DEVICE_BUF(&P->W.count),
        DEVICE_U32(source),
        DEVICE_U32(grain),
        DEVICE_U32(P->n),
    };
    const struct device_arg offer[] = {
        MIRROR_ARGS(P->M, &P->buf[SHAPE]),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->buf[MARKS]),
        DEVICE_BUF(&P->buf[PARENT]),
        DEVICE_U32(grain),
        DEVICE_U32(P->n),
    };
    P->own.open = 0;
    HY_TRY(paths_write_own(P));
    HY_TRY(device_launch(P->D, "sssp_mend_pull", items, pull, 12));
    HY_TRY(device_launch(P->D, "sssp_mend_push", items, offer, 10));
    return paths_read_state(P);
}

static hy_status mend_or_hang(struct paths *P, hy_vid source, hy_vid *parent)
{
    if (!P->S->kept->has_flat)
        HY_TRY(mend(P, source));
    if (P->S->kept->has_flat || P->own.open)
        return paths_hang(P, source, parent, NULL);
    return device_read(P->D, &P->buf[PARENT], 0, P->n * sizeof *parent, parent);
}

static hy_status read_hops(struct paths *P, uint32_t *depth, hy_sssp_info *info)
{
    HY_TRY(device_read(P->D, &P->buf[DIST], 0, P->n * sizeof *depth, depth));
    for (hy_vid v = 0; v < P->n; v++)
        info->reached += depth[v] != SSSP_NEAR_NONE;
    return HY_OK;
}

/* Ids from the first on are new: nobody has reached them. */
static hy_status fill_kept(struct paths *P, hy_vid first)
{
    const size_t size = sizeof(hy_vid), n = P->n > first ? P->n - first : 0;
    HY_TRY(paths_fill(P, first));
    return device_fill(P->D, &P->buf[PARENT], first * size, n * size, HY_NONE);
}

static hy_status repair(struct paths *P, const hy_sssp_opts *opts,
                        const hy_delta *delta, bool is_hops, void *values,
                        hy_vid *parent, hy_sssp_info *info)
{
    sssp_choose_delta(P->S, opts->delta);
    HY_TRY(paths_reserve(P, true));
    HY_TRY(fill_kept(P, P->S->kept->n));
    HY_TRY(paths_clear(P));
    HY_TRY(seed_all(P, delta));
    HY_TRY(paths_walk(P));
    if (P->own.odd)
        return base_fail(HY_ENOTSUP, "sums are too large");
    HY_TRY(is_hops ? read_hops(P, values, info) : paths_read(P, values, info));
    return mend_or_hang(P, opts->source, parent);
}

hy_status sssp_repair(struct sssp *S, const hy_sssp_opts *opts,
                      const hy_delta *delta, bool is_hops, void *values,
                      hy_vid *parent, uint64_t *reached)
{
    struct paths P = { .S = S, .D = opts->device, .n = S->V->bound };
    hy_sssp_info info = { 0 };
    S->is_wide = S->kept->is_wide;
    const hy_status status =
        repair(&P, opts, delta, is_hops, values, parent, &info);
    paths_release(&P);
    if (status == HY_OK) {
        S->kept->n = S->V->bound;
        *reached = info.reached;
    }
    return status;
}
