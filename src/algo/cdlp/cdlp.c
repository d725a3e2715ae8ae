/* Communities by label propagation.
 *
 *   CDLP(V, iterations)
 *     1 Name     l(u) <- the rank of u's label among all
 *     2 repeat `iterations` times, until nothing changes
 *     3   Vote     l'(u) <- the most frequent l(v) of u's neighbours v, the
 *                  smallest of equally frequent ones; all u at once
 *     4   l <- l'
 *     5 Tell     label(u) <- the label of rank l(u)
 *
 * Raghavan, Albert, Kumara: Near linear time algorithm to detect community
 * structures in large-scale networks, Physical Review E 76, 2007, made
 * synchronous and deterministic as in LDBC Graphalytics (Iosup et al., VLDB
 * 2016).  Ranks keep the order of labels and lie below n, so that votes are
 * counted in an array: each worker has one, all zeros between vertices.  A
 * vertex with few neighbours sorts their labels instead.
 */
#include "algo/common/crew.h"
#include "algo/common/groups.h"
#include "algo/common/side.h"
#include "base/atomic.h"
#include "base/bits.h"

#include <hypha/cdlp.h>

enum {
    ITERATIONS = 10,
    FEW = 24, /* neighbours that are sorted; measured */
    GRAIN = 1 << 9,
    GRAIN_PLAIN = 1 << 12, /* of loops over vertices alone */
};

struct cdlp {
    const hy_view *V;
    hy_ctx *ctx;
    hy_vid n;
    struct algo_side in;  /* directed: beside the out-edges */
    hy_vid *l, *next;     /* ranks; HY_NONE: not alive */
    uint32_t *votes;      /* n for each worker */
    uint64_t changed;     /* atomic, relaxed */
    uint64_t *name;       /* the label of each rank; NULL: the rank itself */
    struct par_keys keys; /* labels being ranked */
    uint64_t *label;      /* the answer */
};

/* ---- votes --------------------------------------------------------------- */

/* The most frequent of a few labels: sorts them. */
static hy_vid elect_few(hy_vid *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const hy_vid here = x[i];
        uint32_t j = i;
        for (; j > 0 && x[j - 1] > here; j--)
            x[j] = x[j - 1];
        x[j] = here;
    }
    hy_vid best = x[0];
    uint32_t most = 1, run = 1;
    for (uint32_t i = 1; i < n; i++) {
        run = x[i] == x[i - 1] ? run + 1 : 1;
        if (run > most) { /* ascending: the first of its count stays */
            most = run;
            best = x[i];
        }
    }
    return best;
}

/* Copies labels of a span. */
HY_INLINE uint32_t copy_span(const hy_vid *l, const hy_span *s, hy_vid *to)
{
    for (uint32_t i = 0; i < s->n; i++)
        to[i] = l[s->v[i * s->step]];
    return s->n;
}

static hy_vid vote_few(const struct cdlp *C, hy_vid u)
{
    hy_vid x[FEW];
    uint32_t n = 0;
    x[0] = C->l[u]; /* if nobody votes */
    view_for_out (s, C->V, u)
        n += copy_span(C->l, &s, x + n);
    if (!view_is_undirected(C->V))
        algo_for_side (s, &C->in, u)
            n += copy_span(C->l, &s, x + n);
    return elect_few(x, n);
}

/* The winner so far, among labels counted in `votes`. */
struct poll {
    uint32_t *votes;
    uint32_t most;
    hy_vid best;
};

HY_INLINE void poll_span(struct poll *P, const hy_vid *l, const hy_span *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid x = l[s->v[i * s->step]];
        const uint32_t count = ++P->votes[x];
        if (count > P->most || (count == P->most && x < P->best)) {
            P->most = count;
            P->best = x;
        }
    }
}

HY_INLINE void clear_span(uint32_t *votes, const hy_vid *l, const hy_span *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        votes[l[s->v[i * s->step]]] = 0;
}

static hy_vid vote_many(const struct cdlp *C, hy_vid u, uint32_t *votes)
{
    const bool is_both = !view_is_undirected(C->V);
    struct poll P = { .votes = votes, .best = HY_NONE };
    view_for_out (s, C->V, u)
        poll_span(&P, C->l, &s);
    if (is_both)
        algo_for_side (s, &C->in, u)
            poll_span(&P, C->l, &s);
    view_for_out (s, C->V, u)
        clear_span(votes, C->l, &s);
    if (is_both)
        algo_for_side (s, &C->in, u)
            clear_span(votes, C->l, &s);
    return P.best;
}

/* Writes `next` of its range, and the votes of its worker. */
static void vote_par(void *arg, size_t worker, size_t lo, size_t hi)
{
    struct cdlp *C = arg;
    const bool is_both = !view_is_undirected(C->V);
    uint32_t *const votes = C->votes + worker * C->n;
    uint64_t changed = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        const uint64_t d = (uint64_t)view_degree(C->V, u) +
                           (is_both ? algo_side_degree(&C->in, u) : 0);
        C->next[u] = d <= FEW ? vote_few(C, u) : vote_many(C, u, votes);
        changed += C->next[u] != C->l[u];
    }
    (void)atomic_add_u64(&C->changed, changed);
}

static uint32_t iterate(struct cdlp *C, uint32_t iterations)
{
    uint32_t done = 0;
    do {
        C->changed = 0;
        algo_crew_for(C->ctx, C->n, GRAIN, vote_par, C);
        hy_vid *const l = C->l;
        C->l = C->next;
        C->next = l;
        done++;
    } while (done < iterations && C->changed);
    return done;
}

/* ---- labels and ranks ---------------------------------------------------- */

/* Writes l of its range. */
static void own_par(void *arg, size_t lo, size_t hi)
{
    struct cdlp *C = arg;
    for (size_t u = lo; u < hi; u++)
        C->l[u] = view_has_vertex(C->V, (hy_vid)u) ? (hy_vid)u : HY_NONE;
}

/* Ranks the labels that were given: sorts them, with their vertices. */
static void rank(struct cdlp *C)
{
    par_sort(C->ctx, &C->keys);
    hy_vid r = 0;
    for (size_t i = 0; i < C->keys.n; i++) {
        r += i && C->keys.key[i] != C->keys.key[i - 1];
        C->name[r] = C->keys.key[i];
        C->l[C->keys.tag[i]] = r;
    }
}

/* Writes labels of its range. */
static void tell_par(void *arg, size_t lo, size_t hi)
{
    const struct cdlp *C = arg;
    for (size_t u = lo; u < hi; u++)
        C->label[u] = C->l[u] == HY_NONE ? HY_CDLP_NONE
                      : C->name          ? C->name[C->l[u]]
                                         : C->l[u];
}

/* ---- the whole ----------------------------------------------------------- */

/* Reserves what ranking takes, and gathers the labels of the living. */
static hy_status reserve_names(struct cdlp *C, const uint64_t *labels)
{
    const size_t n = C->n;
    C->name = base_alloc_raw(C->ctx, n, sizeof *C->name);
    C->keys = (struct par_keys){
        .key = base_alloc_raw(C->ctx, n, sizeof(uint64_t)),
        .key_tmp = base_alloc_raw(C->ctx, n, sizeof(uint64_t)),
        .tag = base_alloc_raw(C->ctx, n, sizeof(uint32_t)),
        .tag_tmp = base_alloc_raw(C->ctx, n, sizeof(uint32_t)),
        .high_bits = 32,
        .low_bits = 32,
    };
    if (!C->name || !C->keys.key || !C->keys.key_tmp || !C->keys.tag ||
        !C->keys.tag_tmp)
        return HY_ENOMEM;
    for (hy_vid u = 0; u < C->n; u++) {
        if (!view_has_vertex(C->V, u))
            continue;
        if (labels[u] == HY_CDLP_NONE)
            return base_fail(HY_EINVAL, "vertex %u starts without a label", u);
        C->keys.key[C->keys.n] = labels[u];
        C->keys.tag[C->keys.n++] = u;
    }
    return HY_OK;
}

static hy_status cdlp_init(struct cdlp *C, const hy_view *V,
                           const uint64_t *labels)
{
    hy_ctx *const ctx = view_ctx(V);
    const size_t n = V->bound;
    *C = (struct cdlp){ .V = V, .ctx = ctx, .n = V->bound };
    C->l = base_alloc_raw(ctx, n, sizeof *C->l);
    C->next = base_alloc_raw(ctx, n, sizeof *C->next);
    C->votes = base_alloc(ctx, n, par_width(ctx) * sizeof *C->votes);
    if (!C->l || !C->next || !C->votes)
        return HY_ENOMEM;
    HY_TRY(algo_side_in(&C->in, V));
    return labels ? reserve_names(C, labels) : HY_OK;
}

static void cdlp_fini(struct cdlp *C)
{
    base_free(C->ctx, C->keys.tag_tmp);
    base_free(C->ctx, C->keys.tag);
    base_free(C->ctx, C->keys.key_tmp);
    base_free(C->ctx, C->keys.key);
    base_free(C->ctx, C->name);
    algo_side_fini(&C->in);
    base_free(C->ctx, C->votes);
    base_free(C->ctx, C->next);
    base_free(C->ctx, C->l);
}

static void cdlp_run(struct cdlp *C, uint32_t iterations, hy_cdlp_info *info)
{
    par_for(C->ctx, C->n, GRAIN_PLAIN, own_par, C);
    if (C->name)
        rank(C);
    const uint32_t done = iterate(C, iterations);
    par_for(C->ctx, C->n, GRAIN_PLAIN, tell_par, C);
    if (!info)
        return;
    /* The votes are all zeros again. */
    const struct algo_groups found = algo_groups(C->V, C->l, C->votes, false);
    *info = (hy_cdlp_info){ .communities = found.groups,
                            .largest = found.largest,
                            .iterations = done };
}

hy_status hy_cdlp(const hy_view *V, const hy_cdlp_opts *opts, uint64_t *label,
                  hy_cdlp_info *info)
{
    const hy_cdlp_opts o = opts ? *opts : (hy_cdlp_opts){ 0 };
    struct cdlp C;
    const hy_status status = cdlp_init(&C, V, o.labels);
    C.label = label;
    if (status == HY_OK)
        cdlp_run(&C, o.iterations ? o.iterations : ITERATIONS, info);
    cdlp_fini(&C);
    return status;
}
