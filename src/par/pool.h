/* The pool's inside, for the files of this room only. */
#ifndef PAR_POOL_H
#define PAR_POOL_H

#include "par/par.h"

#include <pthread.h>

/* A call in progress; lives on its caller's stack. */
struct par_job {
    par_step *step;
    void *arg;
    size_t n;
    /* The next index nobody has claimed.  Relaxed: it only deals out
     * indices, the pool's lock orders what the steps write. */
    _Atomic size_t next;
};

struct par_pool {
    uint32_t width; /* threads of one call, the caller's included */
    _Atomic bool is_busy; /* held by the caller whose job it is */

    pthread_mutex_t lock;
    pthread_cond_t work;   /* there is a job to join, or it is over */
    pthread_cond_t done;   /* the last helper has left the job */
    struct par_job *job;   /* guarded by lock; valid while wanted or helpers */
    uint32_t wanted;       /* guarded by lock; helpers that may still join */
    uint32_t helpers;      /* guarded by lock; helpers inside the job */
    bool is_over;          /* guarded by lock; workers leave */
    size_t *sort_rows;     /* owned; see sort_impl.h */
    uint32_t started;      /* threads running; set before the first call */
    pthread_t threads[];   /* width - 1 */
};

/* Makes the pool of `ctx`, with memory that `mem` permits.  HY_ENOMEM: no
 * memory or no thread. */
HY_MUST hy_status par_pool_new(hy_ctx *mem, uint32_t width,
                               struct par_pool **out);

/* Waits for the workers to leave and frees.  NULL is allowed. */
void par_pool_free(hy_ctx *mem, struct par_pool *pool);

/* Takes the pool for several runs in a row, without waiting: false while
 * another thread has it. */
bool par_pool_acquire(struct par_pool *pool);
void par_pool_release(struct par_pool *pool);

/* par_run for who holds the pool. */
void par_pool_run(struct par_pool *pool, size_t n, par_step *step, void *arg);

#endif
