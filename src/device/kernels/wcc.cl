/* Weakly connected components: the steps of algo/wcc/wcc_afforest.c. */

/* p(u) <- min(u, its smallest neighbour): a parent as any other. */
KERNEL_7(wcc_begin, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL u32 *, p,
         u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        const struct span s = span_first(&g, g.out, (u32)u);
        p[u] = s.n && s.v[0] < u ? s.v[0] : (u32)u;
    }
}

KERNEL_3(wcc_compress, GLOBAL u32 *, p, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++)
        sets_compress(p, (u32)u);
}

/* Unites u with its r-th neighbour besides the one above. */
KERNEL_8(wcc_link, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL u32 *, p,
         u32, r, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        const struct span s = span_first(&g, g.out, (u32)u);
        const u32 k = s.n && s.v[0] < u ? r : r - 1;
        if (s.n > k)
            sets_unite(p, (u32)u, s.v[k * g.step]);
    }
}

INLINE void unite_side(const struct graph *g, u32 side, GLOBAL u32 *p, u32 u)
{
    FOR_SPANS(s, g, side, u)
    for (u32 i = 0; i < s.n; i++)
        sets_unite(p, u, s.v[i * g->step]);
}

enum { SKIPS = 1, HAS_BOTH = 2 };

/* Unites u with all its neighbours; those of component c need not be looked
 * at, if others see edges from their side. */
KERNEL_9(wcc_rest, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL u32 *, p,
         u32, c, u32, how, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        if ((how & SKIPS) && PEEK(&p[u]) == c)
            continue;
        unite_side(&g, g.out, p, (u32)u);
        if (how & HAS_BOTH)
            unite_side(&g, g.in, p, (u32)u);
    }
}

/* Vertices that came are alone. */
KERNEL_4(wcc_come, GLOBAL u32 *, p, GLOBAL const u32 *, list, u32, grain, u32,
         n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++)
        p[list[i]] = list[i];
}

/* Unites the ends of edges, which are pairs. */
KERNEL_4(wcc_join, GLOBAL u32 *, p, GLOBAL const u32 *, pairs, u32, grain, u32,
         n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++)
        sets_unite(p, pairs[2 * i], pairs[2 * i + 1]);
}

/* As wcc_compress, where some ids have no label. */
KERNEL_3(wcc_settle, GLOBAL u32 *, p, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++)
        if (PEEK(&p[u]) != NO_VERTEX)
            sets_compress(p, (u32)u);
}

KERNEL_7(wcc_bury, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL u32 *, p,
         u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++)
        if (!is_alive(&g, (u32)u))
            p[u] = NO_VERTEX;
}
