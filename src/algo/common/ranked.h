/* A view copied for counting: without direction, loops and repeats, and with
 * its vertices numbered anew by falling degree.  Rank 0 is the largest hub;
 * vertices without neighbours have no rank.
 *
 * With lists of lower ranks alone every edge is kept once, at its end of the
 * smaller degree, and no list is longer than sqrt(2 m).
 */
#ifndef ALGO_COMMON_RANKED_H
#define ALGO_COMMON_RANKED_H

#include "store/view.h"

enum ranked_part {
    RANKED_LOWER, /* neighbours of lower rank */
    RANKED_ALL    /* all neighbours */
};

struct ranked {
    hy_ctx *ctx;
    uint32_t n;       /* ranks */
    uint32_t longest; /* list */
    uint64_t m;       /* edges */
    hy_vid *vertex;   /* n, by rank */
    uint64_t *from;   /* n + 1 */
    uint32_t *to;  /* ranks; the list of r: from[r] .. from[r + 1], ascending */
    uint8_t *both; /* NULL, or beside `to`: 1 if edges go both ways */
};

struct ranked_opts {
    enum ranked_part part;
    bool both; /* fill `both`; undirected edges go both ways */
};

/* HY_ENOMEM: R is empty then. */
HY_CHECKED hy_status ranked_init(struct ranked *R, const hy_view *V,
                                 struct ranked_opts opts);

/* An empty one is allowed. */
void ranked_fini(struct ranked *R);

static inline uint32_t ranked_degree(const struct ranked *R, uint32_t r)
{
    return (uint32_t)(R->from[r + 1] - R->from[r]);
}

#endif
