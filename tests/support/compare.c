/* The model against a view: everything that can be asked. */
#include "model.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

/* One neighbour that a view must show. */
struct want {
    hy_vid v;
    const struct record *values;
};

/* All adjacencies of one side, by the library's ids. */
struct flat {
    uint64_t *start; /* bound + 1 */
    struct want *at;
};

struct comparison {
    const struct model *M;
    const hy_view *V;
    struct why *why;
    hy_vid bound;
    uint32_t *slot_of; /* by vid; HY_NONE: no vertex */
    struct flat out, in;
};

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

/* ---- what is wanted --------------------------------------------------- */

static int want_order(const void *a, const void *b)
{
    const hy_vid x = ((const struct want *)a)->v;
    const hy_vid y = ((const struct want *)b)->v;
    return (x > y) - (x < y);
}

static const struct entries *side(const struct model *M, uint32_t slot, bool in)
{
    return in && !M->is_undirected ? &M->slot[slot].in : &M->slot[slot].out;
}

static void flat_init(struct flat *F, const struct comparison *C, bool in)
{
    const struct model *M = C->M;
    uint64_t n = 0;
    F->start = must(malloc(((size_t)C->bound + 1) * sizeof *F->start));
    F->at = must(malloc((size_t)(model_arcs(M) + 1) * sizeof *F->at));
    for (hy_vid u = 0; u < C->bound; u++) {
        F->start[u] = n;
        if (C->slot_of[u] == HY_NONE)
            continue;
        const struct entries *L = side(M, C->slot_of[u], in);
        for (uint32_t i = 0; i < L->n; i++)
            F->at[n++] =
                (struct want){ M->slot[L->at[i].slot].vid, &L->at[i].values };
        if (M->is_mapped)
            qsort(F->at + F->start[u], n - F->start[u], sizeof *F->at,
                  want_order);
    }
    F->start[C->bound] = n;
}

static bool map_slots(struct comparison *C)
{
    const struct model *M = C->M;
    C->slot_of = must(malloc(((size_t)C->bound + 1) * sizeof(uint32_t)));
    for (hy_vid u = 0; u < C->bound; u++)
        C->slot_of[u] = HY_NONE;
    for (uint32_t s = 0; s < M->n; s++) {
        const hy_vid u = M->slot[s].vid;
        if (!M->slot[s].is_alive)
            continue;
        if (u >= C->bound || C->slot_of[u] != HY_NONE)
            return why_not(C->why, "id %u past %u or given twice", u, C->bound);
        C->slot_of[u] = s;
    }
    return true;
}

/* ---- sizes and columns ------------------------------------------------ */

static bool same(struct comparison *C, const char *what, uint64_t want,
                 uint64_t have)
{
    return want == have || why_not(C->why, "%s: want %llu, have %llu", what,
                                   (ull)want, (ull)have);
}

static bool compare_sizes(struct comparison *C)
{
    const struct model *M = C->M;
    const hy_view *V = C->V;
    return same(C, "bound", M->bound, hy_view_bound(V)) &&
           same(C, "vertices", M->vertices, hy_view_vertices(V)) &&
           same(C, "edges", M->edges, hy_view_edges(V)) &&
           same(C, "arcs", model_arcs(M), hy_view_arcs(V)) &&
           same(C, "undirected", M->is_undirected, hy_view_is_undirected(V)) &&
           same(C, "reverse", M->has_reverse, hy_view_has_reverse(V)) &&
           same(C, "edge columns", M->edge.n, hy_view_edge_columns(V)) &&
           same(C, "vertex columns", M->vertex.n, hy_view_vertex_columns(V)) &&
           same(C, "edge record", M->edge.size, hy_view_edge_record_size(V)) &&
           same(C, "vertex record", M->vertex.size,
                hy_view_vertex_record_size(V));
}

static bool is_column(const hy_column *want, hy_column have)
{
    return want->type == have.type && strcmp(want->name, have.name) == 0;
}

static bool compare_columns(struct comparison *C)
{
    const struct model *M = C->M;
    for (uint32_t i = 0; i < M->edge.n; i++)
        if (!is_column(&M->edge.column[i], hy_view_edge_column(C->V, i)) ||
            hy_view_find_edge_column(C->V, M->edge.column[i].name) != i)
            return why_not(C->why, "edge column %u", i);
    for (uint32_t i = 0; i < M->vertex.n; i++)
        if (!is_column(&M->vertex.column[i], hy_view_vertex_column(C->V, i)))
            return why_not(C->why, "vertex column %u", i);
    return hy_view_find_edge_column(C->V, "no such") == HY_NONE ||
           why_not(C->why, "found a column that is not there");
}

/* ---- vertices --------------------------------------------------------- */

/* A place for a record that tells whether it was overrun. */
struct guarded {
    unsigned char at[RECORD_MAX + 8];
};

enum { GUARD = 0xa5 };

static void guard(struct guarded *g)
{
    memset(g->at, GUARD, sizeof g->at);
}

static bool is_untouched(const struct guarded *g, size_t from)
{
    for (size_t i = from; i < sizeof g->at; i++)
        if (g->at[i] != GUARD)
            return false;
    return true;
}

static bool compare_absent(struct comparison *C, hy_vid u)
{
    const hy_view *V = C->V;
    struct guarded got;
    guard(&got);
    if (hy_view_has_vertex(V, u) || hy_view_degree(V, u) ||
        hy_view_in_degree(V, u) || hy_span_out(V, u).n || hy_span_in(V, u).n ||
        hy_view_has_edge(V, u, u) || hy_view_edge_values(V, u, 0, got.at) ||
        hy_view_vertex_values(V, u, got.at))
        return why_not(C->why, "%u is no vertex, but shows something", u);
    return is_untouched(&got, 0) ||
           why_not(C->why, "a record of the absent %u was written", u);
}

static bool compare_vertex_values(struct comparison *C, hy_vid u)
{
    const struct layout *L = &C->M->vertex;
    struct guarded got;
    guard(&got);
    if (!hy_view_vertex_values(C->V, u, got.at))
        return why_not(C->why, "vertex %u has no values", u);
    const struct record have = layout_read(L, got.at);
    if (!record_equal(&have, &C->M->slot[C->slot_of[u]].values))
        return why_not(C->why, "values of vertex %u differ", u);
    return is_untouched(&got, L->size) ||
           why_not(C->why, "the record of vertex %u is too long", u);
}

static bool compare_vertex(struct comparison *C, hy_vid u)
{
    const uint64_t external = C->M->slot[C->slot_of[u]].external;
    const uint64_t degree = C->out.start[u + 1] - C->out.start[u];
    const uint64_t in_degree = C->in.start[u + 1] - C->in.start[u];
    if (!hy_view_has_vertex(C->V, u))
        return why_not(C->why, "vertex %u is not there", u);
    if (hy_view_external(C->V, u) != external)
        return why_not(C->why, "external id of %u", u);
    if (hy_view_find(C->V, external) != u)
        return why_not(C->why, "external id %llu is not found", (ull)external);
    return same(C, "degree", degree, hy_view_degree(C->V, u)) &&
           same(C, "in-degree", C->M->has_reverse ? in_degree : 0,
                hy_view_in_degree(C->V, u)) &&
           compare_vertex_values(C, u);
}

static bool compare_vertices(struct comparison *C)
{
    for (hy_vid u = 0; u < C->bound; u++)
        if (C->slot_of[u] == HY_NONE ? !compare_absent(C, u)
                                     : !compare_vertex(C, u))
            return false;
    return compare_absent(C, C->bound) && compare_absent(C, C->bound + 64) &&
           compare_absent(C, HY_NONE - 1) && compare_absent(C, HY_NONE);
}

/* ---- adjacencies ------------------------------------------------------ */

/* Column by column, the i-th entry of a span. */
static bool compare_entry(struct comparison *C, const hy_span *s, uint32_t i,
                          const struct want *want)
{
    const struct layout *L = &C->M->edge;
    if (s->v[(size_t)i * s->step] != want->v)
        return why_not(C->why, "neighbour of %u: want %u, have %u", s->u,
                       want->v, s->v[(size_t)i * s->step]);
    for (uint32_t c = 0; c < L->n; c++) {
        size_t step = 0;
        const unsigned char *column = hy_span_column(C->V, s, c, &step);
        if (memcmp(column + i * step, want->values->at + L->offset[c],
                   hy_type_width(L->column[c].type)) != 0)
            return why_not(C->why, "column %u of edge %u-%u", c, s->u, want->v);
    }
    return true;
}

/* The span's entries are the next ones wanted; steps over them. */
static bool compare_span(struct comparison *C, const hy_span *s,
                         const struct want **next, const struct want *end)
{
    if ((uint64_t)(end - *next) < s->n)
        return why_not(C->why, "%u has neighbours too many", s->u);
    if (s->step < 1)
        return why_not(C->why, "a span of %u has no step", s->u);
    for (uint32_t i = 0; i < s->n; i++)
        if (!compare_entry(C, s, i, (*next)++))
            return false;
    return true;
}

static bool compare_spans(struct comparison *C, const struct flat *F, hy_vid u,
                          bool in)
{
    const struct want *next = F->at + F->start[u];
    const struct want *end = F->at + F->start[u + 1];
    hy_span s = in ? hy_span_in(C->V, u) : hy_span_out(C->V, u);
    for (; s.n != 0; hy_span_next(C->V, &s))
        if (s.u != u)
            return why_not(C->why, "a span of %u says it is of %u", u, s.u);
        else if (!compare_span(C, &s, &next, end))
            return false;
    return next == end ||
           why_not(C->why, "%u lacks neighbours (%s)", u, in ? "in" : "out");
}

static bool compare_scan(struct comparison *C, const struct flat *F, bool in,
                         hy_vid lo, hy_vid hi)
{
    const struct want *next = F->at + F->start[lo];
    hy_vid last = lo;
    hy_scan scan = (in ? hy_scan_in : hy_scan_out)(C->V, lo, hi);
    while (hy_scan_next(&scan)) {
        const hy_span *const s = &scan.span;
        if (s->u < last || s->u >= hi)
            return why_not(C->why, "a scan shows %u after %u", s->u, last);
        last = s->u;
        if (s->n == 0)
            continue;
        if (next < F->at + F->start[last])
            return why_not(C->why, "a scan lost neighbours before %u", last);
        if (!compare_span(C, s, &next, F->at + F->start[last + 1]))
            return false;
    }
    return next == F->at + F->start[hi] ||
           why_not(C->why, "a scan from %u to %u ends early", lo, hi);
}

static bool compare_side(struct comparison *C, const struct flat *F, bool in,
                         uint64_t *rng)
{
    for (hy_vid u = 0; u < C->bound; u++)
        if (!compare_spans(C, F, u, in))
            return false;
    const hy_vid lo = (hy_vid)rng_below(rng, (uint64_t)C->bound + 1);
    const hy_vid hi = (hy_vid)rng_range(rng, lo, C->bound);
    return compare_scan(C, F, in, 0, C->bound) &&
           compare_scan(C, F, in, lo, hi);
}

/* ---- single edges ----------------------------------------------------- */

static bool compare_edge_values(struct comparison *C, hy_vid u,
                                const struct want *want)
{
    struct guarded got;
    guard(&got);
    if (!hy_view_has_edge(C->V, u, want->v) ||
        !hy_view_edge_values(C->V, u, want->v, got.at))
        return why_not(C->why, "edge %u-%u is not found", u, want->v);
    const struct record have = layout_read(&C->M->edge, got.at);
    if (!record_equal(&have, want->values))
        return why_not(C->why, "values of edge %u-%u differ", u, want->v);
    return is_untouched(&got, C->M->edge.size) ||
           why_not(C->why, "the record of edge %u-%u is too long", u, want->v);
}

static bool compare_edges(struct comparison *C)
{
    for (hy_vid u = 0; u < C->bound; u++)
        for (uint64_t i = C->out.start[u]; i < C->out.start[u + 1]; i++)
            if (!compare_edge_values(C, u, &C->out.at[i]))
                return false;
    return true;
}

static bool is_wanted(const struct comparison *C, hy_edge e)
{
    if (e.u >= C->bound || e.v >= C->bound || C->slot_of[e.u] == HY_NONE ||
        C->slot_of[e.v] == HY_NONE)
        return false;
    return model_edge(C->M, C->slot_of[e.u], C->slot_of[e.v]) != NULL;
}

/* Random questions, some out of range, and every edge there is if few. */
static bool compare_questions(struct comparison *C, uint64_t *rng)
{
    enum { QUESTIONS = 64 };
    hy_edge edges[QUESTIONS];
    bool found[QUESTIONS];
    for (size_t i = 0; i < QUESTIONS; i++) {
        edges[i].u = (hy_vid)rng_below(rng, (uint64_t)C->bound + 2);
        edges[i].v = (hy_vid)rng_below(rng, (uint64_t)C->bound + 2);
        const uint64_t arcs = C->out.start[C->bound];
        if (i % 2 && arcs)
            edges[i].v = C->out.at[rng_below(rng, arcs)].v;
    }
    hy_view_has_edges(C->V, QUESTIONS, edges, found);
    for (size_t i = 0; i < QUESTIONS; i++) {
        const bool want = is_wanted(C, edges[i]);
        if (hy_view_has_edge(C->V, edges[i].u, edges[i].v) != want)
            return why_not(C->why, "has_edge %u-%u", edges[i].u, edges[i].v);
        if (found[i] != want)
            return why_not(C->why, "has_edges %u-%u", edges[i].u, edges[i].v);
    }
    return true;
}

/* Every arc as one question. */
static bool compare_all_found(struct comparison *C)
{
    const uint64_t arcs = C->out.start[C->bound];
    hy_edge *edges = must(malloc((arcs + 1) * sizeof *edges));
    bool *found = must(malloc((arcs + 1) * sizeof *found));
    uint64_t lost = 0;
    for (hy_vid u = 0; u < C->bound; u++)
        for (uint64_t i = C->out.start[u]; i < C->out.start[u + 1]; i++)
            edges[i] = (hy_edge){ u, C->out.at[i].v };
    memset(found, 0, (size_t)arcs);
    hy_view_has_edges(C->V, arcs, edges, found);
    for (uint64_t i = 0; i < arcs; i++)
        lost += !found[i];
    free(edges);
    free(found);
    return lost == 0 ||
           why_not(C->why, "has_edges does not find %llu", (ull)lost);
}

/* ---- all of it -------------------------------------------------------- */

static bool compare_strangers(struct comparison *C, uint64_t *rng)
{
    for (int i = 0; i < 4; i++) {
        const uint64_t external = rng_next(rng) >> (i % 2 ? 0 : 57);
        const uint32_t slot = model_find(C->M, external);
        const hy_vid want = slot == HY_NONE ? HY_NONE : C->M->slot[slot].vid;
        if (hy_view_find(C->V, external) != want)
            return why_not(C->why, "find of %llu", (ull)external);
    }
    return true;
}

static bool compare_all(struct comparison *C)
{
    uint64_t rng = C->M->edges ^ (C->M->vertices << 32);
    flat_init(&C->out, C, false);
    flat_init(&C->in, C, true);
    if (!compare_vertices(C) || !compare_side(C, &C->out, false, &rng))
        return false;
    if (C->M->has_reverse && !compare_side(C, &C->in, true, &rng))
        return false;
    for (hy_vid u = 0; !C->M->has_reverse && u < C->bound; u++)
        if (hy_span_in(C->V, u).n != 0)
            return why_not(C->why, "%u has in-neighbours", u);
    return compare_edges(C) && compare_questions(C, &rng) &&
           compare_all_found(C) && compare_strangers(C, &rng);
}

bool model_compare(const struct model *M, const hy_view *V, struct why *why)
{
    struct comparison C = { .M = M, .V = V, .why = why, .bound = M->bound };
    const bool is_same = compare_sizes(&C) && compare_columns(&C) &&
                         map_slots(&C) && compare_all(&C);
    free(C.slot_of);
    free(C.out.start);
    free(C.out.at);
    free(C.in.start);
    free(C.in.at);
    return is_same;
}

static bool compare_stats(const struct model *M, const hy_graph *G,
                          struct why *why)
{
    hy_graph_stats s;
    hy_graph_stats_get(G, &s);
    if (s.vertices != M->vertices || s.edges != M->edges ||
        s.arcs != model_arcs(M))
        return why_not(why, "stats count %llu vertices, %llu edges, %llu arcs",
                       (ull)s.vertices, (ull)s.edges, (ull)s.arcs);
    if (s.bytes_edges + s.bytes_slack + s.bytes_free + s.bytes_pinned >
        s.bytes_arena)
        return why_not(why, "stats: the parts exceed the arena");
    if (s.bytes_arena + s.bytes_views + s.bytes_table + s.bytes_ids +
            s.bytes_work >
        s.bytes)
        return why_not(why, "stats: the parts exceed the whole");
    return true;
}

bool model_compare_graph(const struct model *M, const hy_graph *G,
                         struct why *why)
{
    const char *text = "(no text)";
    if (!hy_graph_check(G, &text))
        return why_not(why, "hy_graph_check: %s", text);
    return model_compare(M, hy_graph_now(G), why) && compare_stats(M, G, why);
}
