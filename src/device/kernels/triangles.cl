/* Triangles on lists ordered by degree, with rows of bits for the hubs: see
 * algo/triangles/triangles_device.c.
 *
 * Ranks number vertices by falling degree; to[from[r] .. from[r + 1]) are the
 * neighbours of r with lower rank, ascending.  Ranks below `core` have a row:
 * bit w of row r is set if w is in the list of r.
 */
enum { TRI_STEP = 256, TRI_STEP_WORDS = TRI_STEP / 64 };

/* Rows are padded to 4 words, and 256 rows in turn have the same length. */
INLINE u32 tri_row_words(u32 v)
{
    return (v / TRI_STEP + 1) * TRI_STEP_WORDS;
}

INLINE u64 tri_row_start(u32 v)
{
    const u64 step = v / TRI_STEP;
    return step * (step + 1) / 2 * TRI_STEP * TRI_STEP_WORDS +
           v % TRI_STEP * (step + 1) * TRI_STEP_WORDS;
}

/* ---- numbering ----------------------------------------------------------- */

/* Edges at u, and u; of a directed graph those of both directions. */
KERNEL_9(tri_degrees, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, GLOBAL u32 *,
         degree, GLOBAL u32 *, vertex, u32, directed, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        u64 k = degree_of(&g, g.out, (u32)u);
        if (directed)
            k += degree_of(&g, g.in, (u32)u);
        degree[u] = k < 0xffffffffu ? (u32)k : 0xffffffffu;
        vertex[u] = (u32)u;
    }
}

/* `sorted` is by ascending degree. */
KERNEL_5(tri_name, GLOBAL const u32 *, sorted, GLOBAL u32 *, vertex,
         GLOBAL u32 *, rank, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 r = lo; r < hi; r++) {
        const u32 u = sorted[n - 1 - r];
        vertex[r] = u;
        rank[u] = (u32)r;
    }
}

/* ---- lists --------------------------------------------------------------- */

/* Is v a neighbour of u?  By halving, in a hub down its branches. */
INLINE int has_edge(const struct graph *g, u32 side, u32 u, u32 v)
{
    GLOBAL const u64 *const slot = slot_of(g, side, u);
    if (!slot || !(u32)slot[1])
        return 0;
    GLOBAL const u32 *block = block_of(g, SLOT_AT(slot[0]));
    u32 n = (u32)slot[1];
    if (slot[0] & SLOT_IS_HUB)
        for (u32 level = 0; level <= SLOT_SIZE(slot[0]); level++) {
            u32 twig = 0;
            while (twig + 1 < block[0] && block[BRANCH_FIRST + twig + 1] <= v)
                twig++;
            n = block[BRANCH_COUNT + twig];
            block = block_of(g, twig_at(block, twig));
        }
    u32 lo = 0;
    for (u32 hi = n; lo < hi;) {
        const u32 middle = lo + (hi - lo) / 2;
        if (block[middle * g->step] < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < n && block[lo * g->step] == v;
}

/* How many neighbours of u have a rank below r; writes them. */
INLINE u32 take_lower(const struct graph *g, u32 directed, u32 u, u32 r,
                      GLOBAL const u32 *rank, GLOBAL u32 *to, int writes)
{
    u32 n = 0;
    FOR_SPANS(s, g, g->out, u)
    for (u32 i = 0; i < s.n; i++) {
        const u32 other = rank[s.v[i * g->step]];
        if (other < r) {
            if (writes)
                to[n] = other;
            n++;
        }
    }
    if (!directed)
        return n;
    FOR_SPANS(s, g, g->in, u)
    for (u32 i = 0; i < s.n; i++) {
        const u32 v = s.v[i * g->step], other = rank[v];
        if (other < r && !has_edge(g, g->out, u, v)) {
            if (writes)
                to[n] = other;
            n++;
        }
    }
    return n;
}

KERNEL_10(tri_count, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, vertex, GLOBAL const u32 *, rank, GLOBAL u32 *,
          length, u32, directed, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 r = lo; r < hi; r++)
        length[r] =
            take_lower(&g, directed, vertex[r], (u32)r, rank, length, 0);
}

/* Shell's sort: lists of vertices that are no hubs are short. */
INLINE void sort_list(GLOBAL u32 *x, u32 n)
{
    u32 gap = n;
    while (gap > 1) {
        gap = gap < 5 ? 1 : (u32)((u64)gap * 5 / 11);
        for (u32 i = gap; i < n; i++) {
            const u32 key = x[i];
            u32 k = i;
            for (; k >= gap && x[k - gap] > key; k -= gap)
                x[k] = x[k - gap];
            x[k] = key;
        }
    }
}

/* Sets the bits of a list, and writes it from them. */
INLINE void fill_row(GLOBAL u64 *row, u32 words, GLOBAL u32 *list, u32 n)
{
    for (u32 i = 0; i < words; i++)
        row[i] = 0;
    for (u32 i = 0; i < n; i++)
        row[list[i] / 64] |= (u64)1 << (list[i] % 64);
    u32 to = 0;
    for (u32 i = 0; i < 2 * words; i++)
        for (u32 left = (u32)(row[i / 2] >> (i % 2 * 32)); left;
             left &= left - 1)
            list[to++] = i * 32 + FIRST_BIT(left);
}

KERNEL_13(tri_fill, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, vertex, GLOBAL const u32 *, rank,
          GLOBAL const u64 *, from, GLOBAL u32 *, to, GLOBAL u64 *, rows, u32,
          core, u32, directed, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 r = lo; r < hi; r++) {
        GLOBAL u32 *const list = to + from[r];
        const u32 length =
            take_lower(&g, directed, vertex[r], (u32)r, rank, list, 1);
        if (r < core)
            fill_row(rows + tri_row_start((u32)r), tri_row_words((u32)r), list,
                     length);
        else
            sort_list(list, length);
    }
}

/* ---- counting ------------------------------------------------------------ */

INLINE u64 row_bit(GLOBAL const u64 *row, u32 w)
{
    return row[w / 64] >> (w % 64) & 1;
}

/* Common ones of two ascending lists. */
INLINE u64 common(GLOBAL const u32 *a, u32 na, GLOBAL const u32 *b, u32 nb)
{
    u64 found = 0;
    u32 i = 0, k = 0;
    while (i < na && k < nb) {
        const u32 x = a[i], y = b[k];
        found += x == y;
        i += x <= y;
        k += y <= x;
    }
    return found;
}

/* Looking `i` bits up costs less than v bits of a row. */
INLINE int is_few(u32 i, u32 v)
{
    return (u64)i * 32 < v;
}

/* Triangles of u, v = list[i], and one before v in the list. */
INLINE u64 tri_at(GLOBAL const u64 *from, GLOBAL const u32 *to,
                  GLOBAL const u64 *rows, u32 core, u32 u,
                  GLOBAL const u32 *list, u32 i)
{
    const u32 v = list[i];
    u64 found = 0;
    if (v >= core)
        return common(list, i, to + from[v], (u32)(from[v + 1] - from[v]));
    GLOBAL const u64 *const row = rows + tri_row_start(v);
    if (u < core && !is_few(i, v)) {
        GLOBAL const u64 *const own = rows + tri_row_start(u);
        const u32 words = tri_row_words(v);
        for (u32 k = 0; k < words; k++)
            found += COUNT_BITS_64(own[k] & row[k]);
        return found;
    }
    for (u32 k = 0; k < i; k++)
        found += row_bit(row, list[k]);
    return found;
}

/* The list that entry e is in. */
INLINE u32 list_of(GLOBAL const u64 *from, u32 n, u64 e)
{
    u32 lo = 0, hi = n; /* from[lo] <= e < from[hi] */
    while (hi - lo > 1) {
        const u32 middle = lo + (hi - lo) / 2;
        if (from[middle] <= e)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* `grain` entries of all lists for each item. */
KERNEL_7(tri_total, GLOBAL const u64 *, from, GLOBAL const u32 *, to,
         GLOBAL const u64 *, rows, u32, core, GLOBAL u32 *, total, u32, grain,
         u32, n)
{
    const u64 all = from[n];
    u64 e = (u64)ITEM * grain;
    const u64 end = e + grain < all ? e + grain : all;
    u64 found = 0;
    u32 u = e < end ? list_of(from, n, e) : 0;
    for (; e < end; e++) {
        while (from[u + 1] <= e)
            u++;
        found +=
            tri_at(from, to, rows, core, u, to + from[u], (u32)(e - from[u]));
    }
    add_wide(total, found);
}

/* ---- counting at each vertex --------------------------------------------- */

INLINE void give(GLOBAL u32 *count, GLOBAL const u32 *vertex, u32 r, u64 x)
{
    add_wide(&count[2 * (u64)vertex[r]], x);
}

/* As tri_at, and gives one to each third vertex. */
INLINE u64 give_at(GLOBAL const u64 *from, GLOBAL const u32 *to,
                   GLOBAL const u64 *rows, u32 core, u32 u,
                   GLOBAL const u32 *list, u32 i, GLOBAL const u32 *vertex,
                   GLOBAL u32 *count)
{
    const u32 v = list[i];
    u64 found = 0;
    if (v >= core) {
        GLOBAL const u32 *const other = to + from[v];
        const u32 n = (u32)(from[v + 1] - from[v]);
        for (u32 a = 0, b = 0; a < i && b < n;) {
            const u32 x = list[a], y = other[b];
            if (x == y) {
                give(count, vertex, x, 1);
                found++;
            }
            a += x <= y;
            b += y <= x;
        }
        return found;
    }
    GLOBAL const u64 *const row = rows + tri_row_start(v);
    if (u < core && !is_few(i, v)) {
        GLOBAL const u64 *const own = rows + tri_row_start(u);
        const u32 words = 2 * tri_row_words(v);
        for (u32 k = 0; k < words; k++)
            for (u32 left = (u32)((own[k / 2] & row[k / 2]) >> (k % 2 * 32));
                 left; left &= left - 1) {
                give(count, vertex, k * 32 + FIRST_BIT(left), 1);
                found++;
            }
        return found;
    }
    for (u32 k = 0; k < i; k++)
        if (row_bit(row, list[k])) {
            give(count, vertex, list[k], 1);
            found++;
        }
    return found;
}

KERNEL_9(tri_give, GLOBAL const u64 *, from, GLOBAL const u32 *, to,
         GLOBAL const u64 *, rows, u32, core, GLOBAL u32 *, total,
         GLOBAL const u32 *, vertex, GLOBAL u32 *, count, u32, grain, u32, n)
{
    const u64 all = from[n];
    u64 e = (u64)ITEM * grain;
    const u64 end = e + grain < all ? e + grain : all;
    u64 found = 0, at_u = 0;
    u32 u = e < end ? list_of(from, n, e) : 0;
    for (; e < end; e++) {
        if (from[u + 1] <= e) {
            give(count, vertex, u, at_u);
            found += at_u;
            at_u = 0;
        }
        while (from[u + 1] <= e)
            u++;
        const u32 i = (u32)(e - from[u]);
        const u64 here =
            give_at(from, to, rows, core, u, to + from[u], i, vertex, count);
        give(count, vertex, to[e], here);
        at_u += here;
    }
    if (at_u)
        give(count, vertex, u, at_u);
    add_wide(total, found + at_u);
}
