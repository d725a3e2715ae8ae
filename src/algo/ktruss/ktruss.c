/* Truss decomposition.
 *
 *   Trusses
 *     1 Count   support(e) <- triangles of e
 *     2 Peel    level by level: while there are edges of support <= level,
 *               they go, all at once, and each triangle that breaks takes 1
 *               from the support of its other edges
 *     3 List    edges by (u, v), their trussness, and the largest of a vertex
 *
 * After PKT (Kabir, Madduri, HPEC 2017).  Its workers mark the neighbours of
 * one end of every edge that goes; we merge the two lists, or search if one is
 * much longer, as marking a hub for each of its edges takes its squared
 * degree.  Lists are cut when a quarter of the edges went.
 */
#include "algo/ktruss/ktruss_impl.h"

#include "base/bits.h"
#include "par/par.h"

enum { GRAIN = 64 };

/* ---- workspace --------------------------------------------------------- */

static uint32_t count_lower(const struct ranked *R, uint32_t r)
{
    uint64_t lo = R->from[r], hi = R->from[r + 1];
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (R->to[mid] < r)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint32_t)(lo - R->from[r]);
}

/* Edges get numbers at their end of higher rank; at the other end the number
 * is looked up. */
static void number_par(void *arg, size_t lo, size_t hi)
{
    struct truss *T = arg;
    const struct ranked *R = &T->R;
    for (size_t r = lo; r < hi; r++)
        for (uint64_t i = R->from[r]; i < R->from[r + 1]; i++) {
            const uint32_t s = R->to[i];
            if (s < r) {
                const uint32_t e = T->lower[r] + (uint32_t)(i - R->from[r]);
                T->edge[i] = e;
                T->end[e] = (uint32_t)r;
                T->other[e] = s;
                continue;
            }
            const uint32_t *list = R->to + R->from[s];
            uint32_t a = 0, b = T->lower[s + 1] - T->lower[s];
            while (a < b) {
                const uint32_t mid = a + (b - a) / 2;
                if (list[mid] < r)
                    a = mid + 1;
                else
                    b = mid;
            }
            T->edge[i] = T->lower[s] + a;
        }
}

static void number_edges(struct truss *T)
{
    uint32_t sum = 0;
    for (uint32_t r = 0; r < T->R.n; r++) {
        T->lower[r] = sum;
        sum += count_lower(&T->R, r);
    }
    T->lower[T->R.n] = sum;
    par_for(T->R.ctx, T->R.n, GRAIN, number_par, T);
}

static hy_status reserve(struct truss *T)
{
    hy_ctx *ctx = T->R.ctx;
    const size_t n = T->R.n, m = T->m;
    T->lower = base_alloc(ctx, n + 1, sizeof *T->lower);
    T->edge = base_alloc_raw(ctx, 2 * m, sizeof *T->edge);
    T->stop = base_alloc_raw(ctx, n, sizeof *T->stop);
    T->end = base_alloc_raw(ctx, m, sizeof *T->end);
    T->other = base_alloc_raw(ctx, m, sizeof *T->other);
    T->support = base_alloc(ctx, m, sizeof *T->support);
    T->state = base_alloc(ctx, m, sizeof *T->state);
    T->order = base_alloc_raw(ctx, m, sizeof *T->order);
    T->left = base_alloc_raw(ctx, m, sizeof *T->left);
    T->mark = base_alloc(ctx, T->width, sizeof *T->mark);
    if (!T->lower || !T->edge || !T->stop || !T->end || !T->other ||
        !T->support || !T->state || !T->order || !T->left || !T->mark)
        return HY_ENOMEM;
    for (uint32_t i = 0; i < T->width; i++) {
        T->mark[i] = base_alloc(ctx, n, sizeof *T->mark[i]);
        if (!T->mark[i])
            return HY_ENOMEM;
    }
    return HY_OK;
}

hy_status truss_init(struct truss *T, const hy_view *V)
{
    *T = (struct truss){ .width = par_width(view_ctx(V)) };
    HY_TRY(ranked_init(&T->R, V, (struct ranked_opts){ .part = RANKED_ALL }));
    if (T->R.m >= HY_NONE)
        return base_fail(HY_EFULL, "ktruss: 2^32 edges or more");
    T->m = (uint32_t)T->R.m;
    HY_TRY(reserve(T));
    number_edges(T);
    return HY_OK;
}

void truss_fini(struct truss *T)
{
    hy_ctx *ctx = T->R.ctx;
    for (uint32_t i = 0; T->mark && i < T->width; i++)
        base_free(ctx, T->mark[i]);
    base_free(ctx, T->mark);
    base_free(ctx, T->left);
    base_free(ctx, T->order);
    base_free(ctx, T->state);
    base_free(ctx, T->support);
    base_free(ctx, T->other);
    base_free(ctx, T->end);
    base_free(ctx, T->stop);
    base_free(ctx, T->edge);
    base_free(ctx, T->lower);
    ranked_fini(&T->R);
}

/* ---- list -------------------------------------------------------------- */

struct list {
    const struct truss *T;
    uint32_t k;
    struct par_keys keys; /* (u, v) and the edge's number */
    uint32_t *vertex;
    bool owns_vertex;
};

static hy_status list_init(struct list *L, const hy_ktruss_out *out, hy_vid n)
{
    hy_ctx *ctx = L->T->R.ctx;
    const size_t m = L->T->m;
    L->owns_vertex = !out->vertex;
    L->vertex = out->vertex;
    if (L->owns_vertex)
        L->vertex = base_alloc_raw(ctx, n, sizeof *L->vertex);
    L->keys.key = base_alloc_raw(ctx, m, sizeof *L->keys.key);
    L->keys.key_tmp = base_alloc_raw(ctx, m, sizeof *L->keys.key_tmp);
    L->keys.tag = base_alloc_raw(ctx, m, sizeof *L->keys.tag);
    L->keys.tag_tmp = base_alloc_raw(ctx, m, sizeof *L->keys.tag_tmp);
    L->keys.high_bits = L->keys.low_bits = bits_width(n);
    return L->vertex && L->keys.key && L->keys.key_tmp && L->keys.tag &&
                   L->keys.tag_tmp
               ? HY_OK
               : HY_ENOMEM;
}

static void list_fini(struct list *L)
{
    hy_ctx *ctx = L->T->R.ctx;
    base_free(ctx, L->keys.tag_tmp);
    base_free(ctx, L->keys.tag);
    base_free(ctx, L->keys.key_tmp);
    base_free(ctx, L->keys.key);
    if (L->owns_vertex)
        base_free(ctx, L->vertex);
}

static void raise_to(uint32_t *x, uint32_t truss)
{
    *x = *x < truss ? truss : *x;
}

/* The edges that are wanted, and what they say about their ends. */
static uint32_t collect(struct list *L)
{
    const struct truss *T = L->T;
    uint32_t largest = 0;
    for (uint32_t e = 0; e < T->m; e++) {
        const hy_vid x = T->R.vertex[T->end[e]];
        const hy_vid y = T->R.vertex[T->other[e]];
        const uint32_t truss = T->support[e] + 2;
        raise_to(&largest, truss);
        if (truss < L->k)
            continue;
        raise_to(&L->vertex[x], truss);
        raise_to(&L->vertex[y], truss);
        const uint64_t u = x < y ? x : y, v = x < y ? y : x;
        L->keys.key[L->keys.n] = u << 32 | v;
        L->keys.tag[L->keys.n++] = e;
    }
    return largest;
}

static void write_out(const struct list *L, const hy_ktruss_out *out)
{
    for (size_t i = 0; i < L->keys.n; i++) {
        const uint64_t key = L->keys.key[i];
        if (out->edges)
            out->edges[i] = (hy_edge){ (hy_vid)(key >> 32), (hy_vid)key };
        if (out->truss)
            out->truss[i] = L->T->support[L->keys.tag[i]] + 2;
    }
}

static void list(struct list *L, const hy_ktruss_out *out, hy_vid n,
                 hy_ktruss_info *info)
{
    uint64_t vertices = 0;
    for (hy_vid u = 0; u < n; u++)
        L->vertex[u] = 0;
    const uint32_t largest = collect(L);
    for (hy_vid u = 0; u < n; u++)
        vertices += L->vertex[u] > 0;
    if (out->edges || out->truss) {
        par_sort(L->T->R.ctx, &L->keys);
        write_out(L, out);
    }
    if (info)
        *info = (hy_ktruss_info){ L->keys.n, vertices, largest };
}

hy_status hy_ktruss(const hy_view *V, const hy_ktruss_opts *opts,
                    const hy_ktruss_out *out, hy_ktruss_info *info)
{
    if (!out)
        return base_fail(HY_EINVAL, "ktruss: nowhere to put the answer");
    const hy_vid n = hy_view_bound(V);
    struct truss T;
    struct list L = { .T = &T, .k = opts ? opts->k : 0 };
    hy_status status = truss_init(&T, V);
    if (status == HY_OK)
        status = list_init(&L, out, n);
    if (status == HY_OK) {
        truss_count(&T);
        truss_peel(&T);
        list(&L, out, n, info);
    }
    list_fini(&L);
    truss_fini(&T);
    return status;
}
