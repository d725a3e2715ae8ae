/* Graphs and streams of changes made from a seed.
 *
 * The same options give the same edges on every machine and for every number
 * of threads.  docs/generators.md tells the models and where they come from.
 */
#ifndef HY_GEN_H
#define HY_GEN_H

#include <hypha/base.h>
#include <hypha/batch.h>
#include <hypha/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ------------------------------------------------------------ */

/* code, name, what it is */
#define HY_GEN_MAP(X)                                                          \
    X(HY_GEN_KRON, "kron", "Kronecker (R-MAT) with Graph500's parameters")     \
    X(HY_GEN_URAND, "urand", "random: both ends uniform")                      \
    X(HY_GEN_GRID, "grid", "rows x columns, joined to the right and down")     \
    X(HY_GEN_PATH, "path", "0 - 1 - 2 - ...")                                  \
    X(HY_GEN_CYCLE, "cycle", "a path that closes")                             \
    X(HY_GEN_STAR, "star", "0 joined to all others")                           \
    X(HY_GEN_COMPLETE, "complete", "all joined to all")                        \
    X(HY_GEN_TREE, "tree", "random recursive, or --degree children each")      \
    X(HY_GEN_SMALLWORLD, "smallworld", "ring with shortcuts, Watts-Strogatz")  \
    X(HY_GEN_PREFERENTIAL, "preferential",                                     \
      "the rich get richer, "                                                  \
      "Barabasi-Albert")                                                       \
    X(HY_GEN_REGULAR, "regular", "random, all of the same degree")

typedef enum hy_gen_kind {
#define HY_GEN_ENUM(code, name, text) code,
    HY_GEN_MAP(HY_GEN_ENUM)
#undef HY_GEN_ENUM
        HY_GEN_KINDS /* how many there are */
} hy_gen_kind;

/* "kron", "urand", ...; NULL for what is no kind. */
HY_API const char *hy_gen_name(hy_gen_kind kind);

/* One line about it. */
HY_API const char *hy_gen_text(hy_gen_kind kind);

/* The kind of a name; HY_GEN_KINDS if there is none. */
HY_API hy_gen_kind hy_gen_find(const char *name);

typedef struct hy_gen_opts {
    hy_gen_kind kind;
    uint64_t n;     /* vertices; default 0: 2^scale */
    uint32_t scale; /* default 16 */
    /* kron, urand: edges drawn for each vertex, loops and repeats among them
     * (default 16); preferential: edges a new vertex brings (default 8);
     * smallworld, regular: neighbours of a vertex (default 16); tree: children
     * of a vertex (default 0: a random recursive tree). */
    uint64_t degree;
    /* grid; one alone stands for both, none for the square of n vertices. */
    uint64_t rows, columns;
    uint64_t seed;
    /* Each edge has a weight of 1 .. weights, uniform; default 0: none. */
    uint32_t weights;
    double probability; /* smallworld: that an edge is rewired; default 0 */
    /* Default: undirected.  kron and urand draw arcs, complete has both,
     * regular has `degree` in and out; others keep each edge once: along the
     * path, cycle or ring, away from the star's or tree's middle, to the
     * right and down, from the new vertex to the old one. */
    bool directed;
} hy_gen_opts;

/* A simple graph: no loops, no repeats, ascending by (u, v); undirected edges
 * once, u < v. */
typedef struct hy_gen_list {
    hy_ctx *ctx;
    uint64_t n, m;
    hy_edge *edges;   /* owned */
    int32_t *weights; /* owned; NULL if there are none */
    bool directed;
} hy_gen_list;

/* What a graph will be, without making it. */
typedef struct hy_gen_estimate {
    uint64_t n, m;       /* m: at most, of kron and urand; else exactly */
    uint64_t list_bytes; /* while hy_gen_make runs, about */
    uint64_t peak_bytes; /* while hy_gen_graph runs, about */
} hy_gen_estimate;

/* HY_EINVAL, HY_EFULL: as below. */
HY_MUST hy_status hy_gen_estimate_get(const hy_gen_opts *opts,
                                      hy_gen_estimate *out);

/* Makes the edges.  HY_EINVAL: there is no such graph; HY_EFULL: more
 * vertices than ids; HY_ENOMEM.  O(n + m log n) work, on all threads. */
HY_MUST hy_status hy_gen_make(hy_ctx *ctx, const hy_gen_opts *opts,
                              hy_gen_list *out);

/* Frees what the list owns.  A zeroed list is allowed. */
HY_API void hy_gen_list_fini(hy_gen_list *L);

/* Makes the graph: dense ids, weights as an i32 column "weight". */
HY_MUST hy_status hy_gen_graph(hy_ctx *ctx, const hy_gen_opts *opts,
                               hy_graph **out);

/* ---- single edges ------------------------------------------------------- */

/* An endless sequence of random edges between n vertices, none of them a
 * loop; the i-th needs none of those before it. */
typedef struct hy_gen_draw {
    uint64_t seed;
    uint64_t order; /* seed of the order of ids; a kron graph's own seed makes
                     * the edges skewed towards the same vertices */
    hy_vid n;       /* at least 2 */
    hy_vid lo, hi;  /* uniform: sources are in lo .. hi-1; 0, 0: all */
    bool skewed;    /* as kron draws them; else uniform */
} hy_gen_draw;

/* Fills `out` with edges first .. first+n-1 of the sequence.  HY_EINVAL: less
 * than two vertices, or no such sources. */
HY_MUST hy_status hy_gen_draw_edges(hy_ctx *ctx, const hy_gen_draw *draw,
                                    uint64_t first, uint64_t n, hy_edge *out);

/* ---- changes ------------------------------------------------------------- */

typedef enum hy_gen_stream {
    HY_GEN_INSERT, /* edges that are not there */
    HY_GEN_DELETE, /* edges that are there */
    HY_GEN_MIXED,  /* both, at random */
    HY_GEN_WINDOW  /* new edges come, the oldest go */
} hy_gen_stream;

typedef struct hy_change {
    hy_vid u, v;
    bool is_deletion;
    int32_t weight; /* of an insertion; 0 if none was asked for */
} hy_change;

typedef struct hy_gen_changes_opts {
    hy_gen_stream kind;
    uint64_t count;
    uint64_t seed;
    /* Insertions choose both ends by degree; deletions take the busier of two
     * edges.  Default: all vertices, and all edges, alike. */
    bool skewed;
    /* Without looking what is there: insertions may repeat edges, deletions
     * may name edges that went before. */
    bool repeats;
    uint32_t inserts; /* mixed: per cent of insertions; default 0: 50 */
    /* window: edges it holds; default 0: as many as the graph has or, if it
     * has none, half of `count`. */
    uint64_t window;
    uint32_t weights; /* as in hy_gen_opts */
} hy_gen_changes_opts;

typedef struct hy_gen_changes {
    hy_ctx *ctx;
    uint64_t n;
    hy_change *at; /* owned */
} hy_gen_changes;

/* Makes changes that can be applied to V one after another: an insertion
 * names an edge that is not there at that point, a deletion one that is.  No
 * loops are inserted.  Of an undirected edge u <= v.  HY_EINVAL: more changes
 * of a kind than there can be; HY_ENOMEM.  O(m + count). */
HY_MUST hy_status hy_gen_changes_make(hy_ctx *ctx, const hy_view *V,
                                      const hy_gen_changes_opts *opts,
                                      hy_gen_changes *out);
HY_API void hy_gen_changes_fini(hy_gen_changes *C);

#ifdef __cplusplus
}
#endif
#endif
