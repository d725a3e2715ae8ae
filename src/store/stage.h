/* Staging: what stage.c, ops.c and kill.c share.  Private to them. */
#ifndef STORE_STAGE_H
#define STORE_STAGE_H

#include "store/commit.h"

#include "base/random.h"

/* Lines gone through in order. */
struct staging {
    struct commit *C;
    hy_graph *G;
    const hy_batch *B;
    struct ids *ids;
    hy_vid *end[2]; /* of each line: its ends, HY_NONE if unknown */
    uint32_t *last; /* hash: the last event of a vertex, or NO_EVENT */
    size_t last_mask;
    uint64_t *edge; /* keys of operations, with their tags */
    uint32_t *tag;
    size_t n;
    bool loops;
    size_t unknown; /* ends that name no vertex yet */
};

/* Events by vertex: a small open hash over the event list. */
static inline size_t stage_last(const struct staging *T, hy_vid u)
{
    size_t i = base_mix(u) & T->last_mask;
    while (T->last[i] != NO_EVENT && T->C->event[T->last[i]].u != u)
        i = (i + 1) & T->last_mask;
    return i;
}

/* ---- ops.c: operations from edges -------------------------------------- */

static inline uint64_t ops_flip(uint64_t key)
{
    return key << 32 | key >> 32;
}

/* Operations of all sides from n edges, unsorted in the workspace. */
HY_CHECKED hy_status ops_fill(struct commit *C, const uint64_t *edge,
                              const uint32_t *tag, size_t n, bool tagged,
                              bool loops);

/* What the operations of a batch are like, whatever their order. */
void ops_describe(struct commit *C);

/* Values, or different kinds of lines, are found through tags. */
bool ops_need_tags(const hy_batch *B);

/* ---- kill.c: edges that go with their vertices -------------------------- */

/* Adds the kills behind the operations of the lines. */
HY_CHECKED hy_status stage_kill(struct staging *T);

#endif
