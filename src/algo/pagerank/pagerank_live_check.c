/* Live ranks verify themselves: rests and their sums are what they are defined
 * as, lists and marks agree, values are as far from the ranks as is said. */
#include "algo/pagerank/pagerank_live.h"

#include <math.h>

/* What the rest of v must be. */
static double define_rest(const struct ranks *R, const hy_view *V, hy_vid v)
{
    double sum = 0;
    view_for_in (s, V, v)
        sum += ranks_sum_shares(R, &s);
    return view_has_vertex(V, v)
               ? 1 + R->d * sum - R->share[v] * ranks_k(&R->node[v])
               : 0;
}

static hy_status check_rests(const struct ranks *R, const hy_view *V)
{
    const double slack = 1e-9;
    double sum = 0, dangling = 0, wrong = 0, most = 1;
    for (hy_vid v = 0; v < V->bound; v++) {
        const struct ranks_node *const a = &R->node[v];
        const double right = define_rest(R, V, v);
        const double z = R->share[v] * ranks_k(a);
        if (a->degree != view_degree(V, v) ||
            ((a->mark & RANKS_ALIVE) != 0) != view_has_vertex(V, v))
            return base_fail(HY_EBUG, "pagerank: %u is another vertex",
                             (unsigned)v);
        if (!(fabs(a->rest - right) <= slack * (1 + fabs(z)) + R->blur))
            return base_fail(HY_EBUG,
                             "pagerank: %.17g is missing at %u, not"
                             " %.17g",
                             right, (unsigned)v, a->rest);
        sum += fabs(right);
        wrong += fabs(a->rest - right);
        dangling += a->degree ? 0 : z;
        most += fabs(z);
    }
    if (!(wrong <= R->blur + 0x1p-40 * most))
        return base_fail(HY_EBUG, "pagerank: rests are %.17g away, not %.17g",
                         wrong, R->blur);
    const double near = slack * most + R->doubt + R->blur;
    if (!(fabs(sum - R->sum) <= near) ||
        !(fabs(dangling - R->dangling) <= near))
        return base_fail(HY_EBUG, "pagerank: %.17g is missing, not %.17g", sum,
                         R->sum);
    return HY_OK;
}

/* Rounds and sweeps left nothing behind. */
static hy_status check_box(const struct ranks *R, const struct ranks_box *box,
                           hy_vid bound)
{
    for (hy_vid v = 0; v < bound; v++)
        if (ranks_sent(R, box, v))
            return base_fail(HY_EBUG,
                             "pagerank: %u has yet to take what it"
                             " was sent",
                             (unsigned)v);
    if (bound && ranks_has_high(box, 0, bound))
        return base_fail(HY_EBUG, "pagerank: an empty box is marked");
    return HY_OK;
}

/* Who waits is marked, at home, and nothing is under way. */
static hy_status check_shard(const struct ranks *R, const struct ranks_shard *S)
{
    for (hy_vid i = 0; i < S->n_wait; i++) {
        const hy_vid v = R->wait[S->lo + i];
        if (v < S->lo || v - S->lo >= S->size ||
            !(R->node[v].mark & RANKS_WAITING))
            return base_fail(HY_EBUG, "pagerank: %u waits without a mark",
                             (unsigned)v);
    }
    uint32_t n = S->n_queue + S->n_apart;
    for (uint32_t k = 0; k < RANKS_SHARDS; k++)
        n += S->n_mail[k];
    return n ? base_fail(HY_EBUG, "pagerank: %u are still to be pushed",
                         (unsigned)n)
             : HY_OK;
}

/* ... and nobody else. */
static hy_status check_lists(const struct ranks *R, const hy_view *V)
{
    hy_vid marked = 0;
    for (hy_vid v = 0; v < V->bound; v++)
        marked += (R->node[v].mark & RANKS_WAITING) != 0;
    for (uint32_t k = 0; k < R->shards; k++)
        HY_TRY(check_shard(R, &R->shard[k]));
    if (marked != ranks_n_wait(R))
        return base_fail(HY_EBUG, "pagerank: %u are to wait, and %u do",
                         (unsigned)marked, (unsigned)ranks_n_wait(R));
    return HY_OK;
}

/* Values are those of now, but for rests that changed since. */
static hy_status check_values(const struct ranks *R, const hy_view *V)
{
    const double *const value = R->L->values;
    const double slack = 1e-9;
    double away = 0, most = 1;
    for (hy_vid v = 0; v < V->bound; v++) {
        const struct ranks_node *const a = &R->node[v];
        const double x = R->share[v] * ranks_k(a) + a->rest;
        away += fabs(value[v] * R->scale - x);
        most += fabs(x);
    }
    if (!(away <= R->drift + slack * most))
        return base_fail(HY_EBUG, "pagerank: values are %.17g away, not %.17g",
                         away, R->drift);
    return HY_OK;
}

/* What is kept beside the values. */
static hy_status check_kept(const struct ranks *R, const hy_view *V)
{
    HY_TRY(check_rests(R, V));
    HY_TRY(check_lists(R, V));
    return check_values(R, V);
}

hy_status ranks_check(hy_live *L, const hy_view *V)
{
    const struct ranks *const R = L->state;
    const char *why;
    if (!R->is_blank)
        HY_TRY(check_kept(R, V));
    HY_TRY(check_box(R, &R->box[0], V->bound));
    HY_TRY(check_box(R, &R->box[1], V->bound));
    if (R->is_open)
        return base_fail(HY_EBUG, "pagerank: a row of sweeps has no end");
    for (uint32_t i = 0; i < RANKS_ROW; i++)
        if (!isfinite(R->left[i]))
            return base_fail(HY_EBUG, "pagerank: what sweeps leave is unknown");
    if (L->info.error * (1 - R->d) > R->plan.tolerance)
        return HY_OK; /* the iterations did not suffice */
    return hy_pagerank_check(V, &R->opts, L->values, &why) ? HY_OK : HY_EBUG;
}
