/* All adjacencies laid out in vertex order, by prefix sums.
 *
 *   Build(rows)
 *     1 Measure   units of each vertex, from its degree and the slack
 *     2 Place     prefix sums: each vertex's address
 *     3 Fill      rows into blocks and hubs, slots into pages, in parallel
 *     4 Adopt     the new core becomes the graph's
 */
#include "store/build.h"
#include "store/hub.h"

#include "par/par.h"

enum { FILL_PAGES = 16 }; /* table pages at a time */

/* ---- rows --------------------------------------------------------------- */

static const struct slot *row_slot(const struct rows *R, hy_vid u)
{
    return u < R->V->bound ? view_slot(R->V, R->side, u) : NULL;
}

static uint32_t row_degree(const struct rows *R, hy_vid u)
{
    if (!R->V)
        return (uint32_t)(R->at[u + 1] - R->at[u]);
    const struct slot *s = row_slot(R, u);
    return s ? s->degree : 0;
}

static void pour_ids(struct pour *P, const struct rows *R, uint64_t i,
                     uint64_t end)
{
    while (i < end) {
        const uint32_t part = pour_way(
            P, (uint32_t)(end - i < UINT32_MAX ? end - i : UINT32_MAX));
        hy_vid *to = (hy_vid *)(void *)P->block + P->n;
        if (R->key)
            for (uint32_t j = 0; j < part; j++)
                to[j] = (hy_vid)R->key[i + j];
        else
            memcpy(to, R->target + i, part * sizeof *to);
        pour_count(P, part);
        i += part;
    }
}

static void pour_records(struct pour *P, const struct rows *R, uint64_t i,
                         uint64_t end)
{
    const struct shape *S = P->L->S;
    for (; i < end; i++) {
        const uint64_t record = R->tag ? R->tag[i] : i;
        (void)pour_way(P, 1);
        block_put(S, P->block, P->room, P->n,
                  R->key ? (hy_vid)R->key[i] : R->target[i],
                  R->values ? R->values + record * S->edge.size : NULL);
        pour_count(P, 1);
    }
}

static void pour_view(struct pour *P, const struct rows *R, hy_vid u)
{
    const hy_view *V = R->V;
    for (hy_span s = R->side == IN ? hy_span_in(V, u) : hy_span_out(V, u); s.n;
         hy_span_next(V, &s))
        pour_copy(P, (const char *)s.v, shape_room(V->shape, s.units), 0, s.n);
}

static void pour_row(struct pour *P, const struct rows *R, hy_vid u)
{
    if (R->V)
        pour_view(P, R, u);
    else if (P->L->S->width == sizeof(hy_vid))
        pour_ids(P, R, R->at[u], R->at[u + 1]);
    else
        pour_records(P, R, R->at[u], R->at[u + 1]);
}

/* ---- 1 measure, 2 place -------------------------------------------------- */

struct building {
    hy_graph *G;
    struct core *C;
    const hy_view *from; /* of vertices and their columns; NULL: all alive */
    uint64_t epoch;
    uint64_t cap; /* of the graph; 0: none, or not for the graph to hold */
    const struct rows *R;
    enum side side;
    bool spare; /* full blocks have room for one more */
    uint64_t n;
    uint64_t *place; /* address of each vertex's block or full leaves */
    uint64_t *aside; /* of each page of vertices: what else its hubs take */
    uint32_t *dir;
    _Atomic uint64_t max_leaves; /* relaxed: a maximum */
    _Atomic size_t next;         /* group of pages to take; relaxed: a ticket */
    struct twig *twig;
    size_t twig_room;
};

/* Leaves that lie in the way of a scan: all but the last one, which would
 * leave a gap, and the branches.  A gap costs a scan 400 ns: memory is asked
 * for ahead as long as it is read without one.  The others lie aside, behind
 * all blocks. */
static uint64_t full_leaves(const struct shape *S, uint32_t degree)
{
    return degree / hub_leaf_loaded(S);
}

static bool is_full(const struct shape *S, uint32_t degree)
{
    return degree && degree < S->page_room &&
           degree == shape_room(S, shape_units_loaded(S, degree));
}

/* Full blocks have a unit more if there are so few of them that it does not
 * matter, by a look at some vertices.  Without it a fourth of all blocks, where
 * ids are four to a unit, would move with the first edge that comes to them. */
static void choose_spare(struct building *P)
{
    enum { LOOKS = 4096, PART = 32 };
    const struct shape *S = &P->G->shape;
    const uint64_t step = P->n / LOOKS | 1; /* odd: ids may alternate */
    uint64_t units = 0, spare = 0;
    for (uint64_t u = 0; u < P->n; u += step) {
        const uint32_t degree = row_degree(P->R, (hy_vid)u);
        units += (uint64_t)degree * S->width / UNIT;
        spare += is_full(S, degree);
    }
    P->spare = !S->slack && spare * PART <= units;
}

static uint32_t units_of(const struct building *P, uint32_t degree)
{
    const struct shape *S = &P->G->shape;
    return shape_units_loaded(S, degree + (P->spare && is_full(S, degree)));
}

static void measure_par(void *arg, size_t lo, size_t hi)
{
    struct building *P = arg;
    const struct shape *S = &P->G->shape;
    uint64_t most = 0;
    for (size_t u = lo; u < hi; u++) {
        const uint32_t degree = row_degree(P->R, (hy_vid)u);
        if (u % PAGE_VERTICES == 0)
            P->aside[u / PAGE_VERTICES] = 0;
        if (degree <= S->page_room) {
            P->place[u] = units_of(P, degree);
            continue;
        }
        P->place[u] = full_leaves(S, degree) * PAGE_UNITS;
        P->aside[u / PAGE_VERTICES] +=
            hub_pages_loaded(S, degree) * PAGE_UNITS - P->place[u];
        const uint64_t leaves = bits_div_up(degree, hub_leaf_loaded(S));
        most = leaves > most ? leaves : most;
    }
    uint64_t seen = atomic_load_explicit(&P->max_leaves, memory_order_relaxed);
    while (most > seen && !atomic_compare_exchange_weak_explicit(
                              &P->max_leaves, &seen, most, memory_order_relaxed,
                              memory_order_relaxed))
        ;
}

/* ---- 3 fill -------------------------------------------------------------- */

static void fill_vertex(struct building *P, struct lane *L, struct slot *s,
                        hy_vid u)
{
    const struct shape *S = L->S;
    const uint32_t degree = row_degree(P->R, u);
    const uint64_t at = P->place[u];
    s->degree = degree;
    if (degree <= S->page_room) {
        const uint32_t units = units_of(P, degree);
        const uint32_t room = shape_room(S, units);
        slot_set(s, units ? at : 0, units, false, L->epoch);
        struct pour p = {
            .L = L, .block = lane_block(L, at), .room = room, .quota = room
        };
        if (degree)
            pour_row(&p, P->R, u);
        return;
    }
    L->hub_pages = 0;
    const uint32_t quota = hub_leaf_loaded(S);
    struct pour p = { .L = L,
                      .quota = quota,
                      .n = quota,
                      .leaf = L->twig,
                      .run = at,
                      .run_end = at + full_leaves(S, degree) * PAGE_UNITS };
    pour_row(&p, P->R, u);
    hub_plant(L, s, L->twig, p.n_leaves);
}

/* The page of the table: its columns, and which vertices are alive. */
static char *fill_page(struct building *P, uint32_t index)
{
    const struct table *T = &P->C->table;
    char *page = table_page(T, P->dir[index]);
    struct slot *slots = (struct slot *)(void *)page;
    const hy_vid first = index * PAGE_VERTICES;
    if (!P->from) {
        for (uint32_t i = 0; i < PAGE_VERTICES && first + i < P->n; i++)
            slots[i].where = SLOT_ALIVE;
        return page;
    }
    const struct table *from = &P->from->core->table;
    const char *old = table_page(from, P->from->dir[index]);
    const struct slot *old_slots = (const struct slot *)(const void *)old;
    for (uint32_t i = 0; i < PAGE_VERTICES; i++)
        slots[i].where = old_slots[i].where & SLOT_ALIVE;
    /* All that follows the slots is the same on both sides. */
    const size_t side = PAGE_VERTICES * sizeof(struct slot);
    const size_t start = from->layout.reverse ? 2 * side : side;
    const size_t to = T->layout.reverse ? 2 * side : side;
    memcpy(page + to, old + start, T->layout.bytes - to);
    return page;
}

/* One lane; it claims groups of pages. */
static void fill_par(void *arg, size_t i)
{
    struct building *P = arg;
    struct chunk none = { 0 };
    struct arena_lane bins; /* empty: pages are cut where they were placed */
    arena_lane_init(&bins);
    struct lane L = { .G = P->G,
                      .S = &P->G->shape,
                      .core = P->C,
                      .bins = &bins,
                      .chunk = &none,
                      .epoch = P->epoch,
                      .twig = P->twig + i * P->twig_room };
    const size_t pages = bits_div_up(P->n, PAGE_VERTICES);
    const size_t offset = P->C->table.layout.slots[P->side];
    for (;;) {
        const size_t lo = FILL_PAGES * atomic_fetch_add_explicit(
                                           &P->next, 1, memory_order_relaxed);
        for (size_t p = lo; p < lo + FILL_PAGES && p < pages; p++) {
            if (P->dir[p] == NO_PAGE)
                continue;
            char *page = P->side == OUT ? fill_page(P, (uint32_t)p)
                                        : table_page(&P->C->table, P->dir[p]);
            struct slot *s = (struct slot *)(void *)(page + offset);
            bins.at = P->aside[p];
            bins.end = P->aside[p + 1];
            for (uint32_t j = 0; j < PAGE_VERTICES; j++)
                if (p * PAGE_VERTICES + j < P->n)
                    fill_vertex(P, &L, &s[j], (hy_vid)(p * PAGE_VERTICES + j));
        }
        if (lo + FILL_PAGES >= pages)
            return;
    }
}

/* What the graph will hold besides the blocks: a core takes another's place. */
static uint64_t bytes_beside(const struct building *P)
{
    hy_graph *const G = P->G;
    const uint64_t dir = bits_div_up(P->n, PAGE_VERTICES) * sizeof *P->dir;
    return graph_bytes(G) - core_bytes(G->core) - G->dir_room * sizeof *G->dir +
           core_bytes(P->C) - arena_bytes(&P->C->arena) + dir;
}

/* Units that the side takes, those in the way of a scan first; places and
 * what lies aside are told from 0 on. */
static uint64_t measure(struct building *P, uint64_t *near)
{
    hy_ctx *const ctx = P->G->ctx;
    const size_t pages = bits_div_up(P->n, PAGE_VERTICES);
    atomic_store(&P->max_leaves, 0);
    par_for(ctx, P->n, 1 << 14, measure_par, P);
    *near = par_scan(ctx, P->place, P->n);
    P->aside[pages] = 0;
    return *near + par_scan(ctx, P->aside, pages + 1);
}

static bool is_over_cap(const struct building *P, uint64_t units)
{
    const uint64_t bytes = (atomic_load(&P->C->arena.top) + units) * UNIT;
    return P->cap && bytes + bytes_beside(P) > P->cap;
}

static hy_status fill_side(struct building *P)
{
    hy_graph *G = P->G;
    struct arena *A = &P->C->arena;
    const size_t width = par_width(G->ctx);
    const uint64_t top = atomic_load(&A->top);
    const size_t pages = bits_div_up(P->n, PAGE_VERTICES);
    uint64_t near;
    atomic_store(&P->next, 0);
    choose_spare(P);
    uint64_t units = measure(P, &near);
    if (P->spare && is_over_cap(P, units)) {
        P->spare = false;
        units = measure(P, &near);
    }
    if (is_over_cap(P, units))
        return base_fail(HY_ENOMEM, "the memory cap is reached");
    for (uint64_t u = 0; u < P->n; u++)
        P->place[u] += top;
    for (uint64_t i = 0; i <= pages; i++)
        P->aside[i] += top + near;
    const uint64_t bytes = (top + units) * UNIT;
    HY_TRY(base_space_grow(G->ctx, &A->space, bytes));
    P->twig_room = atomic_load(&P->max_leaves);
    P->twig = base_alloc_raw(G->ctx, width * P->twig_room, sizeof *P->twig);
    if (!P->twig)
        return HY_ENOMEM;
    atomic_store(&A->top, top + units);
    par_run(G->ctx, width, fill_par, P);
    base_free(G->ctx, P->twig);
    return HY_OK;
}

/* ---- 4 adopt ------------------------------------------------------------- */

/* A page for every 64 vertices, but where the version has none. */
static hy_status lay_pages(struct building *P)
{
    hy_graph *G = P->G;
    struct table *T = &P->C->table;
    const size_t pages = bits_div_up(P->n, PAGE_VERTICES);
    HY_TRY(table_reserve(G->ctx, T, pages));
    for (size_t i = 0; i < pages; i++) {
        const bool is_needed = !P->from || P->from->dir[i] != NO_PAGE;
        P->dir[i] = is_needed ? table_take(T, P->epoch, false) : NO_PAGE;
    }
    return HY_OK;
}

static hy_status build_sides(struct building *P, const struct rows *out,
                             const struct rows *in)
{
    HY_TRY(lay_pages(P));
    P->R = out;
    P->side = OUT;
    HY_TRY(fill_side(P));
    if (in) {
        P->R = in;
        P->side = IN;
        HY_TRY(fill_side(P));
    }
    P->C->built_units = atomic_load(&P->C->arena.top);
    return HY_OK;
}

static hy_status build(struct building *P, const struct rows *out,
                       const struct rows *in, struct built *to)
{
    hy_ctx *ctx = P->G->ctx;
    const size_t pages = bits_div_up(P->n, PAGE_VERTICES);
    hy_status status = core_new(P->G, in != NULL, &P->C);
    if (status == HY_OK) {
        P->place = base_alloc_raw(ctx, P->n, sizeof *P->place);
        P->aside = base_alloc_raw(ctx, pages + 1, sizeof *P->aside);
        P->dir = base_alloc_raw(ctx, pages, sizeof *P->dir);
        status = P->place && P->aside && P->dir ? build_sides(P, out, in)
                                                : HY_ENOMEM;
    }
    base_free(ctx, P->place);
    base_free(ctx, P->aside);
    if (status != HY_OK) {
        base_free(ctx, P->dir);
        core_release(ctx, P->C);
        return status;
    }
    *to = (struct built){ .core = P->C, .dir = P->dir, .pages = pages };
    return HY_OK;
}

hy_status build_core(hy_graph *G, uint64_t n, const struct rows *out,
                     const struct rows *in, bool alive)
{
    struct building P = {
        .G = G,
        .n = n,
        .from = alive ? NULL : out->V,
        .epoch = version_epoch(G),
        .cap = G->cap,
    };
    struct built B;
    HY_TRY(build(&P, out, in, &B));
    graph_adopt(G, B.core, B.dir, B.pages);
    G->now.scattered = false;
    G->now.as_built = true;
    G->lines = 0;
    return HY_OK;
}

hy_status build_copy(const hy_view *V, struct built *to)
{
    struct building P = { .G = V->graph, .n = V->bound, .from = V, .epoch = 1 };
    const struct rows out = { .V = V, .side = OUT };
    const struct rows in = { .V = V, .side = IN };
    return build(&P, &out, V->reverse ? &in : NULL, to);
}

/* ---- rebalance ----------------------------------------------------------- */

static hy_status rebuild(hy_graph *G)
{
    const struct rows out = { .V = &G->now, .side = OUT };
    const struct rows in = { .V = &G->now, .side = IN };
    return build_core(G, G->now.bound, &out, G->now.reverse ? &in : NULL,
                      false);
}

hy_status hy_graph_rebalance(hy_graph *G)
{
    if (!G)
        return base_fail(HY_EINVAL, "no graph");
    (void)version_begin(G);
    const hy_status status = rebuild(G);
    if (status == HY_OK)
        work_fini(G);
    version_end(G, false);
    return status;
}

/* When to compact: the arena is larger than 3/2 of what a build would take,
 * and so many lines came since the last time that the work is theirs. */
enum {
    COMPACT_LEAST = 1 << 12, /* units: smaller graphs are left alone */
    COMPACT_LINES = 4,       /* arcs that a line pays for */
    SCATTERED = 64           /* a line for so many arcs moves blocks about */
};

/* Units that a build would take, about. */
static uint64_t units_built(const hy_graph *G)
{
    const struct shape *S = &G->shape;
    const uint64_t sides = G->now.reverse ? 2 : 1;
    uint64_t entries = G->now.arcs;
    if (S->slack == HY_SLACK_RATIO)
        entries += entries * S->slack_amount / 100;
    if (S->slack == HY_SLACK_EVEN)
        entries += G->now.vertices * S->slack_amount;
    const uint64_t blocks =
        G->now.vertices < entries ? G->now.vertices : entries;
    return sides * (entries * S->width + blocks * UNIT / 2) / UNIT;
}

void build_note(hy_graph *G, size_t lines)
{
    G->lines += lines;
    G->now.as_built &= lines == 0;
    G->now.scattered |= G->lines > G->now.arcs / SCATTERED;
}

void build_compact(hy_graph *G)
{
    const struct arena *A = &G->core->arena;
    const uint64_t top = atomic_load_explicit(&A->top, memory_order_relaxed);
    if (HY_LIKELY(G->keep_memory || top < COMPACT_LEAST ||
                  G->lines < G->now.arcs / COMPACT_LINES ||
                  top < units_built(G) / 2 * 3))
        return;
    /* A view that holds the old core would make it cost memory: once there is
     * none. */
    const bool is_held = version_begin(G) != 0;
    if (!is_held) {
        G->compactions += rebuild(G) == HY_OK;
        G->lines = 0;
    }
    version_end(G, false);
}
