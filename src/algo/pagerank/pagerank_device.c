/* PageRank on a device: the sweeps of pagerank.c, by kernels.
 *
 *   PageRank(V)
 *     1 Start    shares by degrees; again, once pairs and vertices without
 *                edges are counted; or of ranks that are there
 *     2 repeat
 *     3   for each band: Pull its ranks, Publish its shares
 *     4   Total  the parts of all tasks, in order
 *     5 until d * change <= tolerance
 *     6 Finish   ranks of shares, if the last sweep wrote none
 *
 * Line 4 is read back, five numbers for a sweep.  Sums have a fixed order, so
 * that a device gives the same bits each time.
 */
#include "algo/pagerank/pagerank_impl.h"

#include "base/bits.h"
#include "device/mirror.h"

enum {
    TASK_CHUNK = 1024, /* vertices, as pagerank.c has them */
    TASK_SINGLE = 16,
    TOTAL_ITEMS = 64,
    TOTAL_ALONE = 4096, /* parts that one item adds up */
    COPY_CHUNK = 8192,
};

enum { IS_WIDE = 1, IS_WANTED = 2, IS_GUESS = 4, IS_SECOND = 8 };

struct part {
    double change, dangling, sum, n_dangling, n_pairs;
};

enum { SHAPE, SHARE, FRESH, RANK, PART, TOTAL, BUFS };

struct ranking {
    const hy_view *V;
    hy_device *D;
    struct mirror *M;
    struct pagerank_plan plan;
    struct device_buf buf[BUFS];
    size_t size; /* of a share */
    uint32_t mode, task, tasks;
    hy_vid n_kept; /* ids that have a rank to start with */
    hy_vid bound, band;
    double n, d, even;
};

/* ---- line 4 -------------------------------------------------------------- */

static hy_status total(struct ranking *W, struct part *out)
{
    const bool is_long = W->tasks > TOTAL_ALONE;
    const struct device_arg many[] = {
        DEVICE_BUF(&W->buf[PART]),
        DEVICE_BUF(&W->buf[TOTAL]),
        DEVICE_U32(W->tasks),
        DEVICE_U32(TOTAL_ITEMS),
    };
    const struct device_arg last[] = {
        DEVICE_BUF(&W->buf[is_long ? TOTAL : PART]),
        DEVICE_BUF(&W->buf[is_long ? PART : TOTAL]),
        DEVICE_U32(is_long ? TOTAL_ITEMS : W->tasks),
        DEVICE_U32(1),
    };
    if (is_long)
        HY_TRY(device_launch(W->D, "rank_total", TOTAL_ITEMS, many, 4));
    HY_TRY(device_launch(W->D, "rank_total", 1, last, 4));
    HY_TRY(device_read(W->D, last[1].buf, 0, sizeof *out, out));
    W->even = (1 - W->d + W->d * out->dangling) / W->n;
    return HY_OK;
}

/* ---- line 1 -------------------------------------------------------------- */

static hy_status start_once(struct ranking *W, struct part *all)
{
    const bool is_guess = W->mode & IS_GUESS;
    struct pagerank_start S = { .lone = 1 / W->n };
    if (is_guess)
        S = pagerank_start(W->V, W->d, all->n_dangling, all->n_pairs);
    const struct device_arg args[] = {
        MIRROR_ARGS(W->M, &W->buf[SHAPE]),
        DEVICE_BUF(&W->buf[SHARE]),
        DEVICE_BUF(&W->buf[PART]),
        DEVICE_F64(S.lone),
        DEVICE_F64(S.pair),
        DEVICE_F64(S.each),
        DEVICE_U32(W->mode),
        DEVICE_U32(W->task),
        DEVICE_U32(W->bound),
    };
    HY_TRY(device_launch(W->D, "rank_start", W->tasks, args, 12));
    return total(W, all);
}

/* The bound of line 5 holds whatever the first ranks are, and whatever their
 * sum is: a commit leaves most of them nearly right. */
static hy_status resume(struct ranking *W)
{
    const size_t used = W->n_kept * sizeof(double);
    const size_t bytes = W->bound * sizeof(double);
    const struct device_arg args[] = {
        MIRROR_ARGS(W->M, &W->buf[SHAPE]),
        DEVICE_BUF(&W->buf[RANK]),
        DEVICE_BUF(&W->buf[SHARE]),
        DEVICE_BUF(&W->buf[PART]),
        DEVICE_F64(1 / W->n),
        DEVICE_U32(W->mode),
        DEVICE_U32(W->task),
        DEVICE_U32(W->bound),
    };
    struct part all;
    if (bytes > used)
        HY_TRY(device_fill(W->D, &W->buf[RANK], used, bytes - used, 0));
    HY_TRY(device_launch(W->D, "rank_resume", W->tasks, args, 11));
    return total(W, &all);
}

static hy_status start(struct ranking *W)
{
    struct part all = { 0 };
    if (W->n_kept)
        return resume(W);
    HY_TRY(start_once(W, &all));
    if (!(W->mode & IS_GUESS) || (all.n_dangling == 0 && all.n_pairs == 0))
        return HY_OK;
    W->mode |= IS_SECOND;
    return start_once(W, &all);
}

/* ---- lines 3 to 6 -------------------------------------------------------- */

static hy_status publish(struct ranking *W, hy_vid first, hy_vid length)
{
    if (length == W->bound) {
        const struct device_buf fresh = W->buf[FRESH];
        W->buf[FRESH] = W->buf[SHARE];
        W->buf[SHARE] = fresh;
        return HY_OK;
    }
    const uint32_t grain = device_grain(W->D, COPY_CHUNK, 1);
    const uint64_t words = W->size / sizeof(uint32_t);
    const struct device_arg args[] = {
        DEVICE_BUF(&W->buf[FRESH]), DEVICE_BUF(&W->buf[SHARE]),
        DEVICE_U64(first * words),  DEVICE_U64(length * words),
        DEVICE_U32(grain),
    };
    return device_launch(W->D, "rank_publish",
                         bits_div_up(length * words, grain), args, 5);
}

static hy_status sweep(struct ranking *W, bool is_rank_wanted, struct part *all)
{
    for (uint64_t first = 0; first < W->bound; first += W->band) {
        const uint64_t rest = W->bound - first;
        const hy_vid length = rest < W->band ? (hy_vid)rest : W->band;
        const struct device_arg args[] = {
            MIRROR_ARGS(W->M, &W->buf[SHAPE]),
            DEVICE_BUF(&W->buf[SHARE]),
            DEVICE_BUF(&W->buf[FRESH]),
            DEVICE_BUF(&W->buf[RANK]),
            DEVICE_BUF(&W->buf[PART]),
            DEVICE_F64(W->even),
            DEVICE_F64(W->d),
            DEVICE_U32(W->mode | (is_rank_wanted ? IS_WANTED : 0)),
            DEVICE_U32(first),
            DEVICE_U32(first + length),
            DEVICE_U32(W->task),
        };
        HY_TRY(device_launch(W->D, "rank_pull", bits_div_up(length, W->task),
                             args, 14));
        HY_TRY(publish(W, (hy_vid)first, length));
    }
    return total(W, all);
}

static hy_status finish(struct ranking *W)
{
    const struct device_arg args[] = {
        MIRROR_ARGS(W->M, &W->buf[SHAPE]),
        DEVICE_BUF(&W->buf[SHARE]),
        DEVICE_BUF(&W->buf[RANK]),
        DEVICE_U32(W->mode),
        DEVICE_U32(W->task),
        DEVICE_U32(W->bound),
    };
    return device_launch(W->D, "rank_finish", W->tasks, args, 9);
}

static hy_status iterate(struct ranking *W, hy_pagerank_info *info)
{
    bool is_done = false, is_rank_there = false;
    HY_TRY(start(W));
    while (!is_done && info->iterations < W->plan.iterations) {
        struct part all;
        is_rank_there = pagerank_may_end(&W->plan, info);
        HY_TRY(sweep(W, is_rank_there, &all));
        info->iterations++;
        info->l1 = W->d * all.change;
        info->sum = all.sum;
        is_done = !W->plan.is_exact && info->l1 <= W->plan.tolerance;
    }
    return is_rank_there ? HY_OK : finish(W);
}

/* ---- all of it ----------------------------------------------------------- */

static hy_status run(struct ranking *W, double *rank, hy_pagerank_info *info)
{
    hy_device *const D = W->D;
    const size_t n = W->bound;
    const size_t parts = W->tasks > TOTAL_ITEMS ? W->tasks : TOTAL_ITEMS;
    const bool is_kept = W->buf[RANK].handle;
    const size_t bytes[BUFS] = { [SHARE] = n * W->size,
                                 [FRESH] = W->band * W->size,
                                 [RANK] = n * sizeof *rank,
                                 [PART] = parts * sizeof(struct part),
                                 [TOTAL] = TOTAL_ITEMS * sizeof(struct part) };
    HY_TRY(mirror_sync(D, W->V, &W->M));
    HY_TRY(mirror_shape(D, W->V, HY_NONE, &W->buf[SHAPE]));
    for (int i = SHARE; i < BUFS; i++)
        if (i != RANK || !is_kept)
            HY_TRY(device_alloc(D, &W->buf[i], bytes[i]));
    HY_TRY(iterate(W, info));
    return device_read(D, &W->buf[RANK], 0, n * sizeof *rank, rank);
}

static hy_status check(const hy_view *V, const hy_device *D)
{
    if (!D->info.has_f64)
        return base_fail(HY_ENOTSUP, "%s has no doubles", D->info.name);
    if (!view_has_in(V))
        return base_fail(HY_ESTATE, "the graph has no reverse side: "
                                    "hy_graph_add_reverse makes one");
    return HY_OK;
}

hy_status pagerank_on_device(const hy_view *V, const hy_pagerank_opts *opts,
                             const struct pagerank_kept *kept, double *rank,
                             hy_pagerank_info *info)
{
    hy_device *const D = opts->device;
    struct ranking W = { .V = V, .D = D, .bound = V->bound };
    HY_TRY(pagerank_plan(&W.plan, opts));
    HY_TRY(check(V, D));
    const bool is_guess = !W.plan.is_exact && view_is_undirected(V);
    const bool is_wide = pagerank_is_wide(&W.plan);
    W.n = (double)hy_view_vertices(V);
    W.d = W.plan.damping;
    W.size = is_wide ? sizeof(double) : sizeof(float);
    W.mode = (is_wide ? IS_WIDE : 0) | (is_guess ? IS_GUESS : 0);
    W.task = device_grain(D, TASK_CHUNK, TASK_SINGLE);
    W.tasks = (uint32_t)bits_div_up(W.bound, W.task);
    W.band = pagerank_band(&W.plan, W.bound, W.task);
    hy_pagerank_info found = { 0 };
    hy_status status = HY_OK;
    if (kept) {
        HY_TRY(device_grow(D, kept->rank, W.bound * sizeof *rank));
        W.buf[RANK] = *kept->rank;
        W.n_kept = kept->n;
    }
    if (W.n > 0)
        status = run(&W, rank, &found);
    for (hy_vid u = 0; W.n == 0 && u < W.bound; u++)
        rank[u] = 0;
    if (kept)
        W.buf[RANK] = (struct device_buf){ 0 };
    for (int i = 0; i < BUFS; i++)
        device_free(D, &W.buf[i]);
    if (status == HY_OK && info)
        *info = found;
    return status;
}
