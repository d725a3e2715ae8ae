/* What passes over all vertices of live ranks have in common. */
#ifndef ALGO_PAGERANK_PULL_H
#define ALGO_PAGERANK_PULL_H

#include "algo/pagerank/pagerank_live.h"
#include "ops/line.h"

static inline hy_scan ranks_scan_in(const struct ranks *R, hy_vid lo, hy_vid hi)
{
    return view_is_undirected(R->V) ? hy_scan_out(R->V, lo, hi)
                                    : hy_scan_in(R->V, lo, hi);
}

/* What passes over all vertices do is done for some at a time, from arrays: of
 * loops over these the compiler makes vector instructions.  The order of their
 * sums is written down, and so the same with and without. */
enum { RANKS_SOME = 256 };

struct ranks_some {
    double rest[RANKS_SOME], k[RANKS_SOME];
    double lone[RANKS_SOME];  /* 1 without out-edges, else 0 */
    double alive[RANKS_SOME]; /* 1 or 0 */
};

HY_INLINE void ranks_load(const struct ranks *R, size_t lo, size_t n,
                          struct ranks_some *x)
{
    const struct ranks_node *const node = R->node + lo;
    for (size_t i = 0; i < n; i++) {
        x->rest[i] = node[i].rest;
        x->k[i] = ranks_k(&node[i]);
        x->lone[i] = ranks_is_dangling(&node[i]);
        x->alive[i] = (double)!!(node[i].mark & RANKS_ALIVE);
    }
}

/* Four sums of every fourth: additions that do not wait for each other. */
struct ranks_sums {
    double all[4], net[4];
};

HY_INLINE void ranks_sum(const double *x, size_t n, struct ranks_sums *s)
{
    enum { WAYS = 4 };
    size_t i = 0;
    for (; i + WAYS <= n; i += WAYS)
        for (size_t w = 0; w < WAYS; w++) {
            s->all[w] += fabs(x[i + w]);
            s->net[w] += x[i + w];
        }
    for (; i < n; i++) {
        s->all[0] += fabs(x[i]);
        s->net[0] += x[i];
    }
}

HY_INLINE double ranks_total(const double *way)
{
    return (way[0] + way[1]) + (way[2] + way[3]);
}

/* What a task found. */
HY_INLINE struct ranks_part ranks_part_of(const struct ranks_sums *rest,
                                          const struct ranks_sums *dangling)
{
    return (struct ranks_part){ .rest = ranks_total(rest->all),
                                .net = ranks_total(rest->net),
                                .dangling = ranks_total(dangling->net) };
}

/* Multiples of the unit: `gone`, and how far to go for a rest, after a step of
 * `last`.  To the nearest integer by adding a number that leaves no bits behind
 * the point: signs are random, and a branch on them is guessed wrong half of
 * the time. */
HY_INLINE int16_t ranks_step(const struct ranks_gait *g, double k, double rest,
                             int32_t last, int32_t gone)
{
    const float most = INT16_MAX, round = 0x1.8p23f;
    float x = (float)(rest * g->gain) / (float)k;
    x += (float)g->onward * (float)last + (float)gone;
    x = fabsf(x) < most ? x : copysignf(most, x);
    return (int16_t)(int32_t)(x + round - round);
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

#if defined(__x86_64__) && defined(__GNUC__)
/* Looks up all of a line. */
HY_AVX2
static inline int32_t ranks_sum_last(const struct ranks_steps *x,
                                     const hy_vid *v, uint32_t n)
{
    hy_vid id[OPS_LINE];
    ops_load_last(v, n, id);
    int32_t a = 0, b = 0;
    for (size_t i = 0; i < OPS_LINE; i += 2) {
        a += x->low[id[i]];
        b += x->low[id[i + 1]];
    }
    return a + b - (int32_t)(OPS_LINE - n) * x->low[0];
}
#endif

/* Two ids are loaded at once, and those of some lines ahead are asked for: what
 * is looked up between keeps the processor from doing so by itself.  Runs are
 * too short to overflow: a hub has many. */
HY_INLINE int32_t ranks_sum_run(const hy_span s, const struct ranks_steps *x,
                                bool is_low, bool is_wide)
{
    enum { AHEAD = 24 * OPS_LINE };
    int32_t a = 0, b = 0;
    size_t i = 0;
    if (s.step != 1) {
        for (; i < s.n; i++)
            a += ranks_step_of(x, s.v[i * s.step], is_low);
        return a;
    }
    for (; i + OPS_LINE < s.n; i += OPS_LINE) {
        HY_PREFETCH(s.v + i + AHEAD);
        for (size_t k = 0; k < OPS_LINE; k += 2) {
            uint64_t two;
            memcpy(&two, s.v + i + k, sizeof two);
            a += ranks_step_of(x, (hy_vid)two, is_low);
            b += ranks_step_of(x, (hy_vid)(two >> 32), is_low);
        }
    }
#if defined(__x86_64__) && defined(__GNUC__)
    if (is_low && is_wide) {
        HY_PREFETCH(s.v + i + AHEAD);
        return a + b + ranks_sum_last(x, s.v + i, s.n - (uint32_t)i);
    }
#endif
    for (; i < s.n; i++)
        a += ranks_step_of(x, s.v[i], is_low);
    return a + b;
}

/* Adds the steps of v's in-neighbours to sum[v - lo]: integers.  Where steps
 * have 16 bits walks mix slowly, as in a grid: all have a few neighbours, and
 * loops over these do best. */
HY_INLINE void ranks_pull(const struct ranks *R, hy_vid lo, hy_vid hi,
                          double *sum, bool is_low, bool is_wide)
{
    const struct ranks_steps x = { .all = R->step, .low = R->low };
    hy_scan scan = ranks_scan_in(R, lo, hi);
    while (hy_scan_next(&scan))
        sum[scan.span.u - lo] += ranks_sum_run(scan.span, &x, is_low, is_wide);
}

/* Sweeps whose steps are multiples of `unit`; see the files. */
void ranks_sweep_row(struct ranks *R, double unit);

#endif
