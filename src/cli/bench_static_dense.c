/* What lies among neighbours next to textbook loops: clustering coefficients
 * by merging the lists of both ends of each edge, cliques by common later
 * neighbours, 4-cycles by pairs two steps apart, trusses by peeling edges
 * (Wang, Cheng, VLDB 2012). */
#include "cli/bench_static.h"

#include <math.h>
#include <string.h>

struct dense {
    struct cell *C;
    _Atomic uint64_t found;
};

static uint64_t degree_of(const struct gen_csr *csr, size_t u)
{
    return csr->offsets[u + 1] - csr->offsets[u];
}

static const hy_vid *list_of(const struct gen_csr *csr, size_t u)
{
    return csr->targets + csr->offsets[u];
}

/* ---- lcc ----------------------------------------------------------------- */

static void lcc_ours(struct cell *C)
{
    cli_must(hy_lcc(C->V, NULL, C->x[0], NULL), "lcc");
}

static void lcc_par(void *arg, size_t lo, size_t hi)
{
    struct cell *const C = ((struct dense *)arg)->C;
    const struct gen_csr *const csr = C->csr;
    for (size_t u = lo; u < hi; u++) {
        const double n = (double)degree_of(csr, u);
        uint64_t links = 0;
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            links += static_common(list_of(csr, u), list_of(csr, u + 1),
                                   list_of(csr, csr->targets[e]),
                                   list_of(csr, csr->targets[e] + (size_t)1));
        C->x[1][u] = n < 2 ? 0 : (double)links / (n * (n - 1));
    }
}

static void lcc_plain(struct cell *C)
{
    struct dense D = { .C = C };
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, lcc_par, &D);
}

static bool lcc_is_right(struct cell *C)
{
    for (hy_vid u = 0; u < C->n; u++)
        if (fabs(C->x[0][u] - C->x[1][u]) > 1e-9)
            return static_verdict("lcc", false, "not the loop's");
    return true;
}

/* ---- kclique ------------------------------------------------------------- */

static void kclique_ours(struct cell *C)
{
    hy_kclique_info info;
    cli_must(hy_kclique(C->V, NULL, NULL, &info), "kclique");
    C->count[0] = info.cliques;
    C->number_name = "cliques";
    C->number = (double)info.cliques;
}

/* What lists a and b share, into out; how many. */
static size_t meet(const hy_vid *a, const hy_vid *a_end, const hy_vid *b,
                   const hy_vid *b_end, hy_vid *out)
{
    size_t n = 0;
    while (a < a_end && b < b_end) {
        const hy_vid u = *a, v = *b;
        if (u == v)
            out[n++] = u;
        a += u <= v;
        b += v <= u;
    }
    return n;
}

static void kclique_par(void *arg, size_t lo, size_t hi)
{
    struct dense *const D = arg;
    const struct gen_csr *const half = &D->C->half;
    uint64_t room = 1, found = 0;
    for (size_t u = lo; u < hi; u++)
        room = degree_of(half, u) > room ? degree_of(half, u) : room;
    hy_vid *const both = cli_alloc(room, sizeof *both);
    for (size_t u = lo; u < hi; u++)
        for (uint64_t e = half->offsets[u]; e < half->offsets[u + 1]; e++) {
            const size_t v = half->targets[e];
            const size_t n = meet(list_of(half, u), list_of(half, u + 1),
                                  list_of(half, v), list_of(half, v + 1), both);
            for (size_t i = 0; i < n; i++)
                found += static_common(both, both + n, list_of(half, both[i]),
                                       list_of(half, both[i] + (size_t)1));
        }
    cli_free(both);
    atomic_fetch_add(&D->found, found);
}

static void kclique_plain(struct cell *C)
{
    struct dense D = { .C = C };
    static_halve(C);
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, kclique_par, &D);
    C->count[1] = atomic_load(&D.found);
}

static bool counts_are_equal(struct cell *C)
{
    return C->count[0] == C->count[1];
}

/* ---- butterfly ----------------------------------------------------------- */

static void butterfly_ours(struct cell *C)
{
    hy_butterfly_info info;
    cli_must(hy_butterfly(C->V, NULL, NULL, &info), "butterfly");
    C->count[0] = info.butterflies;
    C->number_name = "butterflies";
    C->number = (double)info.butterflies;
}

/* Ways of two steps from u to each w < u, and pairs of them. */
static void butterfly_par(void *arg, size_t lo, size_t hi)
{
    struct dense *const D = arg;
    const struct gen_csr *const csr = D->C->csr;
    uint32_t *const ways = cli_alloc_zeroed(csr->n, sizeof *ways);
    uint64_t found = 0;
    for (size_t u = lo; u < hi; u++) {
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            for (uint64_t f = csr->offsets[v]; csr->targets[f] < u; f++)
                found += ways[csr->targets[f]]++;
        }
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            for (uint64_t f = csr->offsets[v]; csr->targets[f] < u; f++)
                ways[csr->targets[f]] = 0;
        }
    }
    cli_free(ways);
    atomic_fetch_add(&D->found, found);
}

/* A cycle has two pairs of opposite vertices. */
static void butterfly_plain(struct cell *C)
{
    struct dense D = { .C = C };
    hy_par_for(C->ctx, C->n, STATIC_GRAIN, butterfly_par, &D);
    C->count[1] = atomic_load(&D.found) / 2;
}

/* ---- ktruss -------------------------------------------------------------- */

static void ktruss_ours(struct cell *C)
{
    const hy_ktruss_out out = { .vertex = C->a[0] };
    hy_ktruss_info info;
    cli_must(hy_ktruss(C->V, NULL, &out, &info), "ktruss");
    C->number_name = "largest";
    C->number = info.largest;
}

/* Edges u < v by number; both directions of csr know theirs. */
struct peel {
    const struct gen_csr *csr;
    uint32_t *id;    /* of csr's m */
    uint32_t *left;  /* triangles on an edge; its trussness - 2 once it went */
    uint32_t *order; /* edges by `left` */
    uint32_t *place; /* of an edge in it */
    uint32_t *start; /* of those with so many left */
    hy_vid *tail, *head;
    bool *is_gone;
};

static uint64_t find(const struct gen_csr *csr, hy_vid u, hy_vid v)
{
    uint64_t lo = csr->offsets[u], hi = csr->offsets[u + 1];
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (csr->targets[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t number_edges(struct peel *P)
{
    const struct gen_csr *const csr = P->csr;
    uint32_t n = 0;
    for (hy_vid u = 0; u < csr->n; u++)
        for (uint64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const hy_vid v = csr->targets[e];
            if (v < u) {
                P->id[e] = P->id[find(csr, v, u)];
                continue;
            }
            P->tail[n] = u;
            P->head[n] = v;
            P->left[n] = (uint32_t)static_common(
                list_of(csr, u), list_of(csr, u + (size_t)1), list_of(csr, v),
                list_of(csr, v + (size_t)1));
            P->id[e] = n++;
        }
    return n;
}

/* Counting sort of the edges by triangles. */
static void sort_edges(struct peel *P, uint32_t n)
{
    for (uint32_t e = 0; e < n; e++)
        P->start[P->left[e] + 1]++;
    for (hy_vid k = 0; k < P->csr->n; k++)
        P->start[k + 1] += P->start[k];
    for (uint32_t e = 0; e < n; e++) {
        P->place[e] = P->start[P->left[e]]++;
        P->order[P->place[e]] = e;
    }
    for (hy_vid k = P->csr->n; k > 0; k--)
        P->start[k] = P->start[k - 1];
    P->start[0] = 0;
}

/* One triangle less on e, unless it has no more than k: e goes to the front
 * of those with as many, which begin one later. */
static void lower(struct peel *P, uint32_t e, uint32_t k)
{
    if (P->left[e] <= k)
        return;
    const uint32_t to = P->start[P->left[e]]++, from = P->place[e];
    const uint32_t other = P->order[to];
    P->order[to] = e;
    P->order[from] = other;
    P->place[e] = to;
    P->place[other] = from;
    P->left[e]--;
}

static void peel_edge(struct peel *P, uint32_t e)
{
    const struct gen_csr *const csr = P->csr;
    const hy_vid u = P->tail[e], v = P->head[e];
    uint64_t a = csr->offsets[u], b = csr->offsets[v];
    while (a < csr->offsets[u + 1] && b < csr->offsets[v + 1]) {
        const hy_vid x = csr->targets[a], y = csr->targets[b];
        if (x == y && !P->is_gone[P->id[a]] && !P->is_gone[P->id[b]]) {
            lower(P, P->id[a], P->left[e]);
            lower(P, P->id[b], P->left[e]);
        }
        a += x <= y;
        b += y <= x;
    }
    P->is_gone[e] = true;
}

static void ktruss_plain(struct cell *C)
{
    const size_t m = C->csr->m ? C->csr->m : 1;
    struct peel P = { .csr = C->csr,
                      .id = cli_alloc(m, sizeof *P.id),
                      .left = cli_alloc(m, sizeof *P.left),
                      .order = cli_alloc(m, sizeof *P.order),
                      .place = cli_alloc(m, sizeof *P.place),
                      .start =
                          cli_alloc_zeroed(C->n + (size_t)2, sizeof *P.start),
                      .tail = cli_alloc(m, sizeof *P.tail),
                      .head = cli_alloc(m, sizeof *P.head),
                      .is_gone = cli_alloc_zeroed(m, sizeof *P.is_gone) };
    const uint32_t n = number_edges(&P);
    sort_edges(&P, n);
    memset(C->a[1], 0, C->n * sizeof *C->a[1]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t e = P.order[i], truss = P.left[e] + 2;
        peel_edge(&P, e);
        C->a[1][P.tail[e]] = truss; /* no smaller than those before */
        C->a[1][P.head[e]] = truss;
    }
    void *const all[] = { P.id,    P.left, P.order, P.place,
                          P.start, P.tail, P.head,  P.is_gone };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cli_free(all[i]);
}

static bool ktruss_is_right(struct cell *C)
{
    return !memcmp(C->a[0], C->a[1], C->n * sizeof *C->a[0]);
}

const struct static_case static_dense_cases[] = {
    { "lcc", "small; over: merging the lists of both ends of each edge",
      STATIC_SMALL, lcc_ours, lcc_plain, lcc_is_right },
    { "kclique", "small, k = 4; over: merging lists ordered by degree",
      STATIC_HALF | STATIC_SMALL, kclique_ours, kclique_plain,
      counts_are_equal },
    { "butterfly", "small; over: ways of two steps from each vertex",
      STATIC_SMALL, butterfly_ours, butterfly_plain, counts_are_equal },
    { "ktruss", "small; over: peeling edge by edge, one thread", STATIC_SMALL,
      ktruss_ours, ktruss_plain, ktruss_is_right },
    { .name = NULL },
};
