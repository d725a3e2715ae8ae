/* PageRank by sweeps of pulls: see algo/pagerank/pagerank.c, whose sums these
 * are.
 *
 * Shares are f64 (wide) or f32.  A part is what a task of `grain` vertices
 * adds up to.
 */
#ifdef HAS_F64

enum {
    RANK_IS_WIDE = 1,
    RANK_IS_WANTED = 2, /* write ranks, too */
    RANK_IS_GUESS = 4,  /* start: by degrees */
    RANK_IS_SECOND = 8, /* of two starts */
};

enum {
    PART_CHANGE,
    PART_DANGLING,
    PART_SUM,
    PART_N_DANGLING,
    PART_N_PAIRS,
    PART_WORDS
};

INLINE f64 share_get(GLOBAL const f64 *share, u64 u, u32 mode)
{
    return mode & RANK_IS_WIDE ? share[u] : (f64)((GLOBAL const f32 *)share)[u];
}

INLINE void share_put(GLOBAL f64 *share, u64 u, f64 x, u32 mode)
{
    if (mode & RANK_IS_WIDE)
        share[u] = x;
    else
        ((GLOBAL f32 *)share)[u] = (f32)x;
}

/* ---- start --------------------------------------------------------------- */

/* Is u, of degree 1, joined to nothing that has another edge?  The first of
 * two starts notes it as a share of -1. */
INLINE int is_pair(const struct graph *g, u32 u, GLOBAL const f64 *share,
                   u32 mode)
{
    if (mode & RANK_IS_SECOND)
        return share_get(share, u, mode) == -1;
    const struct span s = span_first(g, g->out, u);
    return degree_of(g, g->out, s.v[0]) == 1;
}

KERNEL_12(rank_start, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL f64 *,
          share, GLOBAL f64 *, part, f64, lone, f64, pair, f64, each, u32, mode,
          u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    f64 dangling = 0, n_dangling = 0, n_pairs = 0;
    if (lo >= n)
        return;
    for (u64 u = lo; u < hi; u++) {
        const u32 degree = degree_of(&g, g.out, (u32)u);
        f64 x = 0;
        if (!is_alive(&g, (u32)u)) {
            share_put(share, u, 0, mode);
            continue;
        }
        if (degree == 1 && (mode & RANK_IS_GUESS) &&
            is_pair(&g, (u32)u, share, mode)) {
            n_pairs += 1;
            x = mode & RANK_IS_SECOND ? pair : -1;
        } else {
            x = lone + each * degree;
            n_dangling += degree ? 0 : 1;
            dangling += degree ? 0 : x;
        }
        share_put(share, u, x / (degree ? degree : 1), mode);
    }
    GLOBAL f64 *const p = part + (u64)ITEM * PART_WORDS;
    p[PART_CHANGE] = 0;
    p[PART_DANGLING] = dangling;
    p[PART_SUM] = 0;
    p[PART_N_DANGLING] = n_dangling;
    p[PART_N_PAIRS] = n_pairs;
}

/* Shares of ranks that are there; `lone` is the rank of those who have none. */
KERNEL_11(rank_resume, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const f64 *, rank, GLOBAL f64 *, share, GLOBAL f64 *, part,
          f64, lone, u32, mode, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    f64 dangling = 0;
    if (lo >= n)
        return;
    for (u64 u = lo; u < hi; u++) {
        const u32 degree = degree_of(&g, g.out, (u32)u);
        f64 x = is_alive(&g, (u32)u) ? rank[u] : 0;
        if (x == 0 && is_alive(&g, (u32)u))
            x = lone;
        dangling += degree ? 0 : x;
        share_put(share, u, x / (degree ? degree : 1), mode);
    }
    GLOBAL f64 *const p = part + (u64)ITEM * PART_WORDS;
    p[PART_CHANGE] = 0;
    p[PART_DANGLING] = dangling;
    p[PART_SUM] = 0;
    p[PART_N_DANGLING] = 0;
    p[PART_N_PAIRS] = 0;
}

/* ---- pull ---------------------------------------------------------------- */

INLINE f64 gather_f64(GLOBAL const u32 *v, u32 n, GLOBAL const f64 *x)
{
    f64 a = 0, b = 0, c = 0, d = 0;
    u32 i = 0;
    for (; i + 4 <= n; i += 4) {
        a += x[v[i]];
        b += x[v[i + 1]];
        c += x[v[i + 2]];
        d += x[v[i + 3]];
    }
    for (; i < n; i++)
        a += x[v[i]];
    return (a + b) + (c + d);
}

/* In single precision up to 64 of them. */
INLINE f32 gather_few(GLOBAL const u32 *v, u32 n, GLOBAL const f32 *x)
{
    f32 a = 0, b = 0, c = 0, d = 0;
    u32 i = 0;
    for (; i + 4 <= n; i += 4) {
        a += x[v[i]];
        b += x[v[i + 1]];
        c += x[v[i + 2]];
        d += x[v[i + 3]];
    }
    if (i < n) {
        const u32 last = n - 1, i1 = i + 1 < n ? i + 1 : last;
        a += x[v[i]];
        b += (i + 1 < n ? 1.0f : 0.0f) * x[v[i1]];
        c += (i + 2 < n ? 1.0f : 0.0f) * x[v[last]];
    }
    return (a + b) + (c + d);
}

INLINE f64 gather_f32(GLOBAL const u32 *v, u32 n, GLOBAL const f32 *x)
{
    f64 sum = 0;
    for (; n > 64; v += 64, n -= 64)
        sum += (f64)gather_few(v, 64, x);
    return sum + (f64)gather_few(v, n, x);
}

INLINE f64 gather_steps(const struct graph *g, const struct span *s,
                        GLOBAL const f64 *share, u32 mode)
{
    f64 sum = 0;
    for (u32 i = 0; i < s->n; i++)
        sum += share_get(share, s->v[i * g->step], mode);
    return sum;
}

INLINE f64 gather(const struct graph *g, u32 u, GLOBAL const f64 *share,
                  u32 mode)
{
    f64 sum = 0;
    FOR_SPANS(s, g, g->in, u)
    {
        if (g->step != 1)
            sum += gather_steps(g, &s, share, mode);
        else if (mode & RANK_IS_WIDE)
            sum += gather_f64(s.v, s.n, share);
        else
            sum += gather_f32(s.v, s.n, (GLOBAL const f32 *)share);
    }
    return sum;
}

/* Vertices first .. end - 1; fresh is their new shares from 0 on, and first a
 * multiple of grain. */
KERNEL_14(rank_pull, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const f64 *, share, GLOBAL f64 *, fresh, GLOBAL f64 *, rank,
          GLOBAL f64 *, part, f64, even, f64, damping, u32, mode, u32, first,
          u32, end, u32, grain)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = first + (u64)ITEM * grain;
    const u64 hi = lo + grain < end ? lo + grain : end;
    f64 change = 0, dangling = 0, sum = 0;
    if (lo >= end)
        return;
    for (u64 u = lo; u < hi; u++) {
        const u32 degree = degree_of(&g, g.out, (u32)u);
        const f64 k = degree > 1 ? degree : 1;
        f64 x = even + damping * gather(&g, (u32)u, share, mode);
        if (!is_alive(&g, (u32)u))
            x = 0;
        const f64 moved = x - k * share_get(share, u, mode);
        change += moved < 0 ? -moved : moved;
        sum += x;
        dangling += degree ? 0 : x;
        share_put(fresh, u - first, x / k, mode);
        if (mode & RANK_IS_WANTED)
            rank[u] = x;
    }
    GLOBAL f64 *const p = part + lo / grain * PART_WORDS;
    p[PART_CHANGE] = change;
    p[PART_DANGLING] = dangling;
    p[PART_SUM] = sum;
}

/* The new shares of a band, `words` of 4 bytes, to their place. */
KERNEL_5(rank_publish, GLOBAL const u32 *, fresh, GLOBAL u32 *, share, u64, at,
         u64, words, u32, grain)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < words ? lo + grain : words;
    GLOBAL u32 *const to = share + at;
    for (u64 i = lo; i < hi; i++)
        to[i] = fresh[i];
}

/* Each item adds up its share of n parts, in order. */
KERNEL_4(rank_total, GLOBAL const f64 *, part, GLOBAL f64 *, total, u32, n, u32,
         items)
{
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u64 lo = (u64)n * item / items, hi = (u64)n * (item + 1) / items;
    for (u32 k = 0; k < PART_WORDS; k++) {
        f64 sum = 0;
        for (u64 i = lo; i < hi; i++)
            sum += part[i * PART_WORDS + k];
        total[(u64)item * PART_WORDS + k] = sum;
    }
}

/* Ranks, of shares alone. */
KERNEL_9(rank_finish, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
         GLOBAL const f64 *, share, GLOBAL f64 *, rank, u32, mode, u32, grain,
         u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        const u32 degree = degree_of(&g, g.out, (u32)u);
        rank[u] = share_get(share, u, mode) * (degree ? degree : 1);
    }
}

#endif
