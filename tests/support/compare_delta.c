/* The model before and after against what a commit said it did. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

struct change {
    hy_vid u, v;
    struct record values, old;
};

struct changes {
    struct change *at;
    size_t n;
};

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

static int change_order(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    const uint64_t i = (uint64_t)x->u << 32 | x->v;
    const uint64_t k = (uint64_t)y->u << 32 | y->v;
    return (i > k) - (i < k);
}

static void changes_init(struct changes *C, const struct model *A,
                         const struct model *B)
{
    C->n = 0;
    C->at = must(malloc((A->edges + B->edges + 1) * sizeof *C->at));
}

/* `old` may be NULL. */
static void add(struct changes *C, const struct model *M, uint32_t u,
                const struct entry *e, const struct entry *old)
{
    struct change c = { .u = M->slot[u].vid,
                        .v = M->slot[e->slot].vid,
                        .values = e->values };
    if (M->is_undirected && c.u > c.v) {
        const hy_vid v = c.v;
        c.v = c.u;
        c.u = v;
    }
    if (old)
        c.old = old->values;
    C->at[C->n++] = c;
}

/* The edges of A that are not in B. */
static void collect_gone(struct changes *C, const struct model *A,
                         const struct model *B)
{
    for (uint32_t u = 0; u < A->n; u++) {
        const struct entries *L = &A->slot[u].out;
        for (uint32_t i = 0; i < L->n; i++) {
            if (A->is_undirected && L->at[i].slot < u)
                continue;
            if (!model_edge(B, u, L->at[i].slot))
                add(C, A, u, &L->at[i], NULL);
        }
    }
    qsort(C->at, C->n, sizeof *C->at, change_order);
}

/* The edges of both that have other values in B than in A. */
static void collect_updated(struct changes *C, const struct model *A,
                            const struct model *B)
{
    for (uint32_t u = 0; u < B->n; u++) {
        const struct entries *L = &B->slot[u].out;
        for (uint32_t i = 0; i < L->n; i++) {
            if (A->is_undirected && L->at[i].slot < u)
                continue;
            const struct entry *old = model_edge(A, u, L->at[i].slot);
            if (old && !record_equal(&old->values, &L->at[i].values))
                add(C, B, u, &L->at[i], old);
        }
    }
    qsort(C->at, C->n, sizeof *C->at, change_order);
}

static const void *record_at(const void *records, uint64_t i, size_t size)
{
    return (const unsigned char *)records + i * size;
}

static bool compare_change(const struct layout *L, const struct change *want,
                           const hy_edge_list *have, uint64_t i, bool has_old,
                           struct why *why, const char *what)
{
    if (have->at[i].u != want->u || have->at[i].v != want->v)
        return why_not(why, "delta: %s %llu: want %u-%u, have %u-%u", what,
                       (ull)i, want->u, want->v, have->at[i].u, have->at[i].v);
    if (L->size == 0)
        return true;
    struct record r = layout_read(L, record_at(have->values, i, L->size));
    if (!record_equal(&r, &want->values))
        return why_not(why, "delta: values of %s %u-%u", what, want->u,
                       want->v);
    if (!has_old)
        return true;
    r = layout_read(L, record_at(have->old, i, L->size));
    return record_equal(&r, &want->old) ||
           why_not(why, "delta: old values of %u-%u", want->u, want->v);
}

static bool compare_list(const struct layout *L, const struct changes *want,
                         const hy_edge_list *have, bool has_old,
                         struct why *why, const char *what)
{
    if (want->n != have->n)
        return why_not(why, "delta: %s: want %zu, have %llu", what, want->n,
                       (ull)have->n);
    for (uint64_t i = 0; i < have->n; i++)
        if (!compare_change(L, &want->at[i], have, i, has_old, why, what))
            return false;
    return true;
}

static bool compare_edges(const struct model *before, const struct model *after,
                          const hy_delta *delta, struct why *why)
{
    const struct layout *L = &after->edge;
    struct changes C;
    changes_init(&C, before, after);
    collect_gone(&C, after, before);
    bool is_same =
        compare_list(L, &C, &delta->inserted, false, why, "inserted");
    C.n = 0;
    collect_gone(&C, before, after);
    is_same =
        is_same && compare_list(L, &C, &delta->deleted, false, why, "deleted");
    C.n = 0;
    collect_updated(&C, before, after);
    is_same =
        is_same && compare_list(L, &C, &delta->updated, true, why, "updated");
    free(C.at);
    return is_same;
}

/* ---- vertices --------------------------------------------------------- */

static int vid_order(const void *a, const void *b)
{
    const hy_vid x = *(const hy_vid *)a, y = *(const hy_vid *)b;
    return (x > y) - (x < y);
}

static bool is_alive(const struct model *M, uint32_t slot)
{
    return slot < M->n && M->slot[slot].is_alive;
}

/* The vertices of A that are not in B. */
static bool compare_vids(const struct model *A, const struct model *B,
                         const hy_vid_list *have, struct why *why,
                         const char *what)
{
    hy_vid *want = must(malloc(((size_t)A->n + 1) * sizeof *want));
    uint64_t n = 0;
    for (uint32_t u = 0; u < A->n; u++)
        if (is_alive(A, u) && !is_alive(B, u))
            want[n++] = A->slot[u].vid;
    qsort(want, n, sizeof *want, vid_order);
    const bool is_same =
        n == have->n &&
        (n == 0 || memcmp(want, have->at, n * sizeof *want) == 0);
    free(want);
    return is_same || why_not(why, "delta: %s: want %llu, have %llu or others",
                              what, (ull)n, (ull)have->n);
}

bool model_compare_delta(const struct model *before, const struct model *after,
                         const hy_delta *delta, struct why *why)
{
    return compare_edges(before, after, delta, why) &&
           compare_vids(after, before, &delta->vertices_inserted, why,
                        "vertices inserted") &&
           compare_vids(before, after, &delta->vertices_deleted, why,
                        "vertices deleted");
}

bool model_compare_counts(const hy_counts *want, const hy_counts *have,
                          struct why *why)
{
#define SAME(field)                                                            \
    if (want->field != have->field)                                            \
    return why_not(why, "counts." #field ": want %llu, have %llu",             \
                   (ull)want->field, (ull)have->field)
    SAME(inserted);
    SAME(updated);
    SAME(deleted);
    SAME(duplicate);
    SAME(missing);
    SAME(rejected);
    SAME(vertices_inserted);
    SAME(vertices_updated);
    SAME(vertices_deleted);
    SAME(vertices_duplicate);
    SAME(vertices_missing);
    SAME(detached);
#undef SAME
    return true;
}
