/* A view as a simple graph for checkers: neighbours without direction, loops
 * and repeats, by vertex id, ascending.  Made by sorting all edges at once, so
 * that it shares nothing with what it checks.  16 bytes an edge and side. */
#ifndef ALGO_COMMON_SIMPLE_H
#define ALGO_COMMON_SIMPLE_H

#include "store/view.h"

struct simple {
    hy_ctx *ctx;
    hy_vid n;       /* ids are below */
    uint64_t m;     /* edges */
    uint64_t *from; /* n + 1 */
    hy_vid *to;     /* neighbours of u: from[u] .. from[u + 1] */
};

/* HY_ENOMEM: empty then. */
HY_CHECKED hy_status simple_init(struct simple *S, const hy_view *V);

/* An empty one is allowed. */
void simple_fini(struct simple *S);

static inline const hy_vid *simple_list(const struct simple *S, hy_vid u)
{
    return S->to + S->from[u];
}

static inline uint32_t simple_degree(const struct simple *S, hy_vid u)
{
    return (uint32_t)(S->from[u + 1] - S->from[u]);
}

bool simple_has(const struct simple *S, hy_vid u, hy_vid v);

#endif
