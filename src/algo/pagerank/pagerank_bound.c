/* How far ranks may be from the true ones, and when that is near enough.
 *
 * The bound.  Let x be any ranks times s, X the sum of x over dangling vertices
 * and S(X) = (n - d * X) / (1 - d).  One iteration of PageRank from x/s changes
 * ranks, summed, by at most
 *   (sum of |rest of x| + (1 - d) * |s - S(X)|) / s.
 * What is published is x = z + rest: all rests pushed once more, without the
 * walk that would tell what they leave.  The rest of x is d * A * rest, whose
 * sum is at most d times that of rests with edges; other rests move S(X) by as
 * much.  So with Z, the sum of z over dangling vertices, and S = S(Z)
 *   error(s) = (d * sum of |rest| + (1 - d) * |s - S|) / s.
 * A static run ends when that is certain to be no more than the tolerance, by
 * the same argument; so does a commit.  The ranks are then within
 * error / (1 - d) of the true ones, which info.error says.
 *
 * Publishing.  The scale s stays as long as error(s) allows, so that values
 * change only where shares or degrees do; then S becomes the scale and all
 * values are written.  Pushes change rests of vertices whose values are not
 * written: `drift` is what these may add up to, and error grows by
 * (1 + d) * drift / s until all values are written.  Sums of rests and of z are
 * added to as these change; `doubt` is what rounding may have done to each, and
 * `blur` what it may have done to rests since they were measured, which are
 * both part of the error, too.
 */
#include "algo/pagerank/pagerank_live.h"

enum {
    GRAIN = 1 << 14,
    MANY = 8 /* one in so many values moved, and to write all is faster */
};

/* Part of the tolerance that rests may take: some is left to the scale. */
#define MOST_REST 0.96

/* ---- bounds ---------------------------------------------------------------
 */

static double vertices(const struct ranks *R)
{
    return (double)R->V->vertices;
}

/* S above; at least what it must be in the end. */
static double true_scale(const struct ranks *R)
{
    return (vertices(R) - R->d * R->dangling) / (1 - R->d);
}

double ranks_best_scale(const struct ranks *R)
{
    const double S = true_scale(R), n = vertices(R);
    return S > n ? S : n;
}

/* Of ranks published with rests that differ by so much. */
static double error(const struct ranks *R, double drift, double scale)
{
    const double d = R->d, S = true_scale(R);
    if (!R->V->vertices)
        return 0;
    if (!(scale > 0))
        return HUGE_VAL;
    const double sum =
        fmax(R->sum, 0) + 2 * R->doubt + R->blur; /* one doubt is S's */
    return (d * sum + (1 + d) * drift + (1 - d) * fabs(scale - S)) / scale;
}

bool ranks_is_done(const struct ranks *R)
{
    return error(R, 0, ranks_best_scale(R)) <= R->plan.tolerance * MOST_REST;
}

double ranks_goal(const struct ranks *R)
{
    return R->plan.tolerance * MOST_REST * ranks_best_scale(R) / R->d;
}

double ranks_next_scale(const struct ranks *R)
{
    const double d = R->d, S = true_scale(R);
    const double part = (1 - MOST_REST) / 2; /* of what rests leave to it */
    const bool is_good =
        R->scale > 0 &&
        (1 - d) * fabs(R->scale - S) <= R->plan.tolerance * part * R->scale;
    return is_good ? R->scale : ranks_best_scale(R);
}

/* ---- publish --------------------------------------------------------------
 */

/* Of a vertex that is not alive: 0. */
static double rank_of(const struct ranks *R, hy_vid v)
{
    return ranks_z(&R->node[v], R->share[v]) * (1 / R->scale);
}

/* Writes its values. */
static void publish_par(void *arg, size_t lo, size_t hi)
{
    const struct ranks *const R = arg;
    double *const values = R->L->values;
    for (size_t v = lo; v < hi; v++)
        values[v] = rank_of(R, (hy_vid)v);
}

static void publish_some(struct ranks *R, const hy_vid *moved, hy_vid n)
{
    enum { AHEAD = 12 };
    hy_live *const L = R->L;
    for (hy_vid i = 0; i < n; i++) {
        const hy_vid v = moved[i];
        const hy_vid next = moved[i + AHEAD < n ? i + AHEAD : i];
        HY_PREFETCH(&L->stamp[next]);
        HY_PREFETCH(&((const double *)L->values)[next]);
        HY_PREFETCH(&((const double *)L->old)[next]);
        live_note(L, v);
        ((double *)L->values)[v] = rank_of(R, v);
    }
    R->work += n;
}

static void publish_moved(struct ranks *R)
{
    for (uint32_t i = 0; i < R->shards; i++)
        publish_some(R, R->moved + R->shard[i].lo, R->shard[i].n_moved);
}

/* Did the last sweep or round write all values, and was it the last? */
static bool is_published(struct ranks *R)
{
    if (!(R->told > 0) || error(R, 0, R->told) > R->plan.tolerance)
        return false;
    R->scale = R->told;
    R->drift = 0;
    return true;
}

static void write_values(struct ranks *R)
{
    hy_live *const L = R->L;
    if (error(R, R->drift, R->scale) > R->plan.tolerance) {
        R->scale = ranks_best_scale(R);
        R->is_all = true;
    }
    if (!(R->scale > 0))
        R->scale = 1; /* there is no vertex */
    if (R->is_all || L->is_all_kept || ranks_n_moved(R) > R->V->bound / MANY) {
        R->drift = 0;
        live_turn_over(L, R->V->bound);
        par_for(L->ctx, R->V->bound, GRAIN, publish_par, R);
        R->work += R->V->bound;
    } else {
        publish_moved(R);
    }
}

void ranks_publish(struct ranks *R)
{
    hy_live *const L = R->L;
    if (!is_published(R))
        write_values(R);
    ranks_forget_moved(R);
    L->info.work = R->work;
    L->info.total = R->V->vertices;
    L->info.error = error(R, R->drift, R->scale) / (1 - R->d);
}
