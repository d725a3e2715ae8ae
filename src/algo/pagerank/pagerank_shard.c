/* Shards of the vertices, and the lists of each: who waits, who moved.
 *
 * A list of all vertices has room for each at its own place.  So has that of a
 * shard, at the places of its vertices: no list can be full, and none needs
 * memory of its own.
 */
#include "algo/pagerank/pagerank_live.h"

static unsigned shard_log(hy_vid n)
{
    unsigned log = RANKS_SHARD_LOG;
    while (n && (n - 1) >> log >= RANKS_SHARDS)
        log++;
    return log;
}

/* Edges that a shard pushes at a time: many, so that threads seldom wait for
 * each other; few, so that what they send stays in the caches and is not late.
 */
static uint32_t wave_of(hy_vid n)
{
    const unsigned log = shard_log(n);
    return (uint32_t)1 << log < RANKS_WAVE ? (uint32_t)1 << log : RANKS_WAVE;
}

size_t ranks_mail_room(hy_vid room)
{
    const size_t most = ((size_t)room >> RANKS_SHARD_LOG) + 1;
    const size_t shards = most < RANKS_SHARDS ? most : RANKS_SHARDS;
    return shards * shards * 2 * wave_of(room);
}

void ranks_cut(struct ranks *R)
{
    const hy_vid bound = R->V->bound, n = ranks_gather(R);
    const unsigned log = shard_log(bound);
    ranks_forget(R);
    R->cut = bound;
    R->shard_log = log;
    R->shards = bound ? ((bound - 1) >> log) + 1 : 1;
    R->wave = wave_of(bound);
    for (uint32_t i = 0; i < R->shards; i++) {
        const hy_vid lo = (hy_vid)i << log;
        const hy_vid size = (hy_vid)1 << log;
        R->shard[i] = (struct ranks_shard){
            .lo = lo, .size = bound - lo < size ? bound - lo : size
        };
    }
    for (hy_vid i = 0; i < n; i++)
        ranks_wait(R, R->turn[i]);
}

hy_vid ranks_gather(struct ranks *R)
{
    hy_vid n = 0;
    for (uint32_t i = 0; i < R->shards; i++) {
        const struct ranks_shard *const S = &R->shard[i];
        if (S->n_wait)
            memcpy(R->turn + n, R->wait + S->lo, S->n_wait * sizeof *R->turn);
        n += S->n_wait;
    }
    return n;
}

void ranks_clear(struct ranks *R)
{
    for (uint32_t i = 0; i < R->shards; i++)
        R->shard[i].n_wait = R->shard[i].n_moved = 0;
}

hy_vid ranks_n_wait(const struct ranks *R)
{
    hy_vid n = 0;
    for (uint32_t i = 0; i < R->shards; i++)
        n += R->shard[i].n_wait;
    return n;
}

hy_vid ranks_n_moved(const struct ranks *R)
{
    hy_vid n = 0;
    for (uint32_t i = 0; i < R->shards; i++)
        n += R->shard[i].n_moved;
    return n;
}

/* Takes a mark off some. */
static void unmark(struct ranks *R, const hy_vid *who, hy_vid n, uint32_t mark)
{
    for (hy_vid i = 0; i < n; i++)
        R->node[who[i]].mark &= ~mark;
}

void ranks_forget(struct ranks *R)
{
    for (uint32_t i = 0; i < R->shards; i++) {
        struct ranks_shard *const S = &R->shard[i];
        unmark(R, R->wait + S->lo, S->n_wait, RANKS_WAITING);
        S->n_wait = 0;
    }
}

void ranks_forget_moved(struct ranks *R)
{
    for (uint32_t i = 0; i < R->shards; i++) {
        struct ranks_shard *const S = &R->shard[i];
        unmark(R, R->moved + S->lo, S->n_moved, RANKS_MOVED);
        S->n_moved = 0;
    }
}

/* In their order, whoever did it. */
void ranks_add_tallies(struct ranks *R)
{
    const double before = R->sum;
    double work = 0;
    for (uint32_t i = 0; i < R->shards; i++) {
        struct ranks_tally *const did = &R->shard[i].did;
        R->sum += did->sum;
        R->net += did->net;
        R->dangling += did->dangling;
        R->drift += did->drift;
        R->work += did->work;
        work += (double)did->work;
        *did = (struct ranks_tally){ 0 };
    }
    const double height = fabs(before) + fabs(R->sum);
    R->blur += 0x1p-52 * work * height;
    R->doubt += 0x1p-52 * work * fmax(height, R->scale);
}
