/* Workers that claim ranges until none is left. */
#include "algo/common/crew.h"

#include "base/atomic.h"

struct crew {
    algo_crew_step *step;
    void *arg;
    size_t n, grain;
    uint64_t next; /* atomic, relaxed: ranges are claimed, not published */
};

/* Writes nothing but the claim; the step answers for its range. */
static void work_par(void *arg, size_t worker)
{
    struct crew *C = arg;
    for (;;) {
        const size_t lo = atomic_add_u64(&C->next, C->grain);
        if (lo >= C->n)
            return;
        const size_t rest = C->n - lo;
        C->step(C->arg, worker, lo, lo + (rest < C->grain ? rest : C->grain));
    }
}

void algo_crew_for(hy_ctx *ctx, size_t n, size_t grain, algo_crew_step *step,
                   void *arg)
{
    struct crew C = { .step = step, .arg = arg, .n = n, .grain = grain };
    if (n <= grain)
        work_par(&C, 0);
    else
        par_run(ctx, par_width(ctx), work_par, &C);
}
