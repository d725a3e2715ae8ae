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

/* ---- changed edges: the steps of algo/triangles/triangles_follow.c ------- */

/* Edges that changed, ascending: three words each, the ends and what it was
 * and is, a byte each.  Arcs are those at ends that have several: (end, other
 * end), ascending, and which edge it is. */
struct tri_delta {
    GLOBAL const u32 *edge;
    GLOBAL const u64 *arc;
    GLOBAL const u32 *tag;
    u32 n_arcs;
};

#define TRI_WAS(word) ((word)&0xff)
#define TRI_IS(word) ((word) >> 8 & 0xff)
#define TRI_STEADY 0x101u /* it was there, and is */

/* The arcs of one end. */
struct tri_group {
    u32 u, lo, hi;
};

/* An edge being counted. */
struct tri_turn {
    const struct graph *g;
    struct tri_delta d;
    GLOBAL u32 *count;
    u32 i, u, v, word, directed;
    struct tri_group at_u, at_v;
    u64 sum; /* modulo 2^64, as counts are */
};

INLINE u32 tri_search(const struct tri_delta *d, u32 lo, u32 hi, u64 key)
{
    while (lo < hi) {
        const u32 middle = lo + (hi - lo) / 2;
        if (d->arc[middle] < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

INLINE struct tri_group tri_group_of(const struct tri_delta *d, u32 u)
{
    struct tri_group at;
    at.u = u;
    at.lo = tri_search(d, 0, d->n_arcs, (u64)u << 32);
    at.hi = tri_search(d, at.lo, d->n_arcs, ((u64)u + 1) << 32);
    return at;
}

/* The changed edge between the end and w; NO_VERTEX: there is none. */
INLINE u32 tri_changed(const struct tri_delta *d, const struct tri_group *at,
                       u32 w)
{
    const u64 key = (u64)at->u << 32 | w;
    const u32 i = tri_search(d, at->lo, at->hi, key);
    return i < at->hi && d->arc[i] == key ? d->tag[i] : NO_VERTEX;
}

INLINE u32 tri_word(const struct tri_delta *d, u32 i)
{
    return i == NO_VERTEX ? TRI_STEADY : d->edge[3 * (u64)i + 2];
}

/* The triangle with w, unless another changed edge of it comes before: then
 * it is that one's. */
INLINE void tri_third(struct tri_turn *t, u32 w)
{
    const u32 a = tri_changed(&t->d, &t->at_u, w);
    const u32 b = tri_changed(&t->d, &t->at_v, w);
    if (a < t->i || b < t->i || w == t->u || w == t->v)
        return;
    const u32 uw = tri_word(&t->d, a), vw = tri_word(&t->d, b);
    const int was = TRI_WAS(t->word) && TRI_WAS(uw) && TRI_WAS(vw);
    const int is = TRI_IS(t->word) && TRI_IS(uw) && TRI_IS(vw);
    const u64 x = (u64)is - (u64)was;
    t->sum += x;
    add_wide(&t->count[2 * (u64)w], x);
}

INLINE int tri_joined(const struct tri_turn *t, u32 u, u32 v)
{
    return has_edge(t->g, t->g->out, u, v) ||
           (t->directed && has_edge(t->g, t->g->in, u, v));
}

INLINE u64 tri_degree(const struct tri_turn *t, u32 u)
{
    const u64 k = degree_of(t->g, t->g->out, u);
    return t->directed ? k + degree_of(t->g, t->g->in, u) : k;
}

/* Who is joined to both: from the shorter side, each looked up at the
 * other. */
INLINE void tri_common(struct tri_turn *t)
{
    const int is_u = tri_degree(t, t->u) < tri_degree(t, t->v);
    const u32 few = is_u ? t->u : t->v, many = is_u ? t->v : t->u;
    FOR_SPANS(s, t->g, t->g->out, few)
    for (u32 i = 0; i < s.n; i++) {
        const u32 w = s.v[i * t->g->step];
        if (tri_joined(t, many, w))
            tri_third(t, w);
    }
    if (!t->directed)
        return;
    FOR_SPANS(s, t->g, t->g->in, few)
    for (u32 i = 0; i < s.n; i++) {
        const u32 w = s.v[i * t->g->step];
        if (!has_edge(t->g, t->g->out, few, w) && tri_joined(t, many, w))
            tri_third(t, w);
    }
}

/* Who lost its edge to `from`, and has or had one to `to`; `first`: those that
 * lost both, too. */
INLINE void tri_before(struct tri_turn *t, const struct tri_group *from,
                       const struct tri_group *to, int first)
{
    for (u32 k = from->lo; k < from->hi; k++) {
        const u32 w = (u32)t->d.arc[k];
        if (TRI_IS(tri_word(&t->d, t->d.tag[k])) || w == to->u)
            continue;
        const u32 other = tri_changed(&t->d, to, w);
        const int is_lost =
            other != NO_VERTEX && !TRI_IS(tri_word(&t->d, other));
        if (is_lost ? first : tri_joined(t, to->u, w))
            tri_third(t, w);
    }
}

/* n changed edges; count has two words for each vertex, and total two. */
KERNEL_13(tri_follow, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, edge, GLOBAL const u64 *, arc, GLOBAL const u32 *,
          tag, u32, n_arcs, GLOBAL u32 *, count, GLOBAL u32 *, total, u32,
          directed, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++) {
        struct tri_turn t;
        t.g = &g;
        t.d.edge = edge;
        t.d.arc = arc;
        t.d.tag = tag;
        t.d.n_arcs = n_arcs;
        t.count = count;
        t.i = (u32)i;
        t.u = edge[3 * i];
        t.v = edge[3 * i + 1];
        t.word = edge[3 * i + 2];
        t.directed = directed;
        t.at_u = tri_group_of(&t.d, t.u);
        t.at_v = tri_group_of(&t.d, t.v);
        t.sum = 0;
        tri_common(&t);
        tri_before(&t, &t.at_u, &t.at_v, 1);
        tri_before(&t, &t.at_v, &t.at_u, 0);
        add_wide(&count[2 * (u64)t.u], t.sum);
        add_wide(&count[2 * (u64)t.v], t.sum);
        add_wide(total, t.sum);
    }
}
