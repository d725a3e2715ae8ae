/* Building all adjacencies at once: load, rebalance, reverse.  Private. */
#ifndef STORE_BUILD_H
#define STORE_BUILD_H

#include "store/apply.h"

/* Where the rows of a side come from. */
struct rows {
    const hy_view *V; /* a version's side, if not NULL */
    enum side side;
    /* else rows of sorted keys or of CSR: row u is at[u] .. at[u + 1] */
    const uint64_t *at;
    const uint64_t *key;  /* the neighbour is the low half */
    const hy_vid *target; /* CSR instead of keys */
    const uint32_t *tag;  /* of a key: its record in values; NULL: position */
    const char *values;   /* records, or NULL */
};

/* Builds a core of n vertices from rows of both sides (`in` may be NULL) and
 * makes it the graph's.  Vertices and their columns are those of the version
 * that `out` reads, or all alive if `alive`.  Nothing changed on failure. */
HY_CHECKED hy_status build_core(hy_graph *G, uint64_t n, const struct rows *out,
                                const struct rows *in, bool alive);

/* A core that is no graph's, its pages 0, 1, ... in the order of vertices. */
struct built {
    struct core *core; /* owned, as is dir */
    uint32_t *dir;
    size_t pages; /* entries of dir */
};

/* Builds a core from a version, as of epoch 1.  From any thread. */
HY_CHECKED hy_status build_copy(const hy_view *V, struct built *out);

/* Within a commit: notes that so many lines changed the layout. */
void build_note(hy_graph *G, size_t lines);

/* After a commit: rebalances if the graph takes far more memory than it
 * needs; does nothing if that fails. */
void build_compact(hy_graph *G);

/* Arcs as keys (u << 32 | v), to be sorted into rows. */
struct arcs {
    uint64_t n;
    uint64_t *key, *key_tmp;
    uint32_t *tag, *tag_tmp; /* each arc's record; NULL: there are none */
    uint64_t *at;            /* rows, after arcs_sort */
    uint64_t loops;          /* among them, after arcs_sort */
};

/* Room for n arcs and the rows of `bound` vertices. */
HY_CHECKED hy_status arcs_init(hy_ctx *ctx, struct arcs *A, uint64_t n,
                               uint64_t bound, bool tagged);
void arcs_fini(hy_ctx *ctx, struct arcs *A);

/* Sorts the arcs, keeps the last of equal ones (and no loops, if so asked),
 * and finds the rows. */
void arcs_sort(hy_ctx *ctx, struct arcs *A, uint64_t bound, bool no_loops);

/* The arcs of A flipped into B, which has room for them; sorted. */
void arcs_flip(hy_ctx *ctx, const struct arcs *A, struct arcs *B,
               uint64_t bound);

/* The external ids that pairs name, ascending, each once; loops left out if
 * so asked.  The caller frees them. */
struct externals {
    uint64_t n;
    uint64_t *at;
};

HY_CHECKED hy_status externals_of(hy_ctx *ctx, uint64_t m, const hy_pair *pairs,
                                  bool no_loops, struct externals *out);

#endif
