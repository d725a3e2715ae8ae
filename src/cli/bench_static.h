/* The benchmark of static algorithms: what its parts share.
 *
 * A case is an algorithm of the library next to a plain loop over CSR, as in
 * a textbook, on the same threads: no direction switch, no sampling, no
 * buckets, no bitmaps.  Graphs are undirected; figures count both directions
 * of each edge.
 */
#ifndef CLI_BENCH_STATIC_H
#define CLI_BENCH_STATIC_H

#include "cli/bench.h"

#include <stdatomic.h>

enum {
    STATIC_GRAIN = 256,
    STATIC_REALS = 3,
    STATIC_WORDS = 5,
    STATIC_KEYS = 2
};

/* One case on one graph. */
struct cell {
    hy_ctx *ctx;
    const hy_view *V;          /* weighted if the case is */
    const struct gen_csr *csr; /* the same graph */
    const int32_t *weights;    /* of csr's edges */
    const double *vector;      /* whole numbers, n */
    hy_vid n, source;
    double tolerance;
    double *x[STATIC_REALS]; /* n each, for answers and between steps */
    uint32_t *a[STATIC_WORDS];
    uint64_t *keys[STATIC_KEYS];
    struct gen_csr half; /* room for half of csr's edges */
    uint64_t count[2];   /* what was found: by the library, by the loop */
    double number;       /* told with the case, if `number_name` */
    const char *number_name;
};

enum {
    STATIC_WEIGHTED = 1,
    STATIC_HALF = 2,     /* room for half of the edges */
    STATIC_SMALL = 4,    /* a graph of a 64th of the size: it takes long */
    STATIC_DIRECTED = 8, /* one direction of most edges, drawn */
};

struct static_case {
    const char *name, *help;
    unsigned needs; /* of the below */
    void (*ours)(struct cell *C);
    void (*plain)(struct cell *C);    /* NULL: no textbook has one */
    bool (*is_right)(struct cell *C); /* both answers, once they are there */
};

/* Each ends with a case without a name. */
extern const struct static_case static_search_cases[], static_sweep_cases[],
    static_count_cases[], static_label_cases[], static_dense_cases[],
    static_rank_cases[], static_local_cases[];

/* Points every edge of csr to its end of larger degree, or of larger id, into
 * C->half. */
void static_halve(struct cell *C);

/* How many ids two ascending lists share. */
uint64_t static_common(const hy_vid *a, const hy_vid *a_end, const hy_vid *b,
                       const hy_vid *b_end);

/* Says what a checker found wrong; the result is `right`. */
bool static_verdict(const char *name, bool right, const char *why);

#endif
