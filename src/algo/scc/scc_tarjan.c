/* Strongly connected components by one depth-first search.
 *
 *   Tarjan(V)
 *     1 for each vertex s without label or index: Visit(s)
 *   Visit(u)
 *     2 index(u), low(u) <- the next number; put u on the stack
 *     3 for each edge (u, v) to a vertex without label
 *     4   if v has no index: Visit(v), low(u) <- min(low(u), low(v))
 *     5   else low(u) <- min(low(u), index(v))
 *     6 if low(u) = index(u): all down to u on the stack are a component
 *
 * Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on
 * Computing 1(2), 1972.  The recursion is a stack of frames of our own: a
 * path of millions of vertices is no call depth.  A vertex is on Tarjan's
 * stack if it has an index and no label.
 */
#include "algo/scc/scc_impl.h"

/* A vertex being visited, and the next of its edges. */
struct frame {
    hy_span s;
    uint32_t i;
};

struct scc_tarjan {
    const hy_view *V;
    hy_vid *label;
    uint32_t *index, *low; /* index: 0 is none */
    hy_vid *stack;
    size_t n_stack;
    struct frame *frame;
    size_t n_frames;
    uint32_t count;
};

hy_status scc_tarjan_new(const hy_view *V, struct scc_tarjan **out)
{
    hy_ctx *const ctx = view_ctx(V);
    const size_t n = V->bound;
    struct scc_tarjan *const T = base_alloc(ctx, 1, sizeof *T);
    if (!T)
        return HY_ENOMEM;
    T->V = V;
    T->index = base_alloc(ctx, n, sizeof *T->index);
    T->low = base_alloc_raw(ctx, n, sizeof *T->low);
    T->stack = base_alloc_raw(ctx, n, sizeof *T->stack);
    T->frame = base_alloc_raw(ctx, n, sizeof *T->frame);
    if (!T->index || !T->low || !T->stack || !T->frame) {
        scc_tarjan_free(V, T);
        return HY_ENOMEM;
    }
    *out = T;
    return HY_OK;
}

void scc_tarjan_free(const hy_view *V, struct scc_tarjan *T)
{
    hy_ctx *const ctx = view_ctx(V);
    if (!T)
        return;
    base_free(ctx, T->frame);
    base_free(ctx, T->stack);
    base_free(ctx, T->low);
    base_free(ctx, T->index);
    base_free(ctx, T);
}

static void enter(struct scc_tarjan *T, hy_vid u)
{
    T->index[u] = T->low[u] = ++T->count;
    T->stack[T->n_stack++] = u;
    T->frame[T->n_frames++] = (struct frame){ .s = view_out(T->V, u) };
}

static void lower(struct scc_tarjan *T, hy_vid u, uint32_t to)
{
    if (to < T->low[u])
        T->low[u] = to;
}

/* Goes on at the top frame until it finds a new vertex, HY_NONE if it finds
 * none. */
static hy_vid advance(struct scc_tarjan *T, struct frame *top)
{
    for (; top->s.n != 0; hy_span_next(T->V, &top->s), top->i = 0)
        while (top->i < top->s.n) {
            const hy_vid v = top->s.v[(size_t)top->i++ * top->s.step];
            if (T->label[v] != HY_NONE)
                continue;
            if (T->index[v] == 0)
                return v;
            lower(T, top->s.u, T->index[v]);
        }
    return HY_NONE;
}

/* Makes a component of the stack down to u. */
static void close_component(struct scc_tarjan *T, hy_vid u)
{
    hy_vid least = u;
    size_t from = T->n_stack;
    do {
        const hy_vid v = T->stack[--from];
        least = v < least ? v : least;
    } while (T->stack[from] != u);
    for (size_t i = from; i < T->n_stack; i++)
        T->label[T->stack[i]] = least;
    T->n_stack = from;
}

static void leave(struct scc_tarjan *T, hy_vid u)
{
    T->n_frames--;
    if (T->low[u] == T->index[u])
        close_component(T, u);
    else
        lower(T, T->frame[T->n_frames - 1].s.u, T->low[u]);
}

static void visit(struct scc_tarjan *T, hy_vid s)
{
    enter(T, s);
    while (T->n_frames) {
        struct frame *const top = &T->frame[T->n_frames - 1];
        const hy_vid v = advance(T, top);
        if (v != HY_NONE)
            enter(T, v);
        else
            leave(T, top->s.u);
    }
}

void scc_tarjan_run(struct scc_tarjan *T, hy_vid *label)
{
    T->label = label;
    for (hy_vid s = 0; s < T->V->bound; s++)
        if (label[s] == HY_NONE && view_has_vertex(T->V, s))
            visit(T, s);
}
