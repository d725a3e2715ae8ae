/* Breadth-first search, a level at a time.  The mark is the depth or, where
 * only parents are wanted, the parent.
 *
 * Counts are those of frontier.cl.
 */
#define UNREACHED 0xffffffffu

enum { HAS_DEPTH = 1, HAS_PARENT = 2, IS_SMALLEST = 4, IS_FIRST = 8 };
enum { BFS_N, BFS_EDGES, BFS_WORDS = 4 };

/* Reaches v from u; true if u was the first.  The mark is claimed, the
 * smallest parent found by a minimum. */
INLINE int reach(GLOBAL u32 *depth, GLOBAL u32 *parent, u32 how, u32 d, u32 u,
                 u32 v)
{
    GLOBAL u32 *const mark = how & HAS_DEPTH ? &depth[v] : &parent[v];
    u32 now = PEEK(mark);
    if (now == UNREACHED)
        now = ATOMIC_CAS(mark, UNREACHED, how & HAS_DEPTH ? d : u);
    if ((how & IS_SMALLEST) && (now == UNREACHED || now == d))
        (void)ATOMIC_MIN(&parent[v], u);
    if (now != UNREACHED)
        return 0;
    if ((how & (HAS_DEPTH | HAS_PARENT | IS_SMALLEST)) ==
        (HAS_DEPTH | HAS_PARENT))
        parent[v] = u;
    return 1;
}

/* The neighbours of a list: `grain` edges for each item. */
KERNEL_15(bfs_push, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, list, GLOBAL const u64 *, offset, u32, n,
          GLOBAL u32 *, depth, GLOBAL u32 *, parent, u32, how, u32, d,
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
            if (reach(depth, parent, how, d, c.u, v))
                found_put(&f, v, next, n_next);
        }
    found_flush(&f, next, n_next);
}

/* Which of the vertices of a word are unreached, with a way in.  No jumps:
 * which are is hard to guess. */
INLINE u32 find_open(GLOBAL const u32 *mark, GLOBAL const u64 *slots, u32 n)
{
    u32 word = 0;
    for (u32 k = 0; k < n; k++)
        word |= (u32)((mark[k] == UNREACHED) & ((u32)slots[2 * k + 1] != 0))
                << k;
    return word;
}

/* The first in-neighbour in the set: the smallest. */
INLINE u32 find_from(const struct graph *g, GLOBAL const u64 *slot,
                     GLOBAL const u32 *from)
{
    for (struct span s = span_of_slot(g, slot); s.n; span_next(g, &s)) {
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

INLINE void ask_ahead(const struct graph *g, GLOBAL const u64 *slots, u32 left)
{
    if (left)
        PREFETCH(block_of(g, SLOT_AT(slots[2 * FIRST_BIT(left)])));
}

/* The open vertices with an edge from the set; `grain`, a multiple of 32, for
 * each item, so that words have one owner.  The first pull after a push finds
 * out which are open.  Clears the other set of counts. */
KERNEL_15(bfs_pull, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, from, GLOBAL u32 *, to, GLOBAL u32 *, open,
          GLOBAL u32 *, depth, GLOBAL u32 *, parent, u32, how, u32, d,
          GLOBAL u32 *, count, u32, set, u32, grain, u32, n)
{
    enum { AHEAD = 4 };
    const struct graph g = graph_of(dir, pages, blocks, shape);
    GLOBAL const u32 *const mark = how & HAS_DEPTH ? depth : parent;
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 found = 0;
    u64 edges = 0;
    for (u64 at = lo; at < hi; at += 32) {
        GLOBAL const u64 *const out = slot_of(&g, g.out, (u32)at);
        if (!out) {
            open[at / 32] = to[at / 32] = 0;
            continue;
        }
        GLOBAL const u64 *const in = out + g.in;
        const u32 left = how & IS_FIRST ? find_open(mark + at, in,
                                                    hi - at < 32 ? (u32)(hi - at) : 32)
                                        : open[at / 32];
        u32 reached = 0, ahead = left, rest = left;
        for (u32 i = 0; i < AHEAD; i++, ahead &= ahead - 1)
            ask_ahead(&g, in, ahead);
        for (; rest; rest &= rest - 1, ahead &= ahead - 1) {
            const u32 k = FIRST_BIT(rest), v = (u32)at + k;
            ask_ahead(&g, in, ahead);
            const u32 u = find_from(&g, in + 2 * k, from);
            if (u == UNREACHED)
                continue;
            reached |= rest & -rest;
            if (how & HAS_DEPTH)
                depth[v] = d;
            if (how & HAS_PARENT)
                parent[v] = u;
            edges += (u32)out[2 * k + 1];
            found++;
        }
        open[at / 32] = left & ~reached;
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
