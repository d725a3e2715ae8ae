/* Rests that changed edges leave.
 *
 *   Take(delta)
 *     each edge u -> v that went or came: share(u) stays, so that
 *       rest(v) -+ d * share(u), and rest(u) +- share(u), as k(u) changed
 *     each vertex that went: nothing is left of it
 *     each vertex that came: share 1, rest 0
 *
 * Shares are kept and not ranks: a changed edge touches its two ends alone, and
 * in an undirected graph the two changes of an end nearly cancel.
 */
#include "algo/pagerank/pagerank_live.h"

/* One direction of an edge; more: 1 or -1. */
static void take_arc(struct ranks *R, struct ranks_tally *did, hy_vid u,
                     hy_vid v, int more)
{
    struct ranks_node *const a = &R->node[u];
    const double share = R->share[u], k = ranks_k(a);
    ranks_move(R, u);
    ranks_move(R, v);
    if (!a->degree)
        did->dangling -= share;
    a->degree += (uint32_t)more;
    if (!a->degree)
        did->dangling += share;
    ranks_add_rest(R, did, u, -share * (ranks_k(a) - k));
    ranks_add_rest(R, did, v, more * R->d * share);
    ranks_wait(R, u);
    ranks_wait(R, v);
}

static void take_edges(struct ranks *R, struct ranks_tally *did,
                       const hy_edge_list *edges, int more)
{
    enum { AHEAD = 12 };
    for (uint64_t i = 0; i < edges->n; i++) {
        const hy_edge e = edges->at[i];
        if (i + AHEAD < edges->n) {
            ranks_prefetch(R, edges->at[i + AHEAD].u);
            ranks_prefetch(R, edges->at[i + AHEAD].v);
        }
        take_arc(R, did, e.u, e.v, more);
        if (view_is_undirected(R->V) && e.u != e.v)
            take_arc(R, did, e.v, e.u, more);
    }
    did->work += edges->n;
}

/* Of a vertex that has no edge; a new one has share 1. */
static void set_alone(struct ranks *R, struct ranks_tally *did, hy_vid v,
                      double share)
{
    ranks_move(R, v);
    ranks_add_rest(R, did, v, -R->node[v].rest);
    did->dangling += share - R->share[v];
    R->share[v] = share;
    R->node[v].mark &= ~(uint32_t)RANKS_ALIVE;
    R->node[v].mark |= share > 0 ? RANKS_ALIVE : 0;
}

/* Ids that went and came are of other vertices, but what is kept of them goes
 * by their edges alone. */
static void take_vertices(struct ranks *R, struct ranks_tally *did,
                          const hy_delta *delta)
{
    const hy_vid_list *const went = &delta->vertices_deleted;
    const hy_vid_list *const came = &delta->vertices_inserted;
    uint64_t i = 0, k = 0;
    while (i < went->n || k < came->n) {
        const hy_vid x = i < went->n ? went->at[i] : HY_NONE;
        const hy_vid y = k < came->n ? came->at[k] : HY_NONE;
        if (x < y)
            set_alone(R, did, x, 0);
        else if (y < x)
            set_alone(R, did, y, 1);
        i += x <= y;
        k += y <= x;
    }
    did->work += went->n + came->n;
}

void ranks_take(struct ranks *R, const hy_delta *delta)
{
    struct ranks_tally *const did = &R->shard[0].did;
    take_edges(R, did, &delta->deleted, -1);
    take_vertices(R, did, delta);
    take_edges(R, did, &delta->inserted, 1);
    ranks_add_tallies(R);
}
