/* The reference graph: short, serial, obvious.
 *
 * Vertices are slots, edges are sorted lists of entries at their ends.  With
 * dense ids a slot's index is the vertex's id.  With mapped ids every
 * insertion of a vertex takes a new slot, and the id that the library gave
 * to it is learned from a view (model_learn).
 *
 * An undirected edge is an entry of `out` at both ends, a loop one entry.  A
 * directed edge is an entry of `out` at u and of `in` at v.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "line.h"
#include "why.h"

struct entry {
    uint32_t slot; /* the other end */
    struct record values;
};

struct entries {
    struct entry *at; /* ascending by slot */
    uint32_t n, room;
};

struct model_slot {
    bool is_alive;
    hy_vid vid; /* HY_NONE: not known yet */
    uint64_t external;
    struct record values;
    struct entries out, in;
};

struct model {
    bool is_undirected, is_mapped, has_no_loops;
    bool has_reverse; /* of the graph that it models */
    struct layout edge, vertex;
    struct model_slot *slot;
    uint32_t n, room;
    hy_vid bound;
    uint64_t vertices, edges, loops;
    uint64_t created;      /* slots taken since model_learn */
    uint32_t *by_external; /* mapped ids: slots that are alive, sorted */
};

/* All functions abort when there is no memory. */
struct model *model_new(const hy_graph_opts *opts);
struct model *model_copy(const struct model *M);
void model_free(struct model *M);

/* Applies the lines one by one and counts them.  HY_ERANGE, with nothing
 * changed, if an edge of a graph with dense ids names an id past the last. */
HY_MUST hy_status model_apply(struct model *M, const struct lines *D,
                              hy_counts *counts);

/* With mapped ids: learns the ids of the vertices that came, and the bound. */
bool model_learn(struct model *M, const hy_view *V, struct why *why);

/* The slot of an external id, HY_NONE if it is not there. */
uint32_t model_find(const struct model *M, uint64_t external);

/* The edge between two slots, NULL if it is not there. */
const struct entry *model_edge(const struct model *M, uint32_t u, uint32_t v);

uint64_t model_arcs(const struct model *M);

/* Compares with everything that can be asked of a view. */
bool model_compare(const struct model *M, const hy_view *V, struct why *why);

/* The same with the newest version, and the graph's stats and check. */
bool model_compare_graph(const struct model *M, const hy_graph *G,
                         struct why *why);

/* Compares with what a commit said it did. */
bool model_compare_delta(const struct model *before, const struct model *after,
                         const hy_delta *delta, struct why *why);
bool model_compare_counts(const hy_counts *want, const hy_counts *have,
                          struct why *why);

#endif
