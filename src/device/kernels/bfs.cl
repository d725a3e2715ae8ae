/* Breadth-first search, a level at a time.  The mark is the depth.
 *
 * Counts are those of frontier.cl.
 */
#define UNREACHED 0xffffffffu

enum { NO_PARENT, ANY_PARENT, SMALLEST_PARENT };
enum { BFS_N, BFS_EDGES, BFS_WORDS = 4 };

/* Reaches v from u; true if u was the first.  The depth is claimed, the
 * smallest parent found by a minimum. */
INLINE int reach(GLOBAL u32 *depth, GLOBAL u32 *parent, u32 wants, u32 d, u32 u,
                 u32 v)
{
    u32 now = PEEK(&depth[v]);
    if (now < d)
        return 0;
    if (now == UNREACHED)
        now = ATOMIC_CAS(&depth[v], UNREACHED, d);
    if (wants == SMALLEST_PARENT && (now == UNREACHED || now == d))
        (void)ATOMIC_MIN(&parent[v], u);
    if (now != UNREACHED)
        return 0;
    if (wants == ANY_PARENT)
        parent[v] = u;
    return 1;
}

/* The neighbours of a list: `grain` edges for each item. */
KERNEL_15(bfs_push, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, list, GLOBAL const u64 *, offset, u32, n,
          GLOBAL u32 *, depth, GLOBAL u32 *, parent, u32, wants, u32, d,
          GLOBAL u32 *, next, GLOBAL u32 *, count, u32, set, u32, grain)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    GLOBAL u32 *const n_next = count + set * BFS_WORDS + BFS_N;
    struct found f;
    f.n = 0;
    struct cut c = cut_first(offset, n, ITEM, grain);
    while (cut_next(&g, g.out, list, offset, &c))
        for (u32 i = c.lo; i < c.hi; i++) {
            const u32 v = c.s.v[i * g.step];
            if (reach(depth, parent, wants, d, c.u, v))
                found_put(&f, v, next, n_next);
        }
    found_flush(&f, next, n_next);
}

/* Which vertices a pull looks at: unreached, and there is a way in. */
KERNEL_8(bfs_open, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
         GLOBAL const u32 *, depth, GLOBAL u32 *, open, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 at = lo; at < hi; at += 32) {
        u32 word = 0;
        for (u32 k = 0; k < 32 && at + k < hi; k++)
            if (depth[at + k] == UNREACHED &&
                degree_of(&g, g.in, (u32)at + k) > 0)
                word |= (u32)1 << k;
        open[at / 32] = word;
    }
}

/* The first in-neighbour of v in the set: the smallest. */
INLINE u32 find_from(const struct graph *g, u32 v, GLOBAL const u32 *from)
{
    FOR_SPANS(s, g, g->in, v)
    {
        if (g->step == 1) {
            for (u32 i = 0; i < s.n; i++)
                if (from[s.v[i] / 32] >> (s.v[i] % 32) & 1)
                    return s.v[i];
            continue;
        }
        for (u32 i = 0; i < s.n; i++) {
            const u32 u = s.v[i * g->step];
            if (from[u / 32] >> (u % 32) & 1)
                return u;
        }
    }
    return UNREACHED;
}

/* The open vertices with an edge from the set; `grain`, a multiple of 32, for
 * each item, so that words have one owner.  Clears the other set of counts. */
KERNEL_15(bfs_pull, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, from, GLOBAL u32 *, to, GLOBAL u32 *, open,
          GLOBAL u32 *, depth, GLOBAL u32 *, parent, u32, wants, u32, d,
          GLOBAL u32 *, count, u32, set, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 found = 0;
    u64 edges = 0;
    for (u64 at = lo; at < hi; at += 32) {
        u32 reached = 0, shut = 0; /* by this pull; by pushes before */
        for (u32 left = open[at / 32]; left; left &= left - 1) {
            const u32 bit = left & -left, v = (u32)at + FIRST_BIT(left);
            if (depth[v] != UNREACHED) {
                shut |= bit;
                continue;
            }
            const u32 u = find_from(&g, v, from);
            if (u == UNREACHED)
                continue;
            reached |= bit;
            depth[v] = d;
            if (wants != NO_PARENT)
                parent[v] = u;
            edges += degree_of(&g, g.out, v);
            found++;
        }
        open[at / 32] &= ~(reached | shut);
        to[at / 32] = reached;
    }
    GLOBAL u32 *const here = count + set * BFS_WORDS;
    if (found)
        (void)ATOMIC_ADD(&here[BFS_N], found);
    add_wide(&here[BFS_EDGES], edges);
    if (ITEM == 0)
        for (u32 i = 0; i < BFS_WORDS; i++)
            count[(1 - set) * BFS_WORDS + i] = 0;
}
