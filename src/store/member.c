/* Many questions at once whether edges are there.
 *
 *   Ask, for each group of questions
 *     1 Slots    ask for all of them
 *     2 Blocks   ask for where the neighbour should be; of hubs for the root
 *     3 Twigs    of hubs: ask for what the root knows of the leaf
 *     4 Leaves   of hubs: ask for where the neighbour should be
 *     5 Answer
 *
 * A question alone waits for memory two to five times, one after the other.  A
 * group waits for all of its questions together.
 */
#include "store/hub.h"

#include "par/par.h"

enum {
    GROUP = 32,
    GRAIN = 2048,  /* questions that are worth a second thread */
    LINE = 64,     /* bytes */
    FEW_LINES = 5, /* of a block that is asked for whole */
};

struct ask {
    const hy_view *V;
    struct spread even; /* all ids */
    const hy_edge *edges;
    bool *found;
};

/* A question, as far as it got: n entries of a block, or the root of a hub. */
struct question {
    const struct slot *slot;
    const char *block;
    uint32_t n, twig;
    struct spread even; /* where the ids of the block lie, about */
};

HY_INLINE void prefetch_lines(const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        HY_PREFETCH(at + i);
    HY_PREFETCH(at + bytes - 1);
}

/* Around where v should be among the ids of q. */
HY_INLINE void prefetch_near(const struct ask *A, const struct question *q,
                             hy_vid v)
{
    const size_t width = A->V->shape->lane[0].width, bytes = q->n * width;
    if (bytes <= FEW_LINES * LINE) {
        prefetch_lines(q->block, bytes);
        return;
    }
    const char *near = q->block + guess(q->even, v, q->n) * width;
    HY_PREFETCH(near - LINE);
    HY_PREFETCH(near);
    HY_PREFETCH(near + LINE);
}

static const struct slot *slot_of(const hy_view *V, hy_vid u)
{
    return u < V->bound ? view_slot(V, OUT, u) : NULL;
}

/* Whether it is about a hub. */
HY_INLINE bool find_block(const struct ask *A, struct question *q, hy_vid v)
{
    const struct slot *s = q->slot;
    q->n = s && slot_is_alive(s) ? s->degree : 0;
    if (!q->n)
        return false;
    q->block = arena_block(A->V->blocks, slot_at(s));
    q->even = A->even;
    if (HY_UNLIKELY(slot_is_hub(s))) {
        const uint32_t twigs = q->n / A->V->shape->page_room + 1;
        prefetch_lines(q->block, (twigs < FAN ? twigs : FAN) * sizeof v);
        return true;
    }
    prefetch_near(A, q, v);
    return false;
}

static void find_twig(struct question *q, hy_vid v)
{
    const struct branch *B = (const struct branch *)(const void *)q->block;
    q->twig = branch_find(B, v);
    HY_PREFETCH(&B->at[q->twig]);
    HY_PREFETCH(&B->count[q->twig]);
}

/* Of hubs of one level: deeper ones are few. */
static void find_leaf(const struct ask *A, struct question *q, hy_vid v)
{
    const struct branch *B = (const struct branch *)(const void *)q->block;
    uint64_t end = A->V->bound;
    struct twig t = branch_twig(B, q->twig);
    if (HY_UNLIKELY(slot_units(q->slot)))
        t = hub_leaf(A->V->blocks, slot_at(q->slot), slot_units(q->slot), v,
                     &end);
    else
        end = branch_end(B, q->twig, end);
    q->block = arena_block(A->V->blocks, t.at);
    q->n = t.count;
    q->even = spread_of(t.first, end);
    prefetch_near(A, q, v);
}

HY_INLINE bool answer(const struct shape *S, const struct question *q, hy_vid v)
{
    if (!q->n)
        return false;
    const uint32_t i = block_search(S, q->block, 0, q->n, v, q->even);
    return i < q->n && block_id(S, q->block, i) == v;
}

static void ask_group(const struct ask *A, const hy_edge *e, size_t n,
                      bool *found)
{
    struct question q[GROUP];
    uint32_t hub[GROUP];
    size_t hubs = 0;
    for (size_t i = 0; i < n; i++) {
        q[i].slot = slot_of(A->V, e[i].u);
        HY_PREFETCH(q[i].slot);
    }
    for (size_t i = 0; i < n; i++) {
        hub[hubs] = (uint32_t)i;
        hubs += find_block(A, &q[i], e[i].v);
    }
    for (size_t i = 0; i < hubs; i++)
        find_twig(&q[hub[i]], e[hub[i]].v);
    for (size_t i = 0; i < hubs; i++)
        find_leaf(A, &q[hub[i]], e[hub[i]].v);
    for (size_t i = 0; i < n; i++)
        found[i] = answer(A->V->shape, &q[i], e[i].v);
}

/* Writes the answers to its questions. */
static void ask_par(void *arg, size_t lo, size_t hi)
{
    const struct ask *A = arg;
    for (size_t i = lo; i < hi; i += GROUP)
        ask_group(A, A->edges + i, hi - i < GROUP ? hi - i : GROUP,
                  A->found + i);
}

void hy_view_has_edges(const hy_view *V, uint64_t n, const hy_edge *edges,
                       bool *found)
{
    struct ask A = {
        .V = V, .even = spread_of(0, V->bound), .edges = edges, .found = found
    };
    par_for(V->graph->ctx, n, GRAIN, ask_par, &A);
}
