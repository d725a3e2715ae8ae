/* Reading a version: questions about vertices and edges, walks over spans. */
#include "store/graph.h"
#include "store/hub.h"

#include "par/par.h"

/* ---- what it is --------------------------------------------------------- */

const hy_view *hy_graph_now(const hy_graph *G)
{
    return &G->now;
}

uint64_t hy_view_version(const hy_view *V)
{
    return V->version;
}

hy_vid hy_view_bound(const hy_view *V)
{
    return V->bound;
}

uint64_t hy_view_vertices(const hy_view *V)
{
    return V->vertices;
}

uint64_t hy_view_edges(const hy_view *V)
{
    return V->edges;
}

uint64_t hy_view_arcs(const hy_view *V)
{
    return V->arcs;
}

bool hy_view_is_undirected(const hy_view *V)
{
    return V->shape->undirected;
}

bool hy_view_has_reverse(const hy_view *V)
{
    return V->shape->undirected || V->reverse;
}

/* ---- columns ------------------------------------------------------------ */

static hy_column column_of(const struct shape_record *R, uint32_t i)
{
    if (i >= R->n)
        return (hy_column){ 0 };
    return (hy_column){ .name = R->field[i].name, .type = R->field[i].type };
}

uint32_t hy_view_edge_columns(const hy_view *V)
{
    return V->shape->edge.n;
}

hy_column hy_view_edge_column(const hy_view *V, uint32_t column)
{
    return column_of(&V->shape->edge, column);
}

uint32_t hy_view_find_edge_column(const hy_view *V, const char *name)
{
    for (uint32_t i = 0; i < V->shape->edge.n; i++)
        if (strcmp(V->shape->edge.field[i].name, name) == 0)
            return i;
    return HY_NONE;
}

uint32_t hy_view_vertex_columns(const hy_view *V)
{
    return V->shape->vertex.n;
}

hy_column hy_view_vertex_column(const hy_view *V, uint32_t column)
{
    return column_of(&V->shape->vertex, column);
}

size_t hy_view_edge_record_size(const hy_view *V)
{
    return V->shape->edge.size;
}

size_t hy_view_vertex_record_size(const hy_view *V)
{
    return V->shape->vertex.size;
}

/* ---- vertices ----------------------------------------------------------- */

static const struct slot *alive_slot(const hy_view *V, enum side side, hy_vid u)
{
    if (u >= V->bound)
        return NULL;
    const struct slot *s = view_slot(V, OUT, u);
    if (!s || !slot_is_alive(s))
        return NULL;
    return side == OUT ? s : view_slot(V, IN, u);
}

bool hy_view_has_vertex(const hy_view *V, hy_vid u)
{
    return alive_slot(V, OUT, u) != NULL;
}

static uint32_t degree_of(const hy_view *V, enum side side, hy_vid u)
{
    const struct slot *s = alive_slot(V, side, u);
    return s ? s->degree : 0;
}

uint32_t hy_view_degree(const hy_view *V, hy_vid u)
{
    return degree_of(V, OUT, u);
}

uint32_t hy_view_in_degree(const hy_view *V, hy_vid u)
{
    return hy_view_has_reverse(V)
               ? degree_of(V, V->shape->undirected ? OUT : IN, u)
               : 0;
}

bool hy_view_vertex_values(const hy_view *V, hy_vid u, void *record)
{
    if (!alive_slot(V, OUT, u))
        return false;
    const char *page = view_page(V, u);
    for (uint32_t i = 0; i < V->shape->vertex.n; i++) {
        const struct shape_field *f = &V->shape->vertex.field[i];
        const char *column = page + V->core->table.layout.column[i];
        memcpy((char *)record + f->offset,
               column + (size_t)(u % PAGE_VERTICES) * f->width, f->width);
    }
    return true;
}

uint64_t hy_view_external(const hy_view *V, hy_vid u)
{
    if (!V->shape->mapped || !alive_slot(V, OUT, u))
        return u;
    uint64_t external;
    memcpy(&external,
           view_page(V, u) + V->core->table.layout.external +
               (size_t)(u % PAGE_VERTICES) * sizeof external,
           sizeof external);
    return external;
}

static bool is_vertex_of(const hy_view *V, hy_vid u, uint64_t external)
{
    return hy_view_has_vertex(V, u) && hy_view_external(V, u) == external;
}

hy_vid hy_view_find(const hy_view *V, uint64_t external)
{
    if (!V->shape->mapped) {
        const bool is =
            external < V->bound && hy_view_has_vertex(V, (hy_vid)external);
        return is ? (hy_vid)external : HY_NONE;
    }
    hy_graph *G = V->graph;
    par_lock_acquire(&G->lock);
    const hy_vid u = ids_find(&G->ids, external);
    const bool is_newest = G->now.version == V->version && !G->writing;
    par_lock_release(&G->lock);
    if (is_vertex_of(V, u, external))
        return u;
    if (is_newest)
        return HY_NONE;
    for (hy_vid old = 0; old < V->bound; old++)
        if (is_vertex_of(V, old, external))
            return old;
    return HY_NONE;
}

/* ---- edges -------------------------------------------------------------- */

struct found {
    const char *block;
    uint32_t room, i;
};

static bool find_in(const hy_view *V, const char *block, uint32_t room,
                    uint32_t n, struct spread even, hy_vid v, struct found *f)
{
    const uint32_t i = block_search(V->shape, block, 0, n, v, even);
    *f = (struct found){ .block = block, .room = room, .i = i };
    return i < n && block_id(V->shape, block, i) == v;
}

static bool find(const hy_view *V, hy_vid u, hy_vid v, struct found *f)
{
    const struct slot *s = alive_slot(V, OUT, u);
    if (!s || !s->degree)
        return false;
    if (!slot_is_hub(s)) {
        struct spread even = { 0 };
        if (s->degree > SEARCH_FEW) /* else nobody guesses */
            even = spread_of(0, V->bound);
        return find_in(V, view_block(V, slot_at(s)),
                       shape_room(V->shape, slot_units(s)), s->degree, even, v,
                       f);
    }
    uint64_t end = V->bound;
    const struct twig t =
        hub_leaf(V->blocks, slot_at(s), slot_units(s), v, &end);
    return find_in(V, view_block(V, t.at), V->shape->page_room, t.count,
                   spread_of(t.first, end), v, f);
}

bool hy_view_has_edge(const hy_view *V, hy_vid u, hy_vid v)
{
    struct found f;
    return find(V, u, v, &f);
}

bool hy_view_edge_values(const hy_view *V, hy_vid u, hy_vid v, void *record)
{
    struct found f;
    if (!find(V, u, v, &f))
        return false;
    block_get(V->shape, f.block, f.room, f.i, record);
    return true;
}

/* ---- spans -------------------------------------------------------------- */

/* The twigs from the i-th on that lie in one piece: full pages side by side,
 * and the one after them.  Returns the last of them. */
static uint32_t run_of(const struct branch *B, uint32_t i, uint32_t full,
                       uint32_t *count)
{
    while (B->count[i] == full && i + 1 < B->n &&
           B->at[i + 1] == B->at[i] + PAGE_UNITS)
        *count += B->count[++i];
    return i;
}

enum {
    LEAF_LINES = 8, /* of the second leaf: many who begin do not go on */
    AHEAD_LEAVES = 2
};

/* Lines of a leaf that hold its ids. */
static uint32_t leaf_lines(const hy_view *V)
{
    return (V->shape->page_room * V->shape->lane[0].width + 63) / 64;
}

/* Inline, as a function that only asks is left out by gcc: it has no effect
 * that it knows of. */
HY_INLINE void ask_leaf(const hy_view *V, uint64_t at, uint32_t lines)
{
    const char *const leaf = arena_block(V->blocks, at);
    for (uint32_t l = 0; l < lines; l++)
        HY_PREFETCH(leaf + l * 64);
}

/* Leaves lie anywhere after changes.  Twigs i to `last` of B are at hand; those
 * that lie behind them in one piece need not be asked for. */
HY_INLINE void ask_leaves(const hy_view *V, const struct branch *B, uint32_t i,
                          uint32_t last)
{
    const uint32_t lines = leaf_lines(V);
    if (i == 0) {
        if (last + 1 < B->n)
            ask_leaf(V, B->at[last + 1],
                     lines < LEAF_LINES ? lines : LEAF_LINES);
        return;
    }
    uint32_t next = i == 1 ? last + 1 : last + AHEAD_LEAVES;
    for (; next <= last + AHEAD_LEAVES && next < B->n; next++)
        ask_leaf(V, B->at[next], lines);
}

/* Where a walk over the leaves of a hub stands: the index at each level,
 * root first, 8 bits each. */
typedef uint64_t hub_path;

/* The leaf at `path` and those that follow it in one piece, as one twig; a
 * full leaf leaves no gap behind it where ids are all there is.  *next is the
 * path of the leaf after them, 0 if there is none; the first path is 0. */
static struct twig hub_walk(const hy_view *V, const struct slot *s,
                            hub_path path, hub_path *next)
{
    const uint32_t levels = slot_units(s);
    const struct branch *B = hub_branch(V->blocks, slot_at(s));
    hub_path up = 0; /* the next path if all deeper levels are at their end */
    for (uint32_t level = 0;; level++) {
        const unsigned shift = 8 * level;
        const uint32_t i = (path >> shift) & 0xff;
        struct twig t = branch_twig(B, i);
        const uint32_t last =
            level == levels ? run_of(B, i, V->shape->page_run, &t.count) : i;
        if (last + 1 < B->n)
            up = (path & (((uint64_t)1 << shift) - 1)) | (uint64_t)(last + 1)
                                                             << shift;
        if (level == levels) {
            ask_leaves(V, B, i, last);
            *next = up;
            return t;
        }
        B = hub_branch(V->blocks, B->at[i]);
    }
}

/* What hy_span.path says beside the hub_path: which side.  A path of 0 is
 * "no next span": the first leaf is never next. */
#define PATH_IN ((uint64_t)1 << 63)

static uint32_t step_of(const hy_view *V)
{
    return V->shape->lane[0].width / (uint32_t)sizeof(hy_vid);
}

static hy_span span_of(const hy_view *V, hy_vid u, uint64_t at, uint32_t units,
                       uint32_t n)
{
    return (hy_span){
        .v = (const hy_vid *)(const void *)view_block(V, at),
        .n = n,
        .step = step_of(V),
        .u = u,
        .units = units,
    };
}

static hy_span hub_span(const hy_view *V, const struct slot *s, hy_vid u,
                        enum side side, hub_path path)
{
    hub_path next;
    const struct twig t = hub_walk(V, s, path, &next);
    hy_span span = span_of(V, u, t.at, PAGE_UNITS, t.count);
    span.path = next ? next | (side == IN ? PATH_IN : 0) : 0;
    return span;
}

static hy_span first_span(const hy_view *V, enum side side, hy_vid u)
{
    const struct slot *s = alive_slot(V, side, u);
    if (!s || !s->degree)
        return (hy_span){ .u = u };
    if (slot_is_hub(s))
        return hub_span(V, s, u, side, 0);
    return span_of(V, u, slot_at(s), slot_units(s), s->degree);
}

hy_span hy_span_out(const hy_view *V, hy_vid u)
{
    return first_span(V, OUT, u);
}

hy_span hy_span_in(const hy_view *V, hy_vid u)
{
    if (!hy_view_has_reverse(V))
        return (hy_span){ .u = u };
    return first_span(V, V->shape->undirected ? OUT : IN, u);
}

void hy_span_follow(const hy_view *V, hy_span *s)
{
    const enum side side = s->path & PATH_IN ? IN : OUT;
    *s = hub_span(V, view_slot(V, side, s->u), s->u, side, s->path & ~PATH_IN);
}

const void *hy_span_column(const hy_view *V, const hy_span *s, uint32_t column,
                           size_t *step)
{
    const struct shape *S = V->shape;
    if (column >= S->edge.n)
        return NULL;
    const struct shape_field *f = &S->edge.field[column];
    const size_t room = shape_room(S, s->units);
    *step = S->lane[f->lane].width;
    return (const char *)s->v + S->lane[f->lane].lead * room + f->within;
}

/* ---- walks over many vertices ------------------------------------------- */

_Static_assert(sizeof(struct hy_scan_slot) == sizeof(struct slot) &&
                   HY_SCAN_HUB == SLOT_HUB && PAGE_VERTICES == 64,
               "hy_scan_next reads slots as they are");

static hy_scan scan_of(const hy_view *V, hy_vid lo, hy_vid hi, bool in)
{
    hi = hi < V->bound ? hi : V->bound;
    lo = lo < hi ? lo : hi;
    return (hy_scan){ .V = V,
                      .blocks = V->blocks,
                      .turn = lo,
                      .end = hi,
                      .in = in,
                      .span = { .step = step_of(V) } };
}

hy_scan hy_scan_out(const hy_view *V, hy_vid lo, hy_vid hi)
{
    return scan_of(V, lo, hi, false);
}

hy_scan hy_scan_in(const hy_view *V, hy_vid lo, hy_vid hi)
{
    return scan_of(V, lo, hy_view_has_reverse(V) ? hi : lo,
                   !V->shape->undirected);
}

/* The end of the page of u, or of the walk. */
static hy_vid end_of_page(hy_vid u, hy_vid end)
{
    const uint64_t next = ((uint64_t)u / PAGE_VERTICES + 1) * PAGE_VERTICES;
    return next < end ? (hy_vid)next : end;
}

/* The end of the vertices from `first` on whose slots lie in one piece: of a
 * page or, if pages hold nothing else, of pages side by side. */
static hy_vid end_of_slots(const hy_view *V, hy_vid first, hy_vid end)
{
    size_t i = first / PAGE_VERTICES;
    const size_t pages = bits_div_up(end, PAGE_VERTICES);
    const bool is_bare = V->page_bytes == PAGE_VERTICES * sizeof(struct slot);
    while (is_bare && i + 1 < pages && V->dir[i + 1] == V->dir[i] + 1)
        i++;
    const uint64_t stop = (uint64_t)(i + 1) * PAGE_VERTICES;
    return stop < end ? (hy_vid)stop : end;
}

/* Vertices whose blocks are asked for at a time, and how far ahead, within
 * slots that lie in one piece. */
enum { GROUP = 32, AHEAD = 16 };

static bool is_hub(const struct hy_scan_slot *s)
{
    return HY_UNLIKELY(s->where & HY_SCAN_HUB);
}

/* The ids of a block, as what the processor sees coming by itself it forgets
 * at the end of each block; three lines without a branch, as nobody can tell
 * how many there are.  (Of a vertex without neighbours something that is there
 * anyhow; of blocks that do not begin with a line one line may be left out.)
 * Of a hub what a walk looks at in its root. */
HY_INLINE void ask_block(const hy_view *V, const struct hy_scan_slot *s)
{
    const char *at = view_block(V, s->where & HY_SCAN_ADDRESS);
    if (is_hub(s)) {
        const struct branch *root = (const void *)at;
        HY_PREFETCH(root);
        HY_PREFETCH(root->count);
        HY_PREFETCH(root->at);
        return;
    }
    const char *const last =
        at + (size_t)s->degree * V->shape->lane[0].width - 1;
    HY_PREFETCH(at);
    HY_PREFETCH(at + 64 < last ? at + 64 : last);
    HY_PREFETCH(last);
    for (at += 128; HY_UNLIKELY(at < last - 63); at += 128) {
        HY_PREFETCH(at);
        HY_PREFETCH(at + 64);
    }
}

HY_INLINE void ask_blocks(const hy_view *V, const struct hy_scan_slot *s,
                          const struct hy_scan_slot *end)
{
    for (; s < end; s++)
        ask_block(V, s);
}

/* The first leaf of each hub of a group, or the first branch if there are some
 * below the root.  Half of the roots were asked for before; to ask for all of
 * them that early was slower. */
HY_INLINE void ask_first_leaves(const hy_view *V, const struct hy_scan_slot *s,
                                const struct hy_scan_slot *end)
{
    for (; s < end; s++)
        if (is_hub(s))
            ask_leaf(V,
                     hub_branch(V->blocks, s->where & HY_SCAN_ADDRESS)->at[0],
                     leaf_lines(V));
}

static const struct hy_scan_slot *at_most(const struct hy_scan_slot *s,
                                          ptrdiff_t n,
                                          const struct hy_scan_slot *end)
{
    return end - s > n ? s + n : end;
}

const struct hy_scan_slot *hy_scan_ask(const hy_view *V,
                                       const struct hy_scan_slot *slot,
                                       const struct hy_scan_slot *slots)
{
    const struct hy_scan_slot *const stop = at_most(slot, GROUP, slots);
    ask_first_leaves(V, slot, stop);
    ask_blocks(V, at_most(slot, AHEAD, slots), at_most(stop, AHEAD, slots));
    return stop;
}

void hy_scan_turn(hy_scan *scan)
{
    const hy_view *V = scan->V;
    const hy_vid first = scan->turn;
    const struct slot *slots = view_slot(V, scan->in ? IN : OUT, first);
    if (!slots) { /* nobody was ever there */
        scan->turn = end_of_page(first, scan->end);
        return;
    }
    scan->turn = end_of_slots(V, first, scan->end);
    scan->slot = (const struct hy_scan_slot *)(const void *)slots;
    scan->slots = scan->slot + (scan->turn - first);
    scan->stop = V->scattered ? scan->slot : scan->slots;
    if (V->scattered)
        ask_blocks(V, scan->slot, at_most(scan->slot, AHEAD, scan->slots));
}

/* After a load the next hub's root is two pages on: its last leaf, itself
 * (build.c).  It may be anywhere later; then this is in vain. */
HY_INLINE void prefetch_next_root(const struct branch *root)
{
    const char *next = (const char *)root + 2 * (size_t)PAGE_BYTES;
    HY_PREFETCH(next);
    HY_PREFETCH(next + offsetof(struct branch, count));
    HY_PREFETCH(next + offsetof(struct branch, at));
}

void hy_scan_hub(hy_scan *scan)
{
    const enum side side = scan->in ? IN : OUT;
    const hy_vid u = scan->span.u;
    const hy_view *V = scan->V;
    const struct slot *s = view_slot(V, side, u);
    const struct branch *root = hub_branch(V->blocks, slot_at(s));
    if (!V->scattered)
        prefetch_next_root(root);
    else if (root->n > 1)
        ask_leaf(V, root->at[1], leaf_lines(V)); /* a scan goes on */
    scan->span = hub_span(V, s, u, side, 0);
}
