/* A list that threads fill together, and waves over one.
 *
 * A wave is a list in which every vertex comes once at most: what a round
 * puts is what the next round goes over, and room for all of them is room
 * enough.  Small rounds run on the caller's thread alone.
 */
#ifndef ALGO_COMMON_LIST_H
#define ALGO_COMMON_LIST_H

#include "base/atomic.h"
#include "par/par.h"

#include <hypha/base.h>

struct algo_list {
    hy_vid *at;
    uint64_t n; /* atomic, relaxed, while threads put */
};

/* What a thread has put and not handed over yet; { .to = list } is empty. */
enum { ALGO_PUTS = 250 };
struct algo_puts {
    struct algo_list *to;
    uint32_t n;
    hy_vid at[ALGO_PUTS];
};

static inline void algo_puts_flush(struct algo_puts *puts)
{
    if (puts->n == 0)
        return;
    hy_vid *to = puts->to->at + atomic_add_u64(&puts->to->n, puts->n);
    for (uint32_t i = 0; i < puts->n; i++)
        to[i] = puts->at[i];
    puts->n = 0;
}

static inline void algo_put(struct algo_puts *puts, hy_vid v)
{
    puts->at[puts->n++] = v;
    if (puts->n == ALGO_PUTS)
        algo_puts_flush(puts);
}

struct algo_wave {
    struct algo_list list;
    uint64_t lo, hi; /* of this round */
};

/* Begins the next round; false if nothing was put. */
static inline bool algo_wave_next(struct algo_wave *W)
{
    W->lo = W->hi;
    W->hi = W->list.n;
    return W->lo < W->hi;
}

/* Runs step(arg, lo, hi) over ranges of the round, as indices of
 * W->list.at less W->lo. */
static inline void algo_wave_run(hy_ctx *ctx, const struct algo_wave *W,
                                 size_t grain, par_range_step *step, void *arg)
{
    par_for(ctx, W->hi - W->lo, grain, step, arg);
}

#endif
