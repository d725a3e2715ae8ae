/* Shortest paths: the steps of algo/sssp/sssp_device.c.
 *
 * Distances are u32 (narrow), or the bits of f64 (wide), which order numbers
 * that are not negative as they should be.  `own` is the algorithm's part of
 * the counts of frontier.cl.
 */
enum {
    PATH_N, /* word of a set of counts: entries of the list */
    PATH_SET_WORDS = 4,
    PATH_OWN = 8,    /* where its own words begin */
    OWN_FAR = 0,     /* entries of far lists, one word for each of two */
    OWN_ODD = 2,     /* a weight or a sum needs a second look */
    OWN_OPEN = 3,    /* reached, and without parent; found by a wave */
    OWN_NEAREST = 4, /* far: the smallest distance; two words if wide */
};

#define NOT_REACHED 0xffffffffu

/* A weight as it is added to a narrow distance: negative ones as large ones,
 * which can do no harm before they are found out. */
INLINE u64 narrow_at(u32 type, GLOBAL const u8 *p)
{
    switch (type) {
    case TYPE_U8:
        return *p;
    case TYPE_U16:
        return *(GLOBAL const u16 *)p;
    case TYPE_U32:
        return *(GLOBAL const u32 *)p;
    case TYPE_I32:
        return (u32) * (GLOBAL const i32 *)p;
    case TYPE_U64:
    case TYPE_I64:
        return *(GLOBAL const u64 *)p;
    case NO_WEIGHT:
        return 1;
    default:
        return 0xffffffffu;
    }
}

/* Where the i-th weight of a span is. */
INLINE GLOBAL const u8 *path_weights(const struct graph *g,
                                     const struct span *s)
{
    if (g->w_type == NO_WEIGHT)
        return (GLOBAL const u8 *)s->v;
    u32 room = s->units * UNIT_BYTES / g->width;
    room -= room % g->even;
    return (GLOBAL const u8 *)s->v + (u64)g->w_lead * room + g->w_within;
}

/* What an item finds, and where it goes. */
struct path_out {
    struct found near, far;
    GLOBAL u32 *near_list, *far_list;
    GLOBAL u32 *near_n, *far_n;
    GLOBAL u32 *stamp;  /* of each vertex: the last round that lists it */
    GLOBAL u32 *is_far; /* of each vertex: it is in a far list */
    u32 round;
};

INLINE void path_near(struct path_out *o, u32 v)
{
    if (ATOMIC_SWAP(&o->stamp[v], o->round) != o->round)
        found_put(&o->near, v, o->near_list, o->near_n);
}

INLINE void path_far(struct path_out *o, u32 v)
{
    if (PEEK(&o->is_far[v]) == 0 && ATOMIC_SWAP(&o->is_far[v], 1) == 0)
        found_put(&o->far, v, o->far_list, o->far_n);
}

INLINE struct path_out path_out_of(GLOBAL u32 *near, GLOBAL u32 *far,
                                   GLOBAL u32 *count, u32 set, u32 far_set,
                                   GLOBAL u32 *marks, u32 bound, u32 round)
{
    struct path_out o;
    o.near.n = 0;
    o.far.n = 0;
    o.near_list = near;
    o.far_list = far;
    o.near_n = count + set * PATH_SET_WORDS + PATH_N;
    o.far_n = count + PATH_OWN + OWN_FAR + far_set;
    o.stamp = marks;
    o.is_far = marks + bound;
    o.round = round;
    return o;
}

INLINE void path_flush(struct path_out *o)
{
    found_flush(&o->near, o->near_list, o->near_n);
    found_flush(&o->far, o->far_list, o->far_n);
}

/* `sets`: bit 0 the set of counts of the new list, bit 1 that of far. */
#define PATH_SET(sets) ((sets)&1)
#define PATH_FAR_SET(sets) ((sets) >> 1 & 1)

/* ---- narrow -------------------------------------------------------------- */

/* Relaxes an edge; *nearest is the least that went far. */
INLINE void relax_narrow(struct path_out *o, GLOBAL u32 *dist, u32 limit, u32 v,
                         u64 to, u32 *nearest)
{
    if (to >= PEEK(&dist[v]))
        return;
    const u32 d = (u32)to;
    if (d >= ATOMIC_MIN(&dist[v], d))
        return;
    if (d < limit) {
        path_near(o, v);
    } else {
        path_far(o, v);
        *nearest = d < *nearest ? d : *nearest;
    }
}

/* The edges of a list; bound is that of vertices, n the length of the list. */
KERNEL_16(sssp_push, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, list, GLOBAL const u64 *, offset, u32, n,
          GLOBAL u32 *, dist, GLOBAL u32 *, marks, u32, bound, GLOBAL u32 *,
          near, GLOBAL u32 *, far, GLOBAL u32 *, count, u64, limit_round, u32,
          sets, u32, grain)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u32 limit = (u32)limit_round, round = (u32)(limit_round >> 32);
    struct path_out o = path_out_of(near, far, count, PATH_SET(sets),
                                    PATH_FAR_SET(sets), marks, bound, round);
    u32 nearest = NOT_REACHED;
    u64 odd = 0;
    struct cut c = cut_first(offset, n, ITEM, grain);
    while (cut_next(&g, g.out, list, offset, &c)) {
        const u64 d = PEEK(&dist[c.u]);
        GLOBAL const u8 *const w = path_weights(&g, &c.s);
        u64 weights = 0;
        if (g.step == 1 && g.w_type == TYPE_I32 && g.w_step == 4) {
            GLOBAL const u32 *const at = (GLOBAL const u32 *)w;
            for (u32 i = c.lo; i < c.hi; i++) {
                weights |= at[i];
                relax_narrow(&o, dist, limit, c.s.v[i], d + at[i], &nearest);
            }
        } else {
            for (u32 i = c.lo; i < c.hi; i++) {
                const u64 x = narrow_at(g.w_type, w + (u64)i * g.w_step);
                weights |= x;
                relax_narrow(&o, dist, limit, c.s.v[i * g.step], d + x,
                             &nearest);
            }
        }
        odd |= weights >> 31 || d + weights >= NOT_REACHED;
    }
    path_flush(&o);
    if (nearest != NOT_REACHED)
        (void)ATOMIC_MIN(&count[PATH_OWN + OWN_NEAREST], nearest);
    if (odd)
        POKE(&count[PATH_OWN + OWN_ODD], 1);
}

/* Deals a far list out anew: what is below `low` was listed meanwhile, what
 * is below `limit` is near, the rest goes to the other far list. */
KERNEL_13(sssp_split, GLOBAL const u32 *, old, u32, n, GLOBAL const u32 *, dist,
          GLOBAL u32 *, marks, u32, bound, GLOBAL u32 *, near, GLOBAL u32 *,
          far, GLOBAL u32 *, count, u32, low, u32, limit, u32, round, u32, sets,
          u32, grain)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    struct path_out o = path_out_of(near, far, count, PATH_SET(sets),
                                    PATH_FAR_SET(sets), marks, bound, round);
    u32 nearest = NOT_REACHED;
    for (u64 i = lo; i < hi; i++) {
        const u32 v = old[i], d = dist[v];
        if (d >= limit) {
            found_put(&o.far, v, far, o.far_n);
            nearest = d < nearest ? d : nearest;
            continue;
        }
        o.is_far[v] = 0;
        if (d >= low)
            path_near(&o, v);
    }
    path_flush(&o);
    if (nearest != NOT_REACHED)
        (void)ATOMIC_MIN(&count[PATH_OWN + OWN_NEAREST], nearest);
}

/* ---- wide ---------------------------------------------------------------- */

#if defined(HAS_F64) && defined(HAS_ATOMICS_64)

#ifdef __OPENCL_VERSION__
INLINE f64 path_real(u64 bits)
{
    return as_double(bits);
}
INLINE u64 path_bits(f64 d)
{
    return as_ulong(d);
}
#else
INLINE f64 path_real(u64 bits)
{
    f64 d;
    __builtin_memcpy(&d, &bits, sizeof d);
    return d;
}
INLINE u64 path_bits(f64 d)
{
    u64 bits;
    __builtin_memcpy(&bits, &d, sizeof bits);
    return bits;
}
#endif

#define FAR_AWAY 0x7ff0000000000000ul /* the bits of infinity */

INLINE int is_weight(f64 w)
{
    return w >= 0 && path_bits(w + 0.0) < FAR_AWAY;
}

INLINE f64 path_weight(const struct graph *g, GLOBAL const u8 *w, u32 i)
{
    return g->w_type == NO_WEIGHT ? 1 : weight_at(g, w, i);
}

KERNEL_16(sssp_push_wide, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, list, GLOBAL const u64 *, offset, u32, n,
          GLOBAL u64 *, dist, GLOBAL u32 *, marks, u32, bound, GLOBAL u32 *,
          near, GLOBAL u32 *, far, GLOBAL u32 *, count, u64, limit, u64,
          sets_round, u32, grain)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u32 sets = (u32)sets_round, round = (u32)(sets_round >> 32);
    struct path_out o = path_out_of(near, far, count, PATH_SET(sets),
                                    PATH_FAR_SET(sets), marks, bound, round);
    u64 nearest = FAR_AWAY;
    u32 odd = 0;
    struct cut c = cut_first(offset, n, ITEM, grain);
    while (cut_next(&g, g.out, list, offset, &c)) {
        const f64 d = path_real(PEEK_64(&dist[c.u]));
        GLOBAL const u8 *const w = path_weights(&g, &c.s);
        for (u32 i = c.lo; i < c.hi; i++) {
            const f64 x = path_weight(&g, w, i);
            const u32 v = c.s.v[i * g.step];
            if (!is_weight(x)) {
                odd = 1;
                continue;
            }
            const u64 to = path_bits(d + x);
            if (to >= PEEK_64(&dist[v]) || to >= ATOMIC_MIN_64(&dist[v], to))
                continue;
            if (to < limit) {
                path_near(&o, v);
            } else {
                path_far(&o, v);
                nearest = to < nearest ? to : nearest;
            }
        }
    }
    path_flush(&o);
    if (nearest != FAR_AWAY)
        (void)ATOMIC_MIN_64((GLOBAL u64 *)(count + PATH_OWN + OWN_NEAREST),
                            nearest);
    if (odd)
        POKE(&count[PATH_OWN + OWN_ODD], 1);
}

KERNEL_13(sssp_split_wide, GLOBAL const u32 *, old, u32, n, GLOBAL const u64 *,
          dist, GLOBAL u32 *, marks, u32, bound, GLOBAL u32 *, near,
          GLOBAL u32 *, far, GLOBAL u32 *, count, u64, low, u64, limit, u32,
          round, u32, sets, u32, grain)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    struct path_out o = path_out_of(near, far, count, PATH_SET(sets),
                                    PATH_FAR_SET(sets), marks, bound, round);
    u64 nearest = FAR_AWAY;
    for (u64 i = lo; i < hi; i++) {
        const u32 v = old[i];
        const u64 d = dist[v];
        if (d >= limit) {
            found_put(&o.far, v, far, o.far_n);
            nearest = d < nearest ? d : nearest;
            continue;
        }
        o.is_far[v] = 0;
        if (d >= low)
            path_near(&o, v);
    }
    path_flush(&o);
    if (nearest != FAR_AWAY)
        (void)ATOMIC_MIN_64((GLOBAL u64 *)(count + PATH_OWN + OWN_NEAREST),
                            nearest);
}

#endif

/* Distances of f64 from the first to the n-th <- infinity. */
KERNEL_4(sssp_far_away, GLOBAL u32 *, dist, u32, first, u32, grain, u32, n)
{
    const u64 lo = first + (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 v = lo; v < hi; v++) {
        dist[2 * v] = 0;
        dist[2 * v + 1] = 0x7ff00000u;
    }
}

/* ---- what was not reached ------------------------------------------------ */

INLINE int is_reached(GLOBAL const u32 *dist, u32 wide, u64 v)
{
    return wide ? (dist[2 * v + 1] >> 20) != 0x7ff : dist[v] != NOT_REACHED;
}

/* Every `step`-th of n ends of edges goes to the near list, once, if it is
 * reached. */
KERNEL_11(sssp_seed, GLOBAL const u32 *, ends, u32, step, GLOBAL const u32 *, dist, u32,
          wide, GLOBAL u32 *, marks, u32, bound, GLOBAL u32 *, near,
          GLOBAL u32 *, count, u32, round, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    struct path_out o =
        path_out_of(near, near, count, 0, 0, marks, bound, round);
    for (u64 i = lo; i < hi; i++)
        if (is_reached(dist, wide, ends[i * step]))
            path_near(&o, ends[i * step]);
    path_flush(&o);
}

/* Is a weight of these bits negative, or not finite? */
INLINE int is_bad(u32 type, GLOBAL const u8 *p)
{
    switch (type) {
    case TYPE_I32:
        return *(GLOBAL const i32 *)p < 0;
    case TYPE_I64:
        return *(GLOBAL const i64 *)p < 0;
    case TYPE_F32: {
        const u32 bits = *(GLOBAL const u32 *)p;
        return (bits >> 23 & 0xff) == 0xff || (bits >> 31 && bits << 1);
    }
    case TYPE_F64: {
        const u64 bits = *(GLOBAL const u64 *)p;
        return (bits >> 52 & 0x7ff) == 0x7ff || (bits >> 63 && bits << 1);
    }
    default:
        return 0;
    }
}

/* Looks at the weights that no path came by. */
KERNEL_9(sssp_look, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
         GLOBAL const u32 *, dist, u32, wide, GLOBAL u32 *, count, u32, grain,
         u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 odd = 0;
    for (u64 u = lo; u < hi; u++) {
        if (is_reached(dist, wide, u))
            continue;
        FOR_SPANS(s, &g, g.out, (u32)u)
        {
            GLOBAL const u8 *const w = path_weights(&g, &s);
            for (u32 i = 0; i < s.n; i++)
                odd |= (u32)is_bad(g.w_type, w + (u64)i * g.w_step);
        }
    }
    if (odd)
        POKE(&count[PATH_OWN + OWN_ODD], 1);
}

/* ---- parents ------------------------------------------------------------- */

/* How the edge (u, v) hangs: 0 not tight, 1 tight, 2 and steep. */
INLINE u32 hangs(const struct graph *g, GLOBAL const u32 *dist, u32 wide, u32 u,
                 u32 v, GLOBAL const u8 *w, u32 i)
{
#ifdef HAS_F64
    if (wide) {
        GLOBAL const f64 *const d = (GLOBAL const f64 *)dist;
        const f64 x = g->w_type == NO_WEIGHT ? 1 : weight_at(g, w, i);
        if (d[u] > d[v] || d[u] + x != d[v])
            return 0;
        return d[u] < d[v] ? 2 : 1;
    }
#endif
    const u64 a = dist[u], b = dist[v];
    if (a > b || a + narrow_at(g->w_type, w + (u64)i * g->w_step) != b)
        return 0;
    return a < b ? 2 : 1;
}

INLINE u32 find_parent(const struct graph *g, GLOBAL const u32 *dist, u32 wide,
                       u32 v)
{
    FOR_SPANS(s, g, g->in, v)
    {
        GLOBAL const u8 *const w = path_weights(g, &s);
        for (u32 i = 0; i < s.n; i++) {
            const u32 u = s.v[i * g->step];
            if (hangs(g, dist, wide, u, v, w, i) == 2)
                return u;
        }
    }
    return NO_VERTEX;
}

/* The smallest u with a tight, steep edge to v: the first in-neighbour. */
KERNEL_9(sssp_pull_parents, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
         GLOBAL const u32 *, dist, u32, wide, GLOBAL u32 *, parent, u32, grain,
         u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 v = lo; v < hi; v++)
        parent[v] = is_reached(dist, wide, v)
                        ? find_parent(&g, dist, wide, (u32)v)
                        : NO_VERTEX;
}

/* u, to all that hang steeply on it. */
INLINE void offer_parent(const struct graph *g, GLOBAL const u32 *dist,
                         u32 wide, u32 u, GLOBAL u32 *parent)
{
    FOR_SPANS(s, g, g->out, u)
    {
        GLOBAL const u8 *const w = path_weights(g, &s);
        for (u32 i = 0; i < s.n; i++) {
            const u32 v = s.v[i * g->step];
            if (hangs(g, dist, wide, u, v, w, i) == 2)
                (void)ATOMIC_MIN(&parent[v], u);
        }
    }
}

/* The same by minima, for graphs without a reverse side. */
KERNEL_9(sssp_push_parents, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
         GLOBAL const u32 *, dist, u32, wide, GLOBAL u32 *, parent, u32, grain,
         u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        if (is_reached(dist, wide, u))
            offer_parent(&g, dist, wide, (u32)u, parent);
    }
}

/* After a repair: parents of those that got nearer, or that an edge came to
 * begin at, which all have a stamp; counts who has none.  That of the source
 * is known. */
KERNEL_12(sssp_mend_pull, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, dist, u32, wide, GLOBAL const u32 *, stamp,
          GLOBAL u32 *, parent, GLOBAL u32 *, count, u32, source, u32, grain,
          u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 open = 0;
    for (u64 v = lo; v < hi; v++) {
        if (!stamp[v] || v == source)
            continue;
        parent[v] = find_parent(&g, dist, wide, (u32)v);
        open += parent[v] == NO_VERTEX;
    }
    if (open)
        (void)ATOMIC_ADD(&count[PATH_OWN + OWN_OPEN], open);
}

/* Others may have got a smaller parent, one of these. */
KERNEL_10(sssp_mend_push, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, dist, u32, wide, GLOBAL const u32 *, stamp,
          GLOBAL u32 *, parent, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++)
        if (stamp[u])
            offer_parent(&g, dist, wide, (u32)u, parent);
}

/* Wave 0 is who has a parent; counts those reached that have none. */
KERNEL_7(sssp_open, GLOBAL const u32 *, dist, u32, wide, GLOBAL const u32 *,
         parent, GLOBAL u32 *, wave, GLOBAL u32 *, count, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 open = 0;
    for (u64 v = lo; v < hi; v++) {
        wave[v] = parent[v] == NO_VERTEX ? NO_VERTEX : 0;
        open += is_reached(dist, wide, v) && parent[v] == NO_VERTEX;
    }
    if (open)
        (void)ATOMIC_ADD(&count[PATH_OWN + OWN_OPEN], open);
}

/* Wave k hangs those without parent that its tight edges reach; counts what
 * it found. */
KERNEL_12(sssp_wave, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
          GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape,
          GLOBAL const u32 *, dist, u32, wide, GLOBAL u32 *, parent,
          GLOBAL u32 *, wave, u32, k, GLOBAL u32 *, count, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    u32 found = 0;
    for (u64 u = lo; u < hi; u++) {
        if (PEEK(&wave[u]) != k)
            continue;
        FOR_SPANS(s, &g, g.out, (u32)u)
        {
            GLOBAL const u8 *const w = path_weights(&g, &s);
            for (u32 i = 0; i < s.n; i++) {
                const u32 v = s.v[i * g.step];
                u32 now = PEEK(&wave[v]);
                if (now <= k || hangs(&g, dist, wide, (u32)u, v, w, i) != 1)
                    continue;
                if (now == NO_VERTEX)
                    now = ATOMIC_CAS(&wave[v], NO_VERTEX, k + 1);
                found += now == NO_VERTEX;
                (void)ATOMIC_MIN(&parent[v], (u32)u);
            }
        }
    }
    if (found)
        (void)ATOMIC_ADD(&count[PATH_OWN + OWN_OPEN], found);
}
