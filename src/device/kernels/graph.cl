/* A mirrored graph as kernels see it: the store's table and blocks, read as
 * they are (store/slot.h, store/hub.h, store/shape.h).
 *
 *     const struct graph g = graph_of(dir, pages, blocks, shape);
 *     FOR_SPANS(s, &g, g.out, u)
 *         for (u32 i = 0; i < s.n; i++)
 *             ... s.v[i * g.step], weight_at(&g, &s, i)
 */
#ifndef DEVICE_GRAPH_CL
#define DEVICE_GRAPH_CL

/* What `shape` holds, by index. */
enum {
    SHAPE_PAGE_WORDS, /* of 8 bytes: of a page of the table */
    SHAPE_IN_WORDS,   /* of 8 bytes: where its side `in` begins */
    SHAPE_STEP,       /* of 4 bytes: from an id to the next */
    SHAPE_WIDTH,      /* bytes of an entry */
    SHAPE_EVEN,       /* room is a multiple of this */
    SHAPE_W_TYPE,     /* of the weight: hy_type, or NO_WEIGHT */
    SHAPE_W_LEAD,
    SHAPE_W_WITHIN,
    SHAPE_W_STEP,
    SHAPE_WORDS
};

enum {
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_I32,
    TYPE_I64,
    TYPE_F32,
    TYPE_F64,
    NO_WEIGHT
};

enum {
    TABLE_VERTICES = 64, /* of a page */
    SLOT_WORDS = 2,      /* of 8 bytes */
    BRANCH_FAN = 85,     /* twigs of a branch, and where its fields begin */
    BRANCH_FIRST = 2,    /* in words of 4 bytes */
    BRANCH_COUNT = BRANCH_FIRST + BRANCH_FAN,
    BRANCH_AT = BRANCH_COUNT + BRANCH_FAN, /* pairs of words, low one first */
    LEAF_UNITS = 128,
    UNIT_BYTES = 16
};

#define NO_TABLE 0xffffffffu
#define NO_VERTEX 0xffffffffu
#define SLOT_IS_ALIVE ((u64)1 << 50)
#define SLOT_IS_HUB ((u64)1 << 49)
#define SLOT_AT(where) ((where) & (((u64)1 << 40) - 1))
#define SLOT_SIZE(where) ((u32)((where) >> 40) & 0x1ff)

struct graph {
    GLOBAL const u32 *dir;
    GLOBAL const u64 *pages;
    GLOBAL const u32 *blocks;
    u32 page_words, step;
    u32 out, in; /* offsets of the sides */
    u32 width, even;
    u32 w_type, w_lead, w_within, w_step;
};

INLINE struct graph graph_of(GLOBAL const u32 *dir, GLOBAL const u64 *pages,
                             GLOBAL const u32 *blocks, GLOBAL const u32 *shape)
{
    struct graph g;
    g.dir = dir;
    g.pages = pages;
    g.blocks = blocks;
    g.page_words = shape[SHAPE_PAGE_WORDS];
    g.step = shape[SHAPE_STEP];
    g.out = 0;
    g.in = shape[SHAPE_IN_WORDS];
    g.width = shape[SHAPE_WIDTH];
    g.even = shape[SHAPE_EVEN];
    g.w_type = shape[SHAPE_W_TYPE];
    g.w_lead = shape[SHAPE_W_LEAD];
    g.w_within = shape[SHAPE_W_WITHIN];
    g.w_step = shape[SHAPE_W_STEP];
    return g;
}

/* The slot of u: `where`, and the degree in the low half of the next word. */
INLINE GLOBAL const u64 *slot_of(const struct graph *g, u32 side, u32 u)
{
    const u32 page = g->dir[u / TABLE_VERTICES];
    if (page == NO_TABLE)
        return 0;
    return g->pages + (u64)page * g->page_words + side +
           (u % TABLE_VERTICES) * SLOT_WORDS;
}

INLINE u32 degree_of(const struct graph *g, u32 side, u32 u)
{
    GLOBAL const u64 *const slot = slot_of(g, side, u);
    return slot ? (u32)slot[1] : 0;
}

INLINE int is_alive(const struct graph *g, u32 u)
{
    GLOBAL const u64 *const slot = slot_of(g, g->out, u);
    return slot && (slot[0] & SLOT_IS_ALIVE);
}

/* ---- spans -------------------------------------------------------------- */

struct span {
    GLOBAL const u32 *v;
    u32 n;
    u32 units; /* of its block */
    u64 root;  /* of a hub */
    u32 levels;
    u64 path; /* in a hub: the index at each level, root first, 8 bits each */
    int more; /* there is a next one */
};

INLINE GLOBAL const u32 *block_of(const struct graph *g, u64 at)
{
    return g->blocks + at * (UNIT_BYTES / 4);
}

INLINE u64 twig_at(GLOBAL const u32 *branch, u32 i)
{
    return branch[BRANCH_AT + 2 * i] | (u64)branch[BRANCH_AT + 2 * i + 1] << 32;
}

/* Goes to the leaf at s->path, and makes s->path that of the next. */
INLINE void span_leaf(const struct graph *g, struct span *s)
{
    GLOBAL const u32 *branch = block_of(g, s->root);
    u64 next = 0;
    int more = 0;
    for (u32 level = 0;; level++) {
        const u32 shift = 8 * level;
        const u32 i = (u32)(s->path >> shift) & 0xff;
        if (i + 1 < branch[0]) {
            next = (s->path & (((u64)1 << shift) - 1)) | (u64)(i + 1) << shift;
            more = 1;
        }
        if (level == s->levels) {
            s->v = block_of(g, twig_at(branch, i));
            s->n = branch[BRANCH_COUNT + i];
            break;
        }
        branch = block_of(g, twig_at(branch, i));
    }
    s->units = LEAF_UNITS;
    s->path = next;
    s->more = more;
}

INLINE struct span span_of_slot(const struct graph *g, GLOBAL const u64 *slot)
{
    struct span s;
    s.v = g->blocks;
    s.n = 0;
    s.units = 0;
    s.root = 0;
    s.levels = 0;
    s.path = 0;
    s.more = 0;
    if (!slot || !(u32)slot[1])
        return s;
    const u64 where = slot[0];
    if (where & SLOT_IS_HUB) {
        s.root = SLOT_AT(where);
        s.levels = SLOT_SIZE(where);
        span_leaf(g, &s);
        return s;
    }
    s.v = block_of(g, SLOT_AT(where));
    s.n = (u32)slot[1];
    s.units = SLOT_SIZE(where);
    return s;
}

INLINE struct span span_first(const struct graph *g, u32 side, u32 u)
{
    return span_of_slot(g, slot_of(g, side, u));
}

INLINE void span_next(const struct graph *g, struct span *s)
{
    if (s->more)
        span_leaf(g, s);
    else
        s->n = 0;
}

#define FOR_SPANS(s, g, side, u)                                               \
    for (struct span s = span_first(g, side, u); s.n != 0; span_next(g, &s))

/* The span with the k-th neighbour of u, k below its degree, which is entry
 * *i of the span. */
INLINE struct span span_at(const struct graph *g, u32 side, u32 u, u32 k,
                           u32 *i)
{
    struct span s;
    GLOBAL const u64 *const slot = slot_of(g, side, u);
    const u64 where = slot[0];
    s.path = 0;
    s.more = 0;
    s.root = SLOT_AT(where);
    s.levels = SLOT_SIZE(where);
    if (where & SLOT_IS_HUB) {
        GLOBAL const u32 *branch = block_of(g, s.root);
        for (u32 level = 0;; level++) {
            u32 twig = 0;
            for (; k >= branch[BRANCH_COUNT + twig]; twig++)
                k -= branch[BRANCH_COUNT + twig];
            s.path |= (u64)twig << (8 * level);
            if (level == s.levels)
                break;
            branch = block_of(g, twig_at(branch, twig));
        }
        span_leaf(g, &s);
    } else {
        s.v = block_of(g, s.root);
        s.n = (u32)slot[1];
        s.units = s.levels;
    }
    *i = k;
    return s;
}

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

/* ---- edges in equal parts ------------------------------------------------
 *
 * The edges of a list of vertices, one after the other: those of list[j] are
 * numbered from offset[j] on, offset[n] is how many there are.  An item takes
 * `grain` of them, wherever that cuts an adjacency:
 *
 *     struct cut c = cut_first(offset, n, ITEM, grain);
 *     while (cut_next(&g, side, list, offset, &c))
 *         for (u32 i = c.lo; i < c.hi; i++)
 *             ... c.u, c.s.v[i * g.step]
 */
struct cut {
    u64 at, end; /* edges */
    u32 j, n;    /* in the list, and its length */
    u32 left;    /* of u, for this item */
    u32 u;
    struct span s;
    u32 lo, hi; /* entries of s */
};

INLINE struct cut cut_first(GLOBAL const u64 *offset, u32 n, u32 item,
                            u32 grain)
{
    struct cut c;
    const u64 all = offset[n];
    c.at = (u64)item * grain;
    c.end = c.at + grain < all ? c.at + grain : all;
    c.left = 0;
    c.n = n;
    u32 lo = 0, hi = n; /* offset[lo] <= at < offset[hi], if there is one */
    while (c.at < c.end && hi - lo > 1) {
        const u32 middle = lo + (hi - lo) / 2;
        if (offset[middle] <= c.at)
            lo = middle;
        else
            hi = middle;
    }
    c.j = lo;
    return c;
}

/* Asks for the slot of a vertex some places ahead in the list, and for the
 * block of one that is nearer. */
INLINE void cut_ahead(const struct graph *g, u32 side, GLOBAL const u32 *list,
                      const struct cut *c)
{
    enum { FAR = 12, NEAR = 6, LINE = 16, LINES = 8, UNIT_WORDS = 4 };
    if (c->j + FAR >= c->n)
        return;
    PREFETCH(slot_of(g, side, list[c->j + FAR]));
    GLOBAL const u64 *const slot = slot_of(g, side, list[c->j + NEAR]);
    if (!slot)
        return;
    GLOBAL const u32 *const block = block_of(g, SLOT_AT(slot[0]));
    const u32 words = SLOT_SIZE(slot[0]) * UNIT_WORDS;
    PREFETCH(block);
    for (u32 i = LINE; i < words && i < LINES * LINE; i += LINE)
        PREFETCH(block + i);
}

INLINE int cut_next(const struct graph *g, u32 side, GLOBAL const u32 *list,
                    GLOBAL const u64 *offset, struct cut *c)
{
    if (c->left) {
        span_next(g, &c->s);
        c->lo = 0;
    } else {
        if (c->at >= c->end)
            return 0;
        while (offset[c->j + 1] <= c->at)
            c->j++;
        const u64 stop = offset[c->j + 1] < c->end ? offset[c->j + 1] : c->end;
        c->u = list[c->j];
        cut_ahead(g, side, list, c);
        c->left = (u32)(stop - c->at);
        c->s = span_at(g, side, c->u, (u32)(c->at - offset[c->j]), &c->lo);
        c->at = stop;
    }
    const u32 here = c->s.n - c->lo;
    const u32 n = here < c->left ? here : c->left;
    c->hi = c->lo + n;
    c->left -= n;
    return 1;
}

/* ---- what items find -----------------------------------------------------
 */

/* Numbers on their way to a list that all items append to: in any order. */
enum { FOUND = 64 };
struct found {
    u32 n;
    u32 at[FOUND];
};

INLINE void found_flush(struct found *f, GLOBAL u32 *list, GLOBAL u32 *count)
{
    if (!f->n)
        return;
    const u32 to = ATOMIC_ADD(count, f->n);
    for (u32 i = 0; i < f->n; i++)
        list[to + i] = f->at[i];
    f->n = 0;
}

INLINE void found_put(struct found *f, u32 x, GLOBAL u32 *list,
                      GLOBAL u32 *count)
{
    if (f->n == FOUND)
        found_flush(f, list, count);
    f->at[f->n++] = x;
}

/* Sets the bit of v; true for the one who did. */
INLINE int claim_bit(GLOBAL u32 *bits, u32 v)
{
    const u32 bit = (u32)1 << (v % 32);
    return !(PEEK(&bits[v / 32]) & bit) &&
           !(ATOMIC_OR(&bits[v / 32], bit) & bit);
}

/* Adds to a number of 64 bits, low word first, by atomics of 32. */
INLINE void add_wide(GLOBAL u32 *sum, u64 x)
{
    if (!x)
        return;
    const u32 low = (u32)x;
    const u32 before = ATOMIC_ADD(&sum[0], low);
    const u32 high = (u32)(x >> 32) + (before + low < before ? 1 : 0);
    if (high)
        (void)ATOMIC_ADD(&sum[1], high);
}

/* ---- disjoint sets: see ops/sets.h --------------------------------------- */

INLINE u32 sets_find(GLOBAL u32 *p, u32 a)
{
    u32 b = PEEK(&p[a]);
    for (;;) {
        const u32 c = PEEK(&p[b]);
        if (b == c)
            return b;
        POKE(&p[a], c);
        a = b;
        b = c;
    }
}

/* The larger root goes under the smaller; who loses the race looks again. */
INLINE void sets_unite(GLOBAL u32 *p, u32 a, u32 b)
{
    for (;;) {
        a = sets_find(p, a);
        b = sets_find(p, b);
        if (a == b)
            return;
        const u32 low = a < b ? a : b, high = a < b ? b : a;
        if (ATOMIC_CAS(&p[high], high, low) == high)
            return;
    }
}

INLINE void sets_compress(GLOBAL u32 *p, u32 a)
{
    const u32 first = PEEK(&p[a]);
    u32 root = first;
    for (u32 up = PEEK(&p[root]); up != root; up = PEEK(&p[root]))
        root = up;
    if (root != first)
        POKE(&p[a], root);
}

/* ---- weights ------------------------------------------------------------ */

#ifdef HAS_F64

/* Where the weights of a span begin, if there are any. */
INLINE GLOBAL const u8 *weights_of(const struct graph *g, const struct span *s)
{
    u32 room = s->units * UNIT_BYTES / g->width;
    room -= room % g->even;
    return (GLOBAL const u8 *)s->v + (u64)g->w_lead * room + g->w_within;
}

INLINE f64 weight_at(const struct graph *g, GLOBAL const u8 *weights, u32 i)
{
    GLOBAL const u8 *const p = weights + (u64)i * g->w_step;
    switch (g->w_type) {
    case TYPE_U8:
        return *p;
    case TYPE_U16:
        return *(GLOBAL const u16 *)p;
    case TYPE_U32:
        return *(GLOBAL const u32 *)p;
    case TYPE_U64:
        return (f64) * (GLOBAL const u64 *)p;
    case TYPE_I32:
        return *(GLOBAL const i32 *)p;
    case TYPE_I64:
        return (f64) * (GLOBAL const i64 *)p;
    case TYPE_F32:
        return (f64) * (GLOBAL const f32 *)p;
    case TYPE_F64:
        return *(GLOBAL const f64 *)p;
    default:
        return 1;
    }
}

#endif
#endif
