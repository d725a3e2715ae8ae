/* One pass over the vertices: parts of the order, formatted on all threads
 * and put one after the other. */
#include "io/write.h"

#include "par/par.h"

#include <stdlib.h>

enum {
    PART = 1 << 15,      /* arcs and vertices of a part, about */
    PARTS_PER_THREAD = 4 /* in a round, so that threads end together */
};

struct pass {
    const struct io_writing *W;
    io_vertex_step *step;
    struct io_part *part; /* owned */
    uint32_t n, room;
};

/* ---- neighbours ---------------------------------------------------------- */

static bool is_wanted(const struct io_writing *W, hy_vid own, hy_vid other)
{
    return (W->half != IO_UPPER || other >= own) &&
           (W->half != IO_LOWER || other <= own);
}

/* Room for one more span of n arcs. */
static bool make_room(const struct io_writing *W, struct io_part *P, size_t n)
{
    struct io_arcs *A = &P->arc;
    if (A->n + n > A->room) {
        const size_t room = 2 * A->room + n;
        struct io_arc *at = base_resize(W->ctx, A->at, room, sizeof *at);
        if (at) {
            A->at = at;
            A->room = room;
        }
    }
    if (A->n_fields + W->n_columns > A->fields_room) {
        const size_t room = 2 * A->fields_room + W->n_columns;
        struct io_cell *field =
            base_resize(W->ctx, A->field, room, sizeof *field);
        if (field) {
            A->field = field;
            A->fields_room = room;
        }
    }
    if (A->n + n <= A->room && A->n_fields + W->n_columns <= A->fields_room)
        return true;
    io_text_fail(&P->text, HY_ENOMEM, "no memory for a vertex's neighbours");
    return false;
}

static void add_span(const struct io_writing *W, struct io_arcs *A,
                     const hy_span *s, uint32_t number)
{
    const hy_vid own = io_order_rank(&W->order, s->u);
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[(size_t)i * s->step];
        const hy_vid rank = io_order_rank(&W->order, v);
        if (is_wanted(W, own, rank))
            A->at[A->n++] = (struct io_arc){ rank, v, number, i };
    }
    for (uint32_t k = 0; k < W->n_columns; k++) {
        struct io_cell *f = &A->field[A->n_fields++];
        f->at = hy_span_column(W->V, s, W->column[k], &f->step);
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct io_arc *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

bool io_write_gather(const struct io_writing *W, struct io_part *P, hy_vid u)
{
    uint32_t spans = 0;
    P->arc.n = P->arc.n_fields = 0;
    hy_for_out_span (s, W->V, u) {
        if (!make_room(W, P, s.n))
            return false;
        add_span(W, &P->arc, &s, spans++);
    }
    if (!W->order.is_rising && P->arc.n > 1)
        qsort(P->arc.at, P->arc.n, sizeof *P->arc.at, by_rank);
    return true;
}

int64_t io_arc_integer(const struct io_writing *W, struct io_part *P,
                       const struct io_arc *a, uint32_t k)
{
    int64_t x = 0;
    if (!io_value_integer(W->type[k], io_arc_value(W, P, a, k), &x))
        io_text_fail(&P->text, HY_ENOTSUP,
                     "%s takes integer weights only, within 64 bits",
                     hy_format_name(W->format));
    return x;
}

/* ---- rounds ----------------------------------------------------------------
 */

static void format_par(void *arg, size_t i)
{
    struct pass *p = arg;
    struct io_part *P = &p->part[i];
    for (hy_vid r = P->lo; r < P->hi && P->text.status == HY_OK; r++)
        p->step(p->W, P, r);
}

/* Cuts the next parts off the order. */
static hy_vid cut(struct pass *p, hy_vid from)
{
    const struct io_order *order = &p->W->order;
    hy_vid r = from;
    for (p->n = 0; p->n < p->room && r < order->n; p->n++) {
        struct io_part *P = &p->part[p->n];
        P->lo = r;
        P->arcs = 0;
        P->text.n = 0;
        do
            P->arcs += hy_view_degree(p->W->V, io_order_vertex(order, r++));
        while (r < order->n && P->arcs + (r - P->lo) < PART);
        P->hi = r;
    }
    return r;
}

static hy_status put(struct io_writing *W, const struct pass *p, bool counts)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct io_part *P = &p->part[i];
        if (P->text.status != HY_OK)
            return base_fail(P->text.status, "%s", P->text.why);
        HY_TRY(hy_out_put(W->out, P->text.at, P->text.n));
        W->done += counts ? P->arcs : 0;
    }
    if (W->opts->progress &&
        !W->opts->progress(W->opts->user, W->done, W->total))
        return base_fail(HY_ESTOPPED, "writing was stopped");
    return HY_OK;
}

static hy_status run(struct io_writing *W, struct pass *p, bool counts)
{
    for (hy_vid r = 0; r < W->order.n;) {
        r = cut(p, r);
        par_run(W->ctx, p->n, format_par, p);
        HY_TRY(put(W, p, counts));
    }
    return HY_OK;
}

hy_status io_write_pass(struct io_writing *W, io_vertex_step *step, bool counts)
{
    struct pass p = { .W = W,
                      .step = step,
                      .room = PARTS_PER_THREAD * par_width(W->ctx) };
    p.part = base_alloc(W->ctx, p.room, sizeof *p.part);
    if (!p.part)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < p.room; i++)
        io_text_init(&p.part[i].text, W->ctx);
    const hy_status status = run(W, &p, counts);
    for (uint32_t i = 0; i < p.room; i++) {
        io_text_fini(&p.part[i].text);
        base_free(W->ctx, p.part[i].arc.at);
        base_free(W->ctx, p.part[i].arc.field);
    }
    base_free(W->ctx, p.part);
    return status;
}
