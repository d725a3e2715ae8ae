/* Loops whose steps know which worker they are, for workspaces of their own.
 */
#ifndef ALGO_COMMON_CREW_H
#define ALGO_COMMON_CREW_H

#include "par/par.h"

/* Runs step(arg, worker, lo, hi) over disjoint ranges of `grain` that cover
 * 0..n-1; worker < par_width(ctx), and no two calls of one worker at once.
 * One range if n <= grain. */
typedef void algo_crew_step(void *arg, size_t worker, size_t lo, size_t hi);
void algo_crew_for(hy_ctx *ctx, size_t n, size_t grain, algo_crew_step *step,
                   void *arg);

#endif
