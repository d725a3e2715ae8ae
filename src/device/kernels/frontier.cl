/* Sets of vertices: lists, sets of bits, and the edges of a list counted.
 *
 * `count` has two sets of words, and `set` says which is meant: how many are
 * in the list, and how many edges they have, in two words.
 */
enum { FRONTIER_N, FRONTIER_EDGES, FRONTIER_WORDS = 4 };

/* The share of an item: item of `items` of n things. */
INLINE u32 share_at(u32 n, u32 items, u32 item)
{
    return (u32)((u64)n * item / items);
}

/* part[i] <- edges of the vertices of item i. */
KERNEL_10(frontier_sum, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, u32, side,
          GLOBAL const u32 *, list, GLOBAL const u32 *, count, u32, set,
          GLOBAL u64 *, part, u32, items)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u32 n = count[set * FRONTIER_WORDS + FRONTIER_N];
    const u32 hi = share_at(n, items, item + 1);
    u64 sum = 0;
    for (u32 i = share_at(n, items, item); i < hi; i++)
        sum += degree_of(&g, side ? g.in : g.out, list[i]);
    part[item] = sum;
}

/* offset[i] <- edges before those of list[i], offset[n] <- all; clears the
 * other set of counts. */
KERNEL_11(frontier_scan, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, u32, side,
          GLOBAL const u32 *, list, GLOBAL u32 *, count, u32, set,
          GLOBAL const u64 *, part, GLOBAL u64 *, offset, u32, items)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u32 n = count[set * FRONTIER_WORDS + FRONTIER_N];
    const u32 hi = share_at(n, items, item + 1);
    u64 sum = 0;
    for (u32 i = 0; i < item; i++)
        sum += part[i];
    for (u32 i = share_at(n, items, item); i < hi; i++) {
        offset[i] = sum;
        sum += degree_of(&g, side ? g.in : g.out, list[i]);
    }
    if (item != items - 1)
        return;
    offset[n] = sum;
    GLOBAL u32 *const here = count + set * FRONTIER_WORDS;
    GLOBAL u32 *const other = count + (1 - set) * FRONTIER_WORDS;
    here[FRONTIER_EDGES] = (u32)sum;
    here[FRONTIER_EDGES + 1] = (u32)(sum >> 32);
    for (u32 i = 0; i < FRONTIER_WORDS; i++)
        other[i] = 0;
}

/* All vertices. */
KERNEL_3(frontier_all, GLOBAL u32 *, list, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++)
        list[u] = (u32)u;
}

/* The bits of a list, all 0 before. */
KERNEL_4(frontier_to_bits, GLOBAL const u32 *, list, u32, n, GLOBAL u32 *, bits,
         u32, grain)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++)
        (void)ATOMIC_OR(&bits[list[i] / 32], (u32)1 << (list[i] % 32));
}

/* The list of bits; *count is 0 before. */
KERNEL_6(frontier_to_list, GLOBAL const u32 *, bits, u32, words, GLOBAL u32 *,
         list, GLOBAL u32 *, count, u32, set, u32, grain)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < words ? lo + grain : words;
    GLOBAL u32 *const n = count + set * FRONTIER_WORDS + FRONTIER_N;
    struct found f;
    f.n = 0;
    for (u64 i = lo; i < hi; i++) {
        for (u32 left = bits[i]; left; left &= left - 1)
            found_put(&f, (u32)i * 32 + FIRST_BIT(left), list, n);
    }
    found_flush(&f, list, n);
}
