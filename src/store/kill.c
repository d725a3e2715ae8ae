/* Kills: operations for edges that go with their vertices.
 *
 * Each has the time of the line that deletes the vertex.  There is one for
 * each edge that was there at the vertex's first deletion, and one for each
 * line of the batch that is followed by a deletion of one of its ends.
 */
#include "store/stage.h"

#include "par/par.h"

struct kills {
    struct staging *T;
    uint64_t *key;
    uint32_t *time;
    size_t n, room;
};

static hy_status make_room(struct kills *K, size_t more)
{
    hy_graph *G = K->T->G;
    if (K->n + more <= K->room)
        return HY_OK;
    const size_t room = K->room * 2 + more + 256;
    uint64_t *key = base_resize(G->ctx, K->key, room, sizeof *key);
    if (!key)
        return HY_ENOMEM;
    K->key = key;
    uint32_t *time = base_resize(G->ctx, K->time, room, sizeof *time);
    if (!time)
        return HY_ENOMEM;
    K->time = time;
    K->room = room;
    return HY_OK;
}

static hy_status add_kill(struct kills *K, hy_vid u, hy_vid v, uint32_t time)
{
    HY_TRY(make_room(K, 1));
    K->key[K->n] = (uint64_t)u << 32 | v;
    K->time[K->n++] = time;
    return HY_OK;
}

static hy_status kill_side(struct kills *K, hy_vid u, uint32_t time, bool in)
{
    const hy_view *V = &K->T->G->now;
    for (hy_span s = in ? hy_span_in(V, u) : hy_span_out(V, u); s.n;
         hy_span_next(V, &s))
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (in && v == u)
                continue; /* a loop: the other side has it */
            HY_TRY(add_kill(K, in ? v : u, in ? u : v, time));
        }
    return HY_OK;
}

/* True if event e is the first deletion of a vertex that was there before
 * the batch. */
static bool is_first_end(const struct commit *C, const struct event *e)
{
    if (e->what != VERTEX_WENT)
        return false;
    for (uint32_t p = e->previous; p != NO_EVENT; p = C->event[p].previous)
        if (C->event[p].what != VERTEX_CHANGED)
            return false;
    return true;
}

/* A search through all adjacencies, in parts: first to count, then to write. */
enum { PARTS = 64 };

struct hunt {
    const hy_view *V;
    const uint32_t *doom; /* of each vertex: the line that deletes it, + 1 */
    uint64_t at[PARTS];   /* kills of a part; then where they go */
    uint64_t *key;        /* NULL: count */
    uint32_t *time;
};

static void hunt_par(void *arg, size_t part)
{
    struct hunt *H = arg;
    const uint64_t bound = H->V->bound;
    uint64_t n = H->key ? H->at[part] : 0;
    hy_scan scan = hy_scan_out(H->V, (hy_vid)(bound * part / PARTS),
                               (hy_vid)(bound * (part + 1) / PARTS));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (HY_LIKELY(!H->doom[v]) || v == s.u)
                continue;
            if (H->key) {
                H->key[n] = (uint64_t)s.u << 32 | v;
                H->time[n] = H->doom[v] - 1;
            }
            n++;
        }
    }
    H->at[part] = n;
}

/* Directed, without a reverse side: looks for the doomed everywhere. */
static hy_status kill_mentions(struct kills *K)
{
    const struct commit *C = K->T->C;
    hy_graph *G = K->T->G;
    uint32_t *doom = base_alloc(G->ctx, G->now.bound, sizeof *doom);
    if (!doom)
        return HY_ENOMEM;
    for (size_t i = 0; i < C->n_events; i++)
        if (is_first_end(C, &C->event[i]))
            doom[C->event[i].u] = C->event[i].line + 1;
    struct hunt H = { .V = &G->now, .doom = doom };
    par_run(G->ctx, PARTS, hunt_par, &H);
    const uint64_t n = par_scan(G->ctx, H.at, PARTS);
    const hy_status status = make_room(K, n);
    if (status == HY_OK && n) {
        H.key = K->key + K->n;
        H.time = K->time + K->n;
        par_run(G->ctx, PARTS, hunt_par, &H);
        K->n += n;
    }
    base_free(G->ctx, doom);
    return status;
}

static hy_status kill_old_edges(struct kills *K)
{
    const struct commit *C = K->T->C;
    const hy_view *V = &K->T->G->now;
    bool any = false;
    for (size_t i = 0; i < C->n_events; i++) {
        const struct event *e = &C->event[i];
        if (!is_first_end(C, e))
            continue;
        any = true;
        HY_TRY(kill_side(K, e->u, e->line, false));
        if (V->reverse)
            HY_TRY(kill_side(K, e->u, e->line, true));
    }
    if (any && !hy_view_has_reverse(V))
        HY_TRY(kill_mentions(K));
    return HY_OK;
}

/* Backwards in time, with the next deletion of each vertex at hand. */
static hy_status kill_new_edges(struct kills *K)
{
    struct staging *T = K->T;
    const struct commit *C = T->C;
    uint32_t *soon = base_alloc_raw(T->G->ctx, T->last_mask + 1, sizeof *soon);
    if (!soon)
        return HY_ENOMEM;
    memset(soon, 0xff, (T->last_mask + 1) * sizeof *soon);
    hy_status status = HY_OK;
    size_t e = C->n_events;
    for (size_t i = T->n; status == HY_OK && i-- > 0;) {
        for (; e && C->event[e - 1].line > T->tag[i]; e--)
            if (C->event[e - 1].what == VERTEX_WENT)
                soon[stage_last(T, C->event[e - 1].u)] = C->event[e - 1].line;
        const hy_vid at[2] = { (hy_vid)(T->edge[i] >> 32), (hy_vid)T->edge[i] };
        for (int end = 0; status == HY_OK && end < 2; end++) {
            const uint32_t time = soon[stage_last(T, at[end])];
            if (time != NO_EVENT)
                status = add_kill(K, at[0], at[1], time);
        }
    }
    base_free(T->G->ctx, soon);
    return status;
}

/* Puts the kills behind the operations of the lines. */
static hy_status append(struct staging *T, const struct kills *K)
{
    if (!K->n)
        return HY_OK;
    if (K->n + T->B->n >= UINT32_MAX)
        return base_fail(HY_EFULL, "the batch changes too many edges");
    struct work *W = &T->G->work;
    const size_t total = T->n + K->n;
    HY_TRY(buf_reserve(T->G, &W->kill, K->n, sizeof *K->time));
    memcpy(W->kill.at, K->time, K->n * sizeof *K->time);
    T->C->ops[0].kill_time = W->kill.at;
    uint64_t *edge = base_resize(T->G->ctx, T->edge, total, sizeof *edge);
    if (!edge)
        return HY_ENOMEM;
    T->edge = edge;
    uint32_t *tag = base_resize(T->G->ctx, T->tag, total, sizeof *tag);
    if (!tag)
        return HY_ENOMEM;
    T->tag = tag;
    memcpy(edge + T->n, K->key, K->n * sizeof *edge);
    for (size_t i = 0; i < K->n; i++) {
        tag[T->n + i] = (uint32_t)(T->B->n + i);
        T->loops |= K->key[i] == ops_flip(K->key[i]);
    }
    T->n = total;
    return HY_OK;
}

hy_status stage_kill(struct staging *T)
{
    struct kills K = { .T = T };
    hy_status status = kill_old_edges(&K);
    if (status == HY_OK)
        status = kill_new_edges(&K);
    if (status == HY_OK)
        status = append(T, &K);
    base_free(T->G->ctx, K.key);
    base_free(T->G->ctx, K.time);
    return status;
}
