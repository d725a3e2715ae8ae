/* The state of truss decomposition, and its parts. */
#ifndef ALGO_KTRUSS_IMPL_H
#define ALGO_KTRUSS_IMPL_H

#include "algo/common/claims.h"
#include "algo/common/ranked.h"

#include <hypha/ktruss.h>

enum truss_state {
    TRUSS_STAYS,
    TRUSS_GOES, /* in the round that is worked on */
    TRUSS_GONE
};

struct truss {
    struct ranked R; /* all neighbours */
    uint32_t m;
    uint32_t *lower; /* n + 1: of each rank, its first edge; they are numbered
                      * by their end of higher rank, then by the other one */
    uint32_t *edge;  /* beside R.to: the number of the edge */
    uint64_t *stop;  /* n: where lists end, after edges that went were cut */
    uint32_t *end;   /* by edge: its end of higher rank */
    uint32_t *other; /* by edge: the other end */
    /* by edge: triangles among what is left; atomic, relaxed: counters.  Of
     * what is gone: its trussness - 2 */
    uint32_t *support;
    uint8_t *state;  /* by edge; does not change during a round */
    uint32_t *order; /* edges in the order they go */
    uint32_t *left;  /* edges that stay, some that do not */
    uint64_t n_left;
    uint64_t n_listed;     /* edges of the lists, when they were last cut */
    _Atomic uint64_t tail; /* of `order`; relaxed: places are counted out */
    uint64_t head;
    uint32_t level; /* edges on no more triangles than this go */
    struct claims claims;
    uint32_t width;
    uint32_t **mark; /* by worker: by rank, 1 + the edge to u, or 0 */
};

/* HY_ENOMEM; HY_EFULL: 2^32 edges or more.  T is to be given back in any
 * case. */
HY_CHECKED hy_status truss_init(struct truss *T, const hy_view *V);
void truss_fini(struct truss *T);

/* The infallible body: support(e) + 2 is the trussness of e. */
void truss_count(struct truss *T);
void truss_peel(struct truss *T);

#endif
