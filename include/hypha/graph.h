/* A graph that changes, and pinned views of it.
 *
 * Life:  new -> load? -> (fill a batch -> commit)* -> free.
 *
 * One writer: load, commit, rebalance, reverse, stats, check and free are
 * called by one thread at a time.  Any number of threads may acquire, read
 * and release views while the writer goes on.
 *
 * Edges are a set: an edge is there once or not at all.  Self-loops are
 * allowed.  An undirected edge is stored at both ends and counted once.
 */
#ifndef HY_GRAPH_H
#define HY_GRAPH_H

#include <hypha/base.h>
#include <hypha/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hy_view hy_view;

/* ---- making ---------------------------------------------------------- */

typedef enum hy_ids {
    HY_IDS_DENSE, /* external ids are the vertex ids */
    HY_IDS_MAPPED /* any 64-bit integers; edges bring their vertices along */
} hy_ids;

/* Room left at each adjacency by load and rebalance, and when one grows. */
typedef enum hy_slack {
    HY_SLACK_NONE, /* rounding to 16 bytes, and as many more where none is left
                    * if that is a 32nd of all at most; an eighth when one
                    * grows */
    HY_SLACK_EVEN, /* `slack_amount` edges for every vertex that has some */
    HY_SLACK_RATIO /* `slack_amount` per cent of its degree */
} hy_slack;

typedef struct hy_graph_opts {
    bool undirected;  /* default: directed */
    bool reverse;     /* directed: keep in-adjacency from the start */
    bool interleaved; /* ids and columns as records, not as arrays */
    bool no_loops;    /* self-loops are counted as rejected */
    hy_ids ids;       /* default: dense */
    const hy_column *edge_columns; /* borrowed for the call; 32 at most, */
    uint32_t n_edge_columns;       /* and as many of vertices */
    const hy_column *vertex_columns;
    uint32_t n_vertex_columns;
    hy_slack slack;
    uint32_t slack_amount; /* at most 1000 */
    /* Bytes the graph may hold; default 0: no cap.  What a commit leaves to
     * views alone counts; the views themselves and what a rebalance leaves to
     * them do not, nor do two graphs at once while one is built from the other.
     */
    uint64_t memory_cap;
    uint64_t reserve; /* bytes of address space for edges; default 1 TiB */
    /* Default false: when blocks take half as much again as they need to, and
     * no view is held, a commit builds the graph anew, once so many lines came
     * since the last time that this is no more work than they were. */
    bool keep_memory;
} hy_graph_opts;

/* Edge columns of the usual kinds of graph. */
typedef enum hy_model {
    HY_SIMPLE,   /* none */
    HY_WEIGHTED, /* weight f32 */
    HY_SEMANTIC  /* weight f32, type u32, from u64, until u64 */
} hy_model;

/* Sets the edge columns of `opts` to those of the model. */
HY_API void hy_graph_opts_model(hy_graph_opts *opts, hy_model model);

/* Makes an empty graph.  `opts` may be NULL.  ctx must outlive it.
 * HY_EINVAL: a bad option; HY_ENOMEM. */
HY_MUST hy_status hy_graph_new(hy_ctx *ctx, const hy_graph_opts *opts,
                               hy_graph **out);

/* Frees the graph; views that are still held stay valid until released.
 * NULL is allowed. */
HY_API void hy_graph_free(hy_graph *G);

HY_API hy_ctx *hy_graph_ctx(const hy_graph *G);

/* ---- loading --------------------------------------------------------- */

/* Fills a graph that never had a vertex (else HY_ESTATE) with vertices 0..n-1
 * and m edges in any order, read as a batch of insertions: repeats are merged,
 * the last one wins.  `values` is m records or NULL.  With mapped ids, external
 * ids are the same numbers.  On failure the graph is empty as before.
 * HY_ERANGE: an endpoint >= n. */
HY_MUST hy_status hy_graph_load_edges(hy_graph *G, uint64_t n, uint64_t m,
                                      const hy_edge *edges, const void *values);

/* The same for graphs with mapped ids: the external id of vertex i is
 * external[i], and edges name vertices by i.  HY_EINVAL: two vertices have
 * the same id, or one has HY_ANY. */
HY_MUST hy_status hy_graph_load_named(hy_graph *G, uint64_t n,
                                      const uint64_t *external, uint64_t m,
                                      const hy_edge *edges, const void *values);

/* The same; vertices are those of the pairs, numbered in ascending order of
 * their external ids. */
HY_MUST hy_status hy_graph_load_pairs(hy_graph *G, uint64_t m,
                                      const hy_pair *pairs, const void *values);

/* The same from CSR: neighbours of u are targets[offsets[u] ..
 * offsets[u+1]), in any order.  An undirected graph's CSR holds both
 * directions of each edge (HY_EINVAL if it does not). */
HY_MUST hy_status hy_graph_load_csr(hy_graph *G, uint64_t n,
                                    const uint64_t *offsets,
                                    const hy_vid *targets, const void *values);

/* ---- changing -------------------------------------------------------- */

/* Every line of a batch is counted once.  Lines about edges: */
typedef struct hy_counts {
    uint64_t inserted, updated, deleted; /* did something */
    uint64_t duplicate; /* inserted or updated what was there, as it was */
    uint64_t missing;   /* deleted or updated what was not */
    uint64_t rejected;  /* at a deleted vertex, or a loop under no_loops */
    /* lines about vertices */
    uint64_t vertices_inserted, vertices_updated, vertices_deleted;
    uint64_t vertices_duplicate, vertices_missing;
    /* edges that went with their vertices: no lines of their own */
    uint64_t detached;
} hy_counts;

/* Edges of a delta, ascending by (u, v), each once; undirected ones u <= v. */
typedef struct hy_edge_list {
    uint64_t n;
    const hy_edge *at;
    const void *values; /* n records: as inserted, as deleted, as they are */
    const void *old;    /* `updated` only: n records as they were */
} hy_edge_list;

typedef struct hy_vid_list {
    uint64_t n;
    const hy_vid *at; /* ascending */
} hy_vid_list;

/* What a commit really changed: net of lines that undid each other. */
typedef struct hy_delta {
    uint64_t version; /* of the graph after the commit */
    hy_counts counts;
    hy_edge_list inserted, deleted, updated;
    hy_vid_list vertices_inserted, vertices_deleted;
} hy_delta;

/* Applies the batch: all of it or, on error, none.  Fills *delta, which may
 * be NULL; its lists are borrowed from G until the next call that changes G,
 * or tries to.
 * HY_ERANGE: an edge names an id the graph never had (dense ids);
 * HY_ENOMEM, HY_EFULL: memory, the cap, or ids are used up;
 * HY_EINVAL: the batch was made for a graph of another shape.
 * O(b + what the touched adjacencies hold, at most a page for each line). */
HY_MUST hy_status hy_graph_commit(hy_graph *G, const hy_batch *B,
                                  hy_delta *delta);

/* Lays all adjacencies out anew in vertex order with the slack of the
 * options, and gives what is left over back to the system.  Changes no
 * answer.  On failure nothing changed. */
HY_MUST hy_status hy_graph_rebalance(hy_graph *G);

/* Builds the in-adjacency of a directed graph and keeps it from now on.
 * Does nothing if there is one. */
HY_MUST hy_status hy_graph_add_reverse(hy_graph *G);

/* ---- looking after it ------------------------------------------------ */

typedef struct hy_graph_stats {
    uint64_t vertices;     /* alive */
    uint64_t edges;        /* undirected ones once */
    uint64_t arcs;         /* entries of out-adjacencies: two for an edge */
    uint64_t bytes;        /* all told */
    uint64_t bytes_arena;  /* blocks, their slack, and free blocks */
    uint64_t bytes_edges;  /* of these: ids and columns of edges */
    uint64_t bytes_slack;  /* of these: room inside blocks */
    uint64_t bytes_free;   /* of these: in the queues of free blocks */
    uint64_t bytes_pinned; /* of these: seen by views alone */
    uint64_t bytes_views;  /* views, and what a rebalance left to them */
    uint64_t bytes_table;  /* vertex table, its free pages and pinned pages */
    uint64_t bytes_ids;    /* map of external ids, queue of free ids */
    uint64_t bytes_work;   /* workspace and delta of the last commit */
    uint64_t free_blocks;  /* entries in the queues */
    uint64_t free_ids;     /* vertex ids in the queue */
    uint64_t hubs;         /* adjacencies kept as pages */
    uint64_t hub_pages;
    uint64_t views;        /* versions held by views */
    uint64_t bytes_moved;  /* by the last commit: copied or shifted in blocks */
    uint64_t compactions;  /* rebalances it decided on by itself */
    double bytes_per_edge; /* bytes / entries of all adjacencies */
} hy_graph_stats;

/* O(n). */
HY_API void hy_graph_stats_get(const hy_graph *G, hy_graph_stats *out);

/* Verifies every invariant of the structure.  False: *why says what is
 * wrong, in memory of this thread, until its next call.  Also false if there
 * was no memory to check.  O((n + m) log m). */
HY_MUST bool hy_graph_check(const hy_graph *G, const char **why);

/* ---- views ----------------------------------------------------------- */

/* The graph as it is now, not pinned: borrowed by the writer's thread until
 * the next change.  Costs nothing. */
HY_API const hy_view *hy_graph_now(const hy_graph *G);

/* Pins the newest committed version; from any thread.  If a commit is going
 * on and nobody holds that version yet, waits for the commit's end.
 * O(n / 64) for the first view of a version, O(1) for the others. */
HY_MUST hy_status hy_view_acquire(hy_graph *G, const hy_view **out);

/* Ends a view; from any thread.  NULL is allowed. */
HY_API void hy_view_release(const hy_view *V);

HY_API uint64_t hy_view_version(const hy_view *V);
HY_API hy_vid hy_view_bound(const hy_view *V);      /* all ids are below */
HY_API uint64_t hy_view_vertices(const hy_view *V); /* alive */
HY_API uint64_t hy_view_edges(const hy_view *V);    /* undirected ones once */
HY_API uint64_t hy_view_arcs(const hy_view *V);
HY_API bool hy_view_is_undirected(const hy_view *V);
HY_API hy_ids hy_view_ids(const hy_view *V);
HY_API bool hy_view_has_reverse(const hy_view *V); /* undirected: true */

/* False for ids that are out of range too; so in all queries below. */
HY_API bool hy_view_has_vertex(const hy_view *V, hy_vid u);
HY_API uint32_t hy_view_degree(const hy_view *V, hy_vid u);
/* 0 without a reverse side */
HY_API uint32_t hy_view_in_degree(const hy_view *V, hy_vid u);
HY_API bool hy_view_has_edge(const hy_view *V, hy_vid u, hy_vid v);

/* The edge's columns; false, and nothing written, if it is not there. */
HY_API bool hy_view_edge_values(const hy_view *V, hy_vid u, hy_vid v,
                                void *record);

/* found[i] = edge i is there.  Much faster than n single questions. */
HY_API void hy_view_has_edges(const hy_view *V, uint64_t n,
                              const hy_edge *edges, bool *found);

/* The vertex's columns; false, and nothing written, if it is not there. */
HY_API bool hy_view_vertex_values(const hy_view *V, hy_vid u, void *record);

/* The vertex of an external id, HY_NONE if there is none.  O(1) for the
 * newest version; O(n) for an id that was deleted since V was taken. */
HY_API hy_vid hy_view_find(const hy_view *V, uint64_t external);

/* The external id of a vertex that is there. */
HY_API uint64_t hy_view_external(const hy_view *V, hy_vid u);

/* Columns: how many, which, and where a name is (HY_NONE: nowhere). */
HY_API uint32_t hy_view_edge_columns(const hy_view *V);
HY_API hy_column hy_view_edge_column(const hy_view *V, uint32_t column);
HY_API uint32_t hy_view_find_edge_column(const hy_view *V, const char *name);
HY_API uint32_t hy_view_vertex_columns(const hy_view *V);
HY_API hy_column hy_view_vertex_column(const hy_view *V, uint32_t column);
HY_API size_t hy_view_edge_record_size(const hy_view *V);
HY_API size_t hy_view_vertex_record_size(const hy_view *V);

/* ---- loops ------------------------------------------------------------ */

/* A run of neighbours of u, ascending, in one piece of memory. */
typedef struct hy_span {
    const hy_vid *v; /* the i-th neighbour is v[i * step] */
    uint32_t n;
    uint32_t step; /* 1 unless the graph is interleaved */
    hy_vid u;
    uint32_t units; /* private: of its block */
    uint64_t path;  /* private: how to find the next span, 0: there is none */
} hy_span;

/* The i-th value of a column of the span is at the result + i * *step. */
HY_API const void *hy_span_column(const hy_view *V, const hy_span *s,
                                  uint32_t column, size_t *step);

/* The first span of u's neighbours; n = 0 if it has none.  `in`: of the
 * vertices that point to u; none without a reverse side. */
HY_API hy_span hy_span_out(const hy_view *V, hy_vid u);
HY_API hy_span hy_span_in(const hy_view *V, hy_vid u);
HY_API void hy_span_follow(const hy_view *V, hy_span *s);

static inline void hy_span_next(const hy_view *V, hy_span *s)
{
    if (s->path)
        hy_span_follow(V, s);
    else
        s->n = 0;
}

/* Of one vertex:  hy_for_out_span (s, V, u) ... s.v[i * s.step], i < s.n */
#define hy_for_out_span(s, V, u)                                               \
    for (hy_span s = hy_span_out(V, u); s.n != 0; hy_span_next(V, &s))
#define hy_for_in_span(s, V, u)                                                \
    for (hy_span s = hy_span_in(V, u); s.n != 0; hy_span_next(V, &s))

/* A walk over the adjacencies of the vertices lo..hi-1, ascending: the
 * fastest way over many.
 *
 *     hy_scan scan = hy_scan_out(V, lo, hi);
 *     while (hy_scan_next(&scan))
 *         ... scan.span.u, scan.span.v[i * scan.span.step], i < scan.span.n
 *
 * What follows is private, and here only so that the loop is compiled into
 * its caller.  There the compiler keeps the walk in registers, as long as
 * nobody else learns its address: the rare steps work on a copy. */
struct hy_scan_slot {
    uint64_t where;
    uint32_t degree, epoch;
};

typedef struct hy_scan {
    hy_span span;
    const hy_view *V;
    const struct hy_scan_slot *slot;  /* of the next vertex */
    const struct hy_scan_slot *stop;  /* where others are to be asked for */
    const struct hy_scan_slot *slots; /* end of those at hand */
    const char *blocks;
    hy_vid turn, end; /* the vertex at `slots`, the end of the walk */
    bool in;
} hy_scan;

#define HY_SCAN_HUB ((uint64_t)1 << 49)
#define HY_SCAN_ADDRESS (((uint64_t)1 << 40) - 1)

HY_API hy_scan hy_scan_out(const hy_view *V, hy_vid lo, hy_vid hi);
HY_API hy_scan hy_scan_in(const hy_view *V, hy_vid lo, hy_vid hi);
HY_API void hy_scan_turn(hy_scan *scan);
HY_API void hy_scan_hub(hy_scan *scan);

/* Asks for what the walk will read, of vertices from `slot` on, where blocks
 * may be anywhere after changes; returns where to ask again.  Rare, for the
 * compiler: the loop around it is what is to be fast. */
#if defined(__GNUC__)
__attribute__((cold))
#endif
HY_API const struct hy_scan_slot *
hy_scan_ask(const hy_view *V, const struct hy_scan_slot *slot,
            const struct hy_scan_slot *slots);

/* Goes to the next span; false at the end. */
static inline bool hy_scan_next(hy_scan *scan)
{
    if (scan->span.path) {
        hy_span leaf = scan->span;
        hy_span_follow(scan->V, &leaf);
        scan->span = leaf;
        return true;
    }
    for (;;) {
        if (scan->slot == scan->stop) {
            if (scan->slot < scan->slots) {
                scan->stop = hy_scan_ask(scan->V, scan->slot, scan->slots);
                continue;
            }
            if (scan->turn == scan->end)
                return false;
            hy_scan copy = *scan;
            hy_scan_turn(&copy);
            *scan = copy;
            continue;
        }
        const struct hy_scan_slot s = *scan->slot++;
        if (!s.degree)
            continue;
        scan->span.u = scan->turn - (hy_vid)(scan->slots - scan->slot) - 1;
        if (s.where & HY_SCAN_HUB) {
            hy_scan copy = *scan;
            hy_scan_hub(&copy);
            *scan = copy;
            return true;
        }
        scan->span.v =
            (const hy_vid *)(const void *)(scan->blocks +
                                           (s.where & HY_SCAN_ADDRESS) * 16);
        scan->span.n = s.degree;
        scan->span.units = (uint32_t)(s.where >> 40) & 0x1ff;
        return true;
    }
}

#ifdef __cplusplus
}
#endif
#endif
