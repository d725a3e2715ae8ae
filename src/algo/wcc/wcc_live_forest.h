/* Spanning forests made of trees that are there: what making one anew
 * (wcc_live_forest.c) and mending one (wcc_live_mend.c) share. */
#ifndef ALGO_WCC_LIVE_FOREST_H
#define ALGO_WCC_LIVE_FOREST_H

#include "algo/common/list.h"
#include "algo/common/sample.h"
#include "algo/wcc/wcc_live.h"

enum {
    WCC_BY_IDS = 1 << 10,
    WCC_BY_LIST = 1 << 8,
    WCC_AHEAD = 8, /* vertices of which more is asked for before */
};

#define WCC_UNKNOWN UINT32_MAX  /* a level */
#define WCC_ALONE (HY_NONE - 1) /* in `from` and `to` */

struct wcc_forest {
    struct wcc_live *W;
    const hy_view *V;
    hy_ctx *ctx;
    struct wcc_node *node;
    hy_vid *p;     /* parents of trees and of roots; then room for a list, as is
                    * the journal's, which is empty */
    hy_vid *unit;  /* names: a vertex of the unit, its root; in the answer's
                    * comp */
    hy_vid *from;  /* by unit: the vertex that has its hook, or HY_NONE, or
                    * WCC_ALONE: it has no edges */
    hy_vid *to;    /* and the other end of the edge.  While a forest begins:
                    * parents; HY_NONE: a root; WCC_ALONE: no edges */
    hy_vid c;      /* the seed */
    uint64_t size; /* of c; atomic, relaxed */
    uint64_t units;          /* that are left; atomic, relaxed */
    uint32_t has_unknown;    /* levels in c, too; atomic, relaxed */
    struct algo_list roots;  /* that have edges */
    struct algo_list others; /* vertices with edges that are not in c */
    const hy_vid *list;      /* those of them that a round looks at */
    struct algo_list out;    /* in the next one */
    struct algo_list hooks;  /* vertices that have one, of this round */
};

/* Numbers of components are void, and a forest is to be made in the room that
 * W has for it: its values are written, and were kept before. */
struct wcc_forest wcc_forest_begin(struct wcc_live *W);

/* A unit of n vertices as far as is known: nothing hangs under r from another
 * one yet. */
static inline void wcc_forest_unit(const struct wcc_forest *F, hy_vid r,
                                   hy_vid from, uint32_t n)
{
    F->from[r] = from;
    F->W->group[r] =
        (struct wcc_group){ .state = F->W->epoch << 1, .size = n, .min = r };
}

/* Asks for what looking at the i-th vertex of a list and those after it
 * needs. */
HY_INLINE void wcc_forest_ask(const struct wcc_forest *F, const hy_vid *at,
                              size_t i, size_t hi)
{
    if (i + 2 * WCC_AHEAD < hi)
        view_prefetch_slot(F->V, at[i + 2 * WCC_AHEAD]);
    if (i + WCC_AHEAD < hi)
        view_prefetch_out(F->V, at[i + WCC_AHEAD]);
}

/* The unit that has much of the sample, or HY_NONE: who is in the seed is not
 * looked at any more, so that it is not to be changed. */
hy_vid wcc_forest_seed(struct algo_sample sample);

/* Joins the units by edges of the others (wcc_live_hook.c).  Their parents and
 * levels, the units' smallest vertices and the seed are known. */
void wcc_forest_join(struct wcc_forest *F);

#endif
