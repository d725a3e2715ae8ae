/* Operations on edges, from the lines of a batch: for each side a key, and a
 * tag where it matters which line it was. */
#include "store/stage.h"

#include "par/par.h"

enum { FILL_GRAIN = 1 << 14 };

/* Where operations come from: keys of edges, and their tags. */
struct filling {
    const uint64_t *edge;
    const uint32_t *tag; /* NULL: tags are positions */
    uint64_t *key;
    uint32_t *out_tag; /* NULL: none wanted */
    size_t step;       /* 2: undirected, each edge and its twin behind it */
    size_t other;      /* where the other side starts; 0: there is none */
};

/* Undirected: twins side by side, so that sorting keeps lines in order
 * whichever way round they name the edge. */
static void fill_keys(const struct filling *F, size_t lo, size_t hi)
{
    for (size_t i = lo; F->step == 2 && i < hi; i++) {
        F->key[2 * i] = F->edge[i];
        F->key[2 * i + 1] = ops_flip(F->edge[i]);
    }
    if (F->step == 1)
        memcpy(F->key + lo, F->edge + lo, (hi - lo) * sizeof *F->key);
    for (size_t i = lo; F->other && i < hi; i++)
        F->key[F->other + i] = ops_flip(F->edge[i]);
}

static void fill_par(void *arg, size_t lo, size_t hi)
{
    const struct filling *F = arg;
    fill_keys(F, lo, hi);
    for (size_t i = lo; F->out_tag && i < hi; i++) {
        const uint32_t tag = F->tag ? F->tag[i] : (uint32_t)i;
        for (size_t twin = 0; twin < F->step; twin++)
            F->out_tag[F->step * i + twin] = tag;
        if (F->other)
            F->out_tag[F->other + i] = tag;
    }
}

/* An undirected loop is one operation: drops its twin. */
static size_t drop_twins(const struct filling *F, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        if (i % 2 && F->key[i] == ops_flip(F->key[i]))
            continue;
        F->key[kept] = F->key[i];
        if (F->out_tag)
            F->out_tag[kept] = F->out_tag[i];
        kept++;
    }
    return kept;
}

hy_status ops_fill(struct commit *C, const uint64_t *edge, const uint32_t *tag,
                   size_t n, bool tagged, bool loops)
{
    hy_graph *G = C->G;
    struct work *W = &G->work;
    const bool undirected = G->shape.undirected, reverse = G->now.reverse;
    const size_t total = undirected || reverse ? 2 * n : n;
    HY_TRY(buf_reserve(G, &W->key, total, sizeof(uint64_t)));
    HY_TRY(buf_reserve(G, &W->key_tmp, total, sizeof(uint64_t)));
    if (tagged) {
        HY_TRY(buf_reserve(G, &W->tag, total, sizeof(uint32_t)));
        HY_TRY(buf_reserve(G, &W->tag_tmp, total, sizeof(uint32_t)));
    }
    struct filling F = { .edge = edge,
                         .tag = tag,
                         .key = W->key.at,
                         .out_tag = tagged ? W->tag.at : NULL,
                         .step = undirected ? 2 : 1,
                         .other = reverse ? n : 0 };
    par_for(G->ctx, n, FILL_GRAIN, fill_par, &F);
    C->n_sides = reverse ? 2 : 1;
    C->ops[0].n = F.step * n;
    if (undirected && loops)
        C->ops[0].n = drop_twins(&F, n);
    C->ops[0].tag = F.out_tag;
    if (reverse) {
        C->ops[1] = C->ops[0];
        C->ops[1].tag = F.out_tag ? F.out_tag + n : NULL;
        C->ops[1].side = IN;
    }
    return HY_OK;
}

void ops_describe(struct commit *C)
{
    const hy_batch *B = C->B;
    C->ops[0] = (struct ops){
        .all = B->all,
        .op = B->op,
        .values = B->values,
        .n_lines = (uint32_t)B->n,
        .side = OUT,
    };
}

bool ops_need_tags(const hy_batch *B)
{
    return B->op || B->all == OP_INSERT || B->all == OP_UPDATE;
}
