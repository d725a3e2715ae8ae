/* What a static run begins with, for ranks that are to begin anew.
 *
 * In an undirected graph, as if the walk had mixed after two steps:
 *
 *   z(v) = 1 + slope * degree(v)
 *
 * with a slope that lets rests sum to 0.  Exact for regular graphs.  Then
 *   rest(v) = d * (sum of 1 / degree(u), u -> v) - (1 - d) * slope * degree(v),
 * so that some vertices tell how near it is.
 */
#include "algo/pagerank/pagerank_live.h"

enum { GRAIN = 1 << 14 };

static double first_slope(const struct ranks *R)
{
    const double n = (double)R->V->vertices - R->dangling;
    return R->d / (1 - R->d) * n / ((double)R->V->arcs + 1);
}

/* What it would leave at v. */
static double first_rest(const struct ranks *R, hy_vid v, double slope)
{
    const uint32_t k = R->node[v].degree;
    double sum = 0;
    view_for_out (s, R->V, v)
        for (size_t i = 0; i < s.n; i++)
            sum += 1 / ranks_k(&R->node[s.v[i * s.step]]);
    return k ? R->d * sum - (1 - R->d) * slope * k : 0;
}

/* By some thousand vertices, and not by most of the edges of a small graph. */
double ranks_first_sum(const struct ranks *R, double most)
{
    enum { SAMPLE = 8192, PART = 32, ARCS = 1 << 16 };
    const uint64_t many = R->V->arcs / ARCS < PART ? R->V->arcs / ARCS : PART;
    const uint64_t few = R->V->bound / SAMPLE;
    const uint64_t apart = (few > many ? few : many) | 1;
    const double slope = first_slope(R);
    double sum = 0;
    for (uint64_t v = 0; v < R->V->bound && sum <= most; v += apart)
        sum += (double)apart * fabs(first_rest(R, (hy_vid)v, slope));
    return sum;
}

/* Writes the first shares of its vertices. */
static void first_par(void *arg, size_t lo, size_t hi)
{
    struct ranks *R = arg;
    const double slope = first_slope(R);
    for (size_t v = lo; v < hi; v++) {
        const struct ranks_node *const a = &R->node[v];
        R->share[v] = 1 / ranks_k(a) + slope * (1 - ranks_is_dangling(a));
    }
}

void ranks_first(struct ranks *R)
{
    par_for(R->L->ctx, R->V->bound, GRAIN, first_par, R);
    ranks_measure(R);
}
