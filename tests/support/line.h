/* Lines of a batch, kept by the tests: the model and the library both apply
 * them. */
#ifndef TESTS_LINE_H
#define TESTS_LINE_H

#include "record.h"

#include <hypha/graph.h>

enum line_kind {
    LINE_INSERT_EDGE,
    LINE_DELETE_EDGE,
    LINE_UPDATE_EDGE,
    LINE_INSERT_VERTEX,
    LINE_DELETE_VERTEX,
    LINE_KINDS
};

struct line {
    enum line_kind kind;
    bool is_valued; /* else its values are NULL */
    hy_vid any;     /* insertion of HY_ANY: the id it got, see lines_learn */
    uint64_t u, v;  /* external */
    struct record values;
};

struct lines {
    struct line *at;
    size_t n, room;
};

static inline bool line_is_edge(const struct line *l)
{
    return l->kind <= LINE_UPDATE_EDGE;
}

static inline bool line_is_any(const struct line *l)
{
    return l->kind == LINE_INSERT_VERTEX && l->u == HY_ANY;
}

/* All of these abort when there is no memory. */
void lines_add(struct lines *D, struct line line);
void lines_edge(struct lines *D, enum line_kind kind, uint64_t u, uint64_t v);
void lines_vertex(struct lines *D, enum line_kind kind, uint64_t u);
void lines_fini(struct lines *D);

/* Adds the lines to a batch. */
HY_MUST hy_status line_put(const struct line *l, hy_batch *B);
HY_MUST hy_status lines_put(const struct lines *D, hy_batch *B);

/* After a commit of D: finds out which ids its lines of HY_ANY got.  False
 * if it got none, or more.  Lines must be tame (generate.h): the ids are in
 * the delta, or were deleted by D and are there again. */
bool lines_learn(struct lines *D, const hy_delta *delta, const hy_view *V);

/* Writes the lines to standard error, for the eyes. */
void lines_print(const struct lines *D);

#endif
