/* Verifies clique counts by lists of candidates in the order of ids: those of
 * a level are what the one before has in common with the neighbours of the
 * vertex picked, above it.  No copy by degree, no bits. */
#include "algo/common/simple.h"

#include <hypha/kclique.h>

#include <inttypes.h>

struct check {
    struct simple S;
    uint32_t k;
    hy_vid *room;   /* k lists of the largest degree */
    uint32_t *n;    /* of each: how many */
    uint32_t *next; /* of each: the one to pick */
    hy_vid *picked; /* at each level */
    uint32_t longest;
    uint64_t *count; /* by vertex */
    uint64_t total;
};

/* The candidates of the next level, after v was picked. */
static uint32_t narrow(const struct check *C, const hy_vid *list, uint32_t n,
                       hy_vid v, hy_vid *to)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (list[i] > v && simple_has(&C->S, v, list[i]))
            to[kept++] = list[i];
    return kept;
}

static void note(struct check *C)
{
    C->total++;
    for (uint32_t i = 0; i < C->k; i++)
        C->count[C->picked[i]]++;
}

/* Cliques whose smallest vertex is u. */
static void enumerate(struct check *C, hy_vid u)
{
    uint32_t level = 1;
    C->picked[0] = u;
    C->n[1] = narrow(C, simple_list(&C->S, u), simple_degree(&C->S, u), u,
                     C->room + C->longest);
    C->next[1] = 0;
    while (level > 0) {
        const hy_vid *list = C->room + (size_t)level * C->longest;
        if (C->n[level] - C->next[level] < C->k - level) {
            level--;
            continue;
        }
        const hy_vid v = list[C->next[level]++];
        C->picked[level] = v;
        if (level == C->k - 1) {
            note(C);
            continue;
        }
        C->n[level + 1] = narrow(C, list, C->n[level], v,
                                 C->room + (size_t)(level + 1) * C->longest);
        C->next[++level] = 0;
    }
}

static hy_status recount(struct check *C)
{
    hy_ctx *ctx = C->S.ctx;
    for (hy_vid u = 0; u < C->S.n; u++)
        if (simple_degree(&C->S, u) > C->longest)
            C->longest = simple_degree(&C->S, u);
    C->count = base_alloc(ctx, C->S.n, sizeof *C->count);
    if (!C->count)
        return HY_ENOMEM;
    if (C->k - 1 > C->longest)
        return HY_OK;
    C->room = base_alloc_raw(ctx, (size_t)C->k * C->longest, sizeof *C->room);
    C->n = base_alloc(ctx, C->k, sizeof *C->n);
    C->next = base_alloc(ctx, C->k, sizeof *C->next);
    C->picked = base_alloc(ctx, C->k, sizeof *C->picked);
    if (!C->room || !C->n || !C->next || !C->picked)
        return HY_ENOMEM;
    for (hy_vid u = 0; u < C->S.n; u++)
        enumerate(C, u);
    return HY_OK;
}

static hy_status compare(const struct check *C, const hy_view *V,
                         const uint64_t *count, uint64_t cliques)
{
    const bool alone = C->k == 1;
    const uint64_t total = alone ? hy_view_vertices(V) : C->total;
    for (hy_vid u = 0; count && u < C->S.n; u++) {
        const uint64_t right = alone ? view_has_vertex(V, u) : C->count[u];
        if (count[u] != right)
            return base_fail(HY_EBUG,
                             "vertex %" PRIu32 " is in %" PRIu64
                             " cliques of %" PRIu32 ", not %" PRIu64,
                             u, right, C->k, count[u]);
    }
    if (total != cliques)
        return base_fail(HY_EBUG,
                         "there are %" PRIu64 " cliques of %" PRIu32
                         ", not %" PRIu64,
                         total, C->k, cliques);
    return HY_OK;
}

bool hy_kclique_check(const hy_view *V, const hy_kclique_opts *opts,
                      const uint64_t *count, uint64_t cliques, const char **why)
{
    hy_ctx *ctx = view_ctx(V);
    struct check C = { .k = opts && opts->k ? opts->k : 4 };
    hy_status status = simple_init(&C.S, V);
    if (status == HY_OK && C.k > 1)
        status = recount(&C);
    if (status == HY_OK)
        status = compare(&C, V, count, cliques);
    base_free(ctx, C.picked);
    base_free(ctx, C.next);
    base_free(ctx, C.n);
    base_free(ctx, C.room);
    base_free(ctx, C.count);
    simple_fini(&C.S);
    if (why && status != HY_OK)
        *why = hy_error_text();
    return status == HY_OK;
}
