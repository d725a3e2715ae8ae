/* Graphs into text and bytes, formatted on all threads.
 *
 *   order   vertices by external id, ascending
 *   pass    cut the order into parts; format a part each, on all threads;
 *           put them one after the other
 *
 * A format gives the step that formats one vertex.  Parts are joined in
 * order, so that bytes do not depend on the number of threads.
 */
#ifndef IO_WRITE_H
#define IO_WRITE_H

#include "io/out.h"
#include "io/text.h"

/* ---- vertices in order --------------------------------------------------- */

/* Vertices that are there, ascending by external id; a vertex's place among
 * them is its rank. */
struct io_order {
    hy_vid n;
    hy_vid *vertex; /* owned, by rank; NULL: rank and vertex are the same */
    hy_vid *rank;   /* owned, by vertex; NULL likewise */
    bool is_rising; /* by rank is by vertex: adjacencies need no sorting */
    bool is_from_0; /* external ids are the ranks */
    bool is_from_1; /* external ids are the ranks, counted from 1 */
};

HY_CHECKED hy_status io_order_init(hy_ctx *ctx, struct io_order *order,
                                   const hy_view *V);
void io_order_fini(hy_ctx *ctx, struct io_order *order);

static inline hy_vid io_order_vertex(const struct io_order *order, hy_vid rank)
{
    return order->vertex ? order->vertex[rank] : rank;
}

static inline hy_vid io_order_rank(const struct io_order *order, hy_vid u)
{
    return order->rank ? order->rank[u] : u;
}

/* ---- neighbours in order --------------------------------------------------
 */

struct io_arc {
    hy_vid rank, v; /* of the neighbour */
    uint32_t span, i;
};

/* Where a span's values of a column lie. */
struct io_cell {
    const char *at;
    size_t step;
};

/* A vertex's neighbours, ascending by rank. */
struct io_arcs {
    struct io_arc *at; /* owned */
    size_t n, room;
    struct io_cell *field; /* owned: span after span, their columns */
    size_t n_fields, fields_room;
};

/* Which of a vertex's arcs are wanted. */
enum io_half {
    IO_ALL,
    IO_UPPER, /* to ranks as high as its own or higher */
    IO_LOWER  /* to ranks as low as its own or lower */
};

/* ---- a graph on its way ----------------------------------------------------
 */

enum { IO_WRITE_COLUMNS = 64 };

struct io_writing {
    hy_ctx *ctx;
    const hy_view *V;
    const hy_names *names; /* NULL: ids are integers */
    const char *path;
    const hy_write_opts *opts; /* never NULL */
    hy_format format;
    hy_out *out;
    struct io_order order;
    uint32_t n_columns; /* that are written */
    uint32_t column[IO_WRITE_COLUMNS];
    hy_type type[IO_WRITE_COLUMNS];
    enum io_half half;
    uint64_t done, total; /* arcs, over all passes */
    const void *state;    /* the format's own */
};

/* A part of the order, with what formats it. */
struct io_part {
    hy_vid lo, hi; /* ranks */
    uint64_t arcs;
    struct io_text text;
    struct io_arcs arc;
};

/* Formats the vertex of a rank into P->text. */
typedef void io_vertex_step(const struct io_writing *W, struct io_part *P,
                            hy_vid rank);

/* One pass over all vertices.  HY_ESTOPPED, HY_ENOMEM, HY_EIO, and what the
 * step says.  `counts`: the pass counts as progress. */
HY_CHECKED hy_status io_write_pass(struct io_writing *W, io_vertex_step *step,
                                   bool counts);

/* Gathers the wanted arcs of a vertex into P->arc.  False: no memory, and
 * P->text says so. */
bool io_write_gather(const struct io_writing *W, struct io_part *P, hy_vid u);

/* The value of the k-th column that is written. */
static inline const char *io_arc_value(const struct io_writing *W,
                                       const struct io_part *P,
                                       const struct io_arc *a, uint32_t k)
{
    const struct io_cell *f = &P->arc.field[(size_t)a->span * W->n_columns + k];
    return f->at + a->i * f->step;
}

/* The same as an integer; fails the text if it is none. */
int64_t io_arc_integer(const struct io_writing *W, struct io_part *P,
                       const struct io_arc *a, uint32_t k);

/* A line of the head, as by printf; at most 1000 bytes. */
HY_CHECKED hy_status io_write_head(struct io_writing *W, const char *format,
                                   ...) HY_PRINTF(2, 3);

/* The column of weights: the one of that name, else the first; HY_NONE. */
uint32_t io_weight_column(const hy_view *V);

/* Opens W->path, has the body written, closes; leaves nothing on failure. */
HY_CHECKED hy_status io_write_file(struct io_writing *W, const char *path,
                                   hy_status (*body)(struct io_writing *W));

/* The formats' writers. */
hy_status io_write_lines(struct io_writing *W);
hy_status io_write_ldbc(struct io_writing *W);
hy_status io_write_mtx(struct io_writing *W);
hy_status io_write_gr(struct io_writing *W);
hy_status io_write_metis(struct io_writing *W);
hy_status io_write_gap(struct io_writing *W);
hy_status io_write_hyg(struct io_writing *W);

#endif
