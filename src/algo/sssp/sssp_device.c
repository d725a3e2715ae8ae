/* Shortest paths on a device: a near list and a far one.
 *
 *   Paths(s)
 *     1 d(s) <- 0; near <- {s}; limit <- delta
 *     2 repeat
 *     3   while near is not empty
 *           Push    relax its edges, cut into equal parts; who got nearer is
 *                   near below the limit, else far
 *     4   low <- limit; limit <- the end of the bucket of the nearest far one
 *         Split     far into near, far and what was settled meanwhile
 *     5 until both are empty
 *     6 Look      for bad weights where no path came by
 *     7 Hang      every vertex under its parent; waves where steps add nothing
 *
 * Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for
 * single-source shortest paths, IPDPS 2014.  A vertex is in a list once: a
 * round stamps those it lists, and a mark tells who is far.
 *
 * Distances are u32 while weights are integers and sums fit, and need 32-bit
 * atomics only; else the bits of f64, by 64-bit atomics.
 */
#include "algo/sssp/sssp_device.h"

enum {
    PUSH_CHUNK = 1024, /* edges */
    /* Rounds cost more here than on the host: while a bucket has few edges
     * and few vertices wait beyond, the next one is twice as wide. */
    FEW_EDGES = 1 << 14,
    FEW_FAR = 1 << 12,
    MOST_WIDER = 6, /* bits */
};

hy_status paths_read_state(struct paths *P)
{
    uint32_t words[FRONTIER_SETS * FRONTIER_WORDS + sizeof P->own / 4];
    const size_t at = FRONTIER_SETS * FRONTIER_WORDS;
    HY_TRY(device_read(P->D, &P->W.count, 0, sizeof words, words));
    const uint32_t *const set = words + P->set * FRONTIER_WORDS;
    P->F.n = set[0];
    P->F.edges = set[1] | (uint64_t)set[2] << 32;
    memcpy(&P->own, words + at, sizeof P->own);
    return HY_OK;
}

hy_status paths_write_own(struct paths *P)
{
    const size_t at = FRONTIER_SETS * FRONTIER_WORDS * sizeof(uint32_t);
    return device_write(P->D, &P->W.count, at, sizeof P->own, &P->own);
}

/* ---- lines 1 to 5 -------------------------------------------------------- */

static uint64_t nearest_of(const struct paths *P)
{
    return P->S->is_wide ? P->own.nearest : (uint32_t)P->own.nearest;
}

/* The end of the bucket that d is in. */
static uint64_t bucket_end(const struct paths *P, uint64_t d)
{
    const struct sssp *const S = P->S;
    if (!S->is_wide) {
        const uint32_t shift = S->shift + P->wider;
        const uint64_t end = ((d >> shift) + 1) << shift;
        return end < SSSP_NEAR_NONE ? end : SSSP_NEAR_NONE;
    }
    const double x = sssp_real(d), delta = S->delta * (1 << P->wider);
    const double end = (floor(x / delta) + 1) * delta;
    return sssp_bits(end > x ? end : INFINITY);
}

static size_t width(const struct paths *P)
{
    return P->S->is_wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Distances from the first on: not reached. */
hy_status paths_fill(struct paths *P, hy_vid first)
{
    const struct device_buf *const dist = &P->buf[DIST];
    const hy_vid n = P->n > first ? P->n - first : 0;
    if (!P->S->is_wide)
        return device_fill(P->D, dist, first * width(P), n * width(P),
                           SSSP_NEAR_NONE);
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const struct device_arg args[] = { DEVICE_BUF(dist), DEVICE_U32(first),
                                       DEVICE_U32(grain), DEVICE_U32(P->n) };
    return device_launch(P->D, "sssp_far_away", bits_div_up(n, grain), args, 4);
}

/* No marks, no lists. */
hy_status paths_clear(struct paths *P)
{
    const size_t marks = 2 * (size_t)P->n * sizeof(uint32_t);
    HY_TRY(device_fill(P->D, &P->buf[MARKS], 0, marks, 0));
    HY_TRY(device_fill(P->D, &P->W.count, 0, P->W.count.bytes, 0));
    P->own = (struct paths_own){ .nearest = UINT64_MAX };
    P->set = P->far_set = 0;
    P->round = 1;
    P->low = P->edges = P->wider = 0;
    P->limit = bucket_end(P, 0);
    return paths_write_own(P);
}

static hy_status start(struct paths *P, hy_vid source)
{
    const uint32_t one = 1;
    const uint64_t zero = 0;
    HY_TRY(paths_fill(P, 0));
    HY_TRY(
        device_write(P->D, &P->buf[DIST], source * width(P), width(P), &zero));
    HY_TRY(paths_clear(P));
    HY_TRY(device_write(P->D, &P->buf[NEAR], 0, sizeof source, &source));
    HY_TRY(device_write(P->D, &P->W.count, 0, sizeof one, &one));
    P->F = (struct frontier_size){ 1, view_degree(P->S->V, source) };
    return frontier_weigh(&P->W, &P->buf[NEAR], P->set, 1);
}

static void swap(struct paths *P, int a, int b)
{
    const struct device_buf other = P->buf[a];
    P->buf[a] = P->buf[b];
    P->buf[b] = other;
}

static hy_status push(struct paths *P)
{
    const bool is_wide = P->S->is_wide;
    const uint32_t grain = device_grain(P->D, PUSH_CHUNK, 1), to = 1 - P->set;
    const uint32_t sets = to | P->far_set << 1;
    const uint64_t round = (uint64_t)P->round << 32;
    const struct device_arg args[] = {
        MIRROR_ARGS(P->M, &P->buf[SHAPE]),
        DEVICE_BUF(&P->buf[NEAR]),
        DEVICE_BUF(&P->W.offset),
        DEVICE_U32(P->F.n),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_BUF(&P->buf[MARKS]),
        DEVICE_U32(P->n),
        DEVICE_BUF(&P->buf[NEXT]),
        DEVICE_BUF(&P->buf[FAR]),
        DEVICE_BUF(&P->W.count),
        DEVICE_U64(is_wide ? P->limit : P->limit | round),
        is_wide ? DEVICE_U64(sets | round) : DEVICE_U32(sets),
        DEVICE_U32(grain),
    };
    HY_TRY(device_launch(P->D, is_wide ? "sssp_push_wide" : "sssp_push",
                         bits_div_up(P->F.edges, grain), args, 16));
    swap(P, NEAR, NEXT);
    P->set = to;
    P->round++;
    P->edges += P->F.edges;
    HY_TRY(frontier_weigh(&P->W, &P->buf[NEAR], to, P->F.edges));
    return paths_read_state(P);
}

/* The width of the next bucket; n vertices are far. */
static void widen(struct paths *P, uint32_t n)
{
    const bool is_small = P->edges < FEW_EDGES && n < FEW_FAR;
    if (!is_small)
        P->wider = 0;
    else if (P->wider < MOST_WIDER)
        P->wider++;
    P->edges = 0;
}

/* Line 4.  The near list is empty, and so are both sets of counts. */
static hy_status split(struct paths *P)
{
    const bool is_wide = P->S->is_wide;
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const uint32_t n = P->own.far[P->far_set], to = 1 - P->far_set;
    const uint64_t nearest = nearest_of(P);
    P->low = P->limit;
    widen(P, n);
    P->limit = bucket_end(P, nearest > P->low ? nearest : P->low);
    P->own.far[to] = 0;
    P->own.nearest = UINT64_MAX;
    HY_TRY(paths_write_own(P));
    const uint32_t sets = P->set | to << 1;
    const struct device_arg args[] = {
        DEVICE_BUF(&P->buf[FAR]),
        DEVICE_U32(n),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_BUF(&P->buf[MARKS]),
        DEVICE_U32(P->n),
        DEVICE_BUF(&P->buf[NEAR]),
        DEVICE_BUF(&P->buf[KEPT]),
        DEVICE_BUF(&P->W.count),
        is_wide ? DEVICE_U64(P->low) : DEVICE_U32(P->low),
        is_wide ? DEVICE_U64(P->limit) : DEVICE_U32(P->limit),
        DEVICE_U32(P->round),
        DEVICE_U32(sets),
        DEVICE_U32(grain),
    };
    HY_TRY(device_launch(P->D, is_wide ? "sssp_split_wide" : "sssp_split",
                         bits_div_up(n, grain), args, 13));
    swap(P, FAR, KEPT);
    P->far_set = to;
    P->round++;
    HY_TRY(frontier_weigh(&P->W, &P->buf[NEAR], P->set, n));
    return paths_read_state(P);
}

hy_status paths_walk(struct paths *P)
{
    do {
        while (P->F.n && !P->own.odd)
            HY_TRY(push(P));
        if (P->own.far[P->far_set] && !P->own.odd)
            HY_TRY(split(P));
    } while ((P->F.n || P->own.far[P->far_set]) && !P->own.odd);
    P->S->rounds += P->round;
    return HY_OK;
}

/* ---- line 6 -------------------------------------------------------------- */

static hy_status look(struct paths *P)
{
    const hy_type type = P->S->W.type;
    if (type != HY_I32 && type != HY_I64 && !P->S->W.is_real)
        return HY_OK;
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const struct device_arg args[] = {
        MIRROR_ARGS(P->M, &P->buf[SHAPE]),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->W.count),
        DEVICE_U32(grain),
        DEVICE_U32(P->n),
    };
    HY_TRY(device_launch(P->D, "sssp_look", bits_div_up(P->n, grain), args, 9));
    return paths_read_state(P);
}

/* Names the first bad edge; HY_OK if sums are too large, and that is all. */
static hy_status survey(const struct sssp *S)
{
    struct algo_survey found;
    algo_weights_survey(&S->W, &found);
    return algo_survey_must(&found, false);
}

/* ---- line 7 -------------------------------------------------------------- */

static hy_status hang(struct paths *P, hy_vid source)
{
    const bool has_in = view_has_in(P->S->V);
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    const struct device_arg args[] = {
        MIRROR_ARGS(P->M, &P->buf[SHAPE]),
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->buf[PARENT]),
        DEVICE_U32(grain),
        DEVICE_U32(P->n),
    };
    const struct device_arg open[] = {
        DEVICE_BUF(&P->buf[DIST]),
        DEVICE_U32(P->S->is_wide),
        DEVICE_BUF(&P->buf[PARENT]),
        DEVICE_BUF(&P->buf[WAVE]),
        DEVICE_BUF(&P->W.count),
        DEVICE_U32(grain),
        DEVICE_U32(P->n),
    };
    const size_t items = bits_div_up(P->n, grain);
    if (!has_in)
        HY_TRY(device_fill(P->D, &P->buf[PARENT], 0, P->n * sizeof(hy_vid),
                           HY_NONE));
    HY_TRY(device_launch(P->D,
                         has_in ? "sssp_pull_parents" : "sssp_push_parents",
                         items, args, 9));
    HY_TRY(device_write(P->D, &P->buf[PARENT], source * sizeof source,
                        sizeof source, &source));
    P->own.open = 0;
    HY_TRY(paths_write_own(P));
    HY_TRY(device_launch(P->D, "sssp_open", items, open, 7));
    return paths_read_state(P);
}

/* Until nobody is found: then nobody is left. */
static hy_status waves(struct paths *P)
{
    const uint32_t grain = device_grain(P->D, PATHS_CHUNK, 1);
    for (uint32_t k = 0; P->own.open; k++) {
        const struct device_arg args[] = {
            MIRROR_ARGS(P->M, &P->buf[SHAPE]),
            DEVICE_BUF(&P->buf[DIST]),
            DEVICE_U32(P->S->is_wide),
            DEVICE_BUF(&P->buf[PARENT]),
            DEVICE_BUF(&P->buf[WAVE]),
            DEVICE_U32(k),
            DEVICE_BUF(&P->W.count),
            DEVICE_U32(grain),
            DEVICE_U32(P->n),
        };
        P->own.open = 0;
        HY_TRY(paths_write_own(P));
        HY_TRY(device_launch(P->D, "sssp_wave", bits_div_up(P->n, grain), args,
                             12));
        HY_TRY(paths_read_state(P));
    }
    return HY_OK;
}

hy_status paths_hang(struct paths *P, hy_vid source, hy_vid *parent,
                     struct sssp_ranks *ranks)
{
    const size_t bytes = P->n * sizeof *parent;
    HY_TRY(hang(P, source));
    const bool has_waves = P->own.open;
    if (P->S->kept)
        P->S->kept->has_flat = has_waves;
    HY_TRY(waves(P));
    HY_TRY(device_read(P->D, &P->buf[PARENT], 0, bytes, parent));
    if (!has_waves || !ranks)
        return HY_OK;
    HY_TRY(device_read(P->D, &P->buf[WAVE], 0, bytes, ranks->at));
    for (hy_vid v = 0; v < P->n; v++)
        ranks->at[v] = ranks->at[v] == HY_NONE ? 0 : ranks->at[v];
    ranks->has_any = true;
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

/* Narrow distances are read into the upper half and widened upwards: a number
 * is read before its place is written. */
hy_status paths_read(struct paths *P, double *dist, hy_sssp_info *info)
{
    const size_t n = P->n, half = n * sizeof(uint32_t);
    const bool is_wide = P->S->is_wide;
    char *const from = (char *)dist + (is_wide ? 0 : half);
    HY_TRY(
        device_read(P->D, &P->buf[DIST], 0, is_wide ? 2 * half : half, from));
    for (size_t v = 0; v < n; v++) {
        if (!is_wide) {
            uint32_t d;
            memcpy(&d, from + v * sizeof d, sizeof d);
            dist[v] = d == SSSP_NEAR_NONE ? (double)INFINITY : d;
        }
        info->reached += dist[v] < INFINITY;
        if (dist[v] < INFINITY && dist[v] > info->max_dist)
            info->max_dist = dist[v];
    }
    info->delta = P->S->delta;
    info->rounds = P->S->rounds;
    return HY_OK;
}

hy_status paths_reserve(struct paths *P, bool has_parents)
{
    const size_t n = P->n * sizeof(uint32_t), tree = has_parents ? n : 0;
    const size_t bytes[BUFS] = { [DIST] = P->S->is_wide ? 2 * n : n,
                                 [MARKS] = 2 * n,
                                 [NEAR] = n,
                                 [NEXT] = n,
                                 [FAR] = n,
                                 [KEPT] = n,
                                 [PARENT] = tree,
                                 [WAVE] = tree };
    HY_TRY(mirror_sync(P->D, P->S->V, &P->M));
    HY_TRY(mirror_shape(P->D, P->S->V, P->S->W.column, &P->buf[SHAPE]));
    if (P->S->kept) {
        HY_TRY(device_grow(P->D, P->S->kept->dist, bytes[DIST]));
        HY_TRY(device_grow(P->D, P->S->kept->parent, bytes[PARENT]));
        P->buf[DIST] = *P->S->kept->dist;
        P->buf[PARENT] = *P->S->kept->parent;
    }
    for (int i = DIST; i < BUFS; i++)
        if (!P->buf[i].handle)
            HY_TRY(device_alloc(P->D, &P->buf[i], bytes[i]));
    return frontier_work_init(&P->W, P->D, P->M, &P->buf[SHAPE], P->n);
}

void paths_release(struct paths *P)
{
    frontier_work_fini(&P->W);
    if (P->S->kept)
        P->buf[DIST] = P->buf[PARENT] = (struct device_buf){ 0 };
    for (int i = 0; i < BUFS; i++)
        device_free(P->D, &P->buf[i]);
}

static hy_status can_be_wide(const hy_device *D)
{
    if (D->info.has_f64 && D->info.has_atomics_64)
        return HY_OK;
    return base_fail(HY_ENOTSUP,
                     "%s: paths that are no 32-bit integers need doubles and "
                     "64-bit atomics",
                     D->info.name);
}

static hy_status run(struct paths *P, const hy_sssp_opts *opts, double *dist,
                     hy_vid *parent, struct sssp_ranks *ranks,
                     hy_sssp_info *info)
{
    struct sssp *const S = P->S;
    if (S->is_wide)
        HY_TRY(can_be_wide(P->D));
    sssp_choose_delta(S, opts->delta);
    HY_TRY(paths_reserve(P, parent));
    HY_TRY(start(P, opts->source));
    HY_TRY(paths_walk(P));
    if (!P->own.odd)
        HY_TRY(look(P));
    if (P->own.odd) /* the caller looks what it is */
        return HY_OK;
    HY_TRY(paths_read(P, dist, info));
    return parent ? paths_hang(P, opts->source, parent, ranks) : HY_OK;
}

hy_status sssp_on_device(struct sssp *S, const hy_sssp_opts *opts, double *dist,
                         hy_vid *parent, struct sssp_ranks *ranks,
                         hy_sssp_info *info)
{
    hy_status status = HY_OK;
    bool is_odd = true;
    while (status == HY_OK && is_odd) {
        struct paths P = { .S = S, .D = opts->device, .n = S->V->bound };
        *info = (hy_sssp_info){ 0 };
        status = run(&P, opts, dist, parent, ranks, info);
        paths_release(&P);
        is_odd = P.own.odd;
        if (status == HY_OK && is_odd)
            status = survey(S); /* fails if distances were wide */
        S->is_wide |= is_odd;
    }
    if (status == HY_OK && S->kept) {
        S->kept->n = S->V->bound;
        S->kept->is_wide = S->is_wide;
    }
    return status;
}
