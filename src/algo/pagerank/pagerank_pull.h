/* What passes over all vertices of live ranks have in common. */
#ifndef ALGO_PAGERANK_PULL_H
#define ALGO_PAGERANK_PULL_H

#include "algo/pagerank/pagerank_live.h"

static inline hy_scan ranks_scan_in(const struct ranks *R, hy_vid lo, hy_vid hi)
{
    return view_is_undirected(R->V) ? hy_scan_out(R->V, lo, hi)
                                    : hy_scan_in(R->V, lo, hi);
}

static inline void ranks_add_part(struct ranks_part *part, double rest)
{
    part->rest += fabs(rest);
    part->net += rest;
}

/* Multiples of the unit: `gone`, and how far to go for a rest, after a step of
 * `last`; 0 without edges.  To the nearest integer by adding a number that
 * leaves no bits behind the point: signs are random, and a branch on them is
 * guessed wrong half of the time. */
HY_INLINE int16_t ranks_step(const struct ranks_gait *g,
                             const struct ranks_node *a, double rest,
                             int32_t last, int32_t gone)
{
    const float most = INT16_MAX, round = 0x1.8p23f;
    const float k = (float)ranks_k(a), has_edges = a->degree != 0;
    float x = (float)(rest * g->gain) / k + (float)g->onward * (float)last;
    x += (float)gone;
    if (fabsf(x) > most)
        x = copysignf(most, x);
    return (int16_t)(int32_t)(x * has_edges + round - round);
}

/* What is summed by a pull: 16 bits or the low 8. */
struct ranks_steps {
    const int16_t *all;
    const int8_t *low;
};

HY_INLINE int32_t ranks_step_of(const struct ranks_steps *x, hy_vid u,
                                bool is_low)
{
    return is_low ? x->low[u] : x->all[u];
}

/* Runs are too short to overflow: a hub has many. */
HY_INLINE int32_t ranks_sum_run(const hy_span s, const struct ranks_steps *x,
                                bool is_low)
{
    int32_t a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    if (s.step != 1) {
        for (; i < s.n; i++)
            a += ranks_step_of(x, s.v[i * s.step], is_low);
        return a;
    }
    for (; i + 4 <= s.n; i += 4) {
        a += ranks_step_of(x, s.v[i], is_low);
        b += ranks_step_of(x, s.v[i + 1], is_low);
        c += ranks_step_of(x, s.v[i + 2], is_low);
        d += ranks_step_of(x, s.v[i + 3], is_low);
    }
    for (; i < s.n; i++)
        a += ranks_step_of(x, s.v[i], is_low);
    return (a + b) + (c + d);
}

/* Adds the steps of v's in-neighbours to sum[v - lo]: integers. */
HY_INLINE void ranks_pull(const struct ranks *R, hy_vid lo, hy_vid hi,
                          double *sum, bool is_low)
{
    const struct ranks_steps x = { .all = R->step, .low = R->low };
    hy_scan scan = ranks_scan_in(R, lo, hi);
    while (hy_scan_next(&scan))
        sum[scan.span.u - lo] += ranks_sum_run(scan.span, &x, is_low);
}

/* What a sweep that moves all shares needs, by value: what it writes could
 * else be any of these. */
struct ranks_terms {
    double d, unit, tell;
    struct ranks_gait gait;
};

static inline struct ranks_terms ranks_terms(const struct ranks *R)
{
    return (struct ranks_terms){ .d = R->d,
                                 .unit = R->unit,
                                 .tell = R->told > 0 ? 1 / R->told : 0,
                                 .gait = R->gait };
}

/* Sweeps whose steps are multiples of `unit`; see the files. */
void ranks_sweep_row(struct ranks *R, double unit);

#endif
